//! Makes keys, signs, verifies and looks into files:
//!
//! ```text
//! cargo run --release --example mldsa --features hash-ml-dsa,pem -- help
//! ```
//!
//! Keys are PEM (PKCS#8 in the three forms of \[RFC9881\], and SPKI), signatures are bare bytes, and
//! `-` is standard input or output. A message is read in pieces, whatever its size. The exit status
//! is 0 when all is well, 1 when a signature is not valid, and 2 when there was no verdict.

use clap::{Args, Parser, Subcommand, ValueEnum};
use core::fmt;
use core::time::Duration;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mldsa_simd::common::getrandom::SysRng;
use mldsa_simd::pkcs8::der::zeroize::Zeroizing;
use mldsa_simd::pkcs8::spki::AssociatedAlgorithmIdentifier;
use mldsa_simd::pkcs8::{
    EncodePrivateKey, EncodePublicKey, LineEnding, ObjectIdentifier, PrivateKeyForm,
    PrivateKeyInfoRef, SecretDocument, SubjectPublicKeyInfoRef,
};
use mldsa_simd::signature::digest::Update;
use mldsa_simd::signature::hazmat::{PrehashSigner, PrehashVerifier, RandomizedPrehashSigner};
use mldsa_simd::{
    ExpandedSigningKey, Generate, Keypair, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, MuBuilder,
    PreHash, Signature, SigningKey, VerifyingKey,
};
use sha2::{Digest, Sha256};
use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// No key file of ours is longer, nor any signature.
const SMALL_FILE: u64 = 64 << 10;

/// A message of this length takes long enough for somebody to wonder.
const LARGE_MESSAGE: u64 = 64 << 20;

#[derive(Parser)]
#[command(
    name = "mldsa",
    version,
    about = "ML-DSA keys and signatures (FIPS 204)",
    after_help = "Exit status: 0 if all is well, 1 if a signature is not valid, 2 on any error."
)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Make a key pair
    Keygen(KeygenArguments),
    /// Sign a file
    Sign(SignArguments),
    /// Verify a file's signature
    Verify(VerifyArguments),
    /// Say what is in key and signature files
    Inspect(InspectArguments),
}

#[derive(Args)]
struct KeygenArguments {
    /// Where to write the private key (only the owner may read it)
    private: PathBuf,
    /// Where to write the public key
    public: PathBuf,
    /// The parameter set
    #[arg(long, value_enum, default_value_t = Set::MlDsa65)]
    set: Set,
    /// What stands in the private key file
    #[arg(long, value_enum, default_value_t = Form::Seed)]
    form: Form,
    /// Replace files that exist
    #[arg(long)]
    force: bool,
}

#[derive(Args)]
struct SignArguments {
    /// The message
    #[arg(default_value = "-")]
    file: PathBuf,
    /// The private key
    #[arg(long)]
    key: PathBuf,
    /// Where to write the signature
    #[arg(long, default_value = "-")]
    signature: PathBuf,
    #[command(flatten)]
    mode: Mode,
    /// Sign without randomness: the same signature each time
    #[arg(long)]
    deterministic: bool,
    /// Replace the signature file if it exists
    #[arg(long)]
    force: bool,
}

