use super::*;
use crate::metrics::{Component, Direction, Scale};
use crate::scoring::significance::Resampling;
use crate::scoring::{Cell, Column, Document, Interval, Paired, PairedResult, Pairs, ResampleBy, Test};
use serde_json::{Value, json};

fn compared(column: usize) -> PairedResult {
    PairedResult {
        column,
        system: 1,
        baseline: 0,
        delta: 0.0,
        p_value: 1.0,
        adjusted: None,
        differing_segments: 2,
        people_agree: None,
    }
}

fn example() -> Evaluation {
    let interval = Interval { mean: 34.6, half_width: 0.75, low: 33.8, high: 35.3 };
    let cell = |score, interval| Cell {
        wins: None,
        people_agree: None,
        score,
        interval,
        components: vec![Component::new("ref_len", 12.0)],
        segments: vec![score - 1.0, score + 1.0],
        segment_components: vec![vec![Component::new("ref_len", 6.0)]; 2],
        documents: vec![score - 2.0],
        document_components: vec![vec![Component::new("ref_len", 12.0)]],
    };
    let column = |metric: &str, title: &str, direction, cells| Column {
        metric: metric.to_owned(),
        title: title.to_owned(),
        signature: format!("{metric}:x=1|refs=1|tercet=0"),
        direction,
        scale: Scale::Hundred,
        cells,
    };
    Evaluation {
        systems: vec!["a_1".to_owned(), "b".to_owned()],
        segments: 2,
        documents: vec![Document { name: "d,1".to_owned(), segments: 2 }],
        columns: vec![
            column(
                "bleu",
                "BLEU",
                Direction::HigherIsBetter,
                vec![cell(34.5, Some(interval)), cell(33.25, Some(interval))],
            ),
            column("ter", "TER", Direction::LowerIsBetter, vec![cell(50.0, None), cell(48.5, None)]),
        ],
        comparisons: vec![
            PairedResult { delta: -1.25, p_value: 0.01, adjusted: Some(0.02), ..compared(0) },
            PairedResult { delta: -1.5, p_value: 0.5, adjusted: Some(0.5), ..compared(1) },
        ],
        test: Some(Paired {
            test: Test::Bootstrap,
            resampling: Resampling { samples: 99, seed: Some(7) },
            pairs: Pairs::Against("a_1".to_owned()),
            holm: true,
        }),
        resample_by: ResampleBy::Segment,
        alignment: Vec::new(),
        gate: None,
    }
}

const SYSTEMS: Contents = Contents {
    systems: true,
    documents: false,
    segments: false,
    components: false,
    decimals: None,
    terminal: Terminal { width: None, colour: false },
};

#[test]
fn text_aligns_and_explains() {
    assert_eq!(
        write(&example(), Format::Text, SYSTEMS),
        "\
system                    BLEU  TER ↓
a_1     34.50 [33.80, 35.30]    50.00
b       33.25 [33.80, 35.30] ▼  48.50

paired bootstrap resampling, 99 resamples, seed 7, against a_1; * p < 0.05
metric  system  against      Δ       p  p (Holm)
BLEU    b       a_1      -1.25  0.0100    0.0200  *
TER     b       a_1      -1.50  0.5000    0.5000

BLEU  bleu:x=1|refs=1|tercet=0
TER   ter:x=1|refs=1|tercet=0
[low, high]: 95% interval of the score, by bootstrap resampling of segments
▲ significantly better than a_1, ▼ worse (p < 0.05)
"
    );
}

#[test]
fn markdown_and_latex_mark_the_best_and_escape_names() {
    let markdown = write(&example(), Format::Markdown, SYSTEMS);
    assert!(markdown.starts_with(
        "| system | BLEU | TER ↓ |\n|---|---:|---:|\n\
         | a\\_1 | **34.50** [33.80, 35.30] | 50.00 |\n| b | 33.25 [33.80, 35.30] ▼ | **48.50** |\n"
    ));
    let latex = write(&example(), Format::Latex, SYSTEMS);
    assert!(latex.contains("\\begin{tabular}{lrr}\n\\toprule\nsystem & BLEU & TER $\\downarrow$ \\\\\n\\midrule\n"));
    assert!(latex.contains("a\\_1 & \\textbf{34.50} [33.80, 35.30] & 50.00 \\\\\n"));
}

