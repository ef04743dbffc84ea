//! Section 6, the internal functions.

use super::*;

/// Algorithm 6, `ML-DSA.KeyGen_internal(ξ)`.
pub(crate) fn key_gen_internal(p: &Params, xi: &[u8; 32]) -> (Vec<u8>, Vec<u8>) {
    // 1: (ρ, ρ′, K) ← H(ξ ‖ IntegerToBytes(k, 1) ‖ IntegerToBytes(ℓ, 1), 128)
    let seeds = h(
        &[
            &xi[..],
            &integer_to_bytes(p.k as i64, 1),
            &integer_to_bytes(p.l as i64, 1),
        ]
        .concat(),
        128,
    );
    let (rho, rho_prime, key_seed) = (&seeds[..32], &seeds[32..96], &seeds[96..]);
    // 3: Â ← ExpandA(ρ)
    let a_hat = expand_a(p, rho);
    // 4: (s₁, s₂) ← ExpandS(ρ′)
    let (s1, s2) = expand_s(p, rho_prime);
    // 5: t ← NTT⁻¹(Â ∘ NTT(s₁)) + s₂
    let t = add(
        &ntt_inverse_vector(&matrix_vector_ntt(&a_hat, &ntt_vector(&s1))),
        &s2,
    );
    // 6: (t₁, t₀) ← Power2Round(t)
    let (t1, t0) = power2_round_vector(&t);
    // 8: pk ← pkEncode(ρ, t₁)
    let pk = pk_encode(p, rho, &t1);
    // 9: tr ← H(pk, 64)
    let tr = h(&pk, 64);
    // 10: sk ← skEncode(ρ, K, tr, s₁, s₂, t₀)
    let sk = sk_encode(p, rho, key_seed, &tr, &s1, &s2, &t0);
    // 11: return (pk, sk)
    (pk, sk)
}

/// Algorithm 7, `ML-DSA.Sign_internal(sk, M′, rnd)`.
pub(crate) fn sign_internal(p: &Params, sk: &[u8], m_prime: &[u8], rnd: &[u8; 32]) -> Vec<u8> {
    // 6: μ ← H(BytesToBits(tr) ‖ M′, 64)
    let tr = sk_decode(p, sk).tr;
    let mu = h(&[&tr[..], m_prime].concat(), 64);
    sign_mu(p, sk, &mu, rnd).sigma
}

/// What signing produces on its way.
pub(crate) struct Signed {
    pub(crate) sigma: Vec<u8>,
    /// How many times the loop ran.
    pub(crate) attempts: usize,
}

/// Algorithm 7, `ML-DSA.Sign_internal(sk, M′, rnd)`, where step 6 is left out and μ is given.
pub(crate) fn sign_mu(p: &Params, sk: &[u8], mu: &[u8], rnd: &[u8; 32]) -> Signed {
    // 1: (ρ, K, tr, s₁, s₂, t₀) ← skDecode(sk)
    let PrivateKey {
        rho,
        key_seed,
        tr: _,
        s1,
        s2,
        t0,
    } = sk_decode(p, sk);
    // 2: ŝ₁ ← NTT(s₁)
    let s1_hat = ntt_vector(&s1);
    // 3: ŝ₂ ← NTT(s₂)
    let s2_hat = ntt_vector(&s2);
    // 4: t̂₀ ← NTT(t₀)
    let t0_hat = ntt_vector(&t0);
    // 5: Â ← ExpandA(ρ)
    let a_hat = expand_a(p, &rho);
    // 7: ρ″ ← H(K ‖ rnd ‖ μ, 64)
    let rho_double_prime = h(&[&key_seed[..], rnd, mu].concat(), 64);
    // 8: κ ← 0
    let mut kappa = 0;
    // 9: (z, h) ← ⊥
    let mut z_h = None;
    let mut c_tilde = vec![];
    // 10: while (z, h) = ⊥ do
    while z_h.is_none() {
        // 11: y ← ExpandMask(ρ″, κ)
        let y = expand_mask(p, &rho_double_prime, kappa);
        // 12: w ← NTT⁻¹(Â ∘ NTT(y))
        let w = ntt_inverse_vector(&matrix_vector_ntt(&a_hat, &ntt_vector(&y)));
        // 13: w₁ ← HighBits(w)
        let w1 = map_vector(&w, |w| high_bits(p, w));
        // 15: c̃ ← H(μ ‖ w1Encode(w₁), λ/4)
        c_tilde = h(&[mu, &w1_encode(p, &w1)].concat(), p.lambda / 4);
        // 16: c ← SampleInBall(c̃)
        let c = sample_in_ball(p, &c_tilde);
        // 17: ĉ ← NTT(c)
        let c_hat = ntt(&c);
        // 18: ⟨⟨c·s₁⟩⟩ ← NTT⁻¹(ĉ ∘ ŝ₁)
        let cs1 = ntt_inverse_vector(&scalar_vector_ntt(&c_hat, &s1_hat));
        // 19: ⟨⟨c·s₂⟩⟩ ← NTT⁻¹(ĉ ∘ ŝ₂)
        let cs2 = ntt_inverse_vector(&scalar_vector_ntt(&c_hat, &s2_hat));
        // 20: z ← y + ⟨⟨c·s₁⟩⟩
        let z = add(&y, &cs1);
        // 21: r₀ ← LowBits(w − ⟨⟨c·s₂⟩⟩)
        let r0 = map_vector(&subtract(&w, &cs2), |r| low_bits(p, r));
        // 23: if ‖z‖∞ ≥ γ₁ − β or ‖r₀‖∞ ≥ γ₂ − β then (z, h) ← ⊥
        if infinity_norm(&z) >= p.gamma1 - p.beta || infinity_norm(&r0) >= p.gamma2 - p.beta {
            z_h = None;
        } else {
            // 25: ⟨⟨c·t₀⟩⟩ ← NTT⁻¹(ĉ ∘ t̂₀)
            let ct0 = ntt_inverse_vector(&scalar_vector_ntt(&c_hat, &t0_hat));
            // 26: h ← MakeHint(−⟨⟨c·t₀⟩⟩, w − ⟨⟨c·s₂⟩⟩ + ⟨⟨c·t₀⟩⟩)
            let minus_ct0 = negate(&ct0);
            let r = add(&subtract(&w, &cs2), &ct0);
            let hint: Vec<Hint> = minus_ct0
                .iter()
                .zip(&r)
                .map(|(z, r)| core::array::from_fn(|i| make_hint(p, z[i], r[i])))
                .collect();
            // 28: if ‖⟨⟨c·t₀⟩⟩‖∞ ≥ γ₂ or the number of 1s in h is greater than ω then (z, h) ← ⊥
            let ones = hint.iter().flatten().filter(|&&one| one).count();
            z_h = if infinity_norm(&ct0) >= p.gamma2 || ones > p.omega {
                None
            } else {
                Some((z, hint))
            };
        }
        // 31: κ ← κ + ℓ
        kappa += p.l;
    }
    let (z, hint) = z_h.unwrap();
    // 33: σ ← sigEncode(c̃, z mod± q, h)
    let sigma = sig_encode(p, &c_tilde, &map_vector(&z, |z| mod_pm(z, Q)), &hint);
    // 34: return σ
    Signed {
        sigma,
        attempts: kappa / p.l,
    }
}

