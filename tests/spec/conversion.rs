//! Sections 7.1 and 7.2: conversion between data types, encodings of keys and signatures.

use super::*;

/// One polynomial of the hint **h**.
pub(crate) type Hint = [bool; 256];

/// Algorithm 9, `IntegerToBits(x, α)`: base 2, the least significant bit first.
pub(crate) fn integer_to_bits(x: i64, alpha: usize) -> Vec<bool> {
    assert!(x >= 0);
    let mut y = vec![false; alpha];
    // 1: x′ ← x
    let mut x_prime = x;
    // 2: for i from 0 to α − 1 do
    for i in 0..alpha {
        // 3: y[i] ← x′ mod 2
        y[i] = x_prime % 2 == 1;
        // 4: x′ ← ⌊x′/2⌋
        x_prime /= 2;
    }
    assert_eq!(x_prime, 0, "{x} has more than {alpha} bits");
    // 6: return y
    y
}

/// Algorithm 10, `BitsToInteger(y, α)`.
pub(crate) fn bits_to_integer(y: &[bool], alpha: usize) -> i64 {
    // 1: x ← 0
    let mut x = 0;
    // 2: for i from 1 to α do
    for i in 1..=alpha {
        // 3: x ← 2x + y[α − i]
        x = 2 * x + i64::from(y[alpha - i]);
    }
    // 5: return x
    x
}

/// Algorithm 11, `IntegerToBytes(x, α)`: base 256, the least significant byte first.
pub(crate) fn integer_to_bytes(x: i64, alpha: usize) -> Vec<u8> {
    assert!(x >= 0);
    let mut y = vec![0; alpha];
    // 1: x′ ← x
    let mut x_prime = x;
    // 2: for i from 0 to α − 1 do
    for i in 0..alpha {
        // 3: y[i] ← x′ mod 256
        y[i] = u8::try_from(x_prime % 256).unwrap();
        // 4: x′ ← ⌊x′/256⌋
        x_prime /= 256;
    }
    assert_eq!(x_prime, 0, "{x} has more than {alpha} bytes");
    // 6: return y
    y
}

/// Algorithm 12, `BitsToBytes(y)`.
pub(crate) fn bits_to_bytes(y: &[bool]) -> Vec<u8> {
    // 1: z ← 0
    let mut z = vec![0; y.len().div_ceil(8)];
    // 2: for i from 0 to α − 1 do
    for i in 0..y.len() {
        // 3: z[⌊i/8⌋] ← z[⌊i/8⌋] + y[i] · 2^(i mod 8)
        z[i / 8] += u8::from(y[i]) << (i % 8);
    }
    // 5: return z
    z
}

/// Algorithm 13, `BytesToBits(z)`.
pub(crate) fn bytes_to_bits(z: &[u8]) -> Vec<bool> {
    let mut y = vec![false; 8 * z.len()];
    // 1: z′ ← z
    let mut z_prime = z.to_vec();
    // 2: for i from 0 to α − 1 do
    for i in 0..z.len() {
        // 3: for j from 0 to 7 do
        for j in 0..8 {
            // 4: y[8i + j] ← z′[i] mod 2
            y[8 * i + j] = z_prime[i] % 2 == 1;
            // 5: z′[i] ← ⌊z′[i]/2⌋
            z_prime[i] /= 2;
        }
    }
    // 8: return y
    y
}

/// Algorithm 14, `CoeffFromThreeBytes(b₀, b₁, b₂)`.
pub(crate) fn coeff_from_three_bytes(b0: u8, b1: u8, b2: u8) -> Option<i64> {
    // 1: b₂′ ← b₂
    let mut b2_prime = i64::from(b2);
    // 2: if b₂′ > 127 then
    if b2_prime > 127 {
        // 3: b₂′ ← b₂′ − 128
        b2_prime -= 128;
    }
    // 5: z ← 2¹⁶ · b₂′ + 2⁸ · b₁ + b₀
    let z = (1 << 16) * b2_prime + (1 << 8) * i64::from(b1) + i64::from(b0);
    // 6: if z < q then return z 7: else return ⊥
    if z < Q { Some(z) } else { None }
}

/// Algorithm 15, `CoeffFromHalfByte(b)`.
pub(crate) fn coeff_from_half_byte(p: &Params, b: u8) -> Option<i64> {
    assert!(b < 16);
    let b = i64::from(b);
    // 1: if η = 2 and b < 15 then return 2 − (b mod 5)
    if p.eta == 2 && b < 15 {
        Some(2 - (b % 5))
    // 3: if η = 4 and b < 9 then return 4 − b
    } else if p.eta == 4 && b < 9 {
        Some(4 - b)
    // 4: else return ⊥
    } else {
        None
    }
}

