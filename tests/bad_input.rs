//! Whatever bytes come in, a parser gives a value or an error: it never panics, it accepts nothing
//! that the standard refuses, and what it accepts has one encoding.
#![allow(clippy::unwrap_used, reason = "tests")]

#[macro_use]
mod common;

use common::{Data, Set, key_pair, rounds, sign};
use mldsa_simd::{
    EncodedSignature, EncodedVerifyingKey, ExpandedSigningKeyBytes, KeyInit, Seed, Signature,
    SigningKey, Verifier, VerifyingKey,
};

for_each_set! {
    lengths_other_than_the_right_one_are_refused,
    random_signatures_are_refused_or_have_one_encoding,
    random_verifying_keys_decode_and_verify_nothing,
    a_flipped_bit_anywhere_is_refused,
    signatures_of_other_keys_are_refused,
    all_zero_keys_and_signatures_are_refused,
    a_repeated_hint_index_is_refused,
    decreasing_hints_are_refused,
    padding_after_the_hints_must_be_zero,
    too_many_hints_are_refused,
    mutated_hints_are_judged_as_the_standard_says,
    z_is_refused_at_its_bound_in_every_coefficient,
}

fn lengths_other_than_the_right_one_are_refused<P: Set>() {
    let (key, public) = key_pair::<P>("lengths");
    let signature = sign(key.expanded_key(), b"lengths", b"");
    // The valid encoding, twice over: a parser that looks at a part only would accept it.
    let signature = [signature.encode(), signature.encode()].concat();
    let public = [public.encode(), public.encode()].concat();
    let longest = 2 * P::FIPS.expanded.max(P::FIPS.signature);
    let zeros = vec![0; longest];
    for len in 0..=longest {
        if let Some(bytes) = signature.get(..len) {
            let right = len == P::FIPS.signature;
            assert_eq!(Signature::<P>::try_from(bytes).is_ok(), right, "{len}");
            assert_eq!(
                EncodedSignature::<P>::try_from(bytes).is_ok(),
                right,
                "{len}"
            );
        }
        if let Some(bytes) = public.get(..len) {
            let right = len == P::FIPS.public;
            assert_eq!(
                VerifyingKey::<P>::new_from_slice(bytes).is_ok(),
                right,
                "{len}"
            );
            assert_eq!(
                EncodedVerifyingKey::<P>::try_from(bytes).is_ok(),
                right,
                "{len}"
            );
        }
        let bytes = &zeros[..len];
        assert_eq!(
            SigningKey::<P>::new_from_slice(bytes).is_ok(),
            len == 32,
            "{len}"
        );
        assert_eq!(Seed::try_from(bytes).is_ok(), len == 32, "{len}");
        let expanded = ExpandedSigningKeyBytes::<P>::try_from(bytes);
        assert_eq!(expanded.is_ok(), len == P::FIPS.expanded, "{len}");
    }
}

fn random_signatures_are_refused_or_have_one_encoding<P: Set>() {
    let (_, public) = key_pair::<P>("random signatures");
    let mut data = Data::new("random signatures");
    let mut bytes = EncodedSignature::<P>::default();
    let mut accepted = 0;
    for round in 0..rounds(400) {
        data.fill(&mut bytes);
        // All but impossible to be well formed as it is, so most get hints and a z that may be.
        if round & 7 != 0 {
            bytes[P::FIPS.hint()..].fill(0);
        }
        if round & 3 != 0 {
            for index in 0..256 * P::FIPS.l {
                set_z::<P>(&mut bytes, index, data.below(1000) as i32 - 500);
            }
        }
        let decoded = Signature::<P>::decode(&bytes);
        assert_eq!(
            decoded.is_some(),
            Signature::<P>::try_from(bytes.as_slice()).is_ok()
        );
        if let Some(signature) = decoded {
            accepted += 1;
            assert!(signature.encode() == bytes);
            public.verify(b"", &signature).unwrap_err();
        }
    }
    assert!(accepted > 0, "some decode");
}

fn random_verifying_keys_decode_and_verify_nothing<P: Set>() {
    let (key, _) = key_pair::<P>("random keys");
    let signature = sign(key.expanded_key(), b"random keys", b"");
    let mut data = Data::new("random keys");
    let mut bytes = EncodedVerifyingKey::<P>::default();
    for round in 0..rounds(50) {
        match round {
            0 => bytes.fill(0),
            1 => bytes.fill(0xff),
            _ => data.fill(&mut bytes),
        }
        let public = VerifyingKey::<P>::decode(&bytes);
        assert!(
            public.encode() == bytes,
            "every value of the right length is a key"
        );
        public.verify(b"random keys", &signature).unwrap_err();
    }
}

