//! The masks **y** of signing, kept in the packed form in which SHAKE yields them.

use crate::keccak::{Lane, RATE_256};
use crate::params::HASH_LEN;
use crate::wipe::Wiped;

/// Bytes of whole blocks that one polynomial takes, for both γ₁: 32·18 and 32·20 bytes are five
/// blocks of SHAKE256.
pub(crate) const MASK_BYTES: usize = BLOCKS * RATE_256;
const BLOCKS: usize = 5;

/// One polynomial of Algorithm 34, `ExpandMask(ρ, μ)`, as a job: the one with nonce μ + r.
pub(crate) struct Mask {
    pub(crate) nonce: u16,
    blocks: usize,
}

impl Mask {
    #[inline]
    pub(crate) fn new(nonce: u16) -> Self {
        Self { nonce, blocks: 0 }
    }

    /// See `Schedule::advance`. The first 32·c bytes of `y` are the encoding of the polynomial.
    #[inline]
    pub(crate) fn advance(
        &mut self,
        rho_double_prime: &[u8; HASH_LEN],
        mut lane: Lane<'_>,
        y: &mut [u8; MASK_BYTES],
    ) -> bool {
        if !lane.permuted {
            // 3: ρ′ ← ρ ‖ IntegerToBytes(μ + r, 2)
            let mut seed = Wiped::new([0; HASH_LEN + 2]);
            seed[..HASH_LEN].copy_from_slice(rho_double_prime);
            seed[HASH_LEN..].copy_from_slice(&self.nonce.to_le_bytes());
            lane.start(&*seed, RATE_256);
            return true;
        }
        // 4: v ← H(ρ′, 32c)
        lane.squeeze(&mut y[RATE_256 * self.blocks..][..RATE_256]);
        self.blocks += 1;
        self.blocks < BLOCKS
    }
}
