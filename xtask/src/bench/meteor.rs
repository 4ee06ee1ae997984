//! `cargo xtask bench meteor`: METEOR compared with its jar, with the English paraphrase table that comes with it.

use super::agreement::Agreement;
use super::machine::said_by;
use super::peers::{self, PYCOCOEVALCAP};
use super::record::{About, Column};
use super::rows::{Peer, Row, Texts, paths, words};
use super::suite::{self, Programs, SuiteArgs};
use crate::golden::shared;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;

pub fn run(args: &SuiteArgs) -> Result<()> {
    let shared = shared()?;
    let texts = Texts::wmt17(&shared)?;
    let resources = shared.join("data/meteor/resources");
    if !peers::has_java() {
        bail!("no Java to run METEOR's jar with");
    }
    let jar = peers::meteor(args.runs.keep_venv.as_deref())?;
    let table = jar.with_file_name("data").join("paraphrase-en.gz");
    if !table.is_file() {
        bail!("no paraphrase table at {} (METEOR's jar looks for it there)", table.display());
    }
    let about = About {
        file: "meteor",
        title: "METEOR",
        text: "WMT17 German–English, 11 systems in one file of 33,044 segments, as they are (no -norm); medians of interleaved \
               runs; the peer is METEOR 1.5's jar (java -Xmx2G). Both use METEOR's own resources and its English table of 5.3 \
               million paraphrases, which tercet keeps in a compact form after the first time. Corpus scores were compared \
               before anything was timed. Memory has a bar too: at most a quarter of the JVM's.",
        tools: [
            ("java", said_by("java", &["--version"])),
            ("meteor", format!("1.5, by default of {} {}", PYCOCOEVALCAP.name, PYCOCOEVALCAP.version)),
        ]
        .into(),
    };
    let programs = Programs { python: "python3".into(), tercet: suite::tercet(args)? };
    suite::run(args, &about, &programs, |scratch| rows(&texts, &resources, &jar, &table, &programs, scratch))
}

fn rows(
    texts: &Texts,
    resources: &Path,
    jar: &Path,
    table: &Path,
    programs: &Programs,
    scratch: &Path,
) -> Result<Vec<Row>> {
    let (reference, hypothesis) = texts.joined(scratch)?;
    let row = |work: &str, modules: &str, option: &str, bar: f64, cache: &Path| {
        let metric = format!(
            "meteor:norm=no,modules={},data={}{option}",
            modules.replace(' ', "+"),
            resources.display()
        );
        let mut theirs =
            [words("-Xmx2G -jar"), paths(&[jar, &hypothesis, &reference]), words("-q -l en -m")].concat();
        theirs.push(modules.to_owned());
        let mut ours =
            [words("score --quiet --threads 1 -f json -r"), paths(&[&reference]), words("-m")].concat();
        ours.extend([metric, hypothesis.to_string_lossy().into_owned()]);
        Row {
            work: work.to_owned(),
            peer: Peer::Meteor,
            theirs,
            ours,
            bar,
            memory_bar: 4.0,
            column: Column::Cpu,
            agreement: Agreement::LastNumber,
            peer_once: false,
            environment: vec![("XDG_CACHE_HOME".to_owned(), cache.to_string_lossy().into_owned())],
        }
    };
    let option = format!(",paraphrase={}", table.display());
    let cache = scratch.join("cache");
    let all = "exact stem synonym paraphrase";
    let warm = row("all four modules, table from its cached form", all, &option, 10.0, &cache);
    let first =
        Command::new(&programs.tercet).args(&warm.ours).envs(warm.environment.iter().cloned()).output();
    if !first.context("cannot run tercet")?.status.success() {
        bail!("tercet cannot score with the paraphrase table: {}", warm.ours.join(" "));
    }
    // A file in place of the cache folder: nothing can be cached.
    let nowhere = scratch.join("joined.ref");
    Ok(vec![
        row("exact, stem, synonym", "exact stem synonym", "", 10.0, &cache),
        warm,
        row("all four modules, table read each time", all, &option, 1.0, &nowhere),
    ])
}
