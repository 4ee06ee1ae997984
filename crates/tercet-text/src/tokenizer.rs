//! The tokenizers, by name.

use super::moses::{self, MosesLanguage, MosesOptions};
use super::tercom::{self, TercomOptions};
use super::with_model::{self, ModelTokenizer, OpenTokenizers};
use super::{Language, character, intl, mteval, rouge, trim_end, ud_english, v13a, whitespace, zh};
use crate::context::Context;
use crate::error::{Error, Result};
use std::path::{Path, PathBuf};
use tercet_base::stop;

/// A tokenizer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tokenizer {
    /// sacreBLEU's `13a`: mteval-v13a for Western scripts, without its Unicode and SGML handling.
    V13a,
    /// sacreBLEU's `intl`: mteval-v14's international tokenization, by Unicode category.
    Intl,
    /// sacreBLEU's `zh`: every Chinese character a token, the rest as `13a`.
    Zh,
    /// sacreBLEU's `char`: every character a token.
    Char,
    /// sacreBLEU's tokenizer of TER with its flags: `tercom`, `tercom+norm`, …
    Tercom(TercomOptions),
    /// mteval-v13a's own, for Western scripts.
    Mteval,
    /// mteval-v13a's `--international-tokenization`.
    MtevalIntl,
    /// The same with `-e`: every character outside ASCII is a token.
    MtevalIntlNonascii,
    /// Moses' tokenizer.perl with its language and flag: `moses`, `moses-fr`, `moses+noescape`, …
    Moses(MosesOptions),
    /// `ud-en`: the words of Universal Dependencies for English, as in the English Web Treebank.
    UdEnglish,
    /// ROUGE's words: ASCII letters and digits.
    Rouge,
    /// One with a dictionary or a model: `ja-mecab`, `ko-mecab`, `spm`, `flores200`, …
    WithModel(ModelTokenizer),
    /// Splits at white space only.
    #[default]
    None,
}

