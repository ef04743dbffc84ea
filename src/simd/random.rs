//! Inputs for tests and benches.

/// SplitMix64.
pub(crate) struct Random {
    state: u64,
    public: u64,
}

impl Random {
    /// The same numbers for the same seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            state: seed,
            public: seed & 0xffff_ffff,
        }
    }

    /// The numbers for the lower half of the seed.
    pub(crate) fn public(&self) -> Self {
        Self::new(self.public)
    }

    /// 64 random bits.
    pub(crate) fn word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number in `low..=high`; the ends come up often.
    pub(crate) fn within(&mut self, low: i32, high: i32) -> i32 {
        let word = self.word();
        let span = (i64::from(high) - i64::from(low) + 1).cast_unsigned();
        match word >> 60 {
            0 => low,
            1 => high,
            _ => low.wrapping_add(((u128::from(word << 4) * u128::from(span)) >> 64) as i32),
        }
    }

    /// Random bytes.
    pub(crate) fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        bytes.fill_with(|| self.word() as u8);
        bytes
    }
}
