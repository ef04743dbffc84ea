//! Lanes that are intervals: abstract interpretation with the very sources of the kernels.
//!
//! A lane of [`Intervals`] is not a number but all numbers from `low` to `high`, and an operation
//! yields an interval that holds every result that numbers of its operands can have. Run on such
//! lanes, a kernel says at once what it would say of every input inside its contract. An operation
//! that could leave 32 bits (64 in [`Isa::Wide`]), a factor that could leave Montgomery's contract,
//! and a store that could cut a number off are *violations*: [`attempt`] reports the first.
//!
//! # Memory
//!
//! Memory holds numbers, not intervals, and kernels are to stay as they are. So [`Isa::store`]
//! keeps the sixteen intervals in a list, and writes a *ticket* where the sixteen numbers would be:
//! the place in the list, and fifteen times a number that nobody else writes. [`Isa::load`]
//! recognizes tickets; every other row is taken literally, as are the tables of powers of ζ. This
//! works because kernels move whole rows only. Sums of bytes and of half-words do not, they read
//! from any position; there, a number in memory stands for all numbers that are at most as large in
//! absolute value.
//!
//! Bit strings are not tracked: [`Isa::unpack`] yields every value that `B` bits can have, or the
//! part of them that [`Inputs::field`] says, and likewise for the hints.
//!
//! # Splitting
//!
//! An interval forgets how lanes depend on each other: of r − r₁·2γ₂ it only sees two intervals.
//! [`for_all`] then cuts the input in two and proves both halves, down to single numbers if need
//! be, for which nothing is forgotten. Where the input is long and HighBits is constant one
//! interval is enough; near the borders there are many short ones.

use crate::params::Q;
use crate::poly::LANES;
use crate::reduce::{Factor, times_qinv};
use crate::simd::{Factors, Isa, Portable};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;
use std::thread_local;

/// The integers from `low` to `high`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) low: i64,
    pub(crate) high: i64,
}

/// What a mask can be.
const NO: Interval = one(0);
const YES: Interval = one(-1);
const UNKNOWN: Interval = between(-1, 0);

pub(crate) const fn between(low: i64, high: i64) -> Interval {
    assert!(low <= high);
    Interval { low, high }
}

/// From −`bound` to `bound`.
pub(crate) const fn within(bound: i64) -> Interval {
    between(-bound, bound)
}

const fn one(x: i64) -> Interval {
    between(x, x)
}

/// What a lane of `bits` bits can hold.
const fn signed(bits: u32) -> Interval {
    between(i64::MIN >> (64 - bits), i64::MAX >> (64 - bits))
}

impl Interval {
    pub(crate) fn is_inside(self, other: Self) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    fn hull(self, other: Self) -> Self {
        between(self.low.min(other.low), self.high.max(other.high))
    }

