//! Several systems: a table, the explanation of the paired test, the signatures; or a JSON array.

use super::colour::{Colour, Palette};
use super::grid::{self, Column};
use super::python::{fixed, json_number, json_string};

/// How a table is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// With lines, for a terminal.
    Text,
    /// LaTeX with booktabs.
    Latex,
}

/// A paired test, with its number of resamples or trials as the user gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairedTest {
    /// Paired bootstrap resampling.
    Bootstrap(i64),
    /// Paired approximate randomisation.
    Randomisation(i64),
}

/// A system's score by one metric.
#[derive(Clone, Copy, Debug)]
pub struct TableCell {
    /// The score.
    pub score: f64,
    /// The p-value of its difference from the baseline.
    pub p_value: Option<f64>,
    /// Mean and half width of the 95% interval.
    pub interval: Option<(f64, f64)>,
}

/// Scores of several systems.
#[derive(Clone, Debug)]
pub struct SystemTable {
    /// The systems' names; with a test, the first is the baseline.
    pub systems: Vec<String>,
    /// For each metric its name, its signature, and the score of each system.
    pub metrics: Vec<(String, String, Vec<TableCell>)>,
    /// The paired test, if there was one.
    pub test: Option<PairedTest>,
}

impl SystemTable {
    /// The table and the text below it. A system whose name begins with `Baseline:` is highlighted.
    pub fn draw(&self, style: Style, width: usize, palette: Palette) -> String {
        let mut printed = grid::draw(&self.columns(style, width, palette), style, width);
        printed.push('\n');
        if let Some(test) = self.test {
            let baseline = self.baseline().unwrap_or_default();
            printed.push_str(&explanation(test, baseline, palette));
        }
        printed.push_str(&underlined("Metric signatures"));
        for (name, signature, _) in &self.metrics {
            printed.push_str(&format!(" - {name:<10} {signature}\n"));
        }
        printed
    }

    fn baseline(&self) -> Option<&str> {
        let first = self.systems.first()?;
        first.starts_with("Baseline:").then_some(first)
    }

    fn columns(&self, style: Style, width: usize, palette: Palette) -> Vec<Column> {
        let mut columns = vec![("System".to_owned(), self.systems.clone())];
        for (name, _, cells) in &self.metrics {
            let header = if cells.iter().any(|cell| cell.interval.is_some()) {
                format!("{name} (μ ± 95% CI)")
            } else {
                name.clone()
            };
            let written = cells.iter().map(|cell| cell.written(style, width, palette));
            columns.push((header, written.collect()));
        }
        for (header, cells) in &mut columns {
            if self.baseline().is_some() {
                cells[0] = palette.paint(&cells[0], Colour::Yellow);
            }
            *header = palette.paint(header, Colour::Cyan);
        }
        columns
    }

    /// A JSON array of systems, `indent=4`: scores as strings, or objects if there was a test.
    pub fn json(&self, width: usize) -> String {
        if self.systems.is_empty() {
            return "[]\n".to_owned();
        }
        let systems = self.systems.iter().enumerate().map(|(i, system)| {
            let mut members = vec![format!("        \"system\": {}", json_string(system, true))];
            for (name, _, cells) in &self.metrics {
                let value = match self.test {
                    None => json_string(&fixed(cells[i].score, width), true),
                    Some(_) => cells[i].object(),
                };
                members.push(format!("        {}: {value}", json_string(name, true)));
            }
            format!("    {{\n{}\n    }}", members.join(",\n"))
        });
        format!("[\n{}\n]\n", systems.collect::<Vec<_>>().join(",\n"))
    }
}

impl TableCell {
    /// The p-value is on its own line, or after a space in styles with one line per cell.
    fn written(&self, style: Style, width: usize, palette: Palette) -> String {
        let mut written = fixed(self.score, width);
        if let Some((mean, half_width)) = self.interval {
            written += &format!(" ({} ± {})", fixed(mean, width), fixed(half_width, width));
        }
        if let Some(p) = self.p_value {
            let p_value = format!("(p = {p:.4})");
            written.push(if style == Style::Text { '\n' } else { ' ' });
            written += &if p > 0.05 { palette.paint(&p_value, Colour::Red) } else { p_value + "*" };
        }
        written
    }

