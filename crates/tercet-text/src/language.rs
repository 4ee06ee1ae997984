//! Languages by code or name, and the target language of a pair: `zh`, `zho`, `zh-CN`, `Chinese`, `en-zh`.
//!
//! Codes of ISO 639-2 and English names become ISO 639-1, two letters, where the table has the language; any other code
//! of ISO 639-1, and any of three letters, is taken as it is. Countries whose code is that of no language (`jp`, `cn`)
//! are understood as their language, and `cz`, METEOR's code, as cs.

use super::language_codes::THREE_LETTERS;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use tercet_base::nearest;
use tercet_base::warning::{LanguageName, Warning};

/// The code of two letters and all other names of each language.
pub const LANGUAGES: &[(&str, &[&str])] = &[
    ("am", &["amharic", "amh"]),
    ("ar", &["arabic", "ara"]),
    ("bg", &["bulgarian", "bul"]),
    ("bn", &["bengali", "ben"]),
    ("ca", &["catalan", "cat"]),
    ("cs", &["czech", "ces", "cze"]),
    ("da", &["danish", "dan"]),
    ("de", &["german", "deu", "ger"]),
    ("el", &["greek", "ell", "gre"]),
    ("en", &["english", "eng"]),
    ("es", &["spanish", "spa"]),
    ("et", &["estonian", "est"]),
    ("eu", &["basque", "eus", "baq"]),
    ("fa", &["persian", "fas", "per"]),
    ("fi", &["finnish", "fin"]),
    ("fr", &["french", "fra", "fre"]),
    ("ga", &["irish", "gle"]),
    ("gu", &["gujarati", "guj"]),
    ("ha", &["hausa", "hau"]),
    ("he", &["hebrew", "heb"]),
    ("hi", &["hindi", "hin"]),
    ("hr", &["croatian", "hrv"]),
    ("ht", &["haitian", "hat"]),
    ("hu", &["hungarian", "hun"]),
    ("id", &["indonesian", "ind"]),
    ("ig", &["igbo", "ibo"]),
    ("is", &["icelandic", "isl", "ice"]),
    ("it", &["italian", "ita"]),
    ("iu", &["inuktitut", "iku"]),
    ("ja", &["japanese", "jpn"]),
    ("kk", &["kazakh", "kaz"]),
    ("km", &["khmer", "khm"]),
    ("kn", &["kannada", "kan"]),
    ("ko", &["korean", "kor"]),
    ("lo", &["lao"]),
    ("lt", &["lithuanian", "lit"]),
    ("lv", &["latvian", "lav"]),
    ("ml", &["malayalam", "mal"]),
    ("mr", &["marathi", "mar"]),
    ("ms", &["malay", "msa", "may"]),
    ("my", &["burmese", "mya", "bur"]),
    ("ne", &["nepali", "nep"]),
    ("nl", &["dutch", "nld", "dut"]),
    ("no", &["norwegian", "nor"]),
    ("pa", &["punjabi", "pan"]),
    ("pl", &["polish", "pol"]),
    ("ps", &["pashto", "pus"]),
    ("pt", &["portuguese", "por"]),
    ("ro", &["romanian", "ron", "rum"]),
    ("ru", &["russian", "rus"]),
    ("si", &["sinhala", "sin"]),
    ("sk", &["slovak", "slk", "slo"]),
    ("sl", &["slovenian", "slv"]),
    ("sr", &["serbian", "srp"]),
    ("sv", &["swedish", "swe"]),
    ("sw", &["swahili", "swa"]),
    ("ta", &["tamil", "tam"]),
    ("te", &["telugu", "tel"]),
    ("th", &["thai", "tha"]),
    ("tr", &["turkish", "tur"]),
    ("uk", &["ukrainian", "ukr"]),
    ("ur", &["urdu", "urd"]),
    ("vi", &["vietnamese", "vie"]),
    ("xh", &["xhosa", "xho"]),
    ("yo", &["yoruba", "yor"]),
    ("zh", &["chinese", "zho", "chi", "cmn"]),
    ("zu", &["zulu", "zul"]),
];

/// The codes of ISO 639-1 that the table does not have.
const OTHER_CODES: &str = "aa ab ae af ak an as av ay az ba be bh bi bm bo br bs ce ch co cr cu cv cy dv dz ee eo ff \
                           fj fo fy gd gl gn gv ho hy hz ia ie ii ik io jv ka kg ki kj kl ks ku kv kw ky la lb lg li \
                           ln lu mg mh mi mk mn mo mt na nb nd ng nn nr nv ny oc oj om or os pi qu rm rn rw sa sc sd \
                           se sg sh sm sn so sq ss st su tg ti tk tl tn to ts tt tw ty ug uz ve vo wa wo yi za";

