//! ML-DSA
#![no_std]
#![allow(dead_code, reason = "work in progress")]

#[cfg(feature = "alloc")]
extern crate alloc;

mod ct;
mod encode;
mod keccak;
mod keygen;
mod keys;
mod ntt;
mod params;
mod poly;
mod reduce;
mod rounding;
mod sampling;
mod shared;
mod sign;
#[allow(unsafe_code, reason = "the instruction sets; src/simd/mod.rs argues why each use is sound")]
mod simd;
mod verify;
mod wipe;

pub use simd::isa_name;
pub use params::{MlDsa44, MlDsa65, MlDsa87, MlDsaParams};
