use super::*;

/// Sentences that share their frequent words.
fn reference(i: usize) -> String {
    let subjects = ["The captain", "A young doctor", "Her neighbour", "The old council", "Our teacher", "Nobody"];
    let verbs = ["counted", "had forgotten", "wanted to see", "described", "was looking for", "sold"];
    let objects = ["the birds near the boat", "a letter from the north", "his garden", "the price of bread", "rain"];
    let (subject, verb) = (subjects[i * 7 % 6], verbs[i * 5 % 6]);
    format!("{subject} {verb} {} in year {} of house {}.", objects[i * 3 % 5], 1000 + i * 37 % 900, i % 13)
}

/// The sentence as somebody else would have put it.
fn output(i: usize) -> String {
    let line = reference(i).replace("had forgotten", "forgot").replace("wanted to see", "hoped to find");
    match i % 3 {
        0 => line.replace(" in year ", ", that was in "),
        1 => line.replace("The ", "This ").replace(" of house", ", house"),
        _ => line.replace("the ", ""),
    }
}

fn references(count: usize) -> Vec<String> {
    (0..count).map(reference).collect()
}

fn run(lines: &[String], references: &[String]) -> Aligned {
    let texts = AlignTexts::new(vec![UnalignedText::new("a", lines)], lists(references));
    align(&texts).unwrap()
}

fn lists(references: &[String]) -> Vec<Vec<&str>> {
    references.iter().map(|line| vec![line.as_str()]).collect()
}

/// The references and the number of sentences of each segment.
fn shape(aligned: &Aligned) -> Vec<(usize, usize, usize)> {
    aligned.segments.iter().map(|one| (one.first_reference, one.last_reference, one.sentences)).collect()
}

#[test]
fn sentences_of_any_lines_find_their_references() {
    let all: Vec<String> = (0..200).map(output).collect();
    let expected: Vec<(usize, usize, usize)> = (1..=200).map(|i| (i, i, 1)).collect();
    for size in [1, 4, 200] {
        let lines: Vec<String> = all.chunks(size).map(|part| part.join(" ")).collect();
        let found = run(&lines, &references(200));
        assert_eq!(shape(&found), expected, "{size}");
        assert_eq!(found.corpus().unwrap().systems()[0].hypotheses, all);
    }
}

