//! Work on secrets, each piece several times with other secrets and the same public inputs, between two
//! writes to the standard output: an emulator that shows what was done between writes shows whether it
//! depends on the secrets. `cargo xtask trace` builds this with `--cfg mldsa_internals`.

#[cfg(mldsa_internals)]
mod arena;
#[cfg(mldsa_internals)]
mod pieces;

use std::process::ExitCode;

#[cfg(mldsa_internals)]
fn main() -> ExitCode {
    pieces::run();
    ExitCode::SUCCESS
}

#[cfg(not(mldsa_internals))]
fn main() -> ExitCode {
    eprintln!("trace: built without --cfg mldsa_internals; use `cargo xtask trace`");
    ExitCode::FAILURE
}
