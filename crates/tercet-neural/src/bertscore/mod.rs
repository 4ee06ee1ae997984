//! BERTScore: how well the tokens of translation and reference match in the vectors of a transformer (Zhang et al.,
//! ICLR 2020).
//!
//! ```text
//! P = Σ_t w(t) max_r cos(t, r) / Σ_t w(t),   R = Σ_r w(r) max_t cos(r, t) / Σ_r w(r),   F1 = 2PR / (P + R)
//! ```
//!
//! t and r are the tokens of translation and reference; their vectors are those of one layer of an encoder that the
//! user has. w is 1, or with `idf=yes` the inverse document frequency of the token in the references,
//! log((N + 1) / (n + 1)) for a token that occurs in n of N references. w of the special tokens around a line is 0, but
//! other tokens may match them: that is what the package `bert_score` computes. With `special=no` they may not, as one
//! reads the paper.
//!
//! # Choices
//! - The layer is two thirds up by default (4 of 6, 8 of 12): on WMT16 that is the best one of MiniLM.
//! - The score of a system is the mean of its segments. Of several references the one with the best score counts, and
//!   precision, recall and F1 may be those of different references, as in the package; with `special=no` all three are
//!   of the reference with the best score.
//! - A translation or reference without tokens scores 0, and so does one whose tokens all weigh 0.
//! - Scores are cosines. `baseline=FILE` rescales them as (x − b) / (1 − b), with b from a table of the package: a line
//!   per layer, precision, recall and F1 in columns that commas separate.
//! - The end of a line that is longer than the encoder's window is left out, and a warning says so.
//! - The components are precision, recall and F1 of every layer, so `components(bertscore:model=FOLDER)` gives a
//!   learned metric all of them for one encoding.
//!
//! # Agreement
//! Equal to the algorithm of bert_score 0.3.13 within 1e-5, the noise of single precision.

mod baseline;

use crate::context::Context;
use crate::encode::{
    MatchedTokens, PRECISION, Partners, Precision, TRANSFORMER_FOLDER, TokenMatches, TransformerModel,
};
use crate::error::{Error, Result};
use crate::metrics::{Component, Metric, MetricInfo, OptionInfo, Options, Paper, Scale, Segment, Spec, Tally, Values};
use crate::warning::Warning;
use baseline::Baseline;
use foldhash::{HashMap, HashSet};
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// The entry in a [`Registry`](crate::metrics::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "bertscore",
    summary: "how well token vectors of a transformer match: precision, recall or F1",
    citation: "Zhang et al., ICLR 2020",
    papers: &[PAPER],
    agrees_with: "bert_score 0.3.13",
    scale: Scale::One,
    options: &[
        TRANSFORMER_FOLDER,
        OptionInfo {
            key: "layer",
            values: Values::Integer(0, 1000),
            default: "auto",
            help: "whose vectors are compared: 0 are the embeddings; auto: two thirds of the layers",
        },
        OptionInfo {
            key: "score",
            values: Values::Choice(&["precision", "recall", "f1"]),
            default: "f1",
            help: "share of the translation that matches, of the reference, or both",
        },
        OptionInfo { key: "idf", values: Values::Flag, default: "no", help: "rare words of the references count more" },
        PRECISION,
        OptionInfo {
            key: "special",
            values: Values::Flag,
            default: "yes",
            help: "tokens may match the special tokens around a line, as in bert_score",
        },
        OptionInfo::file("baseline", "table of bert_score's scores of unrelated lines, by which scores are rescaled"),
    ],
    needs: Some("model"),
    ..MetricInfo::new(|options, registry| Ok(Arc::new(BertScore::new(options, registry.context())?)))
};

const PAPER: Paper = Paper { short: "Zhang et al., 2020", bibtex: include_str!("zhang-2020-bertscore.bib") };

/// Numbers of a tally before those of the layers: the score, 1, and whether a line was cut.
const HEAD: usize = 3;

