//! The kernels of each instruction set equal those in plain Rust.

use core::cell::LazyCell;
use mldsa_simd::internals::{Kernel, kernels};

std::thread_local! {
    static KERNELS: LazyCell<Vec<Kernel>> = LazyCell::new(kernels);
}

/// The first byte chooses the kernel, eight more the inputs.
pub(crate) fn run(data: &[u8]) {
    let [which, inputs @ ..] = data else { return };
    let mut seed = [0; 8];
    for (to, from) in seed.iter_mut().zip(inputs) {
        *to = *from;
    }
    let seed = u64::from_le_bytes(seed);
    KERNELS.with(|kernels| {
        let plain: Vec<_> = kernels
            .iter()
            .filter(|kernel| kernel.isa == "portable")
            .collect();
        let Some(first) = plain.get(usize::from(*which)) else {
            return;
        };
        let expected = (first.output)(seed);
        for other in kernels.iter().filter(|kernel| kernel.name == first.name) {
            assert!(
                (other.output)(seed) == expected,
                "{} on {}",
                other.name,
                other.isa
            );
        }
    });
}
