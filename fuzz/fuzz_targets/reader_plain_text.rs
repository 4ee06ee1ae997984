#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    tercet_fuzz::invariants::readers::plain_text(bytes);
});
