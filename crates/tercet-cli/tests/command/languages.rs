//! What the target language decides, and warnings about text in another language.

use crate::test_dir::TestDir;
use serde_json::Value;

const CHINESE: &str = "今天下午我们去公园散步。\n这家面包店早上五点开门。\n昨天晚上下了一整夜的雨。\n\
    孩子们在院子里踢足球。\n他把钥匙忘在办公室里了。\n";
const CHINESE_SYSTEM: &str = "今天下午我们在公园里散步。\n这家面包店早上五点营业。\n昨晚下了一整夜的雨。\n\
    孩子们在院子里踢球。\n他把钥匙忘在办公室了。\n";
const RUSSIAN: &str = "Сегодня мы гуляли в парке.\nПекарня открывается в пять часов утра.\nВчера всю ночь шёл дождь.\n\
    Дети играли во дворе в футбол.\nОн забыл ключи на работе.\n";
const RUSSIAN_SYSTEM: &str = "Сегодня мы гуляем в парках.\nПекарни открываются в пять часов утра.\n\
    Вчера всю ночь шли дожди.\n\
    Дети играли во дворах в футбол.\nОн забыл ключ на работе.\n";
const GERMAN: &str = "Wir sind heute im Park spazieren gegangen und haben die Enten gefüttert.\n\
    Die Bäckerei öffnet um fünf, aber am Sonntag ist sie nicht auf.\nEs hat die ganze Nacht geregnet.\n\
    Die Kinder haben auf dem Hof mit dem Ball gespielt.\nEr hat den Schlüssel bei der Arbeit vergessen.\n";
const ENGLISH: &str = "Today we went for a walk in the park and fed the ducks.\n\
    The bakery opens at five, but it is not open on Sunday.\nIt rained all night.\n\
    The children played with a ball in the yard.\nHe forgot the key at his work.\n";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn chinese() -> TestDir {
    TestDir::with(&[("ref", CHINESE), ("hyp", CHINESE_SYSTEM)])
}

#[test]
fn the_language_chooses_the_tokenizer_and_the_signature_shows_it() {
    let dir = chinese();
    let score = |words: &[&str]| {
        let found =
            json(&dir.stdout(&[&["score", "-q", "-r", "ref", "-m", "bleu", "-f", "json", "hyp"], words].concat()));
        (found[0]["score"].as_f64().unwrap(), found[0]["signature"].as_str().unwrap().to_owned())
    };
    let (wrong, _) = score(&[]);
    let (right, signature) = score(&["-l", "en-zh"]);
    assert!(wrong < 20.0 && right > 50.0, "{wrong} {right}");
    assert!(signature.starts_with("bleu:tok=zh,"), "{signature}");
    let sacrebleu = dir.stdout(&["sacrebleu", "ref", "-i", "hyp", "-l", "en-zh", "-b", "-w", "4"]);
    assert_eq!(sacrebleu.trim(), format!("{right:.4}"));
    for same in ["zh", "zho", "zh-CN", "Chinese", "en_US-zh_CN"] {
        assert_eq!(score(&["--lang", same]), (right, signature.clone()), "{same}");
    }
    let own = dir.stdout(&["score", "-q", "-l", "zh", "-r", "ref", "-m", "bleu:tok=13a", "-f", "json", "hyp"]);
    assert_eq!(json(&own)[0]["score"].as_f64(), Some(wrong));
}

#[test]
fn a_mistyped_code_is_a_warning_with_the_nearest_one() {
    let dir = TestDir::with(&[("ref", RUSSIAN), ("hyp", RUSSIAN_SYSTEM)]);
    let warning = "warning: `rsu` is not among the language codes known here: did you mean rus?\n";
    for words in [&["score", "-m", "chrf", "-r", "ref", "-l", "rsu", "hyp"][..], &["tokenize", "-l", "rsu", "hyp"]] {
        let output = dir.run(words);
        assert!(output.code == 0 && output.stderr.starts_with(warning), "{}", output.stderr);
    }
    let known = dir.run(&["score", "-m", "chrf", "-r", "ref", "-l", "en-rus", "hyp"]);
    assert_eq!(known.stderr, "");
}

