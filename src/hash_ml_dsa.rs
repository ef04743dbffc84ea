//! HashML-DSA: signatures of a message's hash (FIPS 204, section 5.4).

use crate::context::Context;
use crate::encoded_signature::Signature;
use crate::expanded_key::ExpandedSigningKey;
use crate::mu::Frame;
use crate::params::MlDsaParams;
use crate::seed::{B32, SecretSeed};
use crate::signing_key::SigningKey;
use crate::traits::{Signs, Verifies, accepted};
use crate::verifying_key::VerifyingKey;
use ::signature::{
    DigestSigner, DigestVerifier, Error, MultipartSigner, MultipartVerifier, Signer, Verifier,
    digest::{Digest, ExtendableOutput, Update, XofReader},
    hazmat::{PrehashSigner, PrehashVerifier},
};
use const_oid::{AssociatedOid, ObjectIdentifier, db::fips202};
use core::{fmt, marker::PhantomData};
use hybrid_array::{
    Array, ArraySize,
    sizes::{U28, U32, U48, U64},
};

#[cfg(feature = "rand_core")]
use ::signature::{
    RandomizedDigestSigner, RandomizedMultipartSigner, RandomizedSigner,
    hazmat::RandomizedPrehashSigner, rand_core::TryCryptoRng,
};

/// PH, the function that hashes the message before HashML-DSA signs it: one of the twelve hash
/// functions of FIPS 180-4 and FIPS 202.
///
/// The trait is sealed. The types are those of the `sha2`, `sha3` and `shake` crates:
///
/// | type | PH | digest | collisions |
/// |---|---|---|---|
/// | `sha2::Sha224` | SHA2-224 | 28 bytes | 112 bits |
/// | `sha2::Sha256` | SHA2-256 | 32 bytes | 128 bits |
/// | `sha2::Sha384` | SHA2-384 | 48 bytes | 192 bits |
/// | `sha2::Sha512` | SHA2-512 | 64 bytes | 256 bits |
/// | `sha2::Sha512_224` | SHA2-512/224 | 28 bytes | 112 bits |
/// | `sha2::Sha512_256` | SHA2-512/256 | 32 bytes | 128 bits |
/// | `sha3::Sha3_224` | SHA3-224 | 28 bytes | 112 bits |
/// | `sha3::Sha3_256` | SHA3-256 | 32 bytes | 128 bits |
/// | `sha3::Sha3_384` | SHA3-384 | 48 bytes | 192 bits |
/// | `sha3::Sha3_512` | SHA3-512 | 64 bytes | 256 bits |
/// | `shake::Shake128` | SHAKE128 | 32 bytes | 128 bits |
/// | `shake::Shake256` | SHAKE256 | 64 bytes | 256 bits |
///
/// FIPS 204 asks for λ bits against collisions: 128, 192 and 256 for ML-DSA-44, -65 and -87. A
/// weaker function weakens the signature; it is not refused.
pub trait PreHash: sealed::Sealed + Update + Default {
    /// The digest's length in bytes.
    type OutputSize: ArraySize;

    /// The identifier of the function.
    const OID: ObjectIdentifier;

