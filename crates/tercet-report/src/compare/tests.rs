use super::*;
use crate::scoring::significance::Resampling;
use crate::scoring::{CompareRequest, Interval, System};

const REFERENCES: [&str; 4] = ["The bakery opens at five.", "It rained.", "今天下雨。", "We missed the last train."];
const A: [&str; 4] = ["The bakery opens at five.", "It rained.", "今天下雪了。", "We missed a last train."];
const B: [&str; 4] = ["Bakery opens five.", "It rained.", "今天下雨。", "We missed the last | train_."];

fn corpus() -> Corpus<'static> {
    let system = |name: &str, lines: [&'static str; 4]| System { name: name.to_owned(), hypotheses: lines.to_vec() };
    let references = REFERENCES.iter().map(|line| vec![*line]).collect();
    Corpus::new(vec![system("a_1.txt", A), system("b.txt", B)], references).unwrap()
}

fn example(p_value: f64) -> SystemComparison {
    let seeded = |samples| Resampling { samples, seed: Some(7) };
    SystemComparison {
        systems: ["a_1.txt".to_owned(), "b.txt".to_owned()],
        metric: "chrF2".to_owned(),
        signature: "chrf:x=1|slope=0.08|refs=1|tercet=0".to_owned(),
        probabilities: vec![0.875, 0.5, 0.25, 0.0625],
        mean: 0.421875,
        wins: 1,
        scores: None,
        people_agree: None,
        losses: 2,
        undecided: 1,
        interval: Interval { mean: 0.42, half_width: 0.25, low: 0.125, high: 0.625 },
        p_value,
        request: CompareRequest { interval: seeded(50), test: seeded(99), by: crate::scoring::ResampleBy::Segment },
        explanations: Default::default(),
        threshold: None,
        others: Vec::new(),
        fitted_to_wmt: false,
        fitted_to_recent: false,
        other_language: None,
        warnings: Vec::new(),
        gate: None,
    }
}

/// With an interval below one half.
fn clear(p_value: f64) -> SystemComparison {
    let interval = Interval { mean: 0.42, half_width: 0.06, low: 0.36, high: 0.48 };
    SystemComparison { interval, ..example(p_value) }
}

fn written(format: Format) -> String {
    write_comparison(
        &example(0.75),
        &corpus(),
        format,
        ComparisonContents { top: 2, decimals: 3, terminal: Terminal::default() },
    )
}

#[test]
fn text_gives_a_verdict_and_shows_where_they_differ() {
    assert_eq!(
        written(Format::Text),
        "\
A  a_1.txt
B  b.txt

By chrF2, no clear difference: B is preferred with a probability between 0.375 and 0.875 (95% interval); p = 0.7500.
Of 4 segments, A wins 1, B wins 2, undecided 1: a share of 0.375 for A.

Where A is most clearly better:
    1 p(A better) = 0.875
      A    [The bakery] opens [at] five.
      B    [Bakery] opens five.
      ref  The bakery opens at five.

Where B is most clearly better:
    4 p(A better) = 0.062
      A    We missed [a] last [train.]
      B    We missed [the] last [| train_.]
      ref  We missed the last train.
    3 p(A better) = 0.250
      A    今天下[雪了]。
      B    今天下[雨]。
      ref  今天下雨。

interval: 50 bootstrap resamples; p: 99 random exchanges of A and B, two-sided; seed 7
chrf:x=1|slope=0.08|refs=1|tercet=0
"
    );
}

#[test]
fn the_verdict_follows_p_and_the_mean() {
    let text = |compared: &SystemComparison| {
        write_comparison(
            compared,
            &corpus(),
            Format::Text,
            ComparisonContents { top: 0, decimals: 2, terminal: Terminal::default() },
        )
    };
    // The interval contains one half, whatever p is.
    assert!(
        text(&example(0.01))
            .contains("\nBy chrF2, no clear difference: B is preferred with a probability between 0.38 and 0.88 ")
    );
    let said = text(&clear(0.01));
    assert!(said.contains("\nBy chrF2, B is better: it is preferred with a probability of 0.58 "), "{said}");
    assert!(text(&clear(0.06)).contains("\nBy chrF2, no clear difference: B is preferred "));
    let close = Interval { low: 0.4951, high: 0.4982, ..example(0.01).interval };
    let said = text(&SystemComparison { mean: 0.4964, interval: close, ..example(0.01) });
    assert!(
        said.contains("B is better: it is preferred with a probability of 0.504 (95% interval 0.502 to 0.505)"),
        "{said}"
    );
    let equal = SystemComparison { mean: 0.5, ..example(1.0) };
    let said = text(&equal);
    assert!(
        said.contains("\nBy chrF2, no clear difference: each is preferred as often as the other (p = 1.0000).\n"),
        "{said}"
    );
    assert!(!said.contains("most clearly"));
    assert!(text(&clear(0.000_001)).contains("; p < 0.0001."));
}

