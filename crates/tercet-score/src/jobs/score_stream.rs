//! Scores of systems whose texts are read batch by batch, so that memory does not grow with them.

use super::score::ScoreJob;
use super::{MetricRequest, warn_all};
use crate::checks::{Counts, check_metrics_for};
use crate::corpora::rows::{SegmentBatch, SegmentStream};
use crate::error::{Error, Result};
use crate::metrics::{NamedMetric, Registry};
use crate::progress::{Event, Progress};
use crate::warning::{Done, Reported};
use crate::{
    Corpus, Evaluation, PartialSums, ScoreLevels, ScoreLog, ScoredBatch, StreamScorer, StreamedSystem, System,
    SystemTallies, detect_language,
};

/// Takes the segments of a batch with the metrics and their scores, `[column][segment]`: of each metric for each column
/// of translations.
pub type TakeScores<'a> = dyn FnMut(&SegmentBatch, &[NamedMetric], &[Vec<f64>]) -> Result<()> + Send + 'a;

/// Texts that are read batch by batch, and what becomes of the scores of their segments.
pub struct StreamedTexts<'a> {
    /// The texts.
    pub stream: SegmentStream,
    /// The name of each column of translations.
    pub names: Vec<String>,
    /// Where scores are kept until the end, and from where an interrupted run goes on.
    pub log: Option<&'a mut ScoreLog>,
    /// Who takes the scores of segments as they are ready.
    pub take: Option<&'a mut TakeScores<'a>>,
}

impl ScoreJob {
    /// Scores texts batch by batch, by metrics that are built; by the default ones if there are none. The result has no
    /// scores of segments. Metrics that need all references first, intervals and tests are errors.
    pub fn run_stream(
        &self,
        metrics: Vec<NamedMetric>,
        texts: StreamedTexts<'_>,
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Done<Evaluation>> {
        self.validate(registry)?;
        let job = ScoreJob { level: ScoreLevels::System, ..self.clone() };
        let reported = Reported::default();
        let callback = |event: &Event<'_>| reported.pass(event, progress);
        let progress = progress.with_callback(&callback);
        let StreamedTexts { mut stream, names, log, take } = texts;
        let Some(first) = stream.next_batch()? else { return Err(Error::NoSegments) };
        let corpus = corpus(&first, &names)?;
        let metrics = match metrics.is_empty() {
            true => job.default_metrics(&corpus, registry, progress)?,
            false => metrics,
        };
        let metrics = MetricRequest::suited(metrics, &corpus, self.language.as_ref(), registry)?;
        corpus.check_references_for(&metrics)?;
        let about_metrics = match self.checks {
            true => check_metrics_for(&corpus.lines_in_target(), &metrics, self.language.as_ref()),
            false => Vec::new(),
        };
        // What differences mean depends on the language.
        let language = self.language.clone().or_else(|| detect_language(&corpus.lines_in_target()));
        let job = ScoreJob { language, ..job };
        let scorer = StreamScorer::new(metrics)?;
        let needs_scores = take.is_some() || log.as_ref().is_some_and(|log| log.keeps_segments());
        let counts = self.checks.then(Counts::default);
        let pass = Pass { scorer: &scorer, names: &names, needs_scores, progress };
        let mut state = State { sums: Vec::new(), counts, log };
        progress.counting("scoring", "segments")?;
        pass.run(&mut stream, first, &mut state, take)?;
        let systems = if stream.has_system_names() { stream.system_names() } else { &names };
        let systems = systems.iter().zip(state.sums).map(|(name, sums)| StreamedSystem::new(name, sums)).collect();
        let warnings = state.counts.map(|counts| counts.warnings()).unwrap_or_default();
        let further = about_metrics.into_iter().filter(|warning| !warnings.contains(warning)).collect::<Vec<_>>();
        warn_all(warnings.iter().cloned().chain(further), progress)?;
        let evaluation = job.evaluate_stream(&scorer, systems, progress)?;
        let mut done = reported.with(evaluation);
        self.judge_warnings(&mut done.result, &done.warnings);
        Ok(done)
    }
}

fn corpus<'b>(batch: &'b SegmentBatch, names: &[String]) -> Result<Corpus<'b>> {
    let system = |(name, hypotheses): (&String, Vec<&'b str>)| System { name: name.clone(), hypotheses };
    let systems = names.iter().zip(batch.hypotheses()).map(system).collect();
    Corpus::with_either(systems, batch.references(), batch.sources())
}

