use crate::{Registry, Segment, Tally};

fn rouge(metric: &str, hypothesis: &str, references: &[&str]) -> f64 {
    let metric = Registry::lexical().build(metric).unwrap();
    let tallies = metric.tally(&[Segment::new(hypothesis, references)]).unwrap();
    metric.score(&tallies[0])
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-12, "{a} {b}");
}

/// The sentences of Lin (2004), sections 3 to 5.
const POLICE: &str = "police killed the gunman";

#[test]
fn subsequences_are_those_of_the_paper() {
    assert_eq!(rouge("rouge-l", "police kill the gunman", &[POLICE]), 0.75);
    assert_eq!(rouge("rouge-l", "the gunman kill police", &[POLICE]), 0.5);
    assert_eq!(rouge("rouge-l", "the gunman police killed", &[POLICE]), 0.5);
}

#[test]
fn skip_bigrams_are_those_of_the_paper() {
    assert_eq!(rouge("rouge-s", "police kill the gunman", &[POLICE]), 0.5);
    close(rouge("rouge-s", "the gunman kill police", &[POLICE]), 1.0 / 6.0);
    close(rouge("rouge-s", "the gunman police killed", &[POLICE]), 1.0 / 3.0);
    assert_eq!(rouge("rouge-s", "gunman the killed police", &[POLICE]), 0.0);
    // The last of them has all four words: 4 of 6 + 4 units.
    close(rouge("rouge-su", "gunman the killed police", &[POLICE]), 0.4);
}

#[test]
fn repeated_pairs_count_as_often_as_both_lines_have_them() {
    // a a, a b, a b of the hypothesis; a a, a a, a a and three a b of the reference.
    close(rouge("rouge-s:alpha=0", "a a b", &["a a a b"]), 3.0 / 6.0);
    close(rouge("rouge-s:alpha=1", "a a b", &["a a a b"]), 1.0);
}

#[test]
fn the_distance_of_pairs_can_be_limited() {
    // Without words between them pairs are bigrams: b c, c d of three.
    close(rouge("rouge-s:skip=0", "x b c d", &["a b c d"]), 2.0 / 3.0);
    close(rouge("rouge-s:skip=0", "x b c d", &["a b c d"]), rouge("rouge-2", "x b c d", &["a b c d"]));
    // With one: b c, b d, c d of five.
    close(rouge("rouge-s:skip=1", "x b c d", &["a b c d"]), 3.0 / 5.0);
    close(rouge("rouge-su:skip=1", "x b c d", &["a b c d"]), 6.0 / 9.0);
    assert_eq!(Registry::lexical().build("rouge-su:skip=4").unwrap().title(), "ROUGE-SU4");
}

#[test]
fn weighted_subsequences_prefer_runs() {
    let reference = ["a b c d e f g"];
    let (run, scattered) = ("a b c d h i k", "a h b k c i d");
    assert_eq!(rouge("rouge-l", run, &reference), rouge("rouge-l", scattered, &reference));
    // Runs of four and of one, squared, of seven squared; the root of it.
    close(rouge("rouge-w:weight=2", run, &reference), (16.0f64 / 49.0).sqrt());
    close(rouge("rouge-w:weight=2", scattered, &reference), (4.0f64 / 49.0).sqrt());
    close(rouge("rouge-w:weight=1", scattered, &reference), rouge("rouge-l", scattered, &reference));
}

#[test]
fn n_grams_are_clipped_and_f_weighs_precision_and_recall() {
    let (hypothesis, reference) = ("the the the cat", ["the cat and the dog"]);
    let recall = 3.0 / 5.0;
    let precision = 3.0 / 4.0;
    close(rouge("rouge-1:alpha=0", hypothesis, &reference), recall);
    close(rouge("rouge-1:alpha=1", hypothesis, &reference), precision);
    close(rouge("rouge-1", hypothesis, &reference), 2.0 * precision * recall / (precision + recall));
    close(rouge("rouge-1:alpha=0.25", hypothesis, &reference), precision * recall / (0.75 * precision + 0.25 * recall));
    close(rouge("rouge-2", hypothesis, &reference), 2.0 / 7.0);
    assert_eq!(rouge("rouge-4", hypothesis, &reference), 0.0);
    assert_eq!(rouge("rouge:type=9", hypothesis, &reference), 0.0);
}

#[test]
fn words_are_letters_and_digits_in_lower_case() {
    assert_eq!(rouge("rouge-1", "It's (well) KNOWN!", &["it s well-known"]), 1.0);
    assert_eq!(rouge("rouge-1:tok=none", "Für uns", &["für UNS"]), 1.0);
    assert_eq!(rouge("rouge-1:tok=none,lowercase=no", "Für uns", &["für UNS"]), 0.0);
}

#[test]
fn stems_are_base_forms_of_irregular_words_or_porter_stems() {
    assert_eq!(rouge("rouge-1:stem=yes", "Children feed better", &["child feeds well"]), 1.0);
    assert_eq!(rouge("rouge-1", "Children feed better", &["child feeds well"]), 0.0);
    let signature = Registry::lexical().build("rouge:stem=yes").unwrap().signature().to_string();
    assert!(signature.contains("|exceptions=wn30-"), "{signature}");
}

