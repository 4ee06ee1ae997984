//! A paired bootstrap test of systems whose text is scored in parts, in any order, on any number of machines.
//!
//! Every segment has an id, and its id and the seed decide how often it is in each resample
//! (`statistics/significance/segment_draws.rs`), so each part sums its own share of every resample and shares merge by
//! addition. Sums are exact, so neither the division into parts nor their order changes a digit. The p-value is that of
//! [`significance`](crate::significance); the draws are others, which the signature says with `draws=poisson`.

use super::counted_ids::CountedIds;
use super::partial_sums::{PartialSums, number};
use super::{StreamScorer, StreamedSystem};
use crate::error::{Error, Result};
use crate::metrics::{Spec, Tally, TallySum, Target};
use crate::progress::Progress;
use crate::significance::{Bootstrap, Resampling, check_samples};
use crate::statistics::significance::bootstrap::Replicates;
use crate::statistics::significance::segment_draws::segment_draws;
use crate::{EvaluateRequest, Evaluation, Paired, PairedResult, Pairs, SystemTallies, Test};
use tercet_math::matrix_product;

/// The first bytes of the form in bytes: a name and a version.
const START: &[u8] = b"tercet test 2\n";

/// The most segments whose draws are held in memory.
const BATCH: usize = 512;

/// About how many numbers a resample of one system by one metric takes.
const NUMBERS: usize = 100;

/// Counts up to here, as often as a resample of [`BATCH`] segments can have them, sum up below 2⁵³.
const MAX_COUNT: f64 = (1u64 << 39) as f64;

/// The sums of systems over a part of the segments, and those of all resamples of it. Every segment is in one part
/// only.
#[derive(Clone, Debug)]
pub struct PartialTest {
    samples: usize,
    seed: u64,
    /// The sums of each system.
    systems: Vec<PartialSums>,
    /// The sums of resamples: `[metric][system][resample]`.
    resampled: Vec<Vec<Vec<TallySum>>>,
    /// The number of segments on which each system differs from the first: `[metric][system]`.
    differing: Vec<Vec<u64>>,
    ids: CountedIds,
}

impl PartialTest {
    /// No segments yet, of this many systems. Returns an error for no resamples, or for more than memory holds.
    pub fn new(scorer: &StreamScorer, systems: usize, samples: usize, seed: u64) -> Result<Self> {
        if systems == 0 {
            return Err(Error::NothingToPair { named: true });
        }
        let metrics = scorer.metrics().len();
        let numbers = systems.saturating_mul(metrics).saturating_mul(NUMBERS);
        check_samples(&Resampling { samples, seed: Some(seed) }, numbers.max(BATCH))?;
        Ok(PartialTest {
            samples,
            seed,
            systems: vec![scorer.no_sums(); systems],
            resampled: vec![vec![vec![TallySum::default(); samples]; systems]; metrics],
            differing: vec![vec![0; systems]; metrics],
            ids: CountedIds::default(),
        })
    }

    /// Adds segments: their ids, their numbers of references, and their tallies, `[metric][system][segment]`. Returns
    /// an error if these are not equally many, or of other systems or metrics than the test.
    pub fn add(
        &mut self,
        scorer: &StreamScorer,
        ids: &[&str],
        references: &[usize],
        tallies: &[SystemTallies],
    ) -> Result<()> {
        self.check_sizes(ids.len(), references.len(), tallies)?;
        for (segment, &references) in references.iter().enumerate() {
            for (system, sums) in self.systems.iter_mut().enumerate() {
                scorer.add(sums, references, tallies.iter().map(|systems| &systems[system][segment]));
            }
        }
        for (differing, systems) in self.differing.iter_mut().zip(tallies) {
            for (count, tallies) in differing.iter_mut().zip(systems) {
                *count += tallies.iter().zip(&systems[0]).filter(|(own, first)| own != first).count() as u64;
            }
        }
        ids.iter().for_each(|id| self.ids.add(id));
        for start in (0..ids.len()).step_by(BATCH) {
            let range = start..ids.len().min(start + BATCH);
            let draws = self.draws(&ids[range.clone()]);
            for (resampled, systems) in self.resampled.iter_mut().zip(tallies) {
                for (resampled, tallies) in resampled.iter_mut().zip(systems) {
                    add_resampled(resampled, &draws, &tallies[range.clone()]);
                }
            }
        }
        Ok(())
    }

