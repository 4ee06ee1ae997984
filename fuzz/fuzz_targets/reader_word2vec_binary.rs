#![no_main]

use tercet::vectors::Format;
use tercet_fuzz::invariants::vectors;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| vectors::word_vectors(bytes, Some(Format::Word2VecBinary)));
