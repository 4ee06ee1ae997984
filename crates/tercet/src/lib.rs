//! tercet judges machine translation: it scores translations, says which of two is better and how surely, learns from
//! human judgements, and measures how well metrics agree with people.
//!
//! # Score strings
//! A metric is built by name, with its options as in the command. It is immutable and can be shared between threads.
//! Every segment has its own list of references.
//! ```
//! use tercet::metrics::Segment;
//!
//! let registry = tercet::registry();
//! let chrf = registry.build("chrf:word_order=2")?;
//! let references = [["The cat sat on the mat."], ["It rained all day."]];
//! let segments =
//!     [Segment::new("The cat sat on a mat.", &references[0]), Segment::new("It rained.", &references[1])];
//! assert_eq!(format!("{:.1}", chrf.corpus_score(&segments)?), "60.1");
//! assert_eq!(chrf.segment_scores(&segments)?.len(), 2);
//! # Ok::<(), tercet::Error>(())
//! ```
//!
//! # Test a difference
//! [`scoring::evaluate`] scores systems by any number of metrics, with confidence intervals and paired tests;
//! [`report`] writes the result as text, JSON, TSV, Markdown or LaTeX.
//! ```
//! use tercet::progress::Progress;
//! use tercet::report::{self, Contents, Format};
//! use tercet::scoring::significance::Resampling;
//! use tercet::scoring::{Corpus, EvaluateRequest, Paired, Pairs, System, Test, evaluate};
//!
//! let references: Vec<String> = (0..50).map(|i| format!("line {i} of a text about birds")).collect();
//! let good: Vec<String> = (0..50).map(|i| format!("line {i} of a text about bird")).collect();
//! let bad: Vec<String> = (0..50).map(|i| format!("birds of row {i}")).collect();
//! let corpus = Corpus::new(
//!     vec![System::new("good", &good), System::new("bad", &bad)],
//!     references.iter().map(|line| vec![line.as_str()]).collect(),
//! )?;
//! let resampling = Resampling { samples: 1000, seed: Some(12345) };
//! let pairs = Pairs::Against("good".to_owned());
//! let paired = Paired { test: Test::Bootstrap, resampling, pairs, holm: false };
//! let request = EvaluateRequest { paired: Some(paired), ..EvaluateRequest::default() };
//! let registry = tercet::registry();
//! let metrics = [registry.named("bleu", None)?, registry.named("ter", None)?];
//! let evaluation = evaluate(&corpus, &metrics, &request, Progress::none())?;
//! let bleu = &evaluation.columns[0];
//! println!("{}: {:.1} and {:.1}", bleu.signature, bleu.cells[0].score, bleu.cells[1].score);
//! for comparison in &evaluation.comparisons {
//!     println!("difference {:.1}, p = {:.4}", comparison.delta, comparison.p_value);
//!     assert!(comparison.is_significant());
//! }
//! let table = report::write(&evaluation, Format::Markdown, Contents::default());
//! # assert!(table.contains("good"));
//! # Ok::<(), tercet::Error>(())
//! ```
//!
//! # Read judgements
//! [`corpora::find_judgements`] says what a folder or a file holds: relative rankings, direct assessment, MQM and other
//! sets. [`meta_evaluation::CorrelateJob`] measures how well metrics, computed here or read from files of scores, agree
//! with them, by the statistics that are usual for the set or by those that are asked for.
//! ```
//! use tercet::meta_evaluation::CorrelateJob;
//! use tercet::progress::Progress;
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let folder = folder.path().join("wmt13-rr");
//! # std::fs::create_dir_all(folder.join("references")).unwrap();
//! # std::fs::create_dir_all(folder.join("system-outputs/cs-en")).unwrap();
//! # let lines = |text: &str| (0..20).map(|i| format!("{text} {i}\n")).collect::<String>();
//! # std::fs::write(folder.join("references/newstest2013-ref.en"), lines("a line about birds")).unwrap();
//! # std::fs::write(folder.join("system-outputs/cs-en/x"), lines("a line about bird")).unwrap();
//! # std::fs::write(folder.join("system-outputs/cs-en/y"), lines("of birds")).unwrap();
//! # let pairs: String = (1..=20).map(|i| format!("{i}\tx\ty\n")).collect();
//! # std::fs::write(folder.join("pairs.cs-en.tsv"), format!("seg_id\tbetter\tworse\n{pairs}")).unwrap();
//! let metrics = vec!["chrf".to_owned()];
//! let job = CorrelateJob { judgements: vec![folder], metrics, ..CorrelateJob::default() };
//! let report = job.run(&[], &tercet::registry(), Progress::none())?.result;
//! for agreement in &report.agreements {
//!     println!("{} {}: {:.3}", agreement.pair, agreement.statistic.name, agreement.value);
//! }
//! # assert_eq!(report.agreements[0].value, 1.0);
//! # Ok::<(), tercet::Error>(())
//! ```
//!
//! # Train
//! A recipe says what is learned from and how; [`train`] reads one from a TOML file, or it is filled by hand.
//! ```
//! # #[cfg(feature = "learned")]
//! # {
//! use tercet::metrics::{Segment, pairwise};
//! use tercet::progress::Progress;
//! use tercet::train::TrainingFiles;
//!
//! # let scratch = tempfile::tempdir().unwrap();
//! # let folder = scratch.path().join("wmt13-rr");
//! # std::fs::create_dir_all(folder.join("references")).unwrap();
//! # std::fs::create_dir_all(folder.join("system-outputs/cs-en")).unwrap();
//! # let lines = |text: &str| (0..20).map(|i| format!("{text} {i}\n")).collect::<String>();
//! # std::fs::write(folder.join("references/newstest2013-ref.en"), lines("a line about birds")).unwrap();
//! # std::fs::write(folder.join("system-outputs/cs-en/x"), lines("a line about bird")).unwrap();
//! # std::fs::write(folder.join("system-outputs/cs-en/y"), lines("of birds")).unwrap();
//! # let pairs: String = (1..=20).map(|i| format!("{i}\tx\ty\n")).collect();
//! # std::fs::write(folder.join("pairs.cs-en.tsv"), format!("seg_id\tbetter\tworse\n{pairs}")).unwrap();
//! # let model = scratch.path().join("pairwise.safetensors");
//! let mut recipe = pairwise::PairwiseRecipe::default();
//! recipe.data.train = vec![folder];
//! recipe.inputs.metrics = vec!["chrf".to_owned(), "ter".to_owned()];
//! recipe.training.epochs = 20;
//! let files = TrainingFiles { model: model.clone(), resume: false };
//! let registry = tercet::registry();
//! pairwise::train(&recipe, &files, &registry, Progress::none())?;
//!
//! let metric = registry.build(&format!("pairwise:model={}", model.display()))?;
//! let references = ["a line about birds"];
//! let segments = ["a line about bird", "of birds"].map(|line| Segment::new(line, &references));
//! let scores = metric.segment_scores(&segments)?;
//! assert!(scores[0] > scores[1]);
//! # }
//! # Ok::<(), tercet::Error>(())
//! ```
//!
//! # Write a metric of your own
//! A metric that implements [`metrics::Metric`] has intervals, paired tests, agreement with judgements and every report
//! format; [added to a registry](metrics::Registry::add) it is found by name too. `examples/own_metric.rs` shows all of
//! it.
//! ```
//! use tercet::metrics::{Metric, MetricInfo, Scale, Segment, Tally};
//!
//! /// The share of hypotheses that equal a reference.
//! struct ExactMatch;
//!
//! static INFO: MetricInfo = MetricInfo {
//!     name: "exact_match",
//!     scale: Scale::One,
//!     ..MetricInfo::new(|_, _| Ok(std::sync::Arc::new(ExactMatch)))
//! };
//!
//! impl Metric for ExactMatch {
//!     fn info(&self) -> &MetricInfo {
//!         &INFO
//!     }
//!
//!     fn tally(&self, batch: &[Segment<'_>]) -> tercet::Result<Vec<Tally>> {
//!         let equal = |segment: &Segment<'_>| segment.references.contains(&segment.hypothesis);
//!         Ok(batch.iter().map(|segment| Tally::new(vec![f64::from(equal(segment)), 1.0])).collect())
//!     }
//!
//!     fn score(&self, total: &Tally) -> f64 {
//!         total.mean()
//!     }
//! }
//!
//! let references = ["yes"];
//! let segments = [Segment::new("yes", &references), Segment::new("no", &references)];
//! assert_eq!(ExactMatch.corpus_score(&segments)?, 0.5);
//! # Ok::<(), tercet::Error>(())
//! ```
//!
//! # How the parts go together
//! [`corpora`] reads files, [`text`] cuts lines into tokens, [`metrics`] turn segments into summable tallies and those
//! into scores, [`scoring`] compares systems, [`meta_evaluation`] compares metrics, [`report`] writes results. Long
//! work takes a [`progress::Progress`] and stops when its callback says so; a [`stop::Stop`] reaches
//! inside of a segment. Errors have stable [kinds](ErrorKind).
//!
//! # Names at the root
//! What most programs need is here under its own name: [`registry`] and what is a [`Metric`], typed metrics like
//! [`Bleu`], [`Corpus`] and [`System`], the functions [`score`], [`compare`] and [`rank`] with their jobs, [`Error`]
//! and [`Warning`]. Everything else is in the module of its part.
//!
//! # Features
//! - `learned` (default): encoders, learned metrics, parsers and training (`learned`, `train`, `parse`, `encode`,
//!   `vectors` and `metrics::{siamese, bertscore, pairwise, reval, ruse, blend}`), with the weights of the parsers.
//!   Without it: lexical metrics, statistics, agreement and reports, and no network.
//! - `siamese` (default): the weights of the metric of that name, 35 MB. Without it the metric needs a model file.

