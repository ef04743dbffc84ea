//! `cargo xtask fuzz` and `cargo xtask asan`: what needs the compiler's unstable flags, which the
//! stable compiler has, too, when it is told so.

use crate::{cargo_path, root, succeed};
use std::env;
use std::process::Command;

/// The targets.
const TARGETS: [&str; 5] = ["parse", "edit", "verify", "operations", "kernels"];

#[derive(clap::Args)]
pub struct Fuzz {
    /// One of parse, edit, verify, operations, kernels; by default all, one after the other
    target: Option<String>,
    /// For how long each of them runs
    #[arg(long, default_value_t = 600)]
    seconds: u32,
}

/// Runs fuzz targets under AddressSanitizer. Needs cargo-fuzz.
pub fn fuzz(arguments: &Fuzz) -> Result<(), String> {
    let targets: Vec<&str> = match &arguments.target {
        Some(target) => vec![target],
        None => TARGETS.to_vec(),
    };
    for target in targets {
        succeed(
            Command::new(cargo_path())
                .args(["fuzz", "run", target, "--"])
                .args([
                    "-max_len=8192",
                    &format!("-max_total_time={}", arguments.seconds),
                ])
                .env("RUSTC_BOOTSTRAP", "1")
                .env("RUSTFLAGS", flags("--cfg mldsa_internals"))
                .current_dir(root()),
        )
        .map_err(|error| format!("{error} (`cargo install --locked cargo-fuzz` installs it)"))?;
    }
    Ok(())
}

#[derive(clap::Args)]
pub struct Asan {
    /// Arguments for `cargo test`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// Runs the tests under AddressSanitizer.
pub fn asan(arguments: &Asan) -> Result<(), String> {
    // Build scripts and macros must do without the flag, so a target is named.
    succeed(
        Command::new(cargo_path())
            .args(["test", "--target", HOST])
            .args(&arguments.arguments)
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTFLAGS", flags("-Zsanitizer=address"))
            .current_dir(root()),
    )
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
const HOST: &str = "x86_64-unknown-linux-gnu";
#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
const HOST: &str = "aarch64-unknown-linux-gnu";

/// The flags of the caller, and one more.
fn flags(flag: &str) -> String {
    let given = env::var("RUSTFLAGS").unwrap_or_default();
    format!("{given} {flag}").trim().to_owned()
}