    fn check_sizes(&self, ids: usize, references: usize, tallies: &[SystemTallies]) -> Result<()> {
        let (systems, metrics) = (self.systems.len(), self.resampled.len());
        if tallies.len() != metrics || tallies.iter().any(|of_systems| of_systems.len() != systems) {
            let what = "the tallies are not of the systems and metrics of the test";
            return Err(Error::BadRequest(what.to_owned()));
        }
        match tallies.iter().flatten().map(Vec::len).chain([references]).find(|found| *found != ids) {
            Some(found) => {
                Err(Error::BadRequest(format!("every segment needs an id: found {ids} for {found} segments")))
            }
            None => Ok(()),
        }
    }

    /// How often each resample (row) has each segment (column).
    fn draws(&self, ids: &[&str]) -> Vec<f64> {
        let mut draws = vec![0.0; self.samples * ids.len()];
        for (segment, id) in ids.iter().enumerate() {
            for (resample, count) in segment_draws(self.seed, id).take(self.samples).enumerate() {
                draws[resample * ids.len() + segment] = count as f64;
            }
        }
        draws
    }

    /// Adds the segments of another part. Returns an error if its metrics, systems or draws are others.
    pub fn merge(&mut self, other: &PartialTest) -> Result<()> {
        let settings = |test: &PartialTest| (test.samples, test.seed, test.systems.len(), test.resampled.len());
        if settings(self) != settings(other) {
            return Err(Error::BadRequest("sums of different tests do not merge".to_owned()));
        }
        for (own, other) in self.systems.iter_mut().zip(&other.systems) {
            own.merge(other)?;
        }
        let resampled = other.resampled.iter().flatten().flatten();
        for (own, other) in self.resampled.iter_mut().flatten().flatten().zip(resampled) {
            if own.width() != 0 && other.width() != 0 && own.width() != other.width() {
                return Err(Error::Unusable("sums of one metric have different lengths".to_owned()));
            }
            own.merge(other);
        }
        let counts = self.differing.iter_mut().flatten().zip(other.differing.iter().flatten());
        counts.for_each(|(own, other)| *own = own.saturating_add(*other));
        self.ids.merge(&other.ids);
        Ok(())
    }

    /// Scores and intervals of all systems, and the test of each against the first. Returns an error if ids are
    /// repeated; of many ids a sample is known.
    pub fn evaluate(
        self,
        scorer: &StreamScorer,
        names: &[String],
        components: bool,
        progress: Progress<'_>,
    ) -> Result<Evaluation> {
        if self.systems.len() < 2 || names.len() != self.systems.len() {
            return Err(Error::NothingToPair { named: true });
        }
        if let Some(repeated) = self.ids.repeated() {
            return Err(Error::Unusable(repeated));
        }
        let systems = names.iter().zip(self.systems);
        let systems = systems.map(|(name, sums)| StreamedSystem::new(name.clone(), sums)).collect();
        let request = EvaluateRequest { components, ..EvaluateRequest::default() };
        let mut evaluation = scorer.evaluate(systems, &request, progress)?;
        for (i, (column, resampled)) in evaluation.columns.iter_mut().zip(&self.resampled).enumerate() {
            let metric = &scorer.metrics()[i].metric;
            let scores = |sums: &Vec<TallySum>| sums.iter().map(|sum| metric.score(&sum.total())).collect();
            let bootstrap = Bootstrap {
                scores: column.cells.iter().map(|cell| cell.score).collect(),
                replicates: resampled.iter().map(|sums| Replicates::Double(scores(sums))).collect(),
            };
            for (system, cell) in column.cells.iter_mut().enumerate() {
                cell.interval = Some(bootstrap.interval(system));
            }
            let (samples, seed) = (self.samples, self.seed);
            column.signature = with_draws(&column.signature, samples, seed)?;
            for system in 1..names.len() {
                let found = bootstrap.compare(0, system);
                let differing = self.differing[i][system];
                evaluation.comparisons.push(PairedResult {
                    column: i,
                    system,
                    baseline: 0,
                    delta: found.difference,
                    p_value: if differing == 0 { 1.0 } else { found.p_value },
                    adjusted: None,
                    differing_segments: usize::try_from(differing).unwrap_or(usize::MAX),
                    people_agree: None,
                });
            }
        }
        let curves = scorer.metrics().iter().map(|named| named.metric.people_agree(Target::Unknown));
        evaluation.add_people_agree(curves);
        let resampling = Resampling { samples: self.samples, seed: Some(self.seed) };
        let pairs = Pairs::Against(names[0].clone());
        evaluation.test = Some(Paired { test: Test::Bootstrap, resampling, pairs, holm: false });
        Ok(evaluation)
    }

