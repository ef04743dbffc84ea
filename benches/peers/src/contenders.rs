//! The libraries, each behind the same five closures.

use std::hint::black_box;

/// Names in the order of tables and charts; ours comes first.
pub const NAMES: [&str; 6] = [
    "mldsa-simd",
    "mldsa-native",
    "aws-lc-rs",
    "libcrux-ml-dsa",
    "ml-dsa",
    "fips204",
];

/// The version of each library, in the order of [`NAMES`].
pub const VERSIONS: [&str; 6] = [
    "this checkout",
    "mldsa-native-rs 0.0.1-alpha.6, feature `native` (C and assembly)",
    "1.19.0 (C and assembly)",
    "0.0.11",
    "0.1.2",
    "0.5.0",
];

/// The work of a parameter set: message i is signed with the key of the all-zero seed.
pub struct Work {
    /// Seeds for key generation.
    pub seeds: Vec<[u8; 32]>,
    /// What to sign.
    pub messages: Vec<Vec<u8>>,
    /// The deterministic signatures of the messages, with an empty context.
    pub signatures: Vec<Vec<u8>>,
    /// The encoded verifying key.
    pub verifying_key: Vec<u8>,
    /// The encoded expanded signing key.
    pub signing_key: Vec<u8>,
}

/// One operation on item i of the work.
pub type Run<'a> = Box<dyn FnMut(usize) + 'a>;

/// One library on one parameter set.
pub struct Contender<'a> {
    pub name: &'static str,
    /// Whether signatures are deterministic. Where they are not, the rejections of a message differ
    /// from call to call.
    pub deterministic: bool,
    /// Signs message i: to see that all libraries agree.
    pub signature: Box<dyn Fn(usize) -> Vec<u8> + 'a>,
    /// Seed to key pair, public key encoded.
    pub keygen: Run<'a>,
    /// Encoded expanded key and message to encoded signature.
    pub sign_bytes: Run<'a>,
    /// The same with the library's own key object at hand.
    pub sign_held: Run<'a>,
    /// Encoded key, message and encoded signature to a verdict.
    pub verify_bytes: Run<'a>,
    /// The same with the library's own key object at hand.
    pub verify_held: Run<'a>,
}

/// A crate with RustCrypto's API: ours, and the crate that it replaces.
macro_rules! rust_crypto {
    ($name:literal, $crate_:ident, $p:ident, $work:expr) => {{
        use $crate_::{
            ExpandedSigningKey, KeyInit as _, Keypair as _, Signature, SigningKey, Verifier as _,
            VerifyingKey,
        };
        type P = $crate_::$p;
        let work: &Work = $work;
        let held = ExpandedSigningKey::<P>::from_seed(&[0; 32].into());
        let vk = held.verifying_key();
        assert!(
            vk.encode()[..] == work.verifying_key,
            "{}: another verifying key",
            $name
        );
        let signing_key: [u8; _] = work.signing_key[..]
            .try_into()
            .expect("the length of the key");
        let verifying_key: [u8; _] = work.verifying_key[..]
            .try_into()
            .expect("the length of the key");
        let signer = held.clone();
        Contender {
            name: $name,
            deterministic: true,
            signature: Box::new(move |i| {
                let signature = signer.sign_deterministic(&work.messages[i], &[]);
                signature.expect("no context is too long").encode()[..].to_vec()
            }),
            keygen: Box::new(move |i| {
                let key = SigningKey::<P>::from_seed(&work.seeds[i].into());
                black_box(key.verifying_key().encode());
                black_box(&key);
            }),
            sign_bytes: Box::new(move |i| {
                let key = ExpandedSigningKey::<P>::from_expanded(&black_box(signing_key).into());
                let signature = key.sign_deterministic(&work.messages[i], &[]);
                black_box(signature.expect("no context is too long").encode());
            }),
            sign_held: Box::new(move |i| {
                let signature = held.sign_deterministic(&work.messages[i], &[]);
                black_box(signature.expect("no context is too long").encode());
            }),
            verify_bytes: Box::new(move |i| {
                let key = VerifyingKey::<P>::new(&black_box(verifying_key).into());
                let signature = Signature::<P>::try_from(&work.signatures[i][..]);
                let signature = signature.expect("a signature");
                key.verify(&work.messages[i], &signature)
                    .expect("a valid signature");
            }),
            verify_held: Box::new(move |i| {
                let signature = Signature::<P>::try_from(&work.signatures[i][..]);
                let signature = signature.expect("a signature");
                vk.verify(&work.messages[i], &signature)
                    .expect("a valid signature");
            }),
        }
    }};
}

