//! Where keys live: on the heap and shared between clones, or inline where there is no heap.

use core::ops::Deref;

/// A value that is shared: with the `alloc` feature (and a CPU that has atomic pointers) an `Arc`,
/// so that one copy serves a key, its clones and the verifying key inside it; without, the value
/// itself.
///
/// It is an array of one for the sake of how it is made: the items of a shared array are made where
/// they will stay, while a value by itself would be made on the stack and moved, which costs time
/// and leaves a copy.
pub(crate) struct One<T>(Inner<T>);

#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
type Inner<T> = alloc::sync::Arc<[T; 1]>;
#[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
type Inner<T> = [T; 1];

impl<T> One<T> {
    /// Puts `empty` where it will stay, then fills it there.
    #[inline]
    pub(crate) fn build(empty: impl Fn() -> T, fill: impl FnOnce(&mut T)) -> Self {
        #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
        let inner = {
            let items: alloc::sync::Arc<[T]> = (0..1).map(|_| empty()).collect();
            match items.try_into() {
                Ok(one) => one,
                Err(_) => unreachable!("the iterator yields one item"),
            }
        };
        #[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
        let inner = [empty()];
        let mut one = Self(inner);
        if let Some(value) = one.get_mut() {
            fill(value);
        }
        one
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
        let one = Inner::get_mut(&mut self.0);
        #[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
        let one = Some(&mut self.0);
        one.map(|[value]| value)
    }
}

impl<T> Deref for One<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        let [value]: &[T; 1] = &self.0;
        value
    }
}

/// A value too large to pass through the stack on its way to the heap, where there is one.
#[cfg(feature = "alloc")]
pub(crate) type Stored<T> = alloc::boxed::Box<T>;
#[cfg(not(feature = "alloc"))]
pub(crate) type Stored<T> = T;

/// A large value that follows from others: computed when it is first needed, then kept on the heap.
/// Where there is no heap it is computed each time.
pub(crate) struct Lazy<T>(Once<T>);

#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
type Once<T> = once_cell::race::OnceBox<T>;
#[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
type Once<T> = core::marker::PhantomData<T>;

impl<T> Lazy<T> {
    /// Not computed yet.
    #[inline]
    pub(crate) fn new() -> Self {
        #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
        let once = Once::new();
        #[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
        let once = core::marker::PhantomData;
        Self(once)
    }

    /// Uses the value. Threads that need it first at the same time may compute it twice; one of the
    /// results is kept.
    #[inline]
    pub(crate) fn with<R>(
        &self,
        compute: impl FnOnce() -> Stored<T>,
        f: impl FnOnce(&T) -> R,
    ) -> R {
        #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
        {
            f(self.0.get_or_init(compute))
        }
        #[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
        f(&compute())
    }
}
