#![no_main]

use tercet_fuzz::invariants::readers;

libfuzzer_sys::fuzz_target!(|input: (u8, &[u8])| readers::references(input.1, usize::from(input.0 % 8) + 1));