#[test]
fn metrics_that_contradict_each_other_are_not_left_side_by_side() {
    let for_a = Interval { low: 0.6, high: 0.8, ..example(0.01).interval };
    let of_a = SystemComparison { metric: "BLEU".to_owned(), mean: 0.7, interval: for_a, ..example(0.01) };
    let said = |others: Vec<SystemComparison>| remarks(&SystemComparison { others, ..clear(0.01) }, 2).join("\n");
    let contradicted = said(vec![of_a.clone(), clear(0.01)]);
    assert!(contradicted.contains("\nBLEU contradicts chrF2: do not rely on either; read"), "{contradicted}");
    assert!(!said(vec![clear(0.01)]).contains("contradict"));
    let unclear = SystemComparison { p_value: 0.5, ..of_a };
    assert!(!said(vec![unclear]).contains("contradict"));
}

#[test]
fn long_texts_are_wrapped_and_lose_nothing() {
    let (words, characters) = ("word ".repeat(60), "字".repeat(120));
    for line in [words.as_str(), characters.as_str()] {
        let system = |name: &str, line| System { name: name.to_owned(), hypotheses: vec![line] };
        let corpus = Corpus::new(vec![system("a", line), system("b", "x y")], vec![vec!["r"]]).unwrap();
        let compared = SystemComparison { probabilities: vec![1.0], ..example(1.0) };
        let text = write_comparison(
            &compared,
            &corpus,
            Format::Text,
            ComparisonContents { top: 1, decimals: 2, terminal: Terminal::default() },
        );
        let shown: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("      A")).collect();
        let shown: Vec<&str> = shown.into_iter().take_while(|line| !line.starts_with("      B")).collect();
        assert!(
            shown.len() > 2 && shown.iter().all(|line| unicode_width::UnicodeWidthStr::width(*line) <= 100),
            "{text}"
        );
        let squeezed = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        assert_eq!(squeezed(&shown.concat()), format!("A[{}]", squeezed(line)));
    }
}

#[test]
fn tsv_has_seventeen_digits_and_the_winner() {
    assert_eq!(
        written(Format::Tsv),
        "segment\tp_a\tbetter\n1\t0.87500000000000000\ta\n2\t0.50000000000000000\t-\n3\t0.25000000000000000\tb\n\
         4\t0.062500000000000000\tb\n"
    );
}

#[test]
fn json_follows_the_contract() {
    let object: Value = serde_json::from_str(&written(Format::Json)).unwrap();
    assert_eq!((&object["a"], &object["b"]), (&json!("a_1.txt"), &json!("b.txt")));
    assert_eq!(object["segments"][1], json!({"segment": 2, "p_a": 0.5, "better": null}));
    assert_eq!(
        object["overall"],
        json!({"better": "b", "significant": false, "clearly_better": null, "p_a": 0.421875,
               "low": 0.125, "high": 0.625, "p": 0.75,
               "wins_a": 1, "wins_b": 2, "undecided": 1, "share_a": 0.375, "resamples": 50, "trials": 99, "seed": 7,
               "resample_by": "segment"})
    );
    let clear = write_comparison(
        &clear(0.01),
        &corpus(),
        Format::Json,
        ComparisonContents { top: 0, decimals: 2, terminal: Terminal::default() },
    );
    let clear: Value = serde_json::from_str(&clear).unwrap();
    assert_eq!((&clear["metric"], &clear["overall"]["clearly_better"]), (&json!("chrF2"), &json!("b")));
    let lines = written(Format::Jsonl);
    assert_eq!(lines.lines().count(), 4);
    let last: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    assert_eq!(last, json!({"a": "a_1.txt", "b": "b.txt", "segment": 4, "p_a": 0.0625, "better": "b"}));
}

#[test]
fn markdown_and_latex_show_tables_with_names_and_texts_escaped() {
    let markdown = written(Format::Markdown);
    assert!(
        markdown.starts_with("| system | preferred | 95% interval | wins | undecided | p |\n|---|---:|"),
        "{markdown}"
    );
    assert!(markdown.contains("| A: a\\_1.txt | 0.422 | 0.125–0.625 | 1 | 1 | 0.7500 |"), "{markdown}");
    assert!(markdown.contains("| 4 | 0.062 | We missed a last train. | We missed the last \\| train\\_. | We missed"));
    assert!(markdown.contains("- p(A better): `chrf:x=1"));
    assert!(markdown.contains("\nBy chrF2, no clear difference: B is preferred"), "{markdown}");
    let latex = write_comparison(
        &clear(0.01),
        &corpus(),
        Format::Latex,
        ComparisonContents { top: 1, decimals: 2, terminal: Terminal::default() },
    );
    assert!(latex.contains("B: b.txt & \\textbf{0.58} & 0.52–0.64 & 2 & 1 & 0.0100 \\\\"), "{latex}");
    assert!(latex.contains("% Where A is most clearly better\n"));
}

#[test]
fn a_terminal_has_its_width_and_colours() {
    let terminal = Terminal { width: Some(40), colour: true };
    let shown = ComparisonContents { top: 2, decimals: 3, terminal };
    let text = write_comparison(&example(0.75), &corpus(), Format::Text, shown);
    assert!(text.contains("\u{1b}[32m[The\u{1b}[0m \u{1b}[32mbakery]\u{1b}[0m opens"), "{text}");
    assert!(text.contains("\u{1b}[31m[Bakery]\u{1b}[0m opens"), "{text}");
    let plain = write_comparison(
        &example(0.75),
        &corpus(),
        Format::Text,
        ComparisonContents { terminal: Terminal::default(), ..shown },
    );
    assert!(!plain.contains('\u{1b}'));
}
