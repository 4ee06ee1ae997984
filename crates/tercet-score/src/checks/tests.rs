use super::*;
use crate::System;

fn warnings(hypotheses: &[&str], references: &[&str], sources: Option<&[&str]>) -> Vec<String> {
    let system = System { name: "sys".to_owned(), hypotheses: hypotheses.to_vec() };
    let references = references.iter().map(|reference| vec![*reference]).collect();
    let mut corpus = Corpus::new(vec![system], references).unwrap();
    if let Some(sources) = sources {
        corpus = corpus.with_sources(sources.to_vec()).unwrap();
    }
    check(&corpus).iter().map(Warning::to_string).collect()
}

#[test]
fn clean_text_gives_no_warning() {
    assert_eq!(warnings(&["Hello there.", "Good night."], &["Hi there.", "Sleep well."], None), [""; 0]);
}

#[test]
fn oddities_are_named_with_their_line() {
    let found = warnings(&["\u{feff}a", "", "b\rc"], &["x", "y", ""], None);
    assert!(found[0].starts_with("the references: 1 segment with an empty one, the first is line 3"), "{found:?}");
    assert!(found.iter().any(|w| w.starts_with("sys: starts with a byte order mark")));
    assert!(found.iter().any(|w| w.starts_with("sys: 1 line with a line separator inside, the first is line 3 (\\r)")));
    assert!(found.iter().any(|w| w.starts_with("sys: 1 empty line, the first is line 2")));
}

#[test]
fn line_ends_inside_texts_of_rows_and_lists_are_no_oddity() {
    assert_eq!(warnings(&["a\nb c", "d\r\ne"], &["a\nb", "d e"], None), [""; 0]);
    assert_eq!(warnings(&["a\nb\u{2028}c", "d"], &["a b c", "d"], None).len(), 1);
}

#[test]
fn a_broken_off_output_a_copy_and_tokens_are_noticed() {
    let lines: Vec<String> = (0..200).map(|i| format!("this is line number {i} .")).collect();
    let full: Vec<&str> = lines.iter().map(String::as_str).collect();
    let mut cut = full.clone();
    cut[150..].fill("");
    assert!(warnings(&cut, &full, None).iter().any(|w| w.contains("nothing after line 150 of 200")));
    let copied = warnings(&full, &full, Some(&full));
    assert!(copied.iter().any(|w| w.contains("every line equals a reference")));
    let copies = "200 of 200 lines (the first is line 1) are copies of the source";
    assert!(copied.iter().any(|w| w.contains(copies)), "{copied:?}");
    for place in ["sys", "the reference"] {
        let start = format!("{place}: 200 lines end in a full stop set apart: the text looks tokenized");
        assert!(copied.iter().any(|w| w.starts_with(&start)), "{copied:?}");
    }
}

/// References with a German source for each.
fn translated() -> (Vec<String>, Vec<String>) {
    let reference = |i: usize| format!("The members of group {i} have decided that it is too late for a walk.");
    let source = |i: usize| {
        format!("Die Mitglieder der Gruppe {i} haben beschlossen, dass es für einen Spaziergang zu spät ist.")
    };
    ((0..100).map(reference).collect(), (0..100).map(source).collect())
}

#[test]
fn lines_that_were_not_translated_are_counted_with_the_first() {
    let (references, sources) = translated();
    let (references, sources): (Vec<&str>, Vec<&str>) =
        (references.iter().map(String::as_str).collect(), sources.iter().map(String::as_str).collect());
    let with_sources = |lines: &[usize]| {
        let mut hypotheses = vec!["The members of the group have decided that a walk is too late."; 100];
        lines.iter().for_each(|&i| hypotheses[i] = sources[i]);
        hypotheses
    };
    let few = with_sources(&[30, 70]);
    assert_eq!(warnings(&few, &references, None), [""; 0]);
    let some = with_sources(&[30, 50, 70]);
    let other = "sys: at least 3 of 100 lines (the first is line 31) are in another language than the reference \
        (German): not translated?";
    assert_eq!(warnings(&some, &references, None), [other]);
    let copies = "sys: 3 of 100 lines (the first is line 31) are copies of the source";
    assert_eq!(warnings(&some, &references, Some(&sources)), [copies]);
    let short = warnings(&some[30..36], &references[30..36], None);
    let one = "sys: line 1 of 6 is in another language than the reference (German): not translated?";
    assert_eq!(short, [one]);
    // References in the same language as such lines mean that they are no mistake.
    let mut quoted = references.clone();
    [30, 50, 70].iter().for_each(|&i| quoted[i] = sources[i]);
    assert_eq!(warnings(&some, &quoted, None), [""; 0]);
}

#[test]
fn lines_in_another_script_are_counted() {
    let (references, _) = translated();
    let references: Vec<&str> = references.iter().map(String::as_str).collect();
    let mut hypotheses = references.clone();
    hypotheses[3..7].fill("Члены группы решили, что для прогулки слишком поздно.");
    let found = warnings(&hypotheses, &references, None);
    let expected = "sys: at least 4 of 100 lines (the first is line 4) are in another language than the reference \
        (Cyrillic letters): not translated?";
    assert_eq!(found, [expected]);
}

#[test]
fn english_lines_among_those_of_another_script_are_counted() {
    let chinese: Vec<String> = (0..100).map(|i| format!("第{i}组的成员认为现在散步已经太晚了。")).collect();
    let references: Vec<&str> = chinese.iter().map(String::as_str).collect();
    let mut hypotheses = references.clone();
    hypotheses[3..7].fill("The members of the group think that it is too late.");
    let found = warnings(&hypotheses, &references, None);
    let expected = "sys: at least 4 of 100 lines (the first is line 4) are in another language than the reference \
        (Latin letters): not translated?";
    assert_eq!(found, [expected]);
}

#[test]
fn japanese_headings_without_kana_are_no_other_language() {
    let japanese: Vec<String> =
        (0..100).map(|i| format!("第{i}班の人たちは、散歩にはもう遅すぎると思っている。")).collect();
    let references: Vec<&str> = japanese.iter().map(String::as_str).collect();
    let mut hypotheses = references.clone();
    hypotheses[3..7].fill("東京都知事選挙開票速報");
    assert_eq!(warnings(&hypotheses, &references, None), [""; 0]);
    hypotheses[3..7].fill("第三组的成员认为现在散步已经太晚了，所以决定留在家里看电视。");
    let found = warnings(&hypotheses, &references, None);
    assert!(found.len() == 1 && found[0].starts_with("sys: at least 4 of 100 lines"), "{found:?}");
}

#[test]
fn a_missing_line_is_noticed() {
    let words = ["river", "mountain", "window", "orange", "kettle", "pencil", "garden"];
    let line =
        |i: usize| (0..6).map(|k| words[(i * (k + 2) + i / 7) % 7].to_owned() + &i.to_string()).collect::<Vec<_>>();
    let lines: Vec<String> = (0..101).map(|i| line(i).join(" ")).collect();
    let references: Vec<&str> = lines[..100].iter().map(String::as_str).collect();
    let shifted: Vec<&str> = lines[1..].iter().map(String::as_str).collect();
    let found = warnings(&shifted, &references, None);
    assert!(found.iter().any(|w| w.contains("fit the references 1 line further on")), "{found:?}");
}
