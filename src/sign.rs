//! Signing: Algorithm 7.
//!
//! An attempt costs a mask **y** (ℓ polynomials), **w** = Â**y**, a hash, and the products of the
//! challenge; four to five attempts are needed on average. Two things are done differently from
//! the letter of the standard, with the same result:
//!
//! * *Masks run ahead.* Nonces are consecutive over the attempts, so the lanes of Keccak can sample
//!   the masks of the next attempt beside the hash of this one, which is a chain that occupies one
//!   lane only. When the attempt succeeds, the masks that were sampled ahead are wiped.
//! * *Checks are made in the order of their price*, polynomial by polynomial, and the first that
//!   fails ends the attempt: first **r**₀, which fails most often, then **z**, then c·**t**₀ and the
//!   weight of the hint. SOUNDNESS.md says why it is no leak which of them failed.

use crate::encode::{Hint, hint_bit_pack, z_pack, z_unpack};
use crate::keccak::{Buffer, Lane, Lanes, RATE_256, Schedule, Shake256, Want};
use crate::keys::{Matrix, PrivateKey, row_pairs};
use crate::ntt::{ntt, ntt_inverse, pointwise_acc_pair};
use crate::params::sealed::{Derived, List, Rounding};
use crate::params::{Cols, HASH_LEN, MlDsaParams, Rows, SEED_LEN};
use crate::poly::{LANES, NttPoly, Poly, SmallCoefficients};
use crate::rounding::{decompose_poly, make_hint_poly, sub_and_check};
use crate::sampling::{BallSampler, Mask, mul_small, mul_t0};
use crate::simd::{Isa, Sponge};
use crate::wipe::Wipe;
use hybrid_array::Array;

/// Every attempt was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exhausted;

/// The number of attempts after which signing gives up. FIPS 204, Appendix C, asks for at least
/// 814; after 821 the chance of an honest failure is below 2⁻²⁵⁶ for each parameter set.
pub(crate) const MAX_ATTEMPTS: usize = 1000;

#[cfg(not(test))]
const fn max_attempts() -> usize {
    MAX_ATTEMPTS
}
/// A test may run out of them sooner.
#[cfg(test)]
use tests::max_attempts;

/// Algorithm 7, `ML-DSA.Sign_internal(sk, M′, rnd)`, from step 7 on: μ is given. Returns
/// the number of attempts that it took.
///
/// # Errors
/// [`Exhausted`] after [`MAX_ATTEMPTS`] rejected attempts; `sigma` is then all zeros.
pub(crate) fn sign_mu<P: MlDsaParams, I: Isa>(
    isa: I,
    sk: &PrivateKey<P>,
    a_hat: &Matrix<P>,
    mu: &[u8; HASH_LEN],
    rnd: &[u8; SEED_LEN],
    sigma: &mut Array<u8, P::SignatureSize>,
) -> Result<usize, Exhausted> {
    let mut stream = Stream::<P>::new::<I>();
    stream.commitment[..HASH_LEN].copy_from_slice(mu);
    // 7: ρ″ ← H(K ‖ rnd ‖ μ, 64)
    let mut h = Shake256::new();
    h.absorb(isa, &sk.key_seed);
    h.absorb(isa, rnd);
    h.absorb(isa, mu);
    h.finish(isa, &mut stream.rho_double_prime);

    let mut lanes = SignLanes::new();
    let mut scratch = Scratch::<P>::new();
    // 8 to 32
    for attempts in 1..=max_attempts() {
        stream.phase = Phase::Masks;
        lanes.run(isa, &mut stream);
        if attempt(isa, sk, a_hat, &mut stream, &mut lanes, &mut scratch, sigma) {
            return Ok(attempts);
        }
        // 31: κ ← κ + ℓ
        stream.advance_base();
    }
    sigma.fill(0);
    Err(Exhausted)
}

/// The values of an attempt.
struct Scratch<P: MlDsaParams> {
    y: Poly,
    y_hat: Cols<P, NttPoly>,
    w_hat: [NttPoly; 2],
    /// **w**, then **w**₀, then **r**₀.
    w: Rows<P, Poly>,
    /// A product c·s.
    cs: SmallCoefficients,
    ct0: Poly,
    hint: Rows<P, Hint>,
}

