//! `13a`: sacreBLEU's version of mteval-v13a's tokenizer (NIST, 2009), the default of published BLEU scores.
//!
//! # Agreement
//! Equal to sacreBLEU 2.6.0's `13a`. mteval-v13a itself does more to Unicode and SGML: that is `mteval`.

use super::punctuation::{LineEnds, separate};
use super::tokenizer::Scratch;
use super::whitespace::PYTHON;

pub(super) fn tokenize(line: &str, scratch: &mut Scratch, tokens: &mut String) {
    if memchr::memchr3(b'<', b'&', b'\n', line.as_bytes()).is_some() {
        separate(&unescape(line), LineEnds::Spaces, &PYTHON, scratch, tokens);
    } else {
        separate(line, LineEnds::Spaces, &PYTHON, scratch, tokens);
    }
}

/// Removes SGML: skipped passages, line ends, the four entities.
fn unescape(line: &str) -> String {
    let line = line.replace("<skipped>", "").replace("-\n", "").replace('\n', " ");
    line.replace("&quot;", "\"").replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
}

#[cfg(test)]
mod tests {
    use crate::Tokenizer;

    #[test]
    fn stops_and_dashes_split_by_their_neighbours() {
        // Printed by sacreBLEU 2.6.0.
        for (line, tokens) in [
            ("Hello, world!", "Hello , world !"),
            ("It cost 1,000.50 - or 7-8.", "It cost 1,000.50 - or 7 - 8 ."),
            ("a..b a...b", "a . . b a . . . b"),
            ("&lt;b&gt; &amp;quot; <skipped>x", "< b > & quot ; x"),
            ("don't [x] {y} 3.", "don't [ x ] { y } 3 ."),
        ] {
            assert_eq!(Tokenizer::V13a.tokenize(line), tokens, "{line}");
        }
    }
}
