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
