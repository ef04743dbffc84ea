//! Keccak-f\[1600\], written once over the lanes of [`Sponge`].
//!
//! Word (x, y) of the state stands at 5·y + x. A round reads one array and writes another: with 25
//! words, five column parities and few registers the words live in memory anyhow, and two arrays
//! spare the moves that a round in place needs. The parities of the columns that a round writes are
//! summed on the way and carried to the next, which needs them first.
//!
//! Four states on AVX2 are permuted in assembly instead (`crate::simd`), in the same way but in a
//! better order.

use super::{States, WORDS};
use crate::simd::{Isa, Portable, Sponge};
use crate::wipe::{Wipe, Wiped, wipe_frame};

/// The offsets of ρ: word (x, y) is rotated by `RHO[5·y + x]`. FIPS 202, Algorithm 2: from (1, 0)
/// the walk (x, y) → (y, 2x + 3y) meets every word but (0, 0), the t-th after rotations by
/// 1 + 2 + … + (t + 1).
#[allow(
    clippy::integer_division_remainder_used,
    reason = "constant evaluation"
)]
const RHO: [u32; WORDS] = {
    let mut rho = [0; WORDS];
    let (mut x, mut y) = (1, 0);
    let mut t = 0;
    while t < 24 {
        rho[5 * y + x] = ((t + 1) * (t + 2) / 2) % 64;
        (x, y) = (y, (2 * x + 3 * y) % 5);
        t += 1;
    }
    rho
};

/// The constants of ι, from the linear feedback shift register of FIPS 202, Algorithm 5: bit
/// 2ʲ − 1 of the constant of round i is rc(j + 7i).
const ROUND_CONSTANTS: [u64; 24] = {
    let mut constants = [0; 24];
    let mut register = 1_u8;
    let mut round = 0;
    while round < 24 {
        let mut j = 0;
        while j < 7 {
            constants[round] |= ((register & 1) as u64) << ((1 << j) - 1);
            // Multiplication by x modulo x⁸ + x⁶ + x⁵ + x⁴ + 1.
            register = (register << 1) ^ (if register >> 7 == 1 { 0x71 } else { 0 });
            j += 1;
        }
        round += 1;
    }
    constants
};

/// The same, for four states.
static IOTA: [[u64; 4]; 24] = {
    let mut iota = [[0; 4]; 24];
    let mut round = 0;
    while round < 24 {
        iota[round] = [ROUND_CONSTANTS[round]; 4];
        round += 1;
    }
    iota
};

/// Permutes one state.
pub(crate) fn keccak_f<I: Isa>(isa: I, state: &mut States<1>) {
    isa.outline(
        #[inline(always)]
        || permute(Portable, state, &mut Between::new(), 0),
    );
}

/// Permutes those of four states that `active` has a bit for; others may be permuted as well.
pub(crate) fn keccak_f_x4<I: Isa>(
    isa: I,
    states: &mut States<4>,
    between: &mut Between<4>,
    active: u8,
) {
    if I::Sponge::WIDTH == 4 && active.is_power_of_two() {
        return keccak_f_alone(isa, states, active.trailing_zeros() as usize & 3);
    }
    isa.outline(
        #[inline(always)]
        || {
            let sponge = isa.sponge();
            let Between { words, theta } = &mut *between;
            if sponge.permute_four(states, words, theta, &IOTA) {
                return;
            }
            let mut lane = 0;
            while lane < 4 {
                if active >> lane & ((1 << I::Sponge::WIDTH) - 1) != 0 {
                    permute(sponge, states, between, lane);
                }
                lane += I::Sponge::WIDTH;
            }
        },
    );
}

/// Permutes one state of four in general registers: faster than a vector that holds all of them
/// (710 ticks for 940; key generation of ML-DSA-44, which ends with three such permutations, takes
/// 1.5 % less time).
fn keccak_f_alone<I: Isa>(isa: I, states: &mut States<4>, lane: usize) {
    let mut state = Wiped::new([[0]; WORDS]);
    for (to, from) in state.iter_mut().zip(states.iter()) {
        to[0] = from[lane];
    }
    keccak_f(isa, &mut state);
    wipe_frame();
    for (from, to) in state.iter().zip(states) {
        to[lane] = from[0];
    }
}

/// Memory for a permutation, which need not be cleared before it. It holds secrets afterwards.
#[repr(align(64))]
pub(crate) struct Between<const R: usize> {
    /// The words that a round writes before the next reads them.
    pub(crate) words: States<R>,
    /// What θ changes the columns by, where the registers are too few for it.
    pub(crate) theta: [[u64; R]; 5],
}

