//! The page of texts that were scored: what must be computed for it, and what its readers should know.

use super::{PageContents, SegmentGrouping, write_page};
use crate::error::Result;
use crate::metrics::{NamedMetric, Preference, Registry};
use crate::progress::Progress;
use crate::scoring::significance::Resampling;
use crate::scoring::{
    Corpus, EvaluateRequest, Evaluation, Paired, Pairs, SystemComparison, Test, evaluate_preferring,
    mark_words, remarks, too_few,
};
use crate::warning::Warning;
use tercet_text::Language;

/// Resamples of intervals and tests, if no number is given.
const RESAMPLES: usize = 1000;

/// The most systems of which all pairs are tested without being asked.
const MAX_PAIRED: usize = 100;

/// The metrics whose scores the page of a comparison has, beside the one that compares.
const OTHER_METRICS: [&str; 3] = ["bleu", "chrf", "ter"];

/// Texts that were scored.
#[derive(Clone, Copy)]
pub struct ScoredTexts<'a> {
    /// The subcommand, for the title.
    pub command: &'a str,
    /// Scores; those of segments too.
    pub evaluation: &'a Evaluation,
    /// What they were computed from, its systems in the order of the scores.
    pub corpus: &'a Corpus<'a>,
    /// What they were computed by.
    pub metrics: &'a [NamedMetric],
    /// Which of two systems is better.
    pub comparison: Option<&'a SystemComparison>,
    /// The target language, if it is given.
    pub language: Option<&'a Language>,
    /// Whether the page says what is suspicious about the texts.
    pub checks: bool,
    /// Properties of segments.
    pub groupings: &'a [SegmentGrouping],
    /// The files of references and source: what each is, and its name.
    pub origins: &'a [(String, String)],
}

impl<'a> ScoredTexts<'a> {
    /// Scores and their texts, which are checked; nothing else is known.
    pub fn new(
        command: &'a str,
        evaluation: &'a Evaluation,
        corpus: &'a Corpus<'a>,
        metrics: &'a [NamedMetric],
    ) -> Self {
        ScoredTexts {
            command,
            evaluation,
            corpus,
            metrics,
            comparison: None,
            language: None,
            checks: true,
            groupings: &[],
            origins: &[],
        }
    }

    /// Marks words, and writes the page.
    pub fn write_page(&self, progress: Progress<'_>) -> Result<String> {
        let remarks =
            if self.checks { page_remarks(self.corpus, self.metrics, self.language) } else { Vec::new() };
        let marks = mark_words(self.corpus, self.metrics, self.evaluation, progress)?;
        Ok(write_page(&PageContents {
            command: self.command,
            evaluation: Some(self.evaluation),
            corpus: Some(self.corpus),
            groupings: self.groupings,
            marks: &marks,
            comparison: self.comparison,
            remarks: &remarks,
            origins: self.origins,
            agreement: None,
        }))
    }
}

/// What readers of a page should know about its texts, metrics and tests.
pub fn page_remarks(
    corpus: &Corpus<'_>,
    metrics: &[NamedMetric],
    language: Option<&Language>,
) -> Vec<Warning> {
    let mut found = remarks(corpus, metrics, language);
    let request = page_request(EvaluateRequest::default(), None, corpus.systems().len());
    found.extend(too_few::segments(corpus.len(), corpus.systems().len(), &request));
    found
}

/// What a page needs, and whatever was asked for: scores of segments, intervals, and a test of all pairs of systems.
pub fn page_request(request: EvaluateRequest, seed: Option<u64>, systems: usize) -> EvaluateRequest {
    let resampling = Resampling { samples: RESAMPLES, seed };
    let paired = request.paired.or((2..=MAX_PAIRED).contains(&systems).then(|| Paired {
        test: Test::Bootstrap,
        resampling: request.confidence.unwrap_or(resampling),
        pairs: Pairs::All,
        holm: false,
    }));
    // A paired bootstrap and the intervals share their resamples.
    let shared = paired.as_ref().filter(|paired| paired.test == Test::Bootstrap);
    let confidence = request.confidence.or(shared.map(|paired| paired.resampling)).unwrap_or(resampling);
    EvaluateRequest { segments: true, confidence: Some(confidence), paired, wins: true, ..request }
}

/// What the page of a comparison shows beside the verdict.
pub struct ScoredForComparison {
    /// The metric that compares, and lexical ones.
    pub metrics: Vec<NamedMetric>,
    /// Their scores.
    pub evaluation: Evaluation,
    /// The probabilities behind the verdict, if the scores give them.
    pub probabilities: Option<Vec<f64>>,
}

impl ScoredForComparison {
    /// Scores two systems by the metric `own`, whose preference compares them, and by lexical metrics.
    pub fn compute(
        corpus: &Corpus<'_>,
        own: NamedMetric,
        preference: &dyn Preference,
        language: Option<&Language>,
        seed: Option<u64>,
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let name = own.metric.signature().name().to_owned();
        let others = OTHER_METRICS.iter().filter(|other| **other != name);
        let others = others.map(|other| registry.named(other, language));
        let metrics = std::iter::once(Ok(own)).chain(others).collect::<Result<Vec<_>>>()?;
        let request = page_request(EvaluateRequest::default(), seed, corpus.systems().len());
        let (evaluation, probabilities) =
            evaluate_preferring(corpus, &metrics, Some(preference), &request, progress)?;
        Ok(ScoredForComparison { metrics, evaluation, probabilities })
    }
}
