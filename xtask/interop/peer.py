"""The other side of `cargo xtask interop`: the `cryptography` package, with OpenSSL inside.

Reads requests, one JSON object a line, and answers each with a line: {"done": {...}}, or
{"refused": "..."} when the package refused what it was given. Bytes are hexadecimal. Anything else
that goes wrong is an error of this script, and ends it.
"""

import datetime
import json
import sys

import cryptography
from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.backends.openssl import backend
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import mldsa
from cryptography.hazmat.primitives.serialization import Encoding

PRIVATE = {
    "ML-DSA-44": mldsa.MLDSA44PrivateKey,
    "ML-DSA-65": mldsa.MLDSA65PrivateKey,
    "ML-DSA-87": mldsa.MLDSA87PrivateKey,
}
PUBLIC = {
    "ML-DSA-44": mldsa.MLDSA44PublicKey,
    "ML-DSA-65": mldsa.MLDSA65PublicKey,
    "ML-DSA-87": mldsa.MLDSA87PublicKey,
}


def set_of(key, classes):
    return next(name for name, kind in classes.items() if isinstance(key, kind))


def describe(public):
    return {"public": public.public_bytes_raw(), "set": set_of(public, PUBLIC)}


def describe_private(key):
    assert set_of(key, PRIVATE) == set_of(key.public_key(), PUBLIC)
    return {"seed": key.private_bytes_raw(), **describe(key.public_key())}


def signer(set, seed):
    return PRIVATE[set].from_seed_bytes(seed)


def verifier(set, public):
    return PUBLIC[set].from_public_bytes(public)


def version():
    openssl = backend.openssl_version_text()
    return {"text": f"cryptography {cryptography.__version__}, {openssl}".encode()}


def generate(set):
    return describe_private(PRIVATE[set].generate())


def read_private(pem=None, der=None, password=None):
    if pem is not None:
        return describe_private(serialization.load_pem_private_key(pem, password))
    return describe_private(serialization.load_der_private_key(der, password))


def read_seed(set, seed):
    return describe_private(signer(set, seed))


def write_private(set, seed, password):
    def write(encoding, encryption):
        pkcs8 = serialization.PrivateFormat.PKCS8
        return signer(set, seed).private_bytes(encoding, pkcs8, encryption)

    plain = serialization.NoEncryption()
    locked = serialization.BestAvailableEncryption(password)
    return {
        "pem": write(Encoding.PEM, plain),
        "der": write(Encoding.DER, plain),
        "locked": write(Encoding.PEM, locked),
    }


def read_public(pem=None, der=None):
    if pem is not None:
        return describe(serialization.load_pem_public_key(pem))
    return describe(serialization.load_der_public_key(der))


def read_public_raw(set, public):
    return describe(verifier(set, public))


def write_public(set, public):
    def write(encoding):
        form = serialization.PublicFormat.SubjectPublicKeyInfo
        return verifier(set, public).public_bytes(encoding, form)

    return {"pem": write(Encoding.PEM), "der": write(Encoding.DER)}


def sign(set, seed, message, context=None):
    return {"signature": signer(set, seed).sign(message, context)}


def sign_mu(set, seed, mu):
    return {"signature": signer(set, seed).sign_mu(mu)}


def verify(set, public, message, signature, context=None):
    verifier(set, public).verify(signature, message, context)
    return {}


def verify_mu(set, public, mu, signature):
    verifier(set, public).verify_mu(signature, mu)
    return {}


def mu(set, public, head, tail, context=None):
    hasher = mldsa.MLDSAMuHasher(verifier(set, public), context)
    hasher.update(head)
    hasher.update(tail)
    return {"mu": hasher.finalize()}


def name(common_name):
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, common_name)])


def issue(set, seed, public=None):
    """A certificate: for another key of the set, or for its own."""
    key = signer(set, seed)
    now = datetime.datetime.now(datetime.timezone.utc)
    subject = key.public_key() if public is None else verifier(set, public)
    certificate = (
        x509.CertificateBuilder()
        .issuer_name(name("issuer"))
        .subject_name(name("issuer" if public is None else "subject"))
        .public_key(subject)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now)
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(public is None, None), critical=True)
        .sign(key, None)
    )
    return {"der": certificate.public_bytes(Encoding.DER)}


def check_certificate(certificate, issuer):
    certificate = x509.load_der_x509_certificate(certificate)
    certificate.verify_directly_issued_by(x509.load_der_x509_certificate(issuer))
    return describe(certificate.public_key())


def request(set, seed):
    builder = x509.CertificateSigningRequestBuilder().subject_name(name("subject"))
    names = x509.SubjectAlternativeName([x509.DNSName("example.org")])
    request = builder.add_extension(names, critical=False).sign(signer(set, seed), None)
    return {"der": request.public_bytes(Encoding.DER)}


def check_request(request):
    request = x509.load_der_x509_csr(request)
    if not request.is_signature_valid:
        raise InvalidSignature
    return describe(request.public_key())


OPERATIONS = [
    version,
    generate,
    read_private,
    read_seed,
    write_private,
    read_public,
    read_public_raw,
    write_public,
    sign,
    sign_mu,
    verify,
    verify_mu,
    mu,
    issue,
    check_certificate,
    request,
    check_request,
]
OPERATIONS = {operation.__name__: operation for operation in OPERATIONS}

for line in sys.stdin:
    arguments = json.loads(line)
    operation = OPERATIONS[arguments.pop("do")]
    for key, value in arguments.items():
        if key != "set" and value is not None:
            arguments[key] = bytes.fromhex(value)
    try:
        done = operation(**arguments)
    except (InvalidSignature, UnsupportedAlgorithm, ValueError) as error:
        answer = {"refused": f"{type(error).__name__} {error}".strip()}
    else:
        hexed = {k: v.hex() if isinstance(v, bytes) else v for k, v in done.items()}
        answer = {"done": hexed}
    print(json.dumps(answer), flush=True)
