//! Keys in the formats of X.509: PKCS#8 private keys, SPKI public keys (RFC 9881), and everything
//! of the [`pkcs8`](::pkcs8) crate.
//!
//! RFC 9881 knows three forms of a private key, and all of them are read:
//!
//! ```text
//! ML-DSA-PrivateKey ::= CHOICE {
//!     seed         [0] IMPLICIT OCTET STRING,                  -- 32 bytes
//!     expandedKey      OCTET STRING,                           -- 2560, 4032 or 4896 bytes
//!     both             SEQUENCE { seed, expandedKey: OCTET STRING } }
//! ```
//!
//! | | `seed` | `expandedKey` | `both` |
//! |---|---|---|---|
//! | [`SigningKey`] reads | yes | no: there is no seed in it | yes |
//! | [`ExpandedSigningKey`] reads | yes | yes | yes |
//! | [`SigningKey`] writes | by default | by `in_form` | by `in_form` |
//! | [`ExpandedSigningKey`] writes | | yes | |
//!
//! What is read is checked, and what does not fit together is refused: an `expandedKey` that
//! [`try_from_expanded`](ExpandedSigningKey::try_from_expanded) refuses, a `both` whose halves are
//! different keys, the public key of another private key (RFC 5958 keys of version 2 carry one),
//! algorithm parameters (there are none), another algorithm's identifier, and data after the end.
//!
//! PEM is feature `pem`; encrypted private keys are feature `encryption`. Both come from the
//! `pkcs8` crate, whose traits the keys implement.
//!
//! Certificates and requests for them are the business of other crates. `x509-cert` 0.3 takes the
//! keys as they are: its `CertificateBuilder` and `RequestBuilder` sign with a [`SigningKey`], as
//! `examples/x509` shows.
//!
#![cfg_attr(feature = "pem", doc = "```")]
#![cfg_attr(not(feature = "pem"), doc = "```ignore")]
//! use mldsa_simd::pkcs8::{DecodePrivateKey, EncodePrivateKey, LineEnding};
//! use mldsa_simd::{MlDsa65, SigningKey};
//!
//! let key = SigningKey::<MlDsa65>::from_seed(&[7; 32].into());
//! let pem = key.to_pkcs8_pem(LineEnding::LF)?;
//! assert!(pem.starts_with("-----BEGIN PRIVATE KEY-----\n"));
//! assert!(SigningKey::<MlDsa65>::from_pkcs8_pem(&pem)? == key);
//! # Ok::<(), mldsa_simd::pkcs8::Error>(())
//! ```

pub use ::pkcs8::*;

use crate::encoded_signature::Signature;
use crate::expanded_key::{ExpandedSigningKey, ExpandedSigningKeyBytes};
use crate::params::{MlDsa44, MlDsa65, MlDsa87, MlDsaParams, SEED_LEN};
use crate::signing_key::SigningKey;
use crate::verifying_key::{EncodedVerifyingKey, VerifyingKey};
use const_oid::db::fips204;
use der::{
    AnyRef, Decode, DecodeValue, EncodeValue, Header, Length, Reader, Sequence, Tag, TagNumber,
    Writer,
    asn1::{ContextSpecific, OctetStringRef},
};
use spki::{AlgorithmIdentifier, AssociatedAlgorithmIdentifier, SignatureAlgorithmIdentifier};

#[cfg(feature = "alloc")]
pub use writing::{InForm, PrivateKeyForm};

macro_rules! algorithm_identifier {
    ($params:ty, $oid:expr) => {
        /// RFC 9881: no parameters.
        impl AssociatedAlgorithmIdentifier for $params {
            type Params = AnyRef<'static>;

            const ALGORITHM_IDENTIFIER: AlgorithmIdentifierRef<'static> = AlgorithmIdentifierRef {
                oid: $oid,
                parameters: None,
            };
        }
    };
}

algorithm_identifier!(MlDsa44, fips204::ID_ML_DSA_44);
algorithm_identifier!(MlDsa65, fips204::ID_ML_DSA_65);
algorithm_identifier!(MlDsa87, fips204::ID_ML_DSA_87);

