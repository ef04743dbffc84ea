//! The oracle of `tests/spec/` is right: it gives what NIST's ACVP samples and C2SP's digests
//! say, and its parts have the properties that the standard claims for them.
#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(
    clippy::integer_division_remainder_used,
    reason = "tests of arithmetic"
)]

mod spec;
mod vectors;

use shake::{ExtendableOutput, Shake128, Shake256, Update, XofReader};
use spec::*;
use vectors::acvp::{self, INCONSISTENT, Message};

/// Random numbers that are the same in every run.
struct Numbers(<Shake256 as ExtendableOutput>::Reader);

impl Numbers {
    fn new(label: &str) -> Self {
        let mut shake = Shake256::default();
        shake.update(label.as_bytes());
        Self(shake.finalize_xof())
    }

    /// A number in `low..=high`, a little biased.
    fn within(&mut self, low: i64, high: i64) -> i64 {
        let mut bytes = [0; 8];
        self.0.read(&mut bytes);
        low + i64::from_le_bytes(bytes).rem_euclid(high - low + 1)
    }

    fn poly(&mut self, low: i64, high: i64) -> Poly {
        core::array::from_fn(|_| self.within(low, high))
    }
}

#[test]
fn all_49_algorithms_stand_in_the_oracle() {
    let sources = [
        include_str!("spec/conversion.rs"),
        include_str!("spec/external.rs"),
        include_str!("spec/internal.rs"),
        include_str!("spec/ntt.rs"),
        include_str!("spec/rounding.rs"),
        include_str!("spec/sampling.rs"),
    ];
    let lines = sources.into_iter().flat_map(str::lines);
    let numbers = lines.filter_map(|line| {
        let (number, _name) = line.strip_prefix("/// Algorithm ")?.split_once(", `")?;
        Some(number.parse().unwrap())
    });
    let mut numbers: Vec<u32> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers, (1..=49).collect::<Vec<_>>());
}

#[test]
fn tables_1_and_2_agree_with_each_other() {
    assert_eq!(Q, (1 << 23) - (1 << 13) + 1);
    for p in ALL {
        assert_eq!(p.beta, p.tau as i64 * p.eta);
        assert_eq!((Q - 1) % (2 * p.gamma2), 0);
        let (k, l) = (p.k, p.l);
        assert_eq!(
            p.public_key_size,
            32 + 32 * k * (bitlen(Q - 1) - D as usize)
        );
        let eta_bits = bitlen(2 * p.eta);
        assert_eq!(
            p.private_key_size,
            32 + 32 + 64 + 32 * ((l + k) * eta_bits + D as usize * k)
        );
        let z_bits = 1 + bitlen(p.gamma1 - 1);
        assert_eq!(
            p.signature_size,
            p.lambda / 4 + l * 32 * z_bits + p.omega + k
        );
    }
}

#[test]
fn zeta_is_a_primitive_512th_root_of_unity_and_yields_appendix_b() {
    let mut power = 1;
    for exponent in 1..=512 {
        power = power * ZETA % Q;
        assert_eq!(power == 1, exponent == 512);
        assert_eq!(power == Q - 1, exponent == 256);
    }
    // The beginning of the table, read off the standard.
    let start = [
        4_808_194, 3_765_607, 3_761_513, 5_178_923, 5_496_691, 5_234_739, 5_178_987,
    ];
    for (m, &zeta) in (1..).zip(&start) {
        assert_eq!(zetas(m), zeta, "zetas[{m}]");
    }
    // Never the same twice.
    let mut seen: Vec<_> = (0..256).map(zetas).collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 256);
}

#[test]
fn the_ntt_evaluates_at_the_odd_powers_of_zeta() {
    let mut numbers = Numbers::new("ntt evaluates");
    let w = numbers.poly(0, Q - 1);
    let w_hat = ntt(&w);
    for i in 0..256 {
        // Section 7.5: ŵ[i] = w(ζ^(2·BitRev8(i) + 1)).
        let mut root = 1;
        for _ in 0..2 * bit_rev8(i) + 1 {
            root = root * ZETA % Q;
        }
        let value = w.iter().rev().fold(0, |value, &c| (value * root + c) % Q);
        assert_eq!(w_hat.0[i], value, "at {i}");
    }
}

