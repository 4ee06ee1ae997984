#![no_main]

use tercet_fuzz::invariants::judgements;

libfuzzer_sys::fuzz_target!(|input: (bool, [Option<&[u8]>; 6])| judgements::aligned(input.1, input.0));
