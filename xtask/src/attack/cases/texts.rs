//! Texts, tables, scores, requests: what `score`, `compare`, `tokenize`, `meteor` and `sacrebleu` read.

use super::super::case::Case;
use super::super::compression::{gzip, zstd};

pub const REFERENCE: &str = "The bakery opens at five o'clock.\nWe missed the last train, didn't we?\n\
                             It rained all night long.\nPrices rose by 3.5% in 2019.\n";
pub const GOOD: &str = "The bakery opens at 5 o'clock.\nWe have missed the last train.\n\
                        It rained the whole night.\nPrices rose by 3.5 % in 2019.\n";
pub const BAD: &str =
    "Bakery is open five.\nThe last train we missed it.\nNight rain all.\nThe price rise is 3.5 in 2019.\n";
pub const SOURCE: &str = "Die Bäckerei öffnet um fünf.\nWir haben den letzten Zug verpasst, oder?\n\
                          Es hat die ganze Nacht geregnet.\nDie Preise stiegen 2019 um 3,5 %.\n";

pub fn cases() -> Vec<Case> {
    let mut cases = plain_text();
    cases.extend(tables());
    cases.extend(columns());
    cases.extend(scores());
    cases.extend(requests());
    cases.extend(options());
    cases
}

fn texts(command: &'static str, reader: &'static str) -> Case {
    Case::new(command, reader).files(&[("ref", REFERENCE), ("a", GOOD), ("b", BAD), ("src", SOURCE)])
}

/// Parquet and Arrow files.
fn columns() -> Vec<Case> {
    let case = |reader, name, bytes: &[u8]| Case::new("score", reader).file(name, bytes).weight(30);
    vec![
        case("Parquet", "t.parquet", include_bytes!("../../../../examples/systems.parquet")).lines(&[
            "score --hypothesis-column a --hypothesis-column b --reference-column reference t.parquet -f json",
            "score --hypothesis-column a --reference-column references --source-column source -o out.parquet t.parquet",
            "score --hypothesis-column b --reference-column references --reference-column reference -o out.arrow t.parquet",
            "score --hypothesis-column a --hypothesis-column b --reference-column reference --paired bs -n 20 t.parquet",
        ]),
        case("Arrow", "t.arrow", include_bytes!("../../../../examples/rows.arrow")).lines(&[
            "score --hypothesis-column mt --reference-column reference --system-column system t.arrow -f tsv",
            "score --hypothesis-column mt --reference-column reference -o out.arrow t.arrow",
            "score --hypothesis-column mt --reference-column reference --system-column system -o out.parquet t.arrow",
        ]),
    ]
}

