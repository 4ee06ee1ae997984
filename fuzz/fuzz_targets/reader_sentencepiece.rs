#![no_main]

use tercet_fuzz::invariants::tokenizers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tokenizers::sentencepiece(bytes, "The letter は 今日 ﬁne zzzz."));
