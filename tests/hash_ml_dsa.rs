//! HashML-DSA: NIST's vectors for all twelve hash functions, and what binds a signature to its hash.
#![allow(
    clippy::integer_division_remainder_used,
    clippy::std_instead_of_alloc,
    clippy::unwrap_used,
    reason = "tests"
)]

#[macro_use]
mod common;
mod generators;
mod vectors;

use common::{Data, Set, key_pair};
use generators::{Broken, Fixed, Untouched};
use mldsa_simd::signature::hazmat::{PrehashSigner, PrehashVerifier, RandomizedPrehashSigner};
use mldsa_simd::signature::{
    DigestSigner, DigestVerifier, MultipartSigner, MultipartVerifier, RandomizedDigestSigner,
    RandomizedMultipartSigner, RandomizedSigner,
};
use mldsa_simd::{
    Error, ExpandedSigningKey, HashMlDsa, MlDsa44, MlDsa65, MlDsa87, PreHash, Signature, Signer,
    SigningKey, Verifier, VerifyingKey,
};
use serde_json::Value;
use sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
use sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512};
use shake::{Shake128, Shake256};
use std::collections::BTreeSet;

/// NIST's names of the twelve functions, and the bytes of their digests.
const FUNCTIONS: [(&str, usize); 12] = [
    ("SHA2-224", 28),
    ("SHA2-256", 32),
    ("SHA2-384", 48),
    ("SHA2-512", 64),
    ("SHA2-512/224", 28),
    ("SHA2-512/256", 32),
    ("SHA3-224", 28),
    ("SHA3-256", 32),
    ("SHA3-384", 48),
    ("SHA3-512", 64),
    ("SHAKE-128", 32),
    ("SHAKE-256", 64),
];

/// Runs `$body` with `$hash` as the type that NIST calls `$name`.
macro_rules! with_hash {
    ($name:expr, $hash:ident => $body:expr) => {
        match $name {
            "SHA2-224" => with_hash!(@ Sha224, $hash => $body),
            "SHA2-256" => with_hash!(@ Sha256, $hash => $body),
            "SHA2-384" => with_hash!(@ Sha384, $hash => $body),
            "SHA2-512" => with_hash!(@ Sha512, $hash => $body),
            "SHA2-512/224" => with_hash!(@ Sha512_224, $hash => $body),
            "SHA2-512/256" => with_hash!(@ Sha512_256, $hash => $body),
            "SHA3-224" => with_hash!(@ Sha3_224, $hash => $body),
            "SHA3-256" => with_hash!(@ Sha3_256, $hash => $body),
            "SHA3-384" => with_hash!(@ Sha3_384, $hash => $body),
            "SHA3-512" => with_hash!(@ Sha3_512, $hash => $body),
            "SHAKE-128" => with_hash!(@ Shake128, $hash => $body),
            "SHAKE-256" => with_hash!(@ Shake256, $hash => $body),
            other => panic!("{other} is none of the twelve"),
        }
    };
    (@ $type:ident, $hash:ident => $body:expr) => {{
        type $hash = $type;
        $body
    }};
}

for_each_set!(
    every_trait_signs_the_same,
    another_implementation_signs_and_verifies_the_same,
    pure_and_hashed_never_cross_verify,
    the_digest_is_bound,
    a_digest_of_the_wrong_length_is_refused,
    a_generator_that_fails_signs_nothing,
);

// ---- NIST ----

/// The pre-hash cases of a file, each with its group.
fn pre_hash_cases(file: &Value) -> Vec<(&Value, &Value)> {
    let groups = vectors::list(file, "testGroups").iter();
    groups
        .filter(|group| group["preHash"] == "preHash")
        .flat_map(|group| {
            vectors::list(group, "tests")
                .iter()
                .map(move |case| (group, case))
        })
        .collect()
}

/// The expanded key of a case, imported with all checks.
fn secret<P: Set>(case: &Value) -> ExpandedSigningKey<P> {
    let bytes = vectors::hex(case, "sk");
    ExpandedSigningKey::try_from_expanded(bytes.as_slice().try_into().unwrap()).unwrap()
}

/// The verifying key of a case.
fn public<P: Set>(case: &Value) -> VerifyingKey<P> {
    VerifyingKey::decode(vectors::hex(case, "pk").as_slice().try_into().unwrap())
}

/// A case of sigGen whose published signature is of something else than its message: it verifies by
/// no hash function, identifier, domain separator or context that the file has. That must stay so.
const INCONSISTENT: u64 = 16;

