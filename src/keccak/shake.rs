//! SHAKE256, the function H of FIPS 204, for inputs of any length.

use super::{RATE_256, States, WORDS, keccak_f};
use crate::simd::Isa;
use crate::wipe::{Wipe, Wiped};

/// SHAKE256 while it absorbs. Wiped when it ends (feature `zeroize`).
#[derive(Clone)]
pub(crate) struct Shake256 {
    state: States<1>,
    /// Bytes absorbed since the last permutation, less than the rate.
    filled: usize,
}

impl Shake256 {
    /// Nothing absorbed yet.
    #[inline]
    pub(crate) fn new() -> Self {
        Self {
            state: [[0]; WORDS],
            filled: 0,
        }
    }

    /// Absorbs `bytes`. Any division of an input into calls gives the same result.
    pub(crate) fn absorb<I: Isa>(&mut self, isa: I, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(RATE_256 - self.filled));
            xor_bytes(&mut self.state, self.filled, now);
            self.filled += now.len();
            if self.filled == RATE_256 {
                keccak_f(isa, &mut self.state);
                self.filled = 0;
            }
            bytes = later;
        }
    }

    /// Ends the input and squeezes the first bytes of the output, at most 136. The sponge is of no
    /// use afterwards; were it taken by value, a copy would stay where it was.
    pub(crate) fn finish<I: Isa>(&mut self, isa: I, out: &mut [u8]) {
        pad(&mut self.state, 0, self.filled, RATE_256);
        keccak_f(isa, &mut self.state);
        bytes_of(&self.state, out);
    }

    /// Ends the input and hands out the output block by block, as long as `more` says so.
    pub(crate) fn finish_blocks<I: Isa>(
        &mut self,
        isa: I,
        mut more: impl FnMut(&[u8; RATE_256]) -> bool,
    ) {
        let mut block = Wiped::new([0; RATE_256]);
        self.finish(isa, &mut *block);
        while more(&block) {
            keccak_f(isa, &mut self.state);
            bytes_of(&self.state, &mut *block);
        }
    }
}

impl Drop for Shake256 {
    fn drop(&mut self) {
        self.state.wipe();
    }
}

/// Pads an input that ends `filled` bytes into a block: SHAKE's suffix 1111, a one, zeros, a one.
#[inline]
pub(crate) fn pad<const R: usize>(states: &mut States<R>, lane: usize, filled: usize, rate: usize) {
    states[filled >> 3][lane] ^= 0x1f << (8 * (filled & 7));
    states[(rate >> 3) - 1][lane] ^= 0x80 << 56;
}

/// Absorbs `bytes`, the first of them at `offset` in the block.
fn xor_bytes(state: &mut States<1>, mut offset: usize, mut bytes: &[u8]) {
    // Up to a word's border byte by byte, then words, then the rest.
    while let [first, rest @ ..] = bytes
        && offset & 7 != 0
    {
        state[offset >> 3][0] ^= u64::from(*first) << (8 * (offset & 7));
        offset += 1;
        bytes = rest;
    }
    let (words, rest) = bytes.as_chunks();
    for (word, bytes) in state[offset >> 3..].iter_mut().zip(words) {
        word[0] ^= u64::from_le_bytes(*bytes);
    }
    offset += bytes.len() - rest.len();
    for byte in rest {
        state[offset >> 3][0] ^= u64::from(*byte) << (8 * (offset & 7));
        offset += 1;
    }
}

/// The first bytes of a state.
fn bytes_of(state: &States<1>, out: &mut [u8]) {
    let (words, rest) = out.as_chunks_mut();
    let mut from = state.iter();
    for (to, [word]) in words.iter_mut().zip(from.by_ref()) {
        *to = word.to_le_bytes();
    }
    if let Some([word]) = from.next() {
        for (to, byte) in rest.iter_mut().zip(word.to_le_bytes()) {
            *to = byte;
        }
    }
}