impl<P> AssociatedAlgorithmIdentifier for Signature<P>
where
    P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>,
{
    type Params = AnyRef<'static>;

    const ALGORITHM_IDENTIFIER: AlgorithmIdentifierRef<'static> = P::ALGORITHM_IDENTIFIER;
}

macro_rules! signature_algorithm_identifier {
    ($key:ident) => {
        impl<P> SignatureAlgorithmIdentifier for $key<P>
        where
            P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>,
        {
            type Params = AnyRef<'static>;

            const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifier<Self::Params> =
                P::ALGORITHM_IDENTIFIER;
        }
    };
}

signature_algorithm_identifier!(SigningKey);
signature_algorithm_identifier!(ExpandedSigningKey);
signature_algorithm_identifier!(VerifyingKey);

/// The private key inside PKCS#8: the CHOICE of RFC 9881, whose octets nobody has checked.
enum PrivateKey<'a> {
    Seed(&'a OctetStringRef),
    Expanded(&'a OctetStringRef),
    Both(Both<'a>),
}

/// The third arm of the CHOICE.
struct Both<'a> {
    seed: &'a OctetStringRef,
    expanded: &'a OctetStringRef,
}

impl<'a> DecodeValue<'a> for Both<'a> {
    type Error = der::Error;

    fn decode_value<R: Reader<'a>>(reader: &mut R, _: Header) -> der::Result<Self> {
        Ok(Self {
            seed: reader.decode()?,
            expanded: reader.decode()?,
        })
    }
}

impl EncodeValue for Both<'_> {
    fn value_len(&self) -> der::Result<Length> {
        use der::Encode;
        self.seed.encoded_len()? + self.expanded.encoded_len()?
    }

    fn encode_value(&self, writer: &mut impl Writer) -> der::Result<()> {
        use der::Encode;
        self.seed.encode(writer)?;
        self.expanded.encode(writer)
    }
}

impl<'a> Sequence<'a> for Both<'a> {}

impl<'a> PrivateKey<'a> {
    const SEED_TAG: TagNumber = TagNumber(0);

    /// Of a document that is for the right algorithm.
    fn in_document(info: &PrivateKeyInfoRef<'a>, algorithm: ObjectIdentifier) -> Result<Self> {
        info.algorithm.assert_algorithm_oid(algorithm)?;
        if info.algorithm.parameters.is_some() {
            return Err(Error::ParametersMalformed);
        }
        let mut reader = der::SliceReader::new(info.private_key.as_bytes())?;
        let key = match Tag::peek(&reader)? {
            Tag::OctetString => Self::Expanded(reader.decode()?),
            Tag::Sequence => Self::Both(Both::decode(&mut reader)?),
            _ => ContextSpecific::decode_implicit(&mut reader, Self::SEED_TAG)?
                .map(|field| Self::Seed(field.value))
                .ok_or(KeyError::Invalid)?,
        };
        reader.finish()?;
        Ok(key)
    }
}

/// The signing key of a seed.
fn read_seed<P: MlDsaParams>(seed: &OctetStringRef) -> Result<SigningKey<P>> {
    match <&[u8; SEED_LEN]>::try_from(seed.as_bytes()) {
        Ok(seed) => Ok(SigningKey::from_seed(seed.into())),
        Err(_) => Err(KeyError::Invalid.into()),
    }
}

/// The signing key of an expanded key.
fn read_expanded<P: MlDsaParams>(expanded: &OctetStringRef) -> Result<ExpandedSigningKey<P>> {
    match <&ExpandedSigningKeyBytes<P>>::try_from(expanded.as_bytes()) {
        Ok(expanded) => {
            ExpandedSigningKey::try_from_expanded(expanded).map_err(|_| KeyError::Invalid.into())
        }
        Err(_) => Err(KeyError::Invalid.into()),
    }
}

/// The signing key of a seed whose expanded key is given, too.
fn read_both<P: MlDsaParams>(both: &Both<'_>) -> Result<SigningKey<P>> {
    let key = read_seed(both.seed)?;
    let mut expanded = ExpandedSigningKeyBytes::<P>::default();
    key.expanded_key().encode_to(&mut expanded);
    let same: bool = crate::ct::eq(&expanded, both.expanded.as_bytes()).into();
    #[cfg(feature = "zeroize")]
    zeroize::Zeroize::zeroize(&mut expanded);
    if crate::ct::declassify(same) {
        Ok(key)
    } else {
        Err(KeyError::Invalid.into())
    }
}

