//! Plain Rust: the instruction set that every machine has, and what the others are compared with.
//!
//! The operations are loops over arrays; compilers turn them into what the target has.

use super::{Factors, Isa, Sponge};
use crate::params::Q;
use crate::poly::LANES;
use crate::reduce::{Factor, barrett_mul, mont_reduce};

/// The token of plain Rust. Everyone may have one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

type V = [i32; LANES];

/// Applies an expression to every lane. A loop over indices: closures over whole arrays are left
/// as calls.
macro_rules! lanes {
    ($i:ident: $n:expr => $e:expr) => {{
        let mut r = [Default::default(); $n];
        let mut $i = 0;
        while $i < $n {
            r[$i] = $e;
            $i += 1;
        }
        r
    }};
}

impl Isa for Portable {
    const NAME: &'static str = "portable";
    const IN_REGISTERS: bool = false;
    type V = V;
    type Wide = [i64; LANES];
    type Bytes = [u8; 64];
    type Sponge = Self;

    #[inline(always)]
    fn sponge(self) -> Self {
        self
    }
    #[inline(always)]
    fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
    #[inline(always)]
    fn outline<R>(self, f: impl FnOnce() -> R) -> R {
        #[inline(never)]
        fn kernel<R>(f: impl FnOnce() -> R) -> R {
            f()
        }
        kernel(f)
    }

    #[inline(always)]
    fn load(self, src: &[i32; LANES]) -> V {
        *src
    }
    #[inline(always)]
    fn store(self, v: V, dst: &mut [i32; LANES]) {
        *dst = v;
    }
    #[inline(always)]
    fn load_i8(self, src: &[i8; LANES]) -> V {
        lanes!(i: LANES => i32::from(src[i]))
    }
    #[inline(always)]
    fn load_i16(self, src: &[i16; LANES]) -> V {
        lanes!(i: LANES => i32::from(src[i]))
    }
    #[inline(always)]
    fn store_i16(self, v: V, dst: &mut [i16; LANES]) {
        *dst = lanes!(i: LANES => v[i] as i16);
    }
    #[inline(always)]
    fn store_i8(self, v: V, dst: &mut [i8; LANES]) {
        *dst = lanes!(i: LANES => v[i] as i8);
    }
    #[inline(always)]
    fn splat(self, x: i32) -> V {
        [x; LANES]
    }

    #[inline(always)]
    fn add(self, a: V, b: V) -> V {
        lanes!(i: LANES => a[i].wrapping_add(b[i]))
    }
    #[inline(always)]
    fn sub(self, a: V, b: V) -> V {
        lanes!(i: LANES => a[i].wrapping_sub(b[i]))
    }
    #[inline(always)]
    fn mul_lo(self, a: V, b: V) -> V {
        lanes!(i: LANES => a[i].wrapping_mul(b[i]))
    }
    #[inline(always)]
    fn abs(self, a: V) -> V {
        // Shift and xor, not `i32::abs`: no branch in it at any optimisation level.
        lanes!(i: LANES => (a[i] ^ (a[i] >> 31)).wrapping_sub(a[i] >> 31))
    }
    #[inline(always)]
    fn and(self, a: V, b: V) -> V {
        lanes!(i: LANES => a[i] & b[i])
    }
    #[inline(always)]
    fn or(self, a: V, b: V) -> V {
        lanes!(i: LANES => a[i] | b[i])
    }
    #[inline(always)]
    fn shl<const N: u32>(self, a: V) -> V {
        lanes!(i: LANES => a[i] << N)
    }
    #[inline(always)]
    fn sar<const N: u32>(self, a: V) -> V {
        lanes!(i: LANES => a[i] >> N)
    }

    #[inline(always)]
    fn gt(self, a: V, b: V) -> V {
        // The sign of the exact difference, without a branch.
        lanes!(i: LANES => ((i64::from(b[i]) - i64::from(a[i])) >> 63) as i32)
    }
    #[inline(always)]
    fn mask_to_bits(self, mask: V) -> u16 {
        let mut bits = 0;
        let mut i = 0;
        while i < LANES {
            bits |= ((mask[i] & 1) as u16) << i;
            i += 1;
        }
        bits
    }
    #[inline(always)]
    fn bits_to_mask(self, bits: u16) -> V {
        lanes!(i: LANES => -i32::from((bits >> i) & 1))
    }

