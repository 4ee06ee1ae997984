//! Everything that the next epoch starts from, and its file.

use super::Progress;
use crate::checkpoint::{TensorFile, Values};
use crate::error::{Error, Result};
use crate::parameters::Parameters;
use std::path::Path;

/// The kind of file a state is kept in.
const KIND: &str = "training state";

/// Which loss is being made small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The logistic loss.
    Logistic,
    /// The Kendall loss.
    Kendall,
}

impl Phase {
    /// `logistic`, `kendall`.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Logistic => "logistic",
            Phase::Kendall => "kendall",
        }
    }
}

/// The epoch that leads.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// Epoch, counted from 1.
    pub epoch: usize,
    /// Its development value; `None` without a development set.
    pub value: Option<f64>,
    /// What the network had learned then.
    pub parameters: Parameters,
}

/// What is remembered of an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EpochRecord {
    /// Mean loss.
    pub loss: f64,
    /// Development value.
    pub development: Option<f64>,
}

/// A run between two epochs.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingState {
    pub(super) fingerprint: String,
    /// [`Network::data_hash`](crate::networks::Network::data_hash); empty until the state is kept.
    pub(super) data_hash: String,
    /// [`Network::description`](crate::networks::Network::description); empty in files that do not have it.
    pub(super) network: String,
    /// [`Observer::development_id`](super::Observer::development_id); taken when the state is kept.
    pub(super) development_id: Option<String>,
    pub(super) epoch: usize,
    pub(super) phase: Phase,
    /// The epoch after which the phase began.
    pub(super) phase_start: usize,
    pub(super) parameters: Parameters,
    pub(super) optimizer_steps: u64,
    pub(super) optimizer: Vec<Vec<Vec<f32>>>,
    pub(super) best: Option<Best>,
    pub(super) history: Vec<EpochRecord>,
}

impl TrainingState {
    pub(super) fn new(parameters: &Parameters, phase: Phase, fingerprint: String) -> Self {
        TrainingState {
            fingerprint,
            data_hash: String::new(),
            network: String::new(),
            development_id: None,
            epoch: 0,
            phase,
            phase_start: 0,
            parameters: parameters.clone(),
            optimizer_steps: 0,
            optimizer: Vec::new(),
            best: None,
            history: Vec::new(),
        }
    }

    /// Epochs finished.
    pub fn epoch(&self) -> usize {
        self.epoch
    }

    /// The epoch that leads.
    pub fn best(&self) -> Option<&Best> {
        self.best.as_ref()
    }

    /// Every epoch so far.
    pub fn history(&self) -> &[EpochRecord] {
        &self.history
    }

    /// Refuses to end before where it is.
    pub(super) fn check_epochs(&self, epochs: usize) -> Result<()> {
        let done = self.epoch - self.phase_start;
        if done <= epochs {
            return Ok(());
        }
        let reason = format!("it has {done} epochs behind it, and this run should end after {epochs}");
        Err(Error::NotResumable { reason })
    }

    /// Refuses other settings than those of the run.
    pub(super) fn check_settings(&self, fingerprint: &str) -> Result<()> {
        if self.fingerprint == fingerprint {
            return Ok(());
        }
        let (there, here) = differing(&self.fingerprint, fingerprint);
        let reason = format!("it is of a run with {there}; this one has {here}");
        Err(Error::NotResumable { reason })
    }

    /// Refuses another network than that of the run.
    pub(super) fn check_network(&self, description: &str) -> Result<()> {
        let reason = if self.network == description {
            return Ok(());
        } else if self.network.is_empty() {
            "it does not say which network it is of: start afresh".to_owned()
        } else {
            format!("its network has {}; this one has {description}", self.network)
        };
        Err(Error::NotResumable { reason })
    }

    /// Refuses another development set than that of the run.
    pub(super) fn check_development(&self, id: Option<&str>) -> Result<()> {
        let scored = self.history.iter().any(|epoch| epoch.development.is_some());
        let reason = match (self.development_id.as_deref(), id) {
            (None, None) => return Ok(()),
            (Some(mine), Some(theirs)) if mine == theirs => return Ok(()),
            (Some(_), Some(_)) => "its epochs were scored on another development set",
            (Some(_), None) => "its epochs were scored on a development set and this run names none",
            (None, Some(_)) if scored => "it does not say which development set its epochs were scored on",
            (None, Some(_)) => "its epochs were scored on no development set and this run has one",
        };
        let reason = format!("{reason}: give the development set it was trained with, or start afresh");
        Err(Error::NotResumable { reason })
    }

    /// Refuses a development value after epochs without one, and none after epochs with one: they do not compare.
    pub(super) fn check_value(&self, development: Option<f64>) -> Result<()> {
        let Some(last) = self.history.last() else { return Ok(()) };
        let source = match (last.development, development) {
            (Some(_), None) => "there is none, and the epochs before have one: give their development set",
            (None, Some(_)) => "there is one, and the epochs before have none: give no development set",
            _ => return Ok(()),
        };
        let source = format!("{source}, or start afresh").into();
        Err(Error::Callback { what: "the development score", epoch: self.epoch + 1, source })
    }

    /// Refuses other training data than those of the run.
    pub(super) fn check_data(&self, data_hash: &str) -> Result<()> {
        let reason = if self.data_hash == data_hash {
            return Ok(());
        } else if self.data_hash.is_empty() {
            "it does not say which data it was trained on: start afresh"
        } else {
            "it is of a run on other training data of the same size (examples, features, words or their vectors have \
             changed): give the data it was trained on, or start afresh"
        };
        Err(Error::NotResumable { reason: reason.to_owned() })
    }

