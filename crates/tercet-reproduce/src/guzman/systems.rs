//! The article's systems by name: 4METRICS, BLEUCOMP, with vectors or without, at both sizes of training.

use super::experiment::{Experiment, Task, TestSetup, Vectors, WordChoice};
use super::experiment_cache::needs_vectors;
use super::plan::{Shown, language_cells};
use super::sets::SetName;
use super::settings::PER_LANGUAGE;
use crate::plan::CellGroup;
use crate::published::PublishedRow;
use crate::{ReproduceJob, TrainingSize, VectorFile};
use tercet::choice::Choice;
use tercet::learned::Feature;
use tercet::metrics::pairwise::FOUR_METRICS;
use tercet_learn::networks::{Architecture, Cost};
use tercet_learn::optimizer::OptimizerSettings;

/// Learned from unless said otherwise.
pub(super) const WMT13: &[SetName] = &[SetName::Wmt13];

/// Without it rows that are built on the full system go on.
pub(super) const WITHOUT_SYNTAX: &str = "without SYNTAX25";

/// A network as it is put together, and what it lacks.
#[derive(Clone, Debug)]
pub(super) struct PlannedNetwork {
    pub(super) experiment: Experiment,
    pub(super) missing: Option<String>,
    pub(super) note: Option<String>,
}

/// METEOR as it is: with its paraphrase table if there is one.
pub(super) fn meteor(settings: &ReproduceJob) -> String {
    settings.with_paraphrases("meteor", "paraphrase")
}

/// The article's TER: TERp-A as Asiya runs it, with a table of paraphrases if there is one. Plain TER gives 16% of the
/// pairs equal scores, and its τ is 6 in place of 22.
pub(super) fn terp(settings: &ReproduceJob) -> String {
    settings.with_paraphrases("terp-a", "phrases")
}

/// 4METRICS.
pub(super) fn four_metrics(settings: &ReproduceJob) -> Vec<Feature> {
    let metric = |name: &&str| match *name {
        "meteor" => meteor(settings),
        PLAIN_TER => terp(settings),
        other => other.to_owned(),
    };
    FOUR_METRICS.iter().map(|name| Feature::score(&metric(name))).collect()
}

/// TER among the metrics of a network that is trained without further choice.
pub(super) const PLAIN_TER: &str = FOUR_METRICS[2];

impl PlannedNetwork {
    /// A network over these features, tested on WMT12; logistic regression until it is given vectors.
    pub(super) fn new(settings: &ReproduceJob, features: Vec<Feature>) -> Self {
        let experiment = Experiment {
            features,
            vectors: Vec::new(),
            cosines: Vec::new(),
            words: None,
            architecture: Architecture::Single,
            cost: Cost::Logistic,
            optimizer: OptimizerSettings::default(),
            train: WMT13,
            size: Some(PER_LANGUAGE),
            limits: settings.ready(),
            test: TestSetup::WMT12,
        };
        PlannedNetwork { experiment, missing: None, note: None }
    }

    /// The network whose features and vectors are in its name, with `+` between them.
    pub(super) fn named(settings: &ReproduceJob, name: &str) -> Self {
        name.split('+').fold(PlannedNetwork::new(settings, Vec::new()), |mut recipe, part| {
            let file = VectorFile::from_name(&part.to_lowercase());
            match part {
                "4METRICS" => recipe.experiment.features.extend(four_metrics(settings)),
                "BLEU" => recipe.experiment.features.push(Feature::score(FOUR_METRICS[0])),
                "BLEUCOMP" => recipe.experiment.features.push(Feature::components(FOUR_METRICS[0])),
                "CHRF" => recipe.experiment.features.push(Feature::score("chrf")),
                "SYNTAX25" => return recipe.syntax(settings),
                _ => return recipe.averages(settings, file.expect("the name of a part")),
            }
            recipe
        })
    }

    /// The full system: 4METRICS with both kinds of vectors, or without SYNTAX25 where it is not to be had.
    pub(super) fn full(settings: &ReproduceJob) -> Self {
        PlannedNetwork::new(settings, four_metrics(settings))
            .syntax_if_any(settings)
            .averages(settings, VectorFile::WikiGw50)
    }

    /// With averages of word vectors.
    pub(super) fn averages(self, settings: &ReproduceJob, file: VectorFile) -> Self {
        let missing = settings.vectors(file).is_none().then(|| needs_vectors(file));
        self.with(Vectors::averages(file), missing)
    }

