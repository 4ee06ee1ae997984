//! Scores as a submission to the WMT metrics task.

use crate::args::SubmissionArgs;
use crate::output::{self, Misuse};
use anyhow::Context;
use tercet::corpora::{Level, MetricScores, ScoredSet, Submission, gzip, system_of_file};
use tercet::files::portable_name;
use tercet::scoring::{Cell, Column, Evaluation};

/// Writes two files for each metric, if --submission is given.
pub fn write(evaluation: &Evaluation, args: &SubmissionArgs) -> anyhow::Result<()> {
    let (Some(folder), Some(pair), Some(test_set)) = (&args.submission, &args.lang_pair, &args.test_set) else {
        return Ok(());
    };
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let set = ScoredSet { pair, test_set, ..ScoredSet::default() };
    let names: Vec<String> = evaluation.systems.iter().map(|system| system_of_file(system).to_owned()).collect();
    if let Some((i, name)) = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
        let (first, second) = (&evaluation.systems[0], &evaluation.systems[i]);
        let why = format!("two systems would be called {name} (among {first} and {second})");
        return Err(Misuse(format!("--submission: {why}: give each a name with --name")).into());
    }
    for column in &evaluation.columns {
        for level in [Level::Segment, Level::System] {
            let scores = scores(evaluation, column, level, args);
            let text = Submission::from_scores(&scores, &set, args.year)?.write()?;
            let name = format!("{}.{}.score.gz", portable_name(&column.metric), level.code());
            output::write_bytes(&gzip(&text), &folder.join(name))?;
        }
    }
    Ok(())
}

fn scores(evaluation: &Evaluation, column: &Column, level: Level, args: &SubmissionArgs) -> MetricScores {
    let values = |cell: &Cell| match level {
        Level::Segment => cell.segments.iter().copied().map(Some).collect(),
        _ => vec![Some(cell.score)],
    };
    MetricScores {
        metric: format!("{}-{}", column.metric, args.reference_name),
        level,
        systems: evaluation.systems.iter().map(|system| system_of_file(system).to_owned()).collect(),
        values: column.cells.iter().map(values).collect(),
    }
}
