//! Every kernel on every instruction set of this machine:
//! `RUSTFLAGS="--cfg mldsa_internals" cargo bench --bench kernels`.

#![allow(missing_docs, reason = "criterion's macros")]

#[cfg(mldsa_internals)]
mod with_internals {
    use criterion::{Criterion, criterion_group};

    fn kernels(c: &mut Criterion) {
        for kernel in mldsa_simd::internals::kernels() {
            let mut run = (kernel.with)(1);
            c.benchmark_group(kernel.name)
                .bench_function(kernel.isa, |b| b.iter(&mut run));
        }
    }

    criterion_group!(benches, kernels);
}

#[cfg(mldsa_internals)]
criterion::criterion_main!(with_internals::benches);

#[cfg(not(mldsa_internals))]
fn main() {
    eprintln!("this bench needs RUSTFLAGS=\"--cfg mldsa_internals\"");
}
