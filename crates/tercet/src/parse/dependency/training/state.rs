//! Where a training stands, in a file from which it can go on.
//!
//! A file of `tercet-learn` of the kind `parser training`: `phase` (`teacher` or `model`), `settings` and `data` of the run,
//! the number of steps, the weights and what the optimizer remembers of each. Batches and dropout follow from the seed and
//! the step, so nothing of them is kept.

use crate::error::{Error, Result};
use std::path::Path;
use tercet_learn::checkpoint::{TensorFile, Values};
use tercet_learn::networks::{BiaffineNetwork, ListNetwork, ListTrainer};

/// The kind of file.
const KIND: &str = "parser training";

/// Which training it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// `teacher` or `model`.
    pub phase: &'static str,
    /// Everything that decides the digits beside the data, `key: value` a line.
    pub settings: String,
    /// A hash of the data.
    pub data: String,
}

impl Run {
    /// What a model of this run remembers, to be known again.
    pub fn fingerprint(&self) -> String {
        format!("{}\ndata: {}", self.settings, self.data)
    }

    /// Keeps where the run stands.
    pub fn save(
        &self,
        path: &Path,
        network: &BiaffineNetwork,
        trainer: &ListTrainer<BiaffineNetwork>,
    ) -> Result<()> {
        let mut file = TensorFile::new(KIND);
        file.set("phase", self.phase);
        file.set("settings", &self.settings);
        file.set("data", &self.data);
        let optimizer = trainer.optimizer();
        file.set("steps", &optimizer.steps().to_string());
        file.add_parameters("weights.", network.parameters());
        for (tensor, buffers) in network.parameters().tensors().iter().zip(optimizer.state()) {
            for (number, buffer) in buffers.iter().enumerate() {
                let name = format!("optimizer.{number}.{}", tensor.name);
                file.add(&name, vec![buffer.len()], Values::F32(buffer.clone()));
            }
        }
        Ok(file.write(path)?)
    }

    /// Goes on from a file, if it is of this phase: the steps that are behind it.
    pub fn restore(
        &self,
        path: &Path,
        network: &mut BiaffineNetwork,
        trainer: &mut ListTrainer<BiaffineNetwork>,
    ) -> Result<u64> {
        let file = TensorFile::read(path, KIND)?;
        if file.get("phase")? != self.phase {
            return Ok(0);
        }
        self.check(path, &file)?;
        file.restore_parameters("weights.", network.parameters_mut())?;
        let mut state = Vec::new();
        for (tensor, buffers) in network.parameters().tensors().iter().zip(trainer.optimizer().state()) {
            let names = (0..buffers.len()).map(|number| format!("optimizer.{number}.{}", tensor.name));
            state.push(names.map(|name| Ok(file.f32(&name)?.to_vec())).collect::<Result<_>>()?);
        }
        let steps = file.number("steps")?;
        trainer.restore(steps, state)?;
        Ok(steps)
    }

    /// Refuses the state of another run, naming the first difference.
    fn check(&self, path: &Path, file: &TensorFile) -> Result<()> {
        let bad = |what: String| {
            Err(Error::Unusable(format!(
                "{}: it is of {what} (remove it, or train as before)",
                path.display()
            )))
        };
        let there = file.get("settings")?;
        if let Some((there, here)) =
            there.lines().zip(self.settings.lines()).find(|(there, here)| there != here)
        {
            return bad(format!("a run with {there}; this one has {here}"));
        }
        if there != self.settings {
            return bad("a run with other settings".to_owned());
        }
        if file.get("data")? != self.data {
            return bad("a run on other data".to_owned());
        }
        Ok(())
    }
}
