//! Systems that people have judged, and the differences of their scores.

use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use tercet::corpora::{Judgements, Outcome, find_judgements, is_human, read_lines};
use tercet::meta_evaluation::JudgedSet;
use tercet::metrics::{Metric, NamedMetric, Tally, Target};
use tercet::progress::Progress;
use tercet::scoring::{Outputs, tally_outputs};
use tercet::statistics::random::Generator;
use tercet::text::Language;

/// The sizes of test sets that are drawn.
const SIZES: [usize; 5] = [50, 100, 200, 400, 1000];

/// Blocks of segments of the jackknife.
const BLOCKS: usize = 50;

/// The seed of the drawn segments.
const SEED: u64 = 12345;

/// Systems that were judged together.
pub struct Campaign {
    /// The set: a year.
    pub set: String,
    /// The language pair.
    pub pair: String,
    systems: Vec<String>,
    /// The number of each segment that has a name.
    segments: BTreeMap<String, usize>,
    references: Vec<String>,
    /// The output of a system for a segment.
    outputs: BTreeMap<(usize, usize), String>,
    /// By how much people prefer the first of two systems to the second; only the sign counts.
    people: BTreeMap<(usize, usize), f64>,
}

/// Two systems on a test set.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The number of the campaign.
    pub campaign: usize,
    /// The set.
    pub set: String,
    /// What the systems translate into.
    pub target: Target,
    /// The difference of the scores, without its sign.
    pub difference: f64,
    /// The number of segments.
    pub segments: usize,
    /// Whether these are all segments.
    pub is_whole: bool,
    /// Whether the difference is significant.
    pub is_significant: bool,
    /// 1 if people prefer the system with the better score, 0 if the other one, ½ for ties.
    pub agrees: f64,
    /// The weight of the pair.
    pub weight: f64,
}

/// All campaigns of the folders that are there.
pub fn read(data: &Path) -> tercet::Result<Vec<Campaign>> {
    let mut found = Vec::new();
    let ranked = ["wmt12-rr", "wmt13-rr", "wmt14-rr", "wmt15-rr", "wmt16-rr", "wmt16-it-rr"];
    for set in ranked {
        for folder in [data.join(set), data.join("from-english").join(set)] {
            if folder.is_dir() {
                add_rankings(set, &folder, &mut found)?;
            }
        }
    }
    let judged = data.join("judged");
    add_scores(&judged.join("mqm20-21"), &|segment| format!("mqm-{}", segment.split(':').next().unwrap()), &mut found)?;
    add_scores(&judged.join("bio-mqm"), &|_| "mqm-bio".to_owned(), &mut found)?;
    add_scores(&judged.join("wmt21-da"), &|_| "wmt21-da".to_owned(), &mut found)?;
    add_pairs("wmt19-darr", &data.join("wmt19-darr"), &mut found)?;
    // The references of this set belong to other segments: see the README of the data.
    found.retain(|campaign| (campaign.set.as_str(), campaign.pair.as_str()) != ("mqm-newstest2021", "en-de"));
    Ok(found)
}

/// Relative rankings.
fn add_rankings(set: &str, folder: &Path, found: &mut Vec<Campaign>) -> tercet::Result<()> {
    for source in find_judgements(folder)? {
        let judgements: Judgements = source.read()?;
        let judged = JudgedSet::new(&judgements, &[], false)?;
        let references = judged.reference_lines()?;
        let mut campaign = Campaign::new(set, &judgements.pair);
        campaign.systems.clone_from(&judgements.systems);
        campaign.references =
            references.iter().map(|lines| lines.first().copied().unwrap_or_default().to_owned()).collect();
        for system in 0..judged.systems() {
            let output = |segment: usize| Some(((system, segment), judged.output(system, segment)?.to_owned()));
            campaign.outputs.extend((0..judged.segments()).filter_map(output));
        }
        for comparison in &judgements.comparisons {
            match comparison.outcome {
                Outcome::First => campaign.add_win(comparison.first, comparison.second),
                Outcome::Second => campaign.add_win(comparison.second, comparison.first),
                Outcome::Tie => {}
            }
        }
        found.push(campaign);
    }
    Ok(())
}

/// The score of each output of a campaign.
type Scores = BTreeMap<(usize, usize), f64>;

