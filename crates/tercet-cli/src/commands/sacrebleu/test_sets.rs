//! Test sets that sacreBLEU has downloaded: `$SACREBLEU/SET/SET.PAIR.FIELD`, by default in `~/.sacrebleu`. Nothing is
//! downloaded here, and archives are not unpacked: a set is there once sacreBLEU has used it.

use super::failure::Failure;
use super::input;
use super::settings::Settings;
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use tercet::corpora::{Encoding, Lines};

/// The references of sets that have several: set, language pair (any, if empty), fields. From sacreBLEU 2.6.0.
const CHOSEN: &[(&str, &str, &[&str])] = &[
    ("wmt24", "", &["ref:refA"]),
    ("wmt23", "en-he", &["ref:refB"]),
    ("wmt23", "he-en", &["ref:refB"]),
    ("wmt23", "", &["ref:refA"]),
    ("wmt22", "cs-en", &["ref:B"]),
    ("wmt22", "en-cs", &["ref:B"]),
    ("wmt22", "liv-en", &["ref"]),
    ("wmt22", "ru-sah", &["ref"]),
    ("wmt22", "", &["ref:A"]),
    ("wmt21/systems", "", &["ref:A"]),
    ("wmt21", "", &["ref:A"]),
    ("wmt21/B", "", &["ref:B"]),
    ("wmt21/AB", "", &["ref:A", "ref:B"]),
    ("wmt21/C", "", &["ref:C"]),
    ("wmt21/AC", "", &["ref:A", "ref:C"]),
    ("wmt21/D", "", &["ref:D"]),
    ("wmt21/dev", "", &["ref:A", "ref"]),
];

/// A field and its file.
pub type Field = (String, PathBuf);

/// What is printed for `--list` or `--echo`, if one of them is given.
pub fn printed(settings: &Settings) -> Result<Option<String>, Failure> {
    let folder = folder();
    if settings.has("--list") {
        return Ok(Some(list(&folder, settings.text("--test-set"), settings.text("--language-pair"))?));
    }
    let Some(fields) = settings.values("--echo") else { return Ok(None) };
    let Some((sets, pair)) = settings.text("--test-set").zip(settings.text("--language-pair")) else {
        return Err(Failure::new("--echo requires a test set (-t) and a language pair (-l)"));
    };
    let printed: Result<String, Failure> = sets.split(',').map(|set| echo(&folder, set, pair, fields)).collect();
    printed.map(Some)
}

/// The reference files of the test sets of `-t`: for each set, one for each reference.
pub fn references(settings: &Settings) -> Result<Option<Vec<Vec<String>>>, Failure> {
    let Some(sets) = settings.text("--test-set") else { return Ok(None) };
    if !settings.references().is_empty() {
        return Err(Failure::new("I need exactly one of (a) a predefined test set (-t) or (b) a list of references"));
    }
    let Some(pair) = settings.text("--language-pair") else {
        let message = "I need a language pair (-l). Use --list to see available language pairs for this test set.";
        return Err(Failure::new(message));
    };
    let folder = folder();
    sets.split(',').map(|set| references_of(&folder, set, pair)).collect::<Result<_, _>>().map(Some)
}

/// The fields of a set in sacreBLEU's cache, and which of them are its references; an error says what is missing.
pub fn files(set: &str, pair: &str) -> Result<(Vec<Field>, Vec<PathBuf>), String> {
    let folder = folder();
    let read = || Ok((fields(&folder, set, pair)?, references_of(&folder, set, pair)?));
    let (fields, references) = read().map_err(|failure: Failure| failure.message)?;
    Ok((fields, references.into_iter().map(PathBuf::from).collect()))
}

fn references_of(folder: &Path, set: &str, pair: &str) -> Result<Vec<String>, Failure> {
    let fields = fields(folder, set, pair)?;
    let chosen = CHOSEN.iter().find(|(name, of, _)| *name == set && (of.is_empty() || *of == pair));
    let is_reference = |name: &str| match chosen {
        Some((_, _, chosen)) => chosen.contains(&name),
        None => name.starts_with("ref"),
    };
    let files: Vec<String> =
        fields.iter().filter(|(name, _)| is_reference(name)).map(|(_, path)| path.display().to_string()).collect();
    if files.is_empty() {
        return Err(Failure::new(format!("No references found for test set {set}/{pair}.")));
    }
    Ok(files)
}

fn folder() -> PathBuf {
    match env::var_os("SACREBLEU") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(env::var_os("HOME").unwrap_or_default()).join(".sacrebleu"),
    }
}

/// The fields of a set and language pair that are there: source, references, the rest by name.
fn fields(folder: &Path, set: &str, pair: &str) -> Result<Vec<Field>, Failure> {
    let mut found = language_pairs(folder, set);
    found.remove(pair).ok_or_else(|| {
        let what = if found.is_empty() { set.to_owned() } else { format!("the language pair {pair} of {set}") };
        Failure::new(format!(
            "{what} is not in {}, where sacreBLEU keeps its test sets; tercet never goes online.\n\
             Fetch it with sacreBLEU (sacrebleu -t {set} -l {pair} --echo ref > REF), or name files: \
             tercet sacrebleu REF -i HYP",
            folder.display()
        ))
    })
}

