//! The rows of the table, and what is computed for each.

use crate::ReproduceJob;
use crate::encoders::token_matching;
use tercet::Result;
use tercet::learned::Feature;
use tercet::metrics::blend::DEFAULT_METRICS;
use tercet::spec::{Spec, file_value};
use tercet_learn::feature_scaling::Scaling;
use tercet_learn::regression::Method;
use tercet_learn::svr::SvrGrid;

/// What a row is computed by.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Task {
    /// A metric as it is.
    Metric(Feature),
    /// A regression.
    Regression(Combination),
    /// Nothing, and why.
    Missing(String),
}

/// A regression over metrics and encoders.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Combination {
    pub(super) metrics: Vec<Feature>,
    /// Specifications of encoders.
    pub(super) encoders: Vec<String>,
    pub(super) scaling: Scaling,
    /// The settings that cross-validation chooses from.
    pub(super) methods: Vec<Method>,
}

/// A row.
#[derive(Debug, PartialEq)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) task: Task,
}

impl Row {
    /// Why it cannot be run, if it cannot.
    pub(super) fn missing(&self) -> Option<&str> {
        if let Task::Missing(why) = &self.task { Some(why) } else { None }
    }
}

/// Metrics of the combinations beside the default ones.
const FURTHER_METRICS: [&str; 11] = [
    "bleu:smooth=add-k",
    "chrf:beta=1",
    "chrf:beta=3",
    "chrf:char_order=3",
    "ter:normalized=yes,no_punct=yes",
    "meteor:modules=exact+stem",
    "per:tok=13a",
    "gtm-3",
    "terp-a",
    "terp-h",
    "terbase",
];

/// Metrics whose components are features of the combinations.
const COMPONENTS: [&str; 14] = [
    "bleu:lowercase=yes",
    "bleu:smooth=add-k",
    "nist",
    "meteor",
    "chrf++",
    "ter:normalized=yes",
    "wer",
    "cer",
    "rouge-2",
    "rouge-l",
    "rouge-w",
    "rouge-su",
    "gtm-2",
    "terp-a",
];

/// All rows, those of the paper first.
pub(super) fn rows(settings: &ReproduceJob) -> Result<Vec<Row>> {
    let metrics = metrics(settings)?;
    let glove = Spec::new("average").with_option("file", file_value(&settings.vector_file())?).to_string();
    let row = |name: &str, task: Task| Row { name: name.to_owned(), task };
    let metric = |name: &str, metric: &str| row(name, Task::Metric(Feature::score(metric)));
    let mut rows = vec![
        metric("SentBLEU", "sentbleu:tok=moses"),
        row("Blend", blend(metrics.clone(), Vec::new(), svr(&COMBINED))),
        row("DPMFcomb", Task::Missing("its metric DPMF is not a part of tercet".to_owned())),
        metric("ReVal", &reval(settings)?.unwrap_or_else(|| "reval".to_owned())),
    ];
    rows.extend(paper_rows(settings));
    rows.push(row("SVR with GloVe", ruse(vec![glove.clone()])));
    let others: Vec<&(String, String)> = settings.encoders.iter().filter(|(name, _)| !is_of_paper(name)).collect();
    for (name, spec) in &others {
        rows.push(row(&format!("SVR with {name}"), ruse(vec![spec.clone()])));
    }
    let mut matchings = Vec::new();
    for (name, spec) in &others {
        if let Some(matching) = token_matching(spec)? {
            let layers = Feature::components(&matching);
            rows.push(row(&format!("BERTScore, {name}"), Task::Metric(Feature::score(&matching))));
            rows.push(row(
                &format!("BERTScore of all layers, {name}"),
                blend(vec![layers.clone()], Vec::new(), svr(&COMBINED)),
            ));
            matchings.push(layers);
        }
    }
    let all: Vec<String> = settings.encoders.iter().map(|(_, spec)| spec.clone()).collect();
    if settings.encoders.len() > 1 {
        rows.push(row("SVR with all encoders", ruse(all.clone())));
    }
    rows.push(row("Blend, ridge", blend(metrics.clone(), Vec::new(), ridge())));
    rows.push(row("no transformer", blend(metrics.clone(), vec![glove.clone()], svr(&COMBINED))));
    let given: Vec<Feature> = settings.metrics.iter().map(|metric| metric.parse()).collect::<Result<_>>()?;
    if !all.is_empty() || !given.is_empty() {
        let everything: Vec<Feature> = metrics.into_iter().chain(matchings).chain(given).collect();
        rows.push(row("everything", blend(everything.clone(), all.clone(), svr(&COMBINED))));
        rows.push(row("everything, ridge", blend(everything, all, ridge())));
    }
    Ok(rows)
}

/// The encoders of the paper, and their names in its table.
const OF_PAPER: [(&str, &str); 2] = [("skip-thought", "Skip-Thought"), ("infersent", "InferSent")];

fn is_of_paper(name: &str) -> bool {
    OF_PAPER.iter().any(|(known, _)| *known == name)
}

