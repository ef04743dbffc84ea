//! Polynomials: the elements of R_q and of T_q, and the packed small ones of the private key.
//!
//! All hold their 256 coefficients as sixteen rows of sixteen, since sixteen lanes are what the
//! kernels load at a time on every instruction set (see [`crate::simd`]). Which residue of a class
//! modulo q stands in a lane is the business of each kernel: its `# Bounds` section says.

use crate::params::{N, sealed::Zero};
use crate::simd::Isa;

/// Lanes in a row, and rows in a polynomial.
pub(crate) const LANES: usize = 16;

const _: () = assert!(LANES * LANES == N);

/// A polynomial with coefficients of at most 16 bits, as the products c·s.
pub(crate) type SmallCoefficients = [[i16; LANES]; LANES];

/// Coefficients as the kernels see them.
pub(crate) type Coefficients = [[i32; LANES]; LANES];

/// An element of R_q = Z_q\[X\]/(X²⁵⁶ + 1): coefficient i stands at `0[i / 16][i % 16]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Poly(pub(crate) Coefficients);

/// An element of T_q, the image of R_q under the NTT, in the order of FIPS 204.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct NttPoly(pub(crate) Coefficients);

/// A polynomial s with small coefficients as the 512 values −s, s.
///
/// Multiplication by Xⁱ modulo X²⁵⁶ + 1 rotates the coefficients and negates those that wrap
/// around, so X^i·s is the window of 256 values that begins at 256 − i:
///
/// ```text
///   index   0 …… 256−i ………… 256 …… 512−i …… 512
///           [  −s   |  −s    ][   s    |   s  ]
///                   [      Xⁱ·s        ]
/// ```
///
/// `T` is `i8` for **s**₁ and **s**₂ (|s| ≤ η) and `i16` for **t**₀ (|t₀| ≤ 2¹²).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Negacyclic<T>(pub(crate) [T; 2 * N]);

impl<T> Negacyclic<T> {
    /// s
    #[inline(always)]
    pub(crate) fn positive(&self) -> &[T; N] {
        match self.0.last_chunk() {
            Some(s) => s,
            None => unreachable!("2·N values"),
        }
    }
}

impl Negacyclic<i8> {
    /// Writes −s before s.
    #[inline(always)]
    pub(crate) fn negate(&mut self) {
        let (negative, positive) = self.0.split_at_mut(N);
        for (n, p) in negative.iter_mut().zip(positive) {
            *n = -*p;
        }
    }
}

// Constants are written where they are to be, also where a call of `default` is not inlined (as at
// opt-level s) and makes a copy on the stack.

impl Zero for Poly {
    const ZERO: Self = Self([[0; LANES]; LANES]);
}

impl Zero for NttPoly {
    const ZERO: Self = Self([[0; LANES]; LANES]);
}

impl Zero for Negacyclic<i8> {
    const ZERO: Self = Self([0; 2 * N]);
}

impl Zero for Negacyclic<i16> {
    const ZERO: Self = Self([0; 2 * N]);
}

impl Default for Poly {
    #[inline]
    fn default() -> Self {
        Self::ZERO
    }
}

impl Default for NttPoly {
    #[inline]
    fn default() -> Self {
        Self::ZERO
    }
}

impl<T: Copy + Default> Default for Negacyclic<T> {
    fn default() -> Self {
        Self([T::default(); 2 * N])
    }
}

/// The small polynomial s, with coefficients of 32 bits.
pub(crate) fn widen<I: Isa>(isa: I, s: &Negacyclic<i8>, w: &mut Poly) {
    isa.outline(
        #[inline(always)]
        || {
            for (row, s) in w.0.iter_mut().zip(s.positive().as_chunks().0) {
                isa.store(isa.load_i8(s), row);
            }
        },
    );
}

/// w + s, in place.
///
/// # Bounds
/// Requires |w| < q − 4, as |w| < 3·q/4, and |s| ≤ 4. Ensures |w| < q.
pub(crate) fn add_small<I: Isa>(isa: I, w: &mut Poly, s: &Negacyclic<i8>) {
    isa.outline(
        #[inline(always)]
        || {
            for (row, s) in w.0.iter_mut().zip(s.positive().as_chunks().0) {
                isa.store(isa.add(isa.load(row), isa.load_i8(s)), row);
            }
        },
    );
}

#[cfg(feature = "zeroize")]
mod wipe {
    use super::{Negacyclic, NttPoly, Poly};
    use zeroize::DefaultIsZeroes;

    impl DefaultIsZeroes for Poly {}
    impl DefaultIsZeroes for NttPoly {}
    impl<T: Copy + Default> DefaultIsZeroes for Negacyclic<T> {}
}
