//! Key generation, and the expansion of keys.
//!
//! All of it is sampling and hashing, so the four lanes of Keccak are what counts. One schedule
//! ([`Expansion`]) serves key generation and public keys: it samples **s**₁ and **s**₂ first, if there are
//! any to sample, then Â entry by entry; as soon as a row of Â is complete, the row of
//! **t** = Â**s**₁ + **s**₂ is computed, and the hash of the public key, a long chain, absorbs it
//! in one lane beside the entries of the next rows in the others.

use crate::ct;
use crate::keccak::{Lane, Lanes, RATE_256, Schedule, Shake256, States, WORDS, Want};
use crate::keys::{Matrix, PrivateKey, PublicKey, rows};
use crate::ntt::{ntt, ntt_inverse, pointwise_acc};
use crate::params::sealed::{Derived, List};
use crate::params::{Cols, HASH_LEN, MlDsaParams, Rows, SEED_LEN};
use crate::poly::{Negacyclic, NttPoly, Poly, add_small, widen};
use crate::rounding::power2round_poly;
use crate::sampling::{Bounded, Uniform};
use crate::simd::Isa;
use crate::wipe::{Wiped, WipedBytes};
use ctutils::Choice;

/// Algorithm 6, `ML-DSA.KeyGen_internal(ξ)`. Fills the three parts of a key pair.
pub(crate) fn key_gen_internal<P: MlDsaParams, I: Isa>(
    isa: I,
    xi: &[u8; SEED_LEN],
    a_hat: &mut Matrix<P>,
    sk: &mut PrivateKey<P>,
    pk: &mut PublicKey<P>,
) {
    // 1: (ρ, ρ′, K) ← H(ξ ‖ k ‖ ℓ, 128)
    let mut seeds = WipedBytes::<{ SEED_LEN + HASH_LEN + SEED_LEN }>::new();
    let mut h = Shake256::new();
    h.absorb(isa, xi);
    h.absorb(isa, &[P::K as u8, P::L as u8]);
    h.finish(isa, &mut *seeds);
    let mut rho_prime = WipedBytes::<HASH_LEN>::new();
    let (rho, rest) = seeds.split_at(SEED_LEN);
    let (rho_prime_bytes, key_seed) = rest.split_at(HASH_LEN);
    sk.rho.copy_from_slice(rho);
    // The first part of the public key.
    sk.rho = ct::declassify(sk.rho);
    sk.key_seed.copy_from_slice(key_seed);
    rho_prime.copy_from_slice(rho_prime_bytes);
    pk.encoded[..SEED_LEN].copy_from_slice(&sk.rho);

    // 3 to 9
    let rho = sk.rho;
    let mut s1_hat = Wiped::new(SecretCols::<P>(List::repeat(NttPoly::default())));
    let mut scratch = Wiped::new(Scratch::default());
    let mut expansion = Expansion::<P, I>::new(isa, &rho, a_hat);
    let PrivateKey { s1, s2, t0, .. } = sk;
    expansion.secrets = Some(Secrets {
        rho_prime: &rho_prime,
        s1,
        s2,
        t0,
        s1_hat: &mut s1_hat.0,
        scratch: &mut scratch,
        next: 0,
        done: 0,
    });
    expansion.public = Some(Public::new(&mut pk.encoded, 0));
    Lanes::<_, 4>::new().run(isa, &mut expansion);
    if let Some(public) = &expansion.public {
        pk.tr = public.tr;
    }
    sk.tr = pk.tr;
}

/// Algorithm 23, `pkDecode`, and what Algorithm 8 computes from the public key alone (steps 5
/// and 6): expands `pk.encoded`, which the caller has filled, into Â and tr.
pub(crate) fn expand_public<P: MlDsaParams, I: Isa>(
    isa: I,
    a_hat: &mut Matrix<P>,
    pk: &mut PublicKey<P>,
) {
    let mut rho = [0; SEED_LEN];
    rho.copy_from_slice(&pk.encoded[..SEED_LEN]);
    let mut expansion = Expansion::<P, I>::new(isa, &rho, a_hat);
    expansion.public = Some(Public::new(&mut pk.encoded, P::K));
    Lanes::<_, 4>::new().run(isa, &mut expansion);
    if let Some(public) = &expansion.public {
        pk.tr = public.tr;
    }
}

