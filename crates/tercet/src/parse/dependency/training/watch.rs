//! How a training is followed from outside.

use crate::parse::evaluation::DependencyScores;
use std::path::PathBuf;

/// What is being done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A treebank or texts are read.
    Reading(String),
    /// So many steps of training begin, of the teacher or of the model.
    Training {
        /// Whether the teacher is trained, not the model.
        teacher: bool,
        /// Steps in all.
        steps: usize,
    },
    /// A teacher of an earlier run is taken from its file.
    KnownTeacher(PathBuf),
    /// So many sentences will be labelled.
    Labelling(usize),
    /// So many more of them are.
    Labelled(usize),
    /// The finished model is scored.
    Scoring,
}

/// A step that was taken.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Its number, from 1.
    pub step: u64,
    /// The loss per word before the step.
    pub loss: f64,
    /// Words in its batch.
    pub words: usize,
    /// Scores on the development data, if they were taken after the step.
    pub development: Option<DependencyScores>,
}

/// Who follows a training.
pub trait Watch {
    /// Something begins.
    fn stage(&mut self, _stage: &Stage) {}

    /// A step was taken.
    fn progress(&mut self, _progress: &Progress) {}

    /// Whether the state should be kept now.
    fn keeps_now(&mut self) -> bool {
        false
    }
}

/// Nobody.
pub struct Unwatched;

impl Watch for Unwatched {}
