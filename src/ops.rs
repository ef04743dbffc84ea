//! The operations of each parameter set: the one place where the instruction set is chosen.
//!
//! The algorithms are generic over the parameter set and the instruction set, and generic code is
//! compiled where it is used, again in every crate. These functions are not generic: they are
//! methods of three concrete types, so that the crate holds each combination compiled once, and a
//! program that uses it compiles thin wrappers only.

use crate::keys::{Matrix, PrivateKey, PublicKey};
use crate::mu::{self, Frame};
use crate::params::{HASH_LEN, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, SEED_LEN};
use crate::sampling::expand_a;
use crate::sign::Exhausted;
use crate::simd::{Isa, dispatch};
use crate::{compact, keygen, sign, verify};
use hybrid_array::Array;

/// What is signed or verified.
#[derive(Clone, Copy)]
#[allow(
    private_interfaces,
    unreachable_pub,
    missing_debug_implementations,
    reason = "named in a sealed trait"
)]
pub enum Message<'a> {
    /// A message in parts, and what stands before it.
    Parts(Frame<'a>, &'a [&'a [u8]]),
    /// μ, which somebody else computed.
    Mu(&'a [u8; HASH_LEN]),
}

impl Message<'_> {
    /// Step 6 of Algorithm 7, step 7 of Algorithm 8.
    #[inline(always)]
    fn mu<I: Isa>(self, isa: I, tr: &[u8; HASH_LEN]) -> [u8; HASH_LEN] {
        match self {
            Self::Parts(frame, parts) => mu::of_parts(isa, tr, frame, parts),
            Self::Mu(mu) => *mu,
        }
    }
}

/// The compiled operations. Not methods of the parameter sets themselves, where their names would
/// stand in the way of a user's own traits.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "named in a sealed trait")]
pub struct Compiled;

macro_rules! operations {
    (
        $( $(#[$doc:meta])* fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?
            = |$isa:ident| $body:expr; )*
    ) => {
        /// The operations of the parameter set `P`.
        #[allow(
            private_interfaces,
            unreachable_pub,
            reason = "sealed: nobody outside can name the trait"
        )]
        pub trait Operations<P: MlDsaParams> {
            $( $(#[$doc])* fn $name($($arg: $ty),*) $(-> $ret)?; )*
        }
        operations! { @impl MlDsa44 $( fn $name($($arg: $ty),*) $(-> $ret)? = |$isa| $body; )* }
        operations! { @impl MlDsa65 $( fn $name($($arg: $ty),*) $(-> $ret)? = |$isa| $body; )* }
        operations! { @impl MlDsa87 $( fn $name($($arg: $ty),*) $(-> $ret)? = |$isa| $body; )* }
    };
    (
        @impl $params:ident
        $( fn $name:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)? = |$isa:ident| $body:expr; )*
    ) => {
        const _: () = {
            type P = $params;
            #[allow(private_interfaces, reason = "sealed, as the trait")]
            impl Operations<P> for Compiled {
                $( fn $name($($arg: $ty),*) $(-> $ret)? {
                    dispatch!($isa => $body)
                } )*
            }
        };
    };
}

operations! {
    /// Algorithm 6, `ML-DSA.KeyGen_internal(ξ)`.
    fn key_gen(
        xi: &[u8; SEED_LEN],
        a_hat: &mut Matrix<P>,
        sk: &mut PrivateKey<P>,
        pk: &mut PublicKey<P>,
    ) = |isa| keygen::key_gen_internal::<P, _>(isa, xi, a_hat, sk, pk);

    /// Algorithm 23, `pkDecode`, of `pk.encoded`, and what verification needs beside.
    fn expand_public(
        a_hat: &mut Matrix<P>,
        pk: &mut PublicKey<P>,
    ) = |isa| keygen::expand_public::<P, _>(isa, a_hat, pk);

    /// Algorithm 25, `skDecode`, and Â. Returns whether **s**₁ and **s**₂ are in range.
    fn decode_private(
        bytes: &Array<u8, <P as MlDsaParams>::SigningKeySize>,
        a_hat: &mut Matrix<P>,
        sk: &mut PrivateKey<P>,
    ) -> bool = |isa| {
        let in_range = sk.decode(isa, bytes);
        expand_a::<P, _>(isa, &sk.rho, a_hat);
        in_range
    };

    /// Algorithm 24, `skEncode`.
    fn encode_private(
        sk: &PrivateKey<P>,
        bytes: &mut Array<u8, <P as MlDsaParams>::SigningKeySize>,
    ) = |isa| PrivateKey::<P>::encode(sk, isa, bytes);

    /// The public key of a private key; whether `sk.tr` and `sk.t0` agree with it.
    fn public_from_private(
        sk: &PrivateKey<P>,
        a_hat: &Matrix<P>,
        pk: &mut PublicKey<P>,
    ) -> bool = |isa| keygen::public_from_private::<P, _>(isa, sk, a_hat, pk);

    /// Algorithm 7, `ML-DSA.Sign_internal`.
    fn sign(
        sk: &PrivateKey<P>,
        a_hat: &Matrix<P>,
        message: Message<'_>,
        rnd: &[u8; SEED_LEN],
        sigma: &mut Array<u8, <P as MlDsaParams>::SignatureSize>,
    ) -> Result<(), Exhausted> = |isa| {
        let mu = message.mu(isa, &sk.tr);
        sign::sign_mu::<P, _>(isa, sk, a_hat, &mu, rnd, sigma).map(drop)
    };

    /// Algorithm 27, `sigDecode`: whether it would succeed, and step 13 of Algorithm 8 about **z**.
    fn is_well_formed(
        sigma: &Array<u8, <P as MlDsaParams>::SignatureSize>,
    ) -> bool = |isa| verify::signature_is_well_formed::<P, _>(isa, sigma);

    /// Algorithm 8, `ML-DSA.Verify_internal`, of a well-formed signature.
    fn verify(
        a_hat: &Matrix<P>,
        pk: &PublicKey<P>,
        message: Message<'_>,
        sigma: &Array<u8, <P as MlDsaParams>::SignatureSize>,
    ) -> bool = |isa| {
        match message {
            Message::Parts(frame, parts) => {
                let mut h = mu::absorb_parts(isa, &pk.tr, frame, parts);
                verify::verify_hash::<P, _>(isa, a_hat, pk, &mut h, sigma)
            }
            Message::Mu(mu) => verify::verify_mu::<P, _>(isa, a_hat, pk, mu, sigma),
        }
    };

    /// Algorithm 6, `ML-DSA.KeyGen_internal(ξ)`, in little memory: the encoded public key and, where it
    /// is wanted, the encoded private key.
    fn key_gen_compact(
        xi: &[u8; SEED_LEN],
        pk: &mut [u8],
        sk: Option<&mut Array<u8, <P as MlDsaParams>::SigningKeySize>>,
    ) = |isa| compact::key_gen_internal::<P, _>(isa, xi, pk, sk);

    /// Algorithm 7, `ML-DSA.Sign_internal`, in little memory, with an encoded private key.
    fn sign_compact(
        sk: &Array<u8, <P as MlDsaParams>::SigningKeySize>,
        message: Message<'_>,
        rnd: &[u8; SEED_LEN],
        sigma: &mut Array<u8, <P as MlDsaParams>::SignatureSize>,
    ) -> Result<(), Exhausted> = |isa| {
        let mu = match sk[2 * SEED_LEN..].first_chunk() {
            Some(tr) => message.mu(isa, tr),
            None => [0; HASH_LEN],
        };
        compact::sign_mu::<P, _>(isa, sk, &mu, rnd, sigma)
    };

    /// Algorithm 8, `ML-DSA.Verify_internal`, in little memory, with an encoded public key.
    fn verify_compact(
        pk: &Array<u8, <P as MlDsaParams>::VerifyingKeySize>,
        message: Message<'_>,
        sigma: &Array<u8, <P as MlDsaParams>::SignatureSize>,
    ) -> bool = |isa| {
        let mut tr = [0; HASH_LEN];
        if matches!(message, Message::Parts(..)) {
            compact::hash(isa, pk, &mut tr);
        }
        let mu = message.mu(isa, &tr);
        compact::verify_mu::<P, _>(isa, pk, &mu, sigma)
    };
}
