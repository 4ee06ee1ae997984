//! A sentence of a CoNLL-U file: comments, then lines.
//!
//! Made from a text and the positions of its words, words of a multiword token get a line for the token.
//! `SpaceAfter=No` is set where the next token follows without white space, never on the last token, which is followed
//! by a line end. `# text` has one space for any white space, so that it equals [`Sentence::surface`].

use super::row::{ConlluColumn, Ending, Id, Row};
use crate::error::{Error, Result};
use crate::parse::DependencyTree;
use crate::text::UdWord;

/// A sentence with everything that is in the file, so that it can be written back byte for byte.
#[derive(Clone, Debug)]
pub struct Sentence {
    pub(super) comments: Vec<(String, Ending)>,
    pub(super) rows: Vec<Row>,
    /// Which rows are words.
    pub(super) words: Vec<usize>,
    /// The empty lines after the sentence, with their line ends.
    pub(super) after: String,
}

impl Sentence {
    /// A new sentence of these words, every other column `_`.
    pub fn new<'a>(forms: impl IntoIterator<Item = &'a str>) -> Self {
        let rows: Vec<Row> = forms.into_iter().enumerate().map(|(i, form)| Row::made(i + 1, form)).collect();
        let words = (0..rows.len()).collect();
        Sentence { comments: Vec::new(), rows, words, after: "\n".to_owned() }
    }

    /// The comments in order, each with its `#`.
    pub fn comments(&self) -> impl ExactSizeIterator<Item = &str> {
        self.comments.iter().map(|(text, _)| text.as_str())
    }

    /// The value of the first comment `# key = value` with this key.
    pub fn comment(&self, key: &str) -> Option<&str> {
        let entries = self.comments().filter_map(|comment| comment[1..].split_once('='));
        entries.map(|(name, value)| (name.trim(), value.trim())).find(|(name, _)| *name == key).map(|(_, value)| value)
    }

    /// The value of `# sent_id`.
    pub fn sent_id(&self) -> Option<&str> {
        self.comment("sent_id")
    }

    /// The value of `# text`. [`surface`](Self::surface) computes the text from the tokens.
    pub fn text(&self) -> Option<&str> {
        self.comment("text")
    }

    /// Adds a comment `# key = value` after the existing ones. Line ends in it become spaces.
    pub fn push_comment(&mut self, key: &str, value: &str) {
        let comment = format!("# {key} = {value}").replace(['\n', '\r'], " ");
        let ending = self.rows.first().map_or(Ending::LineFeed, |row| row.ending);
        let ending = if ending == Ending::Missing { Ending::LineFeed } else { ending };
        self.comments.push((comment, ending));
    }

    /// All lines in order: words, multiword tokens, empty nodes.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// How many words there are, without multiword tokens and empty nodes.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// A word, from 0.
    pub fn word(&self, index: usize) -> &Row {
        &self.rows[self.words[index]]
    }

    /// The words in order.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &Row> {
        self.words.iter().map(|&row| &self.rows[row])
    }

    /// The tokens of the text: multiword tokens, and the words that are in none, each with the indices (from 0) of its
    /// words.
    pub fn tokens(&self) -> impl Iterator<Item = (&Row, std::ops::Range<usize>)> {
        let mut covered = 0;
        self.rows.iter().filter_map(move |row| match row.id() {
            Id::Range(first, last) => {
                covered = last;
                Some((row, first - 1..last))
            }
            Id::Word(word) if word > covered => Some((row, word - 1..word)),
            _ => None,
        })
    }

    /// The text made of the tokens: one space after each except the last and those with `SpaceAfter=No`.
    pub fn surface(&self) -> String {
        let mut text = String::new();
        let mut space = false;
        for (token, _) in self.tokens() {
            if space {
                text.push(' ');
            }
            text.push_str(token.form());
            space = token.space_after();
        }
        text
    }

    /// Sets a column of a word, counted from 0. A head must be in the sentence; ids cannot be changed.
    pub fn set(&mut self, word: usize, column: ConlluColumn, value: &str) -> Result<()> {
        match column {
            ConlluColumn::Id => {
                Err(Error::BadRequest("the id of a word in a CoNLL-U sentence cannot be changed".to_owned()))
            }
            ConlluColumn::Head if value != "_" => {
                let head = value.parse().map_err(|_| Error::BadRequest(format!("a head cannot be `{value}`")))?;
                self.set_head(word, Some(head))
            }
            _ => self.rows[self.words[word]].set(column, value),
        }
    }

    /// Sets the universal part of speech of a word, counted from 0.
    pub fn set_upos(&mut self, word: usize, tag: &str) -> Result<()> {
        self.set(word, ConlluColumn::Upos, tag)
    }

    /// Sets the treebank's part of speech of a word, counted from 0.
    pub fn set_xpos(&mut self, word: usize, tag: &str) -> Result<()> {
        self.set(word, ConlluColumn::Xpos, tag)
    }

    /// Sets the head of a word, counted from 0, to an id: words from 1, the root 0; `None` writes `_`.
    pub fn set_head(&mut self, word: usize, head: Option<usize>) -> Result<()> {
        let Some(head) = head else {
            return self.rows[self.words[word]].set(ConlluColumn::Head, "_");
        };
        if head > self.len() {
            return Err(Error::BadRequest(head_is_not_there(word + 1, head, self.len())));
        }
        self.rows[self.words[word]].set(ConlluColumn::Head, &head.to_string())
    }

    /// Sets the relation of a word, counted from 0.
    pub fn set_deprel(&mut self, word: usize, label: &str) -> Result<()> {
        self.set(word, ConlluColumn::Deprel, label)
    }

    /// Sets all heads and relations. Enhanced dependencies of words (DEPS), which no longer fit the heads, become `_`;
    /// empty nodes are not changed.
    pub fn set_tree(&mut self, tree: &DependencyTree) -> Result<()> {
        if tree.len() != self.len() {
            return Err(Error::BadRequest(format!(
                "a tree of {} words cannot be put on a sentence of {}",
                tree.len(),
                self.len()
            )));
        }
        for word in 0..self.len() {
            self.set_head(word, Some(tree.head(word)))?;
            self.set_deprel(word, tree.label(word))?;
            self.set(word, ConlluColumn::Deps, "_")?;
        }
        Ok(())
    }

    pub(super) fn write(&self, text: &mut String) {
        for (comment, ending) in &self.comments {
            text.push_str(comment);
            text.push_str(ending.as_str());
        }
        for row in &self.rows {
            text.push_str(row.text());
            text.push_str(row.ending.as_str());
        }
        text.push_str(&self.after);
    }
}

pub(super) fn head_is_not_there(word: usize, head: usize, words: usize) -> String {
    format!("the head of word {word} is {head}, but the sentence ends with word {words} (0 is the root, `_` no head)")
}

impl std::fmt::Display for Sentence {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = String::new();
        self.write(&mut text);
        formatter.write_str(&text)
    }
}

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
                row.set(ConlluColumn::Misc, "SpaceAfter=No").expect("a value without tabs");
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
