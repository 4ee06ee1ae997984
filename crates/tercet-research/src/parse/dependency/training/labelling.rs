//! Labels texts with the teacher, and stores them as gzipped CoNLL-U. A comment before the first sentence names the
//! teacher, `# teacher = dependency:sha256=…`, so that a run never learns from the labels of another teacher.

use super::examples::Examples;
use super::material::{Material, words_of};
use crate::corpora::{gzip, read_bytes};
use crate::error::{Error, Result};
use crate::parse::conllu::{Conllu, Row, Sentence};
use crate::parse::dependency::parser::{DependencyParser, Parse};
use crate::text::split_at_spaces;
use std::path::Path;
use tercet_base::files;
use tercet_base::progress::Progress;

/// The comment that names the teacher.
const TEACHER: &str = "teacher";

/// Sentences that are labelled per call of the parser.
const AT_ONCE: usize = 4096;

/// Labels all texts and writes them to a CoNLL-U file.
pub fn label(material: &Material, teacher: &DependencyParser, path: &Path, progress: Progress<'_>) -> Result<Examples> {
    progress.stage("labelling", material.texts.len(), "sentences")?;
    let (mut examples, mut file) = (Examples::default(), String::new());
    for (texts, forms) in material.texts.chunks(AT_ONCE).zip(material.text_forms.chunks(AT_ONCE)) {
        let words: Vec<Vec<&str>> = texts.iter().map(|text| split_at_spaces(text).collect()).collect();
        for ((parse, words), forms) in teacher.parse(&words).iter().zip(&words).zip(forms) {
            examples.push_parse(forms, parse, &material.numbering)?;
            let mut sentence = sentence_of(words, parse)?;
            if file.is_empty() {
                sentence.push_comment(TEACHER, &teacher.signature());
            }
            file.push_str(&sentence.to_string());
        }
        progress.advance(texts.len())?;
    }
    files::write(path, &gzip(&file))?;
    Ok(examples)
}

/// Reads the labels of a file; `None` if another teacher made them. Returns an error if they belong to other texts.
pub fn read_labelled(material: &Material, teacher: &DependencyParser, path: &Path) -> Result<Option<Examples>> {
    let file = Conllu::from_bytes(path, &read_bytes(path)?)?;
    let named = file.sentences().first().and_then(|sentence| sentence.comment(TEACHER));
    if named != Some(teacher.signature().as_str()) {
        return Ok(None);
    }
    if !file.sentences().iter().map(words_of).eq(material.texts.iter().cloned()) {
        let path = path.display();
        return Err(Error::Unusable(format!(
            "{path}: it has labels of other texts (remove it, or train with the same texts as before)"
        )));
    }
    let mut examples = Examples::default();
    for (sentence, forms) in file.sentences().iter().zip(&material.text_forms) {
        let parse = Parse {
            upos: sentence.words().map(Row::upos).collect(),
            xpos: sentence.words().map(Row::xpos).collect(),
            heads: sentence.words().map(|word| word.head().unwrap_or_default()).collect(),
            labels: sentence.words().map(Row::deprel).collect(),
        };
        examples.push_parse(forms, &parse, &material.numbering)?;
    }
    Ok(Some(examples))
}

/// A sentence with its parse.
fn sentence_of(words: &[&str], parse: &Parse<'_>) -> Result<Sentence> {
    let mut sentence = Sentence::new(words.iter().copied());
    sentence.set_tree(&parse.tree())?;
    for word in 0..words.len() {
        sentence.set_upos(word, parse.upos[word])?;
        sentence.set_xpos(word, parse.xpos[word])?;
    }
    Ok(sentence)
}
