//! Mutations: each check is taken out, each reduction is left out, and a test has to notice.
//!
//! All of them are compiled at once, into a copy of the tree in which a mutated expression reads
//! `if crate::mutant(n) { mutated } else { original }`, and the environment chooses one. So there is
//! one build, and then a run of one test for each mutation.

mod list;

use crate::{cargo_path, python, root};
use clap::Args;
use list::MUTATIONS;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A change of the source that a test has to notice.
pub(crate) struct Mutation {
    /// What is missing or wrong then.
    what: &'static str,
    file: &'static str,
    /// The expression is the first of its kind behind this.
    behind: &'static str,
    from: &'static str,
    to: &'static str,
    /// The test: `lib`, or the name of an integration test, and the path of the function.
    test: (&'static str, &'static str),
}

#[derive(Args)]
pub(crate) struct Arguments {
    /// Only the mutations that unit tests notice
    #[arg(long)]
    quick: bool,
    /// Only print the list
    #[arg(long)]
    list: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let chosen: Vec<(usize, &Mutation)> = (1..)
        .zip(MUTATIONS)
        .filter(|(_, mutation)| !arguments.quick || mutation.test.0 == "lib")
        .filter(|(_, mutation)| mutation.file != list::AVX2 || has_avx2())
        .collect();
    if arguments.list {
        for (n, mutation) in chosen {
            println!(
                "{n:3} {}: {} {}",
                mutation.what, mutation.test.0, mutation.test.1
            );
        }
        return Ok(());
    }
    let tree = python::target()?.join("mutants");
    copy_with_mutations(&tree)?;

    let tests: BTreeSet<_> = chosen.iter().map(|(_, mutation)| mutation.test).collect();
    let programs: BTreeSet<_> = tests.iter().map(|(program, _)| *program).collect();
    let programs = build(&tree, &programs)?;
    // Without a mutation all tests pass, and are there.
    for test in &tests {
        if outcome(&programs, *test, 0)? != Outcome::Passed {
            return Err(format!("{} {} fails without a mutation", test.0, test.1));
        }
    }
    let mut survived = 0;
    for (n, mutation) in &chosen {
        let outcome = outcome(&programs, mutation.test, *n)?;
        let verdict = match outcome {
            Outcome::Failed => "noticed",
            Outcome::Passed => {
                survived += 1;
                "SURVIVED"
            }
        };
        println!(
            "{verdict} {n:3} {}: {} {}",
            mutation.what, mutation.test.0, mutation.test.1
        );
    }
    println!("{} mutations, {survived} of them not noticed", chosen.len());
    if !has_avx2() {
        println!("those of AVX2 were left out: this CPU does not have it");
    }
    if survived == 0 {
        Ok(())
    } else {
        Err("a check can be taken out and no test notices".into())
    }
}

fn has_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    let has = std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    let has = false;
    has
}

/// Compiles test programs in the tree; returns where they are.
fn build(tree: &Path, programs: &BTreeSet<&str>) -> Result<BTreeMap<String, PathBuf>, String> {
    let mut command = Command::new(cargo_path());
    command.args(["test", "--no-run", "--color=never"]);
    // The dependencies are those of the ordinary tests, and need no second build.
    command
        .current_dir(tree)
        .env("CARGO_TARGET_DIR", python::target()?);
    for program in programs {
        match *program {
            "lib" => command.arg("--lib"),
            test => command.args(["--test", test]),
        };
    }
    let output = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("the tree with all mutations: {text}"));
    }
    // «Executable tests/api.rs (…/api-0123)», «Executable unittests src/lib.rs (…)»
    let executables = text.lines().filter_map(|line| {
        let (source, path) = line
            .trim()
            .strip_prefix("Executable ")?
            .strip_suffix(')')?
            .split_once(" (")?;
        let name = Path::new(source).file_stem()?.to_str()?;
        Some((name.to_owned(), tree.join(path)))
    });
    Ok(executables.collect())
}

#[derive(PartialEq, Eq)]
enum Outcome {
    Passed,
    Failed,
}

/// What a test says of the mutation `n`.
fn outcome(
    programs: &BTreeMap<String, PathBuf>,
    (program, test): (&str, &str),
    n: usize,
) -> Result<Outcome, String> {
    let path = programs.get(program).ok_or("cargo built no such program")?;
    let output = Command::new(path)
        .args(["--exact", test])
        .env("MLDSA_MUTANT", n.to_string())
        .output()
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    if output.status.success() && text.contains("1 passed") {
        Ok(Outcome::Passed)
    } else if text.contains("1 failed") {
        Ok(Outcome::Failed)
    } else {
        let errors = String::from_utf8_lossy(&output.stderr);
        Err(format!("{program} {test}, mutation {n}: {text}{errors}"))
    }
}