/// The public key that belongs to a private key: steps 5 to 9 of Algorithm 6 again. Fills `pk`,
/// whose `tr` is the hash of the public key that results (for a key that was tampered with it
/// differs from `sk.tr`). Returns whether `sk.tr` and `sk.t0` agree with the public key.
pub(crate) fn public_from_private<P: MlDsaParams, I: Isa>(
    isa: I,
    sk: &PrivateKey<P>,
    a_hat: &Matrix<P>,
    pk: &mut PublicKey<P>,
) -> bool {
    let mut s1_hat = Wiped::new(SecretCols::<P>(List::repeat(NttPoly::default())));
    let mut scratch = Wiped::new(Scratch::default());
    transform_s1::<P, I>(isa, &sk.s1, &mut s1_hat.0, &mut scratch);
    let mut t0 = Wiped::new(Negacyclic::default());
    let mut same = Choice::TRUE;
    let (rho, t1) = pk.encoded.split_at_mut(SEED_LEN);
    rho.copy_from_slice(&sk.rho);
    let rows = rows::<P>(a_hat).zip(sk.s2.as_ref()).zip(sk.t0.as_ref());
    for (((a, s2), expected), t1) in rows.zip(t1.chunks_exact_mut(P::T1_LEN)) {
        public_row::<P, I>(isa, a, &s1_hat.0, s2, t1, &mut t0, &mut scratch);
        same = same.and(ct::eq(t0.positive(), expected.positive()));
    }
    let mut h = Shake256::new();
    h.absorb(isa, &pk.encoded);
    h.finish(isa, &mut pk.tr);
    same = same.and(ct::eq(&pk.tr, &sk.tr));
    ct::declassify(same.to_u8()) != 0
}

/// ŝ₁ = NTT(s₁)
fn transform_s1<P: MlDsaParams, I: Isa>(
    isa: I,
    s1: &Cols<P, Negacyclic<i8>>,
    s1_hat: &mut Cols<P, NttPoly>,
    scratch: &mut Scratch,
) {
    for (s, s_hat) in s1.as_ref().iter().zip(s1_hat.as_mut()) {
        widen(isa, s, &mut scratch.t);
        ntt(isa, &scratch.t, s_hat);
    }
}

/// Steps 5 and 6 of Algorithm 6 for one row: t ← NTT⁻¹(Â ∘ NTT(s₁)) + s₂; (t₁, t₀) ← Power2Round(t).
fn public_row<P: MlDsaParams, I: Isa>(
    isa: I,
    a: &Cols<P, NttPoly>,
    s1_hat: &Cols<P, NttPoly>,
    s2: &Negacyclic<i8>,
    t1: &mut [u8],
    t0: &mut Negacyclic<i16>,
    Scratch { t_hat, t }: &mut Scratch,
) {
    pointwise_acc(isa, a, s1_hat, t_hat);
    ntt_inverse(isa, t_hat, t);
    add_small(isa, t, s2);
    power2round_poly(isa, t, t1, t0);
    // The second part of the public key.
    ct::declassify_bytes(t1);
}

/// ℓ polynomials, to be wiped.
struct SecretCols<P: MlDsaParams>(Cols<P, NttPoly>);

#[cfg(feature = "zeroize")]
impl<P: MlDsaParams> zeroize::Zeroize for SecretCols<P> {
    fn zeroize(&mut self) {
        self.0.as_mut().zeroize();
    }
}

/// A polynomial in the making, to be wiped once it has served for all of them.
#[derive(Default)]
struct Scratch {
    t_hat: NttPoly,
    t: Poly,
}

#[cfg(feature = "zeroize")]
impl zeroize::Zeroize for Scratch {
    fn zeroize(&mut self) {
        self.t_hat.zeroize();
        self.t.zeroize();
    }
}

