//! Keys as the operations use them: decoded, expanded, and ready.

use crate::params::{Cols, HASH_LEN, MlDsaParams, Rows, SEED_LEN, sealed::List};
use crate::poly::{Negacyclic, NttPoly};
use crate::shared::Shared;
use crate::simd::Isa;
use hybrid_array::Array;

/// The matrix Â, row by row.
pub(crate) type Matrix<P> = Rows<P, Cols<P, NttPoly>>;

/// A matrix of zeros, to be filled in place.
pub(crate) fn empty_matrix<P: MlDsaParams>() -> Shared<Matrix<P>> {
    List::shared(|_| List::from_fn(|_| NttPoly::default()))
}

/// What signing needs of a private key. Wiped when dropped (feature `zeroize`).
pub(crate) struct PrivateKey<P: MlDsaParams> {
    /// ρ, from which Â is expanded.
    pub(crate) rho: [u8; SEED_LEN],
    /// K, the key of the generator of masks.
    pub(crate) key_seed: [u8; SEED_LEN],
    /// tr, the hash of the public key.
    pub(crate) tr: [u8; HASH_LEN],
    pub(crate) s1: Cols<P, Negacyclic<i8>>,
    pub(crate) s2: Rows<P, Negacyclic<i8>>,
    pub(crate) t0: Rows<P, Negacyclic<i16>>,
}

impl<P: MlDsaParams> PrivateKey<P> {
    /// All zeros, to be filled in place.
    pub(crate) fn empty() -> Self {
        Self {
            rho: [0; SEED_LEN],
            key_seed: [0; SEED_LEN],
            tr: [0; HASH_LEN],
            s1: List::from_fn(|_| Negacyclic::default()),
            s2: List::from_fn(|_| Negacyclic::default()),
            t0: List::from_fn(|_| Negacyclic::default()),
        }
    }

    /// Algorithm 24, `skEncode`.
    pub(crate) fn encode<I: Isa>(&self, isa: I, out: &mut Array<u8, P::SigningKeySize>) {
        let _ = (isa, out);
        todo!()
    }

    /// Algorithm 25, `skDecode`: false when a coefficient of **s**₁ or **s**₂ is out of range (the
    /// key is filled all the same, with values that no operation panics on).
    #[must_use]
    pub(crate) fn decode<I: Isa>(&mut self, isa: I, sk: &Array<u8, P::SigningKeySize>) -> bool {
        let _ = (isa, sk);
        todo!()
    }
}

/// What verification needs of a public key, but for Â.
pub(crate) struct PublicKey<P: MlDsaParams> {
    /// The encoded key: ρ and t₁.
    pub(crate) encoded: Array<u8, P::VerifyingKeySize>,
    /// tr, the hash of the encoded key.
    pub(crate) tr: [u8; HASH_LEN],
    /// NTT(t₁·2ᵈ)
    pub(crate) t1_hat: Rows<P, NttPoly>,
}

impl<P: MlDsaParams> PublicKey<P> {
    /// All zeros, to be filled in place.
    pub(crate) fn empty() -> Self {
        Self {
            encoded: Array::default(),
            tr: [0; HASH_LEN],
            t1_hat: List::from_fn(|_| NttPoly::default()),
        }
    }
}
