//! The treebanks of a recipe: CoNLL-U files, compressed or not, or tar archives of them.
//!
//! ```toml
//! "ud-ewt/en_ewt-ud-train.conllu.gz"
//! { file = "gum/dep-conllu.tar.gz", split = "gum/splits.md", part = "train", without = ["essay", "fiction"] }
//! ```
//!
//! In an archive, every `.conllu` file is a document, named without its folder and extension. `only` and `without`
//! select documents by the parts of their names between `_`: `essay` selects `GUM_essay_evolved`. `split` is a file
//! that lists the documents of each part, and `part` the part to read (see `recipe_tables`).

use crate::corpora::{is_tar, read_bytes, read_tar};
use crate::error::{Error, Result};
use crate::parse::conllu::{Conllu, Row};
use crate::parse::recipe_tables::{DocumentSplit, entry_name, has_part};
use crate::recipe::settings;
use std::path::{Path, PathBuf};

settings! {
    /// A treebank in a recipe: a path, or a table that selects documents of an archive.
    pub struct TreebankEntry or file {
        /// The CoNLL-U file or tar archive.
        file: PathBuf;
        /// The file that lists the documents of each part, as GUM's `splits.md`.
        split: Option<PathBuf> = None;
        /// The part to read, a heading of `split`.
        part: Option<String> = None;
        /// Read only documents with one of these between `_` in their names. Default: all.
        only: Vec<String> = Vec::new();
        /// Leave out documents with one of these between `_` in their names.
        without: Vec<String> = Vec::new();
    }
}

/// The contents of a treebank.
#[derive(Debug)]
pub struct Treebank {
    /// The name in the notes of the model.
    pub name: String,
    /// The files, in order.
    pub files: Vec<Conllu>,
}

impl Treebank {
    /// How many sentences there are.
    pub fn len(&self) -> usize {
        self.files.iter().map(|file| file.sentences().len()).sum()
    }
}

impl TreebankEntry {
    /// Reads the treebank; relative paths are in `folder`.
    pub(super) fn read(&self, folder: &Path) -> Result<Treebank> {
        let path = folder.join(&self.file);
        let bytes = read_bytes(&path)?;
        let files = if is_tar(&bytes) {
            self.documents(&path, &bytes, folder)?
        } else if self.chooses() {
            let path = path.display();
            let what = "is not a tar archive: only, without, split and part select documents of an archive";
            return Err(Error::BadRequest(format!("{path} {what}")));
        } else {
            vec![Conllu::from_bytes(&path, &bytes)?]
        };
        let treebank = Treebank { name: self.name(), files };
        if treebank.len() == 0 {
            return Err(Error::bad_file(path, "there is no sentence to learn from"));
        }
        for file in &treebank.files {
            check_trees(file)?;
        }
        Ok(treebank)
    }

    fn chooses(&self) -> bool {
        self.split.is_some() || self.part.is_some() || !self.only.is_empty() || !self.without.is_empty()
    }

    /// The file's name and the selected part, for the notes of the model.
    pub(super) fn name(&self) -> String {
        let file = self.file.file_name().unwrap_or_default().to_string_lossy();
        entry_name(&file, self.part.as_deref(), &[("only", &self.only), ("without", &self.without)])
    }

    fn documents(&self, path: &Path, bytes: &[u8], folder: &Path) -> Result<Vec<Conllu>> {
        let split = DocumentSplit::named(folder, self.split.as_deref(), self.part.as_deref(), path)?;
        let mut files = Vec::new();
        for file in read_tar(path, bytes)? {
            let Some(document) = document_of(&file.name) else { continue };
            let is_meant = self.only.is_empty() || has_part(document, &self.only);
            if !is_meant || has_part(document, &self.without) {
                continue;
            }
            if split.as_ref().map_or(Ok(true), |split| split.has(document))? {
                files.push(Conllu::from_bytes(&path.join(&file.name), &file.bytes)?);
            }
        }
        Ok(files)
    }
}

fn document_of(name: &str) -> Option<&str> {
    Path::new(name).file_name()?.to_str()?.strip_suffix(".conllu")
}

/// Returns an error if a tree, a part of speech or a relation is missing.
fn check_trees(file: &Conllu) -> Result<()> {
    for (index, sentence) in file.sentences().iter().enumerate() {
        file.tree(index)?;
        let bad = |(word, what): (&Row, &str)| {
            let what = format!("`{}` {what}", word.form());
            Err(Error::BadLine { path: file.path().to_owned(), line: word.line, what })
        };
        let faults = sentence.words().filter_map(|word| Some((word, fault_of(word)?)));
        faults.take(1).try_for_each(bad)?;
    }
    Ok(())
}