    fn single(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    /// The exact bounds of a result, which `range` must hold.
    fn fit(what: &str, low: i128, high: i128, range: Self) -> Self {
        let (min, max) = (i128::from(range.low), i128::from(range.high));
        if low < min || max < high {
            violation(|| format!("{what} is in {low}..={high}, which leaves {min}..={max}"));
        }
        between(low.clamp(min, max) as i64, high.clamp(min, max) as i64)
    }

    fn products(self, other: Self) -> (i128, i128) {
        let [a, b, c, d] = [self.low, self.high, other.low, other.high].map(i128::from);
        let corners = [a * c, a * d, b * c, b * d];
        corners
            .into_iter()
            .fold((corners[0], corners[0]), |(low, high), p| {
                (low.min(p), high.max(p))
            })
    }
}

type Row = [Interval; LANES];

/// What a run is given beside the lanes, and what it leaves.
#[derive(Default)]
struct State {
    inputs: Inputs,
    rows: Vec<Row>,
    violation: Option<String>,
    packed: Option<Interval>,
}

/// What cannot be handed over in lanes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Inputs {
    /// What [`Isa::unpack`] yields; by default everything that the bits can say.
    pub(crate) field: Option<Interval>,
    /// The hint of every coefficient.
    pub(crate) hint: Option<bool>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

fn violation(what: impl FnOnce() -> String) {
    STATE.with_borrow_mut(|state| {
        if state.violation.is_none() {
            state.violation = Some(what());
        }
    });
}

/// Runs `f` on intervals; an error is the first violation.
pub(crate) fn attempt<R>(inputs: Inputs, f: impl FnOnce() -> R) -> Result<R, String> {
    STATE.with_borrow_mut(|state| {
        *state = State {
            inputs,
            ..State::default()
        };
    });
    let result = f();
    STATE
        .with_borrow_mut(|state| state.violation.take())
        .map_or(Ok(result), Err)
}

/// Proves `f` for all numbers of an interval, which is split where that is necessary. An error
/// names a single number.
pub(crate) fn for_all(
    numbers: Interval,
    f: &mut impl FnMut(Interval) -> Result<(), String>,
) -> Result<(), String> {
    match f(numbers) {
        Ok(()) => Ok(()),
        Err(violation) => {
            if let Some(number) = numbers.single() {
                return Err(format!("{number}: {violation}"));
            }
            let middle = (numbers.low + numbers.high) >> 1;
            for_all(between(numbers.low, middle), f)?;
            for_all(between(middle + 1, numbers.high), f)
        }
    }
}

/// A claim about a result inside a run.
pub(crate) fn ensure(what: &str, result: Interval, claim: Interval) {
    Interval::fit(what, result.low.into(), result.high.into(), claim);
}

/// The hull of everything that the run has packed.
pub(crate) fn packed() -> Interval {
    STATE.with_borrow(|state| state.packed).unwrap_or_default()
}

/// The hull of the lanes of rows in memory.
pub(crate) fn hull_of(rows: impl IntoIterator<Item = Row>) -> Interval {
    rows.into_iter()
        .flatten()
        .reduce(Interval::hull)
        .unwrap_or_default()
}

/// The token. It stands for no CPU.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Intervals;

/// What fills a ticket up. Powers of ζ are below q/2, and no kernel makes rows of it.
const TICKET: i32 = 0x5ca1_ab1e;

fn issue(row: Row) -> i32 {
    STATE.with_borrow_mut(|state| {
        state.rows.push(row);
        state.rows.len() as i32 - 1
    })
}

fn redeem(ticket: i32) -> Row {
    STATE.with_borrow(|state| state.rows[ticket as usize])
}

/// A row of numbers narrower than 32 bits as a ticket, in as many of them as it takes.
macro_rules! narrow {
    ($store:ident, $load:ident, $ty:ty) => {
        fn $store(self, v: Row, dst: &mut [$ty; LANES]) {
            for lane in v {
                ensure(stringify!($store), lane, signed(<$ty>::BITS));
            }
            let bytes = issue(v).to_le_bytes();
            let bytes = bytes.as_chunks::<{ size_of::<$ty>() }>().0;
            dst.fill(TICKET as $ty);
            for (to, bytes) in dst.iter_mut().zip(bytes) {
                *to = <$ty>::from_le_bytes(*bytes);
            }
        }
        fn $load(self, src: &[$ty; LANES]) -> Row {
            let (ticket, rest) = src.split_at(4 / size_of::<$ty>());
            if rest.iter().any(|x| *x != TICKET as $ty) {
                return src.map(|x| one(x.into()));
            }
            let mut bytes = [0; 4];
            for (to, from) in bytes.chunks_exact_mut(size_of::<$ty>()).zip(ticket) {
                to.copy_from_slice(&from.to_le_bytes());
            }
            redeem(i32::from_le_bytes(bytes))
        }
    };
}

/// Sums of narrow numbers: see the introduction on memory.
macro_rules! sums {
    ($add:ident, $sub:ident, $ty:ty, $n:literal) => {
        fn $add(self, mut a: [Interval; 64], b: &[$ty; $n]) -> [Interval; 64] {
            for (a, b) in a.iter_mut().zip(b) {
                let bound = i128::from(b.unsigned_abs());
                let (low, high) = (i128::from(a.low) - bound, i128::from(a.high) + bound);
                *a = Interval::fit(stringify!($add), low, high, signed(<$ty>::BITS));
            }
            a
        }
        fn $sub(self, a: [Interval; 64], b: &[$ty; $n]) -> [Interval; 64] {
            self.$add(a, b)
        }
    };
}

fn lanes(f: impl FnMut(usize) -> Interval) -> Row {
    core::array::from_fn(f)
}

impl Isa for Intervals {
    const NAME: &'static str = "intervals";
    type V = Row;
    type Wide = Row;
    type Bytes = [Interval; 64];
    type Sponge = Portable;

    fn sponge(self) -> Portable {
        Portable
    }
    fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
    fn outline<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }

    fn load(self, src: &[i32; LANES]) -> Row {
        let [ticket, rest @ ..] = src;
        if rest.iter().all(|x| *x == TICKET) {
            redeem(*ticket)
        } else {
            src.map(|x| one(x.into()))
        }
    }
    fn store(self, v: Row, dst: &mut [i32; LANES]) {
        *dst = [TICKET; LANES];
        dst[0] = issue(v);
    }
    narrow!(store_i16, load_i16, i16);
    narrow!(store_i8, load_i8, i8);
    fn splat(self, x: i32) -> Row {
        [one(x.into()); LANES]
    }

