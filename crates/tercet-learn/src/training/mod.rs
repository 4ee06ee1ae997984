//! The training loop: an [`Objective`], an optimizer, a stopping rule, checkpoints.
//!
//! # Rounds
//! A round is an epoch or a single step; the objective decides. [`Objective::start_round`] prepares the batches of the
//! round. Each batch is one optimizer step: the objective computes the gradients ([`Objective::loss`]), their norm is
//! clipped, and the optimizer updates the parameters at the learning rate of the step ([`StepSettings`]). After the
//! round the objective may be evaluated on development data.
//!
//! # Which parameters are kept
//! With [`Keep::Best`] those of the round with the highest development value, the latest on ties; without development
//! data those of the last round. With [`Keep::Last`] always those of the last round.
//!
//! # Phases
//! A training with several phases runs the loop several times. A run that is given the [`Outcome`] of the previous
//! phase continues its round numbers and its best round; otherwise it starts at round 1.
//!
//! # Stopping and resuming
//! A checkpoint is written at the interval of [`Checkpoints`] and when the callback of [`Progress`] stops the run,
//! which then ends with [`Stopped`]. It holds the state at the start of a round; a run that is stopped within a round
//! resumes at the start of that round. Random streams are named by seed and round, so an interrupted and resumed run
//! gives exactly the same parameters as an uninterrupted one. The number of rounds and the patience may change on
//! resumption; everything else that affects the result is in the [`Identity`], and a checkpoint with another identity
//! is refused.
//!
//! # Shards
//! The gradient of a batch may be split into a fixed number of shards.
//!
//! ```text
//! g = g₁ + g₂ + … + gₙ,   L = L₁ + L₂ + … + Lₙ             n does not depend on the number of threads
//! ```
//!
//! Shards run in parallel on the current rayon pool, each with its own workspace and gradients, and are summed in a
//! fixed order. So the sums are bit-identical on any number of threads.

mod state;

pub use state::{Checkpoints, RoundRecord, TrainingFiles};

use crate::error::{Cause, Error, Result};
use crate::optimizer::{EpochDecay, Optimizer, OptimizerSettings, Schedule, clip};
use crate::parameters::{Gradients, Parameters};
use crate::progress::{Progress, Stopped};
use rayon::prelude::*;
use state::TrainingState;
use std::ops::AddAssign;
use std::time::{Duration, Instant};
use tercet_base::stop;

/// How the parameters are updated in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSettings {
    /// The optimizer; with a schedule, its learning rate is the maximum.
    pub optimizer: OptimizerSettings,
    /// The schedule of the learning rate; `None`: constant.
    pub schedule: Option<Schedule>,
    /// How the learning rate falls from round to round, where rounds are epochs; `None`: it does not.
    pub epoch_decay: Option<EpochDecay>,
    /// Gradients are clipped to this norm; 0 for no clipping.
    pub clip: f32,
}

impl StepSettings {
    /// A constant learning rate without clipping.
    pub fn plain(optimizer: OptimizerSettings) -> Self {
        StepSettings { optimizer, schedule: None, epoch_decay: None, clip: 0.0 }
    }

    /// Returns an error if a number is out of its range.
    pub fn check(&self) -> Result<()> {
        self.optimizer.check()?;
        self.schedule.map_or(Ok(()), |schedule| schedule.check())?;
        self.epoch_decay.map_or(Ok(()), |decay| decay.check())?;
        Error::check_at_least_zero("clip", self.clip)
    }
}

/// Which parameters are kept at the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Those of the round with the highest development value, the latest on ties.
    Best,
    /// Those of the last round.
    Last,
}

/// When a run ends, and which parameters it keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopping {
    /// Maximum number of rounds.
    pub rounds: usize,
    /// Rounds without a new best after which the run ends; `None`: never. Only with [`Keep::Best`].
    pub patience: Option<usize>,
    /// Which parameters are kept.
    pub keep: Keep,
}

impl Stopping {
    /// Ends after this many rounds and keeps the last parameters.
    pub fn after(rounds: usize) -> Self {
        Stopping { rounds, patience: None, keep: Keep::Last }
    }

    fn ending(&self, state: &TrainingState) -> Option<Ending> {
        if state.rounds_of_phase() >= self.rounds {
            Some(Ending::Rounds)
        } else if self.patience.is_some_and(|patience| state.rounds_since_best() >= patience) {
            Some(Ending::Patience)
        } else {
            None
        }
    }
}

