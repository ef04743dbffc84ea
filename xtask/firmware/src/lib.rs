//! What the firmware and the program for the host have in common: each operation of `low_memory`
//! runs on a painted stack, and the bytes it writes are compared with pinned digests.
//!
//! What is counted is everything below the stack pointer of the caller: the frames of the operation
//! and of all that it calls. The crate has no static memory that is written to. Not counted is what
//! the caller holds and passes by reference: seed, keys, message and signature.
#![no_std]

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../../../tests/golden/values.rs"]
mod values;

use core::arch::asm;
use core::fmt::Write;
use core::hint::black_box;
use mldsa_simd::{
    B32, EncodedSignature, EncodedVerifyingKey, ExpandedSigningKeyBytes, MlDsa44, MlDsa65, MlDsa87,
    MlDsaParams, Seed, low_memory,
};
use shake::{ExtendableOutput, Shake256, Update, XofReader};
use values::{CONTEXT, Golden, MESSAGE};

/// A parameter set, its digests, and the most bytes of stack that an operation may take.
pub trait Set: MlDsaParams {
    const NAME: &str;
    #[doc(hidden)]
    #[allow(private_interfaces, reason = "a file of the tests")]
    const GOLDEN: Golden;
    /// Key generation, signing with a seed, signing with an expanded key, verification: 3 % more
    /// than the largest figure that README states.
    const LIMITS: [usize; 4];
}

impl Set for MlDsa44 {
    const NAME: &str = "ML-DSA-44";
    #[allow(private_interfaces, reason = "as above")]
    const GOLDEN: Golden = values::ML_DSA_44;
    const LIMITS: [usize; 4] = [8_891, 12_880, 10_127, 5_562];
}

impl Set for MlDsa65 {
    const NAME: &str = "ML-DSA-65";
    #[allow(private_interfaces, reason = "as above")]
    const GOLDEN: Golden = values::ML_DSA_65;
    const LIMITS: [usize; 4] = [11_001, 16_571, 12_303, 5_678];
}

impl Set for MlDsa87 {
    const NAME: &str = "ML-DSA-87";
    #[allow(private_interfaces, reason = "as above")]
    const GOLDEN: Golden = values::ML_DSA_87;
    const LIMITS: [usize; 4] = [13_110, 19_636, 14_478, 5_826];
}

/// Runs everything for the three sets. Returns whether all is as it should be.
pub fn check_all(out: &mut dyn Write) -> bool {
    // All three, whatever the first says.
    let sets = [
        check::<MlDsa44>(out),
        check::<MlDsa65>(out),
        check::<MlDsa87>(out),
    ];
    sets == [true; 3]
}

