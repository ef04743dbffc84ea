//! Randomness: what fails reaches the caller and nothing is signed; what is drawn is used, all of it;
//! what is deterministic draws nothing.
#![cfg(feature = "rand_core")]
#![allow(clippy::unwrap_used, reason = "tests")]

#[macro_use]
mod common;

use common::rng::Fixed;
use common::{Data, Set, feed, key_pair, rounds, sign};
use core::convert::Infallible;
use core::fmt;
use mldsa_simd::signature::rand_core::{TryCryptoRng, TryRng};
use mldsa_simd::signature::{
    RandomizedDigestSigner, RandomizedMultipartSigner, RandomizedSigner, RandomizedSignerMut,
};
use mldsa_simd::{
    B32, Error, ExpandedSigningKey, Generate, Keypair, Signature, Signer, SigningKey, Verifier,
};
use shake::Shake256;
use std::collections::HashSet;

for_each_set! {
    a_generator_that_fails_makes_no_key,
    a_generator_that_fails_signs_nothing,
    a_refused_message_draws_nothing,
    key_generation_draws_one_seed,
    hedged_signing_draws_32_bytes,
    hedged_signatures_with_rnd_zero_are_the_deterministic_ones,
    hedged_signatures_use_every_bit_of_rnd,
    hedged_signatures_differ_and_verify,
    deterministic_signatures_repeat,
}

#[cfg(feature = "getrandom")]
mod system {
    use super::keys_come_from_the_operating_system;
    for_each_set! { keys_come_from_the_operating_system }
}

/// An error that a test recognizes.
#[derive(Debug, PartialEq)]
struct Dry(usize);

impl fmt::Display for Dry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "dry at call {}", self.0)
    }
}
impl core::error::Error for Dry {}

/// Serves a number of calls, then fails, leaving half of the buffer written.
struct Failing {
    calls: usize,
    served: usize,
}

impl Failing {
    fn at_once() -> Self {
        Self {
            calls: 0,
            served: 0,
        }
    }
}

impl TryRng for Failing {
    type Error = Dry;
    fn try_next_u32(&mut self) -> Result<u32, Dry> {
        self.try_fill_bytes(&mut [0; 4]).map(|()| 7)
    }
    fn try_next_u64(&mut self) -> Result<u64, Dry> {
        self.try_fill_bytes(&mut [0; 8]).map(|()| 7)
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Dry> {
        self.calls += 1;
        if self.calls > self.served {
            let (written, _) = out.split_at_mut(out.len() >> 1);
            written.fill(0xa5);
            return Err(Dry(self.calls));
        }
        out.fill(0x5a);
        Ok(())
    }
}
impl TryCryptoRng for Failing {}

/// Must not be touched.
struct Untouched;

impl TryRng for Untouched {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        panic!("the generator was touched")
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        panic!("the generator was touched")
    }
    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Infallible> {
        panic!("the generator was touched")
    }
}
impl TryCryptoRng for Untouched {}

/// Counts what is drawn.
struct Counting {
    source: Data,
    draws: Vec<usize>,
}

impl TryRng for Counting {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from_le_bytes(self.source.array()))
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from_le_bytes(self.source.array()))
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        self.draws.push(out.len());
        self.source.fill(out);
        Ok(())
    }
}
impl TryCryptoRng for Counting {}

/// Every way to a hedged signature of `message`, with a generator made anew for each.
fn hedged<P: Set, R: TryCryptoRng>(
    key: &ExpandedSigningKey<P>,
    message: &[u8],
    rng: impl Fn() -> R,
) -> [Result<Signature<P>, Error>; 6] {
    let mu = key.verifying_key().compute_mu(feed(message), b"").unwrap();
    let (head, tail) = message.split_at(message.len() >> 1);
    [
        key.sign_randomized(message, b"", &mut rng()),
        key.sign_mu_randomized(&mu, &mut rng()),
        RandomizedSigner::try_sign_with_rng(key, &mut rng(), message),
        RandomizedSignerMut::try_sign_with_rng(&mut key.clone(), &mut rng(), message),
        key.try_multipart_sign_with_rng(&mut rng(), &[head, b"", tail]),
        key.try_sign_digest_with_rng(&mut rng(), feed(message)),
    ]
}

fn a_generator_that_fails_makes_no_key<P: Set>() {
    // The caller's own error, not an opaque one.
    assert_eq!(
        SigningKey::<P>::try_generate_from_rng(&mut Failing::at_once()).err(),
        Some(Dry(1))
    );
    let mut later = Failing {
        calls: 0,
        served: 1,
    };
    assert!(SigningKey::<P>::try_generate_from_rng(&mut later).is_ok());
    assert_eq!(
        SigningKey::<P>::try_generate_from_rng(&mut later).err(),
        Some(Dry(2))
    );
}

fn a_generator_that_fails_signs_nothing<P: Set>() {
    let (key, _) = key_pair::<P>("dry");
    for (way, result) in hedged(key.expanded_key(), b"m", Failing::at_once)
        .iter()
        .enumerate()
    {
        assert!(result.is_err(), "way {way}");
    }
    let served = hedged(key.expanded_key(), b"m", || Failing {
        calls: 0,
        served: 1,
    });
    assert!(served.iter().all(Result::is_ok), "one draw is enough");
}

