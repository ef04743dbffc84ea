//! μ, the hash that stands for a message, and everything that goes into it.
//!
//! ML-DSA signs μ = H(tr ‖ M′, 64), where tr = H(pk, 64) and M′ is the message with what separates
//! the domains in front:
//!
//! | interface | M′ | FIPS 204 |
//! |---|---|---|
//! | pure | 0 ‖ \|ctx\| ‖ ctx ‖ M | Algorithms 2 and 3 |
//! | HashML-DSA | 1 ‖ \|ctx\| ‖ ctx ‖ OID ‖ PH(M) | Algorithms 4 and 5 |
//! | internal | whatever the caller hands over | Algorithms 7 and 8 |
//!
//! A context is at most 255 bytes long, since its length takes one byte. [`ContextString`] is the
//! proof that somebody checked: nothing here can be built from a longer one.

use crate::keccak::Shake256;
use crate::params::{HASH_LEN, MlDsaParams};
use crate::simd::{Isa, dispatch};
use crate::verifying_key::{EncodedVerifyingKey, VerifyingKey};
use core::fmt;
use hybrid_array::{Array, sizes::U64};
use signature::{
    Error,
    digest::{ExtendableOutput, Update, XofReader},
};

/// μ: 64 bytes that stand for a message, its context and the key that it is for.
pub type Mu = Array<u8, U64>;

/// A context of at most 255 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContextString<'c> {
    len: u8,
    bytes: &'c [u8],
}

impl<'c> ContextString<'c> {
    /// The empty context, which is what an interface without contexts uses.
    pub(crate) const EMPTY: Self = Self { len: 0, bytes: &[] };

    pub(crate) fn new(bytes: &'c [u8]) -> Result<Self, Error> {
        match u8::try_from(bytes.len()) {
            Ok(len) => Ok(Self { len, bytes }),
            Err(_) => Err(Error::new()),
        }
    }

    pub(crate) fn as_bytes(&self) -> &'c [u8] {
        self.bytes
    }
}

