//! Contexts through the traits: a key with a context signs and verifies as the methods that take a
//! context do, on every trait that the key itself implements.
#![allow(
    clippy::integer_division_remainder_used,
    clippy::std_instead_of_alloc,
    clippy::unwrap_used,
    reason = "tests"
)]

#[macro_use]
mod common;
mod generators;

use common::{Data, Set, key_pair};
use core::cell::Cell;
use generators::{Broken, Fixed, Untouched};
use mldsa_simd::signature::{
    DigestSigner, DigestVerifier, MultipartSigner, MultipartVerifier, RandomizedDigestSigner,
    RandomizedMultipartSigner, RandomizedSigner, digest::Update,
};
use mldsa_simd::{
    Error, ExpandedSigningKey, Keypair, MlDsaParams, MuBuilder, Signature, Signer, SigningKey,
    Verifier, VerifyingKey,
};

for_each_set!(
    a_key_with_a_context_agrees_with_the_method_that_takes_one,
    the_empty_context_is_the_key_itself,
    a_signature_verifies_in_its_own_context_only,
    a_context_of_256_bytes_is_refused_before_anything_happens,
    a_generator_that_fails_signs_nothing,
    a_context_shows_its_parts_and_no_secret,
);

const RND: [u8; 32] = [0x5a; 32];

/// All six signing traits.
fn signatures<P: MlDsaParams, K>(
    signer: &K,
    message: &[u8],
) -> (Vec<Signature<P>>, Vec<Signature<P>>)
where
    K: Signer<Signature<P>>
        + MultipartSigner<Signature<P>>
        + DigestSigner<shake::Shake256, Signature<P>>
        + RandomizedSigner<Signature<P>>
        + RandomizedMultipartSigner<Signature<P>>
        + RandomizedDigestSigner<shake::Shake256, Signature<P>>,
{
    let (head, tail) = message.split_at(message.len() / 3);
    let parts: &[&[u8]] = &[head, &[], tail];
    let rng = &mut Fixed(RND);
    let deterministic = vec![
        signer.sign(message),
        signer.multipart_sign(parts),
        signer.sign_digest(|hash| hash.update(message)),
    ];
    let hedged = vec![
        signer.sign_with_rng(rng, message),
        signer.multipart_sign_with_rng(rng, parts),
        signer.sign_digest_with_rng(rng, |hash| hash.update(message)),
    ];
    (deterministic, hedged)
}

/// All three verifying traits, which must agree.
fn verdict<P: MlDsaParams, K>(verifier: &K, message: &[u8], signature: &Signature<P>) -> bool
where
    K: Verifier<Signature<P>>
        + MultipartVerifier<Signature<P>>
        + DigestVerifier<shake::Shake256, Signature<P>>,
{
    let (head, tail) = message.split_at(message.len() / 2);
    let verdicts = [
        verifier.verify(message, signature).is_ok(),
        verifier.multipart_verify(&[head, tail], signature).is_ok(),
        verifier
            .verify_digest(
                |hash| {
                    hash.update(message);
                    Ok(())
                },
                signature,
            )
            .is_ok(),
    ];
    assert_eq!(verdicts, [verdicts[0]; 3]);
    verdicts[0]
}

fn a_key_with_a_context_agrees_with_the_method_that_takes_one<P: Set>() {
    let (key, public) = key_pair::<P>("context: agrees");
    let expanded = key.expanded_key();
    let mut data = Data::new("context: agrees, messages");
    for context_len in [0, 1, 2, 31, 32, 33, 135, 136, 254, 255] {
        let context = data.bytes(context_len);
        let message_len = data.below(300);
        let message = data.bytes(message_len);

        let plain = expanded.sign_deterministic(&message, &context).unwrap();
        let hedged = expanded
            .sign_randomized(&message, &context, &mut Fixed(RND))
            .unwrap();
        assert_ne!(plain, hedged);

        let all = (vec![plain.clone(); 3], vec![hedged.clone(); 3]);
        assert_eq!(
            signatures(&key.with_context(&context).unwrap(), &message),
            all
        );
        assert_eq!(
            signatures(&expanded.with_context(&context).unwrap(), &message),
            all
        );

        let verifier = public.with_context(&context).unwrap();
        for signature in [plain, hedged] {
            assert!(public.verify_with_context(&message, &context, &signature));
            assert!(verdict(&verifier, &message, &signature));
            assert!(!verdict(&verifier, b"another message", &signature));
        }
    }
}

fn the_empty_context_is_the_key_itself<P: Set>() {
    let (key, public) = key_pair::<P>("context: empty");
    let message = b"a message";
    let all = signatures::<P, _>(&key, message);
    assert_eq!(signatures(&key.with_context(b"").unwrap(), message), all);
    assert_eq!(signatures(key.expanded_key(), message), all);
    assert!(verdict(&public, message, &all.0[0]));
    assert!(verdict(
        &public.with_context(b"").unwrap(),
        message,
        &all.0[0]
    ));
}

