//! Intervals and paired tests of tallies.

use crate::metrics::{Metric, read_rows};
use crate::work::run;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;
use tercet::metrics::Tally;
use tercet::scoring::significance::{
    EqualTrials, MetricTallies, Resampling, approximate_randomisation, bootstrap_after_trials,
};

/// One system: score, mean and half width of the interval (as in paired tests, and with an exact mean), p-value against
/// the first system.
type Resampled = (f64, (f64, f64), (f64, f64), Option<f64>);

fn read(py: Python<'_>, systems: &[Bound<'_, PyBytes>], width: usize) -> PyResult<Vec<Vec<Tally>>> {
    systems.iter().map(|rows| read_rows(py, rows.as_bytes(), width)).collect()
}

/// Bootstrap resampling of systems by one metric; `draws` are the number of resamples, their seed, and the number of
/// trials of approximate randomisation whose tosses are drawn before them.
#[pyfunction]
#[pyo3(signature = (metric, systems, width, draws, progress=None))]
fn bootstrap(
    py: Python<'_>,
    metric: &Metric,
    systems: Vec<Bound<'_, PyBytes>>,
    width: usize,
    draws: (usize, Option<u64>, usize),
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Resampled>> {
    let (systems, (samples, seed, trials)) = (read(py, &systems, width)?, draws);
    let metric = Arc::clone(&metric.named.metric);
    run(py, progress, move |progress| {
        let measured = MetricTallies { metric: metric.as_ref(), systems: systems.iter().map(Vec::as_slice).collect() };
        let resampling = Resampling { samples, seed };
        let found = bootstrap_after_trials(&[measured], &resampling, trials, progress)?;
        let of_system = |system: usize| {
            let (interval, exact) = (found[0].interval(system), found[0].exact_interval(system));
            let p_value = (system > 0).then(|| found[0].compare(0, system).p_value);
            (found[0].scores[system], (interval.mean, interval.half_width), (exact.mean, exact.half_width), p_value)
        };
        Ok((0..systems.len()).map(of_system).collect())
    })
}

/// The p-value of each system but the first against the first, by sacreBLEU's approximate randomisation.
#[pyfunction]
#[pyo3(signature = (metric, systems, width, samples, seed, progress=None))]
fn randomisation(
    py: Python<'_>,
    metric: &Metric,
    systems: Vec<Bound<'_, PyBytes>>,
    width: usize,
    samples: usize,
    seed: Option<u64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<f64>> {
    let systems = read(py, &systems, width)?;
    let metric = Arc::clone(&metric.named.metric);
    run(py, progress, move |progress| {
        let measured = MetricTallies { metric: metric.as_ref(), systems: systems.iter().map(Vec::as_slice).collect() };
        let pairs: Vec<(usize, usize)> = (1..systems.len()).map(|system| (0, system)).collect();
        let resampling = Resampling { samples, seed };
        let found = approximate_randomisation(&[measured], &pairs, &resampling, EqualTrials::LeftOut, progress)?;
        Ok(found[0].iter().map(|result| result.p_value).collect())
    })
}

/// The scores of systems, from tallies that are summed in the order of the segments, as in sacreBLEU.
#[pyfunction]
fn corpus_scores(
    py: Python<'_>,
    metric: &Metric,
    systems: Vec<Bound<'_, PyBytes>>,
    width: usize,
) -> PyResult<Vec<f64>> {
    let systems = read(py, &systems, width)?;
    let score = |tallies: &Vec<Tally>| metric.named.metric.score(&Tally::sum_in_order(tallies));
    Ok(py.detach(|| systems.iter().map(score).collect()))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(bootstrap, module)?)?;
    module.add_function(wrap_pyfunction!(randomisation, module)?)?;
    module.add_function(wrap_pyfunction!(corpus_scores, module)?)
}
