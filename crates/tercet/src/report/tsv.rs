//! Tab-separated values.
//!
//! A header `system segment metric score`, then a line for each score: the segment is numbered from 1 or `corpus`, the
//! metric is written as it was asked for, the score has 17 significant digits. With intervals three more columns, `mean
//! low high`, filled in corpus lines. With comparisons a second header and table follow after an empty line: `system
//! against metric delta p` and `p_holm` where p-values are adjusted. With components each is a line of its own whose
//! metric is `METRIC/COMPONENT`.

use super::Contents;
use crate::scoring::Evaluation;

pub(super) fn write(evaluation: &Evaluation, contents: Contents) -> String {
    let intervals =
        evaluation.columns.iter().flat_map(|column| &column.cells).any(|cell| cell.interval.is_some());
    let mut text = String::from("system\tsegment\tmetric\tscore");
    text += if intervals { "\tmean\tlow\thigh\n" } else { "\n" };
    for column in &evaluation.columns {
        for (system, cell) in evaluation.systems.iter().map(|name| field(name)).zip(&column.cells) {
            let mut line = |segment: &str, part: &str, score: f64, rest: &str| {
                text += &format!(
                    "{system}\t{segment}\t{}{part}\t{}{rest}\n",
                    field(&column.metric),
                    digits(score)
                );
            };
            let blank = if intervals { "\t\t\t" } else { "" };
            if contents.segments {
                for (i, &score) in cell.segments.iter().enumerate() {
                    line(&(i + 1).to_string(), "", score, blank);
                }
            }
            if contents.systems {
                let rest = cell.interval.as_ref().map(|interval| {
                    format!(
                        "\t{}\t{}\t{}",
                        digits(interval.mean),
                        digits(interval.low),
                        digits(interval.high)
                    )
                });
                line("corpus", "", cell.score, rest.as_deref().unwrap_or(blank));
                for component in cell.components.iter().filter(|_| contents.components) {
                    line("corpus", &format!("/{}", component.name), component.value, blank);
                }
            }
        }
    }
    write_comparisons(evaluation, &mut text);
    text
}

fn write_comparisons(evaluation: &Evaluation, text: &mut String) {
    if evaluation.comparisons.is_empty() {
        return;
    }
    let adjusted = evaluation.comparisons.iter().any(|comparison| comparison.adjusted.is_some());
    *text += "\nsystem\tagainst\tmetric\tdelta\tp";
    *text += if adjusted { "\tp_holm\n" } else { "\n" };
    for comparison in &evaluation.comparisons {
        let name = |system: usize| field(&evaluation.systems[system]);
        let metric = field(&evaluation.columns[comparison.column].metric);
        let (system, baseline) = (name(comparison.system), name(comparison.baseline));
        *text += &format!(
            "{system}\t{baseline}\t{metric}\t{}\t{}",
            digits(comparison.delta),
            digits(comparison.p)
        );
        *text += &comparison.adjusted.map(|p| format!("\t{}", digits(p))).unwrap_or_default();
        text.push('\n');
    }
}

/// A name that cannot break the table.
fn field(name: &str) -> String {
    name.replace(['\t', '\n', '\r'], " ")
}

/// A number with 17 significant digits, which give it back exactly.
fn digits(number: f64) -> String {
    let scientific = format!("{number:.16e}");
    let (_, exponent) = scientific.split_once('e').expect("written with an exponent");
    let exponent: i32 = exponent.parse().expect("a whole number");
    if !(-5..17).contains(&exponent) || number == 0.0 {
        return if number == 0.0 { "0.0".to_owned() } else { scientific };
    }
    format!("{number:.*}", (16 - exponent) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seventeen_digits_give_the_number_back() {
        assert_eq!(digits(28.981413019832704), "28.981413019832704");
        assert_eq!(digits(100.0), "100.00000000000000");
        assert_eq!(digits(0.1), "0.10000000000000001");
        for number in [1e-300, -3.5e40, 1.0 / 3.0, 99.99999999999999, 0.0, 12345678901234567.0] {
            assert_eq!(digits(number).parse(), Ok(number));
        }
    }
}