#[test]
fn the_inverse_ntt_undoes_the_ntt() {
    let mut numbers = Numbers::new("ntt inverse");
    let monomials = (0..256).map(|i| {
        let mut w = [0; 256];
        w[i] = 1;
        w
    });
    let extremes = [[0; 256], [1; 256], [Q - 1; 256]];
    let random: Vec<_> = (0..100).map(|_| numbers.poly(0, Q - 1)).collect();
    for w in monomials.chain(extremes).chain(random) {
        assert_eq!(ntt_inverse(&ntt(&w)), w);
        assert_eq!(ntt(&ntt_inverse(&NttPoly(w))).0, w);
    }
}

/// a·b modulo X²⁵⁶ + 1, coefficient by coefficient.
fn schoolbook(a: &Poly, b: &Poly) -> Poly {
    let mut product = [0; 256];
    for i in 0..256 {
        for j in 0..256 {
            if i + j < 256 {
                product[i + j] = modulo(product[i + j] + a[i] * b[j], Q);
            } else {
                product[i + j - 256] = modulo(product[i + j - 256] - a[i] * b[j], Q);
            }
        }
    }
    product
}

#[test]
fn the_product_under_the_ntt_is_the_schoolbook_product() {
    let mut numbers = Numbers::new("schoolbook");
    let mut pairs: Vec<_> = (0..30)
        .map(|_| (numbers.poly(0, Q - 1), numbers.poly(0, Q - 1)))
        .collect();
    pairs.push(([Q - 1; 256], [Q - 1; 256]));
    pairs.push((numbers.poly(-1, 1), numbers.poly(-4, 4)));
    for (a, b) in pairs {
        assert_eq!(
            ntt_inverse(&multiply_ntt(&ntt(&a), &ntt(&b))),
            schoolbook(&a, &b)
        );
        let sum = core::array::from_fn(|i| modulo(a[i] + b[i], Q));
        assert_eq!(ntt_inverse(&add_ntt(&ntt(&a), &ntt(&b))), sum);
    }
    // The same for a matrix and a vector.
    let matrix: Vec<Vec<_>> = (0..3)
        .map(|_| (0..2).map(|_| numbers.poly(0, Q - 1)).collect())
        .collect();
    let vector: Vec<_> = (0..2).map(|_| numbers.poly(0, Q - 1)).collect();
    let matrix_hat: Vec<_> = matrix
        .iter()
        .map(|row: &Vec<Poly>| ntt_vector(row))
        .collect();
    let product = ntt_inverse_vector(&matrix_vector_ntt(&matrix_hat, &ntt_vector(&vector)));
    for (row, result) in matrix.iter().zip(&product) {
        let [a, b] = [0, 1].map(|j| schoolbook(&row[j], &vector[j]));
        assert_eq!(add(&[a], &[b]), [*result]);
    }
}

#[test]
fn montgomery_reduction_divides_by_two_to_the_32() {
    let bound = Q << 31;
    let mut numbers = Numbers::new("montgomery");
    let edges = [
        -bound,
        -bound + 1,
        -Q,
        -1,
        0,
        1,
        Q - 1,
        Q,
        1 << 31,
        1 << 32,
        bound - 1,
        bound,
    ];
    let random: Vec<_> = (0..100_000)
        .map(|_| numbers.within(-bound, bound))
        .collect();
    for a in edges.into_iter().chain(random) {
        let r = montgomery_reduce(a);
        assert_eq!(modulo(modulo(r, Q) * (1 << 32), Q), modulo(a, Q), "of {a}");
        assert!((-Q..=Q).contains(&r), "{r}, of {a}");
    }
}

