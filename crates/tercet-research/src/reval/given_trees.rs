//! Trees from CoNLL-U files, found by the text of a line.
//!
//! A metric sees texts without their place in a file, so a sentence of the file belongs to all lines with its text: the
//! comment `# text = …`, or the tokens with the spaces that `SpaceAfter` tells, or the words with a space between any
//! two. Runs of white space count as one space. Of several sentences with the same text the first is used.

use super::sentences::WordTree;
use crate::corpora::read_bytes;
use crate::error::{Error, Result};
use crate::parse::conllu::{Conllu, Sentence};
use crate::text::visible;
use foldhash::HashMap;
use std::path::{Path, PathBuf};
use tercet_base::files::short_hash;

/// Characters of a line that an error shows.
const SHOWN: usize = 60;

/// The trees of some CoNLL-U files.
pub(super) struct GivenTrees {
    trees: HashMap<String, WordTree>,
    /// The names of the files, for messages.
    names: String,
    hash: String,
}

impl GivenTrees {
    /// Reads files, compressed or not.
    pub fn read(paths: &[PathBuf]) -> Result<Self> {
        let (mut trees, mut all) = (HashMap::default(), Vec::new());
        for path in paths {
            let bytes = read_bytes(path)?;
            add(&mut trees, &Conllu::from_bytes(path, &bytes)?)?;
            all.extend(bytes);
        }
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        Ok(GivenTrees { trees, names: names.join(", "), hash: short_hash(&all) })
    }

    /// The first eight hexadecimal digits of the SHA-256 of the files.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Words and heads of a line.
    pub fn tree(&self, line: &str) -> Result<WordTree> {
        let key = with_single_spaces(line.strip_prefix('\u{feff}').unwrap_or(line));
        if key.is_empty() {
            return Ok(WordTree::default());
        }
        self.trees.get(&key).cloned().ok_or_else(|| {
            let mut shown: String = key.chars().take(SHOWN).collect();
            if shown.len() < key.len() {
                shown.push('…');
            }
            Error::Unusable(format!(
                "{} has no tree for the line `{}`: every line must be one sentence there, with this text",
                self.names,
                visible(&shown)
            ))
        })
    }
}

fn add(trees: &mut HashMap<String, WordTree>, file: &Conllu) -> Result<()> {
    for (number, sentence) in file.sentences().iter().enumerate() {
        let tree = file.tree(number)?;
        check_text(file.path(), sentence)?;
        let heads = tree.heads().iter().map(|&head| head as u32).collect();
        let words = || sentence.words().map(|word| word.form());
        let tree = WordTree::new(words(), heads);
        let texts = [sentence.text().map(str::to_owned), Some(sentence.surface())];
        let tokenized = words().collect::<Vec<_>>().join(" ");
        for text in texts.into_iter().flatten().chain([tokenized]) {
            trees.entry(with_single_spaces(&text)).or_insert_with(|| tree.clone());
        }
    }
    Ok(())
}

/// Returns an error if a sentence has other words than its comment `# text = …`.
fn check_text(path: &Path, sentence: &Sentence) -> Result<()> {
    let Some(text) = sentence.text() else { return Ok(()) };
    let tokens = sentence.tokens().flat_map(|(token, _)| token.form().chars());
    if tokens.filter(|c| !c.is_whitespace()).eq(text.chars().filter(|c| !c.is_whitespace())) {
        return Ok(());
    }
    let line = sentence.rows().first().map_or(0, |row| row.line);
    let what = format!(
        "the {} words of this sentence are not those of its comment `# text = …`: words are missing, or too many",
        sentence.len()
    );
    Err(Error::BadLine { path: path.to_owned(), line, what })
}

fn with_single_spaces(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(words: &[(&str, &str)]) -> String {
        let row =
            |(at, (form, head)): (usize, &(&str, &str))| format!("{}\t{form}\t_\t_\t_\t_\t{head}\tdep\t_\t_\n", at + 1);
        words.iter().enumerate().map(row).collect::<String>() + "\n"
    }

    fn read(text: &str) -> Result<GivenTrees> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.conllu");
        std::fs::write(&path, text).unwrap();
        GivenTrees::read(&[path])
    }

    fn refused(text: &str) -> String {
        let error = read(text).err().unwrap().to_string();
        error[error.find("t.conllu").unwrap()..].to_owned()
    }

    #[test]
    fn trees_are_found_by_text_and_by_words() {
        let text = format!("# text = He's here.\n{}", rows(&[("He", "3"), ("'s", "3"), ("here", "0"), (".", "3")]));
        let trees = read(&text).unwrap();
        let found = trees.tree("\u{feff}He's  here. ").unwrap();
        assert_eq!(found, WordTree::new(["he", "'s", "here", "."].into_iter(), vec![3, 3, 0, 3]));
        assert_eq!(trees.tree("He 's here .").unwrap(), found);
        assert_eq!(trees.tree(" ").unwrap(), WordTree::default());
        let error = trees.tree("She is here.").unwrap_err().to_string();
        assert!(error.contains("t.conllu has no tree for the line `She is here.`"), "{error}");
    }

    #[test]
    fn what_is_no_tree_is_refused_with_file_and_line() {
        let good = rows(&[("a", "0")]);
        for (words, reason) in [
            (
                &[("a", "2"), ("b", "1"), ("c", "0")][..],
                "t.conllu:3: word 1 is its own ancestor: the heads form a cycle",
            ),
            (&[("a", "0"), ("b", "0")], "t.conllu:4: word 2 has the root as its head, and so does word 1"),
            (&[("a", "0"), ("b", "_")], "t.conllu:4: word 2, `b`, has no head"),
            (&[("a", "0"), ("b", "5")], "t.conllu:4: "),
        ] {
            let found = refused(&format!("{good}{}", rows(words)));
            assert!(found.starts_with(reason), "{found}");
        }
        let found = refused(&format!("{good}# text = a b\n{}", rows(&[("a", "0"), ("b", "1"), ("c", "1")])));
        assert!(found.starts_with("t.conllu:4: the 3 words of this sentence are not those of"), "{found}");
    }
}
