//! Keys as the operations use them: decoded, expanded, and ready.

use crate::encode::{eta_pack, eta_unpack, t0_pack, t0_unpack};
use crate::params::sealed::{Derived, List};
use crate::params::{Cols, Entries, HASH_LEN, MlDsaParams, Rows, SEED_LEN};
use crate::poly::{Negacyclic, NttPoly};
use crate::shared::{Lazy, Stored};
use crate::simd::Isa;
use crate::wipe::Wipe;
use hybrid_array::Array;

/// The matrix Â, row by row.
pub(crate) type Matrix<P> = Entries<P, NttPoly>;

/// The matrix as keys hold it, too large for [`One::build`](crate::shared::One::build), which passes
/// its value through the stack when it is not optimized.
pub(crate) type StoredMatrix<P> = Stored<Matrix<P>>;

/// A matrix of zeros, to be filled in place.
pub(crate) fn empty_matrix<P: MlDsaParams>() -> StoredMatrix<P> {
    stored_zeros()
}

/// Polynomials that are zero, where they will stay.
pub(crate) fn stored_zeros<L: List<NttPoly>>() -> Stored<L> {
    #[cfg(feature = "alloc")]
    {
        List::repeat_boxed(NttPoly::default())
    }
    #[cfg(not(feature = "alloc"))]
    List::repeat(NttPoly::default())
}

/// The rows of Â.
#[inline(always)]
pub(crate) fn rows<P: MlDsaParams>(a_hat: &Matrix<P>) -> impl Iterator<Item = &Cols<P, NttPoly>> {
    a_hat.as_ref().chunks_exact(P::L).filter_map(List::first_of)
}

/// The rows of Â, two by two: k is even.
#[inline(always)]
pub(crate) fn row_pairs<P: MlDsaParams>(
    a_hat: &Matrix<P>,
) -> impl Iterator<Item = [&Cols<P, NttPoly>; 2]> {
    const { assert!(P::K & 1 == 0) };
    let pairs = a_hat.as_ref().chunks_exact(2 * P::L);
    pairs.filter_map(|pair| {
        let (first, second) = pair.split_at(P::L);
        Some([List::first_of(first)?, List::first_of(second)?])
    })
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
            s1: List::repeat(Negacyclic::default()),
            s2: List::repeat(Negacyclic::default()),
            t0: List::repeat(Negacyclic::default()),
        }
    }

    /// Algorithm 24, `skEncode`.
    pub(crate) fn encode<I: Isa>(&self, isa: I, out: &mut Array<u8, P::SigningKeySize>) {
        let (rho, rest) = out.split_at_mut(SEED_LEN);
        let (key_seed, rest) = rest.split_at_mut(SEED_LEN);
        let (tr, rest) = rest.split_at_mut(HASH_LEN);
        let (s1, rest) = rest.split_at_mut(P::L * P::ETA_LEN);
        let (s2, t0) = rest.split_at_mut(P::K * P::ETA_LEN);
        rho.copy_from_slice(&self.rho);
        key_seed.copy_from_slice(&self.key_seed);
        tr.copy_from_slice(&self.tr);
        for (s, bytes) in self.s1.as_ref().iter().zip(s1.chunks_exact_mut(P::ETA_LEN)) {
            eta_pack::<I, P::Eta>(isa, s, bytes);
        }
        for (s, bytes) in self.s2.as_ref().iter().zip(s2.chunks_exact_mut(P::ETA_LEN)) {
            eta_pack::<I, P::Eta>(isa, s, bytes);
        }
        for (t, bytes) in self.t0.as_ref().iter().zip(t0.chunks_exact_mut(P::T0_LEN)) {
            t0_pack(isa, t, bytes);
        }
    }

    /// Algorithm 25, `skDecode`: false when a coefficient of **s**₁ or **s**₂ is out of range (the
    /// key is filled all the same, with values that no operation panics on).
    #[must_use]
    pub(crate) fn decode<I: Isa>(&mut self, isa: I, sk: &Array<u8, P::SigningKeySize>) -> bool {
        let (rho, rest) = sk.split_at(SEED_LEN);
        let (key_seed, rest) = rest.split_at(SEED_LEN);
        let (tr, rest) = rest.split_at(HASH_LEN);
        let (s1, rest) = rest.split_at(P::L * P::ETA_LEN);
        let (s2, t0) = rest.split_at(P::K * P::ETA_LEN);
        self.rho.copy_from_slice(rho);
        // It is in the public key, too.
        self.rho = crate::ct::declassify(self.rho);
        self.key_seed.copy_from_slice(key_seed);
        self.tr.copy_from_slice(tr);
        let mut in_range = true;
        for (s, bytes) in self.s1.as_mut().iter_mut().zip(s1.chunks_exact(P::ETA_LEN)) {
            in_range &= eta_unpack::<I, P::Eta>(isa, bytes, s);
        }
        for (s, bytes) in self.s2.as_mut().iter_mut().zip(s2.chunks_exact(P::ETA_LEN)) {
            in_range &= eta_unpack::<I, P::Eta>(isa, bytes, s);
        }
        for (t, bytes) in self.t0.as_mut().iter_mut().zip(t0.chunks_exact(P::T0_LEN)) {
            t0_unpack(isa, bytes, t);
        }
        in_range
    }
}

impl<P: MlDsaParams> Drop for PrivateKey<P> {
    fn drop(&mut self) {
        self.rho.as_mut_slice().wipe();
        self.key_seed.as_mut_slice().wipe();
        self.tr.as_mut_slice().wipe();
        self.s1.as_mut().wipe();
        self.s2.as_mut().wipe();
        self.t0.as_mut().wipe();
    }
}

/// What verification needs of a public key, but for Â.
pub(crate) struct PublicKey<P: MlDsaParams> {
    /// The encoded key: ρ and t₁.
    pub(crate) encoded: Array<u8, P::VerifyingKeySize>,
    /// tr, the hash of the encoded key.
    pub(crate) tr: [u8; HASH_LEN],
    /// NTT(t₁·2ᵈ), which only verification needs.
    pub(crate) t1_hat: Lazy<Rows<P, NttPoly>>,
}

impl<P: MlDsaParams> PublicKey<P> {
    /// All zeros, to be filled in place.
    pub(crate) fn empty() -> Self {
        Self {
            encoded: Array::default(),
            tr: [0; HASH_LEN],
            t1_hat: Lazy::new(),
        }
    }
}
