//! A signature as sacreBLEU writes it: `nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:…`.
//!
//! Pairs of `key:value`, the version last; the short form has other keys. Keys of the run come first
//! (references, resamples, trials, seed), then those of the metric.
//!
//! # Agreement
//! Equal to sacreBLEU 2.6.0 except for the version, which says that tercet computed the score, and for `spm` with a
//! model that the user names: `tok:spm-` and the model's hash, where sacreBLEU has no such model.

use super::Spec;
use crate::text::Tokenizer;

/// The value of `version:`: the version of sacreBLEU whose scores these are, and that of tercet.
pub const SACREBLEU_VERSION: &str = concat!("2.6.0-tercet-", env!("CARGO_PKG_VERSION"));

/// The settings of a run in sacreBLEU's signature.
#[derive(Clone, Debug, Default)]
pub struct SacrebleuRun {
    /// How many references each segment has.
    pub references: String,
    /// Resamples of the bootstrap, if there was one.
    pub resamples: Option<usize>,
    /// Trials of approximate randomisation, if there were any.
    pub trials: Option<usize>,
    /// The seed of either.
    pub seed: Option<String>,
}

/// A key, its short form and its value.
type Entry = (&'static str, &'static str, String);

/// The signature in sacreBLEU's form, for the metrics that sacreBLEU has.
pub fn sacrebleu_signature(signature: &Spec, run: &SacrebleuRun, short: bool) -> Option<String> {
    let metric = match signature.name() {
        "bleu" => bleu(signature),
        "chrf" => chrf(signature),
        "ter" => ter(signature),
        _ => return None,
    };
    let entries = of_run(run).into_iter().chain(metric).chain([("version", "v", SACREBLEU_VERSION.to_owned())]);
    let pairs: Vec<String> =
        entries.map(|(key, short_key, value)| format!("{}:{value}", if short { short_key } else { key })).collect();
    Some(pairs.join("|"))
}

fn of_run(run: &SacrebleuRun) -> Vec<Entry> {
    let number = |count: Option<usize>| count.map(|count| count.to_string());
    [
        ("nrefs", "#", Some(run.references.clone())),
        ("bs", "bs", number(run.resamples)),
        ("ar", "ar", number(run.trials)),
        ("seed", "rs", run.seed.clone()),
    ]
    .into_iter()
    .filter_map(|(key, short, value)| Some((key, short, value?)))
    .collect()
}

fn bleu(signature: &Spec) -> Vec<Entry> {
    vec![
        ("case", "c", case(is_yes(signature, "lowercase"))),
        ("eff", "e", yes_or_no(is_yes(signature, "effective_order"))),
        ("tok", "tok", tokenizer(signature)),
        ("smooth", "s", smoothing(signature)),
    ]
}

/// Names of tokenizers with a model, here and in signatures of sacreBLEU.
pub(super) const TOKENIZERS: &[(&str, &str)] =
    &[("ja-mecab", "ja-mecab-0.996-IPA"), ("ko-mecab", "ko-mecab-0.996/ko-0.9.2-KO"), ("spm", "flores101")];

fn tokenizer(signature: &Spec) -> String {
    let tokenizer = text(signature, "tok");
    let is_named = signature.option("tok_model").is_some_and(|path| path != "auto");
    if tokenizer == "spm" && (is_named || Tokenizer::has_named_model(&tokenizer)) {
        return format!("spm-{}", signature.qualifier("tok_model").unwrap_or_default());
    }
    let written = TOKENIZERS.iter().find(|(name, _)| *name == tokenizer);
    written.map_or(tokenizer, |(_, written)| (*written).to_owned())
}

/// The method, with its value in brackets where it has one.
fn smoothing(signature: &Spec) -> String {
    let method = text(signature, "smooth");
    match text(signature, "smooth_value").parse::<f64>() {
        Ok(value) => format!("{method}[{value:.2}]"),
        Err(_) => method,
    }
}

fn chrf(signature: &Spec) -> Vec<Entry> {
    vec![
        ("case", "c", case(is_yes(signature, "lowercase"))),
        ("eff", "e", yes_or_no(!is_yes(signature, "eps_smoothing"))),
        ("nc", "nc", text(signature, "char_order")),
        ("nw", "nw", text(signature, "word_order")),
        ("space", "s", text(signature, "whitespace")),
    ]
}

fn ter(signature: &Spec) -> Vec<Entry> {
    vec![
        ("case", "c", case(!is_yes(signature, "case_sensitive"))),
        ("tok", "t", "tercom".to_owned()),
        ("norm", "nr", text(signature, "normalized")),
        ("punct", "pn", yes_or_no(!is_yes(signature, "no_punct"))),
        ("asian", "as", text(signature, "asian_support")),
    ]
}

fn text(signature: &Spec, option: &str) -> String {
    signature.option(option).unwrap_or_default().to_owned()
}

fn is_yes(signature: &Spec, option: &str) -> bool {
    signature.option(option) == Some("yes")
}

fn yes_or_no(holds: bool) -> String {
    if holds { "yes" } else { "no" }.to_owned()
}

fn case(ignored: bool) -> String {
    if ignored { "lc" } else { "mixed" }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;

    fn written(metric: &str, run: &SacrebleuRun, short: bool) -> String {
        let signature = Registry::lexical().build(metric).unwrap().signature();
        let written = sacrebleu_signature(&signature, run, short).unwrap();
        written.replace(SACREBLEU_VERSION, "2.6.0")
    }

    #[test]
    fn long_and_short_forms_are_sacrebleus() {
        let run = SacrebleuRun {
            references: "2".to_owned(),
            resamples: Some(100),
            seed: Some("12345".to_owned()),
            ..SacrebleuRun::default()
        };
        assert_eq!(
            written("bleu:smooth=floor,effective_order=yes", &run, false),
            "nrefs:2|bs:100|seed:12345|case:mixed|eff:yes|tok:13a|smooth:floor[0.10]|version:2.6.0"
        );
        assert_eq!(written("bleu:lowercase=yes", &run, true), "#:2|bs:100|rs:12345|c:lc|e:no|tok:13a|s:exp|v:2.6.0");
        assert_eq!(written("chrf++", &run, true), "#:2|bs:100|rs:12345|c:mixed|e:yes|nc:6|nw:2|s:no|v:2.6.0");
    }

    #[test]
    fn a_metric_sacrebleu_does_not_have_has_no_such_signature() {
        let signature = Registry::lexical().build("sentbleu").unwrap().signature();
        assert_eq!(sacrebleu_signature(&signature, &SacrebleuRun::default(), false), None);
    }
}
