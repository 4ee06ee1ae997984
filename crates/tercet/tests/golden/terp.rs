//! TERp (Snover et al., 2009) at commit e45c428: for every segment of every run edits, length, counts of edits by kind,
//! the alignment, the shifts and the phrases in use, and the score of the whole; words after normalisation; stems and
//! synonyms.

use crate::inputs::{assert_close, files, lines, name};
use libtest_mimic::Trial;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use tercet::metrics::terp::{Edit, Terp, TerpAlignment};
use tercet::metrics::{Metric, Segment, Tally};
use tercet::resources::Senses;
use tercet::text::porter_stem;

pub fn trials(shared: &Path) -> Vec<Trial> {
    let folder = shared.join("golden/terp");
    let runs = files(shared, "terp/out", ".tsv").into_iter().map(|path| (path, check_run as fn(&Path, &Path)));
    let tokens = files(shared, "terp/tokens", ".tok").into_iter().map(|path| (path, check_tokens as fn(&Path, &Path)));
    let lexicon = [(folder.join("lexicon.tsv"), check_lexicon as fn(&Path, &Path))];
    let trial = |(path, check): (PathBuf, fn(&Path, &Path))| {
        let folder = folder.clone();
        Trial::test(format!("terp/{}", name(&path)), move || {
            check(&folder, &path);
            Ok(())
        })
    };
    runs.chain(tokens).chain(lexicon).map(trial).collect()
}

/// A run of the tool: `edge.terpa-pt.tsv` is the case `edge` with the variant `terpa-pt`.
struct Run {
    case: String,
    system_score: f64,
    terp: Terp,
}

impl Run {
    fn open(folder: &Path, path: &Path) -> Self {
        let file = path.file_stem().unwrap().to_str().unwrap();
        let (case, variant) = file.split_once('.').unwrap();
        let totals = lines(&folder.join("totals.tsv"));
        let fields = totals.iter().map(|line| line.split('\t').collect::<Vec<_>>());
        let total = fields.into_iter().find(|fields| fields[..2] == [case, variant]).unwrap();
        let terp = metric(folder, total.get(6).copied().unwrap_or_default());
        Run { case: case.to_owned(), system_score: total[5].parse().unwrap(), terp }
    }
}

/// The metric with the arguments of the tool.
fn metric(folder: &Path, arguments: &str) -> Terp {
    let temporary = tempfile::tempdir().unwrap();
    let (mut parameters, mut options) = (String::new(), String::new());
    let mut files = Vec::new();
    let mut arguments = arguments.split(' ').filter(|argument| !argument.is_empty());
    while let Some(flag) = arguments.next() {
        match flag {
            "-s" => options += ",case_sensitive=yes",
            "-c" => options += ",cap=yes",
            "-N" => options += ",norm=yes",
            "-t" => options += ",stems=yes",
            "-p" => files.push(arguments.next().unwrap()),
            "-W" => parameters += &weights(&folder.join(arguments.next().unwrap())),
            "-P" => {
                let database = arguments.next().unwrap();
                let table = database.strip_prefix("DB(").and_then(|rest| rest.strip_suffix(')')).unwrap();
                let place = if table.starts_with("params/") { "" } else { "inputs" };
                write!(options, ",phrases={}", folder.join(place).join(table).display()).unwrap();
            }
            _ => panic!("unknown flag {flag}"),
        }
    }
    if files.contains(&"params/stop.param") {
        write!(options, ",stop={}", folder.join("params/shift_word_stop_list.txt").display()).unwrap();
    }
    if files.contains(&"params/equiv.param") {
        write!(options, ",equivalents={}", folder.join("params/equiv.txt").display()).unwrap();
    }
    files.retain(|file| !["params/stop.param", "params/equiv.param", "params/wn.param"].contains(file));
    let costs = match files[..] {
        [] if parameters.is_empty() => "unit".to_owned(),
        ["params/ter.param"] => "ter".to_owned(),
        ["params/terpa.param"] => "terpa".to_owned(),
        ["params/terph.param"] => "terph".to_owned(),
        _ => {
            let read = |file: &&str| fs::read_to_string(folder.join(file)).unwrap();
            let text: String = files.iter().map(read).collect();
            let path = temporary.path().join("all.param");
            fs::write(&path, text + &parameters).unwrap();
            path.display().to_string()
        }
    };
    Terp::parse(&format!("costs={costs}{options}")).unwrap()
}

/// A file of weights as parameters.
fn weights(path: &Path) -> String {
    let names = ["Match", "Insertion", "Deletion", "Substitution", "Stem", "Synonym", "Shift"];
    let text = lines(path);
    let parameter = |(name, weight): (&str, &str)| format!("Default {name} Cost (float) : {weight}\n");
    names.into_iter().zip(text[1].split(' ')).map(parameter).collect()
}

/// Hypotheses and references of a case.
fn inputs(folder: &Path, case: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let read = |ending: &str| lines(&folder.join(format!("inputs/{case}.{ending}")));
    let hypotheses = read("hyp");
    let references: Vec<Vec<String>> = match case {
        "multi" => ["ref0", "ref1", "ref2", "ref3"].map(read).into(),
        _ => vec![read("ref")],
    };
    let of = |segment: usize| references.iter().map(|lines| lines[segment].clone()).collect();
    let references = (0..hypotheses.len()).map(of).collect();
    (hypotheses, references)
}

