//! Proofs and comparisons that run as unit tests, on every instruction set of the machine: bounds by
//! intervals ([`bounds`]), everything about one coefficient by exhaustion ([`exhaustion`]), and every
//! layer against the standard's own words ([`oracle`]).

mod attempts;
mod bounds;
mod exhaustion;
mod interval;
mod oracle;
