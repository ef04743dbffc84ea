//! NEON, the vector instructions that every AArch64 CPU has: sixteen lanes are four registers. The
//! lane operations here are those of [`NeonSha3`](super::neon_sha3::NeonSha3), too; only Keccak
//! differs.
//!
//! Little endian is assumed where bytes become words in a register: `dispatch!` leaves big-endian
//! AArch64 to plain Rust.

use super::Factors;
use super::tables::{COMPACT, Windows};
use crate::params::Q;
use crate::poly::LANES;
use crate::reduce::QINV;
use core::arch::aarch64::*;

pub(super) type V = [int32x4_t; 4];
/// The products of each register: those of its lower half, those of its upper half.
pub(super) type Wide = [[int64x2_t; 2]; 4];
pub(super) type Bytes = [uint8x16_t; 4];

/// An [`isa!`](super::isa) call with the lane operations of this module.
macro_rules! neon {
    ($(#[$doc:meta])* $name:ident($label:literal) = $features:tt; $($sponge:tt)*) => {
        $crate::simd::isa! {
            $(#[$doc])*
            $name($label) = $features;
            type V = V;
            type Wide = Wide;
            type Bytes = Bytes;
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
            fn hide(mask: V) -> V;
            fn mont_mul(a: V, b: V, b_qinv: V) -> V;
            fn barrett_mul(a: V, b: Factors<V>) -> V;
            fn wide_mul(a: V, b: V) -> Wide;
            fn wide_mul_add(acc: Wide, a: V, b: V) -> Wide;
            fn wide_mul_sub(acc: Wide, a: V, b: V) -> Wide;
            fn mont_reduce(acc: Wide) -> V;
            fn trn<const G: usize>(a: V, b: V) -> (V, V);
            fn zip(a: V, b: V) -> (V, V);
            fn unzip(a: V, b: V) -> (V, V);
            fn pack<const B: usize>(v: V, dst: &mut [u8]);
            fn unpack<const B: usize>(src: &[u8]) -> V;
            fn zero_bytes() -> Bytes;
            fn add_i8(a: Bytes, b: &[i8; 64]) -> Bytes;
            fn sub_i8(a: Bytes, b: &[i8; 64]) -> Bytes;
            fn accumulate_i8(a: Bytes, dst: &mut [i16; 64]);
            fn add_i16(a: Bytes, b: &[i16; 32]) -> Bytes;
            fn sub_i16(a: Bytes, b: &[i16; 32]) -> Bytes;
            fn widen_i16(a: Bytes) -> (V, V);
            fn coeffs_from_half_bytes<const ETA: usize>(src: &[u8; 16], dst: &mut [i8; 32]) -> usize;
            fn transpose(rows: &[[u64; 4]; 4], columns: [&mut [u8; 32]; 4]);
            $($sponge)*
        }
    };
}
pub(super) use neon;

neon! {
    /// Proof that the CPU has NEON.
    Neon("neon") = ["neon"];
    sponge {
        const WIDTH = 2;
        const STATE_IN_REGISTERS = true;
        type W = uint64x2_t;
        fn load_words<const R: usize>(row: &[u64; R], lane: usize) -> uint64x2_t;
        fn store_words<const R: usize>(w: uint64x2_t, row: &mut [u64; R], lane: usize);
        fn splat_word(x: u64) -> uint64x2_t;
        fn xor(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t;
        fn chi(a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t;
        fn rotl(a: uint64x2_t, n: u32) -> uint64x2_t;
    }
}

/// Loads 16 bytes.
#[inline]
#[target_feature(enable = "neon")]
fn load128<T, const N: usize>(src: &[T; N]) -> uint8x16_t {
    const { assert!(size_of::<[T; N]>() == 16) };
    // SAFETY: `src` is 16 bytes long and readable; a load of bytes asks for no alignment. `T` is
    // an integer type in all uses, so every byte is initialised.
    unsafe { vld1q_u8(core::ptr::from_ref(src).cast()) }
}

/// Stores 16 bytes.
#[inline]
#[target_feature(enable = "neon")]
fn store128<T, const N: usize>(v: uint8x16_t, dst: &mut [T; N]) {
    const { assert!(size_of::<[T; N]>() == 16) };
    // SAFETY: `dst` is 16 bytes long and writable; a store of bytes asks for no alignment. `T` is
    // an integer type in all uses, so every bit pattern is a value of it.
    unsafe { vst1q_u8(core::ptr::from_mut(dst).cast(), v) }
}

/// Four quarters of an array.
#[inline(always)]
fn quarters<T, const N: usize, const H: usize>(a: &[T; N]) -> [&[T; H]; 4] {
    const { assert!(N == 4 * H) };
    let [a, b, c, d] = a.as_chunks().0 else {
        unreachable!()
    };
    [a, b, c, d]
}

/// Four quarters of an array.
#[inline(always)]
fn quarters_mut<T, const N: usize, const H: usize>(a: &mut [T; N]) -> [&mut [T; H]; 4] {
    const { assert!(N == 4 * H) };
    let [a, b, c, d] = a.as_chunks_mut().0 else {
        unreachable!()
    };
    [a, b, c, d]
}

/// Applies an expression to each of the four registers.
macro_rules! registers {
    ($i:ident => $e:expr) => {
        [
            {
                let $i = 0;
                $e
            },
            {
                let $i = 1;
                $e
            },
            {
                let $i = 2;
                $e
            },
            {
                let $i = 3;
                $e
            },
        ]
    };
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn load(src: &[i32; LANES]) -> V {
    let src = quarters::<_, _, 4>(src);
    registers!(i => vreinterpretq_s32_u8(load128(src[i])))
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn store(v: V, dst: &mut [i32; LANES]) {
    for (v, dst) in v.into_iter().zip(quarters_mut::<_, _, 4>(dst)) {
        store128(vreinterpretq_u8_s32(v), dst);
    }
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn load_i8(src: &[i8; LANES]) -> V {
    let bytes = vreinterpretq_s8_u8(load128(src));
    let (low, high) = (vmovl_s8(vget_low_s8(bytes)), vmovl_high_s8(bytes));
    [
        vmovl_s16(vget_low_s16(low)),
        vmovl_high_s16(low),
        vmovl_s16(vget_low_s16(high)),
        vmovl_high_s16(high),
    ]
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn load_i16(src: &[i16; LANES]) -> V {
    let [low, high] = src.as_chunks::<8>().0 else {
        unreachable!()
    };
    let (low, high) = (
        vreinterpretq_s16_u8(load128(low)),
        vreinterpretq_s16_u8(load128(high)),
    );
    [
        vmovl_s16(vget_low_s16(low)),
        vmovl_high_s16(low),
        vmovl_s16(vget_low_s16(high)),
        vmovl_high_s16(high),
    ]
}

/// The low halves of sixteen lanes.
#[inline]
#[target_feature(enable = "neon")]
fn low_halves(v: V) -> [int16x8_t; 2] {
    let h = registers!(i => vreinterpretq_s16_s32(v[i]));
    [vuzp1q_s16(h[0], h[1]), vuzp1q_s16(h[2], h[3])]
}

/// The low bytes of sixteen lanes.
#[inline]
#[target_feature(enable = "neon")]
fn low_bytes(v: V) -> uint8x16_t {
    let [low, high] = low_halves(v);
    vuzp1q_u8(vreinterpretq_u8_s16(low), vreinterpretq_u8_s16(high))
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn store_i16(v: V, dst: &mut [i16; LANES]) {
    let [to_low, to_high] = dst.as_chunks_mut::<8>().0 else {
        unreachable!()
    };
    let [low, high] = low_halves(v);
    store128(vreinterpretq_u8_s16(low), to_low);
    store128(vreinterpretq_u8_s16(high), to_high);
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn store_i8(v: V, dst: &mut [i8; LANES]) {
    store128(low_bytes(v), dst);
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn splat(x: i32) -> V {
    [vdupq_n_s32(x); 4]
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn add(a: V, b: V) -> V {
    registers!(i => vaddq_s32(a[i], b[i]))
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn sub(a: V, b: V) -> V {
    registers!(i => vsubq_s32(a[i], b[i]))
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn mul_lo(a: V, b: V) -> V {
    registers!(i => vmulq_s32(a[i], b[i]))
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn abs(a: V) -> V {
    registers!(i => vabsq_s32(a[i]))
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn and(a: V, b: V) -> V {
    registers!(i => vandq_s32(a[i], b[i]))
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn or(a: V, b: V) -> V {
    registers!(i => vorrq_s32(a[i], b[i]))
}

// The count of the immediate forms must be an `i32` of its own; the register forms fold to them.

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn shl<const N: u32>(a: V) -> V {
    let n = vdupq_n_s32(N as i32);
    registers!(i => vshlq_s32(a[i], n))
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn sar<const N: u32>(a: V) -> V {
    let n = vdupq_n_s32(-(N as i32));
    registers!(i => vshlq_s32(a[i], n))
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn gt(a: V, b: V) -> V {
    registers!(i => vreinterpretq_s32_u32(vcgtq_s32(a[i], b[i])))
}

/// The bits of eight lanes, twice.
const BIT: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

/// Bytes 0 or −1 as bits, sixteen bytes in two.
#[inline]
#[target_feature(enable = "neon")]
fn byte_mask_to_bits(mask: uint8x16_t) -> u16 {
    let bits = vandq_u8(mask, load128(&BIT));
    // Each step adds neighbours.
    let bits = vpaddq_u8(bits, bits);
    let bits = vpaddq_u8(bits, bits);
    let bits = vpaddq_u8(bits, bits);
    vgetq_lane_u16::<0>(vreinterpretq_u16_u8(bits))
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn mask_to_bits(mask: V) -> u16 {
    byte_mask_to_bits(low_bytes(mask))
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn bits_to_mask(bits: u16) -> V {
    const BITS: [[i32; 4]; 4] = [
        [1 << 0, 1 << 1, 1 << 2, 1 << 3],
        [1 << 4, 1 << 5, 1 << 6, 1 << 7],
        [1 << 8, 1 << 9, 1 << 10, 1 << 11],
        [1 << 12, 1 << 13, 1 << 14, 1 << 15],
    ];
    let bits = vdupq_n_s32(i32::from(bits));
    registers!(i => {
        let bit = vreinterpretq_s32_u8(load128(&BITS[i]));
        vreinterpretq_s32_u32(vtstq_s32(bits, bit))
    })
}

/// The registers stay where they are, and no instruction comes of it.
#[inline]
#[target_feature(enable = "neon")]
#[cfg(not(mldsa_no_asm_barrier))]
pub(super) fn hide(mask: V) -> V {
    let [mut a, mut b, mut c, mut d] = mask;
    // SAFETY: there is no instruction in it, so that every register keeps its value.
    unsafe {
        core::arch::asm!("/* {0:v} {1:v} {2:v} {3:v} */",
            inout(vreg) a, inout(vreg) b, inout(vreg) c, inout(vreg) d,
            options(pure, nomem, nostack, preserves_flags));
    }
    [a, b, c, d]
}

#[inline]
#[target_feature(enable = "neon")]
#[cfg(mldsa_no_asm_barrier)]
pub(super) fn hide(mask: V) -> V {
    super::barrier::through_memory(mask)
}

/// Half the difference of two doubled high halves: with p = a·b and t·q, whose low halves are equal,
/// `sqdmulh` gives ⌊2p/2³²⌋ and ⌊2tq/2³²⌋. The bits cut off are those of the low halves but one, the
/// same in both, so that the difference is exactly 2·(p − t·q)/2³², and `shsub`, which does not
/// overflow, halves it. It equals the form with wide products bit for bit and takes four
/// instructions in place of seven.
///
/// `sqdmulh` saturates only for (−2³¹)·(−2³¹); the bound |a·b| ≤ 2³¹·q and the size of q exclude it.
#[inline]
#[target_feature(enable = "neon")]
fn mont_mul_128(a: int32x4_t, b: int32x4_t, b_qinv: int32x4_t) -> int32x4_t {
    let t = vmulq_s32(a, b_qinv);
    vhsubq_s32(vqdmulhq_s32(a, b), vqdmulhq_s32(t, vdupq_n_s32(Q)))
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn mont_mul(a: V, b: V, b_qinv: V) -> V {
    registers!(i => mont_mul_128(a[i], b[i], b_qinv[i]))
}

/// `sqdmulh` doubles the product before it takes the high half, so it is given half of the quotient,
/// which is even; it does not saturate, since that half is no more than 2³⁰ in absolute value.
#[inline]
#[target_feature(enable = "neon")]
fn barrett_mul_128(a: int32x4_t, b: int32x4_t, quotient: int32x4_t) -> int32x4_t {
    let t = vqdmulhq_s32(a, vshrq_n_s32::<1>(quotient));
    vmlsq_s32(vmulq_s32(a, b), t, vdupq_n_s32(Q))
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn barrett_mul(a: V, b: Factors<V>) -> V {
    registers!(i => barrett_mul_128(a[i], b.values[i], b.quotients[i]))
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn wide_mul(a: V, b: V) -> Wide {
    registers!(i => [
        vmull_s32(vget_low_s32(a[i]), vget_low_s32(b[i])),
        vmull_high_s32(a[i], b[i]),
    ])
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn wide_mul_add(acc: Wide, a: V, b: V) -> Wide {
    registers!(i => [
        vmlal_s32(acc[i][0], vget_low_s32(a[i]), vget_low_s32(b[i])),
        vmlal_high_s32(acc[i][1], a[i], b[i]),
    ])
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn wide_mul_sub(acc: Wide, a: V, b: V) -> Wide {
    registers!(i => [
        vmlsl_s32(acc[i][0], vget_low_s32(a[i]), vget_low_s32(b[i])),
        vmlsl_high_s32(acc[i][1], a[i], b[i]),
    ])
}

/// The low halves times q⁻¹, times q, subtracted; then the high halves.
#[inline]
#[target_feature(enable = "neon")]
fn mont_reduce_128(p: [int64x2_t; 2]) -> int32x4_t {
    let words = |p: [int64x2_t; 2]| (vreinterpretq_s32_s64(p[0]), vreinterpretq_s32_s64(p[1]));
    let (low, high) = words(p);
    let t = vmulq_s32(vuzp1q_s32(low, high), vdupq_n_s32(QINV));
    let q = vdupq_n_s32(Q);
    let (low, high) = words([
        vmlsl_s32(p[0], vget_low_s32(t), vget_low_s32(q)),
        vmlsl_high_s32(p[1], t, q),
    ]);
    vuzp2q_s32(low, high)
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn mont_reduce(acc: Wide) -> V {
    registers!(i => mont_reduce_128(acc[i]))
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn trn<const G: usize>(a: V, b: V) -> (V, V) {
    // Blocks of a register or two: only the names change.
    match G {
        8 => ([a[0], a[1], b[0], b[1]], [a[2], a[3], b[2], b[3]]),
        4 => ([a[0], b[0], a[2], b[2]], [a[1], b[1], a[3], b[3]]),
        _ => unreachable!(),
    }
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn zip(a: V, b: V) -> (V, V) {
    (
        registers!(i => vzip1q_s32(a[i], b[i])),
        registers!(i => vzip2q_s32(a[i], b[i])),
    )
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn unzip(a: V, b: V) -> (V, V) {
    (
        registers!(i => vuzp1q_s32(a[i], b[i])),
        registers!(i => vuzp2q_s32(a[i], b[i])),
    )
}

/// Moves the upper of two integers in each 64 bits down to the lower one, which has `B` bits.
///
/// ```text
///   0…0 l₁ 0…0 l₀   ⇒   (0…0) l₁ l₀
/// ```
#[inline]
#[target_feature(enable = "neon")]
fn join_64<const B: i32>(v: uint64x2_t) -> uint64x2_t {
    vsliq_n_u64::<B>(v, vshrq_n_u64::<32>(v))
}

/// The order of bytes for `tbl` that puts groups of `USED` bytes side by side, of which one begins at
/// every `STEP`-th byte of the source. Indices out of range give zeros.
#[allow(
    clippy::integer_division_remainder_used,
    reason = "constant evaluation"
)]
const fn groups<const USED: usize, const STEP: usize, const N: usize>() -> [[u8; 16]; N] {
    let mut order = [[255; 16]; N];
    let mut i = 0;
    while i < 16 * N {
        let from = i / USED * STEP + i % USED;
        order[i >> 4][i & 15] = if from < 64 { from as u8 } else { 255 };
        i += 1;
    }
    order
}

/// The order of bytes for `tbl` that joins eight bytes of one register and one of the next, for each
/// half of two pairs of registers.
#[allow(
    clippy::integer_division_remainder_used,
    reason = "constant evaluation"
)]
const fn nines() -> [[u8; 16]; 3] {
    let mut order = [[255; 16]; 3];
    let mut i = 0;
    while i < 36 {
        let (nine, byte) = (i / 9, i % 9);
        let register = nine >> 1 << 1 | byte >> 3;
        order[i >> 4][i & 15] = (register << 4 | (nine & 1) << 3 | byte & 7) as u8;
        i += 1;
    }
    order
}

/// Joins lanes by shift-and-insert (`sli`) until every element is a whole number of bytes, then puts
/// these side by side by `tbl`.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn pack<const B: usize>(v: V, dst: &mut [u8]) {
    let words = registers!(i => vreinterpretq_u64_s32(v[i]));
    match B {
        4 => {
            // b₀ + b₁·2⁸ + b₁·2⁴ for a pair: its low byte is b₀ + b₁·2⁴.
            let bytes = vreinterpretq_u16_u8(low_bytes(v));
            let pairs = vmovn_u16(vsraq_n_u16::<4>(bytes, bytes));
            put_u64(vcombine_u8(pairs, pairs), &mut dst[..8]);
        }
        6 => {
            let bytes = vreinterpretq_u16_u8(low_bytes(v));
            let pairs = vreinterpretq_u32_u16(vsliq_n_u16::<6>(bytes, vshrq_n_u16::<8>(bytes)));
            let fours = vsliq_n_u32::<12>(pairs, vshrq_n_u32::<16>(pairs));
            const ORDER: [[u8; 16]; 1] = groups::<3, 4, 1>();
            let packed = vqtbl1q_u8(vreinterpretq_u8_u32(fours), load128(&ORDER[0]));
            let (to_low, to_high) = dst[..12].split_at_mut(8);
            put_u64(packed, to_low);
            put_u32(vextq_u8::<8>(packed, packed), to_high);
        }
        10 => {
            // Pairs in 32 bits, then pairs of pairs in 64: five bytes each.
            let fours = |a: int32x4_t, b: int32x4_t| {
                let even = vreinterpretq_u32_s32(vuzp1q_s32(a, b));
                let odd = vreinterpretq_u32_s32(vuzp2q_s32(a, b));
                let pairs = vsliq_n_u32::<10>(even, odd);
                vreinterpretq_u8_u64(join_64::<20>(vreinterpretq_u64_u32(pairs)))
            };
            const ORDER: [[u8; 16]; 2] = groups::<5, 8, 2>();
            let fours = uint8x16x2_t(fours(v[0], v[1]), fours(v[2], v[3]));
            let (to_low, to_high) = dst[..20].split_at_mut(16);
            put_128(vqtbl2q_u8(fours, load128(&ORDER[0])), to_low);
            put_u32(vqtbl2q_u8(fours, load128(&ORDER[1])), to_high);
        }
        18 => {
            // Pairs have 36 bits. Two pairs are 64 bits and 8 more, which follow 16 bytes later.
            let pairs = registers!(i => join_64::<18>(words[i]));
            let even = |i: usize| vzip1q_u64(pairs[i], pairs[i + 1]);
            let odd = |i: usize| vzip2q_u64(pairs[i], pairs[i + 1]);
            let first = |i| vreinterpretq_u8_u64(vsliq_n_u64::<36>(even(i), odd(i)));
            let rest = |i| vreinterpretq_u8_u64(vshrq_n_u64::<28>(odd(i)));
            const ORDER: [[u8; 16]; 3] = nines();
            let fours = uint8x16x4_t(first(0), rest(0), first(2), rest(2));
            let (to, to_last) = dst[..36].split_at_mut(32);
            put_128(vqtbl4q_u8(fours, load128(&ORDER[0])), &mut to[..16]);
            put_128(vqtbl4q_u8(fours, load128(&ORDER[1])), &mut to[16..]);
            put_u32(vqtbl4q_u8(fours, load128(&ORDER[2])), to_last);
        }
        20 => {
            // Pairs have five bytes.
            let pairs = registers!(i => vreinterpretq_u8_u64(join_64::<20>(words[i])));
            let pairs = uint8x16x4_t(pairs[0], pairs[1], pairs[2], pairs[3]);
            const ORDER: [[u8; 16]; 3] = groups::<5, 8, 3>();
            let (to, to_last) = dst[..40].split_at_mut(32);
            put_128(vqtbl4q_u8(pairs, load128(&ORDER[0])), &mut to[..16]);
            put_128(vqtbl4q_u8(pairs, load128(&ORDER[1])), &mut to[16..]);
            put_u64(vqtbl4q_u8(pairs, load128(&ORDER[2])), to_last);
        }
        _ => {
            let mut lanes = [0; LANES];
            store(v, &mut lanes);
            super::portable::pack::<B>(&lanes, dst);
        }
    }
}

/// Writes the first 4 bytes.
#[inline]
#[target_feature(enable = "neon")]
fn put_u32(v: uint8x16_t, dst: &mut [u8]) {
    let word = vgetq_lane_u32::<0>(vreinterpretq_u32_u8(v));
    for (to, byte) in dst.iter_mut().zip(word.to_le_bytes()) {
        *to = byte;
    }
}

/// Writes the first 8 bytes.
#[inline]
#[target_feature(enable = "neon")]
fn put_u64(v: uint8x16_t, dst: &mut [u8]) {
    let word = vgetq_lane_u64::<0>(vreinterpretq_u64_u8(v));
    for (to, byte) in dst.iter_mut().zip(word.to_le_bytes()) {
        *to = byte;
    }
}

/// Writes all 16 bytes.
#[inline]
#[target_feature(enable = "neon")]
fn put_128(v: uint8x16_t, dst: &mut [u8]) {
    if let Some(dst) = dst.first_chunk_mut::<16>() {
        store128(v, dst);
    }
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn unpack<const B: usize>(src: &[u8]) -> V {
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

#[inline]
#[target_feature(enable = "neon")]
fn unpack_windows<const B: usize>(src: &[u8]) -> V {
    const {
        assert!(
            B + 7 <= 32,
            "a lane and the bits before it must fit four bytes"
        );
    };
    let src = &src[..Windows::<B>::LEN];
    let lanes = registers!(w => {
        let (window, _) = src[Windows::<B>::START[w]..].as_chunks::<16>();
        let bytes = vqtbl1q_u8(load128(&window[0]), load128(&Windows::<B>::SHUFFLE[w]));
        vreinterpretq_u32_u8(bytes)
    });
    if B & 7 == 0 {
        // The bytes of a lane are its own.
        return registers!(w => vreinterpretq_s32_u32(lanes[w]));
    }
    let shift = load(&Windows::<B>::SHIFT);
    let mask = vdupq_n_u32((1 << B) - 1);
    registers!(w => {
        let lane = vandq_u32(vshlq_u32(lanes[w], vnegq_s32(shift[w])), mask);
        vreinterpretq_s32_u32(lane)
    })
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn zero_bytes() -> Bytes {
    [vdupq_n_u8(0); 4]
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn add_i8(a: Bytes, b: &[i8; 64]) -> Bytes {
    let b = quarters::<_, _, 16>(b);
    registers!(i => vaddq_u8(a[i], load128(b[i])))
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn sub_i8(a: Bytes, b: &[i8; 64]) -> Bytes {
    let b = quarters::<_, _, 16>(b);
    registers!(i => vsubq_u8(a[i], load128(b[i])))
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn accumulate_i8(a: Bytes, dst: &mut [i16; 64]) {
    for (a, dst) in a.into_iter().zip(quarters_mut::<_, _, 16>(dst)) {
        let a = vreinterpretq_s8_u8(a);
        let [low, high] = dst.as_chunks_mut::<8>().0 else {
            unreachable!()
        };
        let sum = vaddw_s8(vreinterpretq_s16_u8(load128(low)), vget_low_s8(a));
        store128(vreinterpretq_u8_s16(sum), low);
        let sum = vaddw_high_s8(vreinterpretq_s16_u8(load128(high)), a);
        store128(vreinterpretq_u8_s16(sum), high);
    }
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn add_i16(a: Bytes, b: &[i16; 32]) -> Bytes {
    let b = quarters::<_, _, 8>(b);
    registers!(i => {
        let sum = vaddq_u16(vreinterpretq_u16_u8(a[i]), vreinterpretq_u16_u8(load128(b[i])));
        vreinterpretq_u8_u16(sum)
    })
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn sub_i16(a: Bytes, b: &[i16; 32]) -> Bytes {
    let b = quarters::<_, _, 8>(b);
    registers!(i => {
        let sum = vsubq_u16(vreinterpretq_u16_u8(a[i]), vreinterpretq_u16_u8(load128(b[i])));
        vreinterpretq_u8_u16(sum)
    })
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn widen_i16(a: Bytes) -> (V, V) {
    let [a0, a1, a2, a3] = a.map(|a| vreinterpretq_s16_u8(a));
    let low = |a| vmovl_s16(vget_low_s16(a));
    let high = |a| vmovl_high_s16(a);
    (
        [low(a0), high(a0), low(a1), high(a1)],
        [low(a2), high(a2), low(a3), high(a3)],
    )
}

/// Algorithm 15, `CoeffFromHalfByte(b)`, as a table, in a register: no address depends on b.
#[allow(
    clippy::integer_division_remainder_used,
    reason = "constant evaluation"
)]
const fn coefficients<const ETA: usize>() -> [i8; 16] {
    let mut table = [0; 16];
    let mut b = 0;
    while b < 16 {
        table[b] = ETA as i8 - (if ETA == 2 { b % 5 } else { b }) as i8;
        b += 1;
    }
    table
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn coeffs_from_half_bytes<const ETA: usize>(
    src: &[u8; 16],
    dst: &mut [i8; 32],
) -> usize {
    const { assert!(ETA == 2 || ETA == 4) };
    let bytes = load128(src);
    let (low, high) = (vandq_u8(bytes, vdupq_n_u8(15)), vshrq_n_u8::<4>(bytes));
    // Low half first: b₀ low, b₀ high, b₁ low, …
    let b = [vzip1q_u8(low, high), vzip2q_u8(low, high)];
    let bound = vdupq_n_u8(if ETA == 2 { 15 } else { 9 });
    let bit = load128(&BIT);
    let bits = [
        vandq_u8(vcltq_u8(b[0], bound), bit),
        vandq_u8(vcltq_u8(b[1], bound), bit),
    ];
    // Neighbours added three times: a byte of bits for each eight candidates.
    let bits = vpaddq_u8(bits[0], bits[1]);
    let bits = vpaddq_u8(bits, bits);
    let bits = vpaddq_u8(bits, bits);
    // Which candidates are accepted is public; what they are is only ever data.
    let accept = crate::ct::declassify(vgetq_lane_u32::<0>(vreinterpretq_u32_u8(bits)));
    let table = load128(&const { coefficients::<ETA>() });
    let coeffs = [vqtbl1q_u8(table, b[0]), vqtbl1q_u8(table, b[1])];
    let upper = |v| vextq_u8::<8>(v, v);
    let coeffs = [coeffs[0], upper(coeffs[0]), coeffs[1], upper(coeffs[1])];
    let mut n = 0;
    for (set, coeffs) in accept.to_le_bytes().into_iter().zip(coeffs) {
        let order = vcreate_u8(u64::from_le_bytes(COMPACT[usize::from(set)]));
        let front = vget_lane_u64::<0>(vreinterpret_u64_u8(vqtbl1_u8(coeffs, order)));
        // n ≤ 8·i for the i-th eight, so that eight bytes fit; the mask tells the compiler.
        for (to, from) in dst[n & 31..].iter_mut().zip(front.to_le_bytes()) {
            *to = from.cast_signed();
        }
        n += set.count_ones() as usize;
    }
    n
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn transpose(rows: &[[u64; 4]; 4], columns: [&mut [u8; 32]; 4]) {
    let half = |row: usize, lane: usize| load_words(&rows[row], lane);
    let [c0, c1, c2, c3] = columns;
    for (lane, even, odd) in [(0, c0, c1), (2, c2, c3)] {
        let [a, b, c, d] = [half(0, lane), half(1, lane), half(2, lane), half(3, lane)];
        let ([e0, e1], [o0, o1]) = (halves_mut(even), halves_mut(odd));
        store128(vreinterpretq_u8_u64(vzip1q_u64(a, b)), e0);
        store128(vreinterpretq_u8_u64(vzip1q_u64(c, d)), e1);
        store128(vreinterpretq_u8_u64(vzip2q_u64(a, b)), o0);
        store128(vreinterpretq_u8_u64(vzip2q_u64(c, d)), o1);
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
#[target_feature(enable = "neon")]
pub(super) fn load_words<const R: usize>(row: &[u64; R], lane: usize) -> uint64x2_t {
    const { assert!(R == 4) };
    let pairs = row.as_chunks::<2>().0;
    vreinterpretq_u64_u8(load128(&pairs[lane >> 1 & 1]))
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn store_words<const R: usize>(w: uint64x2_t, row: &mut [u64; R], lane: usize) {
    const { assert!(R == 4) };
    let pairs = row.as_chunks_mut::<2>().0;
    store128(vreinterpretq_u8_u64(w), &mut pairs[lane >> 1 & 1]);
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn splat_word(x: u64) -> uint64x2_t {
    vdupq_n_u64(x)
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn xor(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    veorq_u64(a, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn chi(a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
    veorq_u64(a, vbicq_u64(c, b))
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn rotl(a: uint64x2_t, n: u32) -> uint64x2_t {
    if n == 0 {
        return a;
    }
    let n = n.cast_signed().into();
    let left = vshlq_u64(a, vdupq_n_s64(n));
    let right = vshlq_u64(a, vdupq_n_s64(n - 64));
    vorrq_u64(left, right)
}
