//! `cargo xtask instructions`: what each operation takes, counted by Callgrind, as
//! docs/instructions.md has it. Counts do not depend on how busy the machine is, so that a change
//! of two in a hundred is seen.

use crate::{cargo_path, root, succeed};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::{fs, io};

const LIST: &str = "docs/instructions.md";

/// How much an operation may take more or less than it is listed with, in thousandths.
const TOLERANCE: u64 = 20;

/// Parameter sets × operations.
const ROWS: usize = 3 * 5;

/// Those of mldsa-native, which always works from bytes.
const NATIVE_ROWS: usize = 3 * 3;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Count mldsa-native, too (compiles C; needs libclang), and write the list anew
    #[arg(long)]
    bless: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), String> {
    let counts = count(arguments.bless)?;
    let ours: BTreeMap<&str, u64> = of("avx2", &counts);
    if ours.len() != ROWS {
        return Err(format!("{} operations with AVX2, not {ROWS}", ours.len()));
    }
    for (operation, count) in of("low-memory", &counts) {
        let ratio = count as f64 / ours[operation] as f64;
        println!("low_memory: {operation} takes {count} instructions, {ratio:.1} times as many");
    }
    let path = root().join(LIST);
    if arguments.bless {
        let native = of("mldsa-native", &counts);
        if native.len() != NATIVE_ROWS {
            return Err(format!(
                "{} operations of mldsa-native, not {NATIVE_ROWS}",
                native.len()
            ));
        }
        fs::write(&path, table(&ours, &native)).map_err(|error| format!("{LIST}: {error}"))?;
        println!("{LIST} is written: look at the difference");
        return Ok(());
    }
    let listed = fs::read_to_string(&path).map_err(|error| format!("{LIST}: {error}"))?;
    let errors = compare(&listed, &ours);
    if errors.is_empty() {
        println!("{ROWS} operations take the instructions that {LIST} says");
        return Ok(());
    }
    Err(format!(
        "instructions have changed:\n{}\nIf the change explains it, run `cargo xtask instructions --bless`.",
        errors.join("\n")
    ))
}

/// The operations of a library: \"44 keygen\" and so on.
fn of<'a>(library: &str, counts: &'a BTreeMap<String, u64>) -> BTreeMap<&'a str, u64> {
    counts
        .iter()
        .filter_map(|(name, count)| {
            let (found, operation) = name.split_once(' ')?;
            (found == library).then_some((operation, *count))
        })
        .collect()
}

/// Operations that take more or less than they are listed with.
fn compare(listed: &str, found: &BTreeMap<&str, u64>) -> Vec<String> {
    let listed: BTreeMap<&str, u64> = listed.lines().filter_map(row).collect();
    let mut errors = Vec::new();
    for (operation, found) in found {
        match listed.get(operation) {
            None => errors.push(format!("{operation}: {found}, not listed")),
            Some(listed) if found.abs_diff(*listed) * 1000 > listed * TOLERANCE => {
                errors.push(format!("{operation}: {found}, listed with {listed}"));
            }
            Some(_) => {}
        }
    }
    errors
}

/// `| 44 keygen | 123 | …` as (\"44 keygen\", 123).
fn row(line: &str) -> Option<(&str, u64)> {
    let mut cells = line.strip_prefix('|')?.split('|').map(str::trim);
    let operation = cells.next()?;
    Some((operation, cells.next()?.parse().ok()?))
}

fn table(ours: &BTreeMap<&str, u64>, native: &BTreeMap<&str, u64>) -> String {
    let mut text = String::from(
        "# Instructions of an operation\n\n\
         Counted by Callgrind on x86-64 with AVX2, in the mean over 50 seeds or messages, which are the \
         same for both libraries. `cargo xtask instructions` compares, and fails beyond 2 %; with `--bless` \
         it writes this file. \"sign\" and \"verify\" are with the key held, \"-bytes\" with the key from its bytes, \
         which is how mldsa-native always works. `memset` and `memcpy` are kept from their \
         string instructions, of which Callgrind counts every repetition.\n\n\
         | operation | mldsa-simd | mldsa-native | ratio |\n|---|--:|--:|--:|\n",
    );
    for (operation, ours) in ours {
        let native = native[operation.trim_end_matches("-bytes")];
        // Writing to a String cannot fail.
        let ratio = native as f64 / *ours as f64;
        let _ = writeln!(text, "| {operation} | {ours} | {native} | {ratio:.2} |");
    }
    text
}

