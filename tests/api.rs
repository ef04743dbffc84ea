//! The interface is RustCrypto's: every item is there (`api/inventory.rs`), and means the same.
#![allow(clippy::unwrap_used, reason = "tests")]

extern crate mldsa_simd as subject;

#[macro_use]
mod common;
#[path = "api/inventory.rs"]
mod inventory;

use common::{Data, Set, feed, key_pair, sign};
use core::cell::Cell;
use core::fmt::Debug;
use core::hash::{BuildHasher, Hash};
use ctutils::CtEq;
use hybrid_array::{Array, sizes::U64, typenum::Unsigned};
use mldsa_simd::signature::{
    DigestSigner, DigestVerifier, MultipartSigner, MultipartVerifier, SignatureEncoding,
};
use mldsa_simd::{
    EncodedSignature, EncodedVerifyingKey, Error, ExpandedSigningKey, ExpandedSigningKeyBytes,
    KeyExport, KeyInit, KeySizeUser, Keypair, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Seed,
    Signature, Signer, SigningKey, Verifier, VerifyingKey,
};
use shake::{Shake256, Update};
use static_assertions::{assert_impl_all, assert_not_impl_any};

for_each_set! {
    every_item_of_the_interface_is_there,
    sizes_are_those_of_the_standard,
    debug_output_of_private_keys_hides_them,
    a_clone_is_equal_and_outlives_its_original,
    equality_looks_at_every_field,
    hashes_agree_with_equality,
    every_way_to_a_signing_key_gives_the_same_key,
    every_way_to_a_verifying_key_gives_the_same_key,
    every_form_of_a_signature_gives_the_same_bytes,
    code_generic_over_the_signature_traits_works,
    every_form_of_a_message_gives_the_same_signature,
    every_form_of_a_message_verifies_every_signature,
    contexts_of_up_to_255_bytes_are_accepted,
    contexts_of_256_bytes_and_more_are_refused,
    context_and_message_are_both_bound,
    the_internal_interface_signs_another_message,
    mu_is_bound_to_the_key,
    errors_of_closures_are_passed_on,
    many_signatures_survive_encoding,
}

// Rows of types rather than generic functions: that a type lacks a trait can be said of concrete
// types only.
macro_rules! markers {
    ($($set:ty),+) => { $(
        assert_impl_all!(SigningKey<$set>: Send, Sync, Unpin);
        assert_impl_all!(ExpandedSigningKey<$set>: Send, Sync, Unpin);
        assert_impl_all!(VerifyingKey<$set>: Send, Sync, Unpin);
        assert_impl_all!(Signature<$set>: Send, Sync, Unpin);
        // A key or signature of zeros would be a value that nobody made.
        assert_not_impl_any!(SigningKey<$set>: Default, Copy, core::fmt::Display);
        assert_not_impl_any!(ExpandedSigningKey<$set>: Default, Copy, core::fmt::Display);
        assert_not_impl_any!(VerifyingKey<$set>: Default);
        assert_not_impl_any!(Signature<$set>: Default);
        // Equality of secrets takes constant time and there is no order; hashing them helps nobody.
        assert_not_impl_any!(SigningKey<$set>: Hash, PartialOrd);
        assert_not_impl_any!(ExpandedSigningKey<$set>: Hash, PartialOrd);
    )+ };
}
markers!(MlDsa44, MlDsa65, MlDsa87);

fn every_item_of_the_interface_is_there<P: Set>() {
    fn owned<T: 'static>() {}
    owned::<(
        SigningKey<P>,
        ExpandedSigningKey<P>,
        VerifyingKey<P>,
        Signature<P>,
    )>();
    inventory::inventory::<P>();
}

#[test]
fn marker_types_are_there() {
    inventory::marker_types();
}

#[cfg(feature = "pkcs8")]
#[test]
fn every_item_of_the_pkcs8_interface_is_there() {
    inventory::pkcs8::marker_types();
    inventory::pkcs8::inventory::<MlDsa44>();
    inventory::pkcs8::inventory::<MlDsa65>();
    inventory::pkcs8::inventory::<MlDsa87>();
}

