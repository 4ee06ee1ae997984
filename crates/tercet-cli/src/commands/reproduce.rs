//! `tercet reproduce`: do a paper's tables come out?

use crate::args::{Paper, ReproduceArgs, Train};
use crate::output::{self, Misuse};
use crate::work::{progress_bar, start_threads};
use indicatif::ProgressBar;
use std::path::{Path, PathBuf};
use tercet::encode::PrecomputedVectors;
use tercet::report;
use tercet::reproduce::guzman::{self, Limits, Settings, TrainingSize, VectorFile};
use tercet::reproduce::{Progress, Reproduction};

/// Reads, runs what has not been run, reports.
pub fn run(args: &ReproduceArgs) -> anyhow::Result<()> {
    start_threads(args.work.threads)?;
    output::check(args.output.as_deref(), read_files(args))?;
    let bar = progress_bar(0, "runs", args.work.quiet);
    let reproduction = match args.paper {
        Paper::Guzman => guzman(args, &bar),
    };
    bar.finish_and_clear();
    output::write(&report::write_reproduction(&reproduction?, args.format.into())?, args.output.as_deref())
}

/// The files that flags name.
fn read_files(args: &ReproduceArgs) -> impl Iterator<Item = &Path> {
    let vectors =
        args.vectors.iter().filter_map(|given| given.split_once('=')).map(|(_, path)| Path::new(path));
    args.paraphrase.as_deref().into_iter().chain(args.syntax.as_deref()).chain(vectors)
}

fn guzman(args: &ReproduceArgs, bar: &ProgressBar) -> anyhow::Result<Reproduction> {
    Ok(guzman::reproduce(&settings(args)?, &|progress| show(bar, progress))?)
}

fn show(bar: &ProgressBar, progress: Progress<'_>) {
    match progress {
        Progress::Planned { runs, finished } => {
            bar.set_length(runs as u64);
            bar.set_position(finished as u64);
        }
        Progress::Preparing(what) | Progress::Begins(what) => bar.set_message(format!("{what} ")),
        Progress::Ends(_) => bar.inc(1),
    }
}

fn settings(args: &ReproduceArgs) -> anyhow::Result<Settings> {
    let tables = args.table.iter().map(|table| table.parse()).collect::<Result<_, tercet::Error>>()?;
    let mut settings = Settings {
        tables,
        seeds: u64::from(args.seeds),
        train: args.train.map(|train| match train {
            Train::TenThousand => TrainingSize::TenThousand,
            Train::All => TrainingSize::All,
            Train::Both => TrainingSize::Both,
        }),
        paraphrase: args.paraphrase.clone(),
        vectors: args.vectors.iter().map(|given| vectors(given)).collect::<anyhow::Result<_>>()?,
        ready: Limits { epochs: args.epochs as usize, patience: args.patience as usize },
        encoded: Limits { epochs: args.encoded_epochs as usize, patience: args.encoded_patience as usize },
        fresh: args.fresh,
        ..Settings::new(data(args)?)
    };
    if let Some(path) = &args.syntax {
        settings.syntax = Some(Box::new(PrecomputedVectors::read(path)?));
    } else if args.no_syntax {
        settings.syntax = None;
    }
    if let Some(cache) = &args.cache {
        settings.cache = Some(cache.clone());
    }
    Ok(settings)
}

/// `NAME=FILE`.
fn vectors(given: &str) -> anyhow::Result<(VectorFile, PathBuf)> {
    let (name, path) = given.split_once('=').ok_or_else(|| {
        Misuse(format!("--vectors: expected NAME=FILE, as in wiki-gw50=glove.6B.50d.txt, found {given}"))
    })?;
    Ok((name.parse()?, PathBuf::from(path)))
}

/// Where the judgements are.
fn data(args: &ReproduceArgs) -> Result<PathBuf, Misuse> {
    if let Some(folder) = &args.data {
        return Ok(folder.clone());
    }
    let shared = std::env::var_os("TERCET_SHARED").map(|folder| PathBuf::from(folder).join("data"));
    let beside = Some(PathBuf::from("../shared/data")).filter(|folder| folder.is_dir());
    shared.or(beside).ok_or_else(|| {
        Misuse(
            "no data: name the folder that holds wmt12-rr, wmt13-rr and wmt14-rr with --data, or its parent in TERCET_SHARED"
                .to_owned(),
        )
    })
}
