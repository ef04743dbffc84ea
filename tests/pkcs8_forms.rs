//! Private keys as the world writes them: the three forms of RFC 9881, written, read, and refused.
#![allow(
    clippy::integer_division_remainder_used,
    clippy::std_instead_of_alloc,
    clippy::unwrap_used,
    reason = "tests"
)]

#[macro_use]
mod common;
mod vectors;

use common::{Data, Set, key_pair};
use mldsa_simd::pkcs8::der::asn1::{AnyRef, BitStringRef, OctetStringRef};
use mldsa_simd::pkcs8::der::{Encode, SecretDocument};
use mldsa_simd::pkcs8::spki::AssociatedAlgorithmIdentifier;
use mldsa_simd::pkcs8::{
    self, AlgorithmIdentifierRef, DecodePrivateKey, DecodePublicKey, EncodePrivateKey,
    EncodePublicKey, LineEnding, PrivateKeyForm, PrivateKeyInfoRef,
};
use mldsa_simd::{
    ExpandedSigningKey, Keypair, MlDsa44, MlDsa65, MlDsa87, SigningKey, VerifyingKey,
};

/// What the tests ask of a parameter set.
trait X509: Set + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>> {
    /// The last arc of the object identifier.
    const ARC: u8;
}

impl X509 for MlDsa44 {
    const ARC: u8 = 17;
}

impl X509 for MlDsa65 {
    const ARC: u8 = 18;
}

impl X509 for MlDsa87 {
    const ARC: u8 = 19;
}

for_each_set!(
    the_examples_of_rfc_9881_are_read_and_written,
    the_seed_form_is_54_bytes,
    each_form_is_read_by_what_can_hold_it,
    a_changed_bit_in_any_field_is_refused,
    coefficients_out_of_range_are_refused,
    lengths_and_tags_that_are_not_the_standards_are_refused,
    a_public_key_that_does_not_belong_is_refused,
    the_algorithm_identifier_decides,
    data_after_the_end_is_refused,
    a_document_cut_short_is_refused,
    noise_is_refused,
);

const FORMS: [PrivateKeyForm; 3] = [
    PrivateKeyForm::Seed,
    PrivateKeyForm::ExpandedKey,
    PrivateKeyForm::Both,
];

/// Reads a document both ways.
fn read<P: X509>(
    document: &[u8],
) -> (
    pkcs8::Result<SigningKey<P>>,
    pkcs8::Result<ExpandedSigningKey<P>>,
) {
    (
        SigningKey::from_pkcs8_der(document),
        ExpandedSigningKey::from_pkcs8_der(document),
    )
}

/// Whether neither way of reading accepts a document.
#[track_caller]
fn assert_refused<P: X509>(document: &[u8]) {
    let (key, expanded) = read::<P>(document);
    assert!(
        key.is_err() && expanded.is_err(),
        "{}",
        hex::encode(document)
    );
}

/// A document around whatever private key.
fn document<P: X509>(private_key: &[u8]) -> Vec<u8> {
    let private_key = OctetStringRef::new(private_key).unwrap();
    PrivateKeyInfoRef::new(P::ALGORITHM_IDENTIFIER, private_key)
        .to_der()
        .unwrap()
}

/// A tag, a length, the value.
fn tlv(tag: u8, value: &[u8]) -> Vec<u8> {
    let mut header = vec![tag];
    match value.len() {
        len @ 0..128 => header.push(len as u8),
        len @ 128..256 => header.extend([0x81, len as u8]),
        len => header.extend([0x82, (len >> 8) as u8, len as u8]),
    }
    [&header, value].concat()
}

const OCTET_STRING: u8 = 0x04;
const SEQUENCE: u8 = 0x30;
const CONTEXT_0: u8 = 0x80;

/// The private key inside a document, in each form.
fn seed_form(seed: &[u8]) -> Vec<u8> {
    tlv(CONTEXT_0, seed)
}

fn expanded_form(expanded: &[u8]) -> Vec<u8> {
    tlv(OCTET_STRING, expanded)
}

fn both_form(seed: &[u8], expanded: &[u8]) -> Vec<u8> {
    tlv(
        SEQUENCE,
        &[tlv(OCTET_STRING, seed), tlv(OCTET_STRING, expanded)].concat(),
    )
}

/// A key, its seed and its expanded bytes.
fn key<P: X509>(label: &str) -> (SigningKey<P>, Vec<u8>, Vec<u8>) {
    let (key, _) = key_pair::<P>(label);
    let seed = key.to_seed().to_vec();
    #[allow(deprecated, reason = "this is what is being tested")]
    let expanded = key.expanded_key().to_expanded().to_vec();
    (key, seed, expanded)
}