/// What one pass over the texts needs to know.
struct Pass<'a> {
    scorer: &'a StreamScorer,
    names: &'a [String],
    needs_scores: bool,
    progress: Progress<'a>,
}

/// What is kept of the batches that were scored.
struct State<'a> {
    sums: Vec<PartialSums>,
    counts: Option<Counts>,
    log: Option<&'a mut ScoreLog>,
}

impl Pass<'_> {
    /// While a batch is scored, the one before is written and the next one read.
    fn run(
        &self,
        stream: &mut SegmentStream,
        first: SegmentBatch,
        state: &mut State<'_>,
        mut take: Option<&mut TakeScores<'_>>,
    ) -> Result<()> {
        let mut next = Some(first);
        let mut scored: Option<(SegmentBatch, Vec<Vec<f64>>)> = None;
        while let Some(batch) = next {
            let (scores, read) = rayon::join(
                || self.score(&batch, state),
                || {
                    if let (Some(take), Some((batch, scores))) = (&mut take, scored.take()) {
                        take(&batch, self.scorer.metrics(), &scores)?;
                    }
                    stream.next_batch()
                },
            );
            scored = Some((batch, scores?));
            next = read?;
        }
        match (take, scored) {
            (Some(take), Some((batch, scores))) => take(&batch, self.scorer.metrics(), &scores),
            _ => Ok(()),
        }
    }

    /// Adds a batch to the sums, and returns the scores of its segments if they are needed.
    fn score(&self, batch: &SegmentBatch, state: &mut State<'_>) -> Result<Vec<Vec<f64>>> {
        let corpus = corpus(batch, self.names)?;
        if let Some(counts) = &mut state.counts {
            counts.check_part(&corpus);
        }
        let logged = match &mut state.log {
            Some(log) => log.next_batch(batch.len())?,
            None => None,
        };
        if let Some(logged) = logged {
            for (place, sums) in logged.sums {
                *state.sums_at(place, self.scorer) = sums;
            }
            self.progress.advance(batch.len())?;
            return Ok(logged.scores);
        }
        let tallies = self.scorer.tally(&corpus, self.progress)?;
        let places = self.add(batch, &corpus, &tallies, state);
        let mut scores = Vec::new();
        if self.needs_scores {
            for column in 0..self.names.len() {
                let of_metric = tallies.iter().enumerate();
                scores.extend(of_metric.map(|(metric, of)| self.scorer.segment_scores(metric, &of[column])));
            }
        }
        let State { sums, log, .. } = state;
        if let Some(log) = log {
            let sums = places.into_iter().map(|place| (place, sums[place].clone())).collect();
            let batch = ScoredBatch { segments: batch.len(), scores, sums };
            log.write(&batch)?;
            scores = batch.scores;
        }
        Ok(scores)
    }

    /// Adds the tallies of a batch, `[metric][column][segment]`, to the sums of the systems, and returns the places of
    /// these.
    fn add(
        &self,
        batch: &SegmentBatch,
        corpus: &Corpus<'_>,
        tallies: &[SystemTallies],
        state: &mut State<'_>,
    ) -> Vec<usize> {
        let mut places = Vec::new();
        for column in 0..self.names.len() {
            for (segment, references) in corpus.references().iter().enumerate() {
                let place = batch.systems.get(segment).copied().unwrap_or(column);
                if !places.contains(&place) {
                    places.push(place);
                }
                let of_segment = tallies.iter().map(|columns| &columns[column][segment]);
                self.scorer.add(state.sums_at(place, self.scorer), references.len(), of_segment);
            }
        }
        places
    }
}

impl State<'_> {
    fn sums_at(&mut self, place: usize, scorer: &StreamScorer) -> &mut PartialSums {
        while self.sums.len() <= place {
            self.sums.push(scorer.no_sums());
        }
        &mut self.sums[place]
    }
}
