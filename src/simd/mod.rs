//! Lanes: one kernel source for every instruction set.
//!
//! Everything that this crate computes on polynomials is written once, generic over an [`Isa`].
//! An `Isa` is a token, a value of size zero whose only constructor is the check that the CPU has
//! the instructions; who holds a token may use them. A token's methods are operations on
//! **sixteen logical `i32` lanes** ([`Isa::V`]), whatever the width of the registers: two of AVX2,
//! four of NEON, an array in plain Rust. Keccak works on 64-bit lanes and has a trait of its own,
//! [`Sponge`]. One kernel has a second source: four states of Keccak on AVX2, in assembly.
//!
//! # Why the kernels are fast
//!
//! An intrinsic is only an instruction when the function around it has the CPU feature; elsewhere
//! it is a call. A generic kernel cannot carry `#[target_feature]`, so it is `#[inline(always)]`
//! and melts into a *root* that does. There are two roots: [`Isa::enter`] for a whole operation,
//! chosen once by [`dispatch!`], and [`Isa::outline`] for a kernel that shall be one function per
//! instruction set, shared by the parameter sets: code that is inlined everywhere runs no faster
//! than code outlined at the grain of a polynomial, and is six times larger. The chain holds as
//! long as every function between a root and an operation is `#[inline(always)]` and no vector
//! crosses a function boundary; `cargo xtask codegen` fails when it breaks.
//!
//! # Why the kernels are sound
//!
//! Operations are written as safe functions with `#[target_feature]`; the compiler checks that
//! each uses no instruction beyond its list. Calling one from code without the features is
//! `unsafe`, and the macro [`isa!`] is the only place that does. It spells the list of features
//! once and makes from it both the check (`detect`) and the attribute, so a token proves exactly
//! what the call needs. Besides these calls only loads and stores are `unsafe`, which take
//! references to arrays of the size that they touch, and value barriers ([`barrier`]), which have no
//! instruction.
//!
//! # Adding an instruction set
//!
//! Write a file with the operations, list them in an [`isa!`] call, add a line to [`dispatch!`]
//! and to [`for_each_isa!`], and a row to the table of `cargo xtask codegen`. The unit
//! tests of this module (every operation) and of `crate::internals` (every kernel) then compare it
//! with [`portable`] bit for bit. An operation that the instruction set has no better way for is
//! left to the provided method.

#[cfg(target_arch = "x86_64")]
#[cfg_attr(
    mldsa_isa = "portable",
    allow(
        dead_code,
        reason = "nothing dispatches to it; the unit tests compare it all the same"
    )
)]
pub(crate) mod avx2;
mod barrier;
#[cfg(target_arch = "x86_64")]
mod keccak_avx2;
#[cfg(mldsa_ctgrind)]
pub(crate) mod memcheck;
#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little"
))]
#[cfg_attr(
    mldsa_isa = "portable",
    allow(
        dead_code,
        reason = "nothing dispatches to it; the unit tests compare it all the same"
    )
)]
pub(crate) mod neon;
#[cfg(all(
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little"
))]
#[cfg_attr(
    any(mldsa_isa = "portable", mldsa_isa = "neon"),
    allow(
        dead_code,
        reason = "nothing dispatches to it; the unit tests compare it all the same"
    )
)]
pub(crate) mod neon_sha3;
pub(crate) mod portable;
#[cfg(any(test, mldsa_internals))]
mod random;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[cfg_attr(
    mldsa_isa = "portable",
    allow(
        dead_code,
        reason = "nothing dispatches to it; the unit tests compare it all the same"
    )
)]
pub(crate) mod simd128;
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "wasm32", target_feature = "simd128"),
    all(
        target_arch = "aarch64",
        target_feature = "neon",
        target_endian = "little"
    )
))]
mod tables;

#[cfg(test)]
mod tests;

pub(crate) use portable::Portable;
#[cfg(any(test, mldsa_internals))]
pub(crate) use random::Random;

use crate::poly::LANES;
use crate::reduce::{Factor, FactorTable};

