#![no_main]

use tercet_fuzz::invariants::mqm;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| mqm::metric_scores(bytes));
