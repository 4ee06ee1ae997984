//! The metrics, if none are given.

use super::checks::detect_language;
use super::corpus::Corpus;
use crate::metrics::find;
use crate::text::Language;

/// The metrics, if none are given; [`default_learned_metric`] may join them.
pub const DEFAULT_METRICS: [&str; 3] = ["bleu", "chrf", "ter"];

/// The metric that joins the default ones if references are English.
const LEARNED: &str = "siamese";

/// Most lines that [`default_learned_metric`] reads without being asked for: about a minute on two cores.
pub const MOST_LINES: usize = 20_000;

/// The learned metric, if it is part of tercet.
pub fn embedded_metric() -> Option<&'static str> {
    find(LEARNED).is_ok_and(|info| info.needs.is_none()).then_some(LEARNED)
}

/// The learned metric, if it is part of tercet and these lines are in its language. With more than [`MOST_LINES`] lines of all
/// systems and references it takes minutes, so callers should leave it out then.
pub fn default_learned_metric(lines: &[Vec<&str>], language: Option<&Language>) -> Option<&'static str> {
    let metric = embedded_metric()?;
    let language = language.cloned().or_else(|| detect_language(lines))?;
    (language.code() == "en").then_some(metric)
}

impl Corpus<'_> {
    /// The number of lines of all systems and references.
    pub fn line_count(&self) -> usize {
        self.len() * self.systems().len() + self.references().iter().map(Vec::len).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scoring::System;

    #[test]
    fn the_learned_metric_is_for_english_only() {
        let english = vec![vec!["This is a text about the birds that were counted from a boat."]; 20];
        let german =
            vec![vec!["Das ist ein Text über die Vögel, die von einem Boot aus gezählt wurden."]; 20];
        assert_eq!(default_learned_metric(&english, None), embedded_metric());
        assert_eq!(default_learned_metric(&german, None), None);
        assert_eq!(default_learned_metric(&english, Some(&Language::target("de").unwrap())), None);
    }

    #[test]
    fn lines_of_systems_and_references_are_counted() {
        let systems = vec![System { name: "x".to_owned(), hypotheses: vec!["a", "b"] }];
        let corpus = Corpus::new(systems, vec![vec!["a"], vec!["b", "c"]]).unwrap();
        assert_eq!(corpus.line_count(), 5);
    }
}
