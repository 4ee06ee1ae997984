//! BLEU: clipped n-gram precision with a brevity penalty (Papineni et al., 2002).
//!
//! ```text
//! BLEU = 100 · BP · exp( 1/N · Σₙ log pₙ ),   BP = min(1, e^(1 − r/c))      (sec. 2.3)
//! ```
//!
//! # Choices
//! - Smoothing of orders without a match: `exp` is NIST's (mteval-v13a: 1/2, 1/4, … of a match), `floor` and `add-k`
//!   are methods 1 and 2 of Chen & Cherry (2014); without any match at all the score is always 0.
//! - `mteval` is `exp` exactly as in mteval-v13a, which also smooths where nothing matches at all and lets the orders
//!   longer than the text, unless `effective_order` leaves them out, count as if all of them matched. It differs from
//!   `exp` for short or wholly wrong texts only. mteval's `--no-smoothing` is `none` with `effective_order=no`.
//! - `effective_order` leaves out the orders longer than the hypothesis. `segment` does so for single segments only,
//!   as sacreBLEU's command does.
//! - Of several references, r is the length closest to the hypothesis, the shorter of two equally close
//!   (`brevity=shortest`: the shortest, an option of mteval's).
//!
//! # Agreement
//! Equal to sacreBLEU 2.6.0 (counts exactly, scores to 1e-9), its single-precision bootstrap included. `mteval-bleu`,
//! which is `bleu:tok=mteval,lowercase=yes,smooth=mteval,effective_order=no`, is equal to mteval-v13a (times 100) for
//! segments and systems; its flags are `lowercase=no` (`-c`), `tok=mteval-intl` (`--international-tokenization`),
//! `tok=mteval-intl+nonascii` (with `-e`), `brevity=shortest` and `smooth=none`.
//!
//! `sentence` is Moses' sentence BLEU, the SentBLEU baseline of WMT.
//!
//! # Example
//! ```
//! use tercet_metrics::{Registry, Segment, Tally};
//!
//! let bleu = Registry::lexical().build("bleu:tok=13a")?;
//! let (first, second) = (["Good morning, everyone."], ["It is raining again today."]);
//! let tallies = bleu.tally(&[
//!     Segment::new("Good morning, everybody.", &first),
//!     Segment::new("It is raining again today.", &second),
//! ])?;
//! assert_eq!(format!("{:.4}", bleu.score(&Tally::sum(&tallies))), "74.1945");
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod counts;
mod precisions;
mod sentence;

use super::word_options::signed;
use super::{
    Component, FittedSlope, LanguageRules, Metric, MetricInfo, Paper, Resampled, Sacrebleu, Segment, Spec, Tally,
    Values,
};
use crate::context::Context;
use crate::error::Result;
use crate::spec::TypedOptions;
use crate::text::{Language, Tokenizer};
use crate::warning::LanguageProblem;
use counts::Counter;
use precisions::{Counts, Smoothing};
pub use sentence::{INFO as SENTBLEU, SentBleu};
use std::path::PathBuf;
use std::sync::Arc;
use tercet_base::{choices, options};

/// The entry in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "bleu",
    summary: "clipped n-gram precision with a brevity penalty",
    aliases: &[("mteval-bleu", "bleu:tok=mteval,lowercase=yes,smooth=mteval,effective_order=no")],
    citation: "Papineni et al., ACL 2002",
    papers: &[PAPER, SACREBLEU],
    agrees_with: "sacreBLEU 2.6.0, mteval-v13a",
    options: BleuOptions::TABLE,
    language: LanguageRules {
        option: |language| {
            let usual = Tokenizer::for_language(language);
            (usual != Tokenizer::V13a.name()).then_some(("tok", usual))
        },
        problem: |signature, language, unsegmented| {
            let by_words = (LanguageRules::WORDS.problem)(signature, language, unsegmented);
            by_words.or_else(|| usual_tokenizer(signature, language))
        },
        ..LanguageRules::NONE
    },
    slope: Some(FittedSlope { slope: 0.04971, log_likelihood: -0.6348, accuracy: 0.6342 }),
    people_agree: include_str!("people_agree.tsv"),
    ..MetricInfo::new(|options, registry| Ok(Arc::new(Bleu::in_context(options.typed(), registry.context())?)))
};

pub(super) const PAPER: Paper =
    Paper { short: "Papineni et al., 2002", bibtex: include_str!("papineni-2002-bleu.bib") };

const SACREBLEU: Paper = Paper { short: "Post, 2018", bibtex: include_str!("post-2018-call.bib") };

/// BLEU of Japanese and Korean with another tokenizer than sacreBLEU's.
fn usual_tokenizer(signature: &Spec, language: &Language) -> Option<LanguageProblem> {
    let usual = Tokenizer::usual(language)?;
    // Without a tokenizer the text may have been tokenized before, by the usual one too. Those with a model are known
    // too.
    let is_other = |used: &&str| *used != Tokenizer::None.name() && !Tokenizer::needs_model(used);
    Some(LanguageProblem::UsualTokenizer {
        used: signature.option("tok").filter(is_other)?.to_owned(),
        usual: usual.to_owned(),
        dictionary: Tokenizer::advice(usual).unwrap_or_default(),
        chosen: Tokenizer::for_language(language).to_owned(),
    })
}

choices! {
    /// What an order without a match counts.
    pub enum Smooth: "smoothing" {
        /// sacreBLEU's exponential decay.
        Exp = "exp",
        /// A small number.
        Floor = "floor",
        /// A number is added to matches and totals of all orders but the first.
        AddK = "add-k",
        /// Nothing.
        None = "none",
        /// mteval's exponential decay.
        Mteval = "mteval",
    }
}

