//! What the target language decides about METEOR.

use super::parameters::Language as MeteorLanguage;
use crate::language::no_spaces;
use crate::text::Language;
use crate::warning::LanguageProblem;
use crate::{LanguageRules, Spec};

/// The option `lang`, and what METEOR cannot do for a language.
pub(super) const RULES: LanguageRules = LanguageRules {
    option: |language| Some(("lang", option(language.code()).unwrap_or("other"))),
    problem,
    set_to: |signature| {
        let used = MeteorLanguage::from_name(signature.option("lang")?)?;
        let has_script = !matches!(used.code, "ar-bw-red" | "other");
        has_script.then(|| Language::target(used.name).ok())?
    },
};

/// The value of `lang` for the language of an ISO 639 code, if METEOR has it.
fn option(code: &str) -> Option<&'static str> {
    // METEOR calls Swedish by the code of Northern Sami; "other" and names are no codes.
    let is_code = code != "se" && code != "xx" && matches!(code.len(), 2 | 3);
    Some(MeteorLanguage::from_name(Some(code).filter(|_| is_code)?)?.code)
}

/// The English name of METEOR's language.
fn name(option: &str) -> String {
    let name = MeteorLanguage::from_name(option).map_or(option, |language| language.name);
    name[..1].to_uppercase() + &name[1..]
}

fn problem(signature: &Spec, language: &Language, unsegmented: bool) -> Option<LanguageProblem> {
    let used = signature.option("lang").unwrap_or_default();
    let lang = option(language.code());
    let name = || (used != "other").then(|| name(used));
    if unsegmented && lang.is_none() {
        // Its tokenizer sets every character apart that is no Western or Cyrillic letter.
        return match name().filter(|_| signature.option("norm") == Some("yes")) {
            Some(used) => Some(LanguageProblem::CharactersByMeteor { used }),
            None => Some(no_spaces(None)),
        };
    }
    let other = |lang: &str| Some(LanguageProblem::MeteorLanguage { used: name(), lang: lang.to_owned() });
    match lang {
        Some(lang) if used != lang => other(lang),
        None if used != "other" => other("other"),
        None => Some(LanguageProblem::UnknownToMeteor),
        Some(lang) if !MeteorLanguage::from_name(lang).is_some_and(MeteorLanguage::is_tuned) => {
            Some(LanguageProblem::UntokenizedByMeteor)
        }
        Some(_) => None,
    }
}
