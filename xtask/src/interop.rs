//! Interoperation with implementations that are not ours: the Python package `cryptography`, which
//! brings its own OpenSSL, and aws-lc-rs. This module makes them available; xtask/interop and
//! xtask/aws-lc do the checks.

use crate::{cargo, cargo_path, python, root, succeed};
use clap::Args;
use std::path::PathBuf;
use std::process::Command;

/// The package, and the versions that know ML-DSA as the checks use it.
const PACKAGE: &str = "cryptography>=50,<51";

#[derive(Args)]
pub(crate) struct Arguments {
    /// The Python that makes the virtual environment
    #[arg(long, default_value = "python3")]
    python: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let python = python::with_packages("interop-python", &arguments.python, &[PACKAGE])?;
    let python = python.to_str().ok_or("the path is not UTF-8")?;
    cargo(&["run", "--quiet", "--package", "interop", "--", python])?;
    let folder = root().join("xtask/aws-lc");
    succeed(
        Command::new(cargo_path())
            .args([
                "test",
                "--quiet",
                "--locked",
                "--test",
                "pkcs8",
                "--manifest-path",
            ])
            .arg(folder.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(root().join("target/aws-lc")),
    )
}
