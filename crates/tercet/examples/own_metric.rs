//! A metric defined outside of tercet, with everything that tercet's own metrics have: scores, intervals, paired tests,
//! agreement with human judgements, a preference between two translations, every report format, and a name.
//!
//!     cargo run -p tercet --example own_metric
//!
//! The metric is the share of the words of the reference that the hypothesis has, in per cent.

#![allow(clippy::print_stdout)]

use std::collections::HashSet;
use std::sync::Arc;
use tercet::corpora::{Comparison, Judgements, Outcome, Reference, Texts};
use tercet::meta_evaluation::{AgreementReport, CorrelateJob, correlate};
use tercet::metrics::{Direction, Metric, MetricInfo, NamedMetric, OptionInfo, Options, Segment, Spec, Tally, Values};
use tercet::progress::Progress;
use tercet::report::{self, Contents, Format};
use tercet::scoring::significance::Resampling;
use tercet::scoring::{CompareRequest, Corpus, EvaluateRequest, Paired, Pairs, System, Test, compare, evaluate};

/// Name and options of the metric, for building it by name.
static WORD_RECALL: MetricInfo = MetricInfo {
    name: "word_recall",
    summary: "share of the reference's words that the hypothesis has",
    direction: Direction::HigherIsBetter,
    options: &[OptionInfo { key: "lowercase", values: Values::Flag, default: "no", help: "ignore case" }],
    ..MetricInfo::new(|options, _| Ok(Arc::new(WordRecall { options })))
};

struct WordRecall {
    options: Options,
}

impl WordRecall {
    fn words(&self, line: &str) -> HashSet<String> {
        let lowercase = self.options.flag("lowercase");
        let word = |word: &str| if lowercase { word.to_lowercase() } else { word.to_owned() };
        line.split_whitespace().map(word).collect()
    }
}

impl Metric for WordRecall {
    fn info(&self) -> &MetricInfo {
        &WORD_RECALL
    }

    fn signature(&self) -> Spec {
        self.options.spec()
    }

    fn title(&self) -> String {
        "word recall".to_owned()
    }

    /// For each segment, the number of words found and of all words, summed over references.
    fn tally(&self, batch: &[Segment<'_>]) -> tercet::Result<Vec<Tally>> {
        let tally = |segment: &Segment<'_>| {
            let hypothesis = self.words(segment.hypothesis);
            let references = segment.references.iter().flat_map(|line| self.words(line));
            let reference: HashSet<String> = references.collect();
            let found = reference.intersection(&hypothesis).count();
            Tally::new(vec![found as f64, reference.len() as f64])
        };
        Ok(batch.iter().map(tally).collect())
    }

    /// The share over all segments, from the sum of tallies.
    fn score(&self, total: &Tally) -> f64 {
        match total[..] {
            [found, all] if all > 0.0 => 100.0 * found / all,
            _ => 0.0,
        }
    }
}

fn main() -> tercet::Result<()> {
    // By this registry it can be built by name, also as a feature of a learned metric.
    let mut registry = tercet::registry();
    registry.add(&WORD_RECALL)?;
    let metric = registry.build("word_recall:lowercase=yes")?;

    let reference = ["the cat sat on the mat"];
    let scores = metric.segment_scores(&[Segment::new("The cat sat", &reference)])?;
    println!("one segment: {:.1} ({})", scores[0], metric.signature().signed());

    let texts = texts();
    let corpus = Corpus::new(
        vec![System::new("first", &texts.first), System::new("second", &texts.second)],
        texts.references.iter().map(|line| vec![line.as_str()]).collect(),
    )?;
    let metrics = [NamedMetric::new("word recall", Arc::clone(&metric)), registry.named("chrf", None)?];
    let resampling = Resampling { samples: 1000, seed: Some(12345) };
    let paired = Paired { test: Test::Bootstrap, resampling, pairs: Pairs::Against("first".to_owned()), holm: false };
    let request = EvaluateRequest { confidence: Some(resampling), paired: Some(paired), ..EvaluateRequest::default() };
    let evaluation = evaluate(&corpus, &metrics, &request, Progress::none())?;
    for format in [Format::Text, Format::Markdown, Format::Latex, Format::Json, Format::Jsonl, Format::Tsv] {
        println!("\n{}", report::write(&evaluation, format, Contents::default()));
    }

    // Which of the two systems is better? The slope would be fitted to judgements: see `LogisticPreference::fit`.
    let preference = registry.preference("word_recall|slope=0.05", None)?;
    let compared = compare(&corpus, preference.as_ref(), &CompareRequest::default(), Progress::none())?;
    println!("probability that the first is better: {:.3}", compared.mean);

    // Agreement with human judgements, which always prefer the second system.
    let job = CorrelateJob::default();
    let finding = correlate(&judgements(&texts), &[], &metrics, &job, &registry, Progress::none())?;
    let report = AgreementReport { agreements: finding.agreements, ..AgreementReport::default() };
    println!("\n{}", report::write_agreement(&report, Format::Text, report::Terminal::default()));
    Ok(())
}

/// Texts owned by the program.
struct OwnTexts {
    references: Vec<String>,
    first: Vec<String>,
    second: Vec<String>,
}

fn texts() -> OwnTexts {
    let reference = |i: usize| format!("sentence {i} says that {} birds were counted from a boat", i % 9);
    OwnTexts {
        references: (0..40).map(reference).collect(),
        first: (0..40).map(|i| format!("phrase {i} says {} bird were count of boat", i % 7)).collect(),
        second: (0..40).map(|i| format!("sentence {i} says that {} birds was counted of a boat", i % 9)).collect(),
    }
}

fn judgements(texts: &OwnTexts) -> Judgements {
    let lines = |lines: &[String]| lines.iter().cloned().map(Some).collect::<Vec<_>>();
    let second_is_better = |segment| Comparison { segment, first: 0, second: 1, outcome: Outcome::Second };
    Judgements {
        set: "example".to_owned(),
        pair: "xx-en".to_owned(),
        systems: vec!["first".to_owned(), "second".to_owned()],
        segments: (1..=40).map(|segment| segment.to_string()).collect(),
        texts: Some(Texts {
            sources: None,
            references: vec![Reference { name: String::new(), lines: lines(&texts.references) }],
            outputs: vec![lines(&texts.first), lines(&texts.second)],
        }),
        comparisons: (0..40).map(second_is_better).collect(),
        ..Judgements::default()
    }
}
