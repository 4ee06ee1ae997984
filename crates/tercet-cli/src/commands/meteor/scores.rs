//! Scores of two files as METEOR's jar prints them: the settings, the score of each segment, the statistics of the
//! whole.
//!
//! # Agreement
//! Byte-identical with the jar's output for plain text, with and without its `-vOut`.

use rayon::prelude::*;
use std::fmt::Write;
use tercet::metrics::Tally;
use tercet::metrics::meteor::{Evaluation, JavaDouble, Meteor, Module, Statistics};
use tercet::stop;

/// What the jar says of a run in front of its scores.
pub struct Settings<'a> {
    /// Whether text is tokenized, lowercased, stripped of punctuation, by the jar's name.
    pub normalisation: &'static str,
    /// The task, by its name, or `None` if modules, parameters or weights are given.
    pub task: Option<&'a str>,
    /// Whether precision, recall and penalty of each segment are printed too.
    pub verbose: bool,
}

/// The whole report.
pub fn report(meteor: &Meteor, settings: &Settings<'_>, texts: &[(&str, &[&str])]) -> String {
    let statistics = statistics(meteor, texts);
    let mut text = header(meteor, settings);
    for (i, segment) in statistics.iter().enumerate() {
        let Evaluation { precision, recall, penalty, score, .. } = meteor.evaluate(segment);
        let _ = write!(text, "Segment {} score:\t", i + 1);
        if settings.verbose {
            let _ = write!(text, "{}\t{}\t{}\t", JavaDouble(precision), JavaDouble(recall), JavaDouble(penalty));
        }
        let _ = writeln!(text, "{}", JavaDouble(score));
    }
    text + &totals(meteor, &sum(&statistics))
}

/// The scores of the segments, and of the whole.
pub fn scores(meteor: &Meteor, texts: &[(&str, &[&str])]) -> (Vec<f64>, f64) {
    let statistics = statistics(meteor, texts);
    let score = |statistics: &Statistics| meteor.evaluate(statistics).score;
    (statistics.iter().map(score).collect(), score(&sum(&statistics)))
}

/// The statistics of every segment, on all threads.
fn statistics(meteor: &Meteor, texts: &[(&str, &[&str])]) -> Vec<Statistics> {
    let align = |(hypothesis, references): &(&str, &[&str])| meteor.align(hypothesis, references).statistics;
    texts.par_iter().map(stop::carried(align)).collect()
}

fn sum(segments: &[Statistics]) -> Statistics {
    let mut total = Tally::default();
    segments.iter().for_each(|segment| total += &segment.tally());
    Statistics::from_tally(&total)
}

fn header(meteor: &Meteor, settings: &Settings<'_>) -> String {
    let parameters = meteor.parameters();
    let values = [parameters.alpha, parameters.beta, parameters.gamma, parameters.delta];
    let numbers = |numbers: &[f64], between: &str| {
        numbers.iter().map(|number| JavaDouble(*number).to_string()).collect::<Vec<_>>().join(between)
    };
    let modules =
        |name: fn(&Module) -> &str, between: &str| meteor.modules().iter().map(name).collect::<Vec<_>>().join(between);
    let (code, language) = meteor.language();
    let id = [
        code.to_owned(),
        settings.normalisation.to_owned(),
        numbers(&values, "_"),
        modules(|module| &module.name()[..2], "_"),
        numbers(&parameters.weights, "_"),
    ];
    let mut letters = language.chars();
    let capital = letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters);
    format!(
        "Meteor version: 1.5\n\nEval ID:        meteor-1.5-wo-{}\n\nLanguage:       {}\nFormat:         plaintext\n\
         Task:           {}\nModules:        {}\nWeights:        {}\nParameters:     {}\n\n",
        id.join("-"),
        capital.collect::<String>(),
        task(settings.task),
        modules(|module| module.name(), " "),
        numbers(&parameters.weights, " "),
        numbers(&values, " "),
    )
}

/// The jar's word for a task.
fn task(name: Option<&str>) -> &'static str {
    match name {
        Some("adq") => "Adequacy",
        Some("rank") => "Ranking",
        Some("hter") => "HTER",
        Some("li") => "Language-Independent",
        Some("tune") => "Tune",
        Some("util") => "Translator-Utility",
        Some("universal") => "Universal",
        _ => "Custom",
    }
}

fn totals(meteor: &Meteor, total: &Statistics) -> String {
    let mut text = String::from(
        "\nSystem level statistics:\n\n\n           Test Matches                  Reference Matches\n\
         Stage      Content  Function    Total    Content  Function    Total\n",
    );
    // Content words of both sides, then function words.
    let mut all = [0.0; 4];
    for (stage, module) in total.modules.iter().enumerate().take(meteor.parameters().weights.len()) {
        let ([content, reference_content], [function, reference_function]) = (module.content, module.function);
        let matched = [content, reference_content, function, reference_function];
        all.iter_mut().zip(matched).for_each(|(sum, count)| *sum += count);
        let _ = writeln!(text, "{:<10} {}", stage + 1, row(matched));
    }
    let Evaluation { precision, recall, f1, f_mean, penalty, score, .. } = meteor.evaluate(total);
    let [precision, recall, f1, f_mean, penalty, score] =
        [precision, recall, f1, f_mean, penalty, score].map(JavaDouble);
    let ([words, reference_words], chunks) = (total.words, total.chunks);
    let _ = write!(
        text,
        "Total      {}\n\nTest words:             {words}\nReference words:        {reference_words}\n\
         Chunks:                 {chunks}\nPrecision:              {precision}\nRecall:                 {recall}\n\
         f1:                     {f1}\nfMean:                  {f_mean}\nFragmentation penalty:  {penalty}\n\n\
         Final score:            {score}\n",
        row(all),
    );
    text
}

/// A row of counts: content words, function words and both, of hypotheses and of references.
fn row([hypothesis, reference, hypothesis_function, reference_function]: [f64; 4]) -> String {
    let side = |content: f64, function: f64| format!("{content:>7}   {function:>7}  {:>7}", content + function);
    format!("{}    {}", side(hypothesis, hypothesis_function), side(reference, reference_function))
}