macro_rules! mldsa_native {
    ($p:ident, $work:expr) => {{
        use mldsa_native_rs::{Signature, SigningKey, VerifyingKey, keygen_from_seed};
        type P = mldsa_native_rs::parameter_sets::$p;
        let work: &Work = $work;
        let rnd = [0; 32].into();
        let (held, vk) = keygen_from_seed::<P>(&[0; 32].into()).expect("a key");
        let held = std::rc::Rc::new(held);
        let signer = std::rc::Rc::clone(&held);
        let signatures: Vec<Signature<P>> = work
            .signatures
            .iter()
            .map(|s| s[..].try_into().expect("the length of the signature"))
            .collect();
        let sign = move |key: &SigningKey<P>, i: usize| {
            key.try_sign_with_ctx_seeded(&work.messages[i], &[], &rnd)
                .expect("a signature")
        };
        Contender {
            name: "mldsa-native",
            deterministic: true,
            signature: Box::new(move |i| sign(&signer, i).as_ref().to_vec()),
            keygen: Box::new(move |i| {
                black_box(keygen_from_seed::<P>(&work.seeds[i].into()).expect("a key"));
            }),
            sign_bytes: Box::new(move |i| {
                let key = SigningKey::<P>::try_from(&black_box(&work.signing_key)[..]);
                black_box(sign(&key.expect("a key"), i));
            }),
            sign_held: Box::new(move |i| {
                black_box(sign(&held, i));
            }),
            verify_bytes: {
                let signatures = signatures.clone();
                Box::new(move |i| {
                    let key = VerifyingKey::<P>::try_from(&black_box(&work.verifying_key)[..]);
                    let verdict =
                        key.expect("a key")
                            .verify_with_ctx(&work.messages[i], &[], &signatures[i]);
                    verdict.expect("a valid signature");
                })
            },
            verify_held: Box::new(move |i| {
                let verdict = vk.verify_with_ctx(&work.messages[i], &[], &signatures[i]);
                verdict.expect("a valid signature");
            }),
        }
    }};
}

macro_rules! aws_lc {
    ($alg:ident, $signing:ident, $work:expr) => {{
        use aws_lc_rs::signature::{
            KeyPair as _, ParsedPublicKey, PqdsaKeyPair, UnparsedPublicKey, $alg, $signing,
        };
        let work: &Work = $work;
        let held = PqdsaKeyPair::from_seed(&$signing, &[0; 32]).expect("a key");
        assert!(
            held.public_key().as_ref() == work.verifying_key,
            "aws-lc-rs: another verifying key"
        );
        let vk = ParsedPublicKey::new(&$alg, &work.verifying_key).expect("a key");
        let length = work.signatures[0].len();
        let sign = move |key: &PqdsaKeyPair, i: usize| {
            let mut signature = vec![0; length];
            key.sign(&work.messages[i], &mut signature)
                .expect("a signature");
            signature
        };
        let signer = PqdsaKeyPair::from_seed(&$signing, &[0; 32]).expect("a key");
        Contender {
            name: "aws-lc-rs",
            deterministic: false,
            signature: Box::new(move |i| sign(&signer, i)),
            keygen: Box::new(move |i| {
                let key = PqdsaKeyPair::from_seed(&$signing, &work.seeds[i]).expect("a key");
                black_box(key.public_key().as_ref());
                black_box(&key);
            }),
            sign_bytes: Box::new(move |i| {
                let key =
                    PqdsaKeyPair::from_raw_private_key(&$signing, black_box(&work.signing_key));
                black_box(sign(&key.expect("a key"), i));
            }),
            sign_held: Box::new(move |i| {
                black_box(sign(&held, i));
            }),
            verify_bytes: Box::new(move |i| {
                let key = UnparsedPublicKey::new(&$alg, black_box(&work.verifying_key));
                key.verify(&work.messages[i], &work.signatures[i])
                    .expect("a valid signature");
            }),
            verify_held: Box::new(move |i| {
                vk.verify_sig(&work.messages[i], &work.signatures[i])
                    .expect("a valid signature");
            }),
        }
    }};
}

/// libcrux has no key object: a key is its bytes.
macro_rules! libcrux {
    ($module:ident, $sk:ident, $vk:ident, $sig:ident, $work:expr) => {{
        use libcrux_ml_dsa::$module as lc;
        let work: &Work = $work;
        let held = lc::generate_key_pair([0; 32]);
        assert!(
            held.verification_key.as_slice() == work.verifying_key,
            "libcrux-ml-dsa: another verifying key"
        );
        let (sk, vk) = (held.signing_key, held.verification_key);
        let sign = move |key: &lc::$sk, i: usize| {
            lc::sign(key, &work.messages[i], b"", [0; 32]).expect("a signature")
        };
        let verify = move |key: &lc::$vk, i: usize| {
            let signature =
                lc::$sig::new(work.signatures[i][..].try_into().expect("the length of it"));
            lc::verify(key, &work.messages[i], b"", &signature).expect("a valid signature");
        };
        let signer = sk.clone();
        Contender {
            name: "libcrux-ml-dsa",
            deterministic: true,
            signature: Box::new(move |i| sign(&signer, i).as_slice().to_vec()),
            keygen: Box::new(move |i| {
                black_box(lc::generate_key_pair(work.seeds[i]));
            }),
            sign_bytes: Box::new(move |i| {
                let bytes = black_box(&work.signing_key)[..].try_into();
                black_box(sign(
                    &lc::$sk::new(bytes.expect("the length of the key")),
                    i,
                ));
            }),
            sign_held: Box::new(move |i| {
                black_box(sign(&sk, i));
            }),
            verify_bytes: Box::new(move |i| {
                let bytes = black_box(&work.verifying_key)[..].try_into();
                verify(&lc::$vk::new(bytes.expect("the length of the key")), i);
            }),
            verify_held: Box::new(move |i| verify(&vk, i)),
        }
    }};
}

