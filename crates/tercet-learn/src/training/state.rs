//! The state between two rounds, and its file (a checkpoint).
//!
//! The file is of the kind `training state`: `phase`, `round` and the last round before the phase, the [`Identity`] of
//! the run, the parameters and the optimizer's buffers, the best round with its parameters, loss and development value
//! of every round. No state of random generators: streams are named by seed and round.
//! [`Checkpoints`] say where and how often it is written.

use super::{Identity, Keep, Outcome};
use crate::error::{Error, Result};
use crate::files;
use crate::model_file::{ModelFile, Values};
use crate::optimizer::Optimizer;
use crate::parameters::Parameters;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The kind of the file.
pub(super) const KIND: &str = "training state";

/// The best round so far.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Best {
    /// Counted from 1.
    pub round: usize,
    /// Its development value; `None` without development data.
    pub value: Option<f64>,
    pub parameters: Parameters,
}

/// Loss and development value of a round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundRecord {
    /// Mean loss per example, each computed before its step; without weight decay.
    pub loss: f64,
    /// Development value; higher is better. `None` if the model was not evaluated.
    pub development: Option<f64>,
}

/// The state of a run between two rounds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TrainingState {
    pub phase: String,
    /// Finished rounds of all phases.
    pub round: usize,
    /// The last round before the phase.
    pub phase_start: usize,
    /// Copied by [`capture`](Self::capture), like the optimizer's buffers.
    pub parameters: Parameters,
    pub optimizer_steps: u64,
    pub optimizer: Vec<Vec<Vec<f32>>>,
    best: Option<Best>,
    pub history: Vec<RoundRecord>,
}

impl TrainingState {
    /// The start of a phase; the best round so far is that of the previous phase.
    pub fn new(phase: &str, parameters: &Parameters, before: Option<Outcome>) -> Self {
        let round = before.as_ref().map_or(0, |before| before.rounds);
        let best = before.as_ref().map(|before| Best {
            round: before.best_round,
            value: before.best_value,
            parameters: parameters.clone(),
        });
        TrainingState {
            phase: phase.to_owned(),
            round,
            phase_start: round,
            parameters: parameters.clone(),
            optimizer_steps: 0,
            optimizer: Vec::new(),
            best,
            history: before.map(|before| before.history).unwrap_or_default(),
        }
    }

    /// The best round so far, with [`Keep::Best`].
    pub fn best(&self) -> Option<&Best> {
        self.best.as_ref()
    }

    pub fn rounds_of_phase(&self) -> usize {
        self.round - self.phase_start
    }

    /// Rounds of the phase without a new best.
    pub fn rounds_since_best(&self) -> usize {
        self.round - self.best.as_ref().map_or(0, |best| best.round).max(self.phase_start)
    }

    /// Records a round; a value equal to the best so far is a new best.
    pub fn record(&mut self, parameters: &Parameters, loss: f64, development: Option<f64>, keep: Keep) -> Result<()> {
        if keep == Keep::Best {
            self.check_value(development)?;
        }
        self.round += 1;
        self.history.push(RoundRecord { loss, development });
        match &mut self.best {
            _ if keep == Keep::Last => {}
            Some(best) if development < best.value => {}
            Some(best) => {
                (best.round, best.value) = (self.round, development);
                best.parameters.assign(parameters)?;
            }
            None => {
                let parameters = parameters.clone();
                self.best = Some(Best { round: self.round, value: development, parameters });
            }
        }
        Ok(())
    }

    /// Copies what changes within a round.
    pub fn capture(&mut self, parameters: &Parameters, optimizer: &Optimizer) {
        self.parameters.assign(parameters).expect("the shape of a model does not change");
        self.optimizer_steps = optimizer.steps();
        optimizer.state().clone_into(&mut self.optimizer);
    }

    /// Returns an error if more rounds are done than this run should have.
    pub fn check_rounds(&self, most: usize, unit: &str) -> Result<()> {
        let done = self.rounds_of_phase();
        if done <= most {
            return Ok(());
        }
        Err(not_resumable(format!("it has {done} {unit} behind it, and this run should end after {most}")))
    }

    /// Returns an error if some rounds have a development value and others do not: they cannot be compared.
    fn check_value(&self, development: Option<f64>) -> Result<()> {
        let Some(last) = self.history.last() else { return Ok(()) };
        let source = match (last.development, development) {
            (Some(_), None) => "there is none, and the epochs before have one: give their development set",
            (None, Some(_)) => "there is one, and the epochs before have none: give no development set",
            _ => return Ok(()),
        };
        let source = format!("{source}, or start afresh").into();
        Err(Error::Callback { what: "the development score", epoch: self.round + 1, source })
    }

