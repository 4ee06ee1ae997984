//! Whether lines are in another language or another script than expected, as two digits a line: features of the
//! siamese metric.
//!
//! `cargo run --release -p tercet-text --example language_flags < LINES > FLAGS`; a line is the code of the expected
//! language, a tab and the text.

use std::io::{self, BufRead, Write};
use tercet_text::{Language, Script, other_language};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    const MIN_LETTERS: usize = 20;
    let mut output = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (code, text) = line.split_once('\t').ok_or("a line has no tab")?;
        let expected = Language::target(code)?;
        let script = Script::main([text].into_iter(), MIN_LETTERS);
        let own = Script::of_language(expected.code());
        let other_script = own.zip(script).is_some_and(|(own, found)| own != found);
        let language = other_language(text, &expected).is_some();
        writeln!(output, "{}{}", u8::from(language), u8::from(other_script))?;
    }
    Ok(())
}