#[derive(Args)]
struct VerifyArguments {
    /// The message
    #[arg(default_value = "-")]
    file: PathBuf,
    /// The public key
    #[arg(long)]
    key: PathBuf,
    /// The signature
    #[arg(long)]
    signature: PathBuf,
    #[command(flatten)]
    mode: Mode,
    /// Say nothing when the signature is valid
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Args)]
struct InspectArguments {
    /// The files
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// What signer and verifier have to agree on.
#[derive(Args)]
struct Mode {
    /// Insist on this parameter set (else it is the key's)
    #[arg(long, value_enum)]
    set: Option<Set>,
    /// What the signature is for: text, or hex:… for any bytes; at most 255 bytes
    #[arg(long, default_value = "", value_parser = context)]
    context: Context,
    /// Sign the message's hash: HashML-DSA in place of ML-DSA
    #[arg(long, value_enum, value_name = "HASH")]
    prehash: Option<Hash>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Set {
    #[value(name = "44")]
    MlDsa44,
    #[value(name = "65")]
    MlDsa65,
    #[value(name = "87")]
    MlDsa87,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    Seed,
    Expanded,
    Both,
}

#[derive(Clone, Copy, ValueEnum)]
enum Hash {
    #[value(name = "sha2-224")]
    Sha2_224,
    #[value(name = "sha2-256")]
    Sha2_256,
    #[value(name = "sha2-384")]
    Sha2_384,
    #[value(name = "sha2-512")]
    Sha2_512,
    #[value(name = "sha2-512-224")]
    Sha2_512_224,
    #[value(name = "sha2-512-256")]
    Sha2_512_256,
    #[value(name = "sha3-224")]
    Sha3_224,
    #[value(name = "sha3-256")]
    Sha3_256,
    #[value(name = "sha3-384")]
    Sha3_384,
    #[value(name = "sha3-512")]
    Sha3_512,
    #[value(name = "shake128")]
    Shake128,
    #[value(name = "shake256")]
    Shake256,
}

/// A context: a list of bytes as one value, which `Vec<u8>` would not be to clap.
#[derive(Clone)]
struct Context(Vec<u8>);

/// Reads `--context`.
fn context(text: &str) -> Result<Context, String> {
    let bytes = match text.strip_prefix("hex:") {
        Some(digits) => hex::decode(digits).map_err(|error| error.to_string())?,
        None => text.as_bytes().to_vec(),
    };
    match bytes.len() {
        0..=255 => Ok(Context(bytes)),
        length => Err(format!("{length} bytes, and 255 is the most")),
    }
}

/// Calls a function for the type that belongs to a set.
macro_rules! with_set {
    ($set:expr, $function:ident($($argument:expr),*)) => {
        match $set {
            Set::MlDsa44 => $function::<MlDsa44>($($argument),*),
            Set::MlDsa65 => $function::<MlDsa65>($($argument),*),
            Set::MlDsa87 => $function::<MlDsa87>($($argument),*),
        }
    };
}

/// Calls a function for the type that belongs to a hash function.
macro_rules! with_hash {
    ($hash:expr, $function:ident::<$set:ident>($($argument:expr),*)) => {
        match $hash {
            Hash::Sha2_224 => $function::<$set, sha2::Sha224>($($argument),*),
            Hash::Sha2_256 => $function::<$set, sha2::Sha256>($($argument),*),
            Hash::Sha2_384 => $function::<$set, sha2::Sha384>($($argument),*),
            Hash::Sha2_512 => $function::<$set, sha2::Sha512>($($argument),*),
            Hash::Sha2_512_224 => $function::<$set, sha2::Sha512_224>($($argument),*),
            Hash::Sha2_512_256 => $function::<$set, sha2::Sha512_256>($($argument),*),
            Hash::Sha3_224 => $function::<$set, sha3::Sha3_224>($($argument),*),
            Hash::Sha3_256 => $function::<$set, sha3::Sha3_256>($($argument),*),
            Hash::Sha3_384 => $function::<$set, sha3::Sha3_384>($($argument),*),
            Hash::Sha3_512 => $function::<$set, sha3::Sha3_512>($($argument),*),
            Hash::Shake128 => $function::<$set, shake::Shake128>($($argument),*),
            Hash::Shake256 => $function::<$set, shake::Shake256>($($argument),*),
        }
    };
}

/// Why the exit status is not 0.
enum Failure {
    /// There is a verdict: the signature is not one.
    Invalid(String),
    /// There is none.
    Error(String),
}

type Outcome<T = ()> = Result<T, Failure>;

fn error<T>(message: impl fmt::Display) -> Outcome<T> {
    Err(Failure::Error(message.to_string()))
}

/// Says which file an error is about.
trait About<T> {
    fn about(self, path: &Path) -> Outcome<T>;
}

impl<T, E: fmt::Display> About<T> for Result<T, E> {
    fn about(self, path: &Path) -> Outcome<T> {
        self.or_else(|cause| error(format_args!("{}: {cause}", shown(path))))
    }
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        Task::Keygen(arguments) => with_set!(arguments.set, keygen(&arguments)),
        Task::Sign(arguments) => sign(&arguments),
        Task::Verify(arguments) => verify(&arguments),
        Task::Inspect(arguments) => inspect(&arguments),
    };
    let (status, message) = match outcome {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Invalid(message)) => (1, message),
        Err(Failure::Error(message)) => (2, message),
    };
    // A closed standard error is no reason to panic.
    let _ = writeln!(io::stderr(), "mldsa: {message}");
    ExitCode::from(status)
}

