//! Nothing is left behind: when keys are dropped and operations have returned, neither freed memory
//! nor the dead part of the stack holds a secret in any of the forms in which the crate computes
//! with it. Without the feature `zeroize` the same search finds them, which shows that it can.
//!
//! Freed blocks are copied by this program's allocator before they are given back. The stack is
//! that of a thread of its own; after the operation has returned, all of it below the frame that
//! called the operation is copied. The copies are searched when the operation is over.
#![cfg(all(feature = "alloc", feature = "pkcs8", feature = "rand_core"))]
#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(
    unsafe_code,
    reason = "an allocator, and a look at memory that belongs to nobody"
)]
#![allow(deprecated, reason = "expanded keys are secrets, too")]
#![allow(clippy::integer_division_remainder_used, reason = "tests")]

extern crate alloc;

mod spec;
mod support;

use alloc::collections::{BTreeMap, BTreeSet};
use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::hint::black_box;
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use mldsa_simd::pkcs8::spki::AssociatedAlgorithmIdentifier;
use mldsa_simd::pkcs8::{DecodePrivateKey, EncodePrivateKey, PrivateKeyForm, der::asn1::AnyRef};
use mldsa_simd::{
    EncodedSignature, EncodedVerifyingKey, ExpandedSigningKey, ExpandedSigningKeyBytes, Keypair,
    MlDsa44, MlDsa65, MlDsa87, Seed, Signature, Signer, SigningKey, isa_name, low_memory,
};
use spec::{Params, Poly, Q};
use std::alloc::System;
use std::collections::HashMap;
use support::{Given, Set};

/// Copies what is freed while it is told to.
struct Keeping;

/// Room for freed blocks.
const ROOM: usize = 8 << 20;

struct Room(UnsafeCell<[u8; ROOM]>);

// SAFETY: each part of the array is written by the one thread that got it from `USED`, and read
// when nobody writes any more.
unsafe impl Sync for Room {}

static KEPT: Room = Room(UnsafeCell::new([0; ROOM]));
static USED: AtomicUsize = AtomicUsize::new(0);
static KEEPING: AtomicBool = AtomicBool::new(false);

// SAFETY: all is done by `System`; a block is read before it is given back. Blocks are moved by the
// provided `realloc`, which allocates, copies and frees.
unsafe impl GlobalAlloc for Keeping {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is that of `System`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if KEEPING.load(Ordering::SeqCst) {
            // Words stay words.
            let room = layout.size().next_multiple_of(64);
            let at = USED.fetch_add(room, Ordering::SeqCst);
            if at + layout.size() <= ROOM {
                let room: *mut u8 = KEPT.0.get().cast();
                // SAFETY: the sum is below the length of the array.
                let room = unsafe { room.add(at) };
                // SAFETY: the block is as long as its layout says, and initialised since `alloc`
                // clears; the part of the array is ours alone.
                unsafe { core::ptr::copy_nonoverlapping(block, room, layout.size()) };
            }
        }
        // SAFETY: the caller's promise is that of `System`.
        unsafe { System.dealloc(block, layout) };
    }
}

#[global_allocator]
static ALLOCATOR: Keeping = Keeping;

/// The stack of the thread, and the part of it that is searched.
const STACK: usize = 2 << 20;
const SEARCHED: usize = 1 << 20;
/// The distance that keeps the frames of the search away from those of the operation.
const CUSHION: usize = 32 << 10;

