//! Arithmetic modulo q: Montgomery's reduction for sums of products, Barrett's product for factors
//! that are known in advance.
//!
//! # Montgomery multiplication
//!
//! A product of two residues is reduced without a division: with R = 2³² and q⁻¹ the inverse of q
//! modulo R, let t be the representative of a·q⁻¹ mod R in \[−R/2, R/2). Then a − t·q is divisible
//! by R, and r = (a − t·q)/R is congruent to a·R⁻¹ modulo q. The price is the factor R⁻¹, which
//! the tables of constants take back by being stored times R.
//!
//! **Bounds.** |t·q| ≤ q·R/2, so |r| ≤ |a|/R + q/2. For −q·R/2 ≤ a < q·R/2 this gives
//! −q ≤ r ≤ q, and both ends are excluded when the interval is half-open as written: r = q would
//! need a = q·R/2 and t = −R/2. (The claim for all |a| ≤ q·R/2 is false exactly there.)
//!
//! # Barrett's product
//!
//! For a constant b the quotient of a·b by q is nearly a·(b/q), and b/q can be had in advance, as c =
//! b·2³²/q rounded: with t the high half of a·c, r = a·b − t·q is the remainder or close to it, and only
//! the low halves of these two products are needed. A vector unit that has no high half of a product
//! takes eight instructions for this and eleven for Montgomery's, and there is no factor 2⁻³².
//!
//! **Bounds.** c is off by at most 1, a·c/2³² by at most |a|/2³², and the high half drops less than
//! 1. So −ε ≤ r < q + ε with ε = |a|·q/2³², at most q/2.
//!
//! docs/reduction.md has both arguments in full, for every form that an instruction set has; `cargo
//! xtask prove` checks them.

use crate::params::Q;
use crate::poly::LANES;

/// q⁻¹ mod 2³², by Newton's iteration: each step doubles the number of correct bits, and q is its
/// own inverse modulo 2³, as every odd number.
pub(crate) const QINV: i32 = {
    let mut x = Q;
    let mut correct_bits = 3;
    while correct_bits < 32 {
        x = x.wrapping_mul(2_i32.wrapping_sub(Q.wrapping_mul(x)));
        correct_bits *= 2;
    }
    x
};
const _: () = assert!(QINV.wrapping_mul(Q) == 1);

/// a·2⁻³² mod q, in (−q, q).
///
/// # Bounds
/// Requires −2³¹·q ≤ a < 2³¹·q. Ensures |result| ≤ |a|/2³² + q/2.
#[inline(always)]
pub(crate) const fn mont_reduce(a: i64) -> i32 {
    debug_assert!(-(Q as i64) << 31 <= a && a < (Q as i64) << 31);
    let t = (a as i32).wrapping_mul(QINV);
    ((a - t as i64 * Q as i64) >> 32) as i32
}

/// The representative of x modulo q in (−q/2, q/2), for constants.
#[allow(
    clippy::integer_division_remainder_used,
    reason = "constant evaluation"
)]
pub(crate) const fn centered(x: i64) -> i32 {
    let q = Q as i64;
    let r = x.rem_euclid(q);
    (if r > q >> 1 { r - q } else { r }) as i32
}

/// x·2³² mod q, centered, for constants.
pub(crate) const fn to_mont(x: i64) -> i32 {
    centered((centered(x) as i64) << 32)
}

/// x·q⁻¹ mod 2³²: the companion of a constant factor in `Isa::mont_mul`.
pub(crate) const fn times_qinv(x: i32) -> i32 {
    x.wrapping_mul(QINV)
}

/// a·b mod q, as `Isa::barrett_mul`, for a constant b and its [`Factor::quotient`].
///
/// # Bounds
/// Ensures −ε ≤ result < q + ε, where ε = |a|·q/2³² ≤ q/2.
#[inline(always)]
pub(crate) fn barrett_mul(a: i32, b: Factor) -> i32 {
    let t = ((i64::from(a) * i64::from(b.quotient)) >> 32) as i32;
    a.wrapping_mul(b.value).wrapping_sub(t.wrapping_mul(Q))
}

/// A constant factor of `Isa::barrett_mul`.
#[derive(Clone, Copy)]
pub(crate) struct Factor {
    /// b in (−q/2, q/2)
    pub(crate) value: i32,
    /// b·2³²/q to the nearest even number. (Even, because NEON's `sqdmulh` doubles a product.)
    pub(crate) quotient: i32,
}

impl Factor {
    #[allow(
        clippy::integer_division_remainder_used,
        reason = "constant evaluation"
    )]
    pub(crate) const fn new(b: i32) -> Self {
        let q = Q as i64;
        assert!(-q < 2 * b as i64 && 2 * (b as i64) < q);
        // Of (b·2³² + q)/2q, whose integral part is b·2³²/2q to the nearest.
        let half = (((b as i64) << 32) + q).div_euclid(2 * q);
        // The quotient is off by at most 1.
        let error = ((b as i64) << 32) - 2 * half * q;
        assert!(-q <= error && error <= q);
        Self {
            value: b,
            quotient: 2 * half as i32,
        }
    }
}

/// Sixteen factors in memory.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct FactorTable {
    /// The quotients, then the values. In one array, so that the sixteen integers behind the first
    /// quotient are something to load, too.
    integers: [i32; 2 * LANES],
}

impl FactorTable {
    pub(crate) const fn new(factors: [Factor; LANES]) -> Self {
        let mut integers = [0; 2 * LANES];
        let mut i = 0;
        while i < LANES {
            integers[i] = factors[i].quotient;
            integers[LANES + i] = factors[i].value;
            i += 1;
        }
        Self { integers }
    }

    #[inline(always)]
    pub(crate) fn values(&self) -> &[i32; LANES] {
        self.from::<LANES>()
    }

    #[inline(always)]
    pub(crate) fn quotients(&self) -> &[i32; LANES] {
        self.from::<0>()
    }

    /// The quotient of the next lane; of the last, something else.
    #[inline(always)]
    pub(crate) fn next_quotients(&self) -> &[i32; LANES] {
        self.from::<1>()
    }

    #[inline(always)]
    fn from<const FIRST: usize>(&self) -> &[i32; LANES] {
        const { assert!(FIRST <= LANES) };
        match self.integers[FIRST..].first_chunk() {
            Some(lanes) => lanes,
            None => unreachable!(),
        }
    }
}
