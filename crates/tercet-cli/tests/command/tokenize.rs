use crate::test_dir::TestDir;

#[test]
fn lines_are_tokenized_as_named() {
    let dir = TestDir::with(&[("a.txt", "Hello, world!\n\nÄ-Ö 1,5.\n")]);
    assert_eq!(dir.stdout(&["tokenize", "a.txt"]), "Hello , world !\n\nÄ-Ö 1,5 .\n");
    assert_eq!(dir.stdout(&["tokenize", "--tok", "char", "a.txt"]).lines().next(), Some("H e l l o ,   w o r l d !"));
    assert_eq!(dir.stdout(&["tokenize", "--tok", "tercom+norm", "a.txt"]).lines().next(), Some("hello , world !"));
    assert_eq!(dir.stdout(&["tokenize", "--tok", "moses-fr+noescape", "a.txt"]), "Hello , world !\n\nÄ-Ö 1,5 .\n");
    assert_eq!(
        dir.run_with(&["tokenize", "--tok", "ud-en"], "I don't know well-known U.S. e-mails.\n").stdout,
        "I do n't know well - known U.S. e-mails .\n"
    );
    assert_eq!(dir.run_with(&["tokenize", "--lowercase"], "A.\n").stdout, "a .\n");
    // Moses needs the capitals to see where a sentence ends.
    let lowered = dir.run_with(&["tokenize", "--tok", "moses", "--lowercase"], "It is. It's.\n").stdout;
    assert_eq!(lowered, "it is . it &apos;s .\n");
}

#[test]
fn the_list_has_every_tokenizer() {
    let list = TestDir::new().stdout(&["tokenize", "--list"]);
    for name in [
        "13a",
        "intl",
        "zh",
        "char",
        "none",
        "mteval",
        "mteval-intl",
        "tercom",
        "moses",
        "ud-en",
        "rouge",
        "ja-mecab",
        "spm",
    ] {
        assert!(list.lines().any(|line| line.starts_with(name)), "{name}");
    }
}

#[test]
fn a_tokenizer_whose_model_is_missing_says_how_to_get_it() {
    let error = TestDir::new().error(2, &["tokenize", "--tok", "flores200"]);
    assert!(
        error.contains("needs a model of SentencePiece, which was not found (let sacreBLEU download it"),
        "{error}"
    );
    let error = TestDir::new().error(2, &["tokenize", "--tok", "ja-mecab"]);
    assert!(error.contains("pip install ipadic") && error.contains("TERCET_JA_MECAB"), "{error}");
    let error = TestDir::new().error(2, &["tokenize", "--tok", "14a"]);
    assert!(error.contains("unknown tokenizer `14a`, did you mean `13a`?"), "{error}");
}

#[test]
fn the_language_chooses_the_tokenizer_of_bleu() {
    let dir = TestDir::with(&[("a.txt", "我爱北京, ok.\n")]);
    for lang in ["zh", "en-zh", "zho_Hans"] {
        let output = dir.run(&["tokenize", "-l", lang, "a.txt"]);
        assert_eq!((output.stdout.as_str(), output.stderr.as_str()), ("我 爱 北 京 , ok .\n", ""), "{lang}");
    }
    assert_eq!(dir.stdout(&["tokenize", "-l", "de", "a.txt"]), dir.stdout(&["tokenize", "a.txt"]));
    let japanese = dir.run(&["tokenize", "-l", "ja", "a.txt"]);
    assert!(japanese.stdout.starts_with("我 爱 北 京 , ") && japanese.stderr.contains("use ja-mecab"), "{japanese:?}");
    assert!(dir.error(2, &["tokenize", "-l", "zh", "--tok", "13a", "a.txt"]).contains("cannot be used with"));
}