    fn add(self, a: Row, b: Row) -> Row {
        lanes(|i| {
            let (low, high) = (a[i].low + b[i].low, a[i].high + b[i].high);
            Interval::fit("add", low.into(), high.into(), signed(32))
        })
    }
    fn sub(self, a: Row, b: Row) -> Row {
        lanes(|i| {
            let (low, high) = (a[i].low - b[i].high, a[i].high - b[i].low);
            Interval::fit("sub", low.into(), high.into(), signed(32))
        })
    }
    /// Kernels want the product itself, so its high half must say nothing.
    fn mul_lo(self, a: Row, b: Row) -> Row {
        lanes(|i| {
            let (low, high) = a[i].products(b[i]);
            Interval::fit("mul_lo", low, high, signed(32))
        })
    }
    fn abs(self, a: Row) -> Row {
        lanes(|i| {
            let Interval { low, high } = a[i];
            let least = low.max(-high).max(0);
            let most = high.max(-low);
            Interval::fit("abs", least.into(), most.into(), signed(32))
        })
    }
    /// With a mask, or with a number below a power of two: kernels have no other use for it.
    fn and(self, a: Row, b: Row) -> Row {
        fn and(a: Interval, b: Interval) -> Option<Interval> {
            match (a.single(), b.single()) {
                (Some(a), Some(b)) => Some(one(a & b)),
                (_, Some(-1)) => Some(a),
                (_, Some(ones)) if ones >= 0 && ones & (ones + 1) == 0 => {
                    let all = between(0, ones);
                    Some(if a.is_inside(all) { a } else { all })
                }
                _ if b == UNKNOWN => Some(a.hull(NO)),
                _ => None,
            }
        }
        lanes(|i| {
            and(a[i], b[i])
                .or_else(|| and(b[i], a[i]))
                .unwrap_or_else(|| panic!("and: {:?}, {:?}", a[i], b[i]))
        })
    }
    /// With a mask, or for the sign.
    fn or(self, a: Row, b: Row) -> Row {
        fn or(mask: Interval, other: Interval) -> Option<Interval> {
            match mask {
                NO => Some(other),
                YES => Some(YES),
                UNKNOWN => Some(other.hull(YES)),
                _ => None,
            }
        }
        // Of two numbers the lower bounds the result from below, if any is negative; above, no bit
        // is set that neither has.
        fn numbers(a: Interval, b: Interval) -> Interval {
            let ones = (a.high.max(b.high).max(0) as u64 + 1).next_power_of_two() as i64 - 1;
            let high = if a.high < 0 || b.high < 0 { -1 } else { ones };
            between(a.low.min(b.low), high)
        }
        lanes(|i| {
            or(a[i], b[i])
                .or_else(|| or(b[i], a[i]))
                .unwrap_or_else(|| numbers(a[i], b[i]))
        })
    }
    fn shl<const N: u32>(self, a: Row) -> Row {
        self.mul_lo(a, [one(1 << N); LANES])
    }
    fn sar<const N: u32>(self, a: Row) -> Row {
        lanes(|i| between(a[i].low >> N, a[i].high >> N))
    }

    fn gt(self, a: Row, b: Row) -> Row {
        lanes(|i| {
            if a[i].low > b[i].high {
                YES
            } else if a[i].high <= b[i].low {
                NO
            } else {
                UNKNOWN
            }
        })
    }
    /// The lanes that the mask may have.
    fn mask_to_bits(self, mask: Row) -> u16 {
        mask.iter()
            .rev()
            .fold(0, |bits, lane| bits << 1 | u16::from(*lane != NO))
    }
    fn bits_to_mask(self, _: u16) -> Row {
        let hint = STATE.with_borrow(|state| state.inputs.hint);
        [hint.map_or(UNKNOWN, |hint| if hint { YES } else { NO }); LANES]
    }

