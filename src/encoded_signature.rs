//! Signatures as values: bytes that passed the checks of decoding.

use crate::hex::Hex;
use crate::ops::Operations;
use crate::params::MlDsaParams;
use ::signature::{Error, SignatureEncoding};
use core::{fmt, hash};
use hybrid_array::Array;

/// The bytes of a signature: 2420, 3309 or 4627 for ML-DSA-44, -65 and -87.
pub type EncodedSignature<P> = Array<u8, <P as MlDsaParams>::SignatureSize>;

/// An ML-DSA signature σ = (c̃, **z**, **h**).
///
/// Holds the encoded bytes. Whoever has a `Signature` knows that they decode: the hint is well
/// formed and ‖**z**‖∞ < γ₁ − β, so two different values of this type never decode to the same
/// triple. (The one exception is the value that
/// [`ExpandedSigningKey::sign_internal`](crate::ExpandedSigningKey::sign_internal) returns when no
/// attempt succeeds. It consists of zeros, does not decode, and no key accepts it.)
///
/// | set | bytes | c̃ | **z** | **h** |
/// |---|---|---|---|---|
/// | ML-DSA-44 | 2420 | 32 | 4 · 576 | 84 |
/// | ML-DSA-65 | 3309 | 48 | 5 · 640 | 61 |
/// | ML-DSA-87 | 4627 | 64 | 7 · 640 | 83 |
///
/// ```
/// use mldsa_simd::{Keypair, MlDsa44, Signature, Signer, SigningKey, Verifier};
///
/// let key = SigningKey::<MlDsa44>::from_seed(&[7; 32].into());
/// let bytes = key.sign(b"message").encode();
/// assert_eq!(bytes.len(), 2420);
///
/// let signature = Signature::<MlDsa44>::try_from(bytes.as_slice())?;
/// key.verifying_key().verify(b"message", &signature)?;
/// # Ok::<(), mldsa_simd::Error>(())
/// ```
pub struct Signature<P: MlDsaParams> {
    bytes: EncodedSignature<P>,
}

impl<P: MlDsaParams> Signature<P> {
    /// The zeros that signing fills, and what stays where it does not succeed.
    pub(crate) fn blank() -> Self {
        Self {
            bytes: Array::default(),
        }
    }

    /// Whether signing never filled it. For a real signature this looks at one byte or two.
    pub(crate) fn is_blank(&self) -> bool {
        self.bytes.iter().all(|byte| *byte == 0)
    }

    pub(crate) fn as_bytes(&self) -> &EncodedSignature<P> {
        &self.bytes
    }

    pub(crate) fn as_bytes_mut(&mut self) -> &mut EncodedSignature<P> {
        &mut self.bytes
    }

    /// Algorithm 26, `sigEncode`: the signature as bytes.
    #[must_use]
    pub fn encode(&self) -> EncodedSignature<P> {
        self.bytes.clone()
    }

    /// Algorithm 27, `sigDecode`: a signature from its bytes.
    ///
    /// `None` when the hint is not the one encoding of a set of at most ω positions, or when a
    /// coefficient of **z** is γ₁ − β or more in magnitude (the check of step 13 of Algorithm 8,
    /// made here since it needs nothing but the signature).
    ///
    /// ```
    /// use mldsa_simd::{MlDsa44, Signature, Signer, SigningKey};
    ///
    /// let signature = SigningKey::<MlDsa44>::from_seed(&[7; 32].into()).sign(b"message");
    /// let mut bytes = signature.encode();
    /// assert_eq!(Signature::<MlDsa44>::decode(&bytes), Some(signature));
    ///
    /// bytes[2419] = 81; // the number of positions in the hint: at most 80
    /// assert_eq!(Signature::<MlDsa44>::decode(&bytes), None);
    /// ```
    #[must_use]
    pub fn decode(enc: &EncodedSignature<P>) -> Option<Self> {
        P::Ops::is_well_formed(enc).then(|| Self { bytes: enc.clone() })
    }

    /// c̃, the commitment hash: 32, 48 or 64 bytes.
    #[must_use]
    pub fn c_tilde(&self) -> &Array<u8, P::Lambda> {
        // A signature is longer than its c̃ in every set, so the first chunk is there and the
        // compiler drops the check.
        let (chunks, _) = Array::slice_as_chunks(&self.bytes);
        &chunks[0]
    }
}

impl<P: MlDsaParams> Clone for Signature<P> {
    fn clone(&self) -> Self {
        Self {
            bytes: self.bytes.clone(),
        }
    }
}

impl<P: MlDsaParams> fmt::Debug for Signature<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Signature").field(&Hex(&self.bytes)).finish()
    }
}

impl<P: MlDsaParams> PartialEq for Signature<P> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<P: MlDsaParams> Eq for Signature<P> {}

impl<P: MlDsaParams> hash::Hash for Signature<P> {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.bytes.hash(state);
    }
}

/// Decodes a slice.
///
/// # Errors
/// When the length is not [`MlDsaParams::SIGNATURE_LEN`], or when [`Signature::decode`] refuses.
impl<'a, P: MlDsaParams> TryFrom<&'a [u8]> for Signature<P> {
    type Error = Error;

    fn try_from(bytes: &'a [u8]) -> Result<Self, Error> {
        let bytes = bytes.try_into().map_err(|_| Error::new())?;
        Self::decode(bytes).ok_or_else(Error::new)
    }
}

// Not `From<Signature<P>> for Array<…>`: neither trait nor array is ours.
impl<P: MlDsaParams> TryInto<EncodedSignature<P>> for Signature<P> {
    type Error = Error;

    fn try_into(self) -> Result<EncodedSignature<P>, Error> {
        Ok(self.bytes)
    }
}

impl<P: MlDsaParams> SignatureEncoding for Signature<P> {
    type Repr = EncodedSignature<P>;
}
