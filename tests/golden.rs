//! Values that must never change: what RustCrypto's `ml-dsa` 0.1.2 writes for the same key, and one
//! digest over keys and signatures of all sets that every target must arrive at. Stored keys and
//! signatures outlive versions, instruction sets and machines.
#![allow(clippy::unwrap_used, reason = "tests")]

#[macro_use]
mod common;

use common::{Set, key_pair, sign};
use mldsa_simd::{
    ExpandedSigningKey, KeyExport, Keypair, MlDsa44, MlDsa65, MlDsa87, Seed, Signature, Signer,
    SigningKey,
};
use shake::{ExtendableOutput, Shake256, Update, XofReader};

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

/// What `ml-dsa` 0.1.2 gave for [`seed`].
struct Golden {
    public: &'static str,
    expanded: &'static str,
    /// The deterministic signature of the empty message, and of `message` with a context.
    empty: &'static str,
    in_context: &'static str,
    /// `message` in the same context, hedged with rnd = `seed`.
    hedged: &'static str,
}

trait Pinned: Set {
    const GOLDEN: Golden;
}

impl Pinned for MlDsa44 {
    const GOLDEN: Golden = Golden {
        public: "329a07b1fabb48f52a309f11a1898f848e2322ffe623ec810db3bee33685854a",
        expanded: "eaa4bd0a7064e1aef9623bfa4c0209a98884f08558bbe934daefb16a049ba28a",
        empty: "45c111fdcc6aae3918bd4b6c76e733462a0ef7519d8f0166faa4a63a95e4ed0c",
        in_context: "2b67d284496e2f5e1ab962e0bf6ee562d5085e8ce9c409a551cc4d6a3bae2367",
        hedged: "9890da27bcc02e0d5d35c6f0f8f9febb77ff5e5c947eda614cfc6e4222ad42dd",
    };
}

impl Pinned for MlDsa65 {
    const GOLDEN: Golden = Golden {
        public: "1b0563e3cd3346149c8c9ebcf23b0a4e5a900eea9c6562790a7c63e38663daa2",
        expanded: "fe87058d582b89a47bb18b7ad9fd2636e2c18af0390c7ad6101aa6f78b1ee94e",
        empty: "d27e42e37f976d25b0821fea9e17e7a342c42851d4c994f4b6d163d0de3b4b33",
        in_context: "a3ddcb5e2b591de3418a21419a86611daee4c34b8c31d6b841a2f953c13b018b",
        hedged: "9ee16170d3eb4ffc0ac277f18fb034acf3f6cf65dca7fd7a4c8253eefbba0dce",
    };
}

impl Pinned for MlDsa87 {
    const GOLDEN: Golden = Golden {
        public: "89886750b57c24db3fc012e61ede59753337374fa7124991549af243496d0637",
        expanded: "c06933a362a7d0da2279a3d70edb9acc560703d534f5722f54e2c8c418311d42",
        empty: "badd826f02b5972a96eafa1e95cc32ec93326ebbcc03b91ecdc12847daba89fb",
        in_context: "b28a49004e4306009e77f3c2038fc96c9e97a0de14106676a33db19973c8f399",
        hedged: "5427a447c9cda6fa1a6367217e05577735917daaa82e8ae903fed7db060ad906",
    };
}

const MESSAGE: &[u8] = b"a message that is signed again in every version";
const CONTEXT: &[u8] = b"golden";

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
