//! Sentences of texts and of CoNLL-U files, block by block.

use crate::output::{Misuse, note};
use crate::progress::waiting_for_input;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use tercet::corpora::LineStream;
use tercet::parse::conllu::{Conllu, Sentence};
use tercet::text::Scratch;
use tercet::text::{Tokenizer, UdWord, split, ud_english, ud_english_sentences};

/// Maximum number of sentences in a block.
const SENTENCES: usize = 2048;

/// A block ends after the sentence that reaches this many bytes.
const BYTES: usize = 1 << 20;

/// Splits text into sentences of words.
pub struct Cut {
    tokenizer: Tokenizer,
    split: bool,
    keeps_empty: bool,
}

impl Cut {
    /// `tokenizer` is a name; `split`: split lines into sentences.
    pub fn new(tokenizer: &str, split: bool) -> tercet::Result<Self> {
        Ok(Cut { tokenizer: Tokenizer::from_name(tokenizer)?, split, keeps_empty: false })
    }

    /// The same, but a line without words is a sentence without words.
    pub fn keeping_empty_lines(self) -> Self {
        Cut { keeps_empty: true, ..self }
    }

    /// Whether lines are split into sentences.
    pub fn splits(&self) -> bool {
        self.split
    }

    /// Whether words are substrings of the text, so that they can be aligned with it.
    pub fn keeps_letters(&self) -> bool {
        matches!(self.tokenizer, Tokenizer::UdEnglish | Tokenizer::None)
    }

    /// The sentences of a line; `name` is the prefix of their names. None if it has no words, unless empty lines are kept.
    pub fn line(&self, line: &str, name: &str) -> Vec<Sentence> {
        let places = if self.split { ud_english_sentences(line) } else { Vec::new() };
        let named = places.into_iter().enumerate();
        let mut sentences: Vec<Sentence> =
            named.map(|(i, place)| self.sentence(&line[place], &format!("{name}-{}", i + 1))).collect();
        sentences.retain(|sentence| !sentence.is_empty());
        if sentences.is_empty() {
            let sentence = self.sentence(line, name);
            sentences.extend((self.keeps_empty || !sentence.is_empty()).then_some(sentence));
        }
        sentences
    }

    fn sentence(&self, line: &str, name: &str) -> Sentence {
        let mut words = Vec::new();
        match self.tokenizer {
            Tokenizer::UdEnglish => ud_english(line, &mut words),
            Tokenizer::None => words.extend(split(line).map(|word| place_of(line, word))),
            tokenizer => return tokenized(tokenizer, line, name),
        }
        Sentence::from_text(name, line, &words)
    }
}

fn place_of(line: &str, word: &str) -> UdWord {
    let start = word.as_ptr() as usize - line.as_ptr() as usize;
    UdWord { start, end: start + word.len(), continues: false }
}

/// Other tokenizers change letters, so their words are not substrings of the line: the text is the tokens joined by spaces.
fn tokenized(tokenizer: Tokenizer, line: &str, name: &str) -> Sentence {
    let mut tokens = String::new();
    tokenizer.tokenize_into(line, &mut Scratch::default(), &mut tokens);
    let text = tokenizer.tokens(&tokens).collect::<Vec<_>>().join(" ");
    let words: Vec<UdWord> =
        text.split(' ').filter(|word| !word.is_empty()).map(|word| place_of(&text, word)).collect();
    Sentence::from_text(name, &text, &words)
}

/// Reads sentences from several files in turn.
pub struct Source<'a> {
    files: &'a [PathBuf],
    conllu: bool,
    quiet: bool,
    /// The file that is being read.
    open: Option<LineStream>,
    next: usize,
}

impl<'a> Source<'a> {
    pub fn new(files: &'a [PathBuf], conllu: bool, quiet: bool) -> Self {
        Source { files, conllu, quiet, open: None, next: 0 }
    }

    /// The next block of sentences, all from one file; `None` at the end.
    pub fn next_block(&mut self, cut: &Cut) -> anyhow::Result<Option<Conllu>> {
        loop {
            let Some(lines) = &mut self.open else {
                let Some(path) = self.files.get(self.next) else { return Ok(None) };
                self.next += 1;
                announce(path, self.quiet);
                self.open = Some(waiting_for_input(|| LineStream::open(path))?);
                continue;
            };
            let prefix = if self.files.len() > 1 {
                format!("{}:", self.files[self.next - 1].display())
            } else {
                String::new()
            };
            let block = waiting_for_input(|| {
                if self.conllu { conllu_block(lines) } else { text_block(lines, cut, &prefix) }
            })?;
            match block {
                Some(block) => return Ok(Some(block)),
                None => self.open = None,
            }
        }
    }
}

/// Sentences of lines of text.
fn text_block(lines: &mut LineStream, cut: &Cut, prefix: &str) -> tercet::Result<Option<Conllu>> {
    let (mut sentences, mut bytes, mut line) = (Vec::new(), 0, String::new());
    while sentences.len() < SENTENCES && bytes < BYTES {
        if !lines.next_line(&mut line)? {
            return Ok((!sentences.is_empty()).then(|| Conllu::new(sentences)));
        }
        bytes += line.len();
        let mut text = line.strip_suffix('\n').unwrap_or(&line);
        if lines.line_number() == 1 {
            text = text.strip_prefix('\u{feff}').unwrap_or(text); // a byte order mark is not part of a word
        }
        sentences.extend(cut.line(text, &format!("{prefix}{}", lines.line_number())));
    }
    Ok(Some(Conllu::new(sentences)))
}

/// Whole sentences of a CoNLL-U file, with everything between them.
fn conllu_block(lines: &mut LineStream) -> tercet::Result<Option<Conllu>> {
    let first = lines.line_number() + 1;
    let (mut text, mut line, mut sentences) = (String::new(), String::new(), 0);
    while lines.next_line(&mut line)? {
        text.push_str(&line);
        sentences += usize::from(line.trim_end_matches(['\n', '\r']).is_empty());
        let ended = line == "\n" || line == "\r\n";
        if ended && (sentences >= SENTENCES || text.len() >= BYTES) {
            break;
        }
    }
    if text.is_empty() {
        return Ok(None);
    }
    Conllu::part(lines.path(), &text, first).map(Some)
}

/// Returns an error if standard input is named twice.
pub fn check_stdin(files: &[PathBuf]) -> Result<(), Misuse> {
    if files.iter().filter(|path| is_stdin(path)).count() > 1 {
        return Err(Misuse("standard input (-) is named more than once".to_owned()));
    }
    Ok(())
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Prints a message when waiting for input from a terminal.
pub fn announce(path: &Path, quiet: bool) {
    if is_stdin(path) && std::io::stdin().is_terminal() && !quiet {
        note("reading text from the terminal; end with Ctrl-D");
    }
}
