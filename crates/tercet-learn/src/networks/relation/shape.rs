//! Sizes and options of the network.

use crate::activation::Activation;
use crate::error::{Error, Result};
use crate::layers::{Dense, Lstm};
use crate::networks::limits::{MAX_LAYERS, MAX_SIZE, check_parameters, check_positive, check_size};

/// Sizes and options of a [`RelationNetwork`](super::RelationNetwork). Default: those of Conneau et al. (2017).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelationShape {
    /// Units of the LSTM in each direction; a list has twice as many numbers.
    pub units: usize,
    /// Units of a hidden layer.
    pub hidden: usize,
    /// Number of hidden layers; may be 0.
    pub layers: usize,
    /// The nonlinearity of hidden layers.
    pub activation: Activation,
    /// Number of classes.
    pub classes: usize,
}

impl Default for RelationShape {
    fn default() -> Self {
        RelationShape { units: 2048, hidden: 512, layers: 1, activation: Activation::Tanh, classes: 3 }
    }
}

impl RelationShape {
    /// Returns an error if a size is 0 or too large; `dimensions` are those of the word vectors.
    pub fn check(&self, dimensions: usize) -> Result<()> {
        check_positive("dimensions", dimensions, MAX_SIZE)?;
        for (name, size) in [("units", self.units), ("hidden", self.hidden), ("classes", self.classes)] {
            check_positive(name, size, MAX_SIZE)?;
        }
        check_size("layers", self.layers, MAX_LAYERS)?;
        if self.classes < 2 {
            return Err(Error::setting("classes", self.classes, "at least 2"));
        }
        check_parameters(self.count(dimensions as u64))
    }

    /// Number of learned values.
    fn count(&self, dimensions: u64) -> u64 {
        let (units, hidden) = (self.units as u64, self.hidden as u64);
        let mut inputs = 8 * units;
        let mut count = Lstm::count_as_torch(dimensions, units).saturating_mul(2);
        for _ in 0..self.layers {
            count = count.saturating_add(Dense::count(inputs, hidden));
            inputs = hidden;
        }
        count.saturating_add(Dense::count(inputs, self.classes as u64))
    }
}
