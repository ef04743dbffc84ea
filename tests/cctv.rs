//! C2SP/CCTV for ML-DSA: the digest of ten thousand keys and signatures of each parameter set, and
//! the messages whose signatures need a representative number of attempts.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;
mod spec;
mod support;
mod vectors;

use mldsa_simd::signature::{Signer, Verifier};
use mldsa_simd::{B32, ExpandedSigningKey, Keypair, MlDsa44, MlDsa65, MlDsa87, Seed, SigningKey};
use shake::{ExtendableOutput, Shake128, Update, XofReader};
use support::Set;

/// The digest after 100 rounds, and after 10 000; the first alone where `common::rounds` allows fewer.
fn accumulate<P: Set>(after_100: &str, after_10_000: &str) {
    let rounds = common::rounds(10_000).max(100);
    let mut seeds = Shake128::default().finalize_xof();
    let mut digest = Shake128::default();
    for round in 1..=rounds {
        let mut seed = Seed::default();
        seeds.read(&mut seed);
        let key = SigningKey::<P>::from_seed(&seed);
        let signature = key.sign(&[]);
        let pk = key.verifying_key();
        // No outside witness is needed for this, but ten thousand signatures are at hand.
        assert!(pk.verify(&[], &signature).is_ok(), "round {round}");
        digest.update(&pk.encode());
        digest.update(&signature.encode());
        if round == 100 || round == 10_000 {
            let mut first = [0; 32];
            digest.clone().finalize_xof().read(&mut first);
            let expected = if round == 100 {
                after_100
            } else {
                after_10_000
            };
            assert_eq!(hex::encode(first), expected, "after {round} rounds");
        }
    }
    vectors::say(&format!("CCTV accumulated {} {rounds}", P::SPEC.name));
}

#[test]
fn ten_thousand_keys_and_signatures_of_ml_dsa_44_have_the_digest_of_cctv() {
    accumulate::<MlDsa44>(
        "d51148e1f9f4fa1a723a6cf42e25f2a99eb5c1b378b3d2dbbd561b1203beeae4",
        "e7fd21f6a59bcba60d65adc44404bb29a7c00e5d8d3ec06a732c00a306a7d143",
    );
}

#[test]
fn ten_thousand_keys_and_signatures_of_ml_dsa_65_have_the_digest_of_cctv() {
    accumulate::<MlDsa65>(
        "8358a1843220194417cadbc2651295cd8fc65125b5a5c1a239a16dc8b57ca199",
        "5ff5e196f0b830c3b10a9eb5358e7c98a3a20136cb677f3ae3b90175c3ace329",
    );
}

#[test]
fn ten_thousand_keys_and_signatures_of_ml_dsa_87_have_the_digest_of_cctv() {
    accumulate::<MlDsa87>(
        "8c3ad714777622b8f21ce31bb35f71394f23bc0fcf3c78ace5d608990f3b061b",
        "80a8cf39317f7d0be0e24972c51ac152bd2a3e09bc0c32ce29dd82c4e7385e60",
    );
}

/// Signs the messages of a set with the key from the all-zero seed.
fn message_set<P: Set>(messages: usize, attempts: usize) {
    let what = format!("CCTV messages {}", P::SPEC.name);
    let Some(file) = vectors::json(&what, &format!("cctv/{}.json", P::SPEC.name)) else {
        return;
    };
    let key = SigningKey::<P>::from_seed(&Seed::default());
    let expanded = ExpandedSigningKey::<P>::from_seed(&Seed::default());
    let pk = key.verifying_key();
    let (spec_pk, spec_sk) = spec::key_gen_internal(P::SPEC, &[0; 32]);
    assert!(pk.encode()[..] == spec_pk);

    let mut needed = 0;
    let list = file.as_array().unwrap();
    for message in list {
        let message = message.as_str().unwrap().as_bytes();
        let signature = key.sign(message);
        assert!(pk.verify(message, &signature).is_ok());
        assert!(pk.verify(&message[1..], &signature).is_err());
        let m_prime = [&[0, 0], message].concat();
        assert!(expanded.sign_internal(&[&m_prime], &B32::default()) == signature);

        let mu = spec::h(&[spec::h(&spec_pk, 64), m_prime].concat(), 64);
        let by_oracle = spec::sign_mu(P::SPEC, &spec_sk, &mu, &[0; 32]);
        assert!(signature.encode()[..] == by_oracle.sigma);
        needed += by_oracle.attempts;
    }
    assert_eq!((list.len(), needed), (messages, attempts));
    vectors::say(&format!("{what} {messages}, {attempts} attempts"));
}

#[test]
fn the_messages_of_cctv_are_signed_as_the_oracle_signs_them() {
    message_set::<MlDsa44>(188, 818);
    message_set::<MlDsa65>(147, 755);
    message_set::<MlDsa87>(114, 445);
}
