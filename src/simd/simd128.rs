//! WebAssembly's `simd128`: sixteen lanes are four registers. A module either has these instructions
//! or cannot be loaded, so that nothing is detected: who compiles for `simd128` has chosen.
//!
//! What bytes a vector has in which order is a part of WebAssembly, which is little endian.

#![allow(
    unused_unsafe,
    reason = "on WebAssembly, calls that need features are safe"
)]

use super::tables::Windows;
use super::{Factors, isa};
use crate::params::Q;
use crate::poly::LANES;
use crate::reduce::QINV;
use core::arch::wasm32::*;

type V = [v128; 4];
/// The products of each register: those of its lower half, those of its upper half.
type Wide = [[v128; 2]; 4];

isa! {
    /// Proof that the module was compiled with `simd128`.
    Simd128("simd128") = ["simd128"];
    type V = V;
    type Wide = Wide;
    type Bytes = V;
    fn load(src: &[i32; LANES]) -> V;
    fn store(v: V, dst: &mut [i32; LANES]);
    fn load_i8(src: &[i8; LANES]) -> V;
    fn load_i16(src: &[i16; LANES]) -> V;
    fn store_i16(v: V, dst: &mut [i16; LANES]);
    fn store_i8(v: V, dst: &mut [i8; LANES]);
    fn splat(x: i32) -> V;
    fn add(a: V, b: V) -> V;
    fn sub(a: V, b: V) -> V;
    fn mul_lo(a: V, b: V) -> V;
    fn abs(a: V) -> V;
    fn and(a: V, b: V) -> V;
    fn or(a: V, b: V) -> V;
    fn shl<const N: u32>(a: V) -> V;
    fn sar<const N: u32>(a: V) -> V;
    fn gt(a: V, b: V) -> V;
    fn mask_to_bits(mask: V) -> u16;
    fn bits_to_mask(bits: u16) -> V;
    fn mont_mul(a: V, b: V, b_qinv: V) -> V;
    fn barrett_mul(a: V, b: Factors<V>) -> V;
    fn wide_mul(a: V, b: V) -> Wide;
    fn wide_mul_add(acc: Wide, a: V, b: V) -> Wide;
    fn wide_mul_sub(acc: Wide, a: V, b: V) -> Wide;
    fn mont_reduce(acc: Wide) -> V;
    fn trn<const G: usize>(a: V, b: V) -> (V, V);
    fn zip(a: V, b: V) -> (V, V);
    fn unzip(a: V, b: V) -> (V, V);
    fn unpack<const B: usize>(src: &[u8]) -> V;
    fn zero_bytes() -> V;
    fn add_i8(a: V, b: &[i8; 64]) -> V;
    fn sub_i8(a: V, b: &[i8; 64]) -> V;
    fn accumulate_i8(a: V, dst: &mut [i16; 64]);
    fn add_i16(a: V, b: &[i16; 32]) -> V;
    fn sub_i16(a: V, b: &[i16; 32]) -> V;
    fn widen_i16(a: V) -> (V, V);
    fn transpose(rows: &[[u64; 4]; 4], columns: [&mut [u8; 32]; 4]);
    sponge {
        const WIDTH = 2;
        const STATE_IN_REGISTERS = false;
        type W = v128;
        fn load_words<const R: usize>(row: &[u64; R], lane: usize) -> v128;
        fn store_words<const R: usize>(w: v128, row: &mut [u64; R], lane: usize);
        fn splat_word(x: u64) -> v128;
        fn xor(a: v128, b: v128) -> v128;
        fn chi(a: v128, b: v128, c: v128) -> v128;
        fn rotl(a: v128, n: u32) -> v128;
    }
}

/// Loads 16 bytes.
#[inline]
#[target_feature(enable = "simd128")]
fn load128<T, const N: usize>(src: &[T; N]) -> v128 {
    const { assert!(size_of::<[T; N]>() == 16) };
    // SAFETY: `src` is 16 bytes long and readable; the instruction asks for no alignment. `T` is
    // an integer type in all uses, so every byte is initialised.
    unsafe { v128_load(core::ptr::from_ref(src).cast()) }
}

