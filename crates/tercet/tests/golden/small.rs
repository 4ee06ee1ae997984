//! The small set inside the repository, `tests/golden_small`: our own sentences and what the real tools print for them.
//!
//! A file is a tool, and a test; see the README there.

use crate::inputs::Inputs;
use libtest_mimic::Trial;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tercet::metrics::{Metric, Tally};
use tercet::progress::Progress;
use tercet::scoring::significance::{EqualTrials, MetricTallies, Resampling, approximate_randomisation, bootstrap};
use tercet::statistics::correlation::{
    PairCounts, Term, Undefined, grouped, kendall_b, kendall_c, kendall_like, pearson, pearson_interval_fisher,
    spearman,
};
use tercet::statistics::{
    Grouping, Permutations, TieVariant, calibrate_ties, pairwise_p_values, soft_pairwise_accuracy,
};
use tercet::text::Tokenizer;

type Check = fn(&Value);

pub fn trials() -> Vec<Trial> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "tsv"));
    files.sort();
    assert!(files.len() > 10, "files of {}", folder().display());
    let tables = files.into_iter().map(|path| {
        let name = format!("small/{}", path.file_stem().unwrap().to_string_lossy());
        Trial::test(name, move || {
            table(&path);
            Ok(())
        })
    });
    let checks: [(&str, Check); 4] = [
        ("significance", significance),
        ("scipy", coefficients),
        ("mt_metrics_eval", meta_evaluation),
        ("moses", tokens),
    ];
    let rest = checks.into_iter().map(|(name, check)| {
        Trial::test(format!("small/{name}"), move || {
            check(&crate::inputs::json(&folder().join(format!("{name}.json"))));
            Ok(())
        })
    });
    tables.chain(rest).collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden_small")
}

/// The texts of these sets, `en de` or `all` or `en without 3 7`, of a system, with the first references.
fn inputs(sets: &str, system: &str, reference_count: usize) -> Inputs {
    let texts = crate::inputs::json(&folder().join("texts.json"));
    let (sets, left_out) = sets.split_once(" without ").unwrap_or((sets, ""));
    let is_chosen = |text: &&Value| sets == "all" || sets.split(' ').any(|set| text["set"] == set);
    let chosen = texts.as_array().unwrap().iter().filter(is_chosen).enumerate();
    let chosen = chosen.filter(|(i, _)| !left_out.split(' ').any(|number| number == i.to_string()));
    let (hypotheses, references) = chosen
        .map(|(_, text)| {
            let references = text["refs"].as_array().unwrap().iter().take(reference_count);
            (string(&text[system]), references.map(string).collect::<Vec<String>>())
        })
        .unzip();
    Inputs { hypotheses, references }
}

fn string(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// How close figures must be.
#[derive(Clone, Copy)]
struct Tolerance {
    absolute: f64,
    relative: f64,
    /// Our figure is this many times the tool's.
    scale: f64,
}

impl Tolerance {
    /// `# absolute 0 relative 1e-9 scale 1`
    fn read(line: &str) -> Self {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |i: usize| words[i].parse::<f64>().unwrap();
        Tolerance { absolute: number(2), relative: number(4), scale: number(6) }
    }

    /// What is wrong with our figure.
    fn check(self, ours: f64, printed: &str, what: &str) -> Option<String> {
        let theirs = self.scale * printed.parse::<f64>().unwrap();
        let allowed = self.absolute.max(self.relative * theirs.abs());
        let is_same = (ours - theirs).abs() <= allowed;
        (!is_same).then(|| format!("{what}: ours {ours:?}, theirs {theirs:?}"))
    }
}

/// A file of figures: metric, what is compared, texts, system, references, figure of the corpus, figures of segments.
fn table(path: &Path) {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines().skip(1);
    let tolerance = Tolerance::read(lines.next().unwrap());
    let (mut compared, mut wrong) = (0, Vec::new());
    let mut tallied: BTreeMap<String, (std::sync::Arc<dyn Metric>, Vec<Tally>)> = BTreeMap::new();
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let [metric, what, sets, system, count, corpus, segments] = cells[..] else { panic!("{line}") };
        let key = [metric, sets, system, count].join("\t");
        let (metric, tallies) = tallied.entry(key).or_insert_with(|| {
            let metric = tercet::registry().build(&with_paths(metric)).unwrap();
            let tallies = inputs(sets, system, count.parse().unwrap()).tallies(metric.as_ref());
            (metric, tallies)
        });
        let figure = |tally: &Tally, is_corpus: bool| match what {
            "score" if is_corpus => metric.score(tally),
            "score" => metric.segment_score(tally),
            _ => {
                let components = metric.components(tally);
                components.iter().find(|part| part.name == what).unwrap_or_else(|| panic!("{what}")).value
            }
        };
        let described = format!("{what} of {}, {sets}, {system}, {count} references", cells[0]);
        if corpus != "-" {
            let ours = figure(&Tally::sum(&*tallies), true);
            wrong.extend(tolerance.check(ours, corpus, &format!("{described}, corpus")));
            compared += 1;
        }
        if segments != "-" {
            let segments: Vec<&str> = segments.split(' ').collect();
            assert_eq!(segments.len(), tallies.len(), "{described}");
            for (i, (printed, tally)) in segments.iter().zip(tallies.iter()).enumerate() {
                let ours = figure(tally, false);
                wrong.extend(tolerance.check(ours, printed, &format!("{described}, segment {i}")));
                compared += 1;
            }
        }
    }
    assert!(compared > 4, "only {compared} figures");
    let first = &wrong[..wrong.len().min(20)];
    assert!(wrong.is_empty(), "{} of {compared} figures differ:\n{}", wrong.len(), first.join("\n"));
}