#[test]
fn text_without_spaces_is_a_warning_that_names_the_flag() {
    let dir = chinese();
    let silent = dir.run(&["score", "-r", "ref", "hyp"]);
    let bleu = "warning: bleu: Chinese has no spaces between words, so a whole sentence counts as one word (use \
                bleu:tok=zh); -l zh chooses it\n";
    let ter = "warning: ter: Chinese has no spaces between words, so a whole sentence counts as one word (use \
               ter:normalized=yes,asian_support=yes)\n";
    assert_eq!(silent.stderr, format!("{bleu}{ter}"));
    assert_eq!(dir.run(&["score", "-l", "zh", "-r", "ref", "hyp"]).stderr, "");
    assert_eq!(dir.run(&["score", "-l", "zh", "-m", "ter", "-r", "ref", "hyp"]).stderr, ter);
    for words in [["-q", "-m=bleu"], ["--no-checks", "-m=bleu"], ["-l=zh", "-m=bleu"], ["-m=cer", "-m=chrf"]] {
        let output = dir.run(&[&["score", "-r", "ref", "hyp"], &words[..]].concat());
        assert_eq!(output.stderr, "", "{words:?}");
    }
}

#[test]
fn japanese_korean_and_thai_are_told_apart() {
    let cases = [
        ("猫がマットの上に座っている。昨日は一晩中雨が降った。", "ja", "Japanese has no spaces", "which use ja-mecab"),
        ("고양이가 매트 위에 앉아 있다. 어제 밤새도록 비가 내렸다.", "ko", "which use ko-mecab", "which use ko-mecab"),
        ("แมวนั่งอยู่บนเสื่อเมื่อคืนนี้ฝนตกตลอดทั้งคืน", "th", "Thai has no spaces", "Thai has no spaces"),
    ];
    for (line, lang, without, with) in cases {
        let dir = TestDir::with(&[("ref", line), ("hyp", line)]);
        let output = dir.run(&["score", "-r", "ref", "-m", "bleu", "hyp"]);
        assert!(output.stderr.contains(without), "{output:?}");
        // Of Thai sacreBLEU's -l changes nothing either.
        let flag = match lang {
            "ko" => "or TERCET_KO_MECAB); -l ko chooses tok=char\n",
            "ja" => "(use bleu:tok=char); -l ja chooses it\n",
            _ => "(use bleu:tok=char)\n",
        };
        assert!(output.stderr.ends_with(flag), "{output:?}");
        let output = dir.run(&["score", "-l", lang, "-r", "ref", "-m", "bleu", "hyp"]);
        assert!(output.stderr.contains(with), "{output:?}");
        assert_eq!(output.stdout.contains("bleu:tok=char"), lang != "th", "{output:?}");
    }
}

#[test]
fn ter_of_the_default_metrics_suits_the_language() {
    let dir = chinese();
    let signatures = |lang: &str| dir.stdout(&["score", "-q", "-l", lang, "-r", "ref", "hyp"]);
    assert!(signatures("zh").contains("ter:normalized=yes,no_punct=no,asian_support=yes"), "{}", signatures("zh"));
    assert!(!signatures("th").contains("TER"), "{}", signatures("th"));
    assert!(signatures("de").contains("ter:normalized=no,no_punct=no,asian_support=no"), "{}", signatures("de"));
    let named = dir.stdout(&["score", "-q", "-l", "zh", "-m", "ter", "-r", "ref", "hyp"]);
    assert!(named.contains("ter:normalized=no"), "a metric that is named keeps its digits: {named}");
}

#[test]
fn what_is_no_language_is_refused() {
    let dir = chinese();
    let error = dir.error(2, &["score", "-l", "chinse", "-r", "ref", "hyp"]);
    assert!(error.contains("`chinse` is not a language: expected a code of ISO 639"), "{error}");
    let error = dir.error(2, &["score", "-l", "zh", "--scores", "hyp"]);
    assert!(error.contains("cannot be used with"), "{error}");
    let output = dir.run(&["score", "-l", "ru", "-r", "ref", "-m", "chrf", "hyp"]);
    assert_eq!(output.stderr, "warning: the target language is Russian, but the references are in Chinese\n");
    let error = dir.error(2, &["score", "-l", "en-kr", "-r", "ref", "hyp"]);
    assert!(error.contains("instead of kr write ko for Korean, or kau for Kanuri"), "{error}");
    let error = dir.error(2, &["score", "-l", "xx", "-r", "ref", "hyp"]);
    assert!(error.contains("`xx` is not a language"), "{error}");
}

