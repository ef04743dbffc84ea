//! The kernels by name, for benches, whole-kernel tests and `cargo xtask codegen`
//! (`--cfg mldsa_internals`). Not a part of the public API.

use crate::encode::{
    eta_pack, eta_unpack, t0_pack, t0_unpack, t1_unpack_shifted, z_is_below, z_pack, z_unpack,
};
use crate::keccak::{Between, keccak_f, keccak_f_x4};
use crate::keys::{self, PrivateKey, PublicKey};
use crate::mu::Mu;
use crate::ntt::{
    add_product, ntt, ntt_inverse, pointwise, pointwise_acc, pointwise_acc_pair, pointwise_acc_sub,
    sub_product,
};
use crate::ops::Operations as _;
use crate::params::sealed::Params;
use crate::params::{MlDsa44, MlDsa65, MlDsa87, MlDsaParams};
use crate::poly::{Coefficients, Negacyclic, NttPoly, Poly, add_small, widen};
use crate::rounding::{
    decompose_poly, make_hint_poly, power2round_poly, sub_and_check, use_hint_poly,
};
use crate::sampling::{
    Challenge, mul_small, mul_t0, rej_bounded_poly, rej_ntt_poly, sample_in_ball,
};
use crate::shared::One;
use crate::simd::{Isa, Portable, Random, for_each_isa};
use crate::{keygen, sign, verify};
use alloc::boxed::Box;
use alloc::vec::Vec;
use hybrid_array::Array;

/// A kernel on an instruction set.
#[allow(missing_debug_implementations, reason = "internal")]
pub struct Kernel {
    /// The name of the kernel.
    pub name: &'static str,
    /// The name of the instruction set.
    pub isa: &'static str,
    /// Makes pseudorandom inputs from a number; what it returns runs the kernel on them. Of what the
    /// kernel may treat as public, only the number's lower half decides.
    pub with: Box<dyn Fn(u64) -> Box<dyn FnMut()>>,
    /// Runs the kernel on the same inputs, and returns everything it wrote.
    pub output: Box<dyn Fn(u64) -> Vec<u8>>,
}

/// Every kernel on every instruction set of this CPU, Portable first.
#[must_use]
pub fn kernels() -> Vec<Kernel> {
    let mut all = Vec::new();
    for_each_isa!(isa => kernels_of(isa, &mut all));
    all
}

/// Everything that an instruction set computed.
#[allow(missing_debug_implementations, reason = "internal")]
pub struct Output {
    /// The name of the instruction set.
    pub isa: &'static str,
    /// Both keys, a signature, its verification.
    pub bytes: Vec<u8>,
}

/// Key generation, signing and verification on every instruction set of this CPU, Portable first.
/// `set` modulo 4 chooses the parameter set.
#[must_use]
pub fn operations(set: usize, xi: &[u8], mu: &[u8], rnd: &[u8]) -> Vec<Output> {
    match set & 3 {
        0 => operations_of::<MlDsa65>(xi, mu, rnd),
        1 => operations_of::<MlDsa87>(xi, mu, rnd),
        _ => operations_of::<MlDsa44>(xi, mu, rnd),
    }
}

fn operations_of<P: MlDsaParams>(xi: &[u8], mu: &[u8], rnd: &[u8]) -> Vec<Output> {
    fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
        let mut array = [0; N];
        for (to, from) in array.iter_mut().zip(bytes) {
            *to = *from;
        }
        array
    }
    fn on<P: MlDsaParams, I: Isa>(isa: I, xi: &[u8], mu: &[u8], rnd: &[u8]) -> Option<Output> {
        let mut a_hat = One::build(keys::empty_matrix::<P>, |_| ());
        let mut sk = One::build(PrivateKey::<P>::empty, |_| ());
        let mut pk = One::build(PublicKey::<P>::empty, |_| ());
        let (matrix, private, public) = (a_hat.get_mut()?, sk.get_mut()?, pk.get_mut()?);
        keygen::key_gen_internal::<P, I>(isa, &array(xi), matrix, private, public);
        let mut expanded = Array::default();
        private.encode(isa, &mut expanded);
        let mut sigma = Array::default();
        let mu = array(mu);
        sign::sign_mu::<P, I>(isa, private, matrix, &mu, &array(rnd), &mut sigma).ok()?;
        let mut bytes = public.encoded.to_vec();
        bytes.extend(expanded);
        bytes.push(verify::signature_is_well_formed::<P, I>(isa, &sigma).into());
        bytes.push(verify::verify_mu::<P, I>(isa, matrix, public, &mu, &sigma).into());
        bytes.extend(sigma);
        Some(Output {
            isa: I::NAME,
            bytes,
        })
    }
    let mut all = Vec::new();
    for_each_isa!(isa => all.extend(on::<P, _>(isa, xi, mu, rnd)));
    all
}

