//! The challenge c, and products with it.
//!
//! c has τ coefficients ±1 and zeros else, so c·s is a sum of τ shifted copies of s, added or
//! subtracted. For s₁, s₂ (bytes) and t₀ (half-words) this takes fewer instructions than a
//! transform, a product and a transform back: many small lanes fit a register, and a copy that is
//! shifted modulo X²⁵⁶ + 1 is a window of [`Negacyclic`]. (Published as parallel small polynomial
//! multiplication: \[ZHZ23\].) The positions, which serve as addresses, are public: c is the hash of
//! values that a signature shows or that a rejected attempt does not keep secret (SOUNDNESS.md).

use crate::keccak::{RATE_256, Shake256};
use crate::params::{N, sealed::Small};
use crate::poly::{LANES, Negacyclic, Poly, SmallCoefficients};
use crate::simd::Isa;

/// An upper bound of τ.
const MAX_TAU: usize = 64;

/// c: where its ones and minus ones are. A term ±Xⁱ is kept as 255 − i, one less than where its
/// [`window`] begins.
#[derive(Clone, Debug)]
pub(crate) struct Challenge {
    plus: [u8; MAX_TAU],
    minus: [u8; MAX_TAU],
    n_plus: usize,
    n_minus: usize,
}

/// Algorithm 29, `SampleInBall(ρ)`, fed with the blocks that SHAKE256 yields for ρ.
///
/// The standard's array c is not kept, only its τ terms: where each of them is, and at each position
/// which term is there. Step 10, c_i ← c_j, moves a term; step 11 adds one.
pub(crate) struct BallSampler {
    tau: usize,
    /// Which term stands at a position; 0 for none.
    term_at: [u8; N],
    /// Where a term stands.
    position: [u8; MAX_TAU],
    /// h, whose bits are the signs of the terms; `None` before the first block.
    signs: Option<u64>,
    i: usize,
}

impl BallSampler {
    #[inline]
    pub(crate) fn new(tau: usize) -> Self {
        Self {
            tau,
            term_at: [0; N],
            position: [0; MAX_TAU],
            signs: None,
            i: N - tau,
        }
    }

    /// Takes a block. Returns whether another is needed.
    #[inline]
    pub(crate) fn feed(&mut self, block: &[u8; RATE_256]) -> bool {
        let mut candidates = &block[..];
        // 3: h ← the first eight bytes
        if self.signs.is_none()
            && let Some((h, rest)) = block.split_first_chunk()
        {
            self.signs = Some(u64::from_le_bytes(*h));
            candidates = rest;
        }
        // 7 to 9: j ← a byte that is at most i
        while self.i < N
            && let [j, later @ ..] = candidates
        {
            candidates = later;
            let (i, j) = (self.i, *j);
            if usize::from(j) <= i {
                // 10: c_i ← c_j
                let moved = self.term_at[usize::from(j)];
                self.term_at[i & (N - 1)] = moved;
                self.position[usize::from(moved) & (MAX_TAU - 1)] = i as u8;
                // 11: c_j ← (−1)^h, the term number i + τ − 255
                let term = (i + self.tau + 1 - N) & (MAX_TAU - 1);
                self.term_at[usize::from(j)] = term as u8;
                self.position[term] = j;
                self.i += 1;
            }
        }
        self.i < N
    }

    /// The challenge, when no more blocks are needed.
    #[inline]
    pub(crate) fn finish(&self) -> Challenge {
        let terms = 1..=self.tau.min(MAX_TAU - 1);
        Challenge::new(&self.position[terms], self.signs.unwrap_or(0))
    }
}

/// Algorithm 29, `SampleInBall(ρ)`.
pub(crate) fn sample_in_ball<I: Isa>(isa: I, c_tilde: &[u8], tau: usize) -> Challenge {
    let mut sampler = BallSampler::new(tau);
    let mut sponge = Shake256::new();
    sponge.absorb(isa, c_tilde);
    sponge.finish_blocks(isa, |block| sampler.feed(block));
    sampler.finish()
}

/// The same, while another hash `h` ends with `out`.
pub(crate) fn sample_in_ball_beside<I: Isa>(
    isa: I,
    c_tilde: &[u8],
    tau: usize,
    h: &mut Shake256,
    out: &mut [u8],
) -> Challenge {
    let mut sampler = BallSampler::new(tau);
    let mut sponge = Shake256::new();
    sponge.absorb(isa, c_tilde);
    let mut block = [0; RATE_256];
    Shake256::finish_pair(isa, [h, &mut sponge], [out, &mut block]);
    while sampler.feed(&block) {
        sponge.next_block(isa, &mut block);
    }
    sampler.finish()
}

