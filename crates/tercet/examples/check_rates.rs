//! How often the checks of `tercet check` are right: findings in outputs of real systems, for people to look at, and
//! the share of outputs that are found after they were damaged here.
//!
//! `cargo run --release -p tercet --example check_rates -- FOLDER…`: each folder has `src`, `ref` and systems `sys.*`,
//! one segment per line. The tables are those of `docs/checks.md`.

#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tercet::corpora::{Lines, read_lines};
use tercet::progress::Progress;
use tercet::scoring::{CheckJob, CheckKind, CheckTexts, Checked, System};

/// One line in so many is damaged.
const EVERY: usize = 50;

/// A test set with its systems.
struct Set {
    sources: Lines,
    references: Lines,
    systems: Vec<(String, Lines)>,
}

/// What is done to a line, given its number and its source; nothing where it cannot be done.
type Damage = fn(&str, usize, &str) -> Option<String>;

const DAMAGES: [(CheckKind, &str, Damage); 19] = [
    (CheckKind::EmptyOutput, "left empty", |_, _, _| Some(String::new())),
    (CheckKind::CopyOfSource, "replaced by the source", |_, _, source| words(source, 5).then(|| source.to_owned())),
    (CheckKind::Refusal, "replaced by a refusal", |_, i, _| Some(in_turn(&REFUSALS, i).to_owned())),
    (CheckKind::Comment, "with a remark behind it", |line, i, _| Some(format!("{line} {}", in_turn(&REMARKS, i)))),
    (CheckKind::Label, "with a label before it", |line, i, _| Some(format!("{} {line}", in_turn(&LABELS, i)))),
    (CheckKind::Json, "in JSON", |line, _, _| Some(format!("{{\"translation\": \"{line}\"}}"))),
    (CheckKind::CodeFence, "in a code fence", |line, _, _| Some(format!("```{line}```"))),
    (CheckKind::Markdown, "in bold letters", |line, _, _| Some(format!("**{line}**"))),
    (CheckKind::Quotes, "in quotation marks", |line, _, _| (!line.contains('"')).then(|| format!("\"{line}\""))),
    (CheckKind::Reasoning, "behind reasoning", |line, _, _| Some(format!("<think>Let me see.</think> {line}"))),
    (CheckKind::SubwordMarks, "cut into subwords", |line, _, _| subwords(line)),
    (CheckKind::HtmlEntity, "with HTML entities", |line, _, _| {
        line.contains(['&', '"', '\''])
            .then(|| line.replace('&', "&amp;").replace('"', "&quot;").replace('\'', "&#39;"))
    }),
    (CheckKind::Mojibake, "read as Latin-1", |line, _, _| {
        (!line.is_ascii()).then(|| line.bytes().map(char::from).collect())
    }),
    (CheckKind::Repetition, "with three words six times", |line, i, _| repeated(line, i)),
    (CheckKind::Number, "with digits exchanged", |line, _, _| exchanged(line)),
    (CheckKind::Length, "cut to a fifth", |line, _, _| words(line, 10).then(|| start(line, 5))),
    (CheckKind::RepeatedOutput, "replaced by one sentence", |_, _, _| Some(ONE.to_owned())),
    (CheckKind::OtherLanguage, "replaced by French", |_, i, _| Some(in_turn(&FRENCH, i).to_owned())),
    (CheckKind::LineSeparator, "with a line separator", |line, _, _| Some(line.replacen(' ', "\u{2028}", 1))),
];

const ONE: &str = "The committee will meet again on Thursday to decide about it.";

/// Not all of them are in the lists of the checks.
const REFUSALS: [&str; 8] = [
    "I'm sorry, but I can't help with that request.",
    "I cannot translate this text.",
    "As an AI language model, I am not able to do this.",
    "Unfortunately, I'm unable to provide a translation of this passage.",
    "It looks like there is no text to translate here. Please provide the sentence.",
    "Leider kann ich diesen Text nicht übersetzen.",
    "I won't translate this because it may be offensive.",
    "对不起，我无法翻译这个句子。",
];

const REMARKS: [&str; 6] = [
    "(Note: the translation keeps the tone of the original.)",
    "I hope this translation helps!",
    "Let me know if you need anything else.",
    "A more literal translation would keep the order of the words.",
    "Note: This translation is informal.",
    "Please tell me whether this is what you wanted.",
];

const LABELS: [&str; 6] =
    ["Translation:", "Here is the translation:", "**Translation:**", "Output:", "Übersetzung:", "Sure, here you go:"];

const FRENCH: [&str; 3] = [
    "Le conseil de la ville a décidé que les travaux ne seront pas finis avant la fin de l'année.",
    "Il est arrivé dans la nuit avec ses deux enfants et une valise qui ne fermait pas.",
    "Nous avons vu des oiseaux sur le lac, mais il n'y avait pas de bateau pour traverser.",
];

