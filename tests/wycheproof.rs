//! C2SP's Wycheproof for ML-DSA: all cases of the nine files, by the crate and by the oracle.
#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(deprecated, reason = "the vectors give expanded private keys")]

mod spec;
mod support;
mod vectors;

use mldsa_simd::pkcs8::{
    DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, der::AnyRef,
    spki::AssociatedAlgorithmIdentifier,
};
use mldsa_simd::{
    B32, EncodedVerifyingKey, ExpandedSigningKey, ExpandedSigningKeyBytes, Keypair, MlDsa44,
    MlDsa65, MlDsa87, Seed, Signature, Signer, SigningKey, Verifier, VerifyingKey,
};
use serde_json::Value;
use support::{Given, Set};
use vectors::{Tally, hex, list, maybe_hex, str};

/// A parameter set whose keys have DER forms.
trait DerSet: Set + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>> {}
impl<P: Set + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>> DerSet for P {}

/// The flags of a file with the number of valid and invalid cases that carry each.
type Flags = &'static [(&'static str, usize, usize)];

/// Runs a function on every case of a file, checks how many there were of each kind, and says so.
fn run(file: &str, cases: usize, flags: Flags, case: impl Fn(&Value, &Value, bool)) {
    let path = format!("wycheproof/mldsa_{file}_test.json.gz");
    let what = format!("Wycheproof {file}");
    let Some(json) = vectors::json(&what, &path) else {
        return;
    };
    let mut ran = 0;
    let mut tally = Tally::default();
    for group in list(&json, "testGroups") {
        for test in list(group, "tests") {
            let valid = match str(test, "result") {
                "valid" => true,
                "invalid" => false,
                other => panic!("result {other}"),
            };
            case(group, test, valid);
            ran += 1;
            let names = list(test, "flags")
                .iter()
                .map(|flag| flag.as_str().unwrap());
            let names: Vec<_> = names.collect();
            for name in if names.is_empty() {
                vec![NO_FLAG]
            } else {
                names
            } {
                tally.count(format!("{name} {}", str(test, "result")));
            }
        }
    }
    assert_eq!(ran, cases);
    let expected = flags.iter().flat_map(|&(flag, valid, invalid)| {
        [
            (format!("{flag} valid"), valid),
            (format!("{flag} invalid"), invalid),
        ]
    });
    assert_eq!(tally, expected.filter(|&(_, count)| count > 0).collect());
    vectors::say(&format!("{what} {ran}"));
}

/// Stands for the flags of a case that has none.
const NO_FLAG: &str = "(no flag)";

fn has_flag(test: &Value, name: &str) -> bool {
    list(test, "flags").iter().any(|flag| flag == name)
}

#[test]
fn keys_from_seeds_sign_as_wycheproof_says() {
    run(
        "44_sign_seed",
        86,
        &[
            ("BoundaryCondition", 29, 0),
            ("IncorrectPrivateKeyLength", 0, 3),
            ("Internal", 8, 0),
            ("InvalidContext", 0, 1),
            ("ManySteps", 46, 0),
            ("Randomized", 1, 0),
            ("ValidSignature", 69, 0),
        ],
        sign_seed::<MlDsa44>,
    );
    run(
        "65_sign_seed",
        105,
        &[
            ("BoundaryCondition", 29, 0),
            ("IncorrectPrivateKeyLength", 0, 3),
            ("Internal", 17, 0),
            ("InvalidContext", 0, 1),
            ("ManySteps", 53, 0),
            ("Randomized", 1, 0),
            ("ValidSignature", 88, 0),
        ],
        sign_seed::<MlDsa65>,
    );
    run(
        "87_sign_seed",
        96,
        &[
            ("BoundaryCondition", 29, 0),
            ("IncorrectPrivateKeyLength", 0, 3),
            ("Internal", 17, 0),
            ("InvalidContext", 0, 1),
            ("ManySteps", 44, 0),
            ("Randomized", 1, 0),
            ("ValidSignature", 79, 0),
        ],
        sign_seed::<MlDsa87>,
    );
}

fn sign_seed<P: DerSet>(group: &Value, test: &Value, valid: bool) {
    let seed = hex(group, "privateSeed");
    let der = maybe_hex(group, "privateKeyPkcs8");
    let Ok(seed) = Seed::try_from(&seed[..]) else {
        assert!(!valid && has_flag(test, "IncorrectPrivateKeyLength"));
        // The file gives an empty encoding for a key that has none.
        assert!(SigningKey::<P>::from_pkcs8_der(&der.unwrap()).is_err());
        return;
    };
    let key = SigningKey::<P>::from_seed(&seed);
    if let Some(der) = der {
        assert!(SigningKey::<P>::from_pkcs8_der(&der).unwrap() == key);
        assert!(ExpandedSigningKey::<P>::from_pkcs8_der(&der).is_ok());
        assert!(key.to_pkcs8_der().unwrap().as_bytes() == der);
    }
    assert!(key.verifying_key().encode()[..] == hex(group, "publicKey"));

    let expanded = ExpandedSigningKey::<P>::from_seed(&seed);
    sign(&expanded, test, valid);
    // The traits sign with an empty context.
    if valid
        && maybe_hex(test, "ctx").is_none_or(|ctx| ctx.is_empty())
        && let (Some(msg), None) = (maybe_hex(test, "msg"), maybe_hex(test, "rnd"))
    {
        assert!(key.sign(&msg).encode()[..] == hex(test, "sig"));
        assert!(expanded.sign(&msg).encode()[..] == hex(test, "sig"));
    }
}

