//! The width of an encoding as a type.

use crate::simd::Isa;

/// How many bits a coefficient takes, for kernels that are monomorphized by it.
pub trait Width {
    /// The number of bits.
    const BITS: usize;
    #[doc(hidden)]
    fn pack<I: Isa>(isa: I, v: I::V, dst: &mut [u8]);
    #[doc(hidden)]
    fn unpack<I: Isa>(isa: I, src: &[u8]) -> I::V;
}

/// `B` bits.
#[derive(Clone, Copy, Debug)]
pub struct Bits<const B: usize>;

impl<const B: usize> Width for Bits<B> {
    const BITS: usize = B;
    #[inline(always)]
    fn pack<I: Isa>(isa: I, v: I::V, dst: &mut [u8]) {
        isa.pack::<B>(v, dst);
    }
    #[inline(always)]
    fn unpack<I: Isa>(isa: I, src: &[u8]) -> I::V {
        isa.unpack::<B>(src)
    }
}
