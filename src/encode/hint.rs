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

/// More than ω.
const MAX_POSITIONS: usize = 96;

/// Whether Algorithm 21, `HintBitUnpack(y)`, accepts `y` (ω + k bytes): the one encoding of a hint.
#[must_use]
pub(crate) fn hint_is_well_formed<P: MlDsaParams>(y: &[u8]) -> bool {
    const { assert!(P::OMEGA < MAX_POSITIONS) };
    let Some((positions, cuts)) = y.split_at_checked(P::OMEGA) else {
        return false;
    };
    // All positions are looked at in one way, without an end of a loop in each polynomial that the
    // CPU cannot predict: all ones where a polynomial begins, and where the positions are used up.
    let mut begins = [0; MAX_POSITIONS];
    let mut index = 0;
    for cut in cuts {
        let cut = usize::from(*cut);
        // 4: the cuts do not decrease and do not exceed ω.
        if cut < index || cut > P::OMEGA {
            return false;
        }
        begins[cut] = u8::MAX;
        index = cut;
    }
    let mut over = [0; MAX_POSITIONS];
    over[index..].fill(u8::MAX);
    let mut wrong = 0;
    for j in 1..P::OMEGA {
        // 9: within a polynomial the positions increase strictly.
        let falls = u8::from(positions[j] <= positions[j - 1]).wrapping_neg();
        wrong |= falls & !begins[j] & !over[j];
    }
    // 16: what is left over is zero.
    for (position, over) in positions.iter().zip(over) {
        wrong |= position & over;
    }
    wrong == 0
}

/// Algorithm 21, `HintBitUnpack(y)`: `None` unless `y` (ω + k bytes) is the one encoding of a hint.
pub(crate) fn hint_bit_unpack<P: MlDsaParams>(y: &[u8]) -> Option<Rows<P, Hint>> {
    if !hint_is_well_formed::<P>(y) {
        return None;
    }
    let (positions, cuts) = y.split_at_checked(P::OMEGA)?;
    let mut h: Rows<P, Hint> = List::repeat([0; LANES]);
    let mut index = 0;
    for (h, cut) in h.as_mut().iter_mut().zip(cuts) {
        for position in positions.get(index..usize::from(*cut))? {
            h[usize::from(position >> 4)] |= 1 << (position & 15);
        }
        index = usize::from(*cut);
    }
    Some(h)
}