impl<P: MlDsaParams> Scratch<P> {
    fn new() -> Self {
        Self {
            y: Poly::default(),
            y_hat: List::repeat(NttPoly::default()),
            w_hat: [NttPoly::default(); 2],
            w: List::repeat(Poly::default()),
            cs: [[0; LANES]; LANES],
            ct0: Poly::default(),
            hint: List::repeat([0; LANES]),
        }
    }
}

impl<P: MlDsaParams> Drop for Scratch<P> {
    fn drop(&mut self) {
        self.y.wipe();
        self.y_hat.as_mut().wipe();
        self.w_hat.wipe();
        self.w.as_mut().wipe();
        self.cs.as_flattened_mut().wipe();
        self.ct0.wipe();
        self.hint.as_mut().as_flattened_mut().wipe();
    }
}

/// One pass through the loop of Algorithm 7. Returns whether `sigma` is a signature.
fn attempt<P: MlDsaParams, I: Isa>(
    isa: I,
    sk: &PrivateKey<P>,
    a_hat: &Matrix<P>,
    stream: &mut Stream<P>,
    lanes: &mut SignLanes,
    scratch: &mut Scratch<P>,
    sigma: &mut Array<u8, P::SignatureSize>,
) -> bool {
    let Scratch {
        y,
        y_hat,
        w_hat,
        w,
        cs,
        ct0,
        hint,
    } = scratch;
    let beta = P::BETA as i32;

    // 11: y ← ExpandMask(ρ″, κ)
    for (j, y_hat) in y_hat.as_mut().iter_mut().enumerate() {
        z_unpack::<I, P::Gamma1>(isa, &stream.mask(lanes, j)[..P::Z_LEN], y);
        ntt(isa, y, y_hat);
    }
    // 12, 13: w ← NTT⁻¹(Â ∘ NTT(y)); w₁ ← HighBits(w)
    let w1 = stream.commitment[HASH_LEN..].chunks_exact_mut(2 * P::W1_LEN);
    let w_pairs = w.as_mut().as_chunks_mut::<2>().0;
    for ((a, w), w1) in row_pairs::<P>(a_hat).zip(w_pairs).zip(w1) {
        pointwise_acc_pair(isa, a, y_hat, w_hat);
        let w1 = w1.chunks_exact_mut(P::W1_LEN);
        for ((w_hat, w), w1) in w_hat.iter().zip(w).zip(w1) {
            ntt_inverse(isa, w_hat, w);
            decompose_poly::<I, P::Gamma2>(isa, w, w1);
        }
    }
    // 15, 16: c̃ ← H(μ ‖ w1Encode(w₁), λ/4); c ← SampleInBall(c̃)
    stream.ball = BallSampler::new(P::TAU);
    stream.phase = Phase::Challenge(Hash::Waiting);
    lanes.run(isa, stream);
    let c_tilde = &stream.c_tilde[..P::C_TILDE_LEN];
    let c = stream.ball.finish();

    // 19, 21, 23 (second half): r₀ ← LowBits(w − cs₂), below γ₂ − β
    for (s2, w0) in sk.s2.as_ref().iter().zip(w.as_mut()) {
        mul_small::<I, P::Eta>(isa, &c, s2, cs);
        if !sub_and_check(isa, w0, cs, P::Gamma2::GAMMA2 - beta) {
            return false;
        }
    }
    // 18, 20, 23 (first half): z ← y + cs₁, below γ₁ − β
    let z = sigma[P::Z_OFFSET..P::HINT_OFFSET].chunks_exact_mut(P::Z_LEN);
    for ((j, s1), z) in sk.s1.as_ref().iter().enumerate().zip(z) {
        mul_small::<I, P::Eta>(isa, &c, s1, cs);
        let y = &stream.mask(lanes, j)[..P::Z_LEN];
        if !z_pack::<I, P::Gamma1>(isa, y, cs, P::GAMMA1 as i32 - beta, z) {
            return false;
        }
    }
    // 25, 26, 28: h ← MakeHint(−ct₀, w − cs₂ + ct₀), with ct₀ below γ₂ and at most ω ones
    let mut ones = 0;
    let w1 = stream.commitment[HASH_LEN..].chunks_exact(P::W1_LEN);
    let parts = sk
        .t0
        .as_ref()
        .iter()
        .zip(w.as_ref())
        .zip(w1)
        .zip(hint.as_mut());
    for (((t0, r0), w1), hint) in parts {
        mul_t0(isa, &c, t0, ct0);
        if !make_hint_poly::<I, P::Gamma2>(isa, r0, ct0, w1, hint) {
            return false;
        }
        ones += hint
            .iter()
            .map(|bits| bits.count_ones() as usize)
            .sum::<usize>();
    }
    if crate::ct::declassify(ones) > P::OMEGA {
        return false;
    }
    // The attempt is accepted: what the signature says is public.
    for hint in hint.as_mut() {
        *hint = crate::ct::declassify(*hint);
    }
    crate::ct::declassify_bytes(&mut sigma[P::Z_OFFSET..P::HINT_OFFSET]);
    // 33: σ ← sigEncode(c̃, z mod± q, h)
    sigma[..P::C_TILDE_LEN].copy_from_slice(c_tilde);
    hint_bit_pack::<P>(hint, &mut sigma[P::HINT_OFFSET..]);
    true
}