/// Stores 16 bytes.
#[inline]
#[target_feature(enable = "simd128")]
fn store128<T, const N: usize>(v: v128, dst: &mut [T; N]) {
    const { assert!(size_of::<[T; N]>() == 16) };
    // SAFETY: `dst` is 16 bytes long and writable; the instruction asks for no alignment. `T` is
    // an integer type in all uses, so every bit pattern is a value of it.
    unsafe { v128_store(core::ptr::from_mut(dst).cast(), v) }
}

/// Loads 64 bytes.
#[inline]
#[target_feature(enable = "simd128")]
fn load512<T, const N: usize, const H: usize>(src: &[T; N]) -> V {
    const { assert!(N == 4 * H) };
    let [a, b, c, d] = src.as_chunks::<H>().0 else {
        unreachable!()
    };
    [load128(a), load128(b), load128(c), load128(d)]
}

/// One expression for each of the four registers.
macro_rules! registers {
    ($op:ident($($a:expr),*)) => {
        [
            $op($($a[0]),*),
            $op($($a[1]),*),
            $op($($a[2]),*),
            $op($($a[3]),*),
        ]
    };
}

#[inline]
#[target_feature(enable = "simd128")]
fn load(src: &[i32; LANES]) -> V {
    load512::<_, _, 4>(src)
}

#[inline]
#[target_feature(enable = "simd128")]
fn store(v: V, dst: &mut [i32; LANES]) {
    for (v, dst) in v.into_iter().zip(dst.as_chunks_mut::<4>().0) {
        store128(v, dst);
    }
}

#[inline]
#[target_feature(enable = "simd128")]
fn widen_i16(low: v128, high: v128) -> V {
    [
        i32x4_extend_low_i16x8(low),
        i32x4_extend_high_i16x8(low),
        i32x4_extend_low_i16x8(high),
        i32x4_extend_high_i16x8(high),
    ]
}

#[inline]
#[target_feature(enable = "simd128")]
fn load_i8(src: &[i8; LANES]) -> V {
    let bytes = load128(src);
    widen_i16(
        i16x8_extend_low_i8x16(bytes),
        i16x8_extend_high_i8x16(bytes),
    )
}

#[inline]
#[target_feature(enable = "simd128")]
fn load_i16(src: &[i16; LANES]) -> V {
    let [low, high] = src.as_chunks::<8>().0 else {
        unreachable!()
    };
    widen_i16(load128(low), load128(high))
}

/// Sixteen lanes, which fit, in 16 bits each.
#[inline]
#[target_feature(enable = "simd128")]
fn narrow(v: V) -> [v128; 2] {
    [
        i16x8_narrow_i32x4(v[0], v[1]),
        i16x8_narrow_i32x4(v[2], v[3]),
    ]
}

#[inline]
#[target_feature(enable = "simd128")]
fn store_i16(v: V, dst: &mut [i16; LANES]) {
    for (v, dst) in narrow(v).into_iter().zip(dst.as_chunks_mut::<8>().0) {
        store128(v, dst);
    }
}

#[inline]
#[target_feature(enable = "simd128")]
fn store_i8(v: V, dst: &mut [i8; LANES]) {
    let [low, high] = narrow(v);
    store128(i8x16_narrow_i16x8(low, high), dst);
}

#[inline]
#[target_feature(enable = "simd128")]
fn splat(x: i32) -> V {
    [i32x4_splat(x); 4]
}

#[inline]
#[target_feature(enable = "simd128")]
fn add(a: V, b: V) -> V {
    registers!(i32x4_add(a, b))
}

#[inline]
#[target_feature(enable = "simd128")]
fn sub(a: V, b: V) -> V {
    registers!(i32x4_sub(a, b))
}

#[inline]
#[target_feature(enable = "simd128")]
fn mul_lo(a: V, b: V) -> V {
    registers!(i32x4_mul(a, b))
}

