//! What networks are given: features from the cache or measured now, sentence vectors, lists of words.

use super::experiment::{Experiment, UNITS, Vectors};
use super::experiment_cache::ExperimentCache;
use super::sets::{JudgedSet, Part, SetName};
use crate::VectorFile;
use crate::feature_files::Measured;
use tercet::Result;
use tercet::learned::{Block, Feature, FeatureColumn, Inputs, Scope, Translation, Vocabulary, encode, measure};
use tercet_math::Matrix;

/// The inputs of one set, a part each.
struct Prepared {
    name: SetName,
    scope: Scope,
    parts: Vec<Inputs>,
}

/// The inputs of experiments that share them.
pub(super) struct SharedInputs {
    sets: Vec<Prepared>,
}

impl SharedInputs {
    /// Prepares what these experiments need.
    pub(super) fn new(shared: &ExperimentCache<'_>, experiments: &[&Experiment]) -> Result<Self> {
        let Some(first) = experiments.first() else { return Ok(SharedInputs { sets: Vec::new() }) };
        // Which words there are depends on neither the seed nor the draw of judgements.
        let vocabulary = vocabulary(shared, first, 0)?;
        let mut sets: Vec<Prepared> = Vec::new();
        for (name, scope) in experiments.iter().flat_map(|experiment| experiment.sets()) {
            if sets.iter().all(|set| (set.name, set.scope) != (name, scope)) {
                let set = shared.set(name, scope);
                let part = |part: &Part| inputs(shared, first, vocabulary.as_ref(), set, part);
                sets.push(Prepared { name, scope, parts: set.parts.iter().map(part).collect::<Result<_>>()? });
            }
        }
        Ok(SharedInputs { sets })
    }

    /// The inputs of a set, a part each.
    pub(super) fn parts(&self, name: SetName, scope: Scope) -> &[Inputs] {
        let found = self.sets.iter().find(|set| (set.name, set.scope) == (name, scope));
        found.map_or(&[], |set| &set.parts)
    }
}

fn inputs(
    shared: &ExperimentCache<'_>,
    experiment: &Experiment,
    vocabulary: Option<&Vocabulary>,
    set: &JudgedSet,
    part: &Part,
) -> Result<Inputs> {
    let mut features: Vec<FeatureColumn> = Vec::new();
    for feature in &experiment.features {
        features.extend(columns(shared, feature, set, part)?);
    }
    let block = |vectors: &Vectors| block(shared, *vectors, set, part);
    for vectors in &experiment.cosines {
        features.push(cosines(&block(vectors)?, &part.judged.translations));
    }
    let blocks: Vec<Block> = experiment.vectors.iter().map(block).collect::<Result<_>>()?;
    let words = vocabulary.map(|vocabulary| vocabulary.lists(&part.judged));
    Ok(Inputs { features, blocks, words })
}

/// A feature of all translations of a part.
pub(super) fn columns(
    shared: &ExperimentCache<'_>,
    feature: &Feature,
    set: &JudgedSet,
    part: &Part,
) -> Result<Vec<FeatureColumn>> {
    let name = format!("{}.{}", set.name, part.judged.pair);
    let signature = shared.signature(feature);
    let rows = part.judged.translations.len();
    let measured = Measured { set: &name, feature: &signature, texts: &part.texts, rows };
    let progress = shared.progress;
    measured.find_or_measure(shared.settings.cache(), false, progress, || {
        progress.status(&format!("{name}: {feature}"), false)?;
        measure(feature, &part.judged, shared.registry, progress.quiet())
    })
}

