//! Publications to cite.

/// A publication, as its entry in BibTeX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paper {
    /// Authors and year, as in running text.
    pub short: &'static str,
    /// Its entry.
    pub bibtex: &'static str,
}

impl Paper {
    /// The key of its entry.
    pub fn key(&self) -> &'static str {
        let after = self.bibtex.split_once('{').map_or("", |(_, rest)| rest);
        after.split(',').next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_metric_has_papers_with_a_key_and_closed_braces() {
        for info in crate::Registry::lexical().metrics() {
            assert!(!info.papers.is_empty(), "{}", info.name);
            for paper in info.papers {
                let name = paper.key().strip_suffix(|c: char| c.is_ascii_alphanumeric());
                assert!(name.is_some(), "{}", paper.bibtex);
                assert_eq!(paper.bibtex.matches('{').count(), paper.bibtex.matches('}').count(), "{}", paper.key());
            }
        }
    }
}
