//! Evaluates systems and formats the results.

use super::failure::Failure;
use super::number;
use super::settings::{Format, Settings};
use std::env;
use std::sync::Arc;
use tercet::metrics::Registry;
use tercet::metrics::{Metric, SacrebleuRun, Tally, sacrebleu_signature};
use tercet::progress::Progress;
use tercet::report::sacrebleu::{self as report, PairedTest, ScoreLine, SystemTable, TableCell};
use tercet::scoring::significance::{EqualTrials, MetricTallies, Resampling, approximate_randomisation, bootstrap};
use tercet::scoring::{Corpus, System, SystemTallies, tally};
use tercet::text::Tokenizer;

/// Maximum number of decimals that Rust can print.
const MAX_DECIMALS: i64 = 60_000;

/// The requested metrics, each once, in the order of printing.
pub fn metrics(settings: &Settings, registry: &Registry) -> Result<Vec<Arc<dyn Metric>>, Failure> {
    let mut names: Vec<&str> = Vec::new();
    for name in settings.metrics() {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if settings.paired_test().is_none() {
        names.sort_unstable();
    }
    if names.contains(&"bleu") {
        check_dictionary(settings.tokenizer(), registry)?;
    }
    let built = names.iter().map(|name| Ok(registry.build(&settings.metric(name))?));
    built.collect()
}

/// Returns an error for a dictionary that sacreBLEU does not accept: its signatures name the dictionary without a hash.
fn check_dictionary(tokenizer: &str, registry: &Registry) -> Result<(), Failure> {
    match Tokenizer::open(tokenizer, None, registry.context())? {
        Tokenizer::WithModel(tokenizer) if !tokenizer.is_accepted_by_sacrebleu() => {
            Err(Failure::new(format!("{tokenizer:?} is not the dictionary that sacreBLEU uses.")))
        }
        _ => Ok(()),
    }
}

/// Systems and their statistics.
pub struct Evaluation<'a> {
    settings: &'a Settings,
    metrics: &'a [Arc<dyn Metric>],
    systems: Vec<String>,
    references: String,
    /// By metric, system and segment.
    tallies: Vec<SystemTallies>,
}

impl<'a> Evaluation<'a> {
    /// Computes all statistics. `references` are by stream, then line.
    pub fn new(
        settings: &'a Settings,
        metrics: &'a [Arc<dyn Metric>],
        systems: Vec<System<'_>>,
        references: &[Vec<&str>],
    ) -> Result<Self, Failure> {
        let segments = systems[0].hypotheses.len();
        let by_segment = (0..segments).map(|i| references.iter().map(|stream| stream[i]).collect());
        let corpus = Corpus::new(systems, by_segment.collect())?;
        let (_, tallies) = tally(&corpus, metrics, Progress::none())?;
        Ok(Evaluation {
            settings,
            metrics,
            systems: corpus.systems().iter().map(|system| system.name.clone()).collect(),
            references: corpus.reference_count().to_string(),
            tallies,
        })
    }

    /// A line per sentence.
    pub fn sentences(&self) -> Result<String, Failure> {
        let (width, score_only) = (self.width()?, self.settings.has("--score-only"));
        let signature = self.signature(0, self.run(), self.settings.has("--short"));
        let lines = self.tallies[0][0].iter().map(|tally| {
            let line = self.line(0, tally, signature.clone(), None);
            report::sentence(&line, width, score_only)
        });
        Ok(lines.collect())
    }

    /// The scores of one system.
    pub fn single(&self) -> Result<String, Failure> {
        let (width, score_only) = (self.width()?, self.settings.has("--score-only"));
        let detail = self.settings.has("--detail");
        let json = self.settings.format == Format::Json && !detail;
        let (intervals, run) = self.intervals()?;
        let lines: Vec<ScoreLine> = (0..self.metrics.len())
            .map(|metric| {
                let signature = self.signature(metric, run.clone(), self.settings.has("--short") && !json);
                let total = Tally::sum_in_order(&self.tallies[metric][0]);
                self.line(metric, &total, signature, intervals.get(metric).copied())
            })
            .collect();
        let mut printed = if json {
            report::json(&lines, width, score_only)
        } else {
            report::text(&lines, width, score_only, self.settings.palette())
        };
        if detail {
            printed.push_str("No subset information found. Consider using --origlang argument.\n");
        }
        Ok(printed)
    }

    /// Mean and half width of the interval of each metric, if requested.
    fn intervals(&self) -> Result<(Vec<(f64, f64)>, SacrebleuRun), Failure> {
        let resamples = usize::try_from(self.settings.integer("--confidence-n", 1000)).unwrap_or_default();
        if !self.settings.has("--confidence") || resamples <= 1 {
            return Ok((Vec::new(), self.run()));
        }
        let (seed, written) = seed()?;
        let results = bootstrap(&self.measured(), &Resampling { samples: resamples, seed }, Progress::none())?;
        let intervals = results.iter().map(|result| result.exact_interval(0));
        let run = SacrebleuRun { resamples: Some(resamples), seed: Some(written), ..self.run() };
        Ok((intervals.map(|interval| (interval.mean, interval.half_width)).collect(), run))
    }

