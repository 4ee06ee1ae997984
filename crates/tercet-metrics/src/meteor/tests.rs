//! Our own sentences, with the output of METEOR 1.5 (meteor-1.5.jar, Java 17).

use super::*;
use crate::Registry;
use std::time::{Duration, Instant};

/// Hypothesis, reference, statistics and score, by `-l en -m "exact stem synonym" -ssOut` and `-vOut`.
#[rustfmt::skip]
const SEGMENTS: &[(&str, &str, &str, f64)] = &[
    (
        "the dogs were running quickly through the park yesterday",
        "yesterday the dog ran fast through a park",
        "9 8 3 2 3 3 1 1 1 1 0 0 1 1 0 0 0 0 0 0 5 6 6",
        0.2970262960743234,
    ),
    (
        "the cat sat on the mat the cat",
        "the cat the cat sat on a mat",
        "8 8 4 4 4 4 3 3 0 0 0 0 0 0 0 0 0 0 0 0 3 7 7",
        0.4626820050876881,
    ),
    (
        "he bought an automobile and a big house",
        "he purchased a car and a large home",
        "8 8 4 4 0 0 3 3 0 0 0 0 4 4 0 0 0 0 0 0 2 7 7",
        0.4197199191170719,
    ),
    (
        "a b c d a b c d",
        "c d a b a b d c",
        "8 8 2 2 6 6 2 2 0 0 0 0 0 0 0 0 0 0 0 0 4 8 8",
        0.4776696620223255,
    ),
    (
        "to be or not to be , that is the question",
        "not to be or to be is that question",
        "11 9 10 8 1 1 8 8 0 0 0 0 0 0 0 0 0 0 0 0 6 9 9",
        0.4348750251522652,
    ),
    (
        "nothing here agrees",
        "something else entirely",
        "3 3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
        0.0,
    ),
    (
        "the the the the of of",
        "of the of the of the",
        "6 6 6 6 0 0 5 5 0 0 0 0 0 0 0 0 0 0 0 0 4 5 5",
        0.3551570834383149,
    ),
    (
        "she quickly purchased several books about old towns",
        "several old books about towns were quickly bought by her",
        "8 10 2 4 5 5 1 1 0 0 0 0 1 1 0 0 0 0 0 0 5 7 7",
        0.3722803948074143,
    ),
    (
        "Aa met BB",
        "BB met Aa",
        "3 3 0 0 3 3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 3 3",
        1.0,
    ),
    (
        "the small boy kicked the ball and the ball hit the small boy",
        "the ball the small boy kicked hit the boy who was small",
        "13 12 5 5 7 7 3 3 0 0 0 0 0 0 0 0 0 0 0 0 5 10 10",
        0.4334242679975733,
    ),
];

/// The score of all of them, by METEOR's options and by ours; `norm=no` in each.
const CORPUS: &[(&str, f64)] = &[
    ("modules=exact+stem+synonym", 0.38853835561321526),
    ("modules=exact+stem+synonym,beam=1", 0.3716829155511002),
    ("modules=exact", 0.3328065899220049),
    ("modules=exact+synonym", 0.37771220948157774),
    ("modules=stem+exact", 0.1909224242337598),
    ("modules=synonym+exact+stem", 0.24796279117833037),
    ("modules=exact,lang=cz", 0.33328853027748323),
    ("modules=exact,lang=fr", 0.5149289942932258),
    ("modules=exact,lang=es", 0.5359732008187119),
    ("modules=exact,lang=de", 0.4900925925925926),
    ("modules=exact,lang=ru", 0.47906012143183035),
    ("modules=exact,lang=pt", 0.47906012143183035),
    ("modules=exact,lang=other", 0.47906012143183035),
    ("modules=exact,lang=other,task=tune", 0.47906012143183035),
    ("modules=exact,lang=cz,task=tune", 0.506578947368421),
    ("modules=exact,task=adq", 0.5655517387721255),
    ("modules=exact,task=hter", 0.6037106764028508),
    ("modules=exact,task=util", 0.34567479719602306),
    ("modules=exact,task=li", 0.47906012143183035),
    ("modules=exact,task=tune", 0.506578947368421),
    ("modules=exact,task=universal", 0.6179575580312691),
    ("modules=exact+stem,task=universal", 0.62988070985941),
    ("modules=exact+stem,lang=sv", 0.4896847639205633),
    ("lang=fi", 0.47906012143183035),
    ("lang=nl", 0.4896847639205633),
    ("modules=exact+stem,alpha=0.5,beta=1,gamma=0.3,delta=0.6,weights=1:0.7", 0.6034053803339517),
];

