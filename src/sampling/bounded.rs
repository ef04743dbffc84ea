//! Small secret polynomials: s₁ and s₂.

use crate::keccak::{Lane, RATE_256};
use crate::params::sealed::Small;
use crate::params::{HASH_LEN, N};
use crate::poly::Negacyclic;
use crate::simd::Isa;
use crate::wipe::Wiped;

/// Bytes that the kernel takes at a time.
const STEP: usize = 16;
/// A block, made a multiple of [`STEP`] with bytes whose halves, 15, no η accepts.
const PADDED: usize = RATE_256.next_multiple_of(STEP);

/// Algorithm 31, `RejBoundedPoly(ρ)`, as a job: polynomial number `index` of Algorithm 33,
/// `ExpandS(ρ)`.
pub(crate) struct Bounded {
    pub(crate) index: usize,
    /// Coefficients sampled so far.
    sampled: usize,
}

impl Bounded {
    #[inline]
    pub(crate) fn new(index: usize) -> Self {
        Self { index, sampled: 0 }
    }

    /// See `Schedule::advance`.
    #[inline]
    pub(crate) fn advance<I: Isa, E: Small>(
        &mut self,
        isa: I,
        rho_prime: &[u8; HASH_LEN],
        mut lane: Lane<'_>,
        s: &mut Negacyclic<i8>,
    ) -> bool {
        if !lane.permuted {
            // Algorithm 33: ρ ‖ IntegerToBytes(r, 2)
            let mut seed = Wiped::new([0; HASH_LEN + 2]);
            seed[..HASH_LEN].copy_from_slice(rho_prime);
            seed[HASH_LEN..].copy_from_slice(&(self.index as u16).to_le_bytes());
            lane.start(&*seed, RATE_256);
            return true;
        }
        let mut block = Wiped::new([0xff; PADDED]);
        lane.squeeze(&mut block[..RATE_256]);
        self.sampled = rej_bounded_poly::<I, E>(isa, &block, s, self.sampled);
        if self.sampled < N {
            return true;
        }
        s.0.copy_within(..N, N);
        s.negate();
        false
    }
}

/// The loop of Algorithm 31 over one block: coefficients are appended to the first `sampled` ones;
/// returns how many there are now, which can be a few more than 256.
pub(crate) fn rej_bounded_poly<I: Isa, E: Small>(
    isa: I,
    block: &[u8; PADDED],
    s: &mut Negacyclic<i8>,
    sampled: usize,
) -> usize {
    isa.outline(
        #[inline(always)]
        || {
            let mut n = sampled;
            for bytes in block.as_chunks::<STEP>().0 {
                // The kernel writes 2·STEP values, so there is room beyond the 256th.
                let Some(to) = s.0.get_mut(n..).and_then(|s| s.first_chunk_mut()) else { break };
                if n < N {
                    n += if E::ETA == 2 {
                        isa.coeffs_from_half_bytes::<2>(bytes, to)
                    } else {
                        isa.coeffs_from_half_bytes::<4>(bytes, to)
                    };
                }
            }
            n
        },
    )
}
