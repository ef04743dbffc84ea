//! Key generation, signing and verification on each instruction set equal those in plain Rust.
#![no_main]

#[path = "../../tests/fuzzing/operations.rs"]
mod operations;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| operations::run(data));