fn in_turn(list: &[&'static str], i: usize) -> &'static str {
    list[i / EVERY % list.len()]
}

fn words(line: &str, fewest: usize) -> bool {
    line.split(' ').count() >= fewest
}

fn start(line: &str, part: usize) -> String {
    let count = line.split(' ').count() / part;
    line.split(' ').take(count).collect::<Vec<_>>().join(" ")
}

fn subwords(line: &str) -> Option<String> {
    let word = line.split(' ').find(|word| word.len() > 5 && word.is_ascii())?;
    Some(line.replacen(word, &format!("{}@@ {}", &word[..3], &word[3..]), 1))
}

fn repeated(line: &str, i: usize) -> Option<String> {
    let all: Vec<&str> = line.split(' ').collect();
    let from = i % all.len().checked_sub(3).filter(|left| *left > 0)?;
    let phrase = all[from..from + 3].join(" ");
    Some([&all[..from].join(" "), [phrase.as_str(); 6].join(" ").as_str(), &all[from + 3..].join(" ")].join(" "))
}

/// The first number of three digits or more, backwards.
fn exchanged(line: &str) -> Option<String> {
    let is_long = |word: &&str| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_digit());
    let number = line.split(' ').find(is_long)?;
    let backwards: String = number.chars().rev().collect();
    (backwards != number).then(|| line.replacen(number, &backwards, 1))
}

fn main() -> tercet::Result<()> {
    let folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let sets = folders.iter().map(|folder| read(folder)).collect::<tercet::Result<Vec<Set>>>()?;
    alarms(&sets)?;
    detections(&sets)?;
    displacements(&sets)
}

fn read(folder: &Path) -> tercet::Result<Set> {
    let mut systems = Vec::new();
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with("sys.") {
            systems.push((name, read_lines(&path)?));
        }
    }
    Ok(Set { sources: read_lines(&folder.join("src"))?, references: read_lines(&folder.join("ref"))?, systems })
}

fn check(set: &Set, systems: Vec<System<'_>>) -> tercet::Result<Checked> {
    let references = set.references.iter().map(|line| vec![line]).collect();
    let texts = CheckTexts::new(systems, Some(references), Some(set.sources.iter().collect()))?;
    Ok(CheckJob::default().run(&texts, Progress::none())?.result)
}

/// Findings in outputs as they are.
fn alarms(sets: &[Set]) -> tercet::Result<()> {
    let (mut counts, mut lines): (BTreeMap<CheckKind, usize>, usize) = (BTreeMap::new(), 0);
    for set in sets {
        let system =
            |(name, lines): &(String, Lines)| (name.clone(), lines.iter().map(str::to_owned).collect::<Vec<_>>());
        let owned: Vec<_> = set.systems.iter().map(system).collect();
        let systems = owned.iter().map(|(name, lines)| System::new(name.clone(), lines)).collect();
        let checked = check(set, systems)?;
        checked.findings.iter().for_each(|found| *counts.entry(found.kind).or_default() += 1);
        lines += set.systems.len() * checked.segments;
    }
    println!("| kind | findings in {lines} lines | of 1,000 |\n|---|---|---|");
    for (kind, count) in counts {
        println!("| `{kind}` | {count} | {:.2} |", 1000.0 * count as f64 / lines as f64);
    }
    Ok(())
}

/// The shares of damaged lines that are found.
fn detections(sets: &[Set]) -> tercet::Result<()> {
    println!("\n| kind | outputs | found |\n|---|---|---|");
    for (kind, what, damage) in DAMAGES {
        let (mut damaged, mut found) = (0, 0);
        for set in sets {
            let (name, lines) = &set.systems[0];
            let mut outputs: Vec<String> = lines.iter().map(str::to_owned).collect();
            let mut places = Vec::new();
            for i in (0..outputs.len()).step_by(EVERY) {
                let changed = damage(&outputs[i], i, set.sources.line(i)).filter(|_| !outputs[i].trim().is_empty());
                if let Some(changed) = changed.filter(|changed| *changed != outputs[i]) {
                    outputs[i] = changed;
                    places.push(i + 1);
                }
            }
            let checked = check(set, vec![System::new(name.clone(), &outputs)])?;
            let is_found = |line: &&usize| checked.findings.iter().any(|one| one.kind == kind && one.line == **line);
            found += places.iter().filter(is_found).count();
            damaged += places.len();
        }
        println!("| `{kind}` | {damaged} {what} | {:.1}% |", 100.0 * found as f64 / damaged.max(1) as f64);
    }
    Ok(())
}

/// The shares of displaced parts that are found, by their length.
fn displacements(sets: &[Set]) -> tercet::Result<()> {
    println!("\n| lines displaced by one | parts | found | inserted line named |\n|---|---|---|---|");
    for length in [3, 5, 10, 20, 50, 200] {
        let (mut parts, mut found, mut named) = (0, 0, 0);
        for set in sets {
            for (name, lines) in &set.systems {
                let mut outputs: Vec<String> = lines.iter().map(str::to_owned).collect();
                let at = outputs.len() / 3;
                outputs.remove(at + length);
                outputs.insert(at, "This line is not in the source.".to_owned());
                let checked = check(set, vec![System::new(name.clone(), &outputs)])?;
                let one = checked
                    .findings
                    .iter()
                    .find(|one| one.kind == CheckKind::Misaligned && one.line <= at + length && one.last > at);
                parts += 1;
                found += usize::from(one.is_some());
                let inserted = format!("line {} looks inserted", at + 1);
                named += usize::from(one.is_some_and(|one| one.reason.ends_with(&inserted)));
            }
        }
        println!("| {length} | {parts} | {found} | {named} |");
    }
    Ok(())
}
