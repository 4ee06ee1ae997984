//! The judged sets, and the features of their translations, each computed once.

use super::rows::{Combination, Task};
use crate::ReproduceJob;
use crate::feature_files::Measured;
use crate::fingerprint::fingerprint;
use std::sync::Arc;
use tercet::Context;
use tercet::corpora::find_judgements;
use tercet::encode::{self, SentenceEncoder};
use tercet::learned::{Block, Feature, FeatureColumn, JudgedTexts, measure};
use tercet::metrics::Registry;
use tercet::metrics::ruse::FeatureTable;
use tercet::progress::Progress;
use tercet::{Error, Result};
use tercet_math::Matrix;

/// A language pair of a year.
pub(super) struct JudgedSet {
    pub(super) judged: JudgedTexts,
    /// The hash of its texts and scores.
    pub(super) fingerprint: String,
}

/// The sets into English of both years.
pub(super) fn read(settings: &ReproduceJob) -> Result<Vec<JudgedSet>> {
    let mut sets = Vec::new();
    for folder in ["da-wmt15", "da-wmt16"] {
        for source in find_judgements(&settings.data.join(folder))? {
            if source.pair.ends_with("-en") {
                let set = source.read()?;
                sets.push(JudgedSet { fingerprint: fingerprint(&set), judged: JudgedTexts::with_scores(&set, None)? });
            }
        }
    }
    Ok(sets)
}

/// A feature or an encoder that rows use, with what it gives for each set.
pub(super) struct Inputs {
    features: Vec<(String, Vec<Vec<FeatureColumn>>)>,
    encoders: Vec<(String, Vec<Block>)>,
}

/// Encoders by their specification, built once.
#[derive(Default)]
pub(super) struct Encoders(Vec<(String, Arc<dyn SentenceEncoder>)>);

impl Encoders {
    /// Builds the encoders of these rows.
    pub(super) fn build<'a>(tasks: impl Iterator<Item = &'a Task>, context: &Context) -> Result<Self> {
        let mut built = Encoders::default();
        for task in tasks {
            let Task::Regression(combination) = task else { continue };
            for spec in &combination.encoders {
                if built.0.iter().all(|(known, _)| known != spec) {
                    built.0.push((spec.clone(), encode::build(spec, context)?));
                }
            }
        }
        Ok(built)
    }

    pub(super) fn signature(&self, spec: &str) -> String {
        self.0
            .iter()
            .find(|(known, _)| known == spec)
            .map(|(_, encoder)| encoder.signature().to_string())
            .unwrap_or_default()
    }
}

impl Inputs {
    /// Computes what these tasks need. `progress` advances by features and encoders of sets.
    pub(super) fn compute(
        tasks: &[&Task],
        sets: &[JudgedSet],
        encoders: &Encoders,
        (settings, registry): (&ReproduceJob, &Registry),
        progress: Progress<'_>,
    ) -> Result<Self> {
        let (mut features, mut specs): (Vec<Feature>, Vec<&String>) = (Vec::new(), Vec::new());
        for task in tasks {
            let (metrics, used): (&[Feature], &[String]) = match task {
                Task::Metric(feature) => (std::slice::from_ref(feature), &[]),
                Task::Regression(combination) => (&combination.metrics, &combination.encoders),
                Task::Missing(_) => (&[], &[]),
            };
            features.extend(metrics.iter().cloned());
            specs.extend(used);
        }
        features.sort_by_key(Feature::to_string);
        features.dedup();
        specs.sort();
        specs.dedup();
        progress.stage("features", (features.len() + specs.len()) * sets.len(), "features of sets")?;
        let mut made = Inputs { features: Vec::new(), encoders: Vec::new() };
        for feature in &features {
            let signature = signature(feature, registry)?;
            let columns = |set: &JudgedSet| columns(feature, &signature, set, (settings, registry), progress);
            made.features.push((feature.to_string(), sets.iter().map(columns).collect::<Result<_>>()?));
        }
        for spec in specs {
            let Some((_, encoder)) = encoders.0.iter().find(|(known, _)| known == spec) else { continue };
            let block = |set: &JudgedSet| {
                let block = tercet::learned::encode(encoder.as_ref(), &set.judged, progress.quiet())?;
                progress.advance(1)?;
                Ok(block)
            };
            made.encoders.push((spec.clone(), sets.iter().map(block).collect::<Result<_>>()?));
        }
        Ok(made)
    }

    /// The columns of a feature for a set.
    pub(super) fn columns(&self, feature: &Feature, set: usize) -> Result<&[FeatureColumn]> {
        let name = feature.to_string();
        let found = self.features.iter().find(|(known, _)| *known == name);
        found.map(|(_, sets)| &sets[set][..]).ok_or_else(|| Error::Unusable(format!("{name} was not computed")))
    }

    /// The features of a combination for the judged translations of a set, with their scores.
    pub(super) fn table(&self, combination: &Combination, sets: &[JudgedSet], set: usize) -> Result<ScoredRows> {
        let mut columns = Vec::new();
        for feature in &combination.metrics {
            columns.extend_from_slice(self.columns(feature, set)?);
        }
        let of =
            |spec: &String| self.encoders.iter().find(|(known, _)| known == spec).map(|(_, sets)| sets[set].clone());
        let blocks: Vec<Block> = combination.encoders.iter().filter_map(of).collect();
        let judged = &sets[set].judged;
        let table = FeatureTable::new(columns, &blocks, judged)?;
        let rows = judged.scores.iter().map(|one| table.rows[one.translation as usize].clone()).collect();
        Ok(ScoredRows { blocks: table.blocks, rows, scores: judged.scores.iter().map(|one| one.score).collect() })
    }
}

/// Rows of features with scores.
#[derive(Default)]
pub(super) struct ScoredRows {
    pub(super) blocks: Vec<usize>,
    rows: Vec<Vec<f64>>,
    pub(super) scores: Vec<f64>,
}

impl ScoredRows {
    /// Adds the rows of another set.
    pub(super) fn extend(&mut self, other: ScoredRows) {
        self.blocks = other.blocks;
        self.rows.extend(other.rows);
        self.scores.extend(other.scores);
    }

    pub(super) fn matrix(&self) -> Result<Matrix<f64>> {
        Ok(Matrix::from_rows(&self.rows)?)
    }
}

/// All that decides the digits of a feature.
pub(super) fn signature(feature: &Feature, registry: &Registry) -> Result<String> {
    let metric = registry.build(feature.metric())?.signature().signed();
    Ok(format!("{} {metric}", if feature.to_string() == feature.metric() { "score" } else { "components" }))
}

fn columns(
    feature: &Feature,
    signature: &str,
    set: &JudgedSet,
    (settings, registry): (&ReproduceJob, &Registry),
    progress: Progress<'_>,
) -> Result<Vec<FeatureColumn>> {
    let name = format!("{}.{}", set.judged.set, set.judged.pair);
    let rows = set.judged.translations.len();
    let measured = Measured { set: &name, feature: signature, texts: &set.fingerprint, rows };
    let columns = measured.find_or_measure(settings.cache(), settings.fresh, progress, || {
        progress.status(&format!("{name}: {feature}"), false)?;
        measure(feature, &set.judged, registry, progress.quiet())
    })?;
    progress.advance(1)?;
    Ok(columns)
}