/// Where the mutation's expression stands in the source.
fn place(source: &str, mutation: &Mutation) -> Option<usize> {
    let behind = source.find(mutation.behind)?;
    Some(behind + source[behind..].find(mutation.from)?)
}

/// The source with the mutations of a file, numbered.
fn mutate(source: &str, mutations: &[(usize, &Mutation)]) -> Result<String, String> {
    let mut places = BTreeMap::<usize, Vec<(usize, &Mutation)>>::new();
    for (n, mutation) in mutations {
        let place = place(source, mutation).ok_or_else(|| {
            let Mutation { what, file, .. } = mutation;
            format!("{what}: {file} has changed: no {:?}", mutation.from)
        })?;
        places.entry(place).or_default().push((*n, mutation));
    }
    let mut mutated = source.to_owned();
    let mut end = source.len();
    for (place, alternatives) in places.into_iter().rev() {
        let from = alternatives[0].1.from;
        if alternatives.iter().any(|(_, other)| other.from != from) || place + from.len() > end {
            return Err(format!("mutations of {from:?} overlap"));
        }
        let mut text = String::from("(");
        for (n, mutation) in alternatives {
            text += &format!("if crate::mutant({n}) {{ {} }} else ", mutation.to);
        }
        text += &format!("{{ {from} }})");
        mutated.replace_range(place..place + from.len(), &text);
        end = place;
    }
    Ok(mutated)
}

/// What the copy's `lib.rs` has beside.
const CHOICE: &str = "
use mutants::mutant;
mod mutants {
    extern crate std as standard;
    use standard::{env, sync::LazyLock};

    /// Whether a mutation is the one to run.
    pub(crate) fn mutant(n: usize) -> bool {
        static CHOSEN: LazyLock<usize> = LazyLock::new(|| {
            let chosen = env::var(\"MLDSA_MUTANT\");
            chosen.ok().and_then(|n| n.parse().ok()).unwrap_or(0)
        });
        *CHOSEN == n
    }
}
";

/// The manifest with another version. Cargo tells crates in one target folder apart by name and
/// version, not by where they are: without this, it would take the copy for the original later.
fn rename(manifest: &str) -> Result<String, String> {
    let (before, after) = manifest
        .split_once("\nversion = \"")
        .ok_or("Cargo.toml has no version")?;
    let (_, after) = after.split_once('"').ok_or("Cargo.toml has no version")?;
    Ok(format!("{before}\nversion = \"0.0.0-mutants\"{after}"))
}

/// Makes `tree` a copy of what git knows of the project, with all mutations in it.
fn copy_with_mutations(tree: &Path) -> Result<(), String> {
    let listed = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(root())
        .output()
        .map_err(|error| format!("git: {error}"))?;
    let listed = String::from_utf8_lossy(&listed.stdout);
    for file in listed.split('\0').filter(|file| !file.is_empty()) {
        let Ok(content) = fs::read(root().join(file)) else {
            continue; // deleted, or a link to nowhere
        };
        let mutations: Vec<_> = (1..)
            .zip(MUTATIONS)
            .filter(|(_, mutation)| mutation.file == file)
            .collect();
        let content = match String::from_utf8(content) {
            Ok(source) => {
                let mut source = mutate(&source, &mutations)?;
                if file == "src/lib.rs" {
                    source += CHOICE;
                }
                if file == "Cargo.toml" {
                    source = rename(&source)?;
                }
                source.into_bytes()
            }
            Err(bytes) => bytes.into_bytes(),
        };
        let to = tree.join(file);
        // What is the same keeps its date, so that cargo need not compile it again.
        if fs::read(&to).is_ok_and(|old| old == content) {
            continue;
        }
        to.parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(&to, content))
            .map_err(|error| format!("{}: {error}", to.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The list keeps up with the source.
    #[test]
    fn every_mutation_has_its_place() {
        let files: BTreeSet<_> = MUTATIONS.iter().map(|mutation| mutation.file).collect();
        for file in files {
            let source = fs::read_to_string(root().join(file)).expect(file);
            let mutations: Vec<_> = (1..)
                .zip(MUTATIONS)
                .filter(|(_, mutation)| mutation.file == file)
                .collect();
            let mutated = mutate(&source, &mutations).expect("all are there");
            assert_eq!(mutated.matches("crate::mutant(").count(), mutations.len());
        }
    }
}
