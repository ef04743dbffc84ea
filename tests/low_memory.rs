//! The operations of `low_memory` write the bytes and reach the verdicts of the others: on random
//! cases, on every vector that has a key and a message, and on bad input.
#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(clippy::integer_division_remainder_used, reason = "tests")]

#[macro_use]
mod common;
mod spec;
mod vectors;

use common::{Data, Set, rounds};
use mldsa_simd::{
    B32, EncodedSignature, EncodedVerifyingKey, ExpandedSigningKeyBytes, MlDsa44, MlDsa65, MlDsa87,
    Mu, MuBuilder, Seed, Signature, SigningKey, VerifyingKey, low_memory,
};
use mldsa_simd::{Keypair, Signer};
use shake::{ExtendableOutput, Shake128, Update, XofReader};
use vectors::Tally;
use vectors::acvp::{self, INCONSISTENT, Message, SigGen, SigVer};

for_each_set! {
    random_keys_signatures_and_verdicts_are_equal,
    a_context_that_is_too_long_is_an_error,
    bytes_that_are_no_expanded_key_sign_nothing,
    a_key_of_garbage_signs_what_it_signs_elsewhere,
    malformed_signatures_are_refused,
}

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

/// The keys of a seed, by all ways that lead to them.
fn keys<P: Set>(seed: &Seed) -> (EncodedVerifyingKey<P>, ExpandedSigningKeyBytes<P>) {
    let mut public = EncodedVerifyingKey::<P>::default();
    let mut again = EncodedVerifyingKey::<P>::default();
    let mut expanded = ExpandedSigningKeyBytes::<P>::default();
    low_memory::key_gen::<P>(seed, &mut public);
    low_memory::expand::<P>(seed, &mut again, &mut expanded);
    assert!(public == again);
    (public, expanded)
}

fn random_keys_signatures_and_verdicts_are_equal<P: Set>() {
    let data = &mut Data::new("low memory");
    let cases = rounds(2000);
    for case in 0..cases {
        let seed = data.seed();
        let key = SigningKey::<P>::from_seed(&seed);
        let (public, expanded) = keys::<P>(&seed);
        assert!(public == key.verifying_key().encode(), "case {case}");
        #[allow(deprecated, reason = "deprecated in ml-dsa")]
        let reference = key.expanded_key().to_expanded();
        assert!(expanded == reference, "case {case}");

        // Hedged every other time; messages and contexts of any length.
        let (message_len, context_len) = (data.below(400), data.below(256));
        let (message, context) = (data.bytes(message_len), data.bytes(context_len));
        let rnd = if case % 2 == 0 {
            Seed::default()
        } else {
            data.seed()
        };
        let prefix = [0, u8::try_from(context_len).unwrap()];
        let signed = key
            .expanded_key()
            .sign_internal(&[&prefix, &context, &message], &rnd);
        let mut signature = EncodedSignature::<P>::default();
        low_memory::sign::<P>(&seed, &message, &context, &rnd, &mut signature).unwrap();
        assert!(signature == signed.encode(), "case {case}");
        signature.fill(0xff);
        low_memory::sign_expanded::<P>(&expanded, &message, &context, &rnd, &mut signature)
            .unwrap();
        assert!(signature == signed.encode(), "case {case}");
        low_memory::verify::<P>(&public, &message, &context, &signature).unwrap();

        // A bit that is wrong, anywhere.
        let mut forged = signature.clone();
        let at = data.below(forged.len());
        forged[at] ^= 1 << data.below(8);
        low_memory::verify::<P>(&public, &message, &context, &forged).unwrap_err();
        let mut other = public.clone();
        let at = data.below(other.len());
        other[at] ^= 1 << data.below(8);
        low_memory::verify::<P>(&other, &message, &context, &signature).unwrap_err();
    }
    println!("{cases} random cases of {} are equal", P::FIPS.name);
    assert!(cases > 0);
}