fn the_examples_of_rfc_9881_are_read_and_written<P: X509>() {
    let name = P::FIPS.name;
    let what = format!("RFC 9881, forms of the {name} key");
    let file = |suffix: &str| vectors::text(&what, &format!("rfc9881/{name}{suffix}"));
    let Some(seed) = file("-seed.priv") else {
        return;
    };
    let (expanded, both) = (file("-expanded.priv").unwrap(), file("-both.priv").unwrap());
    let public = VerifyingKey::<P>::from_public_key_pem(&file(".pub").unwrap()).unwrap();

    let key = SigningKey::<P>::from_pkcs8_pem(&seed).unwrap();
    assert_eq!(key.to_seed().as_slice(), (0..32).collect::<Vec<u8>>());
    assert_eq!(key.verifying_key(), public);
    assert_eq!(
        public.to_public_key_pem(LineEnding::LF).unwrap(),
        file(".pub").unwrap()
    );

    for (form, pem) in FORMS.into_iter().zip([&seed, &expanded, &both]) {
        let read = ExpandedSigningKey::<P>::from_pkcs8_pem(pem).unwrap();
        assert!(read == *key.expanded_key());
        assert_eq!(read.verifying_key(), public);
        match SigningKey::<P>::from_pkcs8_pem(pem) {
            Ok(read) => assert!(form != PrivateKeyForm::ExpandedKey && read == key),
            Err(error) => {
                assert_eq!(form, PrivateKeyForm::ExpandedKey);
                assert_eq!(error, pkcs8::KeyError::Invalid.into());
            }
        }
        assert_eq!(
            *key.in_form(form).to_pkcs8_pem(LineEnding::LF).unwrap(),
            *pem
        );
    }
    assert_eq!(*key.to_pkcs8_pem(LineEnding::LF).unwrap(), seed);
    assert_eq!(
        *key.expanded_key().to_pkcs8_pem(LineEnding::LF).unwrap(),
        expanded
    );
    vectors::say(&format!("{what}: 3"));
}

#[test]
fn the_bad_example_of_rfc_9881_is_refused() {
    let what = "RFC 9881, bad ML-DSA-44 key";
    let Some(pem) = vectors::text(what, "rfc9881/bad-ML-DSA-44-1.priv") else {
        return;
    };
    let invalid = pkcs8::Error::from(pkcs8::KeyError::Invalid);
    assert_eq!(
        SigningKey::<MlDsa44>::from_pkcs8_pem(&pem).err(),
        Some(invalid)
    );
    assert_eq!(
        ExpandedSigningKey::<MlDsa44>::from_pkcs8_pem(&pem).err(),
        Some(invalid)
    );
    // What is wrong is that the halves differ: each of them is a key.
    let (_, der) = SecretDocument::from_pem(&pem).unwrap();
    let both = PrivateKeyInfoRef::try_from(der.as_bytes())
        .unwrap()
        .private_key
        .as_bytes();
    let (seed, expanded) = (&both[6..38], &both[42..]);
    assert_eq!(both, both_form(seed, expanded));
    SigningKey::<MlDsa44>::from_pkcs8_der(&document::<MlDsa44>(&seed_form(seed))).unwrap();
    let expanded = document::<MlDsa44>(&expanded_form(expanded));
    ExpandedSigningKey::<MlDsa44>::from_pkcs8_der(&expanded).unwrap();
    vectors::say(&format!("{what}: 1"));
}

fn the_seed_form_is_54_bytes<P: X509>() {
    let (key, seed, _) = key::<P>("pkcs8: golden");
    let mut golden = hex::decode("3034020100300b060960864801650304030004228020").unwrap();
    golden[17] = P::ARC;
    golden.extend(seed);
    assert_eq!(golden.len(), 54);
    assert_eq!(key.to_pkcs8_der().unwrap().as_bytes(), golden);
    assert!(SigningKey::<P>::from_pkcs8_der(&golden).unwrap() == key);
}

