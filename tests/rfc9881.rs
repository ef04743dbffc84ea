//! The examples of RFC 9881 (IETF LAMPS): private keys, public keys and self-signed certificates.
#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(deprecated, reason = "the examples hold expanded private keys")]

mod vectors;

use mldsa_simd::pkcs8::{
    DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, LineEnding,
    PrivateKeyInfoRef, SubjectPublicKeyInfoRef,
    der::{
        AnyRef, Decode, Document, Reader, SecretDocument, SliceReader, Tag, Tagged,
        asn1::{BitStringRef, OctetStringRef},
    },
    spki::{AlgorithmIdentifierRef, AssociatedAlgorithmIdentifier, SignatureBitStringEncoding},
};
use mldsa_simd::{
    ExpandedSigningKey, ExpandedSigningKeyBytes, Keypair, MlDsa44, MlDsa65, MlDsa87, MlDsaParams,
    Seed, Signature, Signer, SigningKey, Verifier, VerifyingKey,
};

/// A parameter set whose keys have DER forms.
trait DerSet: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>> {}
impl<P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>> DerSet for P {}

/// The seed of all the examples: 00 01 02 … 1f.
fn seed() -> Seed {
    Seed::from(core::array::from_fn::<u8, 32, _>(|i| i as u8))
}

/// A file of the folder of the examples.
fn example(file: &str) -> Option<String> {
    vectors::text(&format!("RFC 9881 {file}"), &format!("rfc9881/{file}"))
}

/// Reads a file of PEM with the given label.
fn pem(text: &str, label: &str) -> Vec<u8> {
    let (found, document) = Document::from_pem(text).unwrap();
    assert_eq!(found, label);
    document.into_vec()
}

#[test]
fn private_keys_of_the_seed_form_are_read_and_written() {
    fn run<P: DerSet>(name: &str, last_oid_byte: u8) -> usize {
        let Some(text) = example(&format!("{name}-seed.priv")) else {
            return 0;
        };
        let key = SigningKey::<P>::from_pkcs8_pem(&text).unwrap();
        assert!(key.to_seed() == seed());
        assert!(key == SigningKey::from_seed(&seed()));
        let expanded = ExpandedSigningKey::<P>::from_pkcs8_pem(&text).unwrap();
        assert!(expanded == ExpandedSigningKey::from_seed(&seed()));
        assert_eq!(*key.to_pkcs8_pem(LineEnding::LF).unwrap(), text);

        // Byte for byte: SEQUENCE { version 0, SEQUENCE { OID }, OCTET STRING { [0] seed } }.
        let golden = hex::decode(format!(
            "3034020100300b06096086480165030403{last_oid_byte:02x}04228020{}",
            hex::encode(seed())
        ));
        assert_eq!(key.to_pkcs8_der().unwrap().as_bytes(), golden.unwrap());
        1
    }
    let ran = run::<MlDsa44>("ML-DSA-44", 0x11)
        + run::<MlDsa65>("ML-DSA-65", 0x12)
        + run::<MlDsa87>("ML-DSA-87", 0x13);
    finish(ran, 3, "seed private keys");
}

#[test]
fn public_keys_are_read_and_written() {
    fn run<P: DerSet>(name: &str) -> usize {
        let Some(text) = example(&format!("{name}.pub")) else {
            return 0;
        };
        let key = VerifyingKey::<P>::from_public_key_pem(&text).unwrap();
        assert!(key == SigningKey::<P>::from_seed(&seed()).verifying_key());
        assert_eq!(key.to_public_key_pem(LineEnding::LF).unwrap(), text);
        1
    }
    let ran =
        run::<MlDsa44>("ML-DSA-44") + run::<MlDsa65>("ML-DSA-65") + run::<MlDsa87>("ML-DSA-87");
    finish(ran, 3, "public keys");
}

/// The seed and the expanded key inside a PKCS#8 document of the form `expandedKey` or `both`,
/// taken apart by hand.
fn parts(text: &str) -> (Option<Vec<u8>>, Vec<u8>) {
    let (label, document) = SecretDocument::from_pem(text).unwrap();
    assert_eq!(label, "PRIVATE KEY");
    let info = PrivateKeyInfoRef::try_from(document.as_bytes()).unwrap();
    let choice = AnyRef::from_der(info.private_key.as_bytes()).unwrap();
    if choice.tag() == Tag::OctetString {
        return (None, choice.value().to_vec());
    }
    assert_eq!(choice.tag(), Tag::Sequence);
    let mut both = SliceReader::new(choice.value()).unwrap();
    let seed: &OctetStringRef = both.decode().unwrap();
    let expanded: &OctetStringRef = both.decode().unwrap();
    assert!(both.is_finished());
    (Some(seed.as_bytes().to_vec()), expanded.as_bytes().to_vec())
}