    /// The state as a file.
    pub fn to_file(&self, identity: &Identity, frozen: Option<&Parameters>) -> ModelFile {
        let mut file = ModelFile::new(KIND);
        identity.store(&mut file);
        file.set("phase", &self.phase);
        file.set("round", &self.round.to_string());
        file.set("phase_start", &self.phase_start.to_string());
        file.set("optimizer_steps", &self.optimizer_steps.to_string());
        file.add_parameters("parameters.", &self.parameters);
        for (tensor, slots) in self.parameters.tensors().iter().zip(&self.optimizer) {
            for (slot, values) in slots.iter().enumerate() {
                let name = format!("optimizer.{slot}.{}", tensor.name);
                file.add(&name, tensor.shape.to_vec(), Values::F32(values.clone()));
            }
        }
        if let Some(best) = &self.best {
            file.set("best_round", &best.round.to_string());
            file.add_parameters("best.", &best.parameters);
        }
        if let Some(frozen) = frozen {
            file.add_parameters("frozen.", frozen);
        }
        let pairs = self.history.iter().flat_map(|e| [e.loss, e.development.unwrap_or(f64::NAN)]);
        file.add("history", vec![self.history.len(), 2], Values::F64(pairs.collect()));
        file
    }

    /// Reads a state; returns an error if its identity or its tensors differ.
    pub fn load(file: &ModelFile, like: &Parameters, identity: &Identity) -> Result<Self> {
        identity.check(file)?;
        let bad = |reason: &str| file.bad(reason.to_owned());
        let history = history(file)?;
        let best = match file.find("best_round") {
            None => None,
            Some(_) => {
                let round: usize = file.number("best_round")?;
                let record = round.checked_sub(1).and_then(|at| history.get(at));
                let value = record.ok_or_else(|| bad("its best round is not in its history"))?.development;
                Some(Best { round, value, parameters: file.parameters("best.", like)? })
            }
        };
        let (round, phase_start) = (file.number("round")?, file.number("phase_start")?);
        if history.len() != round || phase_start > round {
            return Err(bad("its rounds and its history differ").into());
        }
        Ok(TrainingState {
            phase: file.get("phase")?.to_owned(),
            round,
            phase_start,
            optimizer_steps: file.number("optimizer_steps")?,
            optimizer: optimizer_slots(file, like)?,
            parameters: file.parameters("parameters.", like)?,
            best,
            history,
        })
    }
}

impl Identity {
    fn store(&self, file: &mut ModelFile) {
        file.set("settings", &self.settings);
        file.set("model", &self.model);
        file.set("data", &self.data);
        if let Some(id) = &self.development {
            file.set("development", id);
        }
    }

    /// Returns an error that names the first difference if the file is of another run.
    pub(super) fn check(&self, file: &ModelFile) -> Result<()> {
        let Some(settings) = file.find("settings") else {
            return Err(not_resumable("an earlier version of tercet wrote it: start afresh".to_owned()));
        };
        if settings != self.settings {
            let differing = settings.lines().zip(self.settings.lines()).find(|(there, here)| there != here);
            let reason = differing.map(|(there, here)| format!("{there}; this one has {here}"));
            let reason = reason.unwrap_or("other settings".to_owned());
            return Err(not_resumable(format!("it is of a run with {reason}")));
        }
        let model = file.get("model")?;
        if model != self.model {
            return Err(not_resumable(format!("its network has {model}; this one has {}", self.model)));
        }
        if file.get("data")? != self.data {
            let reason = "it is of a run on other data (what is learned from has changed): give the data it was \
                          trained on, or start afresh";
            return Err(not_resumable(reason.to_owned()));
        }
        let scored = history(file)?.iter().any(|round| round.development.is_some());
        self.check_development(file.find("development"), scored)
    }

    fn check_development(&self, there: Option<&str>, scored: bool) -> Result<()> {
        let reason = match (there, self.development.as_deref()) {
            (there, here) if there == here => return Ok(()),
            (Some(_), Some(_)) => "its epochs were scored on another development set",
            (Some(_), None) => "its epochs were scored on a development set and this run names none",
            (None, _) if scored => "it does not say which development set its epochs were scored on",
            (None, _) => "its epochs were scored on no development set and this run has one",
        };
        let advice = "give the development set it was trained with, or start afresh";
        Err(not_resumable(format!("{reason}: {advice}")))
    }
}

fn not_resumable(reason: String) -> Error {
    Error::NotResumable { reason }
}

fn history(file: &ModelFile) -> Result<Vec<RoundRecord>> {
    let record =
        |pair: &[f64]| RoundRecord { loss: pair[0], development: Some(pair[1]).filter(|value| !value.is_nan()) };
    Ok(file.f64("history")?.chunks_exact(2).map(record).collect())
}

/// The optimizer's buffers: as many per tensor as the file contains.
fn optimizer_slots(file: &ModelFile, like: &Parameters) -> Result<Vec<Vec<Vec<f32>>>> {
    let slots = |name: &str| {
        let names = (0..).map(|slot| format!("optimizer.{slot}.{name}"));
        let there = names.take_while(|name| file.has(name));
        there.map(|name| Ok(file.f32(&name)?.to_vec())).collect::<Result<Vec<_>>>()
    };
    like.tensors().iter().map(|tensor| slots(&tensor.name)).collect()
}

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
