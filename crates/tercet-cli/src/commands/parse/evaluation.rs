//! Evaluation of our trees against gold trees.

use super::sentences::Source;
use std::path::PathBuf;
use tercet::parse::Splitter;
use tercet::parse::conllu::{Conllu, Sentence};
use tercet::parse::dependency::{DependencyParser, OtherColumns};
use tercet::parse::evaluation::{DependencyScores, Matches, evaluate_text, evaluate_words};
use tercet::progress::Progress;

pub struct Evaluation<'a> {
    pub parser: &'a DependencyParser,
    pub splitter: &'a Splitter,
    /// Whether words are found by our tokenizer.
    pub raw: bool,
    pub progress: Progress<'a>,
}

impl Evaluation<'_> {
    /// The table for a file.
    pub fn run(&self, path: &PathBuf) -> anyhow::Result<String> {
        let mut source = Source::new(std::slice::from_ref(path), true, true);
        let mut scores = DependencyScores::default();
        while let Some(gold) = source.next_block(self.splitter)? {
            scores += self.block(&gold)?;
            self.progress.advance(gold.sentences().len())?;
        }
        anyhow::ensure!(scores.words.gold > 0, "{}: no sentences, so there is nothing to evaluate", path.display());
        let title = format!(
            "{}  {} words of {} sentences  {}\n",
            path.display(),
            scores.words.gold,
            scores.sentences.gold,
            self.parser.signature()
        );
        let rows = if self.raw { raw_rows(&scores) } else { gold_rows(&scores) };
        Ok(title + &rows)
    }

    fn block(&self, gold: &Conllu) -> tercet::Result<DependencyScores> {
        let mut ours = if self.raw { Conllu::new(self.cut_again(gold)) } else { gold.clone() };
        self.parser.annotate(ours.sentences_mut(), OtherColumns::Cleared)?;
        if self.raw { evaluate_text(gold, &ours) } else { evaluate_words(gold, &ours) }
    }

    /// The texts of the gold sentences, tokenized by us; with --split, the texts of its paragraphs.
    fn cut_again(&self, gold: &Conllu) -> Vec<Sentence> {
        let mut texts: Vec<(&str, String)> = Vec::new();
        for sentence in gold.sentences() {
            let text = sentence.text().map_or_else(|| sentence.surface(), str::to_owned);
            match texts.last_mut().filter(|_| self.splitter.splits() && !begins_paragraph(sentence)) {
                Some((_, paragraph)) => *paragraph += &format!(" {text}"),
                None => texts.push((sentence.sent_id().unwrap_or("_"), text)),
            }
        }
        texts.iter().flat_map(|(name, text)| self.splitter.line(text, name)).collect()
    }
}

/// `# newdoc`, `# newpar`, or either with a name.
fn begins_paragraph(sentence: &Sentence) -> bool {
    sentence.comments().any(|comment| {
        let comment = comment.trim_start_matches(['#', ' ']);
        comment.starts_with("newdoc") || comment.starts_with("newpar")
    })
}

/// With gold words, precision, recall and F1 are equal.
fn gold_rows(scores: &DependencyScores) -> String {
    let row = |name: &str, matches: Matches| format!("{name:<10}{:>8.2}\n", 100.0 * matches.f1());
    figures(scores).map(|(name, matches)| row(name, matches)).concat()
}

fn raw_rows(scores: &DependencyScores) -> String {
    let row = |(name, matches): (&str, Matches)| {
        let percent =
            [matches.precision(), matches.recall(), matches.f1()].map(|share| format!("{:>11.2}", 100.0 * share));
        format!("{name:<10}{}\n", percent.concat())
    };
    let head = format!("{:<10}{:>11}{:>11}{:>11}\n", "", "precision", "recall", "F1");
    let cut = [("tokens", scores.tokens), ("sentences", scores.sentences), ("words", scores.words)];
    head + &cut.into_iter().chain(figures(scores)).map(row).collect::<String>()
}

fn figures(scores: &DependencyScores) -> [(&'static str, Matches); 5] {
    [
        ("UPOS", scores.upos),
        ("XPOS", scores.xpos),
        ("UAS", scores.uas),
        ("LAS", scores.las),
        ("LAS full", scores.las_full),
    ]
}