/// Runs an operation; returns what was freed meanwhile, and the stack that it used.
fn remains(operation: fn(&Inputs), inputs: &'static Inputs) -> (Vec<u8>, Vec<u8>) {
    #[inline(never)]
    fn far_down(operation: fn(&Inputs), inputs: &Inputs) {
        let mut cushion = [MaybeUninit::<u8>::uninit(); CUSHION];
        black_box(&mut cushion);
        operation(inputs);
        black_box(&mut cushion);
    }
    /// Some systems grow a stack page by page, and only for whom goes down step by step, as a frame
    /// of this size does.
    #[inline(never)]
    fn touch_stack() {
        let mut room = [0_u8; SEARCHED + 2 * CUSHION];
        black_box(&mut room);
    }
    #[inline(never)]
    fn copy_stack(to: &mut [u8]) {
        let here = 0_u8;
        let bottom = ((&raw const here).addr() - CUSHION / 2 - SEARCHED) & !63;
        for (i, to) in to.iter_mut().enumerate() {
            let from = core::ptr::with_exposed_provenance::<u8>(bottom + i);
            // SAFETY: the thread's stack is `STACK` bytes, of which little is in use here, so that
            // the address lies within; nothing lives there, and every byte is a number.
            *to = unsafe { from.read_volatile() };
        }
    }
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || {
            let mut stack = vec![0; SEARCHED];
            touch_stack();
            USED.store(0, Ordering::SeqCst);
            KEEPING.store(true, Ordering::SeqCst);
            far_down(operation, inputs);
            KEEPING.store(false, Ordering::SeqCst);
            copy_stack(&mut stack);
            let used = USED.load(Ordering::SeqCst);
            assert!(used <= ROOM, "more was freed than there is room for");
            // SAFETY: nobody writes it now.
            let kept = unsafe { &*KEPT.0.get() };
            (kept[..used].to_vec(), stack)
        })
        .unwrap()
        .join()
        .unwrap()
}

/// What the operations are given: all of it outlives them.
struct Inputs {
    seed: Seed,
    rnd: [u8; 32],
    expanded: Vec<u8>,
    document: Vec<u8>,
}

const MESSAGE: &[u8] = b"what remains of it";

/// Neighbouring bytes that are secret.
#[derive(Debug)]
struct Remains {
    begin: usize,
    end: usize,
    names: BTreeSet<&'static str>,
}

impl Remains {
    /// What registers held that the compiler put aside: at most four of AVX2 side by side, and not a
    /// whole seed. SOUNDNESS.md says that these are not wiped.
    fn is_register(&self) -> bool {
        const SEEDS: [&str; 6] = ["ξ", "ρ′", "K", "rnd", "ρ″", "a sponge"];
        let length = self.end - self.begin;
        let is_seed = self.names.iter().any(|name| SEEDS.contains(name));
        length < 32 || (!is_seed && length <= 128)
    }
}

/// The forms of secrets, as bytes in memory, with their names.
#[derive(Default)]
struct Needles {
    /// Windows of each length.
    windows: BTreeMap<usize, HashMap<Vec<u8>, &'static str>>,
    /// Four neighbours, modulo q.
    residues: HashMap<[i64; 4], &'static str>,
    /// Words of sponges and seeds.
    words: HashMap<[u8; 8], &'static str>,
}

impl Needles {
    /// Any `length` bytes of a string: as many as do not come by chance.
    fn bytes(&mut self, name: &'static str, string: &[u8], length: usize) {
        let windows = self.windows.entry(length).or_default();
        for window in string
            .windows(length)
            .filter(|window| window[..8] != [0; 8])
        {
            windows.insert(window.to_vec(), name);
        }
    }

    /// A seed, or what a sponge yields: its words, too.
    fn string(&mut self, name: &'static str, string: &[u8]) {
        self.bytes(name, string, 16);
        for word in string.as_chunks().0 {
            self.words.insert(*word, name);
        }
    }

    /// A polynomial with small coefficients: as bytes, half-words, words, and negated. `bits` is
    /// what a coefficient is good for.
    fn small(&mut self, name: &'static str, s: &Poly, bits: usize) {
        let enough = 64_usize.div_ceil(bits).next_multiple_of(8);
        for sign in [1, -1] {
            let s = s.map(|c| sign * spec::mod_pm(c, Q));
            if s.iter().all(|c| i8::try_from(*c).is_ok()) {
                let bytes: Vec<u8> = s.iter().map(|c| *c as u8).collect();
                self.bytes(name, &bytes, enough);
            }
            if s.iter().all(|c| i16::try_from(*c).is_ok()) {
                let halves: Vec<u8> = s.iter().flat_map(|c| (*c as i16).to_le_bytes()).collect();
                self.bytes(name, &halves, 2 * enough);
            }
            let words: Vec<u8> = s.iter().flat_map(|c| (*c as i32).to_le_bytes()).collect();
            self.bytes(name, &words, 4 * enough);
        }
    }

