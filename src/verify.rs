//! Verification.

use crate::keys::{Matrix, PublicKey};
use crate::params::{HASH_LEN, MlDsaParams};
use crate::simd::Isa;
use hybrid_array::Array;

/// Algorithm 23, `pkDecode`, and what Algorithm 8 computes from the public key alone (steps 5 and
/// 6): expands `pk.encoded`, which the caller has filled, into Â, tr and NTT(t₁·2ᵈ).
pub(crate) fn expand_public<P: MlDsaParams, I: Isa>(
    isa: I,
    a_hat: &mut Matrix<P>,
    pk: &mut PublicKey<P>,
) {
    let _ = (isa, a_hat, pk);
    todo!()
}

/// The checks of Algorithm 27, `sigDecode`, and of step 13 of Algorithm 8: the hint is well formed
/// and ‖**z**‖∞ < γ₁ − β.
#[must_use]
pub(crate) fn signature_is_well_formed<P: MlDsaParams, I: Isa>(
    isa: I,
    sigma: &Array<u8, P::SignatureSize>,
) -> bool {
    let _ = (isa, sigma);
    todo!()
}

/// Algorithm 8, `ML-DSA.Verify_internal`, from step 8 on, for a well-formed signature.
#[must_use]
pub(crate) fn verify_mu<P: MlDsaParams, I: Isa>(
    isa: I,
    a_hat: &Matrix<P>,
    pk: &PublicKey<P>,
    mu: &[u8; HASH_LEN],
    sigma: &Array<u8, P::SignatureSize>,
) -> bool {
    let _ = (isa, a_hat, pk, mu, sigma);
    todo!()
}
