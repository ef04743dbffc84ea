//! Valid encodings with some bytes changed, to every parser: this reaches what lies behind the
//! lengths and tags.
#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(deprecated, reason = "expanded keys are parsed, too")]

#[path = "parse.rs"]
#[allow(dead_code, reason = "as a target of its own it begins elsewhere")]
pub(crate) mod parse;

use mldsa_simd::pkcs8::{EncodePrivateKey, EncodePublicKey, PrivateKeyForm};
use mldsa_simd::{Keypair, MlDsa44, MlDsa65, MlDsa87, Seed, Signature, Signer, SigningKey};
use parse::{Set, every_parser};
use std::sync::LazyLock;

/// The first byte chooses an encoding, the second how many bytes are taken from its end or added to
/// it; then come changes of three bytes each, the place and the new value.
pub(crate) fn run(data: &[u8]) {
    let [which, length, changes @ ..] = data else {
        return;
    };
    let mut bytes = VALID[usize::from(*which) & 31 & (VALID.len() - 1)].clone();
    let keep = bytes.len() - usize::from(*length >> 4).min(bytes.len());
    bytes.truncate(keep);
    bytes.resize(keep + usize::from(*length & 15), 0);
    for [low, high, value] in changes.as_chunks().0 {
        let place = usize::from(u16::from_le_bytes([*low, *high]));
        // Beginnings and ends are where the structure is.
        let place = match place & 0x8000 {
            0 => place,
            _ => bytes.len().saturating_sub(place & 0x7fff),
        };
        if let Some(byte) = bytes.get_mut(place) {
            *byte = *value;
        }
    }
    every_parser::<MlDsa44>(&bytes);
    every_parser::<MlDsa65>(&bytes);
    every_parser::<MlDsa87>(&bytes);
}

/// Every kind of encoding, for every parameter set; repeated to a power of two.
pub(crate) static VALID: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mut all = valid::<MlDsa44>();
    all.extend(valid::<MlDsa65>());
    all.extend(valid::<MlDsa87>());
    all.into_iter().cycle().take(32).collect()
});

fn valid<P: Set>() -> Vec<Vec<u8>> {
    let key = SigningKey::<P>::from_seed(&Seed::from([0x46; 32]));
    let signature: Signature<P> = key.sign(b"a message");
    let public = key.verifying_key();
    let mut all = vec![
        key.to_seed().to_vec(),
        key.expanded_key().to_expanded().to_vec(),
        signature.encode().to_vec(),
        public.encode().to_vec(),
        public.to_public_key_der().unwrap().as_bytes().to_vec(),
    ];
    for form in [
        PrivateKeyForm::Seed,
        PrivateKeyForm::ExpandedKey,
        PrivateKeyForm::Both,
    ] {
        all.push(
            key.in_form(form)
                .to_pkcs8_der()
                .unwrap()
                .as_bytes()
                .to_vec(),
        );
    }
    all
}