fn sizes_are_those_of_the_standard<P: Set>() {
    assert_eq!(SigningKey::<P>::key_size(), 32);
    assert_eq!(VerifyingKey::<P>::key_size(), P::FIPS.public);
    assert_eq!(Seed::default().len(), 32);
    assert_eq!(EncodedVerifyingKey::<P>::default().len(), P::FIPS.public);
    assert_eq!(EncodedSignature::<P>::default().len(), P::FIPS.signature);
    assert_eq!(
        ExpandedSigningKeyBytes::<P>::default().len(),
        P::FIPS.expanded
    );
    assert_eq!(<P::Lambda as Unsigned>::USIZE, P::FIPS.c_tilde);
}

/// The key as bytes of FIPS 204's `skEncode`.
fn expanded_bytes<P: MlDsaParams>(key: &ExpandedSigningKey<P>) -> ExpandedSigningKeyBytes<P> {
    #[allow(deprecated, reason = "deprecated in ml-dsa")]
    key.to_expanded()
}

fn from_expanded<P: MlDsaParams>(bytes: &ExpandedSigningKeyBytes<P>) -> ExpandedSigningKey<P> {
    #[allow(deprecated, reason = "deprecated in ml-dsa")]
    ExpandedSigningKey::from_expanded(bytes)
}

/// Four bytes in a row, written as Debug and hex writers would, occur in a text.
fn leaks(text: &str, secret: &[u8]) -> bool {
    let text = text.to_lowercase();
    secret.windows(4).any(|window| {
        let [a, b, c, d] = window else {
            unreachable!("windows of four")
        };
        text.contains(&hex::encode(window))
            || text.contains(&format!("{a}, {b}, {c}, {d}"))
            || text.contains(&format!("{a:x}, {b:x}, {c:x}, {d:x}"))
            || text.contains(&format!("{a:02x}, {b:02x}, {c:02x}, {d:02x}"))
    })
}

fn debug_output_of_private_keys_hides_them<P: Set>() {
    let (key, _) = key_pair::<P>("debug");
    let expanded = expanded_bytes(key.expanded_key());
    // All but ρ, which is in the public key.
    let secrets = [key.as_seed().as_slice(), &expanded[32..]];

    for text in [
        format!("{key:?}"),
        format!("{key:#?}"),
        format!("{:?}", key.expanded_key()),
        format!("{:#?}", key.expanded_key()),
        format!("{:x?}", key.expanded_key()),
    ] {
        assert!(text.contains("SigningKey"), "{text}");
        assert!(text.len() < 100, "what else does it say? {text}");
        for secret in secrets {
            assert!(!leaks(&text, secret), "{text}");
        }
    }
    // The search finds what it looks for.
    for shown in [
        format!("{:?}", key.as_seed()),
        format!("{:#04X?}", &expanded[40..]),
        hex::encode(&expanded),
    ] {
        assert!(
            secrets
                .iter()
                .any(|secret| leaks(&shown.replace("0x", "").replace(",\n   ", ","), secret))
        );
    }
}

fn a_clone_is_equal_and_outlives_its_original<P: Set>() {
    let (key, public) = key_pair::<P>("clone");
    let before: Signature<P> = key.sign(b"before");
    let clone = key.clone();
    let expanded = key.expanded_key().clone();
    let public_clone = public.clone();
    let before_clone = before.clone();
    assert!(clone == key && expanded == *key.expanded_key());
    assert!(public_clone == public && before_clone == before);
    drop((key, public, before));

    public_clone.verify(b"before", &before_clone).unwrap();
    assert!(clone.sign(b"after") == expanded.sign(b"after"));
    public_clone
        .verify(b"after", &clone.sign(b"after"))
        .unwrap();
    assert!(clone.verifying_key() == public_clone);
}

