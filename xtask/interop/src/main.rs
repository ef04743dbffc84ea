//! Our side of `cargo xtask interop`: checks mldsa-simd against the `cryptography` package, both
//! ways. What one writes the other reads, what one signs the other verifies, and what is wrong both
//! refuse.
//!
//! Keys and mutations are different in every run. The first failure of a set ends its checks, and
//! names the seed.

mod certificates;
#[path = "../../../examples/x509/issue.rs"]
mod issue;
mod keys;
mod peer;
mod signatures;

use issue::Set;
use mldsa_simd::common::getrandom::SysRng;
use mldsa_simd::signature::rand_core::TryRng;
use mldsa_simd::{Keypair, MlDsa44, MlDsa65, MlDsa87, Seed, SigningKey, VerifyingKey};
use peer::{Answer, Argument, Done, Peer};
use std::collections::BTreeMap;
use std::error::Error;
use std::process::ExitCode;

type Result<T> = core::result::Result<T, Box<dyn Error>>;

/// Three parameter sets, with four keys each.
const KEYS: usize = 3 * 4;

/// How many checks of each kind are made with each key: one that is left out is a failure.
const EXPECTED: [(&str, usize); 5] = [
    ("certificates and requests", 54),
    ("private keys", 41),
    ("public keys", 32),
    ("signatures", 214),
    ("wrong signatures", 314),
];

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("interop: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let python = std::env::args_os()
        .nth(1)
        .ok_or("give me a Python that has the package cryptography")?;
    let mut peer = Peer::start(&python)?;
    let version = peer.ask("version", None, &[])?.bytes("text");
    println!("mldsa-simd ({}) and", mldsa_simd::isa_name());
    println!("{}:", String::from_utf8_lossy(&version));

    let mut tally = BTreeMap::new();
    all::<MlDsa44>("ML-DSA-44", &mut peer, &mut tally)?;
    all::<MlDsa65>("ML-DSA-65", &mut peer, &mut tally)?;
    all::<MlDsa87>("ML-DSA-87", &mut peer, &mut tally)?;
    peer.stop()?;

    for (kind, count) in &tally {
        println!("{count:>6}  {kind}");
    }
    println!("{:>6}  checks", tally.values().sum::<usize>());
    let expected = EXPECTED.map(|(kind, count)| (kind, count * KEYS));
    if tally.into_iter().eq(expected) {
        Ok(())
    } else {
        Err(format!("these should be {expected:?}").into())
    }
}

/// All checks of a parameter set, with a key of ours, a key of theirs, and two of nobody's.
fn all<P: Set>(
    set: &'static str,
    peer: &mut Peer,
    tally: &mut BTreeMap<&'static str, usize>,
) -> Result<()> {
    let theirs = peer.ask("generate", Some(set), &[])?.bytes("seed");
    let seeds = [random()?, theirs[..].try_into()?, [0; 32], [0xff; 32]];
    for seed in seeds {
        let key = SigningKey::<P>::from_seed(&seed.into());
        let public = key.verifying_key();
        let other = SigningKey::from_seed(&random()?.into());
        let mut pair = Pair {
            set,
            key,
            public,
            other,
            peer,
            tally,
            kind: "",
        };
        pair.check_all()
            .map_err(|error| format!("{set}, seed {}: {error}", hex::encode(seed)))?;
    }
    Ok(())
}

/// A key, another one, and the two implementations.
struct Pair<'a, P: Set> {
    set: &'static str,
    key: SigningKey<P>,
    public: VerifyingKey<P>,
    /// The wrong key.
    other: SigningKey<P>,
    peer: &'a mut Peer,
    tally: &'a mut BTreeMap<&'static str, usize>,
    /// What is being checked.
    kind: &'static str,
}

impl<P: Set> Pair<'_, P> {
    fn check_all(&mut self) -> Result<()> {
        self.kind = "private keys";
        self.private_keys()?;
        self.kind = "public keys";
        self.public_keys()?;
        self.kind = "signatures";
        self.signatures()?;
        self.kind = "wrong signatures";
        self.wrong_signatures()?;
        self.kind = "certificates and requests";
        self.certificates()
    }

    fn seed(&self) -> Seed {
        self.key.to_seed()
    }

    /// One check.
    fn that(&mut self, holds: bool, what: &str) -> Result<()> {
        *self.tally.entry(self.kind).or_default() += 1;
        if holds {
            Ok(())
        } else {
            Err(format!("{}: not so: {what}", self.kind).into())
        }
    }

    /// That both refuse.
    fn refused<T, E>(
        &mut self,
        ours: core::result::Result<T, E>,
        theirs: Answer,
        what: &str,
    ) -> Result<()> {
        self.that(ours.is_err(), &format!("we refuse {what}"))?;
        self.that(theirs.is_err(), &format!("they refuse {what}"))
    }

    /// An operation that must succeed.
    fn they(&mut self, operation: &str, arguments: &[Argument<'_>]) -> Result<Done> {
        let answer = self.peer.ask(operation, None, arguments);
        answer.map_err(|error| format!("{}: {operation}: {error}", self.kind).into())
    }

    /// An operation of the parameter set that must succeed.
    fn they_of_set(&mut self, operation: &str, arguments: &[Argument<'_>]) -> Result<Done> {
        let answer = self.try_of_set(operation, arguments);
        answer.map_err(|error| format!("{}: {operation}: {error}", self.kind).into())
    }

    fn try_of_set(&mut self, operation: &str, arguments: &[Argument<'_>]) -> Answer {
        self.peer.ask(operation, Some(self.set), arguments)
    }

    /// Whether they say that this is our public key, of the right set.
    fn is_ours(&self, theirs: &Done) -> bool {
        theirs.text("set") == self.set && theirs.bytes("public") == self.public.as_encoded()[..]
    }
}

fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    SysRng.try_fill_bytes(&mut bytes)?;
    Ok(bytes)
}

/// A number below `end`, a little biased.
fn below(end: usize) -> Result<usize> {
    let wide = u128::from(u64::from_le_bytes(random()?)) * end as u128;
    Ok((wide >> 64) as usize)
}

/// The bytes with one bit flipped, somewhere.
fn flipped(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut bytes = bytes.to_vec();
    let (byte, bit) = (below(bytes.len())?, below(8)?);
    bytes[byte] ^= 1 << bit;
    Ok(bytes)
}
