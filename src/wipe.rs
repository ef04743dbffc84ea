//! Secrets are overwritten when they are no longer needed (feature `zeroize`).

use core::ops::{Deref, DerefMut};

/// Overwrites a value with zeros, in a way that the compiler keeps. Does nothing without the
/// feature `zeroize`.
///
/// An array is overwritten item by item, a slice at once: long arrays are wiped as slices.
pub(crate) trait Wipe {
    fn wipe(&mut self);
}

#[cfg(feature = "zeroize")]
impl<T: zeroize::Zeroize + ?Sized> Wipe for T {
    #[inline]
    fn wipe(&mut self) {
        self.zeroize();
    }
}

#[cfg(not(feature = "zeroize"))]
impl<T: ?Sized> Wipe for T {
    #[inline]
    fn wipe(&mut self) {}
}

/// Overwrites the part of the stack that a permutation used which the caller has just called: the
/// compiler puts registers with words of the state aside there.
#[cfg(feature = "zeroize")]
#[inline(never)]
pub(crate) fn wipe_frame() {
    let mut frame = [0_u64; 48];
    frame.wipe();
}

/// Nothing.
#[cfg(not(feature = "zeroize"))]
#[inline(always)]
pub(crate) fn wipe_frame() {}

/// A secret that is wiped when it goes out of scope.
pub(crate) struct Wiped<T: Wipe>(T);

impl<T: Wipe> Wiped<T> {
    /// Takes charge of a value that is not secret yet, as an array of zeros.
    #[inline]
    pub(crate) fn new(empty: T) -> Self {
        Self(empty)
    }
}

impl<T: Wipe> Deref for Wiped<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Wipe> DerefMut for Wiped<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Wipe> Drop for Wiped<T> {
    #[inline]
    fn drop(&mut self) {
        self.0.wipe();
    }
}

/// Secret bytes that are wiped when they go out of scope.
pub(crate) struct WipedBytes<const N: usize>([u8; N]);

impl<const N: usize> WipedBytes<N> {
    /// Zeros, to be filled.
    #[inline]
    pub(crate) fn new() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> Deref for WipedBytes<N> {
    type Target = [u8; N];
    #[inline]
    fn deref(&self) -> &[u8; N] {
        &self.0
    }
}

impl<const N: usize> DerefMut for WipedBytes<N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8; N] {
        &mut self.0
    }
}

impl<const N: usize> Drop for WipedBytes<N> {
    #[inline]
    fn drop(&mut self) {
        self.0.as_mut_slice().wipe();
    }
}
