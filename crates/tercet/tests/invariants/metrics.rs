//! Properties of all metrics in [`tercet::registry`], so that a new metric is tested without being named here.

use std::sync::Arc;
use tercet::metrics::{Direction, Metric, MetricInfo, OptionInfo, Segment, Spec, Tally, Values};
use tercet::metrics::{by_references, prepare};
use tercet::text::{Tokenizer, split};

/// Metrics whose best score is not that of the reference itself. NIST's average information is beaten by a hypothesis
/// of rare words only; ReVal has learned that a reference is its own best translation, but of news only. EED counts the
/// place before the first character as one that is left out, and RIBES does not find the places of words that are
/// repeated over and over.
const IDENTITY_IS_NOT_BEST: &[&str] = &["nist", "reval", "eed", "ribes"];

/// A segment that owns its text.
#[derive(Clone, Debug)]
pub struct Example {
    pub hypothesis: String,
    pub references: Vec<String>,
}

/// Draws a metric and its options from what is declared: `choose(n)` picks a number below `n`. Options that exclude
/// each other are left out from the end until the metric can be built; with none left it must be.
pub fn draw_spec(info: &MetricInfo, mut choose: impl FnMut(usize) -> usize) -> String {
    let mut pairs = Vec::new();
    for option in info.options {
        if choose(3) > 0
            && let Some(value) = draw_value(option, &mut choose)
        {
            pairs.push(format!("{}={value}", option.key));
        }
    }
    loop {
        let spec = format!("{}:{}", info.name, pairs.join(","));
        match tercet::registry().build(&spec) {
            Ok(_) => return spec,
            Err(error) => assert!(pairs.pop().is_some(), "{spec}: {error}"),
        }
    }
}

