//! Stub: the lanes.
#![allow(missing_docs, reason = "stub")]

/// An instruction set.
pub(crate) trait Isa: Copy {
    fn enter<R>(self, f: impl FnOnce() -> R) -> R;
}

/// Plain Rust.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Isa for Portable {
    fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
}

/// Runs `$body` with `$isa` bound to the best instruction set of this CPU.
macro_rules! dispatch {
    ($isa:ident => $body:expr) => {{
        let $isa = $crate::simd::Portable;
        $body
    }};
}
pub(crate) use dispatch;

/// The name of the instruction set that the CPU check chose: `"portable"`, `"avx2"`, …
pub(crate) fn isa_name() -> &'static str {
    "portable"
}
