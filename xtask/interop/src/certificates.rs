//! X.509: certificates and requests that one issues and the other verifies.

use crate::issue::{self, Set};
use crate::{Pair, Result};
use mldsa_simd::Keypair;
use x509_cert::certificate::Certificate;
use x509_cert::der::{Decode, Encode};
use x509_cert::request::CertReq;

const ISSUER: &str = "CN=issuer,O=Example,C=DE";
const SUBJECT: &str = "CN=example.org,O=Example,C=DE";

impl<P: Set> Pair<'_, P> {
    pub(crate) fn certificates(&mut self) -> Result<()> {
        let (seed, other_seed) = (self.seed(), self.other.to_seed());
        let other = self.other.verifying_key();
        let raw = other.encode();

        // A root, a certificate below it, and a root of the same name with another key.
        let ours = [
            issue::self_signed(&self.key, ISSUER)?.to_der()?,
            issue::issued_by(&self.key, ISSUER, &other, SUBJECT)?.to_der()?,
            issue::self_signed(&self.other, ISSUER)?.to_der()?,
        ];
        let theirs = [
            self.they_of_set("issue", &[("seed", Some(&seed))])?,
            self.they_of_set("issue", &[("seed", Some(&seed)), ("public", Some(&raw))])?,
            self.they_of_set("issue", &[("seed", Some(&other_seed))])?,
        ]
        .map(|issued| issued.bytes("der"));
        for [root, leaf, wrong_root] in [&ours, &theirs] {
            self.chain(root, leaf, wrong_root)?;
        }

        let ours = issue::request(&self.key, SUBJECT, "example.org")?.to_der()?;
        let theirs = self.they_of_set("request", &[("seed", Some(&seed))])?;
        for request in [ours, theirs.bytes("der")] {
            self.request(&request)?;
        }
        Ok(())
    }

    fn chain(&mut self, root: &[u8], leaf: &[u8], wrong_root: &[u8]) -> Result<()> {
        let (public, other) = (self.public.clone(), self.other.verifying_key());

        let parsed = Certificate::from_der(root)?;
        self.that(parsed.to_der()? == root, "a root has one encoding")?;
        let same = issue::certified_key::<P>(&parsed)? == public;
        self.that(same, "we read the root's key")?;
        let accepted = issue::verify_certificate(&parsed, &public).is_ok();
        self.that(accepted, "we verify the root")?;
        let checked = self.they_check(root, root)?;
        let same = self.is_ours(&checked);
        self.that(same, "they verify the root and read its key")?;

        let parsed = Certificate::from_der(leaf)?;
        let same = issue::certified_key::<P>(&parsed)? == other;
        self.that(same, "we read the leaf's key")?;
        let accepted = issue::verify_certificate(&parsed, &public).is_ok();
        self.that(accepted, "we verify the leaf")?;
        let checked = self.they_check(leaf, root)?;
        let same = checked.bytes("public") == other.encode()[..];
        self.that(same, "they verify the leaf and read its key")?;

        self.wrong_issuer(leaf, wrong_root, "the root of another key")?;
        for (what, changed) in changes(leaf)? {
            self.wrong_issuer(&changed, root, what)?;
        }
        Ok(())
    }

    fn they_check(&mut self, certificate: &[u8], issuer: &[u8]) -> Result<crate::Done> {
        self.they(
            "check_certificate",
            &[("certificate", Some(certificate)), ("issuer", Some(issuer))],
        )
    }

    fn wrong_issuer(&mut self, certificate: &[u8], issuer: &[u8], what: &str) -> Result<()> {
        let theirs = self.peer.ask(
            "check_certificate",
            None,
            &[("certificate", Some(certificate)), ("issuer", Some(issuer))],
        );
        let issuer = issue::certified_key::<P>(&Certificate::from_der(issuer)?)?;
        let ours = Certificate::from_der(certificate)
            .map_err(Into::into)
            .and_then(|certificate| issue::verify_certificate(&certificate, &issuer));
        self.refused(ours, theirs, what)
    }

    fn request(&mut self, request: &[u8]) -> Result<()> {
        let key = issue::verify_request::<P>(&CertReq::from_der(request)?)?;
        let same = key == self.public;
        self.that(same, "we verify the request and read its key")?;
        let checked = self.they("check_request", &[("request", Some(request))])?;
        let same = self.is_ours(&checked);
        self.that(same, "they verify the request and read its key")?;

        for (what, changed) in changes(request)? {
            let theirs = self
                .peer
                .ask("check_request", None, &[("request", Some(&changed))]);
            let ours = CertReq::from_der(&changed)
                .map_err(Into::into)
                .and_then(|request| issue::verify_request::<P>(&request));
            self.refused(ours, theirs, what)?;
        }
        Ok(())
    }
}

/// Changes that the signature must notice.
fn changes(der: &[u8]) -> Result<[(&'static str, Vec<u8>); 4]> {
    // The object identifier of names, 2.5.4.3, then tag and length of the text.
    let name = [0x55, 0x04, 0x03];
    let name = der.windows(3).rposition(|window| window == name);
    let name = name.ok_or("no common name")? + 5;
    let change = |at: usize| {
        let mut changed = der.to_vec();
        changed[at] ^= 1;
        changed
    };
    Ok([
        ("a changed name", change(name)),
        ("a changed byte of the signature", change(der.len() - 2000)),
        ("a changed last byte of the hint", change(der.len() - 1)),
        ("a truncated document", der[..der.len() - 1].to_vec()),
    ])
}
