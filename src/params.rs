//! The parameter sets of FIPS 204, Tables 1 and 2, as types.
//!
//! [`MlDsa44`], [`MlDsa65`] and [`MlDsa87`] are marker types. Each states the numbers of Table 1
//! once, in its `impl`; every other number (β, the widths of the encodings, the sizes of Table 2)
//! is derived from them by `const` evaluation, and the derived sizes are compared with the
//! standard's Table 2 at compile time. No number of a parameter set stands anywhere else.
//!
//! Two kinds of arrays carry the sizes. At the public edge keys, signatures and seeds are
//! [`hybrid_array::Array`]s, since that is what the RustCrypto traits speak. Inside, a vector of
//! ℓ or k things is a plain array behind an associated type, [`Cols<P, T>`](Cols) or
//! [`Rows<P, T>`](Rows): generic code then needs no bound but `P: MlDsaParams`.

use crate::encode::Bits;
use crate::ops::Compiled;
use core::fmt::Debug;
use hybrid_array::{
    ArraySize,
    sizes::{U32, U48, U64, U1312, U1952, U2420, U2560, U2592, U3309, U4032, U4627, U4896},
    typenum::Unsigned,
};

/// q = 2²³ − 2¹³ + 1, the prime modulus.
pub(crate) const Q: i32 = (1 << 23) - (1 << 13) + 1;
/// d, the number of bits that Power2Round drops from t.
pub(crate) const D: usize = 13;
/// n, the degree of the ring: coefficients in a polynomial.
pub(crate) const N: usize = 256;
/// Bytes of a seed: ξ, ρ, K and rnd.
pub(crate) const SEED_LEN: usize = 32;
/// Bytes of tr and μ.
pub(crate) const HASH_LEN: usize = 64;

/// The number of bits of `x`: the standard's `bitlen`.
pub(crate) const fn bitlen(x: usize) -> usize {
    (usize::BITS - x.leading_zeros()) as usize
}

/// A parameter set of ML-DSA: [`MlDsa44`], [`MlDsa65`] or [`MlDsa87`].
///
/// The trait is sealed. Bound generic code by it, as in `fn f<P: MlDsaParams>(key: SigningKey<P>)`.
///
/// ```
/// use mldsa_simd::{MlDsa65, MlDsaParams};
///
/// assert_eq!((MlDsa65::K, MlDsa65::L), (6, 5));
/// assert_eq!(MlDsa65::SIGNATURE_LEN, 3309);
/// ```
pub trait MlDsaParams:
    sealed::Params + Debug + Default + PartialEq + Eq + Clone + Copy + Send + Sync + Unpin + 'static
{
    /// k, the number of rows of **A** and of polynomials in **s**₂, **t** and **h**.
    const K: usize;
    /// ℓ, the number of columns of **A** and of polynomials in **s**₁ and **z**.
    const L: usize;
    /// η, the bound on the coefficients of **s**₁ and **s**₂.
    const ETA: usize;
    /// τ, the number of ±1s in the challenge polynomial c.
    const TAU: usize;
    /// λ, the collision strength of c̃ in bits.
    const LAMBDA: usize;
    /// γ₁, the range of the mask **y**.
    const GAMMA1: usize;
    /// γ₂, the range of the low-order bits of **w**.
    const GAMMA2: usize;
    /// ω, the largest number of 1s in the hint **h**.
    const OMEGA: usize;

    /// β = τ·η, the largest coefficient of c·**s**₁ and c·**s**₂.
    const BETA: usize = Self::TAU * Self::ETA;
    /// Bytes of the commitment hash c̃: λ/4.
    const C_TILDE_LEN: usize = Self::LAMBDA >> 2;
    /// Bytes of an encoded verifying key.
    const VERIFYING_KEY_LEN: usize = SEED_LEN + Self::K * packed_len(bitlen(Q as usize - 1) - D);
    /// Bytes of an expanded signing key.
    const SIGNING_KEY_LEN: usize = 2 * SEED_LEN
        + HASH_LEN
        + (Self::K + Self::L) * packed_len(bitlen(2 * Self::ETA))
        + Self::K * packed_len(D);
    /// Bytes of a signature.
    const SIGNATURE_LEN: usize = Self::C_TILDE_LEN
        + Self::L * packed_len(1 + bitlen(Self::GAMMA1 - 1))
        + Self::OMEGA
        + Self::K;

    /// [`C_TILDE_LEN`](Self::C_TILDE_LEN) as a type.
    type Lambda: ArraySize;
    /// [`VERIFYING_KEY_LEN`](Self::VERIFYING_KEY_LEN) as a type.
    type VerifyingKeySize: ArraySize;
    /// [`SIGNING_KEY_LEN`](Self::SIGNING_KEY_LEN) as a type.
    type SigningKeySize: ArraySize;
    /// [`SIGNATURE_LEN`](Self::SIGNATURE_LEN) as a type.
    type SignatureSize: ArraySize;
}

