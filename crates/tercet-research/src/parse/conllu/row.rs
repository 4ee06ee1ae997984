//! One line of a sentence: ten tab-separated columns, kept as written.

use crate::error::{Error, Result};

/// The ten columns, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConlluColumn {
    /// Number of a word, range of a multiword token, or decimal of an empty node.
    Id,
    /// The word as written.
    Form,
    /// The lemma.
    Lemma,
    /// Universal part of speech.
    Upos,
    /// Part of speech of the treebank.
    Xpos,
    /// Morphological features.
    Feats,
    /// The id of the head, 0 for the root, `_` for none.
    Head,
    /// The relation to the head.
    Deprel,
    /// Enhanced dependencies.
    Deps,
    /// Other annotations, for example `SpaceAfter=No`.
    Misc,
}

/// How many columns a line has.
const COLUMNS: usize = 10;

/// The id of a line, which tells what the line describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Id {
    /// A word, from 1.
    Word(usize),
    /// A multiword token, from its first word to its last: `3-4`.
    Range(usize, usize),
    /// An empty node of the enhanced graph: `8.1` is the first after word 8.
    Empty(usize, usize),
}

/// How a line ended in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    LineFeed,
    CarriageReturn,
    Missing,
}

/// A word, a multiword token or an empty node.
#[derive(Clone, Debug)]
pub struct Row {
    id: Id,
    text: String,
    /// Where the tabs are.
    tabs: [usize; COLUMNS - 1],
    /// The line of the file, from 1; 0 if it was not read.
    pub(crate) line: usize,
    pub(super) ending: Ending,
}

impl Ending {
    /// The line without its end, and the end.
    pub(super) fn split(line: &str) -> (&str, Ending) {
        match line.strip_suffix('\n') {
            None => (line, Ending::Missing),
            Some(rest) => match rest.strip_suffix('\r') {
                None => (rest, Ending::LineFeed),
                Some(rest) => (rest, Ending::CarriageReturn),
            },
        }
    }

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Ending::LineFeed => "\n",
            Ending::CarriageReturn => "\r\n",
            Ending::Missing => "",
        }
    }
}

impl Row {
    /// Parses a line without its line end; the error says what is wrong.
    pub(super) fn parse(text: &str, line: usize, ending: Ending) -> Result<Self, String> {
        let Some(tabs) = tabs_of(text) else {
            let found = text.matches('\t').count() + 1;
            let hint = if found == 1 { " (an empty line ends a sentence, tabs separate columns)" } else { "" };
            return Err(format!("expected {COLUMNS} tab-separated columns, found {found}{hint}"));
        };
        let id = Id::parse(&text[..tabs[0]])
            .ok_or_else(|| format!("expected an id such as 3, 3-4 or 3.1, found `{}`", &text[..tabs[0]]))?;
        let row = Row { id, text: text.to_owned(), tabs, line, ending };
        if row.form().is_empty() {
            return Err("the second column, FORM, is empty (write `_` for a word that is not there)".to_owned());
        }
        if let Id::Word(_) = id {
            row.checked_head()?;
        }
        Ok(row)
    }

    /// A word with only its form; tabs and line ends in it become spaces.
    pub(super) fn made(id: usize, form: &str) -> Self {
        Row::made_with(&id.to_string(), id, form)
    }

    fn made_with(written: &str, id: usize, form: &str) -> Self {
        let form = if form.is_empty() { "_".to_owned() } else { form.replace(['\t', '\n', '\r'], " ") };
        let text = format!("{written}\t{form}\t_\t_\t_\t_\t_\t_\t_\t_");
        let tabs = tabs_of(&text).expect("ten columns were written");
        Row { id: Id::Word(id), text, tabs, line: 0, ending: Ending::LineFeed }
    }

    /// A multiword token of these words, counted from 1.
    pub(super) fn made_range(first: usize, last: usize, form: &str) -> Self {
        Row { id: Id::Range(first, last), ..Row::made_with(&format!("{first}-{last}"), first, form) }
    }

    /// The id of the line.
    pub fn id(&self) -> Id {
        self.id
    }

    /// A column as written.
    pub fn column(&self, column: ConlluColumn) -> &str {
        let (start, end) = self.place(column);
        &self.text[start..end]
    }

    /// The whole line, without its end.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The word as written.
    pub fn form(&self) -> &str {
        self.column(ConlluColumn::Form)
    }

    /// The universal part of speech.
    pub fn upos(&self) -> &str {
        self.column(ConlluColumn::Upos)
    }

    /// The part of speech of the treebank.
    pub fn xpos(&self) -> &str {
        self.column(ConlluColumn::Xpos)
    }

    /// The id of the head, 0 for the root; `None` where the column is `_`.
    pub fn head(&self) -> Option<usize> {
        self.column(ConlluColumn::Head).parse().ok()
    }

    /// The relation to the head.
    pub fn deprel(&self) -> &str {
        self.column(ConlluColumn::Deprel)
    }

    /// Whether a space follows in the text: false if MISC has `SpaceAfter=No`.
    pub fn space_after(&self) -> bool {
        !self.column(ConlluColumn::Misc).split('|').any(|entry| entry == "SpaceAfter=No")
    }

    /// Sets a column.
    pub(super) fn set(&mut self, column: ConlluColumn, value: &str) -> Result<()> {
        if value.is_empty() || value.contains(['\t', '\n', '\r']) {
            return Err(Error::BadRequest(format!(
                "column {column:?} of a CoNLL-U line cannot be {value:?} (write `_` for nothing; no tabs, no line ends)"
            )));
        }
        let (start, end) = self.place(column);
        self.text.replace_range(start..end, value);
        self.tabs = tabs_of(&self.text).expect("no tab was added or lost");
        Ok(())
    }

    fn place(&self, column: ConlluColumn) -> (usize, usize) {
        let column = column as usize;
        let start = if column == 0 { 0 } else { self.tabs[column - 1] + 1 };
        (start, self.tabs.get(column).copied().unwrap_or(self.text.len()))
    }

    fn checked_head(&self) -> Result<(), String> {
        let head = self.column(ConlluColumn::Head);
        if head == "_" || number(head).is_some() {
            return Ok(());
        }
        Err(format!("the seventh column, HEAD, is `{head}`: expected the id of a word, 0 for the root or `_`"))
    }
}

impl Id {
    fn parse(text: &str) -> Option<Id> {
        if let Some((first, last)) = text.split_once('-') {
            return Some(Id::Range(number(first)?, number(last)?));
        }
        if let Some((word, place)) = text.split_once('.') {
            return Some(Id::Empty(number(word)?, number(place)?));
        }
        number(text).map(Id::Word)
    }
}

/// A whole number without sign or leading zero.
fn number(text: &str) -> Option<usize> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text.len() == 1 || !text.starts_with('0'));
    if plain { text.parse().ok() } else { None }
}

fn tabs_of(text: &str) -> Option<[usize; COLUMNS - 1]> {
    let mut tabs = [0; COLUMNS - 1];
    let mut found = memchr::memchr_iter(b'\t', text.as_bytes());
    for tab in &mut tabs {
        *tab = found.next()?;
    }
    found.next().is_none().then_some(tabs)
}
