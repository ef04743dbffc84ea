//! The transforms as FIPS 204 writes them, layer by layer and pair by pair.
//!
//! Where a vector of sixteen lanes is an array in memory, the other form moves lanes around for
//! nothing, and what does not fit the registers goes to the stack: at opt-level s, 5 KB of it. The
//! butterflies are the same, and so are their results, bit for bit.

use super::inverse::Z1_F;
use super::zetas::{F, ZETAS};
use crate::params::N;
use crate::poly::{NttPoly, Poly};
use crate::reduce::{barrett_mul, mont_reduce};

/// Algorithm 41, `NTT(w)`: see `super::ntt`.
#[inline(always)]
pub(super) fn ntt(w: &Poly, w_hat: &mut NttPoly) {
    w_hat.0 = w.0;
    // 3: m ← 0
    let mut m = 0;
    for len_log2 in (0..8).rev() {
        blocks(w_hat.0.as_flattened_mut(), 1 << len_log2, |a, b| {
            m += 1;
            let zeta = ZETAS[m & (N - 1)];
            for (a, b) in a.iter_mut().zip(b) {
                // 9 to 11
                let t = barrett_mul(*b, zeta);
                *b = *a - t;
                *a += t;
            }
        });
    }
}

/// Algorithm 42, `NTT⁻¹(ŵ)`, times 2³²: see `super::ntt_inverse`.
#[inline(always)]
pub(super) fn ntt_inverse(w_hat: &NttPoly, w: &mut Poly) {
    w.0 = w_hat.0;
    // 4: m ← 256
    let mut m = N;
    for len_log2 in 0..7 {
        blocks(w.0.as_flattened_mut(), 1 << len_log2, |a, b| {
            m -= 1;
            let zeta = ZETAS[m & (N - 1)];
            for (a, b) in a.iter_mut().zip(b) {
                // 10 to 13; the factor is −zetas[m], so the difference is turned around.
                (*a, *b) = (*a + *b, barrett_mul(*b - *a, zeta));
            }
        });
    }
    // The last layer, with the factor f of steps 20 and 21.
    blocks(w.0.as_flattened_mut(), N >> 1, |a, b| {
        for (a, b) in a.iter_mut().zip(b) {
            (*a, *b) = (multiply(*a + *b, F), multiply(*b - *a, Z1_F));
        }
    });
}

/// Calls `f` with the halves of each block of 2·`len` coefficients.
#[inline(always)]
fn blocks(mut w: &mut [i32], len: usize, mut f: impl FnMut(&mut [i32], &mut [i32])) {
    while let Some((a, rest)) = w.split_at_mut_checked(len)
        && let Some((b, rest)) = rest.split_at_mut_checked(len)
    {
        f(a, b);
        w = rest;
    }
}

/// a·b·2⁻³² mod q, as `Isa::mont_mul`.
#[inline(always)]
fn multiply(a: i32, b: i32) -> i32 {
    mont_reduce(i64::from(a) * i64::from(b))
}