/// Refuses a document of version 2 that carries another key's public key.
fn check_public_key<P: MlDsaParams>(
    info: &PrivateKeyInfoRef<'_>,
    own: impl FnOnce() -> VerifyingKey<P>,
) -> Result<()> {
    match info.public_key {
        None => Ok(()),
        Some(given) if given.as_bytes() == Some(own().as_encoded()) => Ok(()),
        Some(_) => Err(spki::Error::KeyMalformed.into()),
    }
}

/// Reads `seed` and `both`.
///
/// # Errors
/// For everything that the [module](self) says is refused, and for an `expandedKey`, which has no
/// seed: read that as an [`ExpandedSigningKey`].
impl<P> TryFrom<PrivateKeyInfoRef<'_>> for SigningKey<P>
where
    P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>,
{
    type Error = Error;

    fn try_from(info: PrivateKeyInfoRef<'_>) -> Result<Self> {
        let key = match PrivateKey::in_document(&info, P::ALGORITHM_IDENTIFIER.oid)? {
            PrivateKey::Seed(seed) => read_seed(seed)?,
            PrivateKey::Both(both) => read_both(&both)?,
            PrivateKey::Expanded(_) => return Err(KeyError::Invalid.into()),
        };
        check_public_key(&info, || signature::Keypair::verifying_key(&key))?;
        Ok(key)
    }
}

/// Reads `seed`, `expandedKey` and `both`.
///
/// # Errors
/// For everything that the [module](self) says is refused.
impl<P> TryFrom<PrivateKeyInfoRef<'_>> for ExpandedSigningKey<P>
where
    P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>,
{
    type Error = Error;

    fn try_from(info: PrivateKeyInfoRef<'_>) -> Result<Self> {
        match PrivateKey::in_document(&info, P::ALGORITHM_IDENTIFIER.oid)? {
            PrivateKey::Expanded(expanded) => {
                let key = read_expanded(expanded)?;
                check_public_key(&info, || key.verifying_key())?;
                Ok(key)
            }
            _ => SigningKey::try_from(info).map(|key| key.expanded_key().clone()),
        }
    }
}

/// Reads a `SubjectPublicKeyInfo`.
///
/// # Errors
/// When it is for another algorithm, has parameters, or when the key is of the wrong length.
impl<P> TryFrom<SubjectPublicKeyInfoRef<'_>> for VerifyingKey<P>
where
    P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>,
{
    type Error = spki::Error;

    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        info.algorithm
            .assert_algorithm_oid(P::ALGORITHM_IDENTIFIER.oid)?;
        if info.algorithm.parameters.is_some() {
            return Err(spki::Error::KeyMalformed);
        }
        let bytes = info
            .subject_public_key
            .as_bytes()
            .ok_or(spki::Error::KeyMalformed)?;
        let encoded: &EncodedVerifyingKey<P> =
            bytes.try_into().map_err(|_| spki::Error::KeyMalformed)?;
        Ok(Self::decode(encoded))
    }
}

/// What needs a heap.
#[cfg(feature = "alloc")]
mod writing {
    use super::*;
    use core::fmt;
    use der::{
        Encode, TagMode,
        asn1::{BitString, BitStringRef},
        zeroize::Zeroizing,
    };
    use spki::SignatureBitStringEncoding;