macro_rules! fips204 {
    ($module:ident, $work:expr) => {{
        use fips204::traits::{KeyGen as _, SerDes as _, Signer as _, Verifier as _};
        use fips204::$module::{KG, PrivateKey, PublicKey};
        let work: &Work = $work;
        let (vk, held) = KG::keygen_from_seed(&[0; 32]);
        assert!(
            vk.clone().into_bytes()[..] == work.verifying_key,
            "fips204: another verifying key"
        );
        let sign = move |key: &PrivateKey, i: usize| {
            key.try_sign_with_seed(&[0; 32], &work.messages[i], &[])
                .expect("a signature")
        };
        let verify = move |key: &PublicKey, i: usize| {
            let signature = work.signatures[i][..]
                .try_into()
                .expect("the length of the signature");
            assert!(
                key.verify(&work.messages[i], &signature, &[]),
                "a valid signature"
            );
        };
        let signer = held.clone();
        Contender {
            name: "fips204",
            deterministic: true,
            signature: Box::new(move |i| sign(&signer, i).to_vec()),
            keygen: Box::new(move |i| {
                let (public, private) = KG::keygen_from_seed(&work.seeds[i]);
                black_box(public.into_bytes());
                black_box(&private);
            }),
            sign_bytes: Box::new(move |i| {
                let bytes = black_box(&work.signing_key)[..].try_into();
                let key = PrivateKey::try_from_bytes(bytes.expect("the length of the key"));
                black_box(sign(&key.expect("a key"), i));
            }),
            sign_held: Box::new(move |i| {
                black_box(sign(&held, i));
            }),
            verify_bytes: Box::new(move |i| {
                let bytes = black_box(&work.verifying_key)[..].try_into();
                let key = PublicKey::try_from_bytes(bytes.expect("the length of the key"));
                verify(&key.expect("a key"), i);
            }),
            verify_held: Box::new(move |i| verify(&vk, i)),
        }
    }};
}

/// A parameter set: how to make its work, and its contenders.
pub struct Set {
    pub name: &'static str,
    pub work: fn(Vec<Vec<u8>>) -> Work,
    pub contenders: for<'a> fn(&'a Work) -> Vec<Contender<'a>>,
}

macro_rules! set {
    (
        $name:literal, $p:ident, $native:ident, $aws:ident, $aws_signing:ident, $module:ident,
        $lc_sk:ident, $lc_vk:ident, $lc_sig:ident
    ) => {
        Set {
            name: $name,
            work: |messages| {
                use mldsa_native_rs::{keygen_from_seed, parameter_sets::$native};
                // mldsa-native states what is right: nothing of ours judges itself.
                let (sk, vk) = keygen_from_seed::<$native>(&[0; 32].into()).expect("a key");
                let signatures = messages
                    .iter()
                    .map(|m| sk.try_sign_with_ctx_seeded(m, &[], &[0; 32].into()))
                    .map(|s| s.expect("a signature").as_ref().to_vec())
                    .collect();
                let seeds = (1..=32u8).map(|i| [i; 32]).collect();
                Work {
                    seeds,
                    messages,
                    signatures,
                    verifying_key: vk.as_ref().to_vec(),
                    signing_key: sk.as_ref().to_vec(),
                }
            },
            contenders: |work| {
                vec![
                    rust_crypto!("mldsa-simd", mldsa_simd, $p, work),
                    mldsa_native!($native, work),
                    aws_lc!($aws, $aws_signing, work),
                    libcrux!($module, $lc_sk, $lc_vk, $lc_sig, work),
                    rust_crypto!("ml-dsa", ml_dsa, $p, work),
                    fips204!($module, work),
                ]
            },
        }
    };
}

#[allow(
    deprecated,
    reason = "RustCrypto deprecates expanded keys; the race has them from bytes"
)]
pub const SETS: [Set; 3] = [
    set!(
        "ML-DSA-44",
        MlDsa44,
        ML_DSA_44,
        ML_DSA_44,
        ML_DSA_44_SIGNING,
        ml_dsa_44,
        MLDSA44SigningKey,
        MLDSA44VerificationKey,
        MLDSA44Signature
    ),
    set!(
        "ML-DSA-65",
        MlDsa65,
        ML_DSA_65,
        ML_DSA_65,
        ML_DSA_65_SIGNING,
        ml_dsa_65,
        MLDSA65SigningKey,
        MLDSA65VerificationKey,
        MLDSA65Signature
    ),
    set!(
        "ML-DSA-87",
        MlDsa87,
        ML_DSA_87,
        ML_DSA_87,
        ML_DSA_87_SIGNING,
        ml_dsa_87,
        MLDSA87SigningKey,
        MLDSA87VerificationKey,
        MLDSA87Signature
    ),
];
