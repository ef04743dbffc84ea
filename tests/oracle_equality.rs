//! The crate does what the oracle does: on random keys, messages and contexts, on signing keys
//! that no key generation makes, and on signatures that no signer makes.
//!
//! The last are built for public keys with **t**₁ = 0. Then verification computes **Az** alone, so
//! that for *any* **z** and *any* hint a challenge can be computed that fits. This reaches every
//! bound of the acceptance test from both sides, in every coefficient, with everything else right.
#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(
    clippy::integer_division_remainder_used,
    reason = "tests of arithmetic"
)]
#![allow(
    deprecated,
    reason = "expanded private keys are the oracle's only kind"
)]

mod spec;
mod support;

use mldsa_simd::{
    B32, EncodedVerifyingKey, ExpandedSigningKey, ExpandedSigningKeyBytes, Generate, Keypair,
    MlDsa44, MlDsa65, MlDsa87, Seed, Signature, Signer, SigningKey, Verifier, VerifyingKey,
};
use shake::Update;
use spec::{Hint, Poly, Q};
use support::{Given, Set, Stream};

/// Makes of each generic function three tests.
macro_rules! for_each_set {
    ($($test:ident),+ $(,)?) => {
        mod ml_dsa_44 {
            $(#[test] fn $test() { super::$test::<super::MlDsa44>(); })+
        }
        mod ml_dsa_65 {
            $(#[test] fn $test() { super::$test::<super::MlDsa65>(); })+
        }
        mod ml_dsa_87 {
            $(#[test] fn $test() { super::$test::<super::MlDsa87>(); })+
        }
    };
}

for_each_set! {
    random_keys_and_messages,
    contexts_of_every_length,
    messages_of_every_length_in_every_split,
    signing_keys_with_extreme_coefficients,
    signing_with_z_at_its_bound,
    signing_with_r0_at_its_bound,
    signing_with_hints_at_their_bounds,
    signing_with_ct0_at_its_bound,
    signing_with_as_many_hints_as_allowed,
    z_at_its_bound_in_every_coefficient,
    z_at_the_ends_of_its_encoding,
    low_bits_at_their_bounds_under_a_hint,
    hints_of_every_weight_in_every_row,
    malformed_hints,
    damaged_hints,
    damaged_signatures,
    signatures_of_other_lengths,
}

/// The verdict of the crate from bytes to answer.
fn accepts<P: Set>(key: &VerifyingKey<P>, m: &[u8], ctx: &[u8], sigma: &[u8]) -> bool {
    Signature::<P>::try_from(sigma)
        .is_ok_and(|signature| key.verify_with_context(m, ctx, &signature))
}

fn random_keys_and_messages<P: Set>() {
    let p = P::SPEC;
    let mut random = Stream::new("random keys and messages");
    for _ in 0..40 {
        let xi = random.array::<32>();
        let (pk, sk) = spec::key_gen(p, Some(xi)).unwrap();
        let key = SigningKey::<P>::generate_from_rng(&mut Given(&xi));
        let expanded = ExpandedSigningKey::<P>::from_seed(&Seed::from(xi));
        assert!(key.to_seed()[..] == xi);
        assert!(expanded.to_expanded()[..] == sk);
        let verifying_key = key.verifying_key();
        assert!(verifying_key.encode()[..] == pk);
        assert!(expanded.verifying_key() == verifying_key);
        let decoded = VerifyingKey::<P>::decode(&pk[..].try_into().unwrap());
        assert!(decoded == verifying_key);
        let imported = ExpandedSigningKey::<P>::from_expanded(&sk[..].try_into().unwrap());
        assert!(imported == expanded);

        let (m_length, ctx_length) = (random.below(2000) as usize, random.below(256) as usize);
        let (m, ctx) = (random.bytes(m_length), random.bytes(ctx_length));
        let rnd = random.array::<32>();
        let deterministic = spec::sign(p, &sk, &m, &ctx, Some([0; 32])).unwrap();
        let hedged = spec::sign(p, &sk, &m, &ctx, Some(rnd)).unwrap();
        let pure = spec::sign(p, &sk, &m, &[], Some([0; 32])).unwrap();
        for key in [&expanded, &imported] {
            let signature = key.sign_deterministic(&m, &ctx).unwrap();
            assert!(signature.encode()[..] == deterministic);
            let signature = key.sign_randomized(&m, &ctx, &mut Given(&rnd)).unwrap();
            assert!(signature.encode()[..] == hedged);
            assert!(key.sign(&m).encode()[..] == pure);
        }
        assert!(key.sign(&m).encode()[..] == pure);
        let internal = spec::sign_internal(p, &sk, &m, &rnd);
        assert!(expanded.sign_internal(&[&m], &B32::from(rnd)).encode()[..] == internal);
        let internal = Signature::try_from(&internal[..]).unwrap();
        assert!(decoded.verify_internal(&m, &internal));
        assert!(!decoded.verify_with_context(&m, &[], &internal));

        for key in [&verifying_key, &decoded] {
            assert!(accepts(key, &m, &ctx, &deterministic));
            assert!(accepts(key, &m, &ctx, &hedged));
            assert!(accepts(key, &m, &[], &pure));
            assert_eq!(accepts(key, &m, &ctx, &pure), ctx.is_empty());
        }
        // A bit of each input is wrong.
        let flip = |bytes: &[u8], bit: u64| {
            let mut bytes = bytes.to_vec();
            if let Some(byte) = bytes.get_mut(bit as usize / 8) {
                *byte ^= 1 << (bit % 8);
            } else {
                bytes.push(0);
            }
            bytes
        };
        let other_m = flip(&m, random.below(8 * m.len() as u64 + 1));
        let other_sigma = flip(&hedged, random.below(8 * hedged.len() as u64));
        let other_pk = flip(&pk, random.below(8 * pk.len() as u64));
        assert!(!accepts(&decoded, &other_m, &ctx, &hedged));
        assert!(!accepts(&decoded, &m, &ctx, &other_sigma));
        assert!(!spec::verify(p, &pk, &m, &other_sigma, &ctx));
        let other_key = VerifyingKey::<P>::decode(&other_pk[..].try_into().unwrap());
        assert!(other_key.encode()[..] == other_pk);
        assert!(!accepts(&other_key, &m, &ctx, &hedged));
        assert!(!spec::verify(p, &other_pk, &m, &hedged, &ctx));
    }
}

fn contexts_of_every_length<P: Set>() {
    let p = P::SPEC;
    let (pk, sk) = spec::key_gen_internal(p, &[3; 32]);
    let key = ExpandedSigningKey::<P>::from_seed(&Seed::from([3; 32]));
    let verifying_key = key.verifying_key();
    let bytes = Stream::new("contexts").bytes(256);
    for length in 0..=255 {
        let ctx = &bytes[..length];
        let signature = key.sign_deterministic(b"message", ctx).unwrap();
        // The oracle is slow: it checks the ends, and the rest is checked through it below.
        if !(5..250).contains(&length) {
            let sigma = spec::sign(p, &sk, b"message", ctx, Some([0; 32])).unwrap();
            assert!(signature.encode()[..] == sigma, "{length}");
        }
        assert!(
            verifying_key.verify_with_context(b"message", ctx, &signature),
            "{length}"
        );
        assert!(
            spec::verify(p, &pk, b"message", &signature.encode(), ctx),
            "{length}"
        );
        // Neither a byte more nor one less, nor a byte moved into the message.
        assert!(!verifying_key.verify_with_context(b"message", &bytes[..length + 1], &signature));
        if let Some((last, start)) = ctx.split_last() {
            assert!(!verifying_key.verify_with_context(b"message", start, &signature));
            let moved = [&[*last], &b"message"[..]].concat();
            assert!(!verifying_key.verify_with_context(&moved, start, &signature));
        }
    }
    let signature = key.sign_deterministic(b"message", &[]).unwrap();
    for length in [256, 257, 511, 512, 65_536] {
        let ctx = vec![0; length];
        assert!(key.sign_deterministic(b"message", &ctx).is_err());
        assert!(
            key.sign_randomized(b"message", &ctx, &mut Given(&[]))
                .is_err()
        );
        assert!(verifying_key.compute_mu(|_| Ok(()), &ctx).is_err());
        assert!(!verifying_key.verify_with_context(b"message", &ctx, &signature));
    }
}

fn messages_of_every_length_in_every_split<P: Set>() {
    use mldsa_simd::signature::{MultipartSigner, MultipartVerifier};
    let (pk, _) = spec::key_gen_internal(P::SPEC, &[4; 32]);
    let key = ExpandedSigningKey::<P>::from_seed(&Seed::from([4; 32]));
    let verifying_key = key.verifying_key();
    let tr = spec::h(&pk, 64);
    let bytes = Stream::new("messages").bytes(600);
    // Three blocks of SHAKE256 with everything that stands before the message.
    for length in 0..=420 {
        let m = &bytes[..length];
        let mu = spec::h(&[&tr, &[0, 2, 8, 9][..], m].concat(), 64);
        let computed = verifying_key.compute_mu(
            |shake| {
                m.chunks(1 + length % 37)
                    .for_each(|part| shake.update(part));
                Ok(())
            },
            &[8, 9],
        );
        assert!(computed.unwrap()[..] == mu, "{length}");
        if length % 20 == 0 {
            let whole = key.sign_deterministic(m, &[8, 9]).unwrap();
            assert!(key.sign_mu_deterministic(&mu[..].try_into().unwrap()) == whole);
            assert!(verifying_key.verify_mu(&mu[..].try_into().unwrap(), &whole));
        }
    }
    let m = &bytes[..300];
    let whole = key.sign(m);
    for split in 0..=300 {
        let parts = [&m[..split], &[], &m[split..]];
        assert!(
            verifying_key.multipart_verify(&parts, &whole).is_ok(),
            "{split}"
        );
        if split % 20 == 0 {
            assert!(key.try_multipart_sign(&parts).unwrap() == whole, "{split}");
        }
    }
}

fn signing_keys_with_extreme_coefficients<P: Set>() {
    let p = P::SPEC;
    let mut random = Stream::new("extreme signing keys");
    let eta = p.eta;
    let (t0_min, t0_max) = (-4095, 4096);
    let constant = |c: i64| move |_: usize| c;
    let alternating = |a: i64, b: i64| move |i: usize| [a, b][i % 2];
    let halves = |a: i64, b: i64| move |i: usize| if i < 128 { a } else { b };
    type Pattern<'a> = &'a dyn Fn(usize) -> i64;
    let secrets: [(Pattern<'_>, Pattern<'_>); 6] = [
        (&constant(0), &constant(0)),
        (&constant(eta), &constant(eta)),
        (&constant(-eta), &constant(eta)),
        (&constant(-eta), &constant(-eta)),
        (&alternating(eta, -eta), &alternating(-eta, eta)),
        (&halves(eta, -eta), &halves(-eta, eta)),
    ];
    let t0s: [Pattern<'_>; 4] = [
        &constant(0),
        &alternating(t0_max, t0_min),
        &halves(t0_min, t0_max),
        &constant(t0_max),
    ];
    for (s1, s2) in secrets {
        for t0 in t0s {
            let [rho, key_seed] = [random.bytes(32), random.bytes(32)];
            let tr = random.bytes(64);
            let vector = |f: Pattern<'_>, n: usize| vec![core::array::from_fn(f); n];
            let (s1, s2, t0) = (vector(s1, p.l), vector(s2, p.k), vector(t0, p.k));
            let sk = spec::sk_encode(p, &rho, &key_seed, &tr, &s1, &s2, &t0);
            let bytes = ExpandedSigningKeyBytes::<P>::try_from(&sk[..]).unwrap();
            let key = ExpandedSigningKey::<P>::from_expanded(&bytes);
            assert!(key.to_expanded() == bytes);
            let signature = key.sign_internal(&[b"message"], &B32::default());
            let sigma = spec::sign_internal(p, &sk, b"message", &[0; 32]);
            assert!(signature.encode()[..] == sigma);
        }
    }
}

/// The first attempt at a signature, up to its challenge. That depends on ρ, K and μ alone, so that
/// **s**₁, **s**₂ and **t**₀ can be made for it, and bring a value to just where it is wanted.
struct Attempt {
    mu: [u8; 64],
    y: Vec<Poly>,
    w: Vec<Poly>,
    c: Poly,
}

/// Makes attempts, and private keys for them.
struct Tailor<P: Set> {
    rho: Vec<u8>,
    key_seed: Vec<u8>,
    a_hat: Vec<Vec<spec::NttPoly>>,
    random: Stream,
    set: core::marker::PhantomData<P>,
}

impl<P: Set> Tailor<P> {
    fn new(label: &str) -> Self {
        let mut random = Stream::new(label);
        let rho = random.bytes(32);
        Self {
            a_hat: spec::expand_a(P::SPEC, &rho),
            rho,
            key_seed: random.bytes(32),
            random,
            set: core::marker::PhantomData,
        }
    }

    /// Algorithm 7, steps 7 to 16, for another μ at every call.
    fn attempt(&mut self) -> Attempt {
        let p = P::SPEC;
        let mu = self.random.array::<64>();
        let rho_double_prime = spec::h(&[&self.key_seed, &[0; 32][..], &mu].concat(), 64);
        let y = spec::expand_mask(p, &rho_double_prime, 0);
        let y_hat = spec::ntt_vector(&y);
        let w = spec::ntt_inverse_vector(&spec::matrix_vector_ntt(&self.a_hat, &y_hat));
        let w1 = spec::map_vector(&w, |w| spec::high_bits(p, w));
        let c_tilde = spec::h(&[&mu, &spec::w1_encode(p, &w1)[..]].concat(), p.lambda / 4);
        let c = spec::sample_in_ball(p, &c_tilde);
        Attempt { mu, y, w, c }
    }

    /// Signs with the crate and with the oracle, and returns the latter's attempts and hint.
    fn sign(&self, mu: &[u8; 64], s1: &[Poly], s2: &[Poly], t0: &[Poly]) -> (usize, Vec<Hint>) {
        let p = P::SPEC;
        let sk = spec::sk_encode(p, &self.rho, &self.key_seed, &[0; 64], s1, s2, t0);
        let bytes = ExpandedSigningKeyBytes::<P>::try_from(&sk[..]).unwrap();
        let signature = ExpandedSigningKey::<P>::from_expanded(&bytes)
            .sign_mu_deterministic(&mu[..].try_into().unwrap());
        let by_oracle = spec::sign_mu(p, &sk, mu, &[0; 32]);
        assert!(signature.encode()[..] == by_oracle.sigma);
        let (_, _, hint) = spec::sig_decode(p, &by_oracle.sigma);
        (by_oracle.attempts, hint.unwrap())
    }
}

/// c·s for each polynomial of a vector, in −q/2 ..= q/2.
fn times(c: &Poly, s: &[Poly]) -> Vec<Poly> {
    let product = spec::scalar_vector_ntt(&spec::ntt(c), &spec::ntt_vector(s));
    spec::map_vector(&spec::ntt_inverse_vector(&product), |c| spec::mod_pm(c, Q))
}

/// A polynomial s with coefficients of at most `limit` in magnitude, for which coefficient `lane`
/// of c·s is `value`.
fn tailored(c: &Poly, lane: usize, value: i64, limit: i64) -> Option<Poly> {
    let mut s = [0; 256];
    let mut left = value;
    for (i, &c) in c.iter().enumerate().filter(|&(_, &c)| c != 0) {
        // Xⁱ times X^(lane − i), where X²⁵⁶ = −1.
        let (m, sign) = if i <= lane {
            (lane - i, c)
        } else {
            (256 + lane - i, -c)
        };
        s[m] = (sign * left).clamp(-limit, limit);
        left -= sign * s[m];
    }
    (left == 0).then_some(s)
}

/// What a bound is tried with: each polynomial of a vector, and both signs.
fn polynomials_and_signs(n: usize) -> Vec<(usize, i64)> {
    (0..n).flat_map(|i| [(i, 1), (i, -1)]).collect()
}

fn zeros(n: usize) -> Vec<Poly> {
    vec![[0; 256]; n]
}

/// Attempts within which each of these tests finds all its cases.
const MANY: usize = 4000;

fn signing_with_z_at_its_bound<P: Set>() {
    let p = P::SPEC;
    let mut tailor = Tailor::<P>::new("signing, z");
    let bound = p.gamma1 - p.beta;
    let mut wanted = polynomials_and_signs(p.l);
    for _ in 0..MANY {
        let Attempt { mu, y, w, c } = tailor.attempt();
        let r0 = spec::map_vector(&w, |w| spec::low_bits(p, w));
        if wanted.is_empty() || spec::infinity_norm(&r0) >= p.gamma2 - p.beta {
            continue;
        }
        wanted.retain(|&(i, sign)| {
            // s₁ that brings z[i][lane] to a value, and nothing else beyond it.
            let reaches = |lane: usize, magnitude: i64| {
                let mut s1 = zeros(p.l);
                s1[i] = tailored(&c, lane, sign * magnitude - y[i][lane], p.eta)?;
                let z = spec::add(&y, &times(&c, &s1));
                assert_eq!(spec::mod_pm(z[i][lane], Q), sign * magnitude);
                (spec::infinity_norm(&z) == magnitude).then_some(s1)
            };
            for lane in 0..256 {
                let (inside, beyond) = (reaches(lane, bound - 1), reaches(lane, bound));
                if let (Some(inside), Some(beyond)) = (inside, beyond) {
                    let (s2, t0) = (zeros(p.k), zeros(p.k));
                    assert_eq!(tailor.sign(&mu, &inside, &s2, &t0).0, 1);
                    assert!(tailor.sign(&mu, &beyond, &s2, &t0).0 > 1);
                    return false;
                }
            }
            true
        });
    }
    assert_eq!(wanted, []);
}

fn signing_with_r0_at_its_bound<P: Set>() {
    let p = P::SPEC;
    let mut tailor = Tailor::<P>::new("signing, r0");
    let bound = p.gamma2 - p.beta;
    let mut wanted = polynomials_and_signs(p.k);
    for _ in 0..MANY {
        let Attempt { mu, y, w, c } = tailor.attempt();
        if wanted.is_empty() || spec::infinity_norm(&y) >= p.gamma1 - p.beta {
            continue;
        }
        wanted.retain(|&(i, sign)| {
            // s₂ that brings r₀[i][lane] to a value, and nothing else beyond it.
            let reaches = |lane: usize, magnitude: i64| {
                let mut s2 = zeros(p.k);
                let change = spec::low_bits(p, w[i][lane]) - sign * magnitude;
                s2[i] = tailored(&c, lane, change, p.eta)?;
                let r = spec::subtract(&w, &times(&c, &s2));
                let r0 = spec::map_vector(&r, |r| spec::low_bits(p, r));
                assert_eq!(r0[i][lane], sign * magnitude);
                (spec::infinity_norm(&r0) == magnitude).then_some(s2)
            };
            for lane in 0..256 {
                let (inside, beyond) = (reaches(lane, bound - 1), reaches(lane, bound));
                if let (Some(inside), Some(beyond)) = (inside, beyond) {
                    let (s1, t0) = (zeros(p.l), zeros(p.k));
                    assert_eq!(tailor.sign(&mu, &s1, &inside, &t0).0, 1);
                    assert!(tailor.sign(&mu, &s1, &beyond, &t0).0 > 1);
                    return false;
                }
            }
            true
        });
    }
    assert_eq!(wanted, []);
}

impl Attempt {
    /// Whether z and r₀ are within their bounds when **s**₁ and **s**₂ are 0.
    fn passes(&self, p: &spec::Params) -> bool {
        let r0 = spec::map_vector(&self.w, |w| spec::low_bits(p, w));
        spec::infinity_norm(&self.y) < p.gamma1 - p.beta
            && spec::infinity_norm(&r0) < p.gamma2 - p.beta
    }
}

fn signing_with_hints_at_their_bounds<P: Set>() {
    let p = P::SPEC;
    let mut tailor = Tailor::<P>::new("signing, hints");
    let m = (Q - 1) / (2 * p.gamma2);
    // r₀ + ct₀ about ±γ₂, where the high bits change: from 0, from the largest, from others.
    let mut wanted: Vec<(usize, usize, i64)> = vec![];
    for row in 0..p.k {
        for place in 0..3 {
            for offset in [-1, 0, 1] {
                wanted.push((row, place, p.gamma2 + offset));
                wanted.push((row, place, -p.gamma2 + offset));
            }
        }
    }
    let place_of = |r1: i64| match r1 {
        0 => 0,
        r1 if r1 == m - 1 => 1,
        _ => 2,
    };
    let mut hinted = [0, 0];
    for _ in 0..MANY {
        if wanted.is_empty() {
            break;
        }
        let attempt = tailor.attempt();
        if !attempt.passes(p) {
            continue;
        }
        let Attempt { mu, w, c, .. } = attempt;
        wanted.retain(|&(row, place, target)| {
            for lane in 0..256 {
                let (r1, r0) = spec::decompose(p, w[row][lane]);
                // A small change leaves most other coefficients without a hint.
                if place_of(r1) != place || (target - r0).abs() > 4000 {
                    continue;
                }
                let mut t0 = zeros(p.k);
                t0[row] = tailored(&c, lane, target - r0, 4095).unwrap();
                let ct0 = times(&c, &t0);
                assert_eq!(ct0[row][lane], target - r0);
                let (attempts, hint) = tailor.sign(&mu, &zeros(p.l), &zeros(p.k), &t0);
                assert_eq!(attempts, 1);
                let changed = spec::high_bits(p, w[row][lane] + target - r0) != r1;
                assert_eq!(hint[row][lane], changed);
                hinted[usize::from(changed)] += 1;
                return false;
            }
            true
        });
    }
    assert_eq!(wanted, []);
    // Beyond γ₂ either way, and at −γ₂ unless the high bits are 0.
    assert_eq!(hinted, [p.k * (3 * 3 + 1), p.k * (3 * 3 - 1)]);
}

fn signing_with_ct0_at_its_bound<P: Set>() {
    let p = P::SPEC;
    let limit = 4095;
    if p.tau as i64 * 4096 < p.gamma2 {
        // No private key reaches the bound: it is there for ML-DSA-44.
        assert_ne!(p.name, "ML-DSA-44");
        return;
    }
    let mut tailor = Tailor::<P>::new("signing, ct0");
    let mut wanted = polynomials_and_signs(p.k);
    for lane in (0..256).cycle().take(MANY) {
        if wanted.is_empty() {
            break;
        }
        let attempt = tailor.attempt();
        if !attempt.passes(p) {
            continue;
        }
        let Attempt { mu, w, c, .. } = attempt;
        wanted.retain(|&(i, sign)| {
            let reaches = |magnitude: i64| {
                let mut t0 = zeros(p.k);
                t0[i] = tailored(&c, lane, sign * magnitude, limit)?;
                let ct0 = times(&c, &t0);
                assert_eq!(ct0[i][lane], sign * magnitude);
                let r = spec::add(&w, &ct0);
                let ones = (0..256)
                    .filter(|&j| spec::make_hint(p, -ct0[i][j], r[i][j]))
                    .count();
                (spec::infinity_norm(&ct0) == magnitude && ones <= p.omega).then_some(t0)
            };
            let (Some(inside), Some(beyond)) = (reaches(p.gamma2 - 1), reaches(p.gamma2)) else {
                return true;
            };
            let (s1, s2) = (zeros(p.l), zeros(p.k));
            assert_eq!(tailor.sign(&mu, &s1, &s2, &inside).0, 1);
            assert!(tailor.sign(&mu, &s1, &s2, &beyond).0 > 1);
            false
        });
    }
    assert_eq!(wanted, []);
}

fn signing_with_as_many_hints_as_allowed<P: Set>() {
    let p = P::SPEC;
    let mut tailor = Tailor::<P>::new("signing, omega");
    // With this magnitude in t₀ there are about ω ones.
    let ct0 = (2 * p.gamma2) as f64 * p.omega as f64 / (256 * p.k) as f64;
    let magnitude = (ct0 / 0.8 / (p.tau as f64).sqrt()) as i64;
    let mut wanted = vec![p.omega, p.omega + 1];
    for _ in 0..MANY {
        if wanted.is_empty() {
            break;
        }
        let attempt = tailor.attempt();
        if !attempt.passes(p) {
            continue;
        }
        let Attempt { mu, w, c, .. } = attempt;
        let random = &mut tailor.random;
        let mut coefficient = |_| {
            if random.below(2) == 0 {
                magnitude
            } else {
                -magnitude
            }
        };
        let t0: Vec<Poly> = (0..p.k)
            .map(|_| core::array::from_fn(&mut coefficient))
            .collect();
        let ct0 = times(&c, &t0);
        let r = spec::add(&w, &ct0);
        let hint = |i: usize, j: usize| spec::make_hint(p, -ct0[i][j], r[i][j]);
        let ones = (0..p.k).flat_map(|i| (0..256).map(move |j| (i, j)));
        let ones = ones.filter(|&(i, j)| hint(i, j)).count();
        if spec::infinity_norm(&ct0) < p.gamma2 && wanted.contains(&ones) {
            wanted.retain(|&count| count != ones);
            let (attempts, _) = tailor.sign(&mu, &zeros(p.l), &zeros(p.k), &t0);
            assert_eq!(attempts == 1, ones <= p.omega);
        }
    }
    assert_eq!(wanted, []);
}

/// Makes signatures for a public key with **t**₁ = 0.
struct Forger<P: Set> {
    pk: Vec<u8>,
    key: VerifyingKey<P>,
    mu: Vec<u8>,
    /// **A**, not under the NTT.
    a: Vec<Vec<Poly>>,
}

impl<P: Set> Forger<P> {
    const M: &'static [u8] = b"forged";

    fn new(random: &mut Stream) -> Self {
        let p = P::SPEC;
        let rho = random.bytes(32);
        let pk = spec::pk_encode(p, &rho, &vec![[0; 256]; p.k]);
        let key = VerifyingKey::decode(&EncodedVerifyingKey::<P>::try_from(&pk[..]).unwrap());
        let mu = spec::h(&[&spec::h(&pk, 64), &[0, 0][..], Self::M].concat(), 64);
        let a_hat = spec::expand_a(p, &rho);
        let a = a_hat
            .iter()
            .map(|row| spec::ntt_inverse_vector(row))
            .collect();
        Self { pk, key, mu, a }
    }

    /// **Az**
    fn w(&self, z: &[Poly]) -> Vec<Poly> {
        let a_hat: Vec<_> = self.a.iter().map(|row| spec::ntt_vector(row)).collect();
        spec::ntt_inverse_vector(&spec::matrix_vector_ntt(&a_hat, &spec::ntt_vector(z)))
    }

    /// **Az** of the **z** whose one coefficient other than 0 is `value`, that of Xⁱ in polynomial
    /// `s`.
    fn w_of_monomial(&self, s: usize, i: usize, value: i64) -> Vec<Poly> {
        let times_monomial = |row: &Vec<Poly>| {
            let mut product = [0; 256];
            for (m, a) in row[s].iter().enumerate() {
                let sign = if m + i < 256 { 1 } else { -1 };
                product[(m + i) % 256] = spec::modulo(sign * value * a, Q);
            }
            product
        };
        self.a.iter().map(times_monomial).collect()
    }

    /// The challenge that fits w₁.
    fn c_tilde(&self, w1: &[Poly]) -> Vec<u8> {
        let p = P::SPEC;
        spec::h(
            &[&self.mu, &spec::w1_encode(p, w1)[..]].concat(),
            p.lambda / 4,
        )
    }

    /// The signature of (z, h), where w = **Az** is known.
    fn sign_w(&self, w: &[Poly], z: &[Poly], h: &[Hint]) -> Vec<u8> {
        let p = P::SPEC;
        spec::sig_encode(p, &self.c_tilde(&spec::use_hint_vector(p, h, w)), z, h)
    }

    /// The signature of (z, h).
    fn sign(&self, z: &[Poly], h: &[Hint]) -> Vec<u8> {
        self.sign_w(&self.w(z), z, h)
    }

    /// The verdict of the crate.
    fn accepts(&self, sigma: &[u8]) -> bool {
        accepts(&self.key, Self::M, &[], sigma)
    }

    /// Both verdicts are what is expected.
    fn check(&self, sigma: &[u8], expected: bool, what: &str) {
        assert_eq!(self.accepts(sigma), expected, "{what}");
        let by_oracle = spec::verify(P::SPEC, &self.pk, Self::M, sigma, &[]);
        assert_eq!(by_oracle, expected, "{what}, by the oracle");
    }
}

/// A polynomial vector with coefficients of at most `bound` in magnitude; some reach it.
fn random_z(random: &mut Stream, l: usize, bound: i64) -> Vec<Poly> {
    let mut coefficient = |_| match random.below(8) {
        0 => bound,
        1 => -bound,
        _ => random.below(2 * bound as u64 + 1) as i64 - bound,
    };
    (0..l)
        .map(|_| core::array::from_fn(&mut coefficient))
        .collect()
}

fn no_hint(p: &spec::Params) -> Vec<Hint> {
    vec![[false; 256]; p.k]
}

fn z_at_its_bound_in_every_coefficient<P: Set>() {
    let p = P::SPEC;
    let mut random = Stream::new("z at its bound");
    let forger = Forger::<P>::new(&mut random);
    let bound = p.gamma1 - p.beta;
    let h = no_hint(p);
    let z = random_z(&mut random, p.l, bound - 1);
    forger.check(&forger.sign(&z, &h), true, "the start");
    let w = forger.w(&z);
    let mut packed: Vec<_> = z
        .iter()
        .map(|z| spec::bit_pack(z, p.gamma1 - 1, p.gamma1))
        .collect();
    let hint = spec::hint_bit_pack(p, &h);
    for s in 0..p.l {
        for i in 0..256 {
            for value in [bound - 1, 1 - bound, bound, -bound] {
                let change = forger.w_of_monomial(s, i, value - z[s][i]);
                let w1 = spec::map_vector(&spec::add(&w, &change), |w| spec::high_bits(p, w));
                let mut changed = z[s];
                changed[i] = value;
                packed[s] = spec::bit_pack(&changed, p.gamma1 - 1, p.gamma1);
                let sigma = [forger.c_tilde(&w1), packed.concat(), hint.clone()].concat();
                let expected = value.abs() < bound;
                assert_eq!(forger.accepts(&sigma), expected, "z[{s}][{i}] = {value}");
                if i % 64 == s {
                    forger.check(&sigma, expected, "a sample");
                }
            }
        }
        packed[s] = spec::bit_pack(&z[s], p.gamma1 - 1, p.gamma1);
    }
}

fn z_at_the_ends_of_its_encoding<P: Set>() {
    let p = P::SPEC;
    let mut random = Stream::new("z at the ends");
    let forger = Forger::<P>::new(&mut random);
    let (bound, h) = (p.gamma1 - p.beta, no_hint(p));
    // Everywhere at once.
    for value in [
        0,
        1,
        -1,
        bound - 1,
        1 - bound,
        bound,
        -bound,
        p.gamma1 - 1,
        1 - p.gamma1,
        p.gamma1,
    ] {
        let z = vec![[value; 256]; p.l];
        forger.check(
            &forger.sign(&z, &h),
            value.abs() < bound,
            &format!("z = {value}"),
        );
    }
    // Every forbidden value, in some coefficient of an else valid z.
    for magnitude in bound - 3..=p.gamma1 {
        for value in [magnitude, -magnitude] {
            if value == -p.gamma1 {
                continue; // It has no encoding.
            }
            let mut z = random_z(&mut random, p.l, bound - 1);
            z[random.below(p.l as u64) as usize][random.below(256) as usize] = value;
            let expected = magnitude < bound;
            assert_eq!(forger.accepts(&forger.sign(&z, &h)), expected, "{value}");
        }
    }
}

/// a⁻¹ modulo q.
fn inverse(a: i64) -> i64 {
    let (mut power, mut square, mut exponent) = (1, a, Q - 2);
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = power * square % Q;
        }
        square = square * square % Q;
        exponent /= 2;
    }
    power
}

fn low_bits_at_their_bounds_under_a_hint<P: Set>() {
    let p = P::SPEC;
    let mut random = Stream::new("low bits at their bounds");
    let forger = Forger::<P>::new(&mut random);
    let m = (Q - 1) / (2 * p.gamma2);
    let offsets = [-p.gamma2, 1 - p.gamma2, -1, 0, 1, p.gamma2 - 1, p.gamma2];
    let mut cases = 0;
    for row in 0..p.k {
        for r1 in 0..m {
            for offset in offsets {
                let target = spec::modulo(2 * p.gamma2 * r1 + offset, Q);
                // A monomial in z that brings this value into w[row][lane], small enough for z.
                let lane = cases % 256;
                let (s, i, value) = monomial(&forger, row, lane, target);
                let mut z = vec![[0; 256]; p.l];
                z[s][i] = value;
                let w = forger.w_of_monomial(s, i, value);
                assert_eq!(w[row][lane], target);
                for hinted in [false, true] {
                    let mut h = no_hint(p);
                    for _ in 0..random.below(p.omega as u64) {
                        h[random.below(p.k as u64) as usize][random.below(256) as usize] = true;
                    }
                    h[row][lane] = hinted;
                    let sigma = forger.sign_w(&w, &z, &h);
                    let what = format!("r = {target}, hint {hinted}, w[{row}][{lane}]");
                    assert!(forger.accepts(&sigma), "{what}");
                    // A verifier that takes a neighbour for the high bits must refuse.
                    let mut w1 = spec::use_hint_vector(p, &h, &w);
                    let wrong = if cases % 2 == 0 { 1 } else { m - 1 };
                    w1[row][lane] = (w1[row][lane] + wrong) % m;
                    let sigma_of_neighbour = spec::sig_encode(p, &forger.c_tilde(&w1), &z, &h);
                    assert!(!forger.accepts(&sigma_of_neighbour), "{what}, a neighbour");
                    if cases % 64 == 0 {
                        forger.check(&sigma, true, &what);
                        forger.check(&sigma_of_neighbour, false, &what);
                    }
                }
                cases += 1;
            }
        }
    }
    assert_eq!(cases, p.k * usize::try_from(m).unwrap() * offsets.len());
}

/// The polynomial, the exponent and the value of the one coefficient of a valid **z** for which
/// coefficient `lane` of (**Az**)\[`row`\] is `target`.
fn monomial<P: Set>(
    forger: &Forger<P>,
    row: usize,
    lane: usize,
    target: i64,
) -> (usize, usize, i64) {
    let p = P::SPEC;
    for s in 0..p.l {
        for from in 0..256 {
            // a·X^from of A[row][s], times value·X^i, lands in X^lane.
            let (i, sign) = if from <= lane {
                (lane - from, 1)
            } else {
                (256 + lane - from, -1)
            };
            let a = forger.a[row][s][from];
            let value = spec::mod_pm(sign * target * inverse(a), Q);
            if a != 0 && value.abs() < p.gamma1 - p.beta {
                return (s, i, value);
            }
        }
    }
    panic!("no monomial for {target}");
}

fn hints_of_every_weight_in_every_row<P: Set>() {
    let p = P::SPEC;
    let mut random = Stream::new("hints of every weight");
    let forger = Forger::<P>::new(&mut random);
    let z = random_z(&mut random, p.l, p.gamma1 - p.beta - 1);
    let w = forger.w(&z);
    // All in one row, from either end and from somewhere.
    for row in 0..p.k {
        for weight in 0..=p.omega {
            for start in [0, 256 - weight, random.below(256 - weight as u64) as usize] {
                let mut h = no_hint(p);
                h[row][start..start + weight].fill(true);
                assert!(
                    forger.accepts(&forger.sign_w(&w, &z, &h)),
                    "{weight} in row {row}"
                );
            }
        }
    }
    // Each coefficient alone.
    for row in 0..p.k {
        for lane in 0..256 {
            let mut h = no_hint(p);
            h[row][lane] = true;
            assert!(
                forger.accepts(&forger.sign_w(&w, &z, &h)),
                "{lane} in row {row}"
            );
        }
    }
    // Scattered.
    for weight in 0..=p.omega {
        let h = random_hint(&mut random, p, weight);
        forger.check(
            &forger.sign_w(&w, &z, &h),
            true,
            &format!("{weight} scattered"),
        );
    }
}

/// A hint with so many ones.
fn random_hint(random: &mut Stream, p: &spec::Params, weight: usize) -> Vec<Hint> {
    let mut h = no_hint(p);
    while h.iter().flatten().filter(|&&one| one).count() < weight {
        h[random.below(p.k as u64) as usize][random.below(256) as usize] = true;
    }
    h
}

/// Each malformed encoding stands for a hint for which the rest of the signature is right, so that
/// a decoder that is lenient in one way accepts it.
fn malformed_hints<P: Set>() {
    let p = P::SPEC;
    let (k, omega) = (p.k, p.omega);
    let mut random = Stream::new("malformed hints");
    let forger = Forger::<P>::new(&mut random);
    let z = random_z(&mut random, p.l, p.gamma1 - p.beta - 1);
    let w = forger.w(&z);
    let start = p.signature_size - omega - k;
    let (mut refused, mut accepted) = (0, 0);
    let mut expect = |sigma: &[u8], expected: bool, what: &str| {
        forger.check(sigma, expected, what);
        assert_eq!(Signature::<P>::try_from(sigma).is_ok(), expected, "{what}");
        *(if expected {
            &mut accepted
        } else {
            &mut refused
        }) += 1;
    };

    // Three ones in each row, the rest of the block unused.
    let mut h = no_hint(p);
    for row in &mut h {
        for lane in [10, 20, 200] {
            row[lane] = true;
        }
    }
    let valid = forger.sign_w(&w, &z, &h);
    expect(&valid, true, "the start");
    let index = |row: usize, n: usize| start + 3 * row + n;
    let cut = |row: usize| start + omega + row;
    for row in 0..k {
        // Row by row and across rows, the order is free.
        assert_eq!(valid[index(row, 0)..=index(row, 2)], [10, 20, 200]);
        for (a, b) in [(0, 1), (1, 2), (0, 2)] {
            let mut sigma = valid.clone();
            sigma.swap(index(row, a), index(row, b));
            expect(&sigma, false, &format!("row {row}: {a} and {b} swapped"));
        }
        // The same index twice: one of the three is lost, and the challenge fits the two.
        for (lost, twice) in [(0, 1), (1, 0), (1, 2), (2, 1)] {
            let mut fewer = h.clone();
            fewer[row][[10, 20, 200][lost]] = false;
            let c_tilde = forger.c_tilde(&spec::use_hint_vector(p, &fewer, &w));
            let mut sigma = [&c_tilde, &valid[p.lambda / 4..]].concat();
            sigma[index(row, lost)] = sigma[index(row, twice)];
            expect(
                &sigma,
                false,
                &format!("row {row}: {twice} twice, {lost} lost"),
            );
        }
        // The first index twice at the end of the row: nothing is lost, one is too many.
        let mut sigma = valid.clone();
        sigma[start..start + omega].copy_within(3 * (row + 1)..omega - 1, 3 * (row + 1) + 1);
        sigma[index(row, 2) + 1] = 200;
        for row in row..k {
            sigma[cut(row)] += 1;
        }
        expect(&sigma, false, &format!("row {row}: the last index twice"));
        // Cuts that go back or beyond.
        let mut cuts: Vec<u8> = vec![omega as u8 + 1, omega as u8 + 2, 127, 128, 254, 255];
        if row + 1 < k {
            cuts.push(valid[cut(row + 1)] + 1);
        }
        if row > 0 {
            cuts.extend([0, valid[cut(row - 1)] - 1]);
        }
        for value in cuts {
            let mut sigma = valid.clone();
            sigma[cut(row)] = value;
            expect(&sigma, false, &format!("cut {row} is {value}"));
        }
    }
    // Unused bytes that are not zero.
    for unused in 3 * k..omega {
        for value in [1, 128, 255] {
            let mut sigma = valid.clone();
            sigma[start + unused] = value;
            expect(&sigma, false, &format!("unused byte {unused} is {value}"));
        }
    }

    // A full block: all cuts at ω or below are right, the last beyond ω is not.
    let mut full = no_hint(p);
    full[0][..omega].fill(true);
    let valid = forger.sign_w(&w, &z, &full);
    expect(&valid, true, "a full block");
    for value in omega + 1..=255 {
        let mut sigma = valid.clone();
        sigma[cut(k - 1)] = value as u8;
        expect(&sigma, false, &format!("the last cut is {value}"));
    }
    // An empty block, whose unused bytes start at the first.
    let valid = forger.sign_w(&w, &z, &no_hint(p));
    expect(&valid, true, "an empty block");
    for unused in 0..omega {
        let mut sigma = valid.clone();
        sigma[start + unused] = 1;
        expect(
            &sigma,
            false,
            &format!("unused byte {unused} of an empty block"),
        );
    }
    let cuts = k * (3 + 4 + 1 + 6) + (k - 1) + 2 * (k - 1);
    assert_eq!(refused, cuts + 3 * (omega - 3 * k) + (255 - omega) + omega);
    assert_eq!(accepted, 3);
}

fn damaged_hints<P: Set>() {
    let p = P::SPEC;
    let mut random = Stream::new("damaged hints");
    let forger = Forger::<P>::new(&mut random);
    let z = random_z(&mut random, p.l, p.gamma1 - p.beta - 1);
    let w = forger.w(&z);
    let start = p.signature_size - p.omega - p.k;
    let mut decoded = 0;
    for _ in 0..4000 {
        let weight = random.below(p.omega as u64 + 1) as usize;
        let h = random_hint(&mut random, p, weight);
        let mut sigma = spec::sig_encode(p, &vec![0; p.lambda / 4], &z, &h);
        for _ in 0..1 + random.below(2) {
            let byte = start + random.below((p.omega + p.k) as u64) as usize;
            sigma[byte] = match random.below(3) {
                0 => random.below(256) as u8,
                1 => sigma[byte].wrapping_add(1),
                _ => sigma[byte].wrapping_sub(1),
            };
        }
        // Where the damaged hint is a hint, the challenge that fits it makes it valid.
        let damaged = spec::hint_bit_unpack(p, &sigma[start..]);
        if let Some(damaged) = &damaged {
            let c_tilde = forger.c_tilde(&spec::use_hint_vector(p, damaged, &w));
            sigma[..c_tilde.len()].copy_from_slice(&c_tilde);
            let signature = Signature::<P>::try_from(&sigma[..]).unwrap();
            assert!(signature.encode()[..] == sigma);
            decoded += 1;
        }
        assert_eq!(forger.accepts(&sigma), damaged.is_some());
    }
    assert!(
        (400..3600).contains(&decoded),
        "{decoded} of 4000 is not a test of both"
    );
}

fn damaged_signatures<P: Set>() {
    let p = P::SPEC;
    let mut random = Stream::new("damaged signatures");
    let (pk, sk) = spec::key_gen_internal(p, &[5; 32]);
    let key = VerifyingKey::<P>::decode(&pk[..].try_into().unwrap());
    let sigma = spec::sign(p, &sk, b"message", &[], Some([0; 32])).unwrap();
    assert!(accepts(&key, b"message", &[], &sigma));
    // Every bit of the challenge and of the hint, and one bit of each byte of z.
    let z_end = p.signature_size - p.omega - p.k;
    for byte in 0..sigma.len() {
        let in_z = (p.lambda / 4..z_end).contains(&byte);
        let bits = if in_z {
            vec![random.below(8)]
        } else {
            (0..8).collect()
        };
        for bit in bits {
            let mut sigma = sigma.clone();
            sigma[byte] ^= 1 << bit;
            assert!(
                !accepts(&key, b"message", &[], &sigma),
                "bit {bit} of byte {byte}"
            );
            if byte % 97 == 0 {
                assert!(!spec::verify(p, &pk, b"message", &sigma, &[]));
            }
        }
    }
}

fn signatures_of_other_lengths<P: Set>() {
    let p = P::SPEC;
    let key = SigningKey::<P>::from_seed(&Seed::from([6; 32]));
    let verifying_key = key.verifying_key();
    let sigma = key.sign(b"message").encode();
    let mut long = sigma.to_vec();
    long.resize(2 * sigma.len() + 1, 0);
    for length in 0..long.len() {
        let right = length == p.signature_size;
        assert_eq!(
            Signature::<P>::try_from(&long[..length]).is_ok(),
            right,
            "{length}"
        );
    }
    assert!(accepts(&verifying_key, b"message", &[], &sigma));
    assert!(
        verifying_key
            .verify(b"message", &key.sign(b"message"))
            .is_ok()
    );
}
