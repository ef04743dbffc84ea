//! Section 5, the external functions, and section 5.4, pre-hash ML-DSA.

use super::*;
use sha2::Digest;

/// Algorithm 1, `ML-DSA.KeyGen()`: the random ξ is an argument.
pub(crate) fn key_gen(p: &Params, xi: Option<[u8; 32]>) -> Option<(Vec<u8>, Vec<u8>)> {
    // 2: if ξ = NULL then 3: return ⊥
    let xi = xi?;
    // 5: return ML-DSA.KeyGen_internal(ξ)
    Some(key_gen_internal(p, &xi))
}

/// Algorithm 2, `ML-DSA.Sign(sk, M, ctx)`: the random rnd is an argument, {0}³² for the
/// deterministic variant.
pub(crate) fn sign(
    p: &Params,
    sk: &[u8],
    m: &[u8],
    ctx: &[u8],
    rnd: Option<[u8; 32]>,
) -> Option<Vec<u8>> {
    // 1: if |ctx| > 255 then
    if ctx.len() > 255 {
        // 2: return ⊥
        return None;
    }
    // 6: if rnd = NULL then 7: return ⊥
    let rnd = rnd?;
    // 10: M′ ← BytesToBits(IntegerToBytes(0, 1) ‖ IntegerToBytes(|ctx|, 1) ‖ ctx) ‖ M
    let ctx_length = integer_to_bytes(ctx.len() as i64, 1);
    let m_prime = [&integer_to_bytes(0, 1), &ctx_length, ctx, m].concat();
    // 11: σ ← ML-DSA.Sign_internal(sk, M′, rnd)
    let sigma = sign_internal(p, sk, &m_prime, &rnd);
    // 12: return σ
    Some(sigma)
}

/// Algorithm 3, `ML-DSA.Verify(pk, M, σ, ctx)`.
pub(crate) fn verify(p: &Params, pk: &[u8], m: &[u8], sigma: &[u8], ctx: &[u8]) -> bool {
    // 1: if |ctx| > 255 then
    if ctx.len() > 255 {
        // 2: return ⊥
        return false;
    }
    // 5: M′ ← BytesToBits(IntegerToBytes(0, 1) ‖ IntegerToBytes(|ctx|, 1) ‖ ctx) ‖ M
    let ctx_length = integer_to_bytes(ctx.len() as i64, 1);
    let m_prime = [&integer_to_bytes(0, 1), &ctx_length, ctx, m].concat();
    // 6: return ML-DSA.Verify_internal(pk, M′, σ)
    verify_internal(p, pk, &m_prime, sigma)
}

/// A hash function or XOF that HashML-DSA may use: PH.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PreHash {
    Sha224,
    Sha256,
    Sha384,
    Sha512,
    Sha512_224,
    Sha512_256,
    Sha3_224,
    Sha3_256,
    Sha3_384,
    Sha3_512,
    Shake128,
    Shake256,
}

impl PreHash {
    pub(crate) const ALL: [Self; 12] = [
        Self::Sha224,
        Self::Sha256,
        Self::Sha384,
        Self::Sha512,
        Self::Sha512_224,
        Self::Sha512_256,
        Self::Sha3_224,
        Self::Sha3_256,
        Self::Sha3_384,
        Self::Sha3_512,
        Self::Shake128,
        Self::Shake256,
    ];

    /// The function that ACVP calls `name`.
    pub(crate) fn named(name: &str) -> Self {
        match name {
            "SHA2-224" => Self::Sha224,
            "SHA2-256" => Self::Sha256,
            "SHA2-384" => Self::Sha384,
            "SHA2-512" => Self::Sha512,
            "SHA2-512/224" => Self::Sha512_224,
            "SHA2-512/256" => Self::Sha512_256,
            "SHA3-224" => Self::Sha3_224,
            "SHA3-256" => Self::Sha3_256,
            "SHA3-384" => Self::Sha3_384,
            "SHA3-512" => Self::Sha3_512,
            "SHAKE-128" => Self::Shake128,
            "SHAKE-256" => Self::Shake256,
            other => panic!("hash {other}"),
        }
    }