/// Algorithm 8, `ML-DSA.Verify_internal(pk, M′, σ)`. A key or a signature of another length than
/// the standard's is refused (section 3.6.2).
pub(crate) fn verify_internal(p: &Params, pk: &[u8], m_prime: &[u8], sigma: &[u8]) -> bool {
    // 6: tr ← H(pk, 64)
    let tr = h(pk, 64);
    // 7: μ ← H(BytesToBits(tr) ‖ M′, 64)
    let mu = h(&[&tr[..], m_prime].concat(), 64);
    verify_mu(p, pk, &mu, sigma)
}

/// Algorithm 8, `ML-DSA.Verify_internal(pk, M′, σ)`, where steps 6 and 7 are left out and μ is
/// given.
pub(crate) fn verify_mu(p: &Params, pk: &[u8], mu: &[u8], sigma: &[u8]) -> bool {
    if pk.len() != p.public_key_size || sigma.len() != p.signature_size {
        return false;
    }
    // 1: (ρ, t₁) ← pkDecode(pk)
    let (rho, t1) = pk_decode(p, pk);
    // 2: (c̃, z, h) ← sigDecode(σ)
    let (c_tilde, z, hint) = sig_decode(p, sigma);
    // 3: if h = ⊥ then return false
    let Some(hint) = hint else { return false };
    // 5: Â ← ExpandA(ρ)
    let a_hat = expand_a(p, &rho);
    // 8: c ← SampleInBall(c̃)
    let c = sample_in_ball(p, &c_tilde);
    // 9: w′_Approx ← NTT⁻¹(Â ∘ NTT(z) − NTT(c) ∘ NTT(t₁ · 2ᵈ))
    let az_hat = matrix_vector_ntt(&a_hat, &ntt_vector(&z));
    let t1_2d_hat = ntt_vector(&map_vector(&t1, |t| t << D));
    let ct1_2d_hat = scalar_vector_ntt(&ntt(&c), &t1_2d_hat);
    let w_approx = ntt_inverse_vector(&subtract_ntt(&az_hat, &ct1_2d_hat));
    // 10: w₁′ ← UseHint(h, w′_Approx)
    let w1_prime = use_hint_vector(p, &hint, &w_approx);
    // 12: c̃′ ← H(μ ‖ w1Encode(w₁′), λ/4)
    let c_tilde_prime = h(&[mu, &w1_encode(p, &w1_prime)].concat(), p.lambda / 4);
    // 13: return [[ ‖z‖∞ < γ₁ − β ]] and [[ c̃ = c̃′ ]]
    infinity_norm(&z) < p.gamma1 - p.beta && c_tilde == c_tilde_prime
}
