//! A network that predicts a number from a row of features: one hidden layer, squared error.
//!
//! ```text
//! f(x) = vᵀ tanh(W x + b) + c
//! ```

use super::data_digest::DataDigest;
use super::limits::{MAX_SIZE, check_parameters, check_positive};
use super::stored::{StoredShape, restored, stored_shape};
use crate::activation::Activation;
use crate::error::{Error, Result};
use crate::layers::Dense;
use crate::matrix::Matrix;
use crate::model_file::ModelFile;
use crate::optimizer::{Method, OptimizerSettings};
use crate::parameters::{Gradients, Parameters};
use crate::progress::Progress;
use crate::random::Random;
use crate::training::{BatchLoss, Checkpoints, Identity, Objective, Run, StepSettings, Stopping, train};

tercet_base::defaults! {
    /// How a regression network is trained.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct RegressionSettings {
        /// Units of the hidden layer.
        pub hidden: usize = 64,
        /// Passes over the rows.
        pub epochs: usize = 30,
        /// Rows per step.
        pub batch_size: usize = 32,
        /// Learning rate of Adam.
        pub learning_rate: f32 = 1e-3,
        /// Weight decay λ.
        pub weight_decay: f32 = 1e-3,
        /// Decides initial weights and the order of rows.
        pub seed: u64 = 1,
    }
}

/// The network.
#[derive(Clone, Debug)]
pub struct RegressionNetwork {
    features: usize,
    units: usize,
    parameters: Parameters,
    hidden: Dense,
    output: Dense,
}

/// The sizes of a network in a file.
struct RegressionShape {
    features: usize,
    hidden: usize,
}

stored_shape!(RegressionShape { features, hidden });

impl RegressionNetwork {
    /// A network with random weights.
    pub fn new(features: usize, units: usize, seed: u64) -> Result<Self> {
        check_positive("features", features, MAX_SIZE)?;
        check_positive("hidden", units, MAX_SIZE)?;
        check_parameters(Self::count(features, units))?;
        let mut parameters = Parameters::default();
        let mut random = Random::stream(seed, "weights", 0);
        let hidden = Dense::new(&mut parameters, "hidden", [features, units], Activation::Tanh, &mut random);
        let output = Dense::new(&mut parameters, "output", [units, 1], Activation::Identity, &mut random);
        Ok(RegressionNetwork { features, units, parameters, hidden, output })
    }

    /// Number of learned values.
    fn count(features: usize, units: usize) -> u64 {
        Dense::count(features as u64, units as u64) + Dense::count(units as u64, 1)
    }

    /// Trains a network on a target for each row of features.
    pub fn fit(
        features: &Matrix,
        targets: &[f32],
        settings: &RegressionSettings,
        progress: Progress<'_>,
    ) -> Result<Self> {
        check_positive("batch_size", settings.batch_size, MAX_SIZE)?;
        check_positive("epochs", settings.epochs, MAX_SIZE)?;
        features.check_finite("features")?;
        if targets.len() != features.rows() {
            return Err(Error::shape("targets", features.rows(), targets.len()));
        }
        if targets.is_empty() {
            return Err(Error::Empty { what: "the list of targets".to_owned() });
        }
        let mut network = RegressionNetwork::new(features.columns(), settings.hidden, settings.seed)?;
        let mean = targets.iter().map(|target| f64::from(*target)).sum::<f64>() / targets.len() as f64;
        network.parameters.values_mut(network.output.bias())[0] = mean as f32;
        let mut objective = RegressionObjective { network, features, targets, settings, order: Vec::new() };
        let optimizer = OptimizerSettings {
            method: Method::ADAM,
            learning_rate: settings.learning_rate,
            weight_decay: settings.weight_decay,
            ..OptimizerSettings::default()
        };
        let steps = StepSettings::plain(optimizer);
        let stopping = Stopping::after(settings.epochs);
        let no_checkpoints = &mut Checkpoints::none();
        let run = Run::epochs(("regression", "rows"), steps, stopping, no_checkpoints, progress);
        train(&mut objective, run, None)?;
        Ok(objective.network)
    }

    /// Number of features.
    pub fn features(&self) -> usize {
        self.features
    }

    /// The prediction for each row of features.
    pub fn predict(&self, features: &Matrix) -> Result<Vec<f32>> {
        if features.columns() != self.features {
            return Err(Error::shape("features", format!("{} columns", self.features), features.columns()));
        }
        features.check_finite("features")?;
        let (mut hidden, mut output) = (Vec::new(), Vec::new());
        self.hidden.forward(&self.parameters, features.values(), &mut hidden);
        self.output.forward(&self.parameters, &hidden, &mut output);
        Ok(output)
    }

    /// Adds the network to a file.
    pub fn store(&self, prefix: &str, file: &mut ModelFile) {
        RegressionShape { features: self.features, hidden: self.units }.store(prefix, file);
        file.add_parameters(prefix, &self.parameters);
    }

