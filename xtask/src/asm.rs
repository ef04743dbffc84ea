//! Reads the assembly that rustc writes for ELF targets.

use std::collections::{BTreeMap, BTreeSet};

/// The functions of one or several files, by mangled name.
pub type Functions = BTreeMap<String, Function>;

/// What a file defines.
#[derive(Debug, Default)]
pub struct Module {
    pub functions: Functions,
    /// Names of statics and constants.
    pub data: BTreeSet<String>,
}

/// The functions of several files, of which each may name the others' data.
pub fn functions(texts: &[String]) -> Functions {
    let mut all = Module::default();
    for text in texts {
        let module = parse(text);
        all.functions.extend(module.functions);
        all.data.extend(module.data);
    }
    for function in all.functions.values_mut() {
        function.calls.retain(|symbol| !all.data.contains(symbol));
    }
    all.functions
}

/// What the checks need to know of a function.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// The readable name.
    pub name: String,
    pub instructions: usize,
    /// How many instructions name a vector register of the width in question.
    pub vector: BTreeMap<Width, usize>,
    /// Mangled names of functions that it calls, jumps to or takes the address of.
    pub calls: BTreeSet<String>,
    /// Calls through a register. The address is often that of one of `calls`, loaded before.
    pub indirect: usize,
    /// Division instructions.
    pub divisions: usize,
}

/// A width of vector registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// `ymm`
    Avx2,
    /// `v0` … `v31`, `q0` … `q31`
    Neon,
}

impl Function {
    /// The share of instructions that use vector registers, in percent.
    pub fn vector_percent(&self, width: Width) -> usize {
        100 * self.vector.get(&width).copied().unwrap_or(0) / self.instructions.max(1)
    }

    /// Whether it is nothing but a jump to another function, into which the linker or LLVM folded
    /// it since their bodies are the same.
    pub fn is_thunk(&self) -> bool {
        self.instructions == 1 && self.calls.len() == 1
    }
}

/// The readable form of a symbol.
pub fn demangle(symbol: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(symbol))
}

/// What `text` defines.
fn parse(text: &str) -> Module {
    let names: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| typed(line, "function"))
        .collect();
    let data = text
        .lines()
        .filter_map(|line| typed(line, "object"))
        .map(Into::into)
        .collect();
    let mut functions = Functions::new();
    let mut current: Option<Function> = None;
    let mut symbol = "";
    for line in text.lines() {
        if let Some(label) = line.strip_suffix(':').filter(|label| names.contains(label)) {
            symbol = label;
            current = Some(Function {
                name: demangle(label),
                ..Function::default()
            });
        } else if let Some((alias, target)) = alias(line).filter(|(alias, _)| names.contains(alias))
        {
            let thunk = Function {
                name: demangle(alias),
                instructions: 1,
                calls: BTreeSet::from([target.to_owned()]),
                ..Function::default()
            };
            functions.insert(alias.to_owned(), thunk);
        } else if line.trim_start().starts_with(".size") || line.trim() == ".cfi_endproc" {
            if let Some(function) = current.take() {
                functions.insert(symbol.to_owned(), function);
            }
        } else if let Some(function) = &mut current
            && let Some(instruction) = instruction(line)
        {
            function.count(instruction, &names);
        }
    }
    Module { functions, data }
}

/// The symbol of a `.type symbol,@kind` line.
fn typed<'a>(line: &'a str, kind: &str) -> Option<&'a str> {
    let (symbol, this) = line.trim().strip_prefix(".type")?.split_once(',')?;
    (this.trim().trim_start_matches(['@', '%']) == kind).then(|| symbol.trim())
}

/// The two symbols of a `.set alias, target` line.
fn alias(line: &str) -> Option<(&str, &str)> {
    let (alias, target) = line.trim().strip_prefix(".set")?.split_once(',')?;
    Some((alias.trim(), target.trim()))
}

/// The text of an instruction, without comments; `None` for labels and directives.
fn instruction(line: &str) -> Option<&str> {
    let text = line.strip_prefix('\t')?;
    let text = text.split(['#', ';']).next()?.split("//").next()?.trim();
    (!text.is_empty() && !text.starts_with('.') && !text.ends_with(':')).then_some(text)
}