    fn object(&self) -> String {
        let number = |value: Option<f64>| value.map_or_else(|| "null".to_owned(), json_number);
        let members: Vec<String> = [
            ("score", Some(self.score)),
            ("p_value", self.p_value),
            ("mean", self.interval.map(|(mean, _)| mean)),
            ("ci", self.interval.map(|(_, half_width)| half_width)),
        ]
        .iter()
        .map(|(key, value)| format!("            \"{key}\": {}", number(*value)))
        .collect();
        format!("{{\n{}\n        }}", members.join(",\n"))
    }
}

fn underlined(title: &str) -> String {
    let line = "-".repeat(title.len());
    format!("{line}\n{title}\n{line}\n")
}

/// sacreBLEU's explanation of the test.
fn explanation(test: PairedTest, baseline: &str, palette: Palette) -> String {
    let (title, provided) = match test {
        PairedTest::Bootstrap(resamples) => (
            format!("Paired bootstrap resampling test with {resamples} resampling trials"),
            "Actual system score / bootstrap estimated true mean / 95% CI are provided for each metric.",
        ),
        PairedTest::Randomisation(trials) => (
            format!("Paired approximate randomization test with {trials} trials"),
            "Actual system score is provided for each metric.",
        ),
    };
    let name = palette.paint(baseline, Colour::Yellow);
    let line = palette.paint("baseline", Colour::Yellow);
    let capital = palette.paint("Null hypothesis", Colour::Green);
    let null = palette.paint("null hypothesis", Colour::Green);
    let red = palette.paint("highlighted in red", Colour::Red);
    format!(
        "{}\x20- Each system is pairwise compared to {name}.
   {provided}

 - {capital}: the system and the {line} translations are essentially
   generated by the same underlying process. For a given system and the {line},
   the p-value is roughly the probability of the absolute score difference (delta)
   or higher occurring due to chance, under the assumption that the {null} is correct.

 - Assuming a significance threshold of 0.05, the {null} can be rejected
   for p-values < 0.05 (marked with \"*\"). This means that the delta is unlikely to be attributed
   to chance, hence the system is significantly \"different\" than the {line}.
   Otherwise, the p-values are {red}.

 - NOTE: Significance does not tell whether a system is \"better\" than the {line} but rather
   emphasizes the \"difference\" of the systems in terms of the replicability of the delta.

",
        underlined(&title)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(score: f64, p_value: Option<f64>) -> TableCell {
        TableCell { score, p_value, interval: None }
    }

    #[test]
    fn json_has_strings_without_a_test_and_objects_with_one() {
        let mut table = SystemTable {
            systems: vec!["é".to_owned()],
            metrics: vec![("BLEU".to_owned(), "x".to_owned(), vec![cell(12.25, Some(1e-5))])],
            test: None,
        };
        assert_eq!(table.json(1), "[\n    {\n        \"system\": \"\\u00e9\",\n        \"BLEU\": \"12.2\"\n    }\n]\n");
        table.test = Some(PairedTest::Randomisation(10));
        assert_eq!(
            table.json(1),
            "\
[
    {
        \"system\": \"\\u00e9\",
        \"BLEU\": {
            \"score\": 12.25,
            \"p_value\": 1e-05,
            \"mean\": null,
            \"ci\": null
        }
    }
]
"
        );
    }

    #[test]
    fn insignificant_p_values_are_red_and_the_baseline_is_yellow() {
        let table = SystemTable {
            systems: vec!["Baseline: a".to_owned(), "b".to_owned()],
            metrics: vec![("BLEU".to_owned(), "x".to_owned(), vec![cell(1.0, None), cell(2.0, Some(0.06))])],
            test: Some(PairedTest::Randomisation(10)),
        };
        let drawn = table.draw(Style::Latex, 1, Palette::Coloured);
        assert!(drawn.contains("\x1b[33mBaseline: a\x1b[0m & "), "{drawn}");
        assert!(drawn.contains(" \x1b[33m1.0\x1b[0m "), "{drawn}");
        assert!(drawn.contains("2.0 \x1b[31m(p = 0.0600)\x1b[0m"), "{drawn}");
    }
}