fn plain_text() -> Vec<Case> {
    vec![
        texts("score", "plain text").weight(80).lines(&[
            "score -r ref a b",
            "score -r ref a -m bleu -m chrf++ -m ter -m nist --level both -f json",
            "score -r ref a b --paired bs -n 50 -f json",
            "score -r ref a b --paired ar -n 50 -f markdown",
            "score -r ref -s src a b -m bleu:tok=intl -f latex --components",
            "score -r ref a b -m character -m cer -m wer -m per -m sentbleu -f tsv --level segment",
            "score -r ref -r b a --confidence -n 20 -f jsonl",
            "score -r ref a -o out",
            "score -r ref - <a",
            "score -r ref a -m bleu:tok=zh -m bleu:tok=char -m bleu:tok=mteval-intl -m bleu:tok=moses -m ter:normalized=yes,asian_support=yes",
            "score -r ref a b -m rouge -m rouge-2 -m rouge-s -m rouge-su:skip=4 -m rouge-w:version=1.5.5 -m gtm-2 -m overlap -f json --level both --components",
            "score -r ref -r b a -m rouge-1:references=average,alpha=0 -m gtm-3:tok=13a -m ol:lowercase=no -m meteor-st -f tsv --level segment",
            "score -r ref a -m mteval-bleu -m nist -m chrf:word_order=2,eps_smoothing=yes",
        ]),
        texts("score", "METEOR's texts").weight(30).lines(&[
            "score -r ref a b -m meteor --level both -f json",
            "score -r ref a -m meteor:lang=ru",
            "score -r ref a -m meteor:lang=de,task=li -f tsv",
        ]),
        Case::new("score", "METEOR's resources")
            .fixed("ref", REFERENCE)
            .fixed("a", GOOD)
            .file("words", "the\nof\na\n")
            .file("table", "0.5\nlast train\nfinal train\n0.25\nall night\nthe whole night\n")

            .lines(&[
                "score -r ref a -m meteor:function_words=words",
                "score -r ref a -m meteor:paraphrase=table",
                "meteor --align a ref -a table",
            ]),
        texts("score", "TERp's texts").weight(30).lines(&[
            "score -r ref a b -m terp --level both -f json",
            "score -r ref -r b a -m terp:costs=unit,shifts=allow_mismatch -m terp-h:numbers=any",
            "score -r ref a -m terbase:new_norm=yes,no_punct=yes,numbers=digits -f tsv",
        ]),
        Case::new("score", "TERp's resources")
            .fixed("ref", REFERENCE)
            .fixed("a", GOOD)
            .file("costs", "Default Shift Cost (float) : 0.5\nShift Constraint (string) : relax\n")
            .file("table", "0.5 <p>last train</p> <p>final train</p>\n0.25 0.5 <p>all night</p> <p>the whole night</p>\n")
            .file("words", "the\nof a\n")
            .file("same", "<p>night</p> <p>nite</p> <p>dark hours</p>\n")
            .lines(&[
                "score -r ref a -m terp:costs=costs",
                "score -r ref a -m terp:phrases=table,stop=words,equivalents=same -f json",
                "score -r ref a -m asiya-terp:phrases=table",
            ]),
        texts("compare", "plain text").weight(40).lines(&[
            "compare -r ref a b",
            "compare -r ref a b -m ter -f json -n 50",
            "compare -r ref a b -m bleu -f markdown -n 50 --top 2",
            "compare -r ref -r src a b -m meteor -f latex -n 50",
            "compare -r ref a b -m chrf -f tsv -o out",
        ]),
        texts("rank", "plain text").weight(20).lines(&[
            "rank -r ref a b src -m chrf",
            "rank -r ref a b -m chrf -m ter -f json --resamples 50",
            "rank --mbr a b src -m bleu -f tsv",
        ]),
        Case::new("rank", "n-best lists")
            .weight(30)
            .fixed("ref", "The bakery opens at five o'clock.\nWe missed the last train, didn't we?\n")
            .file("list", "0 ||| The bakery opens. ||| LM= -1 ||| -2\n0 ||| Bakery open. ||| LM= -2 ||| -3\n1 ||| We missed it. ||| ||| -1\n1 ||| We did miss it.\n")
            .file("lines", "The bakery opens.\nBakery open.\nWe missed it.\nWe did miss it.\n")
            .file("table", "x-1\tThe bakery opens.\nx-1\tBakery open.\nx-2\tWe missed it.\n")
            .lines(&[
                "rank --nbest list -m chrf",
                "rank --nbest list -m ter -f json -n 1",
                "rank --nbest table -m bleu -f csv",
                "rank --nbest lines --candidates 2 -m chrf -f markdown",
                "rank --nbest list -r ref -m chrf -o out",
            ]),
        sgml(),
        texts("score", "languages").weight(20).lines(&[
            "score -r ref -l en a b",
            "score -r ref -l de-ja a -f json",
            "score -r ref -l zh a -m bleu -m meteor -f csv",
            "compare -r ref -l en-ru a b -m bleu -n 20",
            "tokenize -l ja a",
        ]),
        Case::new("score", "compressed")
            .weight(40)
            .file("ref.gz", gzip(REFERENCE.as_bytes()))
            .file("a.zst", zstd(GOOD.as_bytes()))
            .fixed("b", BAD)
            .lines(&["score -r ref.gz a.zst", "score -r ref.gz - <a.zst", "tokenize a.zst ref.gz", "compare -r ref.gz a.zst b"]),
        Case::new("tokenize", "plain text").weight(30).file("a", format!("{GOOD}{SOURCE}")).lines(&[
            "tokenize a", "tokenize -t intl a", "tokenize -t zh a", "tokenize -t char a", "tokenize -t moses a", "tokenize -t mteval a",
            "tokenize -t mteval-intl a", "tokenize -t tercom a", "tokenize -t ud-en a", "tokenize -t none - <a", "tokenize --lowercase a",
        ]),
    ]
}