#[test]
fn expanded_keys_sign_as_wycheproof_says() {
    run(
        "44_sign_noseed",
        73,
        &[
            ("BoundaryCondition", 17, 0),
            ("IncorrectPrivateKeyLength", 0, 2),
            ("Internal", 7, 0),
            ("InvalidContext", 0, 1),
            ("InvalidPrivateKey", 0, 2),
            ("ManySteps", 46, 0),
            ("Randomized", 1, 0),
            ("ValidSignature", 68, 0),
        ],
        sign_noseed::<MlDsa44>,
    );
    run(
        "65_sign_noseed",
        78,
        &[
            ("BoundaryCondition", 15, 0),
            ("IncorrectPrivateKeyLength", 0, 2),
            ("Internal", 10, 0),
            ("InvalidContext", 0, 1),
            ("InvalidPrivateKey", 0, 2),
            ("ManySteps", 53, 0),
            ("Randomized", 1, 0),
            ("ValidSignature", 73, 0),
        ],
        sign_noseed::<MlDsa65>,
    );
    run(
        "87_sign_noseed",
        69,
        &[
            ("BoundaryCondition", 15, 0),
            ("IncorrectPrivateKeyLength", 0, 2),
            ("Internal", 10, 0),
            ("InvalidContext", 0, 1),
            ("InvalidPrivateKey", 0, 2),
            ("ManySteps", 44, 0),
            ("Randomized", 1, 0),
            ("ValidSignature", 64, 0),
        ],
        sign_noseed::<MlDsa87>,
    );
}

fn sign_noseed<P: DerSet>(group: &Value, test: &Value, valid: bool) {
    let bytes = hex(group, "privateKey");
    let Ok(bytes) = ExpandedSigningKeyBytes::<P>::try_from(&bytes[..]) else {
        assert!(!valid && has_flag(test, "IncorrectPrivateKeyLength"));
        return;
    };
    let checked = ExpandedSigningKey::<P>::try_from_expanded(&bytes);
    if has_flag(test, "InvalidPrivateKey") {
        assert!(!valid && checked.is_err(), "{}", test["comment"]);
        return;
    }
    let key = checked.unwrap();
    assert!(ExpandedSigningKey::from_expanded(&bytes) == key);
    assert!(key.to_expanded() == bytes);
    if let Some(pk) = maybe_hex(group, "publicKey") {
        assert!(key.verifying_key().encode()[..] == pk);
    }
    sign(&key, test, valid);
}

/// Signs in every way that a case allows.
fn sign<P: DerSet>(key: &ExpandedSigningKey<P>, test: &Value, valid: bool) {
    let id = &test["tcId"];
    let (msg, mu) = (maybe_hex(test, "msg"), maybe_hex(test, "mu"));
    let ctx = maybe_hex(test, "ctx").unwrap_or_default();
    let rnd = maybe_hex(test, "rnd");
    assert_eq!(rnd.is_some(), has_flag(test, "Randomized"));
    assert_eq!(msg.is_none(), has_flag(test, "Internal"));
    let rnd = rnd.map(|rnd| B32::try_from(&rnd[..]).unwrap());
    let verifying_key = key.verifying_key();

    if !valid {
        assert!(has_flag(test, "InvalidContext"));
        let msg = msg.unwrap();
        assert!(key.sign_deterministic(&msg, &ctx).is_err());
        assert!(key.sign_randomized(&msg, &ctx, &mut Given(&[])).is_err());
        assert!(verifying_key.compute_mu(|_| Ok(()), &ctx).is_err());
        return;
    }

    let sig = hex(test, "sig");
    // Each signature comes in two ways at least: message, μ, and the internal interface.
    let mut signatures = vec![];
    if let Some(msg) = &msg {
        signatures.push(match &rnd {
            None => key.sign_deterministic(msg, &ctx).unwrap(),
            Some(rnd) => key.sign_randomized(msg, &ctx, &mut Given(rnd)).unwrap(),
        });
        let prefix = [0, u8::try_from(ctx.len()).unwrap()];
        signatures.push(key.sign_internal(&[&prefix, &ctx, msg], &rnd.unwrap_or_default()));
        if let Some(mu) = &mu {
            let computed = verifying_key.compute_mu(
                |shake| {
                    shake::Update::update(shake, msg);
                    Ok(())
                },
                &ctx,
            );
            assert!(computed.unwrap()[..] == *mu, "tcId {id}");
        }
    }
    if let Some(mu) = &mu {
        let mu = mu[..].try_into().unwrap();
        signatures.push(match &rnd {
            None => key.sign_mu_deterministic(&mu),
            Some(rnd) => key.sign_mu_randomized(&mu, &mut Given(rnd)).unwrap(),
        });
        assert!(verifying_key.verify_mu(&mu, &signatures[0]), "tcId {id}");
    }
    assert!(!signatures.is_empty());
    for signature in &signatures {
        assert!(signature.encode()[..] == sig, "tcId {id}");
    }
    if let Some(msg) = &msg {
        assert!(
            verifying_key.verify_with_context(msg, &ctx, &signatures[0]),
            "tcId {id}"
        );
    }

    let sk = key.to_expanded();
    let rnd = rnd.unwrap_or_default().into();
    let by_oracle = match (&msg, &mu) {
        (Some(msg), _) => spec::sign(P::SPEC, &sk, msg, &ctx, Some(rnd)).unwrap(),
        (None, Some(mu)) => spec::sign_mu(P::SPEC, &sk, mu, &rnd).sigma,
        (None, None) => panic!("neither message nor mu"),
    };
    assert!(by_oracle == sig, "tcId {id}");
}