/// μ from its definition.
fn mu(tr: &[u8], m_prime: &[u8]) -> Mu {
    Mu::try_from(&spec::h(&[tr, m_prime].concat(), 64)[..]).unwrap()
}

/// The message of a vector as μ; `None` when it is a message with a context.
fn as_mu(tr: &[u8], message: &Message) -> Option<Mu> {
    match message {
        Message::External { .. } => None,
        Message::PreHash {
            message,
            context,
            hash,
        } => {
            let ph = spec::PreHash::named(hash);
            Some(mu(tr, &spec::hash_message(message, context, ph)))
        }
        Message::Internal(m_prime) => Some(mu(tr, m_prime)),
        Message::Mu(mu) => Some(Mu::try_from(&mu[..]).unwrap()),
    }
}

#[test]
fn key_generation_gives_the_keys_of_acvp() {
    fn key_gen<P: Set>(seed: &[u8], pk: &[u8], sk: &[u8]) {
        let (public, expanded) = keys::<P>(&Seed::try_from(seed).unwrap());
        assert!(public[..] == *pk && expanded[..] == *sk);
    }
    let Some(cases) = acvp::key_gen() else { return };
    for case in &cases {
        with_set!(&*case.set, key_gen(&case.seed, &case.pk, &case.sk));
    }
    assert_eq!(cases.len(), 75);
    vectors::say("low memory: ACVP keyGen 75");
}

#[test]
fn signing_gives_the_signatures_of_acvp() {
    fn sig_gen<P: Set>(case: &SigGen) {
        let sk = ExpandedSigningKeyBytes::<P>::try_from(&case.sk[..]).unwrap();
        let rnd = B32::from(case.rnd.unwrap_or_default());
        let mut signature = EncodedSignature::<P>::default();
        match (&case.message, as_mu(&sk[64..128], &case.message)) {
            (Message::External { message, context }, _) => {
                low_memory::sign_expanded::<P>(&sk, message, context, &rnd, &mut signature)
            }
            (_, Some(mu)) => low_memory::sign_expanded_mu::<P>(&sk, &mu, &rnd, &mut signature),
            _ => panic!("no message"),
        }
        .unwrap();
        let equal = signature[..] == case.signature;
        assert_eq!(equal, case.id != INCONSISTENT, "tcId {}", case.id);
    }
    let Some(cases) = acvp::sig_gen() else { return };
    let mut tally = Tally::default();
    for case in &cases {
        with_set!(&*case.set, sig_gen(case));
        tally.count(case.message.interface());
    }
    let interfaces = ["external", "internal", "external mu", "pre-hash"];
    assert_eq!(
        tally,
        interfaces
            .map(|interface| (interface, 90))
            .into_iter()
            .collect()
    );
    vectors::say("low memory: ACVP sigGen 360");
}

#[test]
fn verification_gives_the_verdicts_of_acvp() {
    fn sig_ver<P: Set>(case: &SigVer) {
        let pk = EncodedVerifyingKey::<P>::try_from(&case.pk[..]).unwrap();
        let valid = EncodedSignature::<P>::try_from(&case.signature[..]).is_ok_and(|signature| {
            match (&case.message, as_mu(&spec::h(&pk, 64), &case.message)) {
                (Message::External { message, context }, _) => {
                    low_memory::verify::<P>(&pk, message, context, &signature)
                }
                (_, Some(mu)) => low_memory::verify_mu::<P>(&pk, &mu, &signature),
                _ => panic!("no message"),
            }
            .is_ok()
        });
        assert_eq!(valid, case.passed, "tcId {}: {}", case.id, case.reason);
    }
    let Some(cases) = acvp::sig_ver() else { return };
    for case in &cases {
        with_set!(&*case.set, sig_ver(case));
    }
    assert_eq!(cases.len(), 180);
    vectors::say("low memory: ACVP sigVer 180");
}

