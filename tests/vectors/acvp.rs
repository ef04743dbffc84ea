//! The ACVP files, read.

use super::{bool, hex, json, list, maybe_hex, str};
use serde_json::Value;

/// One case of key generation.
pub(crate) struct KeyGen {
    pub(crate) set: String,
    pub(crate) id: u64,
    pub(crate) seed: Vec<u8>,
    pub(crate) pk: Vec<u8>,
    pub(crate) sk: Vec<u8>,
}

/// One case of signing.
pub(crate) struct SigGen {
    pub(crate) set: String,
    pub(crate) id: u64,
    pub(crate) message: Message,
    /// `None` for the deterministic variant.
    pub(crate) rnd: Option<[u8; 32]>,
    pub(crate) pk: Vec<u8>,
    pub(crate) sk: Vec<u8>,
    pub(crate) signature: Vec<u8>,
}

/// One case of verification.
pub(crate) struct SigVer {
    pub(crate) set: String,
    pub(crate) id: u64,
    pub(crate) message: Message,
    pub(crate) pk: Vec<u8>,
    pub(crate) signature: Vec<u8>,
    pub(crate) passed: bool,
    pub(crate) reason: String,
}

/// The message of a case, by the interface that it is for.
pub(crate) enum Message {
    /// For Algorithms 2 and 3.
    External { message: Vec<u8>, context: Vec<u8> },
    /// For Algorithms 4 and 5.
    PreHash {
        message: Vec<u8>,
        context: Vec<u8>,
        hash: String,
    },
    /// For Algorithms 7 and 8.
    Internal(Vec<u8>),
    /// For Algorithms 7 and 8 from their μ on.
    Mu(Vec<u8>),
}

impl Message {
    /// The name of the interface.
    pub(crate) fn interface(&self) -> &'static str {
        match self {
            Self::External { .. } => "external",
            Self::PreHash { .. } => "pre-hash",
            Self::Internal(_) => "internal",
            Self::Mu(_) => "external mu",
        }
    }

    fn read(group: &Value, test: &Value) -> Self {
        let interface = str(group, "signatureInterface");
        match (interface, str(group, "preHash"), bool(group, "externalMu")) {
            ("external", "pure", false) => {
                assert_eq!(str(test, "hashAlg"), "none");
                Self::External {
                    message: hex(test, "message"),
                    context: hex(test, "context"),
                }
            }
            ("external", "preHash", false) => Self::PreHash {
                message: hex(test, "message"),
                context: hex(test, "context"),
                hash: str(test, "hashAlg").into(),
            },
            ("internal", "none", false) => Self::Internal(hex(test, "message")),
            ("internal", "none", true) => Self::Mu(hex(test, "mu")),
            other => panic!("interface {other:?}"),
        }
    }
}

/// A signing case whose published signature is none of its message: it verifies under none of the
/// twelve hashes and object identifiers, with or without the context. All others agree.
pub(crate) const INCONSISTENT: u64 = 16;

pub(crate) fn key_gen() -> Option<Vec<KeyGen>> {
    read(
        "ACVP keyGen",
        "acvp/ML-DSA-keyGen-FIPS204.json.gz",
        |group, test| KeyGen {
            set: str(group, "parameterSet").into(),
            id: id(test),
            seed: hex(test, "seed"),
            pk: hex(test, "pk"),
            sk: hex(test, "sk"),
        },
    )
}

pub(crate) fn sig_gen() -> Option<Vec<SigGen>> {
    read(
        "ACVP sigGen",
        "acvp/ML-DSA-sigGen-FIPS204.json.gz",
        |group, test| {
            let rnd = maybe_hex(test, "rnd");
            assert_eq!(rnd.is_none(), bool(group, "deterministic"));
            SigGen {
                set: str(group, "parameterSet").into(),
                id: id(test),
                message: Message::read(group, test),
                rnd: rnd.map(|rnd| rnd.try_into().unwrap()),
                pk: hex(test, "pk"),
                sk: hex(test, "sk"),
                signature: hex(test, "signature"),
            }
        },
    )
}

pub(crate) fn sig_ver() -> Option<Vec<SigVer>> {
    read(
        "ACVP sigVer",
        "acvp/ML-DSA-sigVer-FIPS204.json.gz",
        |group, test| SigVer {
            set: str(group, "parameterSet").into(),
            id: id(test),
            message: Message::read(group, test),
            pk: hex(test, "pk"),
            signature: hex(test, "signature"),
            passed: bool(test, "testPassed"),
            reason: str(test, "reason").into(),
        },
    )
}

fn id(test: &Value) -> u64 {
    test["tcId"].as_u64().unwrap()
}

/// All cases of a file.
fn read<T>(what: &str, path: &str, case: impl Fn(&Value, &Value) -> T) -> Option<Vec<T>> {
    let file = json(what, path)?;
    let cases = list(&file, "testGroups")
        .iter()
        .flat_map(|group| list(group, "tests").iter().map(|test| case(group, test)))
        .collect();
    Some(cases)
}
