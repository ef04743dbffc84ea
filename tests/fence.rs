//! What no compiler checks: where `unsafe` may stand, which module may use which, that comments
//! give the standard's algorithms their right numbers, and that every cited source is listed.
//!
//! Each rule is followed by a test that plants a violation, so that none of them can pass by
//! looking at nothing.
#![allow(clippy::std_instead_of_alloc, clippy::unwrap_used, reason = "tests")]

#[path = "fence/fips.rs"]
mod fips;
#[path = "fence/prose.rs"]
mod prose;
#[path = "fence/source.rs"]
mod source;

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files under `folder` with one of `extensions`: name relative to `folder`, and text.
fn files(folder: &str, extensions: &[&str]) -> Vec<(String, String)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                walk(&path, found);
            } else if path.is_file() {
                found.push(path);
            }
        }
    }
    let folder = root().join(folder);
    let mut found = Vec::new();
    if folder.is_dir() {
        walk(&folder, &mut found);
    }
    found.sort();
    found
        .into_iter()
        .filter(|path| {
            path.extension()
                .is_some_and(|e| extensions.iter().any(|x| e == *x))
        })
        .map(|path| {
            let name = path.strip_prefix(&folder).unwrap().components();
            let name: Vec<_> = name
                .map(|part| part.as_os_str().to_str().unwrap())
                .collect();
            (name.join("/"), fs::read_to_string(&path).unwrap())
        })
        .collect()
}

#[track_caller]
fn no_errors(errors: &[String]) {
    assert!(errors.is_empty(), "\n{}\n", errors.join("\n"));
}

#[test]
fn the_fence_and_the_layers_stand() {
    let sources = files("src", &["rs"]);
    for expected in ["lib.rs", "params.rs", "simd/mod.rs"] {
        assert!(
            sources.iter().any(|(name, _)| name == expected),
            "src/{expected} was not read"
        );
    }
    let errors: Vec<String> = sources
        .iter()
        .flat_map(|(name, text)| source::check(name, text))
        .collect();
    no_errors(&errors);
}

#[test]
fn the_fence_falls_over_each_planted_violation() {
    let cases = [
        (
            "ntt/forward.rs",
            "fn f() { unsafe { g() } }",
            "`unsafe` outside",
        ),
        (
            "lib.rs",
            "#[unsafe(no_mangle)] fn f() {}",
            "`unsafe` outside",
        ),
        (
            "sign.rs",
            "macro_rules! m { () => { unsafe fn f() {} } }",
            "`unsafe` outside",
        ),
        ("ct.rs", "use core::arch::asm;", "`core::arch` outside"),
        (
            "ct.rs",
            "use core::{fmt, arch::x86_64::*};",
            "`core::arch` outside",
        ),
        (
            "ct.rs",
            "fn f() { ::std::arch::asm!(\"\") }",
            "`core::arch` outside",
        ),
        (
            "keccak/mod.rs",
            "#[cfg(target_arch = \"x86_64\")] mod a;",
            "`target_arch` outside",
        ),
        (
            "ntt.rs",
            "#[target_feature(enable = \"avx2\")] fn f() {}",
            "`target_feature` outside",
        ),
        ("params.rs", "fn f() { todo!() }", "`todo!`"),
        (
            "simd/avx2.rs",
            "fn f() { unimplemented!() }",
            "`unimplemented!`",
        ),
        ("simd/mod.rs", "use crate::ntt::ntt;", "`simd` uses `ntt`"),
        (
            "simd/avx2.rs",
            "use super::super::{params, keccak};",
            "`simd` uses `keccak`",
        ),
        (
            "ntt/forward.rs",
            "use crate::{simd::Isa, sign::sign_mu};",
            "`ntt` uses `sign`",
        ),
        (
            "reduce.rs",
            "fn f() { crate::verify::verify_mu() }",
            "`reduce` uses `verify`",
        ),
        (
            "reduce.rs",
            "macro_rules! m { () => { $crate::keygen::f() } }",
            "`reduce` uses `keygen`",
        ),
        (
            "params.rs",
            "mod sealed { use super::super::sign::f; }",
            "`params` uses `sign`",
        ),
        (
            "sign.rs",
            "use crate::SigningKey;",
            "without naming its module",
        ),
        ("novel.rs", "", "give module `novel` a layer"),
        ("sign.rs", "fn f( {", "not Rust"),
    ];
    for (file, text, expected) in cases {
        let errors = source::check(file, text);
        assert_eq!(errors.len(), 1, "{file}: {text}: {errors:?}");
        assert!(errors[0].contains(expected), "{file}: {text}: {errors:?}");
        assert!(errors[0].starts_with(file), "{errors:?}");
    }
    assert!(source::check("ct.rs", "\n\nuse core::arch::asm;")[0].starts_with("ct.rs:3:"));
}