fn a_flipped_bit_anywhere_is_refused<P: Set>() {
    let (key, public) = key_pair::<P>("flips");
    let mut data = Data::new("flips");
    let message = data.bytes(100);
    let context = data.bytes(50);
    let encoded = sign(key.expanded_key(), &message, &context).encode();
    let accepts = |public: &VerifyingKey<P>, message: &[u8], context: &[u8], signature: &[u8]| {
        Signature::<P>::try_from(signature)
            .is_ok_and(|signature| public.verify_with_context(message, context, &signature))
    };
    assert!(accepts(&public, &message, &context, &encoded));

    // Every bit of c̃ and of the hint block, a sample of those of z.
    let z = 8 * P::FIPS.c_tilde..8 * P::FIPS.hint();
    let bits = (0..z.start)
        .chain(z.clone().step_by(61))
        .chain(z.end - 40..8 * P::FIPS.signature);
    for bit in bits {
        let mut bytes = encoded.clone();
        bytes[bit >> 3] ^= 1 << (bit & 7);
        assert!(
            !accepts(&public, &message, &context, &bytes),
            "bit {bit} of the signature"
        );
    }
    for bit in 0..8 * message.len() {
        let mut message = message.clone();
        message[bit >> 3] ^= 1 << (bit & 7);
        assert!(
            !accepts(&public, &message, &context, &encoded),
            "bit {bit} of the message"
        );
    }
    for bit in 0..8 * context.len() {
        let mut context = context.clone();
        context[bit >> 3] ^= 1 << (bit & 7);
        assert!(
            !accepts(&public, &message, &context, &encoded),
            "bit {bit} of the context"
        );
    }
    let ends = (0..16).chain(8 * P::FIPS.public - 16..8 * P::FIPS.public);
    for bit in (0..8 * P::FIPS.public).step_by(509).chain(ends) {
        let mut bytes = public.encode();
        bytes[bit >> 3] ^= 1 << (bit & 7);
        let other = VerifyingKey::<P>::decode(&bytes);
        assert!(
            !accepts(&other, &message, &context, &encoded),
            "bit {bit} of the key"
        );
    }
    for len in 0..message.len() {
        assert!(
            !accepts(&public, &message[..len], &context, &encoded),
            "{len} bytes"
        );
    }
}

fn signatures_of_other_keys_are_refused<P: Set>() {
    let pairs: Vec<_> = (0..4)
        .map(|number| key_pair::<P>(&format!("other {number}")))
        .collect();
    for (signer, (key, _)) in pairs.iter().enumerate() {
        let signature = sign(key.expanded_key(), b"mine", b"");
        for (verifier, (_, public)) in pairs.iter().enumerate() {
            assert_eq!(
                public.verify(b"mine", &signature).is_ok(),
                signer == verifier
            );
        }
    }
}

fn all_zero_keys_and_signatures_are_refused<P: Set>() {
    let zero_key = VerifyingKey::<P>::decode(&EncodedVerifyingKey::<P>::default());
    // As bytes: z = γ₁ everywhere, out of range.
    let zeros = EncodedSignature::<P>::default();
    assert!(Signature::<P>::decode(&zeros).is_none());
    assert!(Signature::<P>::try_from(zeros.as_slice()).is_err());
    // As values: z = 0 and no hints, which decodes. With t₁ = 0 the verifier's w′ is 0 for every
    // challenge, so only the hash of it stands between this and a forgery.
    let mut zero_z = zeros;
    for index in 0..256 * P::FIPS.l {
        set_z::<P>(&mut zero_z, index, 0);
    }
    let signature = Signature::<P>::decode(&zero_z).unwrap();
    let (_, public) = key_pair::<P>("zeros");
    for key in [&zero_key, &public] {
        for message in [&b""[..], &[0; 64]] {
            assert!(!key.verify_with_context(message, b"", &signature));
            assert!(!key.verify_internal(message, &signature));
            key.verify(message, &signature).unwrap_err();
        }
        assert!(!key.verify_mu(&Default::default(), &signature));
    }
}