#[test]
fn decimals_follow_the_scale_of_the_metric_and_not_the_scores() {
    let mut example = example();
    for cell in example.columns.iter_mut().flat_map(|column| &mut column.cells) {
        (cell.score, cell.interval) = (0.2331, None);
    }
    let row =
        |example: &Evaluation, contents| write(example, Format::Text, contents).lines().nth(1).unwrap().to_owned();
    assert_eq!(row(&example, SYSTEMS), "a_1     0.23     0.23");
    assert_eq!(row(&example, Contents { decimals: Some(3), ..SYSTEMS }), "a_1     0.233    0.233");
    example.columns[1].scale = Scale::One;
    assert_eq!(row(&example, SYSTEMS), "a_1     0.23    0.2331");
    example.columns[1].cells[0].score = 34.5;
    assert_eq!(row(&example, SYSTEMS), "a_1     0.23    34.5000");
}

#[test]
fn marks_follow_the_direction_of_the_metric_and_need_a_baseline() {
    let mut example = example();
    example.comparisons = vec![PairedResult { delta: -1.5, p_value: 0.01, ..compared(1) }];
    let table = |example: &Evaluation, format| write(example, format, SYSTEMS);
    assert!(table(&example, Format::Text).contains("\na_1     34.50 [33.80, 35.30]  50.00\n"));
    assert!(table(&example, Format::Text).contains("\nb       33.25 [33.80, 35.30]  48.50 ▲\n"));
    assert!(table(&example, Format::Latex).contains("& \\textbf{48.50}$^{+}$ \\\\\n"));
    assert!(table(&example, Format::Latex).contains("% $^{+}$ significantly better than a_1, $^{-}$ worse"));
    example.test.as_mut().unwrap().pairs = Pairs::All;
    assert!(!table(&example, Format::Text).contains('▲'));
}

#[test]
fn tsv_is_the_contract() {
    let example = Evaluation { columns: example().columns[..1].to_vec(), ..example() };
    let example = Evaluation { comparisons: example.comparisons[..1].to_vec(), ..example };
    let all = Contents { segments: true, components: true, ..SYSTEMS };
    assert_eq!(
        write(&example, Format::Tsv, all),
        "system\tsegment\tmetric\tscore\n\
         a_1\t1\tbleu\t33.500000000000000\n\
         a_1\t1\tbleu/ref_len\t6.0000000000000000\n\
         a_1\t2\tbleu\t35.500000000000000\n\
         a_1\t2\tbleu/ref_len\t6.0000000000000000\n\
         a_1\tcorpus\tbleu\t34.500000000000000\n\
         a_1\tcorpus\tbleu/mean\t34.600000000000001\n\
         a_1\tcorpus\tbleu/low\t33.799999999999997\n\
         a_1\tcorpus\tbleu/high\t35.299999999999997\n\
         a_1\tcorpus\tbleu/ref_len\t12.000000000000000\n\
         b\t1\tbleu\t32.250000000000000\n\
         b\t1\tbleu/ref_len\t6.0000000000000000\n\
         b\t2\tbleu\t34.250000000000000\n\
         b\t2\tbleu/ref_len\t6.0000000000000000\n\
         b\tcorpus\tbleu\t33.250000000000000\n\
         b\tcorpus\tbleu/mean\t34.600000000000001\n\
         b\tcorpus\tbleu/low\t33.799999999999997\n\
         b\tcorpus\tbleu/high\t35.299999999999997\n\
         b\tcorpus\tbleu/ref_len\t12.000000000000000\n\
         b\tcorpus\tbleu/delta@a_1\t-1.2500000000000000\n\
         b\tcorpus\tbleu/p@a_1\t0.010000000000000000\n\
         b\tcorpus\tbleu/p_holm@a_1\t0.020000000000000000\n"
    );
}