    /// The sums in bytes, to be merged elsewhere.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = START.to_vec();
        let sizes = [self.samples, self.systems.len(), self.resampled.len()].map(|size| size as u64);
        for number in [self.seed].into_iter().chain(sizes).chain(self.differing.iter().flatten().copied()) {
            bytes.extend(number.to_le_bytes());
        }
        for sums in &self.systems {
            let sums = sums.to_bytes();
            bytes.extend((sums.len() as u64).to_le_bytes());
            bytes.extend(sums);
        }
        self.resampled.iter().flatten().flatten().for_each(|sum| sum.write(&mut bytes));
        self.ids.write(&mut bytes);
        bytes
    }

    /// Reads sums in bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self::read(bytes).ok_or(Error::DamagedSums)
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let mut bytes = bytes.strip_prefix(START)?;
        let seed = number(&mut bytes)?;
        let size = |bytes: &mut &[u8]| usize::try_from(number(bytes)?).ok();
        let (samples, systems, metrics) = (size(&mut bytes)?, size(&mut bytes)?, size(&mut bytes)?);
        // Every sum takes four bytes or more, so that damaged sizes do not reserve memory.
        let sums = samples.checked_mul(systems)?.checked_mul(metrics)?;
        if samples == 0 || systems == 0 || sums.checked_mul(4)? > bytes.len() {
            return None;
        }
        let mut test = PartialTest {
            samples,
            seed,
            systems: Vec::new(),
            resampled: Vec::new(),
            differing: Vec::new(),
            ids: CountedIds::default(),
        };
        for _ in 0..metrics {
            let counts = (0..systems).map(|_| number(&mut bytes));
            test.differing.push(counts.collect::<Option<_>>()?);
        }
        for _ in 0..systems {
            let length = usize::try_from(number(&mut bytes)?).ok()?;
            let (own, rest) = bytes.split_at_checked(length)?;
            bytes = rest;
            test.systems.push(PartialSums::from_bytes(own).ok().filter(|sums| sums.sums.len() == metrics)?);
        }
        for _ in 0..metrics {
            let mut of_systems = Vec::new();
            for _ in 0..systems {
                let sums = (0..samples).map(|_| TallySum::read(&mut bytes));
                of_systems.push(sums.collect::<Option<Vec<_>>>()?);
            }
            test.resampled.push(of_systems);
        }
        test.ids = CountedIds::read(&mut bytes)?;
        bytes.is_empty().then_some(test)
    }
}

/// Adds the tallies of segments to each resample, as often as it has them.
fn add_resampled(resampled: &mut [TallySum], draws: &[f64], tallies: &[Tally]) {
    let width = tallies[0].len();
    let is_exact = |count: &f64| count.fract() == 0.0 && count.abs() <= MAX_COUNT;
    if tallies.iter().all(|tally| tally.iter().all(is_exact)) {
        // Sums of whole numbers below 2⁵³: the product does not round.
        let rows: Vec<f64> = tallies.iter().flat_map(|tally| tally.iter().copied()).collect();
        let sums = matrix_product(draws, &rows, tallies.len(), width);
        for (sum, share) in resampled.iter_mut().zip(sums.chunks_exact(width)) {
            sum.add(&Tally::new(share.to_vec()));
        }
        return;
    }
    for (sum, counts) in resampled.iter_mut().zip(draws.chunks_exact(tallies.len())) {
        sum.add(&Tally::new(vec![0.0; width]));
        for (tally, &count) in tallies.iter().zip(counts).filter(|(_, count)| **count > 0.0) {
            sum.add(&Tally::new(tally.iter().map(|value| count * value).collect()));
        }
    }
}

/// The signature with the draws of the test.
fn with_draws(signature: &str, samples: usize, seed: u64) -> Result<String> {
    let spec = Spec::parse("signature", signature)?;
    Ok(spec.with("bs", samples).with("draws", "poisson").with("seed", seed).signed())
}
