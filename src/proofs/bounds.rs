//! The bounds of the kernels, proved by running them on intervals ([`super::interval`]).
//!
//! Each [`Claim`] is a contract as the kernel's section `# Bounds` states it. A claim that holds
//! could still be idle, so each is also asked with one more: an input that is larger by one, or an
//! output that is smaller by one. That must fail ([`no_claim_can_be_stronger`]). So every bound is
//! the best that intervals can prove, and a kernel that changes has to change its contract.

use super::interval::{
    Inputs, Interval, Intervals, attempt, between, ensure, for_all, hull_of, packed, within,
};
use crate::encode::{
    eta_pack, eta_unpack, t0_pack, t0_unpack, t1_unpack_shifted, z_is_below, z_pack, z_unpack,
};
use crate::ntt::{
    FORWARD_MAX, INVERSE_INPUT, ntt, ntt_inverse, pointwise, pointwise_acc, pointwise_acc_pair,
    pointwise_acc_sub, products_below,
};
use crate::params::sealed::{List, Params, Rounding};
use crate::params::{MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Q};
use crate::poly::{LANES, Negacyclic, NttPoly, Poly, SmallCoefficients, add_small, widen};
use crate::reduce::Factor;
use crate::rounding::{
    caddq, decompose_poly, make_hint_poly, power2round, power2round_poly, sub_and_check,
    use_hint_poly,
};
use crate::sampling::{Challenge, mul_small, mul_t0};
use crate::simd::{Factors, Isa};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use std::println;

const ISA: Intervals = Intervals;
const ALL: Inputs = Inputs {
    field: None,
    hint: None,
};
const Q64: i64 = Q as i64;

/// A contract of a kernel.
struct Claim {
    kernel: &'static str,
    /// Proves it, with one more or without: see the introduction.
    prove: Box<dyn Fn(i64) -> Result<(), String>>,
}

fn claim(kernel: &'static str, prove: impl Fn(i64) -> Result<(), String> + 'static) -> Claim {
    Claim {
        kernel,
        prove: Box::new(prove),
    }
}

/// Memory full of an interval.
fn poly(interval: Interval) -> Poly {
    let mut p = Poly::default();
    for row in &mut p.0 {
        ISA.store([interval; LANES], row);
    }
    p
}

fn ntt_poly(interval: Interval) -> NttPoly {
    NttPoly(poly(interval).0)
}

fn small(interval: Interval) -> SmallCoefficients {
    let mut p = SmallCoefficients::default();
    for row in &mut p {
        ISA.store_i16([interval; LANES], row);
    }
    p
}

fn negacyclic_i8(interval: Interval) -> Negacyclic<i8> {
    let mut s = Negacyclic::default();
    for row in s.0.as_chunks_mut().0 {
        ISA.store_i8([interval; LANES], row);
    }
    s
}

fn negacyclic_i16(interval: Interval) -> Negacyclic<i16> {
    let mut s = Negacyclic::default();
    for row in s.0.as_chunks_mut().0 {
        ISA.store_i16([interval; LANES], row);
    }
    s
}

/// What memory holds.
fn hull(rows: &[[i32; LANES]; LANES]) -> Interval {
    hull_of(rows.iter().map(|row| ISA.load(row)))
}

/// A kernel said `yes` or `no` of all numbers; `yes` is right of those in `claim`, and of no others.
fn ensure_verdict(yes: bool, numbers: Interval, claim: Interval) {
    if yes {
        ensure("what was accepted", numbers, claim);
    } else if numbers.high >= claim.low {
        ensure(
            "what was refused",
            numbers,
            between(claim.high + 1, i64::MAX),
        );
    }
}

