use super::*;
use crate::judgements::{Outcome, RankedOutput};
use std::fs;

fn lines(name: &str, text: &str) -> Lines {
    Lines::from_bytes(Path::new(name), text.as_bytes().to_vec()).unwrap()
}

/// Comparisons by name: segment, first, mark, second.
fn names_of(read: &Judgements) -> Vec<String> {
    let mark = |outcome| match outcome {
        Outcome::First => '>',
        Outcome::Tie => '=',
        Outcome::Second => '<',
    };
    let pairs = read.comparisons.iter().map(|pair| {
        let (first, second) = (&read.systems[pair.first], &read.systems[pair.second]);
        format!("{} {first}{}{second}", read.segments[pair.segment], mark(pair.outcome))
    });
    pairs.collect()
}

const FIVE_WAY: &str = "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,\
                        system2Number,system2Id,\
                        system3Number,system3Id,system1rank,system2rank,system3rank\n";

#[test]
fn a_row_of_five_is_a_ranking() {
    let rows = "French,English,7,-1,9,j,1,\"a,1\",2,b,3,c,2,1,2\r\nces,eng,7,doc,3,k,1,a,2,-1,3,a,1,-1,2\n";
    let read = parse_five_way(&lines("x.csv", &format!("{FIVE_WAY}{rows}"))).unwrap();
    assert_eq!(read.iter().map(|read| read.pair.as_str()).collect::<Vec<_>>(), ["fr-en", "cs-en"]);
    assert_eq!(names_of(&read[0]), ["9 a,1<b", "9 a,1=c", "9 b>c"]);
    assert_eq!(read[0].rankings[0].judge, "j");
    // With a document the segment is `srcIndex`; no pair of a system with itself.
    assert_eq!((read[1].segments[0].as_str(), read[1].comparisons.len()), ("7", 0));
    assert_eq!(read[1].rankings[0].outputs.len(), 2);
}

#[test]
fn unranked_outputs_are_not_compared() {
    let read = parse_five_way(&lines("x.csv", &format!("{FIVE_WAY}fr,en,1,-1,1,j,1,a,2,b,3,c,1,-1,2\n"))).unwrap();
    assert_eq!(names_of(&read[0]), ["1 a>c"]);
    let bad = parse_five_way(&lines("x.csv", &format!("{FIVE_WAY}fr,en,1,-1,1,j,1,a,2,b,3,c,1,0,2\n")));
    assert_eq!(bad.unwrap_err().to_string(), "x.csv:2: expected a rank from 1, or -1 for none, found \"0\"");
}

const PAIRWISE: &str =
    "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID\n";

#[test]
fn rows_of_one_task_are_a_ranking_if_they_have_all_its_pairs() {
    let whole = "fin,eng,1,1,j,a,1,b,2,5\nfin,eng,1,1,j,a,1,c,2,5\nfin,eng,1,1,j,b,2,c,2,5\n";
    let part = "fin,eng,2,2,j,a,1,b,2,6\nfin,eng,2,2,j,a,1,c,2,6\n";
    let contradiction = "fin,eng,3,3,j,a,1,b,2,7\nfin,eng,3,3,j,a,3,c,2,7\nfin,eng,3,3,j,b,2,c,2,7\n";
    let text = format!("{PAIRWISE}{whole}{part}{contradiction}");
    let read = &parse_pairwise(&lines("x.csv", &text)).unwrap()[0];
    assert_eq!((read.pair.as_str(), read.comparisons.len(), read.rankings.len()), ("fi-en", 8, 1));
    assert_eq!(read.rankings[0].comparisons().collect::<Vec<_>>(), read.comparisons[..3]);
}

