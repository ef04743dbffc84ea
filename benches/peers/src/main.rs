//! Races mldsa-simd with its peers in one process, on the same seeds, keys and messages.
//!
//! Every contender runs in turn, round after round, and each piece of work is timed by itself; its
//! time is the median over the rounds, so that a machine that slows down now and then slows nobody.
//! Signing goes over C2SP/CCTV's message sets, whose deterministic signatures need a representative
//! number of rejections. Before the race each library signs the first messages, and the bytes must
//! be the same.

mod chart;
mod contenders;
mod race;
mod table;

use clap::Parser;
use contenders::{Contender, SETS, Work};
use race::{OPERATIONS, Row, race};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs, process, thread};

/// Race mldsa-simd with its peers
#[derive(Parser)]
struct Arguments {
    /// Rounds; the first one, which warms up, is not counted
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Folder of test vectors, whose `cctv` holds the message sets
    /// [default: $MLDSA_VECTORS, or shared/vectors beside the checkout]
    #[arg(long)]
    vectors: Option<PathBuf>,
    /// Only this parameter set: 44, 65 or 87 (may be given again)
    #[arg(long)]
    only: Vec<String>,
    /// Where to write peers.md and peers.svg; «-» writes nothing
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/results"))]
    out: PathBuf,
}

fn main() {
    // Some peers keep whole matrices on the stack.
    let racer = thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(|| run(&Arguments::parse()));
    let outcome = match racer.map(thread::JoinHandle::join) {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_)) => process::exit(101),
        Err(error) => Err(error.to_string()),
    };
    if let Err(error) = outcome {
        eprintln!("peers: {error}");
        process::exit(1);
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let vectors = arguments.vectors.clone().unwrap_or_else(default_vectors);
    let wanted = |name: &str| {
        arguments.only.is_empty()
            || arguments
                .only
                .iter()
                .any(|only| name.ends_with(only.as_str()))
    };
    if let Some(only) = arguments
        .only
        .iter()
        .find(|only| !["44", "65", "87"].contains(&only.as_str()))
    {
        return Err(format!("--only {only}: the sets are 44, 65 and 87"));
    }
    let rounds = arguments.rounds as usize;
    let mut rows = Vec::new();
    for set in SETS.iter().filter(|set| wanted(set.name)) {
        let path = vectors.join("cctv").join(format!("{}.json", set.name));
        let messages = messages(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let work = (set.work)(messages);
        let mut contenders = (set.contenders)(&work);
        agree(&contenders, &work);
        for operation in OPERATIONS {
            let items = if operation == "keygen" {
                work.seeds.len()
            } else {
                work.messages.len()
            };
            let row = race(set.name, operation, &mut contenders, items, rounds);
            eprintln!("{}", summary(&row));
            rows.push(row);
        }
    }
    let table = table::markdown(&rows, rounds, mldsa_simd::isa_name());
    println!("{table}");
    if arguments.out != Path::new("-") {
        let write = || -> Result<(), Box<dyn Error>> {
            fs::create_dir_all(&arguments.out)?;
            fs::write(arguments.out.join("peers.md"), &table)?;
            fs::write(arguments.out.join("peers.svg"), chart::svg(&rows)?)?;
            Ok(())
        };
        write().map_err(|error| format!("{}: {error}", arguments.out.display()))?;
    }
    Ok(())
}

/// Every deterministic signer must give the bytes that mldsa-native gives; the others' signatures
/// must differ from call to call and have the right length.
fn agree(contenders: &[Contender<'_>], work: &Work) {
    for contender in contenders {
        for (i, expected) in work.signatures.iter().enumerate().take(20) {
            let signature = (contender.signature)(i);
            if contender.deterministic {
                assert!(
                    signature == *expected,
                    "{}: another signature",
                    contender.name
                );
            } else {
                assert!(signature.len() == expected.len() && signature != *expected);
            }
        }
    }
}

fn summary(row: &Row) -> String {
    let times: Vec<String> = row
        .results
        .iter()
        .map(|r| format!("{} {:.1}", r.name, r.time))
        .collect();
    format!("{} {} (µs): {}", row.set, row.operation, times.join(", "))
}

fn default_vectors() -> PathBuf {
    env::var_os("MLDSA_VECTORS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors"),
        PathBuf::from,
    )
}

/// The messages of a set: a JSON list of strings.
fn messages(path: &Path) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let list: Vec<String> = serde_json::from_str(&fs::read_to_string(path)?)?;
    if list.is_empty() {
        return Err("no messages".into());
    }
    Ok(list.into_iter().map(String::into_bytes).collect())
}