/// Codes that are often written for a language and belong to none: countries, and codes that were replaced long ago.
const MISTAKEN: &[(&str, &str)] = &[
    ("by", "be"),
    ("cn", "zh"),
    ("cz", "cs"),
    ("dk", "da"),
    ("gb", "en"),
    ("gr", "el"),
    ("il", "he"),
    ("in", "id"),
    ("iw", "he"),
    ("jp", "ja"),
    ("kz", "kk"),
    ("rs", "sr"),
    ("ua", "uk"),
    ("us", "en"),
    ("vn", "vi"),
];

/// Countries whose code is that of another language, which is hardly ever meant, and what to write for each.
const AMBIGUOUS: &[(&str, &str)] = &[("kr", "ko for Korean, or kau for Kanuri")];

/// Languages with a country that are often written in lower case. Elsewhere a code in lower case after a hyphen is the
/// target of a pair.
const WITH_COUNTRY: &[&str] = &["en-gb", "en-us", "pt-br", "zh-cn", "zh-hk", "zh-tw"];

/// A language, by its code.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Language(String);

impl TryFrom<String> for Language {
    type Error = Error;

    /// As [`Language::target`].
    fn try_from(text: String) -> Result<Self> {
        Language::target(&text)
    }
}

impl From<Language> for String {
    fn from(language: Language) -> Self {
        language.0
    }
}

impl From<&Language> for LanguageName {
    fn from(language: &Language) -> Self {
        LanguageName { code: language.code().to_owned(), name: language.name() }
    }
}

impl Language {
    /// The target language of a pair (`en-zh`), or the language that is written alone (`zh`, `zho`, `Chinese`);
    /// countries and scripts may follow (`zh-CN`, `zho_Hans`, `en_US-zh_CN`).
    ///
    /// ```
    /// use tercet_text::Language;
    ///
    /// for text in ["zh", "en-zh", "zho", "Chinese", "zh_CN", "eng_Latn-zho_Hans"] {
    ///     assert_eq!(Language::target(text)?.code(), "zh");
    /// }
    /// # Ok::<(), tercet_base::Error>(())
    /// ```
    pub fn target(text: &str) -> Result<Self> {
        let unknown = || {
            let parts = text.split(['-', '_']).map(str::to_lowercase);
            let better = parts.filter_map(|part| AMBIGUOUS.iter().find(|(code, _)| *code == part)).next();
            let instead = better.map(|(code, better)| ((*code).to_owned(), (*better).to_owned()));
            Error::UnknownLanguage { text: text.to_owned(), instead }
        };
        let trimmed = text.trim();
        let shouted = !trimmed.chars().any(char::is_lowercase);
        let text = if shouted { trimmed.to_lowercase() } else { trimmed.to_owned() };
        let mut parts: Vec<&str> = text.split(['-', '_']).collect();
        let with_country = parts.join("-");
        if WITH_COUNTRY.iter().any(|known| with_country.ends_with(known)) {
            parts.pop();
        }
        let mut languages = parts.iter().enumerate().filter(|(i, part)| *i == 0 || !is_region_or_script(part));
        match (languages.next(), languages.next(), languages.next()) {
            (Some((_, only)), None, _) => Language::named(only).ok_or_else(unknown),
            (Some((_, source)), Some((_, target)), None) => {
                Language::named(source).and(Language::named(target)).ok_or_else(unknown)
            }
            _ => Err(unknown()),
        }
    }

    /// The language of a code or an English name.
    fn named(name: &str) -> Option<Self> {
        let code = language_code(name);
        let code = MISTAKEN.iter().find(|(other, _)| *other == code).map_or(code, |(_, code)| (*code).to_owned());
        let is_code = match code.len() {
            2 => LANGUAGES.iter().any(|(known, _)| *known == code) || OTHER_CODES.split(' ').any(|known| known == code),
            3 => code.bytes().all(|byte| byte.is_ascii_lowercase()),
            _ => false,
        };
        is_code.then_some(Language(code))
    }

    /// A language of the table.
    pub(super) fn known(code: &'static str) -> Self {
        Language(code.to_owned())
    }

