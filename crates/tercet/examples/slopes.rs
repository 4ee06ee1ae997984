//! Fits the `slope` of metrics, which turns a difference of scores into a probability.
//!
//!     cargo run --release -p tercet --example slopes -- DATA [--set SET…] [METRIC…]
//!
//! DATA is the folder that holds `wmt12-rr` to `wmt16-rr`, of which `--set wmt12-rr` chooses one, for metrics that take
//! long; without metrics, all that have no preference of their own are
//! fitted with their default options. For each it prints a line of the table: the slope, the log-likelihood of a
//! judgement (natural logarithm; −0.693 is chance) and the share of judgements the metric gets right, ties being half
//! right, all as means over language pairs; as a comment the slope with equal weights of judgements, and the smallest
//! and largest slope of a single language pair. The slope of BERTScore depends on encoder and layer, and is in no
//! table; this fits one to be given as `|slope=…`:
//!
//!     cargo run --release -p tercet --example slopes -- DATA --set wmt12-rr bertscore:model=all-MiniLM-L6-v2,layer=4

#![allow(clippy::print_stdout)]

use std::path::Path;
use tercet::corpora::{Judgements, Outcome, find_judgements};
use tercet::encode::TransformerModel;
use tercet::meta_evaluation::{JudgedSet, MetricOnSet, ScoreOptions, score_texts};
use tercet::metrics::{LogisticPreference, NamedMetric, Registry};
use tercet::progress::Progress;

const SETS: [&str; 5] = ["wmt12-rr", "wmt13-rr", "wmt14-rr", "wmt15-rr", "wmt16-rr"];

/// For each metric the differences of scores of one language pair.
type Differences = Vec<Vec<f64>>;

fn main() -> tercet::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((data, asked)) = arguments.split_first() else {
        println!("usage: slopes DATA [--set SET…] [METRIC…]");
        return Ok(());
    };
    let (sets, asked) = chosen_sets(asked);
    let registry = tercet::registry();
    let fitted = registry.metrics().iter().filter(|info| info.preference.is_none() && info.needs.is_none());
    let metrics: Vec<String> =
        if asked.is_empty() { fitted.map(|info| info.name.to_owned()).collect() } else { asked.to_vec() };
    let metrics = metrics.iter().map(|name| registry.named(name, None)).collect::<tercet::Result<Vec<_>>>()?;
    let mut pairs: Vec<Differences> = Vec::new();
    for set in sets {
        for source in find_judgements(&Path::new(data).join(set))? {
            let judgements = source.read()?;
            TransformerModel::forget_all(registry.context());
            if let Some(found) = differences(&judgements, &metrics)? {
                println!("// {set} {}: {} judgements", judgements.pair, found[0].len());
                pairs.push(found);
            }
        }
    }
    let judgements: usize = pairs.iter().map(|pair| pair[0].len()).sum();
    println!("// {judgements} judgements of {} language pairs", pairs.len());
    for (i, metric) in metrics.iter().enumerate() {
        let groups: Vec<Vec<f64>> = pairs.iter().map(|pair| pair[i].clone()).collect();
        report(&metric.name, &groups, &registry)?;
    }
    Ok(())
}

/// The sets after `--set`, or all, and what else was asked for.
fn chosen_sets(asked: &[String]) -> (Vec<&str>, &[String]) {
    let (mut sets, mut rest) = (Vec::new(), asked);
    while let [flag, set, after @ ..] = rest
        && flag == "--set"
    {
        sets.push(set.as_str());
        rest = after;
    }
    (if sets.is_empty() { SETS.to_vec() } else { sets }, rest)
}

/// The differences `score(better) − score(worse)` of each metric on the judgements without ties whose outputs have a
/// text; `None` if there are none.
fn differences(judgements: &Judgements, metrics: &[NamedMetric]) -> tercet::Result<Option<Differences>> {
    let set = JudgedSet::new(judgements, &[], false)?;
    let scored = score_texts(&set, metrics, ScoreOptions { systems: false, resampling: None }, Progress::none())?;
    let differences: Differences = scored.iter().map(|metric| of_metric(judgements, metric)).collect();
    Ok(differences.first().is_some_and(|some| !some.is_empty()).then_some(differences))
}

fn of_metric(judgements: &Judgements, metric: &MetricOnSet) -> Vec<f64> {
    let scores = metric.segments.as_ref().expect("segments are scored");
    let strict = judgements.comparisons.iter().filter_map(|pair| match pair.outcome {
        Outcome::First => Some((pair.first, pair.second, pair.segment)),
        Outcome::Second => Some((pair.second, pair.first, pair.segment)),
        Outcome::Tie => None,
    });
    // Scores of error rates were negated; this restores the metric's own scale.
    let score = |system: usize, segment: usize| metric.sign * scores[system * judgements.segments.len() + segment];
    let difference = |(better, worse, segment): (usize, usize, usize)| score(better, segment) - score(worse, segment);
    strict.map(difference).filter(|difference| difference.is_finite()).collect()
}

fn report(name: &str, groups: &[Vec<f64>], registry: &Registry) -> tercet::Result<()> {
    let fit = |groups: &[Vec<f64>]| Ok::<_, tercet::Error>(LogisticPreference::fit(registry.build(name)?, groups));
    let preference = fit(groups)?;
    let right = |&difference: &f64| match preference.probability(difference) {
        p if p > 0.5 => 1.0,
        p if p < 0.5 => 0.0,
        _ => 0.5,
    };
    let slope = preference.slope();
    let log_likelihood = mean_of_means(groups, |&difference| preference.probability(difference).ln());
    let accuracy = mean_of_means(groups, right);
    let every_judgement = fit(&[groups.concat()])?.slope();
    let mut alone = Vec::new();
    for group in groups {
        alone.push(fit(std::slice::from_ref(group))?.slope());
    }
    alone.sort_by(f64::total_cmp);
    let (low, high) = (alone[0], alone[alone.len() - 1]);
    println!(
        "    slope: Some(FittedSlope {{ slope: {slope:.5}, log_likelihood: {log_likelihood:.4}, accuracy: \
         {accuracy:.4} }}), // {name}; all judgements alike {every_judgement:.5}; alone {low:.5} to {high:.5}"
    );
    Ok(())
}

/// The mean over groups of the mean within each.
fn mean_of_means(groups: &[Vec<f64>], value: impl Fn(&f64) -> f64) -> f64 {
    let mean = |group: &Vec<f64>| group.iter().map(&value).sum::<f64>() / group.len() as f64;
    groups.iter().map(mean).sum::<f64>() / groups.len() as f64
}
