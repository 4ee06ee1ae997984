//! `tercet reproduce`: computes the tables of a paper again.

use crate::args::ReproduceArgs;
use crate::output::{self, Misuse};
use crate::progress::with_checkpoints;
use crate::work;
use std::path::{Path, PathBuf};
use tercet::metrics::Registry;
use tercet_reproduce::{Paper, ReproduceJob};

/// Reads the data, runs what is not in the cache, reports.
pub fn run(args: &ReproduceArgs, registry: &Registry) -> anyhow::Result<()> {
    work::start(&args.work)?;
    output::check(args.output.as_deref(), read_files(args))?;
    let job = job(args)?;
    let reproduction = with_checkpoints(args.work.quiet, registry, |progress| job.run(registry, progress))?.result;
    output::write(&tercet_reproduce::write(&reproduction, args.format)?, args.output.as_deref())
}

/// The files that flags name.
fn read_files(args: &ReproduceArgs) -> impl Iterator<Item = &Path> {
    let named = [&args.paraphrase, &args.syntax, &args.reval];
    let vectors = args.vectors.iter().map(|(_, path)| path.as_path());
    named.into_iter().filter_map(|path| path.as_deref()).chain(vectors)
}

fn job(args: &ReproduceArgs) -> Result<ReproduceJob, Misuse> {
    let number = |number: Option<u32>| number.map(|number| number as usize);
    let defaults = ReproduceJob::new(args.paper, data(args)?);
    Ok(ReproduceJob {
        tables: args.table.clone(),
        seeds: args.seeds.map(u64::from),
        train: args.train,
        paraphrase: args.paraphrase.clone(),
        vectors: args.vectors.clone(),
        encoders: args.encoder.clone(),
        metrics: args.metric.clone(),
        reval: args.reval.clone(),
        syntax: args.syntax.clone(),
        no_syntax: args.no_syntax,
        epochs: number(args.epochs),
        patience: number(args.patience),
        encoded_epochs: number(args.encoded_epochs),
        encoded_patience: number(args.encoded_patience),
        cache: args.cache.clone().or_else(|| defaults.cache.clone()),
        fresh: args.fresh,
        ..defaults
    })
}

/// The folder of the judgements.
fn data(args: &ReproduceArgs) -> Result<PathBuf, Misuse> {
    if let Some(folder) = &args.data {
        return Ok(folder.clone());
    }
    let shared = std::env::var_os("TERCET_SHARED").map(|folder| PathBuf::from(folder).join("data"));
    let beside = Some(PathBuf::from("../shared/data")).filter(|folder| folder.is_dir());
    let needed = match args.paper {
        Paper::Guzman => "wmt12-rr, wmt13-rr and wmt14-rr",
        Paper::Reval => "wmt12-rr to wmt16-rr, sick and glove50-subset",
        Paper::Ruse => "da-wmt15, da-wmt16 and glove50-subset",
    };
    shared.or(beside).ok_or_else(|| {
        Misuse(format!("no data: give the folder that contains {needed} with --data, or its parent in TERCET_SHARED"))
    })
}