/// Bytes of a polynomial whose 256 coefficients take `bits` bits each.
pub(crate) const fn packed_len(bits: usize) -> usize {
    (N * bits) >> 3
}

/// An array of ℓ things: a column index runs over it.
pub(crate) type Cols<P, T> = <P as sealed::Params>::Cols<T>;
/// An array of k·ℓ things, row by row.
pub(crate) type Entries<P, T> = <P as sealed::Params>::Entries<T>;
/// An array of k things: a row index runs over it.
pub(crate) type Rows<P, T> = <P as sealed::Params>::Rows<T>;

/// What a parameter set gives to the inside of the crate.
pub(crate) mod sealed {
    use super::{D, MlDsaParams, Q, bitlen, packed_len};
    use crate::encode::Width;
    use crate::ops::Operations;

    /// The sealed half of [`MlDsaParams`]: the types that the kernels are monomorphized for.
    pub trait Params: Sized {
        /// The operations.
        type Ops: Operations<Self>
        where
            Self: MlDsaParams;
        /// `[T; L]`
        type Cols<T: Ordinary>: List<T> + Ordinary;
        /// `[T; K]`
        type Rows<T: Ordinary>: List<T> + Ordinary;
        /// `[T; K * L]`
        type Entries<T: Ordinary>: List<T> + Ordinary;
        /// The range [−η, η] of **s**₁ and **s**₂.
        type Eta: Small;
        /// The range (−γ₁, γ₁] of **y** and **z**.
        type Gamma1: Masking;
        /// The rounding of **w** by 2·γ₂.
        type Gamma2: Rounding;
    }

    /// What arrays of numbers are. Said of every list, it makes keys fit for threads in code that is
    /// generic over the parameter set, too, where nothing is known of the list but its bounds.
    pub trait Ordinary: Send + Sync + Unpin + 'static {}
    impl<T: Send + Sync + Unpin + 'static> Ordinary for T {}

    /// What has a zero, as a constant.
    pub trait Zero {
        /// Nothing but zeros.
        const ZERO: Self;
    }

    /// A plain array whose length only the parameter set knows.
    pub trait List<T>: AsRef<[T]> + AsMut<[T]> {
        /// The length.
        const LEN: usize;
        /// The array of copies of `value`. Of zeros, this compiles to zeros written where the array
        /// will be, not to a loop and a copy.
        fn repeat(value: T) -> Self
        where
            T: Copy;
        /// The array of zeros, a constant: never a copy of another array.
        fn zeros() -> Self
        where
            T: Zero;
        /// Like `repeat`, on the heap: the stack holds one item, never all.
        #[cfg(feature = "alloc")]
        fn repeat_boxed(value: T) -> alloc::boxed::Box<Self>
        where
            T: Copy;
        /// The first items of a slice; `None` where they are too few.
        fn first_of(items: &[T]) -> Option<&Self>;
    }

