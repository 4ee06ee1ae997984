//! What a text is written for: a terminal with its width and colours, or a pipe or file.

use super::table::Table;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A terminal. The default is none: text for a pipe or a file, without colours, with names at full length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terminal {
    /// Columns of a line; names in tables are shortened, and texts wrapped, to fit.
    pub width: Option<usize>,
    /// Whether to colour what is better and worse.
    pub colour: bool,
}

/// How something is shown where there are colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Strong,
    Better,
    Worse,
}

impl Style {
    /// The text between the escape codes of the style.
    pub(super) fn on(self, text: &str) -> String {
        let code = match self {
            Style::Strong => "1",
            Style::Better => "32",
            Style::Worse => "31",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

impl Terminal {
    /// The text in a style, if there are colours.
    pub(super) fn styled(self, style: Style, text: &str) -> String {
        if self.colour { style.on(text) } else { text.to_owned() }
    }

    /// Shortens the names in a table so that its lines fit, as far as names stay recognisable. Numbers are never cut.
    pub(super) fn fit(self, mut table: Table) -> Table {
        const MIN_WIDTH: usize = 12;
        let Some(room) = self.width else { return table };
        let lines = || std::iter::once(&table.header).chain(&table.rows);
        let mut widths: Vec<usize> = (0..table.header.len())
            .map(|column| lines().map(|line| styled_width(&line[column])).max().unwrap_or(0))
            .collect();
        let names = 0..table.numbers_from.min(widths.len());
        while widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1) > room {
            let widest =
                names.clone().filter(|&column| widths[column] > MIN_WIDTH).max_by_key(|&column| widths[column]);
            let Some(widest) = widest else { break };
            widths[widest] -= 1;
        }
        for line in std::iter::once(&mut table.header).chain(&mut table.rows) {
            for column in names.clone() {
                line[column] = shortened(&line[column], widths[column]);
            }
        }
        table
    }
}

/// The columns of a text on a terminal, without escape codes of [`Style`].
pub(super) fn styled_width(text: &str) -> usize {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().map_or(0, UnicodeWidthStr::width);
    first + parts.map(|part| part.split_once('m').map_or(part, |(_, rest)| rest).width()).sum::<usize>()
}

/// Both ends of a text, with … between them, if it is wider than this.
fn shortened(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let within = |letters: &mut dyn Iterator<Item = char>, room: usize| {
        let mut used = 0;
        let fits = |c: &char| {
            used += c.width().unwrap_or(0);
            used <= room
        };
        letters.take_while(fits).collect::<String>()
    };
    let tail_room = width.saturating_sub(1) / 2;
    let head = within(&mut text.chars(), width.saturating_sub(1) - tail_room);
    let tail: String = within(&mut text.chars().rev(), tail_room).chars().rev().collect();
    format!("{head}…{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(shortened("newstest2019.online-A.de-en", 13), "newste….de-en");
        assert_eq!(shortened("short", 13), "short");
        assert_eq!(shortened("今天下雨今天下雨", 8), "今天…雨");
        assert!(shortened("今天下雨今天下雨", 9).width() <= 9);
    }

    #[test]
    fn tables_fit_by_their_names() {
        let table = Table {
            header: ["system", "BLEU"].map(str::to_owned).to_vec(),
            rows: vec![vec!["x".repeat(50), "34.50".to_owned()], vec!["short".to_owned(), "1.00".to_owned()]],
            numbers_from: 1,
            ..Table::default()
        };
        let fitted = |width| Terminal { width, colour: false }.fit(table.clone()).to_text();
        assert!(fitted(Some(30)).lines().all(|line| line.width() <= 30));
        assert!(fitted(Some(30)).contains("34.50"));
        assert_eq!(fitted(None), table.to_text());
        // Names are not cut beyond recognition.
        assert!(fitted(Some(3)).contains("xxxxxx…xxxxx"));
    }

    #[test]
    fn colours_take_no_columns() {
        assert_eq!(styled_width(&Style::Better.on("今a")), 3);
        assert_eq!(styled_width(&format!("x {} y", Style::Strong.on("b"))), 5);
    }
}
