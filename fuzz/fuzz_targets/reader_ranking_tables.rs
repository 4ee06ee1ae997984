#![no_main]

use tercet_fuzz::invariants::judgements;

libfuzzer_sys::fuzz_target!(|parts: [Option<&[u8]>; 4]| judgements::ranking_tables(parts));