/// Masks that are kept: those of an attempt and those that run ahead. A power of two.
const RING: usize = 16;

/// The lanes with their buffers, and a ring of buffers for the masks.
type SignLanes = Lanes<Job, { 4 + RING }>;

/// The number of the buffer of the mask with a nonce.
fn ring_buffer(nonce: usize) -> usize {
    4 + (nonce & (RING - 1))
}

/// The most bytes of **w**₁.
pub(crate) const MAX_W1: usize = 1024;

/// The stream of masks, and the hash of the commitment beside it.
struct Stream<P: MlDsaParams> {
    rho_double_prime: [u8; HASH_LEN],
    /// Whether the mask with nonce n is complete, at n modulo `RING`.
    ready: [bool; RING],
    /// κ, the first nonce of the attempt.
    base: usize,
    /// The next nonce to sample.
    next: usize,
    /// How far beyond κ to sample.
    window: usize,
    phase: Phase,
    /// μ ‖ w1Encode(**w**₁)
    commitment: [u8; HASH_LEN + MAX_W1],
    c_tilde: [u8; HASH_LEN],
    ball: BallSampler,
    params: core::marker::PhantomData<P>,
}

/// What the lanes are run for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Masks,
    Challenge(Hash),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Hash {
    Waiting,
    InLane,
    Done,
}

#[derive(Clone, Copy)]
enum Job {
    Mask(Mask),
    /// The hash of the commitment, with the number of blocks that it has absorbed.
    Commitment {
        blocks: usize,
    },
    /// The sampling of the challenge from the hash, which follows in the same lane.
    Ball {
        started: bool,
    },
}

impl<P: MlDsaParams> Stream<P> {
    fn new<I: Isa>() -> Self {
        const { assert!(P::K * P::W1_LEN <= MAX_W1 && 2 * P::L <= RING) };
        Self {
            rho_double_prime: [0; HASH_LEN],
            ready: [false; RING],
            base: 0,
            next: 0,
            // Where every lane costs a permutation of its own, nothing is gained by running ahead.
            window: if I::Sponge::WIDTH == 1 { P::L } else { RING },
            phase: Phase::Masks,
            commitment: [0; HASH_LEN + MAX_W1],
            c_tilde: [0; HASH_LEN],
            ball: BallSampler::new(P::TAU),
            params: core::marker::PhantomData,
        }
    }

