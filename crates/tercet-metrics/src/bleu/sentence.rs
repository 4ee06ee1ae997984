//! Moses' sentence BLEU, the SentBLEU baseline of the WMT metrics tasks.
//!
//! ```text
//! log sBLEU = 1/4 · Σₙ log (mₙ + 1)/(tₙ + 1) + min(0, 1 − r/c)
//! ```
//!
//! One is added to matches and totals of every order, unigrams included (Lin & Och 2004 start at bigrams). Moses
//! computes in single precision and so do we, with correctly rounded logarithms. Text is split at white space only:
//! tokenize it before, or use `tok=moses`, as WMT did. A corpus scores the mean of its segments. The scale is 0 to 1,
//! as in WMT's files.
//!
//! # Agreement
//! With the `sbleumoses` scores that WMT15 published for its direct-assessment segments: 1,993 of 2,000 in all six
//! printed digits, the others within one in the last (the mathematical library of that time). With `tok=moses`,
//! Pearson's r with WMT16's direct assessments is that of the published SentBLEU row, to its three digits. An empty
//! hypothesis scores 0 (Moses divides by zero).

use super::counts::Counter;
use super::precisions::Counts;
use crate::context::Context;
use crate::error::Result;
use crate::spec::TypedOptions;
use crate::text::Preparation;
use crate::word_options::{WordOptions, Words, signed};
use crate::{FittedSlope, LanguageRules, Metric, MetricInfo, Paper, Scale, Segment, Spec, Tally};
use std::sync::Arc;

const ORDER: usize = 4;

/// The entry in a [`Registry`](crate::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "sentbleu",
    summary: "Moses' sentence BLEU, one added to every order: WMT's SentBLEU",
    citation: "Koehn et al., ACL 2007 (Moses)",
    papers: &[super::PAPER, MOSES],
    agrees_with: "Moses sentence-bleu, WMT15's sbleumoses",
    scale: Scale::One,
    options: WordOptions::TABLE,
    language: LanguageRules::WORDS,
    slope: Some(FittedSlope { slope: 5.40784, log_likelihood: -0.6380, accuracy: 0.6290 }),
    people_agree: include_str!("people_agree.tsv"),
    ..MetricInfo::new(|options, registry| Ok(Arc::new(SentBleu::in_context(options.typed(), registry.context())?)))
};

const MOSES: Paper = Paper { short: "Koehn et al., 2007", bibtex: include_str!("koehn-2007-moses.bib") };

/// Moses' sentence BLEU.
pub struct SentBleu {
    options: WordOptions,
    counter: Counter,
}

impl SentBleu {
    /// SentBLEU with these options. Returns an error if the tokenizer is not found.
    pub fn new(options: WordOptions) -> Result<Self> {
        Self::in_context(options, &Context::default())
    }

    /// The same, with what is open in a context.
    pub fn in_context(options: WordOptions, context: &Context) -> Result<Self> {
        let options = INFO.check(&options)?;
        let Preparation { tokenizer, lowercase } = options.preparation(context)?;
        Ok(SentBleu { counter: Counter::new(tokenizer, lowercase, ORDER, false), options })
    }
}

impl Metric for SentBleu {
    fn info(&self) -> &MetricInfo {
        &INFO
    }

    fn signature(&self) -> Spec {
        signed(self.options.spec(INFO.name), self.counter.tokenizer)
    }

    fn title(&self) -> String {
        "SentBLEU".to_owned()
    }

    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        let tallies = self.counter.tally(batch);
        Ok(tallies.iter().map(|counts| Tally::new(vec![sentence_bleu(counts), 1.0])).collect())
    }

    fn score(&self, total: &Tally) -> f64 {
        total.mean()
    }
}

fn sentence_bleu(counts: &Tally) -> f64 {
    let counts = Counts::<f64>::new(counts);
    let (length, reference) = (counts.hypothesis_length as f32, counts.reference_length as f32);
    if length == 0.0 {
        return 0.0;
    }
    let mut log_bleu = 0f32;
    for (matches, total) in counts.matches.iter().zip(counts.totals) {
        log_bleu += logarithm(*matches as f32 + 1.0) - logarithm(*total as f32 + 1.0);
    }
    log_bleu /= ORDER as f32;
    let brevity = 1.0 - reference / length;
    if brevity < 0.0 {
        log_bleu += brevity;
    }
    f64::from(f64::from(log_bleu).exp() as f32)
}

/// The correctly rounded logarithm, unlike that of some libraries.
fn logarithm(x: f32) -> f32 {
    f64::from(x).ln() as f32
}
