//! Predictions of the network: tags, labels of spans, and the vectors they are computed from.

use super::{SpanNetwork, SpanWorkspace};
use crate::activation::exp;
use crate::error::Result;
use crate::loss::largest;
use crate::networks::lists::{Forms, Lists};
use crate::random::Random;

/// Predictions for one list of n items.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpanEvidence {
    /// Log probability of every tag, n × tags.
    pub tags: Vec<f32>,
    /// Log probability of every label minus that of no label, spans × labels. Spans are sorted by their end: (0,1),
    /// (0,2), (1,2), (0,3), …
    pub labels: Vec<f32>,
    /// Vectors of the items, n × d.
    pub vectors: Vec<f32>,
}

impl SpanNetwork {
    /// Calls `see` with the number of each list and its predictions, which do not depend on the other lists. With
    /// `random`, dropout is applied, so that predictions for training data resemble those for unseen data.
    pub fn evidence(
        &self,
        forms: &Forms,
        lists: &Lists,
        mut random: Option<&mut Random>,
        space: &mut SpanWorkspace,
        mut see: impl FnMut(usize, &SpanEvidence),
    ) -> Result<()> {
        forms.check(&self.shape.encoder)?;
        lists.check(forms.len())?;
        let inputs = (forms, lists, &[][..]);
        self.encode(inputs, 0..lists.len(), random.as_deref_mut(), space);
        let (d, tags) = (self.shape.encoder.width, self.shape.encoder.tags);
        let mut said = SpanEvidence::default();
        let with_items = (0..lists.len()).filter(|list| !lists.list(*list).is_empty());
        for (list, rows) in with_items.zip(space.encoder.starts.windows(2)) {
            let y = &space.y[rows[0] * d..rows[1] * d];
            said.vectors.clear();
            said.vectors.extend_from_slice(&y[d..]);
            said.tags.clear();
            said.tags.extend_from_slice(&space.encoder.tagger.scores()[(rows[0] + 1) * tags..rows[1] * tags]);
            said.tags.chunks_exact_mut(tags).for_each(to_logarithms);
            self.spans.forward(&self.parameters, y, self.dropout, random.as_deref_mut(), &mut space.spans);
            said.labels.clear();
            said.labels.extend_from_slice(space.spans.logits());
            said.labels.chunks_exact_mut(self.shape.labels).for_each(over_first);
            see(list, &said);
        }
        Ok(())
    }
}

/// Replaces scores by log probabilities. The logarithm is computed in double precision: rounded to single precision it
/// is the same on all systems.
fn to_logarithms(scores: &mut [f32]) {
    let top = largest(scores);
    let sum: f32 = scores.iter().map(|x| exp(x - top)).sum();
    let total = top + f64::from(sum).ln() as f32;
    scores.iter_mut().for_each(|x| *x -= total);
}

/// Replaces scores by their differences to the first.
fn over_first(scores: &mut [f32]) {
    let first = scores[0];
    scores.iter_mut().for_each(|x| *x -= first);
}
