//! `tercet reproduce`: computes the tables of a paper again.

use crate::args::{Paper, ReproduceArgs, Train};
use crate::output::{self, Misuse};
use crate::progress::with_checkpoints;
use crate::work;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tercet::encode::PrecomputedVectors;
use tercet_reproduce::guzman::{self, Limits, Settings, TrainingSize, VectorFile};

/// Reads the data, runs what is not in the cache, reports.
pub fn run(args: &ReproduceArgs) -> anyhow::Result<()> {
    work::start(&args.work)?;
    output::check(args.output.as_deref(), read_files(args))?;
    let reproduction = match args.paper {
        Paper::Guzman => {
            let settings = settings(args)?;
            with_checkpoints(args.work.quiet, |progress| guzman::reproduce(&settings, progress))?
        }
    };
    if !args.work.quiet {
        output::warn_of_damaged(&reproduction.damaged);
    }
    output::write(&tercet_reproduce::write(&reproduction, args.format.into())?, args.output.as_deref())
}

/// The files that flags name.
fn read_files(args: &ReproduceArgs) -> impl Iterator<Item = &Path> {
    let vectors =
        args.vectors.iter().filter_map(|given| given.split_once('=')).map(|(_, path)| Path::new(path));
    args.paraphrase.as_deref().into_iter().chain(args.syntax.as_deref()).chain(vectors)
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
        settings.syntax = Some(Arc::new(PrecomputedVectors::read(path)?));
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

/// The folder of the judgements.
fn data(args: &ReproduceArgs) -> Result<PathBuf, Misuse> {
    if let Some(folder) = &args.data {
        return Ok(folder.clone());
    }
    let shared = std::env::var_os("TERCET_SHARED").map(|folder| PathBuf::from(folder).join("data"));
    let beside = Some(PathBuf::from("../shared/data")).filter(|folder| folder.is_dir());
    shared.or(beside).ok_or_else(|| {
        Misuse(
            "no data: give the folder that contains wmt12-rr, wmt13-rr and wmt14-rr with --data, or its parent in TERCET_SHARED"
                .to_owned(),
        )
    })
}
