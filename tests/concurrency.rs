//! Threads: first calls that come at once (the instruction set is chosen then), and keys in use by
//! many. The only tests of this binary, so that nothing has been called before.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{Set, sign};
use mldsa_simd::{
    EncodedSignature, Keypair, MlDsa44, MlDsa65, MlDsa87, Seed, Signature, Signer, SigningKey,
    Verifier, VerifyingKey,
};
use std::sync::Barrier;
use std::thread;

const THREADS: usize = 32;

/// Everything a thread computed.
type Work = (Vec<u8>, Vec<u8>, bool);

fn work<P: Set>() -> Work {
    let key = SigningKey::<P>::from_seed(&Seed::from([3; 32]));
    let public = key.verifying_key();
    let signature = sign(key.expanded_key(), b"at once", b"threads");
    let verified = public.verify_with_context(b"at once", b"threads", &signature);
    (
        public.encode().to_vec(),
        signature.encode().to_vec(),
        verified,
    )
}

/// One test in sequence: the first half must be the first call of the process.
#[test]
fn first_calls_at_once_agree_and_keys_serve_many_threads() {
    let sets: [fn() -> Work; 3] = [work::<MlDsa44>, work::<MlDsa65>, work::<MlDsa87>];
    let start = Barrier::new(THREADS);
    let results: Vec<Work> = thread::scope(|scope| {
        let threads: Vec<_> = sets
            .into_iter()
            .cycle()
            .take(THREADS)
            .map(|work| {
                let start = &start;
                scope.spawn(move || {
                    start.wait();
                    work()
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    let alone: Vec<Work> = sets.iter().map(|work| work()).collect();
    for (number, (result, expected)) in results.iter().zip(alone.iter().cycle()).enumerate() {
        assert!(result.2, "thread {number} verified its signature");
        assert_eq!(result, expected, "thread {number}");
    }

    one_key_serves_many_threads::<MlDsa44>();
    one_key_serves_many_threads::<MlDsa65>();
    one_key_serves_many_threads::<MlDsa87>();
}

fn one_key_serves_many_threads<P: Set>() {
    let key = SigningKey::<P>::from_seed(&Seed::from([4; 32]));
    let public = key.verifying_key();
    let message = |thread: usize| thread.to_le_bytes();
    let expected: Vec<EncodedSignature<P>> = (0..THREADS)
        .map(|thread| key.sign(&message(thread)).encode())
        .collect();

    // Borrowed by all at once.
    thread::scope(|scope| {
        for number in 0..THREADS {
            let (key, public, expected) = (&key, &public, &expected);
            scope.spawn(move || {
                let signature: Signature<P> = key.sign(&message(number));
                assert!(signature.encode() == expected[number]);
                public.verify(&message(number), &signature).unwrap();
            });
        }
    });

    // Clones that go their own ways; the original is gone before they end.
    let clones: Vec<_> = (0..THREADS)
        .map(|_| (key.clone(), public.clone()))
        .collect();
    let threads: Vec<_> = clones
        .into_iter()
        .enumerate()
        .map(
            |(number, (key, public)): (usize, (SigningKey<P>, VerifyingKey<P>))| {
                thread::spawn(move || {
                    let signature: Signature<P> = key.sign(&message(number));
                    drop(key);
                    public.verify(&message(number), &signature).unwrap();
                    signature.encode()
                })
            },
        )
        .collect();
    drop((key, public));
    for (thread, expected) in threads.into_iter().zip(expected) {
        assert!(thread.join().unwrap() == expected);
    }
}