    /// PH(M) of everything that `update` was given.
    fn finish(self) -> Array<u8, Self::OutputSize>;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! hash_functions {
    ($($type:ty: $size:ty),+ $(,)?) => {$(
        impl sealed::Sealed for $type {}

        impl PreHash for $type {
            type OutputSize = $size;

            const OID: ObjectIdentifier = <$type as AssociatedOid>::OID;

            fn finish(self) -> Array<u8, $size> {
                self.finalize()
            }
        }
    )+};
}

hash_functions! {
    sha2::Sha224: U28,
    sha2::Sha256: U32,
    sha2::Sha384: U48,
    sha2::Sha512: U64,
    sha2::Sha512_224: U28,
    sha2::Sha512_256: U32,
    sha3::Sha3_224: U28,
    sha3::Sha3_256: U32,
    sha3::Sha3_384: U48,
    sha3::Sha3_512: U64,
}

macro_rules! extendable_output_functions {
    ($($type:ty: $size:ty, $oid:expr),+ $(,)?) => {$(
        impl sealed::Sealed for $type {}

        impl PreHash for $type {
            type OutputSize = $size;

            const OID: ObjectIdentifier = $oid;

            fn finish(self) -> Array<u8, $size> {
                let mut digest = Array::default();
                self.finalize_xof().read(&mut digest);
                digest
            }
        }
    )+};
}

extendable_output_functions! {
    shake::Shake128: U32, fips202::ID_SHAKE_128,
    shake::Shake256: U64, fips202::ID_SHAKE_256,
}

/// A key that signs or verifies with HashML-DSA: Algorithms 4 and 5, `HashML-DSA.Sign` and
/// `HashML-DSA.Verify`.
///
/// `K` is [`SigningKey`], [`ExpandedSigningKey`] or [`VerifyingKey`]; `D` is the hash function PH,
/// one of those that [`PreHash`] lists.
///
/// HashML-DSA and ML-DSA do not accept each other's signatures, nor do two different hash functions.
/// Prefer ML-DSA unless a protocol names HashML-DSA: a message that must be hashed elsewhere can be
/// signed with plain ML-DSA by its [μ](crate::MuBuilder), and no standard for certificates allows
/// HashML-DSA.
///
/// The traits do for the hashed message what they do for the message with the keys themselves:
/// [`Signer`], [`MultipartSigner`], [`Verifier`] … take the message and hash it; [`DigestSigner`]
/// and [`DigestVerifier`] let a closure feed the hash function; [`PrehashSigner`] and
/// [`PrehashVerifier`] take a digest that was computed elsewhere, and refuse another length than
/// PH's.
///
/// ```
/// use mldsa_simd::signature::hazmat::PrehashSigner;
/// use mldsa_simd::{Keypair, MlDsa87, Signer, SigningKey, Verifier};
/// use sha2::{Digest, Sha512};
///
/// let key = SigningKey::<MlDsa87>::from_seed(&[7; 32].into());
/// let signer = key.with_context(b"backups")?.hash_ml_dsa::<Sha512>();
/// let signature = signer.sign(b"message");
/// assert_eq!(signature, signer.sign_prehash(&Sha512::digest(b"message"))?);
///
/// let key = key.verifying_key();
/// key.with_context(b"backups")?.hash_ml_dsa::<Sha512>().verify(b"message", &signature)?;
/// assert!(key.with_context(b"backups")?.verify(b"message", &signature).is_err());
/// # Ok::<(), mldsa_simd::Error>(())
/// ```
pub struct HashMlDsa<'k, 'c, K, D> {
    context: Context<'k, 'c, K>,
    hash: PhantomData<fn() -> D>,
}

impl<'k, 'c, K, D: PreHash> HashMlDsa<'k, 'c, K, D> {
    fn new(context: Context<'k, 'c, K>) -> Self {
        Self {
            context,
            hash: PhantomData,
        }
    }

    /// The key and the context.
    #[must_use]
    pub fn context(&self) -> Context<'k, 'c, K> {
        self.context
    }
}

impl<'k, 'c, K> Context<'k, 'c, K> {
    /// HashML-DSA with the hash function `D`, in this context: see [`HashMlDsa`].
    #[must_use]
    pub fn hash_ml_dsa<D: PreHash>(self) -> HashMlDsa<'k, 'c, K, D> {
        HashMlDsa::new(self)
    }
}

macro_rules! constructor {
    ($($key:ident),+) => {$(
        impl<P: MlDsaParams> $key<P> {
            /// HashML-DSA with the hash function `D` and the empty context: see [`HashMlDsa`].
            #[must_use]
            pub fn hash_ml_dsa<D: PreHash>(&self) -> HashMlDsa<'_, 'static, Self, D> {
                HashMlDsa::new(Context::empty(self))
            }
        }
    )+};
}

constructor!(SigningKey, ExpandedSigningKey, VerifyingKey);

impl<K, D> Clone for HashMlDsa<'_, '_, K, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, D> Copy for HashMlDsa<'_, '_, K, D> {}

impl<K: fmt::Debug, D: PreHash> fmt::Debug for HashMlDsa<'_, '_, K, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HashMlDsa")
            .field("context", &self.context)
            .field("hash", &D::OID)
            .finish()
    }
}

/// PH of a message in parts.
fn digest_parts<D: PreHash>(message: &[&[u8]]) -> Array<u8, D::OutputSize> {
    let mut hash = D::default();
    message.iter().for_each(|part| hash.update(part));
    hash.finish()
}

/// PH of what a closure feeds into it.
fn digest_closure<D: PreHash>(
    message: impl FnOnce(&mut D) -> Result<(), Error>,
) -> Result<Array<u8, D::OutputSize>, Error> {
    let mut hash = D::default();
    message(&mut hash)?;
    Ok(hash.finish())
}

