//! Makes keys, signs and verifies. Linked to see how large the code is and that no panic is in it.
#![no_std]
#![no_main]

use mldsa_simd::{B32, EncodedSignature, EncodedVerifyingKey, Seed, low_memory};

include!("../image.rs");

/// The entry of the image.
#[unsafe(no_mangle)]
fn _start(
    seed: &Seed,
    public: &mut EncodedVerifyingKey<P>,
    message: &[u8],
    context: &[u8],
    rnd: &B32,
    signature: &mut EncodedSignature<P>,
) -> bool {
    low_memory::key_gen::<P>(seed, public);
    low_memory::sign::<P>(seed, message, context, rnd, signature).is_ok()
        && low_memory::verify::<P>(public, message, context, signature).is_ok()
}
