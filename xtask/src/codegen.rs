//! `cargo xtask codegen`: are the kernels what their source promises?
//!
//! A kernel whose chain of `#[inline(always)]` breaks still computes the right thing, only ten
//! times slower: no test sees it. The assembly does.

use crate::asm::{self, Function, Functions, Width};
use crate::kernels::{AARCH64, KERNELS, Kernel, MAY_DIVIDE, X86_64};
use crate::{cargo_path, cross, root, succeed};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

#[derive(clap::Args)]
pub struct Arguments {
    /// Print every kernel with its instructions
    #[arg(long)]
    list: bool,
    /// Look at AArch64, with the compiler that `cargo xtask cross aarch64` sets up
    #[arg(long)]
    aarch64: bool,
    /// Check these files instead of compiling
    #[arg(long, num_args = 1..)]
    asm: Vec<PathBuf>,
}

/// Compiles, checks, and reports.
pub fn run(arguments: &Arguments) -> Result<(), String> {
    let files = if arguments.asm.is_empty() {
        compile(arguments.aarch64)?
    } else {
        arguments.asm.clone()
    };
    let read = |file: &PathBuf| {
        fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
    };
    let texts = files.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let functions = asm::functions(&texts);
    let found = kernels(&functions);
    if arguments.list {
        list(&found);
    }
    let isas = if arguments.aarch64 { AARCH64 } else { X86_64 };
    let errors = check(&functions, &found, KERNELS, isas, MAY_DIVIDE);
    let bodies = || found.iter().filter(|kernel| !kernel.function.is_thunk());
    let total: usize = bodies().map(|kernel| kernel.function.instructions).sum();
    println!(
        "{} functions, {} of them kernels ({total} instructions), {} mistakes",
        functions.len(),
        bodies().count(),
        errors.len()
    );
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors.join("\n       "))
    }
}

/// Writes the assembly of the library, and of a program that instantiates what is generic.
fn compile(aarch64: bool) -> Result<Vec<PathBuf>, String> {
    let folder = root().join(if aarch64 {
        "target/codegen-aarch64"
    } else {
        "target/codegen"
    });
    let outputs = [("mldsa-simd", "--lib"), ("codegen-probe", "--bins")]
        .map(|(package, target)| (package, target, folder.join(package).with_extension("s")));
    if outputs.iter().any(|(_, _, output)| !output.exists()) && folder.exists() {
        // Cargo would take a build without its assembly as fresh.
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    for (package, target, output) in &outputs {
        let emit = format!("asm={}", output.display());
        let flags = env::var("RUSTFLAGS").unwrap_or_default() + " -Csymbol-mangling-version=v0";
        let mut cargo = if aarch64 {
            cross::cargo("aarch64")?
        } else {
            Command::new(cargo_path())
        };
        succeed(
            cargo
                .args([
                    "rustc",
                    "--quiet",
                    "--release",
                    "--package",
                    package,
                    target,
                ])
                .env("CARGO_TARGET_DIR", &folder)
                .args(["--", "-Ccodegen-units=1", "--emit", &emit])
                .env("RUSTFLAGS", flags.trim())
                .current_dir(root()),
        )?;
    }
    Ok(outputs.map(|(_, _, output)| output).to_vec())
}

/// A kernel in the assembly.
struct Found<'a> {
    isa: &'a str,
    path: &'a str,
    /// The closure with its type parameters: what tells instances apart.
    instance: &'a str,
    function: &'a Function,
}

fn kernels(functions: &Functions) -> Vec<Found<'_>> {
    let mut found: Vec<Found<'_>> = functions
        .values()
        .filter_map(|function| as_kernel(&function.name, function))
        .collect();
    found.sort_by_key(|kernel| (kernel.isa, kernel.path, kernel.instance));
    found
}

/// Takes apart `<mldsa_simd::simd::ISA as mldsa_simd::simd::Isa>::outline::…::<R, PATH…::{closure#0}>`.
fn as_kernel<'a>(name: &'a str, function: &'a Function) -> Option<Found<'a>> {
    let (isa, rest) = name
        .strip_prefix("<mldsa_simd::simd::")?
        .split_once(" as ")?;
    let (_, generics) = rest.split_once("::Isa>::outline")?.1.split_once("::<")?;
    let generics = generics.strip_suffix('>')?;
    let instance = top_level(generics).last()?.trim();
    if !instance.contains("{closure") {
        return None;
    }
    let path = instance.strip_prefix("mldsa_simd::").unwrap_or(instance);
    let path = path.split("::<").next()?.split('<').next()?;
    Some(Found {
        isa,
        path: path.split("::{").next()?,
        instance,
        function,
    })
}

