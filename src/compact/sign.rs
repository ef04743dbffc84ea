//! Algorithm 7, `ML-DSA.Sign_internal(sk, M′, rnd)`, in little memory.

use super::{Parts, add_column, copy, finish_sum};
use crate::encode::{Hint, eta_unpack, hint_bit_pack, t0_unpack, z_pack, z_unpack};
use crate::keccak::{RATE_256, Shake256};
use crate::ntt::ntt;
use crate::params::sealed::{Derived, List, Rounding, Zero};
use crate::params::{HASH_LEN, MlDsaParams, Rows, SEED_LEN};
use crate::poly::{LANES, Negacyclic, NttPoly, Poly, SmallCoefficients};
use crate::rounding::{decompose_poly, make_hint_poly, sub_and_check};
use crate::sampling::{Challenge, mul_small, mul_t0, sample_in_ball};
use crate::sign::{Exhausted, MAX_ATTEMPTS, MAX_W1};
use crate::simd::Isa;
use crate::wipe::{Wipe, WipedBytes};
use hybrid_array::Array;

/// Algorithm 7, `ML-DSA.Sign_internal(sk, M′, rnd)`, from step 7 on: μ is given. Until the signature
/// is there, `sigma` holds secrets.
///
/// # Errors
/// [`Exhausted`] after [`MAX_ATTEMPTS`] rejected attempts, or at once when a coefficient of **s**₁ or
/// **s**₂ is out of range; `sigma` is then all zeros.
pub(crate) fn sign_mu<P: MlDsaParams, I: Isa>(
    isa: I,
    sk: &Array<u8, P::SigningKeySize>,
    mu: &[u8; HASH_LEN],
    rnd: &[u8; SEED_LEN],
    sigma: &mut Array<u8, P::SignatureSize>,
) -> Result<(), Exhausted> {
    if let Some(sk) = Parts::new::<P>(sk)
        && in_range::<P, I>(isa, &sk)
        && attempts::<P, I>(isa, &sk, mu, rnd, sigma)
    {
        return Ok(());
    }
    sigma.wipe();
    sigma.fill(0);
    Err(Exhausted)
}

/// Whether the coefficients of **s**₁ and **s**₂ are.
#[inline(never)]
fn in_range<P: MlDsaParams, I: Isa>(isa: I, sk: &Parts<'_>) -> bool {
    let mut s = Small::default();
    let mut in_range = true;
    for bytes in sk
        .s1
        .chunks_exact(P::ETA_LEN)
        .chain(sk.s2.chunks_exact(P::ETA_LEN))
    {
        in_range &= eta_unpack::<I, P::Eta>(isa, bytes, &mut s.s);
    }
    in_range
}

/// The most bytes of a polynomial of **y**.
const MASK_BYTES: usize = 640;

/// What is remembered during an attempt.
struct Attempt<P: MlDsaParams> {
    rho_double_prime: [u8; HASH_LEN],
    /// **ŵ**, then **w**, **w**₀ and **r**₀.
    w: Rows<P, Poly>,
    /// w1Encode(**w**₁)
    w1: [u8; MAX_W1],
    hint: Rows<P, Hint>,
}

impl<P: MlDsaParams> Drop for Attempt<P> {
    fn drop(&mut self) {
        self.rho_double_prime.wipe();
        for w in self.w.as_mut() {
            w.0.as_flattened_mut().wipe();
        }
        self.w1.wipe();
        for hint in self.hint.as_mut() {
            hint.wipe();
        }
    }
}

