//! The number-theoretic transform: multiplication in R_q at the cost of n·log n.
//!
//! # The ring and its tree
//!
//! q − 1 is divisible by 512, so Z_q has a root of unity ζ = 1753 of order 512, and X²⁵⁶ + 1 =
//! X²⁵⁶ − ζ²⁵⁶ splits: X²ᵐ − z² = (Xᵐ − z)(Xᵐ + z). Eight such splittings, the *layers*, lead from
//! R_q to T_q, 256 copies of Z_q, where multiplication is coefficient by coefficient. A layer with
//! m = `len` replaces the pair (a, b) = (w\[j\], w\[j + len\]) by its remainders modulo the two
//! factors, (a + z·b, a − z·b): a *butterfly*. [`forward`] is Algorithm 41, [`inverse`]
//! Algorithm 42, which runs the layers backwards.
//!
//! # Lanes
//!
//! A polynomial is sixteen rows of sixteen lanes. For `len` = 128, 64, 32, 16 the partners stand in
//! different rows, in the same lane. For `len` = 8, 4, 2, 1 they stand in one row; then the lanes
//! of two neighbouring rows are exchanged, after which the partners again face each other: in
//! blocks of eight and of four lanes (`Isa::trn`), then interleaved four by four (`Isa::zip`).
//!
//! ```text
//!   len = 8:   a₀…a₇  a₈…a₁₅      a₀…a₇  b₀…b₇
//!              b₀…b₇  b₈…b₁₅  ⇒   a₈…a₁₅ b₈…b₁₅
//!   len = 4:   a₀…a₃ a₈…a₁₁ b₀…b₃ b₈…b₁₁   over   a₄…a₇ a₁₂…a₁₅ b₄…b₇ b₁₂…b₁₅
//!   len = 2:   a₀ a₄ a₁ a₅ …               over   a₂ a₆ a₃ a₇ …
//!   len = 1:   a₀ a₂ a₄ a₆ …               over   a₁ a₃ a₅ a₇ …
//! ```
//!
//! Interleaving turns three bits of a coefficient's number around: one says which row, two say where
//! among four lanes. So a third time brings back the order before the first. The two exchanges of
//! blocks, backwards, restore the rest, and T_q is in memory as FIPS 204 has it, on every
//! instruction set. The inverse transform goes the same way back. [`zetas`] computes which power of
//! ζ each lane needs.
//! The eight layers are done in two passes: 128 and 64, then the six others, so that every
//! coefficient is loaded and stored twice. (Without vector registers all that is for nothing: see
//! [`plain`].)
//!
//! # Bounds
//!
//! Multiplication by a power of ζ is Barrett's, which yields a result in \[0, q) and a little beyond on
//! both sides. So a layer of the forward transform adds little more than q to the largest
//! coefficient, and no reduction is needed between layers. The inverse transform doubles the largest
//! coefficient in each layer: from less than q to less than 2⁸·q < 2³¹, just enough. Its last layer
//! multiplies by Montgomery's method, whose result is centered, as the rounding that follows wants
//! it; its factor 2⁻³² and that of the products before are part of f.

mod forward;
mod inverse;
mod plain;
mod pointwise;
pub(crate) mod zetas;

#[cfg(test)]
pub(crate) use forward::FORWARD_MAX;
pub(crate) use forward::ntt;
#[cfg(test)]
pub(crate) use inverse::INVERSE_INPUT;
pub(crate) use inverse::ntt_inverse;
#[cfg(any(test, mldsa_internals))]
pub(crate) use pointwise::pointwise;
#[cfg(test)]
pub(crate) use pointwise::products_below;
pub(crate) use pointwise::{
    add_product, pointwise_acc, pointwise_acc_pair, pointwise_acc_sub, sub_product,
};
