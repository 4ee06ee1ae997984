//! `tercet reproduce`: computes the tables of a paper again.

use crate::args::{Paper, ReproduceArgs, Train};
use crate::output::{self, Misuse};
use crate::progress::with_checkpoints;
use crate::registry;
use crate::work;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tercet::encode::PrecomputedVectors;
use tercet_reproduce::guzman::{self, Limits, TrainingSize, VectorFile};
use tercet_reproduce::{reval, ruse};

/// Reads the data, runs what is not in the cache, reports.
pub fn run(args: &ReproduceArgs) -> anyhow::Result<()> {
    work::start(&args.work)?;
    output::check(args.output.as_deref(), read_files(args))?;
    let reproduction = match args.paper {
        Paper::Guzman => {
            let settings = guzman_settings(args)?;
            with_checkpoints(args.work.quiet, |progress| guzman::reproduce(&settings, registry(), progress))?
        }
        Paper::Reval => {
            let settings = reval_settings(args)?;
            with_checkpoints(args.work.quiet, |progress| reval::reproduce(&settings, registry(), progress))?
        }
        Paper::Ruse => {
            let settings = ruse_settings(args)?;
            with_checkpoints(args.work.quiet, |progress| ruse::reproduce(&settings, registry(), progress))?
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
    let named = [&args.paraphrase, &args.syntax, &args.reval];
    named.into_iter().filter_map(|path| path.as_deref()).chain(vectors)
}

/// Flags that one paper takes and another does not.
fn refuse_others(paper: &str, flags: &[(&str, &str, bool)]) -> Result<(), Misuse> {
    match flags.iter().find(|(_, _, given)| *given) {
        Some((flag, of, _)) => Err(Misuse(format!("{flag} is for {of}, not for {paper}"))),
        None => Ok(()),
    }
}

/// The flags of ruse alone.
fn of_ruse(args: &ReproduceArgs) -> [(&'static str, &'static str, bool); 2] {
    [("--metric", "ruse", !args.metric.is_empty()), ("--reval", "ruse", args.reval.is_some())]
}

/// The flags of guzman alone.
fn of_guzman(args: &ReproduceArgs) -> [(&'static str, &'static str, bool); 6] {
    [
        ("--train", "guzman", args.train.is_some()),
        ("--syntax", "guzman", args.syntax.is_some()),
        ("--no-syntax", "guzman", args.no_syntax),
        ("--patience", "guzman", args.patience.is_some()),
        ("--encoded-epochs", "guzman", args.encoded_epochs.is_some()),
        ("--encoded-patience", "guzman", args.encoded_patience.is_some()),
    ]
}

/// The number of seeds of papers that have some.
const SEEDS: u32 = 5;

fn guzman_settings(args: &ReproduceArgs) -> anyhow::Result<guzman::Settings> {
    refuse_others("guzman", &of_ruse(args))?;
    let tables = args.table.iter().map(|table| table.parse()).collect::<Result<_, tercet::Error>>()?;
    let defaults = guzman::Settings::new(data(args)?);
    let limits = |defaults: Limits, epochs: Option<u32>, patience: Option<u32>| Limits {
        epochs: epochs.map_or(defaults.epochs, |epochs| epochs as usize),
        patience: patience.map_or(defaults.patience, |patience| patience as usize),
    };
    let mut settings = guzman::Settings {
        tables,
        seeds: u64::from(args.seeds.unwrap_or(SEEDS)),
        train: args.train.map(|train| match train {
            Train::TenThousand => TrainingSize::TenThousand,
            Train::All => TrainingSize::All,
            Train::Both => TrainingSize::Both,
        }),
        paraphrase: args.paraphrase.clone(),
        vectors: args.vectors.iter().map(|given| vectors(given)).collect::<anyhow::Result<_>>()?,
        encoders: encoders(args)?,
        ready: limits(defaults.ready, args.epochs, args.patience),
        encoded: limits(defaults.encoded, args.encoded_epochs, args.encoded_patience),
        fresh: args.fresh,
        ..defaults
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

fn reval_settings(args: &ReproduceArgs) -> anyhow::Result<reval::Settings> {
    let of_both = [("--encoder", "guzman and ruse", !args.encoder.is_empty())];
    refuse_others("reval", &[&of_guzman(args)[..], &of_ruse(args), &of_both].concat())?;
    let word_vectors = wiki_vectors(args, "reval")?;
    let defaults = reval::Settings::new(data(args)?);
    Ok(reval::Settings {
        tables: args.table.iter().map(|table| table.parse()).collect::<Result<_, tercet::Error>>()?,
        seeds: u64::from(args.seeds.unwrap_or(SEEDS)),
        epochs: args.epochs.map(|epochs| epochs as usize),
        vectors: word_vectors,
        paraphrase: args.paraphrase.clone(),
        cache: args.cache.clone().or_else(|| defaults.cache.clone()),
        fresh: args.fresh,
        ..defaults
    })
}

fn ruse_settings(args: &ReproduceArgs) -> anyhow::Result<ruse::Settings> {
    let of_both = [
        ("--seeds", "guzman and reval", args.seeds.is_some()),
        ("--epochs", "guzman and reval", args.epochs.is_some()),
        ("--table", "guzman and reval", !args.table.is_empty() && args.table != ["2"]),
    ];
    refuse_others("ruse", &[&of_guzman(args)[..], &of_both].concat())?;
    let defaults = ruse::Settings::new(data(args)?);
    Ok(ruse::Settings {
        encoders: encoders(args)?,
        reval: args.reval.clone(),
        metrics: args.metric.clone(),
        vectors: wiki_vectors(args, "ruse")?,
        paraphrase: args.paraphrase.clone(),
        cache: args.cache.clone().or_else(|| defaults.cache.clone()),
        fresh: args.fresh,
        ..defaults
    })
}

/// The encoders with their names.
fn encoders(args: &ReproduceArgs) -> Result<Vec<(String, String)>, Misuse> {
    let encoder = |given: &String| {
        let (name, spec) = given.split_once('=').ok_or_else(|| {
            Misuse(format!(
                "--encoder: expected NAME=ENCODER, as in glove=average:file=glove.6B.50d.txt, found {given}"
            ))
        })?;
        Ok((name.to_owned(), spec.to_owned()))
    };
    args.encoder.iter().map(encoder).collect()
}

/// The file of the word vectors that papers other than guzman take.
fn wiki_vectors(args: &ReproduceArgs, paper: &str) -> anyhow::Result<Option<PathBuf>> {
    let mut word_vectors = None;
    for given in &args.vectors {
        match vectors(given)? {
            (VectorFile::WikiGw50, path) => word_vectors = Some(path),
            (other, _) => {
                let name = other.name();
                return Err(Misuse(format!("--vectors {name}: {paper} takes wiki-gw50 only")).into());
            }
        }
    }
    Ok(word_vectors)
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
    let needed = match args.paper {
        Paper::Guzman => "wmt12-rr, wmt13-rr and wmt14-rr",
        Paper::Reval => "wmt12-rr to wmt16-rr, sick and glove50-subset",
        Paper::Ruse => "da-wmt15, da-wmt16 and glove50-subset",
    };
    shared.or(beside).ok_or_else(|| {
        Misuse(format!(
            "no data: give the folder that contains {needed} with --data, or its parent in TERCET_SHARED"
        ))
    })
}
