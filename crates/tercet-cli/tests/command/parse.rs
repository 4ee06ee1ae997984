use crate::test_dir::TestDir;
use crate::toy_language::{CONSTITUENCY_MODEL, DEPENDENCY_MODEL, treebank};
use std::io::Write;

fn dir(files: &[(&str, &str)]) -> TestDir {
    let dir = TestDir::with(files);
    dir.write("m", &DEPENDENCY_MODEL);
    dir
}

const SENTENCE: &str = "\
# sent_id = 1
# text = the dog saw a cat.
1\tthe\t_\tDET\tDT\t_\t2\tdet\t_\t_
2\tdog\t_\tNOUN\tNN\t_\t3\tnsubj\t_\t_
3\tsaw\t_\tVERB\tVBD\t_\t0\troot\t_\t_
4\ta\t_\tDET\tDT\t_\t5\tdet\t_\t_
5\tcat\t_\tNOUN\tNN\t_\t3\tobj\t_\tSpaceAfter=No
6\t.\t_\tPUNCT\t.\t_\t3\tpunct\t_\t_

";

#[test]
fn lines_become_trees_named_by_their_number() {
    let dir = dir(&[("a.txt", "the dog saw a cat.\n\n \nthe  dog saw a cat.")]);
    let expected = format!("{SENTENCE}{}", SENTENCE.replace("sent_id = 1", "sent_id = 4"));
    assert_eq!(dir.stdout(&["parse", "-m", "m", "a.txt"]), expected);
    assert_eq!(dir.stdout(&["parse", "-m", "m", "--threads", "1", "-q", "a.txt"]), expected);
    assert_eq!(dir.run_with(&["parse", "-m", "m"], "the dog saw a cat.\n").stdout, SENTENCE);
    assert_eq!(dir.stdout(&["parse", "-m", "m", "-o", "out", "a.txt"]), "");
    assert_eq!(dir.read("out"), expected.as_bytes());
    let several = dir.stdout(&["parse", "-m", "m", "a.txt", "a.txt"]);
    assert_eq!(several.matches("# sent_id = a.txt:4\n").count(), 2);
}

#[test]
fn compressed_and_long_texts_are_read() {
    let dir = dir(&[]);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    for _ in 0..5000 {
        packed.write_all(b"the dog saw a cat.\n").unwrap();
    }
    dir.write("a.gz", &packed.finish().unwrap());
    let parsed = dir.stdout(&["parse", "-m", "m", "a.gz"]);
    assert_eq!(parsed.matches("# text = the dog saw a cat.\n").count(), 5000);
    assert!(parsed.contains("# sent_id = 5000\n"));
}

