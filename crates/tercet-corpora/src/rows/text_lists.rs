//! Texts of segments in one buffer: one of each, or a list.

use crate::plain_text::Lines;

/// Lists of texts, one of each segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextLists {
    texts: Lines,
    /// The number of texts up to the end of each list.
    ends: Vec<usize>,
}

impl TextLists {
    /// Adds the list of the next segment.
    pub(super) fn push<'t>(&mut self, list: impl IntoIterator<Item = &'t str>) {
        list.into_iter().for_each(|text| self.texts.push(text));
        self.ends.push(self.texts.len());
    }

    /// The number of segments.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no segment.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The texts of a segment, from 0.
    pub fn of_segment(&self, segment: usize) -> impl Iterator<Item = &str> {
        let start = if segment == 0 { 0 } else { self.ends[segment - 1] };
        (start..self.ends[segment]).map(|index| self.texts.line(index))
    }

    /// The texts of all segments.
    pub fn to_vecs(&self) -> Vec<Vec<String>> {
        (0..self.len()).map(|segment| self.of_segment(segment).map(str::to_owned).collect()).collect()
    }
}

/// Texts of segments.
pub(super) trait SegmentTexts: Default {
    /// Whether there is no segment.
    fn has_none(&self) -> bool;
    /// The first segment whose texts are others there.
    fn first_difference(&self, other: &Self) -> Option<usize>;
    /// The texts in another order: segment `i` is segment `places[i]` of these.
    fn reordered(&self, places: &[usize]) -> Self;
}

impl SegmentTexts for Lines {
    fn has_none(&self) -> bool {
        self.is_empty()
    }

    fn first_difference(&self, other: &Self) -> Option<usize> {
        self.iter().zip(other.iter()).position(|(text, other)| text != other)
    }

    fn reordered(&self, places: &[usize]) -> Self {
        let mut texts = Lines::empty(self.path());
        places.iter().for_each(|&place| texts.push(self.line(place)));
        texts
    }
}

impl SegmentTexts for TextLists {
    fn has_none(&self) -> bool {
        self.is_empty()
    }

    fn first_difference(&self, other: &Self) -> Option<usize> {
        let segments = self.len().min(other.len());
        (0..segments).find(|&segment| !self.of_segment(segment).eq(other.of_segment(segment)))
    }

    fn reordered(&self, places: &[usize]) -> Self {
        let mut lists = TextLists::default();
        places.iter().for_each(|&place| lists.push(self.of_segment(place)));
        lists
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_any_length_are_kept_apart() {
        let mut lists = TextLists::default();
        let texts = [vec!["a\nb", ""], vec![], vec!["c"]];
        texts.iter().for_each(|list| lists.push(list.iter().copied()));
        assert_eq!(lists.to_vecs(), texts);
        let other = lists.reordered(&[0, 2, 1]);
        assert_eq!(other.to_vecs(), [vec!["a\nb", ""], vec!["c"], vec![]]);
        assert_eq!((lists.first_difference(&other), lists.first_difference(&lists)), (Some(1), None));
    }
}
