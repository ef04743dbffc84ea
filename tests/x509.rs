//! X.509 by the traits: certificates and requests that the `x509-cert` crate builds with our keys,
//! and RFC 9881's example certificates, read by it and verified by us.
#![allow(clippy::std_instead_of_alloc, clippy::unwrap_used, reason = "tests")]

#[macro_use]
mod common;
#[path = "../examples/x509/issue.rs"]
mod issue;
mod vectors;

use common::{Data, key_pair};
use issue::Set;
use mldsa_simd::{KeyExport, MlDsa44, MlDsa65, MlDsa87, Signature, SigningKey, VerifyingKey};
use x509_cert::builder::profile::cabf::Root;
use x509_cert::builder::{Builder, CertificateBuilder};
use x509_cert::certificate::Certificate;
use x509_cert::der::asn1::BitString;
use x509_cert::der::{Decode, DecodePem, Encode};
use x509_cert::ext::pkix::{AuthorityKeyIdentifier, BasicConstraints, SubjectKeyIdentifier};
use x509_cert::request::CertReq;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::SubjectPublicKeyInfoOwned;
use x509_cert::time::Validity;

for_each_set!(
    a_certificate_signed_by_itself,
    a_certificate_issued_to_another,
    a_hedged_certificate,
    a_request,
    every_changed_byte_of_a_certificate_is_refused,
    an_algorithm_that_is_not_the_keys_is_refused,
);

const CA: &str = "CN=Root,O=Example,C=DE";
const SUBJECT: &str = "CN=example.org,O=Example,C=DE";

/// Through DER and back.
fn reread(certificate: &Certificate) -> Certificate {
    let der = certificate.to_der().unwrap();
    let read = Certificate::from_der(&der).unwrap();
    assert_eq!(read, *certificate);
    read
}

fn a_certificate_signed_by_itself<P: Set>() {
    let (key, public) = key_pair::<P>("x509: root");
    let certificate = reread(&issue::self_signed(&key, CA).unwrap());
    assert!(issue::certified_key::<P>(&certificate).unwrap() == public);
    issue::verify_certificate(&certificate, &public).unwrap();

    let signed = certificate.tbs_certificate();
    assert_eq!(signed.subject().to_string(), CA);
    assert_eq!(signed.issuer(), signed.subject());
    let (_, constraints) = signed.get_extension::<BasicConstraints>().unwrap().unwrap();
    assert!(constraints.ca);
    // RFC 9881, section 2: identifiers without parameters, the same three times.
    for algorithm in [
        signed.signature(),
        certificate.signature_algorithm(),
        &signed.subject_public_key_info().algorithm,
    ] {
        assert_eq!(algorithm.oid, P::ALGORITHM_IDENTIFIER.oid);
        assert!(algorithm.parameters.is_none());
    }

    let (_, other) = key_pair::<P>("x509: not the root");
    assert!(issue::verify_certificate(&certificate, &other).is_err());
}

fn a_certificate_issued_to_another<P: Set>() {
    let (ca, ca_public) = key_pair::<P>("x509: issuer");
    let root = issue::self_signed(&ca, CA).unwrap();
    // Issuer and subject may use different sets.
    let (_, public) = key_pair::<MlDsa65>("x509: subject");
    let certificate = reread(&issue::issued_by(&ca, CA, &public, SUBJECT).unwrap());
    issue::verify_certificate(&certificate, &ca_public).unwrap();
    assert!(issue::certified_key::<MlDsa65>(&certificate).unwrap() == public);
    // It is no certificate of the subject's own.
    assert!(issue::verify_certificate(&certificate, &public).is_err());

    // The chain: names and key identifiers.
    let (above, below) = (root.tbs_certificate(), certificate.tbs_certificate());
    assert_eq!(below.issuer(), above.subject());
    let (_, own) = above
        .get_extension::<SubjectKeyIdentifier>()
        .unwrap()
        .unwrap();
    let (_, authority) = below
        .get_extension::<AuthorityKeyIdentifier>()
        .unwrap()
        .unwrap();
    assert_eq!(authority.key_identifier, Some(own.0));
}

fn a_hedged_certificate<P: Set>() {
    let (key, public) = key_pair::<P>("x509: hedged");
    let mut rng = Data::new("x509: hedged, rnd");
    let validity = Validity::from_now(core::time::Duration::from_secs(60)).unwrap();
    let [first, second] = [(); 2].map(|()| {
        let builder = CertificateBuilder::new(
            Root::new(false, CA.parse().unwrap()).unwrap(),
            SerialNumber::from(7_u32),
            validity,
            SubjectPublicKeyInfoOwned::from_key(&public).unwrap(),
        );
        let certificate = builder
            .unwrap()
            .build_with_rng::<_, Signature<P>, _>(&key, &mut rng)
            .unwrap();
        issue::verify_certificate(&certificate, &public).unwrap();
        certificate
    });
    assert_eq!(first.tbs_certificate(), second.tbs_certificate());
    assert_ne!(first.signature(), second.signature());
}

