//! NIST's ACVP samples for FIPS 204: key generation, signing and verification, all cases.
//!
//! HashML-DSA has no interface in the crate yet: its cases go through the internal one, which
//! signs the formatted message M′.
#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(deprecated, reason = "the vectors give expanded private keys")]

mod spec;
mod support;
mod vectors;

use mldsa_simd::{
    B32, EncodedVerifyingKey, ExpandedSigningKey, ExpandedSigningKeyBytes, Keypair, MlDsa44,
    MlDsa65, MlDsa87, MlDsaParams, Signature, SigningKey, VerifyingKey,
};
use support::Given;
use vectors::Tally;
use vectors::acvp::{self, INCONSISTENT, KeyGen, Message, SigGen, SigVer};

const SETS: [&str; 3] = ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"];
const INTERFACES: [&str; 4] = ["external", "internal", "external mu", "pre-hash"];

/// Calls a function for the parameter set that the string names.
macro_rules! with_set {
    ($set:expr, $run:ident($($argument:expr),*)) => {
        match $set {
            "ML-DSA-44" => $run::<MlDsa44>($($argument),*),
            "ML-DSA-65" => $run::<MlDsa65>($($argument),*),
            "ML-DSA-87" => $run::<MlDsa87>($($argument),*),
            other => panic!("parameter set {other}"),
        }
    };
}

#[test]
fn key_generation_gives_the_keys_of_acvp() {
    let Some(cases) = acvp::key_gen() else { return };
    let mut tally = Tally::default();
    for case in &cases {
        with_set!(&*case.set, key_gen(case));
        tally.count(&case.set);
    }
    assert_eq!(tally, SETS.into_iter().map(|set| (set, 25)).collect());
    vectors::say("ACVP keyGen 75");
}

fn key_gen<P: MlDsaParams>(case: &KeyGen) {
    let seed = B32::try_from(&case.seed[..]).unwrap();
    let key = SigningKey::<P>::from_seed(&seed);
    assert!(
        key.verifying_key().encode()[..] == case.pk,
        "tcId {}",
        case.id
    );
    let expanded = ExpandedSigningKey::<P>::from_seed(&seed);
    assert!(expanded.to_expanded()[..] == case.sk, "tcId {}", case.id);
    assert!(
        expanded.verifying_key() == key.verifying_key(),
        "tcId {}",
        case.id
    );
}

#[test]
fn signing_gives_the_signatures_of_acvp() {
    let Some(cases) = acvp::sig_gen() else { return };
    let mut tally = Tally::default();
    for case in &cases {
        with_set!(&*case.set, sig_gen(case));
        let hedging = if case.rnd.is_some() {
            "hedged"
        } else {
            "deterministic"
        };
        tally.count(format!(
            "{} {} {hedging}",
            case.set,
            case.message.interface()
        ));
    }
    let kinds = SETS.into_iter().flat_map(|set| {
        INTERFACES.into_iter().flat_map(move |interface| {
            ["deterministic", "hedged"].map(|hedging| (format!("{set} {interface} {hedging}"), 15))
        })
    });
    assert_eq!(tally, kinds.collect());
    vectors::say(
        "ACVP sigGen 270, and 90 pre-hash through the internal interface \
         (one of these, tcId 16, is inconsistent in itself)",
    );
}

fn sig_gen<P: MlDsaParams>(case: &SigGen) {
    let sk = ExpandedSigningKeyBytes::<P>::try_from(&case.sk[..]).unwrap();
    let key = ExpandedSigningKey::<P>::from_expanded(&sk);
    assert!(key.to_expanded() == sk, "tcId {}", case.id);
    assert!(
        key.verifying_key().encode()[..] == case.pk,
        "tcId {}",
        case.id
    );

    let signature = sign(&key, case);
    assert!(
        verify(&key.verifying_key(), &case.message, &signature),
        "tcId {}",
        case.id
    );
    if case.id == INCONSISTENT {
        let published = Signature::<P>::try_from(&case.signature[..]).unwrap();
        assert!(!verify(&key.verifying_key(), &case.message, &published));
    } else {
        assert!(signature.encode()[..] == case.signature, "tcId {}", case.id);
    }
}

fn sign<P: MlDsaParams>(key: &ExpandedSigningKey<P>, case: &SigGen) -> Signature<P> {
    let rnd_or_zero = B32::from(case.rnd.unwrap_or_default());
    match (&case.message, &case.rnd) {
        (Message::External { message, context }, None) => {
            key.sign_deterministic(message, context).unwrap()
        }
        (Message::External { message, context }, Some(rnd)) => key
            .sign_randomized(message, context, &mut Given(rnd))
            .unwrap(),
        (
            Message::PreHash {
                message,
                context,
                hash,
            },
            _,
        ) => {
            let ph = spec::PreHash::named(hash);
            key.sign_internal(&[&spec::hash_message(message, context, ph)], &rnd_or_zero)
        }
        (Message::Internal(message), _) => {
            // In one part and in several.
            let signature = key.sign_internal(&[message], &rnd_or_zero);
            let (start, end) = message.split_at(message.len() / 2);
            assert!(key.sign_internal(&[start, &[], end], &rnd_or_zero) == signature);
            signature
        }
        (Message::Mu(mu), None) => key.sign_mu_deterministic(&mu[..].try_into().unwrap()),
        (Message::Mu(mu), Some(rnd)) => key
            .sign_mu_randomized(&mu[..].try_into().unwrap(), &mut Given(rnd))
            .unwrap(),
    }
}

#[test]
fn verification_gives_the_verdicts_of_acvp() {
    let Some(cases) = acvp::sig_ver() else { return };
    let (mut tally, mut reasons) = (Tally::default(), Tally::default());
    for case in &cases {
        with_set!(&*case.set, sig_ver(case));
        tally.count(format!("{} {}", case.set, case.message.interface()));
        reasons.count(&case.reason);
    }
    let kinds = SETS.into_iter().flat_map(|set| {
        INTERFACES
            .into_iter()
            .map(move |interface| (format!("{set} {interface}"), 15))
    });
    assert_eq!(tally, kinds.collect());
    let expected = [
        ("modified message", 36),
        ("modified signature - commitment", 36),
        ("modified signature - hint", 36),
        ("modified signature - z", 36),
        (
            "valid signature and message - signature should verify successfully",
            36,
        ),
    ];
    assert_eq!(reasons, expected.into_iter().collect());
    vectors::say("ACVP sigVer 135, and 45 pre-hash through the internal interface");
}

fn sig_ver<P: MlDsaParams>(case: &SigVer) {
    let pk = EncodedVerifyingKey::<P>::try_from(&case.pk[..]).unwrap();
    let key = VerifyingKey::<P>::decode(&pk);
    assert!(key.encode() == pk, "tcId {}", case.id);
    let valid = Signature::<P>::try_from(&case.signature[..])
        .is_ok_and(|signature| verify(&key, &case.message, &signature));
    assert_eq!(valid, case.passed, "tcId {}: {}", case.id, case.reason);
}

fn verify<P: MlDsaParams>(
    key: &VerifyingKey<P>,
    message: &Message,
    signature: &Signature<P>,
) -> bool {
    match message {
        Message::External { message, context } => {
            key.verify_with_context(message, context, signature)
        }
        Message::PreHash {
            message,
            context,
            hash,
        } => {
            let ph = spec::PreHash::named(hash);
            key.verify_internal(&spec::hash_message(message, context, ph), signature)
        }
        Message::Internal(message) => key.verify_internal(message, signature),
        Message::Mu(mu) => key.verify_mu(&mu[..].try_into().unwrap(), signature),
    }
}