fn tallies(meteor: &Meteor) -> Vec<Tally> {
    let references: Vec<[&str; 1]> = SEGMENTS.iter().map(|(_, reference, ..)| [*reference]).collect();
    let pairs = SEGMENTS.iter().zip(&references);
    let segments: Vec<Segment<'_>> =
        pairs.map(|((hypothesis, ..), references)| Segment::new(hypothesis, references)).collect();
    meteor.tally(&segments).unwrap()
}

#[test]
fn statistics_and_scores_are_those_of_the_jar() {
    let meteor = Meteor::parse("norm=no").unwrap();
    for (hypothesis, reference, statistics, score) in SEGMENTS {
        let alignment = meteor.align(hypothesis, &[reference]);
        assert_eq!(alignment.statistics, Statistics::parse(statistics).unwrap(), "{hypothesis}");
        assert!((alignment.evaluation.score - score).abs() < 1e-12, "{hypothesis}");
    }
}

#[test]
fn languages_tasks_and_parameters_score_a_corpus_as_the_jar_does() {
    for (options, score) in CORPUS {
        let meteor = Meteor::parse(&format!("norm=no,{options}")).unwrap();
        let ours = meteor.score(&Tally::sum(&tallies(&meteor)));
        assert!((ours - score).abs() < 1e-12, "{options}: ours {ours}, the jar's {score}");
    }
}

#[test]
fn alignments_are_written_as_the_jar_writes_them() {
    let meteor = Meteor::parse("norm=no").unwrap();
    let (hypothesis, reference, ..) = SEGMENTS[0];
    let alignment = meteor.align(hypothesis, &[reference]);
    assert_eq!(
        alignment.entry("1").to_string(),
        "Alignment\t1\t0.6761904761904762\t0.7100000000000001\t0.5785155024015763\t0.2970262960743234\n\
         the dogs were running quickly through the park yesterday\n\
         yesterday the dog ran fast through a park\n\
         Line2Start:Length\tLine1Start:Length\tModule\t\tScore\n\
         0:1\t\t\t8:1\t\t\t0\t\t1.0\n1:1\t\t\t0:1\t\t\t0\t\t1.0\n2:1\t\t\t1:1\t\t\t1\t\t1.0\n\
         3:1\t\t\t3:1\t\t\t2\t\t1.0\n5:1\t\t\t5:1\t\t\t0\t\t1.0\n7:1\t\t\t7:1\t\t\t0\t\t1.0\n\n"
    );
    let modules: Vec<Module> = alignment.matches.iter().map(|found| found.module).collect();
    assert_eq!(modules[..4], [Module::Exact, Module::Exact, Module::Stem, Module::Synonym]);
    assert_eq!(alignment.chunks(), 5);
}

#[test]
fn the_best_reference_counts_and_the_first_of_equals() {
    let meteor = Meteor::parse("norm=no").unwrap();
    let best = |references: &[&str]| meteor.align("a small cat", references).reference_number;
    assert_eq!(best(&["a dog", "a small cat", "the cat"]), 1);
    assert_eq!(best(&["cat a", "cat a", "x"]), 0);
    assert_eq!(best(&["x", "y"]), 0);
}

#[test]
fn empty_sides_score_zero_and_say_so_in_statistics() {
    let meteor = Meteor::parse("").unwrap();
    for (hypothesis, references) in [("", vec![""]), ("", vec!["a"]), ("a", vec![""]), ("a", vec![])] {
        let alignment = meteor.align(hypothesis, &references);
        assert_eq!(alignment.evaluation.score, 0.0, "{hypothesis:?} {references:?}");
        assert!(alignment.matches.is_empty());
    }
}

#[test]
fn complete_segments_in_one_piece_have_no_chunks_in_a_corpus() {
    let meteor = Meteor::parse("norm=no").unwrap();
    let alignment = meteor.align("one two", &["one two"]);
    assert_eq!((alignment.statistics.chunks, alignment.statistics.tally()[20]), (1.0, 0.0));
    assert_eq!(meteor.segment_score(&alignment.statistics.tally()), alignment.evaluation.score);
}

