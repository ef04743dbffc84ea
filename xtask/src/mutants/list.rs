//! The list: what each check and each reduction is for, and the test that misses it.

use super::Mutation;

const fn mutation(
    what: &'static str,
    (file, behind): (&'static str, &'static str),
    from: &'static str,
    to: &'static str,
    test: (&'static str, &'static str),
) -> Mutation {
    Mutation {
        what,
        file,
        behind,
        from,
        to,
        test,
    }
}

const fn lib(test: &'static str) -> (&'static str, &'static str) {
    ("lib", test)
}

// Unit tests.
const BOUNDS: (&str, &str) = lib("proofs::bounds::contracts_hold_for_all_inputs");
const CANDIDATES: (&str, &str) = lib("proofs::oracle::candidates_of_samplers");
const CHALLENGE: (&str, &str) = lib("proofs::oracle::products_with_the_challenge");
const FORGED: (&str, &str) = lib("proofs::oracle::forged_signatures");
const HINT_BYTES: (&str, &str) = lib("proofs::oracle::hints_as_bytes");
const KEYS: (&str, &str) = lib("proofs::oracle::keys");
const LANES: (&str, &str) =
    lib("simd::tests::products_modulo_q_are_those_of_portable_and_of_the_integers");
const MAKE_HINT: (&str, &str) = lib("proofs::exhaustion::every_hint_is_made_as_defined");
const NORMS: (&str, &str) = lib("proofs::exhaustion::every_norm_is_sharp_in_every_place");
const POSITIVE: (&str, &str) = lib("proofs::exhaustion::every_residue_is_made_positive");
const SECRETS: (&str, &str) =
    lib("proofs::exhaustion::every_secret_coefficient_is_decoded_and_encoded");
const SIGNATURES: (&str, &str) = lib("proofs::oracle::signatures_and_verdicts");
const TRANSFORMS: (&str, &str) = lib("proofs::oracle::transforms_and_products");

// Integration tests.
const SIGN_CT0: (&str, &str) = (
    "oracle_equality",
    "ml_dsa_44::signing_with_ct0_at_its_bound",
);
const SIGN_HINTS: (&str, &str) = (
    "oracle_equality",
    "ml_dsa_44::signing_with_as_many_hints_as_allowed",
);
const SIGN_R0: (&str, &str) = ("oracle_equality", "ml_dsa_44::signing_with_r0_at_its_bound");
const SIGN_Z: (&str, &str) = ("oracle_equality", "ml_dsa_44::signing_with_z_at_its_bound");
const LOW_BITS: (&str, &str) = (
    "oracle_equality",
    "ml_dsa_44::low_bits_at_their_bounds_under_a_hint",
);
const RESIDUES: (&str, &str) = lib("internals::tests::every_residue_is_rounded_as_defined");
const CONTEXT: (&str, &str) = (
    "context",
    "mldsa44::a_context_of_256_bytes_is_refused_before_anything_happens",
);
const SIGNS_NOTHING: (&str, &str) = ("beyond", "mldsa44::expanded_keys_out_of_range_never_panic");
const RANGE: (&str, &str) = (
    "pkcs8_forms",
    "mldsa44::coefficients_out_of_range_are_refused",
);
const FIELDS: (&str, &str) = (
    "pkcs8_forms",
    "mldsa44::a_changed_bit_in_any_field_is_refused",
);
const PUBLIC_KEY: (&str, &str) = (
    "pkcs8_forms",
    "mldsa44::a_public_key_that_does_not_belong_is_refused",
);
const ALGORITHM: (&str, &str) = ("pkcs8_forms", "mldsa44::the_algorithm_identifier_decides");
const AFTER_THE_END: (&str, &str) = ("pkcs8_forms", "mldsa44::data_after_the_end_is_refused");
const SIGNATURE_BYTES: (&str, &str) = (
    "bad_input",
    "mldsa44::z_is_refused_at_its_bound_in_every_coefficient",
);

const VERIFY: &str = "src/verify.rs";
const SIGN: &str = "src/sign.rs";
const HINT: &str = "src/encode/hint.rs";
const PACKING: &str = "src/encode/poly.rs";
const ROUNDING: &str = "src/rounding.rs";
const KEYGEN: &str = "src/keygen.rs";
const PORTABLE: &str = "src/simd/portable.rs";
pub(super) const AVX2: &str = "src/simd/avx2.rs";
const PKCS8: &str = "src/pkcs8.rs";
const UNIFORM: &str = "src/sampling/uniform.rs";