#[test]
fn json_is_the_contract() {
    let contents = Contents { segments: true, components: true, ..SYSTEMS };
    let json: serde_json::Value = serde_json::from_str(&write(&example(), Format::Json, contents)).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 4);
    assert_eq!(json[0]["system"], "a_1");
    assert_eq!(json[0]["metric"], "bleu");
    assert_eq!(json[0]["score"], 34.5);
    assert_eq!((&json[0]["higher_is_better"], &json[1]["higher_is_better"]), (&true.into(), &false.into()));
    assert_eq!(json[0]["signature"], "bleu:x=1|refs=1|tercet=0");
    assert_eq!(json[0]["segments"], serde_json::json!([33.5, 35.5]));
    assert_eq!(json[0]["interval"]["half_width"], 0.75);
    assert_eq!(json[0]["components"]["ref_len"], 12.0);
    assert!(json[0].get("comparisons").is_none());
    assert_eq!(
        json[2]["comparisons"][0],
        serde_json::json!({
            "baseline": "a_1", "test": "bs", "resamples": 99, "seed": 7, "delta": -1.25, "p": 0.01, "p_holm": 0.02,
            "significant": true, "differing_segments": 2,
        })
    );
    assert!(json[1].get("interval").is_none());
    let lines = write(&example(), Format::Jsonl, contents);
    assert_eq!(lines.lines().count(), 4 * 3);
    let first: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(
        first,
        serde_json::json!({
            "system": "a_1", "segment": 1, "metric": "bleu", "score": 33.5, "components": {"ref_len": 6.0},
        })
    );
}

/// Names that files and systems can have, and that would break a format that takes them as they are.
const NASTY: &[&str] = &[
    "",
    " ",
    "a\nb",
    "\r\n| x | y |\n",
    "tab\tbed",
    "\u{1b}[2J\u{1b}]0;title\u{7}",
    "\u{9b}31m",
    "\u{202e}txt.exe\u{2066}",
    "[click](https://example.org)",
    "<https://example.org>",
    "https://example.org/x www.example.org",
    "![x](y)",
    "<script>alert(1)</script>",
    "&lt;b&gt; &#60; &copy;",
    "# heading",
    "- item",
    "> quote",
    "`code` *bold* _it_ ~~x~~",
    "\\end{tabular} \\input{x} $x$ % # & _ ^ ~ {}",
    "=1+1",
    "+cmd|' /C calc'!A0",
    "@SUM(A1)",
    "-x, \"quoted\"",
    "\0\u{ffff}\u{fffe}",
    "\u{2028}\u{2029}\u{85}",
];

fn named(name: &str) -> Evaluation {
    let mut evaluation = example();
    evaluation.systems = vec![name.to_owned(), format!("{name}2")];
    for column in &mut evaluation.columns {
        column.metric = format!("m{name}");
        column.title = format!("T{name}");
        column.signature = format!("s{name}");
    }
    evaluation
}

#[test]
fn no_name_breaks_a_format() {
    let contents = Contents { segments: true, components: true, ..SYSTEMS };
    for name in NASTY {
        let of = |format| write(&named(name), format, contents);
        let lines = |format| of(format).lines().count();
        let expected = |format| write(&named("plain"), format, contents).lines().count();
        for format in [Format::Text, Format::Markdown, Format::Latex, Format::Tsv, Format::Csv, Format::Jsonl] {
            assert_eq!(lines(format), expected(format), "{name:?} in {format:?}");
            let hidden = |c: char| c != '\n' && tercet_text::visible(c.encode_utf8(&mut [0; 4])) != c.to_string();
            let tabs = |c: char| format == Format::Tsv && c == '\t';
            // JSON escapes control characters itself and keeps the others.
            let bad = of(format).chars().find(|c| hidden(*c) && !tabs(*c) && format != Format::Jsonl);
            assert_eq!(bad, None, "{name:?} in {format:?}");
        }
        let json: serde_json::Value = serde_json::from_str(&of(Format::Json)).unwrap();
        assert_eq!(json[0]["system"], *name);
        assert!(of(Format::Tsv).lines().all(|line| line.split('\t').count() == 4), "{name:?}");
        assert!(of(Format::Csv).lines().all(|line| fields(line).len() == 4), "{name:?}");
        assert!(of(Format::Csv).lines().all(|line| !fields(line)[0].starts_with(['=', '@'])), "{name:?}");
    }
}

