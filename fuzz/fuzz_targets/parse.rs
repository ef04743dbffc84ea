//! Arbitrary bytes to every parser.
#![no_main]

#[path = "../../tests/fuzzing/parse.rs"]
mod parse;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| parse::run(data));
