//! SHAKE256 and SHAKE128, the functions H and G of FIPS 204, for inputs of any length.

use super::{Between, RATE_128, RATE_256, States, WORDS, keccak_f, keccak_f_x4};
use crate::simd::{Isa, Sponge};
use crate::wipe::{Wipe, WipedBytes, wipe_frame};

/// H
pub(crate) type Shake256 = Shake<RATE_256>;
/// G
pub(crate) type Shake128 = Shake<RATE_128>;

/// SHAKE, of the security that goes with the rate, while it absorbs. Wiped when it ends (feature
/// `zeroize`).
#[derive(Clone)]
pub(crate) struct Shake<const RATE: usize> {
    state: States<1>,
    /// Bytes absorbed since the last permutation, less than the rate.
    filled: usize,
}

impl<const RATE: usize> Shake<RATE> {
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
            let (now, later) = bytes.split_at(bytes.len().min(RATE - self.filled));
            xor_bytes(&mut self.state, self.filled, now);
            self.filled += now.len();
            if self.filled == RATE {
                keccak_f(isa, &mut self.state);
                self.filled = 0;
            }
            bytes = later;
        }
    }

    /// Ends the input and squeezes the first bytes of the output, at most `RATE`. The sponge is of
    /// no use afterwards; were it taken by value, a copy would stay where it was.
    pub(crate) fn finish<I: Isa>(&mut self, isa: I, out: &mut [u8]) {
        pad(&mut self.state, 0, self.filled, RATE);
        keccak_f(isa, &mut self.state);
        wipe_frame();
        bytes_of(&self.state, out);
    }

    /// Ends the inputs of two sponges, as [`finish`](Self::finish): their permutations run side by
    /// side where an instruction set has lanes for it. For public inputs: the lanes are not wiped.
    pub(crate) fn finish_pair<I: Isa>(isa: I, pair: [&mut Self; 2], out: [&mut [u8]; 2]) {
        let ([a, b], [out_a, out_b]) = (pair, out);
        if I::Sponge::WIDTH == 1 {
            a.finish(isa, out_a);
            b.finish(isa, out_b);
            return;
        }
        pad(&mut a.state, 0, a.filled, RATE);
        pad(&mut b.state, 0, b.filled, RATE);
        let mut states = [[0; 4]; WORDS];
        let mut between = Between::new();
        for ((words, [a]), [b]) in states.iter_mut().zip(&a.state).zip(&b.state) {
            (words[0], words[1]) = (*a, *b);
        }
        keccak_f_x4(isa, &mut states, &mut between, 0b11);
        for ((words, [a]), [b]) in states.iter().zip(&mut a.state).zip(&mut b.state) {
            (*a, *b) = (words[0], words[1]);
        }
        bytes_of(&a.state, out_a);
        bytes_of(&b.state, out_b);
    }

    /// The next block of the output, after that with which it began.
    pub(crate) fn next_block<I: Isa>(&mut self, isa: I, block: &mut [u8; RATE]) {
        keccak_f(isa, &mut self.state);
        wipe_frame();
        bytes_of(&self.state, block);
    }

    /// Ends the input and hands out the output block by block, as long as `more` says so.
    pub(crate) fn finish_blocks<I: Isa>(
        &mut self,
        isa: I,
        mut more: impl FnMut(&[u8; RATE]) -> bool,
    ) {
        let mut block = WipedBytes::<RATE>::new();
        self.finish(isa, &mut *block);
        while more(&block) {
            self.next_block(isa, &mut block);
        }
    }
}

impl<const RATE: usize> Drop for Shake<RATE> {
    fn drop(&mut self) {
        self.state.as_flattened_mut().wipe();
    }
}

/// Pads an input that ends `filled` bytes into a block: SHAKE's suffix 1111, a one, zeros, a one.
#[inline]
pub(crate) fn pad<const R: usize>(states: &mut States<R>, lane: usize, filled: usize, rate: usize) {
    xor_word(states, filled >> 3, lane, 0x1f << (8 * (filled & 7)));
    xor_word(states, (rate >> 3) - 1, lane, 0x80 << 56);
}

/// Adds to a word. The callers stay below the rate; an index with its check would leave a panic in
/// programs that are to have none.
#[inline]
fn xor_word<const R: usize>(states: &mut States<R>, index: usize, lane: usize, bits: u64) {
    if let Some(word) = states.get_mut(index).and_then(|words| words.get_mut(lane)) {
        *word ^= bits;
    }
}

/// Absorbs `bytes`, the first of them at `offset` in the block.
fn xor_bytes(state: &mut States<1>, mut offset: usize, mut bytes: &[u8]) {
    // Up to a word's border byte by byte, then words, then the rest.
    while let [first, rest @ ..] = bytes
        && offset & 7 != 0
    {
        xor_word(
            state,
            offset >> 3,
            0,
            u64::from(*first) << (8 * (offset & 7)),
        );
        offset += 1;
        bytes = rest;
    }
    let (words, rest) = bytes.as_chunks();
    for ([word], bytes) in state.iter_mut().skip(offset >> 3).zip(words) {
        *word ^= u64::from_le_bytes(*bytes);
    }
    offset += bytes.len() - rest.len();
    for byte in rest {
        xor_word(
            state,
            offset >> 3,
            0,
            u64::from(*byte) << (8 * (offset & 7)),
        );
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::for_each_isa;

    #[test]
    fn a_pair_ends_as_one_by_one() {
        let message = core::array::from_fn::<u8, 300, _>(|i| i as u8);
        for (len_a, len_b) in [(0, 135), (64, 32), (136, 300), (271, 7)] {
            for_each_isa!(isa => {
                let absorbed = |len: usize| {
                    let mut h = Shake256::new();
                    h.absorb(isa, &message[..len]);
                    h
                };
                let (mut a, mut b) = (absorbed(len_a), absorbed(len_b));
                let (mut out_a, mut out_b) = ([0; 64], [0; RATE_256]);
                Shake256::finish_pair(isa, [&mut a, &mut b], [&mut out_a, &mut out_b]);
                let mut expected = [0; 64];
                absorbed(len_a).finish(isa, &mut expected);
                assert_eq!(out_a, expected);
                let mut next = out_b;
                b.next_block(isa, &mut next);
                let mut blocks = 0;
                absorbed(len_b).finish_blocks(isa, |block| {
                    assert_eq!(*block, [out_b, next][blocks]);
                    blocks += 1;
                    blocks < 2
                });
            });
        }
    }
}
