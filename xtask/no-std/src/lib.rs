//! A library without std that signs and verifies with every parameter set.
//!
//! It brings the one panic handler that a program may have: a std that came in through the crate
//! or one of its dependencies would bring the second, and the build would fail.
#![no_std]

use core::panic::PanicInfo;
use mldsa_simd::{
    Keypair, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Signature, Signer, SigningKey, Verifier,
};

/// Whether signatures of `message` with the keys of `seed` verify.
#[unsafe(no_mangle)]
pub extern "C" fn mldsa_round_trip(seed: &[u8; 32], message: &[u8; 32]) -> bool {
    round_trip::<MlDsa44>(seed, message)
        && round_trip::<MlDsa65>(seed, message)
        && round_trip::<MlDsa87>(seed, message)
}

fn round_trip<P: MlDsaParams>(seed: &[u8; 32], message: &[u8]) -> bool {
    let key = SigningKey::<P>::from_seed(&(*seed).into());
    let signature: Result<Signature<P>, _> = key.try_sign(message);
    signature.is_ok_and(|signature| key.verifying_key().verify(message, &signature).is_ok())
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {}
}
