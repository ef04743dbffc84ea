//! Every operation on secrets that memcheck takes for undefined: `cargo xtask ct` builds this with
//! `--cfg mldsa_ctgrind` and runs it under valgrind.
//!
//! A branch or an address that depends on a secret is an error that memcheck counts. The count must
//! not rise in an operation; it must rise when a leak is planted, and when one of the crate's
//! declassifications is made ineffective.

#[cfg(mldsa_ctgrind)]
mod check;
#[cfg(mldsa_ctgrind)]
mod operations;

use std::process::ExitCode;

#[cfg(mldsa_ctgrind)]
fn main() -> ExitCode {
    check::run()
}

#[cfg(not(mldsa_ctgrind))]
fn main() -> ExitCode {
    eprintln!("ct: built without --cfg mldsa_ctgrind; use `cargo xtask ct`");
    ExitCode::FAILURE
}
