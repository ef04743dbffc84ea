//! Signing keys.

use crate::context::Context;
use crate::ct;
use crate::expanded_key::ExpandedSigningKey;
use crate::mu::ContextString;
use crate::params::MlDsaParams;
use crate::seed::{SecretSeed, Seed};
use crate::shared::One;
use crate::traits::{self, Signs};
use crate::verifying_key::VerifyingKey;
use common::{KeyExport, KeyInit, KeySizeUser, typenum::U32};
use core::fmt;
use ctutils::{Choice, CtEq};
use signature::Error;

/// An ML-DSA signing key: the seed ξ, and all that follows from it, ready to sign.
///
/// The 32 bytes of the seed are the key's encoding, for every parameter set, in
/// [`to_seed`](Self::to_seed) as in [`KeyExport`] and (wrapped) in PKCS#8.
///
/// With the `alloc` feature the key holds its verifying key too, and both share Â. Clones share
/// one copy of everything, and with the `zeroize` feature the last one wipes it.
///
/// Implements [`Signer`](crate::Signer) (deterministic), `RandomizedSigner` (hedged, what FIPS 204
/// recommends; feature `rand_core`) and their relatives with the empty context. See
/// [`with_context`](Self::with_context) for others, and [`expanded_key`](Self::expanded_key) for
/// the methods that take a context, μ or randomness as arguments.
///
#[cfg_attr(feature = "getrandom", doc = "```")]
#[cfg_attr(not(feature = "getrandom"), doc = "```ignore")]
/// use mldsa_simd::{Generate, Keypair, MlDsa65, Signer, SigningKey, Verifier};
///
/// let key = SigningKey::<MlDsa65>::generate();
/// let signature = key.sign(b"message");
/// key.verifying_key().verify(b"message", &signature)?;
/// # Ok::<(), mldsa_simd::Error>(())
/// ```
pub struct SigningKey<P: MlDsaParams> {
    seed: One<SecretSeed>,
    expanded: ExpandedSigningKey<P>,
    #[cfg(feature = "alloc")]
    verifying_key: VerifyingKey<P>,
}

impl<P: MlDsaParams> SigningKey<P> {
    /// Algorithm 6, `ML-DSA.KeyGen_internal`: the key pair of a seed.
    ///
    /// ```
    /// use mldsa_simd::{MlDsa65, Seed, SigningKey};
    ///
    /// let key = SigningKey::<MlDsa65>::from_seed(&Seed::from([7; 32]));
    /// assert_eq!(key.to_seed(), [7; 32]);
    /// ```
    #[must_use]
    pub fn from_seed(xi: &Seed) -> Self {
        Self::generate_from(One::build(SecretSeed::default, |seed| seed.0 = *xi))
    }

    fn generate_from(seed: One<SecretSeed>) -> Self {
        let (expanded, _verifying_key) = ExpandedSigningKey::generate(&seed.0.0);
        Self {
            seed,
            expanded,
            #[cfg(feature = "alloc")]
            verifying_key: _verifying_key,
        }
    }

    /// ξ, the 32 bytes from which the key is generated.
    ///
    /// <div class="warning">
    ///
    /// This is the private key. Handle it with care.
    ///
    /// </div>
    #[must_use]
    pub fn as_seed(&self) -> &Seed {
        &self.seed.0
    }

    /// A copy of ξ, the 32 bytes from which the key is generated.
    ///
    /// <div class="warning">
    ///
    /// This is the private key. Handle it with care, and wipe it after use.
    ///
    /// </div>
    #[must_use]
    pub fn to_seed(&self) -> Seed {
        self.seed.0
    }

    /// The part of the key that signs, with the methods that take a context, μ or randomness as
    /// arguments.
    #[must_use]
    pub fn expanded_key(&self) -> &ExpandedSigningKey<P> {
        &self.expanded
    }

