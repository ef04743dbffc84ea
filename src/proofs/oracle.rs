//! Every layer, and the whole operations, against FIPS 204 word for word (`tests/spec`), on every
//! instruction set.
//!
//! Integration tests see what is public, and with it the one instruction set that the CPU chooses.
//! `tests/oracle_equality.rs` is one of them, with inputs that reach every bound; here every token of
//! the machine is handed to the same functions.

use crate::encode::{Hint, hint_bit_pack, hint_bit_unpack, hint_is_well_formed};
use crate::keygen;
use crate::keys::{Matrix, PrivateKey, PublicKey};
use crate::ntt::{
    ntt, ntt_inverse, pointwise, pointwise_acc, pointwise_acc_pair, pointwise_acc_sub,
};
use crate::params::sealed::{Derived, List};
use crate::params::{Cols, HASH_LEN, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Q, Rows, SEED_LEN};
use crate::poly::{LANES, Negacyclic, NttPoly, Poly, SmallCoefficients};
use crate::rounding::{
    decompose_poly, make_hint_poly, power2round_poly, sub_and_check, use_hint_poly,
};
use crate::sampling::{
    expand_a, mul_small, mul_t0, rej_bounded_poly, rej_ntt_poly, sample_in_ball,
};
use crate::sign::sign_mu;
use crate::simd::{Isa, Random, for_each_isa};
use crate::verify::{signature_is_well_formed, verify_mu};
use alloc::vec::Vec;
use core::array::from_fn;
use hybrid_array::Array;

#[path = "../../tests/spec/mod.rs"]
mod spec;

/// A parameter set, here and in the oracle.
trait Set: MlDsaParams {
    const SPEC: &'static spec::Params;
}

impl Set for MlDsa44 {
    const SPEC: &'static spec::Params = &spec::ML_DSA_44;
}

impl Set for MlDsa65 {
    const SPEC: &'static spec::Params = &spec::ML_DSA_65;
}

impl Set for MlDsa87 {
    const SPEC: &'static spec::Params = &spec::ML_DSA_87;
}

/// Runs a generic function for each parameter set on each instruction set.
macro_rules! for_each_set_and_isa {
    ($($test:ident),+ $(,)?) => {
        $(#[test]
        fn $test() {
            for_each_isa!(isa => {
                checks::$test::<MlDsa44, _>(isa);
                checks::$test::<MlDsa65, _>(isa);
                checks::$test::<MlDsa87, _>(isa);
            });
        })+
    };
}

for_each_set_and_isa! {
    transforms_and_products,
    products_with_the_challenge,
    rounding_and_hints,
    hints_as_bytes,
    candidates_of_samplers,
    keys,
    signatures_and_verdicts,
    forged_signatures,
}

/// How often each check is repeated with other inputs.
const ROUNDS: usize = 4;

fn coefficients(r: &mut Random, low: i32, high: i32) -> [[i32; LANES]; LANES] {
    from_fn(|_| from_fn(|_| r.within(low, high)))
}

/// A polynomial as the oracle has it.
fn plain(rows: &[[i32; LANES]; LANES]) -> spec::Poly {
    from_fn(|i| rows.as_flattened()[i].into())
}

fn modulo_q(p: spec::Poly) -> spec::Poly {
    p.map(|x| spec::modulo(x, spec::Q))
}

fn plain_ntt(p: &NttPoly) -> spec::NttPoly {
    spec::NttPoly(modulo_q(plain(&p.0)))
}

fn hint_bits(h: &Hint) -> [bool; 256] {
    from_fn(|i| h[i >> 4] >> (i & 15) & 1 == 1)
}

/// Two numbers are the same residue.
fn assert_congruent(ours: &[[i32; LANES]; LANES], oracle: &spec::Poly, factor: i64) {
    let scaled = plain(ours).map(|x| spec::modulo(x, spec::Q) * spec::modulo(factor, spec::Q));
    assert_eq!(modulo_q(scaled), modulo_q(*oracle));
}