/// The sentence vectors of a part; those that take a parser or a transformer are kept in files, as features are.
pub(super) fn block(shared: &ExperimentCache<'_>, vectors: Vectors, set: &JudgedSet, part: &Part) -> Result<Block> {
    let encoder = shared.encoder(vectors);
    if matches!(vectors, Vectors::Averages { .. }) {
        return encode(encoder, &part.judged, shared.progress.quiet());
    }
    let name = format!("{}.{}", set.name, part.judged.pair);
    let of = |role: &str| format!("{} of {role}", encoder.signature());
    let (of_translations, of_references) = (of("translations"), of("references"));
    let measured = |feature, rows| Measured { set: &name, feature, texts: &part.texts, rows };
    let translations = measured(&of_translations, part.judged.translations.len());
    let references = measured(&of_references, part.judged.references.len());
    let cache = shared.settings.cache();
    let kept = (translations.find(cache, shared.progress), references.find(cache, shared.progress));
    if let (Some(translations), Some(references)) = kept {
        let [translations, references] = [matrix(&translations), matrix(&references)];
        return Ok(Block { name: encoder.kind().to_string(), translations, references });
    }
    shared.progress.status(&format!("{name}: {}", encoder.kind().name()), false)?;
    let block = encode(encoder, &part.judged, shared.progress.quiet())?;
    translations.keep(cache, &dimensions(&block.translations));
    references.keep(cache, &dimensions(&block.references));
    Ok(block)
}

/// The cosine of each translation's vector with its reference's; 0 where one of them is zero.
pub(super) fn cosines(block: &Block, translations: &[Translation]) -> FeatureColumn {
    let cosine = |(row, translation): (usize, &Translation)| {
        let own = block.translations.row(row);
        let reference = block.references.row(translation.segment as usize);
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
        let lengths = (dot(own, own) * dot(reference, reference)).sqrt();
        if lengths == 0.0 { 0.0 } else { dot(own, reference) / lengths }
    };
    let values = translations.iter().enumerate().map(cosine).collect();
    FeatureColumn { name: format!("cosine of {}", block.name), values }
}

/// A matrix by its columns.
fn dimensions(matrix: &Matrix) -> Vec<FeatureColumn> {
    let values = |column| (0..matrix.rows()).map(move |row| f64::from(matrix.row(row)[column])).collect();
    (0..matrix.columns()).map(|i| FeatureColumn { name: i.to_string(), values: values(i) }).collect()
}

/// The matrix of these columns, which were single precision once.
fn matrix(columns: &[FeatureColumn]) -> Matrix {
    let mut matrix = Matrix::zeros(columns.first().map_or(0, |column| column.values.len()), columns.len());
    for (i, column) in columns.iter().enumerate() {
        column.values.iter().enumerate().for_each(|(row, value)| matrix.row_mut(row)[i] = *value as f32);
    }
    matrix
}

/// The words an experiment learns with, if it does. With pre-trained vectors those of all its texts, since a vector is
/// an input like any other; with random ones those of the training texts, since others would never move.
pub(super) fn vocabulary(
    shared: &ExperimentCache<'_>,
    experiment: &Experiment,
    seed: u64,
) -> Result<Option<Vocabulary>> {
    let Some(words) = experiment.words else { return Ok(None) };
    let texts =
        |(name, scope): (SetName, Scope)| shared.set(name, scope).parts.iter().flat_map(|part| part.judged.texts());
    let made = if words.pretrained {
        let all = experiment.sets().into_iter().flat_map(texts);
        Vocabulary::pretrained(all, shared.file(VectorFile::WikiGw50))?
    } else {
        let training = experiment.train.iter().map(|set| (*set, Scope::Judged)).flat_map(texts);
        Vocabulary::random(training, UNITS, seed)?
    };
    Ok(Some(made))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cosine_is_that_of_a_translation_with_the_reference_of_its_segment() {
        let matrix = |rows: &[[f32; 2]]| Matrix::new(rows.len(), 2, rows.concat()).unwrap();
        let block = Block {
            name: "average".to_owned(),
            translations: matrix(&[[3.0, 4.0], [0.0, -2.0], [0.0, 0.0]]),
            references: matrix(&[[0.0, 1.0], [2.0, 0.0]]),
        };
        let of = |segment| Translation { segment, text: String::new() };
        let found = cosines(&block, &[of(1), of(0), of(0)]);
        assert_eq!((found.name.as_str(), found.values), ("cosine of average", vec![0.6, -1.0, 0.0]));
    }
}
