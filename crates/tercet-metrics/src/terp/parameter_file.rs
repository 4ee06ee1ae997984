//! TERp's parameter files: lines of `Name (type) : value`.
//!
//! An empty value leaves what was set before, as in the tool. What the tool reads but never uses (`Shift Size`, the
//! flags about filtering and normalising the phrase table), and its input and output files, are accepted without
//! effect. What changes scores and is not supported is refused, and so is a name that TERp does not know, which the
//! tool ignores.

use super::settings::{Constraint, Function, Settings};
use crate::error::{Error, Result};
use std::path::{Path, PathBuf};

/// Names without effect on scores here: the tool's files and reports, and what it never uses. WordNet is built in.
const WITHOUT_EFFECT: &[&str] = &[
    "Shift Size (integer)",
    "Filter Phrase Table (boolean)",
    "Normalize Phrase Table (boolean)",
    "Sum Duplicate Phrases (boolean)",
    "Dump Phrase Table (boolean)",
    "Show All References (boolean)",
    "WordNet Database Directory (filename)",
    "Verbose (boolean)",
    "Reference File (filename)",
    "Hypothesis File (filename)",
    "Output Formats (list)",
    "Output Prefix (filename)",
    "Ignore Missing Hypothesis (boolean)",
    "Ignore Test Set ID (boolean)",
    "Use Multi Word Class (boolean)",
];

/// Names of files that would change scores, and what to do instead of using them.
const UNSUPPORTED: &[(&str, &str)] = &[
    ("Word Class File (filename)", "costs by classes of words are not supported"),
    ("Weight File (filename)", "write its costs into this file"),
    ("Reference Length File (filename)", "lengths of other references are not supported"),
    ("Phrase Database (filename)", "give the text that it was made from as phrases=FILE and leave this empty"),
];

/// Applies the lines of a file to settings.
pub(super) fn apply(text: &str, path: &Path, settings: &mut Settings) -> Result<()> {
    for (line, number) in text.lines().zip(1..) {
        let error = |what: String| Error::BadLine { path: path.to_owned(), line: number, what };
        if line.trim().is_empty() {
            continue;
        }
        let Some((name, value)) = line.split_once(':') else {
            return Err(error(format!("expected `Name (type) : value`, found `{}`", line.trim())));
        };
        set(name.trim(), value.trim(), settings).map_err(error)?;
    }
    check_function(settings).map_err(|what| Error::bad_file(path, what))
}

fn check_function(settings: &Settings) -> std::result::Result<(), String> {
    let (function, found) = (settings.adjustment.function, settings.adjustment.parameters.len());
    let expected = function.parameters();
    if expected == 0 || expected == found {
        return Ok(());
    }
    Err(format!("the function for phrases needs {expected} parameters, found {found}"))
}

/// Sets one parameter. The error says what is wrong.
fn set(name: &str, value: &str, settings: &mut Settings) -> std::result::Result<(), String> {
    if WITHOUT_EFFECT.contains(&name) || value.is_empty() && is_known(name) {
        return Ok(());
    }
    if let Some((_, advice)) = UNSUPPORTED.iter().find(|(unsupported, _)| *unsupported == name) {
        return Err(format!("`{name}` cannot be used here: {advice}"));
    }
    let costs = &mut settings.costs;
    let norm = &mut settings.norm;
    match name {
        "Normalize (boolean)" => norm.normalize = flag(value)?,
        "New Normalization (boolean)" => norm.new_norm = flag(value)?,
        "Case Sensitive (boolean)" => norm.case_sensitive = flag(value)?,
        "Strip Punctuation (boolean)" => norm.no_punct = flag(value)?,
        "Normalize Numbers (boolean)" => norm.normalize_numbers = flag(value)?,
        "Generalize Numbers (boolean)" => settings.any_number = flag(value)?,
        "Use Porter Stemming (boolean)" => settings.stems = flag(value)?,
        "Use WordNet Synonymy (boolean)" => settings.synonyms = flag(value)?,
        "Use Average Length (boolean)" => settings.mean_length = flag(value)?,
        "Cap Maximum TER (boolean)" => settings.cap = flag(value)?,
        "Beam Width (integer)" => settings.beam = whole(value)?,
        "Shift Distance (integer)" => settings.shift_distance = whole(value)?,
        "Default Deletion Cost (float)" => costs.deletion = cost(value)?,
        "Default Insertion Cost (float)" => costs.insertion = cost(value)?,
        "Default Substitution Cost (float)" => costs.substitution = cost(value)?,
        "Default Match Cost (float)" => costs.matching = cost(value)?,
        "Default Shift Cost (float)" => costs.shift = cost(value)?,
        "Default Stem Cost (float)" => costs.stem = cost(value)?,
        "Default Synonym Cost (float)" => costs.synonym = cost(value)?,
        "Adjust Phrase Table Min (float)" => settings.adjustment.least = number(value)?,
        "Adjust Phrase Table Max (float)" => settings.adjustment.most = number(value)?,
        "Adjust Phrase Table Params (float list)" => {
            let numbers: std::result::Result<_, _> = value.split_ascii_whitespace().map(number).collect();
            settings.adjustment.parameters = numbers?;
        }
        "Adjust Phrase Table Func (string)" => {
            let expected = || format!("expected NONE, STD, STDINV, STDNONED or STDINVNONED, found `{value}`");
            settings.adjustment.function = Function::from_name(value).ok_or_else(expected)?;
        }
        "Shift Constraint (string)" => {
            let expected = || format!("expected one of {}, found `{value}`", Constraint::NAMES.join(", "));
            settings.constraint = Constraint::from_name(value).ok_or_else(expected)?;
        }
        "Shift Stop Word List (string)" => settings.stop = Some(PathBuf::from(value)),
        "Normalization File (filename)" => settings.equivalents = Some(PathBuf::from(value)),
        _ => return Err(format!("TERp has no parameter `{name}`")),
    }
    Ok(())
}

