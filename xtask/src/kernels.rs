//! The kernels: functions that `Isa::outline` keeps as one function per instruction set.
//!
//! The table is complete: a kernel that is not in it fails the check, and so does a row without a
//! kernel. Adding or renaming a kernel therefore means a row here.

/// A kernel that the assembly must have.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// Path of the function that outlines, inside the crate.
    pub path: &'static str,
    /// How many functions of one instruction set come of it: one, or one for each value of a type
    /// parameter that is not the instruction set. A rise says that a kernel became generic over
    /// something that it should not know, such as the parameter set.
    pub instances: usize,
    /// The least share, in percent, of instructions that use vector registers where the instruction
    /// set has such. 0 for a kernel that is scalar on purpose. Well below what is measured: it
    /// shall show a kernel that fell apart, not every rearrangement.
    pub vector_percent: usize,
    /// Paths of functions that it may call, beside `memcpy` and its kin.
    pub may_call: &'static [&'static str],
}

const fn kernel(path: &'static str, instances: usize, vector_percent: usize) -> Kernel {
    Kernel {
        path,
        instances,
        vector_percent,
        may_call: &[],
    }
}

/// Instruction sets whose kernels must be there, on x86-64.
pub const X86_64: &[&str] = &["portable::Portable", "avx2::Avx2"];
/// The same on AArch64, where nothing dispatches to Portable.
pub const AARCH64: &[&str] = &["neon::Neon", "neon_sha3::NeonSha3"];

/// The kernels of every instruction set.
pub const KERNELS: &[Kernel] = &[
    kernel("encode::poly::eta_pack", 2, 3),
    kernel("encode::poly::eta_unpack", 2, 20),
    kernel("encode::poly::t0_pack", 1, 2),
    kernel("encode::poly::t0_unpack", 1, 25),
    kernel("encode::poly::t1_unpack_shifted", 1, 20),
    kernel("encode::poly::z_is_below", 2, 25),
    kernel("encode::poly::z_pack", 2, 8),
    kernel("encode::poly::z_unpack", 2, 20),
    kernel("keccak::lanes::squeeze_x4", 1, 80),
    // One state: `andn` and `rorx`, no vectors.
    kernel("keccak::permute::keccak_f", 1, 0),
    kernel("keccak::permute::keccak_f_x4", 1, 75),
    kernel("ntt::forward::ntt", 1, 80),
    kernel("ntt::inverse::ntt_inverse", 1, 80),
    kernel("ntt::pointwise::add_product", 1, 50),
    kernel("ntt::pointwise::sub_product", 1, 50),
    // ℓ = 4, 5, 7.
    kernel("ntt::pointwise::pointwise_acc", 3, 50),
    kernel("ntt::pointwise::pointwise_acc_pair", 3, 50),
    kernel("ntt::pointwise::pointwise_acc_sub", 3, 50),
    kernel("poly::add_small", 1, 50),
    kernel("poly::widen", 1, 50),
    // γ₂ = (q − 1)/88, (q − 1)/32.
    kernel("rounding::decompose_poly", 2, 20),
    kernel("rounding::make_hint_poly", 2, 30),
    kernel("rounding::power2round_poly", 1, 10),
    kernel("rounding::sub_and_check", 1, 30),
    kernel("rounding::use_hint_poly", 2, 25),
    // η = 2, 4.
    kernel("sampling::ball::mul_small", 2, 25),
    kernel("sampling::ball::mul_t0", 1, 35),
    kernel("sampling::bounded::rej_bounded_poly", 2, 4),
    Kernel {
        // The group in which a candidate is refused, and the last bytes of a block.
        may_call: &["sampling::uniform::coeffs_from_three_bytes"],
        ..kernel("sampling::uniform::rej_ntt_poly", 1, 3)
    },
];

/// Functions of the crate that may divide, since none of them sees a secret. Paths.
pub const MAY_DIVIDE: &[&str] = &[];
