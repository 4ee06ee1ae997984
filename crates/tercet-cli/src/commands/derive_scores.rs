//! `tercet derive-scores`: scores of translations from rankings.

use super::judgements::sources;
use crate::args::{DeriveScoresArgs, Divisor, EqualOutputs, EqualScores, FromPairs, Scope, TrainingSet};
use crate::output::{self, Misuse};
use crate::progress::with_progress;
use crate::work;
use std::path::{Path, PathBuf};
use tercet::corpora::{JudgementSource, Judgements, find_judgements};
use tercet::learned::write_derived_scores;
use tercet::learned::{self, DerivationSettings, DerivedScores, PairsReading, ThresholdGroup, derive_scores};
use tercet::progress::Progress;
use tercet::report::Format;

/// Reads, derives, writes.
pub fn run(args: &DeriveScoresArgs) -> anyhow::Result<()> {
    work::start(&args.work)?;
    args.target.check_ending_without_page()?;
    let output = args.target.output.as_deref();
    output::check(output, args.paths.iter().chain(&args.add).map(PathBuf::as_path))?;
    let settings = settings(args)?;
    let ranked = sources(&args.paths, &args.pair)?;
    let mut added = Vec::new();
    for path in &args.add {
        added.extend(find_judgements(path)?);
    }
    let scores = with_progress(args.work.quiet, |progress| {
        derive(&ranked, &added, &settings, args.work.quiet, progress)
    })?;
    if !args.work.quiet {
        warn_of_little(args, &scores);
    }
    let format = args.target.format();
    output::write(&write_derived_scores(&scores, format), output)?;
    let is_table = matches!(format, Format::Text | Format::Markdown | Format::Latex);
    if is_table || output.is_none_or(|path| path == Path::new("-")) {
        return Ok(());
    }
    output::print(&write_derived_scores(&scores, Format::Text))
}

/// Below this number of comparisons, τ says little about a threshold.
const FEW: usize = 30;

/// Warns if no score could be derived, or a threshold was found by few comparisons.
fn warn_of_little(args: &DeriveScoresArgs, scores: &DerivedScores) {
    let kept: usize = scores.groups.iter().map(|group| group.kept).sum();
    if kept == 0 {
        let (times, tip) = match args.set {
            TrainingSet::L => {
                (4, "; --set xl takes those that were ranked 3 times, --set lnf those whose ranks differ")
            }
            TrainingSet::Xl => (3, ""),
            TrainingSet::Lnf => (4, ""),
        };
        output::warn(format!(
            "no score: no translation was ranked {times} times or more often with ranks that agree{tip}"
        ));
    }
    let few =
        |group: &&ThresholdGroup| group.threshold.is_some() && group.kept > 0 && group.comparisons < FEW;
    let few: Vec<String> = scores
        .groups
        .iter()
        .filter(few)
        .map(|group| format!("n = {} ({})", group.n, group.comparisons))
        .collect();
    if !few.is_empty() && args.threshold.is_empty() {
        output::warn(format!(
            "thresholds that were found by fewer than {FEW} comparisons, and may throw much away: {} (--threshold N=VARIANCE gives them, \
             --scope at-least finds them with those that were ranked more often)",
            few.join(", ")
        ));
    }
}

fn derive(
    ranked: &[JudgementSource],
    added: &[JudgementSource],
    settings: &DerivationSettings,
    quiet: bool,
    progress: Progress<'_>,
) -> anyhow::Result<DerivedScores> {
    progress.stage("reading judgements", ranked.len() + added.len(), "sets")?;
    let read = |source: &JudgementSource| -> anyhow::Result<Judgements> {
        let judgements = source.read()?;
        progress.advance(1)?;
        Ok(judgements)
    };
    let judgements = ranked.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
    let mut scores = derive_scores(&with_ranks(judgements, settings, quiet)?, settings)?;
    for source in added {
        scores.add(&read(source)?)?;
    }
    Ok(scores)
}

/// The sets that have ranks. The others are left out with a warning, unless `--from-pairs` says how to read them.
fn with_ranks(
    judgements: Vec<Judgements>,
    settings: &DerivationSettings,
    quiet: bool,
) -> Result<Vec<Judgements>, Misuse> {
    if settings.pairs != PairsReading::Refused {
        return Ok(judgements);
    }
    let only_pairs = |one: &Judgements| one.rankings.is_empty() && !one.comparisons.is_empty();
    let (left_out, kept): (Vec<_>, Vec<_>) = judgements.into_iter().partition(only_pairs);
    if left_out.is_empty() {
        return Ok(kept);
    }
    let names: Vec<String> = left_out.iter().map(|one| format!("{} {}", one.set, one.pair)).collect();
    let what = format!(
        "no ranks from 1 to 5 in {}, only which of two translations is better; --from-pairs recovered or --from-pairs wins takes these",
        names.join(", ")
    );
    if kept.is_empty() {
        return Err(Misuse(what));
    }
    if !quiet {
        output::warn(what);
    }
    Ok(kept)
}

fn settings(args: &DeriveScoresArgs) -> Result<DerivationSettings, Misuse> {
    Ok(DerivationSettings {
        set: match args.set {
            TrainingSet::L => learned::TrainingSet::L,
            TrainingSet::Lnf => learned::TrainingSet::Lnf,
            TrainingSet::Xl => learned::TrainingSet::Xl,
        },
        variance: match args.variance {
            Divisor::N => learned::VarianceDivisor::N,
            Divisor::NMinusOne => learned::VarianceDivisor::NMinusOne,
        },
        equal_scores: match args.equal_scores {
            EqualScores::Denominator => learned::EqualScores::InDenominator,
            EqualScores::LeftOut => learned::EqualScores::LeftOut,
        },
        scope: match args.scope {
            Scope::Exactly => learned::ThresholdScope::Exactly,
            Scope::AtLeast => learned::ThresholdScope::AtLeast,
        },
        equal_outputs: match args.equal_outputs {
            EqualOutputs::One => learned::EqualOutputs::OneTranslation,
            EqualOutputs::PerSystem => learned::EqualOutputs::PerSystem,
        },
        pairs: match args.from_pairs {
            None => PairsReading::Refused,
            Some(FromPairs::Recovered) => PairsReading::Recovered,
            Some(FromPairs::Wins) => PairsReading::ShareOfWins,
        },
        minimum_tau: args.minimum_tau,
        step: args.step,
        thresholds: args.threshold.iter().map(|given| threshold(given)).collect::<Result<_, _>>()?,
    })
}

/// `N=VARIANCE`.
fn threshold(given: &str) -> Result<(usize, f64), Misuse> {
    let read =
        given.split_once('=').and_then(|(n, variance)| Some((n.parse().ok()?, variance.parse().ok()?)));
    read.ok_or_else(|| Misuse(format!("--threshold: expected N=VARIANCE, as in 4=0.5, found {given}")))
}
