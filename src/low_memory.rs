//! The operations on encoded keys and signatures, in little memory and without a heap: for
//! microcontrollers, boot loaders and secure elements.
//!
//! Everywhere else, use the types of the crate root. They keep what can be computed ahead, and are
//! faster the more often a key is used. These functions keep nothing: a key goes in as bytes, a
//! signature comes out as bytes, and the matrix **A** is never in memory. Every byte that they write
//! is the same that the other operations write.
//!
//! ```
//! use mldsa_simd::{B32, EncodedSignature, EncodedVerifyingKey, MlDsa44, Seed, low_memory};
//!
//! let seed = Seed::from([7; 32]);
//! let mut public = EncodedVerifyingKey::<MlDsa44>::default();
//! low_memory::key_gen::<MlDsa44>(&seed, &mut public);
//!
//! let mut signature = EncodedSignature::<MlDsa44>::default();
//! let rnd = B32::default(); // deterministic; 32 random bytes make it hedged
//! low_memory::sign::<MlDsa44>(&seed, b"message", b"context", &rnd, &mut signature)?;
//!
//! low_memory::verify::<MlDsa44>(&public, b"message", b"context", &signature)?;
//! # Ok::<(), mldsa_simd::Error>(())
//! ```
//!
//! # Memory
//!
//! Keys, messages and signatures lie where the caller has them and are passed by reference; nothing
//! is allocated, nothing is static but tables in read-only memory. What the functions need beside is
//! stack. README.md in the repository has the measured peaks.
//!
//! # Messages that are not in memory
//!
//! [`sign_mu`], [`sign_expanded_mu`] and [`verify_mu`] take μ, the hash that stands for a message.
//! [`MuBuilder`](crate::MuBuilder) computes it from an encoded verifying key and a message that comes
//! in pieces.
//!
//! # Secrets
//!
//! Until a signing function returns, the buffer for the signature holds intermediate secrets: it must
//! not be memory that others read meanwhile. After an error it holds zeros. With the feature `zeroize`
//! everything secret on the stack is wiped.

use crate::encoded_signature::EncodedSignature;
use crate::expanded_key::ExpandedSigningKeyBytes;
use crate::mu::{ContextString, Frame, Mu};
use crate::ops::{Message, Operations};
use crate::params::MlDsaParams;
use crate::seed::{B32, Seed};
use crate::sign::Exhausted;
use crate::traits::accepted;
use crate::verifying_key::EncodedVerifyingKey;
use crate::wipe::Wipe;
use ::signature::Error;
use hybrid_array::Array;

/// Algorithm 6, `ML-DSA.KeyGen_internal(ξ)`: the verifying key of a seed.
///
/// The seed is the private key, for [`sign`].
pub fn key_gen<P: MlDsaParams>(seed: &Seed, verifying_key: &mut EncodedVerifyingKey<P>) {
    P::Ops::key_gen_compact(&seed.0, verifying_key, None);
}

/// Algorithm 6, `ML-DSA.KeyGen_internal(ξ)`: the verifying key of a seed, and the private key in its
/// large form, for [`sign_expanded`].
///
/// <div class="warning">
///
/// `signing_key` is the private key. Handle it with care, and wipe it after use.
///
/// </div>
pub fn expand<P: MlDsaParams>(
    seed: &Seed,
    verifying_key: &mut EncodedVerifyingKey<P>,
    signing_key: &mut ExpandedSigningKeyBytes<P>,
) {
    P::Ops::key_gen_compact(&seed.0, verifying_key, Some(signing_key));
}

/// Algorithm 2, `ML-DSA.Sign`: signs `message` in the context `context` with the key of a seed.
///
/// `rnd` is 32 random bytes, or zeros for the deterministic variant. The key is generated anew each
/// time, which takes about as long as an attempt of signing (of which it takes four or five); where
/// the large form is at hand, [`sign_expanded`] needs no more than that.
///
/// # Errors
/// When `context` is longer than 255 bytes, and in theory when every attempt was rejected.
pub fn sign<P: MlDsaParams>(
    seed: &Seed,
    message: &[u8],
    context: &[u8],
    rnd: &B32,
    signature: &mut EncodedSignature<P>,
) -> Result<(), Error> {
    let parts = &[message];
    let message = pure(parts, context, signature)?;
    sign_with_seed::<P>(seed, message, rnd, signature)
}

/// Algorithm 2, `ML-DSA.Sign`, with the key of a seed, when somebody else computed μ.
///
/// # Errors
/// In theory, when every attempt was rejected.
pub fn sign_mu<P: MlDsaParams>(
    seed: &Seed,
    mu: &Mu,
    rnd: &B32,
    signature: &mut EncodedSignature<P>,
) -> Result<(), Error> {
    sign_with_seed::<P>(seed, Message::Mu(&mu.0), rnd, signature)
}