#[test]
fn the_best_reference_counts_or_all_together() {
    let references = ["a b c d", "a b", "x"];
    assert_eq!(rouge("rouge-1", "a b", &references), 1.0);
    // 2 + 2 + 0 words shared, of 4 + 2 + 1 and of three times 2.
    close(rouge("rouge-1:references=average,alpha=0", "a b", &references), 4.0 / 7.0);
    close(rouge("rouge-1:references=average,alpha=1", "a b", &references), 4.0 / 6.0);
}

#[test]
fn nothing_scores_zero_and_a_corpus_is_the_mean() {
    for metric in ["rouge-1", "rouge-l", "rouge-w", "rouge-s", "rouge-su", "rouge-su:version=1.5.5"] {
        for (hypothesis, references) in [("", &[""][..]), ("a", &["?"]), ("", &["a"]), ("a", &[])] {
            assert_eq!(rouge(metric, hypothesis, references), 0.0, "{metric}");
        }
        assert_eq!(Registry::lexical().build(metric).unwrap().score(&Tally::default()), 0.0);
    }
    let metric = Registry::lexical().build("rouge-1").unwrap();
    let (first, second) = (["a b"], ["x"]);
    let tallies = metric.tally(&[Segment::new("a b", &first), Segment::new("a y y", &second)]).unwrap();
    assert_eq!(metric.score(&Tally::sum(&tallies)), 0.5);
}

#[test]
fn values_out_of_range_are_refused() {
    for (metric, part) in [
        ("rouge:alpha=1.5", "at most 1"),
        ("rouge:weight=11", "at most 10"),
        ("rouge:weight=0.5", "from 1"),
        ("rouge:type=0", "one of 1, 2"),
        ("rouge:skip=some", "a whole number"),
    ] {
        let error = Registry::lexical().build(metric).err().unwrap().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn titles_are_those_of_papers() {
    let title = |metric: &str| Registry::lexical().build(metric).unwrap().title();
    assert_eq!(title("ROUGE-S*"), "ROUGE-S*");
    assert_eq!(title("rouge-w"), "ROUGE-W-1.2");
    assert_eq!((title("rouge"), title("rouge1")), ("ROUGE-L".to_owned(), "ROUGE-1".to_owned()));
}

#[test]
fn a_very_long_line_ends_and_is_reported() {
    let (hypothesis, reference) = ("a b b ".repeat(2_000), "b a c ".repeat(2_000));
    let references = [reference.as_str()];
    for (metric, unfinished) in [("rouge-l", false), ("rouge-w", true), ("rouge-s", true), ("rouge-4", false)] {
        let metric = Registry::lexical().build(metric).unwrap();
        let tallies = metric.tally(&[Segment::new(&hypothesis, &references)]).unwrap();
        assert_eq!(metric.is_unfinished(&tallies[0]), unfinished, "{}", metric.title());
    }
}

/// The scores in `tool_scores.tsv` from this column on, for the types in their order.
fn compare_with_tools(types: &[&str], options: &str, first: usize, tolerance: f64) {
    let rows = include_str!("tool_scores.tsv").lines().filter(|line| !line.starts_with('#'));
    for row in rows {
        let columns: Vec<&str> = row.split('\t').collect();
        for (name, theirs) in types.iter().zip(&columns[first..]) {
            let ours = rouge(&format!("rouge:type={name}{options}"), columns[0], &[columns[1]]);
            let theirs: f64 = theirs.parse().unwrap();
            assert!((ours - theirs).abs() <= tolerance, "{name} of {row}: {ours}");
        }
    }
}

#[test]
fn scores_are_those_of_rouge_score() {
    compare_with_tools(&["1", "2", "l"], "", 2, 1e-12);
}

#[test]
fn version_1_5_5_has_the_digits_of_the_tool() {
    compare_with_tools(&["1", "2", "3", "4", "l", "w", "s", "su"], ",version=1.5.5", 5, 0.0);
    compare_with_tools(&["1", "2", "3", "4", "l", "w", "s", "su"], ",version=1.5.5,stem=yes", 13, 0.0);
    compare_with_tools(&["su"], ",skip=4,version=1.5.5", 21, 0.0);
}

#[test]
fn summaries_and_stems_are_those_of_rouge_score() {
    // rouge_scorer.RougeScorer(["rouge1", "rougeLsum"], use_stemmer=True).score(reference, hypothesis)
    let (hypothesis, reference) = ("It purred.\nThe cat sat down.", ["The cat sat.\nIt purred."]);
    assert_eq!(rouge("rouge-lsum", hypothesis, &reference), 0.9090909090909091);
    assert_eq!(rouge("rouge-lsum", "\n", &reference), 0.0);
    // Without line feeds both are one sentence.
    let lines = (hypothesis.replace('\n', " "), [reference[0].replace('\n', " ")]);
    assert_eq!(rouge("rougelsum", &lines.0, &[&lines.1[0]]), rouge("rouge-l", &lines.0, &[&lines.1[0]]));
    assert_eq!(rouge("rouge-1:stem=nltk", "flies national", &["flying nationally"]), 1.0);
    assert_eq!(rouge("rouge-1", "flies national", &["flying nationally"]), 0.0);
}