/// How many attempts it takes to sign μ with an expanded key; `None` when it is out of range.
#[must_use]
pub fn attempts<P: MlDsaParams>(key: &Array<u8, P::SigningKeySize>, mu: &Mu) -> Option<usize> {
    let mut a_hat = One::build(keys::empty_matrix::<P>, |_| ());
    let mut sk = One::build(PrivateKey::<P>::empty, |_| ());
    let (matrix, private) = (a_hat.get_mut()?, sk.get_mut()?);
    if !P::Ops::decode_private(key, matrix, private) {
        return None;
    }
    let mut sigma = Array::default();
    sign::sign_mu::<P, _>(Portable, private, matrix, &mu.0, &[0; 32], &mut sigma).ok()
}

/// Coefficients in `low..=high`.
fn coefficients(r: &mut Random, low: i32, high: i32) -> Coefficients {
    let mut c = Coefficients::default();
    c.as_flattened_mut().fill_with(|| r.within(low, high));
    c
}

/// c, which is public.
fn challenge(r: &Random) -> Challenge {
    sample_in_ball(Portable, &r.public().bytes::<64>(), 60)
}

trait Bytes {
    fn append(&self, out: &mut Vec<u8>);
}

impl Bytes for Coefficients {
    fn append(&self, out: &mut Vec<u8>) {
        out.extend(self.as_flattened().iter().flat_map(|c| c.to_le_bytes()));
    }
}

const Q: i32 = crate::params::Q;