#[inline]
#[target_feature(enable = "simd128")]
fn abs(a: V) -> V {
    registers!(i32x4_abs(a))
}

#[inline]
#[target_feature(enable = "simd128")]
fn and(a: V, b: V) -> V {
    registers!(v128_and(a, b))
}

#[inline]
#[target_feature(enable = "simd128")]
fn or(a: V, b: V) -> V {
    registers!(v128_or(a, b))
}

#[inline]
#[target_feature(enable = "simd128")]
fn shl<const N: u32>(a: V) -> V {
    registers!(i32x4_shl(a, [N; 4]))
}

#[inline]
#[target_feature(enable = "simd128")]
fn sar<const N: u32>(a: V) -> V {
    registers!(i32x4_shr(a, [N; 4]))
}

#[inline]
#[target_feature(enable = "simd128")]
fn gt(a: V, b: V) -> V {
    registers!(i32x4_gt(a, b))
}

#[inline]
#[target_feature(enable = "simd128")]
fn mask_to_bits(mask: V) -> u16 {
    let [low, high] = narrow(mask);
    i8x16_bitmask(i8x16_narrow_i16x8(low, high))
}

#[inline]
#[target_feature(enable = "simd128")]
fn bits_to_mask(bits: u16) -> V {
    let bits = splat(i32::from(bits));
    let bit = [
        i32x4(1 << 0, 1 << 1, 1 << 2, 1 << 3),
        i32x4(1 << 4, 1 << 5, 1 << 6, 1 << 7),
        i32x4(1 << 8, 1 << 9, 1 << 10, 1 << 11),
        i32x4(1 << 12, 1 << 13, 1 << 14, 1 << 15),
    ];
    eq(and(bits, bit), bit)
}

/// The 64-bit products.
#[inline]
#[target_feature(enable = "simd128")]
fn products(a: v128, b: v128) -> [v128; 2] {
    [i64x2_extmul_low_i32x4(a, b), i64x2_extmul_high_i32x4(a, b)]
}

/// The high halves of p − t·q, whose low halves are zero.
#[inline]
#[target_feature(enable = "simd128")]
fn high_of_difference(p: [v128; 2], t: v128) -> v128 {
    let tq = products(t, i32x4_splat(Q));
    i32x4_shuffle::<1, 3, 5, 7>(i64x2_sub(p[0], tq[0]), i64x2_sub(p[1], tq[1]))
}

#[inline]
#[target_feature(enable = "simd128")]
fn mont_mul_128(a: v128, b: v128, b_qinv: v128) -> v128 {
    high_of_difference(products(a, b), i32x4_mul(a, b_qinv))
}

#[inline]
#[target_feature(enable = "simd128")]
fn mont_mul(a: V, b: V, b_qinv: V) -> V {
    registers!(mont_mul_128(a, b, b_qinv))
}

#[inline]
#[target_feature(enable = "simd128")]
fn barrett_mul_128(a: v128, b: v128, quotient: v128) -> v128 {
    let p = products(a, quotient);
    let t = i32x4_shuffle::<1, 3, 5, 7>(p[0], p[1]);
    i32x4_sub(i32x4_mul(a, b), i32x4_mul(t, i32x4_splat(Q)))
}

#[inline]
#[target_feature(enable = "simd128")]
fn barrett_mul(a: V, b: Factors<V>) -> V {
    let (values, quotients) = (b.values, b.quotients);
    registers!(barrett_mul_128(a, values, quotients))
}

#[inline]
#[target_feature(enable = "simd128")]
fn wide_mul(a: V, b: V) -> Wide {
    registers!(products(a, b))
}

#[inline]
#[target_feature(enable = "simd128")]
fn add_products(acc: [v128; 2], a: v128, b: v128) -> [v128; 2] {
    let p = products(a, b);
    [i64x2_add(acc[0], p[0]), i64x2_add(acc[1], p[1])]
}

#[inline]
#[target_feature(enable = "simd128")]
fn wide_mul_add(acc: Wide, a: V, b: V) -> Wide {
    registers!(add_products(acc, a, b))
}