/// NIST's SGML: a set of references and a set of translations.
fn sgml() -> Case {
    let set = |kind: &str, system: &str, text: &str| {
        let segments: String =
            (1..).zip(text.lines()).map(|(id, line)| format!("<seg id=\"{id}\">{line}</seg>\n")).collect();
        format!(
            "<{kind}set setid=\"news\" srclang=\"de\" trglang=\"en\">\n<doc docid=\"d\" sysid=\"{system}\">\n<p>\n{segments}</p>\n</doc>\n</{kind}set>\n"
        )
    };
    Case::new("score", "SGML")
        .weight(30)
        .file("ref.sgm", set("ref", "ref", REFERENCE))
        .file("a.sgm", set("tst", "a", GOOD))
        .file("b.sgm", set("tst", "b", BAD))
        .lines(&[
            "score -r ref.sgm a.sgm b.sgm",
            "score -r ref.sgm a.sgm -m nist -f json --level both",
            "compare -r ref.sgm a.sgm b.sgm -n 20",
            "meteor --statistics a.sgm ref.sgm",
        ])
}

fn tables() -> Vec<Case> {
    let columns = |texts: &[&str]| -> String {
        let lines: Vec<Vec<&str>> = texts.iter().map(|text| text.lines().collect()).collect();
        let row =
            |number: usize| lines.iter().map(|column| column[number]).collect::<Vec<_>>().join("\t") + "\n";
        (0..lines[0].len()).map(row).collect()
    };
    let table = columns(&[SOURCE, REFERENCE, GOOD, BAD]);
    let references = columns(&[REFERENCE, GOOD]);
    let interleaved: String =
        REFERENCE.lines().zip(GOOD.lines()).map(|(one, other)| format!("{one}\n{other}\n")).collect();
    vec![
        Case::new("score", "tab-separated columns")
            .weight(20)
            .file("table", &table)
            .file("ref", REFERENCE)
            .lines(&[
                "score --columns src,ref,hyp=x,hyp=y table",
                "score --columns src,ref,hyp,- table -f json",
                "score --tsv -r ref table -f tsv",
                "score --columns src,ref,hyp,hyp --header table",
                "compare --columns src,ref,hyp=x,hyp=y table -n 50",
            ]),
        Case::new("score", "references")
            .weight(20)
            .file("refs", references)
            .file("a", BAD)
            .file("lines", interleaved)
            .lines(&[
                "score -r refs --references 2 a",
                "score -r refs --references var a -f json",
                "score -r lines --interleaved 2 a",
                "meteor --statistics a lines -r 2",
            ]),
    ]
}

fn scores() -> Vec<Case> {
    vec![
        Case::new("score", "scores").weight(20).files(&[
            ("a", "0.5\n0.25\n-1\n3e-2\n"),
            ("b", "0.4\n0.35\n-2\n7\n"),
            ("table", "system\tsegment\tmetric\tscore\nx\t1\tm\t0.5\nx\t2\tm\t0.1\ny\t1\tm\t0.7\ny\t2\tm\t0.2\n"),
        ]).lines(&[
            "score --scores a b --paired ar -n 50",
            "score --scores a b --paired bs -n 50 -f json",
            "score --scores table -f json --level both",
            "score --scores a b --confidence -n 50 --lower-is-better -f markdown",
        ]),
        Case::new("score", "submissions written").weight(10).files(&[("ref", REFERENCE), ("a", GOOD), ("b", BAD)]).lines(&[
            "score -r ref a b --submission sub --lang-pair cs-en --test-set newstest2017 --year wmt17",
            "score -r ref a b --submission sub --lang-pair cs-en --test-set generaltest2022",
            "score -r ref a b -m ter --submission sub --lang-pair cs-en --test-set news --year wmt21",
            "score -r ref a b -m chrf --submission sub --lang-pair cs-en --test-set news --year wmt16",
        ]),
    ]
}