#[test]
fn signatures_verify_as_wycheproof_says() {
    run(
        "44_verify",
        180,
        &[
            (NO_FLAG, 0, 1),
            ("BoundaryCondition", 26, 35),
            ("IncorrectPublicKeyLength", 0, 4),
            ("IncorrectSignatureLength", 0, 3),
            ("InfinityNormViolation", 0, 42),
            ("InvalidContext", 0, 5),
            ("InvalidHintsEncoding", 0, 8),
            ("InvalidPrivateKey", 2, 0),
            ("InvalidSignature", 0, 33),
            ("ManySteps", 44, 0),
            ("ModifiedSignature", 0, 7),
            ("ValidSignature", 64, 0),
            ("ZeroPublicKey", 2, 33),
        ],
        verify::<MlDsa44>,
    );
    run(
        "65_verify",
        210,
        &[
            (NO_FLAG, 0, 1),
            ("BoundaryCondition", 24, 51),
            ("IncorrectPublicKeyLength", 0, 4),
            ("IncorrectSignatureLength", 0, 3),
            ("InfinityNormViolation", 0, 52),
            ("InvalidContext", 0, 5),
            ("InvalidHintsEncoding", 0, 9),
            ("InvalidPrivateKey", 2, 0),
            ("InvalidSignature", 0, 49),
            ("ManySteps", 48, 0),
            ("ModifiedSignature", 0, 8),
            ("ValidSignature", 66, 0),
            ("ZeroPublicKey", 2, 49),
        ],
        verify::<MlDsa65>,
    );
    run(
        "87_verify",
        241,
        &[
            (NO_FLAG, 0, 1),
            ("BoundaryCondition", 24, 67),
            ("IncorrectPublicKeyLength", 0, 4),
            ("IncorrectSignatureLength", 0, 3),
            ("InfinityNormViolation", 0, 72),
            ("InvalidContext", 0, 5),
            ("InvalidHintsEncoding", 0, 9),
            ("InvalidPrivateKey", 2, 0),
            ("InvalidSignature", 0, 65),
            ("ManySteps", 39, 0),
            ("MissingReduction", 1, 1),
            ("ModifiedSignature", 0, 10),
            ("ValidSignature", 57, 0),
            ("ZeroPublicKey", 2, 65),
        ],
        verify::<MlDsa87>,
    );
}

fn verify<P: DerSet>(group: &Value, test: &Value, valid: bool) {
    let (pk, der) = (hex(group, "publicKey"), hex(group, "publicKeyDer"));
    let (msg, sig) = (hex(test, "msg"), hex(test, "sig"));
    let ctx = maybe_hex(test, "ctx").unwrap_or_default();
    let by_oracle = spec::verify(P::SPEC, &pk, &msg, &sig, &ctx);
    assert_eq!(
        by_oracle, valid,
        "tcId {}: {}",
        test["tcId"], test["comment"]
    );

    let Ok(pk) = EncodedVerifyingKey::<P>::try_from(&pk[..]) else {
        assert!(!valid && has_flag(test, "IncorrectPublicKeyLength"));
        assert!(VerifyingKey::<P>::from_public_key_der(&der).is_err());
        return;
    };
    let key = VerifyingKey::<P>::decode(&pk);
    assert!(key.encode() == pk);
    assert!(VerifyingKey::<P>::from_public_key_der(&der).unwrap() == key);
    assert!(key.to_public_key_der().unwrap().as_bytes() == der);

    let signature = Signature::<P>::try_from(&sig[..]);
    let by_crate = signature
        .as_ref()
        .is_ok_and(|signature| key.verify_with_context(&msg, &ctx, signature));
    assert_eq!(
        by_crate, valid,
        "tcId {}: {}",
        test["tcId"], test["comment"]
    );
    if let Ok(signature) = &signature {
        assert!(signature.encode()[..] == sig);
        if ctx.is_empty() {
            assert_eq!(
                key.verify(&msg, signature).is_ok(),
                valid,
                "tcId {}",
                test["tcId"]
            );
        }
    }
}