mod checks {
    use super::*;

    /// What the products lack, and the inverse transform gives back.
    const TWO_TO_32: i64 = 1 << 32;

    pub(super) fn transforms_and_products<P: Set, I: Isa>(isa: I) {
        let r = &mut Random::new(1);
        for _ in 0..ROUNDS {
            let w = Poly(coefficients(r, 1 - Q, Q - 1));
            let mut w_hat = NttPoly::default();
            ntt(isa, &w, &mut w_hat);
            assert_eq!(plain_ntt(&w_hat), spec::ntt(&modulo_q(plain(&w.0))));

            let w_hat = NttPoly(coefficients(r, 1 - Q, Q - 1));
            let mut w = Poly::default();
            ntt_inverse(isa, &w_hat, &mut w);
            let by_oracle = spec::ntt_inverse(&plain_ntt(&w_hat));
            assert_congruent(&w.0, &by_oracle.map(|x| x * (TWO_TO_32 % spec::Q)), 1);

            let a: Cols<P, NttPoly> = from_list(|| NttPoly(coefficients(r, 0, Q - 1)));
            let y: Cols<P, NttPoly> = from_list(|| NttPoly(coefficients(r, 1 - 5 * Q, 5 * Q - 1)));
            let [b, c] = [(); 2].map(|()| NttPoly(coefficients(r, 1 - 5 * Q, 5 * Q - 1)));
            let plain_a: Vec<_> = a.as_ref().iter().map(plain_ntt).collect();
            let plain_y: Vec<_> = y.as_ref().iter().map(plain_ntt).collect();
            let product = spec::multiply_ntt(&plain_ntt(&b), &plain_ntt(&c));
            let row = spec::matrix_vector_ntt(&[plain_a], &plain_y);
            let mut out = NttPoly::default();
            pointwise(isa, &b, &c, &mut out);
            assert_congruent(&out.0, &product.0, TWO_TO_32);
            pointwise_acc(isa, &a, &y, &mut out);
            assert_congruent(&out.0, &row[0].0, TWO_TO_32);
            let mut pair = [NttPoly::default(); 2];
            pointwise_acc_pair(isa, [&y, &a], &y, &mut pair);
            assert_congruent(&pair[1].0, &row[0].0, TWO_TO_32);
            let square = spec::matrix_vector_ntt(core::slice::from_ref(&plain_y), &plain_y);
            assert_congruent(&pair[0].0, &square[0].0, TWO_TO_32);
            pointwise_acc_sub(isa, &a, &y, &b, &c, &mut out);
            let difference = spec::subtract_ntt(&row, &[product]);
            assert_congruent(&out.0, &difference[0].0, TWO_TO_32);
        }
    }

    pub(super) fn products_with_the_challenge<P: Set, I: Isa>(isa: I) {
        let p = P::SPEC;
        let r = &mut Random::new(2);
        let product = |c: &spec::Poly, s: &spec::Poly| -> spec::Poly {
            let product = spec::multiply_ntt(&spec::ntt(&modulo_q(*c)), &spec::ntt(&modulo_q(*s)));
            spec::ntt_inverse(&product).map(|x| spec::mod_pm(x, spec::Q))
        };
        for round in 0..ROUNDS {
            let c_tilde = r.bytes::<64>();
            let c_tilde = &c_tilde[..P::C_TILDE_LEN];
            let c = sample_in_ball(isa, c_tilde, P::TAU);
            let plain_c = spec::sample_in_ball(p, c_tilde);
            assert_eq!(plain(&c.to_poly().0), plain_c);

            // The largest and the smallest secrets among them.
            let eta = P::ETA as i32;
            let mut value = |bound: i32, least| match round {
                0 => bound,
                1 => least,
                _ => r.within(least, bound),
            };
            let s: [i32; 256] = from_fn(|_| value(eta, -eta));
            let t: [i32; 256] = from_fn(|_| value(1 << 12, 1 - (1 << 12)));
            let mut s_memory = Negacyclic::default();
            let mut t_memory = Negacyclic::default();
            for i in 0..256 {
                s_memory.0[256 + i] = s[i] as i8;
                t_memory.0[i] = -t[i] as i16;
                t_memory.0[256 + i] = t[i] as i16;
            }
            s_memory.negate();
            let mut cs = SmallCoefficients::default();
            mul_small::<I, P::Eta>(isa, &c, &s_memory, &mut cs);
            let cs = from_fn(|i| cs.as_flattened()[i].into());
            assert_eq!(product(&plain_c, &s.map(Into::into)), cs);
            let mut ct = Poly::default();
            mul_t0(isa, &c, &t_memory, &mut ct);
            assert_eq!(product(&plain_c, &t.map(Into::into)), plain(&ct.0));
        }
    }

