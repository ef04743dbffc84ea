//! How many attempts signing takes, against what the bounds of the standard say.

use crate::keygen;
use crate::keys::{Matrix, PrivateKey, PublicKey};
use crate::params::sealed::List;
use crate::params::{HASH_LEN, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, N, Q, SEED_LEN};
use crate::poly::NttPoly;
use crate::sign::sign_mu;
use crate::simd::{Random, dispatch};
use hybrid_array::Array;
use std::println;

/// The mean number of attempts, from the bounds of Algorithm 7, step 23, alone.
///
/// A coefficient of **z** is y + c·s₁ with y uniform among 2γ₁ values. Whatever c·s₁ is, at most β in
/// absolute value, exactly 2(γ₁ − β) − 1 of them end below γ₁ − β. A coefficient of **w** − c·**s**₂ is
/// taken as uniform among q residues, of which m·(2(γ₂ − β) − 1) have low bits below γ₂ − β. The
/// checks of step 28 are left out: they refuse few, and the mean is to be a little larger for them.
fn expected<P: MlDsaParams>() -> f64 {
    let m = f64::from((Q - 1) / (2 * P::GAMMA2 as i32));
    let accepted = |gamma: usize| f64::from(2 * (gamma - P::BETA) as u32 - 1);
    let z = accepted(P::GAMMA1) / (2.0 * f64::from(P::GAMMA1 as u32));
    let r0 = m * accepted(P::GAMMA2) / f64::from(Q);
    1.0 / (z.powi((N * P::L) as i32) * r0.powi((N * P::K) as i32))
}

/// How many keys sign. With `MLDSA_TEST_DIVISOR`, for builds without optimization, fewer.
fn keys() -> u32 {
    let divisor = std::env::var("MLDSA_TEST_DIVISOR");
    100_u32.div_ceil(divisor.map_or(1, |text| text.parse().expect("a number")))
}

/// The mean over a hundred signatures of each of the keys. The standard error of 10 000 signatures is
/// 0.9 %.
fn mean<P: MlDsaParams>() -> f64 {
    let r = &mut Random::new(P::K as u64);
    let mut attempts = 0;
    for _ in 0..keys() {
        let mut a_hat: Matrix<P> = List::repeat(NttPoly::default());
        let mut sk = PrivateKey::<P>::empty();
        let mut pk = PublicKey::<P>::empty();
        let mut sigma = Array::default();
        let xi = r.bytes::<SEED_LEN>();
        dispatch!(isa => keygen::key_gen_internal::<P, _>(isa, &xi, &mut a_hat, &mut sk, &mut pk));
        for _ in 0..100 {
            let (mu, rnd) = (r.bytes::<HASH_LEN>(), r.bytes::<SEED_LEN>());
            let signed = dispatch!(isa => sign_mu::<P, _>(isa, &sk, &a_hat, &mu, &rnd, &mut sigma));
            attempts += signed.expect("a signature") as u32;
        }
    }
    f64::from(attempts) / f64::from(100 * keys())
}

#[test]
fn signing_takes_as_many_attempts_as_the_bounds_say() {
    fn check<P: MlDsaParams>(about: f64) {
        let (expected, mean) = (expected::<P>(), mean::<P>());
        let signatures = 100 * keys();
        println!("attempts: {mean:.3} on average of {signatures}, {expected:.3} expected");
        assert!((expected - about).abs() < 0.1);
        let standard_error = 0.9 / f64::from(signatures).sqrt();
        assert!((mean / expected - 1.0).abs() < 0.03_f64.max(3.0 * standard_error));
    }
    // FIPS 204, Table 1: "repetitions".
    check::<MlDsa44>(4.25);
    check::<MlDsa65>(5.1);
    check::<MlDsa87>(3.85);
}
