//! `SimpleBitPack`, `BitPack` (Algorithms 16 and 17) and their inverses (18 and 19) for the
//! polynomials of keys and signatures.
//!
//! All share one shape: sixteen coefficients at a time are mapped to unsigned integers and packed,
//! or unpacked and mapped back. Lengths are fixed by the types; a slice of another length is
//! processed as far as it goes.

use super::bits::{Bits, Width};
use crate::params::sealed::{Masking, Small};
use crate::params::{D, N, Q, bitlen};
use crate::poly::{Negacyclic, Poly, SmallCoefficients};
use crate::simd::Isa;

/// The width of a coefficient of **t**₁.
pub(crate) type T1 = Bits<{ bitlen(Q as usize - 1) - D }>;
/// The width of a coefficient of **t**₀.
pub(crate) type T0 = Bits<D>;
/// 2^(d−1), the largest coefficient of **t**₀.
const T0_MAX: i32 = 1 << (D - 1);

/// A slice of `2 * BITS` bytes for each sixteen coefficients.
#[inline(always)]
fn groups<W: Width>(bytes: &[u8]) -> core::slice::ChunksExact<'_, u8> {
    bytes.chunks_exact(2 * W::BITS)
}

/// Algorithm 18, `SimpleBitUnpack`, of **t**₁, times 2ᵈ.
///
/// # Bounds
/// Ensures 0 ≤ w < q.
pub(crate) fn t1_unpack_shifted<I: Isa>(isa: I, bytes: &[u8], w: &mut Poly) {
    isa.outline(
        #[inline(always)]
        || {
            for (row, bytes) in w.0.iter_mut().zip(groups::<T1>(bytes)) {
                isa.store(isa.shl::<{ D as u32 }>(T1::unpack(isa, bytes)), row);
            }
        },
    );
}

/// Algorithm 19, `BitUnpack`, of **z** (or of the mask **y**, Algorithm 34, step 5).
///
/// # Bounds
/// Ensures −γ₁ < w ≤ γ₁.
pub(crate) fn z_unpack<I: Isa, G: Masking>(isa: I, bytes: &[u8], w: &mut Poly) {
    isa.outline(
        #[inline(always)]
        || {
            let gamma1 = isa.splat(G::GAMMA1);
            for (row, bytes) in w.0.iter_mut().zip(groups::<G::Bits>(bytes)) {
                isa.store(isa.sub(gamma1, G::Bits::unpack(isa, bytes)), row);
            }
        },
    );
}

/// Whether every coefficient of an encoded **z** is below `bound` in absolute value.
pub(crate) fn z_is_below<I: Isa, G: Masking>(isa: I, bytes: &[u8], bound: i32) -> bool {
    isa.outline(
        #[inline(always)]
        || {
            let gamma1 = isa.splat(G::GAMMA1);
            let limit = isa.splat(bound - 1);
            // Its sign says whether anything was beyond the limit.
            let mut slack = isa.splat(0);
            for bytes in groups::<G::Bits>(bytes) {
                let z = isa.sub(gamma1, G::Bits::unpack(isa, bytes));
                slack = isa.or(slack, isa.sub(limit, isa.abs(z)));
            }
            isa.signs_to_bits(slack) == 0
        },
    )
}

/// Steps 18 and 23 of Algorithm 7 for one polynomial: **z** = **y** + c·**s**₁, encoded into `z`
/// (Algorithm 17, `BitPack`), where **y** is encoded likewise. Returns whether every coefficient is
/// below `bound`; if not, `z` is garbage.
///
/// # Bounds
/// Requires |c·s₁| ≤ β < γ₁.
pub(crate) fn z_pack<I: Isa, G: Masking>(
    isa: I,
    y: &[u8],
    cs1: &SmallCoefficients,
    bound: i32,
    z: &mut [u8],
) -> bool {
    isa.outline(
        #[inline(always)]
        || {
            let gamma1 = isa.splat(G::GAMMA1);
            let limit = isa.splat(bound - 1);
            let mask = isa.splat((1 << G::Bits::BITS) - 1);
            let mut slack = isa.splat(0);
            let to = z.chunks_exact_mut(2 * G::Bits::BITS);
            for ((y, cs1), to) in groups::<G::Bits>(y).zip(cs1).zip(to) {
                // γ₁ − z = (γ₁ − y) − c·s₁: no detour by y itself.
                let encoded = isa.sub(G::Bits::unpack(isa, y), isa.load_i16(cs1));
                let z = isa.sub(gamma1, encoded);
                slack = isa.or(slack, isa.sub(limit, isa.abs(z)));
                G::Bits::pack(isa, isa.and(encoded, mask), to);
            }
            crate::ct::declassify(isa.signs_to_bits(slack)) == 0
        },
    )
}