    /// The scores of several systems.
    pub fn table(&self) -> Result<String, Failure> {
        let test = self.settings.paired_test();
        let (cells, run) = match test {
            None => (self.plain_cells(), self.run()),
            Some(test) => self.tested_cells(test)?,
        };
        let metrics = cells.into_iter().enumerate().map(|(metric, cells)| {
            let signature = self.signature(metric, run.clone(), self.settings.has("--short"));
            (self.metrics[metric].title(), signature, cells)
        });
        let table = SystemTable { systems: self.systems.clone(), metrics: metrics.collect(), test };
        match self.settings.format {
            // Scores with a test are written with all digits, regardless of --width.
            Format::Json if test.is_some() && !self.settings.has("--detail") => Ok(table.json(0)),
            Format::Json if !self.settings.has("--detail") => Ok(table.json(self.width()?)),
            Format::Json => Ok(table.draw(report::Style::Text, self.width()?, self.settings.palette())),
            Format::Drawn(style) => Ok(table.draw(style, self.width()?, self.settings.palette())),
        }
    }

    /// By metric, then system.
    fn plain_cells(&self) -> Vec<Vec<TableCell>> {
        let cell = |score| TableCell { score, p_value: None, interval: None };
        let measured = self.measured();
        let scores = measured.iter().map(MetricTallies::scores_in_order);
        scores.map(|scores| scores.into_iter().map(cell).collect()).collect()
    }

    /// The same with the results of a paired test against the first system.
    fn tested_cells(&self, test: PairedTest) -> Result<(Vec<Vec<TableCell>>, SacrebleuRun), Failure> {
        let (seed, _) = seed()?;
        let mut run =
            SacrebleuRun { seed: Some(seed.map_or_else(|| "none".to_owned(), |seed| seed.to_string())), ..self.run() };
        let resampling = |given: i64, default| Resampling {
            samples: usize::try_from(given).ok().filter(|&given| given > 0).unwrap_or(default),
            seed,
        };
        let mut cells = self.plain_cells();
        match test {
            PairedTest::Bootstrap(given) => {
                let resampling = resampling(given, 1000);
                run.resamples = Some(resampling.samples);
                for (cells, result) in cells.iter_mut().zip(bootstrap(&self.measured(), &resampling, Progress::none())?)
                {
                    for (system, cell) in cells.iter_mut().enumerate() {
                        let interval = result.interval(system);
                        cell.interval = Some((interval.mean, interval.half_width));
                        cell.p_value = (system > 0).then(|| result.compare(0, system).p_value);
                    }
                }
            }
            PairedTest::Randomisation(given) => {
                let resampling = resampling(given, 10_000);
                run.trials = Some(resampling.samples);
                let pairs: Vec<(usize, usize)> = (1..self.systems.len()).map(|system| (0, system)).collect();
                let results = approximate_randomisation(
                    &self.measured(),
                    &pairs,
                    &resampling,
                    EqualTrials::LeftOut,
                    Progress::none(),
                )?;
                for (cells, comparisons) in cells.iter_mut().zip(results) {
                    for (cell, comparison) in cells.iter_mut().skip(1).zip(comparisons) {
                        cell.p_value = Some(comparison.p_value);
                    }
                }
            }
        }
        Ok((cells, run))
    }

    fn measured(&self) -> Vec<MetricTallies<'_>> {
        let by_metric = self.metrics.iter().zip(&self.tallies);
        by_metric
            .map(|(metric, systems)| MetricTallies {
                metric: metric.as_ref(),
                systems: systems.iter().map(Vec::as_slice).collect(),
            })
            .collect()
    }

    fn line(&self, metric: usize, total: &Tally, signature: String, interval: Option<(f64, f64)>) -> ScoreLine {
        let metric = &self.metrics[metric];
        ScoreLine {
            name: metric.title(),
            score: metric.score(total),
            interval,
            verbose: metric.sacrebleu().and_then(|metric| metric.verbose(total)),
            signature,
        }
    }

    fn signature(&self, metric: usize, run: SacrebleuRun, short: bool) -> String {
        let signature = self.metrics[metric].signature();
        sacrebleu_signature(&signature, &run, short).unwrap_or_else(|| signature.to_string())
    }

    fn run(&self) -> SacrebleuRun {
        SacrebleuRun { references: self.references.clone(), ..SacrebleuRun::default() }
    }

    fn width(&self) -> Result<usize, Failure> {
        let asked = self.settings.integer("--width", 1);
        let possible = usize::try_from(asked).ok().filter(|_| asked <= MAX_DECIMALS);
        possible.ok_or_else(|| Failure::new(format!("a score cannot have {asked} decimals (set -w)")))
    }
}

/// The seed of `SACREBLEU_SEED`, and its text.
fn seed() -> Result<(Option<u64>, String), Failure> {
    let written = env::var("SACREBLEU_SEED").unwrap_or_else(|_| "12345".to_owned());
    if written.to_lowercase() == "none" {
        return Ok((None, "none".to_owned()));
    }
    let seed = number::integer(&written).filter(|seed| *seed < i64::MAX).and_then(|seed| u64::try_from(seed).ok());
    match seed {
        Some(seed) => Ok((Some(seed), written.to_lowercase())),
        None => Err(Failure::new(format!(
            "SACREBLEU_SEED should be a whole number from 0 to 2^63 - 2, or none, not `{written}`"
        ))),
    }
}
