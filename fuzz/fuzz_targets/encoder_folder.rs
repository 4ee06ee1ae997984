#![no_main]

use tercet_fuzz::invariants::encoders;
use tercet_fuzz::scratch_folder;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| encoders::encoder_folder(&scratch_folder(), bytes));