    /// Reads a network from a file.
    pub fn stored(prefix: &str, file: &ModelFile) -> Result<Self> {
        let RegressionShape { features, hidden: units } = StoredShape::stored(prefix, file)?;
        let checked =
            check_positive("features", features, MAX_SIZE).and_then(|()| check_positive("hidden", units, MAX_SIZE));
        let make = || RegressionNetwork::new(features, units, 0);
        restored((prefix, file), checked, || Self::count(features, units), make, |network| &mut network.parameters)
    }

    /// The squared error of some rows; adds its gradients.
    fn loss(&self, x: &[f32], targets: &[f32], gradients: &mut Gradients) -> f64 {
        let (mut hidden, mut output) = (Vec::new(), Vec::new());
        self.hidden.forward(&self.parameters, x, &mut hidden);
        self.output.forward(&self.parameters, &hidden, &mut output);
        let mut sum = 0.0;
        let mut deltas: Vec<f32> = output
            .iter()
            .zip(targets)
            .map(|(output, target)| {
                sum += f64::from(output - target).powi(2);
                2.0 * (output - target) / targets.len() as f32
            })
            .collect();
        let mut deltas = self.output.backward(&self.parameters, &hidden, &output, &mut deltas, gradients);
        self.hidden.backward(&self.parameters, x, &hidden, &mut deltas, gradients);
        sum
    }
}

/// A network and its data.
struct RegressionObjective<'a> {
    network: RegressionNetwork,
    features: &'a Matrix,
    targets: &'a [f32],
    settings: &'a RegressionSettings,
    /// The order of the rows in the epoch.
    order: Vec<usize>,
}

impl Objective for RegressionObjective<'_> {
    crate::training::parameters_in!(network.parameters);

    fn identity(&self) -> Identity {
        let data = DataDigest::default().table(self.features, self.network.features).numbers(self.targets);
        let model = format!("regression {} {}", self.network.features, self.network.units);
        Identity { settings: format!("{:?}", self.settings), model, data: data.finish(), development: None }
    }

    fn start_round(&mut self, round: usize) -> Result<usize> {
        self.order = (0..self.targets.len()).collect();
        Random::stream(self.settings.seed, "shuffle", round as u64).shuffle(&mut self.order);
        Ok(self.order.len().div_ceil(self.settings.batch_size))
    }

    fn loss(&mut self, batch: usize, _step: u64, gradients: &mut Gradients) -> Result<BatchLoss> {
        let rows = self.order.chunks(self.settings.batch_size).nth(batch).unwrap_or_default();
        let x: Vec<f32> = rows.iter().flat_map(|&row| self.features.row(row)).copied().collect();
        let targets: Vec<f32> = rows.iter().map(|&row| self.targets[row]).collect();
        Ok(BatchLoss { sum: self.network.loss(&x, &targets, gradients), items: rows.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradient_check::check_parameters;

    fn problem() -> (Matrix, Vec<f32>) {
        let mut random = Random::stream(4, "problem", 0);
        let features = Matrix::new(80, 2, (0..160).map(|_| random.uniform(-1.0, 1.0)).collect()).unwrap();
        let targets = (0..80).map(|row| (2.0 * features.row(row)[0]).tanh() + features.row(row)[1]).collect();
        (features, targets)
    }

    #[test]
    fn gradients_agree_with_differences() {
        let (features, targets) = problem();
        let mut network = RegressionNetwork::new(2, 3, 7).unwrap();
        let mut gradients = Gradients::zeros(&network.parameters);
        let (x, targets) = (&features.values()[..20], &targets[..10]);
        network.loss(x, targets, &mut gradients);
        let shape = network.clone();
        check_parameters(&mut network.parameters, &gradients, 2e-3, |parameters| {
            let moved = RegressionNetwork { parameters: parameters.clone(), ..shape.clone() };
            moved.loss(x, targets, &mut Gradients::zeros(parameters)) / 10.0
        });
    }

    #[test]
    fn it_learns_and_is_stored() {
        let (features, targets) = problem();
        let settings =
            RegressionSettings { hidden: 8, epochs: 200, learning_rate: 0.01, ..RegressionSettings::default() };
        let network = RegressionNetwork::fit(&features, &targets, &settings, Progress::none()).unwrap();
        let predicted = network.predict(&features).unwrap();
        let error: f32 = predicted.iter().zip(&targets).map(|(a, b)| (a - b).powi(2)).sum::<f32>() / 80.0;
        assert!(error < 0.01, "{error}");
        let again = RegressionNetwork::fit(&features, &targets, &settings, Progress::none()).unwrap();
        assert_eq!(again.predict(&features).unwrap(), predicted);
        let mut file = ModelFile::new("test");
        network.store("mlp.", &mut file);
        assert_eq!(RegressionNetwork::stored("mlp.", &file).unwrap().predict(&features).unwrap(), predicted);
    }

    #[test]
    fn bad_input_is_named() {
        let (features, targets) = problem();
        let refused = |targets: &[f32], settings: RegressionSettings| {
            RegressionNetwork::fit(&features, targets, &settings, Progress::none()).unwrap_err().to_string()
        };
        assert!(refused(&targets[1..], RegressionSettings::default()).contains("targets: expected 80, found 79"));
        let no_units = RegressionSettings { hidden: 0, ..RegressionSettings::default() };
        assert!(refused(&targets, no_units).contains("`hidden` cannot be 0"));
    }
}