/// Algorithm 16, `SimpleBitPack(w, b)`: coefficients in 0..=b.
pub(crate) fn simple_bit_pack(w: &Poly, b: i64) -> Vec<u8> {
    // 1: z ← ()
    let mut z = vec![];
    // 2: for i from 0 to 255 do
    for i in 0..256 {
        assert!((0..=b).contains(&w[i]), "{} is not in 0..={b}", w[i]);
        // 3: z ← z ‖ IntegerToBits(wᵢ, bitlen b)
        z.extend(integer_to_bits(w[i], bitlen(b)));
    }
    // 5: return BitsToBytes(z)
    bits_to_bytes(&z)
}

/// Algorithm 17, `BitPack(w, a, b)`: coefficients in −a..=b.
pub(crate) fn bit_pack(w: &Poly, a: i64, b: i64) -> Vec<u8> {
    // 1: z ← ()
    let mut z = vec![];
    // 2: for i from 0 to 255 do
    for i in 0..256 {
        assert!((-a..=b).contains(&w[i]), "{} is not in -{a}..={b}", w[i]);
        // 3: z ← z ‖ IntegerToBits(b − wᵢ, bitlen(a + b))
        z.extend(integer_to_bits(b - w[i], bitlen(a + b)));
    }
    // 5: return BitsToBytes(z)
    bits_to_bytes(&z)
}

/// Algorithm 18, `SimpleBitUnpack(v, b)`. Coefficients are in 0..2^bitlen(b).
pub(crate) fn simple_bit_unpack(v: &[u8], b: i64) -> Poly {
    let mut w = [0; 256];
    // 1: c ← bitlen b
    let c = bitlen(b);
    assert_eq!(v.len(), 32 * c);
    // 2: z ← BytesToBits(v)
    let z = bytes_to_bits(v);
    // 3: for i from 0 to 255 do
    for i in 0..256 {
        // 4: wᵢ ← BitsToInteger((z[ic], z[ic + 1], …, z[ic + c − 1]), c)
        w[i] = bits_to_integer(&z[i * c..i * c + c], c);
    }
    // 6: return w
    w
}

/// Algorithm 19, `BitUnpack(v, a, b)`. Coefficients are in b − 2^bitlen(a + b) + 1 ..= b, which is
/// −a..=b when a + b + 1 is a power of two, and more else.
pub(crate) fn bit_unpack(v: &[u8], a: i64, b: i64) -> Poly {
    let mut w = [0; 256];
    // 1: c ← bitlen(a + b)
    let c = bitlen(a + b);
    assert_eq!(v.len(), 32 * c);
    // 2: z ← BytesToBits(v)
    let z = bytes_to_bits(v);
    // 3: for i from 0 to 255 do
    for i in 0..256 {
        // 4: wᵢ ← b − BitsToInteger((z[ic], z[ic + 1], …, z[ic + c − 1]), c)
        w[i] = b - bits_to_integer(&z[i * c..i * c + c], c);
    }
    // 6: return w
    w
}

/// Algorithm 20, `HintBitPack(h)`.
pub(crate) fn hint_bit_pack(p: &Params, h: &[Hint]) -> Vec<u8> {
    // 1: y ← 0^(ω + k)
    let mut y = vec![0; p.omega + p.k];
    // 2: Index ← 0
    let mut index = 0;
    // 3: for i from 0 to k − 1 do
    for i in 0..p.k {
        // 4: for j from 0 to 255 do
        for j in 0..256 {
            // 5: if h[i]ⱼ ≠ 0 then
            if h[i][j] {
                // 6: y[Index] ← j
                y[index] = u8::try_from(j).unwrap();
                // 7: Index ← Index + 1
                index += 1;
            }
        }
        // 10: y[ω + i] ← Index
        y[p.omega + i] = u8::try_from(index).unwrap();
    }
    // 12: return y
    y
}