#[test]
fn identical_lines_align_word_by_word_even_without_the_shortcut() {
    let meteor = Meteor::parse("norm=no,modules=exact").unwrap();
    let line = "a b a a b c a b d a c b a";
    let searched = Meteor::parse("norm=no,modules=stem+exact").unwrap().align(line, &[line]);
    assert!(searched.matches.is_empty(), "only the first module sees identical lines");
    let aligned = meteor.align(line, &[line]);
    assert_eq!((aligned.matches.len(), aligned.chunks()), (13, 1));
    let longer = meteor.align(&format!("{line} x"), &[line]); // goes through the search
    assert_eq!(longer.matches, aligned.matches);
}

#[test]
fn thousands_of_repetitions_end() {
    let meteor = Meteor::parse("norm=no").unwrap();
    let line = |count: usize| vec!["word"; count].join(" ");
    let start = Instant::now();
    let same = meteor.align(&line(5000), &[&line(5000)]);
    assert_eq!((same.evaluation.score, same.matches.len()), (1.0, 5000));
    let shorter = meteor.align(&line(1200), &[&line(1201)]);
    assert_eq!((shorter.matches.len(), shorter.chunks()), (1200, 1));
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn signatures_list_what_was_used_and_build_it_again() {
    let signature = Registry::lexical().build("meteor:lang=english").unwrap().signature().to_string();
    let start = "meteor:lang=en,task=rank,modules=exact+stem+synonym,norm=yes,lower=yes,no_punct=no,beam=40|\
                 function_words=";
    assert!(signature.starts_with(start), "{signature}");
    assert!(signature.contains("|synonyms=wn30-") && signature.contains("|prefixes="), "{signature}");
    assert_eq!(Registry::lexical().build(&signature).unwrap().signature().to_string(), signature);
    let czech = Registry::lexical().build("meteor:lang=cs").unwrap().signature().to_string();
    assert!(czech.starts_with("meteor:lang=cz,task=rank,modules=exact,norm=yes"), "{czech}");
    let portuguese = Registry::lexical().build("meteor:lang=pt").unwrap().signature().to_string();
    assert!(portuguese.starts_with("meteor:lang=pt,task=li,modules=exact+stem,norm=no,lower=yes"), "{portuguese}");
}

#[test]
fn files_are_read_once_while_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("words");
    std::fs::write(&list, "x\n").unwrap();
    let options = format!("norm=no,function_words={}", list.display());
    let context = Context::default();
    let [first, second] = [(); 2].map(|()| Meteor::parse_in_context(&options, &context).unwrap());
    let words = |meteor: &Meteor| std::ptr::from_ref(&*meteor.aligner.resources.function_words);
    assert_eq!(words(&first), words(&second));
    assert_ne!(words(&first), words(&Meteor::parse(&options).unwrap()));
    assert_eq!(first.align("x y", &["x y"]).statistics.function_words[0], 1.0);
}

#[test]
fn invalid_options_are_refused_with_a_reason() {
    let refused = [
        ("task=adq,lang=de", "cannot be `adq`: expected li, tune or universal for german"),
        ("lang=pt,norm=yes", "METEOR normalises only en, cz, fr, es, de and ru"),
        ("norm=yes,lower=no", "expected yes with norm=yes, which lowercases"),
        ("norm=no,no_punct=yes", "expected no without norm=yes"),
        ("modules=exact+stems", "expected some of exact, stem, synonym, paraphrase"),
        ("modules=exact+exact", "expected each module once"),
        ("modules=exact+paraphrase", "module `paraphrase` needs a table: paraphrase=FILE"),
        ("modules=exact+synonym,lang=de", "module `synonym` needs English"),
        ("modules=exact+stem,lang=other", "module `stem` needs a stemmer of the language"),
        ("modules=exact,paraphrase=x.gz", "a paraphrase table was given that modules=exact do not use"),
        ("alpha=2", "expected a number from 0 to 1"),
        ("weights=1:2:3", "expected 3 numbers from 0 to 1 with : between them"),
        ("weights=1", "expected 3 numbers from 0 to 1"),
        ("data=/nowhere/at/all", "cannot read /nowhere/at/all"),
    ];
    for (options, reason) in refused {
        let error = Meteor::parse(options).err().unwrap_or_else(|| panic!("{options} was accepted")).to_string();
        assert!(error.contains(reason), "{options}: {error}");
    }
}
