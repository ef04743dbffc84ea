//! Value barriers: places where the compiler forgets what it knows of a value.
//!
//! A mask is a number to us and a truth value to LLVM: from `(r >> 31) & q` it may conclude «q if r
//! is negative, else 0» and write a branch. Behind a barrier a mask is any number, and all that is
//! left to do with it is arithmetic. Vector registers need this less than scalar ones, since there
//! is no branch on a lane; but LLVM may take vectors apart, and [`Portable`](super::Portable) has
//! none to begin with.
//!
//! A barrier behind the last use is too late: `over | (a > b)` is «−1 if a > b, else `over`» to LLVM, a
//! branch on CPUs without a conditional move. Kernels that only ask whether anything is beyond a bound
//! collect the signs of differences instead, and look at them behind a barrier
//! ([`Isa::signs_to_bits`](super::Isa::signs_to_bits)).
//!
//! Two ways lead there. Empty inline assembly «changes» the value: no instruction comes of it.
//! Where the target has no stable inline assembly, or by `--cfg mldsa_no_asm_barrier`, the value
//! is read back from memory by a volatile load.

/// The same value, of which the compiler knows nothing. It goes through memory: sixteen lanes of
/// [`Portable`](super::Portable) would not fit the general registers, and stay vectorized this way.
#[inline(always)]
pub(super) fn through_memory<T: Copy>(mut value: T) -> T {
    let place = &raw mut value;
    #[cfg(all(
        not(mldsa_no_asm_barrier),
        any(
            target_arch = "x86",
            target_arch = "x86_64",
            target_arch = "arm",
            target_arch = "aarch64",
            target_arch = "riscv32",
            target_arch = "riscv64",
            target_arch = "loongarch64",
            target_arch = "s390x",
        )
    ))]
    {
        // SAFETY: there is no instruction in it. What the compiler has to assume, that it reads and
        // writes where `place` points, is a live, exclusively borrowed local whose every value remains.
        unsafe { core::arch::asm!("/* {0} */", in(reg) place, options(nostack, preserves_flags)) };
        return value;
    }
    #[allow(unreachable_code, reason = "reached where there is no assembly")]
    // SAFETY: the pointer comes from an initialised local.
    unsafe {
        core::ptr::read_volatile(place)
    }
}
