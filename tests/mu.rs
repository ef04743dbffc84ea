//! External μ: computed in pieces, from the key or from its bytes, it is the μ of the message.
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
use generators::Fixed;
use mldsa_simd::signature::digest::Update;
use mldsa_simd::{Error, MuBuilder, Signer, Verifier};
use shake::{ExtendableOutput, Shake256, XofReader};

for_each_set!(
    mu_in_pieces_is_mu_in_one_piece,
    mu_is_the_hash_that_the_standard_says,
    signing_mu_is_signing_the_message,
    another_key_context_or_message_has_another_mu,
    an_error_of_the_closure_is_handed_on,
);

/// H(tr ‖ 0 ‖ |ctx| ‖ ctx ‖ M, 64) with another SHAKE256.
fn reference(public: &[u8], context: &[u8], message: &[u8]) -> [u8; 64] {
    let hash = |parts: &[&[u8]]| {
        let mut shake = Shake256::default();
        parts.iter().for_each(|part| shake.update(part));
        let mut out = [0; 64];
        shake.finalize_xof().read(&mut out);
        out
    };
    let len = u8::try_from(context.len()).expect("at most 255 bytes");
    hash(&[&hash(&[public]), &[0, len], context, message])
}

fn mu_is_the_hash_that_the_standard_says<P: Set>() {
    let (_, public) = key_pair::<P>("mu: reference");
    let mut data = Data::new("mu: reference, messages");
    for (context_len, message_len) in [(0, 0), (0, 1), (1, 0), (69, 1), (70, 1000), (255, 137)] {
        let (context, message) = (data.bytes(context_len), data.bytes(message_len));
        let mu = MuBuilder::new(&public, &context)
            .unwrap()
            .chain(&message)
            .finalize();
        assert_eq!(mu.0, reference(&public.encode(), &context, &message));
    }
}

fn mu_in_pieces_is_mu_in_one_piece<P: Set>() {
    let (_, public) = key_pair::<P>("mu: pieces");
    let encoded = public.encode();
    let mut data = Data::new("mu: pieces, messages");
    for round in 0..50 {
        let context_len = data.below(256);
        let context = data.bytes(context_len);
        let len = if round == 0 { 0 } else { data.below(2000) };
        let message = data.bytes(len);
        let expected = public
            .compute_mu(
                |hash| {
                    hash.update(&message);
                    Ok(())
                },
                &context,
            )
            .unwrap();

        let mut of_key = MuBuilder::new(&public, &context).unwrap();
        let mut of_bytes = MuBuilder::from_encoded_key::<P>(&encoded, &context).unwrap();
        let mut rest = &message[..];
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(data.below(rest.len().min(400) + 1));
            of_key.update(piece);
            Update::update(&mut of_bytes, piece);
            rest = after;
        }
        assert_eq!(of_key.clone().finalize(), expected);
        assert_eq!(of_bytes.finalize(), expected);
        // The clone did not disturb the builder.
        assert_eq!(of_key.finalize(), expected);
        let chained = MuBuilder::new(&public, &context)
            .unwrap()
            .chain(&message)
            .chain(b"");
        assert_eq!(chained.finalize(), expected);
    }
}

fn signing_mu_is_signing_the_message<P: Set>() {
    let (key, public) = key_pair::<P>("mu: sign");
    let expanded = key.expanded_key();
    let mut data = Data::new("mu: sign, messages");
    for (context_len, message_len) in [(0, 0), (0, 500), (255, 0), (17, 3)] {
        let (context, message) = (data.bytes(context_len), data.bytes(message_len));
        let mu = MuBuilder::from_encoded_key::<P>(&public.encode(), &context)
            .unwrap()
            .chain(&message)
            .finalize();

        let signature = expanded.sign_mu_deterministic(&mu);
        assert_eq!(
            signature,
            key.with_context(&context).unwrap().sign(&message)
        );
        public
            .with_context(&context)
            .unwrap()
            .verify(&message, &signature)
            .unwrap();
        assert!(public.verify_mu(&mu, &signature));

        let rnd = data.array();
        let hedged = expanded.sign_mu_randomized(&mu, &mut Fixed(rnd)).unwrap();
        let by_message = expanded
            .sign_randomized(&message, &context, &mut Fixed(rnd))
            .unwrap();
        assert_eq!(hedged, by_message);
        assert_ne!(hedged, signature);
        assert!(public.verify_mu(&mu, &hedged));
        assert!(public.verify_with_context(&message, &context, &hedged));

        // rnd = 0³² is the deterministic variant.
        assert_eq!(
            expanded
                .sign_mu_randomized(&mu, &mut Fixed([0; 32]))
                .unwrap(),
            signature
        );
    }
}

fn another_key_context_or_message_has_another_mu<P: Set>() {
    let (key, public) = key_pair::<P>("mu: one");
    let (_, other) = key_pair::<P>("mu: other");
    let mu = |key, context: &[u8], message: &[u8]| {
        MuBuilder::new(key, context)
            .unwrap()
            .chain(message)
            .finalize()
    };
    let right = mu(&public, b"c", b"m");
    let signature = key.expanded_key().sign_mu_deterministic(&right);
    assert!(public.verify_mu(&right, &signature));
    let wrong = [
        mu(&other, b"c", b"m"),
        mu(&public, b"d", b"m"),
        mu(&public, b"c", b"n"),
        mu(&public, b"", b"cm"),
        mu(&public, b"cm", b""),
    ];
    for mu in wrong {
        assert!(!public.verify_mu(&mu, &signature));
    }
    for byte in 0..64 {
        let mut mu = right;
        mu[byte] ^= 0x80;
        assert!(!public.verify_mu(&mu, &signature), "byte {byte}");
    }
    assert!(!other.verify_mu(&right, &signature));
}

fn an_error_of_the_closure_is_handed_on<P: Set>() {
    use mldsa_simd::signature::{DigestSigner, DigestVerifier, RandomizedDigestSigner};
    let (key, public) = key_pair::<P>("mu: closure");
    let signature = key.sign(b"");
    assert!(public.compute_mu(|_| Err(Error::new()), b"").is_err());
    assert!(
        key.try_sign_digest(|_: &mut Shake256| Err(Error::new()))
            .is_err()
    );
    let rng = &mut Fixed([1; 32]);
    assert!(
        key.try_sign_digest_with_rng(rng, |_: &mut Shake256| Err(Error::new()))
            .is_err()
    );
    assert!(
        public
            .verify_digest(|_: &mut Shake256| Ok(()), &signature)
            .is_ok()
    );
    assert!(
        public
            .verify_digest(|_: &mut Shake256| Err(Error::new()), &signature)
            .is_err()
    );
}

#[test]
fn the_builder_shows_nothing() {
    let (_, public) = key_pair::<mldsa_simd::MlDsa44>("mu: debug");
    let builder = MuBuilder::new(&public, b"").unwrap().chain(b"message");
    assert_eq!(format!("{builder:?}"), "MuBuilder { .. }");
}