/// Tables of judged outputs, `PAIR.tsv.gz`.
fn add_scores(folder: &Path, set: &dyn Fn(&str) -> String, found: &mut Vec<Campaign>) -> tercet::Result<()> {
    let Ok(files) = std::fs::read_dir(folder) else { return Ok(()) };
    let mut files: Vec<_> = files.flatten().map(|file| file.path()).collect();
    files.sort();
    for path in files {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let Some(pair) = name.strip_suffix(".tsv.gz").filter(|pair| !pair.contains('.')) else { continue };
        let mut of_file: BTreeMap<String, (Campaign, Scores)> = BTreeMap::new();
        for row in rows(&path)? {
            let [segment, system, score, reference, output] =
                ["seg", "system", "score", "reference", "hypothesis"].map(|field| row[field].as_str());
            let is_system = !is_human(system) && !system.starts_with("reference");
            if !is_system || reference.is_empty() || output.is_empty() {
                continue;
            }
            let set = set(segment);
            let (campaign, scores) =
                of_file.entry(set.clone()).or_insert_with(|| (Campaign::new(&set, pair), BTreeMap::new()));
            let place = campaign.add_output(system, segment, reference, output);
            scores.insert(place, score.parse().expect("a number"));
        }
        for (mut campaign, scores) in of_file.into_values() {
            campaign.judge_by(&scores);
            found.push(campaign);
        }
    }
    Ok(())
}

/// Pairs of outputs of which one is better.
fn add_pairs(set: &str, folder: &Path, found: &mut Vec<Campaign>) -> tercet::Result<()> {
    for pair in ["gu-en", "kk-en", "lt-en"] {
        let path = folder.join(format!("pairs.{pair}.tsv.gz"));
        if !path.is_file() {
            continue;
        }
        let mut campaign = Campaign::new(set, pair);
        for row in rows(&path)? {
            let [source, reference] = ["source", "reference"].map(|field| row[field].as_str());
            let segment = format!("{source}\t{reference}");
            let mut add =
                |system: &str, output: &str| campaign.add_output(&row[system], &segment, reference, &row[output]).0;
            let (better, worse) = (add("better_system", "better"), add("worse_system", "worse"));
            campaign.add_win(better, worse);
        }
        found.push(campaign);
    }
    Ok(())
}

/// The rows of a table without quotation marks of CSV, with the fields by name.
fn rows(path: &Path) -> tercet::Result<Vec<BTreeMap<String, String>>> {
    let lines = read_lines(path)?;
    let mut lines = lines.iter();
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let row =
        |line: &str| header.iter().map(|name| (*name).to_owned()).zip(line.split('\t').map(str::to_owned)).collect();
    Ok(lines.map(row).collect())
}

impl Campaign {
    fn new(set: &str, pair: &str) -> Self {
        Campaign {
            set: set.to_owned(),
            pair: pair.to_owned(),
            systems: Vec::new(),
            segments: BTreeMap::new(),
            references: Vec::new(),
            outputs: BTreeMap::new(),
            people: BTreeMap::new(),
        }
    }

    fn add_win(&mut self, better: usize, worse: usize) {
        let (pair, sign) = if better < worse { ((better, worse), 1.0) } else { ((worse, better), -1.0) };
        *self.people.entry(pair).or_default() += sign;
    }

    /// Adds an output and returns its system and segment.
    fn add_output(&mut self, system: &str, segment: &str, reference: &str, output: &str) -> (usize, usize) {
        let system = place(&mut self.systems, system);
        let segments = self.segments.len();
        let segment = *self.segments.entry(segment.to_owned()).or_insert(segments);
        if segment == segments {
            self.references.push(reference.to_owned());
        }
        self.outputs.insert((system, segment), output.to_owned());
        (system, segment)
    }

    /// People prefer the system with the higher mean score on the segments that have scores of both.
    fn judge_by(&mut self, scores: &BTreeMap<(usize, usize), f64>) {
        for first in 0..self.systems.len() {
            for second in first + 1..self.systems.len() {
                let difference =
                    |segment: usize| Some(scores.get(&(first, segment))? - scores.get(&(second, segment))?);
                let differences: Vec<f64> = (0..self.references.len()).filter_map(difference).collect();
                if !differences.is_empty() {
                    self.people.insert((first, second), differences.iter().sum());
                }
            }
        }
    }