/// What stands in M′ before the message.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Frame<'c> {
    /// Nothing: the message is M′.
    Internal,
    /// 0, the context's length, the context.
    Pure(ContextString<'c>),
    /// 1, the context's length, the context. The parts of the message are then the OID of the hash
    /// function and the digest.
    #[cfg(feature = "hash-ml-dsa")]
    PreHash(ContextString<'c>),
}

/// H, after it has absorbed tr and what stands before the message.
#[inline]
fn start<I: Isa>(isa: I, tr: &[u8; HASH_LEN], frame: Frame<'_>) -> Shake256 {
    let mut h = Shake256::new();
    h.absorb(isa, tr);
    let (domain, context) = match frame {
        Frame::Internal => return h,
        Frame::Pure(context) => (0, context),
        #[cfg(feature = "hash-ml-dsa")]
        Frame::PreHash(context) => (1, context),
    };
    h.absorb(isa, &[domain, context.len]);
    h.absorb(isa, context.bytes);
    h
}

/// μ of a message in parts: step 6 of Algorithm 7, step 7 of Algorithm 8.
#[inline]
pub(crate) fn of_parts<I: Isa>(
    isa: I,
    tr: &[u8; HASH_LEN],
    frame: Frame<'_>,
    message: &[&[u8]],
) -> [u8; HASH_LEN] {
    let mut mu = [0; HASH_LEN];
    absorb_parts(isa, tr, frame, message).finish(isa, &mut mu);
    mu
}

/// The hash of [`of_parts`] before its end.
#[inline]
pub(crate) fn absorb_parts<I: Isa>(
    isa: I,
    tr: &[u8; HASH_LEN],
    frame: Frame<'_>,
    message: &[&[u8]],
) -> Shake256 {
    let mut h = start(isa, tr, frame);
    for part in message {
        h.absorb(isa, part);
    }
    h
}

/// μ of a message that the caller's closure feeds into the hash: the form of `DigestSigner`, whose
/// sponge is a type of another crate.
pub(crate) fn of_closure(
    tr: &[u8; HASH_LEN],
    context: ContextString<'_>,
    message: impl FnOnce(&mut shake::Shake256) -> Result<(), Error>,
) -> Result<[u8; HASH_LEN], Error> {
    let mut h = shake::Shake256::default();
    h.update(tr);
    h.update(&[0, context.len]);
    h.update(context.bytes);
    message(&mut h)?;
    let mut mu = [0; HASH_LEN];
    h.finalize_xof().read(&mut mu);
    Ok(mu)
}

/// Computes μ = H(tr ‖ 0 ‖ |ctx| ‖ ctx ‖ M, 64) of a message that comes in pieces.
///
/// This is the «external μ» of FIPS 204 (the comments at step 6 of Algorithm 7 and step 7 of
/// Algorithm 8): one program sees the message, another holds the key, and only 64 bytes travel.
/// What is signed by its μ verifies by its message and the other way round, whether it came in one
/// piece, in many, or is empty.
///
/// The builder needs the public key but not the matrix **A**:
/// [`from_encoded_key`](Self::from_encoded_key) works from the encoded key and does not expand it.
///
/// ```
/// use mldsa_simd::{Keypair, MlDsa65, MuBuilder, Signer, SigningKey};
///
/// let key = SigningKey::<MlDsa65>::from_seed(&[7; 32].into());
/// let public = key.verifying_key().encode();
///
/// let mut mu = MuBuilder::from_encoded_key::<MlDsa65>(&public, b"")?;
/// mu.update(b"a message ");
/// mu.update(b"in pieces");
///
/// let signature = key.expanded_key().sign_mu_deterministic(&mu.finalize());
/// assert_eq!(signature, key.sign(b"a message in pieces"));
/// # Ok::<(), mldsa_simd::Error>(())
/// ```
#[derive(Clone)]
pub struct MuBuilder(Shake256);

impl MuBuilder {
    /// Starts μ for a verifying key and a context of at most 255 bytes.
    ///
    /// # Errors
    /// When `context` is longer than 255 bytes.
    pub fn new<P: MlDsaParams>(key: &VerifyingKey<P>, context: &[u8]) -> Result<Self, Error> {
        let frame = Frame::Pure(ContextString::new(context)?);
        Ok(Self(dispatch!(isa => start(isa, key.tr(), frame))))
    }

    /// Starts μ from an encoded verifying key, 1312, 1952 or 2592 bytes, and a context of at most
    /// 255 bytes. Hashes the key and does nothing else with it.
    ///
    /// # Errors
    /// When `context` is longer than 255 bytes.
    pub fn from_encoded_key<P: MlDsaParams>(
        key: &EncodedVerifyingKey<P>,
        context: &[u8],
    ) -> Result<Self, Error> {
        let frame = Frame::Pure(ContextString::new(context)?);
        Ok(Self(dispatch!(isa => start_from_encoded(isa, key, frame))))
    }

    /// Appends to the message.
    pub fn update(&mut self, message: &[u8]) {
        dispatch!(isa => self.0.absorb(isa, message));
    }

    /// Appends to the message, in a chain of calls.
    #[must_use]
    pub fn chain(mut self, message: &[u8]) -> Self {
        self.update(message);
        self
    }

    /// Ends the message: the 64 bytes of μ.
    #[must_use]
    pub fn finalize(mut self) -> Mu {
        let mut mu = Mu::default();
        dispatch!(isa => self.0.finish(isa, &mut mu));
        mu
    }
}

fn start_from_encoded<I: Isa>(isa: I, key: &[u8], frame: Frame<'_>) -> Shake256 {
    let mut tr = [0; HASH_LEN];
    let mut h = Shake256::new();
    h.absorb(isa, key);
    h.finish(isa, &mut tr);
    start(isa, &tr, frame)
}

impl Update for MuBuilder {
    fn update(&mut self, data: &[u8]) {
        Self::update(self, data);
    }
}

impl fmt::Debug for MuBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MuBuilder").finish_non_exhaustive()
    }
}
