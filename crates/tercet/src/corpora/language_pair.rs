//! Names of language pairs: `cs-en`, however the files write it.
//!
//! WMT12–14 wrote English names (`Czech,English`), WMT15–16 codes of three letters, for some languages those of
//! ISO 639-2/B (`fre`, `cze`) and for others those of 639-2/T (`deu`, `ron`). All become ISO 639-1, two letters. A
//! language that is not in the table keeps its name, in lower case.

/// The code of two letters and all other names of each language.
const LANGUAGES: &[(&str, &[&str])] = &[
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
    ("lt", &["lithuanian", "lit"]),
    ("lv", &["latvian", "lav"]),
    ("ml", &["malayalam", "mal"]),
    ("mr", &["marathi", "mar"]),
    ("ms", &["malay", "msa", "may"]),
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
    ("zh", &["chinese", "zho", "chi"]),
    ("zu", &["zulu", "zul"]),
];

/// The pair of two languages.
pub(super) fn pair(source: &str, target: &str) -> String {
    format!("{}-{}", language(source), language(target))
}

/// A language by its code.
fn language(name: &str) -> String {
    let name = name.trim().to_lowercase();
    let known = LANGUAGES.iter().find(|(_, others)| others.contains(&name.as_str()));
    known.map_or(name, |(code, _)| (*code).to_owned())
}

/// The pair in a text of two codes of two or three letters and a hyphen.
pub(super) fn written(text: &str) -> Option<String> {
    let code = |code: &&str| matches!(code.len(), 2 | 3) && code.bytes().all(|b| b.is_ascii_lowercase());
    let (source, target) = text.split_once('-')?;
    Some(pair(Some(source).filter(code)?, Some(target).filter(code)?))
}

/// The pair in a text of two codes without a hyphen: `eten` for `et-en`.
pub(super) fn written_together(text: &str) -> Option<String> {
    (text.len() == 4 && text.is_ascii()).then(|| written(&format!("{}-{}", &text[..2], &text[2..])))?
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
        assert_eq!(written_together("eten").as_deref(), Some("et-en"));
        assert_eq!(in_name("rankings.fr-en.tsv").as_deref(), Some("fr-en"));
        assert_eq!(in_name("a-b.README.md"), None);
        assert_eq!(marked("newstest2014-csen-ref.en").as_deref(), Some("cs-en"));
        assert_eq!(marked("newstest2012-ref.en"), None);
    }

    #[test]
    fn no_name_stands_for_two_languages() {
        let mut names: Vec<&str> =
            LANGUAGES.iter().flat_map(|(code, others)| others.iter().chain([code]).copied()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