/// Algorithm 21, `HintBitUnpack(y)`.
pub(crate) fn hint_bit_unpack(p: &Params, y: &[u8]) -> Option<Vec<Hint>> {
    assert_eq!(y.len(), p.omega + p.k);
    // 1: h ← 0ᵏ
    let mut h = vec![[false; 256]; p.k];
    // 2: Index ← 0
    let mut index = 0;
    // 3: for i from 0 to k − 1 do
    for i in 0..p.k {
        let cut = usize::from(y[p.omega + i]);
        // 4: if y[ω + i] < Index or y[ω + i] > ω then return ⊥
        if cut < index || cut > p.omega {
            return None;
        }
        // 6: First ← Index
        let first = index;
        // 7: while Index < y[ω + i] do
        while index < cut {
            // 8: if Index > First then
            if index > first {
                // 9: if y[Index − 1] ≥ y[Index] then return ⊥
                if y[index - 1] >= y[index] {
                    return None;
                }
            }
            // 12: h[i]_y[Index] ← 1
            h[i][usize::from(y[index])] = true;
            // 13: Index ← Index + 1
            index += 1;
        }
    }
    // 16: for i from Index to ω − 1 do
    for i in index..p.omega {
        // 17: if y[i] ≠ 0 then return ⊥
        if y[i] != 0 {
            return None;
        }
    }
    // 20: return h
    Some(h)
}

/// The largest coefficient of **t**₁: 2^(bitlen(q−1)−d) − 1.
const T1_MAX: i64 = (1 << (23 - D)) - 1;

/// Algorithm 22, `pkEncode(ρ, t₁)`.
pub(crate) fn pk_encode(p: &Params, rho: &[u8], t1: &[Poly]) -> Vec<u8> {
    // 1: pk ← ρ
    let mut pk = rho.to_vec();
    // 2: for i from 0 to k − 1 do
    for i in 0..p.k {
        // 3: pk ← pk ‖ SimpleBitPack(t₁[i], 2^(bitlen(q−1)−d) − 1)
        pk.extend(simple_bit_pack(&t1[i], T1_MAX));
    }
    // 5: return pk
    pk
}

/// Algorithm 23, `pkDecode(pk)`.
pub(crate) fn pk_decode(p: &Params, pk: &[u8]) -> (Vec<u8>, Vec<Poly>) {
    assert_eq!(pk.len(), p.public_key_size);
    // 1: (ρ, z₀, …, zₖ₋₁) ← pk
    let mut rest = pk;
    let rho = take(&mut rest, 32).to_vec();
    let z: Vec<_> = (0..p.k)
        .map(|_| take(&mut rest, 32 * bitlen(T1_MAX)))
        .collect();
    assert!(rest.is_empty());
    let mut t1 = vec![[0; 256]; p.k];
    // 2: for i from 0 to k − 1 do
    for i in 0..p.k {
        // 3: t₁[i] ← SimpleBitUnpack(zᵢ, 2^(bitlen(q−1)−d) − 1)
        t1[i] = simple_bit_unpack(z[i], T1_MAX);
    }
    // 5: return (ρ, t₁)
    (rho, t1)
}

/// Algorithm 24, `skEncode(ρ, K, tr, s₁, s₂, t₀)`.
pub(crate) fn sk_encode(
    p: &Params,
    rho: &[u8],
    key_seed: &[u8],
    tr: &[u8],
    s1: &[Poly],
    s2: &[Poly],
    t0: &[Poly],
) -> Vec<u8> {
    // 1: sk ← ρ ‖ K ‖ tr
    let mut sk = [rho, key_seed, tr].concat();
    // 2: for i from 0 to ℓ − 1 do
    for i in 0..p.l {
        // 3: sk ← sk ‖ BitPack(s₁[i], η, η)
        sk.extend(bit_pack(&s1[i], p.eta, p.eta));
    }
    // 5: for i from 0 to k − 1 do
    for i in 0..p.k {
        // 6: sk ← sk ‖ BitPack(s₂[i], η, η)
        sk.extend(bit_pack(&s2[i], p.eta, p.eta));
    }
    // 8: for i from 0 to k − 1 do
    for i in 0..p.k {
        // 9: sk ← sk ‖ BitPack(t₀[i], 2^(d−1) − 1, 2^(d−1))
        sk.extend(bit_pack(&t0[i], (1 << (D - 1)) - 1, 1 << (D - 1)));
    }
    // 11: return sk
    sk
}

/// What `skDecode` returns.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PrivateKey {
    pub(crate) rho: Vec<u8>,
    pub(crate) key_seed: Vec<u8>,
    pub(crate) tr: Vec<u8>,
    pub(crate) s1: Vec<Poly>,
    pub(crate) s2: Vec<Poly>,
    pub(crate) t0: Vec<Poly>,
}

