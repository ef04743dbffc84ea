//! The 32-byte secrets.

use hybrid_array::{Array, sizes::U32};

/// 32 bytes.
pub type B32 = Array<u8, U32>;

/// ξ, the 32 bytes from which a key pair is generated: the private key in its smallest form, the
/// same for every parameter set.
pub type Seed = B32;

/// A seed or a randomizer that is wiped when dropped (feature `zeroize`).
#[derive(Default)]
pub(crate) struct SecretSeed(pub(crate) Seed);

impl SecretSeed {
    /// The all-zero rnd of deterministic signing.
    pub(crate) const ZERO: B32 = Array([0; 32]);

    /// 32 fresh random bytes.
    #[cfg(feature = "rand_core")]
    pub(crate) fn draw<R: signature::rand_core::TryCryptoRng + ?Sized>(
        rng: &mut R,
    ) -> Result<Self, R::Error> {
        let mut seed = Self::default();
        rng.try_fill_bytes(&mut seed.0)?;
        Ok(seed)
    }
}

#[cfg(feature = "zeroize")]
impl Drop for SecretSeed {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.0);
    }
}
