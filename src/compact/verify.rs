//! Algorithm 8, `ML-DSA.Verify_internal(pk, M′, σ)`, in little memory. Everything here is public.

use super::{finish_sum, sample_entry};
use crate::encode::{Hint, hint_bit_unpack, t1_unpack_shifted, z_unpack};
use crate::keccak::Shake256;
use crate::ntt::{add_product, ntt, sub_product};
use crate::params::sealed::{Derived, Zero};
use crate::params::{HASH_LEN, MlDsaParams, SEED_LEN};
use crate::poly::{NttPoly, Poly};
use crate::rounding::use_hint_poly;
use crate::sampling::{Challenge, sample_in_ball};
use crate::simd::Isa;
use crate::verify::{MAX_W1_POLY, signature_is_well_formed};
use hybrid_array::Array;

/// Algorithm 8, `ML-DSA.Verify_internal(pk, M′, σ)`, from step 8 on, and the checks of step 2.
#[must_use]
pub(crate) fn verify_mu<P: MlDsaParams, I: Isa>(
    isa: I,
    pk: &Array<u8, P::VerifyingKeySize>,
    mu: &[u8; HASH_LEN],
    sigma: &Array<u8, P::SignatureSize>,
) -> bool {
    if !signature_is_well_formed::<P, I>(isa, sigma) {
        return false;
    }
    let (rho, t1) = pk.split_at(SEED_LEN);
    let (rest, hint) = sigma.split_at(P::HINT_OFFSET);
    let (c_tilde, z) = rest.split_at(P::Z_OFFSET);
    let Some(hint) = hint_bit_unpack::<P>(hint) else {
        return false;
    };
    // 8: c ← SampleInBall(c̃)
    let c = sample_in_ball(isa, c_tilde, P::TAU);
    // 12: c̃′ ← H(μ ‖ w1Encode(w₁′), λ/4)
    let mut h = Shake256::new();
    h.absorb(isa, mu);
    let mut w1 = [0; MAX_W1_POLY];
    let w1 = &mut w1[..P::W1_LEN];
    let rows = t1.chunks_exact(P::T1_LEN).zip(hint.as_ref()).enumerate();
    for (row, (t1, hint)) in rows {
        commitment_row::<P, I>(isa, rho, row, &c, t1, z, hint, w1);
        h.absorb(isa, w1);
    }
    let mut expected = [0; HASH_LEN];
    let expected = &mut expected[..P::C_TILDE_LEN];
    h.finish(isa, expected);
    // 13
    c_tilde == expected
}

/// Steps 9 and 10 for one row: w′ ← NTT⁻¹(Â ∘ NTT(z) − NTT(c) ∘ NTT(t₁·2ᵈ)); w₁′ ← UseHint(h, w′)
#[inline(never)]
#[allow(clippy::too_many_arguments, reason = "all of them in one row")]
fn commitment_row<P: MlDsaParams, I: Isa>(
    isa: I,
    rho: &[u8],
    row: usize,
    c: &Challenge,
    t1: &[u8],
    z: &[u8],
    hint: &Hint,
    w1: &mut [u8],
) {
    // The polynomial to transform, and then the entry of Â.
    let mut plain = Poly::ZERO;
    let mut factor = NttPoly::ZERO;
    let mut sum = Poly::ZERO;
    // ĉ waits in the place of the sum, where it is not in the way of t₁.
    c.write_to(&mut plain);
    ntt(isa, &plain, &mut factor);
    sum.0 = factor.0;
    t1_unpack_shifted(isa, t1, &mut plain);
    ntt(isa, &plain, &mut factor);
    plain.0 = sum.0;
    sum = Poly::ZERO;
    sub_product(isa, &plain.0, &factor, &mut sum.0);
    for (column, z) in z.chunks_exact(P::Z_LEN).enumerate() {
        z_unpack::<I, P::Gamma1>(isa, z, &mut plain);
        ntt(isa, &plain, &mut factor);
        sample_entry(isa, rho, row, column, &mut plain.0);
        add_product(isa, &plain.0, &factor, &mut sum.0);
    }
    finish_sum(isa, &mut sum, &mut factor);
    use_hint_poly::<I, P::Gamma2>(isa, hint, &sum, w1);
}
