//! Reads everything that a recipe names and converts it to numbers.
//!
//! # Labels
//! Labels texts with the teacher, and stores them as gzipped CoNLL-U. A comment before the first sentence names the
//! teacher, `# teacher = dependency:sha256=…`, so that a run never learns from the labels of another teacher.

use super::batches::{Examples, FormCounts, FormTable, numbering};
use super::recipe::{DependencyRecipe, Texts};
use super::texts::TextSampler;
use super::treebanks::{Treebank, TreebankEntry};
use crate::corpora::{gzip, read_bytes};
use crate::error::{Error, Result};
use crate::parse::conllu::{Conllu, Sentence};
use crate::parse::dependency::parser::{DependencyParser, Parse};
use crate::parse::dependency::vocabulary::Numbering;
use crate::parse::input_normalisation::InputNormalisation;
use crate::text::split_at_spaces;
use foldhash::HashSet;
use sha2::{Digest, Sha256};
use std::path::Path;
use tercet_base::files;
use tercet_base::files::hexadecimal;
use tercet_base::progress::Progress;

/// The data of a training.
pub struct Material {
    /// Names of words, tags and relations.
    pub numbering: Numbering,
    /// Forms of all sentences.
    pub forms: FormTable,
    /// Sentences of treebanks.
    pub gold: Examples,
    /// Sentences for the teacher to label: words separated by spaces.
    pub texts: Vec<String>,
    /// The form numbers of these sentences.
    pub text_forms: Vec<Vec<u32>>,
    /// The development set.
    pub development: Vec<Conllu>,
    /// Names and sentence counts of the data, for the notes of the model.
    pub sources: Vec<(String, String)>,
    /// Hash of all training and development data.
    pub hash: String,
}

/// The treebanks of a recipe.
struct Treebanks {
    train: Vec<Treebank>,
    development: Vec<Treebank>,
    held_out: Vec<Treebank>,
}

impl Treebanks {
    fn read(recipe: &DependencyRecipe, progress: Progress<'_>) -> Result<Self> {
        let read = |entries: &[TreebankEntry]| -> Result<Vec<Treebank>> {
            let one = |entry: &TreebankEntry| {
                progress.uncounted(&format!("reading {}", entry.name()))?;
                entry.read(&recipe.origin.folder)
            };
            entries.iter().map(one).collect()
        };
        let data = &recipe.data;
        let (train, development) = (read(&data.train)?, read(&data.development)?);
        Ok(Treebanks { train, development, held_out: read(&data.held_out)? })
    }

    /// The words of every sentence.
    fn words(&self) -> HashSet<String> {
        let all = self.train.iter().chain(&self.development).chain(&self.held_out);
        all.flat_map(sentences_of).map(words_of).collect()
    }
}

impl Material {
    /// Reads what a recipe names.
    pub fn read(recipe: &DependencyRecipe, progress: Progress<'_>) -> Result<Self> {
        let treebanks = Treebanks::read(recipe, progress)?;
        let texts = match &recipe.texts {
            Some(texts) => {
                progress.uncounted("reading texts")?;
                sample(texts, recipe, treebanks.words())?
            }
            None => Vec::new(),
        };
        let mut counts = FormCounts::default();
        let numbers = |text: &String| split_at_spaces(text).map(|word| counts.count(word)).collect();
        let text_forms: Vec<Vec<u32>> = texts.iter().map(numbers).collect();
        let numbering = numbering(treebanks.train.iter(), &counts, &recipe.vocabulary);
        let mut gold = Examples::default();
        for sentence in treebanks.train.iter().flat_map(sentences_of) {
            let words: Vec<u32> = sentence.words().map(|word| counts.count(word.form())).collect();
            gold.push(&words, &Parse::from_sentence(sentence), &numbering)?;
        }
        let forms = FormTable::new(counts, &numbering.words);
        let (sources, hash) = (sources(&treebanks, &texts), hash(&treebanks, &texts, recipe));
        let development = treebanks.development.into_iter().flat_map(|treebank| treebank.files).collect();
        Ok(Material { numbering, forms, gold, texts, text_forms, development, sources, hash })
    }
}

fn sentences_of(treebank: &Treebank) -> impl Iterator<Item = &Sentence> {
    treebank.files.iter().flat_map(|file| file.sentences())
}

/// The words of a sentence, separated by spaces.
pub fn words_of(sentence: &Sentence) -> String {
    sentence.words().map(|word| word.form()).collect::<Vec<_>>().join(" ")
}

fn sample(texts: &Texts, recipe: &DependencyRecipe, known: HashSet<String>) -> Result<Vec<String>> {
    let mut sampler = TextSampler::new(texts.tokenizer, &recipe.origin.folder, recipe.training.seed, known);
    sampler.lengths = texts.shortest..=texts.longest;
    sampler.sample(&texts.files, texts.sentences)
}

/// Notes: names and sentence counts of the data, and whether it has capitals or escapes.
fn sources(treebanks: &Treebanks, texts: &[String]) -> Vec<(String, String)> {
    let list = |treebanks: &[Treebank]| {
        let one = |treebank: &Treebank| format!("{} ({})", treebank.name, treebank.len());
        treebanks.iter().map(one).collect::<Vec<_>>().join("; ")
    };
    let mut sources = vec![("trained_on".to_owned(), list(&treebanks.train))];
    if !texts.is_empty() {
        sources.push(("labelled_texts".to_owned(), texts.len().to_string()));
    }
    if !treebanks.development.is_empty() {
        sources.push(("development".to_owned(), list(&treebanks.development)));
    }
    let words = |sentence: &Sentence| sentence.words().map(|word| word.form().to_owned()).collect::<Vec<_>>();
    sources.extend(InputNormalisation::note(treebanks.train.iter().flat_map(sentences_of).map(words)));
    sources
}

/// The hash of all words, tags and trees of the training and development data, and of the texts.
fn hash(treebanks: &Treebanks, texts: &[String], recipe: &DependencyRecipe) -> String {
    let mut hash = Sha256::new();
    for part in [&treebanks.train, &treebanks.development] {
        for row in part.iter().flat_map(sentences_of).flat_map(|sentence| sentence.rows()) {
            hash.update(row.text());
            hash.update("\n");
        }
        hash.update("\n\n");
    }
    texts.iter().for_each(|text| hash.update(format!("{text}\n")));
    hash.update(format!("{:?}", recipe.vocabulary));
    hexadecimal(&hash.finalize())
}

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
            examples.push(forms, parse, &material.numbering)?;
            let mut sentence = Sentence::new(words.iter().copied());
            parse.write_to(&mut sentence)?;
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
        let what = "it has labels of other texts (remove it, or train with the same texts as before)";
        return Err(Error::bad_file(path, what));
    }
    let mut examples = Examples::default();
    for (sentence, forms) in file.sentences().iter().zip(&material.text_forms) {
        examples.push(forms, &Parse::from_sentence(sentence), &material.numbering)?;
    }
    Ok(Some(examples))
}
