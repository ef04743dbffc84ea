//! What the firmware does, as a program of the operating system, and how long it takes.

use mldsa_simd::{
    EncodedSignature, EncodedVerifyingKey, ExpandedSigningKey, ExpandedSigningKeyBytes, KeyInit,
    MlDsa44, MlDsa65, MlDsa87, Seed, Signature, SigningKey, Verifier, VerifyingKey, low_memory,
};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

struct Stdout;

impl core::fmt::Write for Stdout {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        print!("{text}");
        Ok(())
    }
}

fn main() -> ExitCode {
    println!("instruction set: {}", mldsa_simd::isa_name());
    let good = firmware::check_all(&mut Stdout);
    if std::env::args().any(|argument| argument == "--time") {
        time::<MlDsa44>();
        time::<MlDsa65>();
        time::<MlDsa87>();
    }
    if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// The times of `low_memory` beside those of the keys that hold everything, both from bytes.
fn time<P: firmware::Set>() {
    let seed = Seed::from([7; 32]);
    let mut public = EncodedVerifyingKey::<P>::default();
    let mut signature = EncodedSignature::<P>::default();
    let mut expanded = ExpandedSigningKeyBytes::<P>::default();
    low_memory::expand::<P>(&seed, &mut public, &mut expanded);

    let rnd = Seed::default();
    let mut number = 0_u64;
    let small = [
        mean(|| low_memory::key_gen::<P>(black_box(&seed), &mut public)),
        mean(|| {
            number = (number + 1) % u64::from(BATCH);
            let message = number.to_le_bytes();
            let key = black_box(&expanded);
            assert!(
                low_memory::sign_expanded::<P>(key, &message, b"", &rnd, &mut signature).is_ok()
            );
        }),
        mean(|| {
            let message = number.to_le_bytes();
            let public = black_box(&public);
            assert!(low_memory::verify::<P>(public, &message, b"", &signature).is_ok());
        }),
    ];
    number = 0;
    let large = [
        mean(|| {
            black_box(SigningKey::<P>::from_seed(black_box(&seed)));
        }),
        mean(|| {
            number = (number + 1) % u64::from(BATCH);
            let message = number.to_le_bytes();
            #[allow(deprecated, reason = "deprecated in ml-dsa")]
            let key = ExpandedSigningKey::<P>::from_expanded(black_box(&expanded));
            signature = key.sign_internal(&[&[0, 0], &message], &rnd).encode();
        }),
        mean(|| {
            let message = number.to_le_bytes();
            let key = VerifyingKey::<P>::new(black_box(&public));
            let parsed = Signature::<P>::decode(black_box(&signature));
            assert!(parsed.is_some_and(|signature| key.verify(&message, &signature).is_ok()));
        }),
    ];
    let operations = ["key_gen", "sign_expanded", "verify"];
    for ((operation, small), large) in operations.into_iter().zip(small).zip(large) {
        let ratio = small.as_secs_f64() / large.as_secs_f64();
        println!(
            "{}: {operation}: {small:?}, elsewhere {large:?}: {ratio:.2} times as long",
            P::NAME
        );
    }
}

/// Calls in a batch. Every batch of signing has the same messages.
const BATCH: u32 = 20;
/// Batches. The machine may be busy with other things meanwhile.
const BATCHES: u32 = 40;

/// The mean of the fastest batch.
fn mean(mut f: impl FnMut()) -> Duration {
    let batch = |f: &mut dyn FnMut()| {
        let begin = Instant::now();
        for _ in 0..BATCH {
            f();
        }
        begin.elapsed()
    };
    (0..BATCHES)
        .map(|_| batch(&mut f))
        .min()
        .unwrap_or_default()
        / BATCH
}
