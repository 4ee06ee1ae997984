//! `tercet score`: every metric × every system × every segment, in one pass.

mod submission;

use super::input::{Files, Input};
use super::named_metrics;
use crate::args::{Correction, Level, PairedTest, ScoreArgs, SignificanceArgs};
use crate::output::{self, Misuse};
use crate::progress::with_progress;
use crate::work::{self, start_threads};
use tercet::corpora::read_scores;
use tercet::metrics::Direction;
use tercet::progress::Progress;
use tercet::report::{self, Contents};
use tercet::scoring::significance::Resampling;
use tercet::scoring::{self, EvaluateRequest, Evaluation, Paired, Pairs, Test};

/// With fewer segments there is a warning about paired tests.
const FEW: usize = 30;

/// Reads, scores, reports.
pub fn run(args: &ScoreArgs) -> anyhow::Result<()> {
    start_threads(args.work.threads)?;
    output::check(args.report.output.as_deref(), files(args).all())?;
    let evaluation = if args.given.scores { compare_scores(args)? } else { score_texts(args)? };
    submission::write(&evaluation, &args.submission)?;
    let contents = Contents {
        systems: args.level != Level::Segment,
        segments: args.level != Level::System,
        components: args.components,
        decimals: usize::from(args.report.width),
    };
    output::write(
        &report::write(&evaluation, args.report.format.into(), contents),
        args.report.output.as_deref(),
    )
}

fn score_texts(args: &ScoreArgs) -> anyhow::Result<Evaluation> {
    // Before files are read, so that an unknown metric is an error at once.
    let metrics = named_metrics(&args.metric)?;
    let input = Input::read(&files(args))?;
    let corpus = input.corpus()?;
    if !args.input.no_checks && !args.work.quiet {
        scoring::check(&corpus).iter().for_each(output::warn);
    }
    warn_of_few(corpus.len(), args);
    let request = request(args, &corpus.systems()[0].name)?;
    Ok(with_progress(args.work.quiet, |progress| scoring::evaluate(&corpus, &metrics, &request, progress))?)
}

fn compare_scores(args: &ScoreArgs) -> anyhow::Result<Evaluation> {
    let mut columns = Vec::new();
    for file in &args.hypotheses {
        columns.extend(read_scores(file)?);
    }
    let direction =
        if args.given.lower_is_better { Direction::LowerIsBetter } else { Direction::HigherIsBetter };
    warn_of_few(columns[0].scores.len(), args);
    let request = request(args, &columns[0].system)?;
    let evaluate = |progress: Progress<'_>| scoring::evaluate_scores(&columns, direction, &request, progress);
    Ok(with_progress(args.work.quiet, evaluate)?)
}

fn request(args: &ScoreArgs, first_system: &str) -> anyhow::Result<EvaluateRequest> {
    let significance = &args.significance;
    let resampling = |default: usize| -> anyhow::Result<Resampling> {
        let samples = significance.resamples.map_or(default, |samples| samples as usize);
        Ok(Resampling { samples, seed: seed(significance)? })
    };
    let paired = match significance.paired {
        None => None,
        Some(test) => Some(Paired {
            test: if test == PairedTest::Bs { Test::Bootstrap } else { Test::Randomisation },
            resampling: resampling(if test == PairedTest::Bs { 1000 } else { 10_000 })?,
            pairs: if significance.all_pairs {
                Pairs::All
            } else {
                Pairs::Against(significance.baseline.clone().unwrap_or_else(|| first_system.to_owned()))
            },
            holm: significance.correction == Some(Correction::Holm),
        }),
    };
    let confidence = if significance.confidence { Some(resampling(1000)?) } else { None };
    let segments = args.level != Level::System || args.submission.submission.is_some();
    Ok(EvaluateRequest { segments, components: args.components, confidence, paired })
}

/// sacreBLEU's seed unless another is given.
fn seed(args: &SignificanceArgs) -> Result<Option<u64>, Misuse> {
    args.seed.as_deref().map_or(Ok(Some(12345)), work::seed)
}

/// Warns if there are too few segments for resampling tests.
fn warn_of_few(segments: usize, args: &ScoreArgs) {
    if args.significance.paired.is_some() && segments < FEW && !args.work.quiet {
        output::warn(format_args!(
            "only {segments} segments: with so few, p-values of resampling tests are too small"
        ));
    }
}

fn files(args: &ScoreArgs) -> Files<'_> {
    Files {
        hypotheses: &args.hypotheses,
        names: &args.texts.name,
        reference: &args.texts.reference,
        source: args.source.as_deref(),
        quiet: args.work.quiet,
        layout: &args.input,
    }
}
