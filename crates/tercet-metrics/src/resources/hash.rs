//! Short hashes for signatures: the first eight hexadecimal digits of the SHA-256.

use crate::cache::hexadecimal;
use sha2::{Digest, Sha256};

/// The first eight hexadecimal digits of the SHA-256 of these bytes.
pub fn hash(bytes: &[u8]) -> String {
    hash_all(&[bytes])
}

/// The hash of several pieces, one after another.
pub(super) fn hash_all(pieces: &[&[u8]]) -> String {
    let mut digest = Sha256::new();
    pieces.iter().for_each(|piece| digest.update(piece));
    hexadecimal(&digest.finalize()[..4])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_sha256() {
        assert_eq!(hash(b""), "e3b0c442");
        assert_eq!(hash(b"abc"), "ba7816bf");
    }

    #[test]
    fn the_hash_of_pieces_is_that_of_the_whole() {
        assert_eq!(hash_all(&[b"a", b"", b"bc"]), hash(b"abc"));
    }
}
