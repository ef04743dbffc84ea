//! What the firmware does, as a program of the operating system.

use std::process::ExitCode;

struct Stdout;

impl core::fmt::Write for Stdout {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        print!("{text}");
        Ok(())
    }
}

fn main() -> ExitCode {
    println!("instruction set: {}", mldsa_simd::isa_name());
    if firmware::check_all(&mut Stdout) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