/// The jobs that expand a key.
struct Expansion<'a, P: MlDsaParams, I> {
    isa: I,
    rho: &'a [u8; SEED_LEN],
    a_hat: &'a mut Matrix<P>,
    /// The next entry of Â to sample.
    next_entry: (usize, usize),
    /// How many entries of each row are there.
    entries: Rows<P, usize>,
    /// **s**₁ and **s**₂, where they are to be sampled.
    secrets: Option<Secrets<'a, P>>,
    /// The public key, where it is to be hashed.
    public: Option<Public<'a>>,
}

/// **s**₁ and **s**₂ in the making, and **t**₀ that follows from them.
struct Secrets<'a, P: MlDsaParams> {
    rho_prime: &'a [u8; HASH_LEN],
    s1: &'a mut Cols<P, Negacyclic<i8>>,
    s2: &'a mut Rows<P, Negacyclic<i8>>,
    t0: &'a mut Rows<P, Negacyclic<i16>>,
    /// ŝ₁, once all are there.
    s1_hat: &'a mut Cols<P, NttPoly>,
    scratch: &'a mut Scratch,
    /// The next polynomial to sample.
    next: usize,
    /// How many are there.
    done: usize,
}

/// The public key in the making, and its hash.
struct Public<'a> {
    encoded: &'a mut [u8],
    /// Rows of **t**₁ that `encoded` has.
    rows: usize,
    tr: [u8; HASH_LEN],
    hash: Hash,
    /// The state of the hash while it is in no lane.
    state: States<1>,
    /// Whole blocks absorbed.
    blocks: usize,
    /// The lane that the hash is in, or will be in next.
    lane: usize,
    /// The number of blocks when it entered the lane.
    entered_at: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Hash {
    Waiting,
    InLane,
    Ending,
    Done,
}

impl<'a> Public<'a> {
    fn new(encoded: &'a mut [u8], rows: usize) -> Self {
        let state = [[0]; WORDS];
        Self {
            encoded,
            rows,
            tr: [0; HASH_LEN],
            hash: Hash::Waiting,
            state,
            blocks: 0,
            lane: 0,
            entered_at: 0,
        }
    }

    /// The next block of the encoded key, if it is there: whole, or the last.
    fn next_block(&self, len: usize, row_len: usize) -> Option<&[u8]> {
        let available = SEED_LEN + self.rows * row_len;
        let rest = &self.encoded[RATE_256 * self.blocks..available];
        match rest.split_at_checked(RATE_256) {
            Some((block, _)) => Some(block),
            None => (available == len).then_some(rest),
        }
    }

