//! An allocator that hands out the same addresses again: what is done must not differ by where the heap
//! happens to have room.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const LEN: usize = 64 << 20;

#[repr(align(4096))]
struct Memory(UnsafeCell<[u8; LEN]>);

// SAFETY: it is used through `Arena` only, which gives each part to one owner.
unsafe impl Sync for Memory {}

static MEMORY: Memory = Memory(UnsafeCell::new([0; LEN]));
static USED: AtomicUsize = AtomicUsize::new(0);

struct Arena;

#[global_allocator]
static ARENA: Arena = Arena;

// SAFETY: each part begins where the last one ended, rounded up, and ends within the memory; no alignment
// exceeds that of the memory. None is handed out twice, but after `scratch`, whose functions keep nothing.
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let start = USED.load(Relaxed).next_multiple_of(layout.align());
        let end = start.saturating_add(layout.size());
        if end > LEN || layout.align() > 4096 {
            return ptr::null_mut();
        }
        USED.store(end, Relaxed);
        // SAFETY: `start` lies within the memory.
        unsafe { MEMORY.0.get().cast::<u8>().add(start) }
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

/// Calls a function; what is allocated afterwards gets the addresses that were allocated in it.
///
/// # Safety
///
/// The function keeps nothing that it allocated, and there is one thread.
pub unsafe fn scratch<T: Copy>(f: impl FnOnce() -> T) -> T {
    let used = USED.load(Relaxed);
    let result = f();
    USED.store(used, Relaxed);
    result
}