/// A metric whose files are in `resources/`.
fn with_paths(metric: &str) -> String {
    let resources = folder().join("resources");
    let with_path = |option: &str| match option.split_once('=') {
        Some((key, file)) if file.ends_with(".txt") || file.ends_with(".param") => {
            format!("{key}={}", resources.join(file).display())
        }
        _ => option.to_owned(),
    };
    let (name, options) = metric.split_once(':').unwrap_or((metric, ""));
    let options: Vec<String> = options.split(',').map(with_path).collect();
    format!("{name}:{}", options.join(",")).trim_end_matches(':').to_owned()
}

/// sacreBLEU's intervals and paired tests, seeded: the same numbers.
fn significance(golden: &Value) {
    let metrics = ["bleu", "chrf++", "ter"];
    let all = inputs("en", "hyp", 3);
    let references = |hypotheses: Vec<String>| {
        let references = all.references.iter().map(|references| vec![references[1].clone()]);
        Inputs { hypotheses, references: references.collect() }
    };
    let systems = [
        references(all.hypotheses.clone()),
        references(inputs("en", "other", 3).hypotheses),
        references(all.references.iter().map(|references| references[2].clone()).collect()),
    ];
    let built = metrics.map(|metric| tercet::registry().build(metric).unwrap());
    let tallies: Vec<Vec<Vec<Tally>>> =
        built.iter().map(|metric| systems.iter().map(|system| system.tallies(metric.as_ref())).collect()).collect();
    let measured: Vec<MetricTallies<'_>> = built
        .iter()
        .zip(&tallies)
        .map(|(metric, systems)| MetricTallies {
            metric: metric.as_ref(),
            systems: systems.iter().map(Vec::as_slice).collect(),
        })
        .collect();
    let same = |ours: f64, theirs: &Value, what: &str| {
        assert_eq!(ours, theirs.as_f64().unwrap_or_else(|| panic!("{what}: {theirs}")), "{what}");
    };
    let resampling =
        |test: &Value| Resampling { samples: test["samples"].as_u64().unwrap() as usize, seed: Some(12345) };
    let test = &golden["tests"]["bs"];
    let results = bootstrap(&measured, &resampling(test), Progress::none()).unwrap();
    for (name, result) in metrics.iter().zip(&results) {
        for system in 0..systems.len() {
            let (theirs, interval) = (&test[name][system], result.interval(system));
            let what = format!("bootstrap of {name}, system {system}");
            same(result.scores[system], &theirs["score"], &what);
            same(interval.mean, &theirs["mean"], &what);
            same(interval.half_width, &theirs["ci"], &what);
            if system > 0 {
                same(result.compare(0, system).p_value, &theirs["p_value"], &what);
            }
        }
    }
    let test = &golden["tests"]["ar"];
    let pairs = [(0, 1), (0, 2)];
    let results =
        approximate_randomisation(&measured, &pairs, &resampling(test), EqualTrials::LeftOut, Progress::none());
    for (name, comparisons) in metrics.iter().zip(&results.unwrap()) {
        for ((_, system), comparison) in pairs.iter().zip(comparisons) {
            same(comparison.p_value, &test[name][system]["p_value"], &format!("randomisation of {name}"));
        }
    }
}