/// A metric that must exist.
fn built(spec: &str) -> Arc<dyn Metric> {
    tercet::registry().build(spec).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

fn draw_value(option: &OptionInfo, choose: &mut impl FnMut(usize) -> usize) -> Option<String> {
    let pick = |words: &[&str], i: usize| words[i % words.len()].to_owned();
    match &option.values {
        Values::Flag => Some(pick(&["yes", "no", "true", "0"], choose(4))),
        Values::Choice(words) => Some(pick(words, choose(words.len()))),
        Values::Integer(low, high) => Some((low + choose((high - low + 1).min(7))).to_string()),
        Values::Number(low) => Some((low + [0.0, 0.1, 0.5, 1.0, 2.0, 3.25][choose(6)]).to_string()),
        Values::Text if option.key == "tok" => {
            let names: Vec<&str> = Tokenizer::ALL.iter().map(|(name, ..)| *name).collect();
            Some(pick(&names, choose(names.len())))
        }
        _ => None, // a file, or something only the metric understands
    }
}

/// Tallies of the examples by the prepared metric, in batches of at most this size.
pub fn tallies(metric: &dyn Metric, examples: &[Example], batch_size: usize) -> Vec<Tally> {
    let references = references(examples);
    let slices: Vec<&[&str]> = references.iter().map(Vec::as_slice).collect();
    let prepared = metric.prepare(&slices).expect("references are only text");
    let metric = prepared.as_deref().unwrap_or(metric);
    let segments: Vec<Segment<'_>> = examples
        .iter()
        .zip(&references)
        .map(|(example, references)| Segment::new(&example.hypothesis, references))
        .collect();
    let mut tallies = Vec::new();
    for batch in segments.chunks(batch_size.max(1)) {
        let some = metric.tally(batch).expect("segments are only text");
        assert_eq!(some.len(), batch.len(), "one tally per segment");
        tallies.extend(some);
    }
    tallies
}

/// Lines scored with each other have the scores of single segments, to the bit.
pub fn cross_scores_are_segment_scores(spec: &str, examples: &[Example]) {
    let metric = built(spec);
    let lines: Vec<&str> = examples.iter().map(|example| example.hypothesis.as_str()).collect();
    let slices: Vec<&[&str]> = lines.chunks(1).collect();
    let metric = prepare(&metric, &slices).expect("references are only text");
    let found = metric.cross_scores(&lines).expect("lines are only text");
    assert_eq!(found.scores.len(), lines.len() * lines.len());
    for (i, line) in lines.iter().enumerate() {
        for (reference, score) in slices.iter().zip(found.row(i, lines.len())) {
            let tallies = metric.tally(&[Segment::new(line, reference)]).expect("segments are only text");
            let expected = metric.segment_score(&tallies[0]);
            assert_eq!(score.to_bits(), expected.to_bits(), "{spec}: {line:?} with {reference:?}");
        }
    }
}

fn references(examples: &[Example]) -> Vec<Vec<&str>> {
    examples.iter().map(|example| example.references.iter().map(String::as_str).collect()).collect()
}

/// No panic, no error, and only numbers: tallies, scores and components of segments and of their sum.
pub fn scores_are_numbers(spec: &str, examples: &[Example]) {
    let metric = built(spec);
    let tallies = tallies(metric.as_ref(), examples, examples.len());
    for tally in &tallies {
        assert_finite(metric.as_ref(), tally, examples);
        let score = metric.segment_score(tally);
        assert!(score.is_finite(), "{spec}: segment score {score} of {examples:?}");
    }
    if !tallies.is_empty() {
        assert_finite(metric.as_ref(), &Tally::sum(&tallies), examples);
    }
}

fn assert_finite(metric: &dyn Metric, tally: &Tally, examples: &[Example]) {
    let signature = metric.signature();
    let all_finite = tally.iter().all(|count| count.is_finite());
    assert!(all_finite, "{signature}: tally {tally:?} of {examples:?}");
    let score = metric.score(tally);
    assert!(score.is_finite(), "{signature}: score {score} of {examples:?}");
    for component in metric.components(tally) {
        assert!(component.value.is_finite(), "{signature}: {component:?} of {examples:?}");
    }
}

/// Any split into batches, and references shared in memory or not, give the same tallies to the bit.
pub fn batches_do_not_matter(spec: &str, examples: &[Example], batch_size: usize) {
    let metric = built(spec);
    let whole = tallies(metric.as_ref(), examples, examples.len());
    assert_same_bits(spec, "batches", &whole, &tallies(metric.as_ref(), examples, batch_size));
    assert_same_bits(spec, "single segments", &whole, &tallies(metric.as_ref(), examples, 1));
    let Some(first) = examples.first() else { return };
    let shared: Vec<&str> = first.references.iter().map(String::as_str).collect();
    let copies: Vec<Vec<&str>> = examples.iter().map(|_| shared.clone()).collect();
    let on_shared: Vec<Segment<'_>> = examples.iter().map(|e| Segment::new(&e.hypothesis, &shared)).collect();
    let on_copies: Vec<Segment<'_>> =
        examples.iter().zip(&copies).map(|(e, copy)| Segment::new(&e.hypothesis, copy)).collect();
    assert_eq!(by_references(&on_shared).count(), 1);
    let metric = prepare(&metric, &[&shared]).expect("references are only text");
    assert_same_bits(
        spec,
        "copies of the references",
        &metric.tally(&on_shared).unwrap(),
        &metric.tally(&on_copies).unwrap(),
    );
}

/// The tallies of two halves add up to those of the whole, and so do their sums and the score.
pub fn tallies_add_up(spec: &str, examples: &[Example], cut: usize) {
    let metric = built(spec);
    let whole = tallies(metric.as_ref(), examples, examples.len());
    let (left, right) = whole.split_at(cut.min(whole.len()));
    let mut halves = Tally::sum(left);
    halves += &Tally::sum(right);
    let total = Tally::sum(&whole);
    if total.is_empty() {
        return;
    }
    assert_eq!(halves.len(), total.len(), "{spec}");
    for (a, b) in halves.iter().zip(total.iter()) {
        assert!(close(*a, *b), "{spec}: {halves:?} is not {total:?}");
    }
    let (a, b) = (metric.score(&halves), metric.score(&total));
    assert!(close(a, b), "{spec}: halves score {a}, the whole {b}");
}

/// A signature builds the metric that printed it: same signature, same title, same tallies, same score.
pub fn signature_builds_the_metric_again(spec: &str, examples: &[Example]) {
    let metric = built(spec);
    let signature: Spec = metric.signature();
    let printed = signature.clone().with("refs", 1).to_string();
    let again = tercet::registry().build(&printed).unwrap_or_else(|error| panic!("{spec} printed {printed}: {error}"));
    assert_eq!(again.signature(), signature, "{spec}");
    assert_eq!(again.title(), metric.title(), "{spec}");
    let first = tallies(metric.as_ref(), examples, examples.len());
    let second = tallies(again.as_ref(), examples, examples.len());
    assert_same_bits(spec, "the metric its signature builds", &first, &second);
    if let Some(tally) = first.first() {
        assert_eq!(metric.score(tally).to_bits(), again.score(tally).to_bits(), "{spec}");
    }
}

/// A text with at least one word scores against itself no worse than another text against it; error rates are 0.
pub fn identity_is_best(info: &MetricInfo, text: &str, other: &str) {
    let metric = built(info.name);
    assert_eq!(metric.direction(), info.direction, "{}", info.name);
    if IDENTITY_IS_NOT_BEST.contains(&info.name) || split(text).next().is_none() {
        return;
    }
    let examples = [text, other]
        .map(|hypothesis| Example { hypothesis: hypothesis.to_owned(), references: vec![text.to_owned()] });
    let tallies = tallies(metric.as_ref(), &examples, 2);
    let [itself, other] = [0, 1].map(|i| metric.segment_score(&tallies[i]));
    match metric.direction() {
        Direction::HigherIsBetter => assert!(
            itself >= other - 1e-9 * other.abs(),
            "{}: {examples:?}: itself {itself}, the other {other}",
            info.name
        ),
        Direction::LowerIsBetter => assert_eq!(itself, 0.0, "{}: {text:?} against itself", info.name),
    }
}

/// Any text as a metric's specification builds a metric or is an error; the metric can be built again from its
/// signature.
pub fn any_spec_is_built_or_refused(text: &str) {
    match tercet::registry().build(text) {
        Ok(_) => signature_builds_the_metric_again(text, &[]),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// The metric with this number, modulo their count, among those that need no model.
pub fn info(number: usize) -> &'static MetricInfo {
    let registry = tercet::registry();
    let without_model: Vec<_> = registry.metrics().iter().filter(|info| info.needs.is_none()).collect();
    without_model[number % without_model.len()]
}

fn assert_same_bits(spec: &str, what: &str, a: &[Tally], b: &[Tally]) {
    let bits = |tallies: &[Tally]| -> Vec<Vec<u64>> {
        tallies.iter().map(|tally| tally.iter().map(|count| count.to_bits()).collect()).collect()
    };
    assert_eq!(bits(a), bits(b), "{spec}: {what} changed a tally: {a:?}, {b:?}");
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}
