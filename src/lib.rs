//! ML-DSA
#![no_std]
#![allow(dead_code, reason = "work in progress")]
#![allow(
    unused_labels,
    reason = "where there is one instruction set, `dispatch!` has no choice"
)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate std;

mod context;
mod ct;
mod encode;
mod encoded_signature;
mod expanded_key;
#[cfg(feature = "hash-ml-dsa")]
mod hash_ml_dsa;
mod hex;
#[cfg(mldsa_internals)]
#[doc(hidden)]
pub mod internals;
#[cfg(all(test, not(mldsa_internals)))]
#[allow(unreachable_pub, reason = "public only when opened")]
mod internals;
mod keccak;
mod keygen;
mod keys;
mod mu;
mod ntt;
mod ops;
mod params;
#[cfg(feature = "pkcs8")]
pub mod pkcs8;
mod poly;
mod reduce;
mod rounding;
mod sampling;
mod seed;
mod share;
mod shared;
mod sign;
mod signing_key;
#[allow(
    unsafe_code,
    reason = "the instruction sets; src/simd/mod.rs argues why each use is sound"
)]
mod simd;
mod traits;
mod verify;
mod wipe;

mod verifying_key;

pub use crate::context::Context;
pub use crate::encoded_signature::{EncodedSignature, Signature};
pub use crate::expanded_key::{ExpandedSigningKey, ExpandedSigningKeyBytes};
#[cfg(feature = "hash-ml-dsa")]
pub use crate::hash_ml_dsa::{HashMlDsa, PreHash};
pub use crate::mu::{Mu, MuBuilder};
pub use crate::params::{MlDsa44, MlDsa65, MlDsa87, MlDsaParams};
pub use crate::seed::{B32, Seed};
pub use crate::signing_key::SigningKey;
pub use crate::simd::isa_name;
pub use crate::verifying_key::{EncodedVerifyingKey, VerifyingKey};
pub use ::signature::{self, Error, Keypair, SignatureEncoding, Signer, Verifier};
#[cfg(feature = "rand_core")]
pub use common::Generate;
pub use common::{self, KeyExport, KeyInit, KeySizeUser};

/// The code in README.md, compiled and run.
#[cfg(all(doctest, feature = "getrandom"))]
#[doc = include_str!("../README.md")]
mod readme {}

/// Guides: the files in the folder `docs`.
#[cfg(any(doc, doctest))]
pub mod guides {
    #[cfg_attr(
        any(feature = "getrandom", not(doctest)),
        doc = include_str!("../docs/choosing.md")
    )]
    pub mod choosing {}

    #[doc = include_str!("../docs/migrating.md")]
    pub mod migrating {}
}
