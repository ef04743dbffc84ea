//! Linker scripts: cortex-m-rt's for the firmware, none for the images that are only looked at.

use std::env;

fn main() -> Result<(), env::VarError> {
    println!("cargo::rerun-if-changed=memory.x");
    if env::var("CARGO_CFG_TARGET_OS")? == "none" {
        let here = env::var("CARGO_MANIFEST_DIR")?;
        println!("cargo::rustc-link-search={here}");
        println!("cargo::rustc-link-arg-bin=firmware=-Tlink.x");
    }
    Ok(())
}