fn a_signature_verifies_in_its_own_context_only<P: Set>() {
    let (key, public) = key_pair::<P>("context: own");
    // The last pair moves a byte between context and message, which the length byte tells apart.
    let contexts: [&[u8]; 6] = [b"", b"\0", b"a", b"b", b"aa", b"ab"];
    let message = b"b";
    for signed_in in contexts {
        let signature = key.with_context(signed_in).unwrap().sign(message);
        for verified_in in contexts {
            let verifier = public.with_context(verified_in).unwrap();
            assert_eq!(
                verdict(&verifier, message, &signature),
                signed_in == verified_in
            );
        }
    }
    let signature = key.with_context(b"ab").unwrap().sign(b"c");
    assert!(!verdict(
        &public.with_context(b"a").unwrap(),
        b"bc",
        &signature
    ));
    // Neither may M′ be mistaken for a message: sign_internal adds no domain separator.
    let internal = key
        .expanded_key()
        .sign_internal(&[b"\0\x01ab"], &[0; 32].into());
    assert!(verdict(
        &public.with_context(b"a").unwrap(),
        b"b",
        &internal
    ));
    assert!(!verdict(&public, b"\0\x01ab", &internal));
}

fn a_context_of_256_bytes_is_refused_before_anything_happens<P: Set>() {
    let (key, public) = key_pair::<P>("context: too long");
    let expanded = key.expanded_key();
    let message = b"message";
    for len in [256, 257, 511, 512, 65_536] {
        let context = vec![0; len];
        assert!(key.with_context(&context).is_err());
        assert!(expanded.with_context(&context).is_err());
        assert!(public.with_context(&context).is_err());
        assert!(expanded.sign_deterministic(message, &context).is_err());
        assert!(
            expanded
                .sign_randomized(message, &context, &mut Untouched)
                .is_err()
        );
        assert!(MuBuilder::new(&public, &context).is_err());
        assert!(MuBuilder::from_encoded_key::<P>(&public.encode(), &context).is_err());

        let called = Cell::new(false);
        let mu = public.compute_mu(
            |_| {
                called.set(true);
                Ok(())
            },
            &context,
        );
        assert!(mu.is_err() && !called.get());

        // The length byte would be that of a context which is short enough.
        let short = &context[..len % 256];
        let signature = expanded.sign_deterministic(message, short).unwrap();
        assert!(public.verify_with_context(message, short, &signature));
        assert!(!public.verify_with_context(message, &context, &signature));
    }
}

fn a_generator_that_fails_signs_nothing<P: Set>() {
    fn attempts<P: MlDsaParams, K>(signer: &K) -> [Result<Signature<P>, Error>; 3]
    where
        K: RandomizedSigner<Signature<P>>
            + RandomizedMultipartSigner<Signature<P>>
            + RandomizedDigestSigner<shake::Shake256, Signature<P>>,
    {
        [
            signer.try_sign_with_rng(&mut Broken, b"message"),
            signer.try_multipart_sign_with_rng(&mut Broken, &[b"message"]),
            signer.try_sign_digest_with_rng(&mut Broken, |hash| {
                hash.update(b"message");
                Ok(())
            }),
        ]
    }
    let (key, _) = key_pair::<P>("context: broken");
    let expanded = key.expanded_key();
    let all = [
        attempts::<P, _>(&key),
        attempts::<P, _>(expanded),
        attempts::<P, _>(&key.with_context(b"a").unwrap()),
        attempts::<P, _>(&expanded.with_context(b"a").unwrap()),
    ];
    assert!(all.iter().flatten().all(Result::is_err));
}

fn a_context_shows_its_parts_and_no_secret<P: Set>() {
    let (key, public) = key_pair::<P>("context: parts");
    let context = key.with_context(b"abc").unwrap();
    assert_eq!(context.value(), b"abc");
    assert!(core::ptr::eq(context.key(), &key));
    let copy = context;
    assert_eq!(
        format!("{copy:?}"),
        "Context { key: SigningKey { .. }, value: [97, 98, 99] }"
    );
    let verifier = public.with_context(b"abc").unwrap();
    assert!(format!("{verifier:?}").contains(&hex::encode(public.encode())));
}

/// The bounds that generic code writes hold for every parameter set, not only for known ones.
#[test]
fn generic_code_takes_keys_and_contexts_alike() {
    fn round_trip<P: MlDsaParams>(
        signer: &(impl Signer<Signature<P>> + MultipartSigner<Signature<P>>),
        verifier: &(impl Verifier<Signature<P>> + MultipartVerifier<Signature<P>>),
    ) -> Result<(), Error> {
        verifier.verify(b"message", &signer.try_sign(b"message")?)?;
        verifier.multipart_verify(&[b"mess", b"age"], &signer.multipart_sign(&[b"message"]))
    }
    fn keys<P: MlDsaParams>() {
        let key = SigningKey::<P>::from_seed(&[1; 32].into());
        let expanded = ExpandedSigningKey::<P>::from_seed(&[1; 32].into());
        let public: VerifyingKey<P> = key.verifying_key();
        let in_context = public.with_context(b"c").unwrap();
        round_trip(&key, &public).unwrap();
        round_trip(&expanded, &public).unwrap();
        round_trip(&key.with_context(b"c").unwrap(), &in_context).unwrap();
        round_trip(&expanded.with_context(b"c").unwrap(), &in_context).unwrap();
        round_trip(&key, &in_context).unwrap_err();
    }
    keys::<mldsa_simd::MlDsa44>();
    keys::<mldsa_simd::MlDsa65>();
    keys::<mldsa_simd::MlDsa87>();
}
