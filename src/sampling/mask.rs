//! The masks **y** of signing, kept in the packed form in which SHAKE yields them.

use crate::keccak::{Lane, MAX_BLOCKS, RATE_256, Want};
use crate::params::HASH_LEN;

/// Blocks for one polynomial, for both γ₁: 32·18 and 32·20 bytes are five blocks of SHAKE256.
const BLOCKS: usize = MAX_BLOCKS;

/// One polynomial of Algorithm 34, `ExpandMask(ρ, μ)`, as a job: the one with nonce μ + r.
#[derive(Clone, Copy)]
pub(crate) struct Mask {
    pub(crate) nonce: u16,
}

impl Mask {
    /// See `Schedule::advance`. The first 32·c bytes of the blocks are the encoding of the polynomial:
    /// step 4, v ← H(ρ′, 32c).
    #[inline]
    pub(crate) fn advance(self, rho_double_prime: &[u8; HASH_LEN], mut lane: Lane<'_>) -> Want {
        if lane.blocks.is_some() {
            return Want::Nothing;
        }
        // 3: ρ′ ← ρ ‖ IntegerToBytes(μ + r, 2)
        lane.start_numbered(rho_double_prime, self.nonce, RATE_256);
        Want::Blocks {
            count: BLOCKS,
            rate: RATE_256,
        }
    }
}