#[test]
fn contractions_are_multiword_tokens() {
    let dir = dir(&[("a.txt", "don't\n")]);
    let parsed = dir.stdout(&["parse", "-m", "m", "a.txt"]);
    let forms: Vec<String> =
        parsed.lines().skip(2).map(|line| line.split('\t').take(2).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(forms, ["1-2 don't", "1 do", "2 n't", ""]);
}

#[test]
fn a_tree_is_drawn_under_its_text() {
    let dir = dir(&[("a.txt", "the dog saw a cat.\n")]);
    assert_eq!(
        dir.stdout(&["parse", "-m", "m", "-f", "tree", "a.txt"]),
        "1: the dog saw a cat.\n\
         \u{20} ╭─ the  DET    det\n\
         ╭─┴─ dog  NOUN   nsubj\n\
         ┼─── saw  VERB   root\n\
         │ ╭─ a    DET    det\n\
         ├─┴─ cat  NOUN   obj\n\
         ╰─── .    PUNCT  punct\n\n"
    );
}

#[test]
fn paragraphs_are_split_on_request() {
    let dir = dir(&[("a.txt", "The dog saw a cat. The cat saw a dog.\n")]);
    let texts = |words: &[&str]| -> Vec<String> {
        let parsed = dir.stdout(words);
        parsed.lines().filter(|line| line.starts_with('#')).map(str::to_owned).collect()
    };
    assert_eq!(
        texts(&["parse", "-m", "m", "--split", "a.txt"]),
        ["# sent_id = 1-1", "# text = The dog saw a cat.", "# sent_id = 1-2", "# text = The cat saw a dog."]
    );
    assert_eq!(texts(&["parse", "-m", "m", "a.txt"])[1], "# text = The dog saw a cat. The cat saw a dog.");
}

#[test]
fn another_tokenizer_cuts_the_words() {
    let dir = dir(&[("a.txt", "don't saw a cat.\n")]);
    let forms = |tok: &str| {
        let parsed = dir.stdout(&["parse", "-m", "m", "--tok", tok, "a.txt"]);
        let rows = parsed.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        rows.map(|row| row.split('\t').nth(1).unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(forms("none"), "don't saw a cat.");
    assert_eq!(forms("13a"), "don't saw a cat .");
    assert_eq!(forms("moses"), "don &apos;t saw a cat .");
    let error = dir.error(2, &["parse", "-m", "m", "--tok", "13b", "a.txt"]);
    assert!(error.contains("unknown tokenizer `13b`"), "{error}");
}

#[test]
fn a_conllu_file_comes_back_with_our_columns() {
    let given = "# a comment\r\n\
                 1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\tX=y\r\n\
                 1\tthe\tTHE\tX\tX\tF=g\t0\troot\t0:root\t_\r\n\
                 2\tdog\tdog\tX\tX\t_\t1\tdep\t1:dep\tZ\r\n\
                 2.1\tran\t_\t_\t_\t_\t_\t_\t0:root\t_\r\n\r\n\n\
                 1\tcat\t_\t_\t_\t_\t_\t_\t_\t_";
    let dir = dir(&[("g.conllu", given)]);
    let expected = given
        .replace("THE\tX\tX\tF=g\t0\troot\t0:root\t", "_\tDET\tDT\t_\t2\tdet\t_\t")
        .replace("dog\tdog\tX\tX\t_\t1\tdep\t1:dep\t", "dog\t_\tNOUN\tNN\t_\t0\troot\t_\t")
        .replace("cat\t_\t_\t_\t_\t_\t_\t", "cat\t_\tNOUN\tNN\t_\t0\troot\t");
    assert_eq!(dir.stdout(&["parse", "-m", "m", "--conllu", "g.conllu"]), expected);
    let kept = dir.stdout(&["parse", "-m", "m", "--conllu", "g.conllu", "--keep-lemmas"]);
    assert!(kept.contains("1\tthe\tTHE\tDET\tDT\tF=g\t2\tdet\t_\t_\r\n"), "{kept}");
    // More than one block.
    dir.write("long.conllu", treebank(0..5000).as_bytes());
    let parsed = dir.stdout(&["parse", "-m", "m", "--conllu", "long.conllu", "--keep-lemmas"]);
    assert_eq!(parsed.lines().count(), treebank(0..5000).lines().count());
}

#[test]
fn trees_are_compared_with_those_of_a_file() {
    let gold = treebank(0..40).replacen("\tNN\t", "\tNNP\t", 6).replacen("\tnsubj\t", "\tnsubj:x\t", 3);
    let dir = dir(&[("g.conllu", &gold)]);
    let table = dir.stdout(&["parse", "-m", "m", "--conllu", "g.conllu", "--evaluate"]);
    let (title, rows) = table.split_once('\n').unwrap();
    assert!(title.starts_with("g.conllu  240 words of 40 sentences  dependency:sha256="), "{title}");
    assert_eq!(
        rows,
        "UPOS        100.00\nXPOS         97.50\nUAS         100.00\nLAS         100.00\nLAS full     98.75\n"
    );
    let raw = dir.stdout(&["parse", "-m", "m", "--conllu", "g.conllu", "--evaluate", "--raw", "--tok", "none"]);
    let row = |name: &str| -> Vec<&str> {
        raw.lines().find(|row| row.starts_with(name)).unwrap().split_whitespace().skip(1).collect()
    };
    // Split at white space, `cat.` is one word; in gold it is two.
    assert_eq!(row("words"), ["80.00", "66.67", "72.73"]);
    assert_eq!(row("sentences"), ["100.00", "100.00", "100.00"]);
    let raw = dir.stdout(&["parse", "-m", "m", "--conllu", "g.conllu", "--evaluate", "--raw"]);
    assert!(raw.lines().any(|row| row.starts_with("words") && row.ends_with("100.00")), "{raw}");
    let error = dir.error(2, &["parse", "-m", "m", "--conllu", "g.conllu", "--evaluate", "--raw", "-t", "moses"]);
    assert!(error.contains("--tok ud-en or none"), "{error}");
}

#[test]
fn raw_text_comes_in_paragraphs_where_sentences_are_to_be_found() {
    // Sentences of the toy language begin with small letters, so a paragraph is not split into sentences.
    let together = treebank(0..4);
    let apart = together.replace("# sent_id", "# newpar id = p\n# sent_id");
    let dir = dir(&[("together", &together), ("apart", &apart)]);
    for (file, f1) in [("together", "0.00"), ("apart", "100.00")] {
        let table = dir.stdout(&["parse", "-m", "m", "--conllu", file, "--evaluate", "--raw", "--split"]);
        let row = table.lines().find(|row| row.starts_with("sentences")).unwrap();
        assert!(row.ends_with(f1), "{file}: {table}");
    }
}

#[test]
fn a_byte_order_mark_is_not_part_of_a_word() {
    let dir = dir(&[("marked", "\u{feff}the dog saw a cat.\n"), ("plain", "the dog saw a cat.\n")]);
    assert_eq!(dir.stdout(&["parse", "marked"]), dir.stdout(&["parse", "plain"]));
}

#[test]
fn sentences_without_words_are_not_written() {
    let dir = dir(&[("text", "<skipped>\nthe dog saw a cat.\n")]);
    let parsed = dir.stdout(&["parse", "text", "--split", "--tok", "13a"]);
    assert_eq!(parsed.matches("# sent_id").count(), 1, "{parsed}");
    dir.write("parsed", parsed.as_bytes());
    assert_eq!(dir.stdout(&["parse", "--conllu", "parsed", "-q"]).matches("# sent_id").count(), 1);
}

#[test]
fn an_empty_file_cannot_be_evaluated() {
    let dir = dir(&[("nothing", "")]);
    let error = dir.error(1, &["parse", "--conllu", "nothing", "--evaluate"]);
    assert!(error.contains("nothing: no sentences"), "{error}");
}

#[test]
fn bad_input_is_named_with_file_and_line() {
    let mut long = treebank(0..3000);
    let line = long.lines().count() + 1;
    long += "1\tcat\n";
    let dir = dir(&[("long.conllu", &long)]);
    dir.write("a.txt", b"the dog\nsaw \xff\n");
    let error = dir.error(1, &["parse", "-m", "m", "a.txt"]);
    assert!(error.starts_with("error: a.txt:2:"), "{error}");
    let error = dir.error(1, &["parse", "-m", "m", "--conllu", "long.conllu", "-o", "out"]);
    assert!(error.starts_with(&format!("error: long.conllu:{line}: expected 10")), "{error}");
    let names: Vec<_> = std::fs::read_dir(dir.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    let error = dir.error(1, &["parse", "-m", "a.txt", "a.txt"]);
    assert!(error.contains("a.txt"), "{error}");
}

#[test]
fn a_file_that_is_not_a_model_is_an_error() {
    let dir = dir(&[("a.txt", "x\n"), ("folder/b.txt", "x\n")]);
    for words in [&["-m", "folder"][..], &["-m", "folder", "-f", "brackets"]] {
        let error = dir.error(1, &[&["parse", "a.txt"], words].concat());
        assert_eq!(error, "error: folder: it is a folder, expected a file of weights (name one)\n");
    }
    dir.write("phrases", &CONSTITUENCY_MODEL);
    let error = dir.error(1, &["parse", "-m", "phrases", "a.txt"]);
    assert_eq!(error, "error: phrases: it holds a constituency parser, not a dependency parser\n");
    let error = dir.error(1, &["parse", "-m", "m", "-f", "brackets", "a.txt"]);
    assert_eq!(error, "error: m: it holds a dependency parser, not a constituency parser\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_that_cannot_be_written_to_is_named() {
    let dir = dir(&[("a.txt", "x\n")]);
    let error = dir.error(1, &["parse", "-m", "m", "-o", "/dev/full", "a.txt"]);
    assert!(error.starts_with("error: cannot write /dev/full: "), "{error}");
}

#[test]
fn flags_that_would_do_nothing_are_refused() {
    let dir = dir(&[("g.conllu", &treebank(0..1)), ("a.txt", "x\n")]);
    for words in [
        &["--conllu", "g.conllu", "--tok", "13a"][..],
        &["--conllu", "g.conllu", "--split"],
        &["--conllu", "g.conllu", "a.txt"],
        &["--conllu", "g.conllu", "--raw"],
        &["--evaluate", "a.txt"],
        &["--keep-lemmas", "a.txt"],
        &["--conllu", "g.conllu", "--evaluate", "-f", "tree"],
        &["--conllu", "g.conllu", "-o", "g.conllu"],
        &["-", "-"],
    ] {
        dir.error(2, &[&["parse", "-m", "m"], words].concat());
    }
}
