//! `cargo xtask cross` and `cargo xtask count`: other targets, with the scripts in `xtask/cross`.
//! (`cargo xtask trace` stands in a file of its own.)

use crate::{root, succeed};
use std::collections::BTreeMap;
use std::env;
use std::process::{Command, Stdio};

const BARE_METAL: [&str; 2] = ["thumbv7em", "riscv32"];

#[derive(clap::Args)]
pub struct Arguments {
    /// For an emulator: without the large dependencies that few tests need
    #[arg(long)]
    emulated: bool,
    /// One of aarch64, s390x, i686, armv7, riscv64, powerpc64, wasm32, thumbv7em, riscv32
    target: String,
    /// What cargo is to do; by default it tests, or links a library without std for bare metal
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    cargo: Vec<String>,
}

/// Sets up a target, and returns the cargo for it.
pub fn cargo(target: &str) -> Result<Command, String> {
    let scripts = root().join("xtask/cross");
    succeed(Command::new(scripts.join("setup-cross.sh")).arg(target))?;
    let mut cargo = Command::new(scripts.join("cargo-cross.sh"));
    cargo.arg(target).current_dir(root());
    Ok(cargo)
}

/// What runs when nothing else was asked for: CPUs and the instruction sets that their tests must
/// meet, and features of rustc's.
struct Pass {
    cpu: Option<&'static str>,
    isas: &'static str,
    rustflags: &'static str,
}

fn passes(target: &str) -> Vec<Pass> {
    let pass = |cpu, isas, rustflags| Pass {
        cpu,
        isas,
        rustflags,
    };
    match target {
        // With the SHA-3 instructions, and without.
        "aarch64" => vec![
            pass(Some("max"), "neon,neon-sha3", ""),
            pass(Some("cortex-a72"), "neon", ""),
        ],
        "wasm32" => vec![
            pass(None, "", ""),
            pass(None, "simd128", "-Ctarget-feature=+simd128"),
        ],
        _ => vec![pass(None, "", "")],
    }
}

/// Runs cargo for another target.
pub fn run(arguments: &Arguments) -> Result<(), String> {
    let target = arguments.target.as_str();
    if !arguments.cargo.is_empty() {
        let mut cargo = cargo(target)?;
        if arguments.emulated {
            let flags = env::var("RUSTFLAGS").unwrap_or_default() + " --cfg mldsa_emulated";
            cargo.env("RUSTFLAGS", flags.trim());
        }
        return succeed(cargo.args(&arguments.cargo));
    }
    if BARE_METAL.contains(&target) {
        return succeed(cargo(target)?.args([
            "build",
            "--release",
            "--manifest-path",
            "xtask/no-std/Cargo.toml",
        ]));
    }
    for pass in passes(target) {
        let mut cargo = cargo(target)?;
        cargo
            .args(["test", "--release", "--all-features"])
            .args(selection(target))
            .env("MLDSA_REQUIRE_ISA", pass.isas);
        if let Some(cpu) = pass.cpu {
            println!("::: {target} as {cpu}");
            cargo.env("CROSS_CPU", cpu);
        }
        if !pass.rustflags.is_empty() {
            println!("::: {target} with {}", pass.rustflags);
            cargo.env("RUSTFLAGS", pass.rustflags);
        }
        succeed(&mut cargo)?;
    }
    Ok(())
}

/// The tests of a target: all, or what can run there.
fn selection(target: &str) -> &'static [&'static str] {
    match target {
        // Neither threads nor processes nor the larger dependencies, and tests of the project itself
        // make no sense there.
        "wasm32" => &[
            "--lib",
            "--test=acvp",
            "--test=bad_input",
            "--test=beyond",
            "--test=context",
            "--test=golden",
            "--test=low_memory",
            "--test=mu",
            "--test=oracle",
            "--test=pkcs8_forms",
            "--test=rfc9881",
            "--test=rng",
            "--test=wycheproof",
            "--",
            "--nocapture",
        ],
        _ => &[],
    }
}

/// The CPUs that a target's tests run as; `None` is the only one.
pub fn cpus(target: &str) -> Vec<Option<&'static str>> {
    passes(target).iter().map(|pass| pass.cpu).collect()
}