#[test]
fn joined_systems_had_the_same_output() {
    let text = format!("{PAIRWISE}fin,eng,1,1,j,a+b,1,c,2,5\n");
    let read = &parse_pairwise(&lines("x.csv", &text)).unwrap()[0];
    assert_eq!(names_of(read), ["1 a>c", "1 b>c"]);
    let output = |system, group, rank| RankedOutput { system, group, rank: Some(rank) };
    assert_eq!(read.rankings[0].outputs, [output(0, 1, 1), output(1, 1, 1), output(2, 2, 2)]);
    let bad = parse_pairwise(&lines("x.csv", &format!("{PAIRWISE}fin,eng,1,1,j,a+b,1,b,2,5\n")));
    assert_eq!(bad.unwrap_err().to_string(), "x.csv:2: the system \"b\" is compared with itself");
}

const RANKINGS: &str = "ranking_id\tseg_id\tjudge\toutput_group\tsystem\trank\n\
                        4\t2\tj\t1\ta\t1\n4\t2\tj\t2\tb\t2\n4\t2\tj\t2\tc\t2\n\
                        4\t2\tj\t3\td\t1\n4\t2\tj\t4\te\t-1\n";

fn tables(rankings: &str, pairs: &str) -> Result<Judgements> {
    let table = |name, text: &str| (!text.is_empty()).then(|| lines(name, text));
    RankingTables { rankings: table("r.tsv", rankings), pairs: table("p.tsv", pairs), ..RankingTables::default() }
        .judgements()
}

#[test]
fn comparisons_come_from_the_rankings_and_agree_with_the_pairs() {
    let pairs = "seg_id\tbetter\tworse\n2\td\tc\n2\ta\tb\n2\ta\tc\n2\td\tb\n";
    let read = tables(RANKINGS, pairs).unwrap();
    assert_eq!(names_of(&read), ["2 a>b", "2 a>c", "2 a=d", "2 b<d", "2 c<d"]);
    let error = |pairs: &str| tables(RANKINGS, pairs).unwrap_err().to_string();
    let twice = format!("{pairs}2\ta\tc\n");
    assert_eq!(
        error(&twice),
        "r.tsv and p.tsv disagree: segment \"2\", \"a\" better than \"c\", is 1 times in the first and 2 times in the \
         second"
    );
    assert!(error("seg_id\tbetter\tworse\n").contains("\"a\" better than \"b\", is 1 times in the first and 0"));
    assert!(error("seg_id\tbetter\tworse\n1\tb\ta\n").starts_with("r.tsv and p.tsv disagree"));
}

#[test]
fn pairs_alone_are_comparisons() {
    let read = tables("", "seg_id\tbetter\tworse\n2\td\tc\n2\td\tc\n1\tc\td\n").unwrap();
    assert_eq!(names_of(&read), ["2 d>c", "2 d>c", "1 c>d"]);
    let error = |rankings, pairs| tables(rankings, pairs).unwrap_err().to_string();
    assert_eq!(error("", "seg_id\tbetter\tworse\n2\td\td\n"), "p.tsv:2: a system cannot be better than itself");
    let twice = format!("{RANKINGS}4\t2\tj\t9\ta\t3\n");
    assert_eq!(error(&twice, ""), "r.tsv:7: this system is already in this ranking");
    let other = format!("{RANKINGS}4\t3\tj\t9\tf\t3\n");
    assert_eq!(error(&other, ""), "r.tsv:7: this ranking_id was used before, for another segment or judge");
}

#[test]
fn texts_in_tables_are_matched_by_name() {
    let segments = Some(lines("s.tsv", "seg_id\tsource\treference\n2\tdeux\t\"two\n9\tneuf\tnine\n"));
    let outputs = Some(lines("o.tsv", "seg_id\tsystem\ttext\n2\ta\t\u{feff}too \n9\tz\tnein\n"));
    let pairs = Some(lines("p.tsv", "seg_id\tbetter\tworse\n2\ta\tb\n"));
    let set = RankingTables { pairs, segments, outputs, ..RankingTables::default() };
    let read = set.judgements().unwrap();
    assert_eq!((read.systems.join(" "), read.segments.join(" ")), ("a b".to_owned(), "2 9".to_owned()));
    let texts = read.texts.unwrap();
    assert_eq!(texts.references[0].lines[0].as_deref(), Some("\"two"));
    assert_eq!(texts.outputs, [vec![Some("\u{feff}too".to_owned()), None], vec![None, None]]);
    let unknown = RankingTables { pairs: Some(lines("p.tsv", "seg_id\tbetter\tworse\n3\ta\tb\n")), ..set };
    let error = unknown.judgements().unwrap_err().to_string();
    assert_eq!(error, "p.tsv:2: segment \"3\" is not among the 2 segments of the set");
}

