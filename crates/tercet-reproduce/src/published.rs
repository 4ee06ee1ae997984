//! What the papers published: the tables of `published.tsv`, whose header says where they are from.

use std::sync::LazyLock;

/// A table of a paper.
#[derive(Debug)]
pub(crate) struct PublishedTable {
    name: &'static str,
    pub(crate) columns: Vec<&'static str>,
    pub(crate) rows: Vec<PublishedRow>,
}

/// A row: its name, and its figures column by column, as far as there are any.
#[derive(Debug)]
pub(crate) struct PublishedRow {
    pub(crate) name: &'static str,
    pub(crate) figures: Vec<Option<f64>>,
}

static TABLES: LazyLock<Vec<PublishedTable>> = LazyLock::new(|| {
    let row = |line: &'static str| {
        let (name, figures) = line.split_once('\t')?;
        Some(PublishedRow { name, figures: figures.split('\t').map(|figure| figure.parse().ok()).collect() })
    };
    let table = |block: &'static str| {
        let mut lines = block.lines();
        let (name, columns) = lines.next()?.split_once('\t')?;
        Some(PublishedTable { name, columns: columns.split('\t').collect(), rows: lines.filter_map(row).collect() })
    };
    include_str!("published.tsv").split("\n\n").filter_map(table).collect()
});

impl PublishedTable {
    /// The table of this name, if the paper has figures for it.
    pub(crate) fn find(name: &str) -> Option<&'static PublishedTable> {
        TABLES.iter().find(|table| table.name == name)
    }

    /// A figure, if there is one.
    pub(crate) fn figure(&self, row: &str, column: &str) -> Option<f64> {
        let place = self.columns.iter().position(|known| *known == column)?;
        *self.rows.iter().find(|known| known.name == row)?.figures.get(place)?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str) -> &'static PublishedTable {
        PublishedTable::find(name).unwrap()
    }

    #[test]
    fn averages_are_those_of_the_figures_before_them_but_where_a_paper_errs() {
        let mut odd = Vec::new();
        for table in TABLES.iter() {
            let average = table.columns.iter().position(|column| ["AVG", "PAvg", "Avg."].contains(column));
            for row in &table.rows {
                assert_eq!(row.figures.len(), table.columns.len(), "{} {}", table.name, row.name);
                assert!(row.figures.iter().all(Option::is_some), "{} {}", table.name, row.name);
                let Some(place) = average.filter(|place| *place > 0) else { continue };
                let mean = row.figures[..place].iter().flatten().sum::<f64>() / place as f64;
                let printed = row.figures[place].unwrap();
                // The figures and their mean, each rounded to two or three decimals: half of that twice.
                let rounding = if table.name.starts_with("guzman") { 0.01 + 1e-9 } else { 0.0011 };
                if (mean - printed).abs() > rounding {
                    odd.push((row.name, format!("{mean:.2}"), printed));
                }
            }
        }
        let expected = [
            ("multi-layer, fully-connected", "29.71", 29.73),
            ("Kendall", "29.66", 29.53),
            ("CNN", "29.49", 29.77),
            ("CNN(random)", "29.46", 29.55),
            ("Bidirectional LSTM, without syntactic embeddings", "29.36", 29.38),
        ];
        assert_eq!(odd, expected.map(|(name, mean, printed)| (name, mean.to_owned(), printed)));
        assert_eq!(TABLES.len(), 8 + 5 + 1);
    }

    #[test]
    fn rows_that_are_the_same_system_have_the_same_figures() {
        let of = |number: &str, name: &str| {
            let rows = &table(&format!("guzman {number}")).rows;
            rows.iter().find(|row| row.name == name).unwrap().figures.clone()
        };
        let full = of("1", "4METRICS+SYNTAX25+WIKI-GW50");
        assert_eq!(full, of("4", "multi-layer, pairwise"));
        assert_eq!(full, of("5", "Logistic"));
        assert_eq!(of("1", "BLEU"), of("2", "BLEU"));
        assert_eq!(of("1", "4METRICS+WIKI-GW50"), table("guzman 8").rows[0].figures);
        assert_eq!(of("3", "WIKI-GW50"), [of("1", "WIKI-GW50")[4], full[4]]);
    }

    #[test]
    fn figures_are_found_by_table_row_and_column() {
        assert_eq!(table("reval wmt15 systems").figure("BLEU", "ru-en"), Some(0.851));
        assert_eq!(table("reval wmt15 systems").figure("L+Sick(100,300)", "SAvg"), Some(0.916));
        assert_eq!(table("reval wmt15 segments").figure("SentBLEU", "AVG"), Some(0.349));
        assert_eq!(table("reval wmt14 systems").figure("METEOR", "PAvg"), Some(0.829));
        assert!(PublishedTable::find("reval wmt14 segments").is_none());
        assert_eq!(table("reval wmt12 segments").figure("L+Sick(50,150)", "AVG"), Some(0.222));
        assert_eq!(table("ruse 2").figure("chrF", "cs-en"), None);
    }
}
