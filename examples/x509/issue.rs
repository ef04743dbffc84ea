//! Certificates and requests: issued, and verified. Nothing here is special to ML-DSA but the
//! names: the `x509-cert` crate's builder takes any key that implements the `signature` and `spki`
//! traits.

use core::error::Error;
use core::str::FromStr;
use core::time::Duration;
use mldsa_simd::pkcs8::spki::{AlgorithmIdentifierOwned, AssociatedAlgorithmIdentifier};
use mldsa_simd::{MlDsaParams, Signature, SigningKey, Verifier, VerifyingKey};
use x509_cert::builder::profile::BuilderProfile;
use x509_cert::builder::profile::cabf::{Root, tls::Subordinate};
use x509_cert::builder::{Builder, CertificateBuilder, RequestBuilder};
use x509_cert::certificate::Certificate;
use x509_cert::der::Encode;
use x509_cert::der::asn1::{AnyRef, BitString, Ia5String};
use x509_cert::der::referenced::OwnedToRef;
use x509_cert::ext::pkix::{SubjectAltName, name::GeneralName};
use x509_cert::name::Name;
use x509_cert::request::CertReq;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::SubjectPublicKeyInfoOwned;
use x509_cert::time::Validity;

pub(crate) type Result<T> = core::result::Result<T, Box<dyn Error>>;

/// A parameter set that X.509 has an identifier for.
pub(crate) trait Set:
    MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>
{
}

impl<P> Set for P where P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>> {}

/// How long a certificate is valid: a day.
const LIFE: Duration = Duration::from_secs(24 * 60 * 60);

/// A certificate that `key` issues to itself.
pub(crate) fn self_signed<P: Set>(key: &SigningKey<P>, subject: &str) -> Result<Certificate> {
    let profile = Root::new(false, Name::from_str(subject)?)?;
    issue(profile, key, key.as_ref())
}

/// A certificate that the key `ca`, whose name is `issuer`, issues to the owner of `key`.
pub(crate) fn issued_by<P: Set, Q: Set>(
    ca: &SigningKey<P>,
    issuer: &str,
    key: &VerifyingKey<Q>,
    subject: &str,
) -> Result<Certificate> {
    let profile = Subordinate {
        issuer: Name::from_str(issuer)?,
        subject: Name::from_str(subject)?,
        path_len_constraint: Some(0),
        emits_ocsp_response: false,
        client_auth: false,
    };
    issue(profile, ca, key)
}

fn issue<P: Set, Q: Set>(
    profile: impl BuilderProfile,
    ca: &SigningKey<P>,
    key: &VerifyingKey<Q>,
) -> Result<Certificate> {
    let builder = CertificateBuilder::new(
        profile,
        SerialNumber::from(42_u32),
        Validity::from_now(LIFE)?,
        SubjectPublicKeyInfoOwned::from_key(key)?,
    )?;
    Ok(builder.build::<_, Signature<P>>(ca)?)
}

/// A request for a certificate for `key`, which serves the host `host`.
pub(crate) fn request<P: Set>(key: &SigningKey<P>, subject: &str, host: &str) -> Result<CertReq> {
    let mut builder = RequestBuilder::new(Name::from_str(subject)?)?;
    let name = GeneralName::DnsName(Ia5String::new(host)?);
    builder.add_extension(&SubjectAltName(vec![name]))?;
    Ok(builder.build::<_, Signature<P>>(key)?)
}

/// The key that a certificate certifies.
pub(crate) fn certified_key<P: Set>(certificate: &Certificate) -> Result<VerifyingKey<P>> {
    let info = certificate.tbs_certificate().subject_public_key_info();
    Ok(VerifyingKey::try_from(info.owned_to_ref())?)
}

/// Verifies the signature of a certificate. Whether it is still valid, and what it may be used for,
/// is another question.
pub(crate) fn verify_certificate<P: Set>(
    certificate: &Certificate,
    issuer: &VerifyingKey<P>,
) -> Result<()> {
    let signed = certificate.tbs_certificate();
    // RFC 5280, section 4.1.1.2: the algorithm is named twice, and both must agree.
    if signed.signature() != certificate.signature_algorithm() {
        return Err("the certificate names two signature algorithms".into());
    }
    let algorithm = certificate.signature_algorithm();
    verify(signed, algorithm, certificate.signature(), issuer)
}

/// Verifies that whoever requests a certificate has the private key; returns the public one.
pub(crate) fn verify_request<P: Set>(request: &CertReq) -> Result<VerifyingKey<P>> {
    let key = VerifyingKey::try_from(request.info.public_key.owned_to_ref())?;
    verify(&request.info, &request.algorithm, &request.signature, &key)?;
    Ok(key)
}

fn verify<P: Set>(
    signed: &impl Encode,
    algorithm: &AlgorithmIdentifierOwned,
    signature: &BitString,
    key: &VerifyingKey<P>,
) -> Result<()> {
    if algorithm.owned_to_ref() != P::ALGORITHM_IDENTIFIER {
        return Err(format!(
            "signed with {}, not with the issuer's algorithm",
            algorithm.oid
        )
        .into());
    }
    let signature = signature.as_bytes().ok_or("not a whole number of bytes")?;
    let signature = Signature::<P>::try_from(signature)?;
    Ok(key.verify(&signed.to_der()?, &signature)?)
}