/// Sixteen lanes of `i32`, and what they can do.
///
/// Arithmetic wraps. A *mask* is a vector whose lanes are 0 or −1.
pub trait Isa: Copy {
    /// The name, as in `--cfg mldsa_isa="…"`.
    const NAME: &'static str;

    /// Whether a vector is a value in registers. If not it is an array in memory, and kernels that
    /// move lanes around have a plain form.
    const IN_REGISTERS: bool = true;

    /// Sixteen `i32`.
    type V: Copy;
    /// Sixteen `i64`.
    type Wide: Copy;
    /// Sixty-four bytes: 64 `i8` or 32 `i16`.
    type Bytes: Copy;
    /// The lanes of Keccak.
    type Sponge: Sponge;

    /// The token for [`Sponge`].
    fn sponge(self) -> Self::Sponge;

    /// Runs an operation with the features of this instruction set enabled.
    fn enter<R>(self, f: impl FnOnce() -> R) -> R;
    /// Like [`enter`](Self::enter), but never inlined: a kernel becomes one function.
    fn outline<R>(self, f: impl FnOnce() -> R) -> R;

    // Memory.

    fn load(self, src: &[i32; LANES]) -> Self::V;
    fn store(self, v: Self::V, dst: &mut [i32; LANES]);
    /// Loads with sign extension.
    fn load_i8(self, src: &[i8; LANES]) -> Self::V;
    /// Loads with sign extension.
    fn load_i16(self, src: &[i16; LANES]) -> Self::V;
    /// Stores the low halves; every lane must fit.
    fn store_i16(self, v: Self::V, dst: &mut [i16; LANES]);
    /// Stores the low bytes; every lane must fit.
    fn store_i8(self, v: Self::V, dst: &mut [i8; LANES]);
    fn splat(self, x: i32) -> Self::V;

    // Arithmetic and logic, lane by lane.

    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// The low 32 bits of the products.
    fn mul_lo(self, a: Self::V, b: Self::V) -> Self::V;
    fn abs(self, a: Self::V) -> Self::V;
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    fn shl<const N: u32>(self, a: Self::V) -> Self::V;
    /// Shifts right, copying the sign.
    fn sar<const N: u32>(self, a: Self::V) -> Self::V;

    // Masks.

    /// The mask of a > b.
    fn gt(self, a: Self::V, b: Self::V) -> Self::V;
    /// Lane i of the mask as bit i.
    fn mask_to_bits(self, mask: Self::V) -> u16;
    /// Bit i as lane i of a mask.
    fn bits_to_mask(self, bits: u16) -> Self::V;

    /// The same mask, which the compiler knows nothing of: see [`barrier`].
    #[inline(always)]
    fn hide(self, mask: Self::V) -> Self::V {
        barrier::through_memory(mask)
    }
    /// The sign of lane i as bit i, behind a barrier.
    #[inline(always)]
    fn signs_to_bits(self, a: Self::V) -> u16 {
        self.mask_to_bits(self.hide(self.sar::<31>(a)))
    }

    // Multiplication modulo q, see `crate::reduce`.

    /// a·b·2⁻³² mod q, where `b_qinv` is b·q⁻¹ mod 2³².
    ///
    /// # Bounds
    /// Requires −2³¹·q ≤ a·b < 2³¹·q. Ensures |result| < |a·b|/2³² + q/2 + 1, so |result| < q.
    fn mont_mul(self, a: Self::V, b: Self::V, b_qinv: Self::V) -> Self::V;
    /// a·b mod q.
    ///
    /// # Bounds
    /// Ensures −ε ≤ result < q + ε, where ε = |a|·q/2³² ≤ q/2.
    fn barrett_mul(self, a: Self::V, b: Factors<Self::V>) -> Self::V;
    /// The 64-bit products a·b.
    fn wide_mul(self, a: Self::V, b: Self::V) -> Self::Wide;
    /// acc + a·b
    fn wide_mul_add(self, acc: Self::Wide, a: Self::V, b: Self::V) -> Self::Wide;
    /// acc − a·b
    fn wide_mul_sub(self, acc: Self::Wide, a: Self::V, b: Self::V) -> Self::Wide;
    /// acc·2⁻³² mod q
    ///
    /// # Bounds
    /// Requires −2³¹·q ≤ acc < 2³¹·q. Ensures |result| < |acc|/2³² + q/2 + 1.
    fn mont_reduce(self, acc: Self::Wide) -> Self::V;

