#![no_main]

libfuzzer_sys::fuzz_target!(|line: &str| tercet_fuzz::invariants::tokenizers::tokenizer("mteval-intl+nonascii", line));
