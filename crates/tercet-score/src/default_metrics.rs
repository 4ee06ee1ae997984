//! The metrics, if none are given.

use super::checks::{detect_language, is_too_short_to_detect};
use super::corpus::Corpus;
use crate::metrics::Registry;
use crate::text::Language;
use foldhash::HashSet;

/// The metric, if one is needed, none is given, and the learned one does not suit the language.
pub const DEFAULT_METRIC: &str = "chrf";

/// The metrics, if none are given; [`default_learned_metric`] may join them.
pub const DEFAULT_METRICS: [&str; 3] = ["bleu", "chrf", "ter"];

/// The metric that joins the default ones if references are English, and the only one without references.
pub(crate) const LEARNED: &str = "siamese";

/// Its smaller model, for many lines.
const FAST: &str = "siamese-fast";

/// The learned metric, if it is part of tercet.
pub fn embedded_metric(registry: &Registry) -> Option<&'static str> {
    registry.find(LEARNED).is_ok_and(|info| info.needs.is_none()).then_some(LEARNED)
}

/// The smaller model of the learned metric, if it is part of tercet.
pub(crate) fn fast_metric(registry: &Registry) -> Option<&'static str> {
    registry.build(FAST).is_ok().then_some(FAST)
}

/// The learned metric, if it is part of tercet and these lines are in its language.
pub fn default_learned_metric(
    lines: &[Vec<&str>],
    language: Option<&Language>,
    registry: &Registry,
) -> Option<&'static str> {
    let metric = embedded_metric(registry)?;
    let language = language.cloned().or_else(|| detect_language(lines))?;
    (language.code() == "en").then_some(metric)
}

/// The learned metric, if it is part of tercet and these lines, in Latin letters, are too few to tell whether they are
/// in its language.
pub fn metric_of_unclear_language(
    lines: &[Vec<&str>],
    language: Option<&Language>,
    registry: &Registry,
) -> Option<&'static str> {
    embedded_metric(registry).filter(|_| language.is_none() && is_too_short_to_detect(lines))
}

/// The number of different lines; the learned metric reads each line of a group of segments once.
pub fn distinct_lines<'a>(lines: impl Iterator<Item = &'a str>) -> usize {
    lines.collect::<HashSet<&str>>().len()
}

impl Corpus<'_> {
    /// The number of lines of all systems and references that the learned metric reads: it takes groups of about a
    /// hundred lines, and reads a line that is in a group more than once a single time.
    pub fn distinct_line_count(&self) -> usize {
        const GROUP: usize = 100;
        let per_segment = self.systems().len() + self.references().first().map_or(0, Vec::len);
        let segments = (GROUP / per_segment.max(1)).max(1);
        let of_group = |(group, references): (usize, &[Vec<&str>])| {
            let from = group * segments;
            let hypotheses = self.systems().iter();
            let hypotheses = hypotheses.flat_map(|system| &system.hypotheses[from..from + references.len()]);
            distinct_lines(hypotheses.chain(references.iter().flatten()).copied())
        };
        self.references().chunks(segments).enumerate().map(of_group).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::System;

    #[test]
    fn the_learned_metric_is_for_english_only() {
        let english = vec![vec!["This is a text about the birds that were counted from a boat."]; 20];
        let german = vec![vec!["Das ist ein Text über die Vögel, die von einem Boot aus gezählt wurden."]; 20];
        assert_eq!(default_learned_metric(&english, None, &crate::registry()), embedded_metric(&crate::registry()));
        assert_eq!(default_learned_metric(&german, None, &crate::registry()), None);
        assert_eq!(default_learned_metric(&english, Some(&Language::target("de").unwrap()), &crate::registry()), None);
    }

    #[test]
    fn the_metric_is_named_where_a_short_text_does_not_show_its_language() {
        let named = |line: &'static str, language: Option<&Language>| {
            metric_of_unclear_language(&[vec![line]], language, &crate::registry())
        };
        assert_eq!(named("The cat sat on the mat.", None), embedded_metric(&crate::registry()));
        assert_eq!(named("Yes.", None), embedded_metric(&crate::registry()));
        let english = "This is a text about the birds that were counted from a boat in the north of the country by \
            two of them.";
        assert_eq!(named(english, None), None);
        assert_eq!(named("The cat sat on the mat.", Some(&Language::target("de").unwrap())), None);
        assert_eq!(named("Кошка сидела на коврике.", None), None);
        assert_eq!(named("12 345", None), None);
    }

    #[test]
    fn different_lines_of_systems_and_references_are_counted() {
        let systems = vec![System { name: "x".to_owned(), hypotheses: vec!["a", "b"] }];
        let corpus = Corpus::new(systems, vec![vec!["a"], vec!["b", "c"]]).unwrap();
        assert_eq!(corpus.distinct_line_count(), 3);
    }
}
