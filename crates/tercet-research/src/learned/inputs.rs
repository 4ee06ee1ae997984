//! The inputs of a network for a set, before normalisation: features, sentence vectors, word lists.

use super::features::Column;
use super::judged::JudgedTexts;
use super::vocabulary::Words;
use crate::encode::SentenceEncoder;
use crate::error::{Error, Result};
use crate::progress::Progress;
use tercet_math::Matrix;

/// The inputs of a network for one set. Sets that are used together must have the same features and blocks in the
/// same order.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// ψ: features of the translations.
    pub features: Vec<Column>,
    /// x: sentence vectors of translations and references; those of all blocks are concatenated.
    pub blocks: Vec<Block>,
    /// Word lists, for an encoder that is trained with the network.
    pub words: Option<Words>,
}

/// The sentence vectors of one encoder for a set.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The encoder's kind.
    pub name: String,
    /// One row per translation.
    pub translations: Matrix,
    /// One row per segment.
    pub references: Matrix,
}

/// The vectors of all translations and references of a set. `progress` advances by sentences.
pub fn encode(encoder: &dyn SentenceEncoder, judged: &JudgedTexts, progress: Progress<'_>) -> Result<Block> {
    let translations: Vec<&str> = judged.translations.iter().map(|translation| translation.text.as_str()).collect();
    let references: Vec<&str> = judged.references.iter().map(String::as_str).collect();
    if let Some(long) = encoder.long_lines(&[translations.as_slice(), &references].concat()) {
        progress.warn(&long.warning(judged.name()))?;
    }
    Ok(Block {
        name: encoder.kind().to_string(),
        translations: vectors(encoder, judged, &translations, progress)?,
        references: vectors(encoder, judged, &references, progress)?,
    })
}

/// Sentences that are encoded at a time.
const BATCH: usize = 1024;

/// The vectors as rows of a matrix, which has the encoder's dimension even without lines.
fn vectors(
    encoder: &dyn SentenceEncoder,
    judged: &JudgedTexts,
    lines: &[&str],
    progress: Progress<'_>,
) -> Result<Matrix> {
    let mut values = Vec::with_capacity(lines.len() * encoder.dimension());
    for batch in lines.chunks(BATCH) {
        encoder
            .encode(batch)
            .map_err(|error| of_set(judged, error))?
            .into_iter()
            .for_each(|vector| values.extend(vector));
        progress.advance(batch.len())?;
    }
    Ok(Matrix::new(lines.len(), encoder.dimension(), values)?)
}

/// Adds the set to an error about a line of it; texts that are scored have no set.
fn of_set(judged: &JudgedTexts, error: Error) -> Error {
    match error {
        Error::Unusable(what) if !judged.set.is_empty() => Error::Unusable(format!("{}: {what}", judged.name())),
        other => other,
    }
}

impl Inputs {
    /// The number of features.
    pub fn skip(&self) -> usize {
        self.features.len()
    }

    /// The total width of all blocks.
    pub fn width(&self) -> usize {
        self.blocks.iter().map(|block| block.translations.columns()).sum()
    }

    /// Returns an error if the inputs do not belong to this set.
    pub(crate) fn check(&self, judged: &JudgedTexts) -> Result<()> {
        let (name, translations) = (judged.name(), judged.translations.len());
        let differ = |what: &str, found: usize, expected: usize| {
            (found != expected)
                .then(|| Error::Unusable(format!("{name}: {what} has {found} rows, expected {expected}")))
        };
        let columns = self.features.iter().map(|column| (column.name.as_str(), column.values.len(), translations));
        let blocks = self.blocks.iter().flat_map(|block| {
            let name = block.name.as_str();
            [(name, block.translations.rows(), translations), (name, block.references.rows(), judged.references.len())]
        });
        match columns.chain(blocks).find_map(|(what, found, expected)| differ(what, found, expected)) {
            Some(error) => Err(error),
            None => super::scaling::check_finite(&self.features, &name),
        }
    }

    /// Returns an error if features or blocks differ from these.
    pub(crate) fn check_like(&self, features: &[String], blocks: &[String]) -> Result<()> {
        let own_features: Vec<&str> = self.features.iter().map(|column| column.name.as_str()).collect();
        let own_blocks: Vec<&str> = self.blocks.iter().map(|block| block.name.as_str()).collect();
        for (what, own, expected) in [("features", own_features, features), ("sentence vectors", own_blocks, blocks)] {
            if own != *expected {
                let (own, expected) = (listed(&own), listed(expected));
                return Err(Error::Unusable(format!(
                    "the network was trained with the {what} {expected}, here are {own}"
                )));
            }
        }
        Ok(())
    }
}

fn listed<S: AsRef<str>>(names: &[S]) -> String {
    if names.is_empty() {
        return "(none)".to_owned();
    }
    names.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(" + ")
}
