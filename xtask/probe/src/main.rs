//! Uses every operation with every parameter set, for `cargo xtask codegen` to look at: a generic
//! function has no code until someone uses it.
#![allow(deprecated, reason = "expanded keys have kernels, too")]

use mldsa_simd::{
    ExpandedSigningKey, ExpandedSigningKeyBytes, KeyInit, Keypair, MlDsa44, MlDsa65, MlDsa87,
    MlDsaParams, MuBuilder, Seed, Signature, Signer, SigningKey, Verifier, VerifyingKey,
    low_memory,
};
use std::error::Error;
use std::hint::black_box;

fn main() -> Result<(), Box<dyn Error>> {
    operations::<MlDsa44>()?;
    operations::<MlDsa65>()?;
    operations::<MlDsa87>()
}

fn operations<P: MlDsaParams>() -> Result<(), Box<dyn Error>> {
    let message: &[u8] = black_box(b"message");
    let key = SigningKey::<P>::from_seed(&black_box(Seed::from([7; 32])));
    let verifying_key = VerifyingKey::<P>::new(&black_box(key.verifying_key().encode()));

    let signature = Signature::<P>::try_from(&black_box(key.sign(message).encode())[..])?;
    verifying_key.verify(message, &signature)?;
    verifying_key
        .with_context(black_box(b"context"))?
        .verify(message, &signature)
        .unwrap_err();

    let bytes: ExpandedSigningKeyBytes<P> = black_box(key.expanded_key().to_expanded());
    let expanded = ExpandedSigningKey::<P>::try_from_expanded(&bytes)?;
    let mu = MuBuilder::new(&verifying_key, b"")?
        .chain(message)
        .finalize();
    let signature = expanded.sign_mu_deterministic(&black_box(mu));
    black_box(verifying_key.verify_mu(&mu, &signature));
    black_box(ExpandedSigningKey::<P>::from_expanded(&bytes).verifying_key());

    let seed = black_box(Seed::from([7; 32]));
    let (mut public, mut signature) = (verifying_key.encode(), signature.encode());
    low_memory::key_gen::<P>(&seed, &mut public);
    low_memory::sign::<P>(&seed, message, b"", &Seed::default(), &mut signature)?;
    low_memory::verify::<P>(&public, message, b"", &signature)?;
    Ok(())
}
