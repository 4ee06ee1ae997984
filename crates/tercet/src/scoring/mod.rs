//! Systems × metrics → scores, intervals, paired comparisons.

pub mod significance;
