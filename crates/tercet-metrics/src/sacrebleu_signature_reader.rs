//! A signature of sacreBLEU read as the metric that it describes.
//!
//! The three forms that papers have: `nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0`, the short one with
//! `#:1|c:mixed|…`, and that of versions before 2.0, `BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.4.14`;
//! with or without the metric in front and the scores after ` = `.

use super::sacrebleu_signature::TOKENIZERS;
use super::{MetricInfo, Spec, bleu, chrf, ter};
use crate::error::{Error, Result};
use crate::warning::Warning;

/// The version whose scores tercet has.
const VERSION: &str = "2.6.0";

/// Keys of the short form and of old versions, with those of the long form. `s` is chrF's `space` or BLEU's `smooth`.
const OTHER_KEYS: &[(&str, &str)] = &[
    ("#", "nrefs"),
    ("numrefs", "nrefs"),
    ("c", "case"),
    ("e", "eff"),
    ("t", "tok"),
    ("nr", "norm"),
    ("pn", "punct"),
    ("as", "asian"),
    ("rs", "seed"),
    ("v", "version"),
    ("numchars", "nc"),
    ("numwords", "nw"),
];

/// The metric of a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SacrebleuMetric {
    /// The same metric as tercet writes it, with the number of references.
    pub spec: Spec,
    /// What the signature says and the metric cannot.
    pub warnings: Vec<Warning>,
}

/// Reads a signature of sacreBLEU; `None` if the text is none.
pub fn read_sacrebleu_signature(text: &str) -> Option<Result<SacrebleuMetric>> {
    let text = text.split(" = ").next().unwrap_or_default().trim();
    let (between, after_key) = if text.contains('|') { ('|', ':') } else { ('+', '.') };
    let mut parts = text.split(between).peekable();
    let title = parts.next_if(|part| !part.contains(after_key)).unwrap_or_default().to_lowercase();
    let pairs: Vec<(&str, &str)> = parts.map(|part| part.split_once(after_key)).collect::<Option<_>>()?;
    let keys = pairs.iter().map(|(key, _)| long_key(key));
    // The version may have been left out; without `|`, only it tells a signature from other texts.
    keys.clone().find(|key| *key == "version" || (between == '|' && *key == "nrefs"))?;
    let is_chrf = title.starts_with("chrf") || keys.clone().any(|key| key == "nc");
    let pairs = pairs.into_iter().map(|(key, value)| match key {
        "s" => (if is_chrf { "space" } else { "smooth" }, value),
        _ => (long_key(key), value),
    });
    let written = Written { title, pairs: pairs.collect(), text };
    Some(written.metric())
}

fn long_key(key: &str) -> &str {
    OTHER_KEYS.iter().find(|(other, _)| *other == key).map_or(key, |(_, long)| long)
}

/// A signature in parts.
struct Written<'a> {
    title: String,
    pairs: Vec<(&'a str, &'a str)>,
    text: &'a str,
}

