//! A paragraph for the evaluation section of a paper, with citations.

use super::PageContents;
use super::paper_agreement::{agreement, papers_of_agreement};
use super::papers::{BOOTSTRAP, PAIRED_BOOTSTRAP, RANDOMISATION};
use crate::metrics::Paper;
use crate::scoring::{Corpus, Evaluation, Paired, ReferenceCount, SystemComparison, Test};
use serde_json::{Value, json};

/// How papers are cited in a format.
type Cite = fn(&[Paper]) -> String;

/// How a paragraph is written.
pub(super) struct Form {
    pub(super) cite: Cite,
    /// Writes what the format would read as a command.
    pub(super) escape: fn(&str) -> String,
    /// Writes a signature, which may go on in the next line.
    signature: fn(&str) -> String,
}

const TEXT: Form = Form {
    cite: |papers| format!("({})", joined(papers, |paper| paper.short, "; ")),
    escape: str::to_owned,
    signature: str::to_owned,
};

const LATEX: Form = Form {
    cite: |papers| format!("\\citep{{{}}}", joined(papers, Paper::key, ",")),
    escape: latex,
    signature: latex_signature,
};

/// `{text, latex, bibtex}`: the paragraph with names and years, with `\citep`, and the entries it cites.
pub(super) fn describe(contents: &PageContents<'_>) -> Value {
    let signatures = signatures(contents);
    let mut papers: Vec<&Paper> = signatures.iter().flat_map(|(_, name, _)| papers_of_metric(name, contents)).collect();
    papers.extend(contents.evaluation.map(tests).unwrap_or_default());
    papers.extend(contents.comparison.iter().flat_map(|_| [&BOOTSTRAP, &RANDOMISATION]));
    papers.extend(contents.agreement.map(papers_of_agreement).unwrap_or_default());
    let mut entries: Vec<&Paper> = Vec::new();
    papers.into_iter().for_each(|paper| {
        if !entries.contains(&paper) {
            entries.push(paper);
        }
    });
    let bibtex: Vec<&str> = entries.iter().map(|paper| paper.bibtex.trim()).collect();
    json!({
        "text": paragraph(contents, &signatures, &TEXT),
        "latex": paragraph(contents, &signatures, &LATEX),
        "bibtex": bibtex.join("\n\n"),
    })
}

/// The papers to cite for a metric; none for scores of another tool.
fn papers_of_metric(name: &str, contents: &PageContents<'_>) -> &'static [Paper] {
    let mut known = contents.registry.iter().flat_map(|registry| registry.metrics());
    known.find(|info| info.name == name).map_or(&[], |info| info.papers)
}

/// Title, name and signature of each metric; each signature once.
fn signatures(contents: &PageContents<'_>) -> Vec<(String, String, String)> {
    let name = |signature: &str| signature.split([':', '|']).next().unwrap_or_default().to_owned();
    let mut found: Vec<(String, String, String)> = Vec::new();
    let mut add = |title: &str, signature: &str| {
        if found.iter().all(|(_, _, known)| known != signature) {
            found.push((title.to_owned(), name(signature), signature.to_owned()));
        }
    };
    if let Some(compared) = contents.comparison {
        add(&compared.metric, &compared.signature);
    }
    for column in contents.evaluation.iter().flat_map(|evaluation| &evaluation.columns) {
        add(&column.title, &column.signature);
    }
    for agreement in contents.agreement.iter().flat_map(|report| &report.agreements) {
        add(&agreement.title, &agreement.signature);
    }
    let of_spans = contents.spans.iter().flat_map(|report| &report.agreements);
    for found in of_spans.filter(|found| !found.signature.is_empty()) {
        add(&found.title, &found.signature);
    }
    for metric in contents.challenge.iter().flat_map(|report| &report.metrics) {
        add(&metric.title, &metric.signature);
    }
    found
}

/// The papers of intervals and tests.
fn tests(evaluation: &Evaluation) -> Vec<&'static Paper> {
    let mut papers = Vec::new();
    if has_intervals(evaluation) {
        papers.push(&BOOTSTRAP);
    }
    papers.extend(evaluation.test.as_ref().map(test_paper));
    papers
}

fn test_paper(test: &Paired) -> &'static Paper {
    match test.test {
        Test::Bootstrap => &PAIRED_BOOTSTRAP,
        Test::Randomisation => &RANDOMISATION,
    }
}

