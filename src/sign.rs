//! Signing.

use crate::keys::{Matrix, PrivateKey};
use crate::params::{HASH_LEN, MlDsaParams, SEED_LEN};
use crate::simd::Isa;
use hybrid_array::Array;

/// Every attempt was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exhausted;

/// Algorithm 7, `ML-DSA.Sign_internal`, from step 7 on: μ is given.
///
/// # Errors
/// [`Exhausted`] after [`MAX_ATTEMPTS`] rejected attempts; `sigma` is then all zeros.
pub(crate) fn sign_mu<P: MlDsaParams, I: Isa>(
    isa: I,
    sk: &PrivateKey<P>,
    a_hat: &Matrix<P>,
    mu: &[u8; HASH_LEN],
    rnd: &[u8; SEED_LEN],
    sigma: &mut Array<u8, P::SignatureSize>,
) -> Result<(), Exhausted> {
    let _ = (isa, sk, a_hat, mu, rnd, sigma);
    todo!()
}

/// The number of attempts after which signing gives up.
pub(crate) const MAX_ATTEMPTS: usize = 1000;
