#![no_main]

use tercet_fuzz::invariants::judgements;

libfuzzer_sys::fuzz_target!(|input: (Option<&[u8]>, &[u8])| judgements::da_tables(input.1, input.0));
