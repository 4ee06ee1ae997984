#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tercet_fuzz::invariants::metrics::any_spec_is_built_or_refused(text));
