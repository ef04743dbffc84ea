// Included by the images: the parameter set, and the panic handler that must not be linked.

use core::panic::PanicInfo;

#[cfg(feature = "mldsa44")]
type P = mldsa_simd::MlDsa44;
#[cfg(feature = "mldsa65")]
type P = mldsa_simd::MlDsa65;
#[cfg(feature = "mldsa87")]
type P = mldsa_simd::MlDsa87;

unsafe extern "C" {
    safe fn a_panic_is_reachable() -> !;
}

/// Calls what exists nowhere: linking fails when the compiler could not rule out every panic.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    a_panic_is_reachable()
}
