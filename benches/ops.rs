//! The operations that users call, for every parameter set: `cargo bench --bench ops`.
//!
//! Signing time depends on how often an attempt is rejected, so that one message says little. Where
//! the test vectors are at hand (see `vectors` below) an iteration signs the next message of
//! \[CCTV\]'s set for the parameter set, whose deterministic signatures (key from the all-zero
//! seed, no context) need a representative number of attempts; the mean is then the mean over the
//! set. Elsewhere it goes over messages of its own, which are as many and less representative.
#![allow(
    deprecated,
    reason = "an expanded key is the other form of a key in bytes"
)]
#![allow(clippy::unwrap_used, missing_docs, reason = "a benchmark")]

use core::hint::black_box;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use mldsa_simd::{
    ExpandedSigningKey, KeyInit, Keypair, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Seed, Signature,
    Signer, SigningKey, Verifier, VerifyingKey,
};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The folder of test vectors, where there is one.
fn vectors() -> Option<PathBuf> {
    let folder = env::var_os("MLDSA_VECTORS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/vectors"),
        PathBuf::from,
    );
    folder.is_dir().then_some(folder)
}

/// What to sign, and what it is called in the name of the benchmark.
fn messages(set: &str) -> (&'static str, Vec<String>) {
    match vectors() {
        Some(folder) => {
            let path = folder.join("cctv").join(format!("{set}.json"));
            let text = fs::read_to_string(&path)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            ("cctv", serde_json::from_str(&text).unwrap())
        }
        None => (
            "numbered",
            (0..128).map(|i| format!("message {i}")).collect(),
        ),
    }
}

fn operations<P: MlDsaParams>(c: &mut Criterion, set: &str) {
    let mut group = c.benchmark_group(set);
    group.throughput(Throughput::Elements(1));
    let (kind, messages) = messages(set);

    let mut seeds = (0_u64..).map(|i| {
        let mut seed = Seed::default();
        seed[..8].copy_from_slice(&i.to_le_bytes());
        seed
    });
    group.bench_function("keygen", |b| {
        b.iter(|| {
            let key = SigningKey::<P>::from_seed(&seeds.next().unwrap());
            black_box(key.verifying_key().encode());
            key
        });
    });

    let seed = Seed::default();
    let key = SigningKey::<P>::from_seed(&seed);
    let expanded = key.expanded_key().to_expanded();
    let mut next = messages.iter().cycle().map(String::as_bytes);
    group.bench_function(format!("sign/{kind}/key from seed"), |b| {
        b.iter(|| {
            let key = SigningKey::<P>::from_seed(black_box(&seed));
            key.sign(next.next().unwrap()).encode()
        });
    });
    let mut next = messages.iter().cycle().map(String::as_bytes);
    group.bench_function(format!("sign/{kind}/key from bytes"), |b| {
        b.iter(|| {
            let key = ExpandedSigningKey::<P>::from_expanded(black_box(&expanded));
            key.sign(next.next().unwrap()).encode()
        });
    });
    let mut next = messages.iter().cycle().map(String::as_bytes);
    group.bench_function(format!("sign/{kind}/key held"), |b| {
        b.iter(|| key.sign(next.next().unwrap()).encode());
    });

    let message = messages[0].as_bytes();
    let signature = key.sign(message).encode();
    let public = key.verifying_key();
    let bytes = public.encode();
    group.bench_function("verify/key from bytes", |b| {
        b.iter(|| {
            let key = VerifyingKey::<P>::new(black_box(&bytes));
            let signature = Signature::<P>::try_from(&black_box(&signature)[..]).unwrap();
            key.verify(black_box(message), &signature).unwrap();
        });
    });
    group.bench_function("verify/key held", |b| {
        b.iter(|| {
            let signature = Signature::<P>::try_from(&black_box(&signature)[..]).unwrap();
            public.verify(black_box(message), &signature).unwrap();
        });
    });
    group.finish();
}

fn all(c: &mut Criterion) {
    eprintln!("instruction set: {}", mldsa_simd::isa_name());
    operations::<MlDsa44>(c, "ML-DSA-44");
    operations::<MlDsa65>(c, "ML-DSA-65");
    operations::<MlDsa87>(c, "ML-DSA-87");
}

criterion_group!(benches, all);
criterion_main!(benches);
