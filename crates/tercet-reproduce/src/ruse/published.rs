//! Table 2 of Shimanaka, Kajiwara & Komachi (2018), as it is printed.

/// The language pairs of the table, in its order.
pub(super) const PAIRS: [&str; 6] = ["cs-en", "de-en", "fi-en", "ro-en", "ru-en", "tr-en"];

/// The last column.
pub(super) const AVERAGE: &str = "Avg.";

/// A row: figures of [`PAIRS`], then the average.
type PrintedRow = (&'static str, [f64; 7]);

const PRINTED: [PrintedRow; 7] = [
    ("SentBLEU", [0.557, 0.448, 0.484, 0.499, 0.502, 0.532, 0.504]),
    ("Blend", [0.709, 0.601, 0.584, 0.636, 0.633, 0.675, 0.640]),
    ("DPMFcomb", [0.713, 0.584, 0.598, 0.627, 0.615, 0.663, 0.633]),
    ("ReVal", [0.577, 0.528, 0.471, 0.547, 0.528, 0.531, 0.530]),
    ("SVR with Skip-Thought", [0.665, 0.571, 0.609, 0.677, 0.608, 0.599, 0.622]),
    ("SVR with InferSent", [0.679, 0.604, 0.617, 0.640, 0.644, 0.630, 0.636]),
    ("SVR with InferSent + Skip-Thought", [0.686, 0.611, 0.633, 0.660, 0.649, 0.646, 0.648]),
];

/// How the columns de-en and fi-en are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Exchanged: SentBLEU, which is the same program everywhere, has its figure of de-en under fi-en, and the reverse.
    Exchanged,
    /// As they are printed.
    Printed,
}

/// A figure of the table, if it has one.
pub(super) fn published(row: &str, column: &str, reading: Reading) -> Option<f64> {
    let column = match (column, reading) {
        ("de-en", Reading::Exchanged) => "fi-en",
        ("fi-en", Reading::Exchanged) => "de-en",
        _ => column,
    };
    let place = PAIRS.iter().chain([&AVERAGE]).position(|known| *known == column)?;
    PRINTED.iter().find(|(name, _)| *name == row).map(|(_, figures)| figures[place])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_are_those_of_the_pairs() {
        for (name, figures) in PRINTED {
            let mean = figures[..6].iter().sum::<f64>() / 6.0;
            assert!((mean - figures[6]).abs() < 0.0011, "{name}: {mean}");
        }
    }

    #[test]
    fn two_columns_are_exchanged_in_one_reading() {
        let of = |column, reading| published("SentBLEU", column, reading);
        assert_eq!(of("de-en", Reading::Exchanged), Some(0.484));
        assert_eq!(of("de-en", Reading::Printed), Some(0.448));
        assert_eq!(of("cs-en", Reading::Exchanged), of("cs-en", Reading::Printed));
        assert_eq!(published("chrF", "cs-en", Reading::Printed), None);
    }
}
