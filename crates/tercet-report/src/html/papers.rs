//! The papers that define intervals and tests. Those of metrics are in their
//! [`MetricInfo`](crate::metrics::MetricInfo).

use crate::metrics::Paper;

/// Bootstrap intervals.
pub(super) const BOOTSTRAP: Paper =
    Paper { short: "Efron and Tibshirani, 1993", bibtex: include_str!("efron-1993.bib") };

/// The paired bootstrap.
pub(super) const PAIRED_BOOTSTRAP: Paper =
    Paper { short: "Koehn, 2004", bibtex: include_str!("koehn-2004-significance.bib") };

/// Approximate randomisation.
pub(super) const RANDOMISATION: Paper =
    Paper { short: "Riezler and Maxwell, 2005", bibtex: include_str!("riezler-2005.bib") };

/// Accuracy and Kendall's τ with calibrated ties.
pub(super) const TIES: Paper = Paper { short: "Deutsch et al., 2023", bibtex: include_str!("deutsch-2023-ties.bib") };

/// The permutation test between metrics.
pub(super) const PERM_BOTH: Paper =
    Paper { short: "Deutsch et al., 2021", bibtex: include_str!("deutsch-2021-resampling.bib") };