/// One run of the loop.
pub struct Run<'a> {
    /// Name of the phase: a checkpoint of another phase is not resumed.
    pub phase: &'a str,
    /// Name of the progress stage: `training`.
    pub name: &'a str,
    /// Unit of progress, in the plural: `epochs` or `steps`.
    pub rounds: &'a str,
    /// What the examples are called, in the plural: `pairs`.
    pub items: &'a str,
    /// How the parameters are updated.
    pub steps: StepSettings,
    /// When the run ends.
    pub stopping: Stopping,
    /// Where checkpoints are written.
    pub checkpoints: &'a mut Checkpoints,
    /// Receives progress events, and can stop the run.
    pub progress: Progress<'a>,
}

impl<'a> Run<'a> {
    /// A run of epochs, called "training".
    pub fn epochs(
        (phase, items): (&'a str, &'a str),
        steps: StepSettings,
        stopping: Stopping,
        checkpoints: &'a mut Checkpoints,
        progress: Progress<'a>,
    ) -> Self {
        Run { phase, name: "training", rounds: "epochs", items, steps, stopping, checkpoints, progress }
    }
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All rounds were run.
    Rounds,
    /// There was no new best for as many rounds as `patience` allows.
    Patience,
    /// The learning rate fell below the lowest of [`EpochDecay`].
    LearningRate,
}

/// The result of a run. The objective has the parameters that are kept.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Rounds so far, those of earlier phases included.
    pub rounds: usize,
    /// The round whose parameters are kept, counted from 1.
    pub best_round: usize,
    /// Its development value.
    pub best_value: Option<f64>,
    /// Why the run ended.
    pub ending: Ending,
    /// Loss and development value of every round.
    pub history: Vec<RoundRecord>,
}

/// Where a round is a single step, the loss shown is a moving average; this is the weight of the newest loss.
const NEWEST: f64 = 0.02;

/// How often the loss of a round that has not ended is shown.
const SHOWN_EVERY: Duration = Duration::from_secs(1);

/// Trains an objective, which ends with the parameters that are kept. Resumes if `run.checkpoints` has a checkpoint of
/// this phase. `before` is the outcome of the previous phase, whose round numbers continue.
pub fn train(objective: &mut dyn Objective, run: Run<'_>, before: Option<Outcome>) -> Result<Outcome> {
    // A training ends between two batches, when its progress says so, and writes its checkpoint then.
    stop::shielded(|| train_to_the_end(objective, run, before))
}

fn train_to_the_end(objective: &mut dyn Objective, run: Run<'_>, before: Option<Outcome>) -> Result<Outcome> {
    run.steps.check()?;
    let mut training = Training::start(objective, run, before)?;
    training.announce(objective)?;
    let ending = loop {
        match training.ending() {
            Some(ending) => break ending,
            None => training.round(objective)?,
        }
    };
    training.checkpoint(objective)?;
    let state = training.state;
    let best = state.best();
    if let Some(best) = best {
        objective.parameters_mut().assign(&best.parameters)?;
    }
    Ok(Outcome {
        rounds: state.round,
        best_round: best.map_or(state.round, |best| best.round),
        best_value: best.and_then(|best| best.value),
        ending,
        history: state.history,
    })
}

/// The state of a running training.
struct Training<'a> {
    run: Run<'a>,
    state: TrainingState,
    optimizer: Optimizer,
    gradients: Gradients,
    identity: Option<Identity>,
    began: Instant,
    /// Number of examples since `began`.
    items: usize,
    shown_loss: Option<f64>,
    last_text: String,
    /// When a loss was last shown.
    shown: Instant,
}

impl<'a> Training<'a> {
    /// Starts at the checkpoint of the phase, or from the beginning.
    fn start(objective: &mut dyn Objective, run: Run<'a>, before: Option<Outcome>) -> Result<Self> {
        let mut optimizer = Optimizer::new(run.steps.optimizer, objective.parameters())?;
        let (mut state, mut identity) = (TrainingState::new(run.phase, objective.parameters(), before), None);
        if let Some(saved) = run.checkpoints.saved(run.phase) {
            let of_run = objective.identity();
            state = TrainingState::load(saved, objective.parameters(), &of_run)?;
            state.check_rounds(run.stopping.rounds, run.rounds)?;
            objective.parameters_mut().assign(&state.parameters)?;
            optimizer.restore(state.optimizer_steps, state.optimizer.clone())?;
            identity = Some(of_run);
        }
        let gradients = Gradients::zeros(objective.parameters());
        let (began, items, shown_loss, last_text) = (Instant::now(), 0, None, String::new());
        let shown = began;
        Ok(Training { run, state, optimizer, gradients, identity, began, items, shown_loss, last_text, shown })
    }