fn each_form_is_read_by_what_can_hold_it<P: X509>() {
    let (key, seed, expanded) = key::<P>("pkcs8: forms");
    let by_hand = [
        seed_form(&seed),
        expanded_form(&expanded),
        both_form(&seed, &expanded),
    ];
    for (form, by_hand) in FORMS.into_iter().zip(by_hand) {
        let written = key.in_form(form).to_pkcs8_der().unwrap();
        assert_eq!(written.as_bytes(), document::<P>(&by_hand), "{form:?}");
        let (as_key, as_expanded) = read::<P>(written.as_bytes());
        assert!(as_expanded.unwrap() == *key.expanded_key());
        match form {
            PrivateKeyForm::ExpandedKey => assert!(as_key.is_err()),
            _ => assert!(as_key.unwrap() == key),
        }
    }
    let expanded_der = key
        .in_form(PrivateKeyForm::ExpandedKey)
        .to_pkcs8_der()
        .unwrap();
    let by_expanded = key.expanded_key().to_pkcs8_der().unwrap();
    assert_eq!(expanded_der.as_bytes(), by_expanded.as_bytes());
    assert_eq!(PrivateKeyForm::default(), PrivateKeyForm::Seed);
    assert_eq!(
        format!("{:?}", key.in_form(PrivateKeyForm::Both)),
        "InForm { form: Both, .. }"
    );
}

fn a_changed_bit_in_any_field_is_refused<P: X509>() {
    let (_, seed, expanded) = key::<P>("pkcs8: flips");
    let noise = P::FIPS.k * 416;
    let t0 = expanded.len() - noise;
    let s2 = t0 - P::FIPS.k * if P::FIPS.eta == 2 { 96 } else { 128 };
    // The first and the last byte of ρ, tr, s₁, s₂, t₀.
    let fields = [
        0,
        31,
        64,
        127,
        128,
        s2 - 1,
        s2,
        t0 - 1,
        t0,
        expanded.len() - 1,
    ];
    for byte in fields {
        for bit in [0x01, 0x80] {
            let mut expanded = expanded.clone();
            expanded[byte] ^= bit;
            assert_refused::<P>(&document::<P>(&expanded_form(&expanded)));
            assert_refused::<P>(&document::<P>(&both_form(&seed, &expanded)));
            let bytes = expanded.as_slice().try_into().unwrap();
            assert!(ExpandedSigningKey::<P>::try_from_expanded(bytes).is_err());
        }
    }
    // Nothing in an expanded key says what K should be, but a seed does.
    for byte in [32, 63] {
        let mut expanded = expanded.clone();
        expanded[byte] ^= 1;
        let (key, other) = read::<P>(&document::<P>(&expanded_form(&expanded)));
        assert!(key.is_err() && other.is_ok());
        assert_refused::<P>(&document::<P>(&both_form(&seed, &expanded)));
    }
    let mut seed = seed;
    seed[31] ^= 0x80;
    assert_refused::<P>(&document::<P>(&both_form(&seed, &expanded)));
}

fn coefficients_out_of_range_are_refused<P: X509>() {
    let (key, seed, expanded) = key::<P>("pkcs8: range");
    let (width, codes) = if P::FIPS.eta == 2 {
        (3, 5..=7)
    } else {
        (4, 9..=15)
    };
    let s1 = P::FIPS.l * 256;
    let end = s1 + P::FIPS.k * 256;
    for slot in [
        0,
        1,
        127,
        255,
        256,
        s1 / 2,
        s1 - 1,
        s1,
        s1 + 1,
        (s1 + end) / 2,
        end - 1,
    ] {
        for code in codes.clone() {
            let mut expanded = expanded.clone();
            for bit in 0..width {
                let at = slot * width + bit;
                let byte = &mut expanded[128 + at / 8];
                *byte = *byte & !(1 << (at % 8)) | ((code >> bit & 1) << (at % 8));
            }
            assert_refused::<P>(&document::<P>(&expanded_form(&expanded)));
            assert_refused::<P>(&document::<P>(&both_form(&seed, &expanded)));

            // The unchecked import keeps the bytes and signs nothing.
            let bytes = expanded.as_slice().try_into().unwrap();
            #[allow(deprecated, reason = "this is what is being tested")]
            let unchecked = ExpandedSigningKey::<P>::from_expanded(bytes);
            #[allow(deprecated, reason = "this is what is being tested")]
            let again = unchecked.to_expanded();
            assert_eq!(again.len(), expanded.len());
            assert!(unchecked.sign_deterministic(b"message", b"").is_err());
            let signature = unchecked.sign_internal(&[b"message"], &[0; 32].into());
            assert!(signature.encode().iter().all(|byte| *byte == 0));
            assert_eq!(signature, unchecked.sign_mu_deterministic(&[0; 64].into()));
            for public in [unchecked.verifying_key(), key.verifying_key()] {
                assert!(!public.verify_internal(b"message", &signature));
                assert!(!public.verify_mu(&[0; 64].into(), &signature));
            }
            assert_eq!(
                mldsa_simd::Signature::<P>::decode(&signature.encode()),
                None
            );
        }
    }
}