#[inline]
#[target_feature(enable = "simd128")]
fn sub_products(acc: [v128; 2], a: v128, b: v128) -> [v128; 2] {
    let p = products(a, b);
    [i64x2_sub(acc[0], p[0]), i64x2_sub(acc[1], p[1])]
}

#[inline]
#[target_feature(enable = "simd128")]
fn wide_mul_sub(acc: Wide, a: V, b: V) -> Wide {
    registers!(sub_products(acc, a, b))
}

#[inline]
#[target_feature(enable = "simd128")]
fn mont_reduce_128(p: [v128; 2]) -> v128 {
    let low = i32x4_shuffle::<0, 2, 4, 6>(p[0], p[1]);
    high_of_difference(p, i32x4_mul(low, i32x4_splat(QINV)))
}

#[inline]
#[target_feature(enable = "simd128")]
fn mont_reduce(acc: Wide) -> V {
    registers!(mont_reduce_128(acc))
}

#[inline]
#[target_feature(enable = "simd128")]
fn trn<const G: usize>(a: V, b: V) -> (V, V) {
    match G {
        // Blocks of a register or two: only the names change.
        8 => ([a[0], a[1], b[0], b[1]], [a[2], a[3], b[2], b[3]]),
        4 => ([a[0], b[0], a[2], b[2]], [a[1], b[1], a[3], b[3]]),
        _ => unreachable!(),
    }
}

#[inline]
#[target_feature(enable = "simd128")]
fn zip(a: V, b: V) -> (V, V) {
    let low = i32x4_shuffle::<0, 4, 1, 5>;
    let high = i32x4_shuffle::<2, 6, 3, 7>;
    (registers!(low(a, b)), registers!(high(a, b)))
}

#[inline]
#[target_feature(enable = "simd128")]
fn unzip(a: V, b: V) -> (V, V) {
    let even = i32x4_shuffle::<0, 2, 4, 6>;
    let odd = i32x4_shuffle::<1, 3, 5, 7>;
    (registers!(even(a, b)), registers!(odd(a, b)))
}

#[inline]
#[target_feature(enable = "simd128")]
fn unpack<const B: usize>(src: &[u8]) -> V {
    if 2 * B < 16 {
        let mut padded = [0; 16];
        for (to, from) in padded.iter_mut().zip(&src[..2 * B]) {
            *to = *from;
        }
        unpack_windows::<B>(&padded)
    } else {
        unpack_windows::<B>(src)
    }
}

/// Lanes are shifted by different counts, which multiplication does, to the left.
#[inline]
#[target_feature(enable = "simd128")]
fn unpack_windows<const B: usize>(src: &[u8]) -> V {
    const {
        assert!(
            B + 7 <= 32,
            "a lane and the bits before it must fit four bytes"
        );
    };
    let src = &src[..Windows::<B>::LEN];
    let window = |w: usize| {
        let (bytes, _) = src[Windows::<B>::START[w]..].as_chunks::<16>();
        i8x16_swizzle(load128(&bytes[0]), load128(&Windows::<B>::SHUFFLE[w]))
    };
    let lanes = [window(0), window(1), window(2), window(3)];
    if B & 7 == 0 {
        // The bytes of a lane are its own.
        return lanes;
    }
    let up = load(&const { up::<B>() });
    let mask = splat((1 << B) - 1);
    let lanes = mul_lo(lanes, up);
    and(registers!(u32x4_shr(lanes, [7_u32; 4])), mask)
}

/// 2^(7−s) for a lane that s bits precede.
const fn up<const B: usize>() -> [i32; LANES] {
    let mut up = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        up[lane] = 1 << (7 - Windows::<B>::SHIFT[lane]);
        lane += 1;
    }
    up
}

#[inline]
#[target_feature(enable = "simd128")]
fn zero_bytes() -> V {
    splat(0)
}

#[inline]
#[target_feature(enable = "simd128")]
fn add_i8(a: V, b: &[i8; 64]) -> V {
    let b = load512::<_, _, 16>(b);
    registers!(i8x16_add(a, b))
}

