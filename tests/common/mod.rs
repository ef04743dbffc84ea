//! What the tests of behaviour share: the standard's numbers, a source of test data, a macro that
//! runs a generic test for the three parameter sets.
#![allow(
    dead_code,
    unused_macros,
    reason = "each test binary uses its own part"
)]

use mldsa_simd::{Error, MlDsa44, MlDsa65, MlDsa87};
use mldsa_simd::{
    ExpandedSigningKey, Keypair, MlDsaParams, Seed, Signature, SigningKey, VerifyingKey,
};
use shake::{ExtendableOutput, Shake256, Shake256Reader, Update, XofReader};

/// Runs each generic function as a test of its own for each parameter set, named
/// `mldsa44::name` and so on.
macro_rules! for_each_set {
    ($($(#[$attribute:meta])* $name:ident),+ $(,)?) => {
        for_each_set! { @set mldsa44 mldsa_simd::MlDsa44; $($(#[$attribute])* $name),+ }
        for_each_set! { @set mldsa65 mldsa_simd::MlDsa65; $($(#[$attribute])* $name),+ }
        for_each_set! { @set mldsa87 mldsa_simd::MlDsa87; $($(#[$attribute])* $name),+ }
    };
    (@set $module:ident $set:ty; $($(#[$attribute:meta])* $name:ident),+) => {
        mod $module {
            $(
                $(#[$attribute])*
                #[test]
                fn $name() {
                    super::$name::<$set>();
                }
            )+
        }
    };
}

/// A row of FIPS 204, Tables 1 and 2, written out again: the tests do not take the crate's word for
/// its own numbers.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) k: usize,
    pub(crate) l: usize,
    pub(crate) eta: usize,
    pub(crate) tau: usize,
    pub(crate) beta: i32,
    pub(crate) gamma1: i32,
    pub(crate) gamma2: i32,
    pub(crate) omega: usize,
    pub(crate) c_tilde: usize,
    pub(crate) expanded: usize,
    pub(crate) public: usize,
    pub(crate) signature: usize,
}

impl Table {
    /// Bits of a coefficient of z in a signature.
    pub(crate) const fn z_bits(&self) -> usize {
        if self.gamma1 == 1 << 17 { 18 } else { 20 }
    }
    /// Where the hint block starts in a signature.
    pub(crate) const fn hint(&self) -> usize {
        self.signature - self.omega - self.k
    }
    /// Where the ends of the rows ("cuts") start in a signature.
    pub(crate) const fn cuts(&self) -> usize {
        self.signature - self.k
    }
}

/// A parameter set and its row.
pub(crate) trait Set: MlDsaParams + Send + Sync + 'static {
    const FIPS: Table;
}

impl Set for MlDsa44 {
    const FIPS: Table = Table {
        name: "ML-DSA-44",
        k: 4,
        l: 4,
        eta: 2,
        tau: 39,
        beta: 78,
        gamma1: 1 << 17,
        gamma2: 95_232,
        omega: 80,
        c_tilde: 32,
        expanded: 2560,
        public: 1312,
        signature: 2420,
    };
}

impl Set for MlDsa65 {
    const FIPS: Table = Table {
        name: "ML-DSA-65",
        k: 6,
        l: 5,
        eta: 4,
        tau: 49,
        beta: 196,
        gamma1: 1 << 19,
        gamma2: 261_888,
        omega: 55,
        c_tilde: 48,
        expanded: 4032,
        public: 1952,
        signature: 3309,
    };
}

impl Set for MlDsa87 {
    const FIPS: Table = Table {
        name: "ML-DSA-87",
        k: 8,
        l: 7,
        eta: 2,
        tau: 60,
        beta: 120,
        gamma1: 1 << 19,
        gamma2: 261_888,
        omega: 75,
        c_tilde: 64,
        expanded: 4896,
        public: 2592,
        signature: 4627,
    };
}

/// A reproducible stream of test data: SHAKE256 of a label. It is also a generator for the
/// randomized interfaces.
pub(crate) struct Data(Shake256Reader);

impl Data {
    pub(crate) fn new(label: &str) -> Self {
        Self(Shake256::default().chain(label.as_bytes()).finalize_xof())
    }
    pub(crate) fn fill(&mut self, out: &mut [u8]) {
        self.0.read(out);
    }
    pub(crate) fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut out = [0; N];
        self.fill(&mut out);
        out
    }
    pub(crate) fn bytes(&mut self, len: usize) -> Vec<u8> {
        let mut out = vec![0; len];
        self.fill(&mut out);
        out
    }
    pub(crate) fn seed(&mut self) -> Seed {
        self.array().into()
    }
    /// A number below `end`; the slight bias does not matter here.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let wide = u128::from(u64::from_le_bytes(self.array())) * end as u128;
        (wide >> 64) as usize
    }
}

/// Generators of randomness.
#[cfg(feature = "rand_core")]
pub(crate) mod rng {
    use super::Data;
    use core::convert::Infallible;
    use mldsa_simd::signature::rand_core::{TryCryptoRng, TryRng};

    impl TryRng for Data {
        type Error = Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            Ok(u32::from_le_bytes(self.array()))
        }
        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            Ok(u64::from_le_bytes(self.array()))
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
            self.fill(out);
            Ok(())
        }
    }
    impl TryCryptoRng for Data {}

    /// A generator that gives the same 32 bytes at every call, as the standard's test vectors want.
    pub(crate) struct Fixed(pub(crate) [u8; 32]);

    impl TryRng for Fixed {
        type Error = Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            unreachable!("ML-DSA draws 32 bytes at once")
        }
        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            unreachable!("ML-DSA draws 32 bytes at once")
        }
        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
            out.copy_from_slice(&self.0);
            Ok(())
        }
    }
    impl TryCryptoRng for Fixed {}
}
/// The key pair of a test.
pub(crate) fn key_pair<P: MlDsaParams>(label: &str) -> (SigningKey<P>, VerifyingKey<P>) {
    let key = SigningKey::<P>::from_seed(&Data::new(label).seed());
    let public = key.verifying_key();
    (key, public)
}

/// The deterministic signature with a context.
pub(crate) fn sign<P: MlDsaParams>(
    key: &ExpandedSigningKey<P>,
    message: &[u8],
    context: &[u8],
) -> Signature<P> {
    key.sign_deterministic(message, context)
        .expect("a context of at most 255 bytes")
}

/// Feeds a message into the hash of μ, for the interfaces that want a closure.
pub(crate) fn feed(message: &[u8]) -> impl Fn(&mut Shake256) -> Result<(), Error> {
    |hash| {
        hash.update(message);
        Ok(())
    }
}

/// How often a statistical test repeats. `MLDSA_TEST_DIVISOR=100` makes it a hundredth, for emulators.
pub(crate) fn rounds(full: usize) -> usize {
    let divisor = std::env::var("MLDSA_TEST_DIVISOR").map_or(1, |text| {
        text.parse::<usize>()
            .expect("MLDSA_TEST_DIVISOR is a number")
    });
    full.div_ceil(divisor)
}