impl<const R: usize> Between<R> {
    #[inline]
    pub(crate) const fn new() -> Self {
        Self {
            words: [[0; R]; WORDS],
            theta: [[0; R]; 5],
        }
    }

    /// Overwrites it with zeros.
    #[inline]
    pub(crate) fn wipe(&mut self) {
        self.words.as_flattened_mut().wipe();
        self.theta.as_flattened_mut().wipe();
    }
}

/// Permutes the states `lane` to `lane + S::WIDTH − 1`.
#[inline(always)]
fn permute<S: Sponge, const R: usize>(
    s: S,
    states: &mut States<R>,
    between: &mut Between<R>,
    lane: usize,
) {
    if S::STATE_IN_REGISTERS {
        return permute_in_registers(s, states, lane);
    }
    let zero = s.splat_word(0);
    let mut parity = [zero; 5];
    for (i, word) in states.iter().enumerate() {
        parity[X[i]] = s.xor(parity[X[i]], s.load_words(word, lane));
    }
    for rc in ROUND_CONSTANTS.as_chunks::<2>().0 {
        parity = round(s, states, &mut between.words, lane, parity, rc[0]);
        parity = round(s, &between.words, states, lane, parity, rc[1]);
    }
}

/// x of the word at 5·y + x.
#[allow(
    clippy::integer_division_remainder_used,
    reason = "constant evaluation"
)]
const X: [usize; WORDS] = {
    let mut x = [0; WORDS];
    let mut i = 0;
    while i < WORDS {
        x[i] = i % 5;
        i += 1;
    }
    x
};

/// One round. `parity` holds the parities of the columns of `from`; returns those of `to`.
#[inline(always)]
fn round<S: Sponge, const R: usize>(
    s: S,
    from: &States<R>,
    to: &mut States<R>,
    lane: usize,
    parity: [S::W; 5],
    rc: u64,
) -> [S::W; 5] {
    // θ: what every column is changed by.
    let d = theta(s, parity);

    // The zeros below fold away.
    let zero = [s.splat_word(0); 5];
    let parity = plane::<S, R, 0>(s, from, to, lane, d, rc, zero);
    let parity = plane::<S, R, 1>(s, from, to, lane, d, 0, parity);
    let parity = plane::<S, R, 2>(s, from, to, lane, d, 0, parity);
    let parity = plane::<S, R, 3>(s, from, to, lane, d, 0, parity);
    plane::<S, R, 4>(s, from, to, lane, d, 0, parity)
}

/// θ, ρ, π, χ and ι for the five words that π moves to plane `Y`; returns `parity` ⊕ the plane.
#[inline(always)]
fn plane<S: Sponge, const R: usize, const Y: usize>(
    s: S,
    from: &States<R>,
    to: &mut States<R>,
    lane: usize,
    d: [S::W; 5],
    rc: u64,
    parity: [S::W; 5],
) -> [S::W; 5] {
    // π takes (x, y) to (y, 2x + 3y), so word X of plane Y comes from y = X, x = 3Y + X.
    let word = |x: usize| {
        let i = 5 * x + X[3 * Y + x];
        s.xar(s.load_words(&from[i], lane), d[X[i]], RHO[i])
    };
    let b = [word(0), word(1), word(2), word(3), word(4)];
    let c = chi_iota(s, b, rc);
    s.store_words(c[0], &mut to[5 * Y], lane);
    s.store_words(c[1], &mut to[5 * Y + 1], lane);
    s.store_words(c[2], &mut to[5 * Y + 2], lane);
    s.store_words(c[3], &mut to[5 * Y + 3], lane);
    s.store_words(c[4], &mut to[5 * Y + 4], lane);
    [
        s.xor(parity[0], c[0]),
        s.xor(parity[1], c[1]),
        s.xor(parity[2], c[2]),
        s.xor(parity[3], c[3]),
        s.xor(parity[4], c[4]),
    ]
}

/// Step θ: what every column is changed by, from the parities of the columns.
#[inline(always)]
fn theta<S: Sponge>(s: S, parity: [S::W; 5]) -> [S::W; 5] {
    [
        s.xor_rotl1(parity[4], parity[1]),
        s.xor_rotl1(parity[0], parity[2]),
        s.xor_rotl1(parity[1], parity[3]),
        s.xor_rotl1(parity[2], parity[4]),
        s.xor_rotl1(parity[3], parity[0]),
    ]
}

