//! The fuzz targets (`cargo xtask fuzz`) as ordinary tests: a fixed choice of inputs, random ones,
//! and those that fuzzing found interesting.
#![cfg(all(feature = "alloc", feature = "pkcs8"))]
#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "fuzzing/edit.rs"]
mod edit;
#[path = "fuzzing/verify.rs"]
mod fuzz_verify;
#[cfg(mldsa_internals)]
#[path = "fuzzing/kernels.rs"]
mod kernels;
#[cfg(mldsa_internals)]
#[path = "fuzzing/operations.rs"]
mod operations;
#[path = "fuzzing/seeds.rs"]
mod seeds;
mod spec;

use edit::{VALID, parse};
use mldsa_simd::{MlDsa44, MlDsa65, MlDsa87};
use shake::{ExtendableOutput, Shake256, Shake256Reader, Update, XofReader};

/// Random bytes: the same ones in each run.
fn random(name: &str) -> Shake256Reader {
    let mut hash = Shake256::default();
    hash.update(name.as_bytes());
    hash.finalize_xof()
}

fn inputs(name: &str, number: usize, longest: u8) -> impl Iterator<Item = Vec<u8>> {
    let mut random = random(name);
    (0..number).map(move |_| {
        let mut length = [0];
        random.read(&mut length);
        let mut bytes = vec![0; usize::from(length[0].min(longest))];
        random.read(&mut bytes);
        bytes
    })
}

#[test]
fn arbitrary_bytes_are_parsed() {
    for data in inputs("parse", 2000, 255) {
        parse::run(&data);
    }
}

#[test]
fn valid_encodings_are_accepted_once() {
    for valid in VALID.iter() {
        let accepted = parse::every_parser::<MlDsa44>(valid)
            + parse::every_parser::<MlDsa65>(valid)
            + parse::every_parser::<MlDsa87>(valid);
        match valid.len() {
            // Of a seed each set makes a key.
            32 => assert_eq!(accepted, 3),
            // A document with a seed is a signing key, and an expanded one.
            54 => assert_eq!(accepted, 2),
            _ => assert!((1..=2).contains(&accepted), "{}: {accepted}", valid.len()),
        }
    }
}

#[test]
fn damaged_encodings_are_parsed() {
    for data in inputs("edit", 500, 40) {
        edit::run(&data);
    }
    // Every place of every short document, to its ends.
    for which in 0..24 {
        for place in 0..64_u16 {
            for end in [0, 0x8000] {
                let [low, high] = (place | end).to_le_bytes();
                edit::run(&[which, 0, low, high, 0x30]);
            }
        }
    }
}

/// The inputs in a list of `seeds`.
fn kept(list: &str, number: usize) -> Vec<Vec<u8>> {
    let inputs: Vec<_> = list
        .split_ascii_whitespace()
        .map(|input| hex::decode(input).unwrap())
        .collect();
    assert_eq!(inputs.len(), number);
    inputs
}

#[test]
fn what_fuzzing_kept_is_parsed() {
    for data in kept(seeds::PARSE, 75) {
        parse::run(&data);
    }
    for data in kept(seeds::EDIT, 96) {
        edit::run(&data);
    }
}

#[test]
fn verdicts_are_the_oracles() {
    for data in kept(seeds::VERIFY, 80) {
        fuzz_verify::run(&data);
    }
    for data in inputs("verify", 60, 20) {
        fuzz_verify::run(&data);
    }
    for set in 0..3 {
        // Nothing changed, another message, a key with t₁ = 0, the last bytes of the hint.
        for flags in [0, 4, 8] {
            fuzz_verify::run(&[set | flags, 3]);
        }
        for place in 1..12_u16 {
            let [low, high] = (place | 0x4000).to_le_bytes();
            fuzz_verify::run(&[set, 0, low, high, 1]);
            fuzz_verify::run(&[set, 0, low, high, 0xff]);
        }
    }
}

#[cfg(mldsa_internals)]
#[test]
fn instruction_sets_agree() {
    for data in inputs("operations", 60, 129) {
        operations::run(&data);
    }
    for data in inputs("kernels", 3000, 9) {
        kernels::run(&data);
    }
}
