//! What our crate does beyond `ml-dsa` 0.1.2: hedged signing on the ordinary key, the numbers of
//! the parameter sets as constants, and no panic where that crate documents one.
#![allow(clippy::unwrap_used, reason = "tests")]

#[macro_use]
mod common;

use common::{Data, Set, key_pair, rounds};
use mldsa_simd::{
    ExpandedSigningKey, ExpandedSigningKeyBytes, Seed, Signature, Signer, VerifyingKey,
};

for_each_set! {
    the_constants_are_those_of_the_standard,
    random_expanded_keys_never_panic,
    expanded_keys_out_of_range_never_panic,
    tampered_expanded_keys_sign_nothing_valid,
}

fn the_constants_are_those_of_the_standard<P: Set>() {
    let table = P::FIPS;
    assert_eq!(
        (P::K, P::L, P::ETA, P::TAU),
        (table.k, table.l, table.eta, table.tau)
    );
    assert_eq!(
        (P::BETA as i32, P::GAMMA1 as i32),
        (table.beta, table.gamma1)
    );
    assert_eq!((P::GAMMA2 as i32, P::OMEGA), (table.gamma2, table.omega));
    assert_eq!(
        (P::C_TILDE_LEN, P::LAMBDA),
        (table.c_tilde, 4 * table.c_tilde)
    );
    assert_eq!(P::VERIFYING_KEY_LEN, table.public);
    assert_eq!(P::SIGNING_KEY_LEN, table.expanded);
    assert_eq!(P::SIGNATURE_LEN, table.signature);
}

/// Everything that can be done with an expanded key, whatever is in it. Errors are fine; whether
/// its signature verifies is for the caller to judge.
fn use_key<P: Set>(bytes: &ExpandedSigningKeyBytes<P>) -> Option<(VerifyingKey<P>, Signature<P>)> {
    #[allow(deprecated, reason = "deprecated in ml-dsa")]
    let key = ExpandedSigningKey::<P>::from_expanded(bytes);
    assert!(key == key.clone());
    #[allow(deprecated, reason = "deprecated in ml-dsa")]
    let _ = key.to_expanded();
    let public = key.verifying_key();
    let deterministic = key.sign_deterministic(b"m", b"c");
    let signed: Result<Signature<P>, _> = key.try_sign(b"m");
    // The two that cannot fail by type.
    let internal = key.sign_internal(&[b"m"], &Seed::default());
    let by_mu = key.sign_mu_deterministic(&Default::default());
    // Whatever they are, they are encodings that the verifier can take in.
    for signature in [
        Some(&internal),
        Some(&by_mu),
        deterministic.as_ref().ok(),
        signed.as_ref().ok(),
    ] {
        let Some(signature) = signature else { continue };
        let _ = public.verify_internal(b"m", signature);
        let _ = Signature::<P>::decode(&signature.encode());
    }
    deterministic.ok().map(|signature| (public, signature))
}

fn random_expanded_keys_never_panic<P: Set>() {
    let mut data = Data::new("random expanded keys");
    let mut bytes = ExpandedSigningKeyBytes::<P>::default();
    use_key::<P>(&bytes);
    for fill in [0x55, 0xaa, 0xff] {
        bytes.fill(fill);
        use_key::<P>(&bytes);
    }
    for _ in 0..rounds(20) {
        data.fill(&mut bytes);
        use_key::<P>(&bytes);
    }
}

/// Codes of s₁ and s₂ that stand for no coefficient: 5 to 7 for η = 2, 9 to 15 for η = 4. Such a key
/// signs nothing where it can say so.
fn expanded_keys_out_of_range_never_panic<P: Set>() {
    let (key, _) = key_pair::<P>("out of range");
    #[allow(deprecated, reason = "deprecated in ml-dsa")]
    let encoded = key.expanded_key().to_expanded();
    let width = if P::FIPS.eta == 2 { 3 } else { 4 };
    let coefficients = 256 * (P::FIPS.l + P::FIPS.k);
    let slots = [
        0,
        1,
        255,
        256,
        256 * P::FIPS.l - 1,
        256 * P::FIPS.l,
        coefficients - 1,
    ];
    for slot in slots {
        for code in 2 * P::FIPS.eta + 1..1 << width {
            let mut bytes = encoded.clone();
            for bit in 0..width {
                let at = 8 * 128 + slot * width + bit;
                let mask = 1 << (at & 7);
                bytes[at >> 3] =
                    bytes[at >> 3] & !mask | if code >> bit & 1 == 1 { mask } else { 0 };
            }
            let signed = use_key::<P>(&bytes);
            assert!(signed.is_none(), "slot {slot}, code {code}");
        }
    }
}