impl Written<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.pairs.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
    }

    fn metric(&self) -> Result<SacrebleuMetric> {
        let (info, keys, options): (&MetricInfo, &[&str], _) =
            if self.title.starts_with("chrf") || self.get("nc").is_some() {
                (&chrf::INFO, &["case", "eff", "nc", "nw", "space"], self.chrf())
            } else if self.title == "ter" || self.get("norm").is_some() {
                (&ter::INFO, &["case", "tok", "norm", "punct", "asian"], self.ter())
            } else if self.get("smooth").is_some() || self.title == "bleu" {
                (&bleu::INFO, &["case", "eff", "tok", "smooth"], self.bleu())
            } else {
                let reason = "the signature names no metric of sacreBLEU: put bleu, chrf or ter in front".to_owned();
                return Err(Error::BadSpec { what: super::registry::METRIC, text: self.text.to_owned(), reason });
            };
        let is_default =
            |key: &str, value: &str| info.options.iter().any(|option| option.key == key && option.default == value);
        let options = options.into_iter().filter_map(|(key, value)| Some((key, value?)));
        let changed = options.filter(|(key, value)| !is_default(key, value));
        let spec = changed.fold(Spec::new(info.name), |spec, (key, value)| spec.with_option(key, value));
        let model = self.get("tok").and_then(|tok| tok.strip_prefix("spm-"));
        let spec = model.map_or(spec.clone(), |hash| spec.with("tok_model", hash));
        let spec = self.get("nrefs").map_or(spec.clone(), |count| spec.with("refs", count));
        Ok(SacrebleuMetric { spec, warnings: self.warnings(keys) })
    }

    fn bleu(&self) -> Vec<(&'static str, Option<String>)> {
        let (method, value) = match self.get("smooth").and_then(|smooth| smooth.split_once('[')) {
            Some((method, value)) => (Some(method.to_owned()), Some(value.trim_end_matches(']').to_owned())),
            None => (self.get("smooth").map(str::to_owned), None),
        };
        vec![
            ("tok", self.get("tok").map(|tok| tokenizer(tok).to_owned())),
            ("lowercase", self.get("case").map(|case| yes_or_no(case == "lc"))),
            ("smooth", method),
            ("smooth_value", value),
            // `no` is how sacreBLEU scores whole texts, which the default of tercet does too.
            ("effective_order", self.get("eff").filter(|eff| *eff == "yes").map(str::to_owned)),
        ]
    }

    fn chrf(&self) -> Vec<(&'static str, Option<String>)> {
        let beta: String = self.title.chars().filter(char::is_ascii_digit).collect();
        vec![
            ("char_order", self.get("nc").map(str::to_owned)),
            ("word_order", self.get("nw").map(str::to_owned)),
            ("beta", Some(beta).filter(|beta| !beta.is_empty())),
            ("lowercase", self.get("case").map(|case| yes_or_no(case == "lc"))),
            ("whitespace", self.get("space").map(|space| yes_or_no(matches!(space, "yes" | "true")))),
            ("eps_smoothing", self.get("eff").map(|eff| yes_or_no(eff == "no"))),
        ]
    }

    fn ter(&self) -> Vec<(&'static str, Option<String>)> {
        vec![
            ("normalized", self.in_tokenizer("norm").or(self.get("norm")).map(str::to_owned)),
            ("no_punct", self.in_tokenizer("punct").or(self.get("punct")).map(|punct| yes_or_no(punct == "no"))),
            ("asian_support", self.in_tokenizer("asian").or(self.get("asian")).map(str::to_owned)),
            (
                "case_sensitive",
                match self.in_tokenizer("cased") {
                    Some(cased) => Some(cased.to_owned()),
                    None => self.get("case").map(|case| yes_or_no(case == "mixed")),
                },
            ),
        ]
    }

    /// What old versions wrote into the name of TER's tokenizer: `tercom-nonorm-punct-noasian-uncased`.
    fn in_tokenizer(&self, part: &str) -> Option<&'static str> {
        self.get("tok")?.split('-').find_map(|found| match found.strip_suffix(part)? {
            "" => Some("yes"),
            "no" | "un" => Some("no"),
            _ => None,
        })
    }

    fn warnings(&self, of_metric: &[&str]) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let version = self.get("version").unwrap_or(VERSION);
        if version.split("-tercet-").next() != Some(VERSION) {
            let (given, here) = (version.to_owned(), VERSION.to_owned());
            warnings.push(Warning::SacrebleuVersion { metric: self.text.to_owned(), given, here });
        }
        let is_run = |key: &&str| !of_metric.contains(key) && !matches!(*key, "nrefs" | "version");
        let run = self.pairs.iter().map(|(key, _)| *key).filter(is_run);
        let keys: Vec<String> = run.map(str::to_owned).collect();
        if !keys.is_empty() {
            warnings.push(Warning::SacrebleuRun { metric: self.text.to_owned(), keys });
        }
        warnings
    }
}

/// The name of a tokenizer: versions of MeCab and its dictionary, and the hash of a model that the user names, are a
/// part of it in signatures.
fn tokenizer(written: &str) -> &str {
    let mut names = TOKENIZERS.iter().map(|(name, _)| *name);
    names.find(|name| written.starts_with(&format!("{name}-"))).unwrap_or(written)
}

