//! What the network is given of a set: features, sentence vectors, word lists; as they are, before normalisation.

use super::features::Column;
use super::judged::JudgedTexts;
use super::vocabulary::Words;
use crate::encode::SentenceEncoder;
use crate::error::{Error, Result};
use tercet_learn::Matrix;

/// Everything of one set that goes into the network. Sets that are used together have the same features and blocks in the
/// same order.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// ψ, by translation.
    pub features: Vec<Column>,
    /// x, by translation and by reference; blocks stand side by side.
    pub blocks: Vec<Block>,
    /// Words, for encoders that are learned with the network.
    pub words: Option<Words>,
}

/// The sentence vectors of one encoder.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The encoder's kind.
    pub name: String,
    /// By translation.
    pub translations: Matrix,
    /// By segment.
    pub references: Matrix,
}

/// The vectors of all translations and references of a set.
pub fn encode(encoder: &dyn SentenceEncoder, judged: &JudgedTexts) -> Result<Block> {
    let translations: Vec<&str> =
        judged.translations.iter().map(|translation| translation.text.as_str()).collect();
    let references: Vec<&str> = judged.references.iter().map(String::as_str).collect();
    Ok(Block {
        name: encoder.kind().to_string(),
        translations: vectors(encoder, &translations)?,
        references: vectors(encoder, &references)?,
    })
}

/// Lines as rows of a matrix that has the encoder's width even without lines.
pub(crate) fn vectors(encoder: &dyn SentenceEncoder, lines: &[&str]) -> Result<Matrix> {
    let rows = encoder.encode(lines)?;
    Ok(Matrix::new(rows.len(), encoder.dimension(), rows.concat())?)
}

impl Inputs {
    /// The number of features.
    pub fn skip(&self) -> usize {
        self.features.len()
    }

    /// The dimensions of all blocks together.
    pub fn width(&self) -> usize {
        self.blocks.iter().map(|block| block.translations.columns()).sum()
    }

    /// Refuses inputs that do not belong to this set.
    pub(crate) fn check(&self, judged: &JudgedTexts) -> Result<()> {
        let (name, translations) = (judged.name(), judged.translations.len());
        let differ = |what: &str, found: usize, expected: usize| {
            (found != expected)
                .then(|| Error::Unusable(format!("{name}: {what} has {found} rows, expected {expected}")))
        };
        let columns =
            self.features.iter().map(|column| (column.name.as_str(), column.values.len(), translations));
        let blocks = self.blocks.iter().flat_map(|block| {
            let name = block.name.as_str();
            [
                (name, block.translations.rows(), translations),
                (name, block.references.rows(), judged.references.len()),
            ]
        });
        match columns.chain(blocks).find_map(|(what, found, expected)| differ(what, found, expected)) {
            Some(error) => Err(error),
            None => super::scaling::check_finite(&self.features, &name),
        }
    }

    /// Refuses inputs of another kind than those: other features, other blocks.
    pub(crate) fn check_like(&self, features: &[String], blocks: &[String]) -> Result<()> {
        let own_features: Vec<&str> = self.features.iter().map(|column| column.name.as_str()).collect();
        let own_blocks: Vec<&str> = self.blocks.iter().map(|block| block.name.as_str()).collect();
        for (what, own, expected) in
            [("features", own_features, features), ("sentence vectors", own_blocks, blocks)]
        {
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
