//! The public API, one line an item, as docs/public-api.txt has it: no change of it goes unseen.

use crate::{cargo_path, root, succeed};
use clap::Args;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const LIST: &str = "docs/public-api.txt";

/// What is no matter of users: modules of text, which are there only when rustdoc runs, and traits
/// of the compiler's own.
const LEFT_OUT: [&str; 4] = [
    "pub mod mldsa_simd::guides",
    " core::marker::Freeze for ",
    " core::marker::StructuralPartialEq for ",
    " core::marker::UnsafeUnpin for ",
];

#[derive(Args)]
pub(crate) struct Arguments {
    /// Write the list anew
    #[arg(long)]
    bless: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let json = rustdoc_json()?;
    let api = public_api::Builder::from_rustdoc_json(&json)
        .omit_blanket_impls(true)
        .build()
        .map_err(|error| format!("{}: {error}", json.display()))?;
    let found: String = api
        .items()
        .map(|item| format!("{item}\n"))
        .filter(|line| !LEFT_OUT.iter().any(|pattern| line.contains(pattern)))
        .collect();
    if !found.contains("pub struct mldsa_simd::SigningKey<") {
        return Err("no `SigningKey` in the API: the check looked at nothing".into());
    }
    let path = root().join(LIST);
    if arguments.bless {
        fs::write(&path, found).map_err(|error| format!("{LIST}: {error}"))?;
        println!("{LIST} is written: look at the difference");
        return Ok(());
    }
    let listed = fs::read_to_string(&path).map_err(|error| format!("{LIST}: {error}"))?;
    if listed == found {
        println!(
            "the public API is that of {LIST}: {} lines",
            found.lines().count()
        );
        return Ok(());
    }
    Err(format!(
        "the public API is not that of {LIST}:\n{}\
         If that is what you want, run `cargo xtask api --bless`, and say in CHANGELOG.md what changed.",
        difference(&listed, &found)
    ))
}

/// The lines that only one of the lists has. The order says nothing to a user of the crate, but it
/// is part of the file.
fn difference(listed: &str, found: &str) -> String {
    let old: BTreeSet<_> = listed.lines().collect();
    let new: BTreeSet<_> = found.lines().collect();
    let gone = old.difference(&new).map(|line| format!("-{line}\n"));
    let come = new.difference(&old).map(|line| format!("+{line}\n"));
    let lines: String = gone.chain(come).collect();
    if lines.is_empty() {
        return "the lines are the same, in another order or number\n".into();
    }
    lines
}

/// What rustdoc knows of the crate with all features. Its JSON is not stable yet, so the stable
/// compiler has to be talked into it; the folder of its own keeps that from everything else.
fn rustdoc_json() -> Result<PathBuf, String> {
    let target = root().join("target/api");
    succeed(
        Command::new(cargo_path())
            .args([
                "rustdoc",
                "--quiet",
                "--lib",
                "--all-features",
                "--target-dir",
            ])
            .arg(&target)
            .args(["--", "-Z", "unstable-options", "--output-format", "json"])
            .args(["--cap-lints", "allow"])
            .env("RUSTC_BOOTSTRAP", "1")
            .current_dir(root()),
    )?;
    Ok(target.join("doc/mldsa_simd.json"))
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn a_change_is_shown() {
        assert_eq!(difference("a\nb\nc\n", "a\nc\nd\n"), "-b\n+d\n");
        assert!(difference("a\nb\n", "b\na\n").contains("order"));
        assert!(difference("a\n", "a\na\n").contains("number"));
    }
}