/// Algorithm 17, `BitPack`, of a polynomial of **s**₁ or **s**₂.
///
/// # Bounds
/// Requires |s| ≤ η.
pub(crate) fn eta_pack<I: Isa, E: Small>(isa: I, s: &Negacyclic<i8>, bytes: &mut [u8]) {
    isa.outline(
        #[inline(always)]
        || {
            let eta = isa.splat(E::ETA as i32);
            let rows = s.positive().as_chunks().0.iter();
            for (row, bytes) in rows.zip(bytes.chunks_exact_mut(2 * E::Bits::BITS)) {
                E::Bits::pack(isa, isa.sub(eta, isa.load_i8(row)), bytes);
            }
        },
    );
}

/// Algorithm 19, `BitUnpack`, of a polynomial of **s**₁ or **s**₂. Returns whether every
/// coefficient is at least −η, as not every string of bits says; those below are taken as −η, so
/// that no later bound is exceeded.
///
/// # Bounds
/// Ensures |s| ≤ η.
#[must_use]
pub(crate) fn eta_unpack<I: Isa, E: Small>(isa: I, bytes: &[u8], s: &mut Negacyclic<i8>) -> bool {
    isa.outline(
        #[inline(always)]
        || {
            let eta = isa.splat(E::ETA as i32);
            let two_eta = isa.splat(2 * E::ETA as i32);
            let mut bad = isa.splat(0);
            let rows = s.0[N..].as_chunks_mut().0.iter_mut();
            for (row, bytes) in rows.zip(groups::<E::Bits>(bytes)) {
                let encoded = E::Bits::unpack(isa, bytes);
                let over = isa.hide(isa.gt(encoded, two_eta));
                bad = isa.or(bad, over);
                let excess = isa.and(over, isa.sub(encoded, two_eta));
                isa.store_i8(isa.sub(eta, isa.sub(encoded, excess)), row);
            }
            s.negate();
            crate::ct::declassify(isa.mask_to_bits(isa.hide(bad))) == 0
        },
    )
}

/// Algorithm 17, `BitPack`, of a polynomial of **t**₀.
///
/// # Bounds
/// Requires −2¹² < t₀ ≤ 2¹².
pub(crate) fn t0_pack<I: Isa>(isa: I, t0: &Negacyclic<i16>, bytes: &mut [u8]) {
    isa.outline(
        #[inline(always)]
        || {
            let max = isa.splat(T0_MAX);
            let rows = t0.positive().as_chunks().0.iter();
            for (row, bytes) in rows.zip(bytes.chunks_exact_mut(2 * T0::BITS)) {
                T0::pack(isa, isa.sub(max, isa.load_i16(row)), bytes);
            }
        },
    );
}

/// Algorithm 19, `BitUnpack`, of a polynomial of **t**₀: every string of bits is one.
///
/// # Bounds
/// Ensures −2¹² < t₀ ≤ 2¹².
pub(crate) fn t0_unpack<I: Isa>(isa: I, bytes: &[u8], t0: &mut Negacyclic<i16>) {
    isa.outline(
        #[inline(always)]
        || {
            let max = isa.splat(T0_MAX);
            let (negative, positive) = t0.0.split_at_mut(N);
            let rows = negative
                .as_chunks_mut()
                .0
                .iter_mut()
                .zip(positive.as_chunks_mut().0);
            for ((negative, positive), bytes) in rows.zip(groups::<T0>(bytes)) {
                let encoded = T0::unpack(isa, bytes);
                isa.store_i16(isa.sub(encoded, max), negative);
                isa.store_i16(isa.sub(max, encoded), positive);
            }
        },
    );
}
