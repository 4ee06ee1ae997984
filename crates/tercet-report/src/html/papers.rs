//! The papers that define intervals and tests. Those of metrics are in their
//! [`MetricInfo`](crate::metrics::MetricInfo).

use crate::metrics::Paper;

/// Bootstrap intervals.
pub(super) const BOOTSTRAP: Paper = Paper {
    short: "Efron and Tibshirani, 1993",
    bibtex: r"@book{efron-1993,
  title     = {An Introduction to the Bootstrap},
  author    = {Efron, Bradley and Tibshirani, Robert J.},
  publisher = {Chapman and Hall},
  year      = 1993,
}",
};

/// The paired bootstrap.
pub(super) const PAIRED_BOOTSTRAP: Paper = Paper {
    short: "Koehn, 2004",
    bibtex: r"@inproceedings{koehn-2004-significance,
  title     = {Statistical Significance Tests for Machine Translation Evaluation},
  author    = {Koehn, Philipp},
  booktitle = {Proceedings of the 2004 Conference on Empirical Methods in Natural Language Processing},
  year      = 2004,
  pages     = {388--395},
}",
};

/// Approximate randomisation.
pub(super) const RANDOMISATION: Paper = Paper {
    short: "Riezler and Maxwell, 2005",
    bibtex: "@inproceedings{riezler-2005,
  title     = {On Some Pitfalls in Automatic Evaluation and Significance Testing for {MT}},
  author    = {Riezler, Stefan and Maxwell, John T.},
  booktitle = {Proceedings of the {ACL} Workshop on Intrinsic and Extrinsic Evaluation Measures for \
  Machine Translation and/or Summarization},
  year      = 2005,
  pages     = {57--64},
}",
};

/// Accuracy and Kendall's τ with calibrated ties.
pub(super) const TIES: Paper = Paper {
    short: "Deutsch et al., 2023",
    bibtex: r"@inproceedings{deutsch-2023-ties,
  title     = {Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and Tie Calibration},
  author    = {Deutsch, Daniel and Foster, George and Freitag, Markus},
  booktitle = {Proceedings of the 2023 Conference on Empirical Methods in Natural Language Processing},
  year      = 2023,
}",
};

/// The permutation test between metrics.
pub(super) const PERM_BOTH: Paper = Paper {
    short: "Deutsch et al., 2021",
    bibtex: r"@article{deutsch-2021-resampling,
  title   = {A Statistical Analysis of Summarization Evaluation Metrics Using Resampling Methods},
  author  = {Deutsch, Daniel and Dror, Rotem and Roth, Dan},
  journal = {Transactions of the Association for Computational Linguistics},
  volume  = 9,
  year    = 2021,
}",
};