    /// With the vectors of an encoder that is given, by its place in the settings.
    pub(super) fn encoder(self, place: usize) -> Self {
        self.with(Vectors::Encoder(place), None)
    }

    /// With syntactic vectors.
    pub(super) fn syntax(self, settings: &ReproduceJob) -> Self {
        let why = "needs SYNTAX25, which was turned off";
        let missing = settings.no_syntax.then(|| why.to_owned());
        self.with(Vectors::Syntax, missing)
    }

    /// With syntactic vectors where they are to be had, with a note where not.
    pub(super) fn syntax_if_any(mut self, settings: &ReproduceJob) -> Self {
        if !settings.no_syntax {
            return self.syntax(settings);
        }
        self.note = Some(WITHOUT_SYNTAX.to_owned());
        self
    }

    fn with(mut self, vectors: Vectors, missing: Option<String>) -> Self {
        self.experiment.vectors.push(vectors);
        self.experiment.architecture = Architecture::Groups;
        self.missing = self.missing.or(missing);
        self
    }

    /// With the cosines of its vectors in place of them.
    pub(super) fn by_cosines(mut self) -> Self {
        self.experiment.cosines = std::mem::take(&mut self.experiment.vectors);
        self.experiment.architecture = Architecture::Single;
        self
    }

    /// With an encoder that is learned.
    pub(super) fn words(mut self, settings: &ReproduceJob, words: WordChoice) -> Self {
        if words.pretrained && settings.vectors(VectorFile::WikiGw50).is_none() {
            self.missing = self.missing.or_else(|| Some(needs_vectors(VectorFile::WikiGw50)));
        }
        self.experiment.words = Some(words);
        self.experiment.architecture = Architecture::Groups;
        self.experiment.limits = settings.encoded();
        self
    }

    /// With another cost.
    pub(super) fn cost(mut self, cost: Cost) -> Self {
        self.experiment.cost = cost;
        self
    }

    /// With a note of its own beside those it has.
    pub(super) fn noted(mut self, note: &str) -> Self {
        self.note = Some(self.note.map_or(note.to_owned(), |known| format!("{known}; {note}")));
        self
    }

    /// Whether it can be run.
    pub(super) fn is_possible(&self) -> bool {
        self.missing.is_none()
    }

    /// What is run for this size, or why it is not.
    pub(super) fn source(&self, size: Option<usize>) -> Result<Task, String> {
        match &self.missing {
            Some(why) => Err(why.clone()),
            None => Ok(Task::Learned(Box::new(Experiment { size, ..self.experiment.clone() }))),
        }
    }

    /// The cells of a row with a column for each language, at every size.
    pub(super) fn cells(
        &self,
        settings: &ReproduceJob,
        languages: &[&str],
        published: Option<&PublishedRow>,
        shown: Shown,
    ) -> Vec<CellGroup<Task>> {
        let cells = |suffix: &str| language_cells(languages, suffix, published, shown);
        self.at_sizes(settings, |suffix, source| CellGroup { source, cells: cells(suffix), note: self.note.clone() })
    }

    /// A group of cells for every size, which is run or says why not.
    pub(super) fn at_sizes(
        &self,
        settings: &ReproduceJob,
        group: impl Fn(&'static str, Result<Task, String>) -> CellGroup<Task>,
    ) -> Vec<CellGroup<Task>> {
        let sizes = settings.sizes();
        let one = |(suffix, size, asked): (&'static str, Option<usize>, bool)| {
            let source = if !asked {
                let flag = if size.is_some() { "10k" } else { "all" };
                Err(format!("not asked for (ask for the training size {flag} or both)"))
            } else if size.is_none() && self.experiment.words.is_some() && !explicit(settings) {
                Err("takes hours (ask for the training size all)".to_owned())
            } else {
                self.source(size)
            };
            group(suffix, source)
        };
        sizes.into_iter().map(one).collect()
    }
}

/// Whether all judgements were asked for in so many words.
fn explicit(settings: &ReproduceJob) -> bool {
    matches!(settings.train, Some(TrainingSize::All | TrainingSize::Both))
}

/// The cells of a metric as it is.
pub(super) fn metric_cells(
    metric: String,
    test: TestSetup,
    languages: &[&str],
    published: Option<&PublishedRow>,
    shown: Shown,
) -> Vec<CellGroup<Task>> {
    let source = Ok(Task::Metric { metric, test });
    vec![CellGroup { source, cells: language_cells(languages, "", published, shown), note: None }]
}
