//! Rounding: Power2Round, Decompose, and the hints that repair it (Algorithms 35 to 40), on lanes.
//!
//! # Decompose without a division
//!
//! Decompose wants r₁, the multiple of 2γ₂ nearest to r. With S and c = round(2^S/(2γ₂)) the
//! product ⌈r/2⁷⌉·c·2⁷ is r/(2γ₂)·2^S up to an error that never crosses a rounding border: for
//! 2γ₂ = (q − 1)/16 take S = 29, for (q − 1)/44 take S = 31. The first rounding, to ⌈r/2⁷⌉, keeps
//! the product within 31 bits. That the result is exact for each of the q residues is not argued
//! but tested, residue by residue, on every instruction set.
//!
//! The topmost interval belongs to r₁ = 0 (the standard's r⁺ − r₀ = q − 1): there r₁ = m becomes zero,
//! and r₀ one less.

use crate::encode::{Hint, T1, Width};
use crate::params::sealed::Rounding;
use crate::params::{D, N, Q};
use crate::poly::{Negacyclic, Poly, SmallCoefficients};
use crate::simd::Isa;

/// The residue in [0, q).
///
/// # Bounds
/// Requires −q ≤ r < q. Ensures 0 ≤ r < q.
#[inline(always)]
pub(crate) fn caddq<I: Isa>(isa: I, r: I::V) -> I::V {
    isa.add(r, isa.and(isa.hide(isa.sar::<31>(r)), isa.splat(Q)))
}

/// Algorithm 35, `Power2Round(r)`: (r₁, r₀) with r = r₁·2ᵈ + r₀.
///
/// # Bounds
/// Requires 0 ≤ r < q. Ensures 0 ≤ r₁ < 2¹⁰, −2¹² < r₀ ≤ 2¹².
#[inline(always)]
pub(crate) fn power2round<I: Isa>(isa: I, r: I::V) -> (I::V, I::V) {
    let half = isa.splat((1 << (D - 1)) - 1);
    let r1 = isa.sar::<{ D as u32 }>(isa.add(r, half));
    (r1, isa.sub(r, isa.shl::<{ D as u32 }>(r1)))
}

/// round(2^S/(2γ₂)) with the S of the module's introduction.
#[allow(
    clippy::integer_division_remainder_used,
    reason = "constant evaluation"
)]
const fn reciprocal(gamma2: i32) -> i32 {
    let power = if 2 * gamma2 == (Q - 1) / 16 {
        1_i64 << 29
    } else {
        1_i64 << 31
    };
    ((power + gamma2 as i64) / (2 * gamma2 as i64)) as i32
}

/// r₁ and r₁·2γ₂, the multiple of 2γ₂ nearest to r.
///
/// # Bounds
/// Requires 0 ≤ r < q. Ensures 0 ≤ r₁ ≤ m, −γ₂ < r − r₁·2γ₂ ≤ γ₂.
#[inline(always)]
fn nearest<I: Isa, G: Rounding>(isa: I, r: I::V) -> (I::V, I::V) {
    let c = const { reciprocal(G::GAMMA2) };
    let a = isa.sar::<7>(isa.add(r, isa.splat(127)));
    let r1 = if G::M == 16 {
        const { assert!(G::M != 16 || reciprocal(G::GAMMA2) == (1 << 10) + 1) };
        isa.sar::<22>(isa.add(isa.add(isa.shl::<10>(a), a), isa.splat(1 << 21)))
    } else {
        isa.sar::<24>(isa.add(isa.mul_lo(a, isa.splat(c)), isa.splat(1 << 23)))
    };
    (r1, isa.mul_lo(r1, isa.splat(2 * G::GAMMA2)))
}

/// Algorithm 36, `Decompose(r)`: (r₁, r₀) with r ≡ r₁·2γ₂ + r₀ modulo q.
///
/// # Bounds
/// Requires 0 ≤ r < q. Ensures 0 ≤ r₁ < m, −γ₂ ≤ r₀ ≤ γ₂.
#[inline(always)]
pub(crate) fn decompose<I: Isa, G: Rounding>(isa: I, r: I::V) -> (I::V, I::V) {
    let (r1, multiple) = nearest::<I, G>(isa, r);
    let r0 = isa.sub(r, multiple);
    // Steps 3 to 5
    let topmost = isa.hide(isa.gt(r1, isa.splat(G::M - 1)));
    let r1 = if G::M == 16 {
        isa.and(r1, isa.splat(15))
    } else {
        isa.sub(r1, isa.and(topmost, isa.splat(G::M)))
    };
    (r1, isa.add(r0, topmost))
}

/// Algorithm 40, `UseHint(h, r)`, with h as a mask.
///
/// # Bounds
/// Requires 0 ≤ r < q. Ensures 0 ≤ r₁ < m.
#[inline(always)]
pub(crate) fn use_hint<I: Isa, G: Rounding>(isa: I, h: I::V, r: I::V) -> I::V {
    // r₁ = m stands for 0. There r₀ ≤ 0 with and without the 1 that Decompose subtracts: a hint makes
    // it m − 1, and none makes it 0, below.
    let (r1, multiple) = nearest::<I, G>(isa, r);
    // Up where r₀ > 0, down where not: r₀ = 0 goes down.
    let down = isa.or(isa.sar::<31>(isa.sub(multiple, r)), isa.splat(1));
    let r1 = isa.sub(r1, isa.and(h, down));
    // modulo m
    if G::M == 16 {
        return isa.and(r1, isa.splat(15));
    }
    let r1 = isa.add(r1, isa.and(isa.sar::<31>(r1), isa.splat(G::M)));
    isa.and(r1, isa.hide(isa.gt(isa.splat(G::M), r1)))
}

