//! Algorithm 6, `ML-DSA.KeyGen_internal(ξ)`, in little memory.

use super::{add_column, copy, finish_sum, hash, sample_small};
use crate::encode::{eta_pack, t0_pack};
use crate::keccak::Shake256;
use crate::ntt::ntt;
use crate::params::sealed::{Derived, List, Zero};
use crate::params::{HASH_LEN, MlDsaParams, Rows, SEED_LEN};
use crate::poly::{Negacyclic, NttPoly, Poly, add_small, widen};
use crate::rounding::power2round_poly;
use crate::simd::Isa;
use crate::wipe::Wipe;
use hybrid_array::Array;

/// What is remembered from the beginning to the end.
struct Sums<P: MlDsaParams> {
    /// ρ ‖ ρ′ ‖ K
    seeds: [u8; SEED_LEN + HASH_LEN + SEED_LEN],
    /// **t**, and before that its sums.
    t: Rows<P, Poly>,
}

impl<P: MlDsaParams> Drop for Sums<P> {
    fn drop(&mut self) {
        self.seeds.wipe();
        for t in self.t.as_mut() {
            t.0.as_flattened_mut().wipe();
        }
    }
}

/// Where the secret parts of an expanded key go. Empty slices where they are not wanted.
#[derive(Default)]
struct SecretParts<'a> {
    /// ρ and K
    seeds: &'a mut [u8],
    tr: &'a mut [u8],
    s1: &'a mut [u8],
    s2: &'a mut [u8],
    t0: &'a mut [u8],
}

impl<'a> SecretParts<'a> {
    fn new<P: MlDsaParams>(sk: &'a mut Array<u8, P::SigningKeySize>) -> Self {
        let (seeds, rest) = sk.split_at_mut(2 * SEED_LEN);
        let (tr, rest) = rest.split_at_mut(HASH_LEN);
        let (s1, rest) = rest.split_at_mut(P::L * P::ETA_LEN);
        let (s2, t0) = rest.split_at_mut(P::K * P::ETA_LEN);
        Self {
            seeds,
            tr,
            s1,
            s2,
            t0,
        }
    }
}

/// Algorithm 6, `ML-DSA.KeyGen_internal(ξ)`: the encoded public key into `pk`, which has its length,
/// and where it is wanted the encoded private key.
pub(crate) fn key_gen_internal<P: MlDsaParams, I: Isa>(
    isa: I,
    xi: &[u8; SEED_LEN],
    pk: &mut [u8],
    sk: Option<&mut Array<u8, P::SigningKeySize>>,
) {
    let mut secret = sk.map(SecretParts::new::<P>).unwrap_or_default();
    expand::<P, I>(isa, xi, pk, &mut secret);
    // 9: tr ← H(pk, 64)
    let mut tr = [0; HASH_LEN];
    if !secret.tr.is_empty() {
        hash(isa, pk, &mut tr);
    }
    copy(&tr, secret.tr);
}

/// Steps 1 to 8, and 10 but for tr.
#[inline(never)]
fn expand<P: MlDsaParams, I: Isa>(
    isa: I,
    xi: &[u8; SEED_LEN],
    pk: &mut [u8],
    secret: &mut SecretParts<'_>,
) {
    let mut sums = Sums::<P> {
        seeds: [0; SEED_LEN + HASH_LEN + SEED_LEN],
        t: List::zeros(),
    };
    // 1: (ρ, ρ′, K) ← H(ξ ‖ k ‖ ℓ, 128)
    let mut h = Shake256::new();
    h.absorb(isa, xi);
    h.absorb(isa, &[P::K as u8, P::L as u8]);
    h.finish(isa, &mut sums.seeds);
    // ρ is the first part of the public key.
    crate::ct::declassify_bytes(&mut sums.seeds[..SEED_LEN]);
    let (rho, rest) = sums.seeds.split_at(SEED_LEN);
    let (rho_prime, key_seed) = rest.split_at(HASH_LEN);
    copy(rho, pk);
    copy(rho, secret.seeds);
    copy(
        key_seed,
        secret.seeds.get_mut(SEED_LEN..).unwrap_or_default(),
    );
    // 4, 5
    columns::<P, I>(isa, rho, rho_prime, &mut sums.t, secret.s1);
    // 4 to 8
    let t1 = pk.get_mut(SEED_LEN..).unwrap_or_default();
    rows::<P, I>(isa, rho_prime, &mut sums.t, t1, secret.s2, secret.t0);
}

/// **ŵ** ← Â ∘ NTT(**s**₁), column by column, and **s**₁ encoded.
#[inline(never)]
fn columns<P: MlDsaParams, I: Isa>(
    isa: I,
    rho: &[u8],
    rho_prime: &[u8],
    w: &mut Rows<P, Poly>,
    s1: &mut [u8],
) {
    let mut column = Column {
        s: Zero::ZERO,
        wide: Zero::ZERO,
        s_hat: Zero::ZERO,
    };
    let mut s1 = s1.chunks_exact_mut(P::ETA_LEN);
    for j in 0..P::L {
        let Column { s, wide, s_hat } = &mut column;
        sample_small::<I, P::Eta>(isa, rho_prime, j, s);
        if let Some(s1) = s1.next() {
            eta_pack::<I, P::Eta>(isa, s, s1);
        }
        widen(isa, s, wide);
        ntt(isa, wide, s_hat);
        add_column::<P, I>(isa, rho, j, s_hat, &mut wide.0, w);
    }
}

/// What a column needs.
struct Column {
    s: Negacyclic<i8>,
    /// s, and then the entries of Â.
    wide: Poly,
    s_hat: NttPoly,
}

impl Drop for Column {
    fn drop(&mut self) {
        self.s.0.wipe();
        self.wide.0.as_flattened_mut().wipe();
        self.s_hat.0.as_flattened_mut().wipe();
    }
}

/// (**t**₁, **t**₀) ← Power2Round(NTT⁻¹(**ŵ**) + **s**₂), row by row, encoded, and **s**₂ encoded.
#[inline(never)]
fn rows<P: MlDsaParams, I: Isa>(
    isa: I,
    rho_prime: &[u8],
    t: &mut Rows<P, Poly>,
    t1: &mut [u8],
    s2: &mut [u8],
    t0: &mut [u8],
) {
    let mut row = Row {
        s: Zero::ZERO,
        t_hat: Zero::ZERO,
        t0: Zero::ZERO,
    };
    let mut s2 = s2.chunks_exact_mut(P::ETA_LEN);
    let mut t0 = t0.chunks_exact_mut(P::T0_LEN);
    let rows = t.as_mut().iter_mut().zip(t1.chunks_exact_mut(P::T1_LEN));
    for (i, (t, t1)) in rows.enumerate() {
        sample_small::<I, P::Eta>(isa, rho_prime, P::L + i, &mut row.s);
        if let Some(s2) = s2.next() {
            eta_pack::<I, P::Eta>(isa, &row.s, s2);
        }
        finish_sum(isa, t, &mut row.t_hat);
        add_small(isa, t, &row.s);
        power2round_poly(isa, t, t1, &mut row.t0);
        crate::ct::declassify_bytes(t1);
        if let Some(t0) = t0.next() {
            t0_pack(isa, &row.t0, t0);
        }
    }
}

/// What a row needs.
struct Row {
    s: Negacyclic<i8>,
    t_hat: NttPoly,
    t0: Negacyclic<i16>,
}

impl Drop for Row {
    fn drop(&mut self) {
        self.s.0.wipe();
        self.t_hat.0.as_flattened_mut().wipe();
        self.t0.0.wipe();
    }
}
