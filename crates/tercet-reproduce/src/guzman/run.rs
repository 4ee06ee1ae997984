//! One run: a network trained and tested with one seed, or a metric tested.
//!
//! Figures are named by language, as in `cz`, and by what else there is: `cz antisymmetric`, `cz zeros`,
//! `cz systems averages`.

use super::agreement;
use super::experiment::{DEVELOPMENT, Experiment, HIDDEN, TestSetup, Vectors};
use super::experiment_cache::ExperimentCache;
use super::inputs::{SharedInputs, block, cosines, vocabulary};
use super::sets::SetName;
use crate::finished::Figures;
use tercet::Result;
use tercet::learned::{Inputs, Scope, pooled_sample};
use tercet::meta_evaluation::{
    HumanSystems, JudgedSet, RelativeRanking, ScoreOptions, Statistic, TauDefinition, score_texts,
};
use tercet::metrics::pairwise::{EmptyTranslation, Fitted, LearningSet, Plan, WordPlan, fit};
use tercet_learn::training::Checkpoints;

/// What people make of the systems of each language pair, where systems are scored.
pub(super) type People = Vec<HumanSystems>;

/// People's scores of the systems of a set.
pub(super) fn people(shared: &ExperimentCache<'_>, set: SetName) -> Result<People> {
    let sources = set.sources(&shared.settings.data)?;
    sources.iter().map(|source| agreement::people(set, &source.read()?)).collect()
}

/// Trains and tests a network.
pub(super) fn learned(
    shared: &ExperimentCache<'_>,
    experiment: &Experiment,
    inputs: &SharedInputs,
    people: Option<&People>,
    seed: u64,
) -> Result<Figures> {
    let training = learning_sets(shared, experiment, inputs, seed);
    let development = development_sets(shared, experiment, inputs, seed);
    let plan = plan(shared, experiment, seed)?;
    let fitted = fit(&plan, &training, &development, &mut Checkpoints::none(), shared.progress.quiet())?;
    let mut figures = Figures::new();
    if let Some(outcome) = fitted.outcome() {
        figures.insert("epochs".to_owned(), outcome.rounds as f64);
        figures.insert("best epoch".to_owned(), outcome.best_round as f64);
        let development = outcome.best_value.map(|value| 100.0 * value);
        figures.extend(development.map(|value| ("development".to_owned(), value)));
    }
    let test = experiment.test;
    let parts = inputs.parts(test.set, test.scope());
    for number in 0..parts.len() {
        let human = people.map(|people| &people[number]);
        figures.extend(tested(shared, test, number, &parts[number], &fitted, human)?);
    }
    Ok(figures)
}

fn learning_sets<'a>(
    shared: &'a ExperimentCache<'_>,
    experiment: &Experiment,
    inputs: &'a SharedInputs,
    seed: u64,
) -> Vec<LearningSet<'a>> {
    let mut sets = Vec::new();
    for &name in experiment.train {
        let parts = &shared.set(name, Scope::Judged).parts;
        for (part, inputs) in parts.iter().zip(inputs.parts(name, Scope::Judged)) {
            let chosen = part.judged.sample(experiment.size, seed);
            sets.push(LearningSet { judged: &part.judged, inputs, chosen });
        }
    }
    sets
}

/// A sample over all language pairs of the development set together.
fn development_sets<'a>(
    shared: &'a ExperimentCache<'_>,
    experiment: &Experiment,
    inputs: &'a SharedInputs,
    seed: u64,
) -> Vec<LearningSet<'a>> {
    let name = experiment.test.development();
    let parts = &shared.set(name, Scope::Judged).parts;
    let counts: Vec<usize> = parts.iter().map(|part| part.judged.pairs.len()).collect();
    let chosen = pooled_sample(&counts, DEVELOPMENT, seed);
    let each = parts.iter().zip(inputs.parts(name, Scope::Judged)).zip(chosen);
    each.map(|((part, inputs), chosen)| LearningSet { judged: &part.judged, inputs, chosen }).collect()
}

