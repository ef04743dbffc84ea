//! Where the test vectors are, and how they are read.
//!
//! They are looked for in the folder that `MLDSA_VECTORS` names, or else in `../shared/vectors`
//! beside the checkout. Where there is none, a test says that its vectors were skipped, and fails
//! if `MLDSA_REQUIRE_VECTORS=1` is set.
#![allow(dead_code, reason = "each test reads the files that it needs")]
#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(clippy::std_instead_of_alloc, reason = "tests have std")]

pub(crate) mod acvp;

use serde_json::Value;
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::Read;
use std::path::PathBuf;

/// The folder of the vectors; `None`, said aloud, where there is none.
pub(crate) fn folder(what: &str) -> Option<PathBuf> {
    let named = env::var_os("MLDSA_VECTORS").map(PathBuf::from);
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/vectors");
    let folder = named.unwrap_or(beside);
    if folder.is_dir() {
        return Some(folder);
    }
    let required = env::var_os("MLDSA_REQUIRE_VECTORS").is_some_and(|value| value == "1");
    assert!(
        !required,
        "vectors: {what}: required, and {} is not a folder",
        folder.display()
    );
    say(&format!(
        "{what} SKIPPED: {} is not a folder",
        folder.display()
    ));
    None
}

/// The bytes of a file of the folder; a missing file is a failure.
pub(crate) fn bytes(what: &str, path: &str) -> Option<Vec<u8>> {
    let path = folder(what)?.join(path);
    Some(fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// The text of a file of the folder.
pub(crate) fn text(what: &str, path: &str) -> Option<String> {
    Some(String::from_utf8(bytes(what, path)?).unwrap())
}

/// The JSON in a file of the folder, unpacked when the name ends in `.gz`.
pub(crate) fn json(what: &str, path: &str) -> Option<Value> {
    let bytes = bytes(what, path)?;
    let text = if path.ends_with(".gz") {
        let mut text = String::new();
        flate2::read::GzDecoder::new(&bytes[..])
            .read_to_string(&mut text)
            .unwrap();
        text
    } else {
        String::from_utf8(bytes).unwrap()
    };
    Some(serde_json::from_str(&text).unwrap())
}

/// The hexadecimal field `name`; `None` when the object has none or it is null.
pub(crate) fn maybe_hex(object: &Value, name: &str) -> Option<Vec<u8>> {
    match &object[name] {
        Value::Null => None,
        Value::String(digits) => Some(hex::decode(digits).unwrap()),
        other => panic!("{name} is {other}"),
    }
}

/// The hexadecimal field `name`, which must be there.
pub(crate) fn hex(object: &Value, name: &str) -> Vec<u8> {
    maybe_hex(object, name).unwrap_or_else(|| panic!("no {name}"))
}

/// The text field `name`, which must be there.
pub(crate) fn str<'a>(object: &'a Value, name: &str) -> &'a str {
    object[name].as_str().unwrap_or_else(|| panic!("no {name}"))
}

/// The truth field `name`, which must be there.
pub(crate) fn bool(object: &Value, name: &str) -> bool {
    object[name]
        .as_bool()
        .unwrap_or_else(|| panic!("no {name}"))
}

/// The list field `name`, which must be there.
pub(crate) fn list<'a>(object: &'a Value, name: &str) -> &'a [Value] {
    object[name]
        .as_array()
        .unwrap_or_else(|| panic!("no {name}"))
}

/// One line about vectors, past the test harness, which hides what a passing test prints: how many
/// vectors ran must be seen in every log.
pub(crate) fn say(line: &str) {
    use std::io::Write;
    let mut stderr = std::io::stderr();
    writeln!(stderr, "vectors: {line}").unwrap();
}

/// How many cases of each kind ran.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally(BTreeMap<String, usize>);

impl Tally {
    pub(crate) fn count(&mut self, kind: impl Into<String>) {
        *self.0.entry(kind.into()).or_default() += 1;
    }
}

impl<S: Into<String>> FromIterator<(S, usize)> for Tally {
    fn from_iter<I: IntoIterator<Item = (S, usize)>>(counts: I) -> Self {
        Self(
            counts
                .into_iter()
                .map(|(kind, count)| (kind.into(), count))
                .collect(),
        )
    }
}
