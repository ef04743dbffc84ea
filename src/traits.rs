//! The traits of the `signature` crate, written once for everything that signs or verifies: the
//! keys, and the keys with a context.

use crate::encoded_signature::Signature;
use crate::expanded_key::ExpandedSigningKey;
use crate::mu::{self, ContextString, Frame};
use crate::params::MlDsaParams;
use crate::seed::{B32, SecretSeed};
use crate::verifying_key::VerifyingKey;
use ::signature::Error;

/// Something that signs: a key and a context.
pub(crate) trait Signs<P: MlDsaParams> {
    fn signer(&self) -> (&ExpandedSigningKey<P>, ContextString<'_>);

    /// Algorithm 2, `ML-DSA.Sign`, for a message in parts.
    fn sign_parts(&self, message: &[&[u8]], rnd: &B32) -> Result<Signature<P>, Error> {
        let (key, context) = self.signer();
        key.sign_parts(Frame::Pure(context), message, rnd)
    }

    /// The same for a message that a closure feeds into the hash. Only when that went well is rnd
    /// asked for: a message that is refused draws no randomness.
    fn sign_closure(
        &self,
        message: impl FnOnce(&mut shake::Shake256) -> Result<(), Error>,
        rnd: impl FnOnce() -> Result<SecretSeed, Error>,
    ) -> Result<Signature<P>, Error> {
        let (key, context) = self.signer();
        let mu = mu::of_closure(key.tr(), context, message)?;
        key.sign_mu(&mu, &rnd()?.0)
    }
}

/// Something that verifies: a key and a context.
pub(crate) trait Verifies<P: MlDsaParams> {
    fn verifier(&self) -> (&VerifyingKey<P>, ContextString<'_>);

    /// Algorithm 3, `ML-DSA.Verify`, for a message in parts.
    fn verify_parts(&self, message: &[&[u8]], sigma: &Signature<P>) -> Result<(), Error> {
        let (key, context) = self.verifier();
        accepted(key.verify_parts(Frame::Pure(context), message, sigma))
    }

    /// The same for a message that a closure feeds into the hash.
    fn verify_closure(
        &self,
        message: impl FnOnce(&mut shake::Shake256) -> Result<(), Error>,
        sigma: &Signature<P>,
    ) -> Result<(), Error> {
        let (key, context) = self.verifier();
        let mu = mu::of_closure(key.tr(), context, message)?;
        accepted(key.verify_mu(&mu.into(), sigma))
    }
}

/// A verdict as the traits want it.
pub(crate) fn accepted(verdict: bool) -> Result<(), Error> {
    if verdict { Ok(()) } else { Err(Error::new()) }
}

/// Implements the six signing traits for a type that [`Signs`].
macro_rules! signer {
    ([$($generics:tt)*] $type:ty, $context:literal) => {
        #[doc = concat!("Deterministic signing (Algorithm 2, `ML-DSA.Sign`, with rnd = 0³²). ", $context)]
        impl<$($generics)*> ::signature::Signer<$crate::Signature<P>> for $type {
            fn try_sign(&self, msg: &[u8]) -> Result<$crate::Signature<P>, ::signature::Error> {
                $crate::traits::Signs::sign_parts(self, &[msg], &$crate::seed::SecretSeed::ZERO)
            }
        }

        #[doc = concat!("Deterministic signing of a message in parts. ", $context)]
        impl<$($generics)*> ::signature::MultipartSigner<$crate::Signature<P>> for $type {
            fn try_multipart_sign(
                &self,
                msg: &[&[u8]],
            ) -> Result<$crate::Signature<P>, ::signature::Error> {
                $crate::traits::Signs::sign_parts(self, msg, &$crate::seed::SecretSeed::ZERO)
            }
        }

        #[doc = concat!("Deterministic signing of a message that the caller's closure feeds into \
            the hash of μ. Not HashML-DSA: the signature is the one of `Signer`. ", $context)]
        impl<$($generics)*> ::signature::DigestSigner<shake::Shake256, $crate::Signature<P>> for $type {
            fn try_sign_digest<F: Fn(&mut shake::Shake256) -> Result<(), ::signature::Error>>(
                &self,
                f: F,
            ) -> Result<$crate::Signature<P>, ::signature::Error> {
                $crate::traits::Signs::sign_closure(self, f, || Ok($crate::seed::SecretSeed::default()))
            }
        }

        #[doc = concat!("Hedged signing (Algorithm 2, `ML-DSA.Sign`): rnd comes from the \
            generator, whose failure is an error, and then nothing is signed. ", $context)]
        #[cfg(feature = "rand_core")]
        impl<$($generics)*> ::signature::RandomizedSigner<$crate::Signature<P>> for $type {
            fn try_sign_with_rng<R: ::signature::rand_core::TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                msg: &[u8],
            ) -> Result<$crate::Signature<P>, ::signature::Error> {
                ::signature::RandomizedMultipartSigner::try_multipart_sign_with_rng(self, rng, &[msg])
            }
        }

        #[doc = concat!("Hedged signing of a message in parts. ", $context)]
        #[cfg(feature = "rand_core")]
        impl<$($generics)*> ::signature::RandomizedMultipartSigner<$crate::Signature<P>> for $type {
            fn try_multipart_sign_with_rng<R: ::signature::rand_core::TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                msg: &[&[u8]],
            ) -> Result<$crate::Signature<P>, ::signature::Error> {
                let rnd = $crate::seed::SecretSeed::draw(rng).map_err(|_| ::signature::Error::new())?;
                $crate::traits::Signs::sign_parts(self, msg, &rnd.0)
            }
        }

