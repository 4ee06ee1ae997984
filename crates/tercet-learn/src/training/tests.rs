//! The loop alone: when checkpoints are written, and where a stopped run resumes.

use super::*;
use crate::error::Cause;
use crate::model_file::ModelFile;
use crate::parameters::{Parameters, Role, TensorId};
use crate::progress::Event;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Stops a run after this many rounds.
pub(crate) fn stop_after(rounds: usize) -> impl Fn(&Event<'_>) -> ControlFlow<()> + Sync {
    let done = AtomicU64::new(0);
    move |event| match event {
        Event::Stage { .. } => {
            done.store(0, Ordering::Relaxed);
            ControlFlow::Continue(())
        }
        Event::Advance(count) if done.fetch_add(*count, Ordering::Relaxed) + count >= rounds as u64 => {
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    }
}

/// One parameter that is pulled towards a target in each round.
struct Pull {
    parameters: Parameters,
    id: TensorId,
    batches: usize,
    seed: u64,
    round: usize,
}

impl Pull {
    fn new(batches: usize) -> Self {
        let mut parameters = Parameters::default();
        let id = parameters.add("x", Role::Bias, [1, 1], vec![0.0]);
        Pull { parameters, id, batches, seed: 1, round: 0 }
    }
}

impl Objective for Pull {
    crate::training::parameters_in!(parameters);

    fn identity(&self) -> Identity {
        Identity { settings: format!("batches {}\nseed {}", self.batches, self.seed), ..Identity::default() }
    }

    fn start_round(&mut self, round: usize) -> Result<usize> {
        self.round = round;
        Ok(self.batches)
    }

    fn loss(&mut self, batch: usize, _step: u64, gradients: &mut Gradients) -> Result<BatchLoss> {
        let target = 1.0 / (self.round + batch) as f32;
        let difference = self.parameters.values(self.id)[0] - target;
        gradients.dense(self.id)[0] += difference;
        Ok(BatchLoss { sum: f64::from(difference * difference), items: 2 })
    }

    fn evaluate(&mut self, round: usize) -> Result<Evaluation, Cause> {
        let text = if round == 2 { "dev 2".to_owned() } else { String::new() };
        Ok(Evaluation { value: None, text })
    }
}

fn run(pull: &mut Pull, rounds: usize, checkpoints: &mut Checkpoints, progress: Progress<'_>) -> Result<Outcome> {
    let steps = StepSettings::plain(OptimizerSettings::default());
    let stopping = Stopping::after(rounds);
    let (phase, name, unit, items) = ("one", "pulling", "steps", "things");
    train(pull, Run { phase, name, rounds: unit, items, steps, stopping, checkpoints, progress }, None)
}

fn resumed(path: &Path) -> Checkpoints {
    Checkpoints::resume(path, 1e9).unwrap()
}

#[test]
fn a_run_reports_a_stage_its_rounds_and_its_evaluations() {
    let told = Mutex::new(Vec::new());
    let tell = |event: &Event<'_>| {
        let line = match event {
            Event::Stage { name, total, unit } => format!("{name} {total:?} {unit}"),
            Event::Advance(count) => format!("+{count}"),
            Event::Warning(warning) => format!("warning: {warning}"),
            Event::Status { text, important } => {
                let parts: Vec<&str> = text.split("  ").collect();
                assert!(parts[0].starts_with("loss ") && parts[1].ends_with(" things/s"), "{text}");
                format!("{important} {}", parts[2..].concat())
            }
            other => format!("{other:?}"),
        };
        told.lock().unwrap().push(line);
        ControlFlow::Continue(())
    };
    run(&mut Pull::new(1), 3, &mut Checkpoints::none(), Progress::new(&tell)).unwrap();
    let expected = ["pulling Some(3) steps", "+0", "+1", "false ", "+1", "true dev 2", "+1", "false dev 2"];
    assert_eq!(told.into_inner().unwrap(), expected);
}

#[test]
fn a_run_stopped_anywhere_goes_on_from_the_round_it_was_in() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    for batches in [1, 3] {
        let mut whole = Pull::new(batches);
        run(&mut whole, 4, &mut Checkpoints::none(), Progress::none()).unwrap();
        for events in 0..16 {
            let seen = AtomicU64::new(0);
            let stop = |_: &Event<'_>| match seen.fetch_add(1, Ordering::Relaxed) {
                before if before >= events => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            };
            let mut first = Pull::new(batches);
            let stopped = run(&mut first, 4, &mut Checkpoints::to(&path, 1e9), Progress::new(&stop));
            if stopped.is_ok() {
                assert!(batches == 1 && events >= 10, "{events}");
                continue;
            }
            assert!(matches!(stopped, Err(Error::Stopped(_))));
            let mut second = Pull::new(batches);
            let outcome = run(&mut second, 4, &mut resumed(&path), Progress::none()).unwrap();
            assert_eq!((second.parameters, outcome.rounds), (whole.parameters.clone(), 4), "{events}");
        }
    }
}

#[test]
fn checkpoints_are_written_when_it_is_time_and_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    for (seconds, at_first) in [(0.0, true), (1e9, false)] {
        let _ = std::fs::remove_file(&path);
        let look = |event: &Event<'_>| {
            if let Event::Status { .. } = event {
                assert_eq!(path.is_file(), at_first);
            }
            ControlFlow::Continue(())
        };
        run(&mut Pull::new(1), 2, &mut Checkpoints::to(&path, seconds), Progress::new(&look)).unwrap();
        assert!(path.is_file());
    }
    // All rounds are done: nothing is left to do.
    let mut pull = Pull::new(1);
    let outcome = run(&mut pull, 2, &mut resumed(&path), Progress::none()).unwrap();
    assert_eq!((outcome.rounds, pull.round), (2, 0));
}

#[test]
fn the_state_of_another_run_is_refused_and_that_of_another_phase_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    run(&mut Pull::new(1), 3, &mut Checkpoints::to(&path, 1e9), Progress::none()).unwrap();
    let refused = |pull: &mut Pull, rounds: usize| {
        run(pull, rounds, &mut resumed(&path), Progress::none()).unwrap_err().to_string()
    };
    let start = "the saved state does not fit: ";
    let error = refused(&mut Pull { seed: 2, ..Pull::new(1) }, 3);
    assert_eq!(error, format!("{start}it is of a run with seed 1; this one has seed 2"));
    let error = refused(&mut Pull::new(1), 2);
    assert_eq!(error, format!("{start}it has 3 steps behind it, and this run should end after 2"));
    assert_eq!(resumed(&path).saved_phase(), Some("one"));
    let mut file = ModelFile::read(&path, "training state").unwrap();
    file.set("phase", "two");
    file.write(&path).unwrap();
    let mut pull = Pull::new(1);
    run(&mut pull, 3, &mut resumed(&path), Progress::none()).unwrap();
    assert_eq!(pull.round, 3);
    let mut former = ModelFile::new("training state");
    former.set("phase", "one");
    former.write(&path).unwrap();
    let error = refused(&mut Pull::new(1), 3);
    assert_eq!(error, format!("{start}an earlier version of tercet wrote it: start afresh"));
}
