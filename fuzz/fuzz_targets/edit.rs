//! Valid encodings, damaged, to every parser.
#![no_main]

#[path = "../../tests/fuzzing/edit.rs"]
mod edit;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| edit::run(data));
