//! Verifies: nothing else, and no runtime. Linked to see how large the code is and that no panic is
//! in it.
#![no_std]
#![no_main]

use mldsa_simd::{EncodedSignature, EncodedVerifyingKey, low_memory};

include!("../image.rs");

/// The entry of the image.
#[unsafe(no_mangle)]
fn _start(
    public: &EncodedVerifyingKey<P>,
    message: &[u8],
    context: &[u8],
    signature: &EncodedSignature<P>,
) -> bool {
    #[cfg(feature = "panics")]
    assert!(!message.is_empty(), "a panic, to see that it is found");
    low_memory::verify::<P>(public, message, context, signature).is_ok()
}