    /// Why the run ends here, if it does.
    fn ending(&self) -> Option<Ending> {
        let StepSettings { optimizer, epoch_decay, .. } = self.run.steps;
        let is_low = |decay: EpochDecay| optimizer.learning_rate * self.rate_factor(Some(decay)) < decay.lowest;
        let low = || epoch_decay.is_some_and(is_low).then_some(Ending::LearningRate);
        self.run.stopping.ending(&self.state).or_else(low)
    }

    /// What the learning rate is multiplied by in the next round.
    fn rate_factor(&self, decay: Option<EpochDecay>) -> f32 {
        let rounds = &self.state.history[self.state.phase_start..];
        decay.map_or(1.0, |decay| decay.factor(rounds.iter().map(|round| round.development)))
    }

    fn announce(&mut self, objective: &dyn Objective) -> Result<()> {
        let Run { name, rounds, stopping, progress, .. } = self.run;
        let total = self.state.phase_start + stopping.rounds;
        let announced = progress.stage(name, total, rounds);
        let announced = announced.and_then(|()| progress.advance(self.state.round));
        self.checkpoint_if(announced, objective)
    }

    /// One round, its report, and a checkpoint if it is time.
    fn round(&mut self, objective: &mut dyn Objective) -> Result<()> {
        let number = self.state.round + 1;
        let batches = objective.start_round(number)?;
        if batches > 1 && self.run.checkpoints.are_written() {
            self.state.capture(objective.parameters(), &self.optimizer);
        }
        let mut loss = BatchLoss::default();
        let factor = self.rate_factor(self.run.steps.epoch_decay);
        for batch in 0..batches {
            if batch > 0
                && let Err(stopped) = self.report_batch(&loss, batch, batches)
            {
                // `self.state` is still that of the start of the round.
                self.write(objective)?;
                return Err(stopped.into());
            }
            loss += self.step(objective, batch, factor)?;
        }
        let evaluation = evaluate(objective, number)?;
        self.state.record(objective.parameters(), loss.mean(), evaluation.value, self.run.stopping.keep)?;
        self.items += loss.items;
        let best = self.state.best().and_then(|best| Some((best.round, objective.shown(best.value?))));
        let reported = self.report(loss.mean(), batches, &evaluation, best);
        self.checkpoint_if(reported, objective)
    }

    /// One batch; the learning rate is multiplied by `factor`.
    fn step(&mut self, objective: &mut dyn Objective, batch: usize, factor: f32) -> Result<BatchLoss> {
        let StepSettings { optimizer, schedule, clip: most, .. } = self.run.steps;
        let (step, rate) = (self.optimizer.steps(), optimizer.learning_rate);
        self.gradients.clear();
        let loss = objective.loss(batch, step, &mut self.gradients)?;
        let norm = if most == 0.0 { 0.0 } else { clip(&mut self.gradients, most) };
        if !(loss.sum.is_finite() && norm.is_finite()) {
            let (mean, step) = (loss.mean(), step + 1);
            let expected = format!("a lower one: in step {step} the loss is {mean}, the gradient {norm}");
            return Err(Error::setting("learning_rate", rate, &expected));
        }
        let rate = factor * schedule.map_or(rate, |schedule| rate * schedule.factor(step));
        self.optimizer.step_at(objective.parameters_mut(), &self.gradients, rate);
        Ok(loss)
    }

    /// Reports the loss within a round that takes long; asks whether to go on.
    fn report_batch(&mut self, loss: &BatchLoss, batch: usize, batches: usize) -> Result<(), Stopped> {
        if self.shown.elapsed() < SHOWN_EVERY {
            return self.run.progress.check();
        }
        self.shown = Instant::now();
        let speed = self.speed(self.items + loss.items);
        let (mean, items, last) = (loss.mean(), self.run.items, &self.last_text);
        let text = format!("loss {mean:.4}  {speed:.0} {items}/s  {batch} of {batches} batches{last}");
        self.run.progress.status(&text, false)
    }

