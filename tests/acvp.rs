//! NIST's ACVP samples for FIPS 204: key generation, signing and verification, all cases.
//!
//! Without the feature `hash-ml-dsa`, the cases of HashML-DSA go through the internal interface
//! alone, which signs the formatted message M′.
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
        "ACVP sigGen 270, and 90 pre-hash (one of these, tcId 16, is inconsistent in itself)",
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
    #[cfg(feature = "hash-ml-dsa")]
    if let Message::PreHash {
        message,
        context,
        hash,
    } = &case.message
    {
        let rnd = case.rnd.as_ref();
        let hashed = with_hash!(hash.as_str(), hash_sign<P>(&key, message, context, rnd));
        assert!(hashed == signature, "tcId {}", case.id);
    }
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
            let m_prime = spec::hash_message(message, context, ph);
            key.sign_internal(&[&m_prime], &rnd_or_zero)
        }
        (Message::Internal(message), _) => {
            // In one part and in several.
            let signature = key.sign_internal(&[message], &rnd_or_zero);
            let (start, end) = message.split_at(message.len() >> 1);
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
    vectors::say("ACVP sigVer 135, and 45 pre-hash");
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
            let m_prime = spec::hash_message(message, context, ph);
            let valid = key.verify_internal(&m_prime, signature);
            #[cfg(feature = "hash-ml-dsa")]
            assert_eq!(
                with_hash!(hash.as_str(), hash_verify<P>(key, message, context, signature)),
                valid
            );
            valid
        }
        Message::Internal(message) => key.verify_internal(message, signature),
        Message::Mu(mu) => key.verify_mu(&mu[..].try_into().unwrap(), signature),
    }
}

#[cfg(feature = "hash-ml-dsa")]
use hash_ml_dsa::{hash_sign, hash_verify, with_hash};

/// HashML-DSA by its own interface.
#[cfg(feature = "hash-ml-dsa")]
mod hash_ml_dsa {
    use super::Given;
    use mldsa_simd::signature::{RandomizedSigner, Signer, Verifier};
    use mldsa_simd::{ExpandedSigningKey, MlDsaParams, PreHash, Signature, VerifyingKey};

    /// Calls a function for the hash function that the string names.
    macro_rules! with_hash {
        ($name:expr, $run:ident<$p:ident>($($argument:expr),*)) => {
            match $name {
                "SHA2-224" => $run::<$p, sha2::Sha224>($($argument),*),
                "SHA2-256" => $run::<$p, sha2::Sha256>($($argument),*),
                "SHA2-384" => $run::<$p, sha2::Sha384>($($argument),*),
                "SHA2-512" => $run::<$p, sha2::Sha512>($($argument),*),
                "SHA2-512/224" => $run::<$p, sha2::Sha512_224>($($argument),*),
                "SHA2-512/256" => $run::<$p, sha2::Sha512_256>($($argument),*),
                "SHA3-224" => $run::<$p, sha3::Sha3_224>($($argument),*),
                "SHA3-256" => $run::<$p, sha3::Sha3_256>($($argument),*),
                "SHA3-384" => $run::<$p, sha3::Sha3_384>($($argument),*),
                "SHA3-512" => $run::<$p, sha3::Sha3_512>($($argument),*),
                "SHAKE-128" => $run::<$p, shake::Shake128>($($argument),*),
                "SHAKE-256" => $run::<$p, shake::Shake256>($($argument),*),
                other => panic!("hash {other}"),
            }
        };
    }
    pub(super) use with_hash;

    pub(super) fn hash_sign<P: MlDsaParams, D: PreHash>(
        key: &ExpandedSigningKey<P>,
        message: &[u8],
        context: &[u8],
        rnd: Option<&[u8; 32]>,
    ) -> Signature<P> {
        let signer = key.with_context(context).unwrap().hash_ml_dsa::<D>();
        match rnd {
            None => signer.sign(message),
            Some(rnd) => signer.sign_with_rng(&mut Given(rnd), message),
        }
    }

    pub(super) fn hash_verify<P: MlDsaParams, D: PreHash>(
        key: &VerifyingKey<P>,
        message: &[u8],
        context: &[u8],
        signature: &Signature<P>,
    ) -> bool {
        let verifier = key.with_context(context).unwrap().hash_ml_dsa::<D>();
        verifier.verify(message, signature).is_ok()
    }
}
