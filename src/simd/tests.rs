//! Every operation of every instruction set against plain Rust, on random and on extreme lanes.
//! The kernels are compared in `crate::internals`; here each operation stands alone, so that a
//! failure names it.

#![allow(
    clippy::integer_division_remainder_used,
    reason = "the definitions that the operations are compared with"
)]

use super::{Factors, Isa, Portable, Random, Sponge, for_each_isa, isa_name};
use crate::params::Q;
use crate::poly::LANES;
use crate::reduce::{Factor, FactorTable, centered, times_qinv};
use alloc::vec::Vec;
use std::{env, println};

type Lanes = [i32; LANES];

/// Lanes in `low..=high`, the ends often among them; the first vectors hold nothing but ends.
fn lanes(round: u64, random: &mut Random, low: i32, high: i32) -> Lanes {
    match round {
        0 => [low; LANES],
        1 => [high; LANES],
        _ => core::array::from_fn(|_| random.within(low, high)),
    }
}

const ROUNDS: u64 = 2_000;

#[test]
fn operations_on_lanes_are_those_of_portable() {
    for_each_isa!(isa => compare(isa));

    fn compare<I: Isa>(isa: I) {
        let p = Portable;
        let random = &mut Random::new(1);
        let v = |x: &Lanes| isa.load(x);
        for round in 0..ROUNDS {
            let a = lanes(round, random, i32::MIN, i32::MAX);
            let b = lanes(round / 2, random, i32::MIN, i32::MAX);
            assert_eq!(isa.to_array(v(&a)), a);
            assert_eq!(isa.to_array(isa.splat(a[0])), [a[0]; LANES]);
            assert_eq!(isa.to_array(isa.add(v(&a), v(&b))), p.add(a, b));
            assert_eq!(isa.to_array(isa.sub(v(&a), v(&b))), p.sub(a, b));
            assert_eq!(isa.to_array(isa.mul_lo(v(&a), v(&b))), p.mul_lo(a, b));
            assert_eq!(isa.to_array(isa.abs(v(&a))), p.abs(a));
            assert_eq!(isa.to_array(isa.and(v(&a), v(&b))), p.and(a, b));
            assert_eq!(isa.to_array(isa.or(v(&a), v(&b))), p.or(a, b));
            assert_eq!(isa.to_array(isa.shl::<13>(v(&a))), p.shl::<13>(a));
            assert_eq!(isa.to_array(isa.sar::<31>(v(&a))), p.sar::<31>(a));
            assert_eq!(isa.to_array(isa.sar::<7>(v(&a))), p.sar::<7>(a));
            assert_eq!(isa.to_array(isa.gt(v(&a), v(&b))), p.gt(a, b));
            let mask = p.gt(a, b);
            let bits = isa.mask_to_bits(v(&mask));
            assert_eq!(bits, p.mask_to_bits(mask));
            assert_eq!(isa.signs_to_bits(v(&a)), p.signs_to_bits(a));
            assert_eq!(isa.to_array(isa.bits_to_mask(bits)), mask);
            assert_eq!(isa.to_array(isa.hide(v(&mask))), mask);
            assert_eq!(isa.to_array(isa.hide(v(&a))), a);
        }
    }
}

#[test]
fn plain_operations_are_those_of_the_language() {
    // What everything else is compared with, against the integers themselves.
    let random = &mut Random::new(2);
    let p = Portable;
    for round in 0..ROUNDS {
        let a = lanes(round, random, i32::MIN, i32::MAX);
        let b = lanes(round / 2, random, i32::MIN, i32::MAX);
        for i in 0..LANES {
            assert_eq!(p.abs(a)[i], a[i].wrapping_abs());
            assert_eq!(p.gt(a, b)[i], -i32::from(a[i] > b[i]));
            assert_eq!(p.signs_to_bits(a) >> i & 1, u16::from(a[i] < 0));
        }
    }
}

