//! The texts of a test set with their trees, which all models share.

use super::test_sets::TestPair;
use foldhash::{HashMap, HashMapExt};
use tercet::Result;
use tercet::metrics::reval::{ParsedLines, RevalModel};
use tercet::progress::Progress;

/// References of more words are scored by the second model of a mix.
const MIX_WORDS: usize = 20;

/// The outputs of one language pair and their references.
pub(super) struct ParsedPair {
    lines: ParsedLines,
    /// The lines of reference and translation, for each output that has a text.
    pairs: Vec<[u32; 2]>,
    /// The place of each of them among all outputs, system by system.
    places: Vec<usize>,
    /// The number of outputs, with those that have no text.
    outputs: usize,
}

impl ParsedPair {
    /// Parses the texts of a language pair.
    pub(super) fn new(pair: &TestPair, progress: Progress<'_>) -> Result<Self> {
        let segments = pair.judgements.segments.len();
        let (mut lines, mut numbers): (Vec<&str>, HashMap<&str, u32>) = (Vec::new(), HashMap::new());
        let mut number = |line| {
            *numbers.entry(line).or_insert_with(|| {
                lines.push(line);
                lines.len() as u32 - 1
            })
        };
        let (mut pairs, mut places) = (Vec::new(), Vec::new());
        if let Some(texts) = &pair.judgements.texts {
            let reference = |segment: usize| texts.references.first()?.lines[segment].as_deref();
            for (system, outputs) in texts.outputs.iter().enumerate() {
                for (segment, output) in outputs.iter().enumerate() {
                    if let (Some(reference), Some(output)) = (reference(segment), output.as_deref()) {
                        pairs.push([number(reference), number(output)]);
                        places.push(system * segments + segment);
                    }
                }
            }
        }
        let outputs = segments * pair.judgements.systems.len();
        Ok(ParsedPair { lines: ParsedLines::new(&lines, progress)?, pairs, places, outputs })
    }

    /// The similarity of every output with its reference; NaN where a text is missing.
    pub(super) fn scores(&self, model: &RevalModel) -> Result<Vec<f64>> {
        let mut scores = vec![f64::NAN; self.outputs];
        let similarities = model.similarities_of(&self.lines, &self.pairs)?;
        self.places.iter().zip(similarities).for_each(|(place, score)| scores[*place] = score);
        Ok(scores)
    }

    /// The scores of the first model where the reference is short, else those of the second.
    pub(super) fn mixed(&self, short: &[f64], long: &[f64]) -> Vec<f64> {
        let mut scores = short.to_vec();
        for ([reference, _], &place) in self.pairs.iter().zip(&self.places) {
            if self.lines.words(*reference as usize) > MIX_WORDS {
                scores[place] = long[place];
            }
        }
        scores
    }
}
