//! FIPS 204, word for word: the oracle that everything else is compared with.
//!
//! Each of the standard's 49 algorithms stands here once, under its own name and number, with its
//! own step numbers, in whole numbers and `%`. Nothing is fast, nothing is constant-time, nothing
//! is shared with the crate. Only SHAKE and the other hashes come from libraries.
//!
//! How the standard's things are written:
//!
//! | FIPS 204 | here |
//! |---|---|
//! | a parameter set | a value, [`Params`], the first argument of whoever needs one |
//! | an integer, an element of ℤ_q | `i64`; elements of ℤ_q in `0..Q` unless a step says otherwise |
//! | a byte string, and a bit string of whole bytes (a message) | `Vec<u8>` |
//! | any other bit string | `Vec<bool>` |
//! | an element of R or R_q | [`Poly`] |
//! | an element of T_q, written with a hat | [`NttPoly`], so that the compiler tells them apart |
//! | a vector, a matrix | `Vec`, `Vec` of rows |
//! | a random value that may be NULL | an argument of type `Option` |
//! | ⊥ | `None` |
//!
//! Messages are whole bytes, as in every interface of the crate. `BytesToBits` before a message and
//! the conversion back before hashing cancel out, so the steps that build M′ and μ leave them out.
#![allow(
    dead_code,
    reason = "each test uses the part of the standard that it needs"
)]
#![allow(
    unused_imports,
    reason = "each test uses the part of the standard that it needs"
)]
#![allow(
    clippy::integer_division_remainder_used,
    reason = "the oracle is not constant-time, it is obvious"
)]
#![allow(
    clippy::needless_range_loop,
    reason = "the standard's loops run over indices, and so do these"
)]
#![allow(
    clippy::manual_memcpy,
    reason = "the standard copies coefficient by coefficient, and so does this"
)]
#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(
    clippy::std_instead_of_alloc,
    reason = "for the crate's unit tests: without std there is no Vec in the prelude"
)]

mod conversion;
mod external;
mod internal;
mod ntt;
mod rounding;
mod sampling;

pub(crate) use conversion::*;
pub(crate) use external::*;
pub(crate) use internal::*;
pub(crate) use ntt::*;
pub(crate) use rounding::*;
pub(crate) use sampling::*;

use std::vec;
use std::vec::Vec;

use shake::{ExtendableOutput, Shake128, Shake256, Update, XofReader};

/// Table 1, q = 2²³ − 2¹³ + 1.
pub(crate) const Q: i64 = 8_380_417;
/// Table 1, ζ: a 512th root of unity modulo q.
pub(crate) const ZETA: i64 = 1753;
/// Table 1, d: the bits that are dropped from **t**.
pub(crate) const D: u32 = 13;

/// The columns of Tables 1 and 2 that depend on the parameter set, copied, not computed.
#[derive(Debug)]
pub(crate) struct Params {
    pub(crate) name: &'static str,
    /// τ: the number of ±1s in the polynomial c
    pub(crate) tau: usize,
    /// λ: the collision strength of c̃
    pub(crate) lambda: usize,
    /// γ₁: the range of the coefficients of **y**
    pub(crate) gamma1: i64,
    /// γ₂: the low-order rounding range
    pub(crate) gamma2: i64,
    /// (k, ℓ): the dimensions of **A**
    pub(crate) k: usize,
    pub(crate) l: usize,
    /// η: the range of the private key
    pub(crate) eta: i64,
    /// β = τ·η
    pub(crate) beta: i64,
    /// ω: the largest number of 1s in the hint
    pub(crate) omega: usize,
    pub(crate) private_key_size: usize,
    pub(crate) public_key_size: usize,
    pub(crate) signature_size: usize,
}

pub(crate) const ML_DSA_44: Params = Params {
    name: "ML-DSA-44",
    tau: 39,
    lambda: 128,
    gamma1: 1 << 17,
    gamma2: (Q - 1) / 88,
    k: 4,
    l: 4,
    eta: 2,
    beta: 78,
    omega: 80,
    private_key_size: 2560,
    public_key_size: 1312,
    signature_size: 2420,
};

pub(crate) const ML_DSA_65: Params = Params {
    name: "ML-DSA-65",
    tau: 49,
    lambda: 192,
    gamma1: 1 << 19,
    gamma2: (Q - 1) / 32,
    k: 6,
    l: 5,
    eta: 4,
    beta: 196,
    omega: 55,
    private_key_size: 4032,
    public_key_size: 1952,
    signature_size: 3309,
};

pub(crate) const ML_DSA_87: Params = Params {
    name: "ML-DSA-87",
    tau: 60,
    lambda: 256,
    gamma1: 1 << 19,
    gamma2: (Q - 1) / 32,
    k: 8,
    l: 7,
    eta: 2,
    beta: 120,
    omega: 75,
    private_key_size: 4896,
    public_key_size: 2592,
    signature_size: 4627,
};

/// The three parameter sets.
pub(crate) const ALL: [&Params; 3] = [&ML_DSA_44, &ML_DSA_65, &ML_DSA_87];