/// A digest from elsewhere, if it has PH's length.
fn digest_given<D: PreHash>(digest: &[u8]) -> Result<&Array<u8, D::OutputSize>, Error> {
    digest.try_into().map_err(|_| Error::new())
}

/// The first bytes of the DER encoding of `D::OID`, its tag and its length; the rest are
/// `D::OID.as_bytes()`.
fn oid_header<D: PreHash>() -> [u8; 2] {
    // An `ObjectIdentifier` holds fewer bytes than the short form of a length allows.
    [0x06, D::OID.as_bytes().len() as u8]
}

/// Algorithm 4, `HashML-DSA.Sign`, from step 23 on.
fn sign<D: PreHash, P: MlDsaParams, K>(
    context: &Context<'_, '_, K>,
    digest: &Array<u8, D::OutputSize>,
    rnd: &B32,
) -> Result<Signature<P>, Error>
where
    for<'k, 'c> Context<'k, 'c, K>: Signs<P>,
{
    let (key, context) = context.signer();
    let message: &[&[u8]] = &[&oid_header::<D>(), D::OID.as_bytes(), digest];
    key.sign_parts(Frame::PreHash(context), message, rnd)
}

/// Algorithm 5, `HashML-DSA.Verify`, from step 18 on.
fn verify<D: PreHash, P: MlDsaParams>(
    context: &Context<'_, '_, VerifyingKey<P>>,
    digest: &Array<u8, D::OutputSize>,
    sigma: &Signature<P>,
) -> Result<(), Error> {
    let (key, context) = context.verifier();
    let message: &[&[u8]] = &[&oid_header::<D>(), D::OID.as_bytes(), digest];
    accepted(key.verify_parts(Frame::PreHash(context), message, sigma))
}

macro_rules! signer {
    ($($key:ident),+) => {$(
        /// Algorithm 4, `HashML-DSA.Sign`, in its deterministic variant (rnd = 0³²).
        impl<P: MlDsaParams, D: PreHash> Signer<Signature<P>> for HashMlDsa<'_, '_, $key<P>, D> {
            fn try_sign(&self, msg: &[u8]) -> Result<Signature<P>, Error> {
                self.try_multipart_sign(&[msg])
            }
        }

        /// Algorithm 4, `HashML-DSA.Sign`, in its deterministic variant, of a message in parts.
        impl<P: MlDsaParams, D: PreHash> MultipartSigner<Signature<P>>
            for HashMlDsa<'_, '_, $key<P>, D>
        {
            fn try_multipart_sign(&self, msg: &[&[u8]]) -> Result<Signature<P>, Error> {
                sign::<D, _, _>(&self.context, &digest_parts::<D>(msg), &SecretSeed::ZERO)
            }
        }

        /// Algorithm 4, `HashML-DSA.Sign`, in its deterministic variant, of a message that the
        /// caller's closure feeds into the hash function.
        impl<P: MlDsaParams, D: PreHash> DigestSigner<D, Signature<P>>
            for HashMlDsa<'_, '_, $key<P>, D>
        {
            fn try_sign_digest<F: Fn(&mut D) -> Result<(), Error>>(
                &self,
                f: F,
            ) -> Result<Signature<P>, Error> {
                sign::<D, _, _>(&self.context, &digest_closure(f)?, &SecretSeed::ZERO)
            }
        }

        /// Algorithm 4, `HashML-DSA.Sign`, in its deterministic variant, of a digest that was
        /// computed elsewhere.
        ///
        /// # Errors
        /// When the digest is not of the length of PH's.
        impl<P: MlDsaParams, D: PreHash> PrehashSigner<Signature<P>>
            for HashMlDsa<'_, '_, $key<P>, D>
        {
            fn sign_prehash(&self, prehash: &[u8]) -> Result<Signature<P>, Error> {
                sign::<D, _, _>(&self.context, digest_given::<D>(prehash)?, &SecretSeed::ZERO)
            }
        }

        /// Algorithm 4, `HashML-DSA.Sign`. When the generator fails, nothing is signed.
        #[cfg(feature = "rand_core")]
        impl<P: MlDsaParams, D: PreHash> RandomizedSigner<Signature<P>>
            for HashMlDsa<'_, '_, $key<P>, D>
        {
            fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                msg: &[u8],
            ) -> Result<Signature<P>, Error> {
                self.try_multipart_sign_with_rng(rng, &[msg])
            }
        }

        /// Algorithm 4, `HashML-DSA.Sign`, of a message in parts.
        #[cfg(feature = "rand_core")]
        impl<P: MlDsaParams, D: PreHash> RandomizedMultipartSigner<Signature<P>>
            for HashMlDsa<'_, '_, $key<P>, D>
        {
            fn try_multipart_sign_with_rng<R: TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                msg: &[&[u8]],
            ) -> Result<Signature<P>, Error> {
                let rnd = SecretSeed::draw(rng).map_err(|_| Error::new())?;
                sign::<D, _, _>(&self.context, &digest_parts::<D>(msg), &rnd.0)
            }
        }

        /// Algorithm 4, `HashML-DSA.Sign`, of a message that the caller's closure feeds into the
        /// hash function.
        #[cfg(feature = "rand_core")]
        impl<P: MlDsaParams, D: PreHash> RandomizedDigestSigner<D, Signature<P>>
            for HashMlDsa<'_, '_, $key<P>, D>
        {
            fn try_sign_digest_with_rng<
                R: TryCryptoRng + ?Sized,
                F: Fn(&mut D) -> Result<(), Error>,
            >(
                &self,
                rng: &mut R,
                f: F,
            ) -> Result<Signature<P>, Error> {
                let rnd = SecretSeed::draw(rng).map_err(|_| Error::new())?;
                sign::<D, _, _>(&self.context, &digest_closure(f)?, &rnd.0)
            }
        }

        /// Algorithm 4, `HashML-DSA.Sign`, of a digest that was computed elsewhere.
        ///
        /// # Errors
        /// When the digest is not of the length of PH's (the generator is not asked then), or when
        /// the generator fails.
        #[cfg(feature = "rand_core")]
        impl<P: MlDsaParams, D: PreHash> RandomizedPrehashSigner<Signature<P>>
            for HashMlDsa<'_, '_, $key<P>, D>
        {
            fn sign_prehash_with_rng<R: TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                prehash: &[u8],
            ) -> Result<Signature<P>, Error> {
                let digest = digest_given::<D>(prehash)?;
                let rnd = SecretSeed::draw(rng).map_err(|_| Error::new())?;
                sign::<D, _, _>(&self.context, digest, &rnd.0)
            }
        }
    )+};
}

