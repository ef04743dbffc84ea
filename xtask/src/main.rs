//! The project's longer checks. `cargo xtask help` lists them.

mod api;
mod asm;
mod bare_metal;
mod codegen;
mod cross;
mod ct;
mod instructions;
mod interop;
mod kernels;
mod mutants;
mod prove;
mod python;
mod sanitize;
mod trace;

#[path = "../../tests/fence/fips.rs"]
mod fips;
#[path = "../../tests/fence/prose.rs"]
#[allow(dead_code, reason = "the citations are for tests/fence.rs")]
mod prose;

use clap::{Parser, Subcommand};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs, io};

#[derive(Parser)]
#[command(about = "The project's longer checks")]
struct Arguments {
    #[command(subcommand)]
    check: Check,
}

#[derive(Subcommand)]
enum Check {
    /// Check that the public API is the one that is written down
    Api(api::Arguments),
    /// Compile to assembly and check that every kernel is what it should be
    Codegen(codegen::Arguments),
    /// Run every operation under valgrind: no branch and no address depends on a secret
    Ct(ct::Arguments),
    /// Trace work on secrets under qemu: the same blocks and addresses, whatever the secrets
    Trace(trace::Arguments),
    /// Run the fuzz targets
    Fuzz(sanitize::Fuzz),
    /// Run the tests under AddressSanitizer
    Asan(sanitize::Tests),
    /// Run the tests without optimization, with checks for overflow
    Unoptimized(sanitize::Tests),
    /// Check the numbers of FIPS 204's algorithms against their names
    Fips,
    /// Build or test for another target: sets up what is missing, then runs cargo
    Cross(cross::Arguments),
    /// Count the instructions of each operation on AArch64, emulated
    Count(cross::Count),
    /// Measure the stack that `low_memory` takes, here and on a Cortex-M4 under qemu
    Memory,
    /// Measure the code of images for a Cortex-M4, and check that no panic is in it
    Size(bare_metal::Size),
    /// Check where unsafe code stands, which module uses which, and the citations
    Fence,
    /// Count the instructions of each operation with Valgrind and compare with docs/instructions.md
    Instructions(instructions::Arguments),
    /// Check against the Python package `cryptography`, which is installed under target/
    Interop(interop::Arguments),
    /// Take out each check and each reduction: a test has to notice
    Mutants(mutants::Arguments),
    /// Prove the reductions modulo q for every input, with solvers that are installed under target/
    Prove(prove::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().check {
        Check::Api(arguments) => api::run(&arguments),
        Check::Codegen(arguments) => codegen::run(&arguments),
        Check::Ct(arguments) => ct::run(&arguments),
        Check::Trace(arguments) => trace::run(&arguments),
        Check::Fuzz(arguments) => sanitize::fuzz(&arguments),
        Check::Asan(arguments) => sanitize::asan(&arguments),
        Check::Unoptimized(arguments) => sanitize::unoptimized(&arguments),
        Check::Fips => fips(),
        Check::Cross(arguments) => cross::run(&arguments),
        Check::Count(arguments) => cross::count(&arguments),
        Check::Memory => bare_metal::memory(),
        Check::Size(arguments) => bare_metal::size(&arguments),
        Check::Fence => cargo(&["test", "--quiet", "--test", "fence"]),
        Check::Instructions(arguments) => instructions::run(&arguments),
        Check::Interop(arguments) => interop::run(&arguments),
        Check::Mutants(arguments) => mutants::run(&arguments),
        Check::Prove(arguments) => prove::run(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The root of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap_or(Path::new("."))
}

/// Runs the cargo that runs us, at the root.
fn cargo(arguments: &[&str]) -> Result<(), String> {
    succeed(
        Command::new(cargo_path())
            .args(arguments)
            .current_dir(root()),
    )
}

fn cargo_path() -> PathBuf {
    env::var_os("CARGO")
        .unwrap_or_else(|| "cargo".into())
        .into()
}

fn succeed(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?}: {status}")),
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}

fn fips() -> Result<(), String> {
    let mut pairs = 0;
    let mut errors = Vec::new();
    for folder in ["src", "tests/spec"] {
        let folder = root().join(folder);
        let sources =
            rust_files(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for path in sources {
            let text = fs::read_to_string(&path)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            let report = fips::check(&path.display().to_string(), &text);
            pairs += report.pairs;
            errors.extend(report.errors);
        }
    }
    println!(
        "{pairs} algorithm numbers agree with their names, {} do not",
        errors.len()
    );
    if pairs == 0 {
        return Err("no algorithm is cited: the check looked at nothing".into());
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors.join("\n"))
    }
}

fn rust_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    Ok(found)
}