    /// The pairs of systems by a metric; `number` is that of the campaign.
    pub fn compare(&self, number: usize, named: &NamedMetric) -> tercet::Result<Vec<Comparison>> {
        let references: Vec<Vec<&str>> = self.references.iter().map(|line| vec![line.as_str()]).collect();
        let output = |system: usize, segment: usize| self.outputs.get(&(system, segment)).map(String::as_str);
        let outputs = Outputs { references: &references, sources: None, systems: self.systems.len(), output: &output };
        let (prepared, tallies) = tally_outputs(&outputs, &[Arc::clone(&named.metric)], Progress::none())?;
        let order = drawn_order(references.len());
        let language = Language::target(&self.pair).ok();
        let target = Target::from(language.as_ref());
        let of_pair = |(&(first, second), &people): (&(usize, usize), &f64)| {
            let systems = [&tallies[0][first], &tallies[0][second]];
            let sizes = differences(prepared[0].as_ref(), systems, &order);
            let comparison = |found: Difference| Comparison {
                campaign: number,
                set: self.set.clone(),
                target,
                difference: found.difference.abs(),
                segments: found.segments,
                is_whole: found.is_whole,
                is_significant: (found.difference / found.error).abs() > 1.96,
                agrees: match people * found.difference {
                    sign if sign > 0.0 => 1.0,
                    sign if sign < 0.0 => 0.0,
                    _ => 0.5,
                },
                weight: 2.0 / self.systems.len() as f64,
            };
            sizes.into_iter().map(comparison).collect::<Vec<_>>()
        };
        let pairs: Vec<_> = self.people.iter().collect();
        Ok(pairs.into_par_iter().flat_map_iter(of_pair).collect())
    }
}

fn place(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

/// The segments in a random order.
fn drawn_order(segments: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..segments).collect();
    let mut generator = Generator::new(Some(SEED));
    for i in (1..segments).rev() {
        order.swap(i, generator.below(i as u64 + 1) as usize);
    }
    order
}

/// The difference of two systems' scores, positive if the first is better.
struct Difference {
    difference: f64,
    /// Its standard error.
    error: f64,
    segments: usize,
    is_whole: bool,
}

/// The sums of both systems' tallies.
type Sums = [Vec<f64>; 2];

/// The differences on the first of the segments that both systems have, and on all of them.
fn differences(metric: &dyn Metric, systems: [&Vec<Option<Tally>>; 2], order: &[usize]) -> Vec<Difference> {
    let both = |segment: &usize| Some([systems[0][*segment].as_ref()?, systems[1][*segment].as_ref()?]);
    let common: Vec<[&Tally; 2]> = order.iter().filter_map(both).collect();
    let width = common.first().map_or(0, |tallies| tallies[0].len());
    let empty: Sums = [vec![0.0; width], vec![0.0; width]];
    let sign = metric.direction().sign();
    let score = |counts: &[f64]| metric.score(&Tally::new(counts.to_vec()));
    let difference = |sums: &Sums| sign * (score(&sums[0]) - score(&sums[1]));
    let mut blocks = vec![empty.clone(); BLOCKS];
    let mut found = Vec::new();
    for (i, tallies) in common.iter().enumerate() {
        add(&mut blocks[i % BLOCKS], 1.0, [&tallies[0][..], &tallies[1][..]]);
        let segments = i + 1;
        let is_whole = segments == common.len();
        if segments < SIZES[0] || !(is_whole || SIZES.contains(&segments)) {
            continue;
        }
        let mut all = empty.clone();
        blocks.iter().for_each(|block| add(&mut all, 1.0, [&block[0][..], &block[1][..]]));
        let without = |block: &Sums| {
            let mut rest = all.clone();
            add(&mut rest, -1.0, [&block[0][..], &block[1][..]]);
            difference(&rest)
        };
        let parts: Vec<f64> = blocks.iter().map(without).collect();
        let mean = parts.iter().sum::<f64>() / BLOCKS as f64;
        let squares: f64 = parts.iter().map(|part| (part - mean).powi(2)).sum();
        let error = (squares * (BLOCKS - 1) as f64 / BLOCKS as f64).sqrt().max(f64::MIN_POSITIVE);
        found.push(Difference { difference: difference(&all), error, segments, is_whole });
    }
    found
}

fn add(sums: &mut Sums, factor: f64, counts: [&[f64]; 2]) {
    for (sums, counts) in sums.iter_mut().zip(counts) {
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += factor * count);
    }
}
