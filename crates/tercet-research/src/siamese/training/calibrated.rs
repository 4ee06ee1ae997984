//! What the scores of the trained model mean, and how well it agrees with people.
//!
//! Points and percentiles stay those of the start: the trained scores are scaled and moved, as part of the last
//! weights, so that the outputs of the data have the same mean and standard deviation as before. Or they are fitted:
//! the percentiles are then those of the scores of the development set's outputs. T is fitted to the pairs of the
//! development set, or scaled as the scores.

use super::examples::EncodedGroup;
use crate::error::{Error, Result};
use crate::metrics::preference::fit_slope;
use crate::siamese::recipe::{Calibrated, SiameseRecipe};
use crate::statistics::correlation::pearson;
use crate::warning::{Gain, Warning};
use tercet_model::model_file::{ModelFile, Values};
use tercet_neural::siamese::calibration::PERCENTILES;
use tercet_neural::siamese::head::Way;

/// T may become so many times as large or small as that of the start: a few pairs can be told apart by any T.
const MAX_RATIO: f64 = 4.0;

/// Scores of a group's items by the start and by the trained model, and its human judgements.
pub(super) struct Rescored<'a> {
    pub before: &'a EncodedGroup,
    pub after: Vec<f64>,
}

impl Rescored<'_> {
    /// Score of the better item − score of the worse, of pairs that people judged.
    fn differences<'s>(&'s self, scores: &'s [f64]) -> impl Iterator<Item = f64> + 's {
        let pairs = self.before.group.ranked.iter().filter(|pair| pair.better < self.before.outputs);
        pairs.map(|pair| scores[pair.better] - scores[pair.worse])
    }

    /// The scores of the translations, by the start and by the trained model.
    fn outputs(&self) -> impl Iterator<Item = [f64; 2]> {
        let scores = self.before.scores.iter().zip(&self.after).take(self.before.outputs);
        scores.map(|(before, after)| [*before, *after])
    }
}

fn differences(groups: &[Rescored<'_>], is_after: bool) -> Vec<f64> {
    let of = |group: &Rescored<'_>| -> Vec<f64> {
        group.differences(if is_after { &group.after } else { &group.before.scores }).collect()
    };
    groups.iter().flat_map(of).collect()
}

/// Mean and standard deviation.
fn moments(values: &[f64]) -> [f64; 2] {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    [mean, (values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count).sqrt()]
}

/// The scale on which a file's scores are after `factor · score + offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rescaling {
    factor: f64,
    offset: f64,
}