fn kernels_of<I: Isa + 'static>(isa: I, all: &mut Vec<Kernel>) {
    /// One kernel: how inputs are made, and what is done with them.
    fn add<I: Isa, T: 'static>(
        all: &mut Vec<Kernel>,
        name: &'static str,
        make: impl Fn(&mut Random) -> T + Copy + 'static,
        run: impl Fn(&mut T) + Copy + 'static,
        output: impl Fn(&T, &mut Vec<u8>) + 'static,
    ) {
        all.push(Kernel {
            name,
            isa: I::NAME,
            with: Box::new(move |seed| {
                let mut inputs = make(&mut Random::new(seed));
                Box::new(move || run(&mut inputs))
            }),
            output: Box::new(move |seed| {
                let mut inputs = make(&mut Random::new(seed));
                run(&mut inputs);
                let mut out = Vec::new();
                output(&inputs, &mut out);
                out
            }),
        });
    }

    add::<I, _>(
        all,
        "ntt",
        |r| (Poly(coefficients(r, 1 - Q, Q - 1)), NttPoly::default()),
        move |(w, w_hat)| ntt(isa, w, w_hat),
        |(_, w_hat), out| w_hat.0.append(out),
    );
    add::<I, _>(
        all,
        "ntt_inverse",
        |r| (NttPoly(coefficients(r, 1 - Q, Q - 1)), Poly::default()),
        move |(w_hat, w)| ntt_inverse(isa, w_hat, w),
        |(_, w), out| w.0.append(out),
    );
    add::<I, _>(
        all,
        "pointwise",
        |r| [(); 3].map(|()| NttPoly(coefficients(r, 1 - 9 * Q, 9 * Q - 1))),
        move |[a, b, c]| pointwise(isa, a, b, c),
        |[_, _, c], out| c.0.append(out),
    );
    macro_rules! pointwise_acc {
        ($set:ty, $name:literal, $name_pair:literal, $name_sub:literal) => {
            type Columns = <$set as Params>::Cols<NttPoly>;
            let make = |r: &mut Random| -> (Columns, Columns, [NttPoly; 3]) {
                (
                    core::array::from_fn(|_| NttPoly(coefficients(r, 0, Q - 1))),
                    core::array::from_fn(|_| NttPoly(coefficients(r, 1 - 9 * Q, 9 * Q - 1))),
                    [(); 3].map(|()| NttPoly(coefficients(r, 1 - 9 * Q, 9 * Q - 1))),
                )
            };
            add::<I, _>(
                all,
                $name,
                make,
                move |(a, y, [_, _, c])| pointwise_acc(isa, a, y, c),
                |(_, _, [_, _, c]), out| c.0.append(out),
            );
            add::<I, _>(
                all,
                $name_pair,
                move |r| {
                    let (a0, y, _) = make(r);
                    (a0, make(r).0, y, [NttPoly::default(); 2])
                },
                move |(a0, a1, y, c)| pointwise_acc_pair(isa, [a0, a1], y, c),
                |(_, _, _, c), out| c.iter().for_each(|c| c.0.append(out)),
            );
            add::<I, _>(
                all,
                $name_sub,
                make,
                move |(a, z, [x, y, c])| pointwise_acc_sub(isa, a, z, x, y, c),
                |(_, _, [_, _, c]), out| c.0.append(out),
            );
        };
    }
    {
        pointwise_acc!(
            MlDsa44,
            "pointwise_acc_4",
            "pointwise_acc_pair_4",
            "pointwise_acc_sub_4"
        );
    }
    {
        pointwise_acc!(
            MlDsa65,
            "pointwise_acc_5",
            "pointwise_acc_pair_5",
            "pointwise_acc_sub_5"
        );
    }
    {
        pointwise_acc!(
            MlDsa87,
            "pointwise_acc_7",
            "pointwise_acc_pair_7",
            "pointwise_acc_sub_7"
        );
    }
    let products = |r: &mut Random| {
        let factors = [(); 2].map(|()| NttPoly(coefficients(r, 1 - 9 * Q, 9 * Q - 1)));
        (
            factors,
            coefficients(r, 1 - Q, Q - 1),
            Coefficients::default(),
        )
    };
    add::<I, _>(
        all,
        "add_product",
        products,
        move |([a, b], c, sum)| {
            *sum = *c;
            add_product(isa, &a.0, b, sum);
        },
        |(_, _, sum), out| sum.append(out),
    );
    add::<I, _>(
        all,
        "sub_product",
        products,
        move |([a, b], c, sum)| {
            *sum = *c;
            sub_product(isa, &a.0, b, sum);
        },
        |(_, _, sum), out| sum.append(out),
    );
    add::<I, _>(
        all,
        "power2round",
        |r| {
            (
                Poly(coefficients(r, -Q, Q - 1)),
                [0; 320],
                Negacyclic::default(),
            )
        },
        move |(t, t1, t0)| power2round_poly(isa, t, t1, t0),
        |(_, t1, t0), out| {
            out.extend(t1);
            out.extend(t0.0.iter().flat_map(|c| c.to_le_bytes()));
        },
    );
    macro_rules! by_gamma2 {
        ($set:ty, $decompose:literal, $use_hint:literal, $make_hint:literal) => {
            type G = <$set as Params>::Gamma2;
            use crate::params::sealed::Rounding;
            add::<I, _>(
                all,
                $decompose,
                |r| (Poly(coefficients(r, -Q, Q - 1)), [0; 192], Poly::default()),
                move |(w, w1, w0)| {
                    *w0 = *w;
                    decompose_poly::<I, G>(isa, w0, w1);
                },
                |(_, w1, w0), out| {
                    out.extend(w1);
                    w0.0.append(out);
                },
            );
            add::<I, _>(
                all,
                $use_hint,
                |r| {
                    let h: [u16; 16] = core::array::from_fn(|_| r.word() as u16);
                    (h, Poly(coefficients(r, -Q, Q - 1)), [0; 192])
                },
                move |(h, w, w1)| use_hint_poly::<I, G>(isa, h, w, w1),
                |(_, _, w1), out| out.extend(w1),
            );
            add::<I, _>(
                all,
                $make_hint,
                |r| {
                    let gamma2 = <G as Rounding>::GAMMA2;
                    let r0 = Poly(coefficients(r, -gamma2, gamma2));
                    let ct0 = Poly(coefficients(r, -gamma2, gamma2));
                    (r0, ct0, r.bytes::<192>(), [0; 16], false)
                },
                move |(r0, ct0, w1, h, ok)| {
                    *ok = make_hint_poly::<I, G>(isa, r0, ct0, w1, h);
                },
                |(.., h, ok), out| {
                    out.extend(h.iter().flat_map(|h| h.to_le_bytes()));
                    out.push(u8::from(*ok));
                },
            );
        };
    }
    {
        by_gamma2!(MlDsa44, "decompose_88", "use_hint_88", "make_hint_88");
    }
    {
        by_gamma2!(MlDsa65, "decompose_32", "use_hint_32", "make_hint_32");
    }
    add::<I, _>(
        all,
        "sub_and_check",
        |r| {
            let cs: [[i16; 16]; 16] =
                core::array::from_fn(|_| core::array::from_fn(|_| r.within(-196, 196) as i16));
            (
                Poly(coefficients(r, -95_232, 95_232)),
                cs,
                Poly::default(),
                false,
            )
        },
        move |(w, cs, r0, ok)| {
            *r0 = *w;
            *ok = sub_and_check(isa, r0, cs, 95_232 - 78);
        },
        |(_, _, r0, ok), out| {
            r0.0.append(out);
            out.push(u8::from(*ok));
        },
    );
    add::<I, _>(
        all,
        "rej_ntt_poly",
        |r| (r.bytes::<840>(), NttPoly::default(), 0),
        move |(bytes, a, n)| *n = rej_ntt_poly(isa, &bytes[..], &mut a.0, 0),
        |(_, a, n), out| {
            a.0.append(out);
            out.push(*n as u8);
        },
    );
    macro_rules! by_eta {
        ($set:ty, $rej:literal, $mul:literal, $pack:literal, $unpack:literal) => {
            type E = <$set as Params>::Eta;
            use crate::params::sealed::Small;
            fn small(r: &mut Random) -> Negacyclic<i8> {
                let eta = <E as Small>::ETA as i32;
                let mut s = Negacyclic::default();
                s.0[256..].fill_with(|| r.within(-eta, eta) as i8);
                s.negate();
                s
            }
            add::<I, _>(
                all,
                $rej,
                |r| (r.bytes::<136>(), Negacyclic::default(), 0),
                move |(block, s, n)| *n = rej_bounded_poly::<I, E>(isa, &block[..], s, 0),
                |(_, s, n), out| {
                    out.extend(s.0[..*n].iter().map(|s| s.cast_unsigned()));
                    out.push(*n as u8);
                },
            );
            add::<I, _>(
                all,
                $mul,
                |r| {
                    let c = challenge(r);
                    (c, small(r), [[0; 16]; 16])
                },
                move |(c, s, cs)| mul_small::<I, E>(isa, c, s, cs),
                |(_, _, cs), out| {
                    out.extend(cs.as_flattened().iter().flat_map(|c| c.to_le_bytes()))
                },
            );
            add::<I, _>(
                all,
                $pack,
                |r| (small(r), [0; 128]),
                move |(s, bytes)| eta_pack::<I, E>(isa, s, bytes),
                |(_, bytes), out| out.extend(bytes),
            );
            add::<I, _>(
                all,
                $unpack,
                |r| (r.bytes::<128>(), Negacyclic::default(), false),
                move |(bytes, s, ok)| *ok = eta_unpack::<I, E>(isa, bytes, s),
                |(_, s, ok), out| {
                    out.extend(s.0.map(i8::cast_unsigned));
                    out.push(u8::from(*ok));
                },
            );
        };
    }
    {
        by_eta!(
            MlDsa44,
            "rej_bounded_2",
            "mul_small_2",
            "eta_pack_2",
            "eta_unpack_2"
        );
    }
    {
        by_eta!(
            MlDsa65,
            "rej_bounded_4",
            "mul_small_4",
            "eta_pack_4",
            "eta_unpack_4"
        );
    }
    add::<I, _>(
        all,
        "mul_t0",
        |r| {
            let c = challenge(r);
            let mut t0 = Negacyclic::default();
            t0.0[256..].fill_with(|| r.within(-4095, 4096) as i16);
            let (negative, positive) = t0.0.split_at_mut(256);
            for (n, p) in negative.iter_mut().zip(positive) {
                *n = -*p;
            }
            (c, t0, Poly::default())
        },
        move |(c, t0, ct0)| mul_t0(isa, c, t0, ct0),
        |(_, _, ct0), out| ct0.0.append(out),
    );
    macro_rules! by_gamma1 {
        ($set:ty, $unpack:literal, $below:literal, $pack:literal) => {
            type G = <$set as Params>::Gamma1;
            use crate::params::sealed::Masking;
            add::<I, _>(
                all,
                $unpack,
                |r| (r.bytes::<640>(), Poly::default()),
                move |(bytes, z)| z_unpack::<I, G>(isa, bytes, z),
                |(_, z), out| z.0.append(out),
            );
            add::<I, _>(
                all,
                $below,
                |r| (r.bytes::<640>(), false),
                move |(bytes, ok)| *ok = z_is_below::<I, G>(isa, bytes, <G as Masking>::GAMMA1 - 9),
                |(_, ok), out| out.push(u8::from(*ok)),
            );
            add::<I, _>(
                all,
                $pack,
                |r| {
                    let cs: [[i16; 16]; 16] = core::array::from_fn(|_| {
                        core::array::from_fn(|_| r.within(-196, 196) as i16)
                    });
                    (r.bytes::<640>(), cs, [0; 640], false)
                },
                move |(y, cs, z, ok)| {
                    *ok = z_pack::<I, G>(isa, y, cs, <G as Masking>::GAMMA1 - 196, z);
                },
                |(.., z, ok), out| {
                    out.extend(z);
                    out.push(u8::from(*ok));
                },
            );
        };
    }
    {
        by_gamma1!(MlDsa44, "z_unpack_17", "z_is_below_17", "z_pack_17");
    }
    {
        by_gamma1!(MlDsa65, "z_unpack_19", "z_is_below_19", "z_pack_19");
    }
    add::<I, _>(
        all,
        "t0_pack",
        |r| {
            let mut t0 = Negacyclic::default();
            t0.0.fill_with(|| r.within(-4095, 4096) as i16);
            (t0, [0; 416])
        },
        move |(t0, bytes)| t0_pack(isa, t0, bytes),
        |(_, bytes), out| out.extend(bytes),
    );
    add::<I, _>(
        all,
        "t0_unpack",
        |r| (r.bytes::<416>(), Negacyclic::default()),
        move |(bytes, t0)| t0_unpack(isa, bytes, t0),
        |(_, t0), out| out.extend(t0.0.iter().flat_map(|c| c.to_le_bytes())),
    );
    add::<I, _>(
        all,
        "t1_unpack",
        |r| (r.bytes::<320>(), Poly::default()),
        move |(bytes, t1)| t1_unpack_shifted(isa, bytes, t1),
        |(_, t1), out| t1.0.append(out),
    );
    add::<I, _>(
        all,
        "widen",
        |r| {
            let mut s = Negacyclic::default();
            s.0.fill_with(|| r.word() as i8);
            (s, Poly::default())
        },
        move |(s, w)| widen(isa, s, w),
        |(_, w), out| w.0.append(out),
    );
    add::<I, _>(
        all,
        "add_small",
        |r| {
            let mut s = Negacyclic::default();
            s.0.fill_with(|| r.within(-4, 4) as i8);
            (s, Poly(coefficients(r, -Q, Q)), Poly::default())
        },
        move |(s, w, sum)| {
            *sum = *w;
            add_small(isa, sum, s);
        },
        |(_, _, sum), out| sum.0.append(out),
    );
    add::<I, _>(
        all,
        "keccak_f",
        |r| core::array::from_fn(|_| [r.word()]),
        move |state| keccak_f(isa, state),
        |state, out| out.extend(state.iter().flat_map(|[word]| word.to_le_bytes())),
    );
    add::<I, _>(
        all,
        "keccak_f_x4",
        |r| {
            let states = core::array::from_fn(|_| core::array::from_fn(|_| r.word()));
            (states, Between::new())
        },
        move |(states, between)| keccak_f_x4(isa, states, between, 15),
        |(states, _), out| {
            out.extend(
                states
                    .as_flattened()
                    .iter()
                    .flat_map(|word| word.to_le_bytes()),
            );
        },
    );
    add::<I, _>(
        all,
        "sample_in_ball",
        |r| (r.bytes::<64>(), Poly::default()),
        move |(seed, c)| *c = sample_in_ball(isa, &seed[..], 60).to_poly(),
        |(_, c), out| c.0.append(out),
    );
}

