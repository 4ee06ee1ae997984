use super::*;
use crate::Registry;

fn score(options: &str, hypothesis: &str, reference: &str) -> f64 {
    let metric = Registry::lexical().build(&format!("terp:{options}")).unwrap();
    let references = [reference];
    metric.corpus_score(&[Segment::new(hypothesis, &references)]).unwrap()
}

fn edits(options: &str, hypothesis: &str, reference: &str) -> (f64, String) {
    let found = Terp::parse(options).unwrap().align(hypothesis, &[reference]);
    (found.edits, found.steps.iter().map(|edit| format!("{edit:?}").remove(0)).collect())
}

#[test]
fn stems_and_synonyms_are_free_with_the_costs_of_terpa() {
    assert_eq!(score("costs=terpa", "the cars moved", "the automobiles moving"), 0.0);
    assert_eq!(edits("costs=terph", "cars moved", "automobile moving").1, "SS");
    assert_eq!(score("costs=ter", "the cars moved", "the automobiles moving"), 100.0 * (2.0 / 3.0));
}

#[test]
fn a_shift_costs_what_the_set_says() {
    assert_eq!(score("costs=unit", "d a b c", "a b c d"), 25.0);
    let terpa = score("costs=terpa", "tuesday we go there", "we go there tuesday");
    assert_eq!(terpa, 100.0 * (0.5620538767397316 / 4.0));
    assert_eq!(score("costs=unit,shifts=noshift", "d a b c", "a b c d"), 50.0);
}

#[test]
fn empty_sides_and_the_cap() {
    assert_eq!(score("costs=unit", "", ""), 0.0);
    assert_eq!(score("costs=unit", "a", ""), 100.0);
    assert_eq!(score("costs=unit", "", "a b"), 100.0);
    assert_eq!(score("costs=unit", "x y z", "a"), 300.0);
    assert_eq!(score("costs=unit,cap=yes", "x y z", "a"), 100.0);
}

#[test]
fn words_of_the_stop_list_are_not_shifted_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stop");
    std::fs::write(&path, "The of\n").unwrap();
    let options = format!("costs=unit,stop={}", path.display());
    assert_eq!(score("costs=unit", "a b c the", "the a b c"), 25.0);
    assert_eq!(score(&options, "a b c the", "the a b c"), 50.0);
    assert_eq!(score(&options, "b of a of the c", "the b of a of c"), 100.0 * (2.0 / 6.0));
}

#[test]
fn phrases_have_the_cost_of_their_probability_unless_there_is_a_function() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("phrases");
    std::fs::write(&path, "0.25 <p>took part in</p> <p>joined</p>\n").unwrap();
    let options = |costs: &str| format!("costs={costs},phrases={}", path.display());
    assert_eq!(edits(&options("unit"), "she joined us", "she took part in us"), (0.25, "MPM".to_owned()));
    assert_eq!(edits(&options("ter"), "she joined us", "she took part in us").0, 3.0);
    let found = Terp::parse(&options("terpa")).unwrap().align("she joined us", &["she took part in us"]);
    assert_eq!(found.phrases[0].reference, "took part in");
    assert_eq!(found.phrases[0].hypothesis, "joined");
    let edits = 1.5565478292505814 + 2.0 * 1.4269364675533365;
    let p: f64 = 0.25;
    let cost = -0.2306579294476191 - 0.1469465037633749 * p.log10() * edits - 0.07843705907022736 * p * edits
        + 0.17708577297831574 * edits;
    assert!((found.edits - cost).abs() < 1e-12, "{found:?}");
}

#[test]
fn options_change_what_the_set_says_and_the_signature_says_so() {
    let signature = Registry::lexical().build("terp:costs=ter,beam=3,numbers=digits").unwrap().signature().to_string();
    assert!(signature.contains("beam=3") && signature.contains("numbers=digits"), "{signature}");
    assert!(signature.contains("norm=yes") && signature.contains("shifts=exact"), "{signature}");
    assert_eq!(Registry::lexical().build(&signature).unwrap().signature().to_string(), signature);
    assert_eq!(score("costs=ter,numbers=digits", "ten men", "10 men"), 0.0);
    assert_eq!(score("costs=ter,numbers=any", "ten men", "11 men"), 0.0);
}

#[test]
fn a_parameter_file_is_read_and_signed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my.param");
    std::fs::write(&path, "Default Shift Cost (float) : 0.5\nShift Distance (integer) : 4\n").unwrap();
    let options = format!("costs={}", path.display());
    assert_eq!(score(&options, "d a b c", "a b c d"), 12.5);
    let signature = Registry::lexical().build(&format!("terp:{options}")).unwrap().signature();
    assert_eq!(signature.qualifier("parameters").map(str::len), Some(8));
    assert_eq!(signature.option("shift_distance"), Some("4"));
}

