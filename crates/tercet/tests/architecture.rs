//! Who may import whom, held by a test.
//!
//! Reads the sources of the library as text and follows every `crate::` and `super::` path to the folder (or file) directly
//! under `src/` that it leads to; each folder under `metrics/` counts by itself, so that one lexical metric cannot depend on
//! another. The table below is the only place where allowed imports are listed.
//!
//! It also refuses imports that cannot be followed (grouped `crate::{…}` imports, `super::super::`), names that say nothing
//! (`utils`, `common`, `helpers`, `misc`), files that should be split, and language in `tercet-learn`.

mod rust_paths;

use rust_paths::{code, module_of, paths};
use std::fs;
use std::path::Path;

/// Folders that all may import: errors, and progress, which is `tercet-learn`'s.
const OPEN: &[&str] = &["error", "progress"];

/// Every folder and the folders it may import. In a row, `metrics` is the contract
/// (`metrics/mod.rs` and the files beside it), `metrics::*` any metric's folder; `text::trim_end` opens that one item.
const ALLOWED: &[(&str, &[&str])] = &[
    // Dictionaries are mapped.
    ("text", &["mapped_file"]),
    ("mapped_file", &[]),
    ("cache", &[]),
    ("xxhash64", &[]),
    ("unpack", &["xxhash64"]),
    // A mistyped option is answered with the nearest known one.
    ("spec", &["text::nearest"]),
    // A mistyped key is told the nearest known one.
    ("recipe", &["text::nearest"]),
    ("vectors", &["cache", "mapped_file", "unpack", "xxhash64"]),
    // Readers cut lines as Python does, by the one definition of white space there is.
    // Languages have one table of names.
    (
        "corpora",
        &["unpack", "text::trim_end", "text::is_line_separator", "text::LANGUAGES", "text::language_code"],
    ),
    ("statistics", &[]),
    // Files made for Java are cut into lines as it does. Abbreviations belong to the tokenizers; here they get a hash.
    (
        "resources",
        &["cache", "unpack", "text::JavaLines", "text::java_hash", "text::Abbreviations", "text::Prefix"],
    ),
    // Training reads the treebanks and texts that a recipe names.
    (
        "parse",
        &[
            "text",
            "recipe",
            "corpora::read_bytes",
            "corpora::read_lines",
            "corpora::find_files",
            "corpora::is_tar",
            "corpora::read_tar",
            "corpora::gzip",
        ],
    ),
    // Training of an encoder reads the pairs that a recipe names.
    (
        "encode",
        &[
            "spec",
            "text",
            "vectors",
            "parse",
            "recipe",
            "corpora::find_files",
            "corpora::read_lines",
            "corpora::formats::parse_nli",
            "corpora::NliLabel",
            "corpora::NliPairs",
        ],
    ),
    // The recipes of everything that is trained.
    ("train", &["recipe", "parse", "encode", "corpora::find_files", "metrics::*"]),
    // Tallies of fractions are summed exactly, so that the order of segments does not matter.
    ("metrics", &["spec", "text", "resources", "statistics::exact_sum::ExactSum", "metrics::*"]),
    (LEXICAL, &["spec", "text", "resources", "metrics"]),
    // What learned metrics share: judged data, features of any metric, sentence vectors.
    ("learned", &["spec", "text", "vectors", "corpora", "encode", "metrics"]),
    (
        LEARNED,
        &[
            "learned",
            "cache",
            "recipe",
            "spec",
            "text",
            "vectors",
            "corpora",
            "statistics",
            "resources",
            "parse",
            "encode",
            "metrics",
            "metrics::*",
        ],
    ),
    // Looks for suspicious text with the same definition, and for its language.
    (
        "scoring",
        &[
            "metrics",
            "corpora",
            "statistics",
            "text::is_whitespace",
            "text::is_line_separator",
            "text::Language",
            "text::Script",
            "text::Writing",
            "text::other_language",
        ],
    ),
    ("meta_evaluation", &["scoring", "corpora", "statistics", "metrics"]),
    // Columns are aligned by the widths that text has on a terminal; pages say what does not fit the language.
    (
        "report",
        &[
            "scoring",
            "meta_evaluation",
            "metrics",
            "corpora::Level",
            "learned",
            "statistics::Grouping",
            "text::Language",
            "text::display_width",
            "text::visible",
        ],
    ),
];

