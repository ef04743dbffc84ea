//! Operations, each announced on the standard output by a write of its own: an emulator that shows
//! how many instructions came before each write shows what each operation took. Callgrind is told
//! by its client requests.
//!
//! Every operation is run `ROUNDS` times on as many seeds or messages, the same for all libraries, and
//! signatures are deterministic, so that everybody makes the same number of attempts.

use mldsa_simd::{
    EncodedSignature, EncodedVerifyingKey, ExpandedSigningKey, ExpandedSigningKeyBytes, KeyInit,
    Keypair, MlDsa44, MlDsa65, MlDsa87, MlDsaParams, Signature, Signer, SigningKey, Verifier,
    VerifyingKey, isa_name, low_memory,
};
use std::ffi::CString;
use std::hint::black_box;
use std::io::{Write, stdout};

const ROUNDS: u8 = 50;

fn main() {
    set::<MlDsa44>("44");
    set::<MlDsa65>("65");
    set::<MlDsa87>("87");
    #[cfg(feature = "native")]
    native::all();
}

/// One write system call for each line.
fn announce(line: &str) {
    stdout()
        .write_all(format!("{line}\n").as_bytes())
        .and_then(|()| stdout().flush())
        .expect("standard output");
}

/// Runs `operation` with each number below `ROUNDS` and says so.
fn measure(library: &str, set: &str, name: &str, mut operation: impl FnMut(u8)) {
    let end = format!("end {library} {set} {name} {ROUNDS}");
    let end_for_callgrind = CString::new(end.as_str()).expect("no zero byte");
    operation(0);
    announce("begin");
    callgrind::zero();
    for round in 0..ROUNDS {
        operation(round);
    }
    callgrind::dump(&end_for_callgrind);
    announce(&end);
}

/// Callgrind's client requests: nothing happens where Callgrind does not run.
mod callgrind {
    use std::ffi::CStr;

    const BASE: u64 = u64::from_be_bytes([0, 0, 0, 0, b'C', b'T', 0, 0]);

    /// Sets all counts to zero.
    pub fn zero() {
        request(BASE + 1, 0);
    }

    /// Writes the counts to a file that names `reason`.
    pub fn dump(reason: &CStr) {
        request(BASE + 3, reason.as_ptr() as u64);
    }

    #[cfg(target_arch = "x86_64")]
    fn request(code: u64, argument: u64) {
        let arguments = [code, argument, 0, 0, 0, 0];
        // SAFETY: the rotations add up to 128 bits, so rdi is as it was, and the exchange does nothing.
        // Valgrind, which knows the sequence, reads the array and writes rdx.
        unsafe {
            core::arch::asm!(
                "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
                in("rax") arguments.as_ptr(),
                inout("rdx") 0_u64 => _,
                options(nostack),
            );
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn request(_code: u64, _argument: u64) {}
}

fn seed(round: u8) -> [u8; 32] {
    [round; 32]
}

fn set<P: MlDsaParams>(set: &str) {
    let isa = isa_name();
    let key = SigningKey::<P>::from_seed(&seed(0).into());
    let public = key.verifying_key();
    let encoded = public.encode();
    let signatures: Vec<Signature<P>> = (0..ROUNDS).map(|i| key.sign(&seed(i))).collect();
    measure(isa, set, "keygen", |i| {
        let key = SigningKey::<P>::from_seed(&black_box(seed(i)).into());
        black_box(key.verifying_key().encode());
    });
    measure(isa, set, "sign", |i| {
        black_box(key.sign(&black_box(seed(i))).encode());
    });
    measure(isa, set, "verify", |i| {
        let verdict = public.verify(&black_box(seed(i)), &signatures[usize::from(i)]);
        verdict.expect("a valid signature");
    });
    #[allow(deprecated, reason = "expanded keys are what the peer takes")]
    let expanded = key.expanded_key().to_expanded();
    measure(isa, set, "sign-bytes", |i| {
        #[allow(deprecated, reason = "expanded keys are what the peer takes")]
        let key = ExpandedSigningKey::<P>::from_expanded(&black_box(expanded.clone()));
        black_box(key.sign(&black_box(seed(i))).encode());
    });
    measure(isa, set, "verify-bytes", |i| {
        let public = VerifyingKey::<P>::new(&black_box(encoded.clone()));
        let signature = black_box(signatures[usize::from(i)].encode());
        let signature = Signature::<P>::try_from(&signature[..]).expect("a signature");
        let verdict = public.verify(&black_box(seed(i)), &signature);
        verdict.expect("a valid signature");
    });
    low_memory::<P>(set, &expanded);
}

/// The operations of `low_memory`, which work from bytes.
fn low_memory<P: MlDsaParams>(set: &str, expanded: &ExpandedSigningKeyBytes<P>) {
    let mut public = EncodedVerifyingKey::<P>::default();
    let mut signatures = [(); ROUNDS as usize].map(|()| EncodedSignature::<P>::default());
    measure("low-memory", set, "keygen", |i| {
        low_memory::key_gen::<P>(&black_box(seed(i)).into(), &mut public);
    });
    low_memory::key_gen::<P>(&seed(0).into(), &mut public);
    let rnd = seed(0).into();
    measure("low-memory", set, "sign-bytes", |i| {
        let signature = &mut signatures[usize::from(i)];
        let message = black_box(seed(i));
        low_memory::sign_expanded::<P>(black_box(expanded), &message, b"", &rnd, signature)
            .expect("a signature");
    });
    measure("low-memory", set, "verify-bytes", |i| {
        let signature = &signatures[usize::from(i)];
        low_memory::verify::<P>(black_box(&public), &black_box(seed(i)), b"", signature)
            .expect("a valid signature");
    });
}

/// The peer works from the bytes of keys, whoever holds them.
#[cfg(feature = "native")]
mod native {
    use super::{ROUNDS, measure, seed};
    use mldsa_native_rs::{Signature, SigningKey, keygen_from_seed, parameter_sets};
    use std::hint::black_box;

    macro_rules! set {
        ($set:literal, $p:ident) => {{
            type P = parameter_sets::$p;
            let rnd = [0; 32].into();
            let (key, public) = keygen_from_seed::<P>(&seed(0).into()).expect("a key");
            let sign = |key: &SigningKey<P>, i: u8| {
                let signature = key.try_sign_with_ctx_seeded(&black_box(seed(i)), &[], &rnd);
                signature.expect("a signature")
            };
            let signatures: Vec<Signature<P>> = (0..ROUNDS).map(|i| sign(&key, i)).collect();
            measure("mldsa-native", $set, "keygen", |i| {
                black_box(keygen_from_seed::<P>(&black_box(seed(i)).into()).expect("a key"));
            });
            measure("mldsa-native", $set, "sign", |i| {
                black_box(sign(&key, i));
            });
            measure("mldsa-native", $set, "verify", |i| {
                let signature = &signatures[usize::from(i)];
                let verdict = public.verify_with_ctx(&black_box(seed(i)), &[], signature);
                verdict.expect("a valid signature");
            });
        }};
    }

    pub fn all() {
        set!("44", ML_DSA_44);
        set!("65", ML_DSA_65);
        set!("87", ML_DSA_87);
    }
}