    // Movement between lanes.

    /// Transposes 2×2 matrices of blocks of `G` lanes, 4 or 8; its own inverse. With G = 4:
    ///
    /// ```text
    ///   a₀…a₃ a₄…a₇ a₈…a₁₁ a₁₂…a₁₅        a₀…a₃ b₀…b₃ a₈…a₁₁  b₈…b₁₁
    ///   b₀…b₃ b₄…b₇ b₈…b₁₁ b₁₂…b₁₅   ⇒    a₄…a₇ b₄…b₇ a₁₂…a₁₅ b₁₂…b₁₅
    /// ```
    fn trn<const G: usize>(self, a: Self::V, b: Self::V) -> (Self::V, Self::V);
    /// Interleaves the lanes, four by four.
    ///
    /// ```text
    ///   a₀ a₁ a₂ a₃ | a₄ …        a₀ b₀ a₁ b₁ | a₄ …
    ///   b₀ b₁ b₂ b₃ | b₄ …   ⇒    a₂ b₂ a₃ b₃ | a₆ …
    /// ```
    fn zip(self, a: Self::V, b: Self::V) -> (Self::V, Self::V);
    /// The inverse of [`zip`](Self::zip): even lanes and odd lanes.
    ///
    /// ```text
    ///   a₀ a₁ a₂ a₃ | a₄ …        a₀ a₂ b₀ b₂ | a₄ …
    ///   b₀ b₁ b₂ b₃ | b₄ …   ⇒    a₁ a₃ b₁ b₃ | a₅ …
    /// ```
    fn unzip(self, a: Self::V, b: Self::V) -> (Self::V, Self::V);

    // Bit strings: sixteen lanes of `B` bits are 2·B bytes, least significant bit first.

    /// Writes the low `B` bits of every lane to `dst`, 2·B bytes. Other bits must be zero.
    #[inline(always)]
    fn pack<const B: usize>(self, v: Self::V, dst: &mut [u8]) {
        portable::pack::<B>(&self.to_array(v), dst);
    }
    /// Reads sixteen unsigned `B`-bit integers from `src`, 2·B bytes.
    #[inline(always)]
    fn unpack<const B: usize>(self, src: &[u8]) -> Self::V {
        self.load(&portable::unpack::<B>(src))
    }

    // Bytes and halves, for sums of many small numbers.

    fn zero_bytes(self) -> Self::Bytes;
    fn add_i8(self, a: Self::Bytes, b: &[i8; 64]) -> Self::Bytes;
    fn sub_i8(self, a: Self::Bytes, b: &[i8; 64]) -> Self::Bytes;
    /// dst + a, in `dst`.
    fn accumulate_i8(self, a: Self::Bytes, dst: &mut [i16; 64]);
    fn add_i16(self, a: Self::Bytes, b: &[i16; 32]) -> Self::Bytes;
    fn sub_i16(self, a: Self::Bytes, b: &[i16; 32]) -> Self::Bytes;
    /// The 32 halves of `a` as two rows.
    fn widen_i16(self, a: Self::Bytes) -> (Self::V, Self::V);

    // Sampling.

    /// The 32 half-bytes of `src`, low half first, through Algorithm 15, `CoeffFromHalfByte`:
    /// those that it accepts stand at the front of `dst`, in order; returns their number. What
    /// stands behind them is unspecified.
    #[inline(always)]
    fn coeffs_from_half_bytes<const ETA: usize>(self, src: &[u8; 16], dst: &mut [i8; 32]) -> usize {
        portable::coeffs_from_half_bytes::<ETA>(src, dst)
    }

    /// Transposes a 4×4 matrix of 64-bit words and stores its columns, little endian.
    #[inline(always)]
    fn transpose(self, rows: &[[u64; 4]; 4], columns: [&mut [u8; 32]; 4]) {
        portable::transpose(rows, columns);
    }

