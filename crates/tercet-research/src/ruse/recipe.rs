//! The recipe of a regression over features, a TOML file: the tables that `ruse` and `blend` share, and the recipe of RUSE.
//!
//! `keys.toml` lists all keys; it is part of the documentation of [`Recipe`] and of the command's help.

use super::training::TrainingPlan;
use crate::error::Result;
use crate::learned::Feature;
use crate::metrics::Registry;
use crate::progress::Progress;
use crate::recipe::{
    ModelOutput, Origin, RecipeKind, SettingError, Trained, WIDEST, named, one_of, range, settings,
};
use crate::spec::MAX_NUMBER;
use std::path::PathBuf;
use tercet_learn::feature_scaling::Scaling;
use tercet_learn::linear::ranking_svm::RankingSettings;
use tercet_learn::networks::RegressionSettings;
use tercet_learn::regression::Method;
use tercet_learn::svr::{SvrGrid, SvrSettings};
use tercet_learn::training::TrainingFiles;

const KEYS: &str = include_str!("keys.toml");

settings! {
    /// The recipe of a RUSE model. All keys, with an example or their default:
    ///
    #[doc = concat!("```toml\n", include_str!("keys.toml"), "```")]
    pub struct Recipe {
        /// Judgements to learn from.
        data: Data = Data::default();
        /// Encoders and metrics.
        inputs: Inputs = Inputs::default();
        /// The regression and the choice of its settings.
        regression: Regression = Regression::default();
        /// The file of the model.
        model: ModelOutput = ModelOutput::default();
    } recipe
}

settings! {
    /// `[data]`: the judgements.
    pub struct Data {
        /// Folders or files to learn from: scores of segments, or rankings for a ranking SVM.
        train: Vec<DataEntry> = Vec::new();
    }
}

settings! {
    /// An entry of `train`: a folder or file, and its language pairs.
    pub struct DataEntry or file {
        /// The folder or file.
        file: PathBuf;
        /// Language pairs to learn from. Default: all into English.
        pairs: Vec<String> = Vec::new();
    }
}

settings! {
    /// `[inputs]`: what the features of a translation are.
    pub struct Inputs {
        /// Encoders whose vectors t and r of translation and reference become t, r, t ⊙ r and |t − r|.
        encoders: Vec<String> = Vec::new();
        /// Metrics whose scores are features.
        metrics: Vec<String> = Vec::new();
        /// Metrics whose components are features.
        components: Vec<String> = Vec::new();
    }
}

impl Inputs {
    /// All metrics as features, scores first.
    pub(super) fn features(&self) -> Vec<Feature> {
        let scores = self.metrics.iter().map(|metric| Feature::score(metric));
        scores.chain(self.components.iter().map(|metric| Feature::components(metric))).collect()
    }
}

settings! {
    /// `[regression]`: the regression and the choice of its settings. Where several values are given, cross-validation chooses.
    pub struct Regression {
        /// The regression.
        method: String = METHODS[0].to_owned(), one_of(METHODS);
        /// The kernel of an SVR.
        kernel: String = KERNELS[0].to_owned(), one_of(KERNELS);
        /// C of an SVR or a ranking SVM.
        c: Vec<f64> = SvrGrid::default().c, above_zero();
        /// ε of an SVR.
        epsilon: Vec<f64> = SvrGrid::default().epsilon, at_least_zero();
        /// γ of the RBF kernel.
        gamma: Vec<f64> = SvrGrid::default().gamma, above_zero();
        /// λ of ridge regression.
        penalty: Vec<f64> = vec![0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0], above_zero();
        /// The number of folds of the cross-validation.
        folds: usize = 10, range(2.0, MAX_NUMBER);
        /// Whether examples are put into folds at random, and not as they follow each other.
        shuffled: bool = false;
        /// How features are scaled.
        scaling: String = Scaling::None.name().to_owned(), named::<Scaling>();
        /// Units of the hidden layer of an MLP.
        hidden: usize = RegressionSettings::default().hidden, range(1.0, WIDEST);
        /// Epochs of an MLP.
        epochs: usize = RegressionSettings::default().epochs, range(1.0, MAX_NUMBER);
        /// Rows per step of an MLP.
        batch: usize = RegressionSettings::default().batch_size, range(1.0, MAX_NUMBER);
        /// The learning rate of an MLP.
        learning_rate: f32 = RegressionSettings::default().learning_rate, range(f64::MIN_POSITIVE, MAX_NUMBER);
        /// The weight of the L2 penalty of an MLP.
        weight_decay: f32 = RegressionSettings::default().weight_decay, range(0.0, MAX_NUMBER);
        /// The seed of initial weights, orders and folds.
        seed: u64 = 1;
    }
}

const METHODS: [&str; 4] = ["svr", "ridge", "mlp", "ranking-svm"];

const KERNELS: [&str; 2] = ["rbf", "linear"];

fn above_zero() -> impl Fn(&Vec<f64>) -> Result<(), String> {
    all(|value| value > 0.0, "numbers above 0")
}

