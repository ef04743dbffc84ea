//! The pinned digests: the first 32 bytes of SHAKE256, in hex, of what RustCrypto's `ml-dsa` 0.1.2
//! gave for the seed whose bytes are 0 to 31. A file of its own, since firmware checks them, too.

pub(crate) struct Golden {
    pub(crate) public: &'static str,
    pub(crate) expanded: &'static str,
    /// The deterministic signature of the empty message, and of [`MESSAGE`] in [`CONTEXT`].
    pub(crate) empty: &'static str,
    pub(crate) in_context: &'static str,
    /// [`MESSAGE`] in [`CONTEXT`], hedged with rnd = seed.
    pub(crate) hedged: &'static str,
}

pub(crate) const MESSAGE: &[u8] = b"a message that is signed again in every version";
pub(crate) const CONTEXT: &[u8] = b"golden";

pub(crate) const ML_DSA_44: Golden = Golden {
    public: "329a07b1fabb48f52a309f11a1898f848e2322ffe623ec810db3bee33685854a",
    expanded: "eaa4bd0a7064e1aef9623bfa4c0209a98884f08558bbe934daefb16a049ba28a",
    empty: "45c111fdcc6aae3918bd4b6c76e733462a0ef7519d8f0166faa4a63a95e4ed0c",
    in_context: "2b67d284496e2f5e1ab962e0bf6ee562d5085e8ce9c409a551cc4d6a3bae2367",
    hedged: "9890da27bcc02e0d5d35c6f0f8f9febb77ff5e5c947eda614cfc6e4222ad42dd",
};

pub(crate) const ML_DSA_65: Golden = Golden {
    public: "1b0563e3cd3346149c8c9ebcf23b0a4e5a900eea9c6562790a7c63e38663daa2",
    expanded: "fe87058d582b89a47bb18b7ad9fd2636e2c18af0390c7ad6101aa6f78b1ee94e",
    empty: "d27e42e37f976d25b0821fea9e17e7a342c42851d4c994f4b6d163d0de3b4b33",
    in_context: "a3ddcb5e2b591de3418a21419a86611daee4c34b8c31d6b841a2f953c13b018b",
    hedged: "9ee16170d3eb4ffc0ac277f18fb034acf3f6cf65dca7fd7a4c8253eefbba0dce",
};

pub(crate) const ML_DSA_87: Golden = Golden {
    public: "89886750b57c24db3fc012e61ede59753337374fa7124991549af243496d0637",
    expanded: "c06933a362a7d0da2279a3d70edb9acc560703d534f5722f54e2c8c418311d42",
    empty: "badd826f02b5972a96eafa1e95cc32ec93326ebbcc03b91ecdc12847daba89fb",
    in_context: "b28a49004e4306009e77f3c2038fc96c9e97a0de14106676a33db19973c8f399",
    hedged: "5427a447c9cda6fa1a6367217e05577735917daaa82e8ae903fed7db060ad906",
};
