//! The harness: counts memcheck's errors.

use crate::operations::{briefly, operations};
use mldsa_simd::ctgrind::{
    declassified, distrust, errors, is_running, is_secret, planted_branch, planted_index,
    planted_nothing, poison, publish,
};
use mldsa_simd::{MlDsa44, MlDsa65, MlDsa87};
use std::hint::black_box;
use std::process::ExitCode;

/// What was checked, and what went wrong.
#[derive(Default)]
pub(crate) struct Report {
    set: &'static str,
    checked: usize,
    wrong: Vec<String>,
}

impl Report {
    /// Runs an operation, in which no branch and no address may depend on a secret.
    pub(crate) fn silent<T>(&mut self, what: &str, operation: impl FnOnce() -> T) -> T {
        let before = errors();
        let result = black_box(operation());
        let new = errors() - before;
        self.expect(new == 0, &format!("{what}: memcheck found {new} errors"));
        result
    }

    /// Notes when something is not as it should be.
    pub(crate) fn expect(&mut self, holds: bool, what: &str) {
        self.checked += 1;
        if !holds {
            self.wrong.push(format!("{}: {what}", self.set));
        }
    }

    /// Bytes that must depend on secrets: otherwise the check follows nothing.
    pub(crate) fn secret(&mut self, what: &str, bytes: &[u8]) {
        self.expect(is_secret(bytes), &format!("{what} is not secret"));
    }

    /// Bytes that must be public.
    pub(crate) fn public(&mut self, what: &str, bytes: &[u8]) {
        self.expect(!is_secret(bytes), &format!("{what} is secret"));
    }

    fn of(set: &'static str) -> Self {
        Self {
            set,
            ..Self::default()
        }
    }
}

/// A copy that nobody may look at.
pub(crate) fn hidden<const N: usize>(bytes: &[u8; N]) -> [u8; N] {
    let mut copy = black_box(*bytes);
    poison(&mut copy);
    copy
}

pub(crate) fn run() -> ExitCode {
    if !is_running() {
        eprintln!("ct: valgrind does not run this");
        return ExitCode::FAILURE;
    }
    println!("instruction set: {}", mldsa_simd::isa_name());
    let mut wrong = self_test();
    let mut checked = 0;
    for report in [
        set::<MlDsa44>("ML-DSA-44"),
        set::<MlDsa65>("ML-DSA-65"),
        set::<MlDsa87>("ML-DSA-87"),
    ] {
        println!("{}: {} checks", report.set, report.checked);
        checked += report.checked;
        wrong.extend(report.wrong);
    }
    let lines = declassified();
    for ((file, line), uses) in lines {
        // Without it there must be errors: else it declassifies nothing.
        distrust(Some((file, line)));
        let before = errors();
        briefly::<MlDsa44>();
        let found = errors() - before;
        distrust(None);
        println!("declassified: {file}:{line} {uses} times, {found} errors without");
        if found == 0 {
            wrong.push(format!("{file}:{line}: declassifies what is no secret"));
        }
    }
    for error in &wrong {
        println!("wrong: {error}");
    }
    println!("{checked} checks, {} of them failed", wrong.len());
    if wrong.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn set<P: crate::operations::Set>(name: &'static str) -> Report {
    let mut report = Report::of(name);
    operations::<P>(&mut report);
    report
}

/// A secret as lanes, and operations on them.
fn self_test() -> Vec<String> {
    let secret = || {
        let bytes = hidden(&[0x35; 64]);
        let mut lanes = [0; 16];
        for (lane, bytes) in lanes.iter_mut().zip(bytes.as_chunks().0) {
            *lane = i32::from_ne_bytes(*bytes);
        }
        lanes
    };
    let count = |operation: &dyn Fn()| {
        let before = errors();
        operation();
        errors() - before
    };
    let branch = count(&|| planted_branch(&secret()));
    let index = count(&|| {
        let mut found = [planted_index(&secret())];
        publish(&mut found);
        black_box(found);
    });
    let mut lanes = secret();
    let nothing = count(&|| planted_nothing(&mut secret()));
    planted_nothing(&mut lanes);
    let follows = is_secret(&lanes[5].to_ne_bytes());
    println!("planted: {branch} errors by a branch, {index} by an address, {nothing} by nothing");
    let mut wrong = Vec::new();
    if branch == 0 {
        wrong.push("the planted branch is not found".to_owned());
    }
    if index == 0 {
        wrong.push("the planted address is not found".to_owned());
    }
    if nothing != 0 {
        wrong.push("there are errors where there is no leak".to_owned());
    }
    if !follows {
        wrong.push("secrets are lost on the way through a kernel".to_owned());
    }
    wrong
}