fn keygen<P: Algorithm>(arguments: &KeygenArguments) -> Outcome {
    let (private, public) = (&arguments.private, &arguments.public);
    // Before there is a key: a public key that cannot be written leaves no private one behind.
    if same_place(private, public) {
        return error("the private and the public key need different places");
    }
    for path in [private, public] {
        check_writable(path, arguments.force)?;
    }
    let key = match SigningKey::<P>::try_generate() {
        Ok(key) => key,
        Err(cause) => return error(format_args!("no randomness: {cause}")),
    };
    let form = match arguments.form {
        Form::Seed => PrivateKeyForm::Seed,
        Form::Expanded => PrivateKeyForm::ExpandedKey,
        Form::Both => PrivateKeyForm::Both,
    };
    let pem = key
        .in_form(form)
        .to_pkcs8_pem(LineEnding::LF)
        .about(private)?;
    write(private, pem.as_bytes(), Readers::Owner, arguments.force)?;
    let pem = key
        .verifying_key()
        .to_public_key_pem(LineEnding::LF)
        .about(public)?;
    write(public, pem.as_bytes(), Readers::Anybody, arguments.force)
}

fn sign(arguments: &SignArguments) -> Outcome {
    one_of_them_is_standard_input(&[&arguments.key, &arguments.file])?;
    let key = Key::read(&arguments.key)?;
    if !key.private {
        return error(format_args!(
            "{}: this is a public key, and signing takes the private one",
            shown(&arguments.key)
        ));
    }
    check_writable(&arguments.signature, arguments.force)?;
    if is_standard(&arguments.signature) && io::stdout().is_terminal() {
        return error("a signature is no text for a terminal; name a file with --signature");
    }
    with_set!(key.set(&arguments.mode)?, sign_with(&key, arguments))
}

fn sign_with<P: Algorithm>(key: &Key, arguments: &SignArguments) -> Outcome {
    let key = key.signing_key::<P>()?;
    let signature = match arguments.mode.prehash {
        None => sign_message(&key, arguments),
        Some(hash) => with_hash!(hash, sign_digest::<P>(&key, arguments)),
    }?;
    write(
        &arguments.signature,
        &signature.encode(),
        Readers::Anybody,
        arguments.force,
    )
}

/// Algorithm 2, `ML-DSA.Sign`, with μ computed from the message as it comes.
fn sign_message<P: Algorithm>(
    key: &ExpandedSigningKey<P>,
    arguments: &SignArguments,
) -> Outcome<Signature<P>> {
    let path = &arguments.file;
    let mu = MuBuilder::new(&key.verifying_key(), &arguments.mode.context.0).about(path)?;
    let mu = absorb(path, mu)?.finalize();
    if arguments.deterministic {
        Ok(key.sign_mu_deterministic(&mu))
    } else {
        key.sign_mu_randomized(&mu, &mut SysRng).about(path)
    }
}

/// Algorithm 4, `HashML-DSA.Sign`.
fn sign_digest<P: Algorithm, D: PreHash>(
    key: &ExpandedSigningKey<P>,
    arguments: &SignArguments,
) -> Outcome<Signature<P>> {
    let path = &arguments.file;
    let digest = absorb(path, D::default())?.finish();
    // Half the digest's bits stand against collisions (FIPS 204, section 5.4).
    if digest.len() * 4 < P::LAMBDA {
        let _ = writeln!(
            io::stderr(),
            "mldsa: warning: {} with a hash function of {} bits is weaker than it should be",
            P::NAME,
            digest.len() * 8
        );
    }
    let context = key.with_context(&arguments.mode.context.0).about(path)?;
    let signer = context.hash_ml_dsa::<D>();
    if arguments.deterministic {
        signer.sign_prehash(&digest).about(path)
    } else {
        signer
            .sign_prehash_with_rng(&mut SysRng, &digest)
            .about(path)
    }
}

fn verify(arguments: &VerifyArguments) -> Outcome {
    one_of_them_is_standard_input(&[&arguments.key, &arguments.signature, &arguments.file])?;
    let key = Key::read(&arguments.key)?;
    if key.private {
        return error(format_args!(
            "{}: this is a private key, and verifying takes the public one",
            shown(&arguments.key)
        ));
    }
    with_set!(key.set(&arguments.mode)?, verify_with(&key, arguments))
}

