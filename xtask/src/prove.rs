//! The proof of the reductions by solvers: xtask/prove/reduction.py, with what it needs.

use crate::{python, root, succeed};
use clap::Args;
use std::path::PathBuf;
use std::process::Command;

/// Three solvers, each in a version that answers every question of the script in seconds.
const PACKAGES: [&str; 3] = ["bitwuzla==0.10.0", "cvc5==1.4.2", "z3-solver==5.4.1.0"];

#[derive(Args)]
pub(crate) struct Arguments {
    /// The Python that makes the virtual environment
    #[arg(long, default_value = "python3")]
    python: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let python = python::with_packages("prove-python", &arguments.python, &PACKAGES)?;
    succeed(Command::new(python).arg(root().join("xtask/prove/reduction.py")))
}