#[test]
fn the_fence_lets_pass_what_is_right() {
    let cases = [
        (
            "simd/avx2.rs",
            "#[cfg(target_arch = \"x86_64\")] use core::arch::x86_64::*;",
        ),
        (
            "simd/mod.rs",
            "use crate::params::Q; fn f() { unsafe { g() } }",
        ),
        (
            "ntt/forward.rs",
            "//! `unsafe`, core::arch\n#![forbid(unsafe_code)] /* todo!() */",
        ),
        (
            "ntt/forward.rs",
            "use crate::{params::{N, Q}, simd::Isa}; use super::zetas;",
        ),
        (
            "sign.rs",
            "use crate::ntt; const S: &str = \"unsafe core::arch\"; fn todo() {}",
        ),
        (
            "verifying_key.rs",
            "use crate::{Error, signing_key::SigningKey};",
        ),
        (
            "keccak/mod.rs",
            "#[cfg(test)] mod tests { use crate::verify; }",
        ),
        ("simd/tests.rs", "use crate::internals; unsafe fn f() {}"),
        (
            "params.rs",
            "pub(crate) mod sealed { use super::Q; impl S { fn f(self) { self.0 } } }",
        ),
    ];
    for (file, text) in cases {
        no_errors(&source::check(file, text));
    }
}

#[test]
fn algorithms_have_their_numbers() {
    let mut pairs = 0;
    let mut errors = Vec::new();
    for folder in ["src", "tests/spec", "benches"] {
        for (name, text) in files(folder, &["rs"]) {
            let report = fips::check(&format!("{folder}/{name}"), &text);
            pairs += report.pairs;
            errors.extend(report.errors);
        }
    }
    no_errors(&errors);
    assert!(
        pairs > 0,
        "no algorithm is cited: the check looked at nothing"
    );
    println!("{pairs} numbers agree with their names");
}

#[test]
fn wrong_algorithm_numbers_are_found() {
    let cases = [
        (
            "/// Algorithm 17, `BitUnpack(v, a, b)`: …",
            "Algorithm 17 is `BitPack`",
        ),
        ("// see Algorithm 50, `Sign`", "no Algorithm 50"),
        ("// Algorithm 0", "no Algorithm 0"),
        (
            "let x = 1; // as in Algorithm 41 (`NTT⁻¹(ŵ)`)",
            "Algorithm 41 is `NTT`",
        ),
        (
            "/// Algorithm 30: samples",
            "write «Algorithm 30, `RejNTTPoly(…)`»",
        ),
        (
            "/// Algorithm 7, `ML-DSA.Sign`, and",
            "Algorithm 7 is `ML-DSA.Sign_internal`",
        ),
        (
            "//! Algorithm 22, `pkEncode`, and Algorithm 23, `skDecode`",
            "Algorithm 23 is `pkDecode`",
        ),
    ];
    for (text, expected) in cases {
        let report = fips::check("f.rs", text);
        assert_eq!(report.errors.len(), 1, "{text}: {report:?}");
        assert!(report.errors[0].contains(expected), "{text}: {report:?}");
    }
    for text in [
        "/// Algorithm 30, `RejNTTPoly(ρ)`: samples",
        "/// Algorithm 42, `NTT⁻¹(ŵ)`, up to the factor 2³²",
        "//! begins\n//! Algorithm 6 again",
        "// Algorithm 6 again",
        "call(\"Algorithm 99\")",
    ] {
        no_errors(&fips::check("f.rs", text).errors);
    }
}