    /// The codes of the languages that have a name here.
    pub fn codes() -> impl Iterator<Item = &'static str> {
        LANGUAGES.iter().map(|(code, _)| *code)
    }

    /// The warning about a code of three letters that is not among the common ones, which may be a mistyped one.
    pub fn doubt(&self) -> Option<Warning> {
        let code = self.code();
        if code.len() != 3 || THREE_LETTERS.split(' ').any(|known| known == code) {
            return None;
        }
        let codes = LANGUAGES.iter().flat_map(|(_, names)| names.iter().filter(|name| name.len() == 3));
        let nearest = nearest(code, codes.copied()).map(str::to_owned);
        Some(Warning::UnknownLanguageCode { code: code.to_owned(), nearest })
    }

    /// The code of ISO 639-1, or the one that was written if the language is not in the table.
    pub fn code(&self) -> &str {
        &self.0
    }

    /// The English name, or the code if the language is not in the table.
    pub fn name(&self) -> String {
        let known = LANGUAGES.iter().find(|(code, _)| *code == self.0);
        let name = known.and_then(|(_, names)| names.first()).copied().unwrap_or(&self.0);
        match known {
            Some(_) => name[..1].to_uppercase() + &name[1..],
            None => name.to_owned(),
        }
    }

    /// Whether it is written without spaces between words.
    pub fn is_unsegmented(&self) -> bool {
        matches!(self.code(), "zh" | "ja" | "th" | "lo" | "km" | "my")
    }
}

/// The code of a language by any of its names; the name itself, in lower case, if the table does not have it.
pub fn language_code(name: &str) -> String {
    let name = name.trim().to_lowercase();
    let known = LANGUAGES.iter().find(|(_, others)| others.contains(&name.as_str()));
    known.map_or(name, |(code, _)| (*code).to_owned())
}

/// A country (`CN`, `419`) or a script (`Hans`) after a language.
fn is_region_or_script(part: &str) -> bool {
    let mut letters = part.chars();
    match part.len() {
        2 => letters.all(|c| c.is_ascii_uppercase()),
        3 => letters.all(|c| c.is_ascii_digit()),
        4 => letters.next().is_some_and(|c| c.is_ascii_uppercase()) && letters.all(|c| c.is_ascii_lowercase()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_found_however_they_are_written() {
        let cases = [
            ("zh", "zh"),
            ("cmn", "zh"),
            ("ZH", "zh"),
            ("EN-ZH", "zh"),
            ("zh-cn", "zh"),
            ("en-zh-CN", "zh"),
            ("en-cs_CZ", "cs"),
            ("zh-Hant-TW", "zh"),
            ("en_US-pt_BR", "pt"),
            ("en-pt-br", "pt"),
            ("fr-ca", "ca"),
            ("jp", "ja"),
            ("en-ua", "uk"),
            ("gr", "el"),
            ("dk", "da"),
            ("en-af", "af"),
            ("se", "se"),
            ("kau", "kau"),
            ("yue", "yue"),
            ("German", "de"),
            ("sah-rus", "ru"),
            ("en-sah", "sah"),
        ];
        for (text, code) in cases {
            assert_eq!(Language::target(text).unwrap().code(), code, "{text}");
        }
        assert_eq!(Language::target("zho").unwrap().name(), "Chinese");
        assert_eq!(Language::target("sah").unwrap().name(), "sah");
    }

    #[test]
    fn what_is_no_language_is_refused() {
        for text in ["", "-", "en-", "-zh", "chinse", "en-zh-de", "e1", "zh-chinse", "en,zh", "xx", "en-xx", "zz"] {
            let error = Language::target(text).unwrap_err().to_string();
            assert_eq!(
                error,
                format!("`{text}` is not a language: expected a code of ISO 639 (zh, zho) or a language pair (en-zh)")
            );
        }
    }

    #[test]
    fn a_code_that_nobody_knows_is_doubted() {
        for (text, expected) in [
            ("rsu", Some("`rsu` is not among the language codes known here: did you mean rus?")),
            ("en-xqx", Some("`xqx` is not among the language codes known here")),
            ("rus", None),
            ("sah", None),
            ("yue", None),
            ("af", None),
        ] {
            let doubt = Language::target(text).unwrap().doubt().map(|warning| warning.to_string());
            assert_eq!(doubt.as_deref(), expected, "{text}");
        }
        assert!(THREE_LETTERS.split(' ').all(|code| Language::named(code).is_some_and(|found| found.code() == code)));
    }

    #[test]
    fn a_country_that_may_be_two_languages_is_refused_with_both() {
        for text in ["kr", "en-kr", "EN-KR", "kr-en"] {
            let error = Language::target(text).unwrap_err().to_string();
            let better = "instead of kr write ko for Korean, or kau for Kanuri";
            assert_eq!(error, format!("`{text}` is not a language: {better}"));
        }
        assert_eq!(Language::target("ko-KR").unwrap().code(), "ko");
    }

    #[test]
    fn no_name_stands_for_two_languages() {
        let mut names: Vec<&str> =
            LANGUAGES.iter().flat_map(|(code, others)| others.iter().chain([code]).copied()).collect();
        names.extend(OTHER_CODES.split(' ').chain(MISTAKEN.iter().chain(AMBIGUOUS).map(|(code, _)| *code)));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