#[rustfmt::skip]
pub(super) const MUTATIONS: &[Mutation] = &[
    // Verification.
    mutation("Verify: a malformed hint is well-formed", (VERIFY, "fn signature_is_well_formed"),
        "hint_is_well_formed::<P>(hint)", "true", SIGNATURES),
    mutation("Verify: no bound on z", (VERIFY, "fn signature_is_well_formed"),
        "z_is_below::<I, P::Gamma1>(isa, z, bound)", "true", FORGED),
    mutation("Verify: the bound on z is larger by one", (VERIFY, "fn signature_is_well_formed"),
        "P::GAMMA1 as i32 - P::BETA as i32", "P::GAMMA1 as i32 - P::BETA as i32 + 1", FORGED),
    mutation("Verify: the bound on z is smaller by one", (VERIFY, "fn signature_is_well_formed"),
        "P::GAMMA1 as i32 - P::BETA as i32", "P::GAMMA1 as i32 - P::BETA as i32 - 1", FORGED),
    mutation("Verify: no sign in the norm of z", (PACKING, "fn z_is_below"),
        "isa.or(slack, isa.sub(limit, isa.abs(z)))", "isa.or(slack, isa.sub(limit, z))", FORGED),
    mutation("Verify: only one coefficient in sixteen is compared with the bound", (PACKING, "fn z_is_below"),
        "isa.signs_to_bits(slack) == 0", "isa.signs_to_bits(slack) & 1 == 0", NORMS),
    mutation("Verify: only the last row of z is compared with the bound", (PACKING, "fn z_is_below"),
        "isa.or(slack, isa.sub(limit, isa.abs(z)))", "isa.sub(limit, isa.abs(z))", NORMS),
    mutation("Verify: c̃ is not compared", (VERIFY, "fn verify_mu"),
        "c_tilde == expected", "true", SIGNATURES),
    mutation("Verify: the first byte of c̃ is not compared", (VERIFY, "fn verify_mu"),
        "c_tilde == expected", "c_tilde[1..] == expected[1..]", FORGED),
    mutation("Verify: the last byte of c̃ is not compared", (VERIFY, "fn verify_mu"),
        "c_tilde == expected", "c_tilde.split_last().map(|x| x.1) == expected.split_last().map(|x| x.1)", FORGED),
    mutation("Verify: the hint is not used", (VERIFY, "fn verify_mu"),
        "use_hint_poly::<I, P::Gamma2>(isa, hint, &w, w1)",
        "use_hint_poly::<I, P::Gamma2>(isa, &[0; 16], &w, w1)", FORGED),
    mutation("Verify: μ is not hashed", (VERIFY, "fn verify_mu"),
        "h.absorb(isa, mu)", "()", SIGNATURES),
    mutation("Verify: w₁ is not hashed", (VERIFY, "fn verify_mu"),
        "h.absorb(isa, w1)", "()", SIGNATURES),
    mutation("Verify: t₁ is not shifted", (PACKING, "fn t1_unpack_shifted"),
        "isa.shl::<{ D as u32 }>(T1::unpack(isa, bytes))", "T1::unpack(isa, bytes)", SIGNATURES),

    // Decoding.
    mutation("sigDecode: the ends of the hint's rows may decrease", (HINT, "fn hint_is_well_formed"),
        "cut < index || cut > P::OMEGA", "cut > P::OMEGA", HINT_BYTES),
    mutation("sigDecode: the ends of the hint's rows may exceed ω", (HINT, "fn hint_is_well_formed"),
        "cut < index || cut > P::OMEGA", "cut < index || cut >= MAX_POSITIONS", HINT_BYTES),
    mutation("sigDecode: positions in any order", (HINT, "fn hint_is_well_formed"),
        "falls & !begins[j] & !over[j]", "falls & 0", HINT_BYTES),
    mutation("sigDecode: a position twice", (HINT, "fn hint_is_well_formed"),
        "positions[j] <= positions[j - 1]", "positions[j] < positions[j - 1]", HINT_BYTES),
    mutation("sigDecode: anything behind the positions", (HINT, "fn hint_is_well_formed"),
        "position & over", "position & over & 0", HINT_BYTES),
    mutation("sigDecode at the API: nothing is checked", ("src/encoded_signature.rs", "fn decode"),
        "P::Ops::is_well_formed(enc)", "true", SIGNATURE_BYTES),
    mutation("skDecode: s₁ may be out of range", ("src/keys.rs", "self.s1.as_mut().iter_mut()"),
        "in_range &= eta_unpack::<I, P::Eta>(isa, bytes, s)",
        "_ = eta_unpack::<I, P::Eta>(isa, bytes, s)", KEYS),
    mutation("skDecode: s₂ may be out of range", ("src/keys.rs", "self.s2.as_mut().iter_mut()"),
        "in_range &= eta_unpack::<I, P::Eta>(isa, bytes, s)",
        "_ = eta_unpack::<I, P::Eta>(isa, bytes, s)", KEYS),
    mutation("skDecode: only the last row of s is checked", (PACKING, "fn eta_unpack"),
        "isa.or(bad, over)", "over", SECRETS),
    mutation("skDecode: what is out of range stays so", (PACKING, "fn eta_unpack"),
        "isa.sub(encoded, excess)", "encoded", SECRETS),
    mutation("skDecode: tr may belong to another key", (KEYGEN, "fn public_from_private"),
        "ct::eq(&pk.tr, &sk.tr)", "Choice::TRUE", KEYS),
    mutation("skDecode: t₀ may belong to another key", (KEYGEN, "fn public_from_private"),
        "ct::eq(t0.positive(), expected.positive())", "Choice::TRUE", KEYS),
    mutation("expanded keys: the range is not looked at", ("src/expanded_key.rs", "fn try_from_expanded"),
        "key.in_range && key.regenerate().1", "key.regenerate().1", RANGE),
    mutation("expanded keys: one that is out of range signs", ("src/expanded_key.rs", "fn sign("),
        "!self.in_range", "false", SIGNS_NOTHING),
    mutation("expanded keys: consistency is not looked at", ("src/expanded_key.rs", "fn try_from_expanded"),
        "key.in_range && key.regenerate().1", "key.in_range", FIELDS),
    mutation("PKCS#8: seed and expanded key may disagree", (PKCS8, "fn read_both"),
        "crate::ct::eq(&expanded, both.expanded.as_bytes()).into()", "true", FIELDS),
    mutation("PKCS#8: parameters of the algorithm", (PKCS8, "fn in_document"),
        "info.algorithm.parameters.is_some()", "false", ALGORITHM),
    mutation("PKCS#8: any algorithm", (PKCS8, "fn in_document"),
        "info.algorithm.assert_algorithm_oid(algorithm)?", "algorithm", ALGORITHM),
    mutation("PKCS#8: data after the end", (PKCS8, "fn in_document"),
        "reader.finish()?", "()", AFTER_THE_END),
    mutation("PKCS#8: another key's public key", (PKCS8, "fn check_public_key"),
        "given.as_bytes() == Some(own().as_encoded())", "true", PUBLIC_KEY),
    mutation("contexts of 256 bytes and more", ("src/mu.rs", "impl<'c> ContextString"),
        "u8::try_from(bytes.len())", "Ok::<u8, core::num::TryFromIntError>(bytes.len() as u8)", CONTEXT),

    // The four rejections of signing.
    mutation("Sign: no bound on z", (SIGN, "fn attempt"),
        "!z_pack::<I, P::Gamma1>(isa, y, cs, P::GAMMA1 as i32 - beta, z)",
        "!z_pack::<I, P::Gamma1>(isa, y, cs, 1 << 20, z)", SIGN_Z),
    mutation("Sign: the bound on z is larger by one", (SIGN, "fn attempt"),
        "!z_pack::<I, P::Gamma1>(isa, y, cs, P::GAMMA1 as i32 - beta, z)",
        "!z_pack::<I, P::Gamma1>(isa, y, cs, P::GAMMA1 as i32 - beta + 1, z)", SIGN_Z),
    mutation("Sign: the bound on z is smaller by one", (SIGN, "fn attempt"),
        "!z_pack::<I, P::Gamma1>(isa, y, cs, P::GAMMA1 as i32 - beta, z)",
        "!z_pack::<I, P::Gamma1>(isa, y, cs, P::GAMMA1 as i32 - beta - 1, z)", SIGN_Z),
    mutation("Sign: no bound on r₀", (SIGN, "fn attempt"),
        "!sub_and_check(isa, w0, cs, P::Gamma2::GAMMA2 - beta)",
        "!sub_and_check(isa, w0, cs, 1 << 20)", SIGN_R0),
    mutation("Sign: the bound on r₀ is larger by one", (SIGN, "fn attempt"),
        "!sub_and_check(isa, w0, cs, P::Gamma2::GAMMA2 - beta)",
        "!sub_and_check(isa, w0, cs, P::Gamma2::GAMMA2 - beta + 1)", SIGN_R0),
    mutation("Sign: the bound on r₀ is smaller by one", (SIGN, "fn attempt"),
        "!sub_and_check(isa, w0, cs, P::Gamma2::GAMMA2 - beta)",
        "!sub_and_check(isa, w0, cs, P::Gamma2::GAMMA2 - beta - 1)", SIGN_R0),
    mutation("Sign: no bound on c·t₀", (SIGN, "fn attempt"),
        "!make_hint_poly::<I, P::Gamma2>(isa, r0, ct0, w1, hint)",
        "make_hint_poly::<I, P::Gamma2>(isa, r0, ct0, w1, hint) && false", SIGN_CT0),
    mutation("Sign: the bound on c·t₀ is larger by one", (ROUNDING, "fn make_hint_poly"),
        "isa.splat(G::GAMMA2 - 1)", "isa.splat(G::GAMMA2)", SIGN_CT0),
    mutation("Sign: no bound on the weight of the hint", (SIGN, "fn attempt"),
        "crate::ct::declassify(ones) > P::OMEGA", "false", SIGN_HINTS),
    mutation("Sign: the weight of the hint is below ω", (SIGN, "fn attempt"),
        "crate::ct::declassify(ones) > P::OMEGA", "crate::ct::declassify(ones) >= P::OMEGA", SIGN_HINTS),
    mutation("Sign: no sign in the norm of z", (PACKING, "fn z_pack"),
        "isa.abs(z)", "z", NORMS),
    mutation("Sign: no sign in the norm of r₀", (ROUNDING, "fn sub_and_check"),
        "isa.abs(r0)", "r0", NORMS),
    mutation("Sign: no sign in the norm of c·t₀", (ROUNDING, "fn make_hint_poly"),
        "isa.abs(ct0)", "ct0", NORMS),
    mutation("Sign: a mask is used twice", (SIGN, "fn advance_base"),
        "self.base += P::L", "self.base += P::L - 1", SIGNATURES),
    mutation("Sign: rnd is not hashed", (SIGN, "fn sign_mu"),
        "h.absorb(isa, rnd)", "()", SIGNATURES),

    // Rounding and hints.
    mutation("MakeHint: the interval of w₁ = 0 is like the others", (ROUNDING, "fn make_hint_poly"),
        "isa.sub(isa.shl::<6>(isa.add(r, gamma2)), w1)",
        "isa.sub(isa.shl::<6>(isa.add(r, gamma2)), isa.splat(1))", MAKE_HINT),
    mutation("MakeHint: the other intervals are like that of w₁ = 0", (ROUNDING, "fn make_hint_poly"),
        "isa.sub(isa.shl::<6>(isa.add(r, gamma2)), w1)",
        "isa.shl::<6>(isa.add(r, gamma2))", MAKE_HINT),
    mutation("UseHint: r₀ = 0 goes up", (ROUNDING, "fn use_hint<"),
        "isa.sub(multiple, r)", "isa.sub(isa.sub(multiple, r), isa.splat(1))", LOW_BITS),
    mutation("UseHint: not modulo m at the lower end", (ROUNDING, "fn use_hint<"),
        "isa.and(isa.sar::<31>(r1), isa.splat(G::M))", "isa.splat(0)", BOUNDS),
    mutation("UseHint: not modulo m at the upper end", (ROUNDING, "// modulo m"),
        "isa.and(r1, isa.hide(isa.gt(isa.splat(G::M), r1)))", "r1", BOUNDS),
    mutation("UseHint: not modulo 16", (ROUNDING, "// modulo m"),
        "isa.and(r1, isa.splat(15))", "r1", BOUNDS),
    mutation("Power2Round: halves go up", (ROUNDING, "fn power2round<"),
        "(1 << (D - 1)) - 1", "1 << (D - 1)", BOUNDS),

    // Reductions.
    mutation("caddq", (ROUNDING, "fn caddq"),
        "isa.add(r, isa.and(isa.hide(isa.sar::<31>(r)), isa.splat(Q)))", "r", POSITIVE),
    mutation("caddq where t is rounded", (ROUNDING, "fn power2round_poly"),
        "caddq(isa, isa.load(row))", "isa.load(row)", BOUNDS),
    mutation("caddq where w is decomposed", (ROUNDING, "fn decompose_poly"),
        "caddq(isa, isa.load(row))", "isa.load(row)", BOUNDS),
    mutation("caddq where the hint is used", (ROUNDING, "fn use_hint_poly"),
        "caddq(isa, isa.load(row))", "isa.load(row)", BOUNDS),
    mutation("Decompose: r₀ of the topmost interval", (ROUNDING, "fn decompose<"),
        "isa.add(r0, topmost)", "r0", RESIDUES),
    mutation("Decompose: r₁ = 16", (ROUNDING, "fn decompose<"),
        "isa.and(r1, isa.splat(15))", "r1", BOUNDS),
    mutation("Decompose: r₁ = 44", (ROUNDING, "fn decompose<"),
        "isa.sub(r1, isa.and(topmost, isa.splat(G::M)))", "r1", BOUNDS),
    mutation("inverse transform: no last factor", ("src/ntt/inverse.rs", "fn ntt_inverse_inline"),
        "isa.mont_mul(b, f.0, f.1)", "b", TRANSFORMS),
    mutation("inverse transform: a butterfly that does not reduce", ("src/ntt/inverse.rs", "fn butterfly"),
        "isa.barrett_mul(isa.sub(b, a), zeta)", "{ _ = zeta; isa.sub(b, a) }", TRANSFORMS),
    mutation("transform: a butterfly that does not reduce", ("src/ntt/forward.rs", "fn butterfly"),
        "isa.barrett_mul(b, zeta)", "isa.mul_lo(b, zeta.values)", TRANSFORMS),
    mutation("plain Rust: a product is not reduced", (PORTABLE, "fn mont_mul"),
        "p - i64::from(t) * i64::from(Q)", "p - 0 * i64::from(t)", LANES),
    mutation("plain Rust: a sum of products is not reduced", (PORTABLE, "fn mont_reduce"),
        "mont_reduce(acc[i])", "(acc[i] >> 32) as i32", LANES),
    mutation("AVX2: a product is not reduced", (AVX2, "fn mont_mul_256"),
        "_mm256_mullo_epi32(a, b_qinv)", "{ _ = b_qinv; _mm256_setzero_si256() }", LANES),
    mutation("AVX2: even products are not reduced", (AVX2, "fn high_of_difference"),
        "_mm256_sub_epi32(p[0], _mm256_mul_epi32(t[0], q))", "p[0]", LANES),
    mutation("AVX2: odd products are not reduced", (AVX2, "fn high_of_difference"),
        "_mm256_sub_epi32(p[1], _mm256_mul_epi32(t[1], q))", "p[1]", LANES),
    mutation("plain Rust: a product with a constant is not reduced", ("src/reduce.rs", "fn barrett_mul"),
        "t.wrapping_mul(Q)", "0 * t", LANES),
    mutation("AVX2: even products with a constant have another t", (AVX2, "fn barrett_mul_256"),
        "odd(even)", "even", LANES),
    mutation("AVX2: odd products with a constant have another quotient", (AVX2, "fn barrett_mul_256"),
        "b.next_quotients", "b.quotients", LANES),
    mutation("AVX2: even sums of products have another t", (AVX2, "fn mont_reduce_256"),
        "_mm256_mul_epi32(p[0], qinv)", "p[0]", LANES),
    mutation("AVX2: odd sums of products have another t", (AVX2, "fn mont_reduce_256"),
        "_mm256_mul_epi32(p[1], qinv)", "p[1]", LANES),

    // Sampling.
    mutation("RejNTTPoly: q is accepted, one by one", (UNIFORM, "fn coeffs_from_three_bytes"),
        "z < Q", "z <= Q", CANDIDATES),
    mutation("RejNTTPoly: nothing is refused among sixteen", (UNIFORM, "fn rej_ntt_poly"),
        "isa.mask_to_bits(isa.gt(q, candidates)) == u16::MAX", "true", CANDIDATES),
    mutation("RejBoundedPoly: a value too many is accepted", (PORTABLE, "fn coeffs_from_half_bytes<"),
        "if ETA == 2 { 15 } else { 9 }", "if ETA == 2 { 16 } else { 10 }", CANDIDATES),
    mutation("SampleInBall: j = i is refused", ("src/sampling/ball.rs", "fn feed"),
        "usize::from(j) <= i", "usize::from(j) < i", CHALLENGE),
];