    /// Polynomial j of the attempt's **y**, encoded.
    fn mask<'a>(&self, lanes: &'a SignLanes, j: usize) -> &'a Buffer {
        lanes.buffer(ring_buffer(self.base + j))
    }

    fn advance_base(&mut self) {
        for j in 0..P::L {
            self.ready[(self.base + j) & (RING - 1)] = false;
        }
        self.base += P::L;
    }
}

impl<P: MlDsaParams> Schedule for Stream<P> {
    type Job = Job;

    fn next(&mut self, _: usize) -> Option<Job> {
        if self.phase == Phase::Challenge(Hash::Waiting) {
            self.phase = Phase::Challenge(Hash::InLane);
            return Some(Job::Commitment { blocks: 0 });
        }
        if self.next == self.base + self.window {
            return None;
        }
        self.next += 1;
        Some(Job::Mask(Mask {
            nonce: (self.next - 1) as u16,
        }))
    }

    fn advance(&mut self, job: &mut Job, mut lane: Lane<'_>) -> Want {
        match job {
            Job::Mask(job) => {
                let want = job.advance(&self.rho_double_prime, lane);
                self.ready[usize::from(job.nonce) & (RING - 1)] = want == Want::Nothing;
                want
            }
            Job::Commitment { blocks } => {
                if lane.blocks.is_none() {
                    lane.clear();
                }
                let commitment = &self.commitment[..HASH_LEN + P::K * P::W1_LEN];
                let rest = &commitment[RATE_256 * *blocks..];
                *blocks += 1;
                match rest.split_at_checked(RATE_256) {
                    Some((block, _)) => lane.absorb_block(block),
                    None => {
                        lane.absorb_last(rest, RATE_256);
                        *job = Job::Ball { started: false };
                    }
                }
                Want::Blocks {
                    count: 1,
                    rate: RATE_256,
                }
            }
            Job::Ball { started } => {
                let Some(block) = lane.blocks.and_then(|blocks| blocks.first_chunk()) else {
                    return Want::Nothing;
                };
                if *started {
                    if !self.ball.feed(block) {
                        self.phase = Phase::Challenge(Hash::Done);
                        return Want::Nothing;
                    }
                } else {
                    // The block is c̃.
                    self.c_tilde.copy_from_slice(&block[..HASH_LEN]);
                    self.c_tilde = crate::ct::declassify(self.c_tilde);
                    lane.start(&self.c_tilde[..P::C_TILDE_LEN], RATE_256);
                    *started = true;
                }
                Want::Blocks {
                    count: 1,
                    rate: RATE_256,
                }
            }
        }
    }

    fn buffer(&self, job: &Job, lane: usize) -> usize {
        match job {
            Job::Mask(mask) => ring_buffer(mask.nonce.into()),
            Job::Commitment { .. } | Job::Ball { .. } => lane,
        }
    }

    fn is_done(&self) -> bool {
        match self.phase {
            Phase::Masks => (0..P::L).all(|j| self.ready[(self.base + j) & (RING - 1)]),
            Phase::Challenge(hash) => hash == Hash::Done,
        }
    }
}

