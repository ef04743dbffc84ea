//! Keccak (FIPS 202): the permutation on one state or four, SHAKE as the standard's H and G, and a
//! scheduler that keeps four states busy.

mod lanes;
mod permute;
mod shake;

pub(crate) use lanes::{Buffer, Lane, Lanes, MAX_BLOCKS, Quartet, Schedule, Want};
pub(crate) use permute::{Between, keccak_f, keccak_f_x4};
pub(crate) use shake::{Shake128, Shake256, pad};

/// Words of a state.
pub(crate) const WORDS: usize = 25;
/// Bytes that SHAKE128 absorbs or yields between two permutations.
pub(crate) const RATE_128: usize = 168;
/// Bytes that SHAKE256 absorbs or yields between two permutations.
pub(crate) const RATE_256: usize = 136;

/// `R` states side by side: word i of state r stands at `[i][r]`.
pub(crate) type States<const R: usize> = [[u64; R]; WORDS];