fn verify_with<P: Algorithm>(key: &Key, arguments: &VerifyArguments) -> Outcome {
    let key = key.verifying_key::<P>()?;
    let bytes = read_small(&arguments.signature)?;
    let path = &arguments.file;
    let valid = match Signature::<P>::try_from(bytes.as_slice()) {
        Ok(signature) => match arguments.mode.prehash {
            None => verify_message(&key, &signature, arguments),
            Some(hash) => with_hash!(hash, verify_digest::<P>(&key, &signature, arguments)),
        }?,
        Err(_) => {
            // A message that is not there is an error all the same.
            open(path)?;
            false
        }
    };
    if !valid {
        return Err(Failure::Invalid(format!(
            "{}: the signature is not valid",
            shown(path)
        )));
    }
    if !arguments.quiet {
        let name = P::NAME;
        print(format_args!(
            "{}: the {name} signature is valid\n",
            shown(path)
        ))?;
    }
    Ok(())
}

/// Algorithm 3, `ML-DSA.Verify`, with μ computed from the message as it comes.
fn verify_message<P: Algorithm>(
    key: &VerifyingKey<P>,
    signature: &Signature<P>,
    arguments: &VerifyArguments,
) -> Outcome<bool> {
    let path = &arguments.file;
    let mu = MuBuilder::new(key, &arguments.mode.context.0).about(path)?;
    Ok(key.verify_mu(&absorb(path, mu)?.finalize(), signature))
}

/// Algorithm 5, `HashML-DSA.Verify`.
fn verify_digest<P: Algorithm, D: PreHash>(
    key: &VerifyingKey<P>,
    signature: &Signature<P>,
    arguments: &VerifyArguments,
) -> Outcome<bool> {
    let path = &arguments.file;
    let digest = absorb(path, D::default())?.finish();
    let context = key.with_context(&arguments.mode.context.0).about(path)?;
    let verifier = context.hash_ml_dsa::<D>();
    Ok(verifier.verify_prehash(&digest, signature).is_ok())
}

fn inspect(arguments: &InspectArguments) -> Outcome {
    one_of_them_is_standard_input(&arguments.files.iter().collect::<Vec<_>>())?;
    for path in &arguments.files {
        let bytes = read_small(path)?;
        let is_pem = bytes.windows(11).any(|window| window == b"-----BEGIN ");
        let text = if is_pem {
            let key = Key::parse(path, &bytes)?;
            with_set!(key.set, describe_key(&key))?
        } else {
            describe_signature(path, &bytes)?
        };
        print(format_args!("{}: {text}\n", shown(path)))?;
    }
    Ok(())
}

fn describe_key<P: Algorithm>(key: &Key) -> Outcome<String> {
    let (kind, public) = if key.private {
        let public = key.signing_key::<P>()?.verifying_key();
        (format!("private key ({})", key.form()?), public)
    } else {
        ("public key".to_owned(), key.verifying_key::<P>()?)
    };
    let der = public.to_public_key_der().about(&key.path)?;
    let print = hex::encode(Sha256::digest(der.as_bytes()));
    Ok(format!(
        "{} {kind}\n  SHA-256 of the public key (SPKI): {print}",
        P::NAME
    ))
}

fn describe_signature(path: &Path, bytes: &[u8]) -> Outcome<String> {
    fn decodes<P: Algorithm>(bytes: &[u8]) -> Option<(&'static str, bool)> {
        let decodes = Signature::<P>::try_from(bytes).is_ok();
        (bytes.len() == P::SIGNATURE_LEN).then_some((P::NAME, decodes))
    }
    let found = [Set::MlDsa44, Set::MlDsa65, Set::MlDsa87]
        .into_iter()
        .find_map(|set| with_set!(set, decodes(bytes)));
    match found {
        Some((name, true)) => Ok(format!("{name} signature")),
        Some((name, false)) => error(format_args!(
            "{}: as long as an {name} signature, but not one",
            shown(path)
        )),
        None => error(format_args!(
            "{}: neither a key in PEM nor a signature",
            shown(path)
        )),
    }
}

/// A parameter set with a name and a place in X.509.
trait Algorithm:
    MlDsaParams + AssociatedAlgorithmIdentifier<Params = mldsa_simd::pkcs8::der::AnyRef<'static>>
{
    const NAME: &'static str;
}

impl Algorithm for MlDsa44 {
    const NAME: &'static str = "ML-DSA-44";
}

impl Algorithm for MlDsa65 {
    const NAME: &'static str = "ML-DSA-65";
}

impl Algorithm for MlDsa87 {
    const NAME: &'static str = "ML-DSA-87";
}

