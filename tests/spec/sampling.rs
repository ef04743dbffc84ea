//! Section 7.3: pseudorandom sampling.

use super::*;

/// Algorithm 29, `SampleInBall(ρ)`.
pub(crate) fn sample_in_ball(p: &Params, rho: &[u8]) -> Poly {
    assert_eq!(rho.len(), p.lambda / 4);
    // 1: c ← 0
    let mut c = [0; 256];
    // 2: ctx ← H.Init()
    let mut ctx = H::init();
    // 3: ctx ← H.Absorb(ctx, ρ)
    ctx.absorb(rho);
    // 4: (ctx, s) ← H.Squeeze(ctx, 8)
    let s = ctx.squeeze(8);
    // 5: h ← BytesToBits(s)
    let h = bytes_to_bits(&s);
    // 6: for i from 256 − τ to 255 do
    for i in 256 - p.tau..256 {
        // 7: (ctx, j) ← H.Squeeze(ctx, 1)
        let mut j = usize::from(ctx.squeeze(1)[0]);
        // 8: while j > i do
        while j > i {
            // 9: (ctx, j) ← H.Squeeze(ctx, 1)
            j = usize::from(ctx.squeeze(1)[0]);
        }
        // 11: cᵢ ← cⱼ
        c[i] = c[j];
        // 12: cⱼ ← (−1)^h[i + τ − 256]
        c[j] = if h[i + p.tau - 256] { -1 } else { 1 };
    }
    // 14: return c
    c
}

/// Algorithm 30, `RejNTTPoly(ρ)`.
pub(crate) fn rej_ntt_poly(rho: &[u8]) -> NttPoly {
    assert_eq!(rho.len(), 34);
    let mut a_hat = [0; 256];
    // 1: j ← 0
    let mut j = 0;
    // 2: ctx ← G.Init()
    let mut ctx = G::init();
    // 3: ctx ← G.Absorb(ctx, ρ)
    ctx.absorb(rho);
    // 4: while j < 256 do
    while j < 256 {
        // 5: (ctx, s) ← G.Squeeze(ctx, 3)
        let s = ctx.squeeze(3);
        // 6: â[j] ← CoeffFromThreeBytes(s[0], s[1], s[2])
        // 7: if â[j] ≠ ⊥ then
        if let Some(coeff) = coeff_from_three_bytes(s[0], s[1], s[2]) {
            a_hat[j] = coeff;
            // 8: j ← j + 1
            j += 1;
        }
    }
    // 11: return â
    NttPoly(a_hat)
}

/// Algorithm 31, `RejBoundedPoly(ρ)`.
pub(crate) fn rej_bounded_poly(p: &Params, rho: &[u8]) -> Poly {
    assert_eq!(rho.len(), 66);
    let mut a = [0; 256];
    // 1: j ← 0
    let mut j = 0;
    // 2: ctx ← H.Init()
    let mut ctx = H::init();
    // 3: ctx ← H.Absorb(ctx, ρ)
    ctx.absorb(rho);
    // 4: while j < 256 do
    while j < 256 {
        // 5: z ← H.Squeeze(ctx, 1)
        let z = ctx.squeeze(1)[0];
        // 6: z₀ ← CoeffFromHalfByte(z mod 16)
        let z0 = coeff_from_half_byte(p, z % 16);
        // 7: z₁ ← CoeffFromHalfByte(⌊z/16⌋)
        let z1 = coeff_from_half_byte(p, z / 16);
        // 8: if z₀ ≠ ⊥ then
        if let Some(z0) = z0 {
            // 9: aⱼ ← z₀
            a[j] = z0;
            // 10: j ← j + 1
            j += 1;
        }
        // 12: if z₁ ≠ ⊥ and j < 256 then
        if let Some(z1) = z1
            && j < 256
        {
            // 13: aⱼ ← z₁
            a[j] = z1;
            // 14: j ← j + 1
            j += 1;
        }
    }
    // 17: return a
    a
}

/// Algorithm 32, `ExpandA(ρ)`.
pub(crate) fn expand_a(p: &Params, rho: &[u8]) -> Vec<Vec<NttPoly>> {
    assert_eq!(rho.len(), 32);
    let mut a_hat = vec![vec![NttPoly([0; 256]); p.l]; p.k];
    // 1: for r from 0 to k − 1 do
    for r in 0..p.k {
        // 2: for s from 0 to ℓ − 1 do
        for s in 0..p.l {
            // 3: ρ′ ← ρ ‖ IntegerToBytes(s, 1) ‖ IntegerToBytes(r, 1)
            let rho_prime = [
                rho,
                &integer_to_bytes(s as i64, 1),
                &integer_to_bytes(r as i64, 1),
            ]
            .concat();
            // 4: Â[r, s] ← RejNTTPoly(ρ′)
            a_hat[r][s] = rej_ntt_poly(&rho_prime);
        }
    }
    // 7: return Â
    a_hat
}

/// Algorithm 33, `ExpandS(ρ)`.
pub(crate) fn expand_s(p: &Params, rho: &[u8]) -> (Vec<Poly>, Vec<Poly>) {
    assert_eq!(rho.len(), 64);
    let mut s1 = vec![[0; 256]; p.l];
    let mut s2 = vec![[0; 256]; p.k];
    // 1: for r from 0 to ℓ − 1 do
    for r in 0..p.l {
        // 2: s₁[r] ← RejBoundedPoly(ρ ‖ IntegerToBytes(r, 2))
        s1[r] = rej_bounded_poly(p, &[rho, &integer_to_bytes(r as i64, 2)].concat());
    }
    // 4: for r from 0 to k − 1 do
    for r in 0..p.k {
        // 5: s₂[r] ← RejBoundedPoly(ρ ‖ IntegerToBytes(r + ℓ, 2))
        s2[r] = rej_bounded_poly(p, &[rho, &integer_to_bytes((r + p.l) as i64, 2)].concat());
    }
    // 7: return (s₁, s₂)
    (s1, s2)
}

/// Algorithm 34, `ExpandMask(ρ, μ)`.
pub(crate) fn expand_mask(p: &Params, rho: &[u8], mu: usize) -> Vec<Poly> {
    assert_eq!(rho.len(), 64);
    let mut y = vec![[0; 256]; p.l];
    // 1: c ← 1 + bitlen(γ₁ − 1)
    let c = 1 + bitlen(p.gamma1 - 1);
    // 2: for r from 0 to ℓ − 1 do
    for r in 0..p.l {
        // 3: ρ′ ← ρ ‖ IntegerToBytes(μ + r, 2)
        let rho_prime = [rho, &integer_to_bytes((mu + r) as i64, 2)].concat();
        // 4: v ← H(ρ′, 32c)
        let v = h(&rho_prime, 32 * c);
        // 5: y[r] ← BitUnpack(v, γ₁ − 1, γ₁)
        y[r] = bit_unpack(&v, p.gamma1 - 1, p.gamma1);
    }
    // 7: return y
    y
}