    /// The form in which a private key is written: an arm of RFC 9881's CHOICE.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum PrivateKeyForm {
        /// The seed, 32 bytes. What to choose, unless the reader does not know it.
        #[default]
        Seed,
        /// The expanded key: 2560, 4032 or 4896 bytes. The seed cannot be had from it.
        ExpandedKey,
        /// The seed and the expanded key, for readers of either.
        Both,
    }

    /// A signing key that is written in a form of the caller's choice: see
    /// [`SigningKey::in_form`].
    pub struct InForm<'k, P: MlDsaParams> {
        key: &'k SigningKey<P>,
        form: PrivateKeyForm,
    }

    impl<P: MlDsaParams> fmt::Debug for InForm<'_, P> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_struct("InForm")
                .field("form", &self.form)
                .finish_non_exhaustive()
        }
    }

    impl<P: MlDsaParams> SigningKey<P> {
        /// The key, to be written to PKCS#8 in the form that you name.
        ///
        /// ```
        /// use mldsa_simd::pkcs8::{DecodePrivateKey, EncodePrivateKey, PrivateKeyForm};
        /// use mldsa_simd::{MlDsa44, SigningKey};
        ///
        /// let key = SigningKey::<MlDsa44>::from_seed(&[7; 32].into());
        /// let der = key.in_form(PrivateKeyForm::Both).to_pkcs8_der()?;
        /// assert!(SigningKey::<MlDsa44>::from_pkcs8_der(der.as_bytes())? == key);
        /// # Ok::<(), mldsa_simd::pkcs8::Error>(())
        /// ```
        #[must_use]
        pub fn in_form(&self, form: PrivateKeyForm) -> InForm<'_, P> {
            InForm { key: self, form }
        }
    }

    /// The document around a private key.
    fn document<P>(key: &impl Encode) -> Result<SecretDocument>
    where
        P: AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>,
    {
        let der = Zeroizing::new(key.to_der()?);
        let info = PrivateKeyInfoRef::new(P::ALGORITHM_IDENTIFIER, OctetStringRef::new(&der)?);
        Ok(SecretDocument::encode_msg(&info)?)
    }

    /// The expanded key's bytes.
    fn expanded<P: MlDsaParams>(key: &ExpandedSigningKey<P>) -> Zeroizing<alloc::vec::Vec<u8>> {
        let mut bytes = Zeroizing::new(alloc::vec![0; P::SIGNING_KEY_LEN]);
        if let Ok(bytes) = bytes.as_mut_slice().try_into() {
            key.encode_to(bytes);
        }
        bytes
    }

    /// Writes the seed: [`PrivateKeyForm::Seed`].
    impl<P> EncodePrivateKey for SigningKey<P>
    where
        P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>,
    {
        fn to_pkcs8_der(&self) -> Result<SecretDocument> {
            self.in_form(PrivateKeyForm::Seed).to_pkcs8_der()
        }
    }

    impl<P> EncodePrivateKey for InForm<'_, P>
    where
        P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>,
    {
        fn to_pkcs8_der(&self) -> Result<SecretDocument> {
            let seed = OctetStringRef::new(self.key.as_seed())?;
            match self.form {
                PrivateKeyForm::Seed => document::<P>(&ContextSpecific {
                    tag_number: PrivateKey::SEED_TAG,
                    tag_mode: TagMode::Implicit,
                    value: seed,
                }),
                PrivateKeyForm::ExpandedKey => self.key.expanded_key().to_pkcs8_der(),
                PrivateKeyForm::Both => {
                    let expanded = expanded(self.key.expanded_key());
                    document::<P>(&Both {
                        seed,
                        expanded: OctetStringRef::new(&expanded)?,
                    })
                }
            }
        }
    }

    /// Writes [`PrivateKeyForm::ExpandedKey`].
    impl<P> EncodePrivateKey for ExpandedSigningKey<P>
    where
        P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>,
    {
        fn to_pkcs8_der(&self) -> Result<SecretDocument> {
            document::<P>(&OctetStringRef::new(&expanded(self))?)
        }
    }

    /// Writes a `SubjectPublicKeyInfo`.
    impl<P> EncodePublicKey for VerifyingKey<P>
    where
        P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>,
    {
        fn to_public_key_der(&self) -> spki::Result<Document> {
            SubjectPublicKeyInfo {
                algorithm: P::ALGORITHM_IDENTIFIER,
                subject_public_key: BitStringRef::new(0, self.as_encoded())?,
            }
            .try_into()
        }
    }

    /// The signature as X.509 wants it.
    impl<P: MlDsaParams> SignatureBitStringEncoding for Signature<P> {
        fn to_bitstring(&self) -> der::Result<BitString> {
            BitString::new(0, self.as_bytes().to_vec())
        }
    }
}
