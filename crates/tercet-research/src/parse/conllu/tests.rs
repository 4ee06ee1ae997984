use super::*;

const TEXT: &str = "# newdoc\n# sent_id = a-1\n#text = He's here.\n1-2\tHe's\t_\t_\t_\t_\t_\t_\t_\t_\n\
    1\tHe\the\tPRON\tPRP\tCase=Nom\t3\tnsubj\t3:nsubj\t_\n2\t's\tbe\tAUX\tVBZ\t_\t3\tcop\t_\t_\n\
    3\there\there\tADV\tRB\t_\t0\troot\t_\tX=1|SpaceAfter=No\n3.1\tgone\t_\t_\t_\t_\t_\t_\t0:root\t_\n\
    4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_\n\n# sent_id = a-2\n1\tYes\tyes\tINTJ\tUH\t_\t_\t_\t_\t_\n\n";

fn read(text: &str) -> Result<Conllu> {
    Conllu::from_text(Path::new("x.conllu"), text)
}

/// A line of a word with this id and head.
fn line(id: &str, head: &str) -> String {
    format!("{id}\tw\t_\t_\t_\t_\t{head}\tdep\t_\t_\n")
}

fn refusal(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

#[test]
fn comments_words_ranges_and_empty_nodes_are_distinguished() {
    let file = read(TEXT).unwrap();
    let sentence = &file.sentences()[0];
    assert_eq!(sentence.comments().collect::<Vec<_>>(), ["# newdoc", "# sent_id = a-1", "#text = He's here."]);
    assert_eq!(
        (sentence.sent_id(), sentence.text(), sentence.comment("newdoc")),
        (Some("a-1"), Some("He's here."), None)
    );
    assert_eq!(sentence.words().map(Row::form).collect::<Vec<_>>(), ["He", "'s", "here", "."]);
    let ids: Vec<Id> = sentence.rows().iter().map(Row::id).collect();
    assert_eq!((ids[0], ids[1], ids[4]), (Id::Range(1, 2), Id::Word(1), Id::Empty(3, 1)));
    let tokens: Vec<_> = sentence.tokens().map(|(row, words)| (row.form(), words)).collect();
    assert_eq!(tokens, [("He's", 0..2), ("here", 2..3), (".", 3..4)]);
    assert_eq!(sentence.surface(), "He's here.");
    let word = sentence.word(0);
    assert_eq!((word.upos(), word.xpos(), word.head(), word.deprel()), ("PRON", "PRP", Some(3), "nsubj"));
    assert_eq!((word.column(ConlluColumn::Feats), word.column(ConlluColumn::Deps)), ("Case=Nom", "3:nsubj"));
    assert_eq!(file.sentences()[1].word(0).head(), None);
}

#[test]
fn what_was_read_is_written_back_byte_for_byte() {
    for text in [
        TEXT.to_owned(),
        TEXT.replace('\n', "\r\n"),
        TEXT.replacen('\n', "\r\n", 3),
        format!("\u{feff}\n\n{}\n\r\n\n", TEXT.trim_end()),
        TEXT.trim_end().to_owned(),
        format!("{}\n", TEXT.trim_end()),
        format!("{}{}", line("1", "0"), line("1.1", "_")),
        "\n".to_owned(),
        String::new(),
    ] {
        assert_eq!(read(&text).unwrap().to_string(), text);
    }
}

#[test]
fn only_what_was_set_changes() {
    let mut file = read(TEXT).unwrap();
    let sentence = &mut file.sentences_mut()[0];
    sentence.set_upos(2, "ADJ").unwrap();
    sentence.set_xpos(2, "JJ").unwrap();
    sentence.set_head(1, Some(1)).unwrap();
    sentence.set_deprel(1, "aux:pass").unwrap();
    sentence.set_head(3, None).unwrap();
    let expected = TEXT
        .replace("ADV\tRB", "ADJ\tJJ")
        .replace("VBZ\t_\t3\tcop", "VBZ\t_\t1\taux:pass")
        .replace(".\t_\t3\tpunct", ".\t_\t_\tpunct");
    assert_eq!(file.to_string(), expected);
}

#[test]
fn a_tree_goes_onto_the_words_and_comes_back() {
    let mut file = read(TEXT).unwrap();
    let tree = DependencyTree::new(vec![0, 1, 2, 1], ["root", "a", "b:c", "d"].map(str::to_owned).to_vec()).unwrap();
    file.sentences_mut()[0].set_tree(&tree).unwrap();
    assert_eq!(file.tree(0).unwrap(), tree);
    assert!(file.to_string().contains("1\tHe\the\tPRON\tPRP\tCase=Nom\t0\troot\t_\t_\n"));
    assert!(file.to_string().contains("3.1\tgone\t_\t_\t_\t_\t_\t_\t0:root\t_\n"));
    let error = file.sentences_mut()[1].set_tree(&tree).unwrap_err();
    assert_eq!(error.to_string(), "a tree of 4 words cannot be put on a sentence of 1");
}

#[test]
fn values_that_would_break_a_line_are_refused() {
    let mut sentence = Sentence::new(["a", "b"]);
    for value in ["", "x\ty", "x\ny", "x\r"] {
        let error = sentence.set_upos(0, value).unwrap_err().to_string();
        assert!(error.starts_with("column Upos of a CoNLL-U line cannot be"), "{error}");
    }
    assert!(sentence.set(0, ConlluColumn::Id, "2").is_err());
    for head in ["3", "x", "-1"] {
        assert!(sentence.set(0, ConlluColumn::Head, head).is_err(), "{head}");
    }
    sentence.set(0, ConlluColumn::Head, "2").unwrap();
    assert_eq!(sentence.word(0).head(), Some(2));
}

#[test]
fn a_new_sentence_is_written_and_read() {
    let mut sentence = Sentence::new(["New", "York", ""]);
    sentence.push_comment("text", "New York\n");
    sentence.set(1, ConlluColumn::Misc, "SpaceAfter=No").unwrap();
    let file = Conllu::new(vec![sentence.clone(), sentence]);
    let expected = "# text = New York \n1\tNew\t_\t_\t_\t_\t_\t_\t_\t_\n2\tYork\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n\
        3\t_\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
    assert_eq!(file.to_string(), expected.repeat(2));
    assert_eq!(read(&file.to_string()).unwrap().sentences()[1].surface(), "New York_");
}

#[test]
fn bad_lines_are_named() {
    let word = line("1", "0");
    for (text, message) in [
        (format!("{word}2\tw\t_\n"), "x.conllu:2: expected 10 tab-separated columns, found 3"),
        (
            format!("{word}  \n"),
            "x.conllu:2: expected 10 tab-separated columns, found 1 (an empty line ends a sentence, tabs separate \
             columns)",
        ),
        (
            word.replace("\tw\t", "\t\t"),
            "x.conllu:1: the second column, FORM, is empty (write `_` for a word that is not there)",
        ),
        (line("x", "0"), "x.conllu:1: expected an id such as 3, 3-4 or 3.1, found `x`"),
        (line("01", "0"), "x.conllu:1: expected an id such as 3, 3-4 or 3.1, found `01`"),
        (
            format!("{word}{}", line("3", "1")),
            "x.conllu:2: expected the line of word 2, found the id 3 (ids count up from 1 without gaps)",
        ),
        (
            format!("{word}{}", line("1-2", "_")),
            "x.conllu:2: expected the line of word 2, found the id 1-2 (ids count up from 1 without gaps)",
        ),
        (
            format!("{}{word}{}", line("1-2", "_"), line("2-3", "_")),
            "x.conllu:3: the multiword token 2-3 begins inside the one before it",
        ),
        (format!("{}{word}", line("1-2", "_")), "x.conllu:1: the multiword token 1-2 extends beyond the last word, 1"),
        (format!("{word}{}", line("1.2", "_")), "x.conllu:2: expected the empty node 1.1, found 1.2"),
        (
            format!("{word}{}\n", line("2", "3")),
            "x.conllu:2: the head of word 2 is 3, but the sentence ends with word 2 (0 is the root, `_` no head)",
        ),
        (
            line("1", "one"),
            "x.conllu:1: the seventh column, HEAD, is `one`: expected the id of a word, 0 for the root or `_`",
        ),
        (
            format!("{word}# late\n"),
            "x.conllu:2: a comment inside a sentence (comments stand before its first word; is an empty line missing?)",
        ),
        ("# alone\n\n".to_owned(), "x.conllu:2: a sentence without words ends here"),
    ] {
        assert_eq!(refusal(&text), message);
    }
    let error = Conllu::from_bytes(Path::new("x.conllu"), b"# ok\n\xff").unwrap_err().to_string();
    assert!(error.starts_with("x.conllu:2: not valid UTF-8 at byte 1 of the line, byte 6 of the file"), "{error}");
}

#[test]
fn invalid_trees_are_errors_only_when_a_tree_is_requested() {
    let bad = |heads: &[&str]| {
        let lines: String = heads.iter().enumerate().map(|(i, head)| line(&(i + 1).to_string(), head)).collect();
        read(&format!("# c\n{lines}\n")).unwrap().tree(0).unwrap_err().to_string()
    };
    assert_eq!(bad(&["0", "_"]), "x.conllu:3: word 2, `w`, has no head, but a tree was asked for");
    assert_eq!(bad(&["2", "1"]), "x.conllu:2: word 1 is its own ancestor: the heads form a cycle");
    assert_eq!(
        bad(&["0", "0"]),
        "x.conllu:3: word 2 has the root as its head, and so does word 1: a tree has one root"
    );
}

#[test]
fn a_sentence_is_made_of_a_text_and_its_words() {
    let text = " Don\u{a0}t you (really)  can't? ";
    let mut words = Vec::new();
    crate::text::ud_english(text, &mut words);
    let sentence = Sentence::from_text("7", text, &words);
    assert_eq!(sentence.sent_id(), Some("7"));
    assert_eq!(sentence.text(), Some("Don t you (really) can't?"));
    assert_eq!(sentence.surface(), "Don t you (really) can't?");
    let rows: Vec<String> = sentence.rows().iter().map(|row| row.text().replace('\t', " ")).collect();
    let row = |start: &str, misc: &str| format!("{start} _ _ _ _ _ _ _ {misc}");
    let expected = [
        row("1 Don", "_"),
        row("2 t", "_"),
        row("3 you", "_"),
        row("4 (", "SpaceAfter=No"),
        row("5 really", "SpaceAfter=No"),
        row("6 )", "_"),
        row("7-8 can't", "SpaceAfter=No"),
        row("7 ca", "_"),
        row("8 n't", "_"),
        row("9 ?", "_"),
    ];
    assert_eq!(rows, expected);
    let written = sentence.to_string();
    assert_eq!(Conllu::from_text(Path::new("x"), &written).unwrap().to_string(), written);
    assert!(Sentence::from_text("8", "  ", &[]).is_empty());
}

#[test]
fn a_part_of_a_file_counts_its_lines_from_where_it_starts() {
    let row = "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
    assert_eq!(Conllu::part(Path::new("x"), row, 41).unwrap().to_string(), row);
    let error = Conllu::part(Path::new("x"), &format!("{row}2\ta\n"), 41).unwrap_err().to_string();
    assert!(error.starts_with("x:43: expected 10"), "{error}");
}