#[test]
fn products_modulo_q_are_those_of_portable_and_of_the_integers() {
    for_each_isa!(isa => compare(isa));

    fn compare<I: Isa>(isa: I) {
        let p = Portable;
        let random = &mut Random::new(3);
        for round in 0..ROUNDS {
            // |a·b| < 2³¹·q: any a, and b below q.
            let a = lanes(round, random, i32::MIN, i32::MAX);
            let b = lanes(round / 2, random, 1 - Q, Q - 1);
            let b_qinv = b.map(times_qinv);
            let product = isa.to_array(isa.mont_mul(isa.load(&a), isa.load(&b), isa.load(&b_qinv)));
            assert_eq!(product, p.mont_mul(a, b, b_qinv));
            for i in 0..LANES {
                let r = i128::from(product[i]) << 32;
                let exact = i128::from(a[i]) * i128::from(b[i]);
                assert_eq!((r - exact).rem_euclid(i128::from(Q)), 0);
                assert!(product[i].abs() < Q);
            }

            // Any a, and centered constants b.
            let factors = b.map(|b| Factor::new(centered(b.into())));
            let table = FactorTable::new(factors);
            let product = isa.barrett_mul(isa.load(&a), Factors::load(isa, &table));
            let product = isa.to_array(product);
            assert_eq!(product, p.barrett_mul(a, Factors::load(p, &table)));
            assert_eq!(
                isa.to_array(isa.barrett_mul(isa.load(&a), Factors::splat(isa, factors[0]))),
                p.barrett_mul(a, Factors::splat(p, factors[0]))
            );
            for i in 0..LANES {
                let exact = i64::from(a[i]) * i64::from(b[i]);
                assert_eq!((i64::from(product[i]) - exact).rem_euclid(Q.into()), 0);
                let epsilon = (i64::from(a[i]).abs() * i64::from(Q)) >> 32;
                assert!((-epsilon..=i64::from(Q) + epsilon).contains(&i64::from(product[i])));
            }

            // Sums of products, up to the bound.
            let c = lanes(round, random, 1 - 9 * Q, 9 * Q - 1);
            let d = lanes(round / 2, random, 1 - 9 * Q, 9 * Q - 1);
            let wide = isa.wide_mul(isa.load(&c), isa.load(&d));
            let wide = isa.wide_mul_add(wide, isa.load(&d), isa.load(&b));
            let wide = isa.wide_mul_sub(wide, isa.load(&c), isa.load(&b));
            let sum = isa.to_array(isa.mont_reduce(wide));
            for i in 0..LANES {
                let [b, c, d] = [b[i], c[i], d[i]].map(i64::from);
                assert_eq!(sum[i], crate::reduce::mont_reduce(c * d + d * b - c * b));
            }
        }
    }
}

#[test]
fn transpositions_are_those_of_portable_and_undo_themselves() {
    for_each_isa!(isa => {
        let random = &mut Random::new(4);
        for round in 2..100 {
            let a = lanes(round, random, i32::MIN, i32::MAX);
            let b = lanes(round, random, i32::MIN, i32::MAX);
            compare::<_, 4>(isa, a, b);
            compare::<_, 8>(isa, a, b);
            compare_zip(isa, a, b);
        }
    });

    fn compare<I: Isa, const G: usize>(isa: I, a: Lanes, b: Lanes) {
        let (x, y) = isa.trn::<G>(isa.load(&a), isa.load(&b));
        assert_eq!((isa.to_array(x), isa.to_array(y)), Portable.trn::<G>(a, b));
        let (x, y) = isa.trn::<G>(x, y);
        assert_eq!((isa.to_array(x), isa.to_array(y)), (a, b));
    }

    fn compare_zip<I: Isa>(isa: I, a: Lanes, b: Lanes) {
        let (x, y) = isa.zip(isa.load(&a), isa.load(&b));
        assert_eq!((isa.to_array(x), isa.to_array(y)), Portable.zip(a, b));
        let (x, y) = isa.unzip(x, y);
        assert_eq!((isa.to_array(x), isa.to_array(y)), (a, b));
        let (x, y) = isa.unzip(isa.load(&a), isa.load(&b));
        assert_eq!((isa.to_array(x), isa.to_array(y)), Portable.unzip(a, b));
    }
}