signer!(SigningKey, ExpandedSigningKey);

/// Algorithm 5, `HashML-DSA.Verify`.
impl<P: MlDsaParams, D: PreHash> Verifier<Signature<P>> for HashMlDsa<'_, '_, VerifyingKey<P>, D> {
    fn verify(&self, msg: &[u8], signature: &Signature<P>) -> Result<(), Error> {
        self.multipart_verify(&[msg], signature)
    }
}

/// Algorithm 5, `HashML-DSA.Verify`, of a message in parts.
impl<P: MlDsaParams, D: PreHash> MultipartVerifier<Signature<P>>
    for HashMlDsa<'_, '_, VerifyingKey<P>, D>
{
    fn multipart_verify(&self, msg: &[&[u8]], signature: &Signature<P>) -> Result<(), Error> {
        verify::<D, _>(&self.context, &digest_parts::<D>(msg), signature)
    }
}

/// Algorithm 5, `HashML-DSA.Verify`, of a message that the caller's closure feeds into the hash
/// function.
impl<P: MlDsaParams, D: PreHash> DigestVerifier<D, Signature<P>>
    for HashMlDsa<'_, '_, VerifyingKey<P>, D>
{
    fn verify_digest<F: Fn(&mut D) -> Result<(), Error>>(
        &self,
        f: F,
        signature: &Signature<P>,
    ) -> Result<(), Error> {
        verify::<D, _>(&self.context, &digest_closure(f)?, signature)
    }
}

/// Algorithm 5, `HashML-DSA.Verify`, of a digest that was computed elsewhere.
///
/// # Errors
/// When the signature is not one, and when the digest is not of the length of PH's.
impl<P: MlDsaParams, D: PreHash> PrehashVerifier<Signature<P>>
    for HashMlDsa<'_, '_, VerifyingKey<P>, D>
{
    fn verify_prehash(&self, prehash: &[u8], signature: &Signature<P>) -> Result<(), Error> {
        verify::<D, _>(&self.context, digest_given::<D>(prehash)?, signature)
    }
}
