//! Texts that are parts of a row, without a copy of those that have no escapes.

/// Where a text is: in the row as it was read, or among the texts of the row that were unescaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    start: usize,
    end: usize,
    is_unescaped: bool,
}

impl Span {
    /// A part of the row.
    pub fn in_row(start: usize, end: usize) -> Self {
        Span { start, end, is_unescaped: false }
    }

    /// The end of what was unescaped, from `start` on.
    pub fn unescaped_from(start: usize, unescaped: &str) -> Self {
        Span { start, end: unescaped.len(), is_unescaped: true }
    }

    /// The text.
    pub fn text<'t>(self, row: &'t str, unescaped: &'t str) -> &'t str {
        let text = if self.is_unescaped { unescaped } else { row };
        &text[self.start..self.end]
    }
}