#[test]
fn narrow_loads_and_stores_are_those_of_portable() {
    for_each_isa!(isa => compare(isa));

    fn compare<I: Isa>(isa: I) {
        let random = &mut Random::new(5);
        for round in 0..ROUNDS {
            let bytes = lanes(round, random, -128, 127).map(|x| x as i8);
            assert_eq!(isa.to_array(isa.load_i8(&bytes)), bytes.map(i32::from));
            let mut stored = [0; LANES];
            isa.store_i8(isa.load_i8(&bytes), &mut stored);
            assert_eq!(stored, bytes);
            let halves = lanes(round, random, -32_768, 32_767).map(|x| x as i16);
            assert_eq!(isa.to_array(isa.load_i16(&halves)), halves.map(i32::from));
            let mut stored = [0; LANES];
            isa.store_i16(isa.load_i16(&halves), &mut stored);
            assert_eq!(stored, halves);

            let a: [i8; 64] = core::array::from_fn(|_| random.word() as i8);
            let b: [i8; 64] = core::array::from_fn(|_| random.word() as i8);
            let before: [i16; 64] = core::array::from_fn(|_| random.word() as i16);
            let mut sum = before;
            let bytes = isa.sub_i8(isa.add_i8(isa.zero_bytes(), &a), &b);
            isa.accumulate_i8(bytes, &mut sum);
            let expected = |i: usize| before[i].wrapping_add(a[i].wrapping_sub(b[i]).into());
            assert_eq!(sum, core::array::from_fn(expected));
            let a: [i16; 32] = core::array::from_fn(|_| random.word() as i16);
            let b: [i16; 32] = core::array::from_fn(|_| random.word() as i16);
            let halves = isa.sub_i16(isa.add_i16(isa.zero_bytes(), &a), &b);
            let (low, high) = isa.widen_i16(halves);
            let expected = |i: usize| i32::from(a[i].wrapping_sub(b[i]));
            assert_eq!(isa.to_array(low), core::array::from_fn(expected));
            assert_eq!(
                isa.to_array(high),
                core::array::from_fn(|i| expected(LANES + i))
            );
        }
    }
}

#[test]
fn strings_of_bits_are_packed_and_unpacked_bit_by_bit() {
    for_each_isa!(isa => {
        compare::<_, 3>(isa);
        compare::<_, 4>(isa);
        compare::<_, 6>(isa);
        compare::<_, 10>(isa);
        compare::<_, 13>(isa);
        compare::<_, 18>(isa);
        compare::<_, 20>(isa);
        compare::<_, 24>(isa);
    });

    fn compare<I: Isa, const B: usize>(isa: I) {
        let random = &mut Random::new(B as u64);
        for round in 0..ROUNDS {
            let a = lanes(round, random, 0, (1 << B) - 1);
            let mut expected = [0_u8; 48];
            for bit in 0..LANES * B {
                let set = a[bit / B] >> (bit % B) & 1;
                expected[bit / 8] |= (set as u8) << (bit % 8);
            }
            let mut bytes = [0_u8; 48];
            isa.pack::<B>(isa.load(&a), &mut bytes[..2 * B]);
            assert_eq!(bytes, expected, "{B} bits");
            assert_eq!(
                isa.to_array(isa.unpack::<B>(&bytes[..2 * B])),
                a,
                "{B} bits"
            );
        }
    }
}

