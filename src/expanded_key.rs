//! Signing keys without their seed.

use crate::context::Context;
use crate::ct;
use crate::encoded_signature::Signature;
use crate::keys::{self, PrivateKey, PublicKey, StoredMatrix};
use crate::mu::{ContextString, Frame, Mu};
use crate::ops::{Message, Operations};
use crate::params::{HASH_LEN, MlDsaParams, SEED_LEN};
use crate::seed::{B32, SecretSeed, Seed};
use crate::share;
use crate::shared::One;
use crate::sign::Exhausted;
use crate::traits::{self, Signs};
use crate::verifying_key::VerifyingKey;
use ::signature::{Error, Keypair};
use core::fmt;
use ctutils::{Choice, CtEq};
use hybrid_array::Array;

/// The bytes of an expanded signing key: 2560, 4032 or 4896 for ML-DSA-44, -65 and -87.
pub type ExpandedSigningKeyBytes<P> = Array<u8, <P as MlDsaParams>::SigningKeySize>;

/// An ML-DSA signing key whose seed is not known: sk = (ρ, K, tr, **s**₁, **s**₂, **t**₀).
///
/// Use [`SigningKey`](crate::SigningKey) where you can: the seed is the smaller and the safer form
/// of a private key. This one is for keys that exist in no other form, and it is the part of a
/// `SigningKey` that signs.
///
/// Holds Â besides, so that signing need not expand it. Clones share one copy of everything where
/// there is a heap (feature `alloc`), and with the `zeroize` feature the last one wipes it.
///
/// Implements [`Signer`](crate::Signer) and its relatives with the empty context; see
/// [`with_context`](Self::with_context) for others.
///
/// ```
/// use mldsa_simd::{ExpandedSigningKey, MlDsa65, Seed, Signer, Verifier};
///
/// let key = ExpandedSigningKey::<MlDsa65>::from_seed(&Seed::from([7; 32]));
/// let signature = key.sign(b"message");
/// key.verifying_key().verify(b"message", &signature)?;
/// # Ok::<(), mldsa_simd::Error>(())
/// ```
pub struct ExpandedSigningKey<P: MlDsaParams> {
    secret: One<PrivateKey<P>>,
    a_hat: One<StoredMatrix<P>>,
    /// Whether the coefficients of **s**₁ and **s**₂ are at most η in magnitude. Of no other key
    /// does FIPS 204 say what signing with it means, or what it gives away: it signs nothing.
    in_range: bool,
}

impl<P: MlDsaParams> ExpandedSigningKey<P> {
    /// Algorithm 6, `ML-DSA.KeyGen_internal`: the signing key of a seed.
    #[must_use]
    pub fn from_seed(seed: &Seed) -> Self {
        Self::generate(&seed.0).0
    }

    /// Algorithm 6, `ML-DSA.KeyGen_internal`: both keys of a seed, which share Â.
    pub(crate) fn generate(xi: &[u8; SEED_LEN]) -> (Self, VerifyingKey<P>) {
        let mut a_hat = One::build(keys::empty_matrix::<P>, |_| ());
        let mut secret = One::build(PrivateKey::<P>::empty, |_| ());
        let mut public = One::build(PublicKey::<P>::empty, |_| ());
        if let (Some(a_hat), Some(secret), Some(public)) =
            (a_hat.get_mut(), secret.get_mut(), public.get_mut())
        {
            P::Ops::key_gen(xi, a_hat, secret, public);
        }
        let verifying_key = VerifyingKey::from_parts(share::matrix::<P>(&a_hat), public);
        (
            Self {
                secret,
                a_hat,
                in_range: true,
            },
            verifying_key,
        )
    }

