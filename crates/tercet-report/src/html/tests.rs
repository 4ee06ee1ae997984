use super::*;
use crate::metrics::MarkKind;
use crate::progress::Progress;
use crate::scoring::significance::Resampling;
use crate::scoring::{EvaluateRequest, Paired, Pairs, System, Test, evaluate};
use crate::warning::Warning;
use serde_json::{Value, json};

fn corpus() -> Corpus<'static> {
    let system = |name: &str, lines: [&'static str; 2]| System { name: name.to_owned(), hypotheses: lines.to_vec() };
    let systems = vec![system("a", ["a </script> b", "c d e"]), system("<b>", ["a x", "c d"])];
    Corpus::new(systems, vec![vec!["a b"], vec!["c d e"]]).unwrap()
}

fn evaluation(corpus: &Corpus<'_>) -> Evaluation {
    let resampling = Resampling { samples: 20, seed: Some(1) };
    let paired = Paired { test: Test::Bootstrap, resampling, pairs: Pairs::All, holm: true };
    let request = EvaluateRequest {
        segments: true,
        confidence: Some(resampling),
        paired: Some(paired),
        ..EvaluateRequest::default()
    };
    let metrics = ["ter", "meteor"].map(|name| crate::registry().named(name, None).unwrap());
    evaluate(corpus, &metrics, &request, Progress::none()).unwrap()
}

fn parsed(contents: &PageContents<'_>) -> Value {
    serde_json::from_str(&page_data(contents)).unwrap()
}

#[test]
fn scores_of_segments_are_integers_in_the_decimals_of_the_metric() {
    let corpus = corpus();
    let evaluation = evaluation(&corpus);
    let data = parsed(&PageContents { evaluation: Some(&evaluation), corpus: Some(&corpus), ..Default::default() });
    assert_eq!(data["segment_scores"][0], json!([[5000, 0], [5000, 3333]]));
    assert_eq!((&data["metrics"][0]["decimals"], &data["metrics"][1]["decimals"]), (&json!(2), &json!(4)));
    assert_eq!(data["segment_scores"][1][0][1], 10000);
    assert_eq!(data["pairs"].as_array().unwrap().len(), 2);
    assert!(data["pairs"][0]["adjusted"].is_number());
    assert!(data["test"]["text"].as_str().unwrap().ends_with("seed 1, Holm's correction"));
}

#[test]
fn remarks_and_files_are_in_the_data() {
    let (remarks, origins) = ([Warning::NothingHeldOut], [("reference".to_owned(), "ref.txt".to_owned())]);
    let data = parsed(&PageContents { remarks: &remarks, origins: &origins, ..Default::default() });
    assert_eq!(
        (&data["remarks"], &data["origins"]),
        (&json!([Warning::NothingHeldOut.to_string()]), &json!([["reference", "ref.txt"]]))
    );
}

#[test]
fn a_score_that_is_not_finite_is_null() {
    let corpus = corpus();
    let mut evaluation = evaluation(&corpus);
    evaluation.columns[0].cells[0].segments[1] = f64::NAN;
    let data = parsed(&PageContents { evaluation: Some(&evaluation), ..Default::default() });
    assert_eq!(data["segment_scores"][0][0], json!([5000, null]));
}

#[test]
fn no_text_ends_the_data_block() {
    let corpus = corpus();
    let evaluation = evaluation(&corpus);
    let contents =
        PageContents { command: "score", evaluation: Some(&evaluation), corpus: Some(&corpus), ..Default::default() };
    assert!(!page_data(&contents).contains('<'));
    assert_eq!(parsed(&contents)["texts"]["outputs"][0][0], "a </script> b");
    let page = write_page(&contents);
    assert_eq!(page.matches("</script").count(), 2);
    assert!(page.contains("<title>tercet score: 2 systems</title>") && !page.contains("{{"));
}

#[test]
fn the_code_of_the_page_cannot_end_its_element_and_takes_no_text_as_markup() {
    for text in SCRIPTS.iter().chain([&STYLE, &START]) {
        assert!(!text.contains("</") && !text.contains("<!--"));
    }
    let code = SCRIPTS.concat() + START;
    for way in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
        assert!(!code.contains(way), "{way}");
    }
}

#[test]
fn distinct_values_are_stored_once() {
    let values = ["x", "y", "x"].map(str::to_owned).to_vec();
    let kind = SegmentGrouping { name: "kind".to_owned(), values, is_requested: false };
    let groupings = [kind.clone(), SegmentGrouping { is_requested: true, ..kind }];
    let data = parsed(&PageContents { groupings: &groupings, ..Default::default() });
    let expected = json!({"name": "kind", "values": ["x", "y"], "of": [0, 1, 0], "is_requested": false});
    assert_eq!(data["groupings"][0], expected);
    assert_eq!(data["groupings"][1]["is_requested"], true);
}

#[test]
fn marks_name_their_segments_where_only_some_have_any() {
    const KINDS: &[MarkKind] = &[MarkKind { code: 'u', name: "unmatched", meaning: "…", is_error: true }];
    let mut marks =
        MarkedMetric { title: "M".to_owned(), kinds: KINDS, segments: None, runs: vec![vec!["u1".to_owned()]] };
    let data = |marks: &MarkedMetric| {
        parsed(&PageContents { marks: std::slice::from_ref(marks), ..Default::default() })["marks"][0].clone()
    };
    assert!(data(&marks).get("segments").is_none());
    marks.segments = Some(vec![7]);
    assert_eq!(data(&marks)["segments"], json!([7]));
    assert_eq!(data(&marks)["kinds"], json!([{"code": "u", "name": "unmatched", "meaning": "…"}]));
}

#[test]
fn the_paragraph_cites_metrics_and_tests_once() {
    let corpus = corpus();
    let (evaluation, registry) = (evaluation(&corpus), crate::registry());
    let contents = PageContents { evaluation: Some(&evaluation), corpus: Some(&corpus), ..Default::default() };
    let data = parsed(&PageContents { registry: Some(&registry), ..contents });
    let text = data["paper"]["text"].as_str().unwrap();
    let start = format!(
        "We report TER (Snover et al., 2006) and METEOR (Denkowski and Lavie, 2014), computed with tercet {} on 2 \
         segments with one reference each. Intervals are 95% confidence intervals by bootstrap resampling of segments \
         (Efron and Tibshirani, 1993). Differences between systems were tested by paired bootstrap resampling, 20 \
         resamples, seed 1 (Koehn, 2004), with Holm's correction; we call p < 0.05 significant. Signatures: ter:",
        env!("CARGO_PKG_VERSION")
    );
    assert!(text.starts_with(&start), "{text}");
    let latex = data["paper"]["latex"].as_str().unwrap();
    assert!(latex.contains("are 95\\% confidence") && latex.contains("we call p $<$ 0.05 significant"), "{latex}");
    assert!(latex.contains("TER \\citep{snover-2006-ter} and METEOR") && latex.contains("no\\_punct=no"), "{latex}");
    // A line may end within a signature.
    assert!(latex.contains("\\texttt{ter:normalized=no,\\allowbreak{}no\\_punct=no,"), "{latex}");
    assert!(latex.contains("\\textbar{}\\allowbreak{}refs=1"), "{latex}");
    assert_eq!(data["paper"]["bibtex"].as_str().unwrap().matches("\n@").count(), 3);
}