/// Steps 7 to 33. Returns whether `sigma` is a signature.
#[inline(never)]
fn attempts<P: MlDsaParams, I: Isa>(
    isa: I,
    sk: &Parts<'_>,
    mu: &[u8; HASH_LEN],
    rnd: &[u8; SEED_LEN],
    sigma: &mut [u8],
) -> bool {
    let mut attempt = Attempt::<P> {
        rho_double_prime: [0; HASH_LEN],
        w: List::zeros(),
        w1: [0; MAX_W1],
        hint: List::repeat([0; LANES]),
    };
    hash_key_seed(isa, sk.key_seed, rnd, mu, &mut attempt.rho_double_prime);
    // It is in the public key, too.
    let mut rho = [0; SEED_LEN];
    copy(sk.rho, &mut rho);
    crate::ct::declassify_bytes(&mut rho);
    let (c_tilde, rest) = sigma.split_at_mut(P::Z_OFFSET);
    let (z, hint) = rest.split_at_mut(P::HINT_OFFSET - P::Z_OFFSET);
    // 8 to 32
    for number in 0..MAX_ATTEMPTS {
        // 31: κ ← κ + ℓ
        attempt.commit(isa, &rho, number * P::L, z);
        // 15, 16
        let c = challenge::<P, I>(isa, mu, &attempt.w1, c_tilde);
        if attempt.subtract_s2(isa, &c, sk.s2)
            && add_s1::<P, I>(isa, &c, sk.s1, z)
            && attempt.make_hint(isa, &c, sk.t0)
        {
            // The attempt is accepted: what the signature says is public.
            for hint in attempt.hint.as_mut() {
                *hint = crate::ct::declassify(*hint);
            }
            crate::ct::declassify_bytes(z);
            // 33: σ ← sigEncode(c̃, z mod± q, h)
            hint_bit_pack::<P>(&attempt.hint, hint);
            return true;
        }
    }
    false
}

/// Step 7: ρ″ ← H(K ‖ rnd ‖ μ, 64)
#[inline(never)]
fn hash_key_seed<I: Isa>(
    isa: I,
    key_seed: &[u8],
    rnd: &[u8; SEED_LEN],
    mu: &[u8; HASH_LEN],
    rho_double_prime: &mut [u8; HASH_LEN],
) {
    let mut h = Shake256::new();
    h.absorb(isa, key_seed);
    h.absorb(isa, rnd);
    h.absorb(isa, mu);
    h.finish(isa, rho_double_prime);
}

/// Steps 15 and 16: c̃ ← H(μ ‖ w1Encode(w₁), λ/4); c ← SampleInBall(c̃)
#[inline(never)]
fn challenge<P: MlDsaParams, I: Isa>(
    isa: I,
    mu: &[u8; HASH_LEN],
    w1: &[u8; MAX_W1],
    c_tilde: &mut [u8],
) -> Challenge {
    let mut h = Shake256::new();
    h.absorb(isa, mu);
    h.absorb(isa, &w1[..P::K * P::W1_LEN]);
    h.finish(isa, c_tilde);
    crate::ct::declassify_bytes(c_tilde);
    sample_in_ball(isa, c_tilde, P::TAU)
}

impl<P: MlDsaParams> Attempt<P> {
    /// Steps 11 to 13: y ← ExpandMask(ρ″, κ); w ← NTT⁻¹(Â ∘ NTT(y)); w₁ ← HighBits(w). Leaves **y**,
    /// encoded, in `z`.
    #[inline(never)]
    fn commit<I: Isa>(&mut self, isa: I, rho: &[u8], kappa: usize, z: &mut [u8]) {
        let mut column = Column {
            y: Zero::ZERO,
            y_hat: Zero::ZERO,
        };
        for w in self.w.as_mut() {
            w.0.as_flattened_mut().fill(0);
        }
        for (j, y) in z.chunks_exact_mut(P::Z_LEN).enumerate() {
            sample_mask(isa, &self.rho_double_prime, (kappa + j) as u16, y);
            z_unpack::<I, P::Gamma1>(isa, y, &mut column.y);
            ntt(isa, &column.y, &mut column.y_hat);
            add_column::<P, I>(isa, rho, j, &column.y_hat, &mut column.y.0, &mut self.w);
        }
        for (w, w1) in self
            .w
            .as_mut()
            .iter_mut()
            .zip(self.w1.chunks_exact_mut(P::W1_LEN))
        {
            finish_sum(isa, w, &mut column.y_hat);
            decompose_poly::<I, P::Gamma2>(isa, w, w1);
        }
    }

    /// Steps 19, 21, 23 (second half): r₀ ← LowBits(w − cs₂), below γ₂ − β
    #[inline(never)]
    fn subtract_s2<I: Isa>(&mut self, isa: I, c: &Challenge, s2: &[u8]) -> bool {
        let mut s = Small::default();
        let bound = P::Gamma2::GAMMA2 - P::BETA as i32;
        self.w
            .as_mut()
            .iter_mut()
            .zip(s2.chunks_exact(P::ETA_LEN))
            .all(|(w0, s2)| {
                s.multiply::<P, I>(isa, c, s2);
                sub_and_check(isa, w0, &s.cs, bound)
            })
    }