/// The rows with the encoders of the paper.
fn paper_rows(settings: &ReproduceJob) -> Vec<Row> {
    let spec = |name: &str| settings.encoders.iter().find(|(known, _)| known == name).map(|(_, spec)| spec.clone());
    let [skip_thought, infersent] = OF_PAPER.map(|(name, _)| name);
    let row = |title: &str, names: &[&str]| {
        let specs: Option<Vec<String>> = names.iter().map(|name| spec(name)).collect();
        let task = match specs {
            Some(specs) => ruse(specs),
            None => Task::Missing(format!("its encoder was not given ({})", names.join(", "))),
        };
        Row { name: title.to_owned(), task }
    };
    vec![
        row("SVR with Skip-Thought", &[skip_thought]),
        row("SVR with InferSent", &[infersent]),
        row("SVR with InferSent + Skip-Thought", &[infersent, skip_thought]),
    ]
}

/// The metrics that are combined. The model inside `reval` has learned from rankings of the tested systems: only one
/// that is given is combined.
fn metrics(settings: &ReproduceJob) -> Result<Vec<Feature>> {
    let known = DEFAULT_METRICS.iter().filter(|metric| **metric != "reval").chain(&FURTHER_METRICS);
    let mut metrics: Vec<Feature> = known.map(|metric| Feature::score(metric)).collect();
    metrics.extend(COMPONENTS.map(Feature::components));
    if let Some(table) = &settings.paraphrase {
        let table = file_value(table)?;
        for (metric, key) in [("meteor", "paraphrase"), ("terp-a", "phrases"), ("terp-h", "phrases")] {
            let metric = Spec::new(metric).with_option(key, table).to_string();
            metrics.extend([Feature::score(&metric), Feature::components(&metric)]);
        }
    }
    metrics.extend(reval(settings)?.map(|metric| Feature::score(&metric)));
    Ok(metrics)
}

/// ReVal with the model that is given.
fn reval(settings: &ReproduceJob) -> Result<Option<String>> {
    let metric = |path: &std::path::PathBuf| Ok(Spec::new("reval").with_option("model", file_value(path)?).to_string());
    settings.reval.as_ref().map(metric).transpose()
}

/// The paper's regression and grid.
fn ruse(encoders: Vec<String>) -> Task {
    let methods = svr(&SvrGrid::default());
    Task::Regression(Combination { metrics: Vec::new(), encoders, scaling: Scaling::None, methods })
}

fn blend(metrics: Vec<Feature>, encoders: Vec<String>, methods: Vec<Method>) -> Task {
    Task::Regression(Combination { metrics, encoders, scaling: Scaling::Block, methods })
}

fn svr(grid: &SvrGrid) -> Vec<Method> {
    grid.points().into_iter().map(Method::Svr).collect()
}

fn ridge() -> Vec<Method> {
    [0.1, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0].map(Method::Ridge).to_vec()
}

/// The grid of combinations, whose features have the variance 1: smaller γ than for single vectors.
static COMBINED: std::sync::LazyLock<SvrGrid> = std::sync::LazyLock::new(|| SvrGrid {
    c: vec![0.3, 1.0, 3.0, 10.0],
    epsilon: vec![0.1, 0.3],
    gamma: vec![0.0003, 0.001, 0.003, 0.01, 0.03],
});

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn rows_without_an_encoder_say_so() {
        let mut settings = ReproduceJob::new(crate::Paper::Ruse, PathBuf::from("data"));
        let task = |settings: &ReproduceJob, name: &str| {
            let found = rows(settings).unwrap().into_iter().find(|row| row.name == name);
            found.map(|row| matches!(row.task, Task::Missing(_)))
        };
        assert_eq!(task(&settings, "SVR with InferSent"), Some(true));
        assert_eq!(task(&settings, "everything"), None);
        settings.encoders =
            vec![("infersent".to_owned(), "syntax".to_owned()), ("tiny".to_owned(), "syntax".to_owned())];
        assert_eq!(task(&settings, "SVR with InferSent"), Some(false));
        assert_eq!(task(&settings, "SVR with InferSent + Skip-Thought"), Some(true));
        for name in ["SVR with tiny", "SVR with all encoders", "everything", "everything, ridge"] {
            assert_eq!(task(&settings, name), Some(false), "{name}");
        }
    }

    #[test]
    fn reval_is_combined_if_its_model_is_given() {
        let mut settings = ReproduceJob::new(crate::Paper::Ruse, PathBuf::from("data"));
        let has_reval = |settings: &ReproduceJob| {
            metrics(settings).unwrap().iter().any(|feature| feature.metric().starts_with("reval"))
        };
        assert!(!has_reval(&settings));
        settings.reval = Some(PathBuf::from("until-2015.safetensors"));
        assert!(has_reval(&settings));
    }

    #[test]
    fn every_metric_can_be_built() {
        for feature in metrics(&ReproduceJob::new(crate::Paper::Ruse, PathBuf::from("data"))).unwrap() {
            tercet::registry().build(feature.metric()).map(drop).unwrap();
        }
    }
}