fn sig_gen_case<P: Set, D: PreHash>(case: &Value, deterministic: bool) {
    let id = case["tcId"].as_u64().unwrap();
    let (key, public) = (secret::<P>(case), public::<P>(case));
    assert_eq!(key.verifying_key(), public, "case {id}");
    let message = vectors::hex(case, "message");
    let context = vectors::hex(case, "context");
    let signer = key.with_context(&context).unwrap().hash_ml_dsa::<D>();
    let signature = if deterministic {
        assert!(case["rnd"].is_null());
        signer.sign(&message)
    } else {
        let rnd = vectors::hex(case, "rnd").try_into().unwrap();
        signer.sign_with_rng(&mut Fixed(rnd), &message)
    };
    let verifier = public.with_context(&context).unwrap().hash_ml_dsa::<D>();
    let published = Signature::try_from(vectors::hex(case, "signature").as_slice()).unwrap();
    if id == INCONSISTENT {
        assert!(verifier.verify(&message, &published).is_err());
        assert_ne!(signature, published);
    } else {
        assert_eq!(signature, published, "case {id}");
    }
    verifier.verify(&message, &signature).unwrap();
}

fn sig_ver_case<P: Set, D: PreHash>(case: &Value) -> bool {
    let message = vectors::hex(case, "message");
    let context = vectors::hex(case, "context");
    let public = public::<P>(case);
    let verifier = public.with_context(&context).unwrap().hash_ml_dsa::<D>();
    Signature::try_from(vectors::hex(case, "signature").as_slice())
        .and_then(|signature| verifier.verify(&message, &signature))
        .is_ok()
}

/// Runs `$function` with the parameter set of `$group` and the hash function of `$case`.
macro_rules! with_types {
    ($group:expr, $case:expr, $function:ident($($argument:expr),*)) => {
        with_hash!(vectors::str($case, "hashAlg"), Hash => match vectors::str($group, "parameterSet") {
            "ML-DSA-44" => $function::<MlDsa44, Hash>($($argument),*),
            "ML-DSA-65" => $function::<MlDsa65, Hash>($($argument),*),
            "ML-DSA-87" => $function::<MlDsa87, Hash>($($argument),*),
            other => panic!("{other} is no parameter set"),
        })
    };
}

/// The pairs of parameter set and hash function that a list of cases has.
fn pairs<'a>(cases: &[(&'a Value, &'a Value)]) -> BTreeSet<(&'a str, &'a str)> {
    let pair = |(group, case): &(&'a Value, &'a Value)| {
        (
            vectors::str(group, "parameterSet"),
            vectors::str(case, "hashAlg"),
        )
    };
    cases.iter().map(pair).collect()
}

#[test]
fn nist_sig_gen() {
    let what = "ACVP sigGen, pre-hash";
    let path = "acvp/ML-DSA-sigGen-FIPS204.json.gz";
    let Some(file) = vectors::json(what, path) else {
        return;
    };
    let cases = pre_hash_cases(&file);
    for (group, case) in &cases {
        let deterministic = vectors::bool(group, "deterministic");
        with_types!(group, case, sig_gen_case(case, deterministic));
    }
    let inconsistent = cases
        .iter()
        .filter(|(_, case)| case["tcId"] == INCONSISTENT);
    assert_eq!(inconsistent.count(), 1);
    assert_eq!(cases.len(), 90);
    assert_eq!(pairs(&cases).len(), 36);
    vectors::say("ACVP sigGen, pre-hash: 90, of which 1 is known to be inconsistent");
}

#[test]
fn nist_sig_ver() {
    let what = "ACVP sigVer, pre-hash";
    let path = "acvp/ML-DSA-sigVer-FIPS204.json.gz";
    let Some(file) = vectors::json(what, path) else {
        return;
    };
    let cases = pre_hash_cases(&file);
    let mut valid = 0;
    for (group, case) in &cases {
        let expected = vectors::bool(case, "testPassed");
        valid += usize::from(expected);
        let verdict = with_types!(group, case, sig_ver_case(case));
        assert_eq!(
            verdict, expected,
            "case {}: {}",
            case["tcId"], case["reason"]
        );
    }
    assert_eq!((cases.len(), valid), (45, 9));
    assert_eq!(pairs(&cases).len(), 36);
    vectors::say("ACVP sigVer, pre-hash: 45");
}

// ---- What NIST's vectors do not show ----

/// The digest of `message` by PH.
fn digest<D: PreHash>(message: &[u8]) -> Vec<u8> {
    let mut hash = D::default();
    hash.update(message);
    hash.finish().to_vec()
}

