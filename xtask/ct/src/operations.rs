//! Everything that is done with secrets.

use crate::check::{Report, hidden};
use core::convert::Infallible;
use core::hint::black_box;
use mldsa_simd::ctgrind::{poison, publish};
use mldsa_simd::pkcs8::spki::AssociatedAlgorithmIdentifier;
use mldsa_simd::pkcs8::{DecodePrivateKey, EncodePrivateKey, PrivateKeyForm, der::asn1::AnyRef};
use mldsa_simd::signature::rand_core::{TryCryptoRng, TryRng};
use mldsa_simd::signature::{
    DigestSigner, MultipartSigner, RandomizedDigestSigner, RandomizedMultipartSigner,
    RandomizedSigner,
};
use mldsa_simd::{
    B32, EncodedSignature, EncodedVerifyingKey, ExpandedSigningKey, ExpandedSigningKeyBytes,
    Generate, Keypair, MlDsaParams, MuBuilder, Seed, Signature, Signer, SigningKey, VerifyingKey,
    low_memory,
};
use sha2::Sha256;

pub(crate) trait Set:
    MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>
{
}
impl<P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>> Set for P {}

const SEED: [u8; 32] = *b"the seed, which nobody may know!";
const RND: [u8; 32] = *b"the randomness of one signature.";
const MESSAGE: &[u8] = b"a message";
const CONTEXT: &[u8] = b"a context";

/// Yields the same 32 secret bytes again and again.
struct Hidden([u8; 32]);

impl TryRng for Hidden {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_ne_bytes(bytes))
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_ne_bytes(bytes))
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        for (to, from) in out.iter_mut().zip(self.0.iter().cycle()) {
            *to = *from;
        }
        poison(out);
        Ok(())
    }
}
impl TryCryptoRng for Hidden {}

pub(crate) fn operations<P: Set>(report: &mut Report) {
    // What should come out, computed with nothing hidden.
    let model = SigningKey::<P>::from_seed(&Seed::from(SEED));
    let public = VerifyingKey::<P>::decode(&model.verifying_key().encode());
    let model = Forms::of(&model, &public);

    let key = report.silent("key generation", || {
        SigningKey::<P>::from_seed(&Seed::from(hidden(&SEED)))
    });
    check_key(report, &key, &public);
    sign(report, "held key", &key, &public, &model);

    let generated = report.silent("key generation from a generator", || {
        SigningKey::<P>::try_generate_from_rng(&mut Hidden(SEED))
    });
    let Ok(generated) = generated;
    check_key(report, &generated, &public);

    let expanded = report.silent("expansion of a seed", || {
        ExpandedSigningKey::<P>::from_seed(&Seed::from(hidden(&SEED)))
    });
    sign_expanded(report, "expanded key", &expanded, &public, &model);

    let bytes = report.silent("encoding", || encode(&expanded));
    report.secret("the encoded key", &bytes);
    report.public("ρ", &bytes[..32]);
    // All of them, what is public in them, too.
    let bytes = || {
        let mut bytes = encode(&expanded);
        poison(&mut bytes);
        bytes
    };
    let checked = report.silent("checked import", || {
        let Ok(bytes) = bytes()
            .as_slice()
            .try_into()
            .map(ExpandedSigningKey::<P>::try_from_expanded)
        else {
            unreachable!("it has the right length");
        };
        bytes
    });
    match checked {
        Ok(checked) => {
            sign_expanded(report, "imported key", &checked, &public, &model);
            let same = report.silent("comparison", || ct_equal(&checked, &expanded));
            report.secret("whether keys are equal", &[same]);
        }
        Err(_) => report.expect(false, "the import failed"),
    }
    #[allow(deprecated, reason = "as long as it is there")]
    let unchecked = report.silent("unchecked import", || {
        bytes()
            .as_slice()
            .try_into()
            .map(ExpandedSigningKey::<P>::from_expanded)
    });
    match unchecked {
        Ok(unchecked) => sign_expanded(report, "unchecked key", &unchecked, &public, &model),
        Err(_) => report.expect(false, "the import failed"),
    }

    documents(report, &key, &public, &model);
    // But for ρ, which is in the public key: signing reads it where it stands.
    let mut but_rho = bytes();
    publish(&mut but_rho[..32]);
    from_bytes(report, &but_rho, &public, &model);
    report.silent("dropping", || drop((key, generated, expanded)));
}

