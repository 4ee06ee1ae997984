//! Names of language pairs: `cs-en`, however the files write it.
//!
//! WMT12–14 wrote English names (`Czech,English`), WMT15–16 codes of three letters, for some languages those of ISO
//! 639-2/B (`fre`, `cze`) and for others those of 639-2/T (`deu`, `ron`). All become ISO 639-1, two letters, by the
//! table in `text/language.rs`. A language that is not in it keeps its name, in lower case.

use crate::text::{LANGUAGES, language_code};

/// The pair of two languages.
pub(super) fn pair(source: &str, target: &str) -> String {
    format!("{}-{}", language_code(source), language_code(target))
}

/// The pair in a text of two codes of two or three letters and a hyphen.
pub(super) fn written(text: &str) -> Option<String> {
    let code = |code: &&str| matches!(code.len(), 2 | 3) && code.bytes().all(|b| b.is_ascii_lowercase());
    let (source, target) = text.split_once('-')?;
    Some(pair(Some(source).filter(code)?, Some(target).filter(code)?))
}

/// The pair in a text of two codes that may have a script or a country behind them: `en-cs_CZ`.
pub(super) fn of_locales(text: &str) -> Option<String> {
    let (source, target) = text.split_once('-')?;
    let code = |locale: &str| locale.split('_').next().unwrap_or_default().to_lowercase();
    written(&format!("{}-{}", code(source), code(target)))
}

/// The pair in a text of two codes without a hyphen: `eten` for `et-en`.
pub(super) fn written_together(text: &str) -> Option<String> {
    (text.len() == 4 && text.is_ascii()).then(|| written(&format!("{}-{}", &text[..2], &text[2..])))?
}

/// The pair that a text is, where other words could be too: of two letters each, or one of them known.
pub(super) fn named(text: &str) -> Option<String> {
    let known = |code: &str| code.len() == 2 || LANGUAGES.iter().any(|(known, _)| *known == code);
    written(text).filter(|_| text.split('-').any(known))
}

/// The pair between dots in a file's name.
pub(super) fn in_name(name: &str) -> Option<String> {
    name.split('.').find_map(written)
}

/// The pair in the name of a text: `cs-en` between dots, or `csen` between dots or hyphens. Only languages of the table
/// count, since any word of four letters would match.
pub(super) fn marked(name: &str) -> Option<String> {
    let known = |code: &str| LANGUAGES.iter().any(|(known, _)| *known == code);
    let both = |pair: &String| pair.split('-').all(known);
    in_name(name).or_else(|| name.split(['.', '-']).filter_map(written_together).find(both))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_codes_of_all_years_become_two_letters() {
        assert_eq!(pair("French", "English"), "fr-en");
        assert_eq!(pair("cze", "eng"), "cs-en");
        assert_eq!(pair("eng", "ces"), "en-cs");
        assert_eq!(pair("sah", "ru"), "sah-ru");
        assert_eq!(written("fin-eng").as_deref(), Some("fi-en"));
        assert_eq!(of_locales("en-cs_CZ").as_deref(), Some("en-cs"));
        assert_eq!((named("xh-zu").is_some(), named("en-mai").is_some(), named("wmt-esa")), (true, true, None));
        assert_eq!(written_together("eten").as_deref(), Some("et-en"));
        assert_eq!(in_name("rankings.fr-en.tsv").as_deref(), Some("fr-en"));
        assert_eq!(in_name("a-b.README.md"), None);
        assert_eq!(marked("newstest2014-csen-ref.en").as_deref(), Some("cs-en"));
        assert_eq!(marked("newstest2012-ref.en"), None);
    }
}