        #[doc = concat!("Hedged signing of a message that the caller's closure feeds into the \
            hash of μ. ", $context)]
        #[cfg(feature = "rand_core")]
        impl<$($generics)*> ::signature::RandomizedDigestSigner<shake::Shake256, $crate::Signature<P>>
            for $type
        {
            fn try_sign_digest_with_rng<
                R: ::signature::rand_core::TryCryptoRng + ?Sized,
                F: Fn(&mut shake::Shake256) -> Result<(), ::signature::Error>,
            >(
                &self,
                rng: &mut R,
                f: F,
            ) -> Result<$crate::Signature<P>, ::signature::Error> {
                $crate::traits::Signs::sign_closure(self, f, || {
                    $crate::seed::SecretSeed::draw(rng).map_err(|_| ::signature::Error::new())
                })
            }
        }
    };
}
pub(crate) use signer;

/// Implements the three verifying traits for a type that [`Verifies`].
macro_rules! verifier {
    ([$($generics:tt)*] $type:ty, $context:literal) => {
        #[doc = concat!("Algorithm 3, `ML-DSA.Verify`. ", $context)]
        impl<$($generics)*> ::signature::Verifier<$crate::Signature<P>> for $type {
            fn verify(
                &self,
                msg: &[u8],
                signature: &$crate::Signature<P>,
            ) -> Result<(), ::signature::Error> {
                $crate::traits::Verifies::verify_parts(self, &[msg], signature)
            }
        }

        #[doc = concat!("Algorithm 3, `ML-DSA.Verify`, of a message in parts. ", $context)]
        impl<$($generics)*> ::signature::MultipartVerifier<$crate::Signature<P>> for $type {
            fn multipart_verify(
                &self,
                msg: &[&[u8]],
                signature: &$crate::Signature<P>,
            ) -> Result<(), ::signature::Error> {
                $crate::traits::Verifies::verify_parts(self, msg, signature)
            }
        }

        #[doc = concat!("Algorithm 3, `ML-DSA.Verify`, of a message that the caller's closure \
            feeds into the hash of μ. ", $context)]
        impl<$($generics)*> ::signature::DigestVerifier<shake::Shake256, $crate::Signature<P>> for $type {
            fn verify_digest<F: Fn(&mut shake::Shake256) -> Result<(), ::signature::Error>>(
                &self,
                f: F,
                signature: &$crate::Signature<P>,
            ) -> Result<(), ::signature::Error> {
                $crate::traits::Verifies::verify_closure(self, f, signature)
            }
        }
    };
}
pub(crate) use verifier;