/// Enough to pass every declassification, and the looks that callers may take at what comes out.
pub(crate) fn briefly<P: Set>() {
    let clear = SigningKey::<P>::from_seed(&Seed::from(SEED));
    let key = SigningKey::<P>::from_seed(&Seed::from(hidden(&SEED)));
    let public = key.verifying_key();
    let _ = black_box(public == clear.verifying_key());
    if let Ok(signature) = key.try_sign(MESSAGE) {
        let _ = black_box(Signature::<P>::decode(&signature.encode()));
    }
    let mut bytes = encode(clear.expanded_key());
    poison(&mut bytes);
    let _ = black_box(
        bytes
            .as_slice()
            .try_into()
            .map(ExpandedSigningKey::<P>::try_from_expanded),
    );
    let seed = Seed::from(hidden(&SEED));
    let mut made = EncodedVerifyingKey::<P>::default();
    low_memory::key_gen::<P>(&seed, &mut made);
    let _ = black_box(VerifyingKey::<P>::decode(&made) == public);
    let mut signature = EncodedSignature::<P>::default();
    if low_memory::sign::<P>(&seed, MESSAGE, b"", &B32::default(), &mut signature).is_ok() {
        let _ = black_box(Signature::<P>::decode(&signature));
    }
    if let Ok(document) = clear.in_form(PrivateKeyForm::Both).to_pkcs8_der() {
        let mut document = document.as_bytes().to_vec();
        if let Some(last) = document.last_mut() {
            poison(core::slice::from_mut(last));
        }
        let _ = black_box(SigningKey::<P>::from_pkcs8_der(&document));
    }
}

fn check_key<P: Set>(report: &mut Report, key: &SigningKey<P>, public: &VerifyingKey<P>) {
    report.secret("the seed", key.as_seed());
    report.secret("the expanded key", &encode(key.expanded_key()));
    let made = report.silent("the verifying key", || key.verifying_key().encode());
    report.public("the verifying key", &made);
    report.expect(made == public.encode(), "another verifying key");
}

#[allow(deprecated, reason = "as long as it is there")]
fn encode<P: Set>(key: &ExpandedSigningKey<P>) -> Vec<u8> {
    key.to_expanded().to_vec()
}

fn ct_equal<P: Set>(a: &ExpandedSigningKey<P>, b: &ExpandedSigningKey<P>) -> u8 {
    mldsa_simd::ctgrind::ct_equal(a, b)
}

/// Signatures of one message, made in every way.
struct Forms<P: Set> {
    plain: Vec<u8>,
    in_context: Vec<u8>,
    hedged: Vec<u8>,
    hashed: Vec<u8>,
    internal: Vec<u8>,
    set: core::marker::PhantomData<P>,
}

fn bytes_of<P: Set>(signature: &Signature<P>) -> Vec<u8> {
    signature.encode().to_vec()
}

impl<P: Set> Forms<P> {
    /// The signatures of the key in the clear, after the verifier accepted them.
    fn of(key: &SigningKey<P>, public: &VerifyingKey<P>) -> Self {
        let expanded = key.expanded_key();
        let rnd = B32::from(RND);
        let in_context = expanded.sign_deterministic(MESSAGE, CONTEXT);
        let hashed: Signature<P> = key.hash_ml_dsa::<Sha256>().sign(MESSAGE);
        let hedged = expanded.sign_internal(&[&[0, 0], MESSAGE], &rnd);
        assert!(public.verify_with_context(MESSAGE, b"", &hedged));
        Self {
            plain: bytes_of::<P>(&key.sign(MESSAGE)),
            in_context: in_context
                .map(|signature| bytes_of(&signature))
                .unwrap_or_default(),
            hedged: bytes_of(&hedged),
            hashed: bytes_of(&hashed),
            internal: bytes_of(&expanded.sign_internal(&[MESSAGE], &rnd)),
            set: core::marker::PhantomData,
        }
    }
}

