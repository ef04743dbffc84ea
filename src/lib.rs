//! ML-DSA, the signature scheme of FIPS 204: post-quantum signatures with SIMD kernels in pure Rust,
//! without std if need be, behind the traits of RustCrypto.
//!
//! # In five lines
//!
//! ```
//! use mldsa_simd::{Keypair, MlDsa65, Signer, SigningKey, Verifier};
//!
//! // The seed, 32 random bytes, is the private key to keep. `SigningKey::generate()` draws one.
//! let key = SigningKey::<MlDsa65>::from_seed(&[7; 32].into());
//! let signature = key.sign(b"a message");
//! key.verifying_key().verify(b"a message", &signature)?;
//! # Ok::<(), mldsa_simd::Error>(())
//! ```
//!
//! # The types
//!
//! | | |
//! |---|---|
//! | [`MlDsa44`], [`MlDsa65`], [`MlDsa87`] | the parameter sets, as marker types; take [`MlDsa65`] unless you know better |
//! | [`SigningKey<P>`](SigningKey) | a key pair, made from a seed; implements [`Signer`] and its relatives |
//! | [`VerifyingKey<P>`](VerifyingKey) | a public key, expanded and ready; implements [`Verifier`] |
//! | [`Signature<P>`](Signature) | a well-formed signature |
//! | [`Context`] | a key together with a context string; implements what its key does |
//! | [`MuBuilder`] | μ, the hash that is really signed, computed apart from the key |
//! | [`ExpandedSigningKey<P>`](ExpandedSigningKey) | a private key without its seed, for keys that come in that form |
//! | [`low_memory`] | the operations on encoded keys and signatures, for devices with little memory |
//!
//! Signing through [`Signer`] is deterministic. Where faults or side channels are a worry, sign with
//! randomness (`RandomizedSigner`, feature `rand_core`), as FIPS 204 advises; [`guides::choosing`]
//! says more about this choice and the others.
//!
//! # How it works
//!
//! The algorithms of the standard are written once each, generic over the parameter set and over
//! the instruction set, with the standard's names and step numbers. The best instruction set of the
//! CPU is chosen when an operation begins ([`isa_name`] tells which); all give the same bytes.
//! Most of the time of ML-DSA goes into Keccak, so four sponges are kept busy side by side, and
//! what depends on a key alone is computed once and kept with it.
//!
//! Operations branch on no secret and use none as an address. SOUNDNESS.md in the repository says
//! what is proved, what is tested and what is assumed.
//!
//! # Features
//!
//! `alloc`, `getrandom`, `rand_core`, `pkcs8` and `zeroize` are on by default; `pem`, `encryption` and
//! `hash-ml-dsa` are not. They only add; none changes what a signature is.
#![no_std]
#![allow(
    unused_labels,
    reason = "where there is one instruction set, `dispatch!` has no choice"
)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(any(test, mldsa_ctgrind))]
extern crate std;

mod compact;
mod context;
mod ct;
#[cfg(mldsa_ctgrind)]
#[doc(hidden)]
pub mod ctgrind;
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
pub mod low_memory;
mod mu;
mod ntt;
mod ops;
mod params;
#[cfg(feature = "pkcs8")]
pub mod pkcs8;
mod poly;
#[cfg(test)]
#[allow(
    clippy::integer_division_remainder_used,
    reason = "definitions that kernels are compared with"
)]
mod proofs;
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
