//! The result of scoring as Python data, and back: what pickles, and what reports are written from.

use pyo3::prelude::*;
use tercet::metrics::{Component, Direction, Scale};
use tercet::scoring::significance::Resampling;
use tercet::scoring::{Cell, Column, Evaluation, Interval, Paired, PairedResult, Pairs, Test};

/// [`Evaluation`] as a dictionary.
#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
pub struct EvaluationData {
    systems: Vec<String>,
    segments: usize,
    columns: Vec<ColumnData>,
    comparisons: Vec<ComparisonData>,
    test: Option<PairedData>,
}

#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
struct ColumnData {
    metric: String,
    title: String,
    signature: String,
    higher_is_better: bool,
    scale: usize,
    cells: Vec<CellData>,
}

#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
struct CellData {
    score: f64,
    interval: Option<IntervalData>,
    wins: Option<f64>,
    components: Vec<(String, f64)>,
    segments: Vec<f64>,
    segment_components: Vec<Vec<(String, f64)>>,
}

#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
struct IntervalData {
    mean: f64,
    half_width: f64,
    low: f64,
    high: f64,
}

#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
struct ComparisonData {
    column: usize,
    system: usize,
    baseline: usize,
    delta: f64,
    p: f64,
    adjusted: Option<f64>,
    differing: usize,
    significant: bool,
}

/// [`Paired`] as a dictionary.
#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
pub struct PairedData {
    /// `bs` or `ar`.
    test: String,
    samples: usize,
    seed: Option<u64>,
    /// `None`: all pairs.
    baseline: Option<String>,
    holm: bool,
}

impl From<Evaluation> for EvaluationData {
    fn from(evaluation: Evaluation) -> Self {
        EvaluationData {
            systems: evaluation.systems,
            segments: evaluation.segments,
            columns: evaluation.columns.into_iter().map(ColumnData::from).collect(),
            comparisons: evaluation.comparisons.into_iter().map(ComparisonData::from).collect(),
            test: evaluation.test.map(PairedData::from),
        }
    }
}

impl From<EvaluationData> for Evaluation {
    fn from(data: EvaluationData) -> Self {
        Evaluation {
            systems: data.systems,
            segments: data.segments,
            columns: data.columns.into_iter().map(Column::from).collect(),
            comparisons: data.comparisons.into_iter().map(PairedResult::from).collect(),
            test: data.test.map(Paired::from),
        }
    }
}

impl From<Column> for ColumnData {
    fn from(column: Column) -> Self {
        ColumnData {
            metric: column.metric,
            title: column.title,
            signature: column.signature,
            higher_is_better: column.direction == Direction::HigherIsBetter,
            scale: if column.scale == Scale::One { 1 } else { 100 },
            cells: column.cells.into_iter().map(CellData::from).collect(),
        }
    }
}

impl From<ColumnData> for Column {
    fn from(data: ColumnData) -> Self {
        Column {
            metric: data.metric,
            title: data.title,
            signature: data.signature,
            direction: match data.higher_is_better {
                true => Direction::HigherIsBetter,
                false => Direction::LowerIsBetter,
            },
            scale: if data.scale == 1 { Scale::One } else { Scale::Hundred },
            cells: data.cells.into_iter().map(Cell::from).collect(),
        }
    }
}

fn pairs(components: Vec<Component>) -> Vec<(String, f64)> {
    components.into_iter().map(|component| (component.name, component.value)).collect()
}

fn components(pairs: Vec<(String, f64)>) -> Vec<Component> {
    pairs.into_iter().map(|(name, value)| Component::new(name, value)).collect()
}

impl From<Cell> for CellData {
    fn from(cell: Cell) -> Self {
        CellData {
            score: cell.score,
            interval: cell.interval.map(|Interval { mean, half_width, low, high }| IntervalData {
                mean,
                half_width,
                low,
                high,
            }),
            wins: cell.wins,
            components: pairs(cell.components),
            segments: cell.segments,
            segment_components: cell.segment_components.into_iter().map(pairs).collect(),
        }
    }
}

impl From<CellData> for Cell {
    fn from(data: CellData) -> Self {
        Cell {
            score: data.score,
            interval: data.interval.map(|IntervalData { mean, half_width, low, high }| Interval {
                mean,
                half_width,
                low,
                high,
            }),
            wins: data.wins,
            components: components(data.components),
            segments: data.segments,
            segment_components: data.segment_components.into_iter().map(components).collect(),
        }
    }
}

impl From<PairedResult> for ComparisonData {
    fn from(result: PairedResult) -> Self {
        ComparisonData {
            significant: result.is_significant(),
            column: result.column,
            system: result.system,
            baseline: result.baseline,
            delta: result.delta,
            p: result.p,
            adjusted: result.adjusted,
            differing: result.differing,
        }
    }
}

impl From<ComparisonData> for PairedResult {
    fn from(data: ComparisonData) -> Self {
        PairedResult {
            column: data.column,
            system: data.system,
            baseline: data.baseline,
            delta: data.delta,
            p: data.p,
            adjusted: data.adjusted,
            differing: data.differing,
        }
    }
}

impl From<Paired> for PairedData {
    fn from(paired: Paired) -> Self {
        PairedData {
            test: if paired.test == Test::Bootstrap { "bs" } else { "ar" }.to_owned(),
            samples: paired.resampling.samples,
            seed: paired.resampling.seed,
            baseline: match paired.pairs {
                Pairs::Against(baseline) => Some(baseline),
                Pairs::All => None,
            },
            holm: paired.holm,
        }
    }
}

impl From<PairedData> for Paired {
    fn from(data: PairedData) -> Self {
        Paired {
            test: if data.test == "bs" { Test::Bootstrap } else { Test::Randomisation },
            resampling: Resampling { samples: data.samples, seed: data.seed },
            pairs: data.baseline.map_or(Pairs::All, Pairs::Against),
            holm: data.holm,
        }
    }
}
