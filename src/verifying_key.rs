//! Verifying keys.

use crate::context::Context;
use crate::encoded_signature::Signature;
use crate::hex::Hex;
use crate::keys::{self, PublicKey, StoredMatrix};
use crate::mu::{self, ContextString, Frame, Mu};
use crate::ops::{Message, Operations};
use crate::params::{HASH_LEN, MlDsaParams};
use crate::share;
use crate::shared::One;
use crate::traits::{self, Verifies};
use ::signature::Error;
use common::{Key, KeyExport, KeyInit, KeySizeUser};
use core::{fmt, hash};
use hybrid_array::Array;

/// The bytes of a verifying key: 1312, 1952 or 2592 for ML-DSA-44, -65 and -87.
pub type EncodedVerifyingKey<P> = Array<u8, <P as MlDsaParams>::VerifyingKeySize>;

/// An ML-DSA verifying key: the public key pk = (ρ, **t**₁), ready to verify.
///
/// Holds what verification computes from the key alone (Â, tr and NTT(**t**₁·2ᵈ)), so that
/// decoding a key costs more than verifying one signature with it: keep keys that you use again.
/// With the `alloc` feature this takes K·L + K KiB of heap (20, 36 or 64) and clones share it.
///
/// Implements [`Verifier`](crate::Verifier) and its relatives with the empty context; see
/// [`with_context`](Self::with_context) for others.
///
/// ```
/// use mldsa_simd::{KeyInit, Keypair, MlDsa65, Signer, SigningKey, Verifier, VerifyingKey};
///
/// let key = SigningKey::<MlDsa65>::from_seed(&[7; 32].into());
/// let (public, signature) = (key.verifying_key().encode(), key.sign(b"message"));
///
/// let key = VerifyingKey::<MlDsa65>::new_from_slice(&public).expect("1952 bytes");
/// key.verify(b"message", &signature)?;
/// assert!(key.verify(b"massage", &signature).is_err());
/// # Ok::<(), mldsa_simd::Error>(())
/// ```
///
/// There is no default key: one that nobody chose must not verify anything.
///
/// ```compile_fail
/// let key = mldsa_simd::VerifyingKey::<mldsa_simd::MlDsa65>::default();
/// ```
pub struct VerifyingKey<P: MlDsaParams> {
    a_hat: One<StoredMatrix<P>>,
    public: One<PublicKey<P>>,
}

impl<P: MlDsaParams> VerifyingKey<P> {
    /// From parts that belong together.
    pub(crate) fn from_parts(a_hat: One<StoredMatrix<P>>, public: One<PublicKey<P>>) -> Self {
        Self { a_hat, public }
    }

    /// tr, the hash of the encoded key.
    pub(crate) fn tr(&self) -> &[u8; HASH_LEN] {
        &self.public.tr
    }

    /// Algorithm 23, `pkDecode`: a key from its bytes, of which every combination is a key.
    ///
    /// From a slice, whose length may be wrong, make it with
    /// [`KeyInit::new_from_slice`](crate::KeyInit::new_from_slice).
    ///
    /// ```
    /// use mldsa_simd::{Keypair, MlDsa65, SigningKey, VerifyingKey};
    ///
    /// let key = SigningKey::<MlDsa65>::from_seed(&[7; 32].into()).verifying_key();
    /// assert_eq!(VerifyingKey::decode(&key.encode()), key);
    /// ```
    #[must_use]
    pub fn decode(enc: &EncodedVerifyingKey<P>) -> Self {
        let mut a_hat = One::build(keys::empty_matrix::<P>, |_| ());
        let mut public = One::build(PublicKey::empty, |pk| pk.encoded.clone_from(enc));
        if let (Some(a_hat), Some(public)) = (a_hat.get_mut(), public.get_mut()) {
            P::Ops::expand_public(a_hat, public);
        }
        Self { a_hat, public }
    }

    /// Algorithm 22, `pkEncode`: the key as bytes.
    #[must_use]
    pub fn encode(&self) -> EncodedVerifyingKey<P> {
        self.public.encoded.clone()
    }

    /// The encoded key in place: what [`encode`](Self::encode) copies.
    #[must_use]
    pub fn as_encoded(&self) -> &EncodedVerifyingKey<P> {
        &self.public.encoded
    }

