//! Byte equality with three other implementations: keys, deterministic and hedged signatures, and
//! each verifies what the other signed, over random seeds, messages and contexts.
#![allow(clippy::unwrap_used, reason = "tests")]

#[macro_use]
mod common;

use common::{Data, Set, rounds};
use mldsa_simd::{ExpandedSigningKey, Keypair, MlDsa44, MlDsa65, MlDsa87, Seed};
use mldsa_simd::{Signature, SigningKey, VerifyingKey};

for_each_set! {
    keys_and_signatures_equal_those_of_peers,
    messages_of_every_length_around_a_block_are_signed_alike,
    contexts_of_every_length_are_signed_alike,
    expanded_keys_of_peers_sign_alike,
    peers_refuse_what_we_refuse,
}

/// Seed to (public key, expanded private key).
type Generate = fn([u8; 32]) -> (Vec<u8>, Vec<u8>);
/// Expanded key, message, context, rnd; all zeros for rnd is the deterministic signature.
type Sign = fn(&[u8], &[u8], &[u8], [u8; 32]) -> Vec<u8>;
/// Public key, message, context, signature.
type Verify = fn(&[u8], &[u8], &[u8], &[u8]) -> bool;

/// Another implementation, in terms of bytes.
struct Peer {
    name: &'static str,
    generate: Generate,
    sign: Sign,
    verify: Verify,
}

trait Peers: Set {
    const PEERS: [Peer; 3];
}

macro_rules! peers {
    ($set:ident, $module:ident, $libcrux_sk:ident, $libcrux_vk:ident, $libcrux_sig:ident) => {
        impl Peers for $set {
            const PEERS: [Peer; 3] = [
                Peer {
                    name: "ml-dsa",
                    generate: ml_dsa_generate::<ml_dsa::$set>,
                    sign: ml_dsa_sign::<ml_dsa::$set>,
                    verify: ml_dsa_verify::<ml_dsa::$set>,
                },
                Peer {
                    name: "fips204",
                    generate: |seed| {
                        use fips204::traits::{KeyGen, SerDes};
                        let (public, private) = fips204::$module::KG::keygen_from_seed(&seed);
                        (public.into_bytes().to_vec(), private.into_bytes().to_vec())
                    },
                    sign: |key, message, context, rnd| {
                        use fips204::traits::{SerDes, Signer};
                        fips204::$module::PrivateKey::try_from_bytes(key.try_into().unwrap())
                            .unwrap()
                            .try_sign_with_seed(&rnd, message, context)
                            .unwrap()
                            .to_vec()
                    },
                    verify: |key, message, context, signature| {
                        use fips204::traits::{SerDes, Verifier};
                        fips204::$module::PublicKey::try_from_bytes(key.try_into().unwrap())
                            .unwrap()
                            .verify(message, signature.try_into().unwrap(), context)
                    },
                },
                Peer {
                    name: "libcrux-ml-dsa",
                    generate: |seed| {
                        let pair = libcrux_ml_dsa::$module::generate_key_pair(seed);
                        (
                            pair.verification_key.as_ref().to_vec(),
                            pair.signing_key.as_ref().to_vec(),
                        )
                    },
                    sign: |key, message, context, rnd| {
                        let key =
                            libcrux_ml_dsa::$module::$libcrux_sk::new(key.try_into().unwrap());
                        libcrux_ml_dsa::$module::sign(&key, message, context, rnd)
                            .unwrap()
                            .as_ref()
                            .to_vec()
                    },
                    verify: |key, message, context, signature| {
                        let key =
                            libcrux_ml_dsa::$module::$libcrux_vk::new(key.try_into().unwrap());
                        let signature = libcrux_ml_dsa::$module::$libcrux_sig::new(
                            signature.try_into().unwrap(),
                        );
                        libcrux_ml_dsa::$module::verify(&key, message, context, &signature).is_ok()
                    },
                },
            ];
        }
    };
}
peers!(
    MlDsa44,
    ml_dsa_44,
    MLDSA44SigningKey,
    MLDSA44VerificationKey,
    MLDSA44Signature
);
peers!(
    MlDsa65,
    ml_dsa_65,
    MLDSA65SigningKey,
    MLDSA65VerificationKey,
    MLDSA65Signature
);
peers!(
    MlDsa87,
    ml_dsa_87,
    MLDSA87SigningKey,
    MLDSA87VerificationKey,
    MLDSA87Signature
);