/// Whether an empty value of a parameter has a meaning: all of TERp's that are set above or refused.
fn is_known(name: &str) -> bool {
    let unsupported = UNSUPPORTED.iter().any(|(unsupported, _)| *unsupported == name);
    // A value that every type of parameter refuses tells names from values.
    let refusal = || set(name, "\u{0}", &mut Settings::default());
    unsupported || !matches!(refusal(), Err(what) if what.starts_with("TERp has no"))
}

fn flag(value: &str) -> std::result::Result<bool, String> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(format!("expected true or false, found `{value}`")),
    }
}

fn whole(value: &str) -> std::result::Result<usize, String> {
    let number = value.parse().ok().filter(|number| *number <= super::MAX_LIMIT);
    number.ok_or_else(|| format!("expected a whole number up to {}, found `{value}`", super::MAX_LIMIT))
}

fn number(value: &str) -> std::result::Result<f64, String> {
    let number = value.parse().ok().filter(|number: &f64| !number.is_nan());
    number.ok_or_else(|| format!("expected a number, found `{value}`"))
}

fn cost(value: &str) -> std::result::Result<f64, String> {
    let cost = value.parse().ok().filter(|cost| (0.0..=super::MAX_COST).contains(cost));
    cost.ok_or_else(|| format!("expected a cost from 0 to {}, found `{value}`", super::MAX_COST))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Settings> {
        let mut settings = Settings::default();
        apply(text, Path::new("x.param"), &mut settings).map(|()| settings)
    }

    fn refusal(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn values_are_set_and_empty_ones_leave_what_was_set() {
        let settings = read(
            "Normalize (boolean)  : TRUE\nBeam Width (integer): 35\n\nBeam Width (integer) :\n\
             Default Shift Cost (float) : 0.5\n\
             Shift Constraint (string) : relax\nShift Size (integer) : 3\nWord Class File (filename) : \n",
        )
        .unwrap();
        assert!(settings.norm.normalize && settings.beam == 35 && settings.costs.shift == 0.5);
        assert_eq!(settings.constraint, Constraint::Relax);
        assert_eq!(Settings { beam: 20, ..read("Beam Width (integer): 20\r\n").unwrap() }, Settings::default());
    }

    #[test]
    fn mistakes_name_file_line_and_what_is_expected() {
        assert_eq!(
            refusal("\nBeam Width (integer) : x"),
            "x.param:2: expected a whole number up to 1000000, found `x`"
        );
        assert_eq!(refusal("Beem : 1"), "x.param:1: TERp has no parameter `Beem`");
        assert_eq!(refusal("Beem : "), "x.param:1: TERp has no parameter `Beem`");
        assert_eq!(refusal("noise"), "x.param:1: expected `Name (type) : value`, found `noise`");
        assert_eq!(refusal("Cap Maximum TER (boolean) : 1"), "x.param:1: expected true or false, found `1`");
        assert_eq!(
            refusal("Default Stem Cost (float) : -1"),
            "x.param:1: expected a cost from 0 to 1000000, found `-1`"
        );
        assert_eq!(
            refusal("Weight File (filename) : w.txt"),
            "x.param:1: `Weight File (filename)` cannot be used here: write its costs into this file"
        );
        assert_eq!(
            refusal("Adjust Phrase Table Func (string) : STD"),
            "x.param: the function for phrases needs 4 parameters, found 0"
        );
        assert!(refusal("Shift Constraint (string) : loose").contains("expected one of noshift, exact"));
    }
}
