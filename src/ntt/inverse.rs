use super::forward::{splat, trn2};
use super::zetas::{F, INVERSE, ZETAS_CONST, index};
use crate::params::Q;
use crate::poly::{LANES, NttPoly, Poly};
use crate::reduce::{centered, times_qinv};
use crate::simd::{Factors, Isa};

/// The largest coefficient of ŵ: eight doublings later it is 2³¹ − 2⁸.
pub(crate) const INVERSE_INPUT: i32 = (1 << 23) - 1;
const _: () = assert!(Q <= INVERSE_INPUT);

/// Algorithm 42, `NTT⁻¹(ŵ)`, times 2³²: it takes back the factor 2⁻³² that the products before it
/// have (`pointwise_acc`).
///
/// # Bounds
/// Requires |ŵ| ≤ [`INVERSE_INPUT`], as |ŵ| < q. Ensures |w| < 3·q/4.
pub(crate) fn ntt_inverse<I: Isa>(isa: I, w_hat: &NttPoly, w: &mut Poly) {
    isa.outline(
        #[inline(always)]
        || {
            if I::IN_REGISTERS {
                ntt_inverse_inline(isa, w_hat, w);
            } else {
                super::plain::ntt_inverse(w_hat, w);
            }
        },
    );
}

#[inline(always)]
fn ntt_inverse_inline<I: Isa>(isa: I, w_hat: &NttPoly, w: &mut Poly) {
    let out = &mut w.0;

    // The layers inside the rows, then len = 16 (one row) and 32 (two rows).
    let groups = w_hat
        .0
        .as_chunks::<4>()
        .0
        .iter()
        .zip(out.as_chunks_mut::<4>().0);
    for (i, (rows, to)) in groups.enumerate() {
        let [a, b, c, d] = [&rows[0], &rows[1], &rows[2], &rows[3]];
        let rows = [isa.load(a), isa.load(b), isa.load(c), isa.load(d)];
        let [a, b, c, d] = row_layers(isa, rows, 2 * i);
        let first = 4 * LANES * i;
        let (a, b) = butterfly(isa, a, b, splat(isa, index(first, 4, true)));
        let (c, d) = butterfly(isa, c, d, splat(isa, index(first + 2 * LANES, 4, true)));
        let z = splat(isa, index(first, 5, true));
        let (a, c) = butterfly(isa, a, c, z);
        let (b, d) = butterfly(isa, b, d, z);
        isa.store(a, &mut to[0]);
        isa.store(b, &mut to[1]);
        isa.store(c, &mut to[2]);
        isa.store(d, &mut to[3]);
    }

    // len = 64 (four rows) and 128 (eight rows), with the factor f.
    let z2 = splat(isa, index(0, 6, true));
    let z3 = splat(isa, index(128, 6, true));
    let f = (isa.splat(F), isa.splat(times_qinv(F)));
    let z1_f = (isa.splat(Z1_F), isa.splat(times_qinv(Z1_F)));
    for i in 0..4 {
        let [a, b, c, d] = [&out[i], &out[i + 4], &out[i + 8], &out[i + 12]];
        let [a, b, c, d] = [isa.load(a), isa.load(b), isa.load(c), isa.load(d)];
        let (a, b) = butterfly(isa, a, b, z2);
        let (c, d) = butterfly(isa, c, d, z3);
        let (a, c) = (isa.add(a, c), isa.sub(c, a));
        let (b, d) = (isa.add(b, d), isa.sub(d, b));
        isa.store(isa.mont_mul(a, f.0, f.1), &mut out[i]);
        isa.store(isa.mont_mul(b, f.0, f.1), &mut out[i + 4]);
        isa.store(isa.mont_mul(c, z1_f.0, z1_f.1), &mut out[i + 8]);
        isa.store(isa.mont_mul(d, z1_f.0, z1_f.1), &mut out[i + 12]);
    }
}

/// The factor of the last layer times f: one product each for the differences of that layer.
pub(super) const Z1_F: i32 = centered(ZETAS_CONST[index(0, 7, true)].value as i64 * F as i64);

/// The layers len = 1, 2, 4, 8 on two pairs of rows, the first of them number `pair`; side by side
/// for the same reason as in the forward transform.
#[inline(always)]
fn row_layers<I: Isa>(isa: I, rows: [I::V; 4], pair: usize) -> [I::V; 4] {
    let rows = unzip2(isa, trn2::<I, 4>(isa, trn2::<I, 8>(isa, rows)));
    let rows = unzip2(isa, row_layer(isa, rows, pair, 0));
    let rows = unzip2(isa, row_layer(isa, rows, pair, 1));
    let rows = trn2::<I, 4>(isa, row_layer(isa, rows, pair, 2));
    trn2::<I, 8>(isa, row_layer(isa, rows, pair, 3))
}

/// Takes both pairs apart into even and odd lanes.
#[inline(always)]
fn unzip2<I: Isa>(isa: I, [a, b, c, d]: [I::V; 4]) -> [I::V; 4] {
    let (a, b) = isa.unzip(a, b);
    let (c, d) = isa.unzip(c, d);
    [a, b, c, d]
}

/// The layer with len = 2^`log2`.
#[inline(always)]
fn row_layer<I: Isa>(isa: I, [a, b, c, d]: [I::V; 4], pair: usize, log2: usize) -> [I::V; 4] {
    let (a, b) = butterfly(isa, a, b, Factors::load(isa, &INVERSE[log2][pair]));
    let (c, d) = butterfly(isa, c, d, Factors::load(isa, &INVERSE[log2][pair + 1]));
    [a, b, c, d]
}

/// (a + b, −ζ·(a − b)): steps 8 to 12 of Algorithm 42, whose factor is −zetas\[m\]; the minus sign
/// turns the difference around instead.
#[inline(always)]
fn butterfly<I: Isa>(isa: I, a: I::V, b: I::V, zeta: Factors<I::V>) -> (I::V, I::V) {
    (isa.add(a, b), isa.barrett_mul(isa.sub(b, a), zeta))
}