/// The parameter set called `name`.
pub(crate) fn named(name: &str) -> &'static Params {
    ALL.into_iter()
        .find(|p| p.name == name)
        .unwrap_or_else(|| panic!("parameter set {name}"))
}

/// An element of R (whole coefficients) or of R_q.
pub(crate) type Poly = [i64; 256];

/// An element of T_q: a polynomial after `NTT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NttPoly(pub(crate) [i64; 256]);

/// Section 2.3: a mod m, in 0..m.
pub(crate) fn modulo(a: i64, m: i64) -> i64 {
    ((a % m) + m) % m
}

/// Section 2.3: a mod± m, in −⌈m/2⌉ < a′ ≤ ⌊m/2⌋.
pub(crate) fn mod_pm(a: i64, m: i64) -> i64 {
    let a = modulo(a, m);
    if a > m / 2 { a - m } else { a }
}

/// Section 2.3: bitlen a, the number of binary digits of a > 0.
pub(crate) fn bitlen(a: i64) -> usize {
    let mut a = a;
    let mut digits = 0;
    while a > 0 {
        a /= 2;
        digits += 1;
    }
    digits
}

/// Section 2.3: ‖w‖∞ of one coefficient modulo q.
pub(crate) fn abs_mod_q(w: i64) -> i64 {
    mod_pm(w, Q).abs()
}

/// Section 2.3: ‖**w**‖∞ of a vector over R_q.
pub(crate) fn infinity_norm(w: &[Poly]) -> i64 {
    w.iter().flatten().map(|&c| abs_mod_q(c)).max().unwrap_or(0)
}

/// **v** + **w** over R_q.
pub(crate) fn add(v: &[Poly], w: &[Poly]) -> Vec<Poly> {
    assert_eq!(v.len(), w.len());
    let sum = |(v, w): (&Poly, &Poly)| core::array::from_fn(|i| modulo(v[i] + w[i], Q));
    v.iter().zip(w).map(sum).collect()
}

/// −**v** over R_q.
pub(crate) fn negate(v: &[Poly]) -> Vec<Poly> {
    v.iter().map(|v| v.map(|c| modulo(-c, Q))).collect()
}

/// **v** − **w** over R_q.
pub(crate) fn subtract(v: &[Poly], w: &[Poly]) -> Vec<Poly> {
    add(v, &negate(w))
}

/// **v̂** − **ŵ** over T_q.
pub(crate) fn subtract_ntt(v_hat: &[NttPoly], w_hat: &[NttPoly]) -> Vec<NttPoly> {
    let minus: Vec<_> = w_hat
        .iter()
        .map(|w| NttPoly(w.0.map(|c| modulo(-c, Q))))
        .collect();
    add_vector_ntt(v_hat, &minus)
}

/// `NTT` of each polynomial of a vector.
pub(crate) fn ntt_vector(v: &[Poly]) -> Vec<NttPoly> {
    v.iter().map(ntt).collect()
}

/// `NTT⁻¹` of each polynomial of a vector.
pub(crate) fn ntt_inverse_vector(v: &[NttPoly]) -> Vec<Poly> {
    v.iter().map(ntt_inverse).collect()
}

/// Section 3.7, H: SHAKE256. `length` is in bytes.
pub(crate) fn h(str: &[u8], length: usize) -> Vec<u8> {
    let mut ctx = H::init();
    ctx.absorb(str);
    ctx.squeeze(length)
}

/// Section 3.7, H as an incremental interface.
pub(crate) struct H {
    absorbing: Shake256,
    squeezing: Option<<Shake256 as ExtendableOutput>::Reader>,
}

impl H {
    pub(crate) fn init() -> Self {
        Self {
            absorbing: Shake256::default(),
            squeezing: None,
        }
    }

    pub(crate) fn absorb(&mut self, str: &[u8]) {
        assert!(self.squeezing.is_none(), "absorbed after squeezing");
        self.absorbing.update(str);
    }

    pub(crate) fn squeeze(&mut self, length: usize) -> Vec<u8> {
        let absorbed = &self.absorbing;
        let reader = self
            .squeezing
            .get_or_insert_with(|| absorbed.clone().finalize_xof());
        let mut z = vec![0; length];
        reader.read(&mut z);
        z
    }
}

/// Section 3.7, G: SHAKE128 as an incremental interface.
pub(crate) struct G {
    absorbing: Shake128,
    squeezing: Option<<Shake128 as ExtendableOutput>::Reader>,
}

impl G {
    pub(crate) fn init() -> Self {
        Self {
            absorbing: Shake128::default(),
            squeezing: None,
        }
    }

    pub(crate) fn absorb(&mut self, str: &[u8]) {
        assert!(self.squeezing.is_none(), "absorbed after squeezing");
        self.absorbing.update(str);
    }

    pub(crate) fn squeeze(&mut self, length: usize) -> Vec<u8> {
        let absorbed = &self.absorbing;
        let reader = self
            .squeezing
            .get_or_insert_with(|| absorbed.clone().finalize_xof());
        let mut z = vec![0; length];
        reader.read(&mut z);
        z
    }
}