#[test]
fn text_of_another_language_than_the_given_one_keeps_its_own_warnings() {
    let dir = chinese();
    let bleu = "warning: bleu: Chinese has no spaces between words, so a whole sentence counts as one word (use \
                bleu:tok=zh); -l zh chooses it\n";
    for (lang, name) in [("de", "German"), ("en", "English"), ("en-ko", "Korean")] {
        let words = ["score", "-l", lang, "-r", "ref", "-m", "bleu:tok=13a", "hyp"];
        let other = format!("warning: the target language is {name}, but the references are in Chinese\n");
        assert_eq!(dir.run(&words).stderr, other + bleu, "{lang}");
    }
    // Of these languages the script is not known.
    for lang in ["yue", "en-wuu", "kau"] {
        let unknown = match lang {
            "en-wuu" => "warning: `wuu` is not among the language codes known here\n",
            _ => "",
        };
        let stderr = dir.run(&["score", "-l", lang, "-r", "ref", "-m", "bleu", "hyp"]).stderr;
        assert_eq!(stderr, format!("{unknown}{bleu}"), "{lang}");
    }
    let dir = TestDir::with(&[("ref", ENGLISH), ("hyp", ENGLISH)]);
    let output = dir.run(&["score", "-l", "fr-ca", "-r", "ref", "-m", "chrf", "hyp"]);
    assert_eq!(output.stderr, "warning: the target language is Catalan, but the references are in English\n");
}

#[test]
fn what_is_said_of_meteor_and_chinese_is_true_of_its_setting() {
    let dir = chinese();
    let stderr = |words: &[&str]| dir.run(&[&["score", "-r", "ref", "hyp"], words].concat()).stderr;
    assert_eq!(
        stderr(&["-m", "meteor"]),
        "warning: meteor: METEOR does not know Chinese, and its tokenizer for English counts every character as a word \
         (split the text into words and use meteor:lang=other, or use cer or chrf)\n"
    );
    let whole = "warning: meteor: Chinese has no spaces between words, so a whole sentence counts as one word (split \
                 the text into words, or use cer or chrf)\n";
    assert_eq!(stderr(&["-m", "meteor", "-l", "en-zh"]), whole);
    assert_eq!(stderr(&["-m", "meteor:norm=no"]), whole);
}

#[test]
fn tercet_meteor_warns_of_text_in_another_language() {
    let dir = TestDir::with(&[("ru", RUSSIAN), ("en", ENGLISH), ("zh", CHINESE)]);
    let russian = "warning: meteor: the text is Russian, not English (use meteor:lang=ru); -l ru chooses it\n";
    assert_eq!(dir.run(&["meteor", "ru", "ru"]).stderr, russian);
    assert_eq!(dir.run(&["meteor", "--norm", "ru", "ru"]).stderr, russian);
    let english = "warning: meteor: the text is English, which METEOR knows (use meteor:lang=en); -l en chooses it\n";
    assert_eq!(dir.run(&["meteor", "en", "en", "-l", "zh"]).stderr, english);
    let chinese = dir.run(&["meteor", "zh", "zh"]).stderr;
    assert!(chinese.contains("so a whole sentence counts as one word"), "{chinese}");
    let right = dir.run(&["meteor", "en", "en"]).stderr;
    assert!(right.starts_with("warning: meteor: no paraphrase table") && right.lines().count() == 1, "{right}");
    assert_eq!(dir.run(&["meteor", "-q", "ru", "ru", "-l", "en"]).stderr.matches("warning").count(), 0);
}

#[test]
fn the_pair_of_a_submission_is_the_language() {
    let dir = chinese();
    let submission = ["--submission", "out", "--test-set", "x", "--lang-pair", "en-zh"];
    let words = [&["score", "-q", "-r", "ref", "-m", "bleu", "hyp"][..], &submission].concat();
    assert!(dir.stdout(&words).contains("bleu:tok=zh"));
    let error = dir.error(2, &[&words[..], &["-l", "de"]].concat());
    assert!(error.contains("--language says German, --lang-pair translates into Chinese"), "{error}");
}