/// Why a word cannot be used for training.
fn fault_of(word: &Row) -> Option<&'static str> {
    if [word.upos(), word.deprel()].iter().any(|column| column.is_empty() || *column == "_") {
        Some("has no part of speech or no relation to learn")
    } else if word.xpos().is_empty() {
        Some("has an empty fifth column, XPOS (write `_` for nothing)")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::dependency::training::DependencyRecipe;
    use std::fs;

    /// An archive of files.
    fn tar(files: &[(&str, String)]) -> Vec<u8> {
        let mut archive = tar::Builder::new(Vec::new());
        for (name, content) in files {
            let mut header = tar::Header::new_ustar();
            header.set_size(content.len() as u64);
            archive.append_data(&mut header, name, content.as_bytes()).unwrap();
        }
        archive.into_inner().unwrap()
    }

    fn sentence(word: &str) -> String {
        format!("1\t{word}\t_\tNOUN\tNN\t_\t0\troot\t_\t_\n\n")
    }

    /// A corpus of four documents.
    fn corpus() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let documents = ["GUM_news_a", "GUM_essay_b", "GUM_news_c", "GUM_newsreel_d"];
        let mut files: Vec<(&str, String)> = vec![("dep/README", "no trees".to_owned())];
        let names = documents.map(|name| format!("dep/{name}.conllu"));
        files.extend(names.iter().map(|name| (name.as_str(), sentence(name))));
        fs::write(folder.path().join("x.tar"), tar(&files)).unwrap();
        let split = "# Splits\n\n## dev\n\n  * GUM_news_c\n\n## train\n\n  * GUM_news_a\n  * GUM_essay_b\n";
        fs::write(folder.path().join("splits.md"), split).unwrap();
        folder
    }

    fn read(folder: &tempfile::TempDir, entry: &str) -> Result<Treebank> {
        let text = format!("kind = \"dependency\"\n[data]\ntrain = [{entry}]");
        DependencyRecipe::parse(&text, folder.path()).unwrap().data.train[0].read(folder.path())
    }

    fn words(treebank: &Treebank) -> Vec<&str> {
        treebank.files.iter().map(|file| file.sentences()[0].word(0).form()).collect()
    }

    #[test]
    fn documents_are_chosen_by_parts_of_names_and_by_a_list() {
        let folder = corpus();
        let all = read(&folder, "\"x.tar\"").unwrap();
        assert_eq!((all.len(), all.name.as_str()), (4, "x.tar"));
        let news = read(&folder, "{ file = \"x.tar\", only = [\"news\"] }").unwrap();
        assert_eq!(words(&news), ["dep/GUM_news_a.conllu", "dep/GUM_news_c.conllu"]);
        let train =
            "{ file = \"x.tar\", split = \"splits.md\", part = \"train\", without = [\"essay\", \"newsreel\"] }";
        let train = read(&folder, train).unwrap();
        assert_eq!(words(&train), ["dep/GUM_news_a.conllu"]);
        assert_eq!(train.name, "x.tar train without essay, newsreel");
    }

    #[test]
    fn words_without_tag_or_relation_are_errors_with_their_line() {
        let folder = corpus();
        let refused = |from: &str, to: &str| {
            let text = format!("{}{}", sentence("a"), sentence("b").replace(from, to));
            fs::write(folder.path().join("one.conllu"), text).unwrap();
            read(&folder, "\"one.conllu\"").unwrap_err().to_string()
        };
        for (from, to, reason) in [
            ("NOUN", "_", ":3: `b` has no part of speech or no relation to learn"),
            ("root", "", ":3: `b` has no part of speech or no relation to learn"),
            ("NN", "", ":3: `b` has an empty fifth column, XPOS (write `_` for nothing)"),
        ] {
            let error = refused(from, to);
            assert!(error.ends_with(reason), "{error}");
        }
    }

    #[test]
    fn errors_name_what_cannot_be_selected() {
        let folder = corpus();
        fs::write(folder.path().join("one.conllu"), sentence("x")).unwrap();
        fs::write(folder.path().join("empty.conllu"), "").unwrap();
        for (entry, reason) in [
            (
                "{ file = \"x.tar\", split = \"splits.md\", part = \"train\" }",
                "splits.md: the document GUM_newsreel_d is in no part (add it, or leave it out with `without`)",
            ),
            (
                "{ file = \"x.tar\", split = \"splits.md\", part = \"tests\" }",
                "splits.md: no document is in the part `tests` (parts: dev, train)",
            ),
            ("{ file = \"x.tar\", part = \"train\" }", "give both or neither"),
            ("{ file = \"one.conllu\", only = [\"x\"] }", "one.conllu is not a tar archive"),
            ("\"empty.conllu\"", "empty.conllu: there is no sentence to learn from"),
            ("{ file = \"x.tar\", only = [\"poem\"] }", "x.tar: there is no sentence to learn from"),
        ] {
            let error = read(&folder, entry).unwrap_err().to_string();
            assert!(error.contains(reason), "{entry}: {error}");
        }
    }
}
