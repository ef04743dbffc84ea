//! Key generation, signing and verification on each instruction set equal those in plain Rust.

use mldsa_simd::internals::{self, Output};

/// The first byte chooses the parameter set; ξ, μ and rnd follow, zeros where the input ends.
pub(crate) fn run(data: &[u8]) {
    let Some((set, data)) = data.split_first() else {
        return;
    };
    let mut input = [0; 128];
    for (to, from) in input.iter_mut().zip(data) {
        *to = *from;
    }
    let (xi, rest) = input.split_at(32);
    let (mu, rnd) = rest.split_at(64);
    let all: Vec<Output> = internals::operations(usize::from(*set), xi, mu, rnd);
    for other in &all[1..] {
        assert!(
            other.bytes == all[0].bytes,
            "{} and {} differ",
            other.isa,
            all[0].isa
        );
    }
}
