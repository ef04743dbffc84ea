//! What several tests share: generators of given bytes, and each type's parameter set in the
//! oracle.
#![allow(dead_code, reason = "each test uses what it needs")]

use crate::spec;
use core::convert::Infallible;
use mldsa_simd::signature::rand_core::{TryCryptoRng, TryRng};
use mldsa_simd::{MlDsa44, MlDsa65, MlDsa87, MlDsaParams};
use shake::{ExtendableOutput, Shake256, Update, XofReader};

/// A parameter set of the crate and the same one in the oracle.
pub(crate) trait Set: MlDsaParams {
    const SPEC: &'static spec::Params;
}

impl Set for MlDsa44 {
    const SPEC: &'static spec::Params = &spec::ML_DSA_44;
}

impl Set for MlDsa65 {
    const SPEC: &'static spec::Params = &spec::ML_DSA_65;
}

impl Set for MlDsa87 {
    const SPEC: &'static spec::Params = &spec::ML_DSA_87;
}

/// A generator that yields the given bytes, and panics when it is asked for more or dropped with
/// bytes left: what is drawn is exactly what the standard says.
pub(crate) struct Given<'a>(pub(crate) &'a [u8]);

impl TryRng for Given<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        panic!("the standard draws bytes");
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        panic!("the standard draws bytes");
    }

    fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Infallible> {
        let (drawn, left) = self.0.split_at(dst.len());
        dst.copy_from_slice(drawn);
        self.0 = left;
        Ok(())
    }
}

impl TryCryptoRng for Given<'_> {}

impl Drop for Given<'_> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert!(
                self.0.is_empty(),
                "{} random bytes were not drawn",
                self.0.len()
            );
        }
    }
}

/// Random bytes that are the same in every run: SHAKE256 of a label.
pub(crate) struct Stream(<Shake256 as ExtendableOutput>::Reader);

impl Stream {
    pub(crate) fn new(label: &str) -> Self {
        let mut shake = Shake256::default();
        shake.update(label.as_bytes());
        Self(shake.finalize_xof())
    }

    pub(crate) fn bytes(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.0.read(&mut bytes);
        bytes
    }

    pub(crate) fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.read(&mut bytes);
        bytes
    }

    /// A number in 0..below, for choosing test cases: it is a little biased.
    pub(crate) fn below(&mut self, below: u64) -> u64 {
        u64::from_le_bytes(self.array())
            .checked_rem(below)
            .unwrap_or(0)
    }
}
