//! Verification gives the oracle's verdict: on keys, messages, contexts and signatures that the
//! input makes, and on valid ones that it changes.
#![allow(clippy::unwrap_used, reason = "tests")]

use crate::spec;
use mldsa_simd::{
    KeyInit, Keypair, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Seed, Signature, SigningKey,
    VerifyingKey,
};

/// The first byte: bits 0 and 1 choose the parameter set, bit 2 a key with **t**₁ = 0, bit 3 whether
/// the signature is that of another message, bit 4 whether the public key is made of the input, too.
/// The second is the context's length. Then changes, the place and the new value in three bytes.
pub(crate) fn run(data: &[u8]) {
    match data.first().map(|first| first & 3) {
        Some(0) => verdicts::<MlDsa65>(&spec::ML_DSA_65, data),
        Some(1) => verdicts::<MlDsa87>(&spec::ML_DSA_87, data),
        Some(_) => verdicts::<MlDsa44>(&spec::ML_DSA_44, data),
        None => {}
    }
}

fn verdicts<P: MlDsaParams>(p: &spec::Params, data: &[u8]) {
    let [flags, context, changes @ ..] = data else {
        return;
    };
    let context = &[7; 255][..usize::from(*context)];
    let seed = Seed::from([changes.first().copied().unwrap_or(0) & 3; 32]);
    let key = SigningKey::<P>::from_seed(&seed);
    let signed: &[u8] = if flags & 8 == 0 {
        b"message"
    } else {
        b"another"
    };
    let signature = key
        .expanded_key()
        .sign_deterministic(signed, context)
        .unwrap();
    let mut signature = signature.encode().to_vec();
    let mut public = key.verifying_key().encode().to_vec();
    if flags & 4 != 0 {
        public[32..].fill(0);
    }
    for [low, high, value] in changes.as_chunks().0 {
        let place = usize::from(u16::from_le_bytes([*low, *high]));
        let to = if place >= 0x8000 && flags & 16 != 0 {
            public.get_mut(place & 0x7fff)
        } else {
            // Counted from the end, where the hint is, or from the beginning.
            let place = match place & 0x4000 {
                0 => place & 0x3fff,
                _ => signature.len().wrapping_sub(place & 0x3fff),
            };
            signature.get_mut(place)
        };
        if let Some(byte) = to {
            *byte = *value;
        }
    }
    let ours = VerifyingKey::<P>::new_from_slice(&public).is_ok_and(|key| {
        Signature::<P>::try_from(signature.as_slice())
            .is_ok_and(|signature| key.verify_with_context(b"message", context, &signature))
    });
    let oracle = spec::verify(p, &public, b"message", &signature, context);
    assert_eq!(ours, oracle, "{}: the oracle says {oracle}", p.name);
}