/// The contracts of all kernels that compute on lanes of 32 bits.
fn claims() -> Vec<Claim> {
    let mut all = alloc::vec![
        claim("ntt", |more| {
            attempt(ALL, || {
                let mut w_hat = NttPoly::default();
                ntt(ISA, &poly(within(Q64 - 1 + more)), &mut w_hat);
                ensure("ŵ", hull(&w_hat.0), within(FORWARD_MAX.into()));
            })
        }),
        claim("ntt_inverse", |more| {
            attempt(ALL, || {
                let mut w = Poly::default();
                let w_hat = ntt_poly(within(i64::from(INVERSE_INPUT) + more));
                ntt_inverse(ISA, &w_hat, &mut w);
                ensure("w", hull(&w.0), within(3 * Q64 / 4));
            })
        }),
        claim("pointwise", |more| {
            attempt(ALL, || {
                let a = ntt_poly(within(i64::from(products_below(0)) + more));
                let mut c = NttPoly::default();
                pointwise(ISA, &a, &a, &mut c);
                ensure("c", hull(&c.0), within(Q64 - 1));
            })
        }),
        claim("caddq", |more| {
            for_all(between(-Q64, Q64 - 1 + more), &mut |r| {
                attempt(ALL, || {
                    ensure("r", hull_of([caddq(ISA, [r; LANES])]), between(0, Q64 - 1));
                })
            })
        }),
        claim("power2round", |more| {
            for_all(between(0, Q64 - 1), &mut |r| {
                attempt(ALL, || {
                    let (r1, r0) = power2round(ISA, [r; LANES]);
                    ensure("r₁", hull_of([r1]), between(0, (1 << 10) - 1));
                    ensure("r₀", hull_of([r0]), between(1 - (1 << 12) + more, 1 << 12));
                })
            })
        }),
        claim("power2round_poly", |more| {
            for_all(between(-Q64, Q64 - 1), &mut |t| {
                attempt(ALL, || {
                    let mut t0 = Negacyclic::default();
                    power2round_poly(ISA, &poly(t), &mut [0; 320], &mut t0);
                    ensure("t₁", packed(), between(0, (1 << 10) - 1));
                    let rows = t0.positive().as_chunks().0.iter();
                    let r0 = hull_of(rows.map(|row| ISA.load_i16(row)));
                    ensure("t₀", r0, between(1 - (1 << 12) + more, 1 << 12));
                })
            })
        }),
        claim("t1_unpack_shifted", |more| {
            attempt(ALL, || {
                let mut w = Poly::default();
                t1_unpack_shifted(ISA, &[0; 320], &mut w);
                ensure("w", hull(&w.0), between(0, Q64 - 1 - more));
            })
        }),
        claim("t0_pack", |more| {
            attempt(ALL, || {
                let t0 = between(1 - (1 << 12) - more, 1 << 12);
                t0_pack(ISA, &negacyclic_i16(t0), &mut [0; 416]);
            })
        }),
        claim("t0_unpack", |more| {
            attempt(ALL, || {
                let mut t0 = Negacyclic::default();
                t0_unpack(ISA, &[0; 416], &mut t0);
                let rows = t0.positive().as_chunks().0.iter();
                let t0 = hull_of(rows.map(|row| ISA.load_i16(row)));
                ensure("t₀", t0, between(1 - (1 << 12) + more, 1 << 12));
            })
        }),
        claim("widen", |more| {
            attempt(ALL, || {
                let mut w = Poly::default();
                widen(ISA, &negacyclic_i8(within(4)), &mut w);
                ensure("w", hull(&w.0), within(4 - more));
            })
        }),
        claim("add_small", |more| {
            attempt(ALL, || {
                let mut w = poly(within(Q64 - 5 + more));
                add_small(ISA, &mut w, &negacyclic_i8(within(4)));
                ensure("w", hull(&w.0), within(Q64 - 1));
            })
        }),
        claim("mul_t0", |more| {
            (0..=60).try_for_each(|minus| {
                attempt(ALL, || {
                    let c = challenge(60, minus);
                    let mut ct0 = Poly::default();
                    let t0 = Negacyclic([(1 << 12) + more as i16; 512]);
                    mul_t0(ISA, &c, &t0, &mut ct0);
                    ensure("ct₀", hull(&ct0.0), within(60 << 12));
                })
            })
        }),
    ];
    by_set::<MlDsa44>(&mut all);
    by_set::<MlDsa65>(&mut all);
    by_set::<MlDsa87>(&mut all);
    all
}

/// A challenge of τ terms, some of them −1. Where they are does not matter.
fn challenge(tau: usize, minus: u32) -> Challenge {
    let positions: Vec<u8> = (0..tau).map(|i| 4 * i as u8).collect();
    Challenge::new(&positions, (1 << minus) - 1)
}

