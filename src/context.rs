//! Keys with a context.

use crate::expanded_key::ExpandedSigningKey;
use crate::mu::ContextString;
use crate::params::MlDsaParams;
use crate::signing_key::SigningKey;
use crate::traits::{self, Signs, Verifies};
use crate::verifying_key::VerifyingKey;
use core::fmt;
use signature::Error;

/// A key together with a context, for the interfaces that have no argument for one.
///
/// The context is a string of at most 255 bytes that says what a signature is for. A signature
/// verifies only in the context that it was made in, so that a key can serve two protocols without
/// one accepting the other's messages. The traits of the [`signature`] crate know no contexts: the
/// keys implement them for the empty one, and a `Context` implements the same traits for its own.
/// `K` is [`SigningKey`], [`ExpandedSigningKey`] or [`VerifyingKey`].
///
/// ```
/// use mldsa_simd::{Keypair, MlDsa65, Signature, Signer, SigningKey, Verifier};
///
/// // Generic code that never heard of contexts …
/// fn sign_log<S>(signer: &impl Signer<S>) -> S {
///     signer.sign(b"started")
/// }
///
/// // … signs in one.
/// let key = SigningKey::<MlDsa65>::from_seed(&[7; 32].into());
/// let signature = sign_log(&key.with_context(b"log v1")?);
///
/// let key = key.verifying_key();
/// key.with_context(b"log v1")?.verify(b"started", &signature)?;
/// assert!(key.with_context(b"log v2")?.verify(b"started", &signature).is_err());
/// assert!(key.verify(b"started", &signature).is_err());
/// # Ok::<(), mldsa_simd::Error>(())
/// ```
///
/// Randomness never travels as a bare array, so that it cannot land where a context belongs, nor
/// the other way round:
///
/// ```compile_fail
/// # let key = mldsa_simd::SigningKey::<mldsa_simd::MlDsa65>::from_seed(&[7; 32].into());
/// // `sign_internal` takes rnd as a `B32`.
/// key.expanded_key().sign_internal(&[b"message"], &[0u8; 32]);
/// ```
///
/// ```compile_fail
/// # let key = mldsa_simd::SigningKey::<mldsa_simd::MlDsa65>::from_seed(&[7; 32].into());
/// // `sign_randomized` takes a generator.
/// key.expanded_key().sign_randomized(b"message", b"context", &mut [0u8; 32]);
/// ```
///
/// ```compile_fail
/// # let key = mldsa_simd::SigningKey::<mldsa_simd::MlDsa65>::from_seed(&[7; 32].into());
/// // A `B32` that was meant to be rnd is no context.
/// key.with_context(mldsa_simd::B32::default());
/// ```
pub struct Context<'k, 'c, K> {
    key: &'k K,
    context: ContextString<'c>,
}

impl<'k, 'c, K> Context<'k, 'c, K> {
    pub(crate) fn new(key: &'k K, context: &'c [u8]) -> Result<Self, Error> {
        Ok(Self {
            key,
            context: ContextString::new(context)?,
        })
    }

    #[cfg(feature = "hash-ml-dsa")]
    pub(crate) fn empty(key: &'k K) -> Self {
        Self {
            key,
            context: ContextString::EMPTY,
        }
    }

    /// The key.
    #[must_use]
    pub fn key(&self) -> &'k K {
        self.key
    }

    /// The context, at most 255 bytes.
    #[must_use]
    pub fn value(&self) -> &'c [u8] {
        self.context.as_bytes()
    }
}

impl<K> Clone for Context<'_, '_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Context<'_, '_, K> {}

impl<K: fmt::Debug> fmt::Debug for Context<'_, '_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.context.as_bytes();
        f.debug_struct("Context")
            .field("key", self.key)
            .field("value", &value)
            .finish()
    }
}

impl<P: MlDsaParams> Signs<P> for Context<'_, '_, SigningKey<P>> {
    fn signer(&self) -> (&ExpandedSigningKey<P>, ContextString<'_>) {
        (self.key.expanded_key(), self.context)
    }
}

impl<P: MlDsaParams> Signs<P> for Context<'_, '_, ExpandedSigningKey<P>> {
    fn signer(&self) -> (&ExpandedSigningKey<P>, ContextString<'_>) {
        (self.key, self.context)
    }
}

impl<P: MlDsaParams> Verifies<P> for Context<'_, '_, VerifyingKey<P>> {
    fn verifier(&self) -> (&VerifyingKey<P>, ContextString<'_>) {
        (self.key, self.context)
    }
}

traits::signer!([P: MlDsaParams] Context<'_, '_, SigningKey<P>>, "In this context.");
traits::signer!([P: MlDsaParams] Context<'_, '_, ExpandedSigningKey<P>>, "In this context.");
traits::verifier!([P: MlDsaParams] Context<'_, '_, VerifyingKey<P>>, "In this context.");