fn equality_looks_at_every_field<P: Set>() {
    let (a, public_a) = key_pair::<P>("equality a");
    let (b, public_b) = key_pair::<P>("equality b");
    let same = SigningKey::<P>::from_seed(a.as_seed());
    assert!(a == same && bool::from(a.ct_eq(&same)));
    assert!(a != b && !bool::from(a.ct_eq(&b)));
    assert!(a.expanded_key() == same.expanded_key() && a.expanded_key() != b.expanded_key());
    assert!(public_a == same.verifying_key() && public_a != public_b);

    // ρ, K, tr: the first and the last byte. s₁, s₂, t₀: the first and the last coefficient.
    let encoded = expanded_bytes(a.expanded_key());
    let eta = 32 * P::FIPS.eta.ilog2() as usize + 64;
    let s2 = 128 + P::FIPS.l * eta;
    let t0 = s2 + P::FIPS.k * eta;
    assert_eq!(t0 + P::FIPS.k * 416, P::FIPS.expanded);
    let mut changed = vec![];
    for at in [0, 31, 32, 63, 64, 127, t0, P::FIPS.expanded - 1] {
        let mut bytes = encoded.clone();
        bytes[at] ^= 1;
        changed.push((at, bytes));
    }
    for at in [128, s2 - 1, s2, t0 - 1] {
        // The next value in range: the codes are 0 ..= 2η, in three or four bits, and `at` names
        // the lowest bits of a first byte or the highest of a last one.
        let bits = if P::FIPS.eta == 2 { 3 } else { 4 };
        let shift = if at == 128 || at == s2 { 0 } else { 8 - bits };
        let mut bytes = encoded.clone();
        let code = bytes[at] >> shift & ((1 << bits) - 1);
        let next = if usize::from(code) == 2 * P::FIPS.eta {
            0
        } else {
            code + 1
        };
        bytes[at] = bytes[at] & !(((1 << bits) - 1) << shift) | next << shift;
        changed.push((at, bytes));
    }
    for (at, bytes) in changed {
        let other = from_expanded::<P>(&bytes);
        assert!(expanded_bytes(&other) == bytes, "byte {at} is kept");
        assert!(other != *a.expanded_key(), "byte {at}");
        assert!(!bool::from(other.ct_eq(a.expanded_key())), "byte {at}");
        assert!(other == from_expanded::<P>(&bytes));
    }

    let encoded = public_a.encode();
    for at in [0, 31, 32, P::FIPS.public - 1] {
        let mut bytes = encoded.clone();
        bytes[at] ^= 0x80;
        assert!(VerifyingKey::<P>::decode(&bytes) != public_a, "byte {at}");
    }
    let signature = sign(a.expanded_key(), b"equality", b"");
    for at in [0, P::FIPS.c_tilde, P::FIPS.hint() - 1] {
        let mut bytes = signature.encode();
        bytes[at] ^= 1;
        if let Some(other) = Signature::<P>::decode(&bytes) {
            assert!(other != signature, "byte {at}");
        }
    }
}

fn hashes_agree_with_equality<P: Set>() {
    fn hash<T: Hash>(value: &T) -> u64 {
        let state = core::hash::BuildHasherDefault::<std::hash::DefaultHasher>::default();
        state.hash_one(value)
    }
    let (a, public_a) = key_pair::<P>("hash a");
    let (b, public_b) = key_pair::<P>("hash b");
    assert_eq!(
        hash(&public_a),
        hash(&VerifyingKey::<P>::decode(&public_a.encode()))
    );
    assert_eq!(hash(&public_a), hash(&a.expanded_key().verifying_key()));
    assert_ne!(hash(&public_a), hash(&public_b));

    let signature: Signature<P> = a.sign(b"hash");
    assert_eq!(
        hash(&signature),
        hash(&Signature::<P>::decode(&signature.encode()).unwrap())
    );
    assert_ne!(hash(&signature), hash(&b.sign(b"hash")));
}

fn every_way_to_a_signing_key_gives_the_same_key<P: Set>() {
    let seed = Data::new("ways to a key").seed();
    let key = SigningKey::<P>::from_seed(&seed);
    assert!(key == <SigningKey<P> as KeyInit>::new(&seed));
    assert!(key == SigningKey::<P>::new_from_slice(&seed).unwrap());
    assert_eq!(*key.as_seed(), seed);
    assert_eq!(key.to_seed(), seed);
    assert_eq!(KeyExport::to_bytes(&key), seed);

    let expanded = ExpandedSigningKey::<P>::from_seed(&seed);
    assert!(expanded == *key.expanded_key());
    let bytes = expanded_bytes(&expanded);
    let decoded = from_expanded::<P>(&bytes);
    assert!(expanded == decoded);
    assert_eq!(expanded_bytes(&decoded), bytes);
    assert!(sign(&expanded, b"m", b"c") == sign(&decoded, b"m", b"c"));
}

