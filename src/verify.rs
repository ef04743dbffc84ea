//! Verification: Algorithm 8. Everything here is public.

use crate::encode::{
    hint_bit_unpack, hint_is_well_formed, t1_unpack_shifted, z_is_below, z_unpack,
};
use crate::keccak::Shake256;
use crate::keys::{Matrix, PublicKey, rows, stored_zeros};
use crate::ntt::{ntt, ntt_inverse, pointwise_acc_sub};
use crate::params::sealed::{Derived, List};
use crate::params::{Cols, HASH_LEN, MlDsaParams, Rows, SEED_LEN};
use crate::poly::{NttPoly, Poly};
use crate::rounding::use_hint_poly;
use crate::sampling::{Challenge, sample_in_ball, sample_in_ball_beside};
use crate::simd::Isa;
use hybrid_array::Array;

/// The checks of Algorithm 27, `sigDecode`, and of step 13 of Algorithm 8: the hint is well formed
/// and ‖**z**‖∞ < γ₁ − β.
#[must_use]
pub(crate) fn signature_is_well_formed<P: MlDsaParams, I: Isa>(
    isa: I,
    sigma: &Array<u8, P::SignatureSize>,
) -> bool {
    let bound = P::GAMMA1 as i32 - P::BETA as i32;
    let (rest, hint) = sigma.split_at(P::HINT_OFFSET);
    hint_is_well_formed::<P>(hint)
        && rest[P::Z_OFFSET..]
            .chunks_exact(P::Z_LEN)
            .all(|z| z_is_below::<I, P::Gamma1>(isa, z, bound))
}

/// Algorithm 8, `ML-DSA.Verify_internal(pk, M′, σ)`, from step 7 on, for a well-formed signature;
/// `h` has absorbed tr and M′.
#[must_use]
pub(crate) fn verify_hash<P: MlDsaParams, I: Isa>(
    isa: I,
    a_hat: &Matrix<P>,
    pk: &PublicKey<P>,
    h: &mut Shake256,
    sigma: &Array<u8, P::SignatureSize>,
) -> bool {
    // 7, 8: μ ← H(tr ‖ M′, 64) and c ← SampleInBall(c̃), side by side
    let mut mu = [0; HASH_LEN];
    let c = sample_in_ball_beside(isa, &sigma[..P::Z_OFFSET], P::TAU, h, &mut mu);
    verify_challenge(isa, a_hat, pk, &mu, &c, sigma)
}

/// The same from step 8 on, with μ.
#[must_use]
pub(crate) fn verify_mu<P: MlDsaParams, I: Isa>(
    isa: I,
    a_hat: &Matrix<P>,
    pk: &PublicKey<P>,
    mu: &[u8; HASH_LEN],
    sigma: &Array<u8, P::SignatureSize>,
) -> bool {
    // 8: c ← SampleInBall(c̃)
    let c = sample_in_ball(isa, &sigma[..P::Z_OFFSET], P::TAU);
    verify_challenge(isa, a_hat, pk, mu, &c, sigma)
}

/// The same from step 9 on.
fn verify_challenge<P: MlDsaParams, I: Isa>(
    isa: I,
    a_hat: &Matrix<P>,
    pk: &PublicKey<P>,
    mu: &[u8; HASH_LEN],
    c: &Challenge,
    sigma: &Array<u8, P::SignatureSize>,
) -> bool {
    let (rest, hint) = sigma.split_at(P::HINT_OFFSET);
    let (c_tilde, z) = rest.split_at(P::Z_OFFSET);
    let Some(hint) = hint_bit_unpack::<P>(hint) else {
        return false;
    };
    let mut w = Poly::default();
    let mut c_hat = NttPoly::default();
    c.write_to(&mut w);
    ntt(isa, &w, &mut c_hat);
    let mut w_hat = NttPoly::default();
    let mut z_hat: Cols<P, NttPoly> = List::repeat(NttPoly::default());
    for (z, z_hat) in z.chunks_exact(P::Z_LEN).zip(z_hat.as_mut()) {
        z_unpack::<I, P::Gamma1>(isa, z, &mut w);
        ntt(isa, &w, z_hat);
    }
    // 12: c̃′ ← H(μ ‖ w1Encode(w₁′), λ/4)
    let mut h = Shake256::new();
    h.absorb(isa, mu);
    pk.t1_hat.with(
        || {
            let mut t1_hat = stored_zeros();
            transform_t1::<P, I>(isa, &pk.encoded, &mut t1_hat);
            t1_hat
        },
        |t1_hat| {
            let mut w1 = [0; MAX_W1_POLY];
            let w1 = &mut w1[..P::W1_LEN];
            let rows = rows::<P>(a_hat).zip(t1_hat.as_ref()).zip(hint.as_ref());
            for ((a, t1_hat), hint) in rows {
                // 9, 10: w′ ← NTT⁻¹(Â ∘ NTT(z) − NTT(c) ∘ NTT(t₁·2ᵈ)); w₁′ ← UseHint(h, w′)
                pointwise_acc_sub(isa, a, &z_hat, &c_hat, t1_hat, &mut w_hat);
                ntt_inverse(isa, &w_hat, &mut w);
                use_hint_poly::<I, P::Gamma2>(isa, hint, &w, w1);
                h.absorb(isa, w1);
            }
        },
    );
    let mut expected = [0; HASH_LEN];
    let expected = &mut expected[..P::C_TILDE_LEN];
    h.finish(isa, expected);
    // 13
    c_tilde == expected
}

/// NTT(t₁·2ᵈ), a part of step 9.
fn transform_t1<P: MlDsaParams, I: Isa>(isa: I, pk: &[u8], t1_hat: &mut Rows<P, NttPoly>) {
    let mut t1 = Poly::default();
    let encoded = pk[SEED_LEN..].chunks_exact(P::T1_LEN);
    for (t1_hat, bytes) in t1_hat.as_mut().iter_mut().zip(encoded) {
        t1_unpack_shifted(isa, bytes, &mut t1);
        ntt(isa, &t1, t1_hat);
    }
}

/// The most bytes of a polynomial of **w**₁.
pub(crate) const MAX_W1_POLY: usize = 192;
