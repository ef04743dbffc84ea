//! The command-line tool, examples/mldsa.rs, as its users meet it: files, pipes, exit statuses.

#![allow(clippy::unwrap_used, reason = "tests")]

use mldsa_simd::pkcs8::{DecodePrivateKey, DecodePublicKey};
use mldsa_simd::signature::hazmat::PrehashVerifier;
use mldsa_simd::{
    ExpandedSigningKey, MlDsa44, MlDsa65, MlDsa87, Signature, SigningKey, VerifyingKey,
};
use sha2::{Digest, Sha512};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, fs};

const SETS: [&str; 3] = ["44", "65", "87"];

const HASHES: [&str; 12] = [
    "sha2-224",
    "sha2-256",
    "sha2-384",
    "sha2-512",
    "sha2-512-224",
    "sha2-512-256",
    "sha3-224",
    "sha3-256",
    "sha3-384",
    "sha3-512",
    "shake128",
    "shake256",
];

/// A folder that goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("mldsa-tool-{}-{name}", std::process::id()));
        fs::create_dir(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    /// Runs the tool in this folder.
    #[track_caller]
    fn run(&self, arguments: &str) -> Output {
        self.pipe(arguments, b"")
    }

    /// Runs the tool in this folder, with `input` to read.
    #[track_caller]
    fn pipe(&self, arguments: &str, input: &[u8]) -> Output {
        let mut child = Command::new(tool())
            .args(arguments.split_whitespace())
            .current_dir(&self.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A tool that ends before it has read everything closes the pipe: its output tells why.
        let _ = child.stdin.take().unwrap().write_all(input);
        child.wait_with_output().unwrap()
    }

    #[track_caller]
    fn good(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        assert_eq!(status(&output), 0, "{arguments}: {output:?}");
        assert!(output.stderr.is_empty(), "{arguments}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The one line that says why there was no success.
    #[track_caller]
    fn bad(&self, expected: i32, arguments: &str) -> String {
        let output = self.run(arguments);
        assert_eq!(status(&output), expected, "{arguments}: {output:?}");
        assert!(output.stdout.is_empty(), "{arguments}: {output:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.starts_with("mldsa: "), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        message
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn status(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// `cargo test` builds the examples, too: into a folder beside that of this test.
fn tool() -> PathBuf {
    let test = env::current_exe().unwrap();
    let profile = test.parent().and_then(Path::parent).unwrap();
    let tool = profile
        .join("examples")
        .join(format!("mldsa{}", env::consts::EXE_SUFFIX));
    assert!(
        tool.is_file(),
        "{} is not there; `cargo test` builds it, and so does `cargo build --example mldsa`",
        tool.display()
    );
    tool
}

#[test]
fn signatures_of_every_set_verify() {
    let folder = Folder::new("sets");
    folder.write("m", b"a message");
    for set in SETS {
        folder.good(&format!("keygen --set {set} {set}.key {set}.pub"));
        folder.good(&format!("sign --key {set}.key --signature {set}.sig m"));
        let verdict = folder.good(&format!("verify --key {set}.pub --signature {set}.sig m"));
        assert_eq!(verdict, format!("m: the ML-DSA-{set} signature is valid\n"));
        let quiet = folder.good(&format!(
            "verify -q --key {set}.pub --signature {set}.sig m"
        ));
        assert_eq!(quiet, "");
    }
    // The library reads what the tool writes.
    let key = SigningKey::<MlDsa44>::from_pkcs8_pem(&folder.text("44.key")).unwrap();
    let public = VerifyingKey::from_public_key_pem(&folder.text("44.pub")).unwrap();
    assert_eq!(key.expanded_key().verifying_key(), public);
    let signature = Signature::<MlDsa44>::try_from(&folder.read("44.sig")[..]).unwrap();
    assert!(public.verify_with_context(b"a message", b"", &signature));
    // Another set's key.
    folder.bad(1, "verify --key 44.pub --signature 65.sig m");
    folder.bad(2, "verify --set 65 --key 44.pub --signature 44.sig m");
    folder.bad(2, "sign --set 87 --key 44.key --signature new m");
    assert!(!folder.path("new").exists());
}

#[test]
fn a_wrong_signature_is_status_1() {
    let folder = Folder::new("wrong");
    folder.write("m", b"a message");
    folder.write("n", b"a massage");
    folder.good("keygen key pub");
    folder.good("keygen other.key other.pub");
    folder.good("sign --key key --signature sig m");
    assert_eq!(
        folder.bad(1, "verify --key pub --signature sig n"),
        "mldsa: n: the signature is not valid\n"
    );
    folder.bad(1, "verify --key other.pub --signature sig m");
    let signature = folder.read("sig");
    for (name, bytes) in [
        ("empty", &signature[..0]),
        ("short", &signature[1..]),
        ("long", &[&signature[..], b"\n"].concat()),
        ("flipped", &[&[signature[0] ^ 1], &signature[1..]].concat()),
        ("zeros", &vec![0; signature.len()]),
    ] {
        folder.write(name, bytes);
        folder.bad(1, &format!("verify --key pub --signature {name} m"));
    }
}

#[test]
fn contexts_are_bound() {
    let folder = Folder::new("context");
    folder.write("m", b"a message");
    folder.good("keygen --set 87 key pub");
    folder.good("sign --key key --context backups --signature sig m");
    folder.good("verify --key pub --context backups --signature sig m");
    folder.good("verify --key pub --context hex:6261636b757073 --signature sig m");
    folder.bad(1, "verify --key pub --signature sig m");
    folder.bad(1, "verify --key pub --context Backups --signature sig m");
    folder.bad(
        1,
        "verify --key pub --prehash sha2-512 --context backups --signature sig m",
    );

    let public = VerifyingKey::<MlDsa87>::from_public_key_pem(&folder.text("pub")).unwrap();
    let signature = Signature::try_from(&folder.read("sig")[..]).unwrap();
    assert!(public.verify_with_context(b"a message", b"backups", &signature));

    let longest = "00".repeat(255);
    folder.good(&format!(
        "sign --key key --context hex:{longest} --signature 255 m"
    ));
    folder.good(&format!(
        "verify --key pub --context hex:{longest} --signature 255 m"
    ));
    for context in [format!("hex:{longest}00"), "hex:0".into(), "hex:0g".into()] {
        let output = folder.run(&format!(
            "sign --key key --context {context} --signature no m"
        ));
        assert_eq!(status(&output), 2, "{output:?}");
        assert!(!folder.path("no").exists());
    }
}

#[test]
fn each_hash_function_verifies_its_own_only() {
    let folder = Folder::new("prehash");
    folder.write("m", b"a message");
    folder.good("keygen --set 44 key pub");
    for hash in HASHES {
        // Some of the twelve are weak, even for this set, which gives a warning.
        let sign = format!("sign --deterministic --prehash {hash} --key key --signature {hash} m");
        let output = folder.run(&sign);
        assert_eq!(status(&output), 0, "{output:?}");
        assert_eq!(
            hash.ends_with("224"),
            !output.stderr.is_empty(),
            "{output:?}"
        );
    }
    for hash in HASHES {
        folder.good(&format!(
            "verify --prehash {hash} --key pub --signature {hash} m"
        ));
        folder.bad(1, &format!("verify --key pub --signature {hash} m"));
        let other = HASHES.iter().find(|other| **other != hash).unwrap();
        folder.bad(
            1,
            &format!("verify --prehash {other} --key pub --signature {hash} m"),
        );
    }
    let public = VerifyingKey::<MlDsa44>::from_public_key_pem(&folder.text("pub")).unwrap();
    let signature = Signature::try_from(&folder.read("sha2-512")[..]).unwrap();
    let verifier = public.hash_ml_dsa::<Sha512>();
    verifier
        .verify_prehash(&Sha512::digest(b"a message"), &signature)
        .unwrap();
}

#[test]
fn streams_serve_as_files() {
    let folder = Folder::new("streams");
    // Longer than the tool's buffer, and no multiple of it.
    let message: Vec<u8> = (0..1_000_003_u32).map(|i| i.to_le_bytes()[1]).collect();
    folder.write("m", &message);
    folder.good("keygen key pub");
    let sign = "sign --deterministic --key key";
    folder.good(&format!("{sign} --signature sig m"));
    for arguments in [
        sign.to_owned(),
        format!("{sign} -"),
        format!("{sign} --signature - -"),
    ] {
        let output = folder.pipe(&arguments, &message);
        assert_eq!(status(&output), 0, "{output:?}");
        assert_eq!(output.stdout, folder.read("sig"));
        assert!(output.stderr.is_empty(), "{output:?}");
    }
    for (arguments, input) in [
        ("verify --key pub --signature sig -", message.clone()),
        ("verify --key pub --signature - m", folder.read("sig")),
        ("verify --key - --signature sig m", folder.read("pub")),
    ] {
        let output = folder.pipe(arguments, &input);
        assert_eq!(status(&output), 0, "{arguments}: {output:?}");
    }
    let output = folder.pipe("verify --key pub --signature sig -", &message[1..]);
    assert_eq!(status(&output), 1, "{output:?}");
    folder.bad(2, "verify --key pub --signature - -");

    let output = folder.run("keygen - new.pub");
    assert_eq!(status(&output), 0, "{output:?}");
    SigningKey::<MlDsa65>::from_pkcs8_pem(core::str::from_utf8(&output.stdout).unwrap()).unwrap();
    folder.bad(2, "keygen - -");
}

#[test]
fn signing_is_hedged_unless_told_otherwise() {
    let folder = Folder::new("hedged");
    folder.write("m", b"a message");
    folder.good("keygen key pub");
    for mode in ["", "--prehash sha3-384"] {
        let sign = |options: &str| {
            let output = folder.run(&format!("sign --key key {mode} {options} m"));
            assert_eq!(status(&output), 0, "{output:?}");
            output.stdout
        };
        assert_ne!(sign(""), sign(""));
        assert_eq!(sign("--deterministic"), sign("--deterministic"));
    }
}

#[test]
fn every_form_of_private_key_signs() {
    let folder = Folder::new("forms");
    folder.write("m", b"a message");
    for (form, shown) in [
        ("seed", "seed"),
        ("expanded", "expanded key"),
        ("both", "seed and expanded key"),
    ] {
        folder.good(&format!("keygen --form {form} {form}.key {form}.pub"));
        folder.good(&format!("sign --key {form}.key --signature {form}.sig m"));
        folder.good(&format!("verify --key {form}.pub --signature {form}.sig m"));
        ExpandedSigningKey::<MlDsa65>::from_pkcs8_pem(&folder.text(&format!("{form}.key")))
            .unwrap();

        let text = folder.good(&format!("inspect {form}.key {form}.pub {form}.sig"));
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 5, "{text}");
        assert_eq!(
            lines[0],
            format!("{form}.key: ML-DSA-65 private key ({shown})")
        );
        assert_eq!(lines[2], format!("{form}.pub: ML-DSA-65 public key"));
        // The same fingerprint, be it of the private or of the public key.
        assert_eq!(lines[1], lines[3]);
        assert_eq!(lines[1].rsplit(' ').next().unwrap().len(), 64);
        assert_eq!(lines[4], format!("{form}.sig: ML-DSA-65 signature"));
    }
}

#[test]
fn errors_are_status_2() {
    let folder = Folder::new("errors");
    folder.write("m", b"a message");
    folder.good("keygen key pub");
    folder.good("sign --key key --signature sig m");
    let message = folder.bad(2, "verify --key pub --signature sig missing");
    assert!(message.starts_with("mldsa: missing: "), "{message}");
    folder.write("not-one", b"no signature");
    folder.write(
        "rsa",
        b"-----BEGIN PUBLIC KEY-----\nMA0wCwYJKoZIhvcNAQEBAwAA\n-----END PUBLIC KEY-----\n",
    );
    for arguments in [
        "verify --key missing --signature sig m",
        "verify --key pub --signature missing m",
        "verify --key pub --signature not-one missing",
        "verify --key pub --signature sig .",
        "verify --key key --signature sig m",
        "verify --key m --signature sig m",
        "verify --key rsa --signature sig m",
        "sign --key pub --signature new m",
        "sign --key key --signature new missing",
        "sign --key key --signature no/such/folder m",
        "inspect missing",
        "inspect m",
        "inspect rsa",
    ] {
        folder.bad(2, arguments);
    }
    assert!(!folder.path("new").exists());
    for arguments in [
        "",
        "sing",
        "verify --key pub m",
        "keygen --set 55 a b",
        "sign m",
    ] {
        let output = folder.run(arguments);
        assert_eq!(status(&output), 2, "{arguments}: {output:?}");
    }
    assert!(folder.good("--help").contains("Exit status"));
}

#[test]
fn nothing_is_overwritten_without_force() {
    let folder = Folder::new("force");
    folder.write("m", b"a message");
    folder.good("keygen key pub");
    let (key, public) = (folder.read("key"), folder.read("pub"));
    let message = folder.bad(2, "keygen key new.pub");
    assert!(message.contains("--force"), "{message}");
    folder.bad(2, "keygen new.key pub");
    folder.bad(2, "keygen --force same same");
    folder.bad(2, "keygen --force same ./same");
    for name in ["new.key", "new.pub", "same"] {
        assert!(!folder.path(name).exists(), "{name}");
    }
    folder.good("sign --key key --signature sig m");
    folder.bad(2, "sign --key key --signature sig m");
    folder.bad(2, "sign --key key --signature m m");
    assert_eq!(folder.read("key"), key);
    assert_eq!(folder.read("pub"), public);
    assert_eq!(folder.read("m"), b"a message");

    folder.good("keygen --force key pub");
    assert_ne!(folder.read("key"), key);
    assert_ne!(folder.read("pub"), public);
    folder.good("sign --force --key key --signature sig m");
    folder.good("verify --key pub --signature sig m");
    // A folder is not replaced, whatever is asked for, and no other file is left.
    fs::create_dir(folder.path("folder")).unwrap();
    folder.bad(2, "sign --force --key key --signature folder m");
    let mut names: Vec<_> = fs::read_dir(&folder.0)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["folder", "key", "m", "pub", "sig"]);
}

#[cfg(unix)]
#[test]
fn only_the_owner_reads_a_private_key() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = Folder::new("mode");
    let mode = |name: &str| {
        fs::metadata(folder.path(name))
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    folder.good("keygen key pub");
    assert_eq!(mode("key"), 0o600);
    // Nor when it takes the place of a file that anybody may read.
    fs::set_permissions(folder.path("key"), PermissionsExt::from_mode(0o666)).unwrap();
    folder.good("keygen --force key pub");
    assert_eq!(mode("key"), 0o600);
    // A link is not followed: where it leads, others may be waiting.
    symlink("elsewhere", folder.path("link")).unwrap();
    folder.bad(2, "keygen link link.pub");
    folder.bad(2, "keygen --force link link.pub");
    assert!(!folder.path("elsewhere").exists());
}
