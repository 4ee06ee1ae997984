//! Agreement of metrics with people, and rankings of systems by people.

use crate::corpora::sources;
use crate::errors::{OrRaise, REQUEST, of_class};
use crate::given_scores::{GivenScores, ScoreTable};
use crate::metrics::Metric;
use crate::page::Page;
use crate::registry;
use crate::report::Written;
use crate::work::run;
use pyo3::prelude::*;
use std::path::PathBuf;
use tercet::corpora::{self, JudgementSource, Judgements, Level};
use tercet::meta_evaluation::systems::{
    self, Method, RankRequest, ResamplingUnit, SharedOutputs, rank_systems,
};
use tercet::meta_evaluation::{
    AgreementReport, CorrelateRequest, CorrelateResult, IntervalKind, StatisticName, SystemScores, Test,
    correlate, pooled_accuracy,
};
use tercet::metrics::NamedMetric;
use tercet::progress::Progress;
use tercet::report::html::PageContents;
use tercet::report::{Format, Terminal, plot, write_agreement, write_systems};
use tercet::scoring::DEFAULT_METRICS;
use tercet::statistics::Grouping;
use tercet::text::Language;
use tercet::warning::Warning;

/// The arguments of [`correlate_sets`], as a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct CorrelateArguments {
    paths: Vec<PathBuf>,
    pairs: Vec<String>,
    scores: Vec<PathBuf>,
    tables: Vec<ScoreTable>,
    page: Option<Page>,
    lower_is_better: Vec<String>,
    stored: bool,
    level: String,
    statistics: Vec<String>,
    grouping: Option<String>,
    human: Option<String>,
    method: String,
    references: Vec<String>,
    include_human: bool,
    interval: String,
    test: Option<String>,
    alpha: f64,
    resamples: usize,
    seed: u64,
    sort: bool,
    p_values: bool,
}

/// The value of this name.
fn named<T: Copy>(py: Python<'_>, what: &str, name: &str, known: &[(&str, T)]) -> PyResult<T> {
    known.iter().find(|(known, _)| *known == name).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        of_class(py, REQUEST, &format!("{what}: expected one of {}, found `{name}`", names.join(", ")))
    })
}

impl CorrelateArguments {
    fn request(&self, py: Python<'_>, metrics: Vec<NamedMetric>) -> PyResult<CorrelateRequest> {
        let levels: &[Level] = named(
            py,
            "level",
            &self.level,
            &[
                ("both", &[Level::Segment, Level::System][..]),
                ("segment", &[Level::Segment]),
                ("system", &[Level::System]),
            ],
        )?;
        let groupings = [("none", Grouping::None), ("item", Grouping::Item), ("system", Grouping::System)];
        let intervals = [
            ("bootstrap", IntervalKind::Bootstrap),
            ("fisher", IntervalKind::Fisher),
            ("student", IntervalKind::Student),
            ("none", IntervalKind::None),
        ];
        let tests = [
            ("auto", Test::Default),
            ("scores", Test::Scores),
            ("pairs", Test::Pairs),
            ("williams", Test::Williams),
        ];
        let parse = |name: &String| StatisticName::parse(name).or_raise(py);
        Ok(CorrelateRequest {
            stored: self.stored || (metrics.is_empty() && self.scores.is_empty() && self.tables.is_empty()),
            metrics,
            lower_is_better: self.lower_is_better.clone(),
            levels: levels.to_vec(),
            statistics: self.statistics.iter().map(parse).collect::<PyResult<_>>()?,
            grouping: self
                .grouping
                .as_deref()
                .map(|name| named(py, "grouping", name, &groupings))
                .transpose()?,
            human: self.human.clone(),
            method: Method::from_name(&self.method).or_raise(py)?,
            references: self.references.clone(),
            include_human: self.include_human,
            interval: named(py, "interval", &self.interval, &intervals)?,
            test: self.test.as_deref().map(|name| named(py, "test", name, &tests)).transpose()?,
            alpha: self.alpha,
            draws: self.resamples,
            seed: self.seed,
        })
    }

