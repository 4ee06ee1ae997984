//! Makes a sentence from a text and the positions of its words.
//!
//! Words of a multiword token get a line for the token. `SpaceAfter=No` is set where the next token follows without
//! white space, never on the last token, which is followed by a line end. `# text` has one space for any white space,
//! so that it equals [`Sentence::surface`].

use super::row::{Column, Row};
use super::sentence::Sentence;
use crate::text::UdWord;

impl Sentence {
    /// A sentence of these words of a text, with `# sent_id` and `# text`, every other column `_`. The words are in
    /// order and do not overlap; one that [continues](UdWord::continues) forms a multiword token with the one before
    /// it.
    pub fn from_text(name: &str, text: &str, words: &[UdWord]) -> Self {
        let mut sentence = Sentence::new([]);
        sentence.push_comment("sent_id", name);
        let mut first = 0;
        while first < words.len() {
            let length = 1 + words[first + 1..].iter().take_while(|word| word.continues).count();
            let next = words.get(first + length);
            let glued = next.is_some_and(|next| next.start == words[first + length - 1].end);
            sentence.push_token(text, &words[first..first + length], glued);
            first += length;
        }
        let surface = sentence.surface();
        sentence.push_comment("text", &surface);
        sentence
    }

    fn push_token(&mut self, text: &str, words: &[UdWord], glued: bool) {
        let first = self.len() + 1;
        let misc = |mut row: Row, glued: bool| {
            if glued {
                row.set(Column::Misc, "SpaceAfter=No").expect("a value without tabs");
            }
            row
        };
        if words.len() > 1 {
            let form = &text[words[0].start..words[words.len() - 1].end];
            self.rows.push(misc(Row::made_range(first, first + words.len() - 1, form), glued));
        }
        for (number, word) in words.iter().enumerate() {
            let row = Row::made(first + number, &text[word.start..word.end]);
            self.words.push(self.rows.len());
            self.rows.push(misc(row, glued && words.len() == 1));
        }
    }
}