/// The first of the accumulated cases of CCTV, which have a digest of their own.
#[test]
fn a_hundred_keys_and_signatures_have_the_digest_of_cctv() {
    fn accumulate<P: Set>(expected: &str) {
        let mut seeds = Shake128::default().finalize_xof();
        let mut digest = Shake128::default();
        for _ in 0..100 {
            let mut seed = Seed::default();
            seeds.read(&mut seed);
            let mut public = EncodedVerifyingKey::<P>::default();
            low_memory::key_gen::<P>(&seed, &mut public);
            let mut signature = EncodedSignature::<P>::default();
            low_memory::sign::<P>(&seed, b"", b"", &B32::default(), &mut signature).unwrap();
            low_memory::verify::<P>(&public, b"", b"", &signature).unwrap();
            digest.update(&public);
            digest.update(&signature);
        }
        let mut first = [0; 32];
        digest.finalize_xof().read(&mut first);
        assert_eq!(hex::encode(first), expected);
        vectors::say(&format!(
            "low memory: CCTV accumulated {} 100",
            P::FIPS.name
        ));
    }
    accumulate::<MlDsa44>("d51148e1f9f4fa1a723a6cf42e25f2a99eb5c1b378b3d2dbbd561b1203beeae4");
    accumulate::<MlDsa65>("8358a1843220194417cadbc2651295cd8fc65125b5a5c1a239a16dc8b57ca199");
    accumulate::<MlDsa87>("8c3ad714777622b8f21ce31bb35f71394f23bc0fcf3c78ace5d608990f3b061b");
}

/// Messages chosen for the number of attempts that they take.
#[test]
fn the_messages_of_cctv_are_signed_as_elsewhere() {
    fn message_set<P: Set>(expected: usize) {
        let what = format!("low memory: CCTV messages {}", P::FIPS.name);
        let Some(file) = vectors::json(&what, &format!("cctv/{}.json", P::FIPS.name)) else {
            return;
        };
        let key = SigningKey::<P>::from_seed(&Seed::default());
        let list = file.as_array().unwrap();
        for message in list {
            let message = message.as_str().unwrap().as_bytes();
            let mut signature = EncodedSignature::<P>::default();
            low_memory::sign::<P>(
                &Seed::default(),
                message,
                b"",
                &B32::default(),
                &mut signature,
            )
            .unwrap();
            assert!(signature == key.sign(message).encode());
        }
        assert_eq!(list.len(), expected);
        vectors::say(&format!("{what} {expected}"));
    }
    message_set::<MlDsa44>(188);
    message_set::<MlDsa65>(147);
    message_set::<MlDsa87>(114);
}

fn a_context_that_is_too_long_is_an_error<P: Set>() {
    let seed = Data::new("context").seed();
    let (public, expanded) = keys::<P>(&seed);
    let long = [7; 256];
    let rnd = B32::default();
    let mut signature = EncodedSignature::<P>::default();
    signature.fill(0xff);
    low_memory::sign::<P>(&seed, b"m", &long, &rnd, &mut signature).unwrap_err();
    assert!(signature.iter().all(|byte| *byte == 0));
    signature.fill(0xff);
    low_memory::sign_expanded::<P>(&expanded, b"m", &long, &rnd, &mut signature).unwrap_err();
    assert!(signature.iter().all(|byte| *byte == 0));
    low_memory::sign::<P>(&seed, b"m", &long[1..], &rnd, &mut signature).unwrap();
    low_memory::verify::<P>(&public, b"m", &long[1..], &signature).unwrap();
    low_memory::verify::<P>(&public, b"m", &long, &signature).unwrap_err();

    // By μ, it is the same signature.
    let mu = MuBuilder::from_encoded_key::<P>(&public, &long[1..])
        .unwrap()
        .chain(b"m")
        .finalize();
    low_memory::verify_mu::<P>(&public, &mu, &signature).unwrap();
    let mut by_mu = EncodedSignature::<P>::default();
    low_memory::sign_mu::<P>(&seed, &mu, &rnd, &mut by_mu).unwrap();
    assert!(by_mu == signature);
    low_memory::verify_mu::<P>(&public, &Mu::default(), &signature).unwrap_err();
}