fn every_way_to_a_verifying_key_gives_the_same_key<P: Set>() {
    let (key, public) = key_pair::<P>("ways to a verifying key");
    let bytes = public.encode();
    let ways = [
        Keypair::verifying_key(&key),
        key.expanded_key().verifying_key(),
        Keypair::verifying_key(key.expanded_key()),
        from_expanded::<P>(&expanded_bytes(key.expanded_key())).verifying_key(),
        VerifyingKey::decode(&bytes),
        <VerifyingKey<P> as KeyInit>::new(&bytes),
        VerifyingKey::new_from_slice(&bytes).unwrap(),
    ];
    let signature = key.sign(b"m");
    for (way, other) in ways.iter().enumerate() {
        assert!(*other == public, "way {way}");
        assert!(
            other.encode() == bytes && KeyExport::to_bytes(other) == bytes,
            "way {way}"
        );
        other.verify(b"m", &signature).unwrap();
        other.verify(b"n", &signature).unwrap_err();
    }
    #[cfg(feature = "alloc")]
    {
        use mldsa_simd::signature::KeypairRef;
        fn by_reference<K: KeypairRef>(key: &K) -> &K::VerifyingKey {
            key.as_ref()
        }
        assert!(*by_reference(&key) == public);
        assert!(*AsRef::<VerifyingKey<P>>::as_ref(&key) == public);
    }
}

fn every_form_of_a_signature_gives_the_same_bytes<P: Set>() {
    let (key, _) = key_pair::<P>("forms of a signature");
    let signature = sign(key.expanded_key(), b"m", b"c");
    let bytes = signature.encode();
    assert_eq!(signature.to_bytes(), bytes);
    assert_eq!(signature.encoded_len(), P::FIPS.signature);
    let owned: EncodedSignature<P> = signature.clone().try_into().unwrap();
    assert_eq!(owned, bytes);
    assert_eq!(signature.c_tilde().as_slice(), &bytes[..P::FIPS.c_tilde]);
    assert!(Signature::<P>::decode(&bytes).unwrap() == signature);
    assert!(Signature::<P>::try_from(bytes.as_slice()).unwrap() == signature);
    #[cfg(feature = "alloc")]
    assert_eq!(signature.to_vec(), bytes.to_vec());
}

/// A user's code: knows neither the algorithm nor its parameters.
fn code_generic_over_the_signature_traits_works<P: Set>() {
    fn notarize<K, S>(key: &K, document: &[u8]) -> Vec<u8>
    where
        K: Signer<S> + Keypair,
        K::VerifyingKey: Verifier<S>,
        S: SignatureEncoding,
    {
        let signature = key.try_sign(document).unwrap();
        key.verifying_key().verify(document, &signature).unwrap();
        signature.to_bytes().as_ref().to_vec()
    }
    fn check<S: for<'a> TryFrom<&'a [u8]>>(
        key: &dyn Verifier<S>,
        document: &[u8],
        seal: &[u8],
    ) -> bool {
        S::try_from(seal).is_ok_and(|signature| key.verify(document, &signature).is_ok())
    }
    let (key, public) = key_pair::<P>("notary");
    let seal = notarize::<_, Signature<P>>(&key, b"a deed");
    assert_eq!(
        seal,
        notarize::<_, Signature<P>>(key.expanded_key(), b"a deed")
    );
    assert!(check::<Signature<P>>(&public, b"a deed", &seal));
    assert!(!check::<Signature<P>>(&public, b"another", &seal));
    assert!(!check::<Signature<P>>(&public, b"a deed", &seal[1..]));

    let signers: [&dyn Signer<Signature<P>>; 2] = [&key, key.expanded_key()];
    assert!(
        signers
            .iter()
            .all(|signer| *signer.sign(b"a deed").encode() == *seal)
    );
}

