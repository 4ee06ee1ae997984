//! Systems × metrics → scores, intervals, paired comparisons.