    /// Rounding of whole polynomials, and an attempt of signing after the challenge with numbers
    /// that come close to every bound.
    pub(super) fn rounding_and_hints<P: Set, I: Isa>(isa: I) {
        let p = P::SPEC;
        let (gamma2, beta) = (P::GAMMA2 as i32, P::BETA as i32);
        let m = (spec::Q - 1) / (2 * p.gamma2);
        let r = &mut Random::new(3);
        for _ in 0..ROUNDS {
            let w = Poly(coefficients(r, -Q, Q - 1));
            let plain_w = plain(&w.0);

            let mut t1 = [0; 320];
            let mut t0 = Negacyclic::default();
            power2round_poly(isa, &w, &mut t1, &mut t0);
            let (plain_t1, plain_t0) = spec::power2_round_vector(&[plain_w]);
            assert_eq!(t1[..], spec::simple_bit_pack(&plain_t1[0], 1023));
            let t0 = t0.positive().map(i64::from);
            assert_eq!(t0, plain_t0[0]);

            let h: Hint = from_fn(|_| r.word() as u16);
            let mut w1 = [0; 192];
            let w1 = &mut w1[..P::W1_LEN];
            use_hint_poly::<I, P::Gamma2>(isa, &h, &w, w1);
            let by_oracle = spec::use_hint_vector(p, &[hint_bits(&h)], &[plain_w]);
            assert_eq!(*w1, spec::simple_bit_pack(&by_oracle[0], m - 1));

            let mut w0 = w;
            decompose_poly::<I, P::Gamma2>(isa, &mut w0, w1);
            let high = spec::map_vector(&[plain_w], |w| spec::high_bits(p, w));
            assert_eq!(*w1, spec::simple_bit_pack(&high[0], m - 1));
            assert_eq!(plain(&w0.0), plain_w.map(|w| spec::low_bits(p, w)));

            // A c·s₂ that leaves no low bits too large, so that the attempt goes on.
            let limit = gamma2 - beta - 1;
            let mut r0 = w0;
            let mut cs2 = SmallCoefficients::default();
            for (cs2, w0) in cs2.as_flattened_mut().iter_mut().zip(w0.0.as_flattened()) {
                *cs2 = (w0 - (*w0).clamp(-limit, limit)) as i16;
            }
            let cs2_poly = from_fn(|i| cs2.as_flattened()[i].into());
            assert!(sub_and_check(isa, &mut r0, &cs2, gamma2 - beta));
            let rest = spec::subtract(&[plain_w], &[cs2_poly])[0];
            assert_eq!(plain(&r0.0), rest.map(|r| spec::low_bits(p, r)));

            let ct0 = Poly(coefficients(r, 1 - gamma2, gamma2 - 1));
            let mut h = Hint::default();
            assert!(make_hint_poly::<I, P::Gamma2>(isa, &r0, &ct0, w1, &mut h));
            let plain_ct0 = plain(&ct0.0);
            let r = spec::add(&[rest], &[plain_ct0])[0];
            let by_oracle = from_fn(|i| spec::make_hint(p, -plain_ct0[i], r[i]));
            assert_eq!(hint_bits(&h), by_oracle);
        }
    }