    /// Takes note of an epoch: a value as high as the best so far is a new best.
    pub(super) fn record(&mut self, parameters: &Parameters, loss: f64, development: Option<f64>) {
        self.epoch += 1;
        self.parameters.assign(parameters).expect("a network keeps its shape");
        self.history.push(EpochRecord { loss, development });
        let beaten = match &mut self.best {
            None => {
                let best = Best { epoch: self.epoch, value: development, parameters: parameters.clone() };
                self.best = Some(best);
                return;
            }
            Some(best) => best,
        };
        if development >= beaten.value {
            (beaten.epoch, beaten.value) = (self.epoch, development);
            beaten.parameters.assign(parameters).expect("a network keeps its shape");
        }
    }

    /// How far the loop is; after [`record`](Self::record).
    pub(super) fn progress(&self) -> Progress<'_> {
        let last = self.history.last().expect("an epoch was recorded");
        let best = self.best.as_ref().expect("an epoch was recorded");
        Progress {
            epoch: self.epoch,
            phase: self.phase,
            loss: last.loss,
            development: last.development,
            best,
        }
    }

    /// Writes the state to a file, which is whole or not there.
    pub fn save(&self, path: &Path) -> Result<()> {
        let mut file = TensorFile::new(KIND);
        file.set("fingerprint", &self.fingerprint);
        file.set("data_hash", &self.data_hash);
        file.set("network", &self.network);
        if let Some(id) = &self.development_id {
            file.set("development_id", id);
        }
        file.set("phase", self.phase.name());
        for (key, value) in [("epoch", self.epoch), ("phase_start", self.phase_start)] {
            file.set(key, &value.to_string());
        }
        file.set("optimizer_steps", &self.optimizer_steps.to_string());
        file.add_parameters("parameters.", &self.parameters);
        for (tensor, slots) in self.parameters.tensors().iter().zip(&self.optimizer) {
            for (slot, values) in slots.iter().enumerate() {
                let name = format!("optimizer.{slot}.{}", tensor.name);
                file.add(&name, tensor.shape.to_vec(), Values::F32(values.clone()));
            }
        }
        if let Some(best) = &self.best {
            file.set("best_epoch", &best.epoch.to_string());
            file.add_parameters("best.", &best.parameters);
        }
        let missing = f64::NAN;
        let pairs = self.history.iter().flat_map(|e| [e.loss, e.development.unwrap_or(missing)]);
        file.add("history", vec![self.history.len(), 2], Values::F64(pairs.collect()));
        file.write(path)
    }

    /// Reads a state of a network with parameters like these.
    pub fn load(path: &Path, like: &Parameters) -> Result<Self> {
        let file = TensorFile::read(path, KIND)?;
        let bad = |reason: &str| Error::BadFile { path: path.to_owned(), reason: reason.to_owned() };
        let parameters = file.parameters("parameters.", like)?;
        let phase = match file.get("phase")? {
            "logistic" => Phase::Logistic,
            "kendall" => Phase::Kendall,
            _ => return Err(bad("its phase is neither logistic nor kendall")),
        };
        let history: Vec<EpochRecord> = file.f64("history")?.chunks_exact(2).map(record).collect();
        let best = match file.find("best_epoch") {
            None => None,
            Some(_) => {
                let epoch: usize = file.number("best_epoch")?;
                let record = epoch.checked_sub(1).and_then(|at| history.get(at));
                let value = record.ok_or_else(|| bad("its best epoch is not in its history"))?.development;
                Some(Best { epoch, value, parameters: file.parameters("best.", like)? })
            }
        };
        let (epoch, phase_start) = (file.number("epoch")?, file.number("phase_start")?);
        if history.len() != epoch || phase_start > epoch {
            return Err(bad("its epochs and its history differ"));
        }
        Ok(TrainingState {
            fingerprint: file.get("fingerprint")?.to_owned(),
            data_hash: file.find("data_hash").unwrap_or_default().to_owned(),
            network: file.find("network").unwrap_or_default().to_owned(),
            development_id: file.find("development_id").map(str::to_owned),
            epoch,
            phase,
            phase_start,
            optimizer_steps: file.number("optimizer_steps")?,
            optimizer: optimizer_slots(&file, like)?,
            parameters,
            best,
            history,
        })
    }
}

fn record(pair: &[f64]) -> EpochRecord {
    EpochRecord { loss: pair[0], development: Some(pair[1]).filter(|value| !value.is_nan()) }
}

/// The optimizer's buffers: as many per tensor as the file has.
fn optimizer_slots(file: &TensorFile, like: &Parameters) -> Result<Vec<Vec<Vec<f32>>>> {
    let slots = |name: &str| {
        let names = (0..).map(|slot| format!("optimizer.{slot}.{name}"));
        let there = names.take_while(|name| file.has(name));
        there.map(|name| Ok(file.f32(&name)?.to_vec())).collect::<Result<Vec<_>>>()
    };
    like.tensors().iter().map(|tensor| slots(&tensor.name)).collect()
}

/// The parts in which two fingerprints differ.
fn differing(there: &str, here: &str) -> (String, String) {
    let (there_parts, here_parts): (Vec<&str>, Vec<&str>) =
        (there.split("; ").collect(), here.split("; ").collect());
    if there_parts.len() != here_parts.len() {
        return (there.to_owned(), here.to_owned());
    }
    let differ: Vec<(&str, &str)> =
        there_parts.into_iter().zip(here_parts).filter(|(there, here)| there != here).collect();
    let joined = |side: fn(&(&str, &str)) -> String| differ.iter().map(side).collect::<Vec<_>>().join(", ");
    (joined(|pair| pair.0.to_owned()), joined(|pair| pair.1.to_owned()))
}
