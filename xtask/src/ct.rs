//! `cargo xtask ct`: does a branch, an address or a division depend on a secret?
//!
//! Builds xtask/ct for each instruction set, runs it under valgrind, and compares the places that
//! declassified something with the table in SOUNDNESS.md. Memcheck does not see that the time of a
//! division depends on its operands: the binaries are disassembled to see that there is none.

use crate::{asm, cargo_path, prose, root, rust_files, succeed};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, path};

#[derive(clap::Args)]
pub struct Arguments {
    /// Only optimized for speed, as users build it
    #[arg(long)]
    short: bool,
}

/// A way to build the crate.
struct Build {
    isa: &'static str,
    opt_level: &'static str,
    /// Value barriers without inline assembly.
    volatile: bool,
}

const BUILDS: [Build; 5] = [
    build("avx2", "3", false),
    build("portable", "3", false),
    build("portable", "3", true),
    build("avx2", "s", false),
    build("portable", "s", false),
];

const fn build(isa: &'static str, opt_level: &'static str, volatile: bool) -> Build {
    Build {
        isa,
        opt_level,
        volatile,
    }
}

/// Runs everything.
pub fn run(arguments: &Arguments) -> Result<(), String> {
    let sites = sites()?;
    let mut ran: BTreeSet<String> = BTreeSet::new();
    let mut isas = BTreeSet::new();
    for build in &BUILDS {
        if build.isa == "avx2" && !has_avx2() {
            println!("{}: left out, this CPU does not have it", build.name());
        } else if !arguments.short || build.opt_level == "3" {
            ran.extend(build.check()?);
            isas.insert(build.isa);
        }
    }
    let mut errors = compare(&sites, &ran, &isas);
    errors.extend(undeclared(&sites)?);
    println!(
        "{} declassifications in the source, {} of them took place",
        sites.len(),
        sites.keys().filter(|site| ran.contains(*site)).count()
    );
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors.join("\n       "))
    }
}

fn has_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Every declassification of the source: `src/file:line`, and file and function as in SOUNDNESS.md.
fn sites() -> Result<BTreeMap<String, String>, String> {
    let mut sites = BTreeMap::new();
    let folder = root().join("src");
    for path in rust_files(&folder).map_err(|error| format!("src: {error}"))? {
        let text = read(&path)?;
        let name = path
            .strip_prefix(&folder)
            .unwrap_or(&path)
            .display()
            .to_string();
        for (line, function) in prose::declassifications(&name, &text) {
            sites.insert(format!("src/{name}:{line}"), format!("{name}, {function}"));
        }
    }
    Ok(sites)
}

/// What took place and is not in the source, and what did not take place and should have.
fn compare(
    sites: &BTreeMap<String, String>,
    ran: &BTreeSet<String>,
    isas: &BTreeSet<&str>,
) -> Vec<String> {
    let unknown = ran.iter().filter(|place| !sites.contains_key(*place));
    let mut errors: Vec<String> = unknown
        .map(|place| format!("{place} declassifies, but the source does not show it"))
        .collect();
    for (place, name) in sites.iter().filter(|(place, _)| !ran.contains(*place)) {
        let isa = place
            .strip_prefix("src/simd/")
            .and_then(|file| file.split(['.', '/']).next());
        match isa {
            Some(isa) if !isas.contains(isa) => println!("{name}: {isa} was not run"),
            _ => errors.push(format!("{place} ({name}) did not take place")),
        }
    }
    errors
}

/// Differences between the source and the table in SOUNDNESS.md.
fn undeclared(sites: &BTreeMap<String, String>) -> Result<Vec<String>, String> {
    let soundness = read(&root().join("SOUNDNESS.md"))?;
    let mut declared: Vec<String> = prose::declared(&soundness)
        .into_iter()
        .map(|(file, function)| format!("{file}, {function}"))
        .collect();
    let mut found: Vec<String> = sites.values().cloned().collect();
    declared.sort();
    found.sort();
    if declared == found {
        return Ok(Vec::new());
    }
    Ok(vec![format!(
        "the source declassifies in {found:?}, SOUNDNESS.md says {declared:?}"
    )])
}

impl Build {
    fn name(&self) -> String {
        let barrier = if self.volatile { ", volatile" } else { "" };
        format!("{}, opt-level {}{barrier}", self.isa, self.opt_level)
    }