    /// Examples per second.
    fn speed(&self, items: usize) -> f64 {
        items as f64 / self.began.elapsed().as_secs_f64().max(1e-9)
    }

    /// Reports the progress of the run; `best` is the best round with its value.
    fn report(
        &mut self,
        loss: f64,
        batches: usize,
        evaluation: &Evaluation,
        best: Option<(usize, f64)>,
    ) -> Result<(), Stopped> {
        let before = self.shown_loss.filter(|_| batches == 1);
        let shown = *self.shown_loss.insert(before.map_or(loss, |before| before + NEWEST * (loss - before)));
        let speed = self.speed(self.items);
        self.shown = Instant::now();
        if !evaluation.text.is_empty() {
            self.last_text = format!("  {}", evaluation.text);
        }
        if let Some((best, value)) = best {
            let round = self.run.rounds.trim_end_matches('s');
            self.last_text = format!("  {}, best {value:.4} in {round} {best}", evaluation.text);
        }
        let text = format!("loss {shown:.4}  {speed:.0} {}/s{}", self.run.items, self.last_text);
        let is_news = !evaluation.text.is_empty() && batches == 1;
        self.run.progress.advance(1)?;
        self.run.progress.status(&text, is_news)
    }

    /// Writes a checkpoint if one is due or if the run was stopped; returns the error that ends a stopped run.
    fn checkpoint_if(&mut self, reported: Result<(), Stopped>, objective: &dyn Objective) -> Result<()> {
        if reported.is_err() || self.run.checkpoints.are_due() {
            self.checkpoint(objective)?;
        }
        Ok(reported?)
    }

    /// Writes a checkpoint between two rounds.
    fn checkpoint(&mut self, objective: &dyn Objective) -> Result<()> {
        if self.run.checkpoints.are_written() {
            self.state.capture(objective.parameters(), &self.optimizer);
            self.write(objective)?;
        }
        Ok(())
    }

    fn write(&mut self, objective: &dyn Objective) -> Result<()> {
        let identity = self.identity.get_or_insert_with(|| objective.identity());
        let (state, frozen) = (&self.state, objective.frozen());
        self.run.checkpoints.write(|| state.to_file(identity, frozen))
    }
}

/// Evaluates the objective; returns an error if its value is NaN.
fn evaluate(objective: &mut dyn Objective, epoch: usize) -> Result<Evaluation> {
    let what = "the development score";
    let evaluation = objective.evaluate(epoch).map_err(|source| Error::Callback { what, epoch, source })?;
    if evaluation.value.is_some_and(f64::is_nan) {
        let source = "it is not a number: has the development set more than one class?".into();
        return Err(Error::Callback { what, epoch, source });
    }
    Ok(evaluation)
}

/// The methods `parameters` and `parameters_mut` of a struct that has them in this field.
macro_rules! parameters_in {
    ($($field:ident).+) => {
        fn parameters(&self) -> &$crate::parameters::Parameters {
            &self.$($field).+
        }

        fn parameters_mut(&mut self) -> &mut $crate::parameters::Parameters {
            &mut self.$($field).+
        }
    };
}
pub(crate) use parameters_in;

/// A model and its data. A round must depend only on the seed and the number of the round, so that runs can be resumed.
pub trait Objective {
    /// The parameters to learn.
    fn parameters(&self) -> &Parameters;

    /// The parameters to learn, mutable.
    fn parameters_mut(&mut self) -> &mut Parameters;

    /// Everything that affects the result. Called only when a checkpoint is written or resumed: hashing takes time.
    fn identity(&self) -> Identity;

    /// Prepares a round (counted from 1 through all phases); returns its number of batches.
    fn start_round(&mut self, round: usize) -> Result<usize>;

    /// The loss of a batch (counted from 0 in the round); adds its gradients to `gradients`. `step` counts the batches
    /// of the phase from 0.
    fn loss(&mut self, batch: usize, step: u64, gradients: &mut Gradients) -> Result<BatchLoss>;

    /// Evaluates the model on development data after a round. Default: no evaluation.
    fn evaluate(&mut self, round: usize) -> Result<Evaluation, Cause> {
        let _ = round;
        Ok(Evaluation::default())
    }

    /// The number to show for a value of an evaluation. Default: the value itself; that of a loss is its negative.
    fn shown(&self, value: f64) -> f64 {
        value
    }