    // Conveniences.

    #[inline(always)]
    fn to_array(self, v: Self::V) -> [i32; LANES] {
        let mut a = [0; LANES];
        self.store(v, &mut a);
        a
    }
}

/// Sixteen [`Factor`]s, one for each lane.
#[derive(Clone, Copy)]
#[allow(
    unreachable_pub,
    missing_debug_implementations,
    reason = "named in a trait that nobody outside can name"
)]
pub struct Factors<V> {
    /// b
    pub(crate) values: V,
    /// The quotient of b.
    pub(crate) quotients: V,
    /// Lane i has the quotient of lane i + 1: odd lanes where a multiplication takes only even
    /// ones. No other lane counts.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        allow(dead_code, reason = "AVX2 reads it")
    )]
    pub(crate) next_quotients: V,
}

impl<V: Copy> Factors<V> {
    /// The same factor in every lane.
    #[inline(always)]
    pub(crate) fn splat<I: Isa<V = V>>(isa: I, b: Factor) -> Self {
        let quotients = isa.splat(b.quotient);
        Self {
            values: isa.splat(b.value),
            quotients,
            next_quotients: quotients,
        }
    }

    /// Of a table.
    #[inline(always)]
    pub(crate) fn load<I: Isa<V = V>>(isa: I, b: &FactorTable) -> Self {
        Self {
            values: isa.load(b.values()),
            quotients: isa.load(b.quotients()),
            next_quotients: isa.load(b.next_quotients()),
        }
    }
}

/// Lanes of `u64`, each a word of another Keccak state.
pub trait Sponge: Copy {
    /// The number of lanes: 1, 2 or 4.
    const WIDTH: usize;
    /// Whether the permutation shall keep a state in registers: there are 32 of them.
    const STATE_IN_REGISTERS: bool;
    /// The lanes.
    type W: Copy;

    /// Loads `WIDTH` neighbours from a row of `R` words, beginning with the word `lane`.
    fn load_words<const R: usize>(self, row: &[u64; R], lane: usize) -> Self::W;
    /// Stores `WIDTH` neighbours into a row of `R` words, beginning with the word `lane`.
    fn store_words<const R: usize>(self, w: Self::W, row: &mut [u64; R], lane: usize);
    fn splat_word(self, x: u64) -> Self::W;
    fn xor(self, a: Self::W, b: Self::W) -> Self::W;
    /// a ⊕ (¬b ∧ c): the step χ.
    fn chi(self, a: Self::W, b: Self::W, c: Self::W) -> Self::W;
    /// Rotation to the left by `n` < 64. Callers pass constants.
    fn rotl(self, a: Self::W, n: u32) -> Self::W;

    /// Permutes four states of Keccak in a way of its own, and returns true, if there is a faster one
    /// than that of `crate::keccak`. `between` and `theta` are memory for it, `iota` the constants of
    /// the rounds.
    #[inline(always)]
    fn permute_four(
        self,
        _states: &mut [[u64; 4]; 25],
        _between: &mut [[u64; 4]; 25],
        _theta: &mut [[u64; 4]; 5],
        _iota: &[[u64; 4]; 24],
    ) -> bool {
        false
    }

    // Single instructions where SHA-3 has some of its own.

    /// a ⊕ b ⊕ c
    #[inline(always)]
    fn xor3(self, a: Self::W, b: Self::W, c: Self::W) -> Self::W {
        self.xor(self.xor(a, b), c)
    }
    /// a, and b rotated to the left by one, xored.
    #[inline(always)]
    fn xor_rotl1(self, a: Self::W, b: Self::W) -> Self::W {
        self.xor(a, self.rotl(b, 1))
    }
    /// a ⊕ b, rotated to the left by `n` < 64. Callers pass constants.
    #[inline(always)]
    fn xar(self, a: Self::W, b: Self::W, n: u32) -> Self::W {
        self.rotl(self.xor(a, b), n)
    }
}