/// The language pairs of a set that are there, with their fields.
fn language_pairs(folder: &Path, set: &str) -> BTreeMap<String, Vec<Field>> {
    let mut pairs: BTreeMap<String, Vec<Field>> = BTreeMap::new();
    let prefix = format!("{}.", set.replace('/', "_"));
    let is_inside = !set.is_empty() && set.split('/').all(|part| !matches!(part, "" | "." | ".."));
    let entries = is_inside.then(|| fs::read_dir(folder.join(set)).ok()).flatten();
    for entry in entries.into_iter().flatten().flatten() {
        let name = entry.file_name();
        let parts = name.to_str().and_then(|name| name.strip_prefix(&prefix)?.split_once('.'));
        let Some((pair, field)) = parts.filter(|_| entry.path().is_file()) else { continue };
        // Windows has no colons in names of files.
        pairs.entry(pair.to_owned()).or_default().push((field.replacen('-', ":", 1), entry.path()));
    }
    let rank = |name: &str| (name != "src", !name.starts_with("ref"));
    for fields in pairs.values_mut() {
        fields.sort_by(|(one, _), (other, _)| rank(one).cmp(&rank(other)).then(one.cmp(other)));
    }
    pairs
}

fn list(folder: &Path, set: Option<&str>, pair: Option<&str>) -> Result<String, Failure> {
    if let Some(set) = set {
        let mut pairs = language_pairs(folder, set);
        if let Some(pair) = pair {
            pairs = BTreeMap::from([(pair.to_owned(), fields(folder, set, pair)?)]);
        } else if pairs.is_empty() {
            fields(folder, set, "LANGUAGE-PAIR")?;
        }
        let line = |(pair, fields): (&String, &Vec<Field>)| {
            let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
            format!("{pair}: {}\n", names.join(", "))
        };
        return Ok(pairs.iter().map(line).collect());
    }
    let mut printed = match pair {
        Some(pair) => format!("The test sets in {} for {pair} are:\n", folder.display()),
        None => format!("The test sets in {} are:\n", folder.display()),
    };
    for set in sets(folder) {
        let pairs = language_pairs(folder, &set);
        let turned = pair.and_then(|pair| pair.split_once('-')).map(|(source, target)| format!("{target}-{source}"));
        let has =
            |pair: &str| pairs.contains_key(pair) || turned.as_ref().is_some_and(|turned| pairs.contains_key(turned));
        if pair.is_none_or(has) && !pairs.is_empty() {
            let names: Vec<&str> = pairs.keys().map(String::as_str).collect();
            printed.push_str(&format!("{set:<30}: {}\n", names.join(" ")));
        }
    }
    Ok(printed)
}

/// Folders of the cache that may be sets: `wmt17` and `wmt17/improved`.
fn sets(folder: &Path) -> Vec<String> {
    let folders = |of: &Path| -> Vec<String> {
        let entries = fs::read_dir(of).into_iter().flatten().flatten().filter(|entry| entry.path().is_dir());
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    };
    let mut sets = folders(folder);
    for set in sets.clone() {
        sets.extend(folders(&folder.join(&set)).iter().map(|part| format!("{set}/{part}")));
    }
    sets.sort();
    sets
}

/// Fields of a set, a line each, with tabs between them.
fn echo(folder: &Path, set: &str, pair: &str, asked: &[String]) -> Result<String, Failure> {
    let fields = fields(folder, set, pair)?;
    let all = asked.iter().any(|field| field == "all");
    if all && asked.len() > 1 {
        return Err(Failure::new("Cannot use --echo all with other fields"));
    }
    let find = |name: &str| {
        let first = || fields.iter().find(|(field, _)| name == "ref" && field.starts_with("ref"));
        fields.iter().find(|(field, _)| field == name).or_else(first).map(|(_, path)| path)
    };
    let mut paths = Vec::new();
    for field in if all { fields.iter().map(|(name, _)| name.as_str()).collect() } else { strings(asked) } {
        let Some(path) = find(field) else {
            let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
            return Err(Failure::new(format!(
                "No such field {field} in test set {set} for language pair {pair}.\n\
                 available fields for {set}/{pair}: {}",
                names.join(", ")
            )));
        };
        paths.push(path.display().to_string());
    }
    let files = input::read_files(&paths, Encoding::from_name("utf-8")?)?;
    let count = files.iter().map(Lines::len).min().unwrap_or_default();
    let line = |i: usize| files.iter().map(|file| file.line(i)).collect::<Vec<_>>().join("\t") + "\n";
    Ok((0..count).map(line).collect())
}

fn strings(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}