/// Lengths at which hashing tr ‖ 0 ‖ 0 ‖ M fills a block of 136 bytes, and others.
const LENGTHS: [usize; 13] = [0, 1, 8, 31, 69, 70, 71, 136, 205, 206, 207, 1000, 5000];

fn every_form_of_a_message_gives_the_same_signature<P: Set>() {
    let (key, public) = key_pair::<P>("forms of a message");
    let mut data = Data::new("messages");
    for len in LENGTHS {
        let message = data.bytes(len);
        let expected = sign(key.expanded_key(), &message, b"");
        let mu = public.compute_mu(feed(&message), b"").unwrap();
        let cut = data.below(len + 1);
        let (head, tail) = message.split_at(cut);
        let bytewise: Vec<&[u8]> = message.chunks(1).collect();
        let in_two = |hash: &mut Shake256| {
            hash.update(head);
            hash.update(tail);
        };

        fn both<P: Set, K>(key: &K, message: &[u8]) -> Signature<P>
        where
            K: Signer<Signature<P>>,
        {
            assert!(key.sign(message) == key.try_sign(message).unwrap());
            key.sign(message)
        }
        let forms = [
            both(&key, &message),
            both(key.expanded_key(), &message),
            key.multipart_sign(&[&message]),
            key.multipart_sign(&[head, tail]),
            key.multipart_sign(&[b"", head, b"", tail, b""]),
            key.multipart_sign(&bytewise),
            key.expanded_key().multipart_sign(&[head, tail]),
            key.expanded_key().try_multipart_sign(&bytewise).unwrap(),
            key.sign_digest(in_two),
            key.expanded_key().sign_digest(in_two),
            key.expanded_key().sign_mu_deterministic(&mu),
            key.expanded_key()
                .sign_internal(&[&[0, 0], &message], &Seed::default()),
            key.expanded_key()
                .sign_internal(&[&[0], &[], &[0], head, tail], &Seed::default()),
        ];
        for (form, signature) in forms.iter().enumerate() {
            assert!(*signature == expected, "form {form}, {len} bytes");
        }
    }
    // No part at all is the empty message.
    assert!(key.multipart_sign(&[]) == key.sign(b""));
}

fn every_form_of_a_message_verifies_every_signature<P: Set>() {
    let (key, public) = key_pair::<P>("verified forms");
    let mut data = Data::new("verified messages");
    for len in LENGTHS {
        let message = data.bytes(len);
        let signature = key.sign(&message);
        let mut longer = message.clone();
        longer.push(0);
        for (text, valid) in [(&message, true), (&longer, false)] {
            let (head, tail) = text.split_at(data.below(text.len() + 1));
            let mu = public.compute_mu(feed(text), b"").unwrap();
            let internal = [&[0, 0][..], text].concat();
            let verdicts = [
                public.verify(text, &signature).is_ok(),
                public
                    .multipart_verify(&[head, b"", tail], &signature)
                    .is_ok(),
                public
                    .verify_digest(
                        |hash: &mut Shake256| {
                            feed(head)(hash)?;
                            feed(tail)(hash)
                        },
                        &signature,
                    )
                    .is_ok(),
                public.verify_with_context(text, b"", &signature),
                public.verify_mu(&mu, &signature),
                public.verify_internal(&internal, &signature),
            ];
            assert_eq!(verdicts, [valid; 6], "{len} bytes");
        }
    }
}