fn a_request<P: Set>() {
    let (key, public) = key_pair::<P>("x509: request");
    let request = issue::request(&key, SUBJECT, "example.org").unwrap();
    let der = request.to_der().unwrap();
    let read = CertReq::from_der(&der).unwrap();
    assert_eq!(read, request);
    assert!(issue::verify_request::<P>(&read).unwrap() == public);
    assert_eq!(read.info.subject.to_string(), SUBJECT);
    assert_eq!(read.info.attributes.len(), 1);

    // For another name, or with another key, the signature is none.
    let mut renamed = request.clone();
    renamed.info.subject = CA.parse().unwrap();
    assert!(issue::verify_request::<P>(&renamed).is_err());
    let (_, other) = key_pair::<P>("x509: another request");
    let mut stolen = request;
    stolen.info.public_key = SubjectPublicKeyInfoOwned::from_key(&other).unwrap();
    assert!(issue::verify_request::<P>(&stolen).is_err());
}

fn every_changed_byte_of_a_certificate_is_refused<P: Set>() {
    let (key, public) = key_pair::<P>("x509: changed");
    let der = issue::self_signed(&key, CA).unwrap().to_der().unwrap();
    let accepts = |der: &[u8]| {
        Certificate::from_der(der)
            .is_ok_and(|certificate| issue::verify_certificate(&certificate, &public).is_ok())
    };
    assert!(accepts(&der));
    // All of the structure around the key, and samples of the long fields.
    let mut data = Data::new("x509: bits");
    let structure = 400.min(der.len());
    for at in (0..structure).chain((structure..der.len()).step_by(37)) {
        let mut changed = der.clone();
        changed[at] ^= 1 << data.below(8);
        assert!(!accepts(&changed), "byte {at}");
    }
    for end in [0, 1, der.len() >> 1, der.len() - 1] {
        assert!(!accepts(&der[..end]), "the first {end} bytes");
    }
    assert!(!accepts(&[&der[..], &[0]].concat()));
}

fn an_algorithm_that_is_not_the_keys_is_refused<P: Set>() {
    let (key, public) = key_pair::<P>("x509: algorithm");
    let request = issue::request(&key, SUBJECT, "example.org").unwrap();
    issue::verify_request::<P>(&request).unwrap();
    // HashML-DSA's identifier of the same set, Ed25519's.
    for oid in ["2.16.840.1.101.3.4.3.32", "1.3.101.112"] {
        let mut changed = request.clone();
        changed.algorithm.oid = oid.parse().unwrap();
        assert!(issue::verify_request::<P>(&changed).is_err());
        let mut changed = request.clone();
        changed.info.public_key.algorithm.oid = oid.parse().unwrap();
        assert!(issue::verify_request::<P>(&changed).is_err());
    }
    let mut changed = request.clone();
    changed.algorithm.parameters = Some(x509_cert::der::Any::null());
    assert!(issue::verify_request::<P>(&changed).is_err());
    // A bit string that is not a whole number of bytes.
    let mut changed = request;
    let bytes = changed.signature.raw_bytes().to_vec();
    changed.signature =
        BitString::new(1, bytes.iter().map(|byte| byte & 0xfe).collect::<Vec<_>>()).unwrap();
    assert!(issue::verify_request::<P>(&changed).is_err());

    // Certificates of other issuers: the algorithm of one of them, at least, is another set's.
    let (other, _) = key_pair::<MlDsa44>("x509: another algorithm");
    let (other_87, _) = key_pair::<MlDsa87>("x509: another algorithm");
    for certificate in [
        issue::issued_by(&other, CA, &public, SUBJECT).unwrap(),
        issue::issued_by(&other_87, CA, &public, SUBJECT).unwrap(),
    ] {
        assert!(issue::verify_certificate(&certificate, &public).is_err());
    }
}

#[test]
fn the_certificates_of_rfc_9881_verify() {
    fn run<P: Set>(name: &str) -> usize {
        let what = format!("RFC 9881 {name}.crt");
        let Some(pem) = vectors::text(&what, &format!("rfc9881/{name}.crt")) else {
            return 0;
        };
        let certificate = Certificate::from_pem(pem.as_bytes()).unwrap();
        // The examples' seed: 00 01 02 … 1f.
        let seed: [u8; 32] = core::array::from_fn(|i| i as u8);
        let key = SigningKey::<P>::from_seed(&seed.into());
        let certified: VerifyingKey<P> = issue::certified_key(&certificate).unwrap();
        assert_eq!(
            certified.to_bytes(),
            key.expanded_key().verifying_key().to_bytes()
        );
        issue::verify_certificate(&certificate, &certified).unwrap();

        // One byte of the name changed.
        let mut der = certificate.to_der().unwrap();
        let name = b"LAMPS";
        let at = der.windows(name.len()).position(|window| window == name);
        der[at.unwrap()] ^= 1;
        let renamed = Certificate::from_der(&der).unwrap();
        assert!(issue::verify_certificate(&renamed, &certified).is_err());
        1
    }
    let ran =
        run::<MlDsa44>("ML-DSA-44") + run::<MlDsa65>("ML-DSA-65") + run::<MlDsa87>("ML-DSA-87");
    if vectors::folder("RFC 9881 certificates, by x509-cert").is_some() {
        assert_eq!(ran, 3);
        vectors::say(&format!("RFC 9881 certificates, by x509-cert {ran}"));
    } else {
        assert_eq!(ran, 0);
    }
}