fn lengths_and_tags_that_are_not_the_standards_are_refused<P: X509>() {
    let (_, seed, expanded) = key::<P>("pkcs8: lengths");
    let long = [&expanded[..], &[0; 64]].concat();
    for len in [0, 1, 31, 33, 64] {
        let seed = &long[..len];
        assert_refused::<P>(&document::<P>(&seed_form(seed)));
        assert_refused::<P>(&document::<P>(&both_form(seed, &expanded)));
    }
    for len in [
        0,
        32,
        expanded.len() - 1,
        expanded.len() + 1,
        1312,
        2560,
        4032,
        4896,
    ] {
        if len == expanded.len() {
            continue;
        }
        let expanded = [&expanded[..], &[0; 4896]].concat();
        assert_refused::<P>(&document::<P>(&expanded_form(&expanded[..len])));
        assert_refused::<P>(&document::<P>(&both_form(&seed, &expanded[..len])));
    }
    let octets = tlv(OCTET_STRING, &seed);
    let wrong = [
        // The seed as it is, without a tag; with another's; with the constructed bit; explicit.
        seed.clone(),
        octets.clone(),
        tlv(0x81, &seed),
        tlv(0xa0, &seed),
        tlv(0xa0, &octets),
        tlv(0x03, &seed),
        // The halves in the wrong order, one alone, the seed with its tag, one too many.
        tlv(
            SEQUENCE,
            &[expanded_form(&expanded), octets.clone()].concat(),
        ),
        tlv(SEQUENCE, &octets),
        tlv(SEQUENCE, &expanded_form(&expanded)),
        tlv(
            SEQUENCE,
            &[seed_form(&seed), expanded_form(&expanded)].concat(),
        ),
        tlv(
            SEQUENCE,
            &[octets.clone(), expanded_form(&expanded), octets.clone()].concat(),
        ),
        tlv(SEQUENCE, &[]),
        // A SET, and a document within the document.
        tlv(0x31, &[octets.clone(), expanded_form(&expanded)].concat()),
        document::<P>(&seed_form(&seed)),
        Vec::new(),
        vec![CONTEXT_0],
    ];
    for private_key in wrong {
        assert_refused::<P>(&document::<P>(&private_key));
    }
    // A length in a longer form than it needs.
    let long_form = [&[CONTEXT_0, 0x81, 32], &seed[..]].concat();
    assert_refused::<P>(&document::<P>(&long_form));
}

fn a_public_key_that_does_not_belong_is_refused<P: X509>() {
    let (key, seed, expanded) = key::<P>("pkcs8: public");
    let (_, other) = key_pair::<P>("pkcs8: another public");
    let version_2 = |private_key: &[u8], public: BitStringRef<'_>| {
        let mut info = PrivateKeyInfoRef::new(
            P::ALGORITHM_IDENTIFIER,
            OctetStringRef::new(private_key).unwrap(),
        );
        info.public_key = Some(public);
        info.to_der().unwrap()
    };
    let right = key.verifying_key().encode();
    let other = other.encode();
    let bits = |bytes| BitStringRef::new(0, bytes).unwrap();
    let mut flipped = right.clone();
    flipped[0] ^= 1;
    // Its last bit is zero, so the key may drop it and pretend that it is none.
    let mut even = right.clone();
    even[right.len() - 1] &= 0xfe;

    for form in [
        seed_form(&seed),
        expanded_form(&expanded),
        both_form(&seed, &expanded),
    ] {
        let (as_key, as_expanded) = read::<P>(&version_2(&form, bits(&right)));
        assert!(as_expanded.unwrap() == *key.expanded_key());
        assert_eq!(as_key.is_ok(), form[0] != OCTET_STRING);

        let malformed = pkcs8::Error::PublicKey(pkcs8::spki::Error::KeyMalformed);
        let wrong = [
            bits(&other[..]),
            bits(&flipped),
            bits(&right[..right.len() - 1]),
            bits(&[]),
            BitStringRef::new(1, &even).unwrap(),
        ]
        .map(|public| version_2(&form, public));
        for document in wrong {
            let (as_key, as_expanded) = read::<P>(&document);
            assert_eq!(as_expanded.err(), Some(malformed));
            assert!(as_key.is_err());
        }
    }
}

