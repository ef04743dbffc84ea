//! Python packages for a check, in a virtual environment under target/.

use crate::{root, succeed};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, path};

/// The Python of the environment `name`, made by `maker` where there is none, with the packages.
pub(crate) fn with_packages(
    name: &str,
    maker: &Path,
    packages: &[&str],
) -> Result<PathBuf, String> {
    let environment = target()?.join(name);
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    let python = environment.join(folder).join("python");
    // Where making it failed half-way there is a Python, but no pip.
    let complete = Command::new(&python)
        .args(["-m", "pip", "--version"])
        .output();
    if !complete.is_ok_and(|output| output.status.success()) {
        succeed(
            Command::new(maker)
                .args(["-m", "venv", "--clear"])
                .arg(&environment),
        )
        .map_err(|error| format!("{error} (on Debian, python3-venv is needed)"))?;
    }
    succeed(
        Command::new(&python)
            .args(["-m", "pip", "--disable-pip-version-check", "install"])
            .arg("--quiet")
            .args(packages),
    )?;
    Ok(python)
}

/// Where cargo builds.
pub(crate) fn target() -> Result<PathBuf, String> {
    let named = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    path::absolute(named.unwrap_or_else(|| root().join("target")))
        .map_err(|error| format!("the target folder: {error}"))
}