/// Compiles `observe.c`, and returns what qemu wants to be told of it.
pub fn plugin(arguments: &str) -> Result<String, String> {
    let plugin = root().join("target/libobserve.so");
    succeed(
        Command::new("gcc")
            .args(["-shared", "-fPIC", "-O2", "-o"])
            .arg(&plugin)
            .arg(root().join("xtask/cross/observe.c")),
    )?;
    Ok(format!("file={}{arguments}", plugin.display()))
}

#[derive(clap::Args)]
pub struct Count {
    /// Count mldsa-native, too (its build needs libclang)
    #[arg(long)]
    native: bool,
}

/// Sets as rows' first part, then operations.
type Counts = BTreeMap<(String, String), BTreeMap<String, u64>>;

/// Counts the instructions of operations on an emulated AArch64.
pub fn count(arguments: &Count) -> Result<(), String> {
    let plugin = plugin("")?;
    let mut counts = Counts::new();
    let mut columns = Vec::new();
    // Capped at plain Rust; as a CPU without the SHA-3 instructions; as one with them.
    let runs = [
        (
            "target/count-portable",
            "--cfg mldsa_isa=\"portable\"",
            "max",
        ),
        ("target/count", "", "cortex-a72"),
        ("target/count", "", "max"),
    ];
    for (folder, rustflags, cpu) in runs {
        let mut cargo = cargo("aarch64")?;
        cargo.args([
            "run",
            "--quiet",
            "--release",
            "--locked",
            "--manifest-path",
            "xtask/count/Cargo.toml",
        ]);
        // As its build script builds it, the peer needs the SHA-3 instructions.
        if arguments.native && rustflags.is_empty() && cpu == "max" {
            cargo.args(["--features", "native"]);
        }
        let output = cargo
            .env("CARGO_TARGET_DIR", root().join(folder))
            .env("RUSTFLAGS", rustflags)
            .env("CROSS_CPU", cpu)
            .env("QEMU_PLUGIN", &plugin)
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| format!("{cargo:?}: {error}"))?;
        if !output.status.success() {
            return Err(format!("{cargo:?}: {}", output.status));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        read(&text, cpu, &mut counts, &mut columns)?;
    }
    print(&counts, &columns);
    Ok(())
}

/// Reads lines `INSTRUCTIONS begin` and `INSTRUCTIONS end LIBRARY SET OPERATION ROUNDS`.
fn read(
    text: &str,
    cpu: &str,
    counts: &mut Counts,
    columns: &mut Vec<String>,
) -> Result<(), String> {
    let mut begin = 0;
    let mut ends = 0;
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |word: &str| {
            word.parse::<u64>()
                .map_err(|error| format!("{line}: {error}"))
        };
        match words[..] {
            [at, "begin"] => begin = number(at)?,
            [at, "end", library, set, operation, rounds] => {
                let each = (number(at)? - begin) / number(rounds)?;
                let column = if library == "mldsa-native" {
                    format!("{library} ({cpu})")
                } else {
                    library.to_owned()
                };
                if !columns.contains(&column) {
                    columns.push(column.clone());
                }
                counts
                    .entry((set.to_owned(), operation.to_owned()))
                    .or_default()
                    .insert(column, each);
                ends += 1;
            }
            _ => return Err(format!("what does this say? {line}")),
        }
    }
    if ends == 0 {
        return Err("nothing was counted".into());
    }
    Ok(())
}

fn print(counts: &Counts, columns: &[String]) {
    println!("| set | operation | {} |", columns.join(" | "));
    println!("|---|---|{}", "--:|".repeat(columns.len()));
    for ((set, operation), row) in counts {
        let cells: Vec<String> = columns
            .iter()
            .map(|column| row.get(column).map_or("".into(), ToString::to_string))
            .collect();
        println!("| {set} | {operation} | {} |", cells.join(" | "));
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, read};

    #[test]
    fn counts_are_differences_for_each_round() {
        let mut counts = Counts::new();
        let mut columns = Vec::new();
        let text = "100 begin\n1100 end neon 44 sign 10\n";
        read(text, "max", &mut counts, &mut columns).unwrap();
        assert_eq!(counts[&("44".into(), "sign".into())]["neon"], 100);
        assert!(read("", "max", &mut counts, &mut columns).is_err());
        assert!(read("1 nonsense", "max", &mut counts, &mut columns).is_err());
    }
}
