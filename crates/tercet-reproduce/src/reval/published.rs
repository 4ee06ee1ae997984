//! What was published of ReVal: Gupta, Orăsan & van Genabith (EMNLP 2015) and their WMT15 submission (*Machine
//! Translation Evaluation using Recurrent Neural Networks*, WMT 2015).
//!
//! The cells of tables 3 and 4 of the first paper (WMT14) are not in the text we have; its introduction states the
//! averages of five metrics, its last section three figures for WMT12. Tables 1 and 2 of the second are complete.

use super::test_sets::TestSet;

/// Language pairs of WMT15 as table 1 has them.
const WMT15_PAIRS: [&str; 5] = ["fr-en", "fi-en", "de-en", "cs-en", "ru-en"];

/// Figures of a row: for each pair of [`WMT15_PAIRS`], then the averages.
struct Wmt15Row {
    name: &'static str,
    figures: &'static [f64],
}

/// Table 1: Pearson's r with TrueSkill per pair, its average, the average with the ranking before TrueSkill, Spearman's
/// average.
const SYSTEMS_WMT15: [Wmt15Row; 8] = [
    Wmt15Row { name: "L+Sick(100,300)", figures: &[0.997, 0.976, 0.960, 0.983, 0.963, 0.976, 0.976, 0.916] },
    Wmt15Row { name: "DPMFcomb", figures: &[0.995, 0.958, 0.973, 0.991, 0.974, 0.978, 0.970, 0.882] },
    Wmt15Row { name: "BEER_Treepel", figures: &[0.981, 0.971, 0.952, 0.992, 0.981, 0.975, 0.962, 0.861] },
    Wmt15Row { name: "DPMF", figures: &[0.997, 0.951, 0.960, 0.984, 0.973, 0.973, 0.965, 0.893] },
    Wmt15Row { name: "UPF-Cobalt", figures: &[0.987, 0.962, 0.981, 0.993, 0.929, 0.971, 0.970, 0.888] },
    Wmt15Row { name: "BLEU", figures: &[0.975, 0.929, 0.865, 0.957, 0.851, 0.915, 0.889, 0.796] },
    Wmt15Row { name: "TER", figures: &[0.979, 0.872, 0.890, 0.907, 0.907, 0.911, 0.884, 0.768] },
    Wmt15Row { name: "WER", figures: &[0.977, 0.853, 0.884, 0.888, 0.895, 0.899, 0.871, 0.747] },
];

/// Table 2: Kendall's τ per pair and its average.
const SEGMENTS_WMT15: [Wmt15Row; 6] = [
    Wmt15Row { name: "L+Sick(100,300)", figures: &[0.332, 0.376, 0.375, 0.385, 0.356, 0.365] },
    Wmt15Row { name: "DPMFcomb", figures: &[0.395, 0.445, 0.482, 0.495, 0.418, 0.447] },
    Wmt15Row { name: "BEER_Treepel", figures: &[0.389, 0.438, 0.447, 0.471, 0.403, 0.429] },
    Wmt15Row { name: "RATATOUILLE", figures: &[0.398, 0.421, 0.441, 0.472, 0.393, 0.425] },
    Wmt15Row { name: "UPF-Cobalt", figures: &[0.386, 0.437, 0.427, 0.457, 0.402, 0.422] },
    Wmt15Row { name: "SentBLEU", figures: &[0.358, 0.308, 0.360, 0.391, 0.329, 0.349] },
];

/// Systems or segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Systems,
    Segments,
}

/// Columns beside the language pairs.
pub(super) const PEARSON_AVERAGE: &str = "PAvg";
pub(super) const EXPECTED_WINS_AVERAGE: &str = "Pre-TrueSkill";
pub(super) const SPEARMAN_AVERAGE: &str = "SAvg";
pub(super) const TAU_AVERAGE: &str = "AVG";

/// A published figure, if there is one.
pub(super) fn published(set: TestSet, level: Level, row: &str, column: &str) -> Option<f64> {
    match (set, level) {
        (TestSet::Wmt15, Level::Systems) => {
            let averages = [PEARSON_AVERAGE, EXPECTED_WINS_AVERAGE, SPEARMAN_AVERAGE];
            of_table(&SYSTEMS_WMT15, &averages, row, column)
        }
        (TestSet::Wmt15, Level::Segments) => of_table(&SEGMENTS_WMT15, &[TAU_AVERAGE], row, column),
        (TestSet::Wmt14, Level::Systems) if column == PEARSON_AVERAGE => match row {
            "BLEU" => Some(0.888),
            "NIST" => Some(0.867),
            "METEOR" => Some(0.829),
            "TER" => Some(0.826),
            "WER" => Some(0.821),
            _ => None,
        },
        (TestSet::Wmt12, _) if row == "L+Sick(50,150)" => match column {
            PEARSON_AVERAGE => Some(0.950),
            SPEARMAN_AVERAGE => Some(0.926),
            TAU_AVERAGE => Some(0.222),
            _ => None,
        },
        _ => None,
    }
}

fn of_table(table: &[Wmt15Row], averages: &[&str], row: &str, column: &str) -> Option<f64> {
    let place = WMT15_PAIRS.iter().chain(averages).position(|known| *known == column)?;
    table.iter().find(|known| known.name == row)?.figures.get(place).copied()
}

/// Rows of other authors, whose metrics tercet does not have.
pub(super) fn rows_of_others(set: TestSet, level: Level) -> &'static [&'static str] {
    match (set, level) {
        (TestSet::Wmt15, Level::Systems) => &["DPMFcomb", "BEER_Treepel", "DPMF", "UPF-Cobalt"],
        (TestSet::Wmt15, Level::Segments) => &["DPMFcomb", "BEER_Treepel", "RATATOUILLE", "UPF-Cobalt"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_are_those_of_the_pairs() {
        for row in SYSTEMS_WMT15.iter().chain(&SEGMENTS_WMT15) {
            let mean = row.figures[..5].iter().sum::<f64>() / 5.0;
            // Each figure is rounded to 0.001.
            assert!((mean - row.figures[5]).abs() < 0.0011, "{}: {mean}", row.name);
        }
    }

    #[test]
    fn figures_are_found_by_set_row_and_column() {
        let of = |set, level, row, column| published(set, level, row, column);
        assert_eq!(of(TestSet::Wmt15, Level::Systems, "BLEU", "ru-en"), Some(0.851));
        assert_eq!(of(TestSet::Wmt15, Level::Systems, "L+Sick(100,300)", SPEARMAN_AVERAGE), Some(0.916));
        assert_eq!(of(TestSet::Wmt15, Level::Segments, "SentBLEU", TAU_AVERAGE), Some(0.349));
        assert_eq!(of(TestSet::Wmt14, Level::Systems, "METEOR", PEARSON_AVERAGE), Some(0.829));
        assert_eq!(of(TestSet::Wmt14, Level::Segments, "METEOR", TAU_AVERAGE), None);
        assert_eq!(of(TestSet::Wmt12, Level::Segments, "L+Sick(50,150)", TAU_AVERAGE), Some(0.222));
    }
}
