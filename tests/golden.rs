//! Values that must never change: what RustCrypto's `ml-dsa` 0.1.2 writes for the same key, and one
//! digest over keys and signatures of all sets that every target must arrive at. Stored keys and
//! signatures outlive versions, instruction sets and machines.
#![allow(clippy::unwrap_used, reason = "tests")]

#[macro_use]
mod common;
#[path = "golden/values.rs"]
mod values;

use common::{Set, key_pair, sign};
use mldsa_simd::{
    ExpandedSigningKey, KeyExport, Keypair, MlDsa44, MlDsa65, MlDsa87, Seed, Signature, Signer,
    SigningKey,
};
use shake::{ExtendableOutput, Shake256, Update, XofReader};
use values::{CONTEXT, Golden, MESSAGE};

for_each_set! {
    keys_are_stored_as_ml_dsa_stores_them,
    signatures_are_those_of_ml_dsa,
}

/// Bytes 0 to 31.
fn seed() -> Seed {
    Seed::from_fn(|at| at as u8)
}

/// The first 32 bytes of SHAKE256, in hex.
fn digest(bytes: &[u8]) -> String {
    let mut out = [0; 32];
    Shake256::default()
        .chain(bytes)
        .finalize_xof()
        .read(&mut out);
    hex::encode(out)
}

fn expanded<P: Set>(key: &ExpandedSigningKey<P>) -> Vec<u8> {
    #[allow(deprecated, reason = "deprecated in ml-dsa")]
    key.to_expanded().to_vec()
}

trait Pinned: Set {
    const GOLDEN: Golden;
}

impl Pinned for MlDsa44 {
    const GOLDEN: Golden = values::ML_DSA_44;
}

impl Pinned for MlDsa65 {
    const GOLDEN: Golden = values::ML_DSA_65;
}

impl Pinned for MlDsa87 {
    const GOLDEN: Golden = values::ML_DSA_87;
}

fn keys_are_stored_as_ml_dsa_stores_them<P: Pinned>() {
    let key = SigningKey::<P>::from_seed(&seed());
    assert_eq!(KeyExport::to_bytes(&key), seed(), "the seed is the key");
    let public = key.verifying_key();
    assert_eq!(KeyExport::to_bytes(&public), public.encode());
    let stored = [
        digest(&public.encode()),
        digest(&expanded(key.expanded_key())),
    ];
    assert_eq!(stored, [P::GOLDEN.public, P::GOLDEN.expanded]);
}

fn signatures_are_those_of_ml_dsa<P: Pinned>() {
    let key = SigningKey::<P>::from_seed(&seed());
    let empty: Signature<P> = key.sign(b"");
    let in_context = sign(key.expanded_key(), MESSAGE, CONTEXT);
    let prefix = [0, u8::try_from(CONTEXT.len()).unwrap()];
    let hedged = key
        .expanded_key()
        .sign_internal(&[&prefix, CONTEXT, MESSAGE], &seed());
    let signed = [&empty, &in_context, &hedged].map(|signature| digest(&signature.encode()));
    assert_eq!(
        signed,
        [P::GOLDEN.empty, P::GOLDEN.in_context, P::GOLDEN.hedged]
    );
}

/// One digest for everything, printed so that runs on other targets can be compared by eye.
#[test]
fn one_digest_over_all_sets_is_the_same_everywhere() {
    fn absorb<P: Set>(hash: &mut Shake256) {
        for number in 0..8_u8 {
            let (key, public) = key_pair::<P>(&format!("every target {number}"));
            let message = vec![number; 137 * usize::from(number)];
            let context = &[number; 255][..36 * usize::from(number)];
            let prefix = [0, u8::try_from(context.len()).unwrap()];
            let rnd = Seed::from([number; 32]);
            hash.update(&public.encode());
            hash.update(&expanded(key.expanded_key()));
            let signature = sign(key.expanded_key(), &message, context);
            assert!(public.verify_with_context(&message, context, &signature));
            hash.update(&signature.encode());
            let hedged = key
                .expanded_key()
                .sign_internal(&[&prefix, context, &message], &rnd);
            assert!(public.verify_with_context(&message, context, &hedged));
            hash.update(&hedged.encode());
        }
    }
    let mut hash = Shake256::default();
    absorb::<MlDsa44>(&mut hash);
    absorb::<MlDsa65>(&mut hash);
    absorb::<MlDsa87>(&mut hash);
    let mut out = [0; 32];
    hash.finalize_xof().read(&mut out);
    println!("digest over all sets: {}", hex::encode(out));
    assert_eq!(
        hex::encode(out),
        "24a45358a382a943198c8bb93ce16227b949ff628aa0ccf17298b631c8ad5698",
    );
}