/// Overwrites a coefficient of z in a signature. FIPS 204, Algorithm 17: γ₁ − z, little-endian bits.
fn set_z<P: Set>(bytes: &mut EncodedSignature<P>, index: usize, value: i32) {
    let width = P::FIPS.z_bits();
    let code = u32::try_from(P::FIPS.gamma1 - value).expect("z is at most gamma1");
    for bit in 0..width {
        let at = 8 * P::FIPS.c_tilde + width * index + bit;
        let mask = 1 << (at & 7);
        let byte = &mut bytes[at >> 3];
        *byte = if code >> bit & 1 == 1 {
            *byte | mask
        } else {
            *byte & !mask
        };
    }
}

/// A valid signature, to be given other hints.
fn frame<P: Set>() -> EncodedSignature<P> {
    let (key, _) = key_pair::<P>("hints");
    sign(key.expanded_key(), b"hints", b"").encode()
}

/// The frame with another hint block: `indices`, padded with zeros, and the end of each row.
fn with_hints<P: Set>(
    frame: &EncodedSignature<P>,
    indices: &[u8],
    cuts: &[u8],
) -> EncodedSignature<P> {
    let mut bytes = frame.clone();
    bytes[P::FIPS.hint()..].fill(0);
    bytes[P::FIPS.hint()..][..indices.len()].copy_from_slice(indices);
    bytes[P::FIPS.cuts()..].copy_from_slice(cuts);
    bytes
}

fn decodes<P: Set>(bytes: &EncodedSignature<P>) -> bool {
    Signature::<P>::decode(bytes).is_some_and(|signature| {
        assert!(
            signature.encode() == *bytes,
            "what decodes has one encoding"
        );
        true
    })
}

/// CVE-2026-24850 and its kin.
fn a_repeated_hint_index_is_refused<P: Set>() {
    let frame = frame::<P>();
    let k = P::FIPS.k;
    assert!(
        decodes::<P>(&with_hints::<P>(&frame, &[7, 8], &vec![2; k])),
        "the frame is sound"
    );
    for index in [0, 1, 7, 254, 255] {
        assert!(
            !decodes::<P>(&with_hints::<P>(&frame, &[index, index], &vec![2; k])),
            "{index}"
        );
        // In each row in turn: the rows before are empty.
        for row in 0..k {
            let mut cuts = vec![2; k];
            cuts[..row].fill(0);
            assert!(
                !decodes::<P>(&with_hints::<P>(&frame, &[index, index], &cuts)),
                "{index}, row {row}"
            );
            // Between rows the order starts anew.
            if row > 0 {
                cuts[..row].fill(1);
                assert!(
                    decodes::<P>(&with_hints::<P>(&frame, &[index, index], &cuts)),
                    "row {row}"
                );
            }
        }
    }
    // Anywhere in a full row.
    let mut indices: Vec<u8> = (0..P::FIPS.omega as u8).collect();
    let full = vec![P::FIPS.omega as u8; k];
    assert!(decodes::<P>(&with_hints::<P>(&frame, &indices, &full)));
    for at in 1..P::FIPS.omega {
        let kept = indices[at];
        indices[at] = indices[at - 1];
        assert!(
            !decodes::<P>(&with_hints::<P>(&frame, &indices, &full)),
            "at {at}"
        );
        indices[at] = kept;
    }
}

fn decreasing_hints_are_refused<P: Set>() {
    let frame = frame::<P>();
    let k = P::FIPS.k;
    for row in 0..k {
        let mut cuts = vec![2; k];
        cuts[..row].fill(0);
        assert!(
            decodes::<P>(&with_hints::<P>(&frame, &[4, 5], &cuts)),
            "row {row}"
        );
        assert!(
            !decodes::<P>(&with_hints::<P>(&frame, &[5, 4], &cuts)),
            "row {row}"
        );
        assert!(
            !decodes::<P>(&with_hints::<P>(&frame, &[255, 0], &cuts)),
            "row {row}"
        );
    }
    // Ends of rows that go back, at each row, by one and by all.
    for row in 1..k {
        for end in [0, 1] {
            let mut cuts = vec![2; k];
            cuts[row] = end;
            assert!(
                !decodes::<P>(&with_hints::<P>(&frame, &[4, 5], &cuts)),
                "row {row} ends at {end}"
            );
            cuts[row..].fill(end);
            assert!(
                !decodes::<P>(&with_hints::<P>(&frame, &[4, 5], &cuts)),
                "rows {row}.. end at {end}"
            );
        }
    }
}

