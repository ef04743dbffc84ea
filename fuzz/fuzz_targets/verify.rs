//! Verification equals the oracle's.
#![no_main]

#[path = "../../tests/spec/mod.rs"]
mod spec;
#[path = "../../tests/fuzzing/verify.rs"]
mod verify;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| verify::run(data));