#[cfg(all(feature = "pkcs8", feature = "alloc"))]
mod pkcs8 {
    use super::{Pinned, digest, seed};
    use mldsa_simd::pkcs8::der::AnyRef;
    use mldsa_simd::pkcs8::der::pem::LineEnding;
    use mldsa_simd::pkcs8::spki::{
        AssociatedAlgorithmIdentifier, SignatureAlgorithmIdentifier, SignatureBitStringEncoding,
    };
    use mldsa_simd::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
    use mldsa_simd::{
        ExpandedSigningKey, Keypair, MlDsa44, MlDsa65, MlDsa87, Signature, Signer, SigningKey,
        VerifyingKey,
    };

    for_each_set! {
        a_private_key_is_54_bytes_of_der,
        a_public_key_is_a_header_and_its_bytes,
        algorithm_identifiers_are_those_of_rfc_9881,
    }

    /// What belongs to the set as a key type of PKIX.
    trait Named: Pinned + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>> {
        /// The last arc of the object identifier 2.16.840.1.101.3.4.3.
        const OID: u8;
        /// What precedes the key in the SubjectPublicKeyInfo.
        const SPKI: &str;
    }
    impl Named for MlDsa44 {
        const OID: u8 = 17;
        const SPKI: &str = "30820532300b06096086480165030403110382052100";
    }
    impl Named for MlDsa65 {
        const OID: u8 = 18;
        const SPKI: &str = "308207b2300b0609608648016503040312038207a100";
    }
    impl Named for MlDsa87 {
        const OID: u8 = 19;
        const SPKI: &str = "30820a32300b060960864801650304031303820a2100";
    }

    fn a_private_key_is_54_bytes_of_der<P: Named>() {
        let key = SigningKey::<P>::from_seed(&seed());
        let der = key.to_pkcs8_der().unwrap();
        // SEQUENCE { 0, SEQUENCE { OID }, OCTET STRING { [0] seed } }
        let header = format!("3034020100300b06096086480165030403{:02x}04228020", P::OID);
        assert_eq!(der.as_bytes().len(), 54);
        assert_eq!(hex::encode(der.as_bytes()), header + &hex::encode(seed()));
        assert!(SigningKey::<P>::from_pkcs8_der(der.as_bytes()).unwrap() == key);
        let expanded = ExpandedSigningKey::<P>::from_pkcs8_der(der.as_bytes()).unwrap();
        assert!(expanded == *key.expanded_key());
    }

    fn a_public_key_is_a_header_and_its_bytes<P: Named>() {
        let public = SigningKey::<P>::from_seed(&seed()).verifying_key();
        let der = public.to_public_key_der().unwrap();
        let (header, key) = der
            .as_bytes()
            .split_at(der.as_bytes().len() - P::FIPS.public);
        assert_eq!(hex::encode(header), P::SPKI);
        assert_eq!(digest(key), P::GOLDEN.public);
        assert!(VerifyingKey::<P>::from_public_key_der(der.as_bytes()).unwrap() == public);
    }

    fn algorithm_identifiers_are_those_of_rfc_9881<P: Named>() {
        let identifiers = [
            P::ALGORITHM_IDENTIFIER,
            Signature::<P>::ALGORITHM_IDENTIFIER,
            SigningKey::<P>::SIGNATURE_ALGORITHM_IDENTIFIER,
            ExpandedSigningKey::<P>::SIGNATURE_ALGORITHM_IDENTIFIER,
            VerifyingKey::<P>::SIGNATURE_ALGORITHM_IDENTIFIER,
        ];
        for identifier in identifiers {
            let expected = format!("2.16.840.1.101.3.4.3.{}", P::OID);
            assert_eq!(identifier.oid.to_string(), expected);
            assert!(identifier.parameters.is_none());
        }
        let signature: Signature<P> = SigningKey::<P>::from_seed(&seed()).sign(b"");
        let bits = signature.to_bitstring().unwrap();
        assert_eq!(
            (bits.unused_bits(), bits.raw_bytes()),
            (0, signature.encode().as_slice())
        );
    }

    #[test]
    fn a_private_key_in_pem() {
        let key = SigningKey::<MlDsa65>::from_seed(&seed());
        let pem = key.to_pkcs8_pem(LineEnding::LF).unwrap();
        assert_eq!(
            pem.as_str(),
            "-----BEGIN PRIVATE KEY-----\n\
             MDQCAQAwCwYJYIZIAWUDBAMSBCKAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZ\n\
             GhscHR4f\n\
             -----END PRIVATE KEY-----\n",
        );
        assert!(SigningKey::<MlDsa65>::from_pkcs8_pem(&pem).unwrap() == key);
    }
}