#[test]
fn private_keys_of_the_other_forms_hold_the_key_of_the_seed() {
    fn run<P: DerSet>(name: &str) -> usize {
        let mut ran = 0;
        let key = ExpandedSigningKey::<P>::from_seed(&seed());
        for form in ["expanded", "both"] {
            let Some(text) = example(&format!("{name}-{form}.priv")) else {
                return 0;
            };
            let (seed_part, expanded) = parts(&text);
            assert_eq!(seed_part, (form == "both").then(|| seed().to_vec()));
            let bytes = ExpandedSigningKeyBytes::<P>::try_from(&expanded[..]).unwrap();
            assert!(ExpandedSigningKey::try_from_expanded(&bytes).unwrap() == key);
            assert!(key.to_expanded() == bytes);
            // As documents.
            assert!(ExpandedSigningKey::<P>::from_pkcs8_pem(&text).unwrap() == key);
            let with_seed = SigningKey::<P>::from_pkcs8_pem(&text);
            assert_eq!(with_seed.is_ok(), form == "both");
            assert!(with_seed.is_err() || with_seed.unwrap() == SigningKey::from_seed(&seed()));
            ran += 1;
        }
        ran
    }
    let ran =
        run::<MlDsa44>("ML-DSA-44") + run::<MlDsa65>("ML-DSA-65") + run::<MlDsa87>("ML-DSA-87");
    finish(ran, 6, "expanded private keys");
}

#[test]
fn a_private_key_whose_two_halves_disagree_is_refused() {
    let Some(text) = example("bad-ML-DSA-44-1.priv") else {
        return;
    };
    let (seed, expanded) = parts(&text);
    // Both halves are keys, of different key pairs.
    let from_seed =
        ExpandedSigningKey::<MlDsa44>::from_seed(&seed.unwrap()[..].try_into().unwrap());
    assert!(from_seed.to_expanded()[..] != expanded);
    assert!(SigningKey::<MlDsa44>::from_pkcs8_pem(&text).is_err());
    assert!(ExpandedSigningKey::<MlDsa44>::from_pkcs8_pem(&text).is_err());
    finish(1, 1, "contradictory private keys");
}

#[test]
fn certificates_carry_their_own_signature() {
    fn run<P: DerSet>(name: &str) -> usize {
        let Some(text) = example(&format!("{name}.crt")) else {
            return 0;
        };
        let certificate = pem(&text, "CERTIFICATE");
        let Certificate {
            tbs,
            algorithm,
            inner_algorithm,
            public_key,
            signature,
        } = Certificate::read(&certificate);
        assert_eq!(algorithm, P::ALGORITHM_IDENTIFIER);
        assert_eq!(inner_algorithm, P::ALGORITHM_IDENTIFIER);

        let key = VerifyingKey::<P>::try_from(public_key).unwrap();
        assert!(key == SigningKey::<P>::from_seed(&seed()).verifying_key());
        let signature_bytes = signature.as_bytes().unwrap();
        let parsed = Signature::<P>::try_from(signature_bytes).unwrap();
        assert!(key.verify(tbs, &parsed).is_ok());
        assert!(key.verify(&tbs[1..], &parsed).is_err());
        assert_eq!(
            BitStringRef::from(&parsed.to_bitstring().unwrap()),
            signature
        );

        // Our own signature serves as well.
        let own = SigningKey::<P>::from_seed(&seed()).sign(tbs);
        assert!(key.verify(tbs, &own).is_ok());
        1
    }
    let ran =
        run::<MlDsa44>("ML-DSA-44") + run::<MlDsa65>("ML-DSA-65") + run::<MlDsa87>("ML-DSA-87");
    finish(ran, 3, "certificates");
}

/// What of a certificate matters for its signature (RFC 5280, section 4.1).
struct Certificate<'a> {
    tbs: &'a [u8],
    algorithm: AlgorithmIdentifierRef<'a>,
    inner_algorithm: AlgorithmIdentifierRef<'a>,
    public_key: SubjectPublicKeyInfoRef<'a>,
    signature: BitStringRef<'a>,
}

impl<'a> Certificate<'a> {
    fn read(der: &'a [u8]) -> Self {
        // Certificate ::= SEQUENCE { tbsCertificate, signatureAlgorithm, signatureValue }
        let mut outer = SliceReader::new(AnyRef::from_der(der).unwrap().value()).unwrap();
        let tbs = outer.tlv_bytes().unwrap();
        let algorithm = outer.decode().unwrap();
        let signature = outer.decode().unwrap();
        assert!(outer.is_finished());
        // TBSCertificate ::= SEQUENCE { version, serialNumber, signature, issuer, validity,
        //     subject, subjectPublicKeyInfo, … }
        let mut inner = SliceReader::new(AnyRef::from_der(tbs).unwrap().value()).unwrap();
        inner.tlv_bytes().unwrap();
        inner.tlv_bytes().unwrap();
        let inner_algorithm = inner.decode().unwrap();
        inner.tlv_bytes().unwrap();
        inner.tlv_bytes().unwrap();
        inner.tlv_bytes().unwrap();
        let public_key = inner.decode().unwrap();
        Self {
            tbs,
            algorithm,
            inner_algorithm,
            public_key,
            signature,
        }
    }
}

/// All ran, or none because the folder is missing.
fn finish(ran: usize, all: usize, what: &str) {
    if vectors::folder(what).is_some() {
        assert_eq!(ran, all);
        vectors::say(&format!("RFC 9881 {what} {ran}"));
    } else {
        assert_eq!(ran, 0);
    }
}
