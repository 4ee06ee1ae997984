//! Checkpoints: where and how often the state of a training is written.

use super::Identity;
use super::state::KIND;
use crate::error::{Error, Result};
use crate::files;
use crate::model_file::ModelFile;
use crate::parameters::Parameters;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The checkpoints of a training with all its phases.
#[derive(Debug)]
pub struct Checkpoints {
    path: Option<PathBuf>,
    every: Duration,
    written: Instant,
    saved: Option<ModelFile>,
}

impl Checkpoints {
    /// No checkpoints are written.
    pub fn none() -> Self {
        Checkpoints { path: None, every: Duration::MAX, written: Instant::now(), saved: None }
    }

    /// Writes a checkpoint to `path` every `seconds`, and when a run is stopped or ends.
    pub fn to(path: &Path, seconds: f64) -> Self {
        let every = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        Checkpoints { path: Some(path.to_owned()), every, ..Checkpoints::none() }
    }

    /// The same, resuming from the checkpoint in the file.
    pub fn resume(path: &Path, seconds: f64) -> Result<Self> {
        let saved = Some(ModelFile::read(path, KIND)?);
        Ok(Checkpoints { saved, ..Checkpoints::to(path, seconds) })
    }

    /// The phase in which the training resumes.
    pub fn saved_phase(&self) -> Option<&str> {
        self.saved.as_ref().and_then(|file| file.find("phase"))
    }

    /// Returns an error if the saved state is of none of these phases: it belongs to another training.
    pub(crate) fn expect_phase(&self, phases: &[&str]) -> Result<()> {
        match self.saved_phase().filter(|phase| !phases.contains(phase)) {
            None => Ok(()),
            Some(phase) => {
                let expected = phases.join(" or ");
                let reason = format!("it is of the phase {phase}, and this training has the phase {expected}");
                Err(Error::NotResumable { reason })
            }
        }
    }

    /// The [frozen](super::Objective::frozen) parameters of the loaded checkpoint, if it is of this phase.
    pub fn frozen(&self, phase: &str, identity: &Identity, like: &Parameters) -> Result<Option<Parameters>> {
        let Some(file) = self.saved(phase) else { return Ok(None) };
        identity.check(file)?;
        Ok(file.parameters("frozen.", like).map(Some)?)
    }

    /// The loaded checkpoint, if it is of this phase.
    pub(super) fn saved(&self, phase: &str) -> Option<&ModelFile> {
        self.saved.as_ref().filter(|file| file.find("phase") == Some(phase))
    }

    pub(super) fn are_written(&self) -> bool {
        self.path.is_some()
    }

    pub(super) fn are_due(&self) -> bool {
        self.are_written() && self.written.elapsed() >= self.every
    }

    pub(super) fn write(&mut self, file: impl FnOnce() -> ModelFile) -> Result<()> {
        if let Some(path) = &self.path {
            file().write(path)?;
            self.written = Instant::now();
        }
        Ok(())
    }
}

/// The files of a training: the model and its checkpoint.
#[derive(Clone, Debug)]
pub struct TrainingFiles {
    /// Path of the model.
    pub model: PathBuf,
    /// Whether to resume from the checkpoint.
    pub resume: bool,
}

impl TrainingFiles {
    /// Path of the checkpoint: `MODEL.checkpoint`.
    pub fn checkpoint(&self) -> PathBuf {
        self.beside("checkpoint")
    }

    /// Path of another file next to the model: `MODEL.ending`.
    pub fn beside(&self, ending: &str) -> PathBuf {
        let mut name = self.model.as_os_str().to_owned();
        name.push(format!(".{ending}"));
        PathBuf::from(name)
    }

    /// Call before training: the checkpoints, written every `seconds`. Removes temporary files of killed trainings.
    /// Returns an error if a saved state is of none of these phases.
    pub fn begin(&self, seconds: f64, phases: &[&str]) -> Result<Checkpoints> {
        files::remove_partial(&self.model);
        let path = self.checkpoint();
        if !self.resume {
            return Ok(Checkpoints::to(&path, seconds));
        }
        let checkpoints = Checkpoints::resume(&path, seconds)?;
        checkpoints.expect_phase(phases)?;
        Ok(checkpoints)
    }

    /// Call when the model has been written: removes the checkpoint.
    pub fn end(&self) {
        let _ = fs::remove_file(self.checkpoint());
    }
}
