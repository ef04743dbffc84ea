//! The public interface of RustCrypto's `ml-dsa` 0.1.2, as bounds that must hold and types that
//! functions must have. Each item appears with the bounds it has there and no stronger ones, so code
//! written for `ml-dsa` compiles. `subject` is the crate under test; this file is compiled against
//! ours (tests/api.rs) and against `ml-dsa` itself (tests/api_reference.rs), which keeps it honest.
#![allow(
    clippy::extra_unused_type_parameters,
    clippy::multiple_bound_locations,
    clippy::type_complexity,
    unused_qualifications,
    reason = "a list of types and paths, not code to run"
)]

use core::fmt::Debug;
use core::hash::Hash;
use ctutils::CtEq;
use hybrid_array::{
    Array, ArraySize,
    sizes::{U32, U64},
};
use shake::Shake256;
use subject::signature::{
    self, AsyncSigner, AsyncVerifier, DigestSigner, DigestVerifier, MultipartSigner,
    MultipartVerifier,
};
use subject::{
    B32, EncodedSignature, EncodedVerifyingKey, Error, ExpandedSigningKey, ExpandedSigningKeyBytes,
    KeyExport, KeyInit, KeySizeUser, Keypair, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Seed,
    Signature, SignatureEncoding, Signer, SigningKey, Verifier, VerifyingKey,
};

/// Everything below, for one parameter set.
pub(crate) fn inventory<P: MlDsaParams>() {
    parameter_set::<P>();
    signing_key::<P, SigningKey<P>>();
    expanded_signing_key::<P, ExpandedSigningKey<P>>();
    verifying_key::<P, VerifyingKey<P>>();
    signature::<P, Signature<P>>();
    threads::<P>();
    functions::<P>();
    reexports::<P>();
    #[cfg(feature = "alloc")]
    with_alloc::<P, SigningKey<P>>();
    #[cfg(feature = "zeroize")]
    with_zeroize::<SigningKey<P>, ExpandedSigningKey<P>>();
    #[cfg(feature = "rand_core")]
    {
        with_rand_core::<P, ExpandedSigningKey<P>>();
        generates::<SigningKey<P>>();
    }
}

fn parameter_set<P: Debug + Default + PartialEq + Clone>() {}

/// The marker types, which are values, too.
pub(crate) fn marker_types() {
    fn marker<P: MlDsaParams + Copy + Send + Sync + 'static>(_: P) {}
    marker(MlDsa44);
    marker(MlDsa65);
    marker(MlDsa87);
}

fn signing_key<P, T>()
where
    P: MlDsaParams,
    T: Clone
        + Debug
        + PartialEq
        + CtEq
        + KeySizeUser<KeySize = U32>
        + KeyInit
        + KeyExport
        + Keypair<VerifyingKey = VerifyingKey<P>>
        + Signer<Signature<P>>
        + AsyncSigner<Signature<P>>
        + MultipartSigner<Signature<P>>
        + DigestSigner<Shake256, Signature<P>>,
{
}

fn expanded_signing_key<P, T>()
where
    P: MlDsaParams,
    T: Clone
        + Debug
        + PartialEq
        + CtEq
        + Keypair<VerifyingKey = VerifyingKey<P>>
        + Signer<Signature<P>>
        + AsyncSigner<Signature<P>>
        + MultipartSigner<Signature<P>>
        + DigestSigner<Shake256, Signature<P>>,
{
}

fn verifying_key<P, T>()
where
    P: MlDsaParams,
    T: Clone
        + Debug
        + PartialEq
        + Hash
        + KeySizeUser
        + KeyInit
        + KeyExport
        + Verifier<Signature<P>>
        + AsyncVerifier<Signature<P>>
        + MultipartVerifier<Signature<P>>
        + DigestVerifier<Shake256, Signature<P>>,
{
}

fn signature<P, T>()
where
    P: MlDsaParams,
    T: Clone
        + Debug
        + PartialEq
        + Hash
        + for<'a> TryFrom<&'a [u8], Error = Error>
        + TryInto<EncodedSignature<P>, Error = Error>
        + SignatureEncoding<Repr = EncodedSignature<P>>,
{
}

/// Keys and signatures move between threads, in code that knows no more than `P: MlDsaParams`.
fn threads<P: MlDsaParams>() {
    fn marker<T: Send + Sync>() {}
    marker::<SigningKey<P>>();
    marker::<ExpandedSigningKey<P>>();
    marker::<VerifyingKey<P>>();
    marker::<Signature<P>>();
}

