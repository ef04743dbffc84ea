//! Encodings: polynomials as strings of bits, keys and signatures as strings of bytes.

mod bits;
mod hint;
mod poly;

pub(crate) use bits::{Bits, Width};
pub(crate) use hint::{Hint, hint_bit_pack, hint_bit_unpack, hint_is_well_formed};
pub(crate) use poly::*;