/// Algorithm 25, `skDecode(sk)`. A malformed key may give **s**₁ and **s**₂ out of range.
pub(crate) fn sk_decode(p: &Params, sk: &[u8]) -> PrivateKey {
    assert_eq!(sk.len(), p.private_key_size);
    // 1: (ρ, K, tr, y₀, …, yₗ₋₁, z₀, …, zₖ₋₁, w₀, …, wₖ₋₁) ← sk
    let mut rest = sk;
    let rho = take(&mut rest, 32).to_vec();
    let key_seed = take(&mut rest, 32).to_vec();
    let tr = take(&mut rest, 64).to_vec();
    let y: Vec<_> = (0..p.l)
        .map(|_| take(&mut rest, 32 * bitlen(2 * p.eta)))
        .collect();
    let z: Vec<_> = (0..p.k)
        .map(|_| take(&mut rest, 32 * bitlen(2 * p.eta)))
        .collect();
    let w: Vec<_> = (0..p.k).map(|_| take(&mut rest, 32 * D as usize)).collect();
    assert!(rest.is_empty());
    let mut s1 = vec![[0; 256]; p.l];
    let mut s2 = vec![[0; 256]; p.k];
    let mut t0 = vec![[0; 256]; p.k];
    // 2: for i from 0 to ℓ − 1 do
    for i in 0..p.l {
        // 3: s₁[i] ← BitUnpack(yᵢ, η, η)
        s1[i] = bit_unpack(y[i], p.eta, p.eta);
    }
    // 5: for i from 0 to k − 1 do
    for i in 0..p.k {
        // 6: s₂[i] ← BitUnpack(zᵢ, η, η)
        s2[i] = bit_unpack(z[i], p.eta, p.eta);
    }
    // 8: for i from 0 to k − 1 do
    for i in 0..p.k {
        // 9: t₀[i] ← BitUnpack(wᵢ, 2^(d−1) − 1, 2^(d−1))
        t0[i] = bit_unpack(w[i], (1 << (D - 1)) - 1, 1 << (D - 1));
    }
    // 11: return (ρ, K, tr, s₁, s₂, t₀)
    PrivateKey {
        rho,
        key_seed,
        tr,
        s1,
        s2,
        t0,
    }
}

/// Algorithm 26, `sigEncode(c̃, z, h)`.
pub(crate) fn sig_encode(p: &Params, c_tilde: &[u8], z: &[Poly], h: &[Hint]) -> Vec<u8> {
    // 1: σ ← c̃
    let mut sigma = c_tilde.to_vec();
    // 2: for i from 0 to ℓ − 1 do
    for i in 0..p.l {
        // 3: σ ← σ ‖ BitPack(z[i], γ₁ − 1, γ₁)
        sigma.extend(bit_pack(&z[i], p.gamma1 - 1, p.gamma1));
    }
    // 5: σ ← σ ‖ HintBitPack(h)
    sigma.extend(hint_bit_pack(p, h));
    // 6: return σ
    sigma
}

/// Algorithm 27, `sigDecode(σ)`.
pub(crate) fn sig_decode(p: &Params, sigma: &[u8]) -> (Vec<u8>, Vec<Poly>, Option<Vec<Hint>>) {
    assert_eq!(sigma.len(), p.signature_size);
    // 1: (c̃, x₀, …, xₗ₋₁, y) ← σ
    let mut rest = sigma;
    let c_tilde = take(&mut rest, p.lambda / 4).to_vec();
    let x: Vec<_> = (0..p.l)
        .map(|_| take(&mut rest, 32 * (1 + bitlen(p.gamma1 - 1))))
        .collect();
    let y = rest;
    let mut z = vec![[0; 256]; p.l];
    // 2: for i from 0 to ℓ − 1 do
    for i in 0..p.l {
        // 3: z[i] ← BitUnpack(xᵢ, γ₁ − 1, γ₁)
        z[i] = bit_unpack(x[i], p.gamma1 - 1, p.gamma1);
    }
    // 5: h ← HintBitUnpack(y)
    let h = hint_bit_unpack(p, y);
    // 6: return (c̃, z, h)
    (c_tilde, z, h)
}

/// Algorithm 28, `w1Encode(w₁)`.
pub(crate) fn w1_encode(p: &Params, w1: &[Poly]) -> Vec<u8> {
    // 1: w̃₁ ← ()
    let mut w1_tilde = vec![];
    // 2: for i from 0 to k − 1 do
    for i in 0..p.k {
        // 3: w̃₁ ← w̃₁ ‖ SimpleBitPack(w₁[i], (q − 1)/(2γ₂) − 1)
        w1_tilde.extend(simple_bit_pack(&w1[i], (Q - 1) / (2 * p.gamma2) - 1));
    }
    // 5: return w̃₁
    w1_tilde
}

/// The next `length` bytes.
fn take<'a>(rest: &mut &'a [u8], length: usize) -> &'a [u8] {
    let (taken, left) = rest.split_at(length);
    *rest = left;
    taken
}
