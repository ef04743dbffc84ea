//! Requests to valgrind's memcheck, for `cargo xtask ct` (`--cfg mldsa_ctgrind`).
//!
//! Memcheck follows every bit of memory and registers that is *undefined*, and reports each branch
//! and each address that depends on one. Who marks secrets as undefined and what became public as
//! defined again has a check for constant time. It knows nothing of instructions whose time depends
//! on their operands, such as division: `cargo xtask ct` looks for those in the binary.
//!
//! A program talks to valgrind by a sequence of instructions that does nothing on a CPU (four
//! rotations that add up to a whole turn) and that valgrind knows; the request is an array of six
//! words, whose address is in a register.
#![allow(
    clippy::std_instead_of_alloc,
    reason = "the feature `alloc` may be off, std is here"
)]

use core::mem::MaybeUninit;
use core::panic::Location;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
compile_error!("mldsa_ctgrind: only for x86-64 and AArch64");

/// The numbers of requests, as in valgrind.h and memcheck.h.
const RUNNING_ON_VALGRIND: usize = 0x1001;
const COUNT_ERRORS: usize = 0x1201;
const MEMCHECK: usize = (b'M' as usize) << 24 | (b'C' as usize) << 16;
const MAKE_MEM_UNDEFINED: usize = MEMCHECK + 1;
const MAKE_MEM_DEFINED: usize = MEMCHECK + 2;
const GET_VBITS: usize = MEMCHECK + 8;

/// Makes a request; the answer is 0 when valgrind is not there.
fn request(number: usize, a: usize, b: usize, c: usize) -> usize {
    let arguments = [number, a, b, c, 0, 0];
    let mut answer = 0_usize;
    #[cfg(target_arch = "x86_64")]
    // SAFETY: on a CPU this rotates `rdi` by 128 bits, that is, not at all, and swaps a register
    // with itself. Valgrind reads `arguments`, which lives, and writes `rdx`; what else the requests
    // touch is its own record of which bits are defined, or memory that the callers lend.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") arguments.as_ptr(),
            inout("rdx") answer,
            options(nostack),
        );
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: as above, with `x12`, `x10`, `x4` and `x3`.
    unsafe {
        core::arch::asm!(
            "ror x12, x12, 3",
            "ror x12, x12, 13",
            "ror x12, x12, 51",
            "ror x12, x12, 61",
            "orr x10, x10, x10",
            in("x4") arguments.as_ptr(),
            inout("x3") answer,
            options(nostack),
        );
    }
    answer
}

/// Whether valgrind runs the program.
#[must_use]
pub fn is_running() -> bool {
    request(RUNNING_ON_VALGRIND, 0, 0, 0) != 0
}

/// How many errors memcheck has found so far, repeated ones included.
#[must_use]
pub fn errors() -> usize {
    request(COUNT_ERRORS, 0, 0, 0)
}

/// Makes bytes secret.
#[inline(never)]
pub fn poison(bytes: &mut [u8]) {
    let _ = request(
        MAKE_MEM_UNDEFINED,
        bytes.as_mut_ptr().expose_provenance(),
        bytes.len(),
        0,
    );
}

/// Makes bytes public.
#[inline(never)]
pub fn publish(bytes: &mut [u8]) {
    let _ = request(
        MAKE_MEM_DEFINED,
        bytes.as_mut_ptr().expose_provenance(),
        bytes.len(),
        0,
    );
}

/// Whether a bit of `bytes` depends on a secret.
#[must_use]
pub fn is_secret(bytes: &[u8]) -> bool {
    bytes.iter().any(|byte| {
        let mut bits = 0_u8;
        // 1: the bits were written.
        request(
            GET_VBITS,
            core::ptr::from_ref(byte).expose_provenance(),
            (&raw mut bits).expose_provenance(),
            1,
        ) == 1
            && core::hint::black_box(bits) != 0
    })
}

/// A line of the source.
pub(crate) type Line = (&'static str, u32);

/// The lines that declassified something, and how often.
static LINES: Mutex<BTreeMap<Line, usize>> = Mutex::new(BTreeMap::new());
/// The line that is to have no effect.
static DISTRUSTED: Mutex<Option<Line>> = Mutex::new(None);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The lines that declassified something so far, and how often.
#[must_use]
pub fn declassified() -> BTreeMap<Line, usize> {
    lock(&LINES).clone()
}

/// From now on this line declassifies nothing: to see that there is something to declassify.
pub fn distrust(line: Option<Line>) {
    *lock(&DISTRUSTED) = line;
}

/// Notes a use of [`declassify`], and whether it shall have its effect.
#[cold]
#[inline(never)]
fn note(place: &'static Location<'static>) -> bool {
    let line = (place.file(), place.line());
    *lock(&LINES).entry(line).or_default() += 1;
    *lock(&DISTRUSTED) != Some(line)
}

/// Makes a value public.
#[track_caller]
pub(crate) fn declassify<T: Copy>(value: T) -> T {
    let mut place = MaybeUninit::new(value);
    if note(Location::caller()) {
        let address = place.as_mut_ptr().expose_provenance();
        let _ = request(MAKE_MEM_DEFINED, address, size_of::<T>(), 0);
    }
    // SAFETY: initialised above; the request changes no bit of it.
    unsafe { place.assume_init() }
}

/// Makes bytes public where they are.
#[track_caller]
pub(crate) fn declassify_bytes(bytes: &mut [u8]) {
    if note(Location::caller()) {
        publish(bytes);
    }
}