fn padding_after_the_hints_must_be_zero<P: Set>() {
    let frame = frame::<P>();
    let k = P::FIPS.k;
    for used in [0, 1, 3, P::FIPS.omega - 1] {
        let indices: Vec<u8> = (10..10 + used as u8).collect();
        let cuts = vec![used as u8; k];
        let sound = with_hints::<P>(&frame, &indices, &cuts);
        assert!(decodes::<P>(&sound), "{used}");
        for at in used..P::FIPS.omega {
            for value in [1, 0x80, 0xff] {
                let mut bytes = sound.clone();
                bytes[P::FIPS.hint() + at] = value;
                assert!(!decodes::<P>(&bytes), "{used} hints, byte {at} is {value}");
            }
        }
    }
}

/// RUSTSEC-2026-0076: only the end of the last row too large. And every other row's.
fn too_many_hints_are_refused<P: Set>() {
    let frame = frame::<P>();
    let omega = P::FIPS.omega as u8;
    let indices: Vec<u8> = (0..omega).collect();
    for row in 0..P::FIPS.k {
        for end in [omega + 1, omega + 2, 127, 128, 254, 255] {
            for (list, rest) in [(&indices[..], omega), (&indices[..2], 2), (&[], 0)] {
                let mut cuts = vec![rest; P::FIPS.k];
                cuts[row] = end;
                assert!(
                    !decodes::<P>(&with_hints::<P>(&frame, list, &cuts)),
                    "row {row} ends at {end}"
                );
                cuts[row..].fill(end);
                assert!(
                    !decodes::<P>(&with_hints::<P>(&frame, list, &cuts)),
                    "rows {row}.. end at {end}"
                );
            }
        }
    }
}

/// Small changes to sound hint blocks, judged by FIPS 204, Algorithm 21, written down again.
fn mutated_hints_are_judged_as_the_standard_says<P: Set>() {
    fn hint_bit_unpack<P: Set>(y: &[u8]) -> bool {
        let (omega, mut index) = (P::FIPS.omega, 0);
        for row in 0..P::FIPS.k {
            let end = usize::from(y[omega + row]);
            if end < index || end > omega {
                return false;
            }
            let first = index;
            while index < end {
                if index > first && y[index - 1] >= y[index] {
                    return false;
                }
                index += 1;
            }
        }
        y[index..omega].iter().all(|&byte| byte == 0)
    }

    let mut data = Data::new("mutated hints");
    let frame = with_hints::<P>(&frame::<P>(), &[], &vec![0; P::FIPS.k]);
    let mut verdicts = [0; 2];
    for _ in 0..rounds(20_000) {
        let mut bytes = frame.clone();
        let hints = &mut bytes[P::FIPS.hint()..];
        // A sound block of random weight…
        let weight = data.below(P::FIPS.omega + 1);
        let mut cuts: Vec<usize> = (1..P::FIPS.k).map(|_| data.below(weight + 1)).collect();
        cuts.push(weight);
        cuts.sort_unstable();
        let mut start = 0;
        for (row, &end) in cuts.iter().enumerate() {
            let mut set: Vec<u8> = vec![];
            while set.len() < end - start {
                let index = data.below(256) as u8;
                if let Err(at) = set.binary_search(&index) {
                    set.insert(at, index);
                }
            }
            hints[start..end].copy_from_slice(&set);
            hints[P::FIPS.omega + row] = end as u8;
            start = end;
        }
        // … with no, one, or two bytes changed a little or at random.
        for _ in 0..data.below(3) {
            let at = data.below(hints.len());
            let near = [
                hints[at].wrapping_add(1),
                hints[at].wrapping_sub(1),
                hints[at.saturating_sub(1)],
            ];
            hints[at] = near
                .get(data.below(4))
                .copied()
                .unwrap_or(data.array::<1>()[0]);
        }
        let sound = hint_bit_unpack::<P>(hints);
        assert_eq!(
            decodes::<P>(&bytes),
            sound,
            "{:?}",
            &bytes[P::FIPS.hint()..]
        );
        verdicts[usize::from(sound)] += 1;
    }
    assert!(
        verdicts.iter().all(|&count| count > rounds(1000)),
        "both kinds occur: {verdicts:?}"
    );
}