impl Tokenizer {
    /// Every tokenizer: name, tokenizer, one line of description. `tercom` and `moses` have their usual flags only; all
    /// others are in [`TercomOptions::all`] and [`MosesOptions::all`].
    pub const ALL: &'static [(&'static str, Tokenizer, &'static str)] = &[
        ("13a", Tokenizer::V13a, "sacreBLEU's default: mteval-v13a for Western scripts"),
        ("intl", Tokenizer::Intl, "sacreBLEU's intl: mteval-v14's international tokenization"),
        ("zh", Tokenizer::Zh, "sacreBLEU's zh: Chinese characters apart, the rest as 13a"),
        ("char", Tokenizer::Char, "sacreBLEU's char: every character"),
        (
            "tercom",
            Tokenizer::Tercom(TercomOptions {
                normalized: false,
                no_punct: false,
                asian_support: false,
                case_sensitive: false,
            }),
            "sacreBLEU's for TER: lower case, split at white space; add +norm, +nopunct, +asian, +case",
        ),
        ("mteval", Tokenizer::Mteval, "mteval-v13a's own: Western scripts, SGML entities"),
        ("mteval-intl", Tokenizer::MtevalIntl, "mteval-v13a --international-tokenization: by Unicode category"),
        (
            "mteval-intl+nonascii",
            Tokenizer::MtevalIntlNonascii,
            "mteval-v13a --international-tokenization -e: every non-ASCII character apart",
        ),
        (
            "moses",
            Tokenizer::Moses(MosesOptions { language: MosesLanguage::English, escape: true }),
            "Moses' tokenizer.perl for English; moses-fr, moses-de, … for other languages; add +noescape",
        ),
        (
            "moses+noescape",
            Tokenizer::Moses(MosesOptions { language: MosesLanguage::English, escape: false }),
            "Moses' tokenizer.perl -no-escape: & | < > ' \" [ ] stay as they are",
        ),
        (
            "ud-en",
            Tokenizer::UdEnglish,
            "words of Universal Dependencies for English, as the English Web Treebank has them",
        ),
        ("rouge", Tokenizer::Rouge, "ROUGE's words: ASCII letters and digits, everything else separates them"),
        ("none", Tokenizer::None, "as it stands: split at white space"),
    ];

    /// The tokenizer of this name. Those with a dictionary or a model are opened by [`Tokenizer::open`].
    pub fn from_name(name: &str) -> Result<Self> {
        if let Some((_, tokenizer, _)) = Self::ALL.iter().find(|(known, _, _)| *known == name) {
            return Ok(*tokenizer);
        }
        if let Some(options) = TercomOptions::all().find(|options| options.name() == name) {
            return Ok(Tokenizer::Tercom(options));
        }
        if let Some(options) = MosesOptions::all().find(|options| options.name() == name) {
            return Ok(Tokenizer::Moses(options));
        }
        if Self::needs_model(name) {
            return Err(Error::BadRequest(format!(
                "the tokenizer `{name}` cannot be used here: only metrics and the tokenize command open its dictionary \
                 or model (tokenize the text before and use tok=none)"
            )));
        }
        Err(Error::unknown_name("tokenizer", name, Self::names()))
    }

    /// The tokenizer of this name; for one of [`Tokenizer::with_models`], with the dictionary (a folder) or model (a
    /// file) at this path, or with the one that is found: named by an environment variable (`TERCET_JA_MECAB`), or
    /// where Python packages and sacreBLEU put them. What is open in a context is not opened again.
    pub fn open(name: &str, model: Option<&Path>, context: &Context) -> Result<Self> {
        match (with_model::known(name), model) {
            (Some(known), model) => Ok(Tokenizer::WithModel(known.open(model, &context.shared::<OpenTokenizers>())?)),
            (None, None) => Self::from_name(name),
            (None, Some(_)) => {
                let names: Vec<&str> = Self::with_models().map(|(name, _)| name).collect();
                let what = format!("the tokenizer `{name}` has no model (tok_model is for {})", names.join(", "));
                Self::from_name(name).and(Err(Error::BadRequest(what)))
            }
        }
    }

    /// The tokenizers that need a dictionary or a model: name and one line of description.
    pub fn with_models() -> impl Iterator<Item = (&'static str, &'static str)> + Clone {
        with_model::KNOWN.iter().map(|known| (known.name, known.summary))
    }

    /// The names of [`Tokenizer::ALL`] and of those with models.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        Self::ALL.iter().map(|(name, _, _)| *name).chain(Self::with_models().map(|(name, _)| name))
    }

    /// Whether the tokenizer of this name needs a dictionary or a model.
    pub fn needs_model(name: &str) -> bool {
        with_model::known(name).is_some()
    }

    /// Where the dictionary or model of this tokenizer is found; `None` for a tokenizer without one.
    pub fn find_model(name: &str) -> Result<Option<PathBuf>> {
        match with_model::known(name) {
            Some(known) => known.find_or_fail().map(Some),
            None => Self::from_name(name).map(|_| None),
        }
    }

    /// Whether the dictionary or model of this tokenizer is found without a path.
    pub fn finds_model(name: &str) -> bool {
        with_model::known(name).is_some_and(|known| known.find().is_some())
    }

    /// Whether the environment variable of this tokenizer names its dictionary or model.
    pub fn has_named_model(name: &str) -> bool {
        with_model::known(name).is_some_and(|known| known.named().is_some())
    }

    /// How to get the dictionary or model of a tokenizer that needs one.
    pub fn advice(name: &str) -> Option<String> {
        with_model::known(name).map(with_model::KnownTokenizer::advice)
    }

    /// The name of BLEU's tokenizer for a language, as sacreBLEU's `-l` chooses it; characters for Japanese and Korean
    /// if the dictionary of theirs is not found.
    pub fn for_language(language: &Language) -> &'static str {
        match Self::usual(language) {
            Some(usual) if Self::finds_model(usual) => usual,
            Some(_) => "char",
            None if language.code() == "zh" => "zh",
            None => "13a",
        }
    }

    /// The tokenizer with a dictionary that published scores of a language are computed with.
    pub fn usual(language: &Language) -> Option<&'static str> {
        match language.code() {
            "ja" => Some("ja-mecab"),
            "ko" => Some("ko-mecab"),
            _ => None,
        }
    }

    /// The name that [`Tokenizer::open`] takes.
    pub fn name(self) -> &'static str {
        match self {
            Tokenizer::Tercom(options) => options.name(),
            Tokenizer::Moses(options) => options.name(),
            Tokenizer::WithModel(tokenizer) => tokenizer.name,
            _ => Self::ALL.iter().find(|(_, tokenizer, _)| *tokenizer == self).expect("every tokenizer is listed").0,
        }
    }

    /// The tokenized line, to the letter as the tool's own.
    pub fn tokenize(self, line: &str) -> String {
        let mut tokens = String::new();
        self.tokenize_into(line, &mut Scratch::default(), &mut tokens);
        tokens
    }

    /// The same, written to `tokens`; `scratch` and `tokens` can be reused from line to line.
    pub fn tokenize_into(self, line: &str, scratch: &mut Scratch, tokens: &mut String) {
        self.tokenize_cased(line, Case::Kept, scratch, tokens);
    }

    /// The tokenized form of a segment for a metric: without trailing white space and, if asked, in lower case. mteval
    /// lowercases after decoding entities, Moses after everything else, because it needs capitals to find the ends of
    /// sentences; the others lowercase first.
    pub fn tokenize_segment(self, line: &str, lowercase: bool, scratch: &mut Scratch, tokens: &mut String) {
        if self.is_perl() {
            let case = if lowercase { Case::Lowered } else { Case::Kept };
            self.tokenize_cased(line, case, scratch, tokens);
        } else if lowercase {
            self.tokenize_into(&trim_end(line).to_lowercase(), scratch, tokens);
        } else {
            self.tokenize_into(trim_end(line), scratch, tokens);
        }
    }

    /// The tokens of a tokenized line, split at the white space of the language the tool is written in.
    pub fn tokens(self, tokenized: &str) -> impl Iterator<Item = &str> {
        let table = if self.is_perl() { &whitespace::UNICODE } else { &whitespace::PYTHON };
        whitespace::split_at(tokenized, table)
    }

    /// Whether the tool is written in Perl: it has Perl's white space and lowercases at its own time.
    fn is_perl(self) -> bool {
        matches!(self, Tokenizer::Mteval | Tokenizer::MtevalIntl | Tokenizer::MtevalIntlNonascii | Tokenizer::Moses(_))
    }

    /// Only mteval's tokenizers and Moses' use `case`.
    fn tokenize_cased(self, line: &str, case: Case, scratch: &mut Scratch, tokens: &mut String) {
        tokens.clear();
        stop::steps(8 * line.len());
        match self {
            Tokenizer::Mteval => mteval::tokenize(line, case, scratch, tokens),
            Tokenizer::MtevalIntl => mteval::tokenize_international(line, case, false, scratch, tokens),
            Tokenizer::MtevalIntlNonascii => mteval::tokenize_international(line, case, true, scratch, tokens),
            Tokenizer::V13a => v13a::tokenize(line, scratch, tokens),
            Tokenizer::Intl => intl::tokenize(line, scratch, tokens),
            Tokenizer::Zh => zh::tokenize(line, scratch, tokens),
            Tokenizer::Char => character::tokenize(line, tokens),
            Tokenizer::Tercom(options) => tercom::tokenize(line, options, scratch, tokens),
            Tokenizer::Moses(options) => moses::tokenize(line, options, case, tokens),
            Tokenizer::UdEnglish => ud_english::tokenize(line, tokens),
            Tokenizer::Rouge => rouge::tokenize(line, tokens),
            Tokenizer::WithModel(tokenizer) => tokenizer.tokenize(line, &mut scratch.with_model, tokens),
            Tokenizer::None => tokens.push_str(line),
        }
    }
}

/// What becomes of capitals.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Kept,
    Lowered,
}

/// Buffers of a tokenizer, to be reused between lines.
#[derive(Default)]
pub struct Scratch {
    pub(super) first: Vec<u8>,
    pub(super) second: Vec<u8>,
    with_model: with_model::Buffers,
}
