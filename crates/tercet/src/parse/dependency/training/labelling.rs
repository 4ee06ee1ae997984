//! What a teacher says of texts, and the file in which it is kept: CoNLL-U, packed. A comment before its first sentence says
//! whose word it is, `# teacher = dependency:sha256=…`, so that a run never learns from another run's teacher unawares.

use super::lessons::Lessons;
use super::material::{Material, words_of};
use super::watch::{Stage, Watch};
use crate::corpora::{gzip, read_bytes};
use crate::error::{Error, Result};
use crate::parse::conllu::{Conllu, Row, Sentence};
use crate::parse::dependency::parser::{DependencyParser, Parse};
use crate::text::split_at_spaces;
use std::path::Path;
use tercet_learn::files;

/// The comment that names the teacher.
const TEACHER: &str = "teacher";

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
            let mut sentence = sentence_of(words, parse)?;
            if file.is_empty() {
                sentence.push_comment(TEACHER, &teacher.signature());
            }
            file.push_str(&sentence.to_string());
        }
        watch.stage(&Stage::Labelled(texts.len()));
    }
    files::write(path, &gzip(&file))?;
    Ok(lessons)
}

/// Reads what was kept; nothing if it is another teacher's word. Refuses what is of other texts.
pub fn read_labelled(
    material: &Material,
    teacher: &DependencyParser,
    path: &Path,
) -> Result<Option<Lessons>> {
    let file = Conllu::from_bytes(path, &read_bytes(path)?)?;
    let named = file.sentences().first().and_then(|sentence| sentence.comment(TEACHER));
    if named != Some(teacher.signature().as_str()) {
        return Ok(None);
    }
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
    Ok(Some(lessons))
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