#[test]
fn digests_have_the_lengths_of_the_standard() {
    for (name, len) in FUNCTIONS {
        assert_eq!(
            with_hash!(name, Hash => digest::<Hash>(b"message")).len(),
            len,
            "{name}"
        );
    }
    // «abc», from NIST's examples for FIPS 180-4 and FIPS 202.
    assert!(hex::encode(digest::<Sha512_224>(b"abc")).starts_with("4634270f707b6a54"));
    assert!(hex::encode(digest::<Shake128>(b"abc")).starts_with("5881092dd818bf5c"));
    assert!(hex::encode(digest::<Shake256>(b"abc")).starts_with("483366601360a877"));
}

#[test]
fn identifiers_are_those_of_the_standard() {
    // FIPS 204, Algorithm 4, steps 11, 14 and 17, in full; the others lie under the same arc.
    let under = |last: &str| format!("2.16.840.1.101.3.4.2.{last}");
    let expected = [
        "4", "1", "2", "3", "5", "6", "7", "8", "9", "10", "11", "12",
    ];
    for ((name, _), last) in FUNCTIONS.into_iter().zip(expected) {
        let oid = with_hash!(name, Hash => Hash::OID);
        assert_eq!(oid.to_string(), under(last), "{name}");
    }
    assert_eq!(
        Sha256::OID.as_bytes(),
        hex::decode("608648016503040201").unwrap()
    );
    assert_eq!(
        Sha512::OID.as_bytes(),
        hex::decode("608648016503040203").unwrap()
    );
    assert_eq!(
        Shake128::OID.as_bytes(),
        hex::decode("60864801650304020b").unwrap()
    );
}

const RND: [u8; 32] = [0x5a; 32];

fn every_trait_signs_the_same<P: Set>() {
    fn check<P: Set, D: PreHash>(key: &SigningKey<P>, public: &VerifyingKey<P>, data: &mut Data) {
        let context_len = data.below(256);
        let context = data.bytes(context_len);
        let message_len = data.below(500);
        let message = data.bytes(message_len);
        let (head, tail) = message.split_at(message_len / 3);
        let parts: &[&[u8]] = &[head, &[], tail];
        let digest = digest::<D>(&message);
        let feed = |hash: &mut D| parts.iter().for_each(|part| hash.update(part));
        let rng = &mut Fixed(RND);

        let short = key.with_context(&context).unwrap().hash_ml_dsa::<D>();
        let long = key
            .expanded_key()
            .with_context(&context)
            .unwrap()
            .hash_ml_dsa::<D>();
        let deterministic: [Signature<P>; 8] = [
            short.sign(&message),
            short.multipart_sign(parts),
            short.sign_digest(feed),
            short.sign_prehash(&digest).unwrap(),
            long.sign(&message),
            long.multipart_sign(parts),
            long.sign_digest(feed),
            long.sign_prehash(&digest).unwrap(),
        ];
        let hedged: [Signature<P>; 8] = [
            short.sign_with_rng(rng, &message),
            short.multipart_sign_with_rng(rng, parts),
            short.sign_digest_with_rng(rng, feed),
            short.sign_prehash_with_rng(rng, &digest).unwrap(),
            long.sign_with_rng(rng, &message),
            long.multipart_sign_with_rng(rng, parts),
            long.sign_digest_with_rng(rng, feed),
            long.sign_prehash_with_rng(rng, &digest).unwrap(),
        ];
        assert_ne!(deterministic[0], hedged[0]);
        let verifier = public.with_context(&context).unwrap().hash_ml_dsa::<D>();
        for signatures in [deterministic, hedged] {
            for signature in &signatures {
                assert_eq!(signature, &signatures[0]);
            }
            assert!(verdict(&verifier, &message, &digest, &signatures[0]));
        }
        // In the empty context the key does without one.
        let empty = key.with_context(b"").unwrap().hash_ml_dsa::<D>();
        assert_eq!(key.hash_ml_dsa::<D>().sign(&message), empty.sign(&message));
        assert_eq!(
            key.expanded_key().hash_ml_dsa::<D>().sign(&message),
            empty.sign(&message)
        );
        public
            .hash_ml_dsa::<D>()
            .verify(&message, &empty.sign(&message))
            .unwrap();
    }
    let (key, public) = key_pair::<P>("hash: traits");
    let mut data = Data::new("hash: traits, messages");
    for (name, _) in FUNCTIONS {
        with_hash!(name, Hash => check::<P, Hash>(&key, &public, &mut data));
    }
}

