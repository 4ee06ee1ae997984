use super::*;
use std::fs;
use tempfile::TempDir;

/// Three segments in two documents, two systems and a human translation.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| write(folder.path(), name, text);
    write("sources/en-de.txt", "one\ntwo  \nthree\n");
    write("documents/en-de.docs", "news d1\nnews d1\nchat d2\n");
    write("references/en-de.refA.txt", "eins\nzwei\ndrei\n");
    write("references/en-de.refB.jsonl", "{\"target\":\"Eins \"}\n{\"target\":\"Zwei\"}\n{\"target\":null}\n");
    write("system-outputs/en-de/mt.2.txt", "ein\n[No translation supplied]\ndrei\n");
    write("system-outputs/en-de/a.jsonl", "{\"hypothesis\":\"x\"}\n{\"hypothesis\":\"y\"}\n{\"hypothesis\":\"z\"}\n");
    write("system-outputs/en-de/refB.txt", "Eins\nZwei\nDrei\n");
    write("human-scores/en-de.mqm.seg.score", "mt.2\t-1\nmt.2\tNone\nmt.2 -2\nrefB 0\nrefB 0\nrefB 0\n");
    write("human-scores/en-de.wmt-z.sys.score", "a 0.5\nmt.2 None\n");
    write("human-scores/en-de.mqm.domain.score", "news a -1\nchat a -2\nnews mt.2 -3\n");
    write("human-scores/en-de.mqm.merged.seg.rating", "a\tNone\na\t{\"errors\":[]}\tr1\na\tNone\n");
    write("human-scores/de-en.mqm.seg.score", "other pair\n");
    write("metric-scores/en-de/BLEU-refB.doc.score", "a 1\na 2\nmt.2 3\nmt.2 4\n");
    write("metric-scores/en-de/QE-src.sys.score", "a 1\nmt.2 2\n");
    folder
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn everything_in_the_folder_is_read() {
    let folder = folder();
    let set = read_eval_set(folder.path(), "en-de").unwrap();
    let judgements = &set.judgements;
    assert_eq!(judgements.systems, ["a", "mt.2", "refB"]);
    let texts = judgements.texts.as_ref().unwrap();
    assert_eq!(texts.sources.as_ref().unwrap(), &["one", "two", "three"]);
    assert_eq!(texts.references.iter().map(|of| of.name.as_str()).collect::<Vec<_>>(), ["refA", "refB"]);
    assert_eq!(texts.references[1].lines, [Some("Eins ".to_owned()), Some("Zwei".to_owned()), None]);
    assert_eq!(texts.outputs[1], [Some("ein".to_owned()), None, Some("drei".to_owned())]);
    let names: Vec<_> = judgements.scores.iter().map(|of| (of.name.as_str(), of.level)).collect();
    assert_eq!(names, [("mqm", Level::Domain), ("mqm", Level::Segment), ("wmt-z", Level::System)]);
    assert_eq!(judgements.scores[0].values, [[Some(-2.0), Some(-1.0)], [None, Some(-3.0)], [None; 2]]);
    assert_eq!(judgements.scores[1].values, [[None; 3], [Some(-1.0), None, Some(-2.0)], [Some(0.0); 3]]);
    let ratings = &judgements.ratings[0];
    assert_eq!((ratings.name.as_str(), ratings.ratings.len(), ratings.ratings[0].segment), ("mqm.merged", 1, 1));
    assert_eq!(judgements.metric_scores.len(), 2);
    assert_eq!(judgements.metric_scores[0].systems, ["a", "mt.2"]);
    assert_eq!(judgements.metric_scores[0].values[1], [Some(3.0), Some(4.0)]);
    let missing = MissingScores { metric: "QE-src".to_owned(), level: Level::System, system: "refB".to_owned() };
    assert_eq!(set.missing, [missing], "BLEU-refB need not score refB, QE-src should");
    assert!(set.require_complete().unwrap_err().to_string().ends_with(" en-de: QE-src.sys has no scores for refB"));
}

#[test]
fn only_a_folder_with_this_layout_is_an_eval_set() {
    let folder = folder();
    let found = sources(folder.path()).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].pair, "en-de");
    assert_eq!(found[0].read().unwrap().systems.len(), 3);
    assert!(sources(&folder.path().join("sources")).unwrap().is_empty());
    fs::remove_dir_all(folder.path().join("human-scores")).unwrap();
    fs::remove_dir_all(folder.path().join("metric-scores")).unwrap();
    assert!(sources(folder.path()).unwrap().is_empty(), "texts alone are no judgements");
}

