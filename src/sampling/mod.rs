//! Sampling: seeds become polynomials (Algorithms 29 to 34).
//!
//! All but [`ball`] are jobs for the lanes of [`crate::keccak`]: they squeeze blocks until they
//! have enough, and turn them into coefficients with kernels. (`crate::compact` gives the kernels
//! one block at a time.)

mod ball;
mod bounded;
mod mask;
mod uniform;

pub(crate) use ball::{
    BallSampler, Challenge, mul_small, mul_t0, sample_in_ball, sample_in_ball_beside,
};
pub(crate) use bounded::{Bounded, rej_bounded_poly};
pub(crate) use mask::Mask;
pub(crate) use uniform::{Uniform, expand_a, rej_ntt_poly};