    /// Blocks that the hash absorbs before it moves on to the next lane.
    ///
    /// An entry of Â takes a lane for five permutations, the hash for as many as it has blocks. When
    /// it stays in one lane, that lane is the last to end, and the others idle. So the lanes that
    /// have the fewest entries to expand share its whole blocks: 23 permutations of four lanes
    /// instead of 25 to expand a public key of ML-DSA-44, 42 instead of 45 for ML-DSA-65.
    #[allow(
        clippy::integer_division_remainder_used,
        reason = "constant evaluation"
    )]
    const fn run<P: MlDsaParams>() -> usize {
        (P::VERIFYING_KEY_LEN / RATE_256).div_ceil(4 - P::K * P::L % 4)
    }

    /// H(pk, 64) as a job: it leaves the lane when it has absorbed what there is, or enough for one
    /// lane while other jobs wait (`crowded`).
    fn advance<P: MlDsaParams>(&mut self, mut lane: Lane<'_>, crowded: bool) -> Want {
        if let Some(bytes) = lane.blocks {
            if self.hash == Hash::Ending {
                self.tr.copy_from_slice(&bytes[..HASH_LEN]);
                self.hash = Hash::Done;
                return Want::Nothing;
            }
            self.blocks += 1;
        } else {
            lane.restore(&self.state);
            self.entered_at = self.blocks;
        }
        let moves_on = crowded && self.blocks - self.entered_at >= const { Self::run::<P>() };
        match self.next_block(P::VERIFYING_KEY_LEN, P::T1_LEN) {
            Some(block) if !moves_on => {
                if block.len() == RATE_256 {
                    lane.absorb_block(block);
                } else {
                    lane.absorb_last(block, RATE_256);
                    self.hash = Hash::Ending;
                }
                Want::Blocks {
                    count: 1,
                    rate: RATE_256,
                }
            }
            _ => {
                lane.save(&mut self.state);
                self.hash = Hash::Waiting;
                self.lane = (self.lane + 1) & 3;
                Want::Nothing
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Job {
    PublicKeyHash,
    Bounded(Bounded),
    Uniform(Uniform),
}

impl<'a, P: MlDsaParams, I: Isa> Expansion<'a, P, I> {
    fn new(isa: I, rho: &'a [u8; SEED_LEN], a_hat: &'a mut Matrix<P>) -> Self {
        Self {
            isa,
            rho,
            a_hat,
            next_entry: (0, 0),
            entries: List::repeat(0),
            secrets: None,
            public: None,
        }
    }

    /// Whether entries of Â wait for a lane.
    fn is_crowded(&self) -> bool {
        self.next_entry.0 < P::K
    }

    /// Computes the rows of **t** whose parts are complete.
    fn complete_rows(&mut self) {
        let (Some(secrets), Some(public)) = (&mut self.secrets, &mut self.public) else {
            return;
        };
        while secrets.done == P::L + P::K
            && public.rows < P::K
            && self.entries.as_ref()[public.rows] == P::L
        {
            if public.rows == 0 {
                transform_s1::<P, I>(self.isa, secrets.s1, secrets.s1_hat, secrets.scratch);
            }
            let row = public.rows;
            let Some(a) = rows::<P>(self.a_hat).nth(row) else {
                return;
            };
            public_row::<P, I>(
                self.isa,
                a,
                secrets.s1_hat,
                &secrets.s2.as_ref()[row],
                &mut public.encoded[SEED_LEN + row * P::T1_LEN..][..P::T1_LEN],
                &mut secrets.t0.as_mut()[row],
                secrets.scratch,
            );
            public.rows += 1;
        }
    }
}

impl<P: MlDsaParams, I: Isa> Schedule for Expansion<'_, P, I> {
    type Job = Job;

    fn next(&mut self, lane: usize) -> Option<Job> {
        let crowded = self.is_crowded();
        if let Some(public) = &mut self.public
            && public.hash == Hash::Waiting
            && (public.lane == lane || !crowded)
            && public.next_block(P::VERIFYING_KEY_LEN, P::T1_LEN).is_some()
        {
            public.hash = Hash::InLane;
            public.lane = lane;
            return Some(Job::PublicKeyHash);
        }
        if let Some(secrets) = &mut self.secrets
            && secrets.next < P::L + P::K
        {
            secrets.next += 1;
            return Some(Job::Bounded(Bounded::new(secrets.next - 1)));
        }
        let (row, column) = self.next_entry;
        if row == P::K {
            return None;
        }
        self.next_entry = if column + 1 < P::L {
            (row, column + 1)
        } else {
            (row + 1, 0)
        };
        Some(Job::Uniform(Uniform::new(row, column)))
    }

    fn advance(&mut self, job: &mut Job, lane: Lane<'_>) -> Want {
        let crowded = self.is_crowded();
        match job {
            Job::PublicKeyHash => match &mut self.public {
                Some(public) => public.advance::<P>(lane, crowded),
                None => Want::Nothing,
            },
            Job::Bounded(job) => {
                let Some(secrets) = &mut self.secrets else {
                    return Want::Nothing;
                };
                let s = match job.index.checked_sub(P::L) {
                    None => &mut secrets.s1.as_mut()[job.index],
                    Some(index) => &mut secrets.s2.as_mut()[index],
                };
                let want = job.advance::<I, P::Eta>(self.isa, secrets.rho_prime, lane, s);
                if want == Want::Nothing {
                    secrets.done += 1;
                    self.complete_rows();
                }
                want
            }
            Job::Uniform(job) => {
                let entry = &mut self.a_hat.as_mut()[job.row * P::L + job.column];
                let want = job.advance(self.isa, self.rho, lane, entry);
                if want == Want::Nothing {
                    self.entries.as_mut()[job.row] += 1;
                    self.complete_rows();
                }
                want
            }
        }
    }

    fn is_done(&self) -> bool {
        // The lanes run empty when there is no job left.
        false
    }
}
