//! Secrets and what becomes public of them.
//!
//! Code here and in the kernels neither branches on a secret nor uses one as an address. Where a
//! secret-derived value *is* public by the design of the scheme (whether an attempt was rejected,
//! how many candidates a sampler accepted), the line says [`declassify`], and SOUNDNESS.md says
//! why that is no leak. Under `--cfg mldsa_ctgrind` these lines tell valgrind, which then reports
//! every other branch or address that depends on a secret (`cargo xtask ct`).

use ctutils::{Choice, CtEq};

#[cfg(mldsa_ctgrind)]
pub(crate) use crate::simd::memcheck::{declassify, declassify_bytes};

/// Marks a value computed from secrets as public. One line of SOUNDNESS.md for each use.
#[cfg(not(mldsa_ctgrind))]
#[inline(always)]
pub(crate) fn declassify<T: Copy>(value: T) -> T {
    value
}

/// [`declassify`] for bytes, where they are.
#[cfg(not(mldsa_ctgrind))]
#[inline(always)]
pub(crate) fn declassify_bytes(_: &mut [u8]) {}

/// Whether secrets are the same.
///
/// Never inlined: where the compiler knows the length it fetches all of both before it compares, and
/// puts it aside on the stack, where it stays.
#[inline(never)]
pub(crate) fn eq<T>(a: &[T], b: &[T]) -> Choice
where
    [T]: CtEq,
{
    a.ct_eq(b)
}