#[derive(Clone)]
struct BertScore {
    options: Options,
    model: Arc<TransformerModel>,
    layer: usize,
    weights: Option<Arc<Weights>>,
    baseline: Option<Arc<Baseline>>,
}

/// Inverse document frequencies of tokens.
#[derive(Debug)]
struct Weights {
    known: HashMap<u32, f64>,
    unknown: f64,
}

impl Weights {
    fn get(&self, id: u32) -> f64 {
        self.known.get(&id).copied().unwrap_or(self.unknown)
    }
}

/// Precision, recall and F1.
#[derive(Clone, Copy, Debug, Default)]
struct Scores {
    precision: f64,
    recall: f64,
    f1: f64,
}

impl Scores {
    /// The larger ones of both.
    fn max(self, other: Scores) -> Scores {
        Scores {
            precision: self.precision.max(other.precision),
            recall: self.recall.max(other.recall),
            f1: self.f1.max(other.f1),
        }
    }
}

impl BertScore {
    fn new(mut options: Options, context: &Context) -> Result<Self> {
        let Some(folder) = options.file("model") else {
            let reason = "it needs model=FILE, the folder of an encoder".to_owned();
            return Err(Error::BadSpec { what: "metric", text: INFO.name.to_owned(), reason });
        };
        let precision = if options.text("precision") == "int8" { Precision::Int8 } else { Precision::Single };
        let model = TransformerModel::open(folder, precision, context)?;
        let layers = model.encoder().config().layers;
        let layer = match options.text("layer") {
            "auto" => (2 * layers).div_ceil(3),
            _ => options.integer("layer"),
        };
        if layer > layers {
            let expected = format!("a layer from 0 to {layers}");
            return Err(options.bad_value("layer", &layer.to_string(), &expected));
        }
        options.set("layer", &layer.to_string())?;
        let baseline = options.file("baseline").map(|path| Baseline::read(path, layers)).transpose()?.map(Arc::new);
        Ok(BertScore { options, model, layer, weights: None, baseline })
    }

    /// What tokens may match.
    fn partners(&self) -> Partners {
        if self.options.flag("special") { Partners::All } else { Partners::Text }
    }

    /// The mean of a line's best cosines in a layer.
    fn mean(&self, tokens: &MatchedTokens, layer: usize) -> f64 {
        let weight = |id: &u32| self.weights.as_ref().map_or(1.0, |weights| weights.get(*id));
        let (mut sum, mut all) = (0.0, 0.0);
        for (id, best) in tokens.ids.iter().zip(&tokens.best[layer]) {
            let weight = weight(id);
            sum += weight * f64::from(*best);
            all += weight;
        }
        if all > 0.0 { sum / all } else { 0.0 }
    }

    fn scores(&self, matches: &TokenMatches, layer: usize) -> Scores {
        if matches.hypothesis.ids.is_empty() || matches.reference.ids.is_empty() {
            return Scores::default();
        }
        let (precision, recall) = (self.mean(&matches.hypothesis, layer), self.mean(&matches.reference, layer));
        let sum = precision + recall;
        // Cosines may be negative; the harmonic mean is not defined then, but the package computes it.
        let is_computed = precision > 0.0 && recall > 0.0 || self.options.flag("special") && sum != 0.0;
        let f1 = if is_computed { 2.0 * precision * recall / sum } else { 0.0 };
        Scores { precision, recall, f1 }
    }

    /// The scores of every layer.
    fn all_layers(&self, matches: &TokenMatches) -> Vec<Scores> {
        (0..=self.model.encoder().config().layers).map(|layer| self.scores(matches, layer)).collect()
    }

    /// The scores of every layer that count for several references, and whether one of the lines was cut.
    fn best(&self, matches: &[Arc<TokenMatches>]) -> Option<(Vec<Scores>, bool)> {
        let each = matches.iter().map(|matches| (self.all_layers(matches), matches.cut));
        if self.options.flag("special") {
            let larger = |one: &Scores, other: &Scores| one.max(*other);
            return each.reduce(|(one, one_cut), (other, other_cut)| {
                (one.iter().zip(&other).map(|(one, other)| larger(one, other)).collect(), one_cut || other_cut)
            });
        }
        let chosen = |scores: &[Scores]| self.chosen(scores[self.layer]);
        each.reduce(|one, other| if chosen(&other.0) > chosen(&one.0) { other } else { one })
    }

