//! Issues a self-signed certificate and a request for one (a CSR), verifies both, and prints them
//! as PEM, with the private key:
//!
//! ```text
//! cargo run --release --example x509 | openssl x509 -noout -text
//! ```

#[allow(dead_code, reason = "the tests issue certificates to others, too")]
mod issue;

use mldsa_simd::pkcs8::{EncodePrivateKey, LineEnding};
use mldsa_simd::{Generate, MlDsa65, SigningKey};
use x509_cert::der::EncodePem;

fn main() -> issue::Result<()> {
    let key = SigningKey::<MlDsa65>::try_generate()?;

    let certificate = issue::self_signed(&key, "CN=Example Root,O=Example,C=DE")?;
    issue::verify_certificate(
        &certificate,
        &issue::certified_key::<MlDsa65>(&certificate)?,
    )?;
    print!("{}", certificate.to_pem(LineEnding::LF)?);

    let request = issue::request(&key, "CN=example.org,O=Example,C=DE", "example.org")?;
    issue::verify_request::<MlDsa65>(&request)?;
    print!("{}", request.to_pem(LineEnding::LF)?);

    // A key that nobody may see does not belong on the screen; this one ends here.
    print!("{}", *key.to_pkcs8_pem(LineEnding::LF)?);
    Ok(())
}
