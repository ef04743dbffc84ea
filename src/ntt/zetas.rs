//! The powers of ζ, computed, in the order in which the layers use them.

use crate::params::Q;
use crate::poly::LANES;
use crate::reduce::{Factor, FactorTable, centered, to_mont};

/// ζ, a root of unity of order 512 modulo q.
const ZETA: i64 = 1753;

/// zetas\[k\] = ζ^BitRev₈(k) mod q, FIPS 204 Appendix B, here centered. Entry 0 is not used.
pub(crate) static ZETAS: [Factor; 256] = ZETAS_CONST;

/// The same, for constants.
pub(super) const ZETAS_CONST: [Factor; 256] = {
    let mut zetas = [Factor::new(0); 256];
    let mut k = 0_usize;
    while k < 256 {
        let mut power = 1_i32;
        let mut i = 0;
        while i < (k as u8).reverse_bits() {
            power = centered(power as i64 * ZETA);
            i += 1;
        }
        zetas[k] = Factor::new(power);
        k += 1;
    }
    zetas
};

// ζ²⁵⁶ = −1: zetas[1] is ζ¹²⁸, a square root of −1.
const _: () = {
    let i = ZETAS_CONST[1].value as i64;
    assert!(centered(i * i) == -1);
    assert!(Q == 8_380_417);
};

/// The factor that undoes 256 = 2⁸ additions of the inverse transform and one factor 2⁻³²:
/// 2³²·2³²/256.
pub(crate) const F: i32 = to_mont(to_mont(centered(1 << 24) as i64) as i64 * inverse_of_2_32());

/// 2⁻³² mod q, as the 2³²-th part of 1: Montgomery reduction of 1.
const fn inverse_of_2_32() -> i64 {
    crate::reduce::mont_reduce(1) as i64
}

/// For the layers inside a row: `[log₂ len][p]` has the factors for the pair of rows 2p and
/// 2p + 1.
pub(crate) type RowTwiddles = [[FactorTable; 8]; 4];

/// The factors of Algorithm 41 for len = 1, 2, 4, 8.
pub(crate) static FORWARD: RowTwiddles = row_twiddles(false);
/// The factors of Algorithm 42 for len = 1, 2, 4, 8, with the sign that its butterfly wants.
pub(crate) static INVERSE: RowTwiddles = row_twiddles(true);

/// The index into zetas for the block that begins with coefficient `first`, in a layer of blocks of
/// 2·`len` coefficients. Algorithm 41 counts up from 128/len; Algorithm 42 counts down from
/// 256/len − 1.
pub(crate) const fn index(first: usize, len_log2: usize, inverse: bool) -> usize {
    let blocks = 128 >> len_log2;
    let block = first >> (len_log2 + 1);
    if inverse {
        2 * blocks - 1 - block
    } else {
        blocks + block
    }
}

const fn row_twiddles(inverse: bool) -> RowTwiddles {
    let mut table = [[FactorTable::new([Factor::new(0); LANES]); 8]; 4];
    let mut pair = 0;
    while pair < 8 {
        // The coefficients in the lanes of the two vectors, followed through the transpositions.
        let mut a = [0; LANES];
        let mut b = [0; LANES];
        let mut lane = 0;
        while lane < LANES {
            a[lane] = 2 * LANES * pair + lane;
            b[lane] = a[lane] + LANES;
            lane += 1;
        }
        let mut len_log2 = 4;
        while len_log2 > 0 {
            len_log2 -= 1;
            (a, b) = if len_log2 >= 2 {
                trn(1 << len_log2, a, b)
            } else {
                zip(a, b)
            };
            let mut zetas = [Factor::new(0); LANES];
            let mut lane = 0;
            while lane < LANES {
                assert!(b[lane] == a[lane] + (1 << len_log2));
                zetas[lane] = ZETAS_CONST[index(a[lane], len_log2, inverse)];
                lane += 1;
            }
            table[len_log2][pair] = FactorTable::new(zetas);
        }
        pair += 1;
    }
    table
}

/// `Isa::trn` on indices.
const fn trn(g: usize, a: [usize; LANES], b: [usize; LANES]) -> ([usize; LANES], [usize; LANES]) {
    let (mut x, mut y) = (a, b);
    let mut i = 0;
    while i < LANES {
        if i & g != 0 {
            x[i] = b[i - g];
        } else {
            y[i] = a[i + g];
        }
        i += 1;
    }
    (x, y)
}

/// `Isa::zip` on indices.
const fn zip(a: [usize; LANES], b: [usize; LANES]) -> ([usize; LANES], [usize; LANES]) {
    let (mut x, mut y) = (a, b);
    let mut i = 0;
    while i < LANES {
        let from = if i & 1 == 0 { a } else { b };
        let first = (i & !3) + (i >> 1 & 1);
        x[i] = from[first];
        y[i] = from[first + 2];
        i += 1;
    }
    (x, y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_zetas_are_those_of_appendix_b() {
        // FIPS 204, Appendix B.
        let expected = [
            4_808_194, 3_765_607, 3_761_513, 5_178_923, 5_496_691, 5_234_739, 5_178_987,
        ];
        for (zeta, expected) in ZETAS[1..].iter().zip(expected) {
            assert_eq!(zeta.value.rem_euclid(Q), expected);
        }
    }

    #[test]
    fn f_is_two_to_the_64_over_256() {
        let r = i64::from(centered(1 << 32));
        assert_eq!(centered(i64::from(F) * 256), centered(r * r));
    }
}
