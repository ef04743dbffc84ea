//! Keys: what one writes the other reads, and it is the same to the last byte.

use crate::issue::Set;
use crate::{Pair, Result};
use mldsa_simd::pkcs8::der::asn1::{AnyRef, BitStringRef, OctetStringRef};
use mldsa_simd::pkcs8::der::{Encode, SecretDocument};
use mldsa_simd::pkcs8::{
    AlgorithmIdentifierRef, DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey,
    LineEnding, ObjectIdentifier, PrivateKeyForm, PrivateKeyInfoRef, SubjectPublicKeyInfoRef,
};
use mldsa_simd::{KeyInit, SigningKey, VerifyingKey};
use std::str;

const PASSWORD: &[u8] = b"correct horse battery staple";

/// HashML-DSA-44, and Ed25519.
const OTHER_ALGORITHMS: [ObjectIdentifier; 2] = [
    ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.3.32"),
    ObjectIdentifier::new_unwrap("1.3.101.112"),
];

impl<P: Set> Pair<'_, P> {
    pub(crate) fn private_keys(&mut self) -> Result<()> {
        let seed = self.seed();
        let pem = self.key.to_pkcs8_pem(LineEnding::LF)?;
        let der = self.key.to_pkcs8_der()?;
        let locked = self.key.to_pkcs8_encrypted_pem(PASSWORD, LineEnding::LF)?;

        let written = self.they_of_set(
            "write_private",
            &[("seed", Some(&seed)), ("password", Some(PASSWORD))],
        )?;
        let their_pem = written.bytes("pem");
        let their_pem = str::from_utf8(&their_pem)?;
        let their_der = written.bytes("der");
        let their_locked = written.bytes("locked");
        let their_locked = str::from_utf8(&their_locked)?;
        self.that(their_pem == *pem, "PKCS#8 PEM is the same")?;
        self.that(their_der == der.as_bytes(), "PKCS#8 DER is the same")?;

        let read = SigningKey::<P>::from_pkcs8_pem(their_pem)?;
        self.that(read == self.key, "we read their PEM")?;
        let read = SigningKey::<P>::from_pkcs8_der(&their_der)?;
        self.that(read == self.key, "we read their DER")?;
        let read = SigningKey::<P>::from_pkcs8_encrypted_pem(their_locked, PASSWORD)?;
        self.that(read == self.key, "we read their encrypted PEM")?;

        let answers = [
            self.they("read_private", &[("pem", Some(pem.as_bytes()))])?,
            self.they("read_private", &[("der", Some(der.as_bytes()))])?,
            self.they(
                "read_private",
                &[
                    ("pem", Some(locked.as_bytes())),
                    ("password", Some(PASSWORD)),
                ],
            )?,
            self.they_of_set("read_seed", &[("seed", Some(&seed))])?,
        ];
        for read in answers {
            let same = read.bytes("seed") == seed[..] && self.is_ours(&read);
            self.that(same, "they read our private key")?;
        }
        self.wrong_private_keys(der.as_bytes(), their_locked, &locked)
    }

    fn wrong_private_keys(&mut self, der: &[u8], theirs: &str, ours: &str) -> Result<()> {
        let seed = self.seed();
        let algorithm = P::ALGORITHM_IDENTIFIER;
        let document = |algorithm, private_key: &[u8]| -> Result<SecretDocument> {
            let info = PrivateKeyInfoRef::new(algorithm, OctetStringRef::new(private_key)?);
            Ok(SecretDocument::encode_msg(&info)?)
        };
        let short = [&[0x80, 31], &seed[1..]].concat();
        let right = [&[0x80, 32], &seed[..]].concat();
        let with_null = AlgorithmIdentifierRef {
            parameters: Some(AnyRef::NULL),
            ..algorithm
        };
        let mut wrong = vec![
            ("a truncated document", der[..der.len() - 1].to_vec()),
            ("data after the document", [der, &[0]].concat()),
            ("no document", Vec::new()),
            (
                "a seed of 31 bytes",
                document(algorithm, &short)?.as_bytes().to_vec(),
            ),
            (
                "a seed without its tag",
                document(algorithm, &seed)?.as_bytes().to_vec(),
            ),
            (
                "data after the seed",
                document(algorithm, &[&right[..], &[0]].concat())?
                    .as_bytes()
                    .to_vec(),
            ),
            (
                "algorithm parameters",
                document(with_null, &right)?.as_bytes().to_vec(),
            ),
        ];
        for oid in OTHER_ALGORITHMS {
            let other = AlgorithmIdentifierRef { oid, ..algorithm };
            let document = document(other, &right)?.as_bytes().to_vec();
            wrong.push(("another algorithm", document));
        }
        // One that both refuse: each half is a key, and they are different keys.
        let mut both = self
            .key
            .in_form(PrivateKeyForm::Both)
            .to_pkcs8_der()?
            .as_bytes()
            .to_vec();
        let at = both.windows(32).position(|window| *window == seed[..]);
        both[at.ok_or("no seed in it")?] ^= 1;
        wrong.push(("a seed and an expanded key that disagree", both));

        for (what, wrong) in wrong {
            let theirs = self
                .peer
                .ask("read_private", None, &[("der", Some(&wrong))]);
            self.refused(SigningKey::<P>::from_pkcs8_der(&wrong), theirs, what)?;
        }
        for len in [0, 31, 33, 64] {
            let seed = vec![7; len];
            let theirs = self.try_of_set("read_seed", &[("seed", Some(&seed))]);
            let ours = SigningKey::<P>::new_from_slice(&seed);
            self.refused(ours, theirs, "a raw seed of the wrong length")?;
        }
        for locked in [ours, theirs] {
            let password: &[u8] = b"battery staple correct horse";
            let theirs = self.peer.ask(
                "read_private",
                None,
                &[
                    ("pem", Some(locked.as_bytes())),
                    ("password", Some(password)),
                ],
            );
            let ours = SigningKey::<P>::from_pkcs8_encrypted_pem(locked, password);
            self.refused(ours, theirs, "a wrong password")?;
        }
        Ok(())
    }

    pub(crate) fn public_keys(&mut self) -> Result<()> {
        let raw = self.public.encode();
        let pem = self.public.to_public_key_pem(LineEnding::LF)?;
        let der = self.public.to_public_key_der()?;

        let written = self.they_of_set("write_public", &[("public", Some(&raw))])?;
        let their_pem = written.bytes("pem");
        let their_pem = str::from_utf8(&their_pem)?;
        let their_der = written.bytes("der");
        self.that(their_pem == pem, "SPKI PEM is the same")?;
        self.that(their_der == der.as_bytes(), "SPKI DER is the same")?;

        let read = VerifyingKey::<P>::from_public_key_pem(their_pem)?;
        self.that(read == self.public, "we read their PEM")?;
        let read = VerifyingKey::<P>::from_public_key_der(&their_der)?;
        self.that(read == self.public, "we read their DER")?;
        let seed = self.seed();
        let generated = self.they_of_set("read_seed", &[("seed", Some(&seed))])?;
        let read = VerifyingKey::<P>::new_from_slice(&generated.bytes("public"))?;
        self.that(
            read == self.public,
            "we read their raw key, and it is the seed's",
        )?;

        let answers = [
            self.they("read_public", &[("pem", Some(pem.as_bytes()))])?,
            self.they("read_public", &[("der", Some(der.as_bytes()))])?,
            self.they_of_set("read_public_raw", &[("public", Some(&raw))])?,
        ];
        for read in answers {
            let same = self.is_ours(&read);
            self.that(same, "they read our public key")?;
        }
        self.wrong_public_keys(der.as_bytes(), &raw)
    }

    fn wrong_public_keys(&mut self, der: &[u8], raw: &[u8]) -> Result<()> {
        let algorithm = P::ALGORITHM_IDENTIFIER;
        let document = |algorithm, unused, key: &[u8]| -> Result<Vec<u8>> {
            let subject_public_key = BitStringRef::new(unused, key)?;
            let info = SubjectPublicKeyInfoRef {
                algorithm,
                subject_public_key,
            };
            Ok(info.to_der()?)
        };
        let with_null = AlgorithmIdentifierRef {
            parameters: Some(AnyRef::NULL),
            ..algorithm
        };
        let mut even = raw.to_vec();
        even[raw.len() - 1] &= 0xfe;
        let long = [raw, &[0]].concat();
        let mut wrong = vec![
            ("a truncated document", der[..der.len() - 1].to_vec()),
            ("data after the document", [der, &[0]].concat()),
            ("no document", Vec::new()),
            ("a short key", document(algorithm, 0, &raw[1..])?),
            ("a long key", document(algorithm, 0, &long)?),
            (
                "a key that is not a whole number of bytes",
                document(algorithm, 1, &even)?,
            ),
            ("algorithm parameters", document(with_null, 0, raw)?),
        ];
        for oid in OTHER_ALGORITHMS {
            let other = AlgorithmIdentifierRef { oid, ..algorithm };
            wrong.push(("another algorithm", document(other, 0, raw)?));
        }
        for (what, wrong) in wrong {
            let theirs = self.peer.ask("read_public", None, &[("der", Some(&wrong))]);
            self.refused(VerifyingKey::<P>::from_public_key_der(&wrong), theirs, what)?;
        }
        for raw in [&[], &raw[1..], &long] {
            let theirs = self.try_of_set("read_public_raw", &[("public", Some(raw))]);
            let ours = VerifyingKey::<P>::new_from_slice(raw);
            self.refused(ours, theirs, "a raw key of the wrong length")?;
        }
        Ok(())
    }
}