    /// The key for messages in the context `ctx`, at most 255 bytes: see [`Context`].
    ///
    /// ```
    /// use mldsa_simd::{MlDsa65, SigningKey, Signer};
    ///
    /// let key = SigningKey::<MlDsa65>::from_seed(&[7; 32].into());
    /// assert_ne!(key.with_context(b"backups")?.sign(b"message"), key.sign(b"message"));
    /// assert!(key.with_context(&[0; 256]).is_err());
    /// # Ok::<(), mldsa_simd::Error>(())
    /// ```
    ///
    /// # Errors
    /// When `ctx` is longer than 255 bytes.
    pub fn with_context<'c>(&self, ctx: &'c [u8]) -> Result<Context<'_, 'c, Self>, Error> {
        Context::new(self, ctx)
    }
}

impl<P: MlDsaParams> Signs<P> for SigningKey<P> {
    fn signer(&self) -> (&ExpandedSigningKey<P>, ContextString<'_>) {
        (&self.expanded, ContextString::EMPTY)
    }
}

traits::signer!([P: MlDsaParams] SigningKey<P>, "The context is empty.");

/// 32 bytes, whatever the parameter set.
impl<P: MlDsaParams> KeySizeUser for SigningKey<P> {
    type KeySize = U32;
}

/// [`SigningKey::from_seed`]; from a slice with [`KeyInit::new_from_slice`], which fails on every
/// length but 32.
impl<P: MlDsaParams> KeyInit for SigningKey<P> {
    fn new(seed: &Seed) -> Self {
        Self::from_seed(seed)
    }
}

/// [`SigningKey::to_seed`].
impl<P: MlDsaParams> KeyExport for SigningKey<P> {
    fn to_bytes(&self) -> Seed {
        self.to_seed()
    }
}

/// Algorithm 1, `ML-DSA.KeyGen`. When the generator fails, there is no key.
#[cfg(feature = "rand_core")]
impl<P: MlDsaParams> common::Generate for SigningKey<P> {
    fn try_generate_from_rng<R: signature::rand_core::TryCryptoRng + ?Sized>(
        rng: &mut R,
    ) -> Result<Self, R::Error> {
        let mut seed = One::build(SecretSeed::default, |_| ());
        if let Some(seed) = seed.get_mut() {
            rng.try_fill_bytes(&mut seed.0)?;
        }
        Ok(Self::generate_from(seed))
    }
}

// With `alloc` the blanket impl of `Keypair` for `KeypairRef` gives the same method.
/// Computes the verifying key each time.
#[cfg(not(feature = "alloc"))]
impl<P: MlDsaParams> signature::Keypair for SigningKey<P> {
    type VerifyingKey = VerifyingKey<P>;

    fn verifying_key(&self) -> VerifyingKey<P> {
        self.expanded.verifying_key()
    }
}

#[cfg(feature = "alloc")]
impl<P: MlDsaParams> AsRef<VerifyingKey<P>> for SigningKey<P> {
    fn as_ref(&self) -> &VerifyingKey<P> {
        &self.verifying_key
    }
}

/// [`Keypair::verifying_key`](signature::Keypair::verifying_key) follows: it clones the verifying
/// key inside, which is cheap.
#[cfg(feature = "alloc")]
impl<P: MlDsaParams> signature::KeypairRef for SigningKey<P> {
    type VerifyingKey = VerifyingKey<P>;
}

impl<P: MlDsaParams> Clone for SigningKey<P> {
    fn clone(&self) -> Self {
        Self {
            seed: self
                .seed
                .share(|| One::build(SecretSeed::default, |s| s.0 = self.seed.0)),
            expanded: self.expanded.clone(),
            #[cfg(feature = "alloc")]
            verifying_key: self.verifying_key.clone(),
        }
    }
}

/// Shows nothing of the key.
impl<P: MlDsaParams> fmt::Debug for SigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").finish_non_exhaustive()
    }
}

/// In constant time. Compares the seeds, from which all the rest follows.
impl<P: MlDsaParams> CtEq for SigningKey<P> {
    fn ct_eq(&self, other: &Self) -> Choice {
        ct::eq(&self.seed.0.0, &other.seed.0.0)
    }
}

/// In constant time.
impl<P: MlDsaParams> PartialEq for SigningKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl<P: MlDsaParams> Eq for SigningKey<P> {}

/// The private key is wiped when its last clone is dropped.
#[cfg(feature = "zeroize")]
impl<P: MlDsaParams> zeroize::ZeroizeOnDrop for SigningKey<P> {}