/// RUSTSEC-2026-0077: ‖z‖∞ < γ₁ − β.
fn z_is_refused_at_its_bound_in_every_coefficient<P: Set>() {
    let bound = P::FIPS.gamma1 - P::FIPS.beta;
    let frame = with_hints::<P>(&frame::<P>(), &[], &vec![0; P::FIPS.k]);
    for index in 0..256 * P::FIPS.l {
        let mut bytes = frame.clone();
        for value in [bound - 1, 1 - bound] {
            set_z::<P>(&mut bytes, index, value);
            assert!(decodes::<P>(&bytes), "{value} at {index}");
        }
        let extremes = [bound, -bound, bound + 1, P::FIPS.gamma1, 1 - P::FIPS.gamma1];
        for value in extremes {
            set_z::<P>(&mut bytes, index, value);
            assert!(!decodes::<P>(&bytes), "{value} at {index}");
        }
    }
}

#[cfg(all(feature = "pkcs8", feature = "alloc"))]
mod pkcs8 {
    use super::common::{Data, Set, key_pair};
    use super::{SigningKey, VerifyingKey};
    use mldsa_simd::pkcs8::der::AnyRef;
    use mldsa_simd::pkcs8::der::{Encode, pem::LineEnding};
    use mldsa_simd::pkcs8::spki::AssociatedAlgorithmIdentifier;
    use mldsa_simd::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
    use mldsa_simd::pkcs8::{PrivateKeyInfoRef, SubjectPublicKeyInfoRef};
    use mldsa_simd::{ExpandedSigningKey, MlDsa44, MlDsa65, MlDsa87};

    for_each_set! {
        private_keys_of_other_lengths_are_refused,
        a_changed_private_key_is_refused_or_another_key,
        seeds_of_other_lengths_are_refused,
        a_seed_without_its_tag_is_refused,
        parameters_of_the_algorithm_are_refused,
        keys_of_other_sets_are_refused,
        public_keys_of_other_lengths_are_refused,
        a_changed_public_key_is_refused_or_another_key,
        raw_keys_are_not_taken_for_der,
        broken_pem_is_refused,
    }

    trait Named: Set + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>> {}
    impl<P: Set + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>> Named for P {}

    /// Both private types read the same format; they must agree.
    fn read<P: Named>(der: &[u8]) -> Option<SigningKey<P>> {
        let key = SigningKey::<P>::from_pkcs8_der(der).ok();
        match (&key, ExpandedSigningKey::<P>::from_pkcs8_der(der).ok()) {
            (Some(key), Some(expanded)) => assert!(*key.expanded_key() == expanded),
            (None, None) => {}
            _ => panic!("one type reads it, the other does not: {der:x?}"),
        }
        key
    }

    fn private_keys_of_other_lengths_are_refused<P: Named>() {
        let (key, _) = key_pair::<P>("pkcs8 lengths");
        let der = key.to_pkcs8_der().unwrap();
        let der = der.as_bytes();
        assert!(read::<P>(der).unwrap() == key);
        for len in 0..der.len() {
            assert!(read::<P>(&der[..len]).is_none(), "{len}");
            assert!(read::<P>(&der[len + 1..]).is_none(), "from {len}");
        }
        for extra in 1..=der.len() {
            let mut longer = der.to_vec();
            longer.resize(der.len() + extra, 0);
            assert!(read::<P>(&longer).is_none(), "{extra} more");
        }
        assert!(read::<P>(&der.repeat(2)).is_none());
    }

    fn a_changed_private_key_is_refused_or_another_key<P: Named>() {
        let (key, _) = key_pair::<P>("pkcs8 changes");
        let der = key.to_pkcs8_der().unwrap();
        let seed = der.as_bytes().len() - 32;
        for at in 0..der.as_bytes().len() {
            for change in 1..=255 {
                if at >= seed && change > 2 {
                    break; // any seed will do
                }
                let mut bytes = der.as_bytes().to_vec();
                bytes[at] ^= change;
                let read = read::<P>(&bytes);
                assert_eq!(
                    read.is_some(),
                    at >= seed,
                    "byte {at} changed by {change:#x}"
                );
                if let Some(other) = read {
                    assert!(other != key);
                    assert_eq!(other.to_pkcs8_der().unwrap().as_bytes(), bytes);
                }
            }
        }
    }