#[test]
fn compressed_files_are_read_as_they_are() {
    let folder = folder();
    let path = folder.path().join("human-scores/en-de.mqm.seg.score");
    let packed = crate::submission::gzip(&fs::read_to_string(&path).unwrap());
    let before = read_eval_set(folder.path(), "en-de").unwrap();
    fs::remove_file(&path).unwrap();
    fs::write(path.with_extension("score.gz"), packed).unwrap();
    assert_eq!(read_eval_set(folder.path(), "en-de").unwrap(), before);
}

/// The message after one file of the folder is changed.
fn after(name: &str, text: &str) -> String {
    let folder = folder();
    write(folder.path(), name, text);
    let message = read_eval_set(folder.path(), "en-de").unwrap_err().to_string();
    message.replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn errors_name_file_and_line() {
    let human = "human-scores/en-de.mqm.seg.score";
    assert_eq!(after(human, "a 1\na 2\n"), format!("{human}:2: expected 3 seg scores for a, found 2"));
    assert_eq!(after(human, "a 1\na 2\na 3\na 4\n"), format!("{human}:4: expected 3 seg scores for a, found 4"));
    assert_eq!(after(human, "b 1\n"), format!("{human}:1: no system is called `b` (known: a, mt.2, refB)"));
    assert_eq!(after(human, "a 1 2\n"), format!("{human}:1: expected a system and a score, found \"a 1 2\""));
    let domain = "human-scores/en-de.mqm.domain.score";
    assert_eq!(after(domain, "x a 1\n"), format!("{domain}:1: no domain is called `x` (known: chat, news)"));
    assert_eq!(after(domain, "news a 1\nnews a 1\n"), format!("{domain}:2: a second score of a for news"));
    let metric = "metric-scores/en-de/QE-src.sys.score";
    assert_eq!(after(metric, "a None\n"), format!("{metric}:1: a metric's score cannot be None"));
    let odd = "metric-scores/en-de/M-refC.sys.score";
    assert_eq!(after(odd, "a 1\n"), format!("{odd}: no reference is called `refC` (known: refA, refB)"));
    let odd = "metric-scores/en-de/M.sys.score";
    assert!(after(odd, "a 1\n").contains("found no REF in `M`"));
    let docs = "documents/en-de.docs";
    assert!(after(docs, "n d1\nn d2\nn d1\n").starts_with(&format!("{docs}:3: document d1 was over")));
    assert!(after(docs, "n d1\n").contains("have 1 lines but the source has 3"));
    assert!(after("system-outputs/en-de/b.txt", "1\n").contains("b.txt has 1 line but sources/en-de.txt has 3"));
    assert!(after("system-outputs/en-de/b.tsv", "1\n").contains("expected a text that ends in .txt or .jsonl"));
    assert!(after("references/en-de.all.txt", "").contains("`all` cannot be the name of a reference"));
    assert_eq!(
        after("references/en-de.refB.jsonl", "{\"source\":\"x\"}\n"),
        "references/en-de.refB.jsonl:1: expected a text in the field `target`"
    );
    assert!(after("human-scores/en-de.mqm.score", "").contains("expected a name like en-de.NAME.LEVEL.score"));
}

#[test]
fn standard_choices_follow_the_order() {
    let folder = folder();
    write(folder.path(), "human-scores/en-de.wmt-raw.seg.score", "a 1\na 1\na 1\n");
    write(folder.path(), "human-scores/en-de.wmt-z.seg.score", "a 1\na 1\na 1\n");
    let judgements = read_eval_set(folder.path(), "en-de").unwrap().judgements;
    let name = |level, choice| standard_scores(&judgements, level, choice).map(|of| of.name.as_str());
    assert_eq!(name(Level::Segment, None).unwrap(), "mqm");
    assert_eq!(name(Level::System, None).unwrap(), "wmt-z");
    assert_eq!(name(Level::Segment, Some("wmt-raw")).unwrap(), "wmt-raw");
    let error = name(Level::Segment, Some("da")).unwrap_err().to_string();
    assert!(error.ends_with(" has no human scores `da` (it has: mqm, wmt-raw, wmt-z)"), "{error}");
    assert!(name(Level::Document, None).is_err());
    let mut without = judgements.clone();
    without.scores.retain(|of| of.name != "mqm");
    assert_eq!(standard_scores(&without, Level::Segment, None).unwrap().name, "wmt-raw");
    without.scores.iter_mut().for_each(|of| of.name.insert(0, 'x'));
    assert!(standard_scores(&without, Level::Segment, None).unwrap_err().to_string().contains("choose one of xwmt-"));
    assert_eq!(standard_reference(&judgements, None).unwrap().name, "refA");
    assert_eq!(standard_reference(&judgements, Some("refB")).unwrap().name, "refB");
    assert!(standard_reference(&judgements, Some("x")).unwrap_err().to_string().ends_with("(it has: refA, refB)"));
}
