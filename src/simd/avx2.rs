//! AVX2: sixteen lanes are two 256-bit registers. BMI1 and BMI2 belong to the token: every CPU
//! with AVX2 has them, and scalar Keccak takes 0.83 of the time with `andn` and `rorx`.

use super::tables::{COMPACT, Pairs, Windows};
use super::{Factors, isa, keccak_avx2};
use crate::params::Q;
use crate::poly::LANES;
use crate::reduce::QINV;
use core::arch::x86_64::*;

type V = [__m256i; 2];

isa! {
    /// Proof that the CPU has AVX2, BMI1 and BMI2.
    Avx2("avx2") = ["avx2", "bmi1", "bmi2"];
    type V = V;
    type Wide = [V; 2];
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
    fn hide(mask: V) -> V;
    fn signs_to_bits(a: V) -> u16;
    fn mont_mul(a: V, b: V, b_qinv: V) -> V;
    fn barrett_mul(a: V, b: Factors<V>) -> V;
    fn wide_mul(a: V, b: V) -> [V; 2];
    fn wide_mul_add(acc: [V; 2], a: V, b: V) -> [V; 2];
    fn wide_mul_sub(acc: [V; 2], a: V, b: V) -> [V; 2];
    fn mont_reduce(acc: [V; 2]) -> V;
    fn trn<const G: usize>(a: V, b: V) -> (V, V);
    fn zip(a: V, b: V) -> (V, V);
    fn unzip(a: V, b: V) -> (V, V);
    fn pack<const B: usize>(v: V, dst: &mut [u8]);
    fn unpack<const B: usize>(src: &[u8]) -> V;
    fn zero_bytes() -> V;
    fn add_i8(a: V, b: &[i8; 64]) -> V;
    fn sub_i8(a: V, b: &[i8; 64]) -> V;
    fn accumulate_i8(a: V, dst: &mut [i16; 64]);
    fn add_i16(a: V, b: &[i16; 32]) -> V;
    fn sub_i16(a: V, b: &[i16; 32]) -> V;
    fn widen_i16(a: V) -> (V, V);
    fn coeffs_from_half_bytes<const ETA: usize>(src: &[u8; 16], dst: &mut [i8; 32]) -> usize;
    fn transpose(rows: &[[u64; 4]; 4], columns: [&mut [u8; 32]; 4]);
    sponge {
        const WIDTH = 4;
        const STATE_IN_REGISTERS = false;
        type W = __m256i;
        fn load_words<const R: usize>(row: &[u64; R], lane: usize) -> __m256i;
        fn store_words<const R: usize>(w: __m256i, row: &mut [u64; R], lane: usize);
        fn splat_word(x: u64) -> __m256i;
        fn xor(a: __m256i, b: __m256i) -> __m256i;
        fn chi(a: __m256i, b: __m256i, c: __m256i) -> __m256i;
        fn rotl(a: __m256i, n: u32) -> __m256i;
        fn permute_four(
            states: &mut [[u64; 4]; 25],
            between: &mut [[u64; 4]; 25],
            theta: &mut [[u64; 4]; 5],
            iota: &[[u64; 4]; 24]
        ) -> bool;
    }
}

/// Loads 32 bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn load256<T, const N: usize>(src: &[T; N]) -> __m256i {
    const { assert!(size_of::<[T; N]>() == 32) };
    // SAFETY: `src` is 32 bytes long and readable; the instruction asks for no alignment. `T` is
    // an integer type in all uses, so every byte is initialised.
    unsafe { _mm256_loadu_si256(core::ptr::from_ref(src).cast()) }
}

/// Stores 32 bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn store256<T, const N: usize>(v: __m256i, dst: &mut [T; N]) {
    const { assert!(size_of::<[T; N]>() == 32) };
    // SAFETY: `dst` is 32 bytes long and writable; the instruction asks for no alignment. `T` is
    // an integer type in all uses, so every bit pattern is a value of it.
    unsafe { _mm256_storeu_si256(core::ptr::from_mut(dst).cast(), v) }
}