fn bytes_that_are_no_expanded_key_sign_nothing<P: Set>() {
    let (_, good) = keys::<P>(&Data::new("range").seed());
    let packed = if P::FIPS.eta == 2 { 96 } else { 128 };
    let rnd = B32::default();
    // Eight coefficients out of range, in the first and the last polynomial of s₁ and of s₂.
    for polynomial in [0, P::FIPS.l - 1, P::FIPS.l, P::FIPS.l + P::FIPS.k - 1] {
        for byte in [0, packed - 1] {
            let mut bad = good.clone();
            bad[128 + polynomial * packed + byte] = 0xff;
            let mut signature = EncodedSignature::<P>::default();
            signature.fill(0xff);
            low_memory::sign_expanded::<P>(&bad, b"m", b"", &rnd, &mut signature).unwrap_err();
            assert!(signature.iter().all(|byte| *byte == 0));
        }
    }
}

/// A private key whose **t**₀ is garbage, and so is tr: both ways sign the same nonsense.
fn a_key_of_garbage_signs_what_it_signs_elsewhere<P: Set>() {
    let data = &mut Data::new("garbage");
    for _ in 0..8 {
        let (_, mut sk) = keys::<P>(&data.seed());
        let t0 = sk.len() - 416 * P::FIPS.k;
        data.fill(&mut sk[t0..]);
        data.fill(&mut sk[64..128]);
        let rnd = data.seed();
        let mut signature = EncodedSignature::<P>::default();
        let signed = low_memory::sign_expanded::<P>(&sk, b"m", b"", &rnd, &mut signature);
        #[allow(deprecated, reason = "deprecated in ml-dsa")]
        let elsewhere = mldsa_simd::ExpandedSigningKey::<P>::from_expanded(&sk)
            .sign_internal(&[&[0, 0], b"m"], &rnd);
        assert!(signature == elsewhere.encode());
        assert_eq!(signed.is_ok(), signature.iter().any(|byte| *byte != 0));
    }
}

fn malformed_signatures_are_refused<P: Set>() {
    let seed = Data::new("malformed").seed();
    let (public, _) = keys::<P>(&seed);
    let mut good = EncodedSignature::<P>::default();
    low_memory::sign::<P>(&seed, b"m", b"", &B32::default(), &mut good).unwrap();
    let data = &mut Data::new("malformed bytes");
    let decoded = VerifyingKey::<P>::decode(&public);
    for case in 0..300 {
        let mut bad = good.clone();
        match case % 3 {
            // A cut beyond ω, or one that decreases.
            0 => bad[P::FIPS.cuts() + data.below(P::FIPS.k)] = data.array::<1>()[0],
            // A position.
            1 => bad[P::FIPS.hint() + data.below(P::FIPS.cuts() - P::FIPS.hint())] ^= 1,
            // z at its limit, or beyond.
            _ => {
                let at = P::FIPS.c_tilde + 5 * data.below(100);
                bad[at..at + 5].fill(if case % 2 == 0 { 0 } else { 0xff });
            }
        }
        let verdict = low_memory::verify::<P>(&public, b"m", b"", &bad);
        let elsewhere = Signature::<P>::decode(&bad)
            .is_some_and(|signature| decoded.verify_with_context(b"m", b"", &signature));
        assert_eq!(verdict.is_ok(), elsewhere);
        assert_eq!(elsewhere, bad == good, "case {case}");
    }
    let mut garbage = EncodedSignature::<P>::default();
    for _ in 0..20 {
        low_memory::verify::<P>(&public, b"m", b"", &garbage).unwrap_err();
        data.fill(&mut garbage);
    }
}