fn contexts_of_up_to_255_bytes_are_accepted<P: Set>() {
    let (key, public) = key_pair::<P>("contexts");
    let context = Data::new("a context").bytes(255);
    let message = b"in context";
    for len in [0, 1, 2, 127, 128, 254, 255] {
        let ctx = &context[..len];
        let signature = sign(key.expanded_key(), message, ctx);
        let mu = public.compute_mu(feed(message), ctx).unwrap();
        assert!(
            key.expanded_key().sign_mu_deterministic(&mu) == signature,
            "{len}"
        );
        // Algorithm 2, line 10: M′ = 0 ‖ |ctx| ‖ ctx ‖ M.
        let prefix = [0, u8::try_from(len).unwrap()];
        let internal = key
            .expanded_key()
            .sign_internal(&[&prefix, ctx, message], &Seed::default());
        assert!(internal == signature, "{len}");
        assert!(
            public.verify_with_context(message, ctx, &signature),
            "{len}"
        );
        assert!(public.verify_mu(&mu, &signature), "{len}");
        assert!(
            public.verify_internal(&[&prefix, ctx, message].concat(), &signature),
            "{len}"
        );
        // The traits speak of the empty context.
        assert_eq!(
            public.verify(message, &signature).is_ok(),
            len == 0,
            "{len}"
        );
        for other in [0, 1, 254, 255] {
            let accepted = public.verify_with_context(message, &context[..other], &signature);
            assert_eq!(
                accepted,
                other == len,
                "signed with {len}, verified with {other}"
            );
        }
        #[cfg(feature = "rand_core")]
        {
            let mut rng = Data::new("hedge");
            let hedged = key
                .expanded_key()
                .sign_randomized(message, ctx, &mut rng)
                .unwrap();
            assert!(public.verify_with_context(message, ctx, &hedged), "{len}");
        }
    }
}

fn contexts_of_256_bytes_and_more_are_refused<P: Set>() {
    let (key, public) = key_pair::<P>("long contexts");
    let context = Data::new("a long context").bytes(65_536);
    let message = b"out of context";
    for len in [256, 257, 511, 512, 65_535, 65_536] {
        let ctx = &context[..len];
        assert!(
            key.expanded_key().sign_deterministic(message, ctx).is_err(),
            "{len}"
        );
        let called = Cell::new(false);
        let mu = public.compute_mu(
            |hash| {
                called.set(true);
                feed(message)(hash)
            },
            ctx,
        );
        assert!(
            mu.is_err() && !called.get(),
            "{len}: refused before the message is asked for"
        );
        #[cfg(feature = "rand_core")]
        {
            let mut rng = Data::new("unused");
            assert!(
                key.expanded_key()
                    .sign_randomized(message, ctx, &mut rng)
                    .is_err(),
                "{len}"
            );
            assert_eq!(
                rng.bytes(8),
                Data::new("unused").bytes(8),
                "nothing was drawn"
            );
        }
        // What a length byte that wraps would make of it, whole or cut: none may verify.
        let wrapped = [0, u8::try_from(len & 0xff).unwrap()];
        let forged = key
            .expanded_key()
            .sign_internal(&[&wrapped, ctx, message], &Seed::default());
        assert!(!public.verify_with_context(message, ctx, &forged), "{len}");
        let cut = sign(key.expanded_key(), message, &ctx[..255]);
        assert!(!public.verify_with_context(message, ctx, &cut), "{len}");
        let empty = key.sign(message);
        assert!(!public.verify_with_context(message, ctx, &empty), "{len}");
    }
}

fn context_and_message_are_both_bound<P: Set>() {
    let (key, public) = key_pair::<P>("bound");
    // The same bytes, cut in four ways.
    let cuts: [(&[u8], &[u8]); 4] = [
        (b"", b"abcd"),
        (b"a", b"bcd"),
        (b"abc", b"d"),
        (b"abcd", b""),
    ];
    for (ctx, message) in cuts {
        let signature = sign(key.expanded_key(), message, ctx);
        for (other_ctx, other_message) in cuts {
            assert_eq!(
                public.verify_with_context(other_message, other_ctx, &signature),
                ctx == other_ctx,
            );
        }
    }
}

fn the_internal_interface_signs_another_message<P: Set>() {
    let (key, public) = key_pair::<P>("internal");
    let messages: [&[u8]; 4] = [b"", b"m", &[0, 0], &[0; 300]];
    for message in messages {
        let internal = key
            .expanded_key()
            .sign_internal(&[message], &Seed::default());
        assert!(public.verify_internal(message, &internal));
        public.verify(message, &internal).unwrap_err();
        assert!(!public.verify_with_context(message, b"", &internal));
        let external = key.sign(message);
        assert!(!public.verify_internal(message, &external));
        public.verify(message, &external).unwrap();
    }
}

