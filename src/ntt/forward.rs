use super::zetas::{FORWARD, ZETAS, index};
use crate::poly::{LANES, NttPoly, Poly};
use crate::simd::{Factors, Isa};

/// The largest coefficient of ŵ in absolute value, 9.03·q: each layer adds a little more than q.
/// The number is what the proof by intervals finds (`crate::proofs`), which fails for any smaller.
pub(crate) const FORWARD_MAX: i32 = 75_657_153;

/// Algorithm 41, `NTT(w)`.
///
/// # Bounds
/// Requires |w| < q. Ensures |ŵ| ≤ [`FORWARD_MAX`] < 10·q.
pub(crate) fn ntt<I: Isa>(isa: I, w: &Poly, w_hat: &mut NttPoly) {
    isa.outline(
        #[inline(always)]
        || {
            if I::IN_REGISTERS {
                ntt_inline(isa, w, w_hat);
            } else {
                super::plain::ntt(w, w_hat);
            }
        },
    );
}

#[inline(always)]
fn ntt_inline<I: Isa>(isa: I, w: &Poly, w_hat: &mut NttPoly) {
    let w = &w.0;
    let out = &mut w_hat.0;

    // len = 128 (eight rows) and 64 (four rows).
    let z1 = splat(isa, index(0, 7, false));
    let z2 = splat(isa, index(0, 6, false));
    let z3 = splat(isa, index(128, 6, false));
    for i in 0..4 {
        let [a, b, c, d] = [&w[i], &w[i + 4], &w[i + 8], &w[i + 12]];
        let [a, b, c, d] = [isa.load(a), isa.load(b), isa.load(c), isa.load(d)];
        let (a, c) = butterfly(isa, a, c, z1);
        let (b, d) = butterfly(isa, b, d, z1);
        let (a, b) = butterfly(isa, a, b, z2);
        let (c, d) = butterfly(isa, c, d, z3);
        isa.store(a, &mut out[i]);
        isa.store(b, &mut out[i + 4]);
        isa.store(c, &mut out[i + 8]);
        isa.store(d, &mut out[i + 12]);
    }

    // len = 32 (two rows) and 16 (one row), then the layers inside the rows.
    for (i, rows) in out.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let [a, b, c, d] = [
            isa.load(&rows[0]),
            isa.load(&rows[1]),
            isa.load(&rows[2]),
            isa.load(&rows[3]),
        ];
        let first = 4 * LANES * i;
        let z = splat(isa, index(first, 5, false));
        let (a, c) = butterfly(isa, a, c, z);
        let (b, d) = butterfly(isa, b, d, z);
        let (a, b) = butterfly(isa, a, b, splat(isa, index(first, 4, false)));
        let (c, d) = butterfly(isa, c, d, splat(isa, index(first + 2 * LANES, 4, false)));
        let [a, b, c, d] = row_layers(isa, [a, b, c, d], 2 * i);
        isa.store(a, &mut rows[0]);
        isa.store(b, &mut rows[1]);
        isa.store(c, &mut rows[2]);
        isa.store(d, &mut rows[3]);
    }
}

/// The layers len = 8, 4, 2, 1 on two pairs of rows, the first of them number `pair`. A butterfly is
/// a long chain of dependent instructions; side by side the two pairs fill each other's gaps, one
/// after the other they are too far apart for the CPU to see.
#[inline(always)]
fn row_layers<I: Isa>(isa: I, rows: [I::V; 4], pair: usize) -> [I::V; 4] {
    let rows = row_layer(isa, trn2::<I, 8>(isa, rows), pair, 3);
    let rows = row_layer(isa, trn2::<I, 4>(isa, rows), pair, 2);
    let rows = row_layer(isa, zip2(isa, rows), pair, 1);
    let rows = row_layer(isa, zip2(isa, rows), pair, 0);
    trn2::<I, 8>(isa, trn2::<I, 4>(isa, zip2(isa, rows)))
}

/// The layer with len = 2^`log2`.
#[inline(always)]
fn row_layer<I: Isa>(isa: I, [a, b, c, d]: [I::V; 4], pair: usize, log2: usize) -> [I::V; 4] {
    let (a, b) = butterfly(isa, a, b, Factors::load(isa, &FORWARD[log2][pair]));
    let (c, d) = butterfly(isa, c, d, Factors::load(isa, &FORWARD[log2][pair + 1]));
    [a, b, c, d]
}

/// Transposes both pairs.
#[inline(always)]
pub(super) fn trn2<I: Isa, const G: usize>(isa: I, [a, b, c, d]: [I::V; 4]) -> [I::V; 4] {
    let (a, b) = isa.trn::<G>(a, b);
    let (c, d) = isa.trn::<G>(c, d);
    [a, b, c, d]
}

/// Interleaves both pairs.
#[inline(always)]
fn zip2<I: Isa>(isa: I, [a, b, c, d]: [I::V; 4]) -> [I::V; 4] {
    let (a, b) = isa.zip(a, b);
    let (c, d) = isa.zip(c, d);
    [a, b, c, d]
}

/// (a + ζ·b, a − ζ·b): steps 9 to 11 of Algorithm 41.
#[inline(always)]
fn butterfly<I: Isa>(isa: I, a: I::V, b: I::V, zeta: Factors<I::V>) -> (I::V, I::V) {
    let t = isa.barrett_mul(b, zeta);
    (isa.add(a, t), isa.sub(a, t))
}

/// zetas\[k\] in every lane.
#[inline(always)]
pub(super) fn splat<I: Isa>(isa: I, k: usize) -> Factors<I::V> {
    Factors::splat(isa, ZETAS[k & 255])
}