fn check_run(folder: &Path, path: &Path) {
    let run = Run::open(folder, path);
    let (hypotheses, references) = inputs(folder, &run.case);
    let rows = lines(path);
    assert_eq!(rows.len(), hypotheses.len() + 1);
    let mut tallies = Vec::new();
    for ((row, hypothesis), references) in rows[1..].iter().zip(&hypotheses).zip(&references) {
        let row: Vec<&str> = row.split('\t').collect();
        let references: Vec<&str> = references.iter().map(String::as_str).collect();
        let tally = run.terp.tally(&[Segment::new(hypothesis, &references)]).unwrap().remove(0);
        check_segment(&row, &run.terp.align(hypothesis, &references), &tally, &run.terp);
        tallies.push(tally);
    }
    let total = run.terp.score(&Tally::sum(&tallies)) / 100.0;
    assert_close(total, run.system_score, "system score");
}

fn check_segment(row: &[&str], ours: &TerpAlignment, tally: &Tally, terp: &Terp) {
    let what = format!("segment {}", row[0]);
    let number = |column: usize| row[column].parse::<f64>().unwrap();
    let close = |ours: f64, theirs: f64, which: &str| {
        assert!((ours - theirs).abs() <= 1e-12 * theirs.abs().max(1.0), "{what} {which}: {ours} {theirs}");
    };
    assert_eq!(ours.alignment_text(), row[12], "{what}: {ours:?}");
    assert_eq!(ours.shift_text(), row[13], "{what}: {ours:?}");
    close(ours.edits, number(2), "edits");
    close(ours.reference_length, number(3), "length");
    close(tally[0], number(2), "edits in the tally");
    close(terp.score(tally) / 100.0, number(1), "score");
    close(tally[1], number(3), "length in the tally");
    let counts: Vec<f64> = (4..12).map(number).collect();
    assert_eq!(tally[2..10], counts, "{what}");
    assert!(!ours.unfinished, "{what}");
    let phrases: Vec<&str> = row[14].split("; ").filter(|phrase| !phrase.is_empty()).collect();
    if phrases.len() == ours.phrases.len() {
        for (theirs, ours) in phrases.iter().zip(&ours.phrases) {
            let theirs: Vec<&str> = theirs.split('|').collect();
            close(ours.cost, theirs[0].parse().unwrap(), "cost of a phrase");
            close(ours.probability, theirs[1].parse().unwrap(), "probability of a phrase");
            assert_eq!([&ours.reference, &ours.hypothesis], theirs[2..], "{what}");
        }
    } else {
        panic!("{what}: {phrases:?} {:?}", ours.phrases);
    }
}

/// Alignments and shifts as the golden files have them.
trait Printed {
    fn alignment_text(&self) -> String;
    fn shift_text(&self) -> String;
}

impl Printed for TerpAlignment {
    fn alignment_text(&self) -> String {
        let letter = |edit: &Edit| match edit {
            Edit::Match => 'M',
            Edit::Substitution => 'S',
            Edit::Stem => 'T',
            Edit::Synonym => 'Y',
            Edit::Phrase => 'P',
            Edit::Insertion => 'I',
            Edit::Deletion => 'D',
            _ => '?',
        };
        self.steps.iter().map(letter).collect()
    }

    fn shift_text(&self) -> String {
        let position = |place: Option<usize>| place.map_or("-1".to_owned(), |place| place.to_string());
        let shifts = self
            .shifts
            .iter()
            .map(|shift| format!("{},{},{},{}", shift.start, shift.end, position(shift.place), position(shift.target)));
        shifts.collect::<Vec<_>>().join(";")
    }
}

fn check_tokens(folder: &Path, path: &Path) {
    let run = Run::open(folder, path);
    let (hypotheses, references) = inputs(folder, &run.case);
    let rows = lines(path);
    assert_eq!(rows.len(), hypotheses.len());
    for ((row, hypothesis), references) in rows.iter().zip(&hypotheses).zip(&references) {
        let row: Vec<&str> = row.split('\t').collect();
        let references: Vec<&str> = references.iter().map(String::as_str).collect();
        let ours = run.terp.align(hypothesis, &references);
        assert_eq!([ours.reference.join(" "), ours.hypothesis.join(" ")], row[1..3], "segment {}", row[0]);
    }
}

/// Every word has the stem, and the same words as synonyms.
fn check_lexicon(_: &Path, path: &Path) {
    let rows = lines(path);
    let rows: Vec<Vec<&str>> = rows.iter().map(|row| row.split('\t').collect()).collect();
    let (mut theirs, mut ours) = (BTreeMap::new(), BTreeMap::new());
    for (number, row) in rows.iter().enumerate() {
        assert_eq!(porter_stem(row[0]), row[1], "{}", row[0]);
        for sense in row[2].split([' ', ',', ';']).filter(|sense| !sense.is_empty()) {
            theirs.entry(sense.to_owned()).or_insert_with(Vec::new).push(number);
        }
        let mut senses = Vec::new();
        Senses::embedded().senses(row[0], &mut senses);
        for sense in senses {
            ours.entry(sense).or_insert_with(Vec::new).push(number);
        }
    }
    // Sets are named differently, so the words that share one are compared.
    let shared = |sets: BTreeSet<Vec<usize>>| sets;
    let (theirs, ours) = (shared(theirs.into_values().collect()), shared(ours.into_values().collect()));
    let difference: Vec<Vec<&str>> =
        theirs.symmetric_difference(&ours).map(|words| words.iter().map(|&word| rows[word][0]).collect()).collect();
    assert!(difference.is_empty(), "{} sets differ: {:?}", difference.len(), &difference[..difference.len().min(5)]);
}