#[test]
fn an_unknown_set_of_costs_is_refused() {
    let error = Registry::lexical().build("terp:costs=terpx").err().unwrap().to_string();
    assert!(error.contains("unit, ter, terpa, terph, or the name of a file that exists"), "{error}");
}

#[test]
fn names_of_asiya_are_known() {
    for (name, costs) in [("TERbase", "ter"), ("TERp-A", "terpa"), ("asiya-ter", "unit"), ("asiya-TERp", "unit")] {
        assert_eq!(Registry::lexical().build(name).unwrap().signature().option("costs"), Some(costs), "{name}");
    }
}

#[test]
fn titles_are_those_of_the_costs() {
    for (name, title) in [
        ("terp", "TERp-A"),
        ("TERp-H", "TERp-H"),
        ("TERbase", "TERbase"),
        ("terp:costs=ter", "TERbase"),
        ("terbase:stems=yes", "TERp"),
        ("asiya-ter", "TERp"),
    ] {
        assert_eq!(Registry::lexical().build(name).unwrap().title(), title, "{name}");
    }
}

#[test]
fn free_shifts_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("free.param");
    std::fs::write(&path, "Default Shift Cost (float) : 0\n").unwrap();
    let terp = Terp::parse(&format!("costs={}", path.display())).unwrap();
    let references = ["a b c d"];
    let tallies = terp.tally(&[Segment::new("d c b x a", &references)]).unwrap();
    assert!(terp.score(&tallies[0]).is_finite());
}

#[test]
fn long_lines_of_one_word_end_and_say_so() {
    let terp = Terp::parse("costs=terpa").unwrap();
    let (hypothesis, reference) = ("a b ".repeat(3_000), "b a c ".repeat(2_500));
    let references = [reference.as_str()];
    let tallies = terp.tally(&[Segment::new(&hypothesis, &references)]).unwrap();
    assert!(terp.is_unfinished(&tallies[0]));
    assert!(terp.score(&tallies[0]) > 0.0);
}

#[test]
fn without_references_nothing_is_edited() {
    let terp = Terp::parse("costs=ter").unwrap();
    assert!(!terp.align("b c a", &["a b c d"]).steps.is_empty());
    let found = terp.align("a b", &[]);
    assert_eq!((found.edits, found.reference_length, found.hypothesis.len()), (0.0, 0.0, 2));
    assert_eq!((found.steps.len(), found.shifts.len(), found.phrases.len()), (0, 0, 0));
}

#[test]
fn stems_and_synonyms_of_other_languages_are_warned_about() {
    let german = crate::text::Language::target("de").unwrap();
    let warnings = |spec: &str| {
        let metric = Registry::lexical().build(spec).unwrap();
        metric.info().language_warning(&metric.signature(), &german, false, false).map(|warning| warning.to_string())
    };
    assert_eq!(
        warnings("terp").as_deref(),
        Some(
            "terp: the text is German, and terp is for English: its stems and synonyms are (use \
             terp:stems=no,synonyms=no)"
        )
    );
    assert_eq!((warnings("terp:stems=no,synonyms=no"), warnings("terbase")), (None, None));
}

#[test]
fn a_hundred_thousand_different_words_end_and_say_so() {
    let numbered = |from: usize| (from..from + 100_000).map(|n| format!("w{n} ")).collect::<String>();
    let terp = Terp::parse("costs=ter").unwrap();
    let (hypothesis, reference) = (numbered(0), numbered(50_000));
    let references = [reference.as_str()];
    let tallies = terp.tally(&[Segment::new(&hypothesis, &references)]).unwrap();
    assert!(terp.is_unfinished(&tallies[0]));
    assert!((50.0..=200.0).contains(&terp.score(&tallies[0])), "{}", terp.score(&tallies[0]));
}

#[test]
fn a_long_chain_of_equivalents_is_followed_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("equivalents");
    let chain: String = (0..20_000).map(|n| format!("<p>w{}</p> <p>w{n}</p>\n", n + 1)).collect();
    std::fs::write(&path, chain).unwrap();
    let options = format!("costs=ter,equivalents={}", path.display());
    assert_eq!(score(&options, "the w0 end", "the w20000 end"), 0.0);
    assert_eq!(score(&options, "the w0 end", "the other end"), 100.0 * (1.0 / 3.0));
}

#[test]
fn a_parameter_file_moves_with_what_names_it_and_a_set_does_not() {
    let costs = |text: &str| {
        let moved = Registry::lexical().relative_to(text, std::path::Path::new("/models")).unwrap();
        Spec::parse("metric", &moved).unwrap().option("costs").unwrap().to_owned()
    };
    assert_eq!(costs("terp:costs=my.param"), "/models/my.param");
    assert_eq!(costs("terp:costs=terph"), "terph");
}