    /// Algorithm 25, `skDecode`, with every check that an expanded key allows.
    ///
    /// A key passes when key generation could have made it: **s**₁ and **s**₂ are in range, and
    /// **t**₀ and tr are those of the public key that ρ, **s**₁ and **s**₂ give. Nothing can tell
    /// whether K is the right one; a wrong K is a key like any other.
    ///
    /// ```
    /// # #![allow(deprecated)]
    /// use mldsa_simd::{ExpandedSigningKey, MlDsa44};
    ///
    /// let key = ExpandedSigningKey::<MlDsa44>::from_seed(&[7; 32].into());
    /// let mut bytes = key.to_expanded();
    /// assert!(ExpandedSigningKey::<MlDsa44>::try_from_expanded(&bytes)? == key);
    ///
    /// bytes[100] ^= 1; // in tr
    /// assert!(ExpandedSigningKey::<MlDsa44>::try_from_expanded(&bytes).is_err());
    /// # Ok::<(), mldsa_simd::Error>(())
    /// ```
    ///
    /// # Errors
    /// When the key does not pass.
    pub fn try_from_expanded(enc: &ExpandedSigningKeyBytes<P>) -> Result<Self, Error> {
        let key = Self::decode(enc);
        if key.in_range && key.regenerate().1 {
            Ok(key)
        } else {
            Err(Error::new())
        }
    }

    /// Algorithm 25, `skDecode`, unchecked: use
    /// [`try_from_expanded`](Self::try_from_expanded), or seeds.
    ///
    /// Takes any bytes, and never panics. When a coefficient of **s**₁ or **s**₂ is out of range,
    /// the result is a key that signs nothing: every attempt is an error, or all zeros where there
    /// is no error to return. When **t**₀ or tr do not belong to the rest, it signs what
    /// [`verifying_key`](Self::verifying_key) does not accept.
    #[deprecated(since = "0.1.0", note = "use `try_from_expanded`, or seeds")]
    #[must_use]
    pub fn from_expanded(enc: &ExpandedSigningKeyBytes<P>) -> Self {
        Self::decode(enc)
    }

    /// Algorithm 24, `skEncode`: the key in its large form, which not every program reads any
    /// more. Prefer [`SigningKey::to_seed`](crate::SigningKey::to_seed).
    ///
    /// <div class="warning">
    ///
    /// This is the private key. Handle it with care, and wipe it after use.
    ///
    /// </div>
    #[deprecated(since = "0.1.0", note = "use `SigningKey::to_seed` instead")]
    #[must_use]
    pub fn to_expanded(&self) -> ExpandedSigningKeyBytes<P> {
        let mut bytes = Array::default();
        self.encode_to(&mut bytes);
        bytes
    }

    /// Algorithm 24, `skEncode`.
    pub(crate) fn encode_to(&self, out: &mut ExpandedSigningKeyBytes<P>) {
        P::Ops::encode_private(&self.secret, out);
    }

    fn decode(enc: &ExpandedSigningKeyBytes<P>) -> Self {
        let mut a_hat = One::build(keys::empty_matrix::<P>, |_| ());
        let mut secret = One::build(PrivateKey::<P>::empty, |_| ());
        let mut in_range = false;
        if let (Some(a_hat), Some(secret)) = (a_hat.get_mut(), secret.get_mut()) {
            in_range = P::Ops::decode_private(enc, a_hat, secret);
        }
        Self {
            secret,
            a_hat,
            in_range,
        }
    }

    /// The verifying key, and whether **t**₀ and tr agree with it.
    fn regenerate(&self) -> (VerifyingKey<P>, bool) {
        let mut public = One::build(PublicKey::<P>::empty, |_| ());
        let mut consistent = false;
        if let Some(public) = public.get_mut() {
            consistent = P::Ops::public_from_private(&self.secret, &self.a_hat, public);
        }
        (
            VerifyingKey::from_parts(share::matrix::<P>(&self.a_hat), public),
            consistent,
        )
    }

    /// The verifying key, computed from the private one (steps 5 to 8 of Algorithm 6).
    ///
    /// Takes about as long as key generation without the sampling of **A**. The method of the
    /// [`Keypair`] trait, at hand where the trait is not imported.
    #[must_use]
    pub fn verifying_key(&self) -> VerifyingKey<P> {
        self.regenerate().0
    }