fn requests() -> Vec<Case> {
    vec![
        Case::new("meteor", "requests").weight(20).file(
            "requests",
            "SCORE ||| the cat sat ||| a cat sat down ||| the cat sat down\n\
             EVAL ||| 4.0 3.0 3.0 0.0 3.0 0.0 0.0 1.0 0.0 1.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 4.0 3.0 1.0 2.0\n\
             SING ||| 4.0 3.0 3.0 0.0 3.0 0.0 0.0 1.0 0.0 1.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 4.0 3.0 1.0 2.0\n",
        ).lines(&["meteor --stdio <requests", "meteor - - -stdio -l en -norm <requests", "meteor --stdio -l de <requests"]),
        Case::new("meteor", "plain text").weight(15).files(&[("a", GOOD), ("ref", REFERENCE)]).lines(&[
            "meteor --align a ref", "meteor --statistics a ref --norm", "meteor --align a ref --lower -l fr",
        ]),
        Case::new("sacrebleu", "plain text").weight(30).files(&[("ref", REFERENCE), ("a", GOOD), ("b", BAD)]).lines(&[
            "sacrebleu ref -i a", "sacrebleu ref -i a b -m bleu chrf ter", "sacrebleu ref -i a b --paired-bs --paired-bs-n 50",
            "sacrebleu ref -i a b --paired-ar --paired-ar-n 50 -f text", "sacrebleu ref -i a -sl", "sacrebleu ref -i a --confidence --confidence-n 50",
            "sacrebleu ref -tok intl -lc --smooth-method add-k -w 4 <a", "sacrebleu ref -i a -m ter --ter-normalized --ter-asian-support",
        ]),
    ]
}

/// Commands whose input is the command line alone.
fn options() -> Vec<Case> {
    let files = [("ref", REFERENCE), ("a", GOOD), ("b", BAD)];
    let fixed = |case: Case| files.iter().fold(case, |case, (name, text)| case.fixed(name, text));
    vec![
        fixed(Case::new("score", "options"))
            .fixed("table", "the cat\ta cat\tthe\none dog\ta dog\tone\n")
            .weight(40)
            .lines(&[
                "score -r ref a b -m bleu:tok=13a,lowercase=no,smooth=exp,max_order=4|refs=1|tercet=0.1.0",
                "score -r ref a b -m chrf:char_order=6,word_order=0,beta=2 -m ter:beam=25,shift_size=10 -w 2",
                "score -r ref a b --paired bs -n 20 --seed 1 --baseline a --correction holm --threads 2",
                "score -r ref a b --name x --name y -f markdown -o out",
                "score -r ref a b -m nist:max_order=5 -m meteor:beam=40,alpha=0.85,weights=1:0.6:0.8",
                "score --columns ref,hyp=x,hyp=y table",
            ]),
        fixed(Case::new("compare", "options")).weight(15).lines(&[
            "compare -r ref a b -m chrf|slope=0.1 -n 20 --top 5 --seed 7 -w 2",
            "compare -r ref a b --name x --name y -f json -n 20 --threads 2",
        ]),
        fixed(Case::new("sacrebleu", "options")).weight(15).lines(&[
            "sacrebleu ref -i a b -m bleu chrf --chrf-char-order 6 --chrf-beta 2 -w 1 -nr 1",
            "sacrebleu ref -i a -sl --smooth-value 0.1 --smooth-method floor",
            "sacrebleu ref -i a b --paired-bs --paired-bs-n 20 -cin 50",
        ]),
        fixed(Case::new("meteor", "options")).weight(10).lines(&[
            "meteor --align a ref -l en -t rank -x 40 -m exact+stem",
            "meteor --statistics a ref -r 1 --norm --no-punct",
        ]),
        fixed(Case::new("tokenize", "options")).weight(5).lines(&["tokenize -t 13a a", "tokenize --list"]),
        Case::new("metrics", "options").weight(5).lines(&[
            "metrics bleu",
            "metrics -f json",
            "metrics -f markdown",
        ]),
        Case::new("encoders", "options").weight(5).lines(&["encoders average", "encoders -f json"]),
        Case::new("completions", "options").weight(2).lines(&[
            "completions bash",
            "completions zsh",
            "completions fish",
        ]),
    ]
}