fn ml_dsa_generate<P: ml_dsa::MlDsaParams>(seed: [u8; 32]) -> (Vec<u8>, Vec<u8>) {
    let key = ml_dsa::SigningKey::<P>::from_seed(&seed.into());
    #[allow(deprecated, reason = "the expanded form is what is compared")]
    let expanded = key.expanded_key().to_expanded();
    (key.verifying_key().encode().to_vec(), expanded.to_vec())
}

fn ml_dsa_sign<P: ml_dsa::MlDsaParams>(
    key: &[u8],
    message: &[u8],
    context: &[u8],
    rnd: [u8; 32],
) -> Vec<u8> {
    #[allow(deprecated, reason = "the expanded form is what is compared")]
    let key = ml_dsa::ExpandedSigningKey::<P>::from_expanded(&key.try_into().unwrap());
    let prefix = [0, u8::try_from(context.len()).unwrap()];
    key.sign_internal(&[&prefix, context, message], &rnd.into())
        .encode()
        .to_vec()
}

fn ml_dsa_verify<P: ml_dsa::MlDsaParams>(
    key: &[u8],
    message: &[u8],
    context: &[u8],
    signature: &[u8],
) -> bool {
    let key = ml_dsa::VerifyingKey::<P>::decode(&key.try_into().unwrap());
    ml_dsa::Signature::<P>::try_from(signature)
        .is_ok_and(|signature| key.verify_with_context(message, context, &signature))
}

/// Ours, made from a seed, and what it encodes to.
struct Ours<P: Set> {
    seed: [u8; 32],
    key: SigningKey<P>,
    public: VerifyingKey<P>,
    public_bytes: Vec<u8>,
    expanded_bytes: Vec<u8>,
}

impl<P: Set> Ours<P> {
    fn new(seed: [u8; 32]) -> Self {
        let key = SigningKey::<P>::from_seed(&seed.into());
        let public = key.verifying_key();
        #[allow(deprecated, reason = "the expanded form is what is compared")]
        let expanded_bytes = key.expanded_key().to_expanded().to_vec();
        Self {
            seed,
            public_bytes: public.encode().to_vec(),
            expanded_bytes,
            key,
            public,
        }
    }

    /// The signature with a given rnd, by the internal interface, and by the generator's where there is one.
    fn sign(&self, message: &[u8], context: &[u8], rnd: [u8; 32]) -> Vec<u8> {
        let prefix = [0, u8::try_from(context.len()).unwrap()];
        let key = self.key.expanded_key();
        let signature = key.sign_internal(&[&prefix, context, message], &rnd.into());
        if rnd == [0; 32] {
            assert!(key.sign_deterministic(message, context).unwrap() == signature);
        }
        #[cfg(feature = "rand_core")]
        {
            let mut rng = common::rng::Fixed(rnd);
            assert!(key.sign_randomized(message, context, &mut rng).unwrap() == signature);
        }
        signature.encode().to_vec()
    }

    fn verify(&self, message: &[u8], context: &[u8], signature: &[u8]) -> bool {
        Signature::<P>::try_from(signature).is_ok_and(|signature| {
            self.public
                .verify_with_context(message, context, &signature)
        })
    }
}

/// Signs with everyone, compares, and lets everyone verify.
fn compare<P: Peers>(ours: &Ours<P>, message: &[u8], context: &[u8], rnd: [u8; 32]) {
    let case = || {
        format!(
            "{}, seed {}, {} bytes of message, {} of context, rnd {}",
            P::FIPS.name,
            hex::encode(ours.seed),
            message.len(),
            context.len(),
            hex::encode(rnd),
        )
    };
    let signature = ours.sign(message, context, rnd);
    assert!(ours.verify(message, context, &signature), "{}", case());
    for peer in &P::PEERS {
        let theirs = (peer.sign)(&ours.expanded_bytes, message, context, rnd);
        assert!(theirs == signature, "{}: {}", peer.name, case());
        let accepted = (peer.verify)(&ours.public_bytes, message, context, &signature);
        assert!(accepted, "{}: {}", peer.name, case());
    }
}

