//! Section 7.4: high-order and low-order bits, and hints.

use super::*;

/// Algorithm 35, `Power2Round(r)`.
pub(crate) fn power2_round(r: i64) -> (i64, i64) {
    // 1: r⁺ ← r mod q
    let r_plus = modulo(r, Q);
    // 2: r₀ ← r⁺ mod± 2ᵈ
    let r0 = mod_pm(r_plus, 1 << D);
    // 3: return ((r⁺ − r₀)/2ᵈ, r₀)
    ((r_plus - r0) / (1 << D), r0)
}

/// Algorithm 36, `Decompose(r)`.
pub(crate) fn decompose(p: &Params, r: i64) -> (i64, i64) {
    // 1: r⁺ ← r mod q
    let r_plus = modulo(r, Q);
    // 2: r₀ ← r⁺ mod± (2γ₂)
    let mut r0 = mod_pm(r_plus, 2 * p.gamma2);
    let r1;
    // 3: if r⁺ − r₀ = q − 1 then
    if r_plus - r0 == Q - 1 {
        // 4: r₁ ← 0
        r1 = 0;
        // 5: r₀ ← r₀ − 1
        r0 -= 1;
    // 6: else r₁ ← (r⁺ − r₀)/(2γ₂)
    } else {
        r1 = (r_plus - r0) / (2 * p.gamma2);
    }
    // 8: return (r₁, r₀)
    (r1, r0)
}

/// Algorithm 37, `HighBits(r)`.
pub(crate) fn high_bits(p: &Params, r: i64) -> i64 {
    // 1: (r₁, r₀) ← Decompose(r)
    let (r1, _) = decompose(p, r);
    // 2: return r₁
    r1
}

/// Algorithm 38, `LowBits(r)`.
pub(crate) fn low_bits(p: &Params, r: i64) -> i64 {
    // 1: (r₁, r₀) ← Decompose(r)
    let (_, r0) = decompose(p, r);
    // 2: return r₀
    r0
}

/// Algorithm 39, `MakeHint(z, r)`.
pub(crate) fn make_hint(p: &Params, z: i64, r: i64) -> bool {
    // 1: r₁ ← HighBits(r)
    let r1 = high_bits(p, r);
    // 2: v₁ ← HighBits(r + z)
    let v1 = high_bits(p, r + z);
    // 3: return [[r₁ ≠ v₁]]
    r1 != v1
}

/// Algorithm 40, `UseHint(h, r)`.
pub(crate) fn use_hint(p: &Params, h: bool, r: i64) -> i64 {
    // 1: m ← (q − 1)/(2γ₂)
    let m = (Q - 1) / (2 * p.gamma2);
    // 2: (r₁, r₀) ← Decompose(r)
    let (r1, r0) = decompose(p, r);
    // 3: if h = 1 and r₀ > 0 return (r₁ + 1) mod m
    if h && r0 > 0 {
        return modulo(r1 + 1, m);
    }
    // 4: if h = 1 and r₀ ≤ 0 return (r₁ − 1) mod m
    if h && r0 <= 0 {
        return modulo(r1 - 1, m);
    }
    // 5: return r₁
    r1
}

/// `Power2Round` of each coefficient of a vector.
pub(crate) fn power2_round_vector(t: &[Poly]) -> (Vec<Poly>, Vec<Poly>) {
    (
        map_vector(t, |r| power2_round(r).0),
        map_vector(t, |r| power2_round(r).1),
    )
}

/// `UseHint` of each coefficient of a vector.
pub(crate) fn use_hint_vector(p: &Params, h: &[Hint], r: &[Poly]) -> Vec<Poly> {
    assert_eq!(h.len(), r.len());
    let use_one = |(h, r): (&Hint, &Poly)| core::array::from_fn(|i| use_hint(p, h[i], r[i]));
    h.iter().zip(r).map(use_one).collect()
}

/// A function of one coefficient, on each coefficient of a vector.
pub(crate) fn map_vector(v: &[Poly], f: impl Fn(i64) -> i64) -> Vec<Poly> {
    v.iter().map(|w| w.map(&f)).collect()
}
