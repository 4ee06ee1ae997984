//! An embedding matrix E (words × D), learned or fixed.
//!
//! Fine-tuning (Guzmán et al., 2017, sec. 5.6): *none*: E is not a parameter; *moderate*: E is learned with
//! weight decay towards its initial values E⁰; *full*: E is learned with ordinary weight decay.

use crate::matrix::Matrix;
use crate::parameters::{Gradients, Parameters, Role, TensorId};
use std::sync::Arc;

tercet_base::choices! {
    /// Whether and how the embedding matrix is learned.
    pub enum FineTuning: "fine_tuning" = None {
        /// The matrix is fixed.
        None = "none",
        /// Learned, with weight decay towards the initial values.
        Moderate = "moderate",
        /// Learned, with ordinary weight decay.
        Full = "full",
    }
}

/// An embedding matrix.
#[derive(Clone, Debug)]
pub struct Embedding {
    words: usize,
    dimensions: usize,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    Frozen(Arc<Matrix>),
    Learned(TensorId),
}

impl Embedding {
    /// With these initial values; adds the tensor `name` unless fine-tuning is none.
    pub fn new(parameters: &mut Parameters, name: &str, matrix: Arc<Matrix>, fine_tuning: FineTuning) -> Self {
        let (words, dimensions) = (matrix.rows(), matrix.columns());
        let mut learned = |anchored: bool| {
            let values = matrix.values().to_vec();
            let id = parameters.add(name, Role::Embedding, [words, dimensions], values);
            if anchored {
                parameters.anchor(id);
            }
            Source::Learned(id)
        };
        let source = match fine_tuning {
            FineTuning::Moderate => learned(true),
            FineTuning::Full => learned(false),
            FineTuning::None => Source::Frozen(matrix),
        };
        Embedding { words, dimensions, source }
    }

    /// Number of words.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Dimensions D of a word's vector.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Whether the matrix is learned.
    pub fn is_learned(&self) -> bool {
        matches!(self.source, Source::Learned(_))
    }

    /// The matrix, if it is fixed.
    pub fn fixed(&self) -> Option<Arc<Matrix>> {
        match &self.source {
            Source::Frozen(matrix) => Some(Arc::clone(matrix)),
            Source::Learned(_) => None,
        }
    }

    /// The current values, row by row.
    pub fn values<'a>(&'a self, parameters: &'a Parameters) -> &'a [f32] {
        match &self.source {
            Source::Frozen(matrix) => matrix.values(),
            Source::Learned(id) => parameters.values(*id),
        }
    }

    /// Appends the vectors of these words.
    pub fn look_up(&self, parameters: &Parameters, words: &[u32], tokens: &mut Vec<f32>) {
        let (values, d) = (self.values(parameters), self.dimensions);
        for &word in words {
            tokens.extend_from_slice(&values[word as usize * d..(word as usize + 1) * d]);
        }
    }

    /// Adds the gradients of these words' vectors, if the matrix is learned.
    pub fn backward<'a>(
        &self,
        words: impl Iterator<Item = &'a u32>,
        token_gradients: &[f32],
        gradients: &mut Gradients,
    ) {
        if let Source::Learned(id) = self.source {
            let rows = gradients.rows(id);
            for (&word, gradient) in words.zip(token_gradients.chunks_exact(self.dimensions)) {
                rows.add(word, gradient);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix() -> Arc<Matrix> {
        Arc::new(Matrix::from_rows(&[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]).unwrap())
    }

    #[test]
    fn words_are_looked_up_and_their_gradients_summed_by_row() {
        let mut parameters = Parameters::default();
        let embedding = Embedding::new(&mut parameters, "words", matrix(), FineTuning::Full);
        let mut tokens = Vec::new();
        embedding.look_up(&parameters, &[2, 0, 2], &mut tokens);
        assert_eq!(tokens, [5.0, 6.0, 1.0, 2.0, 5.0, 6.0]);
        let mut gradients = Gradients::zeros(&parameters);
        embedding.backward([2, 0, 2].iter(), &[1.0, 1.0, 2.0, 2.0, 3.0, 3.0], &mut gradients);
        assert_eq!((gradients.element(0, 0), gradients.element(0, 4), gradients.element(0, 2)), (2.0, 4.0, 0.0));
    }

    #[test]
    fn fine_tuning_decides_what_is_learned_and_what_is_near() {
        for (fine_tuning, tensors, anchored) in
            [(FineTuning::None, 0, false), (FineTuning::Moderate, 1, true), (FineTuning::Full, 1, false)]
        {
            let mut parameters = Parameters::default();
            let embedding = Embedding::new(&mut parameters, "words", matrix(), fine_tuning);
            assert_eq!(parameters.tensors().len(), tensors);
            assert_eq!(parameters.tensors().first().is_some_and(|t| t.anchor.is_some()), anchored);
            assert_eq!(embedding.values(&parameters), matrix().values());
        }
    }
}
