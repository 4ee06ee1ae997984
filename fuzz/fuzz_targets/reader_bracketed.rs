#![no_main]

use tercet_fuzz::invariants::trees;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trees::bracketed(bytes));