    /// The key for messages in the context `ctx`, at most 255 bytes: see [`Context`].
    ///
    /// # Errors
    /// When `ctx` is longer than 255 bytes.
    pub fn with_context<'c>(&self, ctx: &'c [u8]) -> Result<Context<'_, 'c, Self>, Error> {
        Context::new(self, ctx)
    }

    /// Algorithm 2, `ML-DSA.Sign`, hedged: signs `message` in the context `ctx` with rnd from
    /// `rng`.
    ///
    #[cfg_attr(feature = "getrandom", doc = "```")]
    #[cfg_attr(not(feature = "getrandom"), doc = "```ignore")]
    /// use mldsa_simd::common::getrandom::SysRng;
    /// use mldsa_simd::{Keypair, MlDsa65, SigningKey};
    ///
    /// let key = SigningKey::<MlDsa65>::from_seed(&[7; 32].into());
    /// let signature = key.expanded_key().sign_randomized(b"message", b"backups", &mut SysRng)?;
    /// assert!(key.verifying_key().verify_with_context(b"message", b"backups", &signature));
    /// # Ok::<(), mldsa_simd::Error>(())
    /// ```
    ///
    /// # Errors
    /// When `ctx` is longer than 255 bytes, when `rng` fails (nothing is signed then), or when
    /// every attempt was rejected (see [`sign_internal`](Self::sign_internal)).
    #[cfg(feature = "rand_core")]
    pub fn sign_randomized<R: ::signature::rand_core::TryCryptoRng + ?Sized>(
        &self,
        message: &[u8],
        ctx: &[u8],
        rng: &mut R,
    ) -> Result<Signature<P>, Error> {
        let frame = Frame::Pure(ContextString::new(ctx)?);
        let rnd = SecretSeed::draw(rng).map_err(|_| Error::new())?;
        self.sign_parts(frame, &[message], &rnd.0)
    }

    /// Algorithm 2, `ML-DSA.Sign`, in its deterministic variant (rnd = 0³²): signs `message` in
    /// the context `ctx`.
    ///
    /// ```
    /// use mldsa_simd::{MlDsa65, Signer, SigningKey};
    ///
    /// let key = SigningKey::<MlDsa65>::from_seed(&[7; 32].into());
    /// let signature = key.expanded_key().sign_deterministic(b"message", b"")?;
    /// assert_eq!(signature, key.sign(b"message"));
    /// # Ok::<(), mldsa_simd::Error>(())
    /// ```
    ///
    /// # Errors
    /// When `ctx` is longer than 255 bytes, or when every attempt was rejected (see
    /// [`sign_internal`](Self::sign_internal)).
    pub fn sign_deterministic(&self, message: &[u8], ctx: &[u8]) -> Result<Signature<P>, Error> {
        let frame = Frame::Pure(ContextString::new(ctx)?);
        self.sign_parts(frame, &[message], &SecretSeed::ZERO)
    }

    /// Algorithm 2, `ML-DSA.Sign`, hedged, when somebody else computed μ: see
    /// [`MuBuilder`](crate::MuBuilder).
    ///
    /// # Errors
    /// When `rng` fails (nothing is signed then), or when every attempt was rejected (see
    /// [`sign_internal`](Self::sign_internal)).
    #[cfg(feature = "rand_core")]
    pub fn sign_mu_randomized<R: ::signature::rand_core::TryCryptoRng + ?Sized>(
        &self,
        mu: &Mu,
        rng: &mut R,
    ) -> Result<Signature<P>, Error> {
        let rnd = SecretSeed::draw(rng).map_err(|_| Error::new())?;
        self.sign_mu(&mu.0, &rnd.0)
    }

    /// Algorithm 2, `ML-DSA.Sign`, in its deterministic variant (rnd = 0³²), when somebody else
    /// computed μ: see [`MuBuilder`](crate::MuBuilder).
    ///
    /// Where [`sign_internal`](Self::sign_internal) returns zeros, so does this.
    #[must_use]
    pub fn sign_mu_deterministic(&self, mu: &Mu) -> Signature<P> {
        self.sign_mu(&mu.0, &SecretSeed::ZERO)
            .unwrap_or_else(|_| Signature::blank())
    }

    /// Algorithm 7, `ML-DSA.Sign_internal`: signs M′, given in parts, with the randomness `rnd`.
    ///
    /// Never panics. Signing gives up when so many attempts in a row were rejected as does not
    /// happen by chance (less than once in 2¹²⁸ signatures), and it refuses at once with a key
    /// that [`from_expanded`](Self::from_expanded) found out of range. There being no error to
    /// return, the signature is then all zeros, which no key accepts and which does not decode.
    ///
    /// <div class="warning">
    ///
    /// For tests and for protocols that build M′ themselves. There is no domain separator and no
    /// context here: [`Verifier`](crate::Verifier) does not accept what this signs, and who signs
    /// M′ that somebody else chose signs messages in every context for him.
    ///
    /// </div>
    #[must_use]
    pub fn sign_internal(&self, message: &[&[u8]], rnd: &B32) -> Signature<P> {
        self.sign_parts(Frame::Internal, message, rnd)
            .unwrap_or_else(|_| Signature::blank())
    }

    /// tr, the hash of the verifying key.
    pub(crate) fn tr(&self) -> &[u8; HASH_LEN] {
        &self.secret.tr
    }

    /// Signs a message in parts.
    pub(crate) fn sign_parts(
        &self,
        frame: Frame<'_>,
        message: &[&[u8]],
        rnd: &B32,
    ) -> Result<Signature<P>, Error> {
        self.sign(Message::Parts(frame, message), rnd)
    }

    /// Signs what μ stands for.
    pub(crate) fn sign_mu(&self, mu: &[u8; HASH_LEN], rnd: &B32) -> Result<Signature<P>, Error> {
        self.sign(Message::Mu(mu), rnd)
    }

    fn sign(&self, message: Message<'_>, rnd: &B32) -> Result<Signature<P>, Error> {
        if !self.in_range {
            return Err(Error::new());
        }
        let mut signature = Signature::blank();
        match P::Ops::sign(
            &self.secret,
            &self.a_hat,
            message,
            &rnd.0,
            signature.as_bytes_mut(),
        ) {
            Ok(()) => Ok(signature),
            Err(Exhausted) => Err(Error::new()),
        }
    }
}

