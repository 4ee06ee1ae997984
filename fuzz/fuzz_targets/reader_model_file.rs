#![no_main]

use tercet_fuzz::invariants::recipes;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| recipes::model_file(bytes));
