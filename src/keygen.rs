//! Key generation.

use crate::keys::{Matrix, PrivateKey, PublicKey};
use crate::params::{MlDsaParams, SEED_LEN};
use crate::simd::Isa;

/// Algorithm 6, `ML-DSA.KeyGen_internal(ξ)`. Fills the three parts of a key pair.
pub(crate) fn key_gen_internal<P: MlDsaParams, I: Isa>(
    isa: I,
    xi: &[u8; SEED_LEN],
    a_hat: &mut Matrix<P>,
    sk: &mut PrivateKey<P>,
    pk: &mut PublicKey<P>,
) {
    let _ = (isa, xi, a_hat, sk, pk);
    todo!()
}

/// Expands what a decoded private key does not hold: Â = ExpandA(ρ).
pub(crate) fn expand_private<P: MlDsaParams, I: Isa>(
    isa: I,
    sk: &PrivateKey<P>,
    a_hat: &mut Matrix<P>,
) {
    let _ = (isa, sk, a_hat);
    todo!()
}

/// The public key that belongs to a private key: steps 5 and 6 of Algorithm 6 again. Fills `pk`,
/// whose `tr` is the hash of the public key that results (for a key that was tampered with it
/// differs from `sk.tr`). Returns whether `sk.tr` and `sk.t0` agree with the public key.
pub(crate) fn public_from_private<P: MlDsaParams, I: Isa>(
    isa: I,
    sk: &PrivateKey<P>,
    a_hat: &Matrix<P>,
    pk: &mut PublicKey<P>,
) -> bool {
    let _ = (isa, sk, a_hat, pk);
    todo!()
}