/// Algorithm 2, `ML-DSA.Sign`: signs `message` in the context `context` with a private key in its
/// large form.
///
/// Never panics, whatever the bytes of the key. Whether **t**₀ and tr belong to the rest is not
/// checked (see [`ExpandedSigningKey::try_from_expanded`](crate::ExpandedSigningKey::try_from_expanded)):
/// when they do not, the signature does not verify.
///
/// # Errors
/// When `context` is longer than 255 bytes, when a coefficient of **s**₁ or **s**₂ is out of range, so
/// that the bytes are no key, and in theory when every attempt was rejected.
pub fn sign_expanded<P: MlDsaParams>(
    signing_key: &ExpandedSigningKeyBytes<P>,
    message: &[u8],
    context: &[u8],
    rnd: &B32,
    signature: &mut EncodedSignature<P>,
) -> Result<(), Error> {
    let parts = &[message];
    let message = pure(parts, context, signature)?;
    sign_with_expanded::<P>(signing_key, message, rnd, signature)
}

/// Algorithm 2, `ML-DSA.Sign`, with a private key in its large form, when somebody else computed μ.
///
/// # Errors
/// As for [`sign_expanded`], but for the context.
pub fn sign_expanded_mu<P: MlDsaParams>(
    signing_key: &ExpandedSigningKeyBytes<P>,
    mu: &Mu,
    rnd: &B32,
    signature: &mut EncodedSignature<P>,
) -> Result<(), Error> {
    sign_with_expanded::<P>(signing_key, Message::Mu(&mu.0), rnd, signature)
}

/// Algorithm 3, `ML-DSA.Verify`: whether `signature` is one of `message` in the context `context`.
///
/// # Errors
/// When it is not, or when `context` is longer than 255 bytes.
pub fn verify<P: MlDsaParams>(
    verifying_key: &EncodedVerifyingKey<P>,
    message: &[u8],
    context: &[u8],
    signature: &EncodedSignature<P>,
) -> Result<(), Error> {
    let frame = Frame::Pure(ContextString::new(context)?);
    let message = Message::Parts(frame, &[message]);
    accepted(P::Ops::verify_compact(verifying_key, message, signature))
}

/// Algorithm 3, `ML-DSA.Verify`, when somebody else computed μ.
///
/// # Errors
/// When `signature` is none of what μ stands for.
pub fn verify_mu<P: MlDsaParams>(
    verifying_key: &EncodedVerifyingKey<P>,
    mu: &Mu,
    signature: &EncodedSignature<P>,
) -> Result<(), Error> {
    accepted(P::Ops::verify_compact(
        verifying_key,
        Message::Mu(&mu.0),
        signature,
    ))
}

/// A message with its context; leaves no old signature behind when the context is too long.
fn pure<'a>(
    message: &'a [&'a [u8]],
    context: &'a [u8],
    signature: &mut [u8],
) -> Result<Message<'a>, Error> {
    let context = ContextString::new(context).inspect_err(|_| signature.fill(0))?;
    Ok(Message::Parts(Frame::Pure(context), message))
}

fn sign_with_seed<P: MlDsaParams>(
    seed: &Seed,
    message: Message<'_>,
    rnd: &B32,
    signature: &mut EncodedSignature<P>,
) -> Result<(), Error> {
    let mut key = Expanded::<P>(Array::default());
    // The verifying key is needed for its hash alone, and a signature is longer.
    let scratch = &mut signature[..P::VERIFYING_KEY_LEN];
    P::Ops::key_gen_compact(&seed.0, scratch, Some(&mut key.0));
    sign_with_expanded::<P>(&key.0, message, rnd, signature)
}

/// The large form of a key, wiped when it is no longer needed.
struct Expanded<P: MlDsaParams>(ExpandedSigningKeyBytes<P>);

impl<P: MlDsaParams> Drop for Expanded<P> {
    fn drop(&mut self) {
        self.0.as_mut_slice().wipe();
    }
}

fn sign_with_expanded<P: MlDsaParams>(
    signing_key: &ExpandedSigningKeyBytes<P>,
    message: Message<'_>,
    rnd: &B32,
    signature: &mut EncodedSignature<P>,
) -> Result<(), Error> {
    match P::Ops::sign_compact(signing_key, message, &rnd.0, signature) {
        Ok(()) => Ok(()),
        Err(Exhausted) => Err(Error::new()),
    }
}
