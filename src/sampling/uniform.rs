//! Uniform elements of T_q: the entries of Â.

use crate::keccak::{Lane, MAX_BLOCKS, Quartet, RATE_128, Want};
use crate::params::{Entries, MlDsaParams, N, Q, SEED_LEN};
use crate::poly::{Coefficients, LANES, NttPoly};
use crate::simd::Isa;

/// Blocks that are sampled from at once: 5·56 = 280 candidates, of which 1 in 1024 is refused.
const BLOCKS: usize = MAX_BLOCKS;

/// Algorithm 30, `RejNTTPoly(ρ′)`, as a job: entry (row, column) of Algorithm 32, `ExpandA(ρ)`.
#[derive(Clone, Copy)]
pub(crate) struct Uniform {
    pub(crate) row: usize,
    pub(crate) column: usize,
    /// Coefficients sampled so far.
    sampled: usize,
}

impl Uniform {
    #[inline]
    pub(crate) fn new(row: usize, column: usize) -> Self {
        Self {
            row,
            column,
            sampled: 0,
        }
    }

    /// See `Schedule::advance`.
    #[inline]
    pub(crate) fn advance<I: Isa>(
        &mut self,
        isa: I,
        rho: &[u8; SEED_LEN],
        mut lane: Lane<'_>,
        entry: &mut NttPoly,
    ) -> Want {
        if let Some(bytes) = lane.blocks {
            // Nobody has met a seed for which the first five blocks are not enough.
            self.sampled =
                rej_ntt_poly(isa, &bytes[..BLOCKS * RATE_128], &mut entry.0, self.sampled);
            if self.sampled == N {
                return Want::Nothing;
            }
        } else {
            // Algorithm 32, step 3: ρ′ ← ρ ‖ s ‖ r
            let number = u16::from_le_bytes([self.column as u8, self.row as u8]);
            lane.start_numbered(rho, number, RATE_128);
        }
        Want::Blocks {
            count: BLOCKS,
            rate: RATE_128,
        }
    }
}

/// Algorithm 32, `ExpandA(ρ)`, with nothing beside it: four entries at a time.
pub(crate) fn expand_a<P: MlDsaParams, I: Isa>(
    isa: I,
    rho: &[u8; SEED_LEN],
    a_hat: &mut Entries<P, NttPoly>,
) {
    let mut sponges = Quartet::new();
    // 3: ρ′ ← ρ ‖ s ‖ r, row by row
    let mut numbers = (0..P::K as u16).flat_map(|r| (0..P::L as u16).map(move |s| r << 8 | s));
    for entries in a_hat.as_mut().chunks_mut(4) {
        let numbers = [(); 4].map(|()| numbers.next().unwrap_or(0));
        sponges.start_numbered(rho, numbers, RATE_128);
        let active = (1_u8 << entries.len()) - 1;
        let mut sampled = [0; 4];
        // Once, but for seeds that nobody has met.
        while sampled[..entries.len()].iter().any(|n| *n < N) {
            let blocks = sponges.squeeze(isa, active, BLOCKS, RATE_128);
            for ((entry, bytes), n) in entries.iter_mut().zip(blocks).zip(&mut sampled) {
                *n = rej_ntt_poly(isa, &bytes[..BLOCKS * RATE_128], &mut entry.0, *n);
            }
        }
    }
}

/// The loop of Algorithm 30 over the candidates in `bytes` (Algorithm 14, `CoeffFromThreeBytes`):
/// coefficients are appended to the first `sampled` ones of `a_hat`; returns how many there are
/// now, at most 256.
///
/// Â is public, so that the code may branch on its coefficients: sixteen candidates are accepted
/// together, unless one of them is refused, which happens to 1 in 64 such groups.
pub(crate) fn rej_ntt_poly<I: Isa>(
    isa: I,
    bytes: &[u8],
    a_hat: &mut Coefficients,
    sampled: usize,
) -> usize {
    isa.outline(
        #[inline(always)]
        || {
            let a = a_hat.as_flattened_mut();
            let mut n = sampled;
            let q = isa.splat(Q);
            let low23 = isa.splat((1 << 23) - 1);
            let (groups, rest) = bytes.as_chunks::<{ 3 * LANES }>();
            for group in groups {
                if n == N {
                    return n;
                }
                if let Some(to) = a.get_mut(n..).and_then(|a| a.first_chunk_mut()) {
                    let candidates = isa.and(isa.unpack::<24>(group), low23);
                    if isa.mask_to_bits(isa.gt(q, candidates)) == u16::MAX {
                        isa.store(candidates, to);
                        n += LANES;
                        continue;
                    }
                }
                n = coeffs_from_three_bytes(group, a, n);
            }
            coeffs_from_three_bytes(rest, a, n)
        },
    )
}

/// Algorithm 14, `CoeffFromThreeBytes`, one by one.
fn coeffs_from_three_bytes(bytes: &[u8], a: &mut [i32], mut n: usize) -> usize {
    for [b0, b1, b2] in bytes.as_chunks().0 {
        let z = i32::from_le_bytes([*b0, *b1, b2 & 0x7f, 0]);
        if z < Q
            && let Some(a) = a.get_mut(n)
        {
            *a = z;
            n += 1;
        }
    }
    n
}
