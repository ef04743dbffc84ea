//! Algorithms 6, 7 and 8 on encoded keys and signatures, in little memory.
//!
//! The arithmetic is that of the other operations, kernel by kernel; what differs is what is kept.
//! Nothing that can be had again from bytes at hand is stored:
//!
//! * Â is never there. An entry is sampled, used and overwritten by the next, in the memory of the
//!   polynomial whose transform it meets.
//! * Key generation and signing go through the *columns* of Â: column j meets polynomial j of the
//!   vector, which is needed once only, and k sums grow at a time. These k polynomials are needed
//!   anyhow, since **t** and **w** have as many.
//! * Verification goes through the *rows*, with a single sum, and transforms **z** anew for each: a
//!   transform costs much less than the entry of Â that it meets.
//! * **s**₁, **s**₂ and **t**₀ are unpacked polynomial by polynomial from the encoded key, and the
//!   mask **y** waits in the signature, in the place of **z**, which has the same size.
//!
//! Each phase that needs much memory is a function that is not inlined: what it has on the stack is
//! gone when the next begins. Large values are written through references, for a value that is
//! returned may be on the stack twice.

mod keygen;
mod sign;
mod verify;

pub(crate) use keygen::key_gen_internal;
pub(crate) use sign::sign_mu;
pub(crate) use verify::verify_mu;

use crate::keccak::{Shake128, Shake256};
use crate::ntt::{add_product, ntt_inverse};
use crate::params::sealed::{Derived, Small};
use crate::params::{HASH_LEN, MlDsaParams, N, Rows, SEED_LEN};
use crate::poly::{Coefficients, Negacyclic, NttPoly, Poly};
use crate::sampling::{rej_bounded_poly, rej_ntt_poly};
use crate::simd::Isa;

/// Copies as much as there is and as there is room for.
fn copy(from: &[u8], to: &mut [u8]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
}

/// H(bytes, 64)
#[inline(never)]
pub(crate) fn hash<I: Isa>(isa: I, bytes: &[u8], out: &mut [u8; HASH_LEN]) {
    let mut h = Shake256::new();
    h.absorb(isa, bytes);
    h.finish(isa, out);
}

/// Algorithm 30, `RejNTTPoly(ρ′)`: entry (row, column) of Algorithm 32, `ExpandA(ρ)`.
#[inline(never)]
fn sample_entry<I: Isa>(isa: I, rho: &[u8], row: usize, column: usize, a_hat: &mut Coefficients) {
    // Algorithm 32, step 3: ρ′ ← ρ ‖ s ‖ r
    let mut g = Shake128::new();
    g.absorb(isa, rho);
    g.absorb(isa, &[column as u8, row as u8]);
    let mut sampled = 0;
    g.finish_blocks(isa, |block| {
        sampled = rej_ntt_poly(isa, block, a_hat, sampled);
        sampled < N
    });
}

/// Algorithm 31, `RejBoundedPoly(ρ)`: polynomial number `index` of Algorithm 33, `ExpandS(ρ)`.
#[inline(never)]
fn sample_small<I: Isa, E: Small>(isa: I, rho: &[u8], index: usize, s: &mut Negacyclic<i8>) {
    // Algorithm 33, steps 2 and 5: ρ ‖ IntegerToBytes(r, 2)
    let mut h = Shake256::new();
    h.absorb(isa, rho);
    h.absorb(isa, &(index as u16).to_le_bytes());
    let mut sampled = 0;
    h.finish_blocks(isa, |block| {
        sampled = rej_bounded_poly::<I, E>(isa, block, s, sampled);
        sampled < N
    });
    s.0.copy_within(..N, N);
    s.negate();
}

/// Adds to the sums `w` what the polynomial ŷ gives that stands beside a column of Â:
/// ŵ_i ← ŵ_i + Â_ij ∘ ŷ for each row i, times 2⁻³². While they grow, the sums are in T_q.
#[inline(never)]
fn add_column<P: MlDsaParams, I: Isa>(
    isa: I,
    rho: &[u8],
    column: usize,
    y_hat: &NttPoly,
    a_hat: &mut Coefficients,
    w: &mut Rows<P, Poly>,
) {
    for (row, w) in w.as_mut().iter_mut().enumerate() {
        sample_entry(isa, rho, row, column, a_hat);
        add_product(isa, a_hat, y_hat, &mut w.0);
    }
}

/// w ← NTT⁻¹(ŵ), where the sum ŵ of [`add_column`] stands in `w`.
fn finish_sum<I: Isa>(isa: I, w: &mut Poly, w_hat: &mut NttPoly) {
    w_hat.0 = w.0;
    ntt_inverse(isa, w_hat, w);
}

/// The parts of an encoded private key: Algorithm 25, `skDecode`, without the unpacking.
struct Parts<'a> {
    rho: &'a [u8],
    key_seed: &'a [u8],
    s1: &'a [u8],
    s2: &'a [u8],
    t0: &'a [u8],
}

impl<'a> Parts<'a> {
    fn new<P: MlDsaParams>(sk: &'a [u8]) -> Option<Self> {
        let (rho, rest) = sk.split_at_checked(SEED_LEN)?;
        let (key_seed, rest) = rest.split_at_checked(SEED_LEN)?;
        let (_, rest) = rest.split_at_checked(HASH_LEN)?;
        let (s1, rest) = rest.split_at_checked(P::L * P::ETA_LEN)?;
        let (s2, t0) = rest.split_at_checked(P::K * P::ETA_LEN)?;
        Some(Self {
            rho,
            key_seed,
            s1,
            s2,
            t0,
        })
    }
}