    /// PKCS#8 around a private key that is not what `to_pkcs8_der` writes.
    fn wrap<P: Named>(private_key: &[u8]) -> Vec<u8> {
        let contents = mldsa_simd::pkcs8::der::asn1::OctetStringRef::new(private_key).unwrap();
        PrivateKeyInfoRef::new(P::ALGORITHM_IDENTIFIER, contents)
            .to_der()
            .unwrap()
    }

    fn seeds_of_other_lengths_are_refused<P: Named>() {
        let data = Data::new("seeds").bytes(127);
        for len in 0..=127_u8 {
            let mut arm = vec![0x80, len];
            arm.extend_from_slice(&data[..usize::from(len)]);
            assert_eq!(read::<P>(&wrap::<P>(&arm)).is_some(), len == 32, "{len}");
        }
    }

    /// RFC 9881: `seed [0] OCTET STRING`, implicitly tagged.
    fn a_seed_without_its_tag_is_refused<P: Named>() {
        let seed = Data::new("untagged").bytes(32);
        assert!(read::<P>(&wrap::<P>(&[&[0x80, 32][..], &seed].concat())).is_some());
        assert!(read::<P>(&wrap::<P>(&seed)).is_none(), "a raw seed");
        for tag in (0..=255).filter(|&tag| tag != 0x80) {
            let arm = [&[tag, 32][..], &seed].concat();
            assert!(read::<P>(&wrap::<P>(&arm)).is_none(), "tag {tag:#x}");
        }
        let explicit = [&[0xa0, 34, 0x04, 32][..], &seed].concat();
        assert!(
            read::<P>(&wrap::<P>(&explicit)).is_none(),
            "an explicit tag"
        );
        let trailing = [&[0x80, 32][..], &seed, &[0]].concat();
        assert!(
            read::<P>(&wrap::<P>(&trailing)).is_none(),
            "a byte after the seed"
        );
        let long_form = [&[0x80, 0x81, 32][..], &seed].concat();
        assert!(
            read::<P>(&wrap::<P>(&long_form)).is_none(),
            "a length that is not DER"
        );
    }

    fn parameters_of_the_algorithm_are_refused<P: Named>() {
        let (key, public) = key_pair::<P>("parameters");
        for parameters in [
            AnyRef::NULL,
            AnyRef::from(mldsa_simd::pkcs8::der::asn1::OctetStringRef::new(b"").unwrap()),
        ] {
            let der = key.to_pkcs8_der().unwrap();
            let mut info = PrivateKeyInfoRef::try_from(der.as_bytes()).unwrap();
            info.algorithm.parameters = Some(parameters);
            assert!(read::<P>(&info.to_der().unwrap()).is_none());

            let der = public.to_public_key_der().unwrap();
            let mut info = SubjectPublicKeyInfoRef::try_from(der.as_bytes()).unwrap();
            info.algorithm.parameters = Some(parameters);
            assert!(VerifyingKey::<P>::from_public_key_der(&info.to_der().unwrap()).is_err());
        }
    }

    /// The object identifier decides, not the length.
    fn keys_of_other_sets_are_refused<P: Named>() {
        fn written<P: Named>() -> (Vec<u8>, Vec<u8>) {
            let (key, public) = key_pair::<P>("sets");
            let private = key.to_pkcs8_der().unwrap().as_bytes().to_vec();
            (
                private,
                public.to_public_key_der().unwrap().as_bytes().to_vec(),
            )
        }
        let sets = [
            ("ML-DSA-44", written::<MlDsa44>()),
            ("ML-DSA-65", written::<MlDsa65>()),
            ("ML-DSA-87", written::<MlDsa87>()),
        ];
        for (name, (private, public)) in &sets {
            let own = *name == P::FIPS.name;
            assert_eq!(read::<P>(private).is_some(), own, "{name}");
            assert_eq!(
                VerifyingKey::<P>::from_public_key_der(public).is_ok(),
                own,
                "{name}"
            );
            // Private for public and back.
            assert!(read::<P>(public).is_none(), "{name}");
            assert!(
                VerifyingKey::<P>::from_public_key_der(private).is_err(),
                "{name}"
            );
        }
        // This set's identifier around a key of another's length.
        for len in [
            1312,
            1952,
            2592,
            0,
            31,
            32,
            P::FIPS.public - 1,
            P::FIPS.public + 1,
        ] {
            let bytes = vec![0; len];
            let info = SubjectPublicKeyInfoRef {
                algorithm: P::ALGORITHM_IDENTIFIER,
                subject_public_key: mldsa_simd::pkcs8::der::asn1::BitStringRef::new(0, &bytes)
                    .unwrap(),
            };
            let read = VerifyingKey::<P>::from_public_key_der(&info.to_der().unwrap());
            assert_eq!(read.is_ok(), len == P::FIPS.public, "{len}");
        }
    }