    fn chosen(&self, scores: Scores) -> f64 {
        match self.options.text("score") {
            "precision" => scores.precision,
            "recall" => scores.recall,
            _ => scores.f1,
        }
    }

    fn tally_of(&self, matches: &[Arc<TokenMatches>]) -> Tally {
        let Some((mut all, cut)) = self.best(matches) else { return Tally::default() };
        if let Some(baseline) = &self.baseline {
            all.iter_mut().zip(baseline.layers()).for_each(|(scores, layer)| *scores = layer.rescale(*scores));
        }
        let mut counts = vec![self.chosen(all[self.layer]), 1.0, f64::from(u8::from(cut))];
        counts.extend(all.iter().flat_map(|scores| [scores.precision, scores.recall, scores.f1]));
        Tally::new(counts)
    }
}

impl Metric for BertScore {
    fn info(&self) -> &MetricInfo {
        &INFO
    }

    fn signature(&self) -> Spec {
        let signature = self.options.spec().with("sha256", self.model.hash());
        match &self.baseline {
            Some(baseline) => signature.with("baseline", baseline.hash()),
            None => signature,
        }
    }

    fn title(&self) -> String {
        "BERTScore".to_owned()
    }

    fn prepare(&self, references: &[&[&str]]) -> Result<Option<Arc<dyn Metric>>> {
        if !self.options.flag("idf") {
            return Ok(None);
        }
        let mut counts: HashMap<u32, usize> = HashMap::default();
        let lines = || references.iter().copied().flatten();
        for line in lines() {
            let mut seen = HashSet::default();
            let ids = self.model.encoder().tokenize(line).ids;
            ids.into_iter().filter(|id| seen.insert(*id)).for_each(|id| *counts.entry(id).or_default() += 1);
        }
        let all = (lines().count() + 1) as f64;
        let known = counts.iter().map(|(id, count)| (*id, (all / (*count as f64 + 1.0)).ln())).collect();
        let weights = Some(Arc::new(Weights { known, unknown: all.ln() }));
        Ok(Some(Arc::new(BertScore { weights, ..self.clone() })))
    }

    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        let pairs: Vec<(&str, &str)> = batch
            .iter()
            .flat_map(|segment| segment.references.iter().map(|reference| (segment.hypothesis, *reference)))
            .collect();
        let matches = self.model.token_matches(&pairs, self.partners());
        let mut rest = matches.as_slice();
        let tally = |segment: &Segment<'_>| {
            let (own, others) = rest.split_at(segment.references.len());
            rest = others;
            self.tally_of(own)
        };
        Ok(batch.iter().map(tally).collect())
    }

    fn score(&self, total: &Tally) -> f64 {
        total.mean()
    }

    fn components(&self, total: &Tally) -> Vec<Component> {
        let count = total.get(1).copied().unwrap_or(1.0).max(1.0);
        let layers = total.get(HEAD..).unwrap_or_default().chunks_exact(3).enumerate();
        let named = |(layer, scores): (usize, &[f64])| {
            let names = ["precision", "recall", "f1"];
            let each = names.iter().zip(scores);
            each.map(|(name, sum)| Component::new(format!("layer_{layer}_{name}"), sum / count)).collect::<Vec<_>>()
        };
        layers.flat_map(named).collect()
    }

    fn is_unfinished(&self, tally: &Tally) -> bool {
        tally.get(HEAD - 1).is_some_and(|cut| *cut > 0.0)
    }

    fn unfinished_warning(&self, count: usize) -> Warning {
        let window = self.model.encoder().config().window;
        Warning::LongSegments { metric: self.title(), segments: count, window }
    }
}