#[test]
fn english_meteor_is_a_warning_for_other_languages() {
    for (reference, name, lang) in [(RUSSIAN, "Russian", "ru"), (GERMAN, "German", "de")] {
        let dir = TestDir::with(&[("ref", reference), ("hyp", reference)]);
        let score = |words: &[&str]| dir.run(&[&["score", "-r", "ref", "hyp"], words].concat());
        let expected = format!(
            "warning: meteor: the text is {name}, not English (use meteor:lang={lang}); -l {lang} chooses it\n"
        );
        assert_eq!(score(&["-m", "meteor:modules=exact+stem"]).stderr, expected);
        let with = score(&["-m", "meteor:modules=exact+stem", "-l", lang]);
        assert!(with.stdout.contains(&format!("meteor:lang={lang},")) && with.stderr.is_empty(), "{with:?}");
    }
    let arabic = "جلست القطة على الحصيرة أمام الباب طوال اليوم\n";
    let dir = TestDir::with(&[("ref", arabic), ("hyp", arabic)]);
    let output = dir.run(&["score", "-r", "ref", "-m", "meteor:modules=exact", "hyp"]);
    assert!(output.stderr.contains("the references are in Arabic letters, and METEOR is set to English"), "{output:?}");
}

#[test]
fn a_missing_paraphrase_table_is_a_warning_in_every_command() {
    let dir = TestDir::with(&[
        ("ref", ENGLISH),
        ("hyp", ENGLISH),
        ("da/newstest.source.de-en", GERMAN),
        ("da/newstest.reference.de-en", ENGLISH),
        ("da/newstest.mt-system.de-en", &ENGLISH.replace("the", "a")),
        ("da/newstest.human.de-en", "1.5\n0.7\n0.1\n-0.8\n-1.4\n"),
    ]);
    let warning = "warning: meteor: no paraphrase table, so scores differ from those of METEOR's jar: 0.2797, not \
        0.2991, on its \
                   own example (give its table with meteor:paraphrase=FILE, or choose modules without paraphrase)\n";
    for words in [
        &["score", "-r", "ref", "hyp"][..],
        &["compare", "-r", "ref", "--name=a", "--name=b", "hyp", "hyp"],
        &["correlate", "da"],
    ] {
        let run = |metric: &str, words: &[&str]| dir.run(&[words, &["-m", metric]].concat()).stderr;
        assert_eq!(run("meteor", words).matches(warning).count(), 1, "{words:?}");
        assert!(!run("meteor", &[words, &["-q"]].concat()).contains("paraphrase"), "{words:?}");
        assert!(!run("meteor:modules=exact+stem", words).contains("paraphrase"), "{words:?}");
    }
    assert!(!dir.run(&["score", "-r", "ref", "-m", "meteor", "--no-checks", "hyp"]).stderr.contains("paraphrase"));
}

fn assessments(pair: &str, reference: &str, system: &str) -> Vec<(String, String)> {
    let file = |what: &str, text: &str| (format!("da/newstest.{what}.{pair}"), text.to_owned());
    vec![
        file("source", ENGLISH),
        file("reference", reference),
        file("mt-system", system),
        file("human", "1.5\n0.7\n0.1\n-0.8\n-1.4\n"),
    ]
}

#[test]
fn correlate_knows_the_target_language_of_each_set() {
    let files = [assessments("en-ru", RUSSIAN, RUSSIAN_SYSTEM), assessments("en-zh", CHINESE, CHINESE_SYSTEM)].concat();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let dir = TestDir::with(&files);
    let words = ["correlate", "da", "-m", "bleu", "-m", "meteor:modules=exact", "--statistic", "pearson"];
    let found = json(&dir.stdout(&[&words[..], &["-f", "json"]].concat()));
    let signature = |pair: &str, metric: &str| {
        let mut rows = found.as_array().unwrap().iter();
        let row = rows.find(|row| row["pair"] == pair && row["metric"] == metric).unwrap();
        row["signature"].as_str().unwrap().to_owned()
    };
    assert!(signature("en-ru", "bleu").starts_with("bleu:tok=13a,"));
    assert!(signature("en-zh", "bleu").starts_with("bleu:tok=zh,"));
    assert!(signature("en-ru", "meteor:modules=exact").starts_with("meteor:lang=ru,"));
    assert!(signature("en-zh", "meteor:modules=exact").starts_with("meteor:lang=other,"));
    let text = dir.run(&words);
    assert!(text.stdout.contains("bleu:tok=13a,") && text.stdout.contains("bleu:tok=zh,"), "{text:?}");
    assert!(text.stderr.contains("warning: meteor: Chinese has no spaces between words"), "{text:?}");
    let own =
        dir.run(&["correlate", "da", "--pair", "en-ru", "-m", "meteor:modules=exact,lang=en", "--level", "segment"]);
    assert!(own.stdout.contains("meteor:lang=en,"), "{own:?}");
    assert!(own.stderr.contains("meteor: the text is Russian, not English"), "{own:?}");
}

