//! The project's longer checks. `cargo xtask` lists them.
fn main() {}
