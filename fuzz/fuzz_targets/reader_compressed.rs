#![no_main]

use tercet_fuzz::invariants::readers;
use tercet_fuzz::scratch_folder;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| readers::compressed(&scratch_folder(), bytes));
