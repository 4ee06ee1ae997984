//! Fits how often people prefer the system with the better score, by the difference of the scores: the files
//! `people_agree.tsv` that metrics keep in their folders.
//!
//!     cargo run --release -p tercet --example people_agree -- DATA [METRIC…]
//!
//! DATA is the folder with `wmt12-rr` to `wmt16-rr`, `from-english`, `wmt19-darr` and `judged`, as `docs/data.md`
//! describes them; of each, what is there is used. Without metrics, all that need no model file are fitted, chrF++ too.
//! A metric that learned from judgements is fitted to the sets that it has not seen; its rows are those of its model's
//! hash. For each metric it prints the parameters of the curve, the error of the stated share on the sets that were
//! left
//! out in turn, and the difference for shares of 60% to 90% on 1,000 segments.
//!
//! # Method
//! The pairs of systems of a campaign (a set and a language pair) are compared on all segments that both translated,
//! and
//! on 50, 100, 200, 400 and 1,000 of them, drawn once. People's verdict is always that of the whole campaign: wins in
//! relative rankings, mean scores otherwise. Human translations are no systems. A pair weighs 2 / m in a campaign of m
//! systems, which has about m − 1 independent pairs. The curve of `people_agree.rs` is fitted by maximum likelihood
//! (Fisher scoring), with one s for English and one for other target languages; for an unknown target there is one s.
//! Intervals are quantiles of 200 fits to campaigns drawn with replacement.
//!
//! The error is the mean over five bins of equal weight, ordered by the stated share, of |stated − observed|, on whole
//! test sets of sets (years) that took no part in the fit. Beside it is that of "p < 0.05 means better": 1 is stated
//! for
//! significant differences and ½ for others, by a jackknife over 50 blocks of segments.

#![allow(clippy::print_stdout)]

mod campaigns;
mod curve;

use campaigns::{Campaign, Comparison};
use curve::{Curve, Quality};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tercet::metrics::{NamedMetric, PeopleAgreeCurve, Registry, Spec, Target};
use tercet::text::Language;

fn main() -> tercet::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((data, asked)) = arguments.split_first() else {
        println!("usage: people_agree DATA [METRIC…]");
        return Ok(());
    };
    let registry = tercet::registry();
    let names: Vec<String> = match asked {
        [] => {
            let fitted = registry.metrics().iter().filter(|info| info.needs.is_none() && info.preference.is_none());
            fitted.map(|info| info.name.to_owned()).chain(["chrf:word_order=2".to_owned()]).collect()
        }
        asked => asked.to_vec(),
    };
    let campaigns = campaigns::read(Path::new(data))?;
    for name in names {
        fit(&name, &campaigns, &registry)?;
    }
    Ok(())
}

/// Fits a metric and writes its rows.
fn fit(name: &str, campaigns: &[Campaign], registry: &Registry) -> tercet::Result<()> {
    let (key, file) = place_of(name, registry)?;
    let seen = registry.build(name)?.learned_from().unwrap_or_default().to_owned();
    let mut comparisons: Vec<Comparison> = Vec::new();
    let mut sets: Vec<&str> = Vec::new();
    for (number, campaign) in campaigns.iter().enumerate() {
        let is_seen = seen.split(", ").any(|one| one.split(' ').next() == Some(&campaign.set));
        let language = Language::target(&campaign.pair).ok();
        let is_for_it = seen.is_empty() || Target::from(language.as_ref()) == Target::English;
        if is_seen || !is_for_it {
            continue;
        }
        comparisons.extend(campaign.compare(number, &registry.named(name, language.as_ref())?)?);
        if !sets.contains(&campaign.set.as_str()) {
            sets.push(&campaign.set);
        }
    }
    if comparisons.is_empty() {
        println!("{key}: no judgements that it has not seen");
        return Ok(());
    }
    let quality = Quality::measure(&comparisons);
    let mut rows = String::new();
    for target in [Target::English, Target::Other, Target::Unknown] {
        if target == Target::Unknown || comparisons.iter().any(|of| of.target == target) {
            rows += &Curve::with_interval(&comparisons, target).rows(&key, target);
        }
    }
    let about = format!(
        "{} pairs of systems in {} campaigns of {}; error of the stated share on sets left out {:.3}, \
         of p < 0.05 {:.3}",
        quality.pairs,
        quality.campaigns,
        sets.join(", "),
        quality.error,
        quality.error_of_p
    );
    println!("{key}: {about}");
    write(&file, &key, &about, &rows)?;
    let text = std::fs::read_to_string(&file).expect("just written");
    for target in [Target::English, Target::Other] {
        let Some(found) = PeopleAgreeCurve::find(&text, &Spec::parse("metric", &key)?, target) else { continue };
        let at = [0.6, 0.7, 0.8, 0.85, 0.9].map(|share| match found.difference(share, 1000) {
            Some(difference) => format!("{:.0}% {difference:.4}", 100.0 * share),
            None => format!("{:.0}% –", 100.0 * share),
        });
        println!("  {}: {}", target.name(), at.join(", "));
    }
    Ok(())
}

/// What the rows of a metric are called, and its file: that of its folder.
fn place_of(name: &str, registry: &Registry) -> tercet::Result<(String, PathBuf)> {
    let NamedMetric { metric, .. } = registry.named(name, None)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = match metric.info().name {
        "sentbleu" => "bleu",
        "wip" => "wil",
        name => name,
    };
    let lexical = root.join("tercet-metrics/src").join(folder);
    let folder = if lexical.is_dir() { lexical } else { root.join("tercet-neural/src").join(folder) };
    let signature = metric.signature();
    let given = Spec::parse("metric", name)?.without_qualifiers();
    let key = match signature.qualifier("sha256") {
        Some(hash) => Spec::new(signature.name())
            .with_option("scale", signature.option("scale").unwrap_or("points"))
            .with("sha256", hash)
            .to_string(),
        None => given.to_string(),
    };
    Ok((key, folder.join("people_agree.tsv")))
}

/// Replaces the rows of a metric in its file.
fn write(path: &Path, key: &str, about: &str, rows: &str) -> tercet::Result<()> {
    const HEADER: &str = "metric\ttarget\tsegments\tdifference\tshare\tlow\thigh";
    let before = std::fs::read_to_string(path).unwrap_or_default();
    let (mut notes, mut by_metric): (BTreeMap<String, String>, BTreeMap<String, String>) = Default::default();
    for line in before.lines().filter(|line| *line != HEADER) {
        match line.strip_prefix("# ").and_then(|note| note.split_once(": ")) {
            Some((of, note)) => drop(notes.insert(of.to_owned(), note.to_owned())),
            None => {
                *by_metric.entry(line.split('\t').next().unwrap_or_default().to_owned()).or_default() +=
                    &format!("{line}\n")
            }
        }
    }
    notes.insert(key.to_owned(), about.to_owned());
    by_metric.insert(key.to_owned(), rows.to_owned());
    let notes: String = notes.iter().map(|(of, note)| format!("# {of}: {note}\n")).collect();
    let rows: String = by_metric.into_values().collect();
    let text = format!("{notes}{HEADER}\n{rows}");
    Ok(tercet::files::write(path, text.as_bytes())?)
}
