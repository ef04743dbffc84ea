//! References to the bibliography.

use std::collections::BTreeSet;

/// The ids that BIBLIOGRAPHY.md defines: what stands in brackets at the start of a heading.
pub(crate) fn ids(bibliography: &str) -> BTreeSet<&str> {
    bibliography
        .lines()
        .filter_map(|line| line.trim_start_matches('#').strip_prefix(" ["))
        .filter_map(|line| line.split_once(']'))
        .map(|(id, _)| id)
        .collect()
}

/// The ids that `text` refers to: three or more capitals, digits or hyphens in brackets, the first
/// a capital, as in `[FIPS204]`. In rustdoc the brackets are escaped, since it takes them for a link
/// to an item: `\[FIPS204\]`.
pub(crate) fn references(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('[') {
        rest = after;
        let Some((inside, beyond)) = after.split_once(']') else {
            break;
        };
        let id = inside.strip_suffix('\\').unwrap_or(inside);
        let is_id = id.len() >= 3
            && id.starts_with(|c: char| c.is_ascii_uppercase())
            && id
                .chars()
                .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-');
        // `[X](…)` and `[X]: …` carry their own target.
        if is_id && !beyond.starts_with(['(', ':']) {
            found.push(id);
        }
    }
    found
}

/// Where `source` declassifies: lines, and names of the functions that call `declassify` or
/// `declassify_bytes`, in order. Not in the files that define them.
pub(crate) fn declassifications<'a>(file: &str, source: &'a str) -> Vec<(usize, &'a str)> {
    let mut found = Vec::new();
    if ["ct.rs", "simd/memcheck.rs"].contains(&file) {
        return found;
    }
    let mut function = "";
    for (number, line) in (1..).zip(source.lines().map(str::trim_start)) {
        if line.starts_with("//") {
            continue;
        }
        if let Some((_, name)) = line.split_once("fn ") {
            function = name
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .next()
                .unwrap_or_default();
        }
        if line.contains("declassify(") || line.contains("declassify_bytes(") {
            found.push((number, function));
        }
    }
    found
}

/// The rows of the table of declassifications: file and function.
pub(crate) fn declared(soundness: &str) -> Vec<(&str, &str)> {
    soundness
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once("`, `"))
        .filter_map(|(file, rest)| Some((file, rest.split_once('`')?.0)))
        .collect()
}
