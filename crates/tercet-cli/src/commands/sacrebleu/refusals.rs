//! Checks of flags and inputs: errors of sacreBLEU, unsupported flags, warnings.

use super::failure::Failure;
use super::settings::Settings;
use crate::output;
use tercet::scoring::System;

/// Flags that need downloads.
const ONLINE: &[&str] = &["--download", "--citation", "--origlang", "--subset"];

/// Number of lines ending in a separate full stop from which text looks tokenized.
const TOKENIZED: usize = 100;

/// Returns an error for flags that need a download.
pub fn check_online(settings: &Settings) -> Result<(), Failure> {
    match ONLINE.iter().find(|flag| settings.has(flag)) {
        Some(flag) => Err(Failure::new(format!(
            "{flag} needs what sacreBLEU downloads; tercet works offline.\n\
             Fetch the test set with sacreBLEU (sacrebleu -t SET -l PAIR --echo ref > REF) and name the file: \
             tercet sacrebleu REF -i HYP"
        ))),
        None => Ok(()),
    }
}

/// Returns an error for flags that cannot be combined.
pub fn check_flags(settings: &Settings) -> Result<(), Failure> {
    let num_refs = settings.integer("--num-refs", 1) != 1;
    let refused = if settings.has("--sentence-level") && settings.metrics().len() > 1 {
        "Only one metric can be used in sentence-level mode."
    } else if num_refs && (settings.references().len() > 1 || settings.has("--test-set")) {
        "--num-refs is for a single file with tab-separated references: give one reference file."
    } else if settings.references().is_empty() && !settings.has("--test-set") {
        "There are no references: name them before -i/--input."
    } else if settings.text("--language-pair").is_some_and(|pair| !pair.is_empty())
        && settings.target_language().is_none()
    {
        "The language pair (-l) should be source and target, as en-zh."
    } else {
        return Ok(());
    };
    Err(Failure::new(refused))
}

/// Returns an error if the number of systems or lines does not match the flags.
pub fn check_systems(settings: &Settings, systems: &[System<'_>], references: &[Vec<&str>]) -> Result<(), Failure> {
    let (sentences, paired) = (settings.has("--sentence-level"), settings.paired_test().is_some());
    let uneven = |system: &System<'_>| references.iter().any(|stream| stream.len() != system.hypotheses.len());
    let refused = if sentences && systems.len() > 1 {
        "Only one system can be evaluated in sentence-level mode."
    } else if sentences && (settings.has("--confidence") || paired) {
        "Statistical tests are unavailable in sentence-level mode."
    } else if paired && systems.len() == 1 {
        "Paired tests require multiple input systems given to --input (-i)."
    } else if systems.len() > 1 && settings.has("--confidence") {
        "Use paired tests (--paired-bs, --paired-ar) for multiple systems."
    } else if systems.iter().any(|system| system.hypotheses.is_empty()) {
        "There is no sentence to score: a file is empty."
    } else if let Some(system) = systems.iter().find(|system| uneven(system)) {
        return Err(uneven_lengths(system, references));
    } else {
        return Ok(());
    };
    Err(Failure::new(refused))
}

fn uneven_lengths(system: &System<'_>, references: &[Vec<&str>]) -> Failure {
    let lengths: Vec<String> = references.iter().map(|stream| stream.len().to_string()).collect();
    Failure::new(format!(
        "System and reference streams have different lengths.\n{} has {} lines, the references have {}.",
        system.name,
        system.hypotheses.len(),
        lengths.join(", ")
    ))
}

/// Prints warnings about probable mistakes.
pub fn warn(settings: &Settings, systems: &[System<'_>]) {
    if !settings.metrics().contains(&"bleu") {
        return;
    }
    let better = match settings.target_language() {
        Some("zh") => "zh",
        Some("ja") => "ja-mecab",
        Some("ko") => "ko-mecab",
        _ => settings.tokenizer(),
    };
    if better != settings.tokenizer() {
        output::note(format_args!("sacreBLEU: Consider the tokenizer {better} for this language."));
    }
    let tokenized = |system: &System<'_>| {
        let ends = system.hypotheses.iter().filter(|line| line.ends_with(" ."));
        ends.count() >= TOKENIZED
    };
    if !settings.has("--force") && !settings.has("--sentence-level") {
        for system in systems.iter().filter(|system| tokenized(system)) {
            output::note(format_args!(
                "sacreBLEU: {}: {TOKENIZED} lines or more end in a separate full stop. \
                 Detokenize the text, or use --force if that is intended.",
                system.name
            ));
        }
    }
}