    fn report(&self, request: &CorrelateRequest, progress: Progress<'_>) -> tercet::Result<AgreementReport> {
        let sources = sources(&self.paths, &self.pairs)?;
        let mut files = Vec::new();
        for file in &self.scores {
            files.extend(corpora::read_metric_scores(file)?);
        }
        let mut scores = GivenScores::new(files, &self.tables);
        // Metric scores of the sets have not been read yet.
        if !request.stored {
            scores.check_names(&request.lower_is_better)?;
        }
        let mut report = AgreementReport {
            interval: request.interval,
            test: request.test,
            alpha: request.alpha,
            show_p_values: self.p_values,
            draws: request.draws,
            seed: request.seed,
            ..AgreementReport::default()
        };
        let mut systems: Vec<SystemScores> = Vec::new();
        for source in &sources {
            let Some(found) = of_pair(&source.read()?, request, &mut scores, progress)? else { continue };
            report.agreements.extend(found.agreements);
            report.points.extend(found.points);
            systems.extend(found.systems);
        }
        add_pooled(&mut report, &systems, request, progress)?;
        if self.sort {
            report.sort_by_value();
        }
        let unused: Vec<String> = scores.unused().collect();
        if report.agreements.is_empty() {
            return Err(nothing_found(&sources, &unused));
        }
        unused.into_iter().try_for_each(|what| progress.warn(&Warning::LeftOut { what }))?;
        Ok(report)
    }
}

fn nothing_found(sources: &[JudgementSource], unused: &[String]) -> tercet::Error {
    let sets: Vec<String> = sources.iter().map(|source| format!("{} {}", source.set, source.pair)).collect();
    let why: String = unused.iter().map(|what| format!("; {what}")).collect();
    let sets = sets.join(", ");
    tercet::Error::BadRequest(format!("there is nothing to correlate in {sets} at this level{why}"))
}

/// The results of one language pair; nothing, with a warning, if there is nothing to score.
fn of_pair(
    judgements: &Judgements,
    request: &CorrelateRequest,
    scores: &mut GivenScores<'_>,
    progress: Progress<'_>,
) -> tercet::Result<Option<CorrelateResult>> {
    let mut request = request.clone();
    let files = scores.on(judgements)?;
    let stored = request.stored && !judgements.metric_scores.is_empty();
    let language = Language::target(&judgements.pair).ok();
    if request.metrics.is_empty() && scores.is_empty() && !stored {
        let build = |name: &&str| registry().named(name, language.as_ref());
        request.metrics = DEFAULT_METRICS.iter().map(build).collect::<tercet::Result<_>>()?;
    } else if let Some(language) = &language {
        request.metrics = for_target(&request.metrics, language)?;
    }
    let texts = judgements.texts.as_ref().is_some_and(|texts| !texts.references.is_empty());
    if files.is_empty() && !stored && (request.metrics.is_empty() || !texts) {
        let set = format!("{} {}", judgements.set, judgements.pair);
        let what = format!("{set} is left out: it has no texts, and there are no scores of it");
        progress.warn(&Warning::LeftOut { what })?;
        return Ok(None);
    }
    if !texts {
        request.metrics.clear();
    }
    let found = correlate(judgements, &files, &request, registry(), progress)?;
    for metric in &found.unmatched {
        let what =
            format!("{metric} is left out: it has scores for none of the systems of {}", judgements.set);
        progress.warn(&Warning::LeftOut { what })?;
    }
    let (missing, all) = found.left_out;
    if missing > 0 {
        let why = "they have no text, or no score by one of the metrics";
        let what = format!("{}: {missing} of {all} judged outputs are left out: {why}", judgements.set);
        progress.warn(&Warning::LeftOut { what })?;
    }
    Ok(Some(found))
}

/// The metrics for the target language of a set. One with a paraphrase table stays as it is, since the table is of one language.
fn for_target(named: &[NamedMetric], language: &Language) -> tercet::Result<Vec<NamedMetric>> {
    let of_set = |named: &NamedMetric| {
        let given = registry().for_language(&named.name, language)?;
        let same = given.to_string() == named.name || given.option("paraphrase").is_some();
        if same { Ok(named.clone()) } else { registry().named(&named.name, Some(language)) }
    };
    named.iter().map(of_set).collect()
}