    /// The key for messages in the context `ctx`, at most 255 bytes: see [`Context`].
    ///
    /// # Errors
    /// When `ctx` is longer than 255 bytes.
    pub fn with_context<'c>(&self, ctx: &'c [u8]) -> Result<Context<'_, 'c, Self>, Error> {
        Context::new(self, ctx)
    }

    /// μ of the message that `message` feeds into the hash, with a context of at most 255 bytes: what
    /// `ML-DSA.Sign` and `ML-DSA.Verify` (Algorithms 2 and 3) sign and verify.
    ///
    /// [`MuBuilder`](crate::MuBuilder) does the same without a closure, without another crate's
    /// sponge, and without expanding the key.
    ///
    /// ```
    /// use mldsa_simd::signature::digest::Update;
    /// use mldsa_simd::{Keypair, MlDsa65, MuBuilder, SigningKey};
    ///
    /// let key = SigningKey::<MlDsa65>::from_seed(&[7; 32].into()).verifying_key();
    /// let message = |hash: &mut shake::Shake256| {
    ///     hash.update(b"message");
    ///     Ok(())
    /// };
    /// let mu = key.compute_mu(message, b"")?;
    /// assert_eq!(mu, MuBuilder::new(&key, b"")?.chain(b"message").finalize());
    /// # Ok::<(), mldsa_simd::Error>(())
    /// ```
    ///
    /// # Errors
    /// When `ctx` is longer than 255 bytes, in which case `message` is not called, and when `message` fails.
    pub fn compute_mu<F: FnOnce(&mut shake::Shake256) -> Result<(), Error>>(
        &self,
        message: F,
        ctx: &[u8],
    ) -> Result<Mu, Error> {
        let ctx = ContextString::new(ctx)?;
        mu::of_closure(self.tr(), ctx, message).map(Array)
    }

    /// Algorithm 8, `ML-DSA.Verify_internal`: whether `sigma` is a signature of M′ = `message`.
    ///
    /// <div class="warning">
    ///
    /// For tests and for protocols that build M′ themselves. There is no domain separator and no
    /// context here, so this does not accept what [`Signer`](crate::Signer) signs.
    ///
    /// </div>
    #[must_use]
    pub fn verify_internal(&self, message: &[u8], sigma: &Signature<P>) -> bool {
        self.verify_parts(Frame::Internal, &[message], sigma)
    }

    /// Algorithm 3, `ML-DSA.Verify`: whether `sigma` is a signature of `message` in the context `ctx`.
    /// False, too, when `ctx` is longer than 255 bytes.
    ///
    /// ```
    /// use mldsa_simd::{Keypair, MlDsa65, SigningKey};
    ///
    /// let key = SigningKey::<MlDsa65>::from_seed(&[7; 32].into());
    /// let signature = key.expanded_key().sign_deterministic(b"message", b"backups")?;
    ///
    /// let key = key.verifying_key();
    /// assert!(key.verify_with_context(b"message", b"backups", &signature));
    /// assert!(!key.verify_with_context(b"message", b"", &signature));
    /// # Ok::<(), mldsa_simd::Error>(())
    /// ```
    #[must_use]
    pub fn verify_with_context(&self, message: &[u8], ctx: &[u8], sigma: &Signature<P>) -> bool {
        match ContextString::new(ctx) {
            Ok(ctx) => self.verify_parts(Frame::Pure(ctx), &[message], sigma),
            Err(_) => false,
        }
    }

    /// Algorithm 3, `ML-DSA.Verify`, when somebody else computed μ: see
    /// [`MuBuilder`](crate::MuBuilder).
    ///
    /// ```
    /// use mldsa_simd::{Keypair, MlDsa65, MuBuilder, Signer, SigningKey};
    ///
    /// let key = SigningKey::<MlDsa65>::from_seed(&[7; 32].into());
    /// let signature = key.sign(b"message");
    ///
    /// let key = key.verifying_key();
    /// let mu = MuBuilder::new(&key, b"")?.chain(b"message").finalize();
    /// assert!(key.verify_mu(&mu, &signature));
    /// # Ok::<(), mldsa_simd::Error>(())
    /// ```
    #[must_use]
    pub fn verify_mu(&self, mu: &Mu, sigma: &Signature<P>) -> bool {
        self.verify_message(Message::Mu(&mu.0), sigma)
    }

    /// Verifies a message in parts.
    pub(crate) fn verify_parts(
        &self,
        frame: Frame<'_>,
        message: &[&[u8]],
        sigma: &Signature<P>,
    ) -> bool {
        self.verify_message(Message::Parts(frame, message), sigma)
    }

    fn verify_message(&self, message: Message<'_>, sigma: &Signature<P>) -> bool {
        !sigma.is_blank() && P::Ops::verify(&self.a_hat, &self.public, message, sigma.as_bytes())
    }
}

impl<P: MlDsaParams> Verifies<P> for VerifyingKey<P> {
    fn verifier(&self) -> (&Self, ContextString<'_>) {
        (self, ContextString::EMPTY)
    }
}

traits::verifier!([P: MlDsaParams] VerifyingKey<P>, "The context is empty.");

impl<P: MlDsaParams> Clone for VerifyingKey<P> {
    fn clone(&self) -> Self {
        Self {
            a_hat: share::matrix::<P>(&self.a_hat),
            public: share::public(&self.public),
        }
    }
}

impl<P: MlDsaParams> fmt::Debug for VerifyingKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VerifyingKey")
            .field(&Hex(&self.public.encoded))
            .finish()
    }
}

impl<P: MlDsaParams> PartialEq for VerifyingKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.public.encoded == other.public.encoded
    }
}

impl<P: MlDsaParams> Eq for VerifyingKey<P> {}

impl<P: MlDsaParams> hash::Hash for VerifyingKey<P> {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.public.encoded.hash(state);
    }
}

impl<P: MlDsaParams> KeySizeUser for VerifyingKey<P> {
    type KeySize = P::VerifyingKeySize;
}

/// [`VerifyingKey::decode`]; from a slice with [`KeyInit::new_from_slice`], which fails on every
/// length but [`MlDsaParams::VERIFYING_KEY_LEN`].
impl<P: MlDsaParams> KeyInit for VerifyingKey<P> {
    fn new(key: &Key<Self>) -> Self {
        Self::decode(key)
    }
}

/// [`VerifyingKey::encode`].
impl<P: MlDsaParams> KeyExport for VerifyingKey<P> {
    fn to_bytes(&self) -> Key<Self> {
        self.encode()
    }
}
