//! PITFALLS.md tells the truth: every row is there, and every function that it names exists.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

const ROWS: usize = 50;

#[test]
fn every_row_is_covered_by_functions_that_exist() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let table = include_str!("PITFALLS.md");
    let rows: Vec<&str> = table
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| #"))
        .collect();
    assert_eq!(rows.len(), ROWS);
    let mut sources = HashMap::new();
    for (number, row) in (1..).zip(rows) {
        assert!(
            row.starts_with(&format!("| {number} |")),
            "row {number}: {row}"
        );
        let covered = row
            .trim_end_matches(" |")
            .rsplit(" | ")
            .next()
            .unwrap_or_default();
        assert!(covered.len() > 10, "row {number} says nothing");
        // Every second piece stands between backquotes.
        for name in covered.split('`').skip(1).step_by(2) {
            let Some((file, function)) = name.split_once("::") else {
                continue;
            };
            let source = sources.entry(file.to_owned()).or_insert_with(|| {
                fs::read_to_string(folder.join(file))
                    .unwrap_or_else(|error| panic!("{file}: {error}"))
            });
            let defined = [
                format!("fn {function}("),
                format!("fn {function}<"),
                format!("macro_rules! {function} "),
            ]
            .iter()
            .any(|definition| source.contains(definition));
            assert!(defined, "row {number}: {file} has no {function}");
        }
    }
}
