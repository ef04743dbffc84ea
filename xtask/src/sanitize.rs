//! `cargo xtask fuzz`, `cargo xtask asan` and `cargo xtask unoptimized`: the tests, in builds that
//! find what the tests alone do not see. The first two need the compiler's unstable flags, which the
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
pub struct Tests {
    /// Arguments for `cargo test`; by default, all tests run
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

impl Tests {
    /// `cargo test`, which goes on when a test program fails.
    fn command(&self) -> Command {
        let mut command = Command::new(cargo_path());
        command
            .args(["test", "--all-features", "--no-fail-fast"])
            .current_dir(root());
        command
    }
}

/// Runs the tests under AddressSanitizer.
pub fn asan(tests: &Tests) -> Result<(), String> {
    // Build scripts and macros must do without the flag, so a target is named. Frames are several
    // times as large as without it, and those of some tests do not fit into the usual 2 MiB.
    let sanitized = |command: &mut Command| {
        succeed(
            command
                .args(["--target", HOST])
                .args(&tests.arguments)
                .env("RUSTC_BOOTSTRAP", "1")
                .env("RUSTFLAGS", flags("-Zsanitizer=address"))
                .env("RUST_MIN_STACK", "16777216")
                .env("MLDSA_SANITIZED", "1"),
        )
    };
    let mut command = tests.command();
    if tests.arguments.is_empty() {
        // What `--tests` leaves out, though one of the tests runs it.
        let mut examples = Command::new(cargo_path());
        examples
            .args(["build", "--all-features", "--examples"])
            .current_dir(root());
        sanitized(&mut examples)?;
        command.arg("--tests");
    }
    sanitized(&mut command)?;
    println!(
        "Left out: tests/leftovers.rs, which reads dead memory, and the documentation's examples"
    );
    Ok(())
}

/// Runs the tests without optimization, with checks for overflow and debug assertions. The
/// dependencies are optimized as they always are.
pub fn unoptimized(tests: &Tests) -> Result<(), String> {
    let mut command = tests.command();
    command
        .args(["--config", "profile.dev.package.mldsa-simd.opt-level=0"])
        .args(&tests.arguments);
    // What is proved by exhaustion takes very long here, and has the same checks in every run of the
    // tests.
    if tests.arguments.is_empty() {
        command.args(["--", "--skip", "every_residue", "--skip", "exhaustion"]);
    }
    succeed(
        command
            .env("MLDSA_UNOPTIMIZED", "1")
            .env("MLDSA_TEST_DIVISOR", "100"),
    )?;
    println!("Left out: proofs by exhaustion, and tests/leftovers.rs, which needs optimization");
    println!("A hundredth ran of what is statistical, and of CCTV's 10 000 rounds");
    Ok(())
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
