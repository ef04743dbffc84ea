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
    /// set has such. 0 for a kernel that is scalar on purpose.
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

/// Instruction sets whose kernels must be there, and those with vector registers.
pub const ISAS: [&str; 2] = ["portable::Portable", "avx2::Avx2"];

/// The kernels of every instruction set.
pub const KERNELS: &[Kernel] = &[
    kernel("ntt::forward::ntt", 1, 80),
    kernel("sampling::uniform::rej_ntt_poly", 1, 1),
    kernel("keccak::permute::keccak_f", 1, 0),
];

/// Functions of the crate that may divide: none of them sees a secret. Paths.
pub const MAY_DIVIDE: &[&str] = &[];
