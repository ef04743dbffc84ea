//! ML-DSA
#![no_std]
#![allow(dead_code, reason = "work in progress")]

#[cfg(feature = "alloc")]
extern crate alloc;

mod keccak;
mod keygen;
mod keys;
mod params;
mod poly;
mod shared;
mod sign;
#[allow(unsafe_code, reason = "the instruction sets; src/simd/mod.rs argues why each use is sound")]
mod simd;
mod verify;

pub use params::{MlDsa44, MlDsa65, MlDsa87, MlDsaParams};