    pub(super) fn hints_as_bytes<P: Set, I: Isa>(_: I) {
        let p = P::SPEC;
        let r = &mut Random::new(4);
        let decode = |y: &[u8]| {
            let hint = hint_bit_unpack::<P>(y);
            assert_eq!(hint_is_well_formed::<P>(y), hint.is_some());
            hint.map(|h| h.as_ref().iter().map(hint_bits).collect::<Vec<_>>())
        };
        for weight in 0..=P::OMEGA {
            let mut h: Rows<P, Hint> = List::repeat([0; LANES]);
            for _ in 0..weight {
                let row = r.within(0, P::K as i32 - 1) as usize;
                h.as_mut()[row][r.within(0, 15) as usize] |= 1 << r.within(0, 15);
            }
            let plain_h: Vec<_> = h.as_ref().iter().map(hint_bits).collect();
            let mut y = alloc::vec![0xff; P::OMEGA + P::K];
            hint_bit_pack::<P>(&h, &mut y);
            assert_eq!(y, spec::hint_bit_pack(p, &plain_h));
            assert_eq!(decode(&y), Some(plain_h));
            for _ in 0..200 {
                let mut y = y.clone();
                let place = r.within(0, y.len() as i32 - 1) as usize;
                y[place] = match r.within(0, 2) {
                    0 => y[place].wrapping_add(1),
                    1 => y[place].wrapping_sub(1),
                    _ => r.word() as u8,
                };
                assert_eq!(decode(&y), spec::hint_bit_unpack(p, &y));
            }
        }
    }

    /// The samplers on bytes that no hash yields: candidates at and beside their bounds.
    pub(super) fn candidates_of_samplers<P: Set, I: Isa>(isa: I) {
        let p = P::SPEC;
        let r = &mut Random::new(5);
        for round in 0..200 {
            let mut bytes = r.bytes::<840>();
            for candidate in bytes.as_chunks_mut::<3>().0 {
                if r.within(0, 40) <= round & 31 {
                    let x = Q - 1 + r.within(0, 3) + (r.within(0, 1) << 23);
                    candidate.copy_from_slice(&x.to_le_bytes()[..3]);
                }
            }
            let accepted: Vec<_> = bytes
                .as_chunks()
                .0
                .iter()
                .filter_map(|[b0, b1, b2]| spec::coeff_from_three_bytes(*b0, *b1, *b2))
                .take(256)
                .collect();
            let mut a = NttPoly::default();
            // In two calls, as when the first blocks are not enough.
            let (first, second) = bytes.split_at(504);
            let n = rej_ntt_poly(isa, first, &mut a.0, 0);
            let n = rej_ntt_poly(isa, second, &mut a.0, n);
            assert_eq!(n, accepted.len());
            assert_eq!(plain(&a.0)[..n], accepted);

            let mut bytes = r.bytes::<272>();
            if round < 50 {
                bytes.fill_with(|| [0xff, 0x9f, 0xf8, 0xef][(r.word() & 3) as usize]);
            }
            let accepted: Vec<_> = bytes
                .iter()
                .flat_map(|byte| [byte % 16, byte / 16])
                .filter_map(|half| spec::coeff_from_half_byte(p, half))
                .collect();
            let mut s = Negacyclic::default();
            let n = rej_bounded_poly::<I, P::Eta>(isa, &bytes[..136], &mut s, 0);
            let n = rej_bounded_poly::<I, P::Eta>(isa, &bytes[136..], &mut s, n);
            let enough = n.min(256);
            assert_eq!(enough, accepted.len().min(256));
            let s = s.0[..enough].iter().map(|s| i64::from(*s));
            assert!(s.eq(accepted[..enough].iter().copied()));
        }
    }