/// Loads 16 bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn load128<T, const N: usize>(src: &[T; N]) -> __m128i {
    const { assert!(size_of::<[T; N]>() == 16) };
    // SAFETY: `src` is 16 bytes long and readable; the instruction asks for no alignment. `T` is
    // an integer type in all uses, so every byte is initialised.
    unsafe { _mm_loadu_si128(core::ptr::from_ref(src).cast()) }
}

/// Stores 16 bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn store128<T, const N: usize>(v: __m128i, dst: &mut [T; N]) {
    const { assert!(size_of::<[T; N]>() == 16) };
    // SAFETY: `dst` is 16 bytes long and writable; the instruction asks for no alignment. `T` is
    // an integer type in all uses, so every bit pattern is a value of it.
    unsafe { _mm_storeu_si128(core::ptr::from_mut(dst).cast(), v) }
}

/// The two halves of an array of `2 * H`.
#[inline(always)]
fn halves<T, const N: usize, const H: usize>(a: &[T; N]) -> [&[T; H]; 2] {
    const { assert!(N == 2 * H) };
    let [first, second] = a.as_chunks().0 else {
        unreachable!()
    };
    [first, second]
}

/// The two halves of an array of `2 * H`.
#[inline(always)]
fn halves_mut<T, const N: usize, const H: usize>(a: &mut [T; N]) -> [&mut [T; H]; 2] {
    const { assert!(N == 2 * H) };
    let [first, second] = a.as_chunks_mut().0 else {
        unreachable!()
    };
    [first, second]
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(src: &[i32; LANES]) -> V {
    let [a, b] = halves::<_, _, 8>(src);
    [load256(a), load256(b)]
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(v: V, dst: &mut [i32; LANES]) {
    let [a, b] = halves_mut::<_, _, 8>(dst);
    store256(v[0], a);
    store256(v[1], b);
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_i8(src: &[i8; LANES]) -> V {
    let bytes = load128(src);
    [
        _mm256_cvtepi8_epi32(bytes),
        _mm256_cvtepi8_epi32(_mm_srli_si128::<8>(bytes)),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_i16(src: &[i16; LANES]) -> V {
    let [a, b] = halves::<_, _, 8>(src);
    [
        _mm256_cvtepi16_epi32(load128(a)),
        _mm256_cvtepi16_epi32(load128(b)),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_i16(v: V, dst: &mut [i16; LANES]) {
    // Packing works within halves of a register; the permutation puts the quarters in order.
    store256(
        _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi32(v[0], v[1])),
        dst,
    );
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_i8(v: V, dst: &mut [i8; LANES]) {
    let words = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi32(v[0], v[1]));
    let low = _mm256_castsi256_si128(words);
    store128(
        _mm_packs_epi16(low, _mm256_extracti128_si256::<1>(words)),
        dst,
    );
}

#[inline]
#[target_feature(enable = "avx2")]
fn splat(x: i32) -> V {
    [_mm256_set1_epi32(x); 2]
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(a: V, b: V) -> V {
    [_mm256_add_epi32(a[0], b[0]), _mm256_add_epi32(a[1], b[1])]
}

#[inline]
#[target_feature(enable = "avx2")]
fn sub(a: V, b: V) -> V {
    [_mm256_sub_epi32(a[0], b[0]), _mm256_sub_epi32(a[1], b[1])]
}

#[inline]
#[target_feature(enable = "avx2")]
fn mul_lo(a: V, b: V) -> V {
    [
        _mm256_mullo_epi32(a[0], b[0]),
        _mm256_mullo_epi32(a[1], b[1]),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn abs(a: V) -> V {
    [_mm256_abs_epi32(a[0]), _mm256_abs_epi32(a[1])]
}

#[inline]
#[target_feature(enable = "avx2")]
fn and(a: V, b: V) -> V {
    [_mm256_and_si256(a[0], b[0]), _mm256_and_si256(a[1], b[1])]
}

#[inline]
#[target_feature(enable = "avx2")]
fn or(a: V, b: V) -> V {
    [_mm256_or_si256(a[0], b[0]), _mm256_or_si256(a[1], b[1])]
}

// The count of the immediate forms must be an `i32` of its own; the register forms fold to them.

#[inline]
#[target_feature(enable = "avx2")]
fn shl<const N: u32>(a: V) -> V {
    let n = _mm_cvtsi32_si128(N as i32);
    [_mm256_sll_epi32(a[0], n), _mm256_sll_epi32(a[1], n)]
}

#[inline]
#[target_feature(enable = "avx2")]
fn sar<const N: u32>(a: V) -> V {
    let n = _mm_cvtsi32_si128(N as i32);
    [_mm256_sra_epi32(a[0], n), _mm256_sra_epi32(a[1], n)]
}

#[inline]
#[target_feature(enable = "avx2")]
fn gt(a: V, b: V) -> V {
    [
        _mm256_cmpgt_epi32(a[0], b[0]),
        _mm256_cmpgt_epi32(a[1], b[1]),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn mask_to_bits(mask: V) -> u16 {
    let low = _mm256_movemask_ps(_mm256_castsi256_ps(mask[0]));
    let high = _mm256_movemask_ps(_mm256_castsi256_ps(mask[1]));
    (low | high << 8) as u16
}

/// The instruction reads the signs anyhow.
#[inline]
#[target_feature(enable = "avx2")]
fn signs_to_bits(a: V) -> u16 {
    mask_to_bits(hide(a))
}

#[inline]
#[target_feature(enable = "avx2")]
fn bits_to_mask(bits: u16) -> V {
    let bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    let low = _mm256_and_si256(_mm256_set1_epi32(i32::from(bits)), bit);
    let high = _mm256_and_si256(_mm256_set1_epi32(i32::from(bits >> 8)), bit);
    [_mm256_cmpeq_epi32(low, bit), _mm256_cmpeq_epi32(high, bit)]
}

/// The odd lanes, where `_mm256_mul_epi32` reads them.
///
/// ```text
///   0 1 2 3 4 5 6 7   ⇒   1 1 3 3 5 5 7 7
/// ```
#[inline]
#[target_feature(enable = "avx2")]
fn odd(a: __m256i) -> __m256i {
    _mm256_shuffle_epi32::<0b11_11_01_01>(a)
}

/// The high halves of eight 64-bit differences p − t·q, the even ones in `p[0]`, the odd in
/// `p[1]`; the low halves of p and t·q are equal, so that no borrow comes from them.
#[inline]
#[target_feature(enable = "avx2")]
fn high_of_difference(p: [__m256i; 2], t: [__m256i; 2]) -> __m256i {
    let q = _mm256_set1_epi32(Q);
    let even = _mm256_sub_epi32(p[0], _mm256_mul_epi32(t[0], q));
    let odd_ = _mm256_sub_epi32(p[1], _mm256_mul_epi32(t[1], q));
    _mm256_blend_epi32::<0b1010_1010>(odd(even), odd_)
}

#[inline]
#[target_feature(enable = "avx2")]
fn mont_mul_256(a: __m256i, b: __m256i, b_qinv: __m256i) -> __m256i {
    let p = [_mm256_mul_epi32(a, b), _mm256_mul_epi32(odd(a), odd(b))];
    let t = _mm256_mullo_epi32(a, b_qinv);
    high_of_difference(p, [t, odd(t)])
}

#[inline]
#[target_feature(enable = "avx2")]
fn mont_mul(a: V, b: V, b_qinv: V) -> V {
    [
        mont_mul_256(a[0], b[0], b_qinv[0]),
        mont_mul_256(a[1], b[1], b_qinv[1]),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn barrett_mul_256(a: __m256i, b: Factors<__m256i>) -> __m256i {
    let even = _mm256_mul_epi32(a, b.quotients);
    let odd_ = _mm256_mul_epi32(odd(a), b.next_quotients);
    let t = _mm256_blend_epi32::<0b1010_1010>(odd(even), odd_);
    let tq = _mm256_mullo_epi32(t, _mm256_set1_epi32(Q));
    _mm256_sub_epi32(_mm256_mullo_epi32(a, b.values), tq)
}

#[inline]
#[target_feature(enable = "avx2")]
fn barrett_mul(a: V, b: Factors<V>) -> V {
    let half = |i| Factors {
        values: b.values[i],
        quotients: b.quotients[i],
        next_quotients: b.next_quotients[i],
    };
    [
        barrett_mul_256(a[0], half(0)),
        barrett_mul_256(a[1], half(1)),
    ]
}

/// Wide lanes: even and odd products of each register.
#[inline]
#[target_feature(enable = "avx2")]
fn wide_mul(a: V, b: V) -> [V; 2] {
    [
        [
            _mm256_mul_epi32(a[0], b[0]),
            _mm256_mul_epi32(odd(a[0]), odd(b[0])),
        ],
        [
            _mm256_mul_epi32(a[1], b[1]),
            _mm256_mul_epi32(odd(a[1]), odd(b[1])),
        ],
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn wide_mul_add(acc: [V; 2], a: V, b: V) -> [V; 2] {
    let p = wide_mul(a, b);
    [
        [
            _mm256_add_epi64(acc[0][0], p[0][0]),
            _mm256_add_epi64(acc[0][1], p[0][1]),
        ],
        [
            _mm256_add_epi64(acc[1][0], p[1][0]),
            _mm256_add_epi64(acc[1][1], p[1][1]),
        ],
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn wide_mul_sub(acc: [V; 2], a: V, b: V) -> [V; 2] {
    let p = wide_mul(a, b);
    [
        [
            _mm256_sub_epi64(acc[0][0], p[0][0]),
            _mm256_sub_epi64(acc[0][1], p[0][1]),
        ],
        [
            _mm256_sub_epi64(acc[1][0], p[1][0]),
            _mm256_sub_epi64(acc[1][1], p[1][1]),
        ],
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn mont_reduce_256(p: [__m256i; 2]) -> __m256i {
    let qinv = _mm256_set1_epi32(QINV);
    high_of_difference(
        p,
        [_mm256_mul_epi32(p[0], qinv), _mm256_mul_epi32(p[1], qinv)],
    )
}

#[inline]
#[target_feature(enable = "avx2")]
fn mont_reduce(acc: [V; 2]) -> V {
    [mont_reduce_256(acc[0]), mont_reduce_256(acc[1])]
}

#[inline]
#[target_feature(enable = "avx2")]
fn trn<const G: usize>(a: V, b: V) -> (V, V) {
    match G {
        // A block is a register: only the names change.
        8 => ([a[0], b[0]], [a[1], b[1]]),
        4 => {
            let (x, y) = (trn4_256(a[0], b[0]), trn4_256(a[1], b[1]));
            ([x.0, y.0], [x.1, y.1])
        }
        _ => unreachable!(),
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn trn4_256(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    (
        _mm256_permute2x128_si256::<0x20>(a, b),
        _mm256_permute2x128_si256::<0x31>(a, b),
    )
}

#[inline]
#[target_feature(enable = "avx2")]
fn zip(a: V, b: V) -> (V, V) {
    (
        [
            _mm256_unpacklo_epi32(a[0], b[0]),
            _mm256_unpacklo_epi32(a[1], b[1]),
        ],
        [
            _mm256_unpackhi_epi32(a[0], b[0]),
            _mm256_unpackhi_epi32(a[1], b[1]),
        ],
    )
}

#[inline]
#[target_feature(enable = "avx2")]
fn unzip(a: V, b: V) -> (V, V) {
    let (x, y) = (unzip_256(a[0], b[0]), unzip_256(a[1], b[1]));
    // Otherwise LLVM makes a `vphaddd` of the sum of even and odd lanes, four instructions inside the
    // CPU in the place of one.
    (hide([x.0, y.0]), [x.1, y.1])
}

#[inline]
#[target_feature(enable = "avx2")]
fn unzip_256(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    let (a, b) = (_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
    (
        _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(a, b)),
        _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(a, b)),
    )
}

/// Joins lanes by shifts: pairs in 64 bits, then, where they fit, pairs of pairs; the last step is
/// in general registers.
///
/// ```text
///   64 bits:   0…0 l₁ 0…0 l₀   ⇒   l₁·2³² + l₀·2^(32−B)   ⇒   0…0 l₁ l₀
/// ```
#[inline]
#[target_feature(enable = "avx2")]
fn pack<const B: usize>(v: V, dst: &mut [u8]) {
    const { assert!(B <= 24) };
    if B == 4 || B == 6 {
        return pack_in_bytes::<B>(v, dst);
    }
    let low_up = _mm256_set1_epi64x(32 - B as i64);
    let down = _mm_cvtsi32_si128(32 - B as i32);
    let pairs = |v| _mm256_srl_epi64(_mm256_sllv_epi32(v, low_up), down);
    let (v0, v1) = (pairs(v[0]), pairs(v[1]));
    if B > 16 {
        return pack_pairs::<B>([v0, v1], dst);
    }
    // Pairs of pairs in the lower 64 bits of each half.
    let up = _mm_cvtsi32_si128(2 * B as i32);
    let fours = |v| _mm256_or_si256(v, _mm256_sll_epi64(_mm256_unpackhi_epi64(v, v), up));
    let mut words = [[0_u64; 4]; 2];
    store256(fours(v0), &mut words[0]);
    store256(fours(v1), &mut words[1]);
    for (words, to) in words.iter().zip(dst.chunks_exact_mut(B)) {
        let eight = u128::from(words[0]) & ((1 << (4 * B)) - 1) | u128::from(words[2]) << (4 * B);
        put(eight, to);
    }
}

/// Pairs of lanes that have 18 or 20 bits each, as **z** has. Two pairs make 9 or 10 bytes; what is
/// stored beyond them is overwritten by the next two, and the last store ends with its own.
#[inline]
#[target_feature(enable = "avx2")]
fn pack_pairs<const B: usize>(v: V, dst: &mut [u8]) {
    let bytes = const { Pairs::<B>::BYTES };
    // The second pair may begin within a byte.
    let up = _mm256_setr_epi64x(0, ((2 * B) & 7) as i64, 0, ((2 * B) & 7) as i64);
    let shuffle = |v, [low, high]: &[[i8; 16]; 2]| {
        let order =
            _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(load128(low)), load128(high));
        _mm256_shuffle_epi8(v, order)
    };
    let fours = |v, at: [usize; 2]| {
        let v = _mm256_sllv_epi64(v, up);
        let [first, second] = [0, 1].map(|pair| at.map(|at| Pairs::<B>::ORDER[at][pair]));
        _mm256_or_si256(shuffle(v, &first), shuffle(v, &second))
    };
    let end = fours(v[1], [0, 1]);
    let [f0, f1, f2, f3] = registers_128([fours(v[0], [0, 0]), end]);
    let mut put = |first: usize, v| {
        if let Some(to) = dst[first..].first_chunk_mut() {
            store128::<u8, 16>(v, to);
        }
    };
    put(0, f0);
    put(bytes, f1);
    put(2 * bytes, f2);
    // The end of the third four, and the last.
    let f2 = _mm_shuffle_epi8(f2, load128(&Pairs::<B>::TAIL));
    put(4 * bytes - 16, _mm_or_si128(f2, f3));
}

/// Lanes of 4 or 6 bits, which **w**₁ has in every attempt: sixteen bytes first, then pairs by a
/// multiply-add of bytes, l₀ + 2^B·l₁, and for 6 bits pairs of pairs by one of words.
#[inline]
#[target_feature(enable = "avx2")]
fn pack_in_bytes<const B: usize>(v: V, dst: &mut [u8]) {
    // Quarters in the order 0 2 1 3, put right.
    let words = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi32(v[0], v[1]));
    let bytes = _mm_packus_epi16(
        _mm256_castsi256_si128(words),
        _mm256_extracti128_si256::<1>(words),
    );
    if B == 4 {
        let pairs = _mm_maddubs_epi16(bytes, _mm_set1_epi16(0x1001));
        let packed = _mm_cvtsi128_si64(_mm_packus_epi16(pairs, pairs));
        put(packed.cast_unsigned().into(), &mut dst[..8]);
    } else {
        let pairs = _mm_maddubs_epi16(bytes, _mm_set1_epi16(0x4001));
        let fours = _mm_madd_epi16(pairs, _mm_set1_epi32(0x1000_0001));
        // Three bytes of every four.
        let order = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
        let mut packed = [0_u8; 16];
        store128(_mm_shuffle_epi8(fours, order), &mut packed);
        for (to, byte) in dst[..12].iter_mut().zip(packed) {
            *to = byte;
        }
    }
}

/// Writes the low bytes of an integer.
#[inline(always)]
fn put(bits: u128, to: &mut [u8]) {
    for (to, byte) in to.iter_mut().zip(bits.to_le_bytes()) {
        *to = byte;
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn unpack<const B: usize>(src: &[u8]) -> V {
    const {
        assert!(
            B + 7 <= 32,
            "a lane and the bits before it must fit four bytes"
        );
    };
    // Less than a register is read by general ones: parts in memory would have to be written there
    // before they could be read as a whole.
    let short = if B < 8 {
        let mut padded = [0; 16];
        for (to, from) in padded.iter_mut().zip(&src[..2 * B]) {
            *to = *from;
        }
        let bits = u128::from_le_bytes(padded);
        _mm_set_epi64x((bits >> 64) as i64, bits as i64)
    } else {
        _mm_setzero_si128()
    };
    let window = |w: usize| {
        if B < 8 {
            return short;
        }
        let (bytes, _) = src[..Windows::<B>::LEN][Windows::<B>::START[w]..].as_chunks::<16>();
        load128(&bytes[0])
    };
    let shuffle = |w: usize| load128(&Windows::<B>::SHUFFLE[w]);
    let shift = load(&Windows::<B>::SHIFT);
    let mask = _mm256_set1_epi32((1 << B) - 1);
    let lanes = |w: usize, shift: __m256i| {
        let bytes = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(window(w)), window(w + 1));
        let order =
            _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(shuffle(w)), shuffle(w + 1));
        let lanes = _mm256_shuffle_epi8(bytes, order);
        _mm256_and_si256(_mm256_srlv_epi32(lanes, shift), mask)
    };
    [lanes(0, shift[0]), lanes(2, shift[1])]
}

/// The registers stay where they are, and no instruction comes of it.
#[inline]
#[target_feature(enable = "avx2")]
#[cfg(not(mldsa_no_asm_barrier))]
fn hide(mask: V) -> V {
    let [mut a, mut b] = mask;
    // SAFETY: there is no instruction in it, so that every register keeps its value.
    unsafe {
        core::arch::asm!("/* {0} {1} */", inout(ymm_reg) a, inout(ymm_reg) b,
            options(pure, nomem, nostack, preserves_flags));
    }
    [a, b]
}

#[inline]
#[target_feature(enable = "avx2")]
#[cfg(mldsa_no_asm_barrier)]
fn hide(mask: V) -> V {
    super::barrier::through_memory(mask)
}

#[inline]
#[target_feature(enable = "avx2")]
fn zero_bytes() -> V {
    [_mm256_setzero_si256(); 2]
}

#[inline]
#[target_feature(enable = "avx2")]
fn add_i8(a: V, b: &[i8; 64]) -> V {
    let [b0, b1] = halves::<_, _, 32>(b);
    [
        _mm256_add_epi8(a[0], load256(b0)),
        _mm256_add_epi8(a[1], load256(b1)),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn sub_i8(a: V, b: &[i8; 64]) -> V {
    let [b0, b1] = halves::<_, _, 32>(b);
    [
        _mm256_sub_epi8(a[0], load256(b0)),
        _mm256_sub_epi8(a[1], load256(b1)),
    ]
}

/// The two halves of each register.
#[inline]
#[target_feature(enable = "avx2")]
fn registers_128(a: V) -> [__m128i; 4] {
    [
        _mm256_castsi256_si128(a[0]),
        _mm256_extracti128_si256::<1>(a[0]),
        _mm256_castsi256_si128(a[1]),
        _mm256_extracti128_si256::<1>(a[1]),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn accumulate_i8(a: V, dst: &mut [i16; 64]) {
    for (a, dst) in registers_128(a)
        .into_iter()
        .zip(dst.as_chunks_mut::<16>().0)
    {
        store256(_mm256_add_epi16(load256(dst), _mm256_cvtepi8_epi16(a)), dst);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn add_i16(a: V, b: &[i16; 32]) -> V {
    let [b0, b1] = halves::<_, _, 16>(b);
    [
        _mm256_add_epi16(a[0], load256(b0)),
        _mm256_add_epi16(a[1], load256(b1)),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn sub_i16(a: V, b: &[i16; 32]) -> V {
    let [b0, b1] = halves::<_, _, 16>(b);
    [
        _mm256_sub_epi16(a[0], load256(b0)),
        _mm256_sub_epi16(a[1], load256(b1)),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn widen_i16(a: V) -> (V, V) {
    let [a0, a1, a2, a3] = registers_128(a);
    (
        [_mm256_cvtepi16_epi32(a0), _mm256_cvtepi16_epi32(a1)],
        [_mm256_cvtepi16_epi32(a2), _mm256_cvtepi16_epi32(a3)],
    )
}

#[inline]
#[target_feature(enable = "avx2")]
fn coeffs_from_half_bytes<const ETA: usize>(src: &[u8; 16], dst: &mut [i8; 32]) -> usize {
    const { assert!(ETA == 2 || ETA == 4) };
    let bytes = load128(src);
    let low = _mm_and_si128(bytes, _mm_set1_epi8(15));
    let high = _mm_and_si128(_mm_srli_epi16::<4>(bytes), _mm_set1_epi8(15));
    // Low half first: b₀ low, b₀ high, b₁ low, …
    let b = _mm256_inserti128_si256::<1>(
        _mm256_castsi128_si256(_mm_unpacklo_epi8(low, high)),
        _mm_unpackhi_epi8(low, high),
    );
    let bound = if ETA == 2 { 15 } else { 9 };
    let accept = _mm256_cmpgt_epi8(_mm256_set1_epi8(bound), b);
    let coeffs = if ETA == 2 {
        // 2 − (b mod 5), where b mod 5 is b less 5 for each of 4 < b and 9 < b.
        let five = _mm256_set1_epi8(5);
        let over4 = _mm256_and_si256(_mm256_cmpgt_epi8(b, _mm256_set1_epi8(4)), five);
        let over9 = _mm256_and_si256(_mm256_cmpgt_epi8(b, _mm256_set1_epi8(9)), five);
        let less = _mm256_add_epi8(_mm256_set1_epi8(2), _mm256_add_epi8(over4, over9));
        _mm256_sub_epi8(less, b)
    } else {
        _mm256_sub_epi8(_mm256_set1_epi8(4), b)
    };
    // Which candidates are accepted is public; what they are is only ever data.
    let accept = crate::ct::declassify(_mm256_movemask_epi8(accept).cast_unsigned());
    let mut words = [0_u64; 4];
    store256(coeffs, &mut words);
    let mut n = 0;
    for (i, word) in words.into_iter().enumerate() {
        let set = (accept >> (8 * i)) as u8;
        let order = _mm_cvtsi64_si128(i64::from_le_bytes(
            COMPACT[usize::from(set)]
                .map(u8::cast_signed)
                .map(i8::cast_unsigned),
        ));
        let front = _mm_shuffle_epi8(_mm_cvtsi64_si128(word.cast_signed()), order);
        let front = _mm_cvtsi128_si64(front).to_le_bytes();
        // n ≤ 8·i here, so that eight bytes fit; the mask tells the compiler.
        for (to, from) in dst[n & 31..].iter_mut().zip(front) {
            *to = from.cast_signed();
        }
        n += set.count_ones() as usize;
    }
    n
}

#[inline]
#[target_feature(enable = "avx2")]
fn transpose(rows: &[[u64; 4]; 4], columns: [&mut [u8; 32]; 4]) {
    let [a, b, c, d] = [
        load256(&rows[0]),
        load256(&rows[1]),
        load256(&rows[2]),
        load256(&rows[3]),
    ];
    // Pairs within halves, then halves.
    let ab = [_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)];
    let cd = [_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d)];
    let [c0, c1, c2, c3] = columns;
    store256(_mm256_permute2x128_si256::<0x20>(ab[0], cd[0]), c0);
    store256(_mm256_permute2x128_si256::<0x20>(ab[1], cd[1]), c1);
    store256(_mm256_permute2x128_si256::<0x31>(ab[0], cd[0]), c2);
    store256(_mm256_permute2x128_si256::<0x31>(ab[1], cd[1]), c3);
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_words<const R: usize>(row: &[u64; R], _: usize) -> __m256i {
    const { assert!(R == 4) };
    match row.first_chunk::<4>() {
        Some(row) => load256(row),
        None => unreachable!(),
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_words<const R: usize>(w: __m256i, row: &mut [u64; R], _: usize) {
    const { assert!(R == 4) };
    match row.first_chunk_mut::<4>() {
        Some(row) => store256(w, row),
        None => unreachable!(),
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn splat_word(x: u64) -> __m256i {
    _mm256_set1_epi64x(x.cast_signed())
}

#[inline]
#[target_feature(enable = "avx2")]
fn xor(a: __m256i, b: __m256i) -> __m256i {
    _mm256_xor_si256(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn chi(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
    _mm256_xor_si256(a, _mm256_andnot_si256(b, c))
}

#[inline]
#[target_feature(enable = "avx2")]
fn rotl(a: __m256i, n: u32) -> __m256i {
    if n == 8 || n == 56 {
        // Whole bytes: one shuffle in place of two shifts and an or.
        let order = if n == 8 {
            _mm256_set1_epi64x(0x0605_0403_0201_0007)
        } else {
            _mm256_set1_epi64x(0x0007_0605_0403_0201)
        };
        let upper = _mm256_set_epi64x(0x0808_0808_0808_0808, 0, 0x0808_0808_0808_0808, 0);
        return _mm256_shuffle_epi8(a, _mm256_add_epi8(order, upper));
    }
    let left = _mm256_sll_epi64(a, _mm_cvtsi32_si128(n.cast_signed()));
    let right = _mm256_srl_epi64(a, _mm_cvtsi32_si128(64 - n.cast_signed()));
    _mm256_or_si256(left, right)
}

#[inline]
#[target_feature(enable = "avx2")]
fn permute_four(
    states: &mut [[u64; 4]; 25],
    between: &mut [[u64; 4]; 25],
    theta: &mut [[u64; 4]; 5],
    iota: &[[u64; 4]; 24],
) -> bool {
    // The assembly takes pointers to be as wide as registers, which they are not in the x32 ABI.
    if cfg!(any(mldsa_no_asm_barrier, not(target_pointer_width = "64"))) {
        return false;
    }
    keccak_avx2::permute(states, between, theta, iota);
    true
}
