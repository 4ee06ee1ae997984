//! `tercet systems`: ranks systems by human judgements.

use super::judgements::sources;
use crate::args::{AverageTest, Resample, SharedOutputs, SystemsArgs};
use crate::output::{self, Misuse};
use crate::progress::with_progress;
use crate::work::{self, some_seed};
use std::path::PathBuf;
use tercet::corpora::JudgementSource;
use tercet::meta_evaluation::systems::{
    self, Method, RankRequest, ResamplingUnit, SystemRanking, Test, rank_systems,
};
use tercet::progress::Progress;
use tercet::report;

/// Reads, ranks, reports.
pub fn run(args: &SystemsArgs) -> anyhow::Result<()> {
    work::start(&args.work)?;
    check_flags(args)?;
    args.target.check_ending_without_page()?;
    output::check(args.target.output.as_deref(), args.paths.iter().map(PathBuf::as_path))?;
    let methods = args.method.iter().map(|name| Method::from_name(name)).collect::<Result<Vec<_>, _>>()?;
    let request = request(args)?;
    let sources = sources(&args.paths, &args.pair)?;
    let rankings = with_progress(args.work.quiet, |progress| {
        rank_all(&sources, &methods, &request, args.work.quiet, progress)
    })?;
    let text = report::write_systems(
        &rankings,
        args.target.format(),
        usize::from(args.width),
        args.target.terminal(),
    );
    output::write(&text, args.target.output.as_deref())
}

/// Returns an error if a flag has no effect on the requested methods.
fn check_flags(args: &SystemsArgs) -> Result<(), Misuse> {
    let only = |average: bool| {
        !args.method.is_empty() && args.method.iter().all(|name| (name == "average") == average)
    };
    let refuse = |flag: &str, of: &str| {
        Err(Misuse(format!("{flag} is for {of}, which are not requested by --method")))
    };
    match () {
        () if only(true) && args.resample.is_some() => refuse("--resample", "rankings"),
        () if only(true) && args.shared_outputs.is_some() => refuse("--shared-outputs", "rankings"),
        () if only(false) && args.scores.is_some() => refuse("--scores", "averages"),
        () if only(false) && args.test.is_some() => refuse("--test", "averages"),
        () => Ok(()),
    }
}

/// The request of all methods.
fn request(args: &SystemsArgs) -> Result<RankRequest, Misuse> {
    let resampling = args.resample.map(|what| match what {
        Resample::None => ResamplingUnit::None,
        Resample::Comparisons => ResamplingUnit::Comparisons,
        Resample::Rankings => ResamplingUnit::Rankings,
    });
    let shared_outputs = match args.shared_outputs {
        None | Some(SharedOutputs::Tie) => systems::SharedOutputs::Tied,
        Some(SharedOutputs::Skip) => systems::SharedOutputs::NotCompared,
    };
    let test = match args.test {
        None | Some(AverageTest::RankSum) => Test::RankSum,
        Some(AverageTest::Paired) => Test::Paired,
    };
    Ok(RankRequest {
        runs: args.runs as usize,
        seed: some_seed(&args.seed)?,
        resampling,
        shared_outputs,
        scores: args.scores.clone(),
        test,
        ..RankRequest::new(Method::TrueSkill)
    })
}

/// Every method on every language pair. If there are several pairs, those that cannot be ranked are left out with a warning.
fn rank_all(
    sources: &[JudgementSource],
    methods: &[Method],
    request: &RankRequest,
    quiet: bool,
    progress: Progress<'_>,
) -> anyhow::Result<Vec<SystemRanking>> {
    progress.stage("ranking systems", sources.len() * methods.len().max(1) * request.runs, "runs")?;
    let mut rankings = Vec::new();
    let mut refused = None;
    for source in sources {
        let judgements = source.read()?;
        let own = [Method::for_judgements(&judgements)];
        for &method in if methods.is_empty() { &own[..] } else { methods } {
            let request = RankRequest { method, ..request.clone() };
            match rank_systems(&judgements, &request, progress) {
                Ok(ranking) => rankings.push(ranking),
                Err(error @ tercet::Error::Unusable(_)) => {
                    if let Some(earlier) = refused.replace(error) {
                        warn(&earlier, quiet);
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
    match refused {
        Some(error) if rankings.is_empty() => Err(error.into()),
        Some(error) => {
            warn(&error, quiet);
            Ok(rankings)
        }
        None => Ok(rankings),
    }
}

fn warn(error: &tercet::Error, quiet: bool) {
    if !quiet {
        output::warn(error);
    }
}