    pub(super) fn keys<P: Set, I: Isa>(isa: I) {
        let p = P::SPEC;
        let r = &mut Random::new(6);
        for _ in 0..ROUNDS {
            let xi = r.bytes::<SEED_LEN>();
            let (plain_pk, plain_sk) = spec::key_gen_internal(p, &xi);
            let plain_a = spec::expand_a(p, &plain_pk[..SEED_LEN]).concat();
            let is_a = |a_hat: &Matrix<P>| a_hat.as_ref().iter().map(plain_ntt).eq(plain_a.clone());

            let mut a_hat: Matrix<P> = List::repeat(NttPoly::default());
            let mut sk = PrivateKey::<P>::empty();
            let mut pk = PublicKey::<P>::empty();
            keygen::key_gen_internal::<P, I>(isa, &xi, &mut a_hat, &mut sk, &mut pk);
            assert!(is_a(&a_hat));
            assert_eq!(pk.encoded[..], plain_pk);
            assert_eq!(pk.tr[..], spec::h(&plain_pk, HASH_LEN));
            let mut encoded = Array::default();
            sk.encode(isa, &mut encoded);
            assert_eq!(encoded[..], plain_sk);

            let (mut a_hat, mut sk, mut again) = (
                List::repeat(NttPoly::default()),
                PrivateKey::<P>::empty(),
                PublicKey::<P>::empty(),
            );
            assert!(sk.decode(isa, &encoded));
            expand_a::<P, I>(isa, &sk.rho, &mut a_hat);
            assert!(is_a(&a_hat));
            assert!(keygen::public_from_private::<P, I>(
                isa, &sk, &a_hat, &mut again
            ));
            assert_eq!((&again.encoded, again.tr), (&pk.encoded, pk.tr));

            // What does not belong together is seen, in each part.
            sk.tr[r.within(0, 63) as usize] ^= 1 << r.within(0, 7);
            assert!(!keygen::public_from_private::<P, I>(
                isa, &sk, &a_hat, &mut again
            ));
            sk.tr = pk.tr;
            for row in 0..P::K {
                let place = 256 + r.within(0, 255) as usize;
                sk.t0.as_mut()[row].0[place] ^= 1;
                assert!(!keygen::public_from_private::<P, I>(
                    isa, &sk, &a_hat, &mut again
                ));
                sk.t0.as_mut()[row].0[place] ^= 1;
            }
            // So is a coefficient out of range, in each polynomial.
            for row in 0..P::L + P::K {
                let mut encoded = encoded.clone();
                let width = P::ETA_LEN >> 5;
                let start = 2 * SEED_LEN + HASH_LEN + row * P::ETA_LEN;
                // Eight coefficients, all ones.
                encoded[start + width * r.within(0, 31) as usize..][..width].fill(0xff);
                assert!(!sk.decode(isa, &encoded));
            }

            let mut a_hat: Matrix<P> = List::repeat(NttPoly::default());
            let mut again = PublicKey::<P>::empty();
            again.encoded = pk.encoded;
            keygen::expand_public::<P, I>(isa, &mut a_hat, &mut again);
            assert!(is_a(&a_hat));
            assert_eq!(again.tr, pk.tr);
        }
    }

    pub(super) fn signatures_and_verdicts<P: Set, I: Isa>(isa: I) {
        let p = P::SPEC;
        let r = &mut Random::new(7);
        let mut a_hat: Matrix<P> = List::repeat(NttPoly::default());
        let mut sk = PrivateKey::<P>::empty();
        let mut pk = PublicKey::<P>::empty();
        let xi = r.bytes::<SEED_LEN>();
        keygen::key_gen_internal::<P, I>(isa, &xi, &mut a_hat, &mut sk, &mut pk);
        let mut encoded = Array::default();
        sk.encode(isa, &mut encoded);
        for _ in 0..ROUNDS {
            let (mu, rnd) = (r.bytes::<HASH_LEN>(), r.bytes::<SEED_LEN>());
            let mut sigma = Array::default();
            let attempts = sign_mu::<P, I>(isa, &sk, &a_hat, &mu, &rnd, &mut sigma);
            let by_oracle = spec::sign_mu(p, &encoded, &mu, &rnd);
            assert_eq!(sigma[..], by_oracle.sigma);
            assert_eq!(attempts, Ok(by_oracle.attempts));

            let accepts = |sigma: &Array<u8, P::SignatureSize>| {
                signature_is_well_formed::<P, I>(isa, sigma)
                    && verify_mu::<P, I>(isa, &a_hat, &pk, &mu, sigma)
            };
            assert!(accepts(&sigma));
            assert!(spec::verify_mu(p, &pk.encoded, &mu, &sigma));
            for part in [0, P::Z_OFFSET, P::HINT_OFFSET, P::HINT_OFFSET] {
                let mut sigma = sigma.clone();
                sigma[part + r.within(0, 31) as usize] ^= 1 << r.within(0, 7);
                assert!(!accepts(&sigma));
                assert!(!spec::verify_mu(p, &pk.encoded, &mu, &sigma));
                let (_, z, h) = spec::sig_decode(p, &sigma);
                let well_formed = h.is_some() && spec::infinity_norm(&z) < p.gamma1 - p.beta;
                assert_eq!(signature_is_well_formed::<P, I>(isa, &sigma), well_formed);
            }
        }
    }