#[test]
fn merged_split_missing_and_added_sentences_are_told() {
    let joined = format!("{}, and {}", output(3).trim_end_matches('.'), output(4).to_lowercase());
    let split = output(6).replace(" in year", ". It was in year").replace(", that was in", ". That was in");
    let mut lines: Vec<String> = (0..3).map(output).chain([joined, output(5), split]).collect();
    lines.extend((8..12).map(output));
    lines.insert(2, "I hope that this translation is useful to you!".to_owned());
    lines.insert(0, "Sure, here is what you asked for:".to_owned());
    let found = run(&lines, &references(12));
    let mut expected = vec![(1, 1, 2), (2, 2, 2), (3, 3, 1), (4, 5, 1), (6, 6, 1), (7, 7, 2), (8, 8, 0)];
    expected.extend((9..=12).map(|i| (i, i, 1)));
    assert_eq!(shape(&found), expected);
    let added: Vec<usize> = found.segments.iter().map(|segment| segment.added).collect();
    assert_eq!(added, [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let corpus = found.corpus().unwrap();
    assert_eq!(corpus.references()[3], [format!("{} {}", reference(3), reference(4))]);
    assert_eq!((corpus.systems()[0].hypotheses[6], found.segments[6].first_line), ("", None));
    assert_eq!((found.segments[4].first_line, found.segments[4].last_line), (Some(7), Some(7)));
}

#[test]
fn all_systems_have_the_same_segments_and_nothing_is_left_out() {
    let merged = |start: usize| -> Vec<String> {
        let join = |i: usize| match i % 2 == start % 2 && i + 1 < 30 {
            true => format!("{}, and {}", output(i).trim_end_matches('.'), output(i + 1).to_lowercase()),
            false => output(i),
        };
        let mut lines: Vec<String> = (0..start).map(output).collect();
        lines.push(join(start));
        lines.extend((start + 2..30).map(output));
        lines
    };
    let (references, systems) = (references(30), [merged(4), merged(5), merged(20)]);
    let outputs = systems.iter().enumerate().map(|(i, lines)| UnalignedText::new(i.to_string(), lines));
    let found = align(&AlignTexts::new(outputs.collect(), lists(&references))).unwrap();
    let corpus = found.corpus().unwrap();
    assert_eq!(corpus.len(), 27);
    assert_eq!(corpus.references()[4][0], references[4..7].join(" "));
    for (system, lines) in corpus.systems().iter().zip(&systems) {
        assert_eq!(system.hypotheses.join(" "), lines.join(" "));
    }
    let all: Vec<&str> = corpus.references().iter().map(|lines| lines[0]).collect();
    assert_eq!(all.join(" "), references.join(" "));
}

#[test]
fn documents_are_matched_by_name_and_keep_their_segments_apart() {
    let names = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect());
    let references = references(4);
    let lines = vec![format!("{} {}", output(2), output(3)), format!("{} {}", output(0), output(1))];
    let text = |documents| UnalignedText { documents, ..UnalignedText::new("a", &lines) };
    let of_references = names(&["x", "x", "y", "y"]);
    let with =
        |system| AlignTexts { documents: of_references.clone(), ..AlignTexts::new(vec![system], lists(&references)) };
    let found = align(&with(text(names(&["y", "x"])))).unwrap();
    let corpus = found.corpus().unwrap();
    assert_eq!(corpus.systems()[0].hypotheses, [output(0), output(1), output(2), output(3)]);
    assert_eq!(corpus.documents().unwrap(), ["x", "x", "y", "y"]);
    let error = |names| align(&with(text(names))).unwrap_err().to_string();
    assert_eq!(error(names(&["y", "z"])), "a has a document z that the references do not have");
    assert_eq!(error(names(&["y", "y"])), "a has no text of the document x");
    let joined = vec![format!("{}, and {}", output(1).trim_end_matches('.'), output(2).to_lowercase())];
    let across = align(&with(UnalignedText::new("a", &joined))).unwrap();
    let is_within = |one: &AlignedSegment| (one.first_reference - 1) / 2 == (one.last_reference - 1) / 2;
    assert!(across.segments.iter().all(is_within), "no segment has references of two documents");
    assert_eq!(across.corpus().unwrap().documents().unwrap().len(), across.segments.len());
}

#[test]
fn a_long_pair_is_aligned_within_seconds() {
    // As in real texts, most sentences have something that no other has.
    let named = |text: String, i: usize| format!("{} near Kelo {}.", text.trim_end_matches('.'), i * 7_919 % 10_007);
    let all: Vec<String> = (0..10_000).map(|i| named(output(i), i)).collect();
    let references: Vec<String> = (0..10_000).map(|i| named(reference(i), i)).collect();
    // A chapter is missing, and one is there twice.
    let mut lines = all.clone();
    lines.drain(2_000..2_700);
    lines.extend_from_within(5_000..5_300);
    let start = std::time::Instant::now();
    let found = run(&lines, &references);
    let right = found.segments.iter().filter(|segment| {
        let place = segment.first_reference - 1;
        segment.sentences == 1 && segment.first_line == Some(if place < 2_000 { place + 1 } else { place - 699 })
    });
    let right = right.count();
    assert!(right > 9_200, "{right}");
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn segments_do_not_depend_on_threads() {
    let lines: Vec<String> = (0..60).map(output).collect();
    let run_in = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&[lines.join(" ")], &references(60)).segments)
    };
    assert_eq!(run_in(1), run_in(3));
}

#[test]
fn nothing_is_aligned_with_something() {
    let found = run(&[], &references(3));
    assert_eq!(shape(&found), [(1, 1, 0), (2, 2, 0), (3, 3, 0)]);
    let found = run(&["Something else.".to_owned()], &[String::new()]);
    assert_eq!(found.corpus().unwrap().systems()[0].hypotheses, ["Something else."]);
}