fn mu_is_bound_to_the_key<P: Set>() {
    let (a, public_a) = key_pair::<P>("mu a");
    let (_, public_b) = key_pair::<P>("mu b");

    let mu = public_a.compute_mu(feed(b"m"), b"").unwrap();
    assert_eq!(
        mu,
        VerifyingKey::<P>::decode(&public_a.encode())
            .compute_mu(feed(b"m"), b"")
            .unwrap()
    );
    assert_ne!(mu, public_b.compute_mu(feed(b"m"), b"").unwrap());
    let signature = a.expanded_key().sign_mu_deterministic(&mu);
    assert!(public_a.verify_mu(&mu, &signature));
    assert!(!public_b.verify_mu(&mu, &signature));
    for bit in [0, 255, 511] {
        let mut other = mu;
        other[bit >> 3] ^= 1 << (bit & 7);
        assert!(!public_a.verify_mu(&other, &signature), "bit {bit}");
    }
    // μ is an array of 64 bytes by type; slices of other lengths do not become one.
    for len in [0, 32, 63, 65, 128] {
        assert!(Array::<u8, U64>::try_from(vec![0; len].as_slice()).is_err());
    }
}

fn errors_of_closures_are_passed_on<P: Set>() {
    let (key, public) = key_pair::<P>("closures");
    let signature = key.sign(b"");
    let refuse = |_: &mut Shake256| Err(Error::new());
    assert!(key.try_sign_digest(refuse).is_err());
    assert!(key.expanded_key().try_sign_digest(refuse).is_err());
    assert!(public.compute_mu(refuse, b"").is_err());
    public.verify_digest(refuse, &signature).unwrap_err();

    let calls = Cell::new(0);
    let count = |_: &mut Shake256| {
        calls.set(calls.get() + 1);
        Ok(())
    };
    assert!(key.try_sign_digest(count).unwrap() == signature);
    assert!(key.expanded_key().try_sign_digest(count).unwrap() == signature);
    public.verify_digest(count, &signature).unwrap();
    public.compute_mu(count, b"").unwrap();
    assert_eq!(calls.get(), 4, "each asks for the message once");
    #[cfg(feature = "rand_core")]
    {
        use mldsa_simd::signature::RandomizedDigestSigner;
        let mut rng = Data::new("unused");
        let refused: Result<Signature<P>, Error> = key
            .expanded_key()
            .try_sign_digest_with_rng(&mut rng, refuse);
        assert!(refused.is_err());
    }
}

fn many_signatures_survive_encoding<P: Set>() {
    let (key, public) = key_pair::<P>("many");
    for number in 0..common::rounds(10_000) {
        let message = number.to_le_bytes();
        let bytes = key.sign(&message).encode();
        let decoded = Signature::<P>::decode(&bytes).expect("our own signature decodes");
        assert!(decoded.encode() == bytes, "signature {number}");
        assert!(
            public.verify(&message, &decoded).is_ok(),
            "signature {number}"
        );
    }
}

/// Values that a program holds in error types, collections and threads.
#[test]
fn keys_of_all_sets_fit_in_one_structure() {
    #[allow(clippy::large_enum_variant, reason = "without a heap, keys are inline")]
    #[derive(Clone, Debug, PartialEq)]
    enum AnyKey {
        Small(VerifyingKey<MlDsa44>),
        Medium(VerifyingKey<MlDsa65>),
        Large(VerifyingKey<MlDsa87>),
    }
    let keys = [
        AnyKey::Small(key_pair("any").1),
        AnyKey::Medium(key_pair("any").1),
        AnyKey::Large(key_pair("any").1),
    ];
    let debugged: Vec<String> = keys.iter().map(|key| format!("{key:?}")).collect();
    assert!(debugged.iter().all(|text| text.contains("VerifyingKey")));
    let moved = std::thread::spawn(move || keys).join().unwrap();
    assert_eq!(moved.len(), 3);
    fn is_error<E: core::error::Error + Send + Sync + 'static>() {}
    is_error::<Error>();
    fn debug<T: Debug>() {}
    debug::<Error>();
}
