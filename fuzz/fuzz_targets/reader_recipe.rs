#![no_main]

use tercet_fuzz::invariants::recipes;
use tercet_fuzz::scratch_folder;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| recipes::recipe(&scratch_folder(), bytes));
