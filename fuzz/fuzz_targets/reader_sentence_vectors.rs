#![no_main]

use tercet_fuzz::invariants::vectors;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| vectors::precomputed(bytes));
