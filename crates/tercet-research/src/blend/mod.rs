//! Blend: a regression over the scores of other metrics (Ma et al., WMT 2017).
//!
//! The combination of metrics that RUSE is compared with; DPMFcomb (Yu et al., WMT 2015) learned one from rankings, here
//! `method = "ranking-svm"`. The model, its training and its use as a metric are those of [`ruse`](super::ruse), with metrics as features and,
//! if the recipe names some, encoders as well.
//!
//! # Choices
//! By default each metric is scaled to the variance 1 (a block has one feature if it is a metric), because their ranges differ.

mod recipe;

pub use recipe::{BlendRecipe, DEFAULT_METRICS, train};

use crate::metrics::{MetricInfo, Paper, Scale};
use crate::ruse::{OPTIONS, from_options};
use std::sync::Arc;

/// The entry in a [`Registry`](crate::metrics::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "blend",
    summary: "a regression over the scores of other metrics, learned from scores or rankings",
    citation: "Ma et al., WMT 2017",
    papers: &[PAPER],
    agrees_with: "no public tool",
    scale: Scale::One,
    options: &OPTIONS,
    needs: Some("model"),
    preference: Some(|options, registry| Ok(Arc::new(from_options(&INFO, "Blend", options, registry)?))),
    ..MetricInfo::new(|options, registry| Ok(Arc::new(from_options(&INFO, "Blend", options, registry)?)))
};

const PAPER: Paper = Paper { short: "Ma et al., 2017", bibtex: include_str!("ma-2017-blend.bib") };