fn the_algorithm_identifier_decides<P: X509>() {
    let (_, seed, expanded) = key::<P>("pkcs8: algorithm");
    let with = |algorithm: AlgorithmIdentifierRef<'_>, private_key: &[u8]| {
        PrivateKeyInfoRef::new(algorithm, OctetStringRef::new(private_key).unwrap())
            .to_der()
            .unwrap()
    };
    let own = P::ALGORITHM_IDENTIFIER;
    for form in [
        seed_form(&seed),
        expanded_form(&expanded),
        both_form(&seed, &expanded),
    ] {
        assert!(read::<P>(&with(own, &form)).1.is_ok());
        // A seed fits every set, so only the identifier tells them apart.
        let others = [
            MlDsa44::ALGORITHM_IDENTIFIER,
            MlDsa65::ALGORITHM_IDENTIFIER,
            MlDsa87::ALGORITHM_IDENTIFIER,
        ];
        for other in others.into_iter().filter(|other| other.oid != own.oid) {
            assert_refused::<P>(&with(other, &form));
        }
        // HashML-DSA's, Ed25519's.
        for oid in ["2.16.840.1.101.3.4.3.32", "1.3.101.112"] {
            let other = AlgorithmIdentifierRef {
                oid: oid.parse().unwrap(),
                parameters: None,
            };
            assert_refused::<P>(&with(other, &form));
        }
        let sequence = AnyRef::new(pkcs8::der::Tag::Sequence, &[]).unwrap();
        for parameters in [AnyRef::NULL, sequence] {
            let document = with(
                AlgorithmIdentifierRef {
                    parameters: Some(parameters),
                    ..own
                },
                &form,
            );
            let (as_key, as_expanded) = read::<P>(&document);
            assert_eq!(as_key.err(), Some(pkcs8::Error::ParametersMalformed));
            assert_eq!(as_expanded.err(), Some(pkcs8::Error::ParametersMalformed));
        }
    }
}

fn data_after_the_end_is_refused<P: X509>() {
    let (_, seed, expanded) = key::<P>("pkcs8: trailing");
    for form in [
        seed_form(&seed),
        expanded_form(&expanded),
        both_form(&seed, &expanded),
    ] {
        for tail in [&[0][..], &[0x05, 0x00], &form] {
            // After the private key in its octet string, and after the document.
            assert_refused::<P>(&document::<P>(&[&form, tail].concat()));
            assert_refused::<P>(&[&document::<P>(&form), tail].concat());
        }
    }
}

fn a_document_cut_short_is_refused<P: X509>() {
    let (key, seed, expanded) = key::<P>("pkcs8: short");
    for form in FORMS {
        let document = key.in_form(form).to_pkcs8_der().unwrap();
        let document = document.as_bytes();
        let ends = (0..document.len()).filter(|end| *end < 80 || end % 97 == 0);
        ends.for_each(|end| assert_refused::<P>(&document[..end]));
    }
    // The octet string and the document agree on their lengths, and the key inside is short.
    for form in [
        seed_form(&seed),
        expanded_form(&expanded),
        both_form(&seed, &expanded),
    ] {
        let ends = (0..form.len()).filter(|end| *end < 50 || end % 97 == 0);
        ends.for_each(|end| assert_refused::<P>(&document::<P>(&form[..end])));
    }
}

fn noise_is_refused<P: X509>() {
    let (key, ..) = key::<P>("pkcs8: noise");
    let mut data = Data::new("pkcs8: noise, bytes");
    for _ in 0..200 {
        let len = data.below(100);
        let noise = data.bytes(len);
        assert_refused::<P>(&noise);
        assert_refused::<P>(&document::<P>(&noise));
    }
    // A changed byte before the seed is refused, or is a change that DER allows nowhere here.
    let golden = key.to_pkcs8_der().unwrap();
    for byte in 0..22 {
        for bit in 0..8 {
            let mut document = golden.as_bytes().to_vec();
            document[byte] ^= 1 << bit;
            assert_refused::<P>(&document);
        }
    }
}

#[cfg(feature = "encryption")]
#[test]
fn encrypted_keys_are_written_and_read() {
    let (key, ..) = key::<MlDsa65>("pkcs8: encrypted");
    for form in FORMS {
        let pem = key
            .in_form(form)
            .to_pkcs8_encrypted_pem(b"hunter2", LineEnding::LF)
            .unwrap();
        assert!(pem.starts_with("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"));
        let read = ExpandedSigningKey::<MlDsa65>::from_pkcs8_encrypted_pem(&pem, b"hunter2");
        assert!(read.unwrap() == *key.expanded_key());
        let wrong = ExpandedSigningKey::<MlDsa65>::from_pkcs8_encrypted_pem(&pem, b"hunter3");
        assert!(wrong.is_err());
    }
}
