#![no_main]

use tercet_fuzz::invariants::parser_models;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    parser_models::any_bytes(bytes);
    if let [which, how, text @ ..] = bytes {
        parser_models::changed(usize::from(*which), usize::from(*how), &String::from_utf8_lossy(text));
    }
});
