#![no_main]

use tercet_fuzz::invariants::judgements;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judgements::mlqe(bytes));
