//! Clones of the parts of keys: one more handle with a heap, one more copy without.

use crate::keys::{self, Matrix, PrivateKey, PublicKey, StoredMatrix};
use crate::params::MlDsaParams;
use crate::shared::One;

pub(crate) fn matrix<P: MlDsaParams>(a_hat: &One<StoredMatrix<P>>) -> One<StoredMatrix<P>> {
    a_hat.share(|| {
        One::build(keys::empty_matrix::<P>, |copy| {
            let (copy, a_hat): (&mut Matrix<P>, &Matrix<P>) = (copy, a_hat);
            copy.as_mut().copy_from_slice(a_hat.as_ref());
        })
    })
}

pub(crate) fn public<P: MlDsaParams>(public: &One<PublicKey<P>>) -> One<PublicKey<P>> {
    public.share(|| {
        One::build(PublicKey::<P>::empty, |copy| {
            copy.encoded.clone_from(&public.encoded);
            copy.tr = public.tr;
        })
    })
}

pub(crate) fn secret<P: MlDsaParams>(secret: &One<PrivateKey<P>>) -> One<PrivateKey<P>> {
    secret.share(|| {
        One::build(PrivateKey::<P>::empty, |copy| {
            copy.rho = secret.rho;
            copy.key_seed = secret.key_seed;
            copy.tr = secret.tr;
            copy.s1.as_mut().copy_from_slice(secret.s1.as_ref());
            copy.s2.as_mut().copy_from_slice(secret.s2.as_ref());
            copy.t0.as_mut().copy_from_slice(secret.t0.as_ref());
        })
    })
}
