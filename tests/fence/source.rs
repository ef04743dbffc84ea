//! The rules that need to read Rust: they look at tokens, so that comments and strings never count.

use core::str::FromStr as _;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Words that stand in `src/simd` and nowhere else.
const FENCED: [&str; 4] = ["unsafe", "target_arch", "target_feature", "global_asm"];
/// Macros that say that something is not finished.
const UNFINISHED: [&str; 3] = ["todo", "unimplemented", "dbg"];

/// Lower layers come first: a module uses those of its own layer and of the layers before it.
///
/// A new module has to be given its place here; one that is not listed is an error.
pub(crate) const LAYERS: [&[&str]; 4] = [
    // The lanes, and the words that all speak: numbers of the parameter sets, polynomials, single
    // integers, places in memory.
    &["simd", "params", "poly", "shared", "reduce", "ct", "wipe"],
    &["keccak", "ntt", "rounding", "encode", "sampling"],
    &["compact", "keys", "keygen", "sign", "verify"],
    &[
        "context",
        "ctgrind",
        "encoded_signature",
        "expanded_key",
        "hash_ml_dsa",
        "hex",
        "internals",
        "low_memory",
        "mu",
        "ops",
        "pkcs8",
        "proofs",
        "seed",
        "share",
        "signing_key",
        "traits",
        "verifying_key",
    ],
];

/// Arrows that point upwards all the same: from, to, and why.
const GRANTED: [(&str, &str); 2] = [
    // A parameter set names the widths of its encodings as types, `Bits<B>`.
    ("params", "encode"),
    // A parameter set has its operations, compiled once: the trait seals the sets.
    ("params", "ops"),
];

/// The place of a module in [`LAYERS`].
fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|modules| modules.contains(&module))
}

/// What a file of `src` does against the rules, one line each: `file:line: what`.
///
/// `file` is relative to `src`, as in `ntt/forward.rs`.
pub(crate) fn check(file: &str, source: &str) -> Vec<String> {
    let tokens = match TokenStream::from_str(source) {
        Ok(tokens) => tokens,
        Err(error) => return vec![format!("{file}: not Rust: {error}")],
    };
    let mut path: Vec<String> = file
        .trim_end_matches(".rs")
        .split('/')
        .map(Into::into)
        .collect();
    if matches!(path.last().map(String::as_str), Some("mod" | "lib")) {
        path.pop();
    }
    // Unit tests compare with whatever they like.
    let is_test = path.last().is_some_and(|module| module == "tests");
    let top = path.first().filter(|_| !is_test).cloned();
    let mut scan = Scan {
        file,
        top,
        path,
        errors: Vec::new(),
    };
    if let Some(top) = &scan.top
        && layer(top).is_none()
    {
        scan.errors.push(format!(
            "{file}: give module `{top}` a layer in tests/fence/source.rs"
        ));
    }
    scan.tokens(tokens);
    scan.errors
}

struct Scan<'a> {
    file: &'a str,
    /// The top-level module that the file belongs to; none for `lib.rs`.
    top: Option<String>,
    /// The module that the scan is in.
    path: Vec<String>,
    errors: Vec<String>,
}