fn has_intervals(evaluation: &Evaluation) -> bool {
    evaluation.columns.iter().any(|column| column.cells.iter().any(|cell| cell.interval.is_some()))
}

fn paragraph(contents: &PageContents<'_>, signatures: &[(String, String, String)], form: &Form) -> String {
    let Form { cite, escape, signature } = form;
    let metric = |(title, name, _): &(String, String, String)| match papers_of_metric(name, contents) {
        [] => escape(title),
        papers => format!("{} {}", escape(title), cite(papers)),
    };
    let mut metrics: Vec<String> = signatures.iter().map(metric).collect();
    // Scores and probabilities by the same metric have two signatures; they follow each other.
    metrics.dedup();
    let mut sentences = vec![format!(
        "We report {}, computed with tercet {}{}.",
        list(&metrics),
        env!("CARGO_PKG_VERSION"),
        contents.corpus.map(size).unwrap_or_default()
    )];
    if let Some(evaluation) = contents.evaluation {
        if has_intervals(evaluation) {
            sentences.push(format!(
                "{} {}.",
                escape(&format!(
                    "Intervals are 95% confidence intervals by bootstrap resampling of {}s",
                    evaluation.resample_by
                )),
                cite(&[BOOTSTRAP])
            ));
        }
        if let Some((test, how)) = evaluation.test.as_ref().zip(evaluation.describe_resampling()) {
            let holm = if test.holm { ", with Holm's correction" } else { "" };
            sentences.push(format!(
                "Differences between systems were tested by {how} {}{holm}; we call {} significant.",
                cite(std::slice::from_ref(test_paper(test))),
                escape("p < 0.05")
            ));
        }
    }
    sentences.extend(contents.comparison.map(|compared| comparison(compared, form)));
    sentences.extend(contents.agreement.map(|report| agreement(report, form)));
    let signed: Vec<String> = signatures.iter().map(|(_, _, signed)| signature(signed)).collect();
    sentences.push(format!("Signatures: {}.", signed.join("; ")));
    sentences.join(" ")
}

/// How two systems were compared.
fn comparison(compared: &SystemComparison, form: &Form) -> String {
    let Form { cite, escape, .. } = form;
    let request = &compared.request;
    let seed = request.test.seed.map_or("no seed".to_owned(), |seed| format!("seed {seed}"));
    format!(
        "The two systems were compared by the mean, over segments, of the probability that people prefer one to the \
         other, by {}, with a {} bootstrap interval, {} resamples {}, and a two-sided test by {} random exchanges of \
         their translations {}, {seed}.",
        escape(&compared.metric),
        escape("95%"),
        request.interval.samples,
        cite(&[BOOTSTRAP]),
        request.test.samples,
        cite(&[RANDOMISATION]),
    )
}

fn joined(papers: &[Paper], part: fn(&Paper) -> &'static str, between: &str) -> String {
    papers.iter().map(part).collect::<Vec<_>>().join(between)
}

fn size(corpus: &Corpus<'_>) -> String {
    let references = match corpus.reference_count() {
        ReferenceCount::Fixed(1) => "one reference".to_owned(),
        ReferenceCount::Fixed(count) => format!("{count} references"),
        ReferenceCount::Varying => "a varying number of references".to_owned(),
    };
    let segments = if corpus.len() == 1 { "1 segment".to_owned() } else { format!("{} segments", corpus.len()) };
    format!(" on {segments} with {references} each")
}

/// The items as a part of a sentence.
pub(super) fn list(items: &[String]) -> String {
    match items {
        [] => "scores".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A signature in LaTeX, with places where a line may end.
fn latex_signature(signature: &str) -> String {
    let escaped = latex(signature);
    let breaks = escaped.replace(',', ",\\allowbreak{}").replace("\\textbar{}", "\\textbar{}\\allowbreak{}");
    format!("\\texttt{{{breaks}}}")
}

/// Escapes what LaTeX reads as a command.
fn latex(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '\\' => escaped += "\\textbackslash{}",
            '|' => escaped += "\\textbar{}",
            '<' => escaped += "$<$",
            '>' => escaped += "$>$",
            '~' => escaped += "\\textasciitilde{}",
            '^' => escaped += "\\textasciicircum{}",
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(c);
            }
            c => escaped.push(c),
        }
    }
    escaped
}
