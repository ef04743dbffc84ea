//! Keccak-f\[1600\] on four states in assembly: the one kernel that has a second source, on the one
//! instruction set where that pays.
//!
//! A round is 184 instructions for the four vector pipes of a core: 46 cycles, when none of them ever
//! waits. What the compiler makes of `crate::keccak` takes 54.7 cycles a round on Zen 3, and that is
//! more than half of the time of signing. In the order below the same instructions take 51.9 (row
//! `keccak_f_x4` of `cargo bench --bench kernels`, 983 and 934 ticks), so that signing from
//! bytes and key generation take 3 % less time. The order comes from list scheduling with random
//! priorities, of which those that ran fastest were kept and varied; it has no other reason.
//!
//! Word i of all four states is 32 bytes at 32·i. In the comments C\[x\] is the parity of column x, D\[x\]
//! what θ changes the column by, A a word that a round reads, B\[y,x\] a word of plane y after ρ and
//! π, A′ a word that the round writes, and C′ the parities of these. The parities are summed on the
//! way and stay in registers; of D some words go through memory.
//!
//! The tests of `crate::keccak` compare every word with plain Rust's.

use core::arch::asm;

/// Where `vpshufb` takes the bytes from that make a rotation to the left by 8, and by 56.
static ROTATIONS: [[u8; 32]; 2] = [rotation(1), rotation(7)];

const fn rotation(bytes: u8) -> [u8; 32] {
    let mut from = [0; 32];
    let mut i = 0;
    while i < 32 {
        from[i as usize] = (i & 8) + ((i + 8 - bytes) & 7);
        i += 1;
    }
    from
}

