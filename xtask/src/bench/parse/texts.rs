//! The parsed texts: sentences of the English Web Treebank.

use anyhow::{Context, Result, bail};
use flate2::read::GzDecoder;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Words of a sentence.
const WORDS: usize = 25;

/// The number of sentences for work that takes milliseconds each.
const MAX_SLOW_SENTENCES: usize = 500;

/// Files of sentences.
pub struct Texts {
    /// The treebank, unpacked.
    pub treebank: PathBuf,
    /// The first 25 words of every sentence that has as many, a space between them.
    words: PathBuf,
    /// The first of these.
    fewer: PathBuf,
    /// The text of every sentence.
    lines: PathBuf,
}

impl Texts {
    /// Writes them to a folder.
    pub fn make(folder: &Path, scratch: &Path) -> Result<Self> {
        let packed = folder.join("en_ewt-ud-train.conllu.gz");
        let file = File::open(&packed).with_context(|| packed.display().to_string())?;
        let mut treebank = String::new();
        GzDecoder::new(file).read_to_string(&mut treebank)?;
        let (words, lines) = (sentences(&treebank), texts(&treebank));
        if words.is_empty() || lines.is_empty() {
            bail!("{} has no sentences of {WORDS} words", packed.display());
        }
        let write = |name: &str, text: &str| -> Result<PathBuf> {
            let path = scratch.join(name);
            fs::write(&path, text)?;
            Ok(path)
        };
        Ok(Texts {
            treebank: write("treebank.conllu", &treebank)?,
            words: write("words.txt", &words.concat())?,
            fewer: write("fewer.txt", &words[..words.len().min(MAX_SLOW_SENTENCES)].concat())?,
            lines: write("lines.txt", &lines)?,
        })
    }

    /// The file a kind of work is done on.
    pub fn file(&self, work: &str) -> &Path {
        match work {
            "tokenize" => &self.lines,
            "constituency" => &self.fewer,
            _ => &self.words,
        }
    }

    /// This many lines of words, repeating the available ones.
    pub fn repeated(&self, count: usize) -> Result<String> {
        let text = fs::read_to_string(&self.words)?;
        Ok(text.split_inclusive('\n').cycle().take(count).collect())
    }
}

/// Lines of 25 words.
fn sentences(treebank: &str) -> Vec<String> {
    let forms = |sentence: &str| -> Vec<String> {
        let rows = sentence.lines().filter_map(|line| {
            let (id, rest) = line.split_once('\t')?;
            id.parse::<usize>().ok()?;
            rest.split('\t').next().map(str::to_owned)
        });
        rows.filter(|form| !form.contains(' ')).take(WORDS).collect()
    };
    let long = treebank.split("\n\n").map(forms).filter(|words| words.len() == WORDS);
    long.map(|words| words.join(" ") + "\n").collect()
}

fn texts(treebank: &str) -> String {
    let lines = treebank.lines().filter_map(|line| line.strip_prefix("# text = "));
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_cut_to_25_words_and_short_ones_left_out() {
        let row = |id: usize| format!("{id}\tw{id}\t_\n");
        let rows = |count: usize| (1..=count).map(row).collect::<String>();
        let long = format!("# text = x\n1-2\tw1w2\t_\n{}", rows(30));
        let found = sentences(&format!("{long}\n{}\n", rows(24)));
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("w1 w2 ") && found[0].ends_with(" w25\n"), "{found:?}");
        assert_eq!(texts(&long), "x\n");
    }
}