/// All four verifying traits, which must agree.
fn verdict<P: Set, D: PreHash>(
    verifier: &HashMlDsa<'_, '_, VerifyingKey<P>, D>,
    message: &[u8],
    digest: &[u8],
    signature: &Signature<P>,
) -> bool {
    let feed = |hash: &mut D| {
        hash.update(message);
        Ok(())
    };
    let verdicts = [
        verifier.verify(message, signature),
        verifier.multipart_verify(&[message], signature),
        verifier.verify_digest(feed, signature),
        verifier.verify_prehash(digest, signature),
    ]
    .map(|result| result.is_ok());
    assert_eq!(verdicts, [verdicts[0]; 4]);
    verdicts[0]
}

/// `fips204`, in terms of bytes. It is handed the digest and the whole encoding of the identifier.
trait Peer: Set {
    fn sign(key: &[u8], digest: &[u8], context: &[u8], oid: &[u8], rnd: &[u8; 32]) -> Vec<u8>;
    fn verify(key: &[u8], digest: &[u8], context: &[u8], oid: &[u8], signature: &[u8]) -> bool;
}

macro_rules! peer {
    ($set:ty, $module:ident) => {
        impl Peer for $set {
            fn sign(key: &[u8], digest: &[u8], ctx: &[u8], oid: &[u8], rnd: &[u8; 32]) -> Vec<u8> {
                use fips204::traits::{SerDes, Signer};
                let key = fips204::$module::PrivateKey::try_from_bytes(key.try_into().unwrap());
                key.unwrap()
                    .try_hash_sign_with_seed(rnd, digest, ctx, oid)
                    .unwrap()
                    .to_vec()
            }

            fn verify(key: &[u8], digest: &[u8], ctx: &[u8], oid: &[u8], sigma: &[u8]) -> bool {
                use fips204::traits::{SerDes, Verifier};
                let key = fips204::$module::PublicKey::try_from_bytes(key.try_into().unwrap());
                key.unwrap()
                    .hash_verify(digest, sigma.try_into().unwrap(), ctx, oid)
            }
        }
    };
}

peer!(MlDsa44, ml_dsa_44);
peer!(MlDsa65, ml_dsa_65);
peer!(MlDsa87, ml_dsa_87);

fn another_implementation_signs_and_verifies_the_same<P: Peer>() {
    use fips204::pre_hash as oid;
    let (key, public) = key_pair::<P>("hash: peer");
    #[allow(
        deprecated,
        reason = "this is how the other implementation gets the key"
    )]
    let secret = key.expanded_key().to_expanded();
    let encoded = public.encode();
    let mut data = Data::new("hash: peer, messages");
    let oids: [&[u8]; 12] = [
        &oid::SHA2_224,
        &oid::SHA2_256,
        &oid::SHA2_384,
        &oid::SHA2_512,
        &oid::SHA2_512_224,
        &oid::SHA2_512_256,
        &oid::SHA3_224,
        &oid::SHA3_256,
        &oid::SHA3_384,
        &oid::SHA3_512,
        &oid::SHAKE_128,
        &oid::SHAKE_256,
    ];
    for ((name, _), oid) in FUNCTIONS.into_iter().zip(oids) {
        let context_len = data.below(256);
        let context = data.bytes(context_len);
        let message = data.bytes(100);
        for rnd in [[0; 32], data.array()] {
            with_hash!(name, Hash => {
                let signer = key.with_context(&context).unwrap().hash_ml_dsa::<Hash>();
                let ours = signer.sign_with_rng(&mut Fixed(rnd), &message).encode();
                let digest = digest::<Hash>(&message);
                let theirs = <P as Peer>::sign(&secret, &digest, &context, oid, &rnd);
                assert_eq!(hex::encode(&ours), hex::encode(&theirs), "{name}");
                assert!(<P as Peer>::verify(&encoded, &digest, &context, oid, &ours));
            });
        }
    }
}

