use super::zetas::{FORWARD, Twiddles, ZETAS, index};
use crate::poly::{LANES, NttPoly, Poly};
use crate::reduce::times_qinv;
use crate::simd::Isa;

/// Algorithm 41, `NTT(w)`.
///
/// # Bounds
/// Requires |w| < q. Ensures |ŵ| < 9·q.
pub(crate) fn ntt<I: Isa>(isa: I, w: &Poly, w_hat: &mut NttPoly) {
    isa.outline(
        #[inline(always)]
        || ntt_inline(isa, w, w_hat),
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
        let (a, b) = row_layers(isa, a, b, 2 * i);
        isa.store(a, &mut rows[0]);
        isa.store(b, &mut rows[1]);
        let (c, d) = row_layers(isa, c, d, 2 * i + 1);
        isa.store(c, &mut rows[2]);
        isa.store(d, &mut rows[3]);
    }
}

/// The layers len = 8, 4, 2, 1 on a pair of rows.
#[inline(always)]
fn row_layers<I: Isa>(isa: I, a: I::V, b: I::V, pair: usize) -> (I::V, I::V) {
    let (a, b) = isa.trn::<8>(a, b);
    let (a, b) = butterfly(isa, a, b, twiddles(isa, &FORWARD[3][pair]));
    let (a, b) = isa.trn::<4>(a, b);
    let (a, b) = butterfly(isa, a, b, twiddles(isa, &FORWARD[2][pair]));
    let (a, b) = isa.trn::<2>(a, b);
    let (a, b) = butterfly(isa, a, b, twiddles(isa, &FORWARD[1][pair]));
    let (a, b) = isa.trn::<1>(a, b);
    let (a, b) = butterfly(isa, a, b, twiddles(isa, &FORWARD[0][pair]));
    let (a, b) = isa.trn::<1>(a, b);
    let (a, b) = isa.trn::<2>(a, b);
    let (a, b) = isa.trn::<4>(a, b);
    isa.trn::<8>(a, b)
}

/// (a + ζ·b, a − ζ·b): steps 9 to 11 of Algorithm 41.
#[inline(always)]
fn butterfly<I: Isa>(isa: I, a: I::V, b: I::V, (zeta, zeta_qinv): (I::V, I::V)) -> (I::V, I::V) {
    let t = isa.mont_mul(b, zeta, zeta_qinv);
    (isa.add(a, t), isa.sub(a, t))
}

#[inline(always)]
pub(super) fn splat<I: Isa>(isa: I, k: usize) -> (I::V, I::V) {
    let zeta = ZETAS[k & 255];
    (isa.splat(zeta), isa.splat(times_qinv(zeta)))
}

#[inline(always)]
pub(super) fn twiddles<I: Isa>(isa: I, t: &Twiddles) -> (I::V, I::V) {
    (isa.load(&t.zeta), isa.load(&t.zeta_qinv))
}