#[inline]
#[target_feature(enable = "simd128")]
fn sub_i8(a: V, b: &[i8; 64]) -> V {
    let b = load512::<_, _, 16>(b);
    registers!(i8x16_sub(a, b))
}

#[inline]
#[target_feature(enable = "simd128")]
fn accumulate_i8(a: V, dst: &mut [i16; 64]) {
    for (a, dst) in a.into_iter().zip(dst.as_chunks_mut::<16>().0) {
        let [low, high] = dst.as_chunks_mut::<8>().0 else {
            unreachable!()
        };
        store128(i16x8_add(load128(low), i16x8_extend_low_i8x16(a)), low);
        store128(i16x8_add(load128(high), i16x8_extend_high_i8x16(a)), high);
    }
}

#[inline]
#[target_feature(enable = "simd128")]
fn add_i16(a: V, b: &[i16; 32]) -> V {
    let b = load512::<_, _, 8>(b);
    registers!(i16x8_add(a, b))
}

#[inline]
#[target_feature(enable = "simd128")]
fn sub_i16(a: V, b: &[i16; 32]) -> V {
    let b = load512::<_, _, 8>(b);
    registers!(i16x8_sub(a, b))
}

#[inline]
#[target_feature(enable = "simd128")]
fn widen_i16(a: V) -> (V, V) {
    let [a0, a1, a2, a3] = a;
    let (low, high) = (i32x4_extend_low_i16x8, i32x4_extend_high_i16x8);
    (
        [low(a0), high(a0), low(a1), high(a1)],
        [low(a2), high(a2), low(a3), high(a3)],
    )
}

#[inline]
#[target_feature(enable = "simd128")]
fn transpose(rows: &[[u64; 4]; 4], columns: [&mut [u8; 32]; 4]) {
    let [c0, c1, c2, c3] = columns;
    for (lane, even, odd) in [(0, c0, c1), (2, c2, c3)] {
        let half = |row: usize| load_words(&rows[row], lane);
        let ([e0, e1], [o0, o1]) = (halves_mut(even), halves_mut(odd));
        store128(i64x2_shuffle::<0, 2>(half(0), half(1)), e0);
        store128(i64x2_shuffle::<0, 2>(half(2), half(3)), e1);
        store128(i64x2_shuffle::<1, 3>(half(0), half(1)), o0);
        store128(i64x2_shuffle::<1, 3>(half(2), half(3)), o1);
    }
}

/// The two halves of 32 bytes.
#[inline(always)]
fn halves_mut(a: &mut [u8; 32]) -> [&mut [u8; 16]; 2] {
    let [low, high] = a.as_chunks_mut().0 else {
        unreachable!()
    };
    [low, high]
}

#[inline]
#[target_feature(enable = "simd128")]
fn load_words<const R: usize>(row: &[u64; R], lane: usize) -> v128 {
    const { assert!(R == 4) };
    load128(&row.as_chunks::<2>().0[lane >> 1 & 1])
}

#[inline]
#[target_feature(enable = "simd128")]
fn store_words<const R: usize>(w: v128, row: &mut [u64; R], lane: usize) {
    const { assert!(R == 4) };
    store128(w, &mut row.as_chunks_mut::<2>().0[lane >> 1 & 1]);
}

#[inline]
#[target_feature(enable = "simd128")]
fn splat_word(x: u64) -> v128 {
    u64x2_splat(x)
}

#[inline]
#[target_feature(enable = "simd128")]
fn xor(a: v128, b: v128) -> v128 {
    v128_xor(a, b)
}

#[inline]
#[target_feature(enable = "simd128")]
fn chi(a: v128, b: v128, c: v128) -> v128 {
    v128_xor(a, v128_andnot(c, b))
}

#[inline]
#[target_feature(enable = "simd128")]
fn rotl(a: v128, n: u32) -> v128 {
    // Counts are taken modulo 64.
    v128_or(i64x2_shl(a, n), u64x2_shr(a, 64 - n))
}
