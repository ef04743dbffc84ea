//! The results in Markdown.

use crate::contenders::{NAMES, VERSIONS};
use crate::race::{OPERATIONS, Row};
use std::fmt::Write as _;
use std::{env, fs, process};

/// The whole report. `isa` is the instruction set that ours chose.
pub fn markdown(rows: &[Row], rounds: usize, isa: &str) -> String {
    let mut text = String::from("# The race\n\n");
    // Writing to a String cannot fail.
    let _ = report(&mut text, rows, rounds, isa);
    text
}

fn report(text: &mut String, rows: &[Row], rounds: usize, isa: &str) -> std::fmt::Result {
    writeln!(text, "- machine: {}", machine())?;
    writeln!(
        text,
        "- compiler: {}; instruction set of mldsa-simd: {isa}",
        compiler()
    )?;
    writeln!(
        text,
        "- command: `cargo run --release` in `benches/peers` ({rounds} rounds)\n"
    )?;
    writeln!(
        text,
        "Time of an operation in µs, and in brackets that time ÷ ours (above 1 ours is faster): the \
         mean over the work of the median over the rounds. Signing goes over the CCTV message sets; \
         aws-lc-rs signs hedged, with other attempts in every round, and its figure is the median \
         over the rounds of the mean over the messages. Libraries without a key object of their own \
         have the same work in «from bytes» and «held».\n"
    )?;
    header(text, "operation", &NAMES)?;
    for row in rows {
        write!(text, "| {} {} |", row.set, row.operation)?;
        for (i, name) in NAMES.iter().enumerate() {
            match row.results.iter().find(|r| r.name == *name) {
                Some(r) if i == 0 => write!(text, " {:.1} |", r.time)?,
                Some(r) => write!(text, " {:.1} ({:.2}) |", r.time, r.ratio)?,
                None => write!(text, " – |")?,
            }
        }
        writeln!(text)?;
    }

    writeln!(
        text,
        "\n## The fastest peer ÷ ours, the smallest over the sets\n"
    )?;
    writeln!(
        text,
        "| operation | ratio | where, and which peer |\n|---|--:|---|"
    )?;
    for operation in OPERATIONS {
        let closest = rows
            .iter()
            .filter(|row| row.operation == operation)
            .flat_map(|row| {
                row.results[1..]
                    .iter()
                    .map(move |r| (r.ratio, row.set, r.name))
            })
            .min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((ratio, set, name)) = closest {
            writeln!(text, "| {operation} | {ratio:.2} | {set}, {name} |")?;
        }
    }

    writeln!(text, "\n## Signing: p50 / p90 / p99 in µs\n")?;
    writeln!(
        text,
        "Over the messages of a set. aws-lc-rs signs hedged, so that its attempts differ from call \
         to call; its figures are over all calls.\n"
    )?;
    header(text, "operation", &NAMES)?;
    for row in rows.iter().filter(|row| row.operation.starts_with("sign")) {
        write!(text, "| {} {} |", row.set, row.operation)?;
        for name in NAMES {
            match row
                .results
                .iter()
                .find(|r| r.name == name)
                .and_then(|r| r.percentiles)
            {
                Some([a, b, c]) => write!(text, " {a:.0} / {b:.0} / {c:.0} |")?,
                None => write!(text, " – |")?,
            }
        }
        writeln!(text)?;
    }

    writeln!(text, "\n## Versions\n")?;
    for (name, version) in NAMES.iter().zip(VERSIONS) {
        writeln!(text, "- {name}: {version}")?;
    }
    Ok(())
}

fn header(text: &mut String, first: &str, names: &[&str]) -> std::fmt::Result {
    writeln!(text, "| {first} | {} |", names.join(" | "))?;
    writeln!(text, "|---|{}", "--:|".repeat(names.len()))
}

/// The CPU's name, where Linux tells it.
fn machine() -> String {
    let name = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    format!(
        "{} ({}, {})",
        name.unwrap_or_else(|| "unknown".into()),
        env::consts::ARCH,
        env::consts::OS
    )
}

/// The compiler that `cargo` uses here.
fn compiler() -> String {
    process::Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .arg("--version")
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .map_or_else(|| "unknown".into(), |version| version.trim().to_owned())
}