/// Permutes four states: `Sponge::permute_four`.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn permute(
    states: &mut [[u64; 4]; 25],
    between: &mut [[u64; 4]; 25],
    theta: &mut [[u64; 4]; 5],
    iota: &[[u64; 4]; 24],
) {
    // SAFETY: the instructions are AVX2 and older. They read and write `states` and `between`,
    // 25 times 32 bytes each, at offsets up to 768; write and then read `theta`, 5 times 32, at
    // offsets up to 128; and read 32 bytes at 0 and 32 of `ROTATIONS`, and of `iota` after each of
    // eleven steps of 64, too. None asks for an alignment. All registers that change are named, the
    // stack is not used, and the upper halves of the registers are zero afterwards, as the
    // compiler assumes.
    unsafe {
        asm!(
            "vmovdqu ymm0, [{states}]", // C
            "vpxor ymm0, ymm0, [{states} + 160]",
            "vpxor ymm0, ymm0, [{states} + 320]",
            "vpxor ymm0, ymm0, [{states} + 480]",
            "vpxor ymm0, ymm0, [{states} + 640]",
            "vmovdqu ymm1, [{states} + 32]",
            "vpxor ymm1, ymm1, [{states} + 192]",
            "vpxor ymm1, ymm1, [{states} + 352]",
            "vpxor ymm1, ymm1, [{states} + 512]",
            "vpxor ymm1, ymm1, [{states} + 672]",
            "vmovdqu ymm2, [{states} + 64]",
            "vpxor ymm2, ymm2, [{states} + 224]",
            "vpxor ymm2, ymm2, [{states} + 384]",
            "vpxor ymm2, ymm2, [{states} + 544]",
            "vpxor ymm2, ymm2, [{states} + 704]",
            "vmovdqu ymm3, [{states} + 96]",
            "vpxor ymm3, ymm3, [{states} + 256]",
            "vpxor ymm3, ymm3, [{states} + 416]",
            "vpxor ymm3, ymm3, [{states} + 576]",
            "vpxor ymm3, ymm3, [{states} + 736]",
            "vmovdqu ymm4, [{states} + 128]",
            "vpxor ymm4, ymm4, [{states} + 288]",
            "vpxor ymm4, ymm4, [{states} + 448]",
            "vpxor ymm4, ymm4, [{states} + 608]",
            "vpxor ymm4, ymm4, [{states} + 768]",
            "mov {rounds:e}, 12",
            "2:",
            // A round, from the states to the memory between.
            "vpaddq ymm15, ymm0, ymm0", // C[0] << 1
            "vpaddq ymm14, ymm2, ymm2", // C[2] << 1
            "vpaddq ymm13, ymm4, ymm4", // C[4] << 1
            "vpsrlq ymm12, ymm0, 63", // C[0] >> 63
            "vpxor ymm15, ymm15, ymm3", // C[0] << 1 ^ C[3]
            "vpaddq ymm11, ymm3, ymm3", // C[3] << 1
            "vpxor ymm13, ymm13, ymm2", // C[4] << 1 ^ C[2]
            "vpsrlq ymm2, ymm2, 63", // C[2] >> 63
            "vpxor ymm11, ymm11, ymm1", // C[3] << 1 ^ C[1]
            "vpxor ymm12, ymm12, ymm15", // D[4]
            "vpaddq ymm15, ymm1, ymm1", // C[1] << 1
            "vpxor ymm14, ymm14, ymm0", // C[2] << 1 ^ C[0]
            "vmovdqu [{d} + 128], ymm12", // D[4]
            "vpxor ymm2, ymm2, ymm14", // D[1]
            "vpsrlq ymm3, ymm3, 63", // C[3] >> 63
            "vpsrlq ymm14, ymm4, 63", // C[4] >> 63
            "vpxor ymm15, ymm15, ymm4", // C[1] << 1 ^ C[4]
            "vpxor ymm3, ymm3, ymm11", // D[2]
            "vpxor ymm14, ymm14, ymm13", // D[3]
            "vpsrlq ymm1, ymm1, 63", // C[1] >> 63
            "vpxor ymm11, ymm2, [{states} + 192]", // A[6] ^ D[1]
            "vmovdqu [{d} + 96], ymm14", // D[3]
            "vpxor ymm1, ymm1, ymm15", // D[0]
            "vpxor ymm14, ymm14, [{states} + 576]", // A[18] ^ D[3]
            "vpsrlq ymm15, ymm11, 20", // B[0,1]: >> 20
            "vpsllq ymm11, ymm11, 44", // B[0,1]: << 44
            "vpsllq ymm13, ymm14, 21", // B[0,3]: << 21
            "vpsrlq ymm14, ymm14, 43", // B[0,3]: >> 43
            "vpxor ymm10, ymm3, [{states} + 384]", // A[12] ^ D[2]
            "vpxor ymm9, ymm3, [{states} + 64]", // A[2] ^ D[2]
            "vpsrlq ymm8, ymm10, 21", // B[0,2]: >> 21
            "vpsllq ymm10, ymm10, 43", // B[0,2]: << 43
            "vpor ymm15, ymm15, ymm11", // B[0,1]
            "vpxor ymm12, ymm12, [{states} + 768]", // A[24] ^ D[4]
            "vpsrlq ymm11, ymm12, 50", // B[0,4]: >> 50
            "vpsllq ymm12, ymm12, 14", // B[0,4]: << 14
            "vpor ymm8, ymm8, ymm10", // B[0,2]
            "vpxor ymm10, ymm1, [{states} + 480]", // A[15] ^ D[0]
            "vpor ymm11, ymm11, ymm12", // B[0,4]
            "vpandn ymm12, ymm15, ymm8", // ~B[0,1] & B[0,2]
            "vpor ymm14, ymm14, ymm13", // B[0,3]
            "vpxor ymm13, ymm1, [{states}]", // B[0,0]
            "vpandn ymm7, ymm8, ymm14", // ~B[0,2] & B[0,3]
            "vpandn ymm6, ymm11, ymm13", // ~B[0,4] & B[0,0]
            "vpandn ymm5, ymm14, ymm11", // ~B[0,3] & B[0,4]
            "vpsllq ymm4, ymm9, 62", // B[4,0]: << 62
            "vpxor ymm0, ymm2, [{states} + 672]", // A[21] ^ D[1]
            "vpxor ymm12, ymm12, ymm13", // χ 0,0
            "vpandn ymm13, ymm13, ymm15", // ~B[0,0] & B[0,1]
            "vpxor ymm5, ymm5, ymm8", // χ 0,2
            "vmovdqu [{between} + 64], ymm5", // A′[2]
            "vpxor ymm12, ymm12, [{iota}]", // χ, ι 0,0
            "vpsrlq ymm8, ymm0, 62", // B[4,4]: >> 62
            "vpsllq ymm0, ymm0, 2", // B[4,4]: << 2
            "vpxor ymm13, ymm13, ymm11", // χ 0,4
            "vmovdqu [{between} + 128], ymm13", // A′[4]
            "vmovdqu [{between}], ymm12", // A′[0]
            "vmovdqu ymm11, [{states} + 256]", // A[8] ^ D[3]
            "vpxor ymm11, ymm11, [{d} + 96]", // A[8] ^ D[3]
            "vpxor ymm7, ymm7, ymm15", // χ 0,1
            "vpxor ymm6, ymm6, ymm14", // χ 0,3
            "vpsrlq ymm9, ymm9, 2", // B[4,0]: >> 2
            "vmovdqu [{between} + 32], ymm7", // A′[1]
            "vmovdqu [{between} + 96], ymm6", // A′[3]
            "vmovdqu ymm15, [{states} + 448]", // A[14] ^ D[4]
            "vpxor ymm15, ymm15, [{d} + 128]", // A[14] ^ D[4]
            "vpsllq ymm14, ymm10, 41", // B[4,3]: << 41
            "vpsrlq ymm10, ymm10, 23", // B[4,3]: >> 23
            "vpor ymm8, ymm8, ymm0", // B[4,4]
            "vpsrlq ymm0, ymm15, 25", // B[4,2]: >> 25
            "vpsllq ymm15, ymm15, 39", // B[4,2]: << 39
            "vpor ymm10, ymm10, ymm14", // B[4,3]
            "vpor ymm9, ymm9, ymm4", // B[4,0]
            "vpor ymm0, ymm0, ymm15", // B[4,2]
            "vpsllq ymm15, ymm11, 55", // B[4,1]: << 55
            "vpsrlq ymm11, ymm11, 9", // B[4,1]: >> 9
            "vpandn ymm14, ymm8, ymm9", // ~B[4,4] & B[4,0]
            "vpor ymm11, ymm11, ymm15", // B[4,1]
            "vpandn ymm15, ymm0, ymm10", // ~B[4,2] & B[4,3]
            "vpxor ymm14, ymm14, ymm10", // χ 4,3
            "vpxor ymm4, ymm3, [{states} + 704]", // A[22] ^ D[2]
            "vmovdqu [{between} + 736], ymm14", // A′[23]
            "vpandn ymm10, ymm10, ymm8", // ~B[4,3] & B[4,4]
            "vpxor ymm15, ymm15, ymm11", // χ 4,1
            "vpxor ymm6, ymm6, ymm14", // C′[3]
            "vpxor ymm14, ymm2, [{states} + 512]", // A[16] ^ D[1]
            "vmovdqu [{between} + 672], ymm15", // A′[21]
            "vpxor ymm10, ymm10, ymm0", // χ 4,2
            "vpxor ymm7, ymm7, ymm15", // C′[1]
            "vpsllq ymm15, ymm4, 61", // B[1,4]: << 61
            "vmovdqu [{between} + 704], ymm10", // A′[22]
            "vpxor ymm5, ymm5, ymm10", // C′[2]
            "vpxor ymm10, ymm1, [{states} + 320]", // A[10] ^ D[0]
            "vpandn ymm0, ymm11, ymm0", // ~B[4,1] & B[4,2]
            "vpsrlq ymm4, ymm4, 3", // B[1,4]: >> 3
            "vpandn ymm11, ymm9, ymm11", // ~B[4,0] & B[4,1]
            "vpxor ymm0, ymm0, ymm9", // χ 4,0
            "vmovdqu ymm9, [{states} + 288]", // A[9] ^ D[4]
            "vpxor ymm9, ymm9, [{d} + 128]", // A[9] ^ D[4]
            "vpor ymm4, ymm4, ymm15", // B[1,4]
            "vmovdqu [{between} + 640], ymm0", // A′[20]
            "vpxor ymm12, ymm12, ymm0", // C′[0]
            "vpxor ymm11, ymm11, ymm8", // χ 4,4
            "vpsllq ymm15, ymm9, 20", // B[1,1]: << 20
            "vpsrlq ymm8, ymm14, 19", // B[1,3]: >> 19
            "vmovdqu [{between} + 768], ymm11", // A′[24]
            "vpsrlq ymm9, ymm9, 44", // B[1,1]: >> 44
            "vpsllq ymm0, ymm10, 3", // B[1,2]: << 3
            "vpxor ymm13, ymm13, ymm11", // C′[4]
            "vmovdqu ymm11, [{states} + 96]", // A[3] ^ D[3]
            "vpxor ymm11, ymm11, [{d} + 96]", // A[3] ^ D[3]
            "vpor ymm9, ymm9, ymm15", // B[1,1]
            "vpsrlq ymm10, ymm10, 61", // B[1,2]: >> 61
            "vpsrlq ymm15, ymm11, 36", // B[1,0]: >> 36
            "vpsllq ymm14, ymm14, 45", // B[1,3]: << 45
            "vpsllq ymm11, ymm11, 28", // B[1,0]: << 28
            "vpor ymm10, ymm10, ymm0", // B[1,2]
            "vmovdqu ymm0, [{states} + 736]", // A[23] ^ D[3]
            "vpxor ymm0, ymm0, [{d} + 96]", // A[23] ^ D[3]
            "vpor ymm8, ymm8, ymm14", // B[1,3]
            "vpor ymm15, ymm15, ymm11", // B[1,0]
            "vpandn ymm14, ymm9, ymm10", // ~B[1,1] & B[1,2]
            "vpxor ymm11, ymm3, [{states} + 544]", // A[17] ^ D[2]
            "vpxor ymm14, ymm14, ymm15", // χ 1,0
            "vpshufb ymm0, ymm0, [{rotations} + 32]", // B[3,4]
            "vpxor ymm3, ymm3, [{states} + 224]", // A[7] ^ D[2]
            "vmovdqu [{between} + 160], ymm14", // A′[5]
            "vpxor ymm12, ymm12, ymm14", // C′[0]
            "vpandn ymm14, ymm10, ymm8", // ~B[1,2] & B[1,3]
            "vpxor ymm14, ymm14, ymm9", // χ 1,1
            "vmovdqu [{between} + 192], ymm14", // A′[6]
            "vpandn ymm9, ymm15, ymm9", // ~B[1,0] & B[1,1]
            "vpxor ymm7, ymm7, ymm14", // C′[1]
            "vpandn ymm14, ymm8, ymm4", // ~B[1,3] & B[1,4]
            "vpandn ymm15, ymm4, ymm15", // ~B[1,4] & B[1,0]
            "vpxor ymm14, ymm14, ymm10", // χ 1,2
            "vmovdqu ymm10, [{states} + 128]", // A[4] ^ D[4]
            "vpxor ymm10, ymm10, [{d} + 128]", // A[4] ^ D[4]
            "vpxor ymm9, ymm9, ymm4", // χ 1,4
            "vmovdqu [{between} + 224], ymm14", // A′[7]
            "vmovdqu [{between} + 288], ymm9", // A′[9]
            "vpxor ymm15, ymm15, ymm8", // χ 1,3
            "vpsllq ymm8, ymm10, 27", // B[3,0]: << 27
            "vpxor ymm4, ymm1, [{states} + 160]", // A[5] ^ D[0]
            "vpsrlq ymm10, ymm10, 37", // B[3,0]: >> 37
            "vmovdqu [{between} + 256], ymm15", // A′[8]
            "vpxor ymm6, ymm6, ymm15", // C′[3]
            "vpsllq ymm15, ymm11, 15", // B[3,3]: << 15
            "vpor ymm10, ymm10, ymm8", // B[3,0]
            "vpsrlq ymm11, ymm11, 49", // B[3,3]: >> 49
            "vpor ymm11, ymm11, ymm15", // B[3,3]
            "vpsrlq ymm15, ymm4, 28", // B[3,1]: >> 28
            "vpsllq ymm4, ymm4, 36", // B[3,1]: << 36
            "vpxor ymm8, ymm2, [{states} + 352]", // A[11] ^ D[1]
            "vpxor ymm5, ymm5, ymm14", // C′[2]
            "vpxor ymm13, ymm13, ymm9", // C′[4]
            "vpsllq ymm14, ymm8, 10", // B[3,2]: << 10
            "vmovdqu ymm9, [{states} + 608]", // A[19] ^ D[4]
            "vpxor ymm9, ymm9, [{d} + 128]", // A[19] ^ D[4]
            "vpsrlq ymm8, ymm8, 54", // B[3,2]: >> 54
            "vpor ymm15, ymm15, ymm4", // B[3,1]
            "vpxor ymm1, ymm1, [{states} + 640]", // A[20] ^ D[0]
            "vmovdqu ymm4, [{states} + 416]", // A[13] ^ D[3]
            "vpxor ymm4, ymm4, [{d} + 96]", // A[13] ^ D[3]
            "vpor ymm8, ymm8, ymm14", // B[3,2]
            "vpsrlq ymm14, ymm4, 39", // B[2,2]: >> 39
            "vpxor ymm2, ymm2, [{states} + 32]", // A[1] ^ D[1]
            "vpsllq ymm4, ymm4, 25", // B[2,2]: << 25
            "vpor ymm14, ymm14, ymm4", // B[2,2]
            "vpsrlq ymm4, ymm3, 58", // B[2,1]: >> 58
            "vpsllq ymm3, ymm3, 6", // B[2,1]: << 6
            "vpshufb ymm9, ymm9, [{rotations}]", // B[2,3]
            "vpor ymm4, ymm4, ymm3", // B[2,1]
            "vpandn ymm3, ymm8, ymm11", // ~B[3,2] & B[3,3]
            "vpxor ymm3, ymm3, ymm15", // χ 3,1
            "vmovdqu [{between} + 512], ymm3", // A′[16]
            "vpxor ymm7, ymm7, ymm3", // C′[1]
            "vpsllq ymm3, ymm1, 18", // B[2,4]: << 18
            "vpsrlq ymm1, ymm1, 46", // B[2,4]: >> 46
            "vpor ymm1, ymm1, ymm3", // B[2,4]
            "vpaddq ymm3, ymm2, ymm2", // B[2,0]: << 1
            "vpsrlq ymm2, ymm2, 63", // B[2,0]: >> 63
            "vpor ymm2, ymm2, ymm3", // B[2,0]
            "vpandn ymm3, ymm10, ymm15", // ~B[3,0] & B[3,1]
            "vpandn ymm15, ymm15, ymm8", // ~B[3,1] & B[3,2]
            "vpxor ymm3, ymm3, ymm0", // χ 3,4
            "vpxor ymm15, ymm15, ymm10", // χ 3,0
            "vpandn ymm10, ymm0, ymm10", // ~B[3,4] & B[3,0]
            "vpandn ymm0, ymm11, ymm0", // ~B[3,3] & B[3,4]
            "vmovdqu [{between} + 480], ymm15", // A′[15]
            "vmovdqu [{between} + 608], ymm3", // A′[19]
            "vpxor ymm0, ymm0, ymm8", // χ 3,2
            "vpxor ymm13, ymm13, ymm3", // C′[4]
            "vpxor ymm10, ymm10, ymm11", // χ 3,3
            "vpxor ymm12, ymm12, ymm15", // C′[0]
            "vmovdqu [{between} + 544], ymm0", // A′[17]
            "vmovdqu [{between} + 576], ymm10", // A′[18]
            "vpxor ymm5, ymm5, ymm0", // C′[2]
            "vpxor ymm6, ymm6, ymm10", // C′[3]
            "vpandn ymm15, ymm9, ymm1", // ~B[2,3] & B[2,4]
            "vpandn ymm11, ymm4, ymm14", // ~B[2,1] & B[2,2]
            "vpandn ymm10, ymm14, ymm9", // ~B[2,2] & B[2,3]
            "vpxor ymm15, ymm15, ymm14", // χ 2,2
            "vpandn ymm14, ymm2, ymm4", // ~B[2,0] & B[2,1]
            "vpxor ymm11, ymm11, ymm2", // χ 2,0
            "vmovdqu [{between} + 320], ymm11", // A′[10]
            "vmovdqu [{between} + 384], ymm15", // A′[12]
            "vpxor ymm10, ymm10, ymm4", // χ 2,1
            "vpxor ymm14, ymm14, ymm1", // χ 2,4
            "vpandn ymm1, ymm1, ymm2", // ~B[2,4] & B[2,0]
            "vpxor ymm5, ymm5, ymm15", // C′[2]
            "vmovdqu [{between} + 448], ymm14", // A′[14]
            "vmovdqu [{between} + 352], ymm10", // A′[11]
            "vpxor ymm13, ymm13, ymm14", // C′[4]
            "vpxor ymm1, ymm1, ymm9", // χ 2,3
            "vpxor ymm7, ymm7, ymm10", // C′[1]
            "vpxor ymm12, ymm12, ymm11", // C′[0]
            "vmovdqu [{between} + 416], ymm1", // A′[13]
            "vpxor ymm6, ymm6, ymm1", // C′[3]
            // A round back.
            "vpaddq ymm15, ymm12, ymm12", // C[0] << 1
            "vpaddq ymm14, ymm5, ymm5", // C[2] << 1
            "vpaddq ymm11, ymm13, ymm13", // C[4] << 1
            "vpsrlq ymm10, ymm12, 63", // C[0] >> 63
            "vpxor ymm15, ymm15, ymm6", // C[0] << 1 ^ C[3]
            "vpaddq ymm9, ymm6, ymm6", // C[3] << 1
            "vpxor ymm11, ymm11, ymm5", // C[4] << 1 ^ C[2]
            "vpsrlq ymm5, ymm5, 63", // C[2] >> 63
            "vpxor ymm9, ymm9, ymm7", // C[3] << 1 ^ C[1]
            "vpxor ymm10, ymm10, ymm15", // D[4]
            "vpaddq ymm15, ymm7, ymm7", // C[1] << 1
            "vpxor ymm14, ymm14, ymm12", // C[2] << 1 ^ C[0]
            "vmovdqu [{d} + 128], ymm10", // D[4]
            "vpxor ymm5, ymm5, ymm14", // D[1]
            "vpsrlq ymm6, ymm6, 63", // C[3] >> 63
            "vpsrlq ymm14, ymm13, 63", // C[4] >> 63
            "vpxor ymm15, ymm15, ymm13", // C[1] << 1 ^ C[4]
            "vpxor ymm6, ymm6, ymm9", // D[2]
            "vpxor ymm14, ymm14, ymm11", // D[3]
            "vpsrlq ymm7, ymm7, 63", // C[1] >> 63
            "vpxor ymm9, ymm5, [{between} + 192]", // A[6] ^ D[1]
            "vmovdqu [{d} + 96], ymm14", // D[3]
            "vpxor ymm7, ymm7, ymm15", // D[0]
            "vpxor ymm14, ymm14, [{between} + 576]", // A[18] ^ D[3]
            "vpsrlq ymm15, ymm9, 20", // B[0,1]: >> 20
            "vpsllq ymm9, ymm9, 44", // B[0,1]: << 44
            "vpsllq ymm13, ymm14, 21", // B[0,3]: << 21
            "vpsrlq ymm14, ymm14, 43", // B[0,3]: >> 43
            "vpxor ymm12, ymm6, [{between} + 384]", // A[12] ^ D[2]
            "vpxor ymm11, ymm6, [{between} + 64]", // A[2] ^ D[2]
            "vpsrlq ymm8, ymm12, 21", // B[0,2]: >> 21
            "vpsllq ymm12, ymm12, 43", // B[0,2]: << 43
            "vpor ymm15, ymm15, ymm9", // B[0,1]
            "vpxor ymm10, ymm10, [{between} + 768]", // A[24] ^ D[4]
            "vpsrlq ymm9, ymm10, 50", // B[0,4]: >> 50
            "vpsllq ymm10, ymm10, 14", // B[0,4]: << 14
            "vpor ymm8, ymm8, ymm12", // B[0,2]
            "vpxor ymm12, ymm7, [{between} + 480]", // A[15] ^ D[0]
            "vpor ymm9, ymm9, ymm10", // B[0,4]
            "vpandn ymm10, ymm15, ymm8", // ~B[0,1] & B[0,2]
            "vpor ymm14, ymm14, ymm13", // B[0,3]
            "vpxor ymm13, ymm7, [{between}]", // B[0,0]
            "vpandn ymm4, ymm8, ymm14", // ~B[0,2] & B[0,3]
            "vpandn ymm3, ymm9, ymm13", // ~B[0,4] & B[0,0]
            "vpandn ymm2, ymm14, ymm9", // ~B[0,3] & B[0,4]
            "vpsllq ymm1, ymm11, 62", // B[4,0]: << 62
            "vpxor ymm0, ymm5, [{between} + 672]", // A[21] ^ D[1]
            "vpxor ymm10, ymm10, ymm13", // χ 0,0
            "vpandn ymm13, ymm13, ymm15", // ~B[0,0] & B[0,1]
            "vpxor ymm2, ymm2, ymm8", // χ 0,2
            "vmovdqu [{states} + 64], ymm2", // A′[2]
            "vpxor ymm10, ymm10, [{iota} + 32]", // χ, ι 0,0
            "vpsrlq ymm8, ymm0, 62", // B[4,4]: >> 62
            "vpsllq ymm0, ymm0, 2", // B[4,4]: << 2
            "vpxor ymm13, ymm13, ymm9", // χ 0,4
            "vmovdqu [{states} + 128], ymm13", // A′[4]
            "vmovdqu [{states}], ymm10", // A′[0]
            "vmovdqu ymm9, [{between} + 256]", // A[8] ^ D[3]
            "vpxor ymm9, ymm9, [{d} + 96]", // A[8] ^ D[3]
            "vpxor ymm4, ymm4, ymm15", // χ 0,1
            "vpxor ymm3, ymm3, ymm14", // χ 0,3
            "vpsrlq ymm11, ymm11, 2", // B[4,0]: >> 2
            "vmovdqu [{states} + 32], ymm4", // A′[1]
            "vmovdqu [{states} + 96], ymm3", // A′[3]
            "vmovdqu ymm15, [{between} + 448]", // A[14] ^ D[4]
            "vpxor ymm15, ymm15, [{d} + 128]", // A[14] ^ D[4]
            "vpsllq ymm14, ymm12, 41", // B[4,3]: << 41
            "vpsrlq ymm12, ymm12, 23", // B[4,3]: >> 23
            "vpor ymm8, ymm8, ymm0", // B[4,4]
            "vpsrlq ymm0, ymm15, 25", // B[4,2]: >> 25
            "vpsllq ymm15, ymm15, 39", // B[4,2]: << 39
            "vpor ymm12, ymm12, ymm14", // B[4,3]
            "vpor ymm11, ymm11, ymm1", // B[4,0]
            "vpor ymm0, ymm0, ymm15", // B[4,2]
            "vpsllq ymm15, ymm9, 55", // B[4,1]: << 55
            "vpsrlq ymm9, ymm9, 9", // B[4,1]: >> 9
            "vpandn ymm14, ymm8, ymm11", // ~B[4,4] & B[4,0]
            "vpor ymm9, ymm9, ymm15", // B[4,1]
            "vpandn ymm15, ymm0, ymm12", // ~B[4,2] & B[4,3]
            "vpxor ymm14, ymm14, ymm12", // χ 4,3
            "vpxor ymm1, ymm6, [{between} + 704]", // A[22] ^ D[2]
            "vmovdqu [{states} + 736], ymm14", // A′[23]
            "vpandn ymm12, ymm12, ymm8", // ~B[4,3] & B[4,4]
            "vpxor ymm15, ymm15, ymm9", // χ 4,1
            "vpxor ymm3, ymm3, ymm14", // C′[3]
            "vpxor ymm14, ymm5, [{between} + 512]", // A[16] ^ D[1]
            "vmovdqu [{states} + 672], ymm15", // A′[21]
            "vpxor ymm12, ymm12, ymm0", // χ 4,2
            "vpxor ymm4, ymm4, ymm15", // C′[1]
            "vpsllq ymm15, ymm1, 61", // B[1,4]: << 61
            "vmovdqu [{states} + 704], ymm12", // A′[22]
            "vpxor ymm2, ymm2, ymm12", // C′[2]
            "vpxor ymm12, ymm7, [{between} + 320]", // A[10] ^ D[0]
            "vpandn ymm0, ymm9, ymm0", // ~B[4,1] & B[4,2]
            "vpsrlq ymm1, ymm1, 3", // B[1,4]: >> 3
            "vpandn ymm9, ymm11, ymm9", // ~B[4,0] & B[4,1]
            "vpxor ymm0, ymm0, ymm11", // χ 4,0
            "vmovdqu ymm11, [{between} + 288]", // A[9] ^ D[4]
            "vpxor ymm11, ymm11, [{d} + 128]", // A[9] ^ D[4]
            "vpor ymm1, ymm1, ymm15", // B[1,4]
            "vmovdqu [{states} + 640], ymm0", // A′[20]
            "vpxor ymm10, ymm10, ymm0", // C′[0]
            "vpxor ymm9, ymm9, ymm8", // χ 4,4
            "vpsllq ymm15, ymm11, 20", // B[1,1]: << 20
            "vpsrlq ymm8, ymm14, 19", // B[1,3]: >> 19
            "vmovdqu [{states} + 768], ymm9", // A′[24]
            "vpsrlq ymm11, ymm11, 44", // B[1,1]: >> 44
            "vpsllq ymm0, ymm12, 3", // B[1,2]: << 3
            "vpxor ymm13, ymm13, ymm9", // C′[4]
            "vmovdqu ymm9, [{between} + 96]", // A[3] ^ D[3]
            "vpxor ymm9, ymm9, [{d} + 96]", // A[3] ^ D[3]
            "vpor ymm11, ymm11, ymm15", // B[1,1]
            "vpsrlq ymm12, ymm12, 61", // B[1,2]: >> 61
            "vpsrlq ymm15, ymm9, 36", // B[1,0]: >> 36
            "vpsllq ymm14, ymm14, 45", // B[1,3]: << 45
            "vpsllq ymm9, ymm9, 28", // B[1,0]: << 28
            "vpor ymm12, ymm12, ymm0", // B[1,2]
            "vmovdqu ymm0, [{between} + 736]", // A[23] ^ D[3]
            "vpxor ymm0, ymm0, [{d} + 96]", // A[23] ^ D[3]
            "vpor ymm8, ymm8, ymm14", // B[1,3]
            "vpor ymm15, ymm15, ymm9", // B[1,0]
            "vpandn ymm14, ymm11, ymm12", // ~B[1,1] & B[1,2]
            "vpxor ymm9, ymm6, [{between} + 544]", // A[17] ^ D[2]
            "vpxor ymm14, ymm14, ymm15", // χ 1,0
            "vpshufb ymm0, ymm0, [{rotations} + 32]", // B[3,4]
            "vpxor ymm6, ymm6, [{between} + 224]", // A[7] ^ D[2]
            "vmovdqu [{states} + 160], ymm14", // A′[5]
            "vpxor ymm10, ymm10, ymm14", // C′[0]
            "vpandn ymm14, ymm12, ymm8", // ~B[1,2] & B[1,3]
            "vpxor ymm14, ymm14, ymm11", // χ 1,1
            "vmovdqu [{states} + 192], ymm14", // A′[6]
            "vpandn ymm11, ymm15, ymm11", // ~B[1,0] & B[1,1]
            "vpxor ymm4, ymm4, ymm14", // C′[1]
            "vpandn ymm14, ymm8, ymm1", // ~B[1,3] & B[1,4]
            "vpandn ymm15, ymm1, ymm15", // ~B[1,4] & B[1,0]
            "vpxor ymm14, ymm14, ymm12", // χ 1,2
            "vmovdqu ymm12, [{between} + 128]", // A[4] ^ D[4]
            "vpxor ymm12, ymm12, [{d} + 128]", // A[4] ^ D[4]
            "vpxor ymm11, ymm11, ymm1", // χ 1,4
            "vmovdqu [{states} + 224], ymm14", // A′[7]
            "vmovdqu [{states} + 288], ymm11", // A′[9]
            "vpxor ymm15, ymm15, ymm8", // χ 1,3
            "vpsllq ymm8, ymm12, 27", // B[3,0]: << 27
            "vpxor ymm1, ymm7, [{between} + 160]", // A[5] ^ D[0]
            "vpsrlq ymm12, ymm12, 37", // B[3,0]: >> 37
            "vmovdqu [{states} + 256], ymm15", // A′[8]
            "vpxor ymm3, ymm3, ymm15", // C′[3]
            "vpsllq ymm15, ymm9, 15", // B[3,3]: << 15
            "vpor ymm12, ymm12, ymm8", // B[3,0]
            "vpsrlq ymm9, ymm9, 49", // B[3,3]: >> 49
            "vpor ymm9, ymm9, ymm15", // B[3,3]
            "vpsrlq ymm15, ymm1, 28", // B[3,1]: >> 28
            "vpsllq ymm1, ymm1, 36", // B[3,1]: << 36
            "vpxor ymm8, ymm5, [{between} + 352]", // A[11] ^ D[1]
            "vpxor ymm2, ymm2, ymm14", // C′[2]
            "vpxor ymm13, ymm13, ymm11", // C′[4]
            "vpsllq ymm14, ymm8, 10", // B[3,2]: << 10
            "vmovdqu ymm11, [{between} + 608]", // A[19] ^ D[4]
            "vpxor ymm11, ymm11, [{d} + 128]", // A[19] ^ D[4]
            "vpsrlq ymm8, ymm8, 54", // B[3,2]: >> 54
            "vpor ymm15, ymm15, ymm1", // B[3,1]
            "vpxor ymm7, ymm7, [{between} + 640]", // A[20] ^ D[0]
            "vmovdqu ymm1, [{between} + 416]", // A[13] ^ D[3]
            "vpxor ymm1, ymm1, [{d} + 96]", // A[13] ^ D[3]
            "vpor ymm8, ymm8, ymm14", // B[3,2]
            "vpsrlq ymm14, ymm1, 39", // B[2,2]: >> 39
            "vpxor ymm5, ymm5, [{between} + 32]", // A[1] ^ D[1]
            "vpsllq ymm1, ymm1, 25", // B[2,2]: << 25
            "vpor ymm14, ymm14, ymm1", // B[2,2]
            "vpsrlq ymm1, ymm6, 58", // B[2,1]: >> 58
            "vpsllq ymm6, ymm6, 6", // B[2,1]: << 6
            "vpshufb ymm11, ymm11, [{rotations}]", // B[2,3]
            "vpor ymm1, ymm1, ymm6", // B[2,1]
            "vpandn ymm6, ymm8, ymm9", // ~B[3,2] & B[3,3]
            "vpxor ymm6, ymm6, ymm15", // χ 3,1
            "vmovdqu [{states} + 512], ymm6", // A′[16]
            "vpxor ymm4, ymm4, ymm6", // C′[1]
            "vpsllq ymm6, ymm7, 18", // B[2,4]: << 18
            "vpsrlq ymm7, ymm7, 46", // B[2,4]: >> 46
            "vpor ymm7, ymm7, ymm6", // B[2,4]
            "vpaddq ymm6, ymm5, ymm5", // B[2,0]: << 1
            "vpsrlq ymm5, ymm5, 63", // B[2,0]: >> 63
            "vpor ymm5, ymm5, ymm6", // B[2,0]
            "vpandn ymm6, ymm12, ymm15", // ~B[3,0] & B[3,1]
            "vpandn ymm15, ymm15, ymm8", // ~B[3,1] & B[3,2]
            "vpxor ymm6, ymm6, ymm0", // χ 3,4
            "vpxor ymm15, ymm15, ymm12", // χ 3,0
            "vpandn ymm12, ymm0, ymm12", // ~B[3,4] & B[3,0]
            "vpandn ymm0, ymm9, ymm0", // ~B[3,3] & B[3,4]
            "vmovdqu [{states} + 480], ymm15", // A′[15]
            "vmovdqu [{states} + 608], ymm6", // A′[19]
            "vpxor ymm0, ymm0, ymm8", // χ 3,2
            "vpxor ymm13, ymm13, ymm6", // C′[4]
            "vpxor ymm12, ymm12, ymm9", // χ 3,3
            "vpxor ymm10, ymm10, ymm15", // C′[0]
            "vmovdqu [{states} + 544], ymm0", // A′[17]
            "vmovdqu [{states} + 576], ymm12", // A′[18]
            "vpxor ymm2, ymm2, ymm0", // C′[2]
            "vpxor ymm3, ymm3, ymm12", // C′[3]
            "vpandn ymm15, ymm11, ymm7", // ~B[2,3] & B[2,4]
            "vpandn ymm12, ymm1, ymm14", // ~B[2,1] & B[2,2]
            "vpandn ymm9, ymm14, ymm11", // ~B[2,2] & B[2,3]
            "vpxor ymm15, ymm15, ymm14", // χ 2,2
            "vpandn ymm14, ymm5, ymm1", // ~B[2,0] & B[2,1]
            "vpxor ymm12, ymm12, ymm5", // χ 2,0
            "vmovdqu [{states} + 320], ymm12", // A′[10]
            "vmovdqu [{states} + 384], ymm15", // A′[12]
            "vpxor ymm9, ymm9, ymm1", // χ 2,1
            "vpxor ymm14, ymm14, ymm7", // χ 2,4
            "vpandn ymm7, ymm7, ymm5", // ~B[2,4] & B[2,0]
            "vpxor ymm2, ymm2, ymm15", // C′[2]
            "vmovdqu [{states} + 448], ymm14", // A′[14]
            "vmovdqu [{states} + 352], ymm9", // A′[11]
            "vpxor ymm13, ymm13, ymm14", // C′[4]
            "vpxor ymm7, ymm7, ymm11", // χ 2,3
            "vpxor ymm1, ymm4, ymm9", // C′[1]
            "vpxor ymm0, ymm10, ymm12", // C′[0]
            "vmovdqu [{states} + 416], ymm7", // A′[13]
            "vpxor ymm3, ymm3, ymm7", // C′[3]
            "vmovdqa ymm4, ymm13",
            "add {iota}, 64",
            "dec {rounds:e}",
            "jnz 2b",
            "vzeroupper",
            states = in(reg) states,
            between = in(reg) between,
            d = in(reg) theta,
            iota = inout(reg) iota => _,
            rotations = in(reg) &raw const ROTATIONS,
            rounds = out(reg) _,
            out("ymm0") _, out("ymm1") _, out("ymm2") _, out("ymm3") _,
            out("ymm4") _, out("ymm5") _, out("ymm6") _, out("ymm7") _,
            out("ymm8") _, out("ymm9") _, out("ymm10") _, out("ymm11") _,
            out("ymm12") _, out("ymm13") _, out("ymm14") _, out("ymm15") _,
            options(nostack),
        );
    }
}
