//! `/v1/report`: the data of the HTML report, as a stream that grows metric by metric.
//!
//! A line `{"event": "report", "data": …}` has what is known so far, in the form of `tercet::report::html`: first the
//! texts, then further scores after each metric, at last everything. A line `{"event": "kept", "run": …}` has the
//! number under which the report is kept, unless it is too large.

use crate::error_response::ErrorResponse;
use crate::handler::{Answer, RequestContext};
use crate::request::{Endpoint, find_metrics, number_of_metrics, score_bytes};
use crate::runs::MAX_BYTES;
use crate::state::Server;
use crate::texts::Texts;
use serde::Deserialize;
use serde_json::{Value, json};
use tercet::corpora::rows::Need;
use tercet::metrics::{NamedMetric, Registry};
use tercet::progress::Progress;
use tercet::report::html::{PageContents, page_data};
use tercet::scoring::{self, Chosen, CompareJob, Corpus, Evaluation, MetricRequest, ScoreJob, SystemComparison};
use tercet::text::Language;
use tercet::warning::{Done, Warning};

/// Scores and a comparison, for a page.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReportJob {
    metrics: Vec<MetricRequest>,
    language: Option<Language>,
    fast: bool,
}

impl Endpoint for ReportJob {
    const TEXTS: &'static [(&'static str, bool)] = &[("references", true), ("systems", true), ("sources", false)];
    const ROWS: Option<Need> = Some(Need::Required);
    const STREAMS: bool = true;

    fn check(&mut self, texts: &Texts, server: &Server) -> Result<(), ErrorResponse> {
        texts.check_segments()?;
        find_metrics(&mut self.metrics, server)?;
        Ok(self.score_job().validate(&server.registry)?)
    }

    fn bytes(&self, texts: &Texts) -> usize {
        score_bytes(texts, number_of_metrics(&self.metrics), false)
    }

    fn answer(&self, texts: &Texts, context: &RequestContext<'_>) -> tercet::Result<Answer> {
        let corpus = texts.corpus()?;
        let done = Done::collect(context.progress, |progress| self.compute(&corpus, context, progress))?;
        let Computed { evaluation, metrics, comparison } = done.result;
        let marks = scoring::mark_words(&corpus, &metrics, &evaluation, context.progress)?;
        let data = page_data(&PageContents {
            command: command(&corpus),
            evaluation: Some(&evaluation),
            corpus: Some(&corpus),
            marks: &marks,
            comparison: comparison.as_ref(),
            registry: Some(&context.server.registry),
            remarks: &done.warnings,
            ..PageContents::default()
        });
        let mut text = report_line(&data);
        match context.server.runs.keep(summary(&evaluation), &data) {
            Some(run) => text += &format!("{}\n", json!({"event": "kept", "run": run})),
            None => {
                context.progress.warn(&Warning::ReportNotKept { megabytes: MAX_BYTES >> 20 })?;
            }
        }
        Ok(Answer::new(text))
    }
}

/// What a report shows.
struct Computed {
    evaluation: Evaluation,
    metrics: Vec<NamedMetric>,
    comparison: Option<SystemComparison>,
}

fn command(corpus: &Corpus<'_>) -> &'static str {
    if corpus.systems().len() == 2 { "compare" } else { "score" }
}

impl ReportJob {
    fn score_job(&self) -> ScoreJob {
        ScoreJob {
            metrics: self.metrics.clone(),
            language: self.language.clone(),
            fast: self.fast,
            page: true,
            ..ScoreJob::default()
        }
    }

    /// Scores by one metric after the other, and sends what is known so far.
    fn compute(
        &self,
        corpus: &Corpus<'_>,
        context: &RequestContext<'_>,
        progress: Progress<'_>,
    ) -> tercet::Result<Computed> {
        let (job, registry) = (self.score_job(), &context.server.registry);
        let metrics = job.metrics_for(corpus, registry, progress)?;
        let send = |contents: PageContents<'_>| {
            let contents = PageContents { command: command(corpus), registry: Some(registry), ..contents };
            context.listener.send(report_line(&page_data(&contents)));
        };
        send(PageContents { corpus: Some(corpus), ..PageContents::default() });
        job.check_texts(corpus, &metrics, progress)?;
        let request = job.checked_request(corpus, progress)?;
        let (compare_job, chosen) = self.chosen(corpus, registry, progress)?.unzip();
        let preference = chosen.as_ref().map(|chosen: &Chosen| chosen.preference.as_ref());
        let (mut all, mut probabilities): (Option<Evaluation>, _) = (None, None);
        for (number, metric) in metrics.iter().enumerate() {
            let about = metric.metric.title();
            let metric = std::slice::from_ref(metric);
            let progress = progress.about(&about);
            let (mut one, found) = scoring::evaluate_preferring(corpus, metric, preference, &request, progress)?;
            let columns = one.columns.iter_mut();
            columns.for_each(|column| context.server.files.without_folder(&mut column.signature));
            probabilities = probabilities.or(found);
            let all = with_column(&mut all, one, number);
            send(PageContents { evaluation: Some(all), ..PageContents::default() });
        }
        let evaluation = all.expect("there is at least one metric");
        let mut comparison = match compare_job.zip(chosen) {
            Some((job, chosen)) => Some(job.compare_by(&chosen, corpus, probabilities, registry, progress)?),
            None => None,
        };
        let signature = comparison.as_mut().map(|comparison| &mut comparison.signature);
        signature.into_iter().for_each(|signature| context.server.files.without_folder(signature));
        Ok(Computed { evaluation, metrics, comparison })
    }

    /// What compares two systems: of the metrics that are asked for `siamese`, or the first one if it can; else what
    /// `tercet compare` takes by default.
    fn chosen(
        &self,
        corpus: &Corpus<'_>,
        registry: &Registry,
        progress: Progress<'_>,
    ) -> tercet::Result<Option<(CompareJob, Chosen)>> {
        if corpus.systems().len() != 2 {
            return Ok(None);
        }
        let is_learned = |metric: &&MetricRequest| metric.spec.split([':', '|']).next() == Some("siamese");
        let metric = self.metrics.iter().find(is_learned).or(self.metrics.first()).cloned();
        let fast = self.fast || metric.is_some();
        let job = CompareJob { metric, language: self.language.clone(), fast, ..CompareJob::default() };
        let chosen = match job.build(registry, progress).ok().flatten() {
            Some(chosen) => chosen,
            None => job.choose(corpus, registry, progress)?,
        };
        Ok(Some((job, chosen)))
    }
}

/// The scores so far with those of one more metric.
fn with_column(all: &mut Option<Evaluation>, mut one: Evaluation, number: usize) -> &Evaluation {
    one.comparisons.iter_mut().for_each(|comparison| comparison.column = number);
    match all {
        None => all.insert(one),
        Some(all) => {
            all.columns.append(&mut one.columns);
            all.comparisons.append(&mut one.comparisons);
            all
        }
    }
}

/// What a list of runs says.
fn summary(evaluation: &Evaluation) -> Value {
    let column = |column: &scoring::Column| {
        let scores: Vec<f64> = column.cells.iter().map(|cell| cell.score).collect();
        json!({"metric": column.metric, "title": column.title, "scores": scores})
    };
    let metrics: Vec<Value> = evaluation.columns.iter().map(column).collect();
    json!({"systems": evaluation.systems, "segments": evaluation.segments, "metrics": metrics})
}

fn report_line(data: &str) -> String {
    format!("{{\"event\": \"report\", \"data\": {data}}}\n")
}