#[test]
fn half_bytes_become_coefficients_as_in_algorithm_15() {
    for_each_isa!(isa => {
        compare::<_, 2>(isa);
        compare::<_, 4>(isa);
    });

    fn compare<I: Isa, const ETA: usize>(isa: I) {
        let random = &mut Random::new(ETA as u64);
        // Every byte value at every place, then random ones.
        for round in 0..256 * 16 + ROUNDS {
            let mut src = [0xff; 16];
            if round < 256 * 16 {
                src[round as usize & 15] = (round >> 4) as u8;
            } else {
                src = random.bytes();
            }
            let mut expected = Vec::new();
            for half in src.iter().flat_map(|byte| [byte & 15, byte >> 4]) {
                match (ETA, half) {
                    (2, 0..15) => expected.push(2 - (half % 5) as i8),
                    (4, 0..9) => expected.push(4 - half as i8),
                    _ => {}
                }
            }
            let mut dst = [0; 32];
            let n = isa.coeffs_from_half_bytes::<ETA>(&src, &mut dst);
            assert_eq!(dst[..n], expected);
        }
    }
}

#[test]
fn words_are_transposed() {
    for_each_isa!(isa => {
        let random = &mut Random::new(7);
        let rows: [[u64; 4]; 4] = [(); 4].map(|()| [(); 4].map(|()| random.word()));
        let mut columns = [[0; 32]; 4];
        let [c0, c1, c2, c3] = &mut columns;
        isa.transpose(&rows, [c0, c1, c2, c3]);
        for (i, column) in columns.iter().enumerate() {
            for (j, bytes) in column.as_chunks().0.iter().enumerate() {
                assert_eq!(u64::from_le_bytes(*bytes), rows[j][i]);
            }
        }
    });
}

#[test]
fn lanes_of_keccak_are_those_of_portable() {
    for_each_isa!(isa => compare(isa.sponge()));

    fn compare<S: Sponge>(s: S) {
        let random = &mut Random::new(8);
        let p = Portable;
        for _ in 0..ROUNDS {
            let [a, b, c] = [(); 3].map(|()| [(); 4].map(|()| random.word()));
            for lane in (0..4).step_by(S::WIDTH) {
                let [va, vb, vc] = [a, b, c].map(|x| s.load_words(&x, lane));
                let check = |w: S::W, expected: &dyn Fn(usize) -> u64| {
                    let mut row = [0_u64; 4];
                    s.store_words(w, &mut row, lane);
                    for (i, word) in row.iter().enumerate().skip(lane).take(S::WIDTH) {
                        assert_eq!(*word, expected(i));
                    }
                };
                check(va, &|i| a[i]);
                check(s.splat_word(a[0]), &|_| a[0]);
                check(s.xor(va, vb), &|i| p.xor(a[i], b[i]));
                check(s.chi(va, vb, vc), &|i| p.chi(a[i], b[i], c[i]));
                check(s.xor3(va, vb, vc), &|i| a[i] ^ b[i] ^ c[i]);
                check(s.xor_rotl1(va, vb), &|i| a[i] ^ b[i].rotate_left(1));
                for n in 0..64 {
                    check(s.rotl(va, n), &|i| a[i].rotate_left(n));
                    check(s.xar(va, vb, n), &|i| (a[i] ^ b[i]).rotate_left(n));
                }
            }
        }
    }
}

/// Prints which instruction sets the tests of this crate cover on this machine, and fails when one
/// that `MLDSA_REQUIRE_ISA` names (separated by commas) is not among them.
#[test]
fn required_instruction_sets_are_there() {
    fn name<I: Isa>(_: I) -> &'static str {
        I::NAME
    }
    let mut names = Vec::new();
    for_each_isa!(isa => names.push(name(isa)));
    println!(
        "instruction sets: {}; dispatched: {}",
        names.join(", "),
        isa_name()
    );
    for required in env::var("MLDSA_REQUIRE_ISA").unwrap_or_default().split(',') {
        let required = required.trim();
        assert!(
            required.is_empty() || names.contains(&required),
            "no {required} here: {names:?}"
        );
    }
}
