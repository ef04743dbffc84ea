//! The hint **h**: at most ω positions in k polynomials.

use crate::params::sealed::List;
use crate::params::{MlDsaParams, Rows};
use crate::poly::LANES;

/// A polynomial of 256 bits: bit j of `[i]` is coefficient 16·i + j.
pub(crate) type Hint = [u16; LANES];

/// Algorithm 20, `HintBitPack(h)`. `y` is ω + k bytes; `h` has at most ω ones, more are dropped.
pub(crate) fn hint_bit_pack<P: MlDsaParams>(h: &Rows<P, Hint>, y: &mut [u8]) {
    let (positions, cuts) = y.split_at_mut(P::OMEGA);
    // 1: y ← 0
    positions.fill(0);
    let mut index = 0;
    for (h, cut) in h.as_ref().iter().zip(cuts) {
        // Four rows at once: fewer ends of the inner loop, which the CPU cannot predict.
        for (i, rows) in h.as_chunks::<4>().0.iter().enumerate() {
            let join = |high: u64, row: &u16| high << LANES | u64::from(*row);
            let mut bits = rows.iter().rev().fold(0, join);
            while bits != 0 && index < positions.len() {
                // 6, 7: y[Index] ← j
                positions[index] = (4 * LANES * i) as u8 + bits.trailing_zeros() as u8;
                index += 1;
                bits &= bits - 1;
            }
        }
        // 10: y[ω + i] ← Index
        *cut = index as u8;
    }
}

/// Algorithm 21, `HintBitUnpack(y)`: `None` unless `y` (ω + k bytes) is the one encoding of a hint.
pub(crate) fn hint_bit_unpack<P: MlDsaParams>(y: &[u8]) -> Option<Rows<P, Hint>> {
    let (positions, cuts) = y.split_at_checked(P::OMEGA)?;
    let mut h: Rows<P, Hint> = List::repeat([0; LANES]);
    let mut index = 0;
    for (h, cut) in h.as_mut().iter_mut().zip(cuts) {
        // 4: the cuts do not decrease and do not exceed ω.
        let row = positions.get(index..usize::from(*cut))?;
        index = usize::from(*cut);
        // 9: within a polynomial the positions increase strictly.
        if !row.is_sorted_by(|a, b| a < b) {
            return None;
        }
        for position in row {
            h[usize::from(position >> 4)] |= 1 << (position & 15);
        }
    }
    // 16: what is left over is zero.
    positions[index..].iter().all(|y| *y == 0).then_some(h)
}