fn yes_or_no(holds: bool) -> String {
    if holds { "yes" } else { "no" }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Registry, SacrebleuRun, sacrebleu_signature};

    fn spec(text: &str) -> String {
        let read = read_sacrebleu_signature(text).expect("a signature").unwrap();
        Registry::lexical().build(&read.spec.to_string()).unwrap();
        read.spec.to_string()
    }

    #[test]
    fn signatures_in_all_forms_are_read() {
        for (text, expected) in [
            ("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0", "bleu|refs=1"),
            (
                "BLEU|nrefs:1|case:lc|eff:no|tok:zh|smooth:exp|version:2.0.0 = 25.5 60/30",
                "bleu:tok=zh,lowercase=yes|refs=1",
            ),
            (
                "#:2|c:mixed|e:yes|tok:13a|s:floor[0.10]|v:2.6.0",
                "bleu:smooth=floor,smooth_value=0.10,effective_order=yes|refs=2",
            ),
            ("chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.3.1", "chrf:word_order=2|refs=1"),
            ("#:1|c:mixed|e:yes|nc:6|nw:0|s:yes|v:2.6.0", "chrf:whitespace=yes|refs=1"),
            (
                "nrefs:1|case:mixed|tok:tercom|norm:yes|punct:no|asian:no|version:2.6.0",
                "ter:normalized=yes,no_punct=yes,case_sensitive=yes|refs=1",
            ),
            ("BLEU+case.mixed+lang.en-de+numrefs.1+smooth.exp+test.wmt17+tok.13a+version.1.4.14", "bleu|refs=1"),
            ("chrF2+numchars.6+numrefs.1+space.false+version.1.5.1", "chrf|refs=1"),
            ("TER+tok.tercom-nonorm-punct-noasian-uncased+version.1.5.1", "ter"),
            (
                "TER+tok.tercom-norm-nopunct-asian-cased+version.1.4.14",
                "ter:normalized=yes,no_punct=yes,asian_support=yes,case_sensitive=yes",
            ),
        ] {
            assert_eq!(spec(text), expected, "{text}");
        }
    }

    #[test]
    fn a_model_of_the_users_own_is_read_with_its_hash() {
        let text = "nrefs:1|case:mixed|eff:no|tok:spm-0a1b2c3d|smooth:exp|version:2.6.0";
        let read = read_sacrebleu_signature(text).expect("a signature").unwrap();
        assert_eq!(read.spec.to_string(), "bleu:tok=spm|tok_model=0a1b2c3d|refs=1");
    }

    #[test]
    fn other_texts_are_no_signatures() {
        for text in ["bleu", "chrf++", "bleu:tok=13a|refs=1|tercet=0.1.0", "chrf|slope=0.5", "", "a.b+c", "x:y|z:w"] {
            assert_eq!(read_sacrebleu_signature(text).map(|read| read.is_ok()), None, "{text}");
        }
        let error = read_sacrebleu_signature("nrefs:1|version:2.6.0").unwrap().unwrap_err().to_string();
        assert!(error.contains("names no metric of sacreBLEU"), "{error}");
    }

    #[test]
    fn what_is_written_is_read_back() {
        let run = SacrebleuRun { references: "1".to_owned(), ..SacrebleuRun::default() };
        for metric in ["bleu:smooth=add-k,tok=intl", "chrf++", "ter:normalized=yes", "bleu:lowercase=yes,smooth=none"] {
            let signature = Registry::lexical().build(metric).unwrap().signature();
            for short in [false, true] {
                let written = sacrebleu_signature(&signature, &run, short).unwrap();
                let read = read_sacrebleu_signature(&written).unwrap().unwrap();
                assert_eq!(read.warnings, [], "{written}");
                let again = Registry::lexical().build(&read.spec.to_string()).unwrap().signature();
                assert_eq!(again.to_string(), signature.to_string(), "{written}");
            }
        }
    }

    #[test]
    fn another_version_and_settings_of_the_run_are_warned_about() {
        let text = "nrefs:1|bs:1000|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:2.0.0";
        assert_eq!(
            read_sacrebleu_signature(text).unwrap().unwrap().warnings,
            [
                Warning::SacrebleuVersion {
                    metric: text.to_owned(),
                    given: "2.0.0".to_owned(),
                    here: "2.6.0".to_owned()
                },
                Warning::SacrebleuRun { metric: text.to_owned(), keys: vec!["bs".to_owned(), "seed".to_owned()] },
            ]
        );
    }
}