/// The rows of metrics' folders. A folder not listed in [`LEARNED_METRICS`] is lexical, so a new lexical metric needs
/// no line here.
const LEXICAL: &str = "metrics::<lexical>";
const LEARNED: &str = "metrics::<learned>";
const LEARNED_METRICS: &[&str] = &["bertscore", "pairwise", "reval", "ruse", "siamese", "blend"];

/// Names that say nothing of what is inside.
const DRAWERS: &[&str] = &["util", "utils", "common", "helper", "helpers", "misc", "shared", "stuff"];

/// A source file has at most so many lines, tests aside.
const MAX_LINES: usize = 500;

/// Files that are tables of data and may be long.
const TABLES: &[&str] = &[];

/// Words that have no place in the code of `tercet-learn`, which knows no language.
const LANGUAGE: &[&str] = &["hypothesis", "reference", "translation", "sentence"];

#[test]
fn imports_are_allowed_ones() {
    report(check(&sources("src")));
}

#[test]
fn tercet_learn_knows_no_language() {
    report(check_learn(&sources("../tercet-learn/src")));
}

fn report(violations: Vec<String>) {
    assert!(
        violations.is_empty(),
        "{} violation(s) of the architecture:\n{}\n",
        violations.len(),
        violations.join("\n")
    );
}

/// A source file: its path under the crate's `src/`, and its text.
struct Source {
    path: String,
    text: String,
}

/// All Rust files under a folder of this crate, sorted.
fn sources(folder: &str) -> Vec<Source> {
    fn walk(folder: &Path, prefix: &str, found: &mut Vec<Source>) {
        let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            let path = format!("{prefix}{name}");
            if entry.path().is_dir() {
                walk(&entry.path(), &format!("{path}/"), found);
            } else if name.ends_with(".rs") {
                let text = fs::read_to_string(entry.path()).unwrap();
                found.push(Source { path, text });
            }
        }
    }
    let mut found = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), "", &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// Everything the sources do that they may not, one message each: where, what, and the way out.
fn check(sources: &[Source]) -> Vec<String> {
    let layout = Layout::new(sources);
    let mut violations = Vec::new();
    for source in sources {
        check_shape(source, &mut violations);
        let module = module_of(&source.path);
        let Some(folder) = layout.folder(&module) else {
            continue;
        };
        let Some(allowed) = row(&folder) else {
            violations.push(format!(
                "src/{}: folder `{folder}` has no row in ALLOWED of tests/architecture.rs: add one that says what it may import",
                source.path
            ));
            continue;
        };
        if is_test(source) {
            continue; // makes by hand what its folder is given
        }
        for (line, path) in paths(&code(&source.text), &module) {
            let Some(target) = layout.folder(&path) else {
                continue;
            };
            let item = path.join("::");
            let open = target == folder
                || OPEN.contains(&&*target)
                || allowed.iter().any(|&to| {
                    to == target || to == item || (to == "metrics::*" && target.starts_with("metrics::"))
                });
            if !open {
                violations.push(format!(
                    "src/{}:{line}: `{folder}` may not import `{target}` (crate::{item}): it may import {}; move what both need to \
                     a folder both may see, or hand it in as an argument",
                    source.path,
                    if allowed.is_empty() { "nothing of ours".to_owned() } else { allowed.join(", ") },
                ));
            }
        }
    }
    violations
}

/// Names, length, and spellings of imports that would hide an import.
fn check_shape(source: &Source, violations: &mut Vec<String>) {
    let path = &source.path;
    for part in path.trim_end_matches(".rs").split('/') {
        if DRAWERS.contains(&part) {
            violations.push(format!(
                "src/{path}: `{part}` says nothing of what is inside: name it after the idea, or keep it beside its only use"
            ));
        }
    }
    for (number, line) in code(&source.text).lines().enumerate() {
        let squeezed: String = line.split_whitespace().collect();
        if squeezed.contains("crate::{") {
            violations.push(format!(
                "src/{path}:{}: grouped `crate::{{…}}` import: write one `use crate::folder::…` per folder",
                number + 1
            ));
        }
        if squeezed.contains("super::super::") {
            violations
                .push(format!("src/{path}:{}: `super::super::`: write the path from `crate::`", number + 1));
        }
    }
    let lines = lines_without_tests(source);
    if lines > MAX_LINES && !TABLES.contains(&path.as_str()) {
        violations.push(format!(
            "src/{path}: {lines} lines without tests, at most {MAX_LINES}: split it by idea (a table of data goes into TABLES \
             of tests/architecture.rs)"
        ));
    }
}