/// tr and t₀ that do not belong: what such a key signs, the true verifying key refuses.
fn tampered_expanded_keys_sign_nothing_valid<P: Set>() {
    let (key, public) = key_pair::<P>("tampered");
    #[allow(deprecated, reason = "deprecated in ml-dsa")]
    let encoded = key.expanded_key().to_expanded();
    let (_, genuine) = use_key::<P>(&encoded).expect("the key itself signs");
    assert!(public.verify_with_context(b"m", b"c", &genuine));
    for at in [0, 31, 64, 127] {
        let mut bytes = encoded.clone();
        bytes[at] ^= 1;
        if let Some((_, signature)) = use_key::<P>(&bytes) {
            assert!(
                !public.verify_with_context(b"m", b"c", &signature),
                "byte {at}"
            );
        }
    }
    // Another K is another stream of masks: valid signatures, but not the same.
    let mut bytes = encoded;
    bytes[32] ^= 1;
    let (_, other) = use_key::<P>(&bytes).expect("a consistent key signs");
    assert!(public.verify_with_context(b"m", b"c", &other) && other != genuine);
}

#[cfg(feature = "rand_core")]
mod hedged {
    use super::common::rng::Fixed;
    use super::common::{Data, Set, feed, key_pair};
    use core::fmt;
    use mldsa_simd::signature::rand_core::{TryCryptoRng, TryRng};
    use mldsa_simd::signature::{
        RandomizedDigestSigner, RandomizedMultipartSigner, RandomizedSigner,
    };
    use mldsa_simd::{Error, MlDsaParams, Signature, Signer, SigningKey, Verifier};
    use shake::Shake256;

    for_each_set! {
        the_ordinary_key_signs_hedged,
        the_ordinary_key_passes_on_a_failing_generator,
    }

    fn ways<P, K, R>(
        key: &K,
        message: &[u8],
        rng: impl Fn() -> R,
    ) -> [Result<Signature<P>, Error>; 3]
    where
        P: MlDsaParams,
        K: RandomizedSigner<Signature<P>>
            + RandomizedMultipartSigner<Signature<P>>
            + RandomizedDigestSigner<Shake256, Signature<P>>,
        R: TryCryptoRng,
    {
        let (head, tail) = message.split_at(message.len() >> 1);
        [
            key.try_sign_with_rng(&mut rng(), message),
            key.try_multipart_sign_with_rng(&mut rng(), &[head, tail]),
            key.try_sign_digest_with_rng(&mut rng(), feed(message)),
        ]
    }

    fn the_ordinary_key_signs_hedged<P: Set>() {
        let (key, public) = key_pair::<P>("hedged key");
        for message in [&b""[..], b"m", &[1; 300]] {
            let deterministic: Signature<P> = key.sign(message);
            let rnd = Data::new("rnd").array();
            let ours: Vec<_> = ways::<P, SigningKey<P>, _>(&key, message, || Fixed(rnd)).into();
            let expanded = ways::<P, _, _>(key.expanded_key(), message, || Fixed(rnd));
            let zero = ways::<P, SigningKey<P>, _>(&key, message, || Fixed([0; 32]));
            for ((ours, expanded), zero) in ours.iter().zip(&expanded).zip(&zero) {
                let (ours, expanded) = (ours.as_ref().unwrap(), expanded.as_ref().unwrap());
                assert!(ours == expanded && *ours != deterministic);
                public.verify(message, ours).unwrap();
                assert!(
                    *zero.as_ref().unwrap() == deterministic,
                    "rnd = 0 is the deterministic form"
                );
            }
        }
    }

    #[derive(Debug)]
    struct Dry;
    impl fmt::Display for Dry {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("dry")
        }
    }
    impl core::error::Error for Dry {}

    struct Failing;
    impl TryRng for Failing {
        type Error = Dry;
        fn try_next_u32(&mut self) -> Result<u32, Dry> {
            Err(Dry)
        }
        fn try_next_u64(&mut self) -> Result<u64, Dry> {
            Err(Dry)
        }
        fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Dry> {
            Err(Dry)
        }
    }
    impl TryCryptoRng for Failing {}

    fn the_ordinary_key_passes_on_a_failing_generator<P: Set>() {
        let (key, _) = key_pair::<P>("dry key");
        for result in ways::<P, SigningKey<P>, _>(&key, b"m", || Failing) {
            assert!(result.is_err());
        }
    }
}