/// A signature must be the one in the clear, and public.
fn check<P: Set>(
    report: &mut Report,
    what: &str,
    expected: &[u8],
    signing: impl FnOnce() -> Result<Signature<P>, mldsa_simd::Error>,
) {
    match report.silent(what, signing) {
        Ok(signature) => {
            let bytes = bytes_of(&signature);
            report.public(what, &bytes);
            report.expect(bytes == expected, &format!("{what}: another signature"));
        }
        Err(_) => report.expect(false, &format!("{what}: no signature")),
    }
}

/// The interfaces of the ordinary key.
fn sign<P: Set>(
    report: &mut Report,
    name: &str,
    key: &SigningKey<P>,
    public: &VerifyingKey<P>,
    model: &Forms<P>,
) {
    let rng = || Hidden(RND);
    let name = |what: &str| format!("{name}, {what}");
    check(report, &name("deterministic"), &model.plain, || {
        key.try_sign(MESSAGE)
    });
    check(report, &name("in parts"), &model.plain, || {
        key.try_multipart_sign(&[&MESSAGE[..3], &MESSAGE[3..]])
    });
    check(report, &name("digest"), &model.plain, || {
        key.try_sign_digest(|hash: &mut shake::Shake256| {
            shake::Update::update(hash, MESSAGE);
            Ok(())
        })
    });
    check(report, &name("in a context"), &model.in_context, || {
        key.with_context(CONTEXT)?.try_sign(MESSAGE)
    });
    check(report, &name("hedged"), &model.hedged, || {
        key.try_sign_with_rng(&mut rng(), MESSAGE)
    });
    check(report, &name("hedged, in parts"), &model.hedged, || {
        key.try_multipart_sign_with_rng(&mut rng(), &[&MESSAGE[..3], &MESSAGE[3..]])
    });
    check(report, &name("hashed"), &model.hashed, || {
        key.hash_ml_dsa::<Sha256>().try_sign(MESSAGE)
    });
    check(report, &name("cloned"), &model.plain, || {
        key.clone().try_sign(MESSAGE)
    });
    sign_expanded(
        report,
        &name("its expanded key"),
        key.expanded_key(),
        public,
        model,
    );
}

/// The interfaces of the expanded key.
fn sign_expanded<P: Set>(
    report: &mut Report,
    name: &str,
    key: &ExpandedSigningKey<P>,
    public: &VerifyingKey<P>,
    model: &Forms<P>,
) {
    let rng = || Hidden(RND);
    let name = |what: &str| format!("{name}, {what}");
    let Ok(mu) = MuBuilder::new(public, b"").map(|builder| builder.chain(MESSAGE).finalize())
    else {
        return report.expect(false, "no μ");
    };
    check(report, &name("deterministic"), &model.plain, || {
        key.sign_deterministic(MESSAGE, b"")
    });
    check(report, &name("in a context"), &model.in_context, || {
        key.sign_deterministic(MESSAGE, CONTEXT)
    });
    check(report, &name("μ"), &model.plain, || {
        Ok(key.sign_mu_deterministic(&mu))
    });
    check(report, &name("hedged"), &model.hedged, || {
        key.sign_randomized(MESSAGE, b"", &mut rng())
    });
    check(report, &name("μ, hedged"), &model.hedged, || {
        key.sign_mu_randomized(&mu, &mut rng())
    });
    check(report, &name("digest, hedged"), &model.hedged, || {
        key.try_sign_digest_with_rng(&mut rng(), |hash: &mut shake::Shake256| {
            shake::Update::update(hash, MESSAGE);
            Ok(())
        })
    });
    check(report, &name("internal"), &model.internal, || {
        Ok(key.sign_internal(&[MESSAGE], &B32::from(hidden(&RND))))
    });
    let made = report.silent(&name("its verifying key"), || key.verifying_key().encode());
    report.public(&name("its verifying key"), &made);
    report.expect(made == public.encode(), "another verifying key");
}