    /// Steps 25, 26, 28: h ← MakeHint(−ct₀, w − cs₂ + ct₀), with ct₀ below γ₂ and at most ω ones
    #[inline(never)]
    fn make_hint<I: Isa>(&mut self, isa: I, c: &Challenge, t0: &[u8]) -> bool {
        let mut product = LargeProduct {
            t0: Zero::ZERO,
            ct0: Zero::ZERO,
        };
        let mut ones = 0;
        let rows = self.w.as_ref().iter().zip(self.w1.chunks_exact(P::W1_LEN));
        let rows = rows.zip(t0.chunks_exact(P::T0_LEN)).zip(self.hint.as_mut());
        for (((r0, w1), t0), hint) in rows {
            t0_unpack(isa, t0, &mut product.t0);
            mul_t0(isa, c, &product.t0, &mut product.ct0);
            if !make_hint_poly::<I, P::Gamma2>(isa, r0, &product.ct0, w1, hint) {
                return false;
            }
            ones += hint
                .iter()
                .map(|bits| bits.count_ones() as usize)
                .sum::<usize>();
        }
        crate::ct::declassify(ones) <= P::OMEGA
    }
}

/// Steps 18, 20, 23 (first half): z ← y + cs₁, below γ₁ − β. **z** takes the place of **y**.
#[inline(never)]
fn add_s1<P: MlDsaParams, I: Isa>(isa: I, c: &Challenge, s1: &[u8], z: &mut [u8]) -> bool {
    let mut s = Small::default();
    let mut y = WipedBytes::<MASK_BYTES>::new();
    let bound = P::GAMMA1 as i32 - P::BETA as i32;
    s1.chunks_exact(P::ETA_LEN)
        .zip(z.chunks_exact_mut(P::Z_LEN))
        .all(|(s1, z)| {
            copy(z, &mut *y);
            s.multiply::<P, I>(isa, c, s1);
            z_pack::<I, P::Gamma1>(isa, &*y, &s.cs, bound, z)
        })
}

/// One polynomial of Algorithm 34, `ExpandMask(ρ, μ)`: the one with nonce μ + r, encoded.
#[inline(never)]
fn sample_mask<I: Isa>(isa: I, rho: &[u8; HASH_LEN], nonce: u16, y: &mut [u8]) {
    // 3: ρ′ ← ρ ‖ IntegerToBytes(μ + r, 2)
    let mut h = Shake256::new();
    h.absorb(isa, rho);
    h.absorb(isa, &nonce.to_le_bytes());
    // 4: v ← H(ρ′, 32c)
    let mut blocks = y.chunks_mut(RATE_256);
    h.finish_blocks(isa, |block| {
        copy(block, blocks.next().unwrap_or_default());
        blocks.len() > 0
    });
}

/// What a column needs.
struct Column {
    /// y, and then the entries of Â.
    y: Poly,
    y_hat: NttPoly,
}

impl Drop for Column {
    fn drop(&mut self) {
        self.y.0.as_flattened_mut().wipe();
        self.y_hat.0.as_flattened_mut().wipe();
    }
}

/// A polynomial of **s**₁ or **s**₂, and its product with c.
struct Small {
    s: Negacyclic<i8>,
    cs: SmallCoefficients,
}

impl Small {
    fn multiply<P: MlDsaParams, I: Isa>(&mut self, isa: I, c: &Challenge, s: &[u8]) {
        // `in_range` has looked at it.
        let _ = eta_unpack::<I, P::Eta>(isa, s, &mut self.s);
        mul_small::<I, P::Eta>(isa, c, &self.s, &mut self.cs);
    }
}

impl Default for Small {
    fn default() -> Self {
        Self {
            s: Zero::ZERO,
            cs: [[0; LANES]; LANES],
        }
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        self.s.0.wipe();
        self.cs.as_flattened_mut().wipe();
    }
}

/// A polynomial of **t**₀, and its product with c.
struct LargeProduct {
    t0: Negacyclic<i16>,
    ct0: Poly,
}

impl Drop for LargeProduct {
    fn drop(&mut self) {
        self.t0.0.wipe();
        self.ct0.0.as_flattened_mut().wipe();
    }
}