#[test]
fn compare_says_what_its_probabilities_were_fitted_to() {
    let remark = |name: &str| {
        format!(
            "The probabilities were fitted to judgements of translations into English (news, WMT12–16); for {name} \
             they are only a rough guide.\n"
        )
    };
    let compare = |reference: &str, words: &[&str]| {
        let dir = TestDir::with(&[("ref", reference), ("a", reference), ("b", reference)]);
        dir.stdout(&[&["compare", "-q", "-r", "ref", "a", "b"], words].concat())
    };
    assert!(compare(CHINESE, &[]).contains(&remark("Chinese")));
    assert!(compare(GERMAN, &["-f", "markdown"]).contains(&remark("German")));
    assert!(compare(ENGLISH, &["-l", "cs"]).contains(&remark("Czech")));
    let russian = json(&compare(RUSSIAN, &["-f", "json"]));
    assert!(russian["remarks"].as_array().unwrap().contains(&remark("Russian").trim_end().into()), "{russian}");
    let chrf = compare(ENGLISH, &["-m", "chrf"]);
    assert!(chrf.contains("(news, WMT12–16); for newer systems they are too high.\n"), "{chrf}");
    if cfg!(feature = "siamese") {
        let siamese = compare(ENGLISH, &[]);
        assert!(siamese.contains("fitted to judgements of translations into English of 2019 to 2021.\n"), "{siamese}");
    }
    assert!(!compare(CHINESE, &["-m", "chrf|slope=0.1"]).contains("fitted to"));
    assert!(compare(CHINESE, &["-m", "bleu", "-l", "zh"]).contains("bleu:tok=zh,"));
}

#[test]
fn a_translation_into_another_language_is_a_warning() {
    let cases = [
        (CHINESE, ENGLISH, "English", "Chinese"),
        (ENGLISH, RUSSIAN, "Russian", "English"),
        (ENGLISH, GERMAN, "German", "English"),
    ];
    for (reference, hypothesis, found, expected) in cases {
        let dir = TestDir::with(&[("ref", reference), ("hyp", hypothesis)]);
        let stderr = dir.run(&["score", "-r", "ref", "-m", "chrf", "hyp"]).stderr;
        assert_eq!(
            stderr,
            format!("warning: hyp: the text is in {found}, the reference in {expected}: is it the right file?\n")
        );
    }
}

#[test]
fn copies_of_the_source_are_all_counted() {
    let dir = chinese();
    dir.write("copy", &dir.read("ref"));
    let stderr = dir.run(&["score", "-r", "hyp", "-s", "ref", "-m", "chrf", "copy"]).stderr;
    let expected = "warning: copy: 5 of 5 lines (the first is line 1) are copies of the source";
    assert_eq!(stderr, format!("{expected} (tercet check lists them)\n"));
}

#[test]
fn lines_in_another_order_are_a_warning() {
    let words =
        ["river", "mountain", "window", "orange", "kettle", "pencil", "garden", "bridge", "candle", "market", "forest"];
    let line = |i: usize| {
        (0..6).map(|k| format!("{}{}", words[(i * (k + 2) + k) % 11], (i + k) / 3)).collect::<Vec<_>>().join(" ")
    };
    let lines: Vec<String> = (0..60).map(line).collect();
    let shuffled: String = (0..60).map(|i| format!("{}\n", lines[i * 37 % 60])).collect();
    let dir = TestDir::with(&[("ref", &(lines.join("\n") + "\n")), ("hyp", &shuffled)]);
    let stderr = dir.run(&["score", "-r", "ref", "-m", "chrf", "hyp"]).stderr;
    let expected = "warning: hyp: lines fit the references of other segments better than their own (line 2 fits that \
                    of line 38): are they in another order?\n";
    assert_eq!(stderr, expected);
}
