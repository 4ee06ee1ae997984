//! Names of metrics that people type: of metrics that tercet does not have, several in one word, signatures of
//! sacreBLEU.

use crate::output::{self, Misuse};
use std::path::PathBuf;
use tercet::metrics::Registry;
use tercet::metrics::{NamedMetric, other_tool, read_sacrebleu_signature};
use tercet::scoring::MetricRequest;
use tercet::text::Language;

/// For several metrics given to `compare`.
pub const ONE_FOR_COMPARE: &str =
    "compare takes one metric; to score by several: tercet score -r REF -m bleu -m chrf A B";

/// The metrics of these names, for a language. All names and options are checked before the files of the first metric
/// are read.
pub fn build(
    names: &[String],
    language: Option<&Language>,
    quiet: bool,
    registry: &Registry,
) -> anyhow::Result<Vec<NamedMetric>> {
    let spec = |name: &String| {
        let spec = of_sacrebleu(name, quiet)?;
        registry.find(&spec).map_err(|error| explain(name, error, registry))?;
        Ok(spec)
    };
    let specs: Vec<String> = names.iter().map(spec).collect::<anyhow::Result<_>>()?;
    let one = |(name, spec): (&String, &String)| {
        registry.named(spec, language).map_err(|error| explain(name, error, registry))
    };
    names.iter().zip(&specs).map(one).collect()
}

/// Returns an error, with what to type, for metrics and options that do not exist.
pub fn check(metrics: &[MetricRequest], registry: &Registry) -> anyhow::Result<()> {
    metrics.iter().try_for_each(|metric| metric.check(registry).map_err(|error| explain(&metric.name, error, registry)))
}

/// The specification that a signature of sacreBLEU means; other names as they are. Warns of what it cannot say.
pub fn of_sacrebleu(name: &str, quiet: bool) -> anyhow::Result<String> {
    let Some(read) = read_sacrebleu_signature(name) else { return Ok(name.to_owned()) };
    let read = read?;
    for warning in read.warnings.iter().filter(|_| !quiet) {
        output::warn_of(warning);
    }
    Ok(read.spec.to_string())
}

/// Adds what to type to the error of a metric's name.
pub fn explain(name: &str, error: tercet::Error, registry: &Registry) -> anyhow::Error {
    match pointer(name) {
        Some(pointer) => Misuse(format!("no metric of tercet is called `{name}`: {pointer}")).into(),
        None => match several(name, registry) {
            Some(names) => Misuse(format!("`{name}` names several metrics: {}", give_each(&names))).into(),
            None => error.into(),
        },
    }
}

/// Returns an error if a metric stands where files are expected, as in `-m bleu chrf`.
pub fn check_files(files: &[PathBuf], metrics: &[String], registry: &Registry) -> Result<(), Misuse> {
    check_files_for(files, registry, |misplaced| {
        give_each(&metrics.iter().map(String::as_str).chain(misplaced.iter().copied()).collect::<Vec<_>>())
    })
}

/// The same with other advice, made of the metrics.
pub fn check_files_for(
    files: &[PathBuf],
    registry: &Registry,
    advice: impl FnOnce(&[&str]) -> String,
) -> Result<(), Misuse> {
    let is_metric = |file: &&PathBuf| !file.exists() && file.to_str().is_some_and(|name| registry.find(name).is_ok());
    let misplaced: Vec<&str> = files.iter().filter(is_metric).filter_map(|file| file.to_str()).collect();
    match misplaced.first() {
        None => Ok(()),
        Some(name) => {
            Err(Misuse(format!("there is no file {name}, but a metric of that name: {}", advice(&misplaced))))
        }
    }
}

/// What to type instead of the name of a metric.
pub fn pointer(name: &str) -> Option<String> {
    if let Some(tool) = other_tool(name) {
        return Some(format!("{tool} is another tool{}", output::SCORES_OF_OTHER_TOOLS));
    }
    let plain: String = name.to_lowercase().chars().filter(char::is_ascii_alphanumeric).take(40).collect();
    if plain.starts_with("spbleu") {
        return Some(
            "spBLEU is -m bleu:tok=flores200 (or flores101, spBLEU-1K), with the model of sacreBLEU".to_owned(),
        );
    }
    if plain == "sacrebleu" {
        return Some("sacreBLEU's metrics are -m bleu, -m chrf and -m ter".to_owned());
    }
    None
}

/// The metrics in a text that names more than one.
fn several<'t>(text: &'t str, registry: &Registry) -> Option<Vec<&'t str>> {
    let names: Vec<&str> = text.split([',', ' ']).map(str::trim).filter(|part| !part.is_empty()).collect();
    (names.len() > 1 && names.iter().all(|name| registry.find(name).is_ok())).then_some(names)
}

/// `give -m for each: -m bleu -m chrf`.
fn give_each(names: &[&str]) -> String {
    let each: Vec<String> = names.iter().map(|name| format!("-m {name}")).collect();
    format!("give -m for each: {}", each.join(" "))
}