pub use tercet_agreement as meta_evaluation;
pub use tercet_base::{
    Context, Error, ErrorKind, Result, cache, choice, choices, context, files, progress, spec, stop, threads, unpack,
    warning,
};
pub use tercet_base::{progress::Progress, warning::Warning};
pub use tercet_corpora as corpora;
pub use tercet_metrics::resources;
pub use tercet_metrics::{Bleu, Chrf, Meteor, Metric, MetricInfo, Preference, Registry, Segment, Tally, Ter};
pub use tercet_report as report;
pub use tercet_score as scoring;
pub use tercet_score::{CompareJob, Corpus, Evaluation, RankJob, ScoreJob, System};
pub use tercet_statistics as statistics;
pub use tercet_text as text;
#[cfg(feature = "learned")]
pub use {
    tercet_neural::vectors,
    tercet_research::{encode, learned, parse, train},
};

/// Metrics, which score translations against references.
pub mod metrics {
    pub use tercet_metrics::*;
    #[cfg(feature = "learned")]
    pub use {
        tercet_neural::bertscore,
        tercet_research::{blend, pairwise, reval, ruse},
    };

    /// How good people would find a translation, by an encoder that learned from their judgements; and its fine-tuning.
    #[cfg(feature = "learned")]
    pub mod siamese {
        pub use tercet_neural::siamese::*;
        pub use tercet_research::siamese::*;
    }
}

