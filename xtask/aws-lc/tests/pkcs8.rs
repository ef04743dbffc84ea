//! PKCS#8 as aws-lc-rs knows it: the seed form byte for byte, the other forms read alike, and what
//! does not fit together refused by both.
#![allow(clippy::unwrap_used, reason = "tests")]

use aws_lc_rs::encoding::AsRawBytes;
use aws_lc_rs::signature::{
    KeyPair, ML_DSA_44_SIGNING, ML_DSA_65_SIGNING, ML_DSA_87_SIGNING, PqdsaKeyPair,
    PqdsaSigningAlgorithm,
};
use mldsa_simd::pkcs8::der::asn1::AnyRef;
use mldsa_simd::pkcs8::spki::AssociatedAlgorithmIdentifier;
use mldsa_simd::pkcs8::{DecodePrivateKey, EncodePrivateKey, PrivateKeyForm};
use mldsa_simd::{
    ExpandedSigningKey, ExpandedSigningKeyBytes, Generate, MlDsa44, MlDsa65, MlDsa87, MlDsaParams,
    SigningKey,
};

trait Set: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>> {}
impl<P> Set for P where P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>> {}

const FORMS: [PrivateKeyForm; 3] = [
    PrivateKeyForm::Seed,
    PrivateKeyForm::ExpandedKey,
    PrivateKeyForm::Both,
];

fn forms<P: Set>(algorithm: &'static PqdsaSigningAlgorithm) {
    for _ in 0..10 {
        let key = SigningKey::<P>::generate();
        let seed = key.to_seed();
        let public = key.expanded_key().verifying_key().encode();
        let theirs = PqdsaKeyPair::from_seed(algorithm, &seed).unwrap();
        assert_eq!(theirs.public_key().as_ref(), &public[..]);

        // They write the seed form, and nothing else.
        let written = theirs.to_pkcs8v1().unwrap();
        assert_eq!(written.as_ref(), key.to_pkcs8_der().unwrap().as_bytes());
        assert!(SigningKey::<P>::from_pkcs8_der(written.as_ref()).unwrap() == key);

        // The expanded key, byte for byte, by its only other way out.
        let raw = theirs.private_key().as_raw_bytes().unwrap();
        let raw = ExpandedSigningKeyBytes::<P>::try_from(raw.as_ref()).unwrap();
        assert!(ExpandedSigningKey::try_from_expanded(&raw).unwrap() == *key.expanded_key());

        for form in FORMS {
            let document = key.in_form(form).to_pkcs8_der().unwrap();
            let read = PqdsaKeyPair::from_pkcs8(algorithm, document.as_bytes()).unwrap();
            assert_eq!(read.public_key().as_ref(), &public[..], "{form:?}");
            let read = read.private_key().as_raw_bytes().unwrap();
            assert!(read.as_ref() == &raw[..], "{form:?}");
        }
    }
}

fn wrong<P: Set>(algorithm: &'static PqdsaSigningAlgorithm) {
    let key = SigningKey::<P>::generate();
    let refused = |document: &[u8], what: &str| {
        assert!(
            ExpandedSigningKey::<P>::from_pkcs8_der(document).is_err(),
            "we read {what}"
        );
        assert!(
            PqdsaKeyPair::from_pkcs8(algorithm, document).is_err(),
            "they read {what}"
        );
    };
    for form in FORMS {
        let document = key.in_form(form).to_pkcs8_der().unwrap();
        refused(
            &document.as_bytes()[..document.as_bytes().len() - 1],
            "a truncated key",
        );
    }
    let document = key.in_form(PrivateKeyForm::Both).to_pkcs8_der().unwrap();
    let mut document = document.as_bytes().to_vec();
    let seed = key.to_seed();
    let at = document.windows(32).position(|bytes| *bytes == seed[..]);
    document[at.unwrap()] ^= 1;
    refused(&document, "a seed and an expanded key that disagree");
}

#[test]
fn the_forms_of_ml_dsa_44() {
    forms::<MlDsa44>(&ML_DSA_44_SIGNING);
    wrong::<MlDsa44>(&ML_DSA_44_SIGNING);
}

#[test]
fn the_forms_of_ml_dsa_65() {
    forms::<MlDsa65>(&ML_DSA_65_SIGNING);
    wrong::<MlDsa65>(&ML_DSA_65_SIGNING);
}

#[test]
fn the_forms_of_ml_dsa_87() {
    forms::<MlDsa87>(&ML_DSA_87_SIGNING);
    wrong::<MlDsa87>(&ML_DSA_87_SIGNING);
}
