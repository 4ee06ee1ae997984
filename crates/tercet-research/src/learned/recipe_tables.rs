//! What the recipes of several metrics have in common.

use super::features::Feature;
use crate::encode;
use crate::error::Result;
use crate::metrics::{Registry, Spec};
use crate::recipe::{setting_by_name, settings};
use std::path::Path;
use tercet_learn::optimizer::Method;

tercet_base::choices! {
    /// An optimizer, with its usual constants.
    pub enum OptimizerName: "optimizer" = AdaGrad {
        /// Plain stochastic gradient descent.
        Sgd = "sgd",
        /// AdaGrad.
        AdaGrad = "adagrad",
        /// Adam.
        Adam = "adam",
    }
}

impl OptimizerName {
    /// The method.
    pub(crate) fn method(self) -> Method {
        match self {
            OptimizerName::Sgd => Method::Sgd,
            OptimizerName::AdaGrad => Method::ADAGRAD,
            OptimizerName::Adam => Method::ADAM,
        }
    }
}

tercet_base::choices! {
    /// The precision of large matrices in a model file.
    pub enum StoredPrecision: "precision" = Single {
        /// Single precision.
        Single = "single",
        /// 8-bit integers.
        Int8 = "8-bit",
    }
}

setting_by_name!(OptimizerName, StoredPrecision);

settings! {
    /// `[inputs]`: what a model sees of a translation and its reference.
    pub struct FeatureInputs {
        /// Metrics whose scores are features.
        metrics: Vec<String> = Vec::new();
        /// Metrics whose components are features.
        components: Vec<String> = Vec::new();
        /// Encoders of both.
        encoders: Vec<String> = Vec::new();
    }
}

impl FeatureInputs {
    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.metrics.is_empty() && self.components.is_empty() && self.encoders.is_empty()
    }

    /// All features, scores first; relative paths of metrics' files are in this folder.
    pub(crate) fn features(&self, folder: &Path, registry: &Registry) -> Result<Vec<Feature>> {
        let scores = self.metrics.iter().map(|metric| Feature::score(metric));
        let all = scores.chain(self.components.iter().map(|metric| Feature::components(metric)));
        all.map(|feature| Ok(feature.with_metric(registry.relative_to(feature.metric(), folder)?))).collect()
    }

    /// All encoders; relative paths of their files are in this folder.
    pub(crate) fn encoders(&self, folder: &Path, registry: &Registry) -> Result<Vec<Spec>> {
        let placed = |text: &String| encode::relative_to(text, folder, registry.context());
        self.encoders.iter().map(placed).collect()
    }
}
