//! METEOR 1.5: the statistics of every segment, precision and recall exactly, penalty and score to 1e-12, alignments to
//! the byte, and the block of figures of the corpus; with METEOR's own resources and the part of its paraphrase table
//! that the inputs can use. Each printed score file is one test, with its statistics and alignments.
//!
//! With the resources inside the binary, the number of equal segments must not decrease: see `EMBEDDED`.

use crate::inputs::{Inputs, files, lines, name, resolve};
use libtest_mimic::Trial;
use std::fs;
use std::path::{Path, PathBuf};
use tercet::metrics::meteor::{Evaluation, JavaDouble, Meteor, Statistics};
use tercet::metrics::{Metric, Segment, Tally};

/// Segments, of all without paraphrases, whose statistics are METEOR's with the resources inside the binary, and how
/// many are when METEOR's list of function words is added. The rest are tokenized differently because of other
/// abbreviations; none differ because of synonyms.
const EMBEDDED: Embedded = Embedded { all: 40_170, equal: 31_118, with_words: 40_167 };

#[derive(Debug, Default, PartialEq)]
struct Embedded {
    all: usize,
    equal: usize,
    with_words: usize,
}

pub fn trials(shared: &Path) -> Vec<Trial> {
    let folders = ["meteor", "meteor_paraphrase"];
    let paths: Vec<PathBuf> = folders.iter().flat_map(|folder| files(shared, folder, ".vout.txt")).collect();
    let mut trials: Vec<Trial> = Vec::new();
    for path in &paths {
        let (shared, path) = (shared.to_owned(), path.clone());
        trials.push(Trial::test(name(&path), move || {
            Case::read(&shared, &path).check(&shared);
            Ok(())
        }));
    }
    let shared = shared.to_owned();
    trials.push(Trial::test("meteor/embedded", move || {
        embedded(&shared, &paths);
        Ok(())
    }));
    trials
}

/// A run of METEOR: its inputs and output.
struct Case {
    path: PathBuf,
    text: String,
    inputs: Inputs,
}

impl Case {
    fn read(shared: &Path, path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap();
        let described = text.lines().find_map(|line| line.strip_prefix("# inputs: hyp=")).unwrap();
        let (hypotheses, rest) = described.split_once(" ref=").unwrap();
        let mut words = rest.split(' ');
        let references = lines(&resolve(shared, words.next().unwrap()));
        let first = words.nth(1).map_or(usize::MAX, |number| number.parse().unwrap());
        let mut hypotheses = lines(&resolve(shared, hypotheses));
        hypotheses.truncate(first);
        let count = flag(&text, "-r").map_or(1, |count| count.parse().unwrap());
        let mut references: Vec<Vec<String>> = references.chunks(count).map(<[String]>::to_vec).collect();
        references.truncate(hypotheses.len());
        Case { path: path.to_owned(), inputs: Inputs { hypotheses, references }, text }
    }

    fn has_paraphrases(&self) -> bool {
        self.path.parent().is_some_and(|folder| folder.ends_with("meteor_paraphrase"))
    }

    /// Our options for METEOR's command.
    fn options(&self) -> Vec<String> {
        let mut options = vec![format!("lang={}", flag(&self.text, "-l").unwrap())];
        let command = command(&self.text);
        options.extend(flag(&self.text, "-t").map(|task| format!("task={task}")));
        if let Some((_, rest)) = command.split_once(" -m ") {
            let modules: Vec<&str> = rest.split(' ').take_while(|word| !word.starts_with('-')).collect();
            options.push(format!("modules={}", modules.join("+")));
        }
        let yes_or_no = |flag: &str| if command.split(' ').any(|word| word == flag) { "yes" } else { "no" };
        options.push(format!("norm={}", yes_or_no("-norm")));
        options.push(format!("no_punct={}", yes_or_no("-noPunct")));
        if yes_or_no("-lower") == "yes" {
            options.push("lower=yes".to_owned());
        }
        options
    }

    fn with_resources(&self, shared: &Path) -> Meteor {
        let mut options = self.options();
        options.push(format!("data={}", shared.join("data/meteor/resources").display()));
        if self.has_paraphrases() {
            let table = shared.join("golden/meteor_paraphrase/paraphrase-subset.gz");
            options.push(format!("paraphrase={}", table.display()));
        }
        Meteor::parse(&options.join(",")).unwrap()
    }

    fn beside(&self, kind: &str) -> Option<String> {
        let path = self.path.to_str().unwrap().replace(".vout.", &format!(".{kind}."));
        fs::read_to_string(path).ok()
    }

    /// METEOR's printed statistics, one line per segment.
    fn statistics(&self) -> Vec<String> {
        let text = self.beside("ss").unwrap();
        text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
    }

    fn check(&self, shared: &Path) {
        let meteor = self.with_resources(shared);
        let segments = self.inputs.hypotheses.iter().zip(&self.inputs.references);
        let rows: Vec<&str> = self.text.lines().filter(|line| line.starts_with("Segment ")).collect();
        let statistics = self.statistics();
        assert_eq!((rows.len(), statistics.len()), (segments.len(), segments.len()));
        let mut expected = self.beside("align").map(|text| Entries::read(&text));
        for (i, (hypothesis, references)) in segments.enumerate() {
            let references: Vec<&str> = references.iter().map(String::as_str).collect();
            let alignment = meteor.align(hypothesis, &references);
            let what = format!("segment {}", i + 1);
            assert_eq!(alignment.statistics.to_string(), statistics[i], "{what}");
            let (_, printed) = rows[i].split_once(":\t").unwrap();
            check_numbers(&alignment.evaluation, printed, &what);
            if let Some(expected) = &mut expected {
                let entry = alignment.entry(&(i + 1).to_string()).to_string();
                expected.check(i, &entry, &alignment.evaluation);
            }
        }
        self.check_corpus(&meteor);
    }