impl Rescaling {
    /// Gives scores the mean and the standard deviation they had before.
    fn fit(groups: &[Rescored<'_>]) -> Self {
        let both: Vec<[f64; 2]> = groups.iter().flat_map(|group| group.outputs()).collect();
        let of = |which: usize| moments(&both.iter().map(|both| both[which]).collect::<Vec<f64>>());
        let ([before, spread], [after, new_spread]) = (of(0), of(1));
        let factor = if new_spread > 1e-9 && spread > 1e-9 { spread / new_spread } else { 1.0 };
        Rescaling { factor, offset: before - factor * after }
    }

    /// Changes the last weights of the head.
    fn apply(self, file: &mut ModelFile, trained: Way) -> Result<()> {
        // The last weights are those of all ways: what scores of the others mean moves with them.
        for way in Way::ALL {
            if way == trained || !file.has(&way.entry("percentiles")) {
                continue;
            }
            let moved = |value: &f32| (f64::from(*value) * self.factor + self.offset) as f32;
            let percentiles: Vec<f32> = file.f32(&way.entry("percentiles"))?.iter().map(moved).collect();
            file.add(&way.entry("percentiles"), vec![percentiles.len()], Values::F32(percentiles));
            let temperature: f64 = file.number(&way.entry("temperature"))?;
            file.set(&way.entry("temperature"), &(temperature * self.factor).to_string());
        }
        let weights: Vec<f32> =
            file.f32("head.output.weight")?.iter().map(|w| (f64::from(*w) * self.factor) as f32).collect();
        let bias = f64::from(file.f32("head.output.bias")?[0]) * self.factor + self.offset;
        let shape = file.tensor("head.output.weight")?.shape.to_vec();
        file.add("head.output.weight", shape, Values::F32(weights));
        file.add("head.output.bias", vec![1], Values::F32(vec![bias as f32]));
        Ok(())
    }
}

/// A note of a model file: its name and its text.
type Note = (&'static str, String);

/// Sets scale, percentiles and temperature of a file of trained weights; returns notes. `all` are groups of both parts
/// of the data, `development` those of the development set. The warning says that nothing was gained.
pub(super) fn calibrate(
    file: &mut ModelFile,
    recipe: &SiameseRecipe,
    all: &[Rescored<'_>],
    development: &[Rescored<'_>],
) -> Result<(Vec<Note>, Option<Warning>)> {
    let (scales, way) = (&recipe.calibration, recipe.data.way());
    let (mut notes, nothing_gained) = agreement(development);
    let temperature: f64 = file.number(&way.entry("temperature"))?;
    let rescaling = match scales.is_scale_fitted() {
        true => Rescaling { factor: 1.0, offset: 0.0 },
        false => Rescaling::fit(all),
    };
    rescaling.apply(file, way)?;
    if scales.is_scale_fitted() {
        file.add(&way.entry("percentiles"), vec![PERCENTILES], Values::F32(percentiles(development)));
        let outputs = development.iter().flat_map(|group| group.outputs()).count();
        notes.push(("scale", format!("fitted to {outputs} outputs of the development set")));
    } else {
        notes.push(("scale", "that of the start".to_owned()));
    }
    let kept = temperature * rescaling.factor;
    let pairs = differences(development, true);
    let slope = match scales.is_temperature_fitted() && !pairs.is_empty() {
        true => fit_slope(std::slice::from_ref(&pairs)) / rescaling.factor,
        false => 0.0,
    };
    let (temperature, of) = match slope > 0.0 {
        true => {
            let fitted = (1.0 / slope).clamp(kept / MAX_RATIO, kept * MAX_RATIO);
            (fitted, format!("fitted to {} pairs of the development set", pairs.len()))
        }
        false if rescaling.factor == 1.0 => (kept, "that of the start".to_owned()),
        false => (kept, "that of the start, scaled as the scores were".to_owned()),
    };
    file.set(&way.entry("temperature"), &temperature.to_string());
    notes.push(("temperature", format!("{temperature:.4} ({of})")));
    Ok((notes, nothing_gained))
}

/// The agreement of the start and of the trained model with the development set; a warning if it is no better.
fn agreement(development: &[Rescored<'_>]) -> (Vec<(&'static str, String)>, Option<Warning>) {
    let (mut notes, mut measured) = (Vec::new(), Vec::new());
    let both = [false, true].map(|is_after| differences(development, is_after));
    if !both[0].is_empty() {
        let [before, after] = both.map(|differences| {
            let signs = differences.iter().map(|difference| f64::from(*difference > 0.0) * 2.0 - 1.0);
            signs.sum::<f64>() / differences.len() as f64
        });
        notes.push(("development_tau", format!("{after:.4} (before: {before:.4})")));
        measured.push(("tau", before, after));
    }
    let of = |group: &Rescored<'_>| -> Vec<[f64; 3]> {
        let scores = |(item, human): &(usize, f64)| [group.before.scores[*item], group.after[*item], *human];
        group.before.judged.iter().map(scores).collect()
    };
    let rows: Vec<[f64; 3]> = development.iter().flat_map(of).collect();
    if !rows.is_empty() {
        let column = |at: usize| rows.iter().map(|row| row[at]).collect::<Vec<f64>>();
        let human = column(2);
        let shown = |value: f64| if value.is_nan() { "undefined".to_owned() } else { format!("{value:.4}") };
        let [before, after] = [0, 1].map(|at| pearson(&column(at), &human).value);
        notes.push(("development_pearson", format!("{} (before: {})", shown(after), shown(before))));
        measured.push(("Pearson's r", before, after));
    }
    let is_no_better = !measured.is_empty() && measured.iter().all(|(_, before, after)| after <= before);
    let agreement = measured.into_iter().map(|(measure, before, after)| Gain {
        measure: measure.to_owned(),
        before: format!("{before:.4}"),
        after: format!("{after:.4}"),
    });
    let agreement = agreement.collect();
    (notes, is_no_better.then_some(Warning::NothingGained { agreement }))
}

/// Returns an error if the scale is to be fitted to too few outputs.
pub(super) fn check_scale(scales: &Calibrated, development: &[EncodedGroup]) -> Result<()> {
    let count: usize = development.iter().map(|group| group.outputs).sum();
    if !scales.is_scale_fitted() || count >= PERCENTILES {
        return Ok(());
    }
    let what = format!(
        "[calibration] scale cannot be fitted to {count} outputs: the development set needs {PERCENTILES} at least"
    );
    Err(Error::BadRequest(what))
}

/// The scores at the percentiles 0 to 100 of outputs.
fn percentiles(development: &[Rescored<'_>]) -> Vec<f32> {
    let mut scores: Vec<f64> = development.iter().flat_map(|group| group.outputs()).map(|[_, after]| after).collect();
    scores.sort_by(f64::total_cmp);
    let last = (scores.len() - 1) as f64;
    let at = |percent: usize| {
        let place = last * percent as f64 / (PERCENTILES - 1) as f64;
        let (low, high) = (scores[place.floor() as usize], scores[place.ceil() as usize]);
        (low + (high - low) * place.fract()) as f32
    };
    (0..PERCENTILES).map(at).collect()
}
