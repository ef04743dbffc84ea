//! Proofs by exhaustion: everything that a kernel can be asked about one coefficient is asked, on
//! every instruction set, in every lane.
//!
//! Rounding (Power2Round, Decompose, HighBits, LowBits, UseHint of every residue) is in
//! `crate::internals`, beside the published digest of the same values. Montgomery's reduction has too
//! many inputs; it is proved by `cargo xtask prove`.

use crate::encode::{
    Width, eta_pack, eta_unpack, t0_pack, t0_unpack, t1_unpack_shifted, z_is_below, z_pack,
    z_unpack,
};
use crate::params::sealed::{Masking, Params, Rounding, Small};
use crate::params::{MlDsa44, MlDsa65, MlDsa87, MlDsaParams, N, Q};
use crate::poly::{LANES, Negacyclic, Poly, SmallCoefficients};
use crate::rounding::{caddq, make_hint_poly, sub_and_check};
use crate::simd::{Isa, for_each_isa};
use alloc::vec::Vec;
use core::array::from_fn;
use core::ops::RangeInclusive;

/// The definition of SimpleBitPack: the bits of the numbers one after the other, the least
/// significant first.
fn packed(numbers: &[i32], bits: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (mut buffer, mut filled) = (0_u64, 0);
    for number in numbers {
        assert!((0..1 << bits).contains(number));
        buffer |= u64::from(number.cast_unsigned()) << filled;
        filled += bits;
        while filled >= 8 {
            bytes.push(buffer as u8);
            buffer >>= 8;
            filled -= 8;
        }
    }
    assert_eq!(filled, 0);
    bytes
}

/// Polynomials in which every lane takes every value of `bits` bits, and hardly ever the value of
/// its neighbour.
fn every_field(bits: usize) -> impl Iterator<Item = [i32; N]> {
    let mask = (1 << bits) - 1;
    (0..1 << bits).step_by(LANES).map(move |first| {
        from_fn(|i| {
            let (row, lane) = (i as i32 >> 4, i as i32 & 15);
            (first + row + lane * 0x9e37) & mask
        })
    })
}

fn poly(coefficients: [i32; N]) -> Poly {
    Poly(from_fn(|row| {
        from_fn(|lane| coefficients[LANES * row + lane])
    }))
}

fn small(coefficients: [i32; N]) -> SmallCoefficients {
    poly(coefficients).0.map(|row| row.map(|x| x as i16))
}

fn flat(poly: &Poly) -> &[i32] {
    poly.0.as_flattened()
}

/// [0, 2^B) by the lane operations themselves, as the kernels use them for **t**₁ and **w**₁.
#[test]
fn every_string_of_bits_is_packed_and_unpacked() {
    fn check<I: Isa, W: Width>(isa: I) {
        for fields in every_field(W::BITS) {
            let bytes = packed(&fields, W::BITS);
            for (row, bytes) in fields.as_chunks().0.iter().zip(bytes.chunks(2 * W::BITS)) {
                assert_eq!(isa.to_array(W::unpack(isa, bytes)), *row);
                let mut again = [0; 2 * 20];
                W::pack(isa, isa.load(row), &mut again[..2 * W::BITS]);
                assert_eq!(&again[..2 * W::BITS], bytes);
            }
        }
    }
    for_each_isa!(isa => {
        check::<_, crate::encode::T1>(isa);
        check::<_, <<MlDsa44 as Params>::Gamma2 as Rounding>::Bits>(isa);
        check::<_, <<MlDsa65 as Params>::Gamma2 as Rounding>::Bits>(isa);
    });
}

#[test]
fn every_t1_and_t0_is_decoded_and_encoded() {
    fn check<I: Isa>(isa: I) {
        for fields in every_field(10) {
            let mut w = Poly::default();
            t1_unpack_shifted(isa, &packed(&fields, 10), &mut w);
            assert_eq!(flat(&w), fields.map(|x| x << 13));
        }
        for fields in every_field(13) {
            let bytes = packed(&fields, 13);
            let mut t0 = Negacyclic::default();
            t0_unpack(isa, &bytes, &mut t0);
            assert_eq!(t0.0[..N], fields.map(|x| (x - (1 << 12)) as i16));
            assert_eq!(t0.0[N..], fields.map(|x| ((1 << 12) - x) as i16));
            let mut again = [0; 416];
            t0_pack(isa, &t0, &mut again);
            assert_eq!(bytes, again);
        }
    }
    for_each_isa!(isa => check(isa));
}