/// Accuracy over all language pairs of each set that has several.
fn add_pooled(
    report: &mut AgreementReport,
    systems: &[SystemScores],
    request: &CorrelateRequest,
    progress: Progress<'_>,
) -> tercet::Result<()> {
    let asked = report.agreements.iter().any(|agreement| agreement.statistic.name == StatisticName::Accuracy);
    let mut sets: Vec<&str> = systems.iter().map(|scores| scores.set.as_str()).collect();
    sets.dedup();
    for set in sets.into_iter().filter(|_| asked) {
        let parts: Vec<SystemScores> = systems.iter().filter(|scores| scores.set == set).cloned().collect();
        report.agreements.extend(pooled_accuracy(&parts, request, progress)?);
    }
    Ok(())
}

/// How well metrics agree with people; and the plots of their scores.
#[pyfunction]
#[pyo3(signature = (arguments, metrics, progress=None))]
fn correlate_sets(
    py: Python<'_>,
    arguments: CorrelateArguments,
    metrics: Vec<PyRef<'_, Metric>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Written, String)> {
    let named = metrics.iter().map(|metric| metric.named.clone()).collect();
    let request = arguments.request(py, named)?;
    run(py, progress, |progress| {
        let read = [&arguments.paths[..], &arguments.scores].concat();
        Page::check(arguments.page.as_ref(), 0, &read)?;
        let report = arguments.report(&request, progress)?;
        if let Some(page) = &arguments.page {
            page.write_contents(PageContents { agreement: Some(&report), ..PageContents::default() })?;
        }
        let write = |format: Format| write_agreement(&report, format, Terminal::default());
        Ok((Written::new(write), plot(&report.points)))
    })
}

/// The arguments of [`rank_by_people`], as a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct SystemsArguments {
    paths: Vec<PathBuf>,
    pairs: Vec<String>,
    methods: Vec<String>,
    runs: usize,
    seed: u64,
    resample: Option<String>,
    shared_outputs: String,
    scores: Option<String>,
    test: String,
}

/// Ranks systems by human judgements.
#[pyfunction]
#[pyo3(signature = (arguments, progress=None))]
fn rank_by_people(
    py: Python<'_>,
    arguments: SystemsArguments,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Written> {
    let units = [
        ("none", ResamplingUnit::None),
        ("comparisons", ResamplingUnit::Comparisons),
        ("rankings", ResamplingUnit::Rankings),
    ];
    let shared = [("tie", SharedOutputs::Tied), ("skip", SharedOutputs::NotCompared)];
    let tests = [("rank-sum", systems::Test::RankSum), ("paired", systems::Test::Paired)];
    let unit = arguments.resample.as_deref().map(|name| named(py, "resample", name, &units)).transpose()?;
    let request = RankRequest {
        runs: arguments.runs,
        seed: arguments.seed,
        resampling: unit,
        shared_outputs: named(py, "shared_outputs", &arguments.shared_outputs, &shared)?,
        scores: arguments.scores.clone(),
        test: named(py, "test", &arguments.test, &tests)?,
        ..RankRequest::new(Method::TrueSkill)
    };
    let from_name = |name: &String| Method::from_name(name).or_raise(py);
    let methods = arguments.methods.iter().map(from_name).collect::<PyResult<Vec<_>>>()?;
    run(py, progress, |progress| {
        let mut rankings = Vec::new();
        for source in sources(&arguments.paths, &arguments.pairs)? {
            let judgements = source.read()?;
            let own = [Method::for_judgements(&judgements)];
            for &method in if methods.is_empty() { &own[..] } else { &methods } {
                rankings.push(rank_systems(
                    &judgements,
                    &RankRequest { method, ..request.clone() },
                    progress,
                )?);
            }
        }
        Ok(Written::new(|format| write_systems(&rankings, format, 3, Terminal::default())))
    })
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(correlate_sets, module)?)?;
    module.add_function(wrap_pyfunction!(rank_by_people, module)?)
}
