//! What a teacher says of texts.

use super::lessons::Lessons;
use super::material::{Material, words_of};
use super::watch::{Stage, Watch};
use crate::corpora::{gzip, read_bytes};
use crate::error::{Error, Result};
use crate::parse::conllu::{Conllu, Row, Sentence};
use crate::parse::dependency::parser::{DependencyParser, Parse};
use crate::text::split_at_spaces;
use std::fs;
use std::path::Path;

/// Sentences that are labelled at a time.
const AT_ONCE: usize = 4096;

/// Labels all texts, and keeps what was said in a CoNLL-U file.
pub fn label(
    material: &Material,
    teacher: &DependencyParser,
    path: &Path,
    watch: &mut dyn Watch,
) -> Result<Lessons> {
    watch.stage(&Stage::Labelling(material.texts.len()));
    let (mut lessons, mut file) = (Lessons::default(), String::new());
    for (texts, forms) in material.texts.chunks(AT_ONCE).zip(material.text_forms.chunks(AT_ONCE)) {
        let words: Vec<Vec<&str>> = texts.iter().map(|text| split_at_spaces(text).collect()).collect();
        for ((parse, words), forms) in teacher.parse(&words).iter().zip(&words).zip(forms) {
            lessons.push_parse(forms, parse, &material.numbering)?;
            file.push_str(&sentence_of(words, parse)?.to_string());
        }
        watch.stage(&Stage::Labelled(texts.len()));
    }
    write_whole(path, &gzip(&file))?;
    Ok(lessons)
}

/// Reads what was kept; refuses what is of other texts.
pub fn read_labelled(material: &Material, path: &Path) -> Result<Lessons> {
    let file = Conllu::from_bytes(path, &read_bytes(path)?)?;
    if !file.sentences().iter().map(words_of).eq(material.texts.iter().cloned()) {
        let path = path.display();
        return Err(Error::Unusable(format!("{path}: it is of other texts (remove it, or train as before)")));
    }
    let mut lessons = Lessons::default();
    for (sentence, forms) in file.sentences().iter().zip(&material.text_forms) {
        let parse = Parse {
            upos: sentence.words().map(Row::upos).collect(),
            xpos: sentence.words().map(Row::xpos).collect(),
            heads: sentence.words().map(|word| word.head().unwrap_or_default()).collect(),
            labels: sentence.words().map(Row::deprel).collect(),
        };
        lessons.push_parse(forms, &parse, &material.numbering)?;
    }
    Ok(lessons)
}

/// A sentence with what a parser says of it.
fn sentence_of(words: &[&str], parse: &Parse<'_>) -> Result<Sentence> {
    let mut sentence = Sentence::new(words.iter().copied());
    sentence.set_tree(&parse.tree())?;
    for word in 0..words.len() {
        sentence.set_upos(word, parse.upos[word])?;
        sentence.set_xpos(word, parse.xpos[word])?;
    }
    Ok(sentence)
}

/// A file that appears whole or not at all.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(format!(".{}.partial", std::process::id()));
    let written = fs::write(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, path));
    written.map_err(|error| {
        let _ = fs::remove_file(&unfinished); // what is left of it is of no use
        Error::Unusable(format!("cannot write {}: {error}", path.display()))
    })
}
