//! The 49 algorithms of FIPS 204, and a check that comments pair their numbers and names rightly.

/// The names, in order: Algorithm n is `ALGORITHMS[n - 1]`.
pub(crate) const ALGORITHMS: [&str; 49] = [
    "ML-DSA.KeyGen",
    "ML-DSA.Sign",
    "ML-DSA.Verify",
    "HashML-DSA.Sign",
    "HashML-DSA.Verify",
    "ML-DSA.KeyGen_internal",
    "ML-DSA.Sign_internal",
    "ML-DSA.Verify_internal",
    "IntegerToBits",
    "BitsToInteger",
    "IntegerToBytes",
    "BitsToBytes",
    "BytesToBits",
    "CoeffFromThreeBytes",
    "CoeffFromHalfByte",
    "SimpleBitPack",
    "BitPack",
    "SimpleBitUnpack",
    "BitUnpack",
    "HintBitPack",
    "HintBitUnpack",
    "pkEncode",
    "pkDecode",
    "skEncode",
    "skDecode",
    "sigEncode",
    "sigDecode",
    "w1Encode",
    "SampleInBall",
    "RejNTTPoly",
    "RejBoundedPoly",
    "ExpandA",
    "ExpandS",
    "ExpandMask",
    "Power2Round",
    "Decompose",
    "HighBits",
    "LowBits",
    "MakeHint",
    "UseHint",
    "NTT",
    "NTT⁻¹",
    "BitRev8",
    "AddNTT",
    "MultiplyNTT",
    "AddVectorNTT",
    "ScalarVectorNTT",
    "MatrixVectorNTT",
    "MontgomeryReduce",
];

/// What the check of one file found.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// How many numbers stood beside a name and agreed with it.
    pub(crate) pairs: usize,
    /// One line for each mistake: `file:line: what`.
    pub(crate) errors: Vec<String>,
}

/// Checks every «Algorithm N» in the comments of `source`.
///
/// The form of a doc line is ``Algorithm 30, `RejNTTPoly(ρ)`: …``. A number must exist; a name in
/// backticks right after it must be the standard's; and a doc paragraph that begins with a number
/// must give the name too. In running text a number may stand alone.
pub(crate) fn check(file: &str, source: &str) -> Report {
    let mut report = Report::default();
    let mut in_paragraph = false;
    for (line, text) in (1..).zip(source.lines()) {
        let comment = comment_of(text).unwrap_or_default();
        let mut rest = comment;
        let mut leads = is_doc(text) && !in_paragraph;
        in_paragraph = is_doc(text) && !comment.trim().is_empty();
        while let Some(at) = rest.find("Algorithm ") {
            leads &= rest[..at].trim().is_empty();
            rest = &rest[at + "Algorithm ".len()..];
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let Ok(number) = rest[..digits].parse::<usize>() else {
                continue;
            };
            rest = &rest[digits..];
            let mut error = |what: String| report.errors.push(format!("{file}:{line}: {what}"));
            let Some(name) = number.checked_sub(1).and_then(|i| ALGORITHMS.get(i)) else {
                error(format!("FIPS 204 has no Algorithm {number}"));
                continue;
            };
            let quoted = [", `", " (`", " `"]
                .iter()
                .find_map(|before| rest.strip_prefix(before));
            match quoted.and_then(|text| text.split_once('`')) {
                Some((given, _)) if base(given) == *name => report.pairs += 1,
                Some((given, _)) => {
                    error(format!(
                        "Algorithm {number} is `{name}`, not `{}`",
                        base(given)
                    ));
                }
                None if leads => error(format!("write «Algorithm {number}, `{name}(…)`»")),
                None => {}
            }
            leads = false;
        }
    }
    report
}

/// The name without its arguments.
fn base(name: &str) -> &str {
    name.split(['(', ' ']).next().unwrap_or(name)
}

/// The text of a line that is a comment, or of the comment at its end.
pub(crate) fn comment_of(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let text = match line.strip_prefix("//") {
        Some(text) => text,
        None => line.split_once(" // ")?.1,
    };
    Some(text.trim_start_matches(['/', '!']))
}

fn is_doc(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("///") || line.starts_with("//!")
}
