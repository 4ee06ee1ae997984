//! Tables before they are filled: which task each cell's figures come from, and the runs that this takes.

use crate::finished::{Figures, FinishedRuns, Key};
use crate::{Cell, TableResult, Unit};
use tercet::progress::{Progress, Stopped};

/// Something to run.
pub(crate) trait Task: Clone + PartialEq {
    /// Whether it is run once for each seed; else it is run once.
    fn is_learned(&self) -> bool;

    /// What its name to people ends in, after the row it is for.
    fn detail(&self) -> &'static str {
        ""
    }

    /// The seeds it is run with; 0 stands for none.
    fn seeds(&self, seeds: u64) -> Vec<u64> {
        if self.is_learned() { (1..=seeds).collect() } else { vec![0] }
    }
}

/// A table to be filled.
pub(crate) struct PlannedTable<T> {
    /// The table without its cells.
    pub(crate) result: TableResult,
    pub(crate) rows: Vec<PlannedRow<T>>,
}

/// A row: cells from one task or several.
pub(crate) struct PlannedRow<T> {
    pub(crate) name: String,
    pub(crate) groups: Vec<CellGroup<T>>,
}

/// Cells that come from one task, or that cannot be run.
pub(crate) struct CellGroup<T> {
    /// The task, or why there is none.
    pub(crate) source: Result<T, String>,
    pub(crate) cells: Vec<PlannedCell>,
    /// What has to be known about all of them.
    pub(crate) note: Option<String>,
}

/// A cell: the mean of some figures of a run.
pub(crate) struct PlannedCell {
    pub(crate) column: String,
    pub(crate) published: Option<f64>,
    pub(crate) figures: Vec<String>,
    /// What stands beside it.
    pub(crate) note: Option<CellNote>,
}

/// What the figures of all seeds say beside a cell.
pub(crate) type CellNote = Box<dyn Fn(&[Figures]) -> String>;

impl<T> PlannedTable<T> {
    /// A table without rows, which are put in order by some of its columns.
    pub(crate) fn new(table: &str, title: &str, unit: Unit, columns: &[&str], ordered_by: &[&str]) -> Self {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let (table, title) = (table.to_owned(), title.to_owned());
        let (columns, ordered_by) = (owned(columns), owned(ordered_by));
        let result = TableResult { table, title, unit, columns, ordered_by, ..TableResult::default() };
        PlannedTable { result, rows: Vec::new() }
    }

    /// Adds a row.
    pub(crate) fn add(&mut self, name: &str, groups: Vec<CellGroup<T>>) {
        self.rows.push(PlannedRow { name: name.to_owned(), groups });
    }
}

impl<T: Task> PlannedTable<T> {
    /// The table with its cells, from the figures of each task by seed.
    pub(crate) fn fill(self, figures: impl Fn(&T) -> Vec<Figures>) -> TableResult {
        let mut cells = Vec::new();
        for PlannedRow { name, groups } in self.rows {
            for group in groups {
                let found = group.source.map(|task| (figures(&task), task.is_learned()));
                cells.extend(group.cells.iter().map(|cell| match &found {
                    Err(why) => Cell::missing(&name, &cell.column, cell.published, why.clone()),
                    Ok((figures, learned)) => {
                        let notes = [group.note.clone(), undefined(&cell.figures, figures, self.result.unit)];
                        let beside = cell.note.as_ref().map(|note| note(figures));
                        let notes = notes.into_iter().chain([beside]).flatten();
                        let notes: Vec<String> = notes.filter(|note| !note.is_empty()).collect();
                        let values: Vec<f64> = figures.iter().map(|run| average(run, &cell.figures)).collect();
                        let made = Cell::from_figures(&name, &cell.column, cell.published, &values, *learned);
                        Cell { note: (!notes.is_empty()).then(|| notes.join("; ")), ..made }
                    }
                }));
            }
        }
        TableResult { cells, ..self.result }
    }
}

/// Why a cell is not a number, if it is not.
fn undefined(names: &[String], figures: &[Figures], unit: Unit) -> Option<String> {
    let odd = |name: &&String| figures.iter().any(|run| run.get(*name).is_none_or(|figure| figure.is_nan()));
    let odd: Vec<&str> = names.iter().filter(odd).map(String::as_str).collect();
    let is_tau = unit == Unit::TauTimes100 || odd.iter().any(|name| name.ends_with(" tau"));
    let why = match is_tau {
        true => "no strict judgement has a score for both outputs",
        false => "fewer than two systems have scores, or all have the same",
    };
    (!odd.is_empty()).then(|| format!("not a number: {}: {why}", odd.join(", ")))
}