    impl<T, const N: usize> List<T> for [T; N] {
        const LEN: usize = N;
        #[inline(always)]
        fn repeat(value: T) -> Self
        where
            T: Copy,
        {
            [value; N]
        }
        #[inline(always)]
        fn zeros() -> Self
        where
            T: Zero,
        {
            const { [T::ZERO; N] }
        }
        #[cfg(feature = "alloc")]
        #[inline]
        fn repeat_boxed(value: T) -> alloc::boxed::Box<Self>
        where
            T: Copy,
        {
            match alloc::vec![value; N].into_boxed_slice().try_into() {
                Ok(array) => array,
                Err(_) => unreachable!("N items"),
            }
        }
        #[inline(always)]
        fn first_of(items: &[T]) -> Option<&Self> {
            items.first_chunk()
        }
    }

    /// η with the width of its encoding.
    pub trait Small {
        /// η
        const ETA: usize;
        /// bitlen(2η)
        type Bits: Width;
    }

    /// γ₁ with the width of its encoding.
    pub trait Masking {
        /// γ₁
        const GAMMA1: i32;
        /// 1 + bitlen(γ₁ − 1)
        type Bits: Width;
    }

    /// γ₂ with the width of the encoding of **w**₁.
    pub trait Rounding {
        /// γ₂
        const GAMMA2: i32;
        /// m = (q − 1)/(2γ₂), the number of values that HighBits takes.
        #[allow(
            clippy::integer_division_remainder_used,
            reason = "constant evaluation"
        )]
        const M: i32 = (Q - 1) / (2 * Self::GAMMA2);
        /// bitlen(m − 1)
        type Bits: Width;
    }

    /// The one implementation of [`Small`], [`Masking`] and [`Rounding`]: a number, and the width of
    /// an encoding.
    #[derive(Clone, Copy, Debug)]
    pub struct Range<const MAX: usize, B>(core::marker::PhantomData<B>);

    impl<const ETA: usize, B: Width> Small for Range<ETA, B> {
        const ETA: usize = {
            assert!(B::BITS == bitlen(2 * ETA));
            ETA
        };
        type Bits = B;
    }

    impl<const GAMMA1: usize, B: Width> Masking for Range<GAMMA1, B> {
        const GAMMA1: i32 = {
            assert!(B::BITS == 1 + bitlen(GAMMA1 - 1));
            GAMMA1 as i32
        };
        type Bits = B;
    }

    impl<const GAMMA2: usize, B: Width> Rounding for Range<GAMMA2, B> {
        const GAMMA2: i32 = {
            #[allow(
                clippy::integer_division_remainder_used,
                reason = "constant evaluation"
            )]
            let m = (Q as usize - 1) / (2 * GAMMA2);
            assert!(B::BITS == bitlen(m - 1));
            GAMMA2 as i32
        };
        type Bits = B;
    }

    /// Numbers that follow from a parameter set but belong to the implementation.
    pub(crate) trait Derived: MlDsaParams {
        /// Bytes of a polynomial of **s**₁ or **s**₂ in an expanded key.
        const ETA_LEN: usize = packed_len(<Self::Eta as Small>::Bits::BITS);
        /// Bytes of a polynomial of **t**₀ in an expanded key.
        const T0_LEN: usize = packed_len(D);
        /// Bytes of a polynomial of **t**₁ in a verifying key.
        const T1_LEN: usize = packed_len(bitlen(Q as usize - 1) - D);
        /// Bytes of a polynomial of **z** in a signature.
        const Z_LEN: usize = packed_len(<Self::Gamma1 as Masking>::Bits::BITS);
        /// Bytes of a polynomial of **w**₁, encoded.
        const W1_LEN: usize = packed_len(<Self::Gamma2 as Rounding>::Bits::BITS);
        /// Offset of **z** in a signature.
        const Z_OFFSET: usize = Self::C_TILDE_LEN;
        /// Offset of the hint in a signature.
        const HINT_OFFSET: usize = Self::Z_OFFSET + Self::L * Self::Z_LEN;
    }

    impl<P: MlDsaParams> Derived for P {}
}