/// Power2Round of a polynomial: **t**₁ is encoded into `t1` (320 bytes), **t**₀ stored.
///
/// # Bounds
/// Requires −q ≤ t < q. Ensures −2¹² < t₀ ≤ 2¹².
pub(crate) fn power2round_poly<I: Isa>(isa: I, t: &Poly, t1: &mut [u8], t0: &mut Negacyclic<i16>) {
    isa.outline(
        #[inline(always)]
        || {
            let (negative, positive) = t0.0.split_at_mut(N);
            let t0 = negative
                .as_chunks_mut()
                .0
                .iter_mut()
                .zip(positive.as_chunks_mut().0);
            for ((row, (negative, positive)), t1) in
                t.0.iter().zip(t0).zip(t1.chunks_exact_mut(2 * T1::BITS))
            {
                let (r1, r0) = power2round(isa, caddq(isa, isa.load(row)));
                T1::pack(isa, r1, t1);
                isa.store_i16(r0, positive);
                isa.store_i16(isa.sub(isa.splat(0), r0), negative);
            }
        },
    );
}

/// Decompose of a polynomial in place: **w**₁ is encoded into `w1`, **w**₀ replaces **w**.
///
/// # Bounds
/// Requires −q ≤ w < q. Ensures |w₀| ≤ γ₂.
pub(crate) fn decompose_poly<I: Isa, G: Rounding>(isa: I, w: &mut Poly, w1: &mut [u8]) {
    isa.outline(
        #[inline(always)]
        || {
            for (row, w1) in w.0.iter_mut().zip(w1.chunks_exact_mut(2 * G::Bits::BITS)) {
                let (r1, r0) = decompose::<I, G>(isa, caddq(isa, isa.load(row)));
                G::Bits::pack(isa, r1, w1);
                isa.store(r0, row);
            }
        },
    );
}

/// UseHint of a polynomial: **w**₁ is encoded into `w1`.
///
/// # Bounds
/// Requires −q ≤ w < q.
pub(crate) fn use_hint_poly<I: Isa, G: Rounding>(isa: I, h: &Hint, w: &Poly, w1: &mut [u8]) {
    isa.outline(
        #[inline(always)]
        || {
            for ((row, h), w1) in
                w.0.iter()
                    .zip(h)
                    .zip(w1.chunks_exact_mut(2 * G::Bits::BITS))
            {
                let r = caddq(isa, isa.load(row));
                G::Bits::pack(isa, use_hint::<I, G>(isa, isa.bits_to_mask(*h), r), w1);
            }
        },
    );
}

/// Subtracts c·**s**₂ from **w**₀ and returns whether the result, **r**₀ of Algorithm 7, is below
/// `bound` everywhere. (LowBits(**w** − c·**s**₂) is **w**₀ − c·**s**₂ whenever either passes this
/// test, since then nothing is carried into the high bits.)
///
/// # Bounds
/// Requires |w₀| ≤ γ₂, |c·s₂| ≤ β. Ensures |r₀| ≤ γ₂ + β.
pub(crate) fn sub_and_check<I: Isa>(
    isa: I,
    w0: &mut Poly,
    cs2: &SmallCoefficients,
    bound: i32,
) -> bool {
    isa.outline(
        #[inline(always)]
        || {
            let limit = isa.splat(bound - 1);
            // Its sign says whether anything was beyond the limit.
            let mut slack = isa.splat(0);
            for (row, cs2) in w0.0.iter_mut().zip(cs2) {
                let r0 = isa.sub(isa.load(row), isa.load_i16(cs2));
                slack = isa.or(slack, isa.sub(limit, isa.abs(r0)));
                isa.store(r0, row);
            }
            crate::ct::declassify(isa.signs_to_bits(slack)) == 0
        },
    )
}

/// Algorithm 39, `MakeHint(−ct₀, w − cs₂ + ct₀)`, from **r**₀ = **w**₀ − c·**s**₂ and the encoded
/// **w**₁: the hint is 1 where adding c·**t**₀ to r₀ leaves the interval of w₁, that is (−γ₂, γ₂],
/// and \[−γ₂, γ₂] for w₁ = 0, whose interval begins one residue earlier. Returns whether c·**t**₀
/// is below γ₂ everywhere; if not, `h` is meaningless.
///
/// # Bounds
/// Requires |r₀| < γ₂ and |c·t₀| ≤ 2²⁵ − 2γ₂, as |r₀| < γ₂ − β and |c·t₀| ≤ τ·2¹².
pub(crate) fn make_hint_poly<I: Isa, G: Rounding>(
    isa: I,
    r0: &Poly,
    ct0: &Poly,
    w1: &[u8],
    h: &mut Hint,
) -> bool {
    isa.outline(
        #[inline(always)]
        || {
            let gamma2 = isa.splat(G::GAMMA2);
            let limit = isa.splat(G::GAMMA2 - 1);
            let mut slack = isa.splat(0);
            for (((r0, ct0), w1), h) in
                r0.0.iter()
                    .zip(&ct0.0)
                    .zip(w1.chunks_exact(2 * G::Bits::BITS))
                    .zip(h)
            {
                let ct0 = isa.load(ct0);
                slack = isa.or(slack, isa.sub(limit, isa.abs(ct0)));
                let r = isa.add(isa.load(r0), ct0);
                let above = isa.sub(gamma2, r);
                // Where r = −γ₂, w₁ decides, which is below 2⁶.
                let w1 = G::Bits::unpack(isa, w1);
                let below = isa.sub(isa.shl::<6>(isa.add(r, gamma2)), w1);
                *h = isa.signs_to_bits(isa.or(above, below));
            }
            crate::ct::declassify(isa.signs_to_bits(slack)) == 0
        },
    )
}
