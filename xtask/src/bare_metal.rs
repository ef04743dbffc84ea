//! What `low_memory` takes on bare metal: stack and code. Both commands fail when a promise is broken.

use crate::{cargo_path, root, succeed};
use clap::Args;
use object::{Object, ObjectSection, SectionFlags};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const TARGET: &str = "thumbv7em";
const TRIPLE: &str = "thumbv7em-none-eabihf";
/// The link error of an image with a panic: the name that xtask/firmware/src/image.rs refers to.
const UNDEFINED: &str = "undefined symbol: a_panic_is_reachable";

#[derive(Args)]
pub(crate) struct Size {
    /// Levels of optimization
    #[arg(long, value_delimiter = ',', default_value = "s,3")]
    opt_level: Vec<String>,
}

/// The peak of the stack in each operation: on this machine, in plain Rust, and on a Cortex-M4.
pub(crate) fn memory() -> Result<(), String> {
    let mut host = Command::new(cargo_path());
    host.current_dir(package())
        .env("CARGO_TARGET_DIR", target_dir().join("firmware-host"))
        .env("RUSTFLAGS", "--cfg mldsa_isa=\"portable\"");
    succeed(host.args(["run", "--quiet", "--release", "--bin", "host"]))?;
    set_up()?;
    for level in ["3", "s"] {
        println!("Cortex-M4 under qemu, opt-level {level}");
        succeed(cross(level).args(["run", "--quiet", "--release", "--bin", "firmware"]))?;
    }
    Ok(())
}

/// The size of the code of images that verify, and that sign and verify; that no panic is in it, and
/// no memory that is written to.
pub(crate) fn size(arguments: &Size) -> Result<(), String> {
    set_up()?;
    // A check that cannot fail checks nothing: this image has a panic.
    let control = build("s", "verify", "mldsa44,panics")?;
    if !control.contains(UNDEFINED) {
        return Err(format!(
            "the image with a panic was linked, or failed for another reason:\n{control}"
        ));
    }
    println!("| bytes of code and constants | verify | sign and verify |");
    println!("|---|--:|--:|");
    for level in &arguments.opt_level {
        for set in ["44", "65", "87"] {
            let mut row = format!("| ML-DSA-{set}, opt-level {level} |");
            for image in ["verify", "sign-verify"] {
                let errors = build(level, image, &format!("mldsa{set}"))?;
                if errors.contains(UNDEFINED) {
                    return Err(format!(
                        "a panic is reachable in {image} (ML-DSA-{set}, opt-level {level})"
                    ));
                }
                if !errors.is_empty() {
                    return Err(errors);
                }
                row += &format!(" {} |", measure(image)?);
            }
            println!("{row}");
        }
    }
    println!("no panic in any of them, no static memory that is written to");
    Ok(())
}

/// Links an image. Returns what the linker or the compiler complained about: nothing where it is
/// there.
fn build(level: &str, image: &str, features: &str) -> Result<String, String> {
    let mut cargo = cross(level);
    cargo.args(["build", "--quiet", "--release", "--bin", image]);
    let output = cargo
        .args(["--features", features])
        .output()
        .map_err(|error| format!("{cargo:?}: {error}"))?;
    if output.status.success() {
        return Ok(String::new());
    }
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok(if errors.is_empty() {
        output.status.to_string()
    } else {
        errors
    })
}

/// Bytes of `.text` and `.rodata`.
fn measure(image: &str) -> Result<u64, String> {
    let path = target_dir()
        .join("firmware")
        .join(TRIPLE)
        .join("release")
        .join(image);
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let bytes = fs::read(&path).map_err(|error| told(&error))?;
    let file = object::File::parse(&*bytes).map_err(|error| told(&error))?;
    let mut sum = 0;
    for section in file.sections() {
        let name = section.name().map_err(|error| told(&error))?;
        if let SectionFlags::Elf { sh_flags } = section.flags()
            && sh_flags & u64::from(object::elf::SHF_WRITE) != 0
            && section.size() != 0
        {
            return Err(told(&format!("{name} is memory that is written to")));
        }
        if [".text", ".rodata"].contains(&name) {
            sum += section.size();
        }
    }
    if file
        .section_by_name(".text")
        .is_none_or(|text| text.size() == 0)
    {
        return Err(told(&"no code"));
    }
    Ok(sum)
}

fn package() -> PathBuf {
    root().join("xtask/firmware")
}

fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

fn set_up() -> Result<(), String> {
    succeed(Command::new(root().join("xtask/cross/setup-cross.sh")).arg(TARGET))
}

/// Cargo for the target, in the package of the firmware.
fn cross(level: &str) -> Command {
    let mut cargo = Command::new(root().join("xtask/cross/cargo-cross.sh"));
    cargo
        .arg(TARGET)
        .current_dir(package())
        .env("CARGO_TARGET_DIR", target_dir().join("firmware"))
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", level);
    cargo
}
