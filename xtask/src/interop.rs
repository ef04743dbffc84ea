//! Interoperation with an implementation that is not ours: the Python package `cryptography`, which
//! brings its own OpenSSL. This module makes it available; xtask/interop does the checks.

use crate::{cargo, root, succeed};
use clap::Args;
use std::path::PathBuf;
use std::process::Command;
use std::{env, path};

/// The package, and the versions that know ML-DSA as the checks use it.
const PACKAGE: &str = "cryptography>=50,<51";

#[derive(Args)]
pub(crate) struct Arguments {
    /// The Python that makes the virtual environment
    #[arg(long, default_value = "python3")]
    python: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let environment = target()?.join("interop-python");
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    let python = environment.join(folder).join("python");
    // Where making it failed half-way there is a Python, but no pip.
    let complete = Command::new(&python)
        .args(["-m", "pip", "--version"])
        .output();
    if !complete.is_ok_and(|output| output.status.success()) {
        succeed(
            Command::new(&arguments.python)
                .args(["-m", "venv", "--clear"])
                .arg(&environment),
        )
        .map_err(|error| format!("{error} (on Debian, python3-venv is needed)"))?;
    }
    succeed(Command::new(&python).args([
        "-m",
        "pip",
        "--disable-pip-version-check",
        "install",
        "--quiet",
        PACKAGE,
    ]))?;
    let python = python.to_str().ok_or("the path is not UTF-8")?;
    cargo(&["run", "--quiet", "--package", "interop", "--", python])
}

/// Where cargo builds.
fn target() -> Result<PathBuf, String> {
    let named = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    path::absolute(named.unwrap_or_else(|| root().join("target")))
        .map_err(|error| format!("the target folder: {error}"))
}
