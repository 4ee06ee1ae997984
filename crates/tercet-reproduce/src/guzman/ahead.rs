//! What runs need of transformers, measured before the first run, one language pair after another: all rows of a table
//! that take vectors or matches from the same transformer encode each sentence once, since a transformer keeps those of
//! one language pair.

use super::experiment::{Task, Vectors};
use super::experiment_cache::ExperimentCache;
use super::inputs::{block, columns};
use super::sets::SetName;
use tercet::Result;
use tercet::encode::TransformerModel;
use tercet::learned::{Feature, Scope};

/// Everything that is needed of one set.
#[derive(Debug, PartialEq)]
struct Needed<'t> {
    set: (SetName, Scope),
    features: Vec<&'t Feature>,
    vectors: Vec<Vectors>,
}

/// Measures what these tasks take from sentence encoders and has not been kept. Without a cache folder nothing could be
/// kept.
pub(super) fn measure_ahead<'t>(shared: &ExperimentCache<'_>, tasks: impl Iterator<Item = &'t Task>) -> Result<()> {
    if shared.settings.cache.is_none() {
        return Ok(());
    }
    for needed in needed(tasks) {
        let set = shared.set(needed.set.0, needed.set.1);
        for part in &set.parts {
            // Matching keeps the vectors of the sentences too, but not the other way round.
            for feature in &needed.features {
                columns(shared, feature, set, part)?;
            }
            for vectors in &needed.vectors {
                block(shared, *vectors, set, part)?;
            }
            TransformerModel::forget_all(shared.registry.context());
        }
    }
    Ok(())
}

/// By set, what experiments take from the encoders that are given.
fn needed<'t>(tasks: impl Iterator<Item = &'t Task>) -> Vec<Needed<'t>> {
    let mut all: Vec<Needed<'t>> = Vec::new();
    for experiment in tasks.filter_map(Task::experiment) {
        let features: Vec<&Feature> = experiment.features.iter().filter(|feature| matches_tokens(feature)).collect();
        let vectors = experiment.vectors.iter().chain(&experiment.cosines);
        let vectors: Vec<Vectors> = vectors.copied().filter(|vectors| matches!(vectors, Vectors::Encoder(_))).collect();
        for set in experiment.sets() {
            let place = all.iter().position(|needed| needed.set == set).unwrap_or(all.len());
            if place == all.len() {
                all.push(Needed { set, features: Vec::new(), vectors: Vec::new() });
            }
            let needed = &mut all[place];
            add_new(&mut needed.features, &features);
            add_new(&mut needed.vectors, &vectors);
        }
    }
    all
}

fn matches_tokens(feature: &Feature) -> bool {
    feature.metric().split(':').next() == Some("bertscore")
}

fn add_new<T: Copy + PartialEq>(known: &mut Vec<T>, more: &[T]) {
    for one in more {
        if !known.contains(one) {
            known.push(*one);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::systems::{PlannedNetwork, four_metrics};
    use super::*;
    use crate::{Paper, ReproduceJob};

    #[test]
    fn what_several_rows_need_of_a_transformer_is_listed_once_for_each_set() {
        let settings = ReproduceJob::new(Paper::Guzman, "data".into());
        let matching = Feature::score("bertscore:model=folder");
        let layers = Feature::components("bertscore:model=folder");
        let task = |features: &[&Feature], encoder: bool| {
            let added = features.iter().map(|feature| (*feature).clone());
            let recipe =
                PlannedNetwork::new(&settings, four_metrics(&settings).into_iter().chain(added).collect::<Vec<_>>());
            let recipe = if encoder { recipe.encoder(0) } else { recipe };
            Task::Learned(Box::new(recipe.experiment))
        };
        let tasks = [task(&[], false), task(&[&matching], true), task(&[&matching], false), task(&[&layers], true)];
        let found = needed(tasks.iter());
        let sets: Vec<SetName> = found.iter().map(|needed| needed.set.0).collect();
        assert_eq!(sets, [SetName::Wmt13, SetName::Wmt14, SetName::Wmt12]);
        for needed in found {
            assert_eq!(needed.features, [&matching, &layers]);
            assert_eq!(needed.vectors, [Vectors::Encoder(0)]);
        }
    }
}