    #[inline(always)]
    fn mont_mul(self, a: V, b: V, b_qinv: V) -> V {
        lanes!(i: LANES => {
            let t = a[i].wrapping_mul(b_qinv[i]);
            let p = i64::from(a[i]) * i64::from(b[i]);
            ((p - i64::from(t) * i64::from(Q)) >> 32) as i32
        })
    }
    #[inline(always)]
    fn barrett_mul(self, a: V, b: Factors<V>) -> V {
        lanes!(i: LANES => barrett_mul(
            a[i],
            Factor { value: b.values[i], quotient: b.quotients[i] },
        ))
    }
    #[inline(always)]
    fn wide_mul(self, a: V, b: V) -> [i64; LANES] {
        lanes!(i: LANES => i64::from(a[i]) * i64::from(b[i]))
    }
    #[inline(always)]
    fn wide_mul_add(self, acc: [i64; LANES], a: V, b: V) -> [i64; LANES] {
        lanes!(i: LANES => acc[i].wrapping_add(i64::from(a[i]) * i64::from(b[i])))
    }
    #[inline(always)]
    fn wide_mul_sub(self, acc: [i64; LANES], a: V, b: V) -> [i64; LANES] {
        lanes!(i: LANES => acc[i].wrapping_sub(i64::from(a[i]) * i64::from(b[i])))
    }
    #[inline(always)]
    fn mont_reduce(self, acc: [i64; LANES]) -> V {
        lanes!(i: LANES => mont_reduce(acc[i]))
    }

    #[inline(always)]
    fn trn<const G: usize>(self, a: V, b: V) -> (V, V) {
        (
            lanes!(i: LANES => if i & G == 0 { a[i] } else { b[i - G] }),
            lanes!(i: LANES => if i & G == 0 { a[i + G] } else { b[i] }),
        )
    }
    #[inline(always)]
    fn zip(self, a: V, b: V) -> (V, V) {
        let from = |i: usize, first| if i & 1 == 0 { a[first] } else { b[first] };
        (
            lanes!(i: LANES => from(i, (i & !3) + (i >> 1 & 1))),
            lanes!(i: LANES => from(i, (i & !3) + (i >> 1 & 1) + 2)),
        )
    }
    #[inline(always)]
    fn unzip(self, a: V, b: V) -> (V, V) {
        let from = |i: usize, first| if i & 2 == 0 { a[first] } else { b[first] };
        (
            lanes!(i: LANES => from(i, (i & !3) + 2 * (i & 1))),
            lanes!(i: LANES => from(i, (i & !3) + 2 * (i & 1) + 1)),
        )
    }

    #[inline(always)]
    fn zero_bytes(self) -> [u8; 64] {
        [0; 64]
    }
    #[inline(always)]
    fn add_i8(self, a: [u8; 64], b: &[i8; 64]) -> [u8; 64] {
        lanes!(i: 64 => a[i].wrapping_add(b[i] as u8))
    }
    #[inline(always)]
    fn sub_i8(self, a: [u8; 64], b: &[i8; 64]) -> [u8; 64] {
        lanes!(i: 64 => a[i].wrapping_sub(b[i] as u8))
    }
    #[inline(always)]
    fn accumulate_i8(self, a: [u8; 64], dst: &mut [i16; 64]) {
        for (a, dst) in a.iter().zip(dst) {
            *dst = dst.wrapping_add(i16::from(a.cast_signed()));
        }
    }
    #[inline(always)]
    fn add_i16(self, mut a: [u8; 64], b: &[i16; 32]) -> [u8; 64] {
        for (a, b) in a.as_chunks_mut().0.iter_mut().zip(b) {
            *a = i16::from_le_bytes(*a).wrapping_add(*b).to_le_bytes();
        }
        a
    }
    #[inline(always)]
    fn sub_i16(self, mut a: [u8; 64], b: &[i16; 32]) -> [u8; 64] {
        for (a, b) in a.as_chunks_mut().0.iter_mut().zip(b) {
            *a = i16::from_le_bytes(*a).wrapping_sub(*b).to_le_bytes();
        }
        a
    }
    #[inline(always)]
    fn widen_i16(self, a: [u8; 64]) -> (V, V) {
        let half = |i: usize| i32::from(i16::from_le_bytes([a[2 * i], a[2 * i + 1]]));
        (
            lanes!(i: LANES => half(i)),
            lanes!(i: LANES => half(LANES + i)),
        )
    }
}

