#![no_main]

use tercet_fuzz::invariants::tokenizers;

libfuzzer_sys::fuzz_target!(|input: (&[u8], &str)| tokenizers::mecab(input.0, input.1));
