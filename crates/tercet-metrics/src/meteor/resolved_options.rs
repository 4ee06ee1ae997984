//! Resolves `auto` options and rejects contradictory ones.

use super::aligner::Preparation;
use super::language_resources::stem_table;
use super::parameters::{Language, Module, Parameters};
use crate::Options;
use crate::error::{Error, Result};
use crate::text::Stemmer;
use crate::text::meteor_norm::NormLanguage;

/// The options after `auto` is resolved.
pub(super) struct ResolvedOptions {
    pub(super) language: &'static Language,
    pub(super) modules: Vec<Module>,
    pub(super) preparation: Preparation,
    pub(super) parameters: Parameters,
}

impl ResolvedOptions {
    /// Resolves the options and writes the values of `auto` back into them.
    pub(super) fn resolve(options: &mut Options) -> Result<Self> {
        let name = options.text("lang").to_owned();
        let language =
            Language::from_name(&name).ok_or_else(|| options.bad_value("lang", &name, "a language METEOR knows"))?;
        options.set("lang", language.code)?;
        if options.text("task") == "auto" {
            options.set("task", language.default_task())?;
        }
        let modules = modules(language, options)?;
        let names: Vec<&str> = modules.iter().map(|module| module.name()).collect();
        options.set("modules", &names.join("+"))?;
        let preparation = preparation(language, options)?;
        let parameters = parameters(language, modules.len(), options)?;
        Ok(ResolvedOptions { language, modules, preparation, parameters })
    }
}

/// The requested modules, or those of the language whose resources are available.
fn modules(language: &Language, options: &Options) -> Result<Vec<Module>> {
    let has_table = options.file("paraphrase").is_some();
    let lacks = |module: &Module| match module {
        Module::Exact => None,
        Module::Stem => (Stemmer::for_language(language.code).is_none() && stem_table(language, options).is_none())
            .then_some("a stemmer of the language (for Arabic: METEOR's table in data=DIR)"),
        Module::Synonym => (language.code != "en").then_some("English: METEOR has synonyms of no other language"),
        Module::Paraphrase => (!has_table).then_some("a table: paraphrase=FILE"),
    };
    let asked = options.text("modules");
    let modules: Vec<Module> = if asked == "auto" {
        let default = language.default_modules(options.text("task")).iter().copied();
        default.filter(|module| lacks(module).is_none()).collect()
    } else {
        let expected = "some of exact, stem, synonym, paraphrase, each once, with + between them";
        let named = asked.split('+').map(|name| Module::from_name(name.trim()));
        named.collect::<Option<_>>().ok_or_else(|| options.bad_value("modules", asked, expected))?
    };
    for (i, module) in modules.iter().enumerate() {
        if modules[..i].contains(module) {
            return Err(options.bad_value("modules", asked, "each module once"));
        }
        if let Some(lack) = lacks(module) {
            return Err(Error::Unusable(format!("metric `meteor`: module `{}` needs {lack}", module.name())));
        }
    }
    if has_table && !modules.contains(&Module::Paraphrase) {
        return Err(Error::Unusable(format!(
            "metric `meteor`: a paraphrase table was given that modules={} do not use (add paraphrase to the modules, \
             or leave the table out)",
            modules.iter().map(|module| module.name()).collect::<Vec<_>>().join("+")
        )));
    }
    Ok(modules)
}

fn preparation(language: &Language, options: &mut Options) -> Result<Preparation> {
    if options.text("lower") == "auto" {
        let lower = if options.text("norm") == "no" { "no" } else { "yes" };
        options.set("lower", lower)?;
    }
    if options.text("norm") == "auto" {
        options.set("norm", if language.is_tuned() { "yes" } else { "no" })?;
    }
    let normalize = options.flag("norm");
    if normalize && !language.is_tuned() {
        return Err(options.bad_value("norm", "yes", "no: METEOR normalises only en, cz, fr, es, de and ru"));
    }
    if normalize && !options.flag("lower") {
        return Err(options.bad_value("lower", "no", "yes with norm=yes, which lowercases"));
    }
    if options.flag("no_punct") && !normalize {
        return Err(options.bad_value("no_punct", "yes", "no without norm=yes, which finds punctuation"));
    }
    let norm_language = match language.code {
        "en" => NormLanguage::English,
        "fr" => NormLanguage::French,
        _ => NormLanguage::Other,
    };
    Ok(Preparation {
        normalize: normalize.then_some(norm_language),
        keep_punctuation: !options.flag("no_punct"),
        lowercase: options.flag("lower"),
    })
}

fn parameters(language: &Language, modules: usize, options: &Options) -> Result<Parameters> {
    let task = options.text("task");
    let mut parameters = Parameters::tuned(language, task, modules).ok_or_else(|| {
        let expected = format!("li, tune or universal for {}: METEOR was not tuned to it", language.name);
        options.bad_value("task", task, &expected)
    })?;
    let numbers = [
        ("alpha", &mut parameters.alpha, 1.0),
        ("beta", &mut parameters.beta, f64::INFINITY),
        ("gamma", &mut parameters.gamma, 1.0),
        ("delta", &mut parameters.delta, 1.0),
    ];
    for (key, parameter, most) in numbers {
        if let Some(number) = options.number(key) {
            if number > most {
                return Err(options.bad_value(key, options.text(key), "a number from 0 to 1"));
            }
            *parameter = number;
        }
    }
    let weights = options.text("weights");
    if weights != "auto" {
        let parse = |text: &str| text.trim().parse().ok().filter(|weight| (0.0..=1.0).contains(weight));
        let given: Option<Vec<f64>> = weights.split(':').map(parse).collect();
        let expected = format!("{modules} numbers from 0 to 1 with : between them, one per module");
        parameters.weights = given
            .filter(|given| given.len() == modules)
            .ok_or_else(|| options.bad_value("weights", weights, &expected))?;
    }
    Ok(parameters)
}