    /// Through the public metric.
    fn check_corpus(&self, meteor: &Meteor) {
        let tallies = self.tallies(meteor);
        let total = Statistics::from_tally(&Tally::sum(&tallies));
        let Evaluation { precision, recall, f1, f_mean, penalty, score, .. } = meteor.evaluate(&total);
        assert_eq!(meteor.score(&Tally::sum(&tallies)), score);
        let exact = [
            ("Test words:", total.words[0]),
            ("Reference words:", total.words[1]),
            ("Chunks:", total.chunks),
            ("Precision:", precision),
            ("Recall:", recall),
        ];
        for (label, ours) in exact {
            assert_eq!(ours, self.figure(label), "{label}");
        }
        for (label, ours) in
            [("f1:", f1), ("fMean:", f_mean), ("Fragmentation penalty:", penalty), ("Final score:", score)]
        {
            assert!((ours - self.figure(label)).abs() <= 1e-12, "{label} {ours}");
        }
    }

    fn tallies(&self, meteor: &Meteor) -> Vec<Tally> {
        let references: Vec<Vec<&str>> =
            self.inputs.references.iter().map(|refs| refs.iter().map(String::as_str).collect()).collect();
        let segments = self.inputs.hypotheses.iter().zip(&references);
        let segments: Vec<Segment<'_>> = segments.map(|(hyp, refs)| Segment::new(hyp, refs)).collect();
        meteor.tally(&segments).unwrap()
    }

    fn figure(&self, label: &str) -> f64 {
        let line = self.text.lines().rev().find_map(|line| line.strip_prefix(label));
        line.unwrap_or_else(|| panic!("no {label}")).trim().parse().unwrap()
    }
}

fn command(text: &str) -> &str {
    let line = text.lines().find(|line| line.contains("command: ")).unwrap();
    line.split_once(" HYP REF").unwrap().1
}

/// The word after a flag of the command.
fn flag<'t>(text: &'t str, flag: &str) -> Option<&'t str> {
    let mut words = command(text).split(' ');
    words.find(|word| *word == flag)?;
    words.next()
}

/// Precision and recall to the bit, penalty and score to 1e-12; NaN where METEOR has NaN.
fn check_numbers(ours: &Evaluation, printed: &str, what: &str) {
    let theirs: Vec<f64> = printed.split('\t').map(|number| number.parse().unwrap()).collect();
    let same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan());
    let close = |a: f64, b: f64| same(a, b) || (a - b).abs() <= 1e-12;
    let equal = same(ours.precision, theirs[0])
        && same(ours.recall, theirs[1])
        && close(ours.penalty, theirs[2])
        && close(ours.score, theirs[3]);
    assert!(equal, "{what}: ours {ours:?}, theirs {printed}");
}

/// The entries of an alignment file, header lines apart.
struct Entries(Vec<(String, String)>);

impl Entries {
    fn read(text: &str) -> Self {
        let mut entries: Vec<(String, String)> = Vec::new();
        for line in text.split_inclusive('\n').filter(|line| !line.starts_with("# ")) {
            match entries.last_mut() {
                Some((_, body)) if !line.starts_with("Alignment\t") => body.push_str(line),
                _ => entries.push((line.to_owned(), String::new())),
            }
        }
        Entries(entries)
    }

    /// The bodies are the same to the byte; the numbers of the header are as close as elsewhere.
    fn check(&mut self, i: usize, entry: &str, evaluation: &Evaluation) {
        let (header, body) = entry.split_once('\n').unwrap();
        let (their_header, their_body) = &self.0[i];
        let what = format!("alignment {}", i + 1);
        assert_eq!(body, their_body, "{what}");
        let their_header = their_header.trim_end_matches('\n');
        let (_, numbers) = their_header.split_once(&format!("Alignment\t{}\t", i + 1)).unwrap();
        check_numbers(evaluation, numbers, &what);
        let start =
            format!("Alignment\t{}\t{}\t{}\t", i + 1, JavaDouble(evaluation.precision), JavaDouble(evaluation.recall));
        assert!(header.starts_with(&start) && their_header.starts_with(&start), "{what}: {their_header}");
    }
}

fn embedded(shared: &Path, paths: &[PathBuf]) {
    let mut found = Embedded::default();
    let words = shared.join("data/meteor/resources/function/english.words");
    for case in paths.iter().map(|path| Case::read(shared, path)).filter(|case| !case.has_paraphrases()) {
        let mut options = case.options().join(",");
        let ours = case.tallies(&Meteor::parse(&options).unwrap());
        options.push_str(&format!(",function_words={}", words.display()));
        let with_words = case.tallies(&Meteor::parse(&options).unwrap());
        for ((ours, with_words), theirs) in ours.iter().zip(&with_words).zip(case.statistics()) {
            let theirs = Statistics::parse(&theirs).unwrap().tally();
            found.all += 1;
            found.equal += usize::from(*ours == theirs);
            found.with_words += usize::from(*with_words == theirs);
        }
    }
    let enough = found.equal >= EMBEDDED.equal && found.with_words >= EMBEDDED.with_words;
    assert!(enough && found.all == EMBEDDED.all, "found {found:?}, expected at least {EMBEDDED:?}");
}