/// Splits a list of types at the commas that are not inside brackets.
fn top_level(types: &str) -> Vec<&str> {
    let mut depth = 0;
    let split = |c: char| {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    };
    types.split(split).collect()
}

fn list(found: &[Found<'_>]) {
    println!("{:>6} {:>4}  kernel", "instr.", "vec.");
    for kernel in found.iter().filter(|kernel| !kernel.function.is_thunk()) {
        let width = width_of(kernel.isa).map(|width| kernel.function.vector_percent(width));
        let percent = width.map_or(String::new(), |percent| format!("{percent}%"));
        let instance = kernel.instance.replace("mldsa_simd::", "");
        println!(
            "{:>6} {percent:>4}  {} {instance}",
            kernel.function.instructions, kernel.isa
        );
    }
}

fn width_of(isa: &str) -> Option<Width> {
    if isa.starts_with("avx2::") {
        Some(Width::Avx2)
    } else if isa.starts_with("neon::") {
        Some(Width::Neon)
    } else {
        None
    }
}

fn check(
    functions: &Functions,
    found: &[Found<'_>],
    table: &[Kernel],
    isas: &[&str],
    may_divide: &[&str],
) -> Vec<String> {
    let mut errors = Vec::new();
    for function in functions.values() {
        for callee in &function.calls {
            let callee = asm::demangle(callee);
            if callee.contains("core_arch") && !callee.ends_with("_xgetbv") {
                errors.push(format!("{} calls the intrinsic {callee}", function.name));
            }
        }
        let ours = function.name.contains("mldsa_simd::");
        if ours && function.divisions > 0 && !may_divide.iter().any(|p| function.name.contains(p)) {
            errors.push(format!("{} divides", function.name));
        }
    }
    for kernel in found {
        match table.iter().find(|row| row.path == kernel.path) {
            Some(row) => check_kernel(functions, kernel, row, &mut errors),
            None => errors.push(format!(
                "{} on {}: a kernel without a row in xtask/src/kernels.rs",
                kernel.path, kernel.isa
            )),
        }
    }
    let mut instances: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    for kernel in found {
        instances
            .entry((kernel.isa, kernel.path))
            .or_default()
            .insert(kernel.instance);
    }
    for isa in isas {
        for row in table {
            let count = instances.get(&(*isa, row.path)).map_or(0, BTreeSet::len);
            if count != row.instances {
                errors.push(format!(
                    "{} on {isa}: {count} functions, not {}",
                    row.path, row.instances
                ));
            }
        }
    }
    errors
}

fn check_kernel(functions: &Functions, kernel: &Found<'_>, row: &Kernel, errors: &mut Vec<String>) {
    let mut error = |what: String| {
        errors.push(format!("{} on {}: {what}", kernel.instance, kernel.isa));
    };
    if kernel.function.indirect > 0 && kernel.function.calls.is_empty() {
        error("calls through a pointer".into());
    }
    for symbol in &kernel.function.calls {
        let callee = asm::demangle(symbol);
        let is_kernel = functions
            .get(symbol)
            .is_some_and(|f| as_kernel(&f.name, f).is_some());
        let is_memory = matches!(
            symbol.as_str(),
            "memcpy" | "memset" | "memmove" | "memcmp" | "bcmp"
        );
        if is_kernel || is_memory || row.may_call.iter().any(|path| callee.contains(path)) {
            continue;
        }
        let panics = [
            "panic",
            "_fail",
            "unwrap_failed",
            "expect_failed",
            "slice_index",
        ];
        if panics.iter().any(|word| callee.contains(word)) {
            error(format!("may panic, by {callee}"));
        } else {
            error(format!("calls {callee}"));
        }
    }
    if let Some(width) = width_of(kernel.isa)
        && !kernel.function.is_thunk()
    {
        let percent = kernel.function.vector_percent(width);
        if percent < row.vector_percent {
            error(format!(
                "{percent} % of its instructions use vector registers, not {} %",
                row.vector_percent
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{as_kernel, check, kernels, top_level};
    use crate::asm::{self, Function};
    use crate::kernels::Kernel;

    const NONE: [String; 0] = [];
    const NTT: &str = "_RINvNvXs_NtNtCsg9PHDeRHDTk_10mldsa_simd4simd4avx2NtB7_4Avx2NtB9_3Isa7\
        outline13with_featuresuNCINvNtNtBb_3ntt7forward3nttBL_E0EBb_";
    const INTRINSIC: &str = "_RNvNtNtNtCsgEmfK2I1SDS_4core9core_arch3x864avx216__mm256_add_epi32";
    const XGETBV: &str = "_RNvNtNtNtCsgEmfK2I1SDS_4core9core_arch3x865xsave7__xgetbv";
    const PANIC: &str = "_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check";
    const OTHER: &str = "_RNvNtNtCsg9PHDeRHDTk_10mldsa_simd6keccak5shake9xor_bytes";
    const ROW: Kernel = Kernel {
        path: "ntt::forward::ntt",
        instances: 1,
        vector_percent: 50,
        may_call: &[],
    };

    fn function(symbol: &str, body: &str) -> String {
        let body: String = body
            .lines()
            .map(|line| format!("\t{}\n", line.trim()))
            .collect();
        format!("\t.type\t{symbol},@function\n{symbol}:\n{body}\t.size\t{symbol}, 1\n")
    }

    fn errors(text: &str, table: &[Kernel]) -> Vec<String> {
        let functions = asm::functions(&[text.into()]);
        check(
            &functions,
            &kernels(&functions),
            table,
            &["avx2::Avx2"],
            &[],
        )
    }

    #[track_caller]
    fn one_error(text: &str, table: &[Kernel], expected: &str) {
        let errors = errors(text, table);
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(errors[0].contains(expected), "{errors:?}");
    }

    #[test]
    fn kernels_are_known_by_their_names() {
        let name = asm::demangle(NTT);
        let function = Function::default();
        let kernel = as_kernel(&name, &function).unwrap();
        assert_eq!(
            (kernel.isa, kernel.path),
            ("avx2::Avx2", "ntt::forward::ntt")
        );
        assert!(as_kernel(&asm::demangle(OTHER), &function).is_none());
        assert_eq!(top_level("(u8, u8), a::<b, c>::{closure#0}").len(), 2);
    }

    #[test]
    fn a_good_kernel_passes() {
        let body = "vpaddd %ymm0, %ymm1, %ymm2\nvpaddd %ymm0, %ymm1, %ymm2\ncallq memcpy@PLT\nretq";
        assert_eq!(errors(&function(NTT, body), &[ROW]), NONE);
        let detection = function(OTHER, &format!("callq *{XGETBV}@GOTPCREL(%rip)\nretq"));
        assert_eq!(errors(&(function(NTT, body) + &detection), &[ROW]), NONE);
    }

    #[test]
    fn each_planted_mistake_is_found() {
        let vector = "vpaddd %ymm0, %ymm1, %ymm2\n";
        let good = function(NTT, vector);
        let calls = |symbol: &str| format!("{vector}{vector}callq {symbol}\n");
        let loads = |symbol: &str| format!("{vector}{vector}movq {symbol}@GOTPCREL(%rip), %rax\n");

        one_error(&function(NTT, &calls(PANIC)), &[ROW], "may panic");
        one_error(&function(NTT, &loads(PANIC)), &[ROW], "may panic");
        one_error(
            &function(NTT, &calls(OTHER)),
            &[ROW],
            "calls mldsa_simd::keccak",
        );
        one_error(
            &function(NTT, "addl %eax, %ebx\nretq"),
            &[ROW],
            "0 % of its instructions",
        );
        one_error(
            &(good.clone() + &function(OTHER, "idivl %ecx")),
            &[ROW],
            "divides",
        );
        one_error(
            &(good.clone() + &function(OTHER, &calls(INTRINSIC))),
            &[ROW],
            "the intrinsic",
        );
        one_error(
            &(good.clone() + &function(OTHER, &loads(INTRINSIC))),
            &[ROW],
            "the intrinsic",
        );
        one_error(
            &function(NTT, &format!("{vector}callq *%rax")),
            &[ROW],
            "through a pointer",
        );
        one_error("", &[ROW], "0 functions, not 1");
        one_error(
            &good,
            &[Kernel {
                instances: 2,
                ..ROW
            }],
            "1 functions, not 2",
        );
        one_error(&good, &[], "a kernel without a row");
    }
}