/// Runs the operations of a set, prints what they took, and compares.
#[inline(never)]
fn check<P: Set>(out: &mut dyn Write) -> bool {
    let seed = Seed::from_fn(|at| at as u8);
    let mut public = EncodedVerifyingKey::<P>::default();
    let mut again = EncodedVerifyingKey::<P>::default();
    let mut expanded = ExpandedSigningKeyBytes::<P>::default();
    let mut signature = EncodedSignature::<P>::default();
    let mut good = true;
    let mut digest = |bytes: &[u8], expected: &str| good &= is_digest(bytes, expected);

    let key_gen = peak(&mut || low_memory::key_gen::<P>(&seed, &mut public));
    digest(&public, P::GOLDEN.public);
    let expand = peak(&mut || low_memory::expand::<P>(&seed, &mut again, &mut expanded));
    digest(&again, P::GOLDEN.public);
    digest(&expanded, P::GOLDEN.expanded);

    let mut ok = true;
    let zero = B32::default();
    let sign_seed = peak(&mut || {
        ok &= low_memory::sign::<P>(&seed, MESSAGE, CONTEXT, &seed, &mut signature).is_ok();
    });
    digest(&signature, P::GOLDEN.hedged);
    let sign_empty = peak(&mut || {
        ok &= low_memory::sign_expanded::<P>(&expanded, b"", b"", &zero, &mut signature).is_ok();
    });
    digest(&signature, P::GOLDEN.empty);
    let sign = peak(&mut || {
        let signature = &mut signature;
        ok &= low_memory::sign_expanded::<P>(&expanded, MESSAGE, CONTEXT, &zero, signature).is_ok();
    });
    digest(&signature, P::GOLDEN.in_context);
    let verify = peak(&mut || {
        ok &= low_memory::verify::<P>(&public, MESSAGE, CONTEXT, &signature).is_ok();
    });
    ok &= low_memory::verify::<P>(&public, MESSAGE, b"", &signature).is_err();

    let sign = sign.max(sign_empty);
    let took = [key_gen.max(expand), sign_seed, sign, verify];
    let fits = took
        .iter()
        .zip(P::LIMITS)
        .all(|(took, limit)| *took <= limit);
    let name = P::NAME;
    let _ = writeln!(
        out,
        "{name}: stack: key_gen {key_gen}, expand {expand}, sign {sign_seed}, \
         sign_expanded {sign}, verify {verify} bytes"
    );
    for (passed, problem) in [
        (good, "a digest is not the pinned one"),
        (ok, "an operation went wrong"),
        (fits, "more stack than the limit"),
    ] {
        if !passed {
            let _ = writeln!(out, "{name}: {problem}");
        }
    }
    good && ok && fits
}

/// Whether the first 32 bytes of SHAKE256 are those.
fn is_digest(bytes: &[u8], expected: &str) -> bool {
    let mut digest = [0; 32];
    Shake256::default()
        .chain(bytes)
        .finalize_xof()
        .read(&mut digest);
    let mut pinned = [0; 32];
    hex::decode_to_slice(expected, &mut pinned).is_ok() && digest == pinned
}

/// How far the stack is painted.
const PAINTED: usize = 32 << 10;
const PAINT: u8 = 0xa5;

/// The most bytes of stack that `f` takes, wherever it begins: polynomials begin at multiples of 64,
/// so what lies before them depends on where that is.
fn peak(f: &mut dyn FnMut()) -> usize {
    [
        peak_below::<8>(f),
        peak_below::<16>(f),
        peak_below::<24>(f),
        peak_below::<32>(f),
        peak_below::<40>(f),
        peak_below::<48>(f),
        peak_below::<56>(f),
        peak_below::<64>(f),
    ]
    .into_iter()
    .max()
    .unwrap_or(0)
}

/// The most bytes that the stack has below this function while `f` runs; `N` bytes more lie above
/// them. `f` is called through a pointer that the compiler does not see through: inlined, its frame
/// would be this function's own.
#[inline(never)]
fn peak_below<const N: usize>(f: &mut dyn FnMut()) -> usize {
    black_box(&mut [0_u8; N]);
    let bottom = stack_pointer() - PAINTED;
    for i in (0..PAINTED).rev() {
        // SAFETY: below the stack pointer nothing lives. The stacks of the firmware and of a main
        // thread are far larger than what is painted.
        unsafe { (bottom as *mut u8).add(i).write_volatile(PAINT) };
    }
    black_box(&mut *f)();
    (0..PAINTED)
        // SAFETY: as above; all of it was written.
        .position(|i| unsafe { (bottom as *const u8).add(i).read_volatile() } != PAINT)
        .map_or(0, |untouched| PAINTED - untouched)
}

/// The stack pointer of the caller.
#[inline(always)]
fn stack_pointer() -> usize {
    let pointer: usize;
    // SAFETY: reads a register.
    unsafe {
        #[cfg(target_arch = "arm")]
        asm!("mov {}, sp", out(reg) pointer, options(nomem, nostack, preserves_flags));
        #[cfg(target_arch = "x86_64")]
        asm!("mov {}, rsp", out(reg) pointer, options(nomem, nostack, preserves_flags));
    }
    pointer
}
