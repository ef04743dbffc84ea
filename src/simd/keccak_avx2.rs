//! Keccak-f\[1600\] on four states in assembly: the one kernel that is not compiled from its generic
//! source, on the one instruction set where that pays.
//!
//! A round is 184 instructions for the four vector pipes of a core, 46 cycles when none of them ever
//! waits. From `crate::keccak::permute` the compiler makes code that takes 54.6 (Zen 3, whose two
//! schedulers see 64 instructions ahead): more than half of the time of signing. In the order below a
//! round takes 52. The order was found by list scheduling with random priorities, of which
//! those were kept that ran fastest. PLACEHOLDER
//!
//! What it computes is tested against plain Rust, word for word.

use crate::keccak::{Between, ROUND_CONSTANTS, States};
use core::arch::asm;

/// The constants of ι, for four states.
static IOTA: [[u64; 4]; 24] = {
    let mut iota = [[0; 4]; 24];
    let mut round = 0;
    while round < 24 {
        iota[round] = [ROUND_CONSTANTS[round]; 4];
        round += 1;
    }
    iota
};

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

/// Permutes four states.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn permute(states: &mut States<4>, between: &mut Between<4>) {
    // SAFETY: the instructions are AVX2 and older. They read and write the 800 bytes of `states` and
    // of `between.words`, write and then read the 160 bytes of `between.theta`, and read
    // the constants; none asks for an alignment. All registers that they change are named here. The
    // stack is not used.
    unsafe {
        asm!(
            include_str!("keccak_avx2.s"),
            in("rdi") states,
            in("rsi") &raw mut between.words,
            inout("rdx") &raw const IOTA => _,
            in("rcx") &raw mut between.theta,
            in("r9") &raw const ROTATIONS,
            out("eax") _,
            out("ymm0") _, out("ymm1") _, out("ymm2") _, out("ymm3") _,
            out("ymm4") _, out("ymm5") _, out("ymm6") _, out("ymm7") _,
            out("ymm8") _, out("ymm9") _, out("ymm10") _, out("ymm11") _,
            out("ymm12") _, out("ymm13") _, out("ymm14") _, out("ymm15") _,
            options(nostack),
        );
    }
}