#[test]
fn plain_texts_in_a_folder_are_matched_by_line_number() {
    let scratch = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = scratch.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("pairs.cs-en.tsv", "seg_id\tbetter\tworse\n2\ta\tb\n");
    write("references/t-deen-ref.en", "wrong\n");
    write("references/t-ref.en", "one\ntwo\n");
    write("sources/t-src.cs", "jedna\ndva\n");
    write("system-outputs/cs-en/a", "won\ntoo\n");
    write("system-outputs/cs-en/unjudged", "x\n");
    let found = sources(scratch.path()).unwrap();
    assert_eq!(found.len(), 1);
    let read = found[0].read().unwrap();
    assert_eq!((read.pair.as_str(), read.comparisons[0].segment), ("cs-en", 1));
    let texts = read.texts.unwrap();
    assert_eq!(texts.references[0].lines, [Some("one".to_owned()), Some("two".to_owned())]);
    assert_eq!(texts.outputs[0][1].as_deref(), Some("too"));
    assert_eq!(texts.outputs[1], [None, None]);
    write("system-outputs/cs-en/b", "short\n");
    let error = found[0].read().unwrap_err().to_string();
    assert!(error.contains("system-outputs/cs-en/b has 1 line but"), "{error}");
}

#[test]
fn pairs_with_their_texts_are_comparisons_of_segments_with_equal_references() {
    let table = "id\tsource\treference\tbetter_system\tbetter\tworse_system\tworse\n\
                 0\ts\tr one\tA\ta one\tB\tb one\n\
                 1\ts2\tr two\tB\tb two\tC\tc two\n\
                 2\ts\tr one\tC\tc one\tB\tb one\n";
    let read = pairs_with_texts::read(&lines("pairs.xx-en.tsv", table)).unwrap();
    assert_eq!(names_of(&read), ["1 A>B", "2 B>C", "1 C>B"]);
    let texts = read.texts.unwrap();
    assert_eq!(texts.sources.unwrap(), ["s", "s2"]);
    assert_eq!(texts.references[0].lines[1].as_deref(), Some("r two"));
    let output = |system: usize, segment: usize| texts.outputs[system][segment].as_deref();
    assert_eq!((output(0, 0), output(0, 1), output(2, 1)), (Some("a one"), None, Some("c two")));

    let other = table.replace("C\tc one\tB\tb one", "C\tc one\tB\tanother");
    let error = pairs_with_texts::read(&lines("pairs.xx-en.tsv", &other)).unwrap_err().to_string();
    assert!(error.contains("\"B\" had another output for this segment before"), "{error}");
    let same = table.replace("A\ta one\tB", "B\tb one\tB");
    assert!(pairs_with_texts::read(&lines("pairs.xx-en.tsv", &same)).is_err());
}

#[test]
fn a_folder_or_file_of_pairs_with_texts_is_a_set() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pairs.gu-en.tsv");
    fs::write(&path, "reference\tbetter_system\tbetter\tworse_system\tworse\nr\tA\ta\tB\tb\n").unwrap();
    for path in [folder.path(), &path] {
        let mut found = sources(path).unwrap();
        let read = found.remove(0).read().unwrap();
        assert_eq!((read.pair.as_str(), names_of(&read)), ("gu-en", vec!["1 A>B".to_owned()]));
        assert!(read.texts.unwrap().sources.is_none());
    }
}