impl Challenge {
    /// From the positions of the terms and their signs, a bit each.
    pub(crate) fn new(positions: &[u8], mut signs: u64) -> Self {
        let mut challenge = Self {
            plus: [0; MAX_TAU],
            minus: [0; MAX_TAU],
            n_plus: 0,
            n_minus: 0,
        };
        for position in positions {
            // Both lists are written, one of them grows.
            challenge.plus[challenge.n_plus & (MAX_TAU - 1)] = !*position;
            challenge.minus[challenge.n_minus & (MAX_TAU - 1)] = !*position;
            challenge.n_minus += (signs & 1) as usize;
            challenge.n_plus += (!signs & 1) as usize;
            signs >>= 1;
        }
        challenge
    }

    /// The terms that are added, and those that are subtracted.
    ///
    /// Indexing would put a panic into the kernels that call this; the counts are never too large.
    #[inline(always)]
    fn terms(&self) -> (&[u8], &[u8]) {
        (
            self.plus.get(..self.n_plus).unwrap_or_default(),
            self.minus.get(..self.n_minus).unwrap_or_default(),
        )
    }

    /// c as an element of R_q.
    pub(crate) fn write_to(&self, c: &mut Poly) {
        let flat = c.0.as_flattened_mut();
        flat.fill(0);
        let (plus, minus) = self.terms();
        for term in plus {
            flat[usize::from(!*term)] = 1;
        }
        for term in minus {
            flat[usize::from(!*term)] = -1;
        }
    }

    /// The same.
    #[cfg(any(test, mldsa_internals))]
    pub(crate) fn to_poly(&self) -> Poly {
        let mut c = Poly::default();
        self.write_to(&mut c);
        c
    }
}

/// The window of a negacyclic s that is Xⁱ·s, of a term 255 − i.
#[inline(always)]
fn window<T>(s: &Negacyclic<T>, term: u8) -> &[T; N] {
    match s.0[usize::from(term) + 1..].first_chunk() {
        Some(window) => window,
        None => unreachable!("256 − i ≤ 256"),
    }
}

/// c·s for s of **s**₁ or **s**₂.
///
/// # Bounds
/// Requires |s| ≤ η and at most 60 coefficients in c. Ensures |cs| ≤ τ·η.
pub(crate) fn mul_small<I: Isa, E: Small>(
    isa: I,
    c: &Challenge,
    s: &Negacyclic<i8>,
    cs: &mut SmallCoefficients,
) {
    if E::ETA == 2 {
        isa.outline(
            #[inline(always)]
            || mul_small_inline::<I, 63>(isa, c, s, cs),
        );
    } else {
        isa.outline(
            #[inline(always)]
            || mul_small_inline::<I, 31>(isa, c, s, cs),
        );
    }
}

/// `TERMS` copies add up to less than 2⁷: `TERMS`·η ≤ 127.
#[inline(always)]
fn mul_small_inline<I: Isa, const TERMS: usize>(
    isa: I,
    c: &Challenge,
    s: &Negacyclic<i8>,
    cs: &mut SmallCoefficients,
) {
    *cs = [[0; LANES]; LANES];
    let [c0, c1, c2, c3] = quarters_mut(flat_mut(cs));
    let (mut plus, mut minus) = c.terms();
    loop {
        let (p, later_plus) = plus.split_at(plus.len().min(TERMS));
        let (m, later_minus) = minus.split_at(minus.len().min(TERMS - p.len()));
        let zero = isa.zero_bytes();
        let [mut a0, mut a1, mut a2, mut a3] = [zero; 4];
        for term in p {
            let [s0, s1, s2, s3] = quarters(window(s, *term));
            a0 = isa.add_i8(a0, s0);
            a1 = isa.add_i8(a1, s1);
            a2 = isa.add_i8(a2, s2);
            a3 = isa.add_i8(a3, s3);
        }
        for term in m {
            let [s0, s1, s2, s3] = quarters(window(s, *term));
            a0 = isa.sub_i8(a0, s0);
            a1 = isa.sub_i8(a1, s1);
            a2 = isa.sub_i8(a2, s2);
            a3 = isa.sub_i8(a3, s3);
        }
        isa.accumulate_i8(a0, c0);
        isa.accumulate_i8(a1, c1);
        isa.accumulate_i8(a2, c2);
        isa.accumulate_i8(a3, c3);
        (plus, minus) = (later_plus, later_minus);
        if plus.is_empty() && minus.is_empty() {
            return;
        }
    }
}

/// c·t for t of **t**₀.
///
/// # Bounds
/// Requires |t| ≤ 2¹². Ensures |ct| ≤ τ·2¹².
pub(crate) fn mul_t0<I: Isa>(isa: I, c: &Challenge, t0: &Negacyclic<i16>, ct0: &mut Poly) {
    isa.outline(
        #[inline(always)]
        || {
            if I::IN_REGISTERS {
                mul_t0_inline(isa, c, t0, ct0);
            } else {
                mul_t0_plain(c, t0, ct0);
            }
        },
    );
}

