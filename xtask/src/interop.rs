//! Interoperation with an implementation that is not ours: the Python package `cryptography`, which
//! brings its own OpenSSL. This module makes it available; xtask/interop does the checks.

use crate::{cargo, python};
use clap::Args;
use std::path::PathBuf;

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
    cargo(&["run", "--quiet", "--package", "interop", "--", python])
}