    fn mont_mul(self, a: Row, b: Row, b_qinv: Row) -> Row {
        for (b, b_qinv) in b.iter().zip(b_qinv) {
            let companion = b.single().map(|b| i64::from(times_qinv(b as i32)));
            if companion.is_none() || companion != b_qinv.single() {
                violation(|| format!("mont_mul: {b_qinv:?} is not the companion of {b:?}"));
            }
        }
        self.mont_reduce(self.wide_mul(a, b))
    }
    /// (a·d + e·q)/2³² with d = b·2³² − quotient·q and some e of 32 bits: docs/reduction.md.
    fn barrett_mul(self, a: Row, b: Factors<Row>) -> Row {
        let Factors {
            values,
            quotients,
            next_quotients,
        } = b;
        for (next, quotient) in next_quotients.iter().zip(&quotients[1..]).step_by(2) {
            if next.single() != quotient.single() {
                violation(|| format!("barrett_mul: {next_quotients:?} is not one lane further"));
            }
        }
        lanes(|i| {
            let factor = values[i].single().map(|b| Factor::new(b as i32));
            let (value, given) = match (factor, quotients[i].single()) {
                (Some(factor), Some(given)) if i64::from(factor.quotient) == given => {
                    (i64::from(factor.value), given)
                }
                _ => {
                    violation(|| format!("barrett_mul: {quotients:?} are not those of {values:?}"));
                    return signed(32);
                }
            };
            let q = i128::from(Q);
            let (low, high) = a[i].products(one((value << 32) - given * i64::from(Q)));
            // The quotient is whole: the lower bound is rounded up, the upper one down.
            let low = -(-low >> 32);
            let high = (high + u32::MAX as i128 * q) >> 32;
            Interval::fit("barrett_mul", low, high, signed(32))
        })
    }
    fn wide_mul(self, a: Row, b: Row) -> Row {
        lanes(|i| {
            let (low, high) = a[i].products(b[i]);
            Interval::fit("wide_mul", low, high, signed(64))
        })
    }
    fn wide_mul_add(self, acc: Row, a: Row, b: Row) -> Row {
        lanes(|i| {
            let (low, high) = a[i].products(b[i]);
            let (low, high) = (i128::from(acc[i].low) + low, i128::from(acc[i].high) + high);
            Interval::fit("wide_mul_add", low, high, signed(64))
        })
    }
    fn wide_mul_sub(self, acc: Row, a: Row, b: Row) -> Row {
        lanes(|i| {
            let (low, high) = a[i].products(b[i]);
            let (low, high) = (i128::from(acc[i].low) - high, i128::from(acc[i].high) - low);
            Interval::fit("wide_mul_sub", low, high, signed(64))
        })
    }
    /// (acc − t·q)/2³² for some t of 32 bits: docs/reduction.md.
    fn mont_reduce(self, acc: Row) -> Row {
        let contract = between(-i64::from(Q) << 31, (i64::from(Q) << 31) - 1);
        lanes(|i| {
            let Interval { low, high } = acc[i];
            let Interval { low, high } =
                Interval::fit("mont_reduce", low.into(), high.into(), contract);
            let t = signed(32);
            let q = i64::from(Q);
            // The quotient is whole: the lower bound is rounded up, the upper one down.
            between(-((t.high * q - low) >> 32), (high - t.low * q) >> 32)
        })
    }

    fn trn<const G: usize>(self, a: Row, b: Row) -> (Row, Row) {
        (
            lanes(|i| if i & G == 0 { a[i] } else { b[i - G] }),
            lanes(|i| if i & G == 0 { a[i + G] } else { b[i] }),
        )
    }
    fn zip(self, a: Row, b: Row) -> (Row, Row) {
        let from = |i: usize, first| if i & 1 == 0 { a[first] } else { b[first] };
        (
            lanes(|i| from(i, (i & !3) + (i >> 1 & 1))),
            lanes(|i| from(i, (i & !3) + (i >> 1 & 1) + 2)),
        )
    }
    fn unzip(self, a: Row, b: Row) -> (Row, Row) {
        let from = |i: usize, first| if i & 2 == 0 { a[first] } else { b[first] };
        (
            lanes(|i| from(i, (i & !3) + 2 * (i & 1))),
            lanes(|i| from(i, (i & !3) + 2 * (i & 1) + 1)),
        )
    }

    fn pack<const B: usize>(self, v: Row, _: &mut [u8]) {
        for lane in v {
            ensure("pack", lane, between(0, (1 << B) - 1));
            STATE.with_borrow_mut(|state| {
                state.packed = Some(state.packed.map_or(lane, |packed| packed.hull(lane)));
            });
        }
    }
    fn unpack<const B: usize>(self, _: &[u8]) -> Row {
        let all = between(0, (1 << B) - 1);
        [STATE.with_borrow(|state| state.inputs.field.unwrap_or(all)); LANES]
    }

    fn zero_bytes(self) -> [Interval; 64] {
        [NO; 64]
    }
    sums!(add_i8, sub_i8, i8, 64);
    fn accumulate_i8(self, a: [Interval; 64], dst: &mut [i16; 64]) {
        for (a, to) in a.iter().zip(dst) {
            let bound = i128::from(*to) + i128::from(a.high.max(-a.low));
            *to = Interval::fit("accumulate_i8", 0, bound, signed(16)).high as i16;
        }
    }
    sums!(add_i16, sub_i16, i16, 32);
    fn widen_i16(self, a: [Interval; 64]) -> (Row, Row) {
        (lanes(|i| a[i]), lanes(|i| a[LANES + i]))
    }
}