impl<P: MlDsaParams> Signs<P> for ExpandedSigningKey<P> {
    fn signer(&self) -> (&Self, ContextString<'_>) {
        (self, ContextString::EMPTY)
    }
}

traits::signer!([P: MlDsaParams] ExpandedSigningKey<P>, "The context is empty.");

/// Computes the verifying key each time: [`ExpandedSigningKey::verifying_key`].
impl<P: MlDsaParams> Keypair for ExpandedSigningKey<P> {
    type VerifyingKey = VerifyingKey<P>;

    fn verifying_key(&self) -> VerifyingKey<P> {
        self.regenerate().0
    }
}

impl<P: MlDsaParams> Clone for ExpandedSigningKey<P> {
    fn clone(&self) -> Self {
        Self {
            secret: share::secret(&self.secret),
            a_hat: share::matrix::<P>(&self.a_hat),
            in_range: self.in_range,
        }
    }
}

/// Shows nothing of the key.
impl<P: MlDsaParams> fmt::Debug for ExpandedSigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExpandedSigningKey").finish_non_exhaustive()
    }
}

/// In constant time.
impl<P: MlDsaParams> CtEq for ExpandedSigningKey<P> {
    fn ct_eq(&self, other: &Self) -> Choice {
        let (a, b) = (&*self.secret, &*other.secret);
        let seeds = ct::eq(&a.rho, &b.rho)
            .and(ct::eq(&a.key_seed, &b.key_seed))
            .and(ct::eq(&a.tr, &b.tr));
        let s1 =
            a.s1.as_ref()
                .iter()
                .zip(b.s1.as_ref())
                .map(|(a, b)| ct::eq(&a.0, &b.0));
        let s2 =
            a.s2.as_ref()
                .iter()
                .zip(b.s2.as_ref())
                .map(|(a, b)| ct::eq(&a.0, &b.0));
        let t0 =
            a.t0.as_ref()
                .iter()
                .zip(b.t0.as_ref())
                .map(|(a, b)| ct::eq(&a.0, &b.0));
        s1.chain(s2).chain(t0).fold(seeds, Choice::and)
    }
}

/// In constant time.
impl<P: MlDsaParams> PartialEq for ExpandedSigningKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.ct_eq(other).into()
    }
}

impl<P: MlDsaParams> Eq for ExpandedSigningKey<P> {}

/// The private key is wiped when its last clone is dropped.
#[cfg(feature = "zeroize")]
impl<P: MlDsaParams> zeroize::ZeroizeOnDrop for ExpandedSigningKey<P> {}