/// One term after the other: there are no registers for sums, and halves are no faster than words.
fn mul_t0_plain(c: &Challenge, t0: &Negacyclic<i16>, ct0: &mut Poly) {
    let ct0 = flat_mut(&mut ct0.0);
    *ct0 = [0; N];
    let (plus, minus) = c.terms();
    for term in plus {
        for (ct, t) in ct0.iter_mut().zip(window(t0, *term)) {
            *ct += i32::from(*t);
        }
    }
    for term in minus {
        for (ct, t) in ct0.iter_mut().zip(window(t0, *term)) {
            *ct -= i32::from(*t);
        }
    }
}

/// Copies of t₀ that add up to less than 2¹⁵: 7·2¹².
const T0_TERMS: usize = 7;

/// One quarter of the coefficients after the other, so that all sums stay in registers.
#[inline(always)]
fn mul_t0_inline<I: Isa>(isa: I, c: &Challenge, t0: &Negacyclic<i16>, ct0: &mut Poly) {
    let (plus, minus) = c.terms();
    let quarters = ct0.0.as_chunks_mut().0.iter_mut();
    for (quarter, [row0, row1, row2, row3]) in quarters.enumerate() {
        let mut sum = [isa.splat(0); 4];
        let (sevens, rest) = plus.as_chunks::<T0_TERMS>();
        for terms in sevens {
            sum = add_rows(isa, sum, sum_of_terms(isa, terms, t0, quarter));
        }
        sum = add_rows(isa, sum, sum_of_terms(isa, rest, t0, quarter));
        let (sevens, rest) = minus.as_chunks::<T0_TERMS>();
        for terms in sevens {
            sum = sub_rows(isa, sum, sum_of_terms(isa, terms, t0, quarter));
        }
        sum = sub_rows(isa, sum, sum_of_terms(isa, rest, t0, quarter));
        isa.store(sum[0], row0);
        isa.store(sum[1], row1);
        isa.store(sum[2], row2);
        isa.store(sum[3], row3);
    }
}

/// A quarter of the sum of at most [`T0_TERMS`] copies of t₀.
#[inline(always)]
fn sum_of_terms<I: Isa>(isa: I, terms: &[u8], t0: &Negacyclic<i16>, quarter: usize) -> [I::V; 4] {
    let [mut low, mut high] = [isa.zero_bytes(); 2];
    for term in terms {
        // Rows of 32: two for each quarter.
        let rows = window(t0, *term).as_chunks().0;
        low = isa.add_i16(low, &rows[(2 * quarter) & 6]);
        high = isa.add_i16(high, &rows[(2 * quarter) & 6 | 1]);
    }
    let ((row0, row1), (row2, row3)) = (isa.widen_i16(low), isa.widen_i16(high));
    [row0, row1, row2, row3]
}

#[inline(always)]
fn add_rows<I: Isa>(isa: I, a: [I::V; 4], b: [I::V; 4]) -> [I::V; 4] {
    [
        isa.add(a[0], b[0]),
        isa.add(a[1], b[1]),
        isa.add(a[2], b[2]),
        isa.add(a[3], b[3]),
    ]
}

#[inline(always)]
fn sub_rows<I: Isa>(isa: I, a: [I::V; 4], b: [I::V; 4]) -> [I::V; 4] {
    [
        isa.sub(a[0], b[0]),
        isa.sub(a[1], b[1]),
        isa.sub(a[2], b[2]),
        isa.sub(a[3], b[3]),
    ]
}

/// The rows one after the other.
#[inline(always)]
fn flat_mut<T>(rows: &mut [[T; LANES]; LANES]) -> &mut [T; N] {
    match rows.as_flattened_mut().first_chunk_mut() {
        Some(flat) => flat,
        None => unreachable!("N coefficients"),
    }
}

/// Four quarters of an array.
#[inline(always)]
fn quarters<T, const M: usize, const Q: usize>(a: &[T; M]) -> [&[T; Q]; 4] {
    const { assert!(M == 4 * Q) };
    let [q0, q1, q2, q3] = a.as_chunks().0 else {
        unreachable!()
    };
    [q0, q1, q2, q3]
}

/// Four quarters of an array.
#[inline(always)]
fn quarters_mut<T, const M: usize, const Q: usize>(a: &mut [T; M]) -> [&mut [T; Q]; 4] {
    const { assert!(M == 4 * Q) };
    let [q0, q1, q2, q3] = a.as_chunks_mut().0 else {
        unreachable!()
    };
    [q0, q1, q2, q3]
}
