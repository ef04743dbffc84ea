//! Proofs that run as tests: bounds by intervals ([`bounds`]), and everything about one coefficient
//! by exhaustion ([`exhaustion`]).

mod bounds;
mod exhaustion;
mod interval;
