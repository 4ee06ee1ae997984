#![no_main]

use tercet_fuzz::invariants::readers;

libfuzzer_sys::fuzz_target!(|text: &str| readers::language(text));