#[test]
fn conversions_undo_each_other() {
    let mut numbers = Numbers::new("conversions");
    for length in 0..50 {
        let bytes: Vec<u8> = (0..length).map(|_| numbers.within(0, 255) as u8).collect();
        assert_eq!(bits_to_bytes(&bytes_to_bits(&bytes)), bytes);
    }
    for bits in 1..=32 {
        let x = numbers.within(0, (1 << bits) - 1);
        assert_eq!(bits_to_integer(&integer_to_bits(x, bits), bits), x);
        assert_eq!(
            bits_to_bytes(&integer_to_bits(x, bits)),
            integer_to_bytes(x, bits.div_ceil(8))
        );
    }
    for p in ALL {
        for b in [1023, (Q - 1) / (2 * p.gamma2) - 1] {
            let w = numbers.poly(0, b);
            assert_eq!(simple_bit_unpack(&simple_bit_pack(&w, b), b), w);
        }
        for (a, b) in [(p.eta, p.eta), (4095, 4096), (p.gamma1 - 1, p.gamma1)] {
            let w = numbers.poly(-a, b);
            assert_eq!(bit_unpack(&bit_pack(&w, a, b), a, b), w);
        }
    }
    // The bits of the standard, spelled out.
    assert_eq!(integer_to_bits(6, 4), [false, true, true, false]);
    assert_eq!(integer_to_bytes(0x01_02_03, 4), [3, 2, 1, 0]);
    assert_eq!(bit_rev8(1), 128);
    assert_eq!(bit_rev8(0b1101_0010), 0b0100_1011);
}

#[test]
fn hints_of_every_weight_survive_their_encoding() {
    let mut numbers = Numbers::new("hints");
    for p in ALL {
        for weight in 0..=p.omega {
            let mut h = vec![[false; 256]; p.k];
            while h.iter().flatten().filter(|&&one| one).count() < weight {
                let i = numbers.within(0, p.k as i64 - 1) as usize;
                h[i][numbers.within(0, 255) as usize] = true;
            }
            assert_eq!(hint_bit_unpack(p, &hint_bit_pack(p, &h)), Some(h));
        }
    }
}

/// Section 7.4 and section 6.3: what hints are for.
#[test]
fn a_hint_recovers_the_high_bits() {
    let mut numbers = Numbers::new("hint recovers");
    for p in ALL {
        for _ in 0..100_000 {
            let (r, z) = (
                numbers.within(0, Q - 1),
                numbers.within(-p.gamma2, p.gamma2),
            );
            let h = make_hint(p, z, r);
            assert_eq!(use_hint(p, h, r), high_bits(p, r + z), "r = {r}, z = {z}");
        }
    }
}

#[test]
fn the_functions_of_one_coefficient_have_the_digest_of_cctv() {
    let mut digest = Shake128::default();
    let mut block = String::new();
    for r in 0..Q {
        cctv_lines(r, &mut block);
        if r == 6_010_000 {
            let mut lines = String::new();
            cctv_lines(r, &mut lines);
            let expected = "-2370417 2370417 734 8377489 32 31 -84848 84848 11 12 248464 248464";
            assert_eq!(
                lines.split_whitespace().collect::<Vec<_>>().join(" "),
                expected
            );
        }
        if block.len() > 1 << 16 || r == Q - 1 {
            digest.update(block.as_bytes());
            block.clear();
        }
    }
    let mut first = [0; 32];
    digest.finalize_xof().read(&mut first);
    let expected = "f930663417278156ab05d940294a77210a809c924d8ab63ec72f4526247602c7";
    assert_eq!(hex::encode(first), expected);
    vectors::say("CCTV field operations 8380417");
}

/// The twelve lines of C2SP/CCTV's digest for r.
fn cctv_lines(r: i64, lines: &mut String) {
    use core::fmt::Write;
    let mut line = |value: i64| writeln!(lines, "{value}").unwrap();
    line(mod_pm(r, Q));
    line(abs_mod_q(r));
    let (r1, r0) = power2_round(r);
    line(r1);
    line(modulo(r0, Q));
    for p in [&ML_DSA_44, &ML_DSA_65] {
        line(high_bits(p, r));
        line(use_hint(p, true, r));
        line(low_bits(p, r));
        line(abs_mod_q(low_bits(p, r)));
    }
}

#[test]
fn the_oracle_generates_the_keys_of_acvp() {
    let Some(cases) = acvp::key_gen() else { return };
    for case in &cases {
        let p = named(&case.set);
        let xi = case.seed[..].try_into().unwrap();
        let (pk, sk) = key_gen(p, Some(xi)).unwrap();
        assert!(pk == case.pk, "tcId {}", case.id);
        assert!(sk == case.sk, "tcId {}", case.id);
        let PrivateKey {
            rho,
            key_seed,
            tr,
            s1,
            s2,
            t0,
        } = sk_decode(p, &sk);
        assert!(
            sk_encode(p, &rho, &key_seed, &tr, &s1, &s2, &t0) == sk,
            "tcId {}",
            case.id
        );
        let (rho, t1) = pk_decode(p, &pk);
        assert!(pk_encode(p, &rho, &t1) == pk, "tcId {}", case.id);
    }
    assert!(key_gen(&ML_DSA_44, None).is_none());
    assert_eq!(cases.len(), 75);
    vectors::say("ACVP keyGen 75 (oracle)");
}

