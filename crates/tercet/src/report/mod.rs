//! Results in, text out: one file or folder per format.

pub mod sacrebleu;