    /// With **t**₁ = 0 any **z** and any hint have a challenge that fits: **z** at its bound in one
    /// place of each polynomial, with hints of every kind.
    pub(super) fn forged_signatures<P: Set, I: Isa>(isa: I) {
        let p = P::SPEC;
        let r = &mut Random::new(8);
        let mut a_hat: Matrix<P> = List::repeat(NttPoly::default());
        let mut pk = PublicKey::<P>::empty();
        pk.encoded[..SEED_LEN].copy_from_slice(&r.bytes::<SEED_LEN>());
        keygen::expand_public::<P, I>(isa, &mut a_hat, &mut pk);
        let plain_a = spec::expand_a(p, &pk.encoded[..SEED_LEN]);
        let mu = r.bytes::<HASH_LEN>();
        let bound = p.gamma1 - p.beta;
        for polynomial in 0..P::L {
            for extreme in [bound - 1, 1 - bound, bound, -bound] {
                let mut z: Vec<spec::Poly> = Vec::new();
                z.resize_with(P::L, || {
                    from_fn(|_| r.within(1 - bound as i32, bound as i32 - 1).into())
                });
                z[polynomial][r.within(0, 255) as usize] = extreme;
                let mut h = alloc::vec![[false; 256]; P::K];
                for _ in 0..P::OMEGA {
                    let row = r.within(0, P::K as i32 - 1) as usize;
                    h[row][r.within(0, 255) as usize] = true;
                }
                let z_hat = spec::ntt_vector(&z);
                let w = spec::ntt_inverse_vector(&spec::matrix_vector_ntt(&plain_a, &z_hat));
                let w1 = spec::use_hint_vector(p, &h, &w);
                let c_tilde = spec::h(
                    &[&mu[..], &spec::w1_encode(p, &w1)].concat(),
                    P::C_TILDE_LEN,
                );
                let sigma = spec::sig_encode(p, &c_tilde, &z, &h);
                let sigma = Array::try_from(&sigma[..]).expect("the length");
                assert!(verify_mu::<P, I>(isa, &a_hat, &pk, &mu, &sigma));
                // The challenge does not matter here, but every byte of its hash is compared.
                for byte in 0..P::C_TILDE_LEN {
                    let mut sigma = sigma.clone();
                    sigma[byte] ^= 1 << r.within(0, 7);
                    assert!(!verify_mu::<P, I>(isa, &a_hat, &pk, &mu, &sigma));
                }
                let well_formed = signature_is_well_formed::<P, I>(isa, &sigma);
                assert_eq!(well_formed, extreme.abs() < bound);
                assert_eq!(well_formed, spec::verify_mu(p, &pk.encoded, &mu, &sigma));
            }
        }
    }

    fn from_list<T: Copy, L: List<T>>(mut f: impl FnMut() -> T) -> L {
        let mut list = L::repeat(f());
        list.as_mut().fill_with(f);
        list
    }
}