#[cfg(test)]
#[allow(
    clippy::integer_division_remainder_used,
    reason = "the definitions that the kernels are compared with"
)]
mod tests {
    use super::{Random, attempts, kernels, operations};
    use crate::params::sealed::{Params, Rounding};
    use crate::params::{MlDsa44, MlDsa65, Q};
    use crate::poly::LANES;
    use crate::rounding::{decompose, power2round, use_hint};
    use crate::simd::{Isa, for_each_isa};
    use alloc::collections::BTreeMap;
    use alloc::vec::Vec;
    use hybrid_array::Array;
    use shake::{ExtendableOutput, Update, XofReader};
    use std::io::Write;
    use std::{print, println};

    /// Every kernel on every instruction set of this machine equals the plain one, bit for bit.
    #[test]
    fn every_kernel_equals_portable() {
        let mut by_name = BTreeMap::<_, Vec<_>>::new();
        for kernel in kernels() {
            (kernel.with)(1)(); // as the benches do
            by_name.entry(kernel.name).or_default().push(kernel);
        }
        for (name, kernels) in &by_name {
            print!("{name}:");
            let (portable, others) = kernels.split_first().expect("Portable");
            assert_eq!(portable.isa, "portable");
            for kernel in others {
                for seed in 0..200 {
                    assert_eq!(
                        (kernel.output)(seed),
                        (portable.output)(seed),
                        "{name} on {}, seed {seed}",
                        kernel.isa
                    );
                }
            }
            println!(
                "{}",
                kernels
                    .iter()
                    .map(|k| [" ", k.isa].concat())
                    .collect::<Vec<_>>()
                    .concat()
            );
        }
        assert_eq!(by_name.len(), 46, "the number of kernels");
    }

