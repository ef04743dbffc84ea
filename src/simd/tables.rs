//! Tables for instructions that choose bytes by index: `pshufb`, `tbl`.

use crate::poly::LANES;

/// Where the sixteen `B`-bit integers of 2·B bytes stand: four windows of 16 bytes, one for each
/// four lanes, and in each the bytes that lane needs and the bits that precede it there.
pub(super) struct Windows<const B: usize>;

impl<const B: usize> Windows<B> {
    /// Bytes that the source has for the windows: short strings are padded to one window.
    pub(super) const LEN: usize = if 2 * B < 16 { 16 } else { 2 * B };
    /// The first byte of each window: where its bits begin, but never so late that the window
    /// would reach beyond the end.
    pub(super) const START: [usize; 4] = {
        let mut start = [0; 4];
        let mut w = 0;
        while w < 4 {
            let first = (4 * w * B) >> 3;
            start[w] = if first + 16 > Self::LEN {
                Self::LEN - 16
            } else {
                first
            };
            w += 1;
        }
        start
    };
    /// For lane i of window w the four bytes that hold its bits (−1 gives a zero byte).
    pub(super) const SHUFFLE: [[i8; 16]; 4] = {
        let mut shuffle = [[-1; 16]; 4];
        let mut lane = 0;
        while lane < 16 {
            let first = ((lane * B) >> 3) - Self::START[lane >> 2];
            let last = (((lane + 1) * B - 1) >> 3) - Self::START[lane >> 2];
            let mut byte = first;
            while byte <= last {
                shuffle[lane >> 2][4 * (lane & 3) + byte - first] = byte as i8;
                byte += 1;
            }
            lane += 1;
        }
        shuffle
    };
    /// Bits before the lane's own in its first byte.
    pub(super) const SHIFT: [i32; LANES] = {
        let mut shift = [0; LANES];
        let mut lane = 0;
        while lane < 16 {
            shift[lane] = ((lane * B) & 7) as i32;
            lane += 1;
        }
        shift
    };
}

/// How two pairs of `B`-bit integers, at bytes 0 and 8, move together: to the first
/// [`BYTES`](Self::BYTES) of 16 bytes, or to the last. A byte that both have a part of comes from
/// each. For an even `B`.
#[cfg(target_arch = "x86_64")]
pub(super) struct Pairs<const B: usize>;

#[cfg(target_arch = "x86_64")]
impl<const B: usize> Pairs<B> {
    /// Bytes of four integers.
    pub(super) const BYTES: usize = B >> 1;
    /// To the front or to the end, the first pair or the second (−1 gives a zero byte).
    pub(super) const ORDER: [[[i8; 16]; 2]; 2] = {
        let mut order = [[[-1; 16]; 2]; 2];
        let mut at = 0;
        while at < 2 {
            let mut pair = 0;
            while pair < 2 {
                let first = at * (16 - Self::BYTES) + pair * ((2 * B) >> 3);
                let mut byte = 0;
                while byte < Self::BYTES.div_ceil(2) {
                    order[at][pair][first + byte] = (8 * pair + byte) as i8;
                    byte += 1;
                }
                pair += 1;
            }
            at += 1;
        }
        order
    };
    /// What precedes the last four in the 16 bytes that end with them: of the four before, at the
    /// front, the end.
    pub(super) const TAIL: [i8; 16] = {
        let mut tail = [-1; 16];
        let mut byte = 0;
        while byte < Self::BYTES {
            // It stands 2·BYTES − byte before the end, where 16 are stored.
            let before_end = 2 * Self::BYTES - byte;
            if before_end <= 16 {
                tail[16 - before_end] = byte as i8;
            }
            byte += 1;
        }
        tail
    };
}

/// For each set of bits the indices of its members, in order: the shuffle that moves the accepted
/// ones of eight bytes to the front.
#[cfg(not(target_arch = "wasm32"))]
pub(super) static COMPACT: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let mut n = 0;
        let mut i = 0;
        while i < 8 {
            if set >> i & 1 == 1 {
                table[set][n] = i as u8;
                n += 1;
            }
            i += 1;
        }
        set += 1;
    }
    table
};
