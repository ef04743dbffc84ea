//! Where keys live: on the heap and shared between clones, or inline where there is no heap.

use core::ops::Deref;

/// With the `alloc` feature (and a CPU that has atomic pointers) an `Arc`: one copy serves a key,
/// its clones and the verifying key inside it. Without, the value itself.
#[allow(
    unreachable_pub,
    missing_debug_implementations,
    reason = "named in a sealed trait"
)]
pub struct Shared<T>(Inner<T>);

#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
type Inner<T> = alloc::sync::Arc<T>;
#[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
type Inner<T> = T;

impl<T> Shared<T> {
    /// Puts `empty` where it will stay, then fills it there: a secret that is written into place
    /// leaves no copies on the stack behind.
    #[inline]
    pub(crate) fn build(empty: T, fill: impl FnOnce(&mut T)) -> Self {
        #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
        let inner = Inner::new(empty);
        #[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
        let inner = empty;
        Self(inner).fill(fill)
    }

    /// One more handle. Where there is no heap, `copy` makes a second value.
    #[inline]
    pub(crate) fn share(&self, copy: impl FnOnce() -> Self) -> Self {
        #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
        {
            let _ = copy;
            Self(Inner::clone(&self.0))
        }
        #[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
        copy()
    }

    /// The value itself, while nobody shares it.
    #[inline]
    pub(crate) fn get_mut(&mut self) -> Option<&mut T> {
        #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
        {
            Inner::get_mut(&mut self.0)
        }
        #[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
        Some(&mut self.0)
    }

    /// Changes a value that nobody shares yet.
    #[inline]
    pub(crate) fn fill(mut self, fill: impl FnOnce(&mut T)) -> Self {
        #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
        if let Some(value) = Inner::get_mut(&mut self.0) {
            fill(value);
        }
        #[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
        fill(&mut self.0);
        self
    }
}

impl<T, const N: usize> Shared<[T; N]> {
    /// An array built in place, item by item: at no time does the stack hold more than one.
    #[inline]
    pub(crate) fn from_fn(f: impl FnMut(usize) -> T) -> Self {
        #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
        {
            let items: alloc::sync::Arc<[T]> = (0..N).map(f).collect();
            // The iterator yields N items, so the conversion cannot fail.
            match items.try_into() {
                Ok(array) => Self(array),
                Err(_) => unreachable!("N items"),
            }
        }
        #[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
        Self(core::array::from_fn(f))
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}