fn check_learn(sources: &[Source]) -> Vec<String> {
    let mut violations = Vec::new();
    for source in sources {
        check_shape(source, &mut violations);
        for (number, line) in code(&source.text).lines().enumerate() {
            let lower = line.to_lowercase();
            for word in LANGUAGE.iter().filter(|word| lower.contains(**word)) {
                violations.push(format!(
                    "tercet-learn/src/{}:{}: `{word}`: this crate knows numbers only; name it by its role there, or move it to \
                     tercet",
                    source.path,
                    number + 1
                ));
            }
        }
    }
    violations
}

fn is_test(source: &Source) -> bool {
    source.path.ends_with("/tests.rs") || source.path.contains("/tests/")
}

fn lines_without_tests(source: &Source) -> usize {
    if is_test(source) {
        return 0;
    }
    let lines: Vec<&str> = source.text.lines().collect();
    let tests = lines.windows(2).position(|pair| pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod "));
    tests.unwrap_or(lines.len())
}

/// The folders there are.
struct Layout {
    folders: Vec<String>,
    metrics: Vec<String>,
}

impl Layout {
    fn new(sources: &[Source]) -> Self {
        let (mut folders, mut metrics) = (Vec::new(), Vec::new());
        for source in sources {
            let parts: Vec<&str> = source.path.split('/').collect();
            folders.push(parts[0].trim_end_matches(".rs").to_owned());
            if parts[0] == "metrics" && parts.len() > 2 {
                metrics.push(parts[1].to_owned());
            }
        }
        folders.retain(|folder| folder != "lib");
        Layout { folders, metrics }
    }

    /// The folder a path from the crate's root leads to; `None` for the root itself and what it re-exports.
    fn folder(&self, path: &[String]) -> Option<String> {
        let first = path.first().filter(|first| self.folders.contains(first))?;
        match path.get(1) {
            Some(second) if first == "metrics" && self.metrics.contains(second) => {
                Some(format!("metrics::{second}"))
            }
            _ => Some(first.clone()),
        }
    }
}

fn row(folder: &str) -> Option<&'static [&'static str]> {
    let row = match folder.strip_prefix("metrics::") {
        Some(metric) if LEARNED_METRICS.contains(&metric) => LEARNED,
        Some(_) => LEXICAL,
        // A name that is not known is answered with the nearest one that is, a file that is not UTF-8 with its encoding.
        None if folder == "error" => {
            return Some(&["text::nearest", "text::other_encoding", "text::packed_format"]);
        }
        None => folder,
    };
    let (_, allowed) = ALLOWED.iter().find(|(name, _)| *name == row)?;
    Some(allowed)
}

/// A made-up crate with one file under test beside an empty folder of every kind.
fn violations_of(path: &str, text: &str) -> Vec<String> {
    let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let mut sources: Vec<Source> = [
        "lib.rs",
        "error.rs",
        "text/mod.rs",
        "corpora/mod.rs",
        "statistics.rs",
        "metrics/mod.rs",
        "metrics/bleu/mod.rs",
        "metrics/chrf/mod.rs",
        "metrics/ruse/mod.rs",
        "scoring/mod.rs",
        "report/mod.rs",
    ]
    .iter()
    .filter(|known| **known != path)
    .map(|known| source(known, ""))
    .collect();
    sources.push(source(path, text));
    check(&sources)
}