#[test]
fn every_secret_coefficient_is_decoded_and_encoded() {
    fn check<I: Isa, E: Small>(isa: I) {
        let eta = E::ETA as i32;
        let bits = E::Bits::BITS;
        for fields in every_field(bits) {
            let mut s = Negacyclic::default();
            // All values, most often some that are no coefficients.
            let in_range = eta_unpack::<I, E>(isa, &packed(&fields, bits), &mut s);
            assert_eq!(in_range, fields.iter().all(|x| *x <= 2 * eta));
            assert_eq!(s.0[..N], fields.map(|x| (x.min(2 * eta) - eta) as i8));
            assert_eq!(s.0[N..], fields.map(|x| (eta - x.min(2 * eta)) as i8));
            // What is a coefficient comes back.
            let fields = fields.map(|x| x.min(2 * eta));
            let bytes = packed(&fields, bits);
            assert!(eta_unpack::<I, E>(isa, &bytes, &mut s));
            let mut again = [0; 128];
            eta_pack::<I, E>(isa, &s, &mut again);
            assert_eq!(bytes, again[..bytes.len()]);
        }
        // A single bad one in any place is found.
        for (place, bad) in (0..N).flat_map(|i| (2 * eta + 1..1 << bits).map(move |x| (i, x))) {
            let fields = from_fn::<_, N, _>(|i| if i == place { bad } else { 2 * eta });
            let mut s = Negacyclic::default();
            assert!(!eta_unpack::<I, E>(isa, &packed(&fields, bits), &mut s));
        }
    }
    for_each_isa!(isa => {
        check::<_, <MlDsa44 as Params>::Eta>(isa);
        check::<_, <MlDsa65 as Params>::Eta>(isa);
    });
}

#[test]
fn every_z_is_decoded_and_encoded() {
    fn check<I: Isa, G: Masking>(isa: I) {
        for fields in every_field(G::Bits::BITS) {
            let bytes = packed(&fields, G::Bits::BITS);
            let mut z = Poly::default();
            z_unpack::<I, G>(isa, &bytes, &mut z);
            assert_eq!(flat(&z), fields.map(|x| G::GAMMA1 - x));
            let mut again = [0; 640];
            let all = G::GAMMA1 + 1;
            assert!(z_pack::<I, G>(isa, &bytes, &small([0; N]), all, &mut again));
            assert_eq!(bytes, again[..bytes.len()]);
        }
    }
    for_each_isa!(isa => {
        check::<_, <MlDsa44 as Params>::Gamma1>(isa);
        check::<_, <MlDsa65 as Params>::Gamma1>(isa);
    });
}

#[test]
fn every_residue_is_made_positive() {
    fn check<I: Isa>(isa: I) {
        for first in (-Q..Q).step_by(LANES) {
            let r: [i32; LANES] = from_fn(|i| (first + i as i32).min(Q - 1));
            let expected = r.map(|r| if r < 0 { r + Q } else { r });
            assert_eq!(isa.to_array(caddq(isa, isa.load(&r))), expected);
        }
    }
    for_each_isa!(isa => check(isa));
}

/// The values at a bound, and one beside, and their negatives.
fn around(bound: i32) -> [i32; 6] {
    let around = |x| [x - 1, x, x + 1];
    let [a, b, c] = around(bound);
    let [d, e, f] = around(-bound);
    [a, b, c, d, e, f]
}