#[test]
fn cited_sources_are_listed() {
    let bibliography = fs::read_to_string(root().join("BIBLIOGRAPHY.md")).unwrap();
    let ids = prose::ids(&bibliography);
    assert!(ids.contains("FIPS204"), "no ids were read: {ids:?}");
    let mut cited = 0;
    let mut errors = Vec::new();
    let mut check = |name: &str, line: usize, text: &str| {
        for id in prose::references(text) {
            cited += 1;
            if !ids.contains(id) {
                errors.push(format!("{name}:{line}: [{id}] is not in BIBLIOGRAPHY.md"));
            }
        }
    };
    // This folder is left out: its planted violations are no citations.
    for folder in ["src", "tests/spec", "benches", "examples"] {
        for (name, text) in files(folder, &["rs"]) {
            for (line, text) in (1..).zip(text.lines()) {
                check(&name, line, fips::comment_of(text).unwrap_or_default());
            }
        }
    }
    let mut prose = files("docs", &["md"]);
    for name in [
        "README.md",
        "SOUNDNESS.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "CHANGELOG.md",
    ] {
        prose.push((
            name.to_owned(),
            fs::read_to_string(root().join(name)).unwrap(),
        ));
    }
    for (name, text) in &prose {
        let mut code = false;
        for (line, text) in (1..).zip(text.lines()) {
            code ^= text.trim_start().starts_with("```");
            if !code {
                check(name, line, text);
            }
        }
    }
    no_errors(&errors);
    assert!(cited > 0, "nothing is cited: the check looked at nothing");
}

#[test]
fn unlisted_sources_are_found() {
    assert_eq!(
        prose::references(r"see [FIPS204], \[RFC9881\]; [`Isa`] [link](x) [T; 4] [LINK](x) [N]"),
        ["FIPS204", "RFC9881"]
    );
    let listed = prose::ids("# Bibliography\n\n## [FIPS204]\ntext [OTHER1]\n");
    assert_eq!(listed.into_iter().collect::<Vec<_>>(), ["FIPS204"]);
}

#[test]
fn every_declassification_has_its_reason() {
    let soundness = fs::read_to_string(root().join("SOUNDNESS.md")).unwrap();
    let mut declared: Vec<_> = prose::declared(&soundness)
        .into_iter()
        .map(|(file, function)| format!("{file}, {function}"))
        .collect();
    let mut found: Vec<_> = files("src", &["rs"])
        .iter()
        .flat_map(|(file, text)| {
            prose::declassifications(file, text)
                .into_iter()
                .map(move |(_, function)| format!("{file}, {function}"))
        })
        .collect();
    assert!(
        !found.is_empty(),
        "no declassification: the check looked at nothing"
    );
    declared.sort();
    found.sort();
    assert_eq!(
        found, declared,
        "left: in the source; right: in SOUNDNESS.md"
    );
}

#[test]
fn declassifications_are_found() {
    let source = "fn a() {}\n// declassify(x)\npub(crate) fn b<T>() {\n  ct::declassify(x)\n}";
    assert_eq!(prose::declassifications("a.rs", source), [(4, "b")]);
    assert_eq!(prose::declassifications("ct.rs", source), []);
    let table = "| where |\n|---|\n| `a/b.rs`, `c` | `d`, `e` |";
    assert_eq!(prose::declared(table), [("a/b.rs", "c")]);
}