/// Instructions of each operation, by \"library set operation\".
fn count(native: bool) -> Result<BTreeMap<String, u64>, String> {
    let folder = root().join("target/count");
    let manifest = root().join("xtask/count/Cargo.toml");
    let mut build = Command::new(cargo_path());
    build
        .args([
            "build",
            "--quiet",
            "--release",
            "--locked",
            "--manifest-path",
        ])
        .arg(manifest)
        .arg("--target-dir")
        .arg(&folder);
    if native {
        build.args(["--features", "native"]);
    }
    succeed(&mut build)?;
    let profiles = folder.join("profiles");
    if profiles.exists() {
        fs::remove_dir_all(&profiles).map_err(|error| describe(&profiles, &error))?;
    }
    fs::create_dir_all(&profiles).map_err(|error| describe(&profiles, &error))?;
    let threshold = usize::MAX >> 1;
    succeed(
        Command::new("valgrind")
            .args(["--quiet", "--tool=callgrind"])
            .arg(format!("--callgrind-out-file={}", profiles.join("out").display()))
            .arg(folder.join("release/count"))
            .env(
                "GLIBC_TUNABLES",
                format!("glibc.cpu.x86_rep_stosb_threshold={threshold}:glibc.cpu.x86_rep_movsb_threshold={threshold}"),
            )
            .stdout(std::process::Stdio::null()),
    )?;
    let mut counts = BTreeMap::new();
    for entry in fs::read_dir(&profiles).map_err(|error| describe(&profiles, &error))? {
        let path = entry.map_err(|error| describe(&profiles, &error))?.path();
        let text = fs::read_to_string(&path).map_err(|error| describe(&path, &error))?;
        counts.extend(profile(&text));
    }
    Ok(counts)
}

/// What a profile that the program asked for is about, and the instructions of one round.
fn profile(text: &str) -> Option<(String, u64)> {
    let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key));
    let reason = value("desc: Trigger: Client Request: end ")?;
    let (name, rounds) = reason.rsplit_once(' ')?;
    let total: u64 = value("summary: ")?.trim().parse().ok()?;
    let rounds: u64 = rounds.parse().ok()?;
    Some((name.to_owned(), total.checked_div(rounds)?))
}

fn describe(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::{compare, profile};
    use std::collections::BTreeMap;

    const LISTED: &str = "| operation | mldsa-simd |\n|---|--:|\n| 44 keygen | 1000 | 1 | 1 |\n";

    #[test]
    fn more_than_two_in_a_hundred_is_an_error() {
        let errors = |count| compare(LISTED, &BTreeMap::from([("44 keygen", count)]));
        assert!(errors(1020).is_empty());
        assert!(errors(980).is_empty());
        assert_eq!(errors(1021), ["44 keygen: 1021, listed with 1000"]);
        assert_eq!(errors(979), ["44 keygen: 979, listed with 1000"]);
        let unknown = compare(LISTED, &BTreeMap::from([("44 sign", 1)]));
        assert_eq!(unknown, ["44 sign: 1, not listed"]);
    }

    #[test]
    fn profiles_are_divided_by_their_rounds() {
        let text = "desc: Trigger: Client Request: end avx2 44 keygen 50\nsummary: 5000\n";
        assert_eq!(profile(text), Some(("avx2 44 keygen".into(), 100)));
        assert_eq!(
            profile("desc: Trigger: Program termination\nsummary: 5\n"),
            None
        );
    }
}