choices! {
    /// When orders longer than the text are left out.
    pub enum EffectiveOrder: "effective order" {
        /// For single segments only.
        Segment = "segment",
        /// Always.
        Always = "yes",
        /// Never.
        Never = "no",
    }
}

choices! {
    /// Which reference's length the hypothesis is compared with.
    pub enum Brevity: "brevity" {
        /// The one that is closest to the hypothesis's.
        Closest = "closest",
        /// The shortest one.
        Shortest = "shortest",
    }
}

options! {
    /// Options of [`Bleu`].
    pub struct BleuOptions {
        tok: String = "13a", "tokenizer";
        tok_model: Option<PathBuf> = "auto",
            "dictionary (a folder) of ja-mecab and ko-mecab, model of spm, flores101 and flores200";
        lowercase: bool = "no", "ignore case";
        smooth: Smooth = "exp", "what an order without a match counts";
        smooth_value: Option<f64> = "auto", "for floor (0.1 if not given) and add-k (1)";
        effective_order: EffectiveOrder = "segment",
            "leave out the orders longer than the text: for single segments only, always, never";
        max_order: usize [Values::Integer(1, 16)] = "4", "longest n-gram";
        brevity: Brevity = "closest", "which reference's length the hypothesis is compared with";
    }
}

/// BLEU.
pub struct Bleu {
    options: BleuOptions,
    counter: Counter,
    smoothing: Smoothing,
}

impl Bleu {
    /// BLEU with these options. Returns an error if a value is not accepted, or the tokenizer is not found.
    pub fn new(options: BleuOptions) -> Result<Self> {
        Self::in_context(options, &Context::default())
    }

    /// The same, with what is open in a context.
    pub fn in_context(options: BleuOptions, context: &Context) -> Result<Self> {
        let mut options = INFO.check(&options)?;
        let value = options.smooth_value.take();
        let smoothing = match options.smooth {
            Smooth::Exp => Smoothing::Exp,
            Smooth::Mteval => Smoothing::Mteval,
            Smooth::Floor => Smoothing::Floor(*options.smooth_value.insert(value.unwrap_or(0.1))),
            Smooth::AddK => Smoothing::AddK(*options.smooth_value.insert(value.unwrap_or(1.0))),
            Smooth::None => Smoothing::None,
        };
        let tokenizer = Tokenizer::open(&options.tok, options.tok_model.as_deref(), context)?;
        let shortest = options.brevity == Brevity::Shortest;
        let counter = Counter::new(tokenizer, options.lowercase, options.max_order, shortest);
        Ok(Bleu { options, counter, smoothing })
    }

    /// Whether orders longer than a segment are left out.
    fn effective_segment(&self) -> bool {
        self.options.effective_order != EffectiveOrder::Never
    }

    /// Whether orders longer than a corpus are left out.
    fn effective_corpus(&self) -> bool {
        self.options.effective_order == EffectiveOrder::Always
    }
}

impl Metric for Bleu {
    fn info(&self) -> &MetricInfo {
        &INFO
    }

    fn signature(&self) -> Spec {
        signed(self.options.spec(INFO.name), self.counter.tokenizer)
    }

    fn title(&self) -> String {
        "BLEU".to_owned()
    }

    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        Ok(self.counter.tally(batch))
    }

    fn score(&self, total: &Tally) -> f64 {
        Counts::<f64>::new(total).bleu(self.smoothing, self.effective_corpus())
    }

    fn segment_score(&self, tally: &Tally) -> f64 {
        Counts::<f64>::new(tally).bleu(self.smoothing, self.effective_segment())
    }

    /// BLEUCOMP (Guzmán et al., 2015): the components of BLEU as features.
    fn components(&self, total: &Tally) -> Vec<Component> {
        let counts = Counts::<f64>::new(total);
        let (percent, _) = counts.precisions(self.smoothing, self.effective_segment());
        let by_order = |name: &str, values: &[f64]| {
            let named = values.iter().enumerate();
            named.map(|(i, value)| Component::new(format!("{name}_{}", i + 1), *value)).collect::<Vec<_>>()
        };
        let mut components = by_order("precision", &percent);
        components.extend(by_order("matches", counts.matches));
        components.extend(by_order("totals", counts.totals));
        components.push(Component::new("hyp_len", counts.hypothesis_length));
        components.push(Component::new("ref_len", counts.reference_length));
        components.push(Component::new("ratio", counts.ratio()));
        components.push(Component::new("brevity_penalty", counts.brevity_penalty()));
        components
    }

    fn sacrebleu(&self) -> Option<&dyn Sacrebleu> {
        Some(self)
    }
}

impl Sacrebleu for Bleu {
    fn score_single(&self, sums: &[f32]) -> Option<Resampled> {
        // This reproduces sacreBLEU's arithmetic, which has no such smoothing.
        if self.smoothing == Smoothing::Mteval {
            return None;
        }
        Some(Resampled::Double(Counts::<f32>::new(sums).bleu(self.smoothing, self.effective_corpus())))
    }

    fn verbose(&self, total: &Tally) -> Option<String> {
        let counts = Counts::<f64>::new(total);
        let (percent, _) = counts.precisions(self.smoothing, self.effective_corpus());
        let percent: Vec<String> = percent.iter().map(|p| format!("{p:.1}")).collect();
        Some(format!(
            "{} (BP = {:.3} ratio = {:.3} hyp_len = {:.0} ref_len = {:.0})",
            percent.join("/"),
            counts.brevity_penalty(),
            counts.ratio(),
            counts.hypothesis_length,
            counts.reference_length
        ))
    }
}

#[cfg(test)]
mod tests;
