//! Sentences of texts and of CoNLL-U files, block by block.

use crate::output::{Misuse, note};
use crate::progress::waiting_for_input;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use tercet::corpora::LineStream;
use tercet::parse::Splitter;
use tercet::parse::conllu::Conllu;

/// Maximum number of sentences in a block.
const SENTENCES: usize = 2048;

/// A block ends after the sentence that reaches this many bytes.
const BYTES: usize = 1 << 20;

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
    pub fn next_block(&mut self, splitter: &Splitter) -> anyhow::Result<Option<Conllu>> {
        loop {
            let Some(lines) = &mut self.open else {
                let Some(path) = self.files.get(self.next) else { return Ok(None) };
                self.next += 1;
                announce(path, self.quiet);
                self.open = Some(waiting_for_input(|| LineStream::open(path))?);
                continue;
            };
            let prefix =
                if self.files.len() > 1 { format!("{}:", self.files[self.next - 1].display()) } else { String::new() };
            let block = waiting_for_input(|| {
                if self.conllu { conllu_block(lines) } else { text_block(lines, splitter, &prefix) }
            })?;
            match block {
                Some(block) => return Ok(Some(block)),
                None => self.open = None,
            }
        }
    }
}

/// Sentences of lines of text.
fn text_block(lines: &mut LineStream, splitter: &Splitter, prefix: &str) -> tercet::Result<Option<Conllu>> {
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
        sentences.extend(splitter.line(text, &format!("{prefix}{}", lines.line_number())));
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