/// Each norm with its bounds, one coefficient at a time at the bound and one beside, in each of the
/// 256 places: the four rejections of signing, and the one of verification.
#[test]
fn every_norm_is_sharp_in_every_place() {
    fn check<P: MlDsaParams, I: Isa>(isa: I) {
        let beta = P::BETA as i32;
        let (gamma1, gamma2) = (P::GAMMA1 as i32, P::GAMMA2 as i32);
        let z_bits = <P::Gamma1 as Masking>::Bits::BITS;
        for place in 0..N {
            let only = |x: i32| from_fn::<_, N, _>(|i| if i == place { x } else { 0 });

            let bound = gamma1 - beta;
            for z in around(bound) {
                let below = z.abs() < bound;
                let encoded = packed(&only(z).map(|z| gamma1 - z), z_bits);
                assert_eq!(z_is_below::<I, P::Gamma1>(isa, &encoded, bound), below);
                for cs1 in [0, z.signum() * beta] {
                    let y = packed(&only(z - cs1).map(|y| gamma1 - y), z_bits);
                    let cs1 = small(only(cs1));
                    let mut out = [0; 640];
                    let verdict = z_pack::<I, P::Gamma1>(isa, &y, &cs1, bound, &mut out);
                    assert_eq!(verdict, below);
                    assert!(!verdict || encoded == out[..encoded.len()]);
                }
            }

            let bound = gamma2 - beta;
            for r0 in around(bound) {
                for cs2 in [0, beta, -beta] {
                    let mut w0 = poly(only(r0 + cs2));
                    let verdict = sub_and_check(isa, &mut w0, &small(only(cs2)), bound);
                    assert_eq!(verdict, r0.abs() < bound);
                    assert_eq!(w0, poly(only(r0)));
                }
            }

            for ct0 in around(gamma2) {
                let (r0, ct0_poly) = (poly([0; N]), poly(only(ct0)));
                let mut hint = [0; LANES];
                let verdict =
                    make_hint_poly::<I, P::Gamma2>(isa, &r0, &ct0_poly, &[0; 192], &mut hint);
                assert_eq!(verdict, ct0.abs() < gamma2);
            }
        }
    }
    for_each_isa!(isa => {
        check::<MlDsa44, _>(isa);
        check::<MlDsa65, _>(isa);
        check::<MlDsa87, _>(isa);
    });
}

/// HighBits by its definition, Algorithms 36 and 37.
fn high_bits(r: i32, gamma2: i32) -> i32 {
    let mut r0 = r % (2 * gamma2);
    if r0 > gamma2 {
        r0 -= 2 * gamma2;
    }
    if r - r0 == Q - 1 {
        0
    } else {
        (r - r0) / (2 * gamma2)
    }
}

/// MakeHint against its definition, for everything that can occur.
///
/// In `Sign` the hint of a coefficient depends on r = **w** − c**s**₂ and on c**t**₀. Past the test
/// of **r**₀, r is w₁·2γ₂ + r₀ with |r₀| < γ₂ − β and w₁ = HighBits(r), and past the test of c**t**₀
/// that is below γ₂. The kernel adds r₀ and c·t₀ first and looks at nothing but the sum and w₁; and
/// so does the definition, HighBits(r + c·t₀) ≠ w₁. So all sums and all w₁ are all cases.
#[test]
fn every_hint_is_made_as_defined() {
    fn check<I: Isa, G: Rounding>(isa: I, sums: RangeInclusive<i32>) {
        let (low, high) = (*sums.start(), *sums.end());
        for w1 in 0..G::M {
            let encoded = packed(&[w1; N], G::Bits::BITS);
            for first in (low..=high).step_by(N) {
                let sums = from_fn::<_, N, _>(|i| (first + i as i32).min(high));
                let r0 = sums.map(|sum| sum >> 1);
                let ct0 = sums.map(|sum| sum - (sum >> 1));
                let mut hint = [0; LANES];
                assert!(make_hint_poly::<I, G>(
                    isa,
                    &poly(r0),
                    &poly(ct0),
                    &encoded,
                    &mut hint
                ));
                for (sum, i) in sums.iter().zip(0..) {
                    let hinted = hint[i >> 4] >> (i & 15) & 1 == 1;
                    let r = (w1 * 2 * G::GAMMA2 + sum).rem_euclid(Q);
                    assert_eq!(hinted, high_bits(r, G::GAMMA2) != w1, "{sum}, {w1}");
                }
            }
        }
    }
    for_each_isa!(isa => {
        // The larger of the ranges that share a γ₂.
        let beta = MlDsa44::BETA as i32;
        let gamma2 = MlDsa44::GAMMA2 as i32;
        let all = 2 * gamma2 - beta - 2;
        check::<_, <MlDsa44 as Params>::Gamma2>(isa, -all..=all);
        let beta = MlDsa65::BETA.min(MlDsa87::BETA) as i32;
        let gamma2 = MlDsa65::GAMMA2 as i32;
        let all = 2 * gamma2 - beta - 2;
        check::<_, <MlDsa65 as Params>::Gamma2>(isa, -all..=all);
    });
}