#[test]
fn the_oracle_makes_the_signatures_of_acvp() {
    let Some(cases) = acvp::sig_gen() else { return };
    for case in &cases {
        let p = named(&case.set);
        let rnd = case.rnd.unwrap_or_default();
        let signature = match &case.message {
            Message::External { message, context } => {
                sign(p, &case.sk, message, context, Some(rnd)).unwrap()
            }
            Message::PreHash {
                message,
                context,
                hash,
            } => hash_sign(
                p,
                &case.sk,
                message,
                context,
                PreHash::named(hash),
                Some(rnd),
            )
            .unwrap(),
            Message::Internal(message) => sign_internal(p, &case.sk, message, &rnd),
            Message::Mu(mu) => sign_mu(p, &case.sk, mu, &rnd).sigma,
        };
        assert_eq!(
            signature == case.signature,
            case.id != INCONSISTENT,
            "tcId {}",
            case.id
        );
        assert!(
            oracle_verifies(p, &case.pk, &case.message, &signature),
            "tcId {}",
            case.id
        );
    }
    assert_eq!(cases.len(), 360);
    vectors::say("ACVP sigGen 360 (oracle; one of them, tcId 16, is inconsistent in itself)");
}

#[test]
fn the_one_inconsistent_case_of_acvp_is_a_signature_under_no_hash() {
    let Some(cases) = acvp::sig_gen() else { return };
    let case = cases.iter().find(|case| case.id == INCONSISTENT).unwrap();
    let Message::PreHash {
        message, context, ..
    } = &case.message
    else {
        panic!("pre-hash")
    };
    for ph in PreHash::ALL {
        for context in [&context[..], &[]] {
            let (pk, signature) = (&case.pk, &case.signature);
            assert!(!hash_verify(
                named(&case.set),
                pk,
                message,
                signature,
                context,
                ph
            ));
        }
    }
}

#[test]
fn the_oracle_gives_the_verdicts_of_acvp() {
    let Some(cases) = acvp::sig_ver() else { return };
    for case in &cases {
        let valid = oracle_verifies(named(&case.set), &case.pk, &case.message, &case.signature);
        assert_eq!(valid, case.passed, "tcId {}: {}", case.id, case.reason);
    }
    assert_eq!(cases.len(), 180);
    vectors::say("ACVP sigVer 180 (oracle)");
}

fn oracle_verifies(p: &Params, pk: &[u8], message: &Message, signature: &[u8]) -> bool {
    match message {
        Message::External { message, context } => verify(p, pk, message, signature, context),
        Message::PreHash {
            message,
            context,
            hash,
        } => hash_verify(p, pk, message, signature, context, PreHash::named(hash)),
        Message::Internal(message) => verify_internal(p, pk, message, signature),
        Message::Mu(mu) => verify_mu(p, pk, mu, signature),
    }
}

#[test]
fn the_oracle_refuses_a_context_of_256_bytes_and_a_generator_that_failed() {
    let p = &ML_DSA_44;
    let (pk, sk) = key_gen_internal(p, &[7; 32]);
    let rnd = Some([0; 32]);
    let context = [1; 255];
    let signature = sign(p, &sk, b"message", &context, rnd).unwrap();
    assert!(verify(p, &pk, b"message", &signature, &context));
    assert!(!verify(p, &pk, b"message", &signature, &context[1..]));
    assert!(!verify(p, &pk, b"message", &signature[1..], &context));
    assert!(!verify(p, &pk[1..], b"message", &signature, &context));
    assert!(!verify(p, &pk, b"message", &signature, &[1; 256]));
    assert!(sign(p, &sk, b"message", &[1; 256], rnd).is_none());
    assert!(sign(p, &sk, b"message", &context, None).is_none());
    for ph in PreHash::ALL {
        assert!(hash_sign(p, &sk, b"message", &[1; 256], ph, rnd).is_none());
        assert!(hash_sign(p, &sk, b"message", &[], ph, None).is_none());
        assert!(!hash_verify(p, &pk, b"message", &signature, &[1; 256], ph));
    }
}