impl Sponge for Portable {
    const WIDTH: usize = 1;
    const STATE_IN_REGISTERS: bool = false;
    type W = u64;

    #[inline(always)]
    fn load_words<const R: usize>(self, row: &[u64; R], lane: usize) -> u64 {
        row[lane]
    }
    #[inline(always)]
    fn store_words<const R: usize>(self, w: u64, row: &mut [u64; R], lane: usize) {
        row[lane] = w;
    }
    #[inline(always)]
    fn splat_word(self, x: u64) -> u64 {
        x
    }
    #[inline(always)]
    fn xor(self, a: u64, b: u64) -> u64 {
        a ^ b
    }
    #[inline(always)]
    fn chi(self, a: u64, b: u64, c: u64) -> u64 {
        a ^ (!b & c)
    }
    #[inline(always)]
    fn rotl(self, a: u64, n: u32) -> u64 {
        a.rotate_left(n)
    }
}

/// Lanes whose bits fill whole bytes: four where `B` is even, else eight.
const fn group<const B: usize>() -> usize {
    if B & 1 == 0 { 4 } else { 8 }
}

/// Bytes of a group of lanes.
const fn group_bytes<const B: usize>() -> usize {
    (group::<B>() * B) >> 3
}

/// [`Isa::pack`] through an integer of 128 bits.
#[inline(always)]
pub(super) fn pack<const B: usize>(v: &[i32; LANES], dst: &mut [u8]) {
    const { assert!(group::<B>() * B <= 128) };
    // No `zip` of two `chunks_exact`: it divides to find out which is shorter, and where that is not
    // inlined, as at opt-level s, it can panic.
    for (g, bytes) in dst.chunks_exact_mut(group_bytes::<B>()).enumerate() {
        let mut bits = 0;
        let mut i = 0;
        while i < group::<B>() {
            let lane = v[(g * group::<B>() + i) & (LANES - 1)];
            bits |= u128::from(lane.cast_unsigned()) << (i * B);
            i += 1;
        }
        for (byte, from) in bytes.iter_mut().zip(bits.to_le_bytes()) {
            *byte = from;
        }
    }
}

/// [`Isa::unpack`] through an integer of 128 bits.
#[inline(always)]
pub(super) fn unpack<const B: usize>(src: &[u8]) -> [i32; LANES] {
    const { assert!(group::<B>() * B <= 128) };
    let mut v = [0; LANES];
    for (g, bytes) in src.chunks_exact(group_bytes::<B>()).enumerate() {
        let mut padded = [0; 16];
        for (to, from) in padded.iter_mut().zip(bytes) {
            *to = *from;
        }
        let bits = u128::from_le_bytes(padded);
        let mut i = 0;
        while i < group::<B>() {
            let lane = (bits >> (i * B)) as i32 & ((1 << B) - 1);
            v[(g * group::<B>() + i) & (LANES - 1)] = lane;
            i += 1;
        }
    }
    v
}

/// [`Isa::coeffs_from_half_bytes`]. The address of a store depends on how many candidates were
/// accepted, which is public; which value it stores does not steer anything.
#[inline(always)]
pub(super) fn coeffs_from_half_bytes<const ETA: usize>(
    src: &[u8; 16],
    dst: &mut [i8; 32],
) -> usize {
    const { assert!(ETA == 2 || ETA == 4) };
    let bound = if ETA == 2 { 15 } else { 9 };
    let mut n = 0;
    for byte in src {
        for half in [byte & 15, byte >> 4] {
            // b mod 5 by multiplication: 205/1024 is 1/5 closely enough for b < 15.
            let b = i32::from(half);
            let b5 = if ETA == 2 {
                b - 5 * ((205 * b) >> 10)
            } else {
                b
            };
            dst[n & 31] = (ETA as i32 - b5) as i8;
            n += crate::ct::declassify(((b - bound) >> 31) & 1) as usize;
        }
    }
    n
}

/// [`Isa::transpose`].
#[inline(always)]
pub(super) fn transpose(rows: &[[u64; 4]; 4], columns: [&mut [u8; 32]; 4]) {
    for (i, column) in columns.into_iter().enumerate() {
        for (to, row) in column.as_chunks_mut().0.iter_mut().zip(rows) {
            *to = row[i].to_le_bytes();
        }
    }
}