fn a_refused_message_draws_nothing<P: Set>() {
    let (key, _) = key_pair::<P>("refused");
    assert!(
        key.expanded_key()
            .sign_randomized(b"m", &[0; 256], &mut Untouched)
            .is_err()
    );
    let refused: Result<Signature<P>, Error> = key
        .expanded_key()
        .try_sign_digest_with_rng(&mut Untouched, |_: &mut Shake256| Err(Error::new()));
    assert!(refused.is_err());
}

fn key_generation_draws_one_seed<P: Set>() {
    let mut rng = Counting {
        source: Data::new("key generation"),
        draws: vec![],
    };
    let key = SigningKey::<P>::generate_from_rng(&mut rng);
    assert_eq!(rng.draws, [32]);
    assert_eq!(key.to_seed(), Data::new("key generation").seed());
    // An unsized generator, as `&mut dyn` gives it.
    let unsized_rng: &mut dyn TryCryptoRng<Error = Infallible> = &mut rng;
    let other = SigningKey::<P>::try_generate_from_rng(unsized_rng).unwrap();
    assert!(other != key);
    assert_eq!(rng.draws, [32, 32]);
}

fn hedged_signing_draws_32_bytes<P: Set>() {
    let (key, _) = key_pair::<P>("draws");
    let mut rng = Counting {
        source: Data::new("rnd"),
        draws: vec![],
    };
    let signature = key
        .expanded_key()
        .sign_randomized(b"m", b"c", &mut rng)
        .unwrap();
    assert_eq!(rng.draws, [32]);
    let rnd: B32 = Data::new("rnd").array().into();
    let expected = key
        .expanded_key()
        .sign_internal(&[&[0, 1], b"c", b"m"], &rnd);
    assert!(signature == expected, "it is the rnd of the standard");
    let expected = key.expanded_key().sign_internal(&[&[0, 0], b"m"], &rnd);
    for (way, signature) in hedged(key.expanded_key(), b"m", || Fixed(rnd.into()))
        .iter()
        .enumerate()
    {
        assert!(*signature.as_ref().unwrap() == expected, "way {way}");
    }
}

fn hedged_signatures_with_rnd_zero_are_the_deterministic_ones<P: Set>() {
    let (key, public) = key_pair::<P>("rnd zero");
    for message in [&b""[..], b"m", &[7; 500]] {
        let deterministic: Signature<P> = key.sign(message);
        for (way, signature) in hedged(key.expanded_key(), message, || Fixed([0; 32]))
            .iter()
            .enumerate()
        {
            assert!(*signature.as_ref().unwrap() == deterministic, "way {way}");
        }
    }
    let in_context = key
        .expanded_key()
        .sign_randomized(b"m", b"c", &mut Fixed([0; 32]))
        .unwrap();
    assert!(in_context == sign(key.expanded_key(), b"m", b"c"));
    assert!(public.verify_with_context(b"m", b"c", &in_context));
}

fn hedged_signatures_use_every_bit_of_rnd<P: Set>() {
    let (key, public) = key_pair::<P>("every bit");
    let mut seen = HashSet::new();
    for bit in 0..256 {
        let mut rnd = [0; 32];
        rnd[bit >> 3] = 1 << (bit & 7);
        let signature = key
            .expanded_key()
            .sign_randomized(b"m", b"", &mut Fixed(rnd))
            .unwrap();
        public.verify(b"m", &signature).unwrap();
        assert!(
            seen.insert(signature.encode()),
            "bit {bit} changes the signature"
        );
    }
    assert!(!seen.contains(&key.sign(b"m").encode()));
}

fn hedged_signatures_differ_and_verify<P: Set>() {
    let (key, public) = key_pair::<P>("hedged");
    let mut rng = Data::new("hedges");
    let mut seen = HashSet::new();
    for _ in 0..rounds(50) {
        let signature = key.expanded_key().sign_with_rng(&mut rng, b"m");
        public.verify(b"m", &signature).unwrap();
        // Even the commitments differ: the masks do.
        assert!(seen.insert(signature.c_tilde().to_vec()));
    }
}

fn deterministic_signatures_repeat<P: Set>() {
    let (key, public) = key_pair::<P>("repeat");
    let again = SigningKey::<P>::from_seed(key.as_seed());
    assert!(key == again && public == again.verifying_key());
    let first: Signature<P> = key.sign(b"m");
    for _ in 0..3 {
        assert!(key.sign(b"m") == first && again.sign(b"m") == first);
    }
}

#[cfg(feature = "getrandom")]
fn keys_come_from_the_operating_system<P: Set>() {
    let key = SigningKey::<P>::generate();
    let other = SigningKey::<P>::try_generate().unwrap();
    assert!(key != other && key.to_seed() != other.to_seed());
    let signature = key.sign(b"m");
    key.verifying_key().verify(b"m", &signature).unwrap();
    other.verifying_key().verify(b"m", &signature).unwrap_err();

    let mut system = mldsa_simd::common::getrandom::SysRng;
    let hedged = key
        .expanded_key()
        .sign_randomized(b"m", b"", &mut system)
        .unwrap();
    key.verifying_key().verify(b"m", &hedged).unwrap();
    assert!(hedged != signature);
}
