//! Questions to the other implementation: peer.py, run by a Python that has the package.

use serde_json::{Map, Value, json};
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The script, and the pipes to it.
pub(crate) struct Peer {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// A value of a question: bytes or nothing.
pub(crate) type Argument<'a> = (&'static str, Option<&'a [u8]>);

/// What the script did, by name; text of its refusal.
pub(crate) type Answer = Result<Done, String>;

/// The fields of an answer.
#[derive(Debug)]
pub(crate) struct Done(Map<String, Value>);

impl Done {
    pub(crate) fn text(&self, field: &str) -> &str {
        match &self.0[field] {
            Value::String(text) => text,
            other => panic!("{field} is {other}"),
        }
    }

    pub(crate) fn bytes(&self, field: &str) -> Vec<u8> {
        hex::decode(self.text(field)).unwrap_or_else(|error| panic!("{field}: {error}"))
    }
}

impl Peer {
    pub(crate) fn start(python: &OsStr) -> std::io::Result<Self> {
        let mut child = Command::new(python)
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/peer.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(questions), Some(answers)) => Ok(Self {
                child,
                questions,
                answers: BufReader::new(answers),
            }),
            _ => Err(std::io::Error::other("no pipes")),
        }
    }

    /// Asks for `operation`, with the parameter set where it matters. Panics when the script does
    /// not answer: it has printed why.
    pub(crate) fn ask(
        &mut self,
        operation: &str,
        set: Option<&str>,
        arguments: &[Argument<'_>],
    ) -> Answer {
        let mut question = json!({ "do": operation });
        if let Some(set) = set {
            question["set"] = set.into();
        }
        for (name, value) in arguments {
            question[*name] = value.map(hex::encode).into();
        }
        let mut answer = String::new();
        let exchange = writeln!(self.questions, "{question}")
            .and_then(|()| self.questions.flush())
            .and_then(|()| self.answers.read_line(&mut answer));
        assert!(
            exchange.is_ok_and(|len| len > 0),
            "peer.py gave up at {operation}"
        );
        match serde_json::from_str(&answer) {
            Ok(Value::Object(mut answer)) => {
                match (answer.remove("done"), answer.remove("refused")) {
                    (Some(Value::Object(done)), None) => Ok(Done(done)),
                    (None, Some(Value::String(refused))) => Err(refused),
                    other => panic!("{operation}: {other:?}"),
                }
            }
            other => panic!("{operation}: {other:?}"),
        }
    }

    /// Ends the script.
    pub(crate) fn stop(mut self) -> std::io::Result<()> {
        drop(self.questions);
        let status = self.child.wait()?;
        if status.success() {
            Ok(())
        } else {
            Err(std::io::Error::other(format!("peer.py: {status}")))
        }
    }
}