/// Steps χ and ι of a plane.
#[inline(always)]
fn chi_iota<S: Sponge>(s: S, b: [S::W; 5], rc: u64) -> [S::W; 5] {
    [
        s.xor(s.chi(b[0], b[1], b[2]), s.splat_word(rc)),
        s.chi(b[1], b[2], b[3]),
        s.chi(b[2], b[3], b[4]),
        s.chi(b[3], b[4], b[0]),
        s.chi(b[4], b[0], b[1]),
    ]
}

/// The same permutation for instruction sets with 32 registers: 25 words and five parities just fit,
/// so that a word is loaded once, not once a round.
#[inline(always)]
fn permute_in_registers<S: Sponge, const R: usize>(s: S, states: &mut States<R>, lane: usize) {
    let mut a = [[s.splat_word(0); 5]; 5];
    for (plane, words) in a.iter_mut().zip(states.as_chunks::<5>().0) {
        for (word, from) in plane.iter_mut().zip(words) {
            *word = s.load_words(from, lane);
        }
    }
    for rc in &ROUND_CONSTANTS {
        a = round_in_registers(s, a, *rc);
    }
    for (plane, words) in a.into_iter().zip(states.as_chunks_mut::<5>().0) {
        for (word, to) in plane.into_iter().zip(words) {
            s.store_words(word, to, lane);
        }
    }
}

/// One round: `a[y][x]` is word (x, y).
#[inline(always)]
fn round_in_registers<S: Sponge>(s: S, a: [[S::W; 5]; 5], rc: u64) -> [[S::W; 5]; 5] {
    let parity = |x: usize| s.xor3(s.xor3(a[0][x], a[1][x], a[2][x]), a[3][x], a[4][x]);
    let d = theta(s, [parity(0), parity(1), parity(2), parity(3), parity(4)]);
    let b = [
        moved_plane::<S, 0>(s, &a, &d),
        moved_plane::<S, 1>(s, &a, &d),
        moved_plane::<S, 2>(s, &a, &d),
        moved_plane::<S, 3>(s, &a, &d),
        moved_plane::<S, 4>(s, &a, &d),
    ];
    [
        chi_iota(s, b[0], rc),
        chi_iota(s, b[1], 0),
        chi_iota(s, b[2], 0),
        chi_iota(s, b[3], 0),
        chi_iota(s, b[4], 0),
    ]
}

/// θ, ρ and π for the words that come to plane `Y`, as in [`plane`].
#[inline(always)]
fn moved_plane<S: Sponge, const Y: usize>(s: S, a: &[[S::W; 5]; 5], d: &[S::W; 5]) -> [S::W; 5] {
    let word = |x: usize| {
        let from = X[3 * Y + x];
        s.xar(a[x][from], d[from], RHO[5 * x + from])
    };
    [word(0), word(1), word(2), word(3), word(4)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::for_each_isa;

    /// FIPS 202's permutation of the zero state, twice, from the Keccak team's KeccakF-1600
    /// intermediate values: the first words.
    #[test]
    fn permutes_zero_as_published() {
        let mut once = [[0]; WORDS];
        keccak_f(Portable, &mut once);
        assert_eq!(once[0][0], 0xf125_8f79_40e1_dde7);
        assert_eq!(once[24][0], 0xeaf1_ff7b_5cec_a249);
        keccak_f(Portable, &mut once);
        assert_eq!(once[0][0], 0x2d5c_954d_f96e_cb3c);
    }

    /// It holds secrets.
    #[test]
    #[cfg(feature = "zeroize")]
    fn what_lies_between_rounds_is_wiped() {
        let mut between = Between::<4> {
            words: [[1; 4]; WORDS],
            theta: [[1; 4]; 5],
        };
        between.wipe();
        assert_eq!(between.words, [[0; 4]; WORDS]);
        assert_eq!(between.theta, [[0; 4]; 5]);
    }

    #[test]
    fn every_isa_permutes_as_portable() {
        let mut x = 1_u64;
        let mut word = || {
            x = x
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            x ^ x >> 29
        };
        for active in 1..16 {
            let states: States<4> = core::array::from_fn(|_| core::array::from_fn(|_| word()));
            for_each_isa!(isa => {
                let mut got = states;
                keccak_f_x4(isa, &mut got, &mut Between::new(), active);
                for lane in (0..4).filter(|lane| active >> lane & 1 == 1) {
                    let mut one = states.map(|word| [word[lane]]);
                    keccak_f(isa, &mut one);
                    assert_eq!(got.map(|word| [word[lane]]), one);
                }
            });
        }
    }
}