    /// Whole operations on every instruction set of this machine equal the plain ones, and work.
    #[test]
    fn every_operation_equals_portable() {
        let mut r = Random::new(9);
        for set in 0..3 {
            for _ in 0..20 {
                let (xi, mu, rnd) = (r.bytes::<32>(), r.bytes::<64>(), r.bytes::<32>());
                let all = operations(set, &xi, &mu, &rnd);
                let (portable, others) = all.split_first().expect("Portable");
                assert_eq!(portable.isa, "portable");
                let sigma = [3309, 4627, 2420][set];
                let verdicts = &portable.bytes[portable.bytes.len() - sigma - 2..][..2];
                assert_eq!(verdicts, [1, 1], "the signature decodes and verifies");
                for other in others {
                    assert!(other.bytes == portable.bytes, "set {set} on {}", other.isa);
                }
            }
        }
    }

    /// Signing with an expanded key makes about 4.3 attempts for ML-DSA-44, and none with a key that
    /// is out of range.
    #[test]
    fn attempts_are_counted() {
        let mut r = Random::new(3);
        let (xi, mu) = (r.bytes::<32>(), r.bytes::<64>());
        let plain = &operations(2, &xi, &mu, &[0; 32])[0].bytes;
        let mut key = Array::default();
        key.copy_from_slice(&plain[1312..1312 + 2560]);
        let counts = [(); 100].map(|()| {
            let mu = r.bytes::<64>().into();
            attempts::<MlDsa44>(&key, &mu).expect("a key of its own")
        });
        assert_eq!(counts.iter().min(), Some(&1));
        assert!((300..600).contains(&counts.iter().sum::<usize>()));
        key[128] = 0xff; // s₁, of which the first coefficient becomes −5
        assert_eq!(attempts::<MlDsa44>(&key, &mu.into()), None);
    }

