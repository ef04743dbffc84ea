//! Generators that show what the crate does with a generator.
#![allow(dead_code, reason = "each test uses its own part")]

use core::convert::Infallible;
use mldsa_simd::signature::rand_core::{TryCryptoRng, TryRng};

macro_rules! generator {
    ($name:ident, $error:ty, |$self:ident, $out:ident| $fill:expr) => {
        impl TryRng for $name {
            type Error = $error;

            fn try_next_u32(&mut self) -> Result<u32, $error> {
                unreachable!("ML-DSA draws 32 bytes at once")
            }

            fn try_next_u64(&mut self) -> Result<u64, $error> {
                unreachable!("ML-DSA draws 32 bytes at once")
            }

            fn try_fill_bytes(&mut $self, $out: &mut [u8]) -> Result<(), $error> {
                $fill
            }
        }

        impl TryCryptoRng for $name {}
    };
}

/// Gives these 32 bytes at every call.
pub(crate) struct Fixed(pub(crate) [u8; 32]);

generator!(Fixed, Infallible, |self, out| {
    out.copy_from_slice(&self.0);
    Ok(())
});

/// Fails at every call, after it has written something.
pub(crate) struct Broken;

generator!(Broken, core::fmt::Error, |self, out| {
    out.fill(0xb0);
    Err(core::fmt::Error)
});

/// Must not be called.
pub(crate) struct Untouched;

generator!(Untouched, Infallible, |self, _out| unreachable!(
    "the generator was called"
));
