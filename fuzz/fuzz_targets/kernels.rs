//! The kernels of each instruction set equal those in plain Rust.
#![no_main]

#[path = "../../tests/fuzzing/kernels.rs"]
mod kernels;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| kernels::run(data));