    /// Builds, disassembles, runs; returns the places that declassified something.
    fn check(&self) -> Result<Vec<String>, String> {
        println!("::: {}", self.name());
        let program = self.compile()?;
        let functions = divisions(&program)?;
        let log = program.with_extension("log");
        let output = Command::new("valgrind")
            .args(["-q", "--error-limit=no", "--num-callers=8"])
            .arg(format!("--log-file={}", log.display()))
            .arg(&program)
            .output()
            .map_err(|error| format!("valgrind (is it installed?): {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        print!("{text}");
        if !output.status.success() {
            let log = fs::read_to_string(&log).unwrap_or_default();
            let begin: String = log.lines().take(40).fold(String::new(), |mut all, line| {
                let _ = writeln!(all, "{line}");
                all
            });
            return Err(format!("{}: {}\n{begin}", self.name(), output.status));
        }
        if !text.contains(&format!("instruction set: {}\n", self.isa)) {
            return Err(format!("{}: another instruction set ran", self.name()));
        }
        println!("{functions} functions of the crate, none of them divides");
        let places = text
            .lines()
            .filter_map(|line| line.strip_prefix("declassified: ")?.split(' ').next())
            .map(Into::into)
            .collect();
        Ok(places)
    }

    fn compile(&self) -> Result<PathBuf, String> {
        let folder = target()?.join("ct");
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let barrier = if self.volatile { "-volatile" } else { "" };
        let name = format!("{}-{}{barrier}", self.isa, self.opt_level);
        let wrapper = wrapper(&folder, &name, &self.cfgs())?;
        succeed(
            Command::new(cargo_path())
                .args(["build", "--quiet", "--release", "--package", "ct"])
                .arg("--target-dir")
                .arg(&folder)
                .env("RUSTC_WORKSPACE_WRAPPER", &wrapper)
                .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", self.opt_level)
                .env("CARGO_PROFILE_RELEASE_DEBUG", "line-tables-only")
                .current_dir(root()),
        )?;
        let program = folder.join(&name);
        fs::copy(folder.join("release/ct"), &program)
            .map_err(|error| format!("{}: {error}", program.display()))?;
        Ok(program)
    }

    fn cfgs(&self) -> Vec<String> {
        let mut cfgs = vec!["mldsa_ctgrind".to_owned()];
        if self.isa == "portable" {
            cfgs.push(format!("mldsa_isa=\"{}\"", self.isa));
        }
        if self.volatile {
            cfgs.push("mldsa_no_asm_barrier".to_owned());
        }
        cfgs
    }
}

/// A script that adds the cfgs to this project's crates only, so that all builds share the compiled
/// dependencies.
fn wrapper(folder: &Path, name: &str, cfgs: &[String]) -> Result<PathBuf, String> {
    let script = folder.join(format!("rustc-{name}"));
    let mut text = "#!/bin/sh\nexec \"$@\"".to_owned();
    for cfg in cfgs {
        let _ = write!(text, " --cfg '{cfg}'");
    }
    text.push('\n');
    // Left alone where it is right: cargo looks at its age.
    if fs::read_to_string(&script).is_ok_and(|old| old == text) {
        return Ok(script);
    }
    fs::write(&script, text).map_err(|error| format!("{}: {error}", script.display()))?;
    succeed(Command::new("chmod").arg("+x").arg(&script))?;
    Ok(script)
}

/// Looks for divisions in the crate's functions; returns how many functions there are.
fn divisions(program: &Path) -> Result<usize, String> {
    let output = Command::new("objdump")
        .args(["--disassemble", "--no-show-raw-insn"])
        .arg(program)
        .output()
        .map_err(|error| format!("objdump (is it installed?): {error}"))?;
    let (functions, dividing) = dividing(&String::from_utf8_lossy(&output.stdout));
    if functions == 0 {
        return Err("no function of the crate in the binary: the check looked at nothing".into());
    }
    if dividing.is_empty() {
        Ok(functions)
    } else {
        Err(format!("these divide: {dividing:?}"))
    }
}

/// How many functions of the crate a disassembly has, and those which divide.
fn dividing(disassembly: &str) -> (usize, BTreeSet<String>) {
    let mut functions = 0;
    let mut found = BTreeSet::new();
    let mut current = None;
    for line in disassembly.lines() {
        if let Some((_, symbol)) = line
            .strip_suffix(">:")
            .and_then(|line| line.split_once(" <"))
        {
            let name = asm::demangle(symbol);
            current = name.contains("mldsa_simd::").then_some(name);
            functions += usize::from(current.is_some());
        } else if let Some(name) = &current
            && let Some((_, instruction)) = line.split_once(":\t")
            && asm::is_division(instruction.split_whitespace().next().unwrap_or_default())
        {
            found.insert(name.clone());
        }
    }
    (functions, found)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Where cargo builds.
fn target() -> Result<PathBuf, String> {
    let named = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    path::absolute(named.unwrap_or_else(|| root().join("target")))
        .map_err(|error| format!("the target folder: {error}"))
}

#[cfg(test)]
mod tests {
    use super::{compare, dividing};
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn divisions_of_the_crate_are_found() {
        let disassembly = "\n0000000000001000 <_ZN10mldsa_simd4sign7attempt17h0123456789abcdefE>:\n    \
            1000:\tmov    %rax,%rbx\n    1003:\tidiv   %rcx\n\n\
            0000000000002000 <_ZN4core3fmt5write17h0123456789abcdefE>:\n    2000:\tdiv    %rcx\n";
        let (functions, found) = dividing(disassembly);
        assert_eq!(functions, 1);
        assert_eq!(
            found,
            BTreeSet::from(["mldsa_simd::sign::attempt".to_owned()])
        );
    }

    #[test]
    fn differences_are_found() {
        let sites = BTreeMap::from([
            ("src/sign.rs:7".to_owned(), "sign.rs, attempt".to_owned()),
            (
                "src/simd/neon.rs:9".to_owned(),
                "simd/neon.rs, f".to_owned(),
            ),
        ]);
        let isas = BTreeSet::from(["avx2"]);
        let ran = BTreeSet::from(["src/sign.rs:7".to_owned()]);
        assert!(compare(&sites, &ran, &isas).is_empty());
        let ran = BTreeSet::from(["src/sign.rs:8".to_owned()]);
        assert_eq!(compare(&sites, &ran, &isas).len(), 2);
    }
}