    /// r mod± q
    fn centered(r: i32) -> i32 {
        if r > Q / 2 { r - Q } else { r }
    }

    /// The definitions of FIPS 204, Algorithms 35, 36 and 40, in integers.
    fn defined(r: i32, gamma2: i32) -> (i32, i32, i32) {
        let m = (Q - 1) / (2 * gamma2);
        let mut r0 = r % (2 * gamma2);
        if r0 > gamma2 {
            r0 -= 2 * gamma2;
        }
        let (r1, r0) = if r - r0 == Q - 1 {
            (0, r0 - 1)
        } else {
            ((r - r0) / (2 * gamma2), r0)
        };
        let hinted = if r0 > 0 {
            (r1 + 1).rem_euclid(m)
        } else {
            (r1 - 1).rem_euclid(m)
        };
        (r1, r0, hinted)
    }

    /// Sixteen residues from `first` on, and the functions of one coefficient of them.
    fn rows<I: Isa>(isa: I, first: i32) -> [[i32; LANES]; 9] {
        let r: [i32; LANES] = core::array::from_fn(|i| (first + i as i32).min(Q - 1));
        let v = isa.load(&r);
        let hint = isa.bits_to_mask(u16::MAX);
        let no_hint = isa.bits_to_mask(0);
        let (p1, p0) = power2round(isa, v);
        let (a1, a0) = decompose::<I, <MlDsa44 as Params>::Gamma2>(isa, v);
        let (b1, b0) = decompose::<I, <MlDsa65 as Params>::Gamma2>(isa, v);
        let ah = use_hint::<I, <MlDsa44 as Params>::Gamma2>(isa, hint, v);
        let bh = use_hint::<I, <MlDsa65 as Params>::Gamma2>(isa, hint, v);
        // HighBits is Decompose without r₀, and UseHint without a hint.
        for (high, without) in [
            (
                a1,
                use_hint::<I, <MlDsa44 as Params>::Gamma2>(isa, no_hint, v),
            ),
            (
                b1,
                use_hint::<I, <MlDsa65 as Params>::Gamma2>(isa, no_hint, v),
            ),
        ] {
            assert_eq!(isa.to_array(high), isa.to_array(without));
        }
        [
            r,
            isa.to_array(p1),
            isa.to_array(p0),
            isa.to_array(a1),
            isa.to_array(ah),
            isa.to_array(a0),
            isa.to_array(b1),
            isa.to_array(bh),
            isa.to_array(b0),
        ]
    }

