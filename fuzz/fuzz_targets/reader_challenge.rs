#![no_main]

use tercet_fuzz::invariants::readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| readers::challenge_sets(bytes));
