//! `/v1/report`: the data of the HTML report, as a stream that grows metric by metric.
//!
//! A line `{"event": "report", "data": …}` has what is known so far, in the form of `tercet::report::html`: first the texts, then
//! further scores after each metric, at last everything. A line `{"event": "kept", "run": …}` has the number under which the report is
//! kept, unless it is too large.

use super::score::metrics;
use super::texts::{References, SystemLines, Texts};
use super::{FoundMetric, found_metrics, language, number_of_metrics};
use crate::commands::compare::{Choices, Chosen, DECIMALS};
use crate::commands::default_metrics::ShownWarnings;
use crate::commands::serve::error_response::ErrorResponse;
use crate::commands::serve::handler::{Answer, RequestContext, Work};
use crate::commands::serve::limits::SCORE_BYTES;
use crate::commands::serve::runs::MAX_BYTES;
use crate::commands::serve::state::Server;
use serde::Deserialize;
use serde_json::{Value, json};
use tercet::report::html::{PageContents, page_data, page_remarks, page_request};
use tercet::scoring::significance::Resampling;
use tercet::scoring::{self, CompareRequest, Corpus, EvaluateRequest, Evaluation, SystemComparison};
use tercet::text::Language;
use tercet::warning::Warning;

/// The seed of intervals and tests, as of the command.
const SEED: Option<u64> = Some(12345);

/// The body of a request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    references: Vec<References>,
    systems: Vec<SystemLines>,
    sources: Option<Vec<String>>,
    #[serde(default)]
    metrics: Vec<String>,
    language: Option<String>,
    #[serde(default)]
    fast: bool,
    #[serde(skip)]
    found: Vec<FoundMetric>,
}

impl Work for Report {
    const STREAMS: bool = true;

    fn check(&mut self, server: &Server) -> Result<(), ErrorResponse> {
        self.texts().check()?;
        self.texts().check_segments()?;
        language(self.language.as_deref())?;
        self.found = found_metrics(&self.metrics, server)?;
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.texts().translations() * number_of_metrics(&self.found) * SCORE_BYTES
    }

    fn run(&self, asked: &RequestContext<'_>) -> anyhow::Result<Answer> {
        let language = self.language.as_deref().map(Language::target).transpose()?;
        let corpus = self.texts().corpus()?;
        let metrics = metrics(&self.found, self.fast, &corpus, language.as_ref())?;
        let command = if corpus.systems().len() == 2 { "compare" } else { "score" };
        let send = |contents: PageContents<'_>| {
            asked.listener.send(report_line(&page_data(&PageContents { command, ..contents })));
        };
        send(PageContents { corpus: Some(&corpus), ..PageContents::default() });
        let request = page_request(EvaluateRequest::default(), SEED, corpus.systems().len());
        let mut all: Option<Evaluation> = None;
        let chosen = self.chosen(&corpus, language.as_ref())?;
        let preference = chosen.as_ref().map(|chosen| chosen.preference.as_ref());
        let mut probabilities = None;
        for (number, metric) in metrics.iter().enumerate() {
            let about = metric.metric.title();
            let progress = asked.progress.about(&about);
            let metric = std::slice::from_ref(metric);
            let (one, found) = scoring::evaluate_preferring(&corpus, metric, preference, &request, progress)?;
            probabilities = probabilities.or(found);
            let all = with_column(&mut all, one, number);
            send(PageContents { evaluation: Some(all), ..PageContents::default() });
        }
        let evaluation = all.expect("there is at least one metric");
        let compare =
            |chosen: &Chosen| self.compare(chosen, &corpus, probabilities, language.as_ref(), asked);
        let comparison = chosen.as_ref().map(compare).transpose()?;
        let remarks = page_remarks(&corpus, &metrics, language.as_ref());
        let marks = scoring::mark_words(&corpus, &metrics, &evaluation, asked.progress)?;
        let data = page_data(&PageContents {
            command,
            evaluation: Some(&evaluation),
            corpus: Some(&corpus),
            marks: &marks,
            comparison: comparison.as_ref(),
            remarks: &remarks,
            ..PageContents::default()
        });
        let (mut text, mut warnings) = (report_line(&data), remarks);
        match asked.server.runs.keep(summary(&evaluation), &data) {
            Some(run) => text += &format!("{}\n", json!({"event": "kept", "run": run})),
            None => {
                let most = MAX_BYTES >> 20;
                let what = format!("this report is not among the past runs: it has more than {most} MB");
                warnings.push(Warning::LeftOut { what });
            }
        }
        Ok(Answer { text, warnings })
    }
}

impl Report {
    fn texts(&self) -> Texts<'_> {
        Texts { systems: &self.systems, references: &self.references, sources: self.sources.as_deref() }
    }

    /// What compares two systems: of the metrics that are asked for `siamese`, or the first one if it can; else what `tercet compare`
    /// takes by default.
    fn chosen(&self, corpus: &Corpus<'_>, language: Option<&Language>) -> anyhow::Result<Option<Chosen>> {
        if corpus.systems().len() != 2 {
            return Ok(None);
        }
        let choices = self.choices(language);
        let given = choices.given().ok().flatten();
        given.map_or_else(|| choices.default(corpus), Ok).map(Some)
    }

    fn choices<'a>(&'a self, language: Option<&'a Language>) -> Choices<'a> {
        let is_learned = |found: &&FoundMetric| found.spec.split([':', '|']).next() == Some("siamese");
        let found = self.found.iter().find(is_learned).or(self.found.first());
        let metric = found.map(|found| found.spec.as_str());
        let fast = self.fast || metric.is_some();
        Choices { metric, language, fast, explain: false, warnings: ShownWarnings::None, decimals: DECIMALS }
    }

    /// Which of two systems is better; `known` are the probabilities, if they were computed before.
    fn compare(
        &self,
        chosen: &Chosen,
        corpus: &Corpus<'_>,
        known: Option<Vec<f64>>,
        language: Option<&Language>,
        asked: &RequestContext<'_>,
    ) -> anyhow::Result<SystemComparison> {
        let resampling = |samples| Resampling { samples, seed: SEED };
        let request = CompareRequest { interval: resampling(1000), test: resampling(10_000) };
        chosen.compare(corpus, &self.choices(language), &request, known, |_| Vec::new(), asked.progress)
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