    /// Power2Round, Decompose, HighBits, LowBits and UseHint of every residue, on every
    /// instruction set, in every lane, against their definitions, for both γ₂; and the digest over
    /// them that C2SP/CCTV publishes.
    #[test]
    fn every_residue_is_rounded_as_defined() {
        const CCTV: &str = "f930663417278156ab05d940294a77210a809c924d8ab63ec72f4526247602c7";
        for_each_isa!(isa => {
            let mut digest = shake::Shake128::default();
            let mut text = Vec::new();
            for first in (0..Q).step_by(LANES) {
                let rows = rows(isa, first);
                for lane in 0..LANES.min((Q - first) as usize) {
                    let [r, p1, p0, a1, ah, a0, b1, bh, b0] = rows.map(|row| row[lane]);
                    assert_eq!((a1, a0, ah), defined(r, <MlDsa44 as Params>::Gamma2::GAMMA2));
                    assert_eq!((b1, b0, bh), defined(r, <MlDsa65 as Params>::Gamma2::GAMMA2));
                    assert_eq!(r, (p1 << 13) + p0);
                    assert!(-(1 << 12) < p0 && p0 <= 1 << 12);
                    let c = centered(r);
                    let lines = [c, c.abs(), p1, p0.rem_euclid(Q), a1, ah, a0, a0.abs(), b1, bh, b0,
                        b0.abs()];
                    for line in lines {
                        writeln!(text, "{line}").expect("memory");
                    }
                }
                if text.len() > 1 << 16 {
                    digest.update(&text);
                    text.clear();
                }
            }
            digest.update(&text);
            let mut out = [0; 32];
            digest.finalize_xof().read(&mut out);
            assert_eq!(hex::encode(out), CCTV);
            println!("vectors: CCTV field operations {Q}");
        });
    }

    /// Residues do not always come sixteen in a row: every lane takes every kind.
    #[test]
    fn lanes_do_not_depend_on_their_neighbours() {
        for_each_isa!(isa => {
            for first in (0..Q - 16).step_by(99_991) {
                let shifted = rows(isa, first + 1);
                let rows = rows(isa, first);
                for (row, shifted) in rows.iter().zip(&shifted) {
                    assert_eq!(row[1..], shifted[..LANES - 1]);
                }
            }
        });
    }
}