/// The contracts of what depends on the parameter set.
fn by_set<P: MlDsaParams>(all: &mut Vec<Claim>) {
    let l = P::L as i64;
    let (gamma1, gamma2) = (P::GAMMA1 as i64, P::GAMMA2 as i64);
    let (eta, beta) = (P::ETA as i64, P::BETA as i64);
    let m = i64::from(<P as Params>::Gamma2::M);

    all.push(claim("pointwise_acc", move |more| {
        attempt(ALL, || {
            // The largest factor for which ℓ products stay below 2³¹·q.
            let y = ((Q64 << 31) - 1) / (l * (Q64 - 1));
            assert!(i64::from(FORWARD_MAX) <= y);
            acc::<P>(within(y + more));
        })
    }));
    all.push(claim("pointwise_acc_pair", move |more| {
        attempt(ALL, || {
            let y = ((Q64 << 31) - 1) / (l * (Q64 - 1));
            acc_pair::<P>(within(y + more));
        })
    }));
    all.push(claim("pointwise_acc_sub", move |more| {
        attempt(ALL, || {
            let z = i64::from(products_below(P::L));
            assert!(i64::from(FORWARD_MAX) <= z);
            acc_sub::<P>(within(z + more));
        })
    }));
    all.push(claim("decompose_poly", move |more| {
        for_all(between(-Q64, Q64 - 1), &mut |w| {
            attempt(ALL, || {
                let mut w = poly(w);
                decompose_poly::<_, P::Gamma2>(ISA, &mut w, &mut [0; 192]);
                ensure("w₁", packed(), between(0, m - 1));
                ensure("w₀", hull(&w.0), within(gamma2 - more));
            })
        })
    }));
    all.push(claim("use_hint_poly", move |more| {
        [false, true].into_iter().try_for_each(|hint| {
            for_all(between(-Q64, Q64 - 1), &mut |w| {
                let inputs = Inputs {
                    hint: Some(hint),
                    ..ALL
                };
                attempt(inputs, || {
                    use_hint_poly::<_, P::Gamma2>(ISA, &[0; LANES], &poly(w), &mut [0; 192]);
                    ensure("w₁", packed(), between(0, m - 1 - more));
                })
            })
        })
    }));
    all.push(claim("sub_and_check", move |more| {
        attempt(ALL, || {
            let mut w0 = poly(within(gamma2));
            let cs2 = small(within(beta + more));
            sub_and_check(ISA, &mut w0, &cs2, (gamma2 - beta) as i32);
            ensure("r₀", hull(&w0.0), within(gamma2 + beta));
        })
    }));
    all.push(claim("make_hint_poly", move |more| {
        attempt(ALL, || {
            // Far more than c·t₀ ever is.
            let ct0 = poly(within((1 << 25) - 2 * gamma2 + more));
            let r0 = poly(within(gamma2 - 1));
            make_hint_poly::<_, P::Gamma2>(ISA, &r0, &ct0, &[0; 192], &mut [0; LANES]);
        })
    }));
    all.push(claim("z_unpack", move |more| {
        attempt(ALL, || {
            let mut w = Poly::default();
            z_unpack::<_, P::Gamma1>(ISA, &[0; 640], &mut w);
            ensure("w", hull(&w.0), between(1 - gamma1 + more, gamma1));
        })
    }));
    all.push(claim("z_is_below", move |more| {
        // The answer is yes just where the coefficient is below the bound.
        let bound = gamma1 - beta;
        for_all(between(0, 2 * gamma1 - 1), &mut |field| {
            let inputs = Inputs {
                field: Some(field),
                ..ALL
            };
            attempt(inputs, || {
                let below = z_is_below::<_, P::Gamma1>(ISA, &[0; 640], bound as i32);
                let z = between(gamma1 - field.high, gamma1 - field.low);
                ensure_verdict(below, z, within(bound - 1 - more));
            })
        })
    }));
    all.push(claim("z_pack", move |more| {
        // The answer is yes just where z is below the bound; then γ₁ − z is packed, and no bit of it
        // was cut off.
        let bound = gamma1 - beta;
        for_all(between(0, 2 * gamma1 - 1), &mut |y| {
            for_all(within(beta), &mut |cs1| {
                let inputs = Inputs {
                    field: Some(y),
                    ..ALL
                };
                attempt(inputs, || {
                    let mut packed_z = [0; 640];
                    let small_cs1 = small(cs1);
                    let below = z_pack::<_, P::Gamma1>(
                        ISA,
                        &[0; 640],
                        &small_cs1,
                        bound as i32,
                        &mut packed_z,
                    );
                    let z = between(gamma1 - y.high + cs1.low, gamma1 - y.low + cs1.high);
                    ensure_verdict(below, z, within(bound - 1 - more));
                    if below {
                        ensure("γ₁ − z", packed(), between(gamma1 - z.high, gamma1 - z.low));
                    }
                })
            })
        })
    }));
    all.push(claim("eta_pack", move |more| {
        attempt(ALL, || {
            eta_pack::<_, P::Eta>(ISA, &negacyclic_i8(within(eta + more)), &mut [0; 128]);
            ensure("η − s", packed(), between(0, 2 * eta));
        })
    }));
    all.push(claim("eta_unpack", move |more| {
        for_all(between(0, if eta == 2 { 7 } else { 15 }), &mut |field| {
            let inputs = Inputs {
                field: Some(field),
                ..ALL
            };
            attempt(inputs, || {
                let mut s = Negacyclic::default();
                let in_range = eta_unpack::<_, P::Eta>(ISA, &[0; 128], &mut s);
                let rows = s.positive().as_chunks().0.iter();
                let s = hull_of(rows.map(|row| ISA.load_i8(row)));
                ensure("s", s, within(eta - more));
                ensure_verdict(in_range, field, between(0, 2 * eta));
            })
        })
    }));
    all.push(claim("mul_small", move |more| {
        (0..=P::TAU as u32).try_for_each(|minus| {
            attempt(ALL, || {
                let c = challenge(P::TAU, minus);
                let s = Negacyclic([(eta + more) as i8; 512]);
                let mut cs = SmallCoefficients::default();
                mul_small::<_, P::Eta>(ISA, &c, &s, &mut cs);
                for x in cs.as_flattened() {
                    ensure("cs", within((*x).into()), within(beta));
                }
            })
        })
    }));

    fn acc<P: MlDsaParams>(y: Interval) {
        let a: P::Cols<NttPoly> = List::repeat(ntt_poly(within(Q64 - 1)));
        let y: P::Cols<NttPoly> = List::repeat(ntt_poly(y));
        let mut c = NttPoly::default();
        pointwise_acc(ISA, &a, &y, &mut c);
        ensure("c", hull(&c.0), within(Q64 - 1));
    }

    fn acc_pair<P: MlDsaParams>(y: Interval) {
        let a: P::Cols<NttPoly> = List::repeat(ntt_poly(within(Q64 - 1)));
        let y: P::Cols<NttPoly> = List::repeat(ntt_poly(y));
        let mut c = [NttPoly::default(); 2];
        pointwise_acc_pair(ISA, [&a, &a], &y, &mut c);
        for c in &c {
            ensure("c", hull(&c.0), within(Q64 - 1));
        }
    }

    fn acc_sub<P: MlDsaParams>(z: Interval) {
        let x = ntt_poly(z);
        let a: P::Cols<NttPoly> = List::repeat(ntt_poly(within(Q64 - 1)));
        let z: P::Cols<NttPoly> = List::repeat(x);
        let mut c = NttPoly::default();
        pointwise_acc_sub(ISA, &a, &z, &x, &x, &mut c);
        ensure("c", hull(&c.0), within(Q64 - 1));
    }
}