#[cfg(feature = "learned")]
pub use tercet_research::registry;

/// A registry of all metrics and encoders of tercet.
#[cfg(not(feature = "learned"))]
pub fn registry() -> metrics::Registry {
    metrics::Registry::lexical()
}

use scoring::{Compared, Scored};
use warning::Done;

/// Scores systems by metrics, with all metrics of tercet to choose from.
///
/// ```
/// use tercet::{Corpus, ScoreJob, System, score};
///
/// let corpus = Corpus::new(vec![System::new("a", &["a cat sat"])], vec![vec!["the cat sat"]])?;
/// let scored = score(&corpus, &ScoreJob { metrics: vec!["chrf".into()], ..ScoreJob::default() })?.result;
/// assert!(scored.evaluation.columns[0].cells[0].score > 50.0);
/// # Ok::<(), tercet::Error>(())
/// ```
pub fn score(corpus: &Corpus<'_>, job: &ScoreJob) -> Result<Done<Scored>> {
    job.run(corpus, &registry(), Progress::none())
}

/// Says which of two systems is better, with all metrics of tercet to choose from.
pub fn compare(corpus: &Corpus<'_>, job: &CompareJob) -> Result<Done<Compared>> {
    job.run(corpus, &registry(), Progress::none())
}

/// Puts systems in order, with all metrics of tercet to choose from.
pub fn rank(corpus: &Corpus<'_>, job: &RankJob) -> Result<Done<Scored>> {
    job.run(corpus, &registry(), Progress::none())
}

/// Runs the example of the page about the library.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
mod library_page {}
