//! NEON with the SHA-3 instructions, which do θ, ρ and χ with one instruction a word.

use super::Factors;
use super::neon::*;
use crate::poly::LANES;
use core::arch::aarch64::*;

neon! {
    /// Proof that the CPU has NEON and the SHA-3 instructions.
    NeonSha3("neon-sha3") = ["neon", "sha3"];
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
        fn xor3(a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t;
        fn xor_rotl1(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t;
        fn xar(a: uint64x2_t, b: uint64x2_t, n: u32) -> uint64x2_t;
    }
}

#[inline]
#[target_feature(enable = "neon,sha3")]
fn chi(a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
    vbcaxq_u64(a, c, b)
}

#[inline]
#[target_feature(enable = "neon,sha3")]
fn xor3(a: uint64x2_t, b: uint64x2_t, c: uint64x2_t) -> uint64x2_t {
    veor3q_u64(a, b, c)
}

#[inline]
#[target_feature(enable = "neon,sha3")]
fn xor_rotl1(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    vrax1q_u64(a, b)
}

/// The count is a part of the instruction, so that each has its own line here; it is a constant
/// where this is called, and one line is left.
#[inline]
#[target_feature(enable = "neon,sha3")]
fn xar(a: uint64x2_t, b: uint64x2_t, n: u32) -> uint64x2_t {
    /// The instruction rotates to the right.
    macro_rules! counts {
        ($($n:literal)*) => {
            match n {
                $( $n => vxarq_u64::<{ 64 - $n }>(a, b), )*
                _ => rotl(xor(a, b), n),
            }
        };
    }
    counts! {
        1 2 3 6 8 10 14 15 18 20 21 25 27 28 36 39 41 43 44 45 55 56 61 62
    }
}
