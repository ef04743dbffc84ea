//! Small stacks: every operation on a thread of 128 KiB where the compiler optimizes, and of 512 KiB
//! at opt-level 0 (`CARGO_PROFILE_DEV_OPT_LEVEL=0 cargo test --test stack`, `cargo xtask unoptimized`).
//! Overflow ends the process with a message that names the thread.
#![cfg(feature = "alloc")] // without a heap, keys are on the stack themselves
#![allow(clippy::unwrap_used, reason = "tests")]

#[macro_use]
mod common;

use common::Set;
use mldsa_simd::{
    ExpandedSigningKey, KeyInit, Keypair, Seed, Signature, Signer, SigningKey, Verifier,
    VerifyingKey,
};
use std::sync::Once;
use std::thread;

for_each_set! {
    key_generation_fits,
    cloning_fits,
    signing_fits,
    verifying_fits,
    encoding_and_decoding_fit,
}

/// The profile cannot be asked for its opt-level, but these are the ways to set it to 0 from outside.
fn optimized() -> bool {
    let variables = [
        option_env!("CARGO_PROFILE_DEV_OPT_LEVEL"),
        option_env!("CARGO_PROFILE_TEST_OPT_LEVEL"),
    ];
    let unoptimized =
        variables.contains(&Some("0")) || std::env::var_os("MLDSA_UNOPTIMIZED").is_some();
    !cfg!(debug_assertions) || !unoptimized
}

fn kibibytes() -> usize {
    let size = if optimized() { 128 } else { 512 };
    static PRINTED: Once = Once::new();
    PRINTED.call_once(|| {
        println!(
            "stack: {size} KiB ({}, debug assertions {})",
            if optimized() {
                "optimized"
            } else {
                "opt-level 0"
            },
            if cfg!(debug_assertions) { "on" } else { "off" },
        );
    });
    size
}

fn on_a_small_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let size = kibibytes();
    thread::Builder::new()
        .name(format!("with a stack of {size} KiB"))
        .stack_size(size * 1024)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap()
}

fn key<P: Set>() -> SigningKey<P> {
    SigningKey::from_seed(&Seed::from([7; 32]))
}

fn key_generation_fits<P: Set>() {
    let (made, expanded) = on_a_small_stack(|| {
        let made = key::<P>();
        let expanded = ExpandedSigningKey::<P>::from_seed(made.as_seed());
        (made, expanded)
    });
    assert!(made == key() && expanded == *made.expanded_key());
    #[cfg(feature = "rand_core")]
    {
        use common::Data;
        use mldsa_simd::Generate;
        let seed = on_a_small_stack(|| {
            SigningKey::<P>::generate_from_rng(&mut Data::new("small")).to_seed()
        });
        assert_eq!(seed, Data::new("small").seed());
    }
}

fn cloning_fits<P: Set>() {
    let original = key::<P>();
    let clones = on_a_small_stack(move || {
        let clone = original.clone();
        let expanded = original.expanded_key().clone();
        let boxed = Box::new(clone.clone());
        drop(original);
        (boxed, expanded, clone.verifying_key().clone())
    });
    assert!(*clones.0 == key() && clones.1 == *key().expanded_key());
    assert!(clones.2 == key().verifying_key());
}

fn signing_fits<P: Set>() {
    let signer = key::<P>();
    let (encoded, hedged) = on_a_small_stack(move || {
        let signature: Signature<P> = signer.sign(b"small");
        // From seed to signature in one go.
        let again: Signature<P> = key::<P>().sign(b"small");
        assert!(signature == again);
        let hedged = signer
            .expanded_key()
            .sign_internal(&[&[0, 0], b"small"], &Seed::from([1; 32]));
        (signature.encode(), hedged)
    });
    assert!(encoded == key::<P>().sign(b"small").encode());
    key::<P>()
        .verifying_key()
        .verify(b"small", &hedged)
        .unwrap();
}

fn verifying_fits<P: Set>() {
    let public = key::<P>().verifying_key();
    let signature = Box::new(key::<P>().sign(b"small"));
    on_a_small_stack(move || {
        public.verify(b"small", &signature).unwrap();
        public.verify(b"other", &signature).unwrap_err();
    });
    let public = key::<P>().verifying_key().encode().to_vec();
    let signature = key::<P>().sign(b"small").encode().to_vec();
    // From bytes to a verdict in one go.
    on_a_small_stack(move || {
        let signature = Signature::<P>::try_from(signature.as_slice()).unwrap();
        let public = VerifyingKey::<P>::new_from_slice(&public).unwrap();
        public.verify(b"small", &signature).unwrap();
    });
}

/// The bytes go in and out on the heap: it is the operations that are measured, not the copies
/// which the start of a thread makes of what it is given.
fn encoding_and_decoding_fit<P: Set>() {
    let seed = Seed::from([7; 32]);
    let (public, signature, expanded) = on_a_small_stack(move || {
        let key = SigningKey::<P>::from_seed(&seed);
        let public = key.verifying_key().encode().to_vec();
        let signature = key.sign(b"small").encode().to_vec();
        #[allow(deprecated, reason = "deprecated in ml-dsa")]
        let expanded = key.expanded_key().to_expanded().to_vec();
        (public, signature, expanded)
    });
    on_a_small_stack(move || {
        let expanded = expanded.as_slice().try_into().unwrap();
        #[allow(deprecated, reason = "deprecated in ml-dsa")]
        let key = ExpandedSigningKey::<P>::from_expanded(expanded);
        assert!(key.verifying_key().encode().as_slice() == public);
        assert!(key.sign(b"small").encode().as_slice() == signature);
        let decoded = VerifyingKey::<P>::new_from_slice(&public).unwrap();
        assert!(decoded.encode().as_slice() == public);
        let decoded = Signature::<P>::try_from(signature.as_slice()).unwrap();
        assert!(decoded.encode().as_slice() == signature);
    });
    #[cfg(feature = "pkcs8")]
    pkcs8::fits();
}

#[cfg(feature = "pkcs8")]
mod pkcs8 {
    use super::{Keypair, SigningKey, VerifyingKey, key, on_a_small_stack};
    use mldsa_simd::MlDsa87;
    use mldsa_simd::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};

    /// The largest set stands for the others.
    pub(super) fn fits() {
        on_a_small_stack(|| {
            let private = key::<MlDsa87>().to_pkcs8_der().unwrap();
            let public = key::<MlDsa87>()
                .verifying_key()
                .to_public_key_der()
                .unwrap();
            let private = SigningKey::<MlDsa87>::from_pkcs8_der(private.as_bytes()).unwrap();
            let public = VerifyingKey::<MlDsa87>::from_public_key_der(public.as_bytes()).unwrap();
            assert!(private.verifying_key() == public);
        });
    }
}