    /// Parameters that earlier phases have learned and this one uses: saved in checkpoints, for
    /// [`Checkpoints::frozen`](Checkpoints::frozen).
    fn frozen(&self) -> Option<&Parameters> {
        None
    }
}

/// The loss of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BatchLoss {
    /// Sum over the examples of the batch.
    pub sum: f64,
    /// Number of examples.
    pub items: usize,
}

impl BatchLoss {
    /// Mean loss per example.
    pub fn mean(&self) -> f64 {
        self.sum / self.items.max(1) as f64
    }
}

tercet_base::add_fields!(BatchLoss { sum, items });

/// The result of an evaluation on development data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// Higher is better; `None` if the model was not evaluated.
    pub value: Option<f64>,
    /// Text for progress reports, such as `dev LAS 89.07`; may be empty.
    pub text: String,
}

/// Everything that affects the result of a run: a checkpoint of a run with another identity is refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Settings, one per line: `seed 1`.
    pub settings: String,
    /// A description of the model: its kind, sizes and options.
    pub model: String,
    /// A hash of the data, and of parts of the model that are not learned.
    pub data: String,
    /// Identifies the development set; `None`: there is none, or it has no name.
    pub development: Option<String>,
}

/// The workspaces of all shards, kept between steps.
#[derive(Debug)]
pub(crate) struct Shards<Space, Losses> {
    first: Shard<Space, Losses>,
    /// Each with its own gradients.
    others: Vec<(Shard<Space, Losses>, Gradients)>,
}

#[derive(Debug, Default)]
struct Shard<Space, Losses> {
    space: Space,
    losses: Losses,
}

impl<Space: Default + Send, Losses: AddAssign + Copy + Default + Send> Shards<Space, Losses> {
    pub fn new(count: usize, parameters: &Parameters) -> Self {
        let other = |_| (Shard::default(), Gradients::zeros(parameters));
        Shards { first: Shard::default(), others: (1..count).map(other).collect() }
    }

    /// Runs `work` for every shard, counted from 0, without gradients.
    pub fn for_each(&mut self, work: impl Fn(usize, &mut Space) + Sync) {
        let mut all = vec![&mut self.first];
        all.extend(self.others.iter_mut().map(|(shard, _)| shard));
        all.par_iter_mut().enumerate().for_each(|(number, shard)| work(number, &mut shard.space));
    }

    /// The workspaces, in order.
    pub fn spaces(&self) -> impl Iterator<Item = &Space> {
        [&self.first].into_iter().chain(self.others.iter().map(|(shard, _)| shard)).map(|shard| &shard.space)
    }

    /// Runs `work` for every shard, counted from 0; sums the gradients in `gradients`, which must be zeros, and returns
    /// the sum of the losses.
    pub fn run(
        &mut self,
        gradients: &mut Gradients,
        work: impl Fn(usize, &mut Space, &mut Gradients) -> Losses + Sync,
    ) -> Losses {
        let mut all = vec![(&mut self.first, &mut *gradients)];
        all.extend(self.others.iter_mut().map(|(shard, gradients)| (shard, gradients)));
        all.par_iter_mut().enumerate().for_each(|(number, (shard, gradients))| {
            if number > 0 {
                gradients.clear();
            }
            shard.losses = work(number, &mut shard.space, gradients);
        });
        let mut losses = self.first.losses;
        for (shard, found) in &self.others {
            gradients.add(found);
            losses += shard.losses;
        }
        losses
    }
}

#[cfg(test)]
pub(crate) mod tests;

#[cfg(test)]
mod shards_tests {
    use super::*;
    use crate::parameters::Role;

    #[test]
    fn every_run_adds_up_all_shards_in_their_order() {
        let mut parameters = Parameters::default();
        let id = parameters.add("x", Role::Weight, [1, 1], vec![0.0]);
        let mut shards = Shards::<usize, f64>::new(5, &parameters);
        // In single precision the sum of these depends on the order.
        let parts = [1e8_f32, 3.0, -1e8, 5.0, 0.1];
        for run in 1..=2 {
            let mut gradients = Gradients::zeros(&parameters);
            let losses = shards.run(&mut gradients, |number, space, gradients| {
                *space += 1;
                gradients.dense(id)[0] += parts[number];
                (number * *space) as f64
            });
            let expected = parts.iter().copied().reduce(|sum, part| sum + part).unwrap();
            assert_eq!((losses, gradients.element(0, 0)), (10.0 * f64::from(run), expected));
        }
    }
}
