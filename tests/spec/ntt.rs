//! Sections 7.5 and 7.6: the NTT and arithmetic under it; appendix A: Montgomery multiplication.

use super::*;

/// Appendix B: zetas[m] = ζ^BitRev8(m) mod q, computed from ζ.
pub(crate) fn zetas(m: usize) -> i64 {
    static ZETAS: std::sync::LazyLock<[i64; 256]> = std::sync::LazyLock::new(|| {
        core::array::from_fn(|m| {
            let mut power = 1;
            for _ in 0..bit_rev8(m) {
                power = power * ZETA % Q;
            }
            power
        })
    });
    ZETAS[m]
}

/// Algorithm 41, `NTT(w)`.
pub(crate) fn ntt(w: &Poly) -> NttPoly {
    let mut w_hat = [0; 256];
    // 1: for j from 0 to 255 do
    for j in 0..256 {
        // 2: ŵ[j] ← wⱼ
        w_hat[j] = w[j];
    }
    // 4: m ← 0
    let mut m = 0;
    // 5: len ← 128
    let mut len = 128;
    // 6: while len ≥ 1 do
    while len >= 1 {
        // 7: start ← 0
        let mut start = 0;
        // 8: while start < 256 do
        while start < 256 {
            // 9: m ← m + 1
            m += 1;
            // 10: z ← zetas[m]
            let z = zetas(m);
            // 11: for j from start to start + len − 1 do
            for j in start..start + len {
                // 12: t ← (z · ŵ[j + len]) mod q
                let t = modulo(z * w_hat[j + len], Q);
                // 13: ŵ[j + len] ← (ŵ[j] − t) mod q
                w_hat[j + len] = modulo(w_hat[j] - t, Q);
                // 14: ŵ[j] ← (ŵ[j] + t) mod q
                w_hat[j] = modulo(w_hat[j] + t, Q);
            }
            // 16: start ← start + 2 · len
            start += 2 * len;
        }
        // 18: len ← ⌊len/2⌋
        len /= 2;
    }
    // 20: return ŵ
    NttPoly(w_hat)
}

/// Algorithm 42, `NTT⁻¹(ŵ)`.
pub(crate) fn ntt_inverse(w_hat: &NttPoly) -> Poly {
    let mut w = [0; 256];
    // 1: for j from 0 to 255 do
    for j in 0..256 {
        // 2: wⱼ ← ŵ[j]
        w[j] = w_hat.0[j];
    }
    // 4: m ← 256
    let mut m = 256;
    // 5: len ← 1
    let mut len = 1;
    // 6: while len < 256 do
    while len < 256 {
        // 7: start ← 0
        let mut start = 0;
        // 8: while start < 256 do
        while start < 256 {
            // 9: m ← m − 1
            m -= 1;
            // 10: z ← −zetas[m]
            let z = -zetas(m);
            // 11: for j from start to start + len − 1 do
            for j in start..start + len {
                // 12: t ← wⱼ
                let t = w[j];
                // 13: wⱼ ← (t + w_(j + len)) mod q
                w[j] = modulo(t + w[j + len], Q);
                // 14: w_(j + len) ← (t − w_(j + len)) mod q
                w[j + len] = modulo(t - w[j + len], Q);
                // 15: w_(j + len) ← (z · w_(j + len)) mod q
                w[j + len] = modulo(z * w[j + len], Q);
            }
            // 17: start ← start + 2 · len
            start += 2 * len;
        }
        // 19: len ← 2 · len
        len *= 2;
    }
    // 21: f ← 8347681 (f = 256⁻¹ mod q)
    let f = 8_347_681;
    // 22: for j from 0 to 255 do
    for j in 0..256 {
        // 23: wⱼ ← (f · wⱼ) mod q
        w[j] = modulo(f * w[j], Q);
    }
    // 25: return w
    w
}

/// Algorithm 43, `BitRev8(m)`.
pub(crate) fn bit_rev8(m: usize) -> usize {
    // 1: b ← IntegerToBits(m, 8)
    let b = integer_to_bits(m as i64, 8);
    // 2: b_rev ← (0, …, 0)
    let mut b_rev = vec![false; 8];
    // 3: for i from 0 to 7 do
    for i in 0..8 {
        // 4: b_rev[i] ← b[7 − i]
        b_rev[i] = b[7 - i];
    }
    // 6: r ← BitsToInteger(b_rev, 8)
    // 7: return r
    usize::try_from(bits_to_integer(&b_rev, 8)).unwrap()
}

