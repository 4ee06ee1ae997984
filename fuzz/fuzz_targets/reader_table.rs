#![no_main]

use tercet_fuzz::invariants::readers;

libfuzzer_sys::fuzz_target!(|input: (bool, &[u8])| readers::table(input.1, input.0));
