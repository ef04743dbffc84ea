//! Sampling: seeds become polynomials (Algorithms 29 to 34).
//!
//! All but [`ball`] are jobs for the lanes of [`crate::keccak`]: they squeeze blocks until they
//! have enough, and turn them into coefficients with kernels.

mod ball;
mod bounded;
mod mask;
mod uniform;

#[cfg(test)]
pub(crate) use ball::Challenge;
pub(crate) use ball::{BallSampler, mul_small, mul_t0, sample_in_ball};
pub(crate) use bounded::Bounded;
#[cfg(any(test, mldsa_internals))]
pub(crate) use bounded::rej_bounded_poly;
pub(crate) use mask::Mask;
pub(crate) use uniform::Uniform;
#[cfg(any(test, mldsa_internals))]
pub(crate) use uniform::rej_ntt_poly;
