//! Settings from flags and environment: metrics, format, test.

use super::arguments::Arguments;
use super::number;
use std::env;
use tercet::report::sacrebleu::{PairedTest, Palette, Style};

/// Output format.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON.
    Json,
    /// A line per score, or a table.
    Drawn(Style),
}

/// The settings.
pub struct Settings {
    arguments: Arguments,
    /// The output format.
    pub format: Format,
}

impl Settings {
    /// From the arguments and the environment.
    pub fn new(arguments: Arguments) -> Self {
        let known = |name: &str| match name {
            "json" => Some(Format::Json),
            "text" => Some(Format::Drawn(Style::Text)),
            "latex" => Some(Format::Drawn(Style::Latex)),
            _ => None,
        };
        let asked = arguments.text("--format").and_then(known).unwrap_or(Format::Json);
        let format = env::var("SACREBLEU_FORMAT").ok().and_then(|name| known(&name.to_lowercase()));
        Settings { arguments, format: format.unwrap_or(asked) }
    }

    /// Whether a flag was given.
    pub fn has(&self, key: &str) -> bool {
        self.arguments.has(key)
    }

    /// The values of a flag.
    pub fn values(&self, key: &str) -> Option<&[String]> {
        self.arguments.values(key)
    }

    /// The value of a flag.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.arguments.text(key)
    }

    /// The value of a flag that takes a whole number.
    pub fn integer(&self, key: &str, default: i64) -> i64 {
        self.arguments.integer(key, default)
    }

    /// The reference files.
    pub fn references(&self) -> &[String] {
        &self.arguments.references
    }

    /// The files to score, unless they are read from standard input.
    pub fn inputs(&self) -> Option<&[String]> {
        self.arguments.values("--input")
    }

    /// The metrics' names as given.
    pub fn metrics(&self) -> Vec<&str> {
        match self.arguments.values("--metrics") {
            Some(names) => names.iter().map(String::as_str).collect(),
            None => vec!["bleu"],
        }
    }

    /// The paired test, with the number of trials as given.
    pub fn paired_test(&self) -> Option<PairedTest> {
        if self.has("--paired-bs") {
            Some(PairedTest::Bootstrap(self.integer("--paired-bs-n", 1000)))
        } else if self.has("--paired-ar") {
            Some(PairedTest::Randomisation(self.integer("--paired-ar-n", 10000)))
        } else {
            None
        }
    }

    /// Whether to use colours on a terminal.
    pub fn palette(&self) -> Palette {
        let refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if refused || self.has("--no-color") { Palette::Plain } else { Palette::Coloured }
    }

    /// The specification of a metric: `name:key=value,…`.
    pub fn metric(&self, name: &str) -> String {
        let options = match name {
            "chrf" => self.chrf(),
            "ter" => self.ter(),
            _ => self.bleu(),
        };
        let options: Vec<String> = options.iter().map(|(key, value)| format!("{key}={value}")).collect();
        format!("{name}:{}", options.join(","))
    }

    fn bleu(&self) -> Vec<(&'static str, String)> {
        let method = self.text("--smooth-method").unwrap_or("exp").to_owned();
        let mut options = vec![
            ("tok", self.tokenizer().to_owned()),
            ("lowercase", self.yes_or_no("--lowercase")),
            ("effective_order", self.yes_or_no("--sentence-level")),
        ];
        if let (Some(value), "floor" | "add-k") = (self.text("--smooth-value"), method.as_str()) {
            options.push(("smooth_value", number::real(value).unwrap_or_default().to_string()));
        }
        options.push(("smooth", method));
        options
    }

    /// BLEU's tokenizer: the one given, else the one for the target language.
    pub fn tokenizer(&self) -> &str {
        self.text("--tokenize").unwrap_or(match self.target_language() {
            Some("zh") => "zh",
            Some("ja") => "ja-mecab",
            Some("ko") => "ko-mecab",
            _ => "13a",
        })
    }

    /// The second part of the language pair.
    pub fn target_language(&self) -> Option<&str> {
        self.text("--language-pair")?.split('-').nth(1)
    }

    fn chrf(&self) -> Vec<(&'static str, String)> {
        vec![
            ("char_order", self.integer("--chrf-char-order", 6).to_string()),
            ("word_order", self.integer("--chrf-word-order", 0).to_string()),
            ("beta", self.integer("--chrf-beta", 2).to_string()),
            ("lowercase", self.yes_or_no("--chrf-lowercase")),
            ("whitespace", self.yes_or_no("--chrf-whitespace")),
            ("eps_smoothing", self.yes_or_no("--chrf-eps-smoothing")),
        ]
    }

    fn ter(&self) -> Vec<(&'static str, String)> {
        vec![
            ("normalized", self.yes_or_no("--ter-normalized")),
            ("no_punct", self.yes_or_no("--ter-no-punct")),
            ("asian_support", self.yes_or_no("--ter-asian-support")),
            ("case_sensitive", self.yes_or_no("--ter-case-sensitive")),
        ]
    }

    fn yes_or_no(&self, key: &str) -> String {
        if self.has(key) { "yes" } else { "no" }.to_owned()
    }
}