impl Set {
    fn name(self) -> &'static str {
        match self {
            Self::MlDsa44 => MlDsa44::NAME,
            Self::MlDsa65 => MlDsa65::NAME,
            Self::MlDsa87 => MlDsa87::NAME,
        }
    }

    fn of(oid: ObjectIdentifier) -> Option<Self> {
        fn is<P: Algorithm>(oid: ObjectIdentifier) -> bool {
            P::ALGORITHM_IDENTIFIER.oid == oid
        }
        [Self::MlDsa44, Self::MlDsa65, Self::MlDsa87]
            .into_iter()
            .find(|set| with_set!(set, is(oid)))
    }
}

/// What a key file holds, as far as its set does not matter.
struct Key {
    path: PathBuf,
    private: bool,
    set: Set,
    /// PKCS#8 or SPKI. Wiped, whichever it is.
    der: SecretDocument,
}

impl Key {
    fn read(path: &Path) -> Outcome<Self> {
        Self::parse(path, &read_small(path)?)
    }

    fn parse(path: &Path, bytes: &[u8]) -> Outcome<Self> {
        let Ok(pem) = core::str::from_utf8(bytes) else {
            return error(format_args!("{}: not a key in PEM", shown(path)));
        };
        let (label, der) = match SecretDocument::from_pem(pem) {
            Ok(found) => found,
            Err(cause) => return error(format_args!("{}: no key in PEM: {cause}", shown(path))),
        };
        let (private, oid) = match label {
            "PRIVATE KEY" => {
                let key = PrivateKeyInfoRef::try_from(der.as_bytes()).about(path)?;
                (true, key.algorithm.oid)
            }
            "PUBLIC KEY" => {
                let key = SubjectPublicKeyInfoRef::try_from(der.as_bytes()).about(path)?;
                (false, key.algorithm.oid)
            }
            "ENCRYPTED PRIVATE KEY" => {
                return error(format_args!(
                    "{}: the key is encrypted; `openssl pkey` can decrypt it",
                    shown(path)
                ));
            }
            other => {
                return error(format_args!("{}: {other} is no key", shown(path)));
            }
        };
        let Some(set) = Set::of(oid) else {
            return error(format_args!(
                "{}: not a key for ML-DSA (algorithm {oid})",
                shown(path)
            ));
        };
        Ok(Self {
            path: path.to_owned(),
            private,
            set,
            der,
        })
    }

    /// The key's set, when it is the one that was asked for.
    fn set(&self, mode: &Mode) -> Outcome<Set> {
        match mode.set {
            Some(wanted) if wanted != self.set => error(format_args!(
                "{}: a key for {}, not {}",
                shown(&self.path),
                self.set.name(),
                wanted.name()
            )),
            _ => Ok(self.set),
        }
    }

    fn info(&self) -> Outcome<PrivateKeyInfoRef<'_>> {
        PrivateKeyInfoRef::try_from(self.der.as_bytes()).about(&self.path)
    }

    /// Which arm of RFC 9881's choice the private key is, by its first byte.
    fn form(&self) -> Outcome<&'static str> {
        match self.info()?.private_key.as_bytes().first() {
            Some(0x80) => Ok("seed"),
            Some(0x04) => Ok("expanded key"),
            Some(0x30) => Ok("seed and expanded key"),
            _ => error(format_args!("{}: of no known form", shown(&self.path))),
        }
    }

    fn signing_key<P: Algorithm>(&self) -> Outcome<ExpandedSigningKey<P>> {
        ExpandedSigningKey::try_from(self.info()?).about(&self.path)
    }

    fn verifying_key<P: Algorithm>(&self) -> Outcome<VerifyingKey<P>> {
        let info = SubjectPublicKeyInfoRef::try_from(self.der.as_bytes()).about(&self.path)?;
        VerifyingKey::try_from(info).about(&self.path)
    }
}

/// Feeds a message into a hash.
fn absorb<H: Update>(path: &Path, mut hash: H) -> Outcome<H> {
    let (mut reader, length) = open(path)?;
    let mut progress = Progress::new(length);
    let mut buffer = vec![0; 1 << 18];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => {
                hash.update(&buffer[..count]);
                progress.add(count as u64);
            }
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            Err(cause) => return Err(cause).about(path),
        }
    }
    Ok(hash)
}

/// A bar for those who wait at a terminal for a large message.
struct Progress {
    length: Option<u64>,
    done: u64,
    bar: Option<ProgressBar>,
}

impl Progress {
    fn new(length: Option<u64>) -> Self {
        Self {
            length,
            done: 0,
            bar: None,
        }
    }