    fn public_keys_of_other_lengths_are_refused<P: Named>() {
        let (_, public) = key_pair::<P>("spki lengths");
        let der = public.to_public_key_der().unwrap();
        let der = der.as_bytes();
        assert!(VerifyingKey::<P>::from_public_key_der(der).unwrap() == public);
        for len in 0..der.len() {
            assert!(
                VerifyingKey::<P>::from_public_key_der(&der[..len]).is_err(),
                "{len}"
            );
        }
        for extra in [1, 2, 100, der.len()] {
            let mut longer = der.to_vec();
            longer.resize(der.len() + extra, 0);
            assert!(
                VerifyingKey::<P>::from_public_key_der(&longer).is_err(),
                "{extra} more"
            );
        }
    }

    fn a_changed_public_key_is_refused_or_another_key<P: Named>() {
        let (_, public) = key_pair::<P>("spki changes");
        let der = public.to_public_key_der().unwrap();
        let header = der.as_bytes().len() - P::FIPS.public;
        for at in 0..header {
            for change in 1..=255 {
                let mut bytes = der.as_bytes().to_vec();
                bytes[at] ^= change;
                let read = VerifyingKey::<P>::from_public_key_der(&bytes);
                assert!(read.is_err(), "byte {at} changed by {change:#x}");
            }
        }
        for at in [header, header + 32, der.as_bytes().len() - 1] {
            let mut bytes = der.as_bytes().to_vec();
            bytes[at] ^= 1;
            let other = VerifyingKey::<P>::from_public_key_der(&bytes).unwrap();
            assert!(other != public);
            assert_eq!(other.to_public_key_der().unwrap().as_bytes(), bytes);
        }
    }

    fn raw_keys_are_not_taken_for_der<P: Named>() {
        let (key, public) = key_pair::<P>("raw");
        #[allow(deprecated, reason = "deprecated in ml-dsa")]
        let expanded = key.expanded_key().to_expanded();
        for raw in [key.as_seed().as_slice(), &expanded, &public.encode(), &[]] {
            assert!(read::<P>(raw).is_none());
            assert!(VerifyingKey::<P>::from_public_key_der(raw).is_err());
        }
        let mut data = Data::new("garbage");
        for len in 0..300 {
            let bytes = data.bytes(len);
            assert!(read::<P>(&bytes).is_none());
            assert!(VerifyingKey::<P>::from_public_key_der(&bytes).is_err());
        }
    }

    fn broken_pem_is_refused<P: Named>() {
        let (key, public) = key_pair::<P>("pem");
        let private_pem = key.to_pkcs8_pem(LineEnding::LF).unwrap();
        let public_pem = public.to_public_key_pem(LineEnding::LF).unwrap();
        assert!(SigningKey::<P>::from_pkcs8_pem(&private_pem).unwrap() == key);
        assert!(VerifyingKey::<P>::from_public_key_pem(&public_pem).unwrap() == public);
        assert!(SigningKey::<P>::from_pkcs8_pem(&public_pem).is_err());
        assert!(VerifyingKey::<P>::from_public_key_pem(&private_pem).is_err());
        // Without its last line break it is still PEM.
        for len in 0..private_pem.len() - 1 {
            assert!(
                SigningKey::<P>::from_pkcs8_pem(&private_pem[..len]).is_err(),
                "{len}"
            );
        }
        for len in (0..public_pem.len() - 1).step_by(7) {
            assert!(
                VerifyingKey::<P>::from_public_key_pem(&public_pem[..len]).is_err(),
                "{len}"
            );
        }
        let relabelled = private_pem.replace("PRIVATE", "PUBLIC");
        assert!(SigningKey::<P>::from_pkcs8_pem(&relabelled).is_err());
        assert!(VerifyingKey::<P>::from_public_key_pem(&relabelled).is_err());
        let other_algorithm = private_pem.replace("-----BEGIN PRIVATE", "-----BEGIN EC PRIVATE");
        assert!(SigningKey::<P>::from_pkcs8_pem(&other_algorithm).is_err());
    }
}