/// Makes a token and its [`Isa`] implementation from a list of CPU features and of operations;
/// each operation is a safe `#[target_feature]` function of the same name in scope.
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "wasm32", target_feature = "simd128"),
    all(
        target_arch = "aarch64",
        target_feature = "neon",
        target_endian = "little"
    )
))]
macro_rules! isa {
    (
        $(#[$doc:meta])* $name:ident($label:literal) = $features:tt;
        $( type $ty:ident = $as:ty; )*
        $( fn $op:ident $(<const $g:ident: $gt:ty>)? ($($a:ident: $t:ty),*) $(-> $r:ty)?; )*
        sponge {
            const WIDTH = $width:literal;
            const STATE_IN_REGISTERS = $in_registers:literal;
            type W = $w:ty;
            $( fn $sop:ident $(<const $sg:ident: $sgt:ty>)? ($($sa:ident: $st:ty),*) $(-> $sr:ty)?; )*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name(());

        impl $crate::simd::Isa for $name {
            const NAME: &'static str = $label;
            $( type $ty = $as; )*
            type Sponge = Self;
            #[inline(always)]
            fn sponge(self) -> Self { self }
            $( $crate::simd::isa! { @op $features fn $op $(<const $g: $gt>)? ($($a: $t),*) $(-> $r)? } )*
            $crate::simd::isa! { @enter $features }
            $crate::simd::isa! { @outline $features }
        }

        impl $crate::simd::Sponge for $name {
            const WIDTH: usize = $width;
            const STATE_IN_REGISTERS: bool = $in_registers;
            type W = $w;
            $( $crate::simd::isa! { @op $features fn $sop $(<const $sg: $sgt>)? ($($sa: $st),*) $(-> $sr)? } )*
        }

        $crate::simd::isa! { @detect $name $features }
    };
    (@op [$($f:tt),+] fn $op:ident $(<const $g:ident: $gt:ty>)? ($($a:ident: $t:ty),*) $(-> $r:ty)?) => {
        #[inline(always)]
        fn $op $(<const $g: $gt>)? (self, $($a: $t),*) $(-> $r)? {
            #[inline]
            #[target_feature($(enable = $f),+)]
            fn with_features $(<const $g: $gt>)? ($($a: $t),*) $(-> $r)? { $op $(::<$g>)? ($($a),*) }
            // SAFETY: `self` exists only where `detect` saw every feature that is enabled here:
            // both spell the one list in the `isa!` call.
            unsafe { with_features $(::<$g>)? ($($a),*) }
        }
    };
    (@enter [$($f:tt),+]) => {
        #[inline(always)]
        fn enter<R>(self, f: impl FnOnce() -> R) -> R {
            #[inline]
            #[target_feature($(enable = $f),+)]
            fn with_features<R>(f: impl FnOnce() -> R) -> R { f() }
            // SAFETY: as for the operations: `self` proves the features.
            unsafe { with_features(f) }
        }
    };
    (@outline [$($f:tt),+]) => {
        #[inline(always)]
        fn outline<R>(self, f: impl FnOnce() -> R) -> R {
            #[target_feature($(enable = $f),+)]
            fn with_features<R>(f: impl FnOnce() -> R) -> R { f() }
            // `#[inline(never)]` has no effect on a function with features (seen in rustc 1.95: the
            // attribute goes to those call sites that have them as well), so a function without
            // stands in between. It is a jump.
            #[inline(never)]
            fn kernel<I: $crate::simd::Isa, R>(_: I, f: impl FnOnce() -> R) -> R {
                // SAFETY: as for the operations: the token, here an argument, proves the features.
                unsafe { with_features(f) }
            }
            kernel(self, f)
        }
    };
    (@detect $name:ident ["neon"]) => { $crate::simd::isa! { @baseline $name "neon" } };
    (@detect $name:ident ["simd128"]) => { $crate::simd::isa! { @baseline $name "simd128" } };
    (@baseline $name:ident $f:literal) => {
        impl $name {
            /// The token. The module is compiled only where the target has the feature anyhow.
            #[inline]
            pub(crate) const fn detect() -> Option<Self> {
                const { assert!(cfg!(target_feature = $f)) };
                Some(Self(()))
            }
        }
    };
    (@detect $name:ident ["neon", $($f:tt),+]) => {
        const _: () = assert!(cfg!(target_feature = "neon"));
        $crate::simd::isa! { @detect $name [$($f),+] }
    };
    (@detect $name:ident [$($f:tt),+]) => {
        impl $name {
            /// The token, where the CPU (and the operating system) has the instructions.
            #[inline]
            pub(crate) fn detect() -> Option<Self> {
                cpufeatures::new!(cpu, $($f),+);
                cpu::get().then_some(Self(()))
            }
        }
    };
}
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "wasm32", target_feature = "simd128"),
    all(
        target_arch = "aarch64",
        target_feature = "neon",
        target_endian = "little"
    )
))]
pub(crate) use isa;