    fn add(&mut self, count: u64) {
        self.done += count;
        // Of a message whose length nobody knows, it shows when enough has come.
        let large = self.length.unwrap_or(self.done) >= LARGE_MESSAGE;
        if self.bar.is_none() && large && io::stderr().is_terminal() {
            self.bar = Some(Self::bar(self.length));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
        }
    }

    fn bar(length: Option<u64>) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr());
        let template = match length {
            Some(_) => "{wide_bar} {binary_bytes} of {binary_total_bytes}, {eta} left",
            None => "{spinner} {binary_bytes}, {binary_bytes_per_sec}",
        };
        // The plain bar is better than none.
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A file's name for messages.
fn shown(path: &Path) -> String {
    if is_standard(path) {
        "standard input or output".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Standard input can be read once.
fn one_of_them_is_standard_input(paths: &[&PathBuf]) -> Outcome {
    match paths.iter().filter(|path| is_standard(path)).count() {
        0 | 1 => Ok(()),
        _ => error("only one file can be standard input"),
    }
}

/// A file, and its length where it is known.
fn open(path: &Path) -> Outcome<(Box<dyn Read>, Option<u64>)> {
    if is_standard(path) {
        return Ok((Box::new(io::stdin().lock()), None));
    }
    let file = File::open(path).about(path)?;
    let metadata = file.metadata().about(path)?;
    if metadata.is_dir() {
        return error(format_args!("{}: is a directory", shown(path)));
    }
    // Pipes and devices say 0.
    let length = metadata.is_file().then_some(metadata.len());
    Ok((Box::new(file), length))
}

/// A key or a signature.
fn read_small(path: &Path) -> Outcome<Zeroizing<Vec<u8>>> {
    // With room for all of it, reading moves no secrets about and leaves no copies.
    let mut bytes = Zeroizing::new(Vec::with_capacity(SMALL_FILE as usize + 1));
    let (reader, _) = open(path)?;
    reader
        .take(SMALL_FILE + 1)
        .read_to_end(&mut bytes)
        .about(path)?;
    if bytes.len() as u64 > SMALL_FILE {
        return error(format_args!(
            "{}: too long for a key or a signature",
            shown(path)
        ));
    }
    Ok(bytes)
}

#[derive(Clone, Copy)]
enum Readers {
    Owner,
    Anybody,
}

/// Refuses what [`write`] would refuse.
fn check_writable(path: &Path, force: bool) -> Outcome {
    if is_standard(path) {
        return Ok(());
    }
    match fs::symlink_metadata(path) {
        Ok(_) if !force => error(format_args!(
            "{}: exists (--force replaces it)",
            shown(path)
        )),
        // Who calls this with --force and /dev/null does not want that replaced.
        Ok(metadata) if !metadata.is_file() => {
            error(format_args!("{}: not a regular file", shown(path)))
        }
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(cause).about(path),
        _ => Ok(()),
    }
}

/// Whether two names are of one place, be there a file or not.
fn same_place(a: &Path, b: &Path) -> bool {
    let place = |path: &Path| {
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        Some((fs::canonicalize(folder).ok()?, path.file_name()?.to_owned()))
    };
    a == b || matches!((place(a), place(b)), (Some(a), Some(b)) if a == b)
}

/// Writes a new file. With `force` it takes the place of an old one, whole or not at all, and with
/// permissions of its own.
fn write(path: &Path, bytes: &[u8], readers: Readers, force: bool) -> Outcome {
    if is_standard(path) {
        let mut output = io::stdout().lock();
        return output
            .write_all(bytes)
            .and_then(|()| output.flush())
            .about(path);
    }
    check_writable(path, force)?;
    if !force {
        return create(path, bytes, readers).about(path);
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let new = path.with_file_name(name);
    create(&new, bytes, readers).about(&new)?;
    fs::rename(&new, path)
        .inspect_err(|_| drop(fs::remove_file(&new)))
        .about(path)
}

/// Writes a file that must not exist, and leaves none behind that is not whole.
fn create(path: &Path, bytes: &[u8], readers: Readers) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if let Readers::Owner = readers {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    #[cfg(not(unix))]
    let _ = readers;
    let mut file = options.open(path)?;
    file.write_all(bytes)
        .and_then(|()| file.sync_all())
        .inspect_err(|_| drop(fs::remove_file(path)))
}

/// `print!`, but a closed standard output is an error like any other.
fn print(text: fmt::Arguments<'_>) -> Outcome {
    io::stdout().write_fmt(text).about(Path::new("-"))
}
