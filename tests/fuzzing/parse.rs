//! Arbitrary bytes to every parser: none panics, and what is accepted is encoded as it came.
#![allow(deprecated, reason = "expanded keys are parsed, too")]
#![allow(clippy::unwrap_used, reason = "tests")]

use mldsa_simd::pkcs8::spki::AssociatedAlgorithmIdentifier;
use mldsa_simd::pkcs8::{
    DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, PrivateKeyForm,
    der::asn1::AnyRef,
};
use mldsa_simd::{
    ExpandedSigningKey, ExpandedSigningKeyBytes, KeyExport, KeyInit, MlDsa44, MlDsa65, MlDsa87,
    MlDsaParams, Signature, SigningKey, VerifyingKey,
};

pub(crate) trait Set:
    MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>
{
}
impl<P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>> Set for P {}

pub(crate) fn run(data: &[u8]) {
    every_parser::<MlDsa44>(data);
    every_parser::<MlDsa65>(data);
    every_parser::<MlDsa87>(data);
}

/// How many parsers accepted the bytes.
pub(crate) fn every_parser<P: Set>(data: &[u8]) -> usize {
    let mut accepted = 0;
    if let Ok(signature) = Signature::<P>::try_from(data) {
        assert!(signature.encode().as_slice() == data);
        accepted += 1;
    }
    if let Ok(key) = VerifyingKey::<P>::new_from_slice(data) {
        assert!(key.encode().as_slice() == data);
        accepted += 1;
    }
    if let Ok(key) = SigningKey::<P>::new_from_slice(data) {
        assert!(key.to_bytes().as_slice() == data);
        accepted += 1;
    }
    if let Ok(bytes) = <&ExpandedSigningKeyBytes<P>>::try_from(data) {
        if let Ok(key) = ExpandedSigningKey::<P>::try_from_expanded(bytes) {
            assert!(key.to_expanded() == *bytes);
            accepted += 1;
        }
        // Any bytes are a key of some kind.
        let key = ExpandedSigningKey::<P>::from_expanded(bytes);
        let _ = key.sign_deterministic(b"a message", b"");
    }
    accepted + documents::<P>(data)
}

fn documents<P: Set>(data: &[u8]) -> usize {
    const FORMS: [PrivateKeyForm; 3] = [
        PrivateKeyForm::Seed,
        PrivateKeyForm::ExpandedKey,
        PrivateKeyForm::Both,
    ];
    let mut accepted = 0;
    if let Ok(key) = VerifyingKey::<P>::from_public_key_der(data) {
        assert!(key.to_public_key_der().unwrap().as_bytes() == data);
        accepted += 1;
    }
    let expanded = ExpandedSigningKey::<P>::from_pkcs8_der(data);
    if let Ok(key) = SigningKey::<P>::from_pkcs8_der(data) {
        // Version 2 and attributes are read and not written: then the key must be the same.
        let written = FORMS.map(|form| key.in_form(form).to_pkcs8_der().unwrap());
        if written.iter().all(|written| written.as_bytes() != data) {
            let again = SigningKey::<P>::from_pkcs8_der(written[0].as_bytes()).unwrap();
            assert!(again == key);
        }
        assert!(*key.expanded_key() == *expanded.as_ref().unwrap());
        accepted += 1;
    }
    if let Ok(key) = expanded {
        let written = key.to_pkcs8_der().unwrap();
        let again = ExpandedSigningKey::<P>::from_pkcs8_der(written.as_bytes()).unwrap();
        assert!(again == key);
        accepted += 1;
    }
    accepted
}
