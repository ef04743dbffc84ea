//! Signatures: by message and by μ, in contexts, and wrong ones.

use crate::issue::Set;
use crate::{Pair, Result, below, flipped, random};
use mldsa_simd::common::getrandom::SysRng;
use mldsa_simd::{Error, Keypair, Mu, MuBuilder, Signature, VerifyingKey};

/// Wrong signatures with one bit flipped, for each key and signer.
const FLIPS: usize = 32;

impl<P: Set> Pair<'_, P> {
    /// Every message in every context.
    pub(crate) fn signatures(&mut self) -> Result<()> {
        let long = random::<10_000>()?;
        let messages: [&[u8]; 4] = [b"", b"message", &long[..136], &long];
        let contexts: [Option<&[u8]>; 4] = [None, Some(b""), Some(b"context"), Some(&[b'x'; 255])];
        for message in messages {
            for context in contexts {
                self.signed(message, context)?;
            }
        }
        self.long_contexts()
    }

    fn signed(&mut self, message: &[u8], context: Option<&[u8]>) -> Result<()> {
        // We know no difference between no context and the empty one.
        let ctx = context.unwrap_or_default();
        let seed = self.seed();
        let raw = self.public.encode();

        let (head, tail) = message.split_at(below(message.len() + 1)?);
        let mu = MuBuilder::new(&self.public, ctx)?
            .chain(head)
            .chain(tail)
            .finalize();
        let theirs = self.they_of_set(
            "mu",
            &[
                ("public", Some(&raw)),
                ("head", Some(head)),
                ("tail", Some(tail)),
                ("context", context),
            ],
        )?;
        self.that(theirs.bytes("mu") == mu[..], "μ is the same")?;

        let key = self.key.expanded_key();
        let ours = [
            key.sign_deterministic(message, ctx)?,
            key.sign_randomized(message, ctx, &mut SysRng)?,
            key.sign_mu_deterministic(&mu),
            key.sign_mu_randomized(&mu, &mut SysRng)?,
        ];
        for signature in &ours {
            let signature = signature.encode();
            let by_message = self.they_verify(message, context, &signature);
            self.that(by_message, "they verify ours by message")?;
            let by_mu = self.they_verify_mu(&mu, &signature);
            self.that(by_mu, "they verify ours by μ")?;
        }

        let theirs = [
            self.they_of_set(
                "sign",
                &[
                    ("seed", Some(&seed)),
                    ("message", Some(message)),
                    ("context", context),
                ],
            )?,
            self.they_of_set("sign_mu", &[("seed", Some(&seed)), ("mu", Some(&mu))])?,
        ];
        for signature in theirs {
            let signature = Signature::<P>::try_from(&signature.bytes("signature")[..])?;
            let by_message = self.public.verify_with_context(message, ctx, &signature);
            self.that(by_message, "we verify theirs by message")?;
            let by_mu = self.public.verify_mu(&mu, &signature);
            self.that(by_mu, "we verify theirs by μ")?;
        }
        Ok(())
    }

    /// 256 bytes are too many, for signing, for verifying and for μ.
    fn long_contexts(&mut self) -> Result<()> {
        let context = [0; 256];
        let (seed, raw) = (self.seed(), self.public.encode());
        let key = self.key.expanded_key();
        let ours = key.sign_deterministic(b"message", &context);
        let signature = key.sign_deterministic(b"message", &context[1..])?;
        let theirs = self.try_of_set(
            "sign",
            &[
                ("seed", Some(&seed)),
                ("message", Some(b"message")),
                ("context", Some(&context)),
            ],
        );
        self.refused(ours, theirs, "to sign in a context of 256 bytes")?;

        let ours = self
            .public
            .verify_with_context(b"message", &context, &signature);
        self.that(!ours, "we refuse to verify in a context of 256 bytes")?;
        let theirs = self.they_verify(b"message", Some(&context), &signature.encode());
        self.that(!theirs, "they refuse to verify in a context of 256 bytes")?;

        let ours = MuBuilder::new(&self.public, &context);
        let theirs = self.try_of_set(
            "mu",
            &[
                ("public", Some(&raw)),
                ("head", Some(b"")),
                ("tail", Some(b"")),
                ("context", Some(&context)),
            ],
        );
        self.refused(ours, theirs, "μ of a context of 256 bytes")
    }

    /// What is not a signature is one for neither, whoever made it.
    pub(crate) fn wrong_signatures(&mut self) -> Result<()> {
        let (message, context): (&[u8], &[u8]) = (b"message", b"context");
        let seed = self.seed();
        let ours = self
            .key
            .expanded_key()
            .sign_deterministic(message, context)?;
        let theirs = self.they_of_set(
            "sign",
            &[
                ("seed", Some(&seed)),
                ("message", Some(message)),
                ("context", Some(context)),
            ],
        )?;
        let mu = MuBuilder::new(&self.public, context)?
            .chain(message)
            .finalize();
        let right = self.public.clone();
        let other = self.other.verifying_key();

        for signature in [ours.encode().to_vec(), theirs.bytes("signature")] {
            // So that what follows fails for the reason that it gives.
            let accepted = we_verify(&right, message, context, &signature).is_ok()
                && self.they_verify(message, Some(context), &signature);
            self.that(accepted, "both verify the signature that will be changed")?;

            self.wrong(&other, message, context, &signature, "for another key")?;
            self.wrong(
                &right,
                b"massage",
                context,
                &signature,
                "for another message",
            )?;
            self.wrong(&right, b"", context, &signature, "for the empty message")?;
            self.wrong(
                &right,
                message,
                b"contexts",
                &signature,
                "in another context",
            )?;
            self.wrong(&right, message, b"", &signature, "in no context")?;
            // Where message and context meet must matter.
            self.wrong(
                &right,
                b"tmessage",
                b"contex",
                &signature,
                "with the border moved",
            )?;

            let len = signature.len();
            let long = [&signature[..], &[0]].concat();
            for wrong in [
                &[],
                &signature[..1],
                &signature[..len - 1],
                &signature[1..],
                &long,
            ] {
                self.wrong(&right, message, context, wrong, "of the wrong length")?;
            }
            self.wrong(&right, message, context, &vec![0; len], "of zeros")?;
            self.wrong(&right, message, context, &vec![0xff; len], "of ones")?;
            for _ in 0..FLIPS {
                let wrong = flipped(&signature)?;
                self.wrong(&right, message, context, &wrong, "with one bit flipped")?;
            }
            // In the hint, which is a small part at the end.
            for _ in 0..FLIPS {
                let (head, hint) = signature.split_at(len - 64);
                let wrong = [head, &flipped(hint)?].concat();
                self.wrong(
                    &right,
                    message,
                    context,
                    &wrong,
                    "with one bit of the hint flipped",
                )?;
            }

            let wrong = Mu::try_from(&flipped(&mu)?[..])?;
            let parsed = Signature::<P>::try_from(&signature[..])?;
            let ours = self.public.verify_mu(&wrong, &parsed);
            self.that(!ours, "we refuse a signature of another μ")?;
            let theirs = self.they_verify_mu(&wrong, &signature);
            self.that(!theirs, "they refuse a signature of another μ")?;
        }
        Ok(())
    }

    fn wrong(
        &mut self,
        public: &VerifyingKey<P>,
        message: &[u8],
        context: &[u8],
        signature: &[u8],
        what: &str,
    ) -> Result<()> {
        let theirs = self.try_of_set(
            "verify",
            &[
                ("public", Some(public.as_encoded())),
                ("message", Some(message)),
                ("context", Some(context)),
                ("signature", Some(signature)),
            ],
        );
        let ours = we_verify(public, message, context, signature);
        self.refused(
            ours,
            theirs,
            &format!("a signature {what}: {}", hex::encode(signature)),
        )
    }

    fn they_verify(&mut self, message: &[u8], context: Option<&[u8]>, signature: &[u8]) -> bool {
        let raw = self.public.encode();
        self.try_of_set(
            "verify",
            &[
                ("public", Some(&raw)),
                ("message", Some(message)),
                ("context", context),
                ("signature", Some(signature)),
            ],
        )
        .is_ok()
    }

    fn they_verify_mu(&mut self, mu: &[u8], signature: &[u8]) -> bool {
        let raw = self.public.encode();
        self.try_of_set(
            "verify_mu",
            &[
                ("public", Some(&raw)),
                ("mu", Some(mu)),
                ("signature", Some(signature)),
            ],
        )
        .is_ok()
    }
}

fn we_verify<P: Set>(
    public: &VerifyingKey<P>,
    message: &[u8],
    context: &[u8],
    signature: &[u8],
) -> core::result::Result<(), Error> {
    let signature = Signature::<P>::try_from(signature)?;
    if public.verify_with_context(message, context, &signature) {
        Ok(())
    } else {
        Err(Error::new())
    }
}