macro_rules! parameter_set {
    (
        $(#[$doc:meta])* $name:ident {
            k: $k:literal, l: $l:literal, eta: $eta:literal, tau: $tau:literal, lambda: $lambda:literal,
            gamma1: $gamma1:expr, gamma2: $gamma2:expr, omega: $omega:literal,
            sizes: $c_tilde:ty, $vk:ty, $sk:ty, $sig:ty $(,)?
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name;

        #[allow(clippy::integer_division_remainder_used, reason = "constant evaluation")]
        impl sealed::Params for $name {
            type Ops = Compiled;
            type Cols<T: sealed::Ordinary> = [T; $l];
            type Rows<T: sealed::Ordinary> = [T; $k];
            type Entries<T: sealed::Ordinary> = [T; $k * $l];
            type Eta = sealed::Range<$eta, Bits<{ bitlen(2 * $eta) }>>;
            type Gamma1 = sealed::Range<{ $gamma1 }, Bits<{ 1 + bitlen($gamma1 - 1) }>>;
            type Gamma2 = sealed::Range<{ $gamma2 }, Bits<{ bitlen((Q as usize - 1) / (2 * $gamma2) - 1) }>>;
        }

        impl MlDsaParams for $name {
            const K: usize = $k;
            const L: usize = $l;
            const ETA: usize = $eta;
            const TAU: usize = $tau;
            const LAMBDA: usize = $lambda;
            const GAMMA1: usize = $gamma1;
            #[allow(clippy::integer_division_remainder_used, reason = "constant evaluation")]
            const GAMMA2: usize = $gamma2;
            const OMEGA: usize = $omega;
            type Lambda = $c_tilde;
            type VerifyingKeySize = $vk;
            type SigningKeySize = $sk;
            type SignatureSize = $sig;
        }

        const _: () = {
            assert!(<$name as MlDsaParams>::C_TILDE_LEN == <$c_tilde>::USIZE);
            assert!(<$name as MlDsaParams>::VERIFYING_KEY_LEN == <$vk>::USIZE);
            assert!(<$name as MlDsaParams>::SIGNING_KEY_LEN == <$sk>::USIZE);
            assert!(<$name as MlDsaParams>::SIGNATURE_LEN == <$sig>::USIZE);
        };
    };
}

parameter_set! {
    /// ML-DSA-44: security category 2.
    ///
    /// Verifying key 1312 bytes, signature 2420 bytes, expanded signing key 2560 bytes.
    MlDsa44 {
        k: 4, l: 4, eta: 2, tau: 39, lambda: 128,
        gamma1: 1 << 17, gamma2: (Q as usize - 1) / 88, omega: 80,
        sizes: U32, U1312, U2560, U2420,
    }
}

parameter_set! {
    /// ML-DSA-65: security category 3. The one to choose unless you have a reason not to.
    ///
    /// Verifying key 1952 bytes, signature 3309 bytes, expanded signing key 4032 bytes.
    MlDsa65 {
        k: 6, l: 5, eta: 4, tau: 49, lambda: 192,
        gamma1: 1 << 19, gamma2: (Q as usize - 1) / 32, omega: 55,
        sizes: U48, U1952, U4032, U3309,
    }
}

parameter_set! {
    /// ML-DSA-87: security category 5.
    ///
    /// Verifying key 2592 bytes, signature 4627 bytes, expanded signing key 4896 bytes.
    MlDsa87 {
        k: 8, l: 7, eta: 2, tau: 60, lambda: 256,
        gamma1: 1 << 19, gamma2: (Q as usize - 1) / 32, omega: 75,
        sizes: U64, U2592, U4896, U4627,
    }
}

/// FIPS 204, Tables 1 (β) and 2, checked against what is derived above.
const _: () = {
    const fn check<P: MlDsaParams>(beta: usize, sk: usize, vk: usize, sig: usize) {
        assert!(P::BETA == beta);
        assert!(P::SIGNING_KEY_LEN == sk && P::VERIFYING_KEY_LEN == vk && P::SIGNATURE_LEN == sig);
    }
    check::<MlDsa44>(78, 2560, 1312, 2420);
    check::<MlDsa65>(196, 4032, 1952, 3309);
    check::<MlDsa87>(120, 4896, 2592, 4627);
};
