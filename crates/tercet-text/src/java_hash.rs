//! Java's `String.hashCode`, which METEOR compares instead of words.

/// Σ cᵢ · 31^(n−1−i) over UTF-16 units, in 32 bits with overflow.
pub fn java_hash(text: &str) -> i32 {
    let step = |hash: i32, unit: u16| hash.wrapping_mul(31).wrapping_add(i32::from(unit));
    if text.is_ascii() {
        return text.bytes().fold(0, |hash, byte| step(hash, u16::from(byte)));
    }
    text.encode_utf16().fold(0, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_java() {
        // Printed by Java 17; `Aa` and `BB` are a well-known collision.
        assert_eq!(java_hash(""), 0);
        assert_eq!((java_hash("Aa"), java_hash("BB")), (2112, 2112));
        assert_eq!(java_hash("\u{1f600}"), 0xd83d * 31 + 0xde00);
    }
}