/// No operation of a kernel leaves its lanes, and every result is as small as the kernel says.
#[test]
fn contracts_hold_for_all_inputs() {
    for Claim { kernel, prove } in claims() {
        if let Err(violation) = prove(0) {
            panic!("{kernel}: {violation}");
        }
    }
}

/// With one more, every claim fails: none of the proofs is idle, none of the bounds too wide.
#[test]
fn no_claim_can_be_stronger() {
    for Claim { kernel, prove } in claims() {
        match prove(1) {
            Err(violation) => println!("{kernel} + 1: {violation}"),
            Ok(()) => panic!("{kernel}: the bound is not sharp, or not checked"),
        }
    }
}

/// What each operation must object to.
#[test]
fn violations_are_seen() {
    let big = ISA.splat(i32::MAX);
    let one = ISA.splat(1);
    for (what, run) in [
        ("add", &(|| _ = ISA.add(big, one)) as &dyn Fn()),
        ("sub", &|| _ = ISA.sub(ISA.splat(i32::MIN), one)),
        ("mul_lo", &|| _ = ISA.mul_lo(big, ISA.splat(2))),
        ("mul_lo", &|| _ = ISA.shl::<1>(big)),
        ("abs", &|| _ = ISA.abs(ISA.splat(i32::MIN))),
        ("pack", &|| ISA.pack::<4>(ISA.splat(16), &mut [])),
        ("pack", &|| ISA.pack::<4>(ISA.splat(-1), &mut [])),
        ("store_i8", &|| ISA.store_i8(ISA.splat(128), &mut [0; 16])),
        ("store_i16", &|| {
            ISA.store_i16(ISA.splat(-32769), &mut [0; 16]);
        }),
        ("add_i8", &|| {
            let a = ISA.add_i8(ISA.zero_bytes(), &[64; 64]);
            _ = ISA.sub_i8(a, &[-64; 64]);
        }),
        ("mont_mul", &|| _ = ISA.mont_mul(one, one, one)),
        ("barrett_mul", &|| {
            _ = ISA.barrett_mul(
                one,
                Factors::splat(
                    ISA,
                    Factor {
                        value: 1,
                        quotient: 1,
                    },
                ),
            );
        }),
        ("barrett_mul", &|| {
            let mut factors = Factors::splat(ISA, Factor::new(1));
            factors.next_quotients = ISA.splat(0);
            _ = ISA.barrett_mul(one, factors);
        }),
        // 2³¹·q itself is outside, see `crate::reduce`.
        ("mont_reduce", &|| {
            let wide = ISA.wide_mul(ISA.splat(i32::MIN), ISA.splat(-Q));
            _ = ISA.mont_reduce(wide);
        }),
        ("wide_mul_add", &|| {
            let mut wide = ISA.wide_mul(big, big);
            for _ in 0..2 {
                wide = ISA.wide_mul_add(wide, big, big);
            }
        }),
    ] {
        match attempt(ALL, run) {
            Err(violation) => assert!(violation.contains(what), "{what}: {violation}"),
            Ok(()) => panic!("{what} was not seen"),
        }
    }
}
