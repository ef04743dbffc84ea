//! Signs files with the three parameter sets, verifies the signatures, and shows that one flipped
//! bit is refused:
//!
//! ```text
//! cargo run --release --example quickstart [FILE…]
//! ```

use core::error::Error;
use core::time::Duration;
use mldsa_simd::{
    Generate, KeyExport, Keypair, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Signer, SigningKey,
    Verifier,
};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use std::{env, fs};

/// Keys for each file and parameter set.
const RUNS: usize = 101;

fn main() -> ExitCode {
    let mut files: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    if files
        .iter()
        .any(|file| file.as_os_str() == "--help" || file.as_os_str() == "-h")
    {
        println!("Usage: cargo run --release --example quickstart [FILE…]");
        return ExitCode::SUCCESS;
    }
    if files.is_empty() {
        files.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"));
    }
    println!("Instruction set: {}", mldsa_simd::isa_name());
    println!("Times are medians over {RUNS} fresh keys.\n");

    let mut failed = false;
    for file in &files {
        if let Err(error) = demonstrate(file) {
            eprintln!("{}: {error}", file.display());
            failed = true;
        }
    }
    if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// Signs one file with all three sets and prints a line for each.
fn demonstrate(file: &Path) -> Result<(), Box<dyn Error>> {
    let message = fs::read(file)?;
    println!("{} ({} bytes)", file.display(), message.len());
    println!(
        "  {:<10} {:>11} {:>10} {:>10} {:>10} {:>10}  one bit flipped",
        "", "public key", "signature", "keygen", "sign", "verify"
    );
    sign_and_verify::<MlDsa44>("ML-DSA-44", &message)?;
    sign_and_verify::<MlDsa65>("ML-DSA-65", &message)?;
    sign_and_verify::<MlDsa87>("ML-DSA-87", &message)?;
    println!();
    Ok(())
}

/// Does everything with `RUNS` fresh keys and prints the median times.
fn sign_and_verify<P: MlDsaParams>(name: &str, message: &[u8]) -> Result<(), Box<dyn Error>> {
    let mut forged = message.to_vec();
    match forged.first_mut() {
        Some(byte) => *byte ^= 1,
        // An empty file has no bit to flip: add a byte.
        None => forged.push(0),
    }
    let mut times = [const { Vec::new() }; 3];
    let mut sizes = (0, 0);
    for _ in 0..RUNS {
        let (key, keygen) = time(SigningKey::<P>::try_generate);
        let key = key?;
        let (signature, sign) = time(|| key.try_sign(message));
        let signature = signature?;
        let public = key.verifying_key();
        let (verdict, verify) = time(|| public.verify(message, &signature));
        verdict?;
        if public.verify(&forged, &signature).is_ok() {
            return Err(format!("{name} accepted a message that it did not sign").into());
        }
        sizes = (public.to_bytes().len(), signature.encode().len());
        for (times, time) in times.iter_mut().zip([keygen, sign, verify]) {
            times.push(time);
        }
    }
    let [keygen, sign, verify] = times.map(|mut times| {
        times.sort_unstable();
        format!("{:.1} µs", times[RUNS >> 1].as_secs_f64() * 1e6)
    });
    let (public, signature) = sizes;
    println!(
        "  {name:<10} {public:>5} bytes {signature:>4} bytes {keygen:>10} {sign:>10} {verify:>10}  refused"
    );
    Ok(())
}

fn time<R>(operation: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    let result = operation();
    (result, start.elapsed())
}