/// The mean of some figures of a run; NaN if one is missing.
pub(crate) fn average(run: &Figures, names: &[String]) -> f64 {
    let figure = |name: &String| run.get(name).copied().unwrap_or(f64::NAN);
    names.iter().map(figure).sum::<f64>() / names.len() as f64
}

/// The mean over seeds of the mean of some figures.
pub(crate) fn mean(figures: &[Figures], names: &[String]) -> f64 {
    figures.iter().map(|run| average(run, names)).sum::<f64>() / figures.len() as f64
}

/// A task that is wanted, what it is called to people, and the seeds it is wanted with.
#[derive(Clone, Debug)]
pub(crate) struct PlannedRuns<T> {
    pub(crate) task: T,
    pub(crate) name: String,
    pub(crate) seeds: Vec<u64>,
}

/// Every task of the tables once, with the first row it is for.
pub(crate) fn wanted<T: Task>(tables: &[PlannedTable<T>], seeds: u64) -> Vec<PlannedRuns<T>> {
    let mut wanted: Vec<PlannedRuns<T>> = Vec::new();
    for (table, row) in tables.iter().flat_map(|table| table.rows.iter().map(move |row| (table, row))) {
        for task in row.groups.iter().filter_map(|group| group.source.as_ref().ok()) {
            if wanted.iter().all(|known| known.task != *task) {
                let name = format!("table {}, {}{}", table.result.table, row.name, task.detail());
                wanted.push(PlannedRuns { task: task.clone(), name, seeds: task.seeds(seeds) });
            }
        }
    }
    wanted
}

/// A task and a seed that have not been run.
pub(crate) struct Run<'w, T> {
    pub(crate) wanted: &'w PlannedRuns<T>,
    pub(crate) key: Key,
    pub(crate) seed: u64,
}

/// The runs that are left, task by task.
pub(crate) fn left<'w, T>(
    wanted: &'w [PlannedRuns<T>],
    finished: &FinishedRuns<'_>,
    key: impl Fn(&T) -> Key,
) -> Vec<Run<'w, T>> {
    let mut left = Vec::new();
    for one in wanted {
        let key = key(&one.task);
        let seeds = one.seeds.iter().filter(|seed| finished.find(&key, **seed).is_none());
        left.extend(seeds.map(|seed| Run { wanted: one, key: key.clone(), seed: *seed }));
    }
    left
}

/// Tells how many runs there are, and how many of them are left.
pub(crate) fn begin<T>(progress: Progress<'_>, wanted: &[PlannedRuns<T>], left: usize) -> Result<(), Stopped> {
    let all: usize = wanted.iter().map(|one| one.seeds.len()).sum();
    progress.stage("running experiments", all, "runs")?;
    progress.advance(all - left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, PartialEq)]
    struct Learned;

    impl Task for Learned {
        fn is_learned(&self) -> bool {
            true
        }
    }

    #[test]
    fn an_average_is_over_all_its_figures_and_undefined_if_one_is_missing() {
        let names = ["cs-en tau", "de-en tau"].map(str::to_owned);
        let mut run = Figures::from([(names[0].clone(), 0.1), (names[1].clone(), 0.3)]);
        assert!((average(&run, &names) - 0.2).abs() < 1e-12);
        run.remove("de-en tau");
        assert!(average(&run, &names).is_nan());
    }

    #[test]
    fn a_cell_that_is_not_a_number_says_why() {
        let fill = |unit: Unit, value: f64| {
            let mut table = PlannedTable::new("1", "title", unit, &["AVG"], &[]);
            let names = vec!["cz".to_owned(), "de".to_owned()];
            let note: CellNote = Box::new(|figures: &[Figures]| format!("{} runs", figures.len()));
            let cell = PlannedCell { column: "AVG".to_owned(), published: None, figures: names, note: Some(note) };
            table.add("row", vec![CellGroup { source: Ok(Learned), cells: vec![cell], note: None }]);
            let run = Figures::from([("cz".to_owned(), value), ("de".to_owned(), 1.0)]);
            table.fill(|_| vec![run.clone()]).cells.remove(0)
        };
        let cell = fill(Unit::TauTimes100, f64::NAN);
        let tau = "not a number: cz: no strict judgement has a score for both outputs; 1 runs";
        assert_eq!((cell.ours, cell.note.as_deref()), (None, Some(tau)));
        assert!(fill(Unit::Coefficient, f64::NAN).note.unwrap().contains("cz: fewer than two systems"));
        assert_eq!((fill(Unit::Coefficient, 2.0).ours, fill(Unit::Coefficient, 2.0).seeds), (Some(1.5), 1));
    }
}