/// The operations of `low_memory`.
fn from_bytes<P: Set>(
    report: &mut Report,
    expanded: &[u8],
    public: &VerifyingKey<P>,
    model: &Forms<P>,
) {
    let seed = Seed::from(hidden(&SEED));
    let mut made = EncodedVerifyingKey::<P>::default();
    let mut key = ExpandedSigningKeyBytes::<P>::default();
    report.silent("low memory, key generation", || {
        low_memory::expand::<P>(&seed, &mut made, &mut key);
    });
    report.public("low memory, the verifying key", &made);
    report.expect(made == public.encode(), "another verifying key");
    report.secret("low memory, the expanded key", &key);

    let mut signature = EncodedSignature::<P>::default();
    let mut check =
        |what: &str, expected: &[u8], sign: &dyn Fn(&mut EncodedSignature<P>) -> bool| {
            let signed = report.silent(what, || sign(&mut signature));
            report.public(what, &signature);
            report.expect(signed && signature[..] == *expected, what);
        };
    check("low memory, seed", &model.in_context, &|signature| {
        low_memory::sign::<P>(&seed, MESSAGE, CONTEXT, &B32::default(), signature).is_ok()
    });
    check("low memory, seed, hedged", &model.hedged, &|signature| {
        let rnd = B32::from(hidden(&RND));
        low_memory::sign::<P>(&seed, MESSAGE, b"", &rnd, signature).is_ok()
    });
    check("low memory, expanded key", &model.plain, &|signature| {
        expanded.try_into().is_ok_and(|key| {
            low_memory::sign_expanded::<P>(key, MESSAGE, b"", &B32::default(), signature).is_ok()
        })
    });
}

/// PKCS#8, in all forms.
fn documents<P: Set>(
    report: &mut Report,
    key: &SigningKey<P>,
    public: &VerifyingKey<P>,
    model: &Forms<P>,
) {
    let seed = SEED;
    let clear = SigningKey::<P>::from_seed(&Seed::from(seed));
    let expanded = encode(clear.expanded_key());
    for form in [
        PrivateKeyForm::Seed,
        PrivateKeyForm::ExpandedKey,
        PrivateKeyForm::Both,
    ] {
        let what = format!("PKCS#8, {form:?}");
        let Ok(written) = report.silent(&what, || key.in_form(form).to_pkcs8_der()) else {
            report.expect(false, &what);
            continue;
        };
        report.secret(&what, written.as_bytes());
        // The same document, of which everything is hidden that is the key's.
        let Ok(document) = clear.in_form(form).to_pkcs8_der() else {
            report.expect(false, &what);
            continue;
        };
        let mut document = document.as_bytes().to_vec();
        let places: Vec<_> = [&seed[..], &expanded]
            .into_iter()
            .filter_map(|part| {
                let at = document
                    .windows(part.len())
                    .position(|window| window == part)?;
                Some(at..at + part.len())
            })
            .collect();
        let parts = places.len();
        for place in places {
            poison(&mut document[place]);
        }
        report.expect(
            parts == if form == PrivateKeyForm::Both { 2 } else { 1 },
            &what,
        );
        let read = report.silent(&what, || ExpandedSigningKey::<P>::from_pkcs8_der(&document));
        match read {
            Ok(read) => sign_expanded(report, &what, &read, public, model),
            Err(_) => report.expect(false, &format!("{what} is not read")),
        }
        if form != PrivateKeyForm::ExpandedKey {
            match report.silent(&what, || SigningKey::<P>::from_pkcs8_der(&document)) {
                Ok(read) => check_key(report, &read, public),
                Err(_) => report.expect(false, &format!("{what} is not read")),
            }
        }
    }
}