fn pure_and_hashed_never_cross_verify<P: Set>() {
    let (key, public) = key_pair::<P>("hash: cross");
    let (message, context) = (b"message", b"context");
    let signer = key.with_context(context).unwrap();
    let verifier = public.with_context(context).unwrap();

    for (signed_with, _) in FUNCTIONS {
        let signature = with_hash!(signed_with, Hash => signer.hash_ml_dsa::<Hash>().sign(message));
        for (verified_with, _) in FUNCTIONS {
            let verdict = with_hash!(verified_with, Hash => {
                verifier.hash_ml_dsa::<Hash>().verify(message, &signature).is_ok()
            });
            assert_eq!(
                verdict,
                signed_with == verified_with,
                "{signed_with}, {verified_with}"
            );
        }
        // Neither the message nor its digest was signed.
        assert!(verifier.verify(message, &signature).is_err());
        let digest = with_hash!(signed_with, Hash => digest::<Hash>(message));
        assert!(verifier.verify(&digest, &signature).is_err());
        // Not even M′ of HashML-DSA, as a message of its own.
        let oid = with_hash!(signed_with, Hash => Hash::OID.as_bytes().to_vec());
        let tail = [&[0x06, 9], &oid[..], &digest[..]].concat();
        assert!(verifier.verify(&tail, &signature).is_err());
        // The other way round.
        for pure in [
            signer.sign(message),
            signer.sign(&digest),
            signer.sign(&tail),
        ] {
            let verdict = with_hash!(signed_with, Hash => {
                verifier.hash_ml_dsa::<Hash>().verify(message, &pure).is_ok()
            });
            assert!(!verdict, "{signed_with}");
        }
        // This is what was signed, and the only thing.
        let head = [&[1, 7], &context[..]].concat();
        assert!(public.verify_internal(&[head, tail].concat(), &signature));
    }
}

fn the_digest_is_bound<P: Set>() {
    let (key, public) = key_pair::<P>("hash: bound");
    for (name, len) in FUNCTIONS {
        with_hash!(name, Hash => {
            let verifier = public.hash_ml_dsa::<Hash>();
            let mut digest = digest::<Hash>(b"message");
            let signature = key.hash_ml_dsa::<Hash>().sign_prehash(&digest).unwrap();
            verifier.verify_prehash(&digest, &signature).unwrap();
            for byte in [0, len / 2, len - 1] {
                digest[byte] ^= 1;
                assert!(verifier.verify_prehash(&digest, &signature).is_err(), "{name}, {byte}");
                digest[byte] ^= 1;
            }
            assert!(verifier.verify(b"massage", &signature).is_err());
            let elsewhere = public.with_context(b"c").unwrap().hash_ml_dsa::<Hash>();
            assert!(elsewhere.verify_prehash(&digest, &signature).is_err());
        });
    }
}

fn a_digest_of_the_wrong_length_is_refused<P: Set>() {
    let (key, public) = key_pair::<P>("hash: length");
    for (name, len) in FUNCTIONS {
        with_hash!(name, Hash => {
            let signer = key.hash_ml_dsa::<Hash>();
            let verifier = public.hash_ml_dsa::<Hash>();
            let digest = vec![0; 2 * len];
            let signature = signer.sign_prehash(&digest[..len]).unwrap();
            for wrong in [0, 1, len - 1, len + 1, 2 * len] {
                let wrong = &digest[..wrong];
                assert!(signer.sign_prehash(wrong).is_err(), "{name}");
                // Were the generator asked, it would say so.
                assert!(signer.sign_prehash_with_rng(&mut Untouched, wrong).is_err(), "{name}");
                assert!(verifier.verify_prehash(wrong, &signature).is_err(), "{name}");
            }
        });
    }
}

fn a_generator_that_fails_signs_nothing<P: Set>() {
    let (key, _) = key_pair::<P>("hash: broken");
    let signer = key.hash_ml_dsa::<Sha512>();
    let attempts: [Result<Signature<P>, Error>; 5] = [
        signer.try_sign_with_rng(&mut Broken, b"m"),
        signer.try_multipart_sign_with_rng(&mut Broken, &[b"m"]),
        signer.try_sign_digest_with_rng(&mut Broken, |_: &mut Sha512| Ok(())),
        signer.sign_prehash_with_rng(&mut Broken, &[0; 64]),
        // The closure's own error.
        signer.try_sign_digest(|_: &mut Sha512| Err(Error::new())),
    ];
    assert!(attempts.iter().all(Result::is_err));
}

#[test]
fn the_wrapper_shows_its_function_and_no_secret() {
    let (key, _) = key_pair::<MlDsa44>("hash: debug");
    let signer = key.with_context(b"a").unwrap().hash_ml_dsa::<Sha512>();
    assert_eq!(signer.context().value(), b"a");
    let text = format!("{signer:?}");
    assert!(
        text.contains("SigningKey { .. }") && text.contains("2.16.840.1.101.3.4.2.3"),
        "{text}"
    );
}
