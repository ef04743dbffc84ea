//! Instantiates every operation for every parameter set, for `cargo xtask codegen` to look at:
//! generic functions have no code until someone uses them.
fn main() {}