#[cfg(all(mldsa_isa = "avx2", not(target_arch = "x86_64")))]
compile_error!("mldsa_isa=\"avx2\" is for x86-64");
#[cfg(all(
    any(mldsa_isa = "neon", mldsa_isa = "neon-sha3"),
    not(target_arch = "aarch64")
))]
compile_error!("mldsa_isa=\"neon\" and \"neon-sha3\" are for AArch64");

/// Evaluates `$body` with `$isa` bound to the best token of this CPU. The choice depends on the
/// CPU alone; `--cfg mldsa_isa="…"` caps it.
macro_rules! dispatch {
    ($isa:ident => $body:expr) => {
        'chosen: {
            #[cfg(all(target_arch = "x86_64", not(mldsa_isa = "portable")))]
            dispatch!(@try avx2::Avx2, 'chosen, $isa => $body);
            #[cfg(all(
                target_arch = "aarch64",
                target_feature = "neon",
                target_endian = "little",
                not(any(mldsa_isa = "portable", mldsa_isa = "neon"))
            ))]
            dispatch!(@try neon_sha3::NeonSha3, 'chosen, $isa => $body);
            #[cfg(all(
                target_arch = "aarch64",
                target_feature = "neon",
                target_endian = "little",
                not(mldsa_isa = "portable")
            ))]
            dispatch!(@try neon::Neon, 'chosen, $isa => $body);
            #[cfg(all(
                target_arch = "wasm32",
                target_feature = "simd128",
                not(mldsa_isa = "portable")
            ))]
            dispatch!(@try simd128::Simd128, 'chosen, $isa => $body);
            let $isa = $crate::simd::Portable;
            $body
        }
    };
    (@try $module:ident::$token:ident, $chosen:lifetime, $isa:ident => $body:expr) => {
        if let Some($isa) = $crate::simd::$module::$token::detect() {
            break $chosen $crate::simd::Isa::enter(
                $isa,
                #[inline(always)]
                || $body,
            );
        }
    };
}
pub(crate) use dispatch;

/// Evaluates `$body` once for each token that this CPU has, Portable first.
#[cfg(any(test, mldsa_internals))]
macro_rules! for_each_isa {
    ($isa:ident => $body:expr) => {{
        {
            let $isa = $crate::simd::Portable;
            $body;
        }
        #[cfg(target_arch = "x86_64")]
        if let Some($isa) = $crate::simd::avx2::Avx2::detect() {
            $body;
        }
        #[cfg(all(
            target_arch = "aarch64",
            target_feature = "neon",
            target_endian = "little"
        ))]
        {
            if let Some($isa) = $crate::simd::neon::Neon::detect() {
                $body;
            }
            if let Some($isa) = $crate::simd::neon_sha3::NeonSha3::detect() {
                $body;
            }
        }
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        if let Some($isa) = $crate::simd::simd128::Simd128::detect() {
            $body;
        }
    }};
}
#[cfg(any(test, mldsa_internals))]
pub(crate) use for_each_isa;

/// The name of the instruction set whose kernels run on this CPU: `"avx2"`, `"portable"`, …
///
/// ```
/// println!("ML-DSA runs on {}", mldsa_simd::isa_name());
/// ```
#[must_use]
pub fn isa_name() -> &'static str {
    fn name<I: Isa>(_: I) -> &'static str {
        I::NAME
    }
    dispatch!(isa => name(isa))
}