/// The inherent functions, with the very types that they have.
fn functions<P: MlDsaParams>() {
    let _: fn(&Seed) -> SigningKey<P> = SigningKey::from_seed;
    let _: fn(&SigningKey<P>) -> &Seed = SigningKey::as_seed;
    let _: fn(&SigningKey<P>) -> Seed = SigningKey::to_seed;
    // Not in the documentation of `ml-dsa`, but public, and the only way to a hedged signature there.
    let _: fn(&SigningKey<P>) -> &ExpandedSigningKey<P> = SigningKey::expanded_key;

    let _: fn(&Seed) -> ExpandedSigningKey<P> = ExpandedSigningKey::from_seed;
    #[allow(deprecated, reason = "deprecated in ml-dsa, but there")]
    {
        let _: fn(&ExpandedSigningKeyBytes<P>) -> ExpandedSigningKey<P> =
            ExpandedSigningKey::from_expanded;
        let _: fn(&ExpandedSigningKey<P>) -> ExpandedSigningKeyBytes<P> =
            ExpandedSigningKey::to_expanded;
    }
    let _: fn(&ExpandedSigningKey<P>) -> VerifyingKey<P> = ExpandedSigningKey::verifying_key;
    let _: fn(&ExpandedSigningKey<P>, &[u8], &[u8]) -> Result<Signature<P>, Error> =
        ExpandedSigningKey::sign_deterministic;
    let _: fn(&ExpandedSigningKey<P>, &[&[u8]], &B32) -> Signature<P> =
        ExpandedSigningKey::sign_internal;
    let _: fn(&ExpandedSigningKey<P>, &Array<u8, U64>) -> Signature<P> =
        ExpandedSigningKey::sign_mu_deterministic;

    let _: fn(&EncodedVerifyingKey<P>) -> VerifyingKey<P> = VerifyingKey::decode;
    let _: fn(&VerifyingKey<P>) -> EncodedVerifyingKey<P> = VerifyingKey::encode;
    let _: fn(&VerifyingKey<P>, &[u8], &Signature<P>) -> bool = VerifyingKey::verify_internal;
    let _: fn(&VerifyingKey<P>, &Array<u8, U64>, &Signature<P>) -> bool = VerifyingKey::verify_mu;
    let _: fn(&VerifyingKey<P>, &[u8], &[u8], &Signature<P>) -> bool =
        VerifyingKey::verify_with_context;
    compute_mu::<P, fn(&mut Shake256) -> Result<(), Error>>();

    let _: fn(&EncodedSignature<P>) -> Option<Signature<P>> = Signature::decode;
    let _: fn(&Signature<P>) -> EncodedSignature<P> = Signature::encode;
    let _: fn(&Signature<P>) -> &Array<u8, P::Lambda> = Signature::c_tilde;

    // The aliases are arrays of bytes whose sizes are types.
    fn array<N: ArraySize>(_: fn(Array<u8, N>)) {}
    array(|_: EncodedSignature<P>| ());
    array(|_: EncodedVerifyingKey<P>| ());
    array(|_: ExpandedSigningKeyBytes<P>| ());
    let _: fn(Seed) -> Array<u8, U32> = |seed| seed;
    let _: fn(Seed) -> B32 = |seed| seed;
    let _: fn(subject::common::Key<VerifyingKey<P>>) -> EncodedVerifyingKey<P> = |key| key;
}

/// The closure is called at most once and may be consumed by it.
fn compute_mu<P: MlDsaParams, F: FnOnce(&mut Shake256) -> Result<(), Error>>() {
    let _: fn(&VerifyingKey<P>, F, &[u8]) -> Result<Array<u8, U64>, Error> =
        VerifyingKey::compute_mu;
}

