#![no_main]

use tercet_fuzz::invariants::judgements;

libfuzzer_sys::fuzz_target!(|input: (Option<&[u8]>, Option<&[u8]>)| judgements::da_scores(input.0, input.1));
