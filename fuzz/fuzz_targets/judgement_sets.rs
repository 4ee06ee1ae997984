#![no_main]

use tercet_fuzz::invariants::judgements;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judgements::found(&tercet_fuzz::scratch_file(), bytes));