/// Algorithm 44, `AddNTT(â, b̂)`.
pub(crate) fn add_ntt(a_hat: &NttPoly, b_hat: &NttPoly) -> NttPoly {
    let mut c_hat = [0; 256];
    // 1: for i from 0 to 255 do
    for i in 0..256 {
        // 2: ĉ[i] ← â[i] + b̂[i]
        c_hat[i] = modulo(a_hat.0[i] + b_hat.0[i], Q);
    }
    // 4: return ĉ
    NttPoly(c_hat)
}

/// Algorithm 45, `MultiplyNTT(â, b̂)`.
pub(crate) fn multiply_ntt(a_hat: &NttPoly, b_hat: &NttPoly) -> NttPoly {
    let mut c_hat = [0; 256];
    // 1: for i from 0 to 255 do
    for i in 0..256 {
        // 2: ĉ[i] ← â[i] · b̂[i]
        c_hat[i] = modulo(a_hat.0[i] * b_hat.0[i], Q);
    }
    // 4: return ĉ
    NttPoly(c_hat)
}

/// Algorithm 46, `AddVectorNTT(v̂, ŵ)`.
pub(crate) fn add_vector_ntt(v_hat: &[NttPoly], w_hat: &[NttPoly]) -> Vec<NttPoly> {
    assert_eq!(v_hat.len(), w_hat.len());
    let mut u_hat = vec![NttPoly([0; 256]); v_hat.len()];
    // 1: for i from 0 to ℓ − 1 do
    for i in 0..v_hat.len() {
        // 2: û[i] ← AddNTT(v̂[i], ŵ[i])
        u_hat[i] = add_ntt(&v_hat[i], &w_hat[i]);
    }
    // 4: return û
    u_hat
}

/// Algorithm 47, `ScalarVectorNTT(ĉ, v̂)`.
pub(crate) fn scalar_vector_ntt(c_hat: &NttPoly, v_hat: &[NttPoly]) -> Vec<NttPoly> {
    let mut w_hat = vec![NttPoly([0; 256]); v_hat.len()];
    // 1: for i from 0 to ℓ − 1 do
    for i in 0..v_hat.len() {
        // 2: ŵ[i] ← MultiplyNTT(ĉ, v̂[i])
        w_hat[i] = multiply_ntt(c_hat, &v_hat[i]);
    }
    // 4: return ŵ
    w_hat
}

/// Algorithm 48, `MatrixVectorNTT(M̂, v̂)`.
pub(crate) fn matrix_vector_ntt(m_hat: &[Vec<NttPoly>], v_hat: &[NttPoly]) -> Vec<NttPoly> {
    // 1: ŵ ← 0ᵏ
    let mut w_hat = vec![NttPoly([0; 256]); m_hat.len()];
    // 2: for i from 0 to k − 1 do
    for i in 0..m_hat.len() {
        assert_eq!(m_hat[i].len(), v_hat.len());
        // 3: for j from 0 to ℓ − 1 do
        for j in 0..v_hat.len() {
            // 4: ŵ[i] ← AddNTT(ŵ[i], MultiplyNTT(M̂[i, j], v̂[j]))
            w_hat[i] = add_ntt(&w_hat[i], &multiply_ntt(&m_hat[i][j], &v_hat[j]));
        }
    }
    // 7: return ŵ
    w_hat
}

/// Algorithm 49, `MontgomeryReduce(a)`: a · 2⁻³² modulo q, for −2³¹·q ≤ a ≤ 2³¹·q. Of the values
/// of t that agree modulo 2³², the signed one is taken, as a 32-bit register holds it; then
/// −q ≤ r ≤ q.
pub(crate) fn montgomery_reduce(a: i64) -> i64 {
    // 1: QINV ← 58728449 (the inverse of q modulo 2³²)
    let qinv = 58_728_449;
    // 2: t ← ((a mod 2³²) · QINV) mod 2³²
    let t = mod_pm(modulo(a, 1 << 32) * qinv, 1 << 32);
    // 3: r ← (a − t · q)/2³²
    assert_eq!((a - t * Q) % (1 << 32), 0);
    let r = (a - t * Q) / (1 << 32);
    // 4: return r
    r
}
