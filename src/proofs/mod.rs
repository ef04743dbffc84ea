//! Proofs that run as tests: bounds by intervals ([`bounds`]).

mod bounds;
mod interval;