    /// A polynomial of whole residues.
    fn residues(&mut self, name: &'static str, w: &Poly) {
        for window in w.windows(4) {
            let window = core::array::from_fn(|i| spec::modulo(window[i], Q));
            self.residues.insert(window, name);
        }
    }

    /// Where `memory` holds secrets.
    fn search(&self, memory: &[u8]) -> Vec<Remains> {
        let mut found: Vec<Remains> = Vec::new();
        for at in 0..memory.len() {
            let rest = &memory[at..];
            let Some(word) = rest.first_chunk::<8>().filter(|word| **word != [0; 8]) else {
                continue;
            };
            let mut hit = |name: Option<&&'static str>, length: usize| {
                let Some(name) = name else { return };
                match found.last_mut() {
                    Some(last) if at <= last.end => {
                        last.end = last.end.max(at + length);
                        last.names.insert(name);
                    }
                    _ => found.push(Remains {
                        begin: at,
                        end: at + length,
                        names: BTreeSet::from([*name]),
                    }),
                }
            };
            hit(self.words.get(word), 8);
            for (length, windows) in &self.windows {
                let window = rest.get(..*length);
                hit(window.and_then(|window| windows.get(window)), *length);
            }
            if let (0, Some(four)) = (at & 3, rest.first_chunk::<16>()) {
                let four = four.as_chunks::<4>().0;
                let residues =
                    core::array::from_fn(|i| spec::modulo(i32::from_le_bytes(four[i]).into(), Q));
                hit(self.residues.get(&residues), 16);
            }
        }
        found
    }

    /// Everything secret in the making of a key and of its signatures.
    fn of(p: &Params, inputs: &Inputs) -> Self {
        let mut needles = Self::default();
        needles.string("ξ", &inputs.seed);
        let seeds = spec::h(&[&inputs.seed[..], &[p.k as u8, p.l as u8]].concat(), 136);
        needles.string("ρ′", &seeds[32..96]);
        needles.string("K", &seeds[96..128]);
        needles.string("a sponge", &seeds[128..]);
        for index in 0..p.k + p.l {
            let nonce = (index as u16).to_le_bytes();
            let blocks = spec::h(&[&seeds[32..96], &nonce].concat(), 3 * 136);
            needles.string("a sponge", &blocks);
        }
        let key = spec::sk_decode(p, &inputs.expanded);
        let bits = if p.eta == 2 { 2 } else { 3 };
        for s in &key.s1 {
            needles.small("s₁", s, bits);
            needles.bytes("s₁", &spec::bit_pack(s, p.eta, p.eta), 16);
            needles.residues("ŝ₁", &spec::ntt(s).0);
        }
        for s in &key.s2 {
            needles.small("s₂", s, bits);
            needles.bytes("s₂", &spec::bit_pack(s, p.eta, p.eta), 16);
        }
        for t in &key.t0 {
            needles.small("t₀", t, 12);
            needles.bytes("t₀", &spec::bit_pack(t, 4095, 4096), 16);
        }
        for rnd in [[0; 32], inputs.rnd] {
            needles.signing(p, &inputs.expanded, &rnd);
        }
        needles.string("rnd", &inputs.rnd);
        needles
    }

    fn signing(&mut self, p: &Params, sk: &[u8], rnd: &[u8; 32]) {
        let key = spec::sk_decode(p, sk);
        let mu = spec::h(&[&key.tr[..], &[0, 0], MESSAGE].concat(), 64);
        let rho_double_prime = spec::h(&[&key.key_seed[..], rnd, &mu].concat(), 136);
        self.string("ρ″", &rho_double_prime[..64]);
        self.string("a sponge", &rho_double_prime[64..]);
        let a_hat = spec::expand_a(p, &key.rho);
        let hat = |v: &[Poly]| spec::ntt_vector(v);
        let (s1_hat, s2_hat, t0_hat) = (hat(&key.s1), hat(&key.s2), hat(&key.t0));
        let attempts = spec::sign_mu(p, sk, &mu, rnd).attempts;
        // Masks run ahead.
        for nonce in 0..(attempts * p.l + 16) as u16 {
            let seed = [&rho_double_prime[..64], &nonce.to_le_bytes()].concat();
            self.string("y", &spec::h(&seed, 5 * 136));
        }
        for attempt in 0..attempts {
            let y = spec::expand_mask(p, &rho_double_prime[..64], attempt * p.l);
            for y in &y {
                self.small("y", y, 17);
                self.residues("ŷ", &spec::ntt(y).0);
            }
            let w_hat = spec::matrix_vector_ntt(&a_hat, &spec::ntt_vector(&y));
            let w = spec::ntt_inverse_vector(&w_hat);
            let w1 = spec::map_vector(&w, |w| spec::high_bits(p, w));
            for (w, w_hat) in w.iter().zip(&w_hat) {
                self.residues("w", w);
                self.residues("ŵ", &w_hat.0);
                self.small("w₀", &w.map(|w| spec::low_bits(p, w)), 16);
            }
            let c_tilde = spec::h(&[&mu[..], &spec::w1_encode(p, &w1)].concat(), p.lambda / 4);
            let c_hat = spec::ntt(&spec::sample_in_ball(p, &c_tilde));
            let product =
                |v: &[spec::NttPoly]| spec::ntt_inverse_vector(&spec::scalar_vector_ntt(&c_hat, v));
            let (cs1, cs2, ct0) = (product(&s1_hat), product(&s2_hat), product(&t0_hat));
            for cs in cs1.iter().chain(&cs2) {
                self.small("c·s", cs, 4);
            }
            for ct0 in &ct0 {
                self.small("c·t₀", ct0, 14);
            }
            for r0 in &spec::subtract(&w, &cs2) {
                self.small("r₀", &r0.map(|r| spec::low_bits(p, r)), 16);
            }
        }
    }
}

