//! Stub: SHAKE256 as H of FIPS 204.

/// H, absorbing.
#[derive(Clone)]
pub(crate) struct Shake256 {}

impl Shake256 {
    /// An empty sponge.
    pub(crate) fn new() -> Self {
        todo!()
    }
    /// Absorbs `bytes`.
    pub(crate) fn absorb<I: crate::simd::Isa>(&mut self, isa: I, bytes: &[u8]) {
        let _ = (isa, bytes);
        todo!()
    }
    /// Ends absorbing and squeezes into `out` (at most one block, 136 bytes). Wipes the sponge.
    pub(crate) fn finish<I: crate::simd::Isa>(self, isa: I, out: &mut [u8]) {
        let _ = (isa, out);
        todo!()
    }
}
