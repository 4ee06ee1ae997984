#![no_main]

libfuzzer_sys::fuzz_target!(|line: &str| tercet_fuzz::invariants::tokenizers::tokenizer("rouge", line));