#[test]
fn allowed_arrows_pass() {
    for (path, text) in [
        ("text/words.rs", "use crate::error::Result;\nuse super::split;\nuse crate::Error;"),
        ("text/words.rs", "//! See [`bleu`](crate::metrics::bleu).\nfn f() {} // crate::scoring"),
        (
            "metrics/bleu/mod.rs",
            "use super::{Metric, Tally};\nuse crate::metrics::by_references;\nuse crate::text::split;",
        ),
        ("metrics/bleu/counts.rs", "use super::Smoothing;\nuse crate::metrics::bleu::sentence::X;"),
        ("corpora/plain_text.rs", "use crate::text::trim_end;"),
        ("metrics/ruse/mod.rs", "use crate::metrics::bleu::INFO;\nuse crate::statistics::mean;"),
        ("metrics/mod.rs", "pub use crate::metrics::bleu::INFO;"),
        ("report/tests.rs", "use crate::statistics::Interval;"),
        (
            "scoring/mod.rs",
            "use crate::corpora::{Judgement, plain::{A, B as C}};\nuse crate::metrics::Metric;",
        ),
    ] {
        assert_eq!(violations_of(path, text), Vec::<String>::new(), "{path}: {text}");
    }
}

#[test]
fn forbidden_imports_are_named_with_file_line_and_remedy() {
    for (path, text, expected) in [
        (
            "text/words.rs",
            "\nuse crate::metrics::Tally;",
            "src/text/words.rs:2: `text` may not import `metrics`",
        ),
        (
            "text/mod.rs",
            "fn f() { crate::corpora::read() }",
            "src/text/mod.rs:1: `text` may not import `corpora`",
        ),
        ("text/mod.rs", "use super::corpora::read;", "`text` may not import `corpora`"),
        (
            "corpora/mod.rs",
            "use crate::text::{trim_end, split};",
            "`corpora` may not import `text` (crate::text::split)",
        ),
        ("statistics.rs", "use crate::scoring::Run;", "`statistics` may not import `scoring`"),
        ("metrics/chrf/mod.rs", "use crate::metrics::bleu::Counts;", "may not import `metrics::bleu`"),
        (
            "metrics/chrf/mod.rs",
            "use super::{\n    Metric,\n    bleu::Counts,\n};",
            "may not import `metrics::bleu`",
        ),
        (
            "metrics/chrf/mod.rs",
            "use crate::metrics::{Tally, bleu::{self, Counts}};",
            "may not import `metrics::bleu`",
        ),
        (
            "metrics/newest/mod.rs",
            "use crate::statistics::mean;",
            "may import spec, text, resources, metrics",
        ),
        ("report/text.rs", "use crate::metrics::bleu::INFO;", "`report` may not import `metrics::bleu`"),
        ("attic/mod.rs", "", "folder `attic` has no row in ALLOWED of tests/architecture.rs"),
    ] {
        let violations = violations_of(path, text);
        assert!(violations.iter().any(|violation| violation.contains(expected)), "{path}: {violations:?}");
    }
}

#[test]
fn what_would_hide_an_import_is_refused() {
    for (path, text, expected) in [
        (
            "scoring/mod.rs",
            "use crate::{metrics, text};",
            "src/scoring/mod.rs:1: grouped `crate::{…}` import",
        ),
        (
            "metrics/bleu/counts.rs",
            "\n\nuse super::super::chrf;",
            "src/metrics/bleu/counts.rs:3: `super::super::`",
        ),
        ("text/utils.rs", "", "src/text/utils.rs: `utils` says nothing of what is inside"),
        ("text/common/mod.rs", "", "src/text/common/mod.rs: `common` says nothing"),
    ] {
        let violations = violations_of(path, text);
        assert!(violations.iter().any(|violation| violation.contains(expected)), "{path}: {violations:?}");
    }
}

#[test]
fn long_files_are_refused_unless_the_rest_is_tests() {
    let long = "fn f() {}\n".repeat(MAX_LINES + 1);
    assert!(violations_of("text/long.rs", &long)[0].contains("501 lines without tests, at most 500"));
    assert!(violations_of("text/long/tests.rs", &long).is_empty());
    let tested = format!("fn f() {{}}\n\n#[cfg(test)]\nmod tests {{\n{long}}}\n");
    assert!(violations_of("text/tested.rs", &tested).is_empty());
}

#[test]
fn language_in_tercet_learn_is_refused() {
    let source =
        Source { path: "svr.rs".to_owned(), text: "// a reference\nfn score_hypothesis() {}".to_owned() };
    let violations = check_learn(&[source]);
    assert_eq!(violations.len(), 1);
    assert!(violations[0].starts_with("tercet-learn/src/svr.rs:2: `hypothesis`"));
}