#[test]
fn a_name_in_brackets_is_no_argument_of_the_line_end_before_it() {
    for (name, expected) in [("[1cm]", "\n{}[1cm]"), ("*", "\n{}* &"), ("a[1]", "\na[1]")] {
        let latex = write(&named(name), Format::Latex, SYSTEMS);
        assert!(latex.contains(expected), "{latex}");
    }
}

/// The fields of a line of CSV, by RFC 4180.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    let mut letters = line.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            '"' if quoted && letters.next_if_eq(&'"').is_some() => fields.last_mut().unwrap().push('"'),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            other => fields.last_mut().unwrap().push(other),
        }
    }
    assert!(!quoted, "{line}");
    fields
}

#[test]
fn nothing_in_a_name_is_markdown() {
    for (name, expected) in [
        ("[click](https://example.org)", "\\[click\\](https\\://example.org)"),
        ("www.example.org", "www\\.example.org"),
        ("WwW.example.org", "WwW\\.example.org"),
        ("&copy; R&D A & B", "\\&copy; R\\&D A & B"),
        ("<b>", "&lt;b>"),
        ("- x", "\\- x"),
        ("# x", "\\# x"),
        ("#", "#"),
        ("a\nb", "a b"),
    ] {
        assert_eq!(escape_markdown(name), expected);
    }
    // Not the square of the length.
    let dots = "a.".repeat(1 << 20);
    assert_eq!(escape_markdown(&dots), dots);
}

#[test]
fn on_a_terminal_the_best_scores_are_strong_and_columns_stay_aligned() {
    let terminal = Terminal { width: None, colour: true };
    let coloured = write(&example(), Format::Text, Contents { terminal, ..SYSTEMS });
    assert!(coloured.contains("\u{1b}[1m34.50\u{1b}[0m"), "{coloured}");
    let mut plain = coloured.clone();
    for code in ["\u{1b}[1m", "\u{1b}[31m", "\u{1b}[32m", "\u{1b}[0m"] {
        plain = plain.replace(code, "");
    }
    assert_eq!(plain, write(&example(), Format::Text, SYSTEMS));
    let markdown = |terminal| write(&example(), Format::Markdown, Contents { terminal, ..SYSTEMS });
    assert_eq!(markdown(terminal), markdown(Terminal::default()));
}

#[test]
fn scores_of_documents_are_in_every_format() {
    let contents = Contents { systems: false, documents: true, components: true, ..SYSTEMS };
    let example = Evaluation { comparisons: Vec::new(), test: None, ..example() };
    let written = |format| write(&example, format, contents);
    let rows = |format| written(format).lines().take(3).map(str::to_owned).collect::<Vec<_>>();
    let text = ["document  system  segments   BLEU  TER ↓", "d,1       a_1            2  32.50  48.00"];
    assert_eq!(rows(Format::Text)[..2], text);
    assert_eq!(rows(Format::Markdown)[2], "| d,1 | a\\_1 | 2 | 32.50 | 48.00 |");
    assert!(written(Format::Latex).contains("\nd,1 & a\\_1 & 2 & 32.50 & 48.00 \\\\\n"));
    assert_eq!(rows(Format::Tsv)[..2], ["system\tdocument\tmetric\tscore", "a_1\td,1\tbleu\t32.500000000000000"]);
    assert_eq!(rows(Format::Tsv)[2], "a_1\td,1\tbleu/ref_len\t12.000000000000000");
    assert_eq!(rows(Format::Csv)[1], "a_1,\"d,1\",bleu,32.500000000000000");
    let line: Value = serde_json::from_str(&rows(Format::Jsonl)[0]).unwrap();
    let components = json!({"ref_len": 12.0});
    let common = json!({"document": "d,1", "segments": 2, "score": 32.5, "components": components});
    let mut of_line = common.clone();
    of_line["system"] = json!("a_1");
    of_line["metric"] = json!("bleu");
    assert_eq!(line, of_line);
    let all: Value = serde_json::from_str(&written(Format::Json)).unwrap();
    assert_eq!((&all[0]["documents"], &all[0]["score"]), (&json!([common]), &json!(34.5)));
}
