use crate::{Registry, Segment};

fn score(spec: &str, hypothesis: &str, references: &[&str]) -> f64 {
    Registry::lexical().build(spec).unwrap().segment_scores(&[Segment::new(hypothesis, references)]).unwrap()[0]
}

#[test]
fn a_line_against_itself_costs_one_place() {
    // 0.3 for the place before the first character, of three characters with the spaces at both ends.
    assert_eq!(score("eed", "a", &["a"]), 0.3 / 3.3);
    assert_eq!(score("eed:rho=0", "a", &["a"]), 0.0);
}

#[test]
fn nothing_and_everything_is_defined() {
    for spec in ["eed", "eed:lang=ja", "eed:rho=0,lang=ja"] {
        for (hypothesis, references) in [("", &[""][..]), ("", &["a b"]), ("a b", &[""]), ("a b", &[])] {
            let found = score(spec, hypothesis, references);
            assert!((0.0..=1.0).contains(&found), "{spec} {hypothesis:?} {references:?}: {found}");
        }
    }
}

#[test]
fn the_closest_reference_counts() {
    let near = score("eed", "the cat sat", &["the cat sits"]);
    assert_eq!(score("eed", "the cat sat", &["no", "the cat sits", "yes"]), near);
}

#[test]
fn lines_that_are_too_long_are_not_compared() {
    let metric = Registry::lexical().build("eed").unwrap();
    let line = "a".repeat(70_000);
    let references = [line.as_str()];
    let tallies = metric.tally(&[Segment::new(&line, &references), Segment::new("a", &references)]).unwrap();
    assert_eq!(tallies.iter().map(|tally| metric.is_unfinished(tally)).collect::<Vec<_>>(), [true, false]);
}