impl Scan<'_> {
    fn tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (i, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Ident(ident) => {
                    let word = ident.to_string();
                    let next = tokens.get(i + 1);
                    self.word(token, &word, next);
                    match word.as_str() {
                        "core" | "std" => self.arch(&tokens[i..]),
                        "crate" | "super" | "self" if !follows_colons(&tokens[..i]) => {
                            self.path_from(&tokens[i..], self.path.clone(), false);
                        }
                        _ => {}
                    }
                }
                TokenTree::Group(group) => {
                    let module = match &tokens[..i] {
                        [.., TokenTree::Ident(keyword), TokenTree::Ident(name)]
                            if keyword == "mod" && group.delimiter() == Delimiter::Brace =>
                        {
                            Some(name.to_string())
                        }
                        _ => None,
                    };
                    // Unit tests compare with whatever they like.
                    let tests = module.as_deref() == Some("tests");
                    let layers = tests.then(|| self.top.take());
                    let nested = module.is_some();
                    self.path.extend(module);
                    self.tokens(group.stream());
                    if nested {
                        self.path.pop();
                    }
                    if let Some(top) = layers {
                        self.top = top;
                    }
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    fn error(&mut self, at: &TokenTree, what: &str) {
        let line = at.span().start().line;
        self.errors.push(format!("{}:{line}: {what}", self.file));
    }

    fn inside_fence(&self) -> bool {
        self.path.first().is_some_and(|top| top == "simd")
    }

    fn word(&mut self, at: &TokenTree, word: &str, next: Option<&TokenTree>) {
        if FENCED.contains(&word) && !self.inside_fence() {
            self.error(at, &format!("`{word}` outside src/simd"));
        }
        let is_macro = matches!(next, Some(TokenTree::Punct(mark)) if mark.as_char() == '!');
        if UNFINISHED.contains(&word) && is_macro {
            self.error(at, &format!("`{word}!` in finished code"));
        }
    }

    /// `core::arch`, alone or in a group as in `use core::{arch::x86_64, fmt}`.
    fn arch(&mut self, tokens: &[TokenTree]) {
        if self.inside_fence() {
            return;
        }
        for (at, name) in after_colons(tokens) {
            if name == "arch" {
                self.error(&at, "`core::arch` outside src/simd");
            }
        }
    }

    /// Follows a path from the module `base` to the module of the crate that it names.
    ///
    /// `continues` says that the path began before `tokens`: only then does its first word name a
    /// child of `base`.
    fn path_from(&mut self, tokens: &[TokenTree], mut base: Vec<String>, continues: bool) {
        let Some(TokenTree::Ident(ident)) = tokens.first() else {
            return;
        };
        match ident.to_string().as_str() {
            "crate" => base.clear(),
            "super" => {
                base.pop();
            }
            "self" => {}
            child if continues => {
                let target = base.first().map_or(child, String::as_str);
                self.uses(&tokens[0], target);
                return;
            }
            _ => return,
        }
        match tokens.get(1..) {
            Some([TokenTree::Punct(a), TokenTree::Punct(b), rest @ ..])
                if a.as_char() == ':' && b.as_char() == ':' =>
            {
                if let Some(TokenTree::Group(group)) = rest.first() {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    for branch in inner.split(is_comma) {
                        self.path_from(branch, base.clone(), true);
                    }
                } else {
                    self.path_from(rest, base, true);
                }
            }
            _ => {}
        }
    }

    fn uses(&mut self, at: &TokenTree, target: &str) {
        let Some(top) = self.top.clone() else { return };
        let Some(from) = layer(&top) else { return };
        match layer(target) {
            Some(to) if to <= from || GRANTED.contains(&(top.as_str(), target)) => {}
            Some(_) => self.error(at, &format!("`{top}` uses `{target}`, which is above it")),
            // Something that `lib.rs` exports: its layer does not show.
            None if from + 1 == LAYERS.len() => {}
            None => self.error(
                at,
                &format!("`{top}` uses `{target}` without naming its module"),
            ),
        }
    }
}

fn is_comma(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(mark) if mark.as_char() == ',')
}

fn follows_colons(before: &[TokenTree]) -> bool {
    matches!(before, [.., TokenTree::Ident(_), TokenTree::Punct(a), TokenTree::Punct(b)]
        if a.as_char() == ':' && b.as_char() == ':')
}

/// The names that follow `first::`: one, or those that begin the branches of a group.
fn after_colons(tokens: &[TokenTree]) -> Vec<(TokenTree, String)> {
    let name = |token: &TokenTree| match token {
        TokenTree::Ident(ident) => Some((token.clone(), ident.to_string())),
        _ => None,
    };
    match tokens {
        [_, TokenTree::Punct(a), TokenTree::Punct(b), next, ..]
            if a.as_char() == ':' && b.as_char() == ':' =>
        {
            match next {
                TokenTree::Group(group) => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    inner
                        .split(is_comma)
                        .filter_map(|branch| name(branch.first()?))
                        .collect()
                }
                token => name(token).into_iter().collect(),
            }
        }
        _ => Vec::new(),
    }
}
