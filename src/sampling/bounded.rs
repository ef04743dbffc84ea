//! Small secret polynomials: s₁ and s₂.

use crate::keccak::{Lane, RATE_256, Want};
use crate::params::sealed::Small;
use crate::params::{HASH_LEN, N};
use crate::poly::Negacyclic;
use crate::simd::Isa;
use crate::wipe::Wiped;

/// Bytes that the kernel takes at a time.
const STEP: usize = 16;

/// Algorithm 31, `RejBoundedPoly(ρ)`, as a job: polynomial number `index` of Algorithm 33,
/// `ExpandS(ρ)`.
#[derive(Clone, Copy)]
pub(crate) struct Bounded {
    pub(crate) index: usize,
    /// Coefficients sampled so far.
    sampled: usize,
    /// Blocks asked for.
    count: usize,
}

impl Bounded {
    #[inline]
    pub(crate) fn new(index: usize) -> Self {
        Self {
            index,
            sampled: 0,
            count: 0,
        }
    }

    /// See `Schedule::advance`.
    #[inline]
    pub(crate) fn advance<I: Isa, E: Small>(
        &mut self,
        isa: I,
        rho_prime: &[u8; HASH_LEN],
        mut lane: Lane<'_>,
        s: &mut Negacyclic<i8>,
    ) -> Want {
        if let Some(bytes) = lane.blocks {
            let bytes = &bytes[..self.count * RATE_256];
            self.sampled = rej_bounded_poly::<I, E>(isa, bytes, s, self.sampled);
            if self.sampled >= N {
                s.0.copy_within(..N, N);
                s.negate();
                return Want::Nothing;
            }
            self.count = 1;
        } else {
            // Algorithm 33: ρ ‖ IntegerToBytes(r, 2)
            lane.start_numbered(rho_prime, self.index as u16, RATE_256);
            // A block has 272 half-bytes. Of these 15 in 16 are accepted for η = 2, which is 255 of
            // the 256 needed; 9 in 16 for η = 4, where two blocks nearly always do.
            self.count = if E::ETA == 2 { 1 } else { 2 };
        }
        Want::Blocks {
            count: self.count,
            rate: RATE_256,
        }
    }
}

/// The loop of Algorithm 31 over whole blocks: coefficients are appended to the first `sampled`
/// ones; returns how many there are now, which can be a few more than 256.
pub(crate) fn rej_bounded_poly<I: Isa, E: Small>(
    isa: I,
    bytes: &[u8],
    s: &mut Negacyclic<i8>,
    sampled: usize,
) -> usize {
    isa.outline(
        #[inline(always)]
        || {
            let mut n = sampled;
            let (steps, rest) = bytes.as_chunks::<STEP>();
            for bytes in steps {
                n = append::<I, E>(isa, bytes, s, n);
            }
            if !rest.is_empty() {
                // Filled up with half-bytes of 15, which no η accepts.
                let mut last = Wiped::new([0xff; STEP]);
                for (to, from) in last.iter_mut().zip(rest) {
                    *to = *from;
                }
                n = append::<I, E>(isa, &last, s, n);
            }
            n
        },
    )
}

/// Appends what 32 half-bytes yield, unless there is enough.
#[inline(always)]
fn append<I: Isa, E: Small>(isa: I, bytes: &[u8; STEP], s: &mut Negacyclic<i8>, n: usize) -> usize {
    // The kernel writes 2·STEP values, so there must be room beyond the 256th: that of s itself,
    // which is written twice, as s and −s, only when all are there.
    match s.0.get_mut(n..).and_then(|s| s.first_chunk_mut()) {
        Some(to) if n < N => {
            n + if E::ETA == 2 {
                isa.coeffs_from_half_bytes::<2>(bytes, to)
            } else {
                isa.coeffs_from_half_bytes::<4>(bytes, to)
            }
        }
        _ => n,
    }
}