fn plan(shared: &ExperimentCache<'_>, experiment: &Experiment, seed: u64) -> Result<Plan> {
    let vocabulary = vocabulary(shared, experiment, seed)?;
    let words = experiment.words.zip(vocabulary).map(|(words, vocabulary)| WordPlan {
        encoding: words.encoding,
        fine_tuning: words.fine_tuning,
        embedding_dropout: words.dropout,
        hidden_dropout: words.dropout,
        matrix: vocabulary.matrix(),
    });
    let (architecture, training) = (experiment.architecture, experiment.training(seed));
    Ok(Plan { architecture, hidden: HIDDEN, words, training })
}

/// A network on one language pair.
fn tested(
    shared: &ExperimentCache<'_>,
    test: TestSetup,
    number: usize,
    inputs: &Inputs,
    fitted: &Fitted,
    human: Option<&HumanSystems>,
) -> Result<Figures> {
    let part = &shared.set(test.set, test.scope()).parts[number];
    let (judged, language, tau) = (&part.judged, &part.language, agreement::tau(test.set));
    let verdicts = fitted.judge(judged, inputs)?;
    let mut figures = Figures::new();
    let of = |decision: fn(&_) -> f64| agreement::of_decisions(tau, judged, verdicts.iter().map(decision));
    figures.insert(language.clone(), of(agreement::decided));
    figures.insert(format!("{language} single"), of(agreement::single));
    figures.insert(format!("{language} antisymmetric"), of(agreement::antisymmetric));
    figures.insert(format!("{language} undecided"), agreement::undecided(&verdicts));
    for empty in [EmptyTranslation::Zeros, EmptyTranslation::Averages].into_iter().filter(|_| test.absolute) {
        let (scores, name) = (fitted.scores(judged, inputs, empty)?, empty.name());
        figures.insert(format!("{language} {name}"), agreement::of_scores(tau, judged, &scores));
        let without_ties = agreement::of_scores(TauDefinition::Wmt14, judged, &scores);
        figures.insert(format!("{language} {name} ties for nothing"), without_ties);
        if let Some(human) = human {
            let systems = agreement::system_scores(judged, &scores);
            let value = agreement::of_systems(test.set, human, &systems);
            figures.insert(format!("{language} systems {name}"), value);
        }
    }
    Ok(figures)
}

/// A metric as it is, on all language pairs: the digits of `tercet correlate`.
pub(super) fn metric(
    shared: &ExperimentCache<'_>,
    metric: &str,
    test: TestSetup,
    people: Option<&People>,
) -> Result<Figures> {
    let mut figures = Figures::new();
    let parts = &shared.set(test.set, test.scope()).parts;
    for (number, source) in test.set.sources(&shared.settings.data)?.iter().enumerate() {
        let (judgements, language) = (source.read()?, &parts[number].language);
        let set = JudgedSet::new(&judgements, &[], false)?;
        let wanted = ScoreOptions { systems: test.absolute, resampling: None };
        let scored =
            score_texts(&set, &[shared.registry.named(metric, None)?], wanted, shared.progress.quiet())?.remove(0);
        let scores = scored.segments.unwrap_or_default();
        let tau = |definition: TauDefinition| {
            let usable = |place: usize| !scores[place].is_nan();
            let comparisons = &judgements.comparisons;
            let ranking = RelativeRanking::new(definition, comparisons, set.systems(), set.segments(), usable);
            100.0 * ranking.value(&scores)
        };
        figures.insert(language.clone(), tau(agreement::tau(test.set)));
        figures.insert(format!("{language} ties for nothing"), tau(TauDefinition::Wmt14));
        if let (Some(people), Some(systems)) = (people, scored.systems) {
            let value = agreement::of_systems(test.set, &people[number], &systems);
            figures.insert(format!("{language} systems"), value);
        }
    }
    Ok(figures)
}

/// The cosine of vectors with the reference's as a metric, on all language pairs.
pub(super) fn cosine(shared: &ExperimentCache<'_>, vectors: Vectors, test: TestSetup) -> Result<Figures> {
    let mut figures = Figures::new();
    let set = shared.set(test.set, test.scope());
    for part in &set.parts {
        let scores = cosines(&block(shared, vectors, set, part)?, &part.judged.translations).values;
        let tau = |definition| agreement::of_scores(definition, &part.judged, &scores);
        figures.insert(part.language.clone(), tau(agreement::tau(test.set)));
        figures.insert(format!("{} ties for nothing", part.language), tau(TauDefinition::Wmt14));
    }
    Ok(figures)
}