fn at_least_zero() -> impl Fn(&Vec<f64>) -> Result<(), String> {
    all(|value| value >= 0.0, "numbers of at least 0")
}

fn all(is_allowed: fn(f64) -> bool, expected: &'static str) -> impl Fn(&Vec<f64>) -> Result<(), String> {
    move |values| {
        if values.is_empty() {
            return Err(format!("is empty: expected {expected}"));
        }
        match values.iter().find(|value| !(value.is_finite() && is_allowed(**value))) {
            Some(bad) => Err(format!("cannot have {bad}: expected {expected}")),
            None => Ok(()),
        }
    }
}

/// The settings to choose from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Choices {
    /// Regressions on scores.
    Scores(Vec<Method>),
    /// Ranking SVMs on pairs.
    Pairs(Vec<RankingSettings>),
}

impl Regression {
    /// All settings to choose from.
    pub(super) fn choices(&self) -> Choices {
        match self.method.as_str() {
            "ridge" => Choices::Scores(self.penalty.iter().map(|penalty| Method::Ridge(*penalty)).collect()),
            "mlp" => Choices::Scores(vec![Method::Network(RegressionSettings {
                hidden: self.hidden,
                epochs: self.epochs,
                batch_size: self.batch,
                learning_rate: self.learning_rate,
                weight_decay: self.weight_decay,
                seed: self.seed,
            })]),
            "ranking-svm" => {
                let settings =
                    |c: &f64| RankingSettings { c: *c, seed: self.seed, ..RankingSettings::default() };
                Choices::Pairs(self.c.iter().map(settings).collect())
            }
            _ => Choices::Scores(self.svr_points().into_iter().map(Method::Svr).collect()),
        }
    }

    fn svr_points(&self) -> Vec<SvrSettings> {
        let gamma = if self.kernel == "rbf" { self.gamma.clone() } else { Vec::new() };
        SvrGrid { c: self.c.clone(), epsilon: self.epsilon.clone(), gamma }.points()
    }

    /// The number of epochs, if the method has epochs.
    pub(crate) fn counted_epochs(&mut self) -> Option<&mut usize> {
        (self.method == "mlp").then_some(&mut self.epochs)
    }
}

/// Checks settings that depend on each other.
pub(crate) fn check_together(
    data: &Data,
    inputs: &Inputs,
    regression: &Regression,
    origin: &Origin,
) -> Result<(), SettingError> {
    let refuse = |table: &str, key: &str, reason: String| Err(SettingError::new(table, key, reason));
    if data.train.is_empty() {
        let reason = "is empty: name folders or files of judgements to learn from";
        return refuse("data", "train", reason.to_owned());
    }
    if inputs.features().is_empty() && inputs.encoders.is_empty() {
        let reason = "has no features: name encoders, metrics or components";
        return refuse("inputs", "", reason.to_owned());
    }
    let method = regression.method.as_str();
    let mlp = ["hidden", "epochs", "batch", "learning_rate", "weight_decay"];
    let used: &[&str] = match method {
        "svr" if regression.kernel == "linear" => &["kernel", "c", "epsilon"],
        "svr" => &["kernel", "c", "epsilon", "gamma"],
        "ridge" => &["penalty"],
        "mlp" => &mlp,
        _ => &["c"],
    };
    let others = ["kernel", "c", "epsilon", "gamma", "penalty"].into_iter().chain(mlp);
    let mut unused = others.filter(|key| !used.contains(key) && origin.has("regression", key));
    match unused.next() {
        Some("gamma") if method == "svr" => {
            refuse("regression", "gamma", "has no effect with kernel = \"linear\"".to_owned())
        }
        Some(key) => refuse("regression", key, format!("has no effect with method = \"{method}\"")),
        None => Ok(()),
    }
}

impl RecipeKind for Recipe {
    const NAME: &'static str = "ruse";
    const TRAINS: &'static str =
        "RUSE of Shimanaka et al.: a regression over sentence vectors of translation and reference";
    const KEYS: &'static str = KEYS;
    const MODEL_FILE: &'static str = "ruse.safetensors";

    /// Cross-validation takes the place of a development set.
    fn has_development(&self) -> bool {
        true
    }

    fn train(&self, files: &TrainingFiles, registry: &Registry, progress: Progress<'_>) -> Result<Trained> {
        let model = super::train(self, files, registry, progress)?;
        Ok(Trained { hash: model.hash().to_owned(), notes: model.notes().to_vec() })
    }

    fn seed(&mut self) -> &mut u64 {
        &mut self.regression.seed
    }

    fn epochs(&mut self) -> Option<&mut usize> {
        self.regression.counted_epochs()
    }

    fn check_together(&self) -> Result<(), SettingError> {
        check_together(&self.data, &self.inputs, &self.regression, &self.origin)
    }
}

impl Recipe {
    /// What the recipe says, as both kinds are trained.
    pub(super) fn plan(&self) -> TrainingPlan<'_> {
        TrainingPlan {
            kind: Self::NAME,
            data: &self.data,
            inputs: &self.inputs,
            regression: &self.regression,
            origin: &self.origin,
        }
    }
}