impl Function {
    fn count(&mut self, instruction: &str, functions: &BTreeSet<&str>) {
        self.instructions += 1;
        let (mnemonic, operands) = instruction
            .split_once(char::is_whitespace)
            .unwrap_or((instruction, ""));
        if is_vector(operands, Width::Avx2) {
            *self.vector.entry(Width::Avx2).or_default() += 1;
        }
        if is_vector(operands, Width::Neon) {
            *self.vector.entry(Width::Neon).or_default() += 1;
        }
        self.divisions += usize::from(is_division(mnemonic));
        let transfer = is_transfer(mnemonic);
        if transfer && operands.starts_with("*%") {
            self.indirect += 1;
            return;
        }
        for operand in operands.split(|c: char| !is_symbol(c) && !matches!(c, '@' | '%')) {
            // How the linker is to find the symbol; a global offset table may also name data.
            let (symbol, place) = operand.split_once('@').unwrap_or((operand, ""));
            let is_code = functions.contains(symbol)
                || (transfer && place.is_empty() && is_global(symbol))
                || place == "PLT"
                || place == "GOTPCREL";
            if is_code {
                self.calls.insert(symbol.to_owned());
            }
        }
    }
}

fn is_symbol(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')
}

fn is_global(word: &str) -> bool {
    !word.starts_with(".L") && word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

fn is_transfer(mnemonic: &str) -> bool {
    mnemonic.starts_with("call") || mnemonic == "jmp" || matches!(mnemonic, "bl" | "b")
}

pub fn is_division(mnemonic: &str) -> bool {
    let root = mnemonic.trim_end_matches(['b', 'w', 'l', 'q']);
    matches!(root, "div" | "idiv" | "udiv" | "sdiv")
}

fn is_vector(operands: &str, width: Width) -> bool {
    operands
        .split(|c: char| !is_symbol(c))
        .any(|word| match width {
            Width::Avx2 => word.starts_with("ymm"),
            Width::Neon => {
                let register = word.split('.').next().unwrap_or_default();
                let number = register
                    .strip_prefix('v')
                    .or_else(|| register.strip_prefix('q'));
                number.is_some_and(|n| n.parse::<u8>().is_ok_and(|n| n < 32))
            }
        })
}

#[cfg(test)]
mod tests {
    use super::{Width, functions};

    const TEXT: &str = "
\t.type\tkernel,@function
kernel:
\t.cfi_startproc
\tvmovdqu\t(%rdi), %ymm0
.LBB0_1:
\tvpaddd\t%ymm0, %ymm1, %ymm0 # a comment about call other
\tjne\t.LBB0_1
\tcallq\t*_RNvNtCs1_4core9panicking5panic@GOTPCREL(%rip)
\tidivl\t%ecx
\tmovq\tdata@GOTPCREL(%rip), %rax
\tcallq\tmemcpy@PLT
\tretq
.Lfunc_end0:
\t.size\tkernel, .Lfunc_end0-kernel
\t.cfi_endproc
\t.type\tfolded,@function
folded:
\tjmp\tkernel
\t.size\tfolded, 5
\t.type\tother,@function
\t.set other, kernel
\t.type\tdata,@object
data:
\t.long\t7
";

    #[test]
    fn functions_are_read() {
        let functions = functions(&[TEXT.into()]);
        assert_eq!(
            functions.keys().collect::<Vec<_>>(),
            ["folded", "kernel", "other"]
        );
        let kernel = &functions["kernel"];
        assert_eq!((kernel.instructions, kernel.divisions), (8, 1));
        assert_eq!(kernel.vector_percent(Width::Avx2), 25);
        assert_eq!(kernel.vector_percent(Width::Neon), 0);
        let calls: Vec<_> = kernel.calls.iter().collect();
        assert_eq!(calls, ["_RNvNtCs1_4core9panicking5panic", "memcpy"]);
        assert!(functions["folded"].is_thunk() && functions["other"].is_thunk());
        assert!(!kernel.is_thunk());
    }
}
