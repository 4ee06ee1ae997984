//! The recipe of a regression over features, a TOML file: the tables that `ruse` and `blend` share, and the recipe of
//! RUSE.
//!
//! `keys.toml` lists all keys; it is part of the documentation of [`Recipe`] and of the command's help.

use crate::learned::FeatureInputs;
use crate::recipe::{MAX_NUMBER, MAX_WIDTH, ModelOutput, Origin, SettingError, range, setting_by_name, settings};
use std::path::PathBuf;
use tercet_learn::feature_scaling::Scaling;
use tercet_learn::linear::ranking_svm::RankingSettings;
use tercet_learn::networks::RegressionSettings;
use tercet_learn::regression::Method;
use tercet_learn::svr::{SvrGrid, SvrSettings};

settings! {
    /// The recipe of a RUSE model.
    pub struct RuseRecipe {
        /// Judgements to learn from.
        data: RegressionData = RegressionData::default();
        /// Encoders and metrics.
        inputs: FeatureInputs = FeatureInputs::default();
        /// The regression and the choice of its settings.
        regression: Regression = Regression::default();
        /// The file of the model.
        model: ModelOutput = ModelOutput::default();
    } recipe "ruse", "RUSE of Shimanaka et al.: a regression over sentence vectors of translation and reference"

    /// `[data]`: the judgements.
    pub struct RegressionData {
        /// Folders or files to learn from: scores of segments, or rankings for a ranking SVM.
        train: Vec<RegressionEntry> = Vec::new();
    }

    /// An entry of `train`: a folder or file, and its language pairs.
    pub struct RegressionEntry or file {
        /// The folder or file.
        file: PathBuf;
        /// Language pairs to learn from. Default: all into English.
        pairs: Vec<String> = Vec::new();
    }

    /// `[regression]`: the regression and the choice of its settings. Where several values are given, cross-validation
    /// chooses.
    pub struct Regression {
        /// The regression.
        method: RegressionMethod = RegressionMethod::Svr;
        /// The kernel of an SVR.
        kernel: KernelName = KernelName::Rbf;
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
        scaling: Scaling = Scaling::None;
        /// Units of the hidden layer of an MLP.
        hidden: usize = RegressionSettings::default().hidden, range(1.0, MAX_WIDTH);
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

tercet_base::choices! {
    /// A regression.
    pub enum RegressionMethod: "method" = Svr {
        /// Support vector regression.
        Svr = "svr",
        /// Ridge regression.
        Ridge = "ridge",
        /// A network with a hidden layer.
        Mlp = "mlp",
        /// A ranking SVM, which learns from pairs.
        RankingSvm = "ranking-svm",
    }

    /// The kernel of an SVR.
    pub enum KernelName: "kernel" = Rbf {
        /// Radial basis functions.
        Rbf = "rbf",
        /// The scalar product.
        Linear = "linear",
    }
}

setting_by_name!(RegressionMethod, KernelName);

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
        match self.method {
            RegressionMethod::Ridge => {
                Choices::Scores(self.penalty.iter().map(|penalty| Method::Ridge(*penalty)).collect())
            }
            RegressionMethod::Mlp => Choices::Scores(vec![Method::Network(RegressionSettings {
                hidden: self.hidden,
                epochs: self.epochs,
                batch_size: self.batch,
                learning_rate: self.learning_rate,
                weight_decay: self.weight_decay,
                seed: self.seed,
            })]),
            RegressionMethod::RankingSvm => {
                let settings = |c: &f64| RankingSettings { c: *c, seed: self.seed, ..RankingSettings::default() };
                Choices::Pairs(self.c.iter().map(settings).collect())
            }
            RegressionMethod::Svr => Choices::Scores(self.svr_points().into_iter().map(Method::Svr).collect()),
        }
    }

    fn svr_points(&self) -> Vec<SvrSettings> {
        let gamma = if self.kernel == KernelName::Rbf { self.gamma.clone() } else { Vec::new() };
        SvrGrid { c: self.c.clone(), epsilon: self.epsilon.clone(), gamma }.points()
    }

    /// The number of epochs, if the method has epochs.
    pub(crate) fn length(&mut self) -> Option<(&'static str, &mut usize)> {
        (self.method == RegressionMethod::Mlp).then_some(("epochs", &mut self.epochs))
    }

    /// Returns an error for a key that has no effect with this method.
    pub(super) fn check_effects(&self, origin: &Origin) -> Result<(), SettingError> {
        let mlp = ["hidden", "epochs", "batch", "learning_rate", "weight_decay"];
        let used: &[&str] = match (self.method, self.kernel) {
            (RegressionMethod::Svr, KernelName::Linear) => &["kernel", "c", "epsilon"],
            (RegressionMethod::Svr, KernelName::Rbf) => &["kernel", "c", "epsilon", "gamma"],
            (RegressionMethod::Ridge, _) => &["penalty"],
            (RegressionMethod::Mlp, _) => &mlp,
            (RegressionMethod::RankingSvm, _) => &["c"],
        };
        let others = ["kernel", "c", "epsilon", "gamma", "penalty"].into_iter().chain(mlp);
        let mut unused = others.filter(|key| !used.contains(key) && origin.has("regression", key));
        let why = match unused.next() {
            None => return Ok(()),
            Some("gamma") if self.method == RegressionMethod::Svr => ("gamma", "kernel = \"linear\"".to_owned()),
            Some(key) => (key, format!("method = \"{}\"", self.method.name())),
        };
        Err(SettingError::new("regression", why.0, format!("has no effect with {}", why.1)))
    }
}

/// Declares the training of a kind of regression; both kinds have the same tables.
macro_rules! regression_recipe {
    ($recipe:ident) => {
        impl $recipe {
            fn plan(&self) -> $crate::ruse::RegressionPlan<'_> {
                let $recipe { data, inputs, regression, origin, .. } = self;
                let kind = <Self as $crate::recipe::Declared>::KIND;
                $crate::ruse::RegressionPlan { kind, data, inputs, regression, origin }
            }
        }

        impl $crate::recipe::Recipe for $recipe {
            fn train(
                &self,
                files: &tercet_learn::training::TrainingFiles,
                registry: &$crate::metrics::Registry,
                progress: $crate::progress::Progress<'_>,
            ) -> $crate::error::Result<$crate::recipe::ModelRecord> {
                Ok(train(self, files, registry, progress)?.record().clone())
            }

            fn seed(&mut self) -> &mut u64 {
                &mut self.regression.seed
            }

            fn length(&mut self) -> Option<(&'static str, &mut usize)> {
                self.regression.length()
            }

            fn check_together(&self) -> Result<(), $crate::recipe::SettingError> {
                self.plan().check()
            }
        }

        /// Trains a model and writes its file.
        pub fn train(
            recipe: &$recipe,
            files: &tercet_learn::training::TrainingFiles,
            registry: &$crate::metrics::Registry,
            progress: $crate::progress::Progress<'_>,
        ) -> $crate::error::Result<$crate::ruse::RegressionModel> {
            recipe.check()?;
            recipe.plan().train(files, registry, progress)
        }
    };
}

pub(crate) use regression_recipe;

regression_recipe!(RuseRecipe);
