use super::forward::FORWARD_MAX;
use crate::params::Q;
use crate::params::sealed::List;
use crate::poly::{Coefficients, LANES, NttPoly};
use crate::reduce::centered;
use crate::simd::Isa;

/// The largest x for which ℓ products of it with less than q, and one with itself, are less than
/// 2³¹·q together: the contract of the sums below.
pub(crate) const fn products_below(l: usize) -> i32 {
    let below_q = l as i64 * (Q as i64 - 1);
    let discriminant = below_q * below_q + 4 * (((Q as i64) << 31) - 1);
    ((discriminant.isqrt() - below_q) >> 1) as i32
}
const _: () = assert!(FORWARD_MAX <= products_below(7));

/// Algorithm 45, `MultiplyNTT(â, b̂)`, times 2⁻³². The operations have no use for a product alone,
/// only for sums of products; the tests and benches do.
///
/// # Bounds
/// Requires |a·b| < 2³¹·q for every coefficient, as |a| ≤ 16·q, |b| ≤ 16·q. Ensures |c| < q.
#[cfg(any(test, mldsa_internals))]
pub(crate) fn pointwise<I: Isa>(isa: I, a: &NttPoly, b: &NttPoly, c: &mut NttPoly) {
    isa.outline(
        #[inline(always)]
        || {
            for i in 0..LANES {
                let p = isa.wide_mul(isa.load(&a.0[i]), isa.load(&b.0[i]));
                isa.store(isa.mont_reduce(p), &mut c.0[i]);
            }
        },
    );
}

/// A row of Algorithm 48, `MatrixVectorNTT(Â, ŷ)`, times 2⁻³²: the sum of ℓ products with one
/// reduction.
///
/// # Bounds
/// Requires |a| < q, |y| < 2³¹/ℓ, as |y| ≤ [`FORWARD_MAX`]. Ensures |c| < q.
pub(crate) fn pointwise_acc<I: Isa, C: List<NttPoly>>(isa: I, a: &C, y: &C, c: &mut NttPoly) {
    isa.outline(
        #[inline(always)]
        || {
            let (a, y) = (a.as_ref(), y.as_ref());
            for i in 0..LANES {
                let sum = row_times_vector::<I, C>(isa, a, y, i);
                isa.store(isa.mont_reduce(sum), &mut c.0[i]);
            }
        },
    );
}

/// Two rows with [`pointwise_acc`]: what is made of y serves both.
///
/// # Bounds
/// As for [`pointwise_acc`].
pub(crate) fn pointwise_acc_pair<I: Isa, C: List<NttPoly>>(
    isa: I,
    [a0, a1]: [&C; 2],
    y: &C,
    [c0, c1]: &mut [NttPoly; 2],
) {
    isa.outline(
        #[inline(always)]
        || {
            let (a0, a1, y) = (a0.as_ref(), a1.as_ref(), y.as_ref());
            for i in 0..LANES {
                let y_0 = isa.load(&y[0].0[i]);
                let mut sum0 = isa.wide_mul(isa.load(&a0[0].0[i]), y_0);
                let mut sum1 = isa.wide_mul(isa.load(&a1[0].0[i]), y_0);
                for j in 1..C::LEN {
                    let y_j = isa.load(&y[j].0[i]);
                    sum0 = isa.wide_mul_add(sum0, isa.load(&a0[j].0[i]), y_j);
                    sum1 = isa.wide_mul_add(sum1, isa.load(&a1[j].0[i]), y_j);
                }
                isa.store(isa.mont_reduce(sum0), &mut c0.0[i]);
                isa.store(isa.mont_reduce(sum1), &mut c1.0[i]);
            }
        },
    );
}

/// Like [`pointwise_acc`], less a product x·y of two more polynomials: Algorithm 8, step 9.
///
/// # Bounds
/// Requires |a| < q, and |z|, |x|, |y| ≤ [`products_below`]`(ℓ)`, 12·q or more, as they are at most
/// [`FORWARD_MAX`]. Ensures |c| < q.
pub(crate) fn pointwise_acc_sub<I: Isa, C: List<NttPoly>>(
    isa: I,
    a: &C,
    z: &C,
    x: &NttPoly,
    y: &NttPoly,
    c: &mut NttPoly,
) {
    isa.outline(
        #[inline(always)]
        || {
            let (a, z) = (a.as_ref(), z.as_ref());
            for i in 0..LANES {
                let sum = row_times_vector::<I, C>(isa, a, z, i);
                let sum = isa.wide_mul_sub(sum, isa.load(&x.0[i]), isa.load(&y.0[i]));
                isa.store(isa.mont_reduce(sum), &mut c.0[i]);
            }
        },
    );
}

/// c + a·b times 2⁻³², in place: a sum of products whose terms come one by one, where there is no
/// memory for a row and a vector at once. (Nor for more polynomials than needed: `a` and `c` are plain
/// coefficients, since their places hold elements of R_q at other times.)
///
/// # Bounds
/// Requires |a| < 9·q, |b| < 9·q, |c| < q. Ensures |c| < q: with r = 2³² mod q, |r| < q/2, the sum
/// a·b + r·c is at most (81 + 1/2)·q² < 82·q², and 82·q²/2³² + q/2 < q.
pub(crate) fn add_product<I: Isa>(isa: I, a: &Coefficients, b: &NttPoly, c: &mut Coefficients) {
    isa.outline(
        #[inline(always)]
        || {
            let r = isa.splat(const { centered(1 << 32) });
            for ((a, b), c) in a.iter().zip(&b.0).zip(c) {
                let sum = isa.wide_mul(isa.load(c), r);
                let sum = isa.wide_mul_add(sum, isa.load(a), isa.load(b));
                isa.store(isa.mont_reduce(sum), c);
            }
        },
    );
}

/// c − a·b times 2⁻³², in place.
///
/// # Bounds
/// As for [`add_product`].
pub(crate) fn sub_product<I: Isa>(isa: I, a: &Coefficients, b: &NttPoly, c: &mut Coefficients) {
    isa.outline(
        #[inline(always)]
        || {
            let r = isa.splat(const { centered(1 << 32) });
            for ((a, b), c) in a.iter().zip(&b.0).zip(c) {
                let sum = isa.wide_mul(isa.load(c), r);
                let sum = isa.wide_mul_sub(sum, isa.load(a), isa.load(b));
                isa.store(isa.mont_reduce(sum), c);
            }
        },
    );
}

#[inline(always)]
fn row_times_vector<I: Isa, C: List<NttPoly>>(
    isa: I,
    a: &[NttPoly],
    y: &[NttPoly],
    i: usize,
) -> I::Wide {
    let mut sum = isa.wide_mul(isa.load(&a[0].0[i]), isa.load(&y[0].0[i]));
    for j in 1..C::LEN {
        sum = isa.wide_mul_add(sum, isa.load(&a[j].0[i]), isa.load(&y[j].0[i]));
    }
    sum
}
