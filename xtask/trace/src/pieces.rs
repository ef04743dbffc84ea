//! The kernels of every instruction set, the import of private keys, signing, and two planted leaks.

use crate::arena;
use mldsa_simd::internals::{attempts, kernels};
use mldsa_simd::{
    B32, EncodedSignature, ExpandedSigningKey, ExpandedSigningKeyBytes, MlDsa44, MlDsa65, MlDsa87,
    MlDsaParams, Mu, SigningKey, isa_name, low_memory,
};
use std::hint::black_box;

/// How many secrets each piece of work gets.
const SECRETS: u64 = 64;

pub fn run() {
    for kernel in kernels() {
        let seeds = (0..SECRETS).map(|secret| secret << 32 | 1);
        trace(kernel.name, kernel.isa, seeds, |seed| (kernel.with)(seed));
    }
    set::<MlDsa44>("44", 4);
    set::<MlDsa65>("65", 6);
    set::<MlDsa87>("87", 8);
    planted();
}

/// Does a piece of work with each secret.
fn trace(
    name: &str,
    isa: &str,
    secrets: impl Iterator<Item = u64>,
    make: impl Fn(u64) -> Box<dyn FnMut()>,
) {
    // What happens only once, such as linking, is over afterwards.
    make(0)();
    println!("work {name} {isa}");
    for secret in secrets {
        // SAFETY: the work is dropped, and standard output has had its buffer since the line above.
        unsafe {
            arena::scratch(|| {
                let mut work = make(secret);
                println!("begin");
                work();
                println!("end");
            });
        }
    }
}

/// Expanded keys become keys, and sign, with ρ, K, tr and the message the same for all. So **Â** and
/// the masks **y** are the same, and with them the challenge of each attempt, which is declassified. With
/// **t**₀ = 0 there are no hints, which are public, too. The secrets that are left are **s**₁ and **s**₂.
fn set<P: MlDsaParams>(set: &str, k: usize) {
    trace(&format!("import_{set}"), isa_name(), 0..SECRETS, |secret| {
        let bytes = private_key::<P>(secret, 0);
        Box::new(move || {
            black_box(import::<P>(&bytes));
        })
    });

    // The public key of a key with a foreign **Â** is not public: nobody has it.
    trace(&format!("public_{set}"), isa_name(), 0..SECRETS, |secret| {
        let key = import::<P>(&private_key::<P>(secret, 0));
        Box::new(move || {
            black_box(key.verifying_key());
        })
    });
    trace(&format!("equal_{set}"), isa_name(), 0..SECRETS, |secret| {
        let (a, b) = (private_key::<P>(0, 0), private_key::<P>(secret, 0));
        let (a, b) = (import::<P>(&a), import::<P>(&b));
        Box::new(move || {
            black_box(a == b);
        })
    });

    // The verdicts on attempts are declassified as well: of keys whose first attempt succeeds there
    // is but one.
    let succeeds = |secret: u64, message: u8| {
        // SAFETY: it returns a truth value.
        unsafe {
            arena::scratch(|| {
                let key = private_key::<P>(secret, k);
                attempts::<P>(&key, &Mu::from([message; 64])) == Some(1)
            })
        }
    };
    let message = (0..=u8::MAX).find(|message| succeeds(0, *message));
    let message = message.expect("four in five attempts fail");
    let mu = Mu::from([message; 64]);
    let secrets = (0..).filter(|secret| succeeds(*secret, message));
    let secrets: Vec<u64> = secrets.take(SECRETS as usize).collect();
    let secrets = || secrets.iter().copied();

    trace(&format!("sign_{set}"), isa_name(), secrets(), |secret| {
        let key = import::<P>(&private_key::<P>(secret, k));
        Box::new(move || {
            black_box(key.sign_mu_deterministic(&mu));
        })
    });
    trace(&format!("sign_{set}"), "low_memory", secrets(), |secret| {
        let key = private_key::<P>(secret, k);
        let mut signature = EncodedSignature::<P>::default();
        Box::new(move || {
            let done =
                low_memory::sign_expanded_mu::<P>(&key, &mu, &B32::default(), &mut signature);
            black_box(&signature);
            done.expect("a private key");
        })
    });
}

/// A private key with the **s**₁, **s**₂ and **t**₀ of the seed, but zeros in the last `zeroed` polynomials.
fn private_key<P: MlDsaParams>(seed: u64, zeroed: usize) -> ExpandedSigningKeyBytes<P> {
    let mut xi = B32::default();
    xi[..8].copy_from_slice(&seed.to_le_bytes());
    #[allow(deprecated, reason = "secrets of the right form")]
    let mut bytes = SigningKey::<P>::from_seed(&xi).expanded_key().to_expanded();
    bytes[..128].fill(1); // ρ ‖ K ‖ tr
    let t0 = bytes.len() - 416 * zeroed;
    for (i, byte) in bytes[t0..].iter_mut().enumerate() {
        // Each t₀ stands as 2¹² − t₀ in 13 bits: the 13th of every 13 bits is 1.
        *byte = (0..8).fold(0, |byte, bit| {
            byte | u8::from((8 * i + bit) % 13 == 12) << bit
        });
    }
    bytes
}

#[allow(deprecated, reason = "no other takes a key with a foreign ρ")]
fn import<P: MlDsaParams>(bytes: &ExpandedSigningKeyBytes<P>) -> ExpandedSigningKey<P> {
    ExpandedSigningKey::from_expanded(bytes)
}

/// A branch on a secret, a secret as an address: both must be seen. A product: must not.
fn planted() {
    static TABLE: [u8; SECRETS as usize] = [1; SECRETS as usize];
    trace("planted_branch", "planted", 0..SECRETS, |secret| {
        Box::new(move || {
            if black_box(secret) & 1 == 1 {
                called();
            }
        })
    });
    trace("planted_index", "planted", 0..SECRETS, |secret| {
        Box::new(move || {
            black_box(black_box(&TABLE)[black_box(secret) as usize]);
        })
    });
    trace("planted_nothing", "planted", 0..SECRETS, |secret| {
        Box::new(move || {
            black_box(black_box(secret).wrapping_mul(3));
        })
    });
}

/// A call, which a compiler cannot turn into a selection.
#[inline(never)]
fn called() {
    black_box(0);
}