trait Documented: Set + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>> {}
impl<P: Set + AssociatedAlgorithmIdentifier<Params = AnyRef<'static>>> Documented for P {}

/// Key generation alone: signing would write over what it left on the stack.
fn key_generation<P: Documented>(inputs: &Inputs) {
    black_box(SigningKey::<P>::from_seed(&inputs.seed));
}

/// Key generation and signing with what came of it.
fn key_and_signatures<P: Documented>(inputs: &Inputs) {
    let key = SigningKey::<P>::from_seed(&inputs.seed);
    black_box::<Signature<P>>(key.sign(MESSAGE));
    let mut rng = Given(&inputs.rnd);
    let hedged = key.expanded_key().sign_randomized(MESSAGE, b"", &mut rng);
    assert!(black_box(hedged).is_ok());
    black_box(key.clone().verifying_key());
}

/// The import of an expanded key, and signing with it.
fn imported_key<P: Documented>(inputs: &Inputs) {
    let bytes: &ExpandedSigningKeyBytes<P> = inputs.expanded.as_slice().try_into().unwrap();
    let key = ExpandedSigningKey::<P>::try_from_expanded(bytes).unwrap();
    black_box::<Signature<P>>(key.sign(MESSAGE));
}

/// PKCS#8 in the form that has everything, read and written.
fn documents<P: Documented>(inputs: &Inputs) {
    let key = SigningKey::<P>::from_pkcs8_der(&inputs.document).unwrap();
    let written = key.in_form(PrivateKeyForm::Both).to_pkcs8_der().unwrap();
    assert!(written.as_bytes() == inputs.document);
    drop(written);
    let expanded = ExpandedSigningKey::<P>::from_pkcs8_der(&inputs.document).unwrap();
    assert!(black_box(expanded == *key.expanded_key()));
}

/// Key generation from bytes to bytes.
fn low_memory_key<P: Documented>(inputs: &Inputs) {
    let mut public = EncodedVerifyingKey::<P>::default();
    low_memory::key_gen::<P>(&inputs.seed, &mut public);
    black_box(public);
}