impl<P: MlDsaParams> Drop for Stream<P> {
    fn drop(&mut self) {
        self.rho_double_prime.as_mut_slice().wipe();
        self.commitment.as_mut_slice().wipe();
        self.c_tilde.as_mut_slice().wipe();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::{MAX_ATTEMPTS, sign_mu};
    #[cfg(feature = "hash-ml-dsa")]
    use crate::HashMlDsa;
    use crate::keys::{self, PrivateKey, PublicKey};
    use crate::params::{MlDsa44, MlDsa65, MlDsa87, MlDsaParams};
    use crate::shared::One;
    use crate::simd::for_each_isa;
    use crate::{B32, Context, ExpandedSigningKey, Seed, Signature, Signer, SigningKey};
    use core::cell::Cell;
    use hybrid_array::Array;
    use std::println;

    std::thread_local! {
        static LIMIT: Cell<usize> = const { Cell::new(MAX_ATTEMPTS) };
    }

    /// This thread's limit.
    pub(super) fn max_attempts() -> usize {
        LIMIT.get()
    }

    const KEYS: u8 = 10;
    const MESSAGES: u8 = 30;

    /// Runs out of attempts: an error by every interface, and no trace of the last attempt.
    fn run_out<P: MlDsaParams>(mean: f64) {
        let mut failed = 0;
        for seed in 0..KEYS {
            let key = SigningKey::<P>::from_seed(&Seed::from([seed; 32]));
            for message in 0..MESSAGES {
                LIMIT.set(1);
                let result: Result<Signature<P>, _> = key.try_sign(&[message]);
                let internal = key
                    .expanded_key()
                    .sign_internal(&[&[0, 0], &[message]], &B32::default());
                match result {
                    // As it would be with more attempts.
                    Ok(signature) => {
                        assert!(signature == internal);
                        LIMIT.set(MAX_ATTEMPTS);
                        assert!(signature == key.sign(&[message]));
                    }
                    Err(_) => {
                        failed += 1;
                        assert!(internal.is_blank());
                        every_interface_fails(&key, &[message]);
                        // A later attempt succeeds, and every one from then on.
                        let signed = |limit| {
                            LIMIT.set(limit);
                            key.try_sign(&[message]).is_ok()
                        };
                        let needed = (2..MAX_ATTEMPTS).find(|limit| signed(*limit)).unwrap();
                        assert!(!signed(needed - 1) && signed(needed + 1));
                    }
                }
            }
        }
        LIMIT.set(MAX_ATTEMPTS);
        let all = f64::from(KEYS) * f64::from(MESSAGES);
        let expected = 1.0 - 1.0 / mean;
        println!("{failed} of {all} run out after one attempt, {expected} are expected");
        // Five standard deviations.
        let deviation = (expected * (1.0 - expected) / all).sqrt();
        assert!((f64::from(failed) / all - expected).abs() < 5.0 * deviation);
    }

    fn every_interface_fails<P: MlDsaParams>(key: &SigningKey<P>, message: &[u8]) {
        let expanded: &ExpandedSigningKey<P> = key.expanded_key();
        assert!(Signer::<Signature<P>>::try_sign(expanded, message).is_err());
        assert!(expanded.sign_deterministic(message, b"").is_err());
        let context: Context<'_, '_, _> = key.with_context(b"").unwrap();
        assert!(Signer::<Signature<P>>::try_sign(&context, message).is_err());
        #[cfg(feature = "hash-ml-dsa")]
        {
            LIMIT.set(0);
            let hashing: HashMlDsa<'_, '_, _, sha2::Sha512> = key.hash_ml_dsa();
            assert!(Signer::<Signature<P>>::try_sign(&hashing, message).is_err());
            LIMIT.set(1);
        }
    }

    #[test]
    fn attempts_that_run_out_are_an_error() {
        run_out::<MlDsa44>(4.25);
        run_out::<MlDsa65>(5.1);
        run_out::<MlDsa87>(3.85);
    }

    /// Not one byte of what the attempts wrote is returned.
    #[test]
    fn the_signature_of_attempts_that_run_out_is_zero() {
        type P = MlDsa65;
        for_each_isa!(isa => {
            let mut a_hat = One::build(keys::empty_matrix::<P>, |_| ());
            let mut sk = PrivateKey::<P>::empty();
            let mut pk = PublicKey::<P>::empty();
            let matrix = a_hat.get_mut().unwrap();
            crate::keygen::key_gen_internal::<P, _>(isa, &[9; 32], matrix, &mut sk, &mut pk);
            let mut failed = 0;
            for rnd in 0..50 {
                LIMIT.set(2);
                let mut sigma = Array([0xa5; 3309]);
                match sign_mu::<P, _>(isa, &sk, &a_hat, &[1; 64], &[rnd; 32], &mut sigma) {
                    Ok(_) => assert!(sigma.iter().any(|byte| *byte != 0xa5)),
                    Err(_) => {
                        failed += 1;
                        assert!(sigma.iter().all(|byte| *byte == 0));
                    }
                }
            }
            LIMIT.set(MAX_ATTEMPTS);
            assert!(failed > 10, "{failed} of 50 ran out after two attempts");
        });
    }
}
