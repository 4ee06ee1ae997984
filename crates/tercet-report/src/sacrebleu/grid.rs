//! The two table layouts sacreBLEU uses: tabulate's `fancy_grid` and `latex_booktabs`.
//!
//! The first column is aligned right, the others are centred. A column is as wide as its widest cell and at least two
//! wider than its header. Width is counted in code points, colours not counted.

use super::colour::strip_colours;
use super::numeral::formatted;
use super::table::Style;

/// A column: header and cells. Cells may have several lines.
pub(super) type Column = (String, Vec<String>);

/// Space kept free beside a header.
const HEADER_PADDING: usize = 2;

/// Draws a table; real numbers get `decimals` decimals.
pub(super) fn draw(columns: &[Column], style: Style, decimals: usize) -> String {
    let coloured =
        columns.iter().any(|(header, cells)| cells.iter().chain([header]).any(|text| text.contains("\x1b[")));
    let columns: Vec<Padded> = columns
        .iter()
        .enumerate()
        .map(|(i, (header, cells))| Padded::new(header, &formatted(cells, decimals, coloured), i == 0))
        .collect();
    match style {
        Style::Text => fancy_grid(&columns),
        Style::Latex => latex_booktabs(&columns),
    }
}

/// A column whose every line has the width of the column.
struct Padded {
    width: usize,
    header: String,
    /// The lines of each cell.
    cells: Vec<Vec<String>>,
}

impl Padded {
    fn new(header: &str, cells: &[String], flush_right: bool) -> Self {
        let cells: Vec<Vec<&str>> = cells.iter().map(|cell| cell.trim().split('\n').collect()).collect();
        let widest = cells.iter().flatten().map(|line| visible_width(line)).max();
        let width = widest.unwrap_or_default().max(visible_width(header) + HEADER_PADDING);
        let pad = |line: &str| padded(line, width, flush_right);
        Padded {
            width,
            header: pad(header),
            cells: cells.iter().map(|lines| lines.iter().map(|line| pad(line)).collect()).collect(),
        }
    }

    fn blank(&self) -> String {
        " ".repeat(self.width)
    }
}

fn visible_width(text: &str) -> usize {
    strip_colours(text).chars().count()
}

fn padded(line: &str, width: usize, flush_right: bool) -> String {
    let free = width.saturating_sub(visible_width(line));
    let left = if flush_right { free } else { free / 2 };
    format!("{}{line}{}", " ".repeat(left), " ".repeat(free - left))
}

fn fancy_grid(columns: &[Padded]) -> String {
    let rule = |left: &str, line: &str, cross: &str, right: &str| {
        let segments: Vec<String> = columns.iter().map(|column| line.repeat(column.width + 2)).collect();
        format!("{left}{}{right}\n", segments.join(cross))
    };
    let row = |cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| format!(" {cell} ")).collect();
        format!("│{}│\n", cells.join("│"))
    };
    let rows = columns.first().map_or(0, |column| column.cells.len());
    let mut drawn = rule("╒", "═", "╤", "╕");
    drawn += &row(columns.iter().map(|column| column.header.clone()).collect());
    for i in 0..rows {
        drawn += &if i == 0 { rule("╞", "═", "╪", "╡") } else { rule("├", "─", "┼", "┤") };
        let height = columns.iter().map(|column| column.cells[i].len()).max();
        for line in 0..height.unwrap_or_default() {
            let line_of = |column: &Padded| column.cells[i].get(line).cloned();
            let cells = columns.iter().map(|column| line_of(column).unwrap_or_else(|| column.blank()));
            drawn += &row(cells.collect());
        }
    }
    drawn + &rule("╘", "═", "╧", "╛")
}

fn latex_booktabs(columns: &[Padded]) -> String {
    let alignment: String = (0..columns.len()).map(|i| if i == 0 { 'r' } else { 'c' }).collect();
    let row = |cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| format!(" {} ", escaped(cell))).collect();
        format!("{}\\\\\n", cells.join("&"))
    };
    let rows = columns.first().map_or(0, |column| column.cells.len());
    let mut drawn = format!("\\begin{{tabular}}{{{alignment}}}\n\\toprule\n");
    drawn += &row(columns.iter().map(|column| column.header.clone()).collect());
    drawn += "\\midrule\n";
    for i in 0..rows {
        drawn += &row(columns.iter().map(|column| column.cells[i].join("\n")).collect());
    }
    drawn + "\\bottomrule\n\\end{tabular}\n"
}

/// Escaping comes after padding, as in tabulate: lines with special characters end up longer.
fn escaped(cell: &str) -> String {
    let mut latex = String::new();
    for c in cell.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => latex.extend(['\\', c]),
            '^' => latex.push_str("\\^{}"),
            '~' => latex.push_str("\\textasciitilde{}"),
            '\\' => latex.push_str("\\textbackslash{}"),
            '<' | '>' => latex.push_str(&format!("\\ensuremath{{{c}}}")),
            _ => latex.push(c),
        }
    }
    latex
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(header: &str, cells: &[&str]) -> Column {
        (header.to_owned(), cells.iter().map(|cell| cell.to_string()).collect())
    }

    #[test]
    fn cells_of_several_lines_stretch_their_row() {
        let columns = [column("System", &["a", "b"]), column("BLEU", &["1.0", "2.0\n(p = 0.5)"])];
        assert_eq!(
            draw(&columns, Style::Text, 1),
            "╒══════════╤═══════════╕\n\
             │   System │   BLEU    │\n\
             ╞══════════╪═══════════╡\n\
             │        a │    1.0    │\n\
             ├──────────┼───────────┤\n\
             │        b │    2.0    │\n\
             │          │ (p = 0.5) │\n\
             ╘══════════╧═══════════╛\n"
        );
    }

    #[test]
    fn latex_is_escaped_after_it_is_padded() {
        let columns = [column("System", &["a_b", "50%^"]), column("BLEU", &["1.0", "2.0"])];
        assert_eq!(
            draw(&columns, Style::Latex, 1),
            "\\begin{tabular}{rc}\n\\toprule\n   System &  BLEU  \\\\\n\\midrule\n      a\\_b &  1.0   \\\\\n     \
             50\\%\\^{} &  2.0   \\\\\n\\bottomrule\n\\end{tabular}\n"
        );
    }
}