/// Signing from bytes to bytes.
fn low_memory_signatures<P: Documented>(inputs: &Inputs) {
    let mut signature = EncodedSignature::<P>::default();
    low_memory::sign::<P>(&inputs.seed, MESSAGE, b"", &Seed::default(), &mut signature).unwrap();
    let rnd: &Seed = inputs.rnd.as_slice().try_into().unwrap();
    let key: &ExpandedSigningKeyBytes<P> = inputs.expanded.as_slice().try_into().unwrap();
    low_memory::sign_expanded::<P>(key, MESSAGE, b"", rnd, &mut signature).unwrap();
    black_box(signature);
}

type Operation = (&'static str, fn(&Inputs), &'static [&'static str]);

fn nothing_remains<P: Documented>() {
    let p = P::SPEC;
    let seed = Seed::from(*b"all that remains of us is a seed");
    let key = SigningKey::<P>::from_seed(&seed);
    let both = key.in_form(PrivateKeyForm::Both).to_pkcs8_der().unwrap();
    let inputs: &'static Inputs = Box::leak(Box::new(Inputs {
        seed,
        rnd: *b"hedges remain where houses stood",
        expanded: key.expanded_key().to_expanded().to_vec(),
        document: both.as_bytes().to_vec(),
    }));
    let needles = Needles::of(p, inputs);
    // What the operation has in memory, and without `zeroize` leaves there. (In little memory the last
    // phase writes over the others.)
    let operations: [Operation; 6] = [
        (
            "keys",
            key_generation::<P>,
            &["ξ", "ρ′", "K", "s₁", "s₂", "t₀", "ŝ₁", "a sponge"],
        ),
        (
            "keys and signatures",
            key_and_signatures::<P>,
            &[
                "ξ", "K", "ρ″", "rnd", "s₁", "s₂", "t₀", "y", "ŷ", "r₀", "c·s", "c·t₀", "a sponge",
            ],
        ),
        (
            "imported keys",
            imported_key::<P>,
            &["K", "ρ″", "s₁", "s₂", "t₀", "y", "ŷ", "c·s"],
        ),
        ("documents", documents::<P>, &["ξ", "K", "s₁", "s₂", "t₀"]),
        (
            "keys in little memory",
            low_memory_key::<P>,
            &["ρ′", "K", "s₂", "t₀", "a sponge"],
        ),
        (
            "signatures in little memory",
            low_memory_signatures::<P>,
            &["ρ″", "t₀", "r₀", "c·t₀"],
        ),
    ];
    for (name, operation, expected) in operations {
        let (freed, stack) = remains(operation, inputs);
        let freed = needles.search(&freed);
        let (registers, stack): (Vec<_>, Vec<_>) = needles
            .search(&stack)
            .into_iter()
            .partition(Remains::is_register);
        if cfg!(feature = "zeroize") {
            let where_ = format!("{}, {}, {name}", p.name, isa_name());
            let longest = registers.iter().map(|r| r.end - r.begin).max();
            println!(
                "{where_}: {} registers put aside, the longest {longest:?} bytes",
                registers.len()
            );
            assert!(freed.is_empty(), "{where_}, in freed memory: {freed:?}");
            assert!(stack.is_empty(), "{where_}, on the stack: {stack:?}");
        } else {
            let all = || freed.iter().chain(&stack);
            for secret in expected {
                assert!(
                    all().any(|remains| remains.names.contains(secret)),
                    "{name}: {secret} was not found, so the search is worth nothing"
                );
            }
        }
    }
}

/// One test: the allocator serves the whole process.
#[test]
fn nothing_remains_in_memory() {
    // To read memory that belongs to nobody is what a sanitizer is there to forbid; without
    // optimization every vector goes through the stack. `cargo xtask` says that it is left out.
    for build in ["MLDSA_SANITIZED", "MLDSA_UNOPTIMIZED"] {
        if std::env::var_os(build).is_some() {
            println!("leftovers: LEFT OUT, {build}");
            return;
        }
    }
    nothing_remains::<MlDsa44>();
    nothing_remains::<MlDsa65>();
    nothing_remains::<MlDsa87>();
}