    /// The DER encoding of the object identifier 2.16.840.1.101.3.4.2.x.
    fn oid(self) -> Vec<u8> {
        let last = match self {
            Self::Sha256 => 1,
            Self::Sha384 => 2,
            Self::Sha512 => 3,
            Self::Sha224 => 4,
            Self::Sha512_224 => 5,
            Self::Sha512_256 => 6,
            Self::Sha3_224 => 7,
            Self::Sha3_256 => 8,
            Self::Sha3_384 => 9,
            Self::Sha3_512 => 10,
            Self::Shake128 => 11,
            Self::Shake256 => 12,
        };
        vec![
            0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, last,
        ]
    }

    /// PH_M: SHAKE128 yields 256 bits, SHAKE256 512.
    fn hash(self, m: &[u8]) -> Vec<u8> {
        match self {
            Self::Sha224 => sha2::Sha224::digest(m).to_vec(),
            Self::Sha256 => sha2::Sha256::digest(m).to_vec(),
            Self::Sha384 => sha2::Sha384::digest(m).to_vec(),
            Self::Sha512 => sha2::Sha512::digest(m).to_vec(),
            Self::Sha512_224 => sha2::Sha512_224::digest(m).to_vec(),
            Self::Sha512_256 => sha2::Sha512_256::digest(m).to_vec(),
            Self::Sha3_224 => sha3::Sha3_224::digest(m).to_vec(),
            Self::Sha3_256 => sha3::Sha3_256::digest(m).to_vec(),
            Self::Sha3_384 => sha3::Sha3_384::digest(m).to_vec(),
            Self::Sha3_512 => sha3::Sha3_512::digest(m).to_vec(),
            Self::Shake128 => {
                let mut ctx = G::init();
                ctx.absorb(m);
                ctx.squeeze(32)
            }
            Self::Shake256 => h(m, 64),
        }
    }
}

/// Algorithm 4, `HashML-DSA.Sign(sk, M, ctx, PH)`: the random rnd is an argument.
pub(crate) fn hash_sign(
    p: &Params,
    sk: &[u8],
    m: &[u8],
    ctx: &[u8],
    ph: PreHash,
    rnd: Option<[u8; 32]>,
) -> Option<Vec<u8>> {
    // 1: if |ctx| > 255 then
    if ctx.len() > 255 {
        // 2: return ⊥
        return None;
    }
    // 6: if rnd = NULL then 7: return ⊥
    let rnd = rnd?;
    // 10–23: M′, by the case of PH
    let m_prime = hash_message(m, ctx, ph);
    // 24: σ ← ML-DSA.Sign_internal(sk, M′, rnd)
    let sigma = sign_internal(p, sk, &m_prime, &rnd);
    // 25: return σ
    Some(sigma)
}

/// Algorithm 5, `HashML-DSA.Verify(pk, M, σ, ctx, PH)`.
pub(crate) fn hash_verify(
    p: &Params,
    pk: &[u8],
    m: &[u8],
    sigma: &[u8],
    ctx: &[u8],
    ph: PreHash,
) -> bool {
    // 1: if |ctx| > 255 then
    if ctx.len() > 255 {
        // 2: return false
        return false;
    }
    // 5–18: M′, by the case of PH
    let m_prime = hash_message(m, ctx, ph);
    // 19: return ML-DSA.Verify_internal(pk, M′, σ)
    verify_internal(p, pk, &m_prime, sigma)
}

/// The common steps of Algorithms 4 (10 to 23) and 5 (5 to 18): the formatted message M′.
pub(crate) fn hash_message(m: &[u8], ctx: &[u8], ph: PreHash) -> Vec<u8> {
    // switch PH do … OID and PH_M
    let oid = ph.oid();
    let ph_m = ph.hash(m);
    // M′ ← BytesToBits(IntegerToBytes(1, 1) ‖ IntegerToBytes(|ctx|, 1) ‖ ctx ‖ OID ‖ PH_M)
    let ctx_length = integer_to_bytes(ctx.len() as i64, 1);
    [&integer_to_bytes(1, 1), &ctx_length, ctx, &oid, &ph_m].concat()
}
