//! Campaigns of human judgement: which segments to judge, and the files that Pearmut and Appraise read.

mod choice;
mod files;

pub use choice::{Choice, choose_segments};
pub use files::{CampaignTool, Protocol};

use crate::corpora::{ErrorSpan, Judgements, Level, MetricRun, Reference, Texts, read_metric_scores, system_of_file};
use crate::error::{Error, Result};
use crate::metric_on_set::{ScoreOptions, score_texts};
use crate::metrics::{NamedMetric, Registry};
use crate::progress::Progress;
use crate::scoring::Corpus;
use crate::set::JudgedSet;
use crate::text::Language;
use crate::warning::Done;
use files::{CampaignText, Output};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

tercet_base::defaults! {
    /// A campaign: the segments that tell most about the systems, as a file that an annotation tool reads. The default:
    /// 100 segments with the largest spread of chrF and TER over systems, for Pearmut's ESA.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct CampaignJob {
        /// The metrics by whose scores segments are chosen.
        pub metrics: Vec<String> = vec!["chrf".to_owned(), "ter".to_owned()],
        /// The number of segments.
        pub segments: usize = 100,
        /// How they are chosen.
        pub choose: Choice = Choice::Spread,
        /// The tool that shows them to raters.
        pub tool: CampaignTool = CampaignTool::Pearmut,
        /// What raters are asked for.
        pub protocol: Protocol = Protocol::Esa,
        /// Whether all systems of a segment are shown side by side.
        pub contrastive: bool = false,
        /// The number of raters.
        pub raters: usize = 1,
        /// The name of the campaign.
        pub name: String = "campaign".to_owned(),
        /// The language pair, as in `en-de`.
        pub pair: Option<String> = None,
        /// A file of scores with errors that a metric marked, which raters see.
        pub spans: Option<PathBuf> = None,
        /// The seed of a random choice.
        pub seed: u64 = crate::scoring::SEED,
    }
}

/// The chosen segments and the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Campaign {
    /// The segments, from 0.
    pub segments: Vec<usize>,
    /// The content of the file.
    pub text: String,
}

impl CampaignJob {
    /// Returns an error for settings that cannot be met.
    pub fn validate(&self) -> Result<()> {
        if self.segments == 0 {
            return Err(Error::out_of_range("segments", "a number from 1", self.segments));
        }
        if self.tool == CampaignTool::Appraise && self.pair.as_ref().is_none_or(|pair| !pair.contains('-')) {
            return Err(Error::Needs { what: "appraise".to_owned(), needs: "the language pair, as in en-de" });
        }
        if self.tool == CampaignTool::Appraise && self.contrastive {
            return Err(Error::NoEffect { setting: "contrastive", needs: "the tool pearmut" });
        }
        Ok(())
    }

    /// Chooses the segments of a corpus and writes the campaign.
    pub fn run(&self, corpus: &Corpus<'_>, registry: &Registry, progress: Progress<'_>) -> Result<Done<Campaign>> {
        self.validate()?;
        Done::collect(progress, |progress| {
            let judgements = as_judgements(corpus);
            let language = self.pair.as_deref().and_then(|pair| Language::target(pair).ok());
            let metrics: Vec<NamedMetric> = match self.choose {
                Choice::Random => Vec::new(),
                _ => self.metrics.iter().map(|name| registry.named(name, language.as_ref())).collect::<Result<_>>()?,
            };
            let set = JudgedSet::new(&judgements, &[], true)?;
            let wanted = ScoreOptions { systems: true, resampling: None };
            let scored = score_texts(&set, &metrics, wanted, progress)?;
            let count = corpus.len();
            let by_system = |scores: Vec<f64>| scores.chunks(count.max(1)).map(<[f64]>::to_vec).collect::<Vec<_>>();
            let scores: Vec<Vec<Vec<f64>>> =
                scored.into_iter().filter_map(|metric| metric.segments).map(by_system).collect();
            let segments = choose_segments(&scores, count, self.segments, self.choose, self.seed);
            let marked = self.spans.as_deref().map(read_metric_scores).transpose()?.unwrap_or_default();
            let texts = segments.iter().map(|&segment| self.text(corpus, segment, &marked)).collect::<Vec<_>>();
            Ok(Campaign { text: files::write(self, &texts)?, segments })
        })
    }

    fn text<'c>(&self, corpus: &'c Corpus<'_>, segment: usize, marked: &[MetricRun]) -> CampaignText<'c> {
        let outputs = corpus.systems().iter().map(|system| Output {
            system: &system.name,
            text: system.hypotheses[segment],
            errors: marked.iter().flat_map(|run| errors_of(run, &system.name, segment)).collect(),
        });
        CampaignText {
            segment,
            document: corpus.documents().map(|documents| documents[segment]),
            source: corpus.sources().map(|sources| sources[segment]),
            reference: corpus.references()[segment].first().copied(),
            outputs: outputs.collect(),
        }
    }
}

/// The errors that a metric marked in an output.
fn errors_of(run: &MetricRun, system: &str, segment: usize) -> Vec<ErrorSpan> {
    let names = || run.scores.systems.iter();
    let is_same = |name: &String| name == system || system_of_file(name) == system_of_file(system);
    let (Some(place), Some(ratings), Level::Segment) = (names().position(is_same), &run.ratings, run.scores.level)
    else {
        return Vec::new();
    };
    let of_output = ratings.ratings.iter().filter(|rating| (rating.system, rating.segment) == (place, segment));
    of_output.flat_map(|rating| rating.errors.clone()).collect()
}

fn as_judgements(corpus: &Corpus<'_>) -> Judgements {
    let lines = corpus.references().iter().map(|of| of.first().map(|text| (*text).to_owned())).collect();
    let owned = |lines: &[&str]| lines.iter().map(|line| Some((*line).to_owned())).collect();
    Judgements {
        systems: corpus.systems().iter().map(|system| system.name.clone()).collect(),
        segments: (1..=corpus.len()).map(|number| number.to_string()).collect(),
        texts: Some(Texts {
            sources: corpus.sources().map(|lines| lines.iter().map(|line| (*line).to_owned()).collect()),
            references: vec![Reference { name: String::new(), lines }],
            outputs: corpus.systems().iter().map(|system| owned(&system.hypotheses)).collect(),
        }),
        ..Judgements::default()
    }
}
