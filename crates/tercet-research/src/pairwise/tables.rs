//! Normalised inputs in tables for the networks: one row per item, one row of features per translation.

use crate::error::Result;
use crate::learned::{Inputs, JudgedTexts, MinMax, Translation};
use tercet_learn::networks::{Example, Lists};
use tercet_math::Matrix;
use tercet_model::model_file::ModelFile;

/// Some pairs of a set, with its inputs.
#[derive(Clone, Debug)]
pub struct LearningSet<'a> {
    /// The set.
    pub judged: &'a JudgedTexts,
    /// The inputs of the set.
    pub inputs: &'a Inputs,
    /// Sorted indices of pairs; see [`JudgedTexts::sample`].
    pub chosen: Vec<u32>,
}

impl LearningSet<'_> {
    /// Which translations and which references are in the chosen pairs.
    fn used(&self) -> (Vec<bool>, Vec<bool>) {
        let mut translations = vec![false; self.judged.translations.len()];
        let mut references = vec![false; self.judged.references.len()];
        for &number in &self.chosen {
            let pair = self.judged.pairs[number as usize];
            for translation in [pair.a, pair.b] {
                translations[translation as usize] = true;
                references[self.judged.translations[translation as usize].segment as usize] = true;
            }
        }
        (translations, references)
    }
}

/// The normalisation of all inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Scaling {
    pub features: MinMax,
    pub translations: MinMax,
    pub references: MinMax,
}

impl Scaling {
    /// The ranges of the training data.
    pub fn fit(sets: &[LearningSet<'_>]) -> Self {
        let used: Vec<(Vec<bool>, Vec<bool>)> = sets.iter().map(LearningSet::used).collect();
        let both = || sets.iter().zip(&used);
        let features = both().map(|(set, used)| (&set.inputs.features[..], &used.0[..]));
        let translations = both()
            .map(|(set, used)| (set.inputs.blocks.iter().map(|block| &block.translations).collect(), &used.0[..]));
        let references =
            both().map(|(set, used)| (set.inputs.blocks.iter().map(|block| &block.references).collect(), &used.1[..]));
        Scaling {
            features: MinMax::of_columns(features),
            translations: MinMax::of_matrices(translations),
            references: MinMax::of_matrices(references),
        }
    }

    pub fn store(&self, file: &mut ModelFile) {
        self.features.store("range.features", file);
        self.translations.store("range.translations", file);
        self.references.store("range.references", file);
    }

    pub fn stored(file: &ModelFile) -> Result<Self> {
        Ok(Scaling {
            features: MinMax::stored("range.features", file)?,
            translations: MinMax::stored("range.translations", file)?,
            references: MinMax::stored("range.references", file)?,
        })
    }
}

/// Rows and examples for a network.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    vectors: Vec<f32>,
    skips: Vec<f32>,
    items: u32,
    skip_rows: u32,
    /// The words of each item, if an encoder is trained.
    pub lists: Lists,
    /// The pairs.
    pub examples: Vec<Example>,
}

impl Tables {
    /// The rows and examples of some pairs of sets.
    pub fn from_sets(sets: &[LearningSet<'_>], scaling: &Scaling) -> Self {
        let mut tables = Tables::default();
        for set in sets {
            let (translations, references) = set.used();
            let (items, skips, segments) = tables.add(set.judged, set.inputs, scaling, &translations, &references);
            for &number in &set.chosen {
                let pair = set.judged.pairs[number as usize];
                let segment = set.judged.translations[pair.a as usize].segment;
                let (a, b) = (pair.a as usize, pair.b as usize);
                tables.examples.push(Example {
                    a: items[a],
                    b: items[b],
                    c: segments[segment as usize],
                    skip_a: skips[a],
                    skip_b: skips[b],
                    target: f32::from(pair.a_is_better),
                });
            }
        }
        tables
    }

    /// The rows of all translations without pairs, and the row numbers of each: translation, features, reference.
    pub fn from_all(judged: &JudgedTexts, inputs: &Inputs, scaling: &Scaling) -> (Self, Vec<[u32; 3]>) {
        let mut tables = Tables::default();
        let (translations, references) = (vec![true; judged.translations.len()], vec![true; judged.references.len()]);
        let (items, skips, segments) = tables.add(judged, inputs, scaling, &translations, &references);
        let row = |(number, translation): (usize, &Translation)| {
            [items[number], skips[number], segments[translation.segment as usize]]
        };
        let rows = judged.translations.iter().enumerate().map(row).collect();
        (tables, rows)
    }

    /// Adds rows of a set; returns the row numbers of translations, their features and references.
    fn add(
        &mut self,
        judged: &JudgedTexts,
        inputs: &Inputs,
        scaling: &Scaling,
        translations: &[bool],
        references: &[bool],
    ) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
        let (mut items, mut skips) = (vec![0; translations.len()], vec![0; translations.len()]);
        for row in (0..judged.translations.len()).filter(|row| translations[*row]) {
            let values = inputs.blocks.iter().flat_map(|block| block.translations.row(row));
            let list = inputs.words.as_ref().map(|words| words.translations.list(row));
            items[row] = self.item(values, &scaling.translations, list);
            skips[row] = self.skip_rows;
            let features = inputs.features.iter().enumerate();
            self.skips.extend(features.map(|(number, column)| scaling.features.apply(number, column.values[row])));
            self.skip_rows += 1;
        }
        let mut segments = vec![0; references.len()];
        for row in (0..judged.references.len()).filter(|row| references[*row]) {
            let values = inputs.blocks.iter().flat_map(|block| block.references.row(row));
            let list = inputs.words.as_ref().map(|words| words.references.list(row));
            segments[row] = self.item(values, &scaling.references, list);
        }
        (items, skips, segments)
    }

    fn item<'a>(&mut self, values: impl Iterator<Item = &'a f32>, range: &MinMax, list: Option<&[u32]>) -> u32 {
        let values = values.enumerate().map(|(column, value)| range.apply(column, f64::from(*value)));
        self.vectors.extend(values);
        if let Some(list) = list {
            self.lists.push(list.iter().copied());
        }
        self.items += 1;
        self.items - 1
    }

    /// Items as a matrix, and rows of features.
    pub fn matrices(&mut self, scaling: &Scaling) -> Result<(Matrix, Matrix)> {
        let (vectors, skips) = (std::mem::take(&mut self.vectors), std::mem::take(&mut self.skips));
        let vectors = Matrix::new(self.items as usize, scaling.translations.len(), vectors)?;
        Ok((vectors, Matrix::new(self.skip_rows as usize, scaling.features.len(), skips)?))
    }
}