fn keys_and_signatures_equal_those_of_peers<P: Peers>() {
    let mut data = Data::new("peers");
    for case in 0..rounds(48) {
        let seed = match case {
            0 => [0; 32],
            1 => [0xff; 32],
            _ => data.array(),
        };
        let ours = Ours::<P>::new(seed);
        for peer in &P::PEERS {
            let (public, expanded) = (peer.generate)(seed);
            assert!(
                public == ours.public_bytes,
                "{}: {}",
                peer.name,
                hex::encode(seed)
            );
            assert!(
                expanded == ours.expanded_bytes,
                "{}: {}",
                peer.name,
                hex::encode(seed)
            );
        }
        let len = data.below(5001);
        let message = data.bytes(len);
        let len = data.below(256);
        let context = data.bytes(len);
        compare(&ours, &message, &context, [0; 32]);
        compare(&ours, &message, &context, data.array());
    }
}

/// tr, the two bytes before the message, and the message: blocks of SHAKE256 have 136 bytes.
fn messages_of_every_length_around_a_block_are_signed_alike<P: Peers>() {
    let ours = Ours::<P>::new([1; 32]);
    let message = Data::new("blocks").bytes(5000);
    for blocks in 1..=3 {
        let full = 136 * blocks - 64 - 2;
        for len in [
            full - 8,
            full - 2,
            full - 1,
            full,
            full + 1,
            full + 2,
            full + 7,
        ] {
            compare(&ours, &message[..len], b"", [0; 32]);
        }
    }
    for len in [0, 1, 2, 7, 8, 9, 4999, 5000] {
        compare(&ours, &message[..len], b"", [0; 32]);
    }
}

fn contexts_of_every_length_are_signed_alike<P: Peers>() {
    let ours = Ours::<P>::new([2; 32]);
    let context = Data::new("contexts").bytes(255);
    for len in [0, 1, 2, 5, 68, 69, 70, 71, 128, 204, 205, 206, 254, 255] {
        compare(&ours, b"m", &context[..len], [0; 32]);
        compare(&ours, b"", &context[..len], [3; 32]);
    }
}

fn expanded_keys_of_peers_sign_alike<P: Peers>() {
    for peer in &P::PEERS {
        let seed = Data::new(peer.name).array();
        let ours = Ours::<P>::new(seed);
        let (public, expanded) = (peer.generate)(seed);
        #[allow(deprecated, reason = "the expanded form is what is compared")]
        let key = ExpandedSigningKey::<P>::from_expanded(&expanded.as_slice().try_into().unwrap());
        assert!(key == *ours.key.expanded_key(), "{}", peer.name);
        assert!(
            key.verifying_key().encode().as_slice() == public,
            "{}",
            peer.name
        );
        let signature = key.sign_internal(&[&[0, 0], b"m"], &Seed::from([9; 32]));
        assert!(
            signature.encode().to_vec() == ours.sign(b"m", b"", [9; 32]),
            "{}",
            peer.name
        );
    }
}

fn peers_refuse_what_we_refuse<P: Peers>() {
    let ours = Ours::<P>::new([5; 32]);
    let mut data = Data::new("refused by all");
    let signature = ours.sign(b"m", b"c", [0; 32]);
    for case in 0..rounds(60) {
        let mut bytes = signature.clone();
        // In the hints as often as in c̃ and z.
        let at = match case & 1 {
            0 => data.below(bytes.len()),
            _ => P::FIPS.hint() + data.below(bytes.len() - P::FIPS.hint()),
        };
        bytes[at] ^= 1 << data.below(8);
        assert!(!ours.verify(b"m", b"c", &bytes), "byte {at}");
        for peer in &P::PEERS {
            assert!(
                !(peer.verify)(&ours.public_bytes, b"m", b"c", &bytes),
                "{}: byte {at}",
                peer.name
            );
        }
    }
    for peer in &P::PEERS {
        assert!(
            !(peer.verify)(&ours.public_bytes, b"m", b"", &signature),
            "{}",
            peer.name
        );
        assert!(
            !(peer.verify)(&ours.public_bytes, b"n", b"c", &signature),
            "{}",
            peer.name
        );
    }
}
