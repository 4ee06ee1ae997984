#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tercet_fuzz::invariants::readers::roles(text));
