//! What `cargo xtask ct` needs of the crate (`--cfg mldsa_ctgrind`). Not a part of the public API.

pub use crate::simd::memcheck::{declassified, distrust, errors, is_running, is_secret};
pub use crate::simd::memcheck::{poison, publish};

use crate::expanded_key::ExpandedSigningKey;
use crate::params::MlDsaParams;
use crate::poly::LANES;
use crate::simd::{Isa, dispatch};
use core::hint::black_box;
use ctutils::CtEq;

/// Whether keys are equal, without a look at the answer: 1 or 0.
pub fn ct_equal<P: MlDsaParams>(a: &ExpandedSigningKey<P>, b: &ExpandedSigningKey<P>) -> u8 {
    a.ct_eq(b).to_u8()
}

/// A leak: a branch on what a kernel found out of a secret, and that nobody declassified.
pub fn planted_branch(secret: &[i32; LANES]) {
    dispatch!(isa => isa.outline(
        #[inline(always)]
        || {
            let negative = isa.gt(isa.splat(0), isa.load(secret));
            if isa.mask_to_bits(isa.hide(negative)) == 0 {
                let _ = black_box(secret.as_ptr());
            }
        },
    ));
}

/// A leak: a lane of a secret vector as an address.
pub fn planted_index(secret: &[i32; LANES]) -> u8 {
    static TABLE: [u8; LANES] = *b"0123456789abcdef";
    dispatch!(isa => isa.outline(
        #[inline(always)]
        || {
            let lanes = isa.to_array(isa.and(isa.load(secret), isa.splat(15)));
            black_box(&TABLE)[black_box(lanes[3]) as usize & 15]
        },
    ))
}

/// No leak: the smaller of two numbers in each lane, by a mask.
pub fn planted_nothing(secret: &mut [i32; LANES]) {
    dispatch!(isa => isa.outline(
        #[inline(always)]
        || {
            let (a, b) = (isa.load(secret), isa.splat(7));
            let larger = isa.hide(isa.gt(a, b));
            isa.store(isa.sub(a, isa.and(larger, isa.sub(a, b))), secret);
        },
    ));
}
