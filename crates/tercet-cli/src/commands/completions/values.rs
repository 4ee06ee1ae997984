//! How a metric, a tokenizer, a statistic or a language that is half typed can go on.

use std::fs;
use tercet::choice::Choice;
use tercet::meta_evaluation::StatisticName;
use tercet::metrics::Registry;
use tercet::spec::{OptionInfo, Values};
use tercet::text::{Language, Tokenizer};

/// The possible words, a line each.
pub fn lines(kind: &str, text: &str, registry: &Registry) -> String {
    let words = match kind {
        "metric" => metric(text, registry),
        "tokenizer" => starting(text, Tokenizer::names().map(str::to_owned)),
        "statistic" => starting(text, StatisticName::ALL.iter().map(|known| known.name.to_owned())),
        "language" => language(text),
        _ => Vec::new(),
    };
    words.into_iter().map(|word| word + "\n").collect()
}

fn starting(text: &str, words: impl Iterator<Item = String>) -> Vec<String> {
    words.filter(|word| word.starts_with(text)).collect()
}

/// Codes of languages, or of the target of a pair.
fn language(text: &str) -> Vec<String> {
    let (source, target) = text.rsplit_once('-').map_or(("", text), |(source, target)| (source, target));
    let head = &text[..text.len() - target.len()];
    let codes = Language::codes().filter(|code| *code != source).map(str::to_owned);
    starting(target, codes).into_iter().map(|code| format!("{head}{code}")).collect()
}

/// Names of metrics; after `name:` its options; after `key=` their values.
fn metric(text: &str, registry: &Registry) -> Vec<String> {
    let Some((name, options)) = text.split_once(':') else {
        let names = registry.metrics().iter().flat_map(|info| info.names());
        return starting(text, names.map(str::to_owned));
    };
    let Ok(info) = registry.find(name) else { return Vec::new() };
    let (before, last) = options.rsplit_once(',').map_or(("", options), |(before, last)| (before, last));
    let head = &text[..text.len() - last.len()];
    let words = match last.split_once('=') {
        None => {
            let used = |key: &str| before.split(',').any(|pair| pair.split('=').next() == Some(key));
            let keys = info.options.iter().map(|option| option.key).filter(|key| !used(key));
            starting(last, keys.map(|key| format!("{key}=")))
        }
        Some((key, value)) => {
            let option = info.options.iter().find(|option| option.key == key);
            let values = option.map_or(Vec::new(), |option| values(option, value));
            values.into_iter().map(|value| format!("{key}={value}")).collect()
        }
    };
    words.into_iter().map(|word| format!("{head}{word}")).collect()
}

/// The values of an option that start with a text.
fn values(option: &OptionInfo, text: &str) -> Vec<String> {
    let words = |words: &[&str]| starting(text, words.iter().map(|word| (*word).to_owned()));
    match option.values {
        Values::Flag => words(&["yes", "no"]),
        Values::Choice(choices) => words(choices),
        Values::File => files(text),
        Values::ChoiceOrFile(choices) => [words(choices), files(text)].concat(),
        Values::Text if option.key == "tok" => starting(text, Tokenizer::names().map(str::to_owned)),
        Values::Integer(..) | Values::Number(_) | Values::Text => words(&[option.default]),
    }
}

/// Files and folders whose path starts with a text; folders end in a slash.
fn files(text: &str) -> Vec<String> {
    let (folder, start) = text.rsplit_once('/').map_or(("", text), |(folder, start)| (folder, start));
    let place = match (folder, text.starts_with('/')) {
        ("", true) => "/",
        ("", false) => ".",
        (folder, _) => folder,
    };
    let head = &text[..text.len() - start.len()];
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    let named = entries.filter_map(|entry| {
        let slash = if entry.path().is_dir() { "/" } else { "" };
        Some(format!("{}{slash}", entry.file_name().into_string().ok()?))
    });
    let mut found = starting(start, named.filter(|name| !name.starts_with('.') || start.starts_with('.')));
    found.sort();
    found.into_iter().map(|name| format!("{head}{name}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metric(text: &str) -> Vec<String> {
        super::metric(text, &tercet::registry())
    }

    #[test]
    fn metrics_their_options_and_values_are_completed() {
        assert_eq!(metric("chr"), ["chrf", "chrf++", "chrfpp", "chrf2", "chrf2++"]);
        assert_eq!(metric("bleu:to"), ["bleu:tok=", "bleu:tok_model="]);
        assert_eq!(metric("bleu:tok=mteval-"), ["bleu:tok=mteval-intl", "bleu:tok=mteval-intl+nonascii"]);
        assert_eq!(metric("bleu:tok=zh,lowercase="), ["bleu:tok=zh,lowercase=yes", "bleu:tok=zh,lowercase=no"]);
        assert!(!metric("bleu:tok=zh,").contains(&"bleu:tok=zh,tok=".to_owned()));
        assert_eq!(metric("chrf++:word_"), ["chrf++:word_order="]);
        assert_eq!(metric("comet:"), Vec::<String>::new());
    }

    #[test]
    fn languages_and_the_target_of_a_pair_are_completed() {
        assert_eq!(language("z"), ["zh", "zu"]);
        assert_eq!(language("en-c"), ["en-ca", "en-cs"]);
        assert_eq!(language("cs-c"), ["cs-ca"]);
        assert_eq!(lines("statistic", "pea", &tercet::registry()), "pearson\n");
    }

    #[test]
    fn files_are_completed_in_their_folder() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("model.bin"), "").unwrap();
        fs::create_dir(folder.path().join("models")).unwrap();
        let at = |name: &str| format!("meteor:data={}/{name}", folder.path().display());
        assert_eq!(metric(&at("mod")), [at("model.bin"), at("models/")]);
    }
}