fn numbers(values: &Value) -> Vec<f64> {
    values.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
}

/// To 1e-12, a p-value relative to itself.
fn near(ours: [f64; 2], theirs: &Value, what: &str) {
    let theirs = numbers(theirs);
    let is_near = (ours[0] - theirs[0]).abs() <= 1e-12 && (ours[1] - theirs[1]).abs() <= 1e-12 * theirs[1].abs();
    assert!(is_near, "{what}: ours {ours:?}, theirs {theirs:?}");
}

fn coefficients(golden: &Value) {
    let human = numbers(&golden["human"]);
    for name in ["scores", "other"] {
        let scores = numbers(&golden[name]);
        for (key, ours) in [
            ("pearson", pearson(&human, &scores)),
            ("spearman", spearman(&human, &scores)),
            ("kendall_b", kendall_b(&human, &scores)),
            ("kendall_c", kendall_c(&human, &scores)),
        ] {
            near([ours.value, ours.p], &golden[format!("{key} {name}")], key);
        }
        let ours = pearson_interval_fisher(pearson(&human, &scores).value, human.len(), 0.95);
        near([ours.low, ours.high], &golden[format!("pearson_interval {name}")], "interval");
    }
}

fn meta_evaluation(golden: &Value) {
    let systems = golden["systems"].as_u64().unwrap() as usize;
    let (gold, metric) = (numbers(&golden["gold"]), numbers(&golden["metric"]));
    let judgements: Vec<Option<f64>> = gold.iter().copied().map(Some).collect();
    for (name, grouping) in [("none", Grouping::None), ("sys", Grouping::System), ("item", Grouping::Item)] {
        let average = |coefficient: &dyn Fn(&[f64], &[f64]) -> Term| {
            let found = grouped(grouping, systems, &judgements, &metric, Undefined::LeftOut, coefficient);
            [found.value, found.p]
        };
        let ties = |variant: TieVariant| {
            let found = calibrate_ties(grouping, systems, &judgements, &metric, variant).unwrap();
            [found.value, found.threshold]
        };
        for (key, ours) in [
            ("pearson", average(&|x, y| pearson(x, y).into())),
            ("kendall_b", average(&|x, y| kendall_b(x, y).into())),
            ("kendall_like", average(&|x, y| kendall_like(x, y, 1.0).into())),
            ("acc_23", average(&|x, y| PairCounts::new(x, y, 0.0).acc_23().into())),
            ("ties_acc_23", ties(TieVariant::Acc23)),
            ("ties_tau_23", ties(TieVariant::Tau23)),
        ] {
            near(ours, &golden[format!("{key} {name}")], &format!("{key} {name}"));
        }
    }
    for name in ["gold", "metric", "other"] {
        let rows = golden[format!("p_values {name}")].as_array().unwrap();
        let theirs = rows.iter().flat_map(|row| row.as_array().unwrap().iter().filter_map(Value::as_f64));
        let scores = numbers(&golden[name]);
        let ours = pairwise_p_values(systems, &scores, Permutations::default());
        assert_eq!(ours, theirs.collect::<Vec<f64>>(), "p-values of {name}");
        if name != "gold" {
            let ours = soft_pairwise_accuracy(systems, &judgements, &scores, Permutations::default());
            let theirs = golden[format!("soft_pairwise_accuracy {name}")].as_f64().unwrap();
            assert!((ours - theirs).abs() <= 1e-12, "{ours} {theirs}");
        }
    }
}

/// Moses' tokenizer, with abbreviations that both have.
fn tokens(golden: &Value) {
    for language in golden["tokens"].as_array().unwrap() {
        let tokenizer = Tokenizer::from_name(language["tokenizer"].as_str().unwrap()).unwrap();
        for pair in language["lines"].as_array().unwrap() {
            let line = pair[0].as_str().unwrap();
            let ours = tokenizer.tokenize(line);
            assert_eq!(ours.trim_end(), pair[1].as_str().unwrap().trim_end(), "{line:?} {}", language["tokenizer"]);
        }
    }
}