/// Traits and errors under the crate's own names are those of the crates that define them.
fn reexports<P: MlDsaParams>() {
    fn ours<P: MlDsaParams, T>()
    where
        T: subject::KeyInit + subject::KeyExport + subject::KeySizeUser,
        T: subject::Keypair + subject::Signer<Signature<P>>,
    {
        theirs::<P, T>();
    }
    fn theirs<P: MlDsaParams, T>()
    where
        T: subject::common::KeyInit + subject::common::KeyExport + subject::common::KeySizeUser,
        T: subject::signature::Keypair + subject::signature::Signer<Signature<P>>,
    {
    }
    ours::<P, SigningKey<P>>();
    fn verifies<P: MlDsaParams, T: subject::Verifier<Signature<P>>>()
    where
        T: signature::Verifier<Signature<P>>,
    {
    }
    verifies::<P, VerifyingKey<P>>();
    let _: fn(subject::signature::Error) -> Error = |error| error;
}

#[cfg(feature = "alloc")]
fn with_alloc<P, T>()
where
    P: MlDsaParams,
    T: AsRef<VerifyingKey<P>> + signature::KeypairRef<VerifyingKey = VerifyingKey<P>>,
{
    let _: fn(&Signature<P>) -> Vec<u8> = SignatureEncoding::to_vec;
}

#[cfg(feature = "zeroize")]
fn with_zeroize<S: zeroize::ZeroizeOnDrop, E: zeroize::ZeroizeOnDrop>() {}

#[cfg(feature = "rand_core")]
fn generates<T: subject::Generate + subject::common::Generate>() {}

#[cfg(feature = "rand_core")]
fn with_rand_core<P, T>()
where
    P: MlDsaParams,
    T: signature::RandomizedSigner<Signature<P>>
        + signature::RandomizedMultipartSigner<Signature<P>>
        + signature::RandomizedDigestSigner<Shake256, Signature<P>>,
{
    use signature::rand_core::TryCryptoRng;

    /// An unsized generator is accepted: `R: TryCryptoRng + ?Sized`.
    fn unsized_rng<P: MlDsaParams, R: TryCryptoRng + ?Sized>() {
        let _: fn(&ExpandedSigningKey<P>, &[u8], &[u8], &mut R) -> Result<Signature<P>, Error> =
            ExpandedSigningKey::sign_randomized;
        let _: fn(&ExpandedSigningKey<P>, &Array<u8, U64>, &mut R) -> Result<Signature<P>, Error> =
            ExpandedSigningKey::sign_mu_randomized;
        let _: fn(&mut R) -> Result<SigningKey<P>, R::Error> =
            subject::Generate::try_generate_from_rng;
    }
    unsized_rng::<P, dyn TryCryptoRng<Error = core::convert::Infallible>>();
}

/// What the `pkcs8` feature adds. Generic code names the second bound, as with `ml-dsa`.
#[cfg(feature = "pkcs8")]
pub(crate) mod pkcs8 {
    use super::{ExpandedSigningKey, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Signature};
    use super::{SigningKey, VerifyingKey};
    use subject::pkcs8::{
        DecodePrivateKey, DecodePublicKey, PrivateKeyInfoRef, SubjectPublicKeyInfoRef,
        der::AnyRef,
        spki::{self, AssociatedAlgorithmIdentifier, SignatureAlgorithmIdentifier},
    };

    pub(crate) fn inventory<P>()
    where
        P: MlDsaParams + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>,
    {
        private::<SigningKey<P>>();
        private::<ExpandedSigningKey<P>>();
        public::<VerifyingKey<P>>();
        signature::<Signature<P>>();
        #[cfg(feature = "alloc")]
        written::<SigningKey<P>, VerifyingKey<P>, Signature<P>>();
    }

    pub(crate) fn marker_types() {
        fn marker<P: AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>>() {}
        marker::<MlDsa44>();
        marker::<MlDsa65>();
        marker::<MlDsa87>();
    }

    fn private<T>()
    where
        T: for<'a> TryFrom<PrivateKeyInfoRef<'a>, Error = subject::pkcs8::Error>
            + DecodePrivateKey
            + SignatureAlgorithmIdentifier<Params = AnyRef<'static>>,
    {
    }

    fn public<T>()
    where
        T: for<'a> TryFrom<SubjectPublicKeyInfoRef<'a>, Error = spki::Error>
            + DecodePublicKey
            + SignatureAlgorithmIdentifier<Params = AnyRef<'static>>,
    {
    }

    fn signature<T: AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>>() {}

    #[cfg(feature = "alloc")]
    fn written<S, V, T>()
    where
        S: subject::pkcs8::EncodePrivateKey,
        V: subject::pkcs8::EncodePublicKey,
        T: spki::SignatureBitStringEncoding,
    {
    }
}
