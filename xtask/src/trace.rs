//! `cargo xtask trace`: do the blocks that an emulated CPU runs, or the addresses that it reads and
//! writes, depend on a secret?
//!
//! For instruction sets that valgrind cannot watch. What memcheck finds for every secret at once, this
//! finds for those that were tried; but it looks at what the compiler made for another CPU.

use crate::{cross, root};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Stdio;

#[derive(clap::Args)]
pub struct Arguments {
    /// Only optimized for speed, as users build it
    #[arg(long)]
    short: bool,
    /// One of aarch64, armv7, i686, powerpc64, riscv64, s390x
    #[arg(default_value = "aarch64")]
    target: String,
}

/// Kernels whose input is public or declassified (see SOUNDNESS.md): what they do may depend on it.
const PUBLIC: [&str; 4] = [
    "rej_ntt_poly",   // **Â** is public
    "rej_bounded_2",  // which candidates are rejected
    "rej_bounded_4",  // the same
    "sample_in_ball", // c is public
];

/// Leaks that must be seen.
const PLANTED: [&str; 2] = ["planted_branch", "planted_index"];

/// For each piece of work, on each instruction set, the different digests of its traces, and how
/// many traces there were.
type Traces = BTreeMap<(String, String), (BTreeSet<u64>, usize)>;

/// Runs everything.
pub fn run(arguments: &Arguments) -> Result<(), String> {
    let target = arguments.target.as_str();
    let write = match target {
        "aarch64" | "riscv64" => 64,
        "armv7" | "i686" | "powerpc64" | "s390x" => 4,
        _ => return Err(format!("qemu-user does not run programs for {target} here")),
    };
    let plugin = cross::plugin(&format!(",trace=on,write={write}"))?;
    let levels: &[&str] = if arguments.short { &["3"] } else { &["3", "s"] };
    let mut errors = Vec::new();
    for level in levels {
        for cpu in cross::cpus(target) {
            let on = cpu.map(|cpu| format!(" as {cpu}")).unwrap_or_default();
            println!("::: {target}{on}, opt-level {level}");
            let traces = read(&traces_of(target, cpu, level, &plugin)?)?;
            errors.extend(judge(&traces));
        }
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors.join("\n       "))
    }
}

/// What the program writes, and the plugin between.
fn traces_of(target: &str, cpu: Option<&str>, level: &str, plugin: &str) -> Result<String, String> {
    let mut cargo = cross::cargo(target)?;
    cargo
        .args(["run", "--quiet", "--release", "--package=trace"])
        .env("CARGO_TARGET_DIR", root().join("target/trace"))
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", level)
        .env("RUSTFLAGS", "--cfg mldsa_internals")
        .env("QEMU_PLUGIN", plugin)
        .stderr(Stdio::inherit());
    if let Some(cpu) = cpu {
        cargo.env("CROSS_CPU", cpu);
    }
    let output = cargo
        .output()
        .map_err(|error| format!("{cargo:?}: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("{cargo:?}: {}", output.status))
    }
}

/// Reads lines `DIGEST work NAME ISA`, `DIGEST begin` and `DIGEST end`: the last digest is that of the
/// work.
fn read(text: &str) -> Result<Traces, String> {
    let mut traces = Traces::new();
    let mut current = None;
    for line in text.lines() {
        let unclear = || format!("what does this say? {line}");
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            [_, "work", name, isa] => current = Some((name.to_owned(), isa.to_owned())),
            [_, "begin"] => {}
            [digest, "end"] => {
                let digest = u64::from_str_radix(digest, 16).map_err(|_| unclear())?;
                let work = current.clone().ok_or_else(unclear)?;
                let (digests, number) = traces.entry(work).or_default();
                digests.insert(digest);
                *number += 1;
            }
            _ => return Err(unclear()),
        }
    }
    Ok(traces)
}

/// Says how many pieces of work there were on each instruction set; returns what is wrong.
fn judge(traces: &Traces) -> Vec<String> {
    let mut errors = Vec::new();
    let mut independent = BTreeMap::<&str, usize>::new();
    for ((name, isa), (digests, number)) in traces {
        let different = digests.len();
        let planted = PLANTED.contains(&name.as_str());
        if *number < 2 {
            errors.push(format!("{name} on {isa}: too few secrets"));
        } else if planted && different == 1 {
            errors.push(format!("{name} was not seen"));
        } else if different == 1 {
            *independent.entry(isa).or_default() += 1;
        } else if !planted && !PUBLIC.contains(&name.as_str()) {
            errors.push(format!(
                "{name} on {isa}: {number} secrets, {different} different traces"
            ));
        }
    }
    for name in PLANTED.iter().chain(&PUBLIC) {
        if !traces.keys().any(|(work, _)| work == name) {
            errors.push(format!("{name} did not run"));
        }
    }
    for (isa, number) in &independent {
        println!("{isa}: {number} pieces of work have one trace, whatever the secrets");
    }
    errors
}

#[cfg(test)]
mod tests {
    use super::{PLANTED, PUBLIC, judge, read};

    fn text(name: &str, digests: [&str; 2]) -> String {
        let end = |digest| format!("0 begin\n{digest} end\n");
        format!("0 work {name} neon\n") + &end(digests[0]) + &end(digests[1])
    }

    fn judged(text: &str) -> Vec<String> {
        judge(&read(text).unwrap())
    }

    #[test]
    fn one_trace_is_right_where_nothing_was_declassified() {
        let expected = PLANTED.iter().chain(&PUBLIC);
        let expected: String = expected.map(|name| text(name, ["a", "b"])).collect();
        let judge = |more: &str| judged(&(expected.clone() + more));
        assert_eq!(judge(&text("ntt", ["a", "a"])), [""; 0]);
        assert_eq!(
            judge(&text("ntt", ["a", "b"])),
            ["ntt on neon: 2 secrets, 2 different traces"]
        );
        assert_eq!(
            judge("0 work ntt neon\n1 end\n"),
            ["ntt on neon: too few secrets"]
        );
    }

    #[test]
    fn a_leak_that_is_not_seen_is_an_error() {
        let public: String = PUBLIC.map(|name| text(name, ["a", "a"])).concat();
        let seen = text(PLANTED[1], ["a", "b"]) + &public;
        assert_eq!(judged(&seen), ["planted_branch did not run"]);
        let unseen = seen.clone() + &text(PLANTED[0], ["a", "a"]);
        assert_eq!(judged(&unseen), ["planted_branch was not seen"]);
        let both = seen + &text(PLANTED[0], ["a", "b"]);
        assert_eq!(judged(&both), [""; 0]);
        assert!(read("1 nonsense").is_err());
        assert!(read("1 end").is_err());
    }
}
