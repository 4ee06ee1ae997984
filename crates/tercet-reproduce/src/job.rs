//! A reproduction as a use case: which paper, from which data, with which settings.

use crate::{Reproduction, guzman, reval, ruse};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use tercet::choice::{Choice, Named};
use tercet::metrics::Registry;
use tercet::progress::Progress;
use tercet::spec::Spec;
use tercet::spec::file_value;
use tercet::warning::Done;
use tercet::{Error, Result};

tercet::choices! {
    /// A paper whose tables can be computed again.
    pub enum Paper: "paper" = Guzman {
        /// Guzmán et al. (2017).
        Guzman = "guzman",
        /// Gupta et al. (2015).
        Reval = "reval",
        /// Shimanaka et al. (2018).
        Ruse = "ruse",
    }
}

tercet::choices! {
    /// How much of WMT13 is learned from.
    pub enum TrainingSize: "training size" {
        /// 10,000 judgements per language.
        TenThousand = "10k",
        /// All judgements.
        All = "all",
        /// Both in turn.
        Both = "both",
    }
}

tercet::choices! {
    /// The files of word vectors that papers used.
    pub enum VectorFile: "word vectors" {
        /// GloVe 6B, 50 dimensions (Wikipedia 2014, Gigaword 5).
        WikiGw50 = "wiki-gw50",
        /// GloVe 6B, 300 dimensions.
        WikiGw300 = "wiki-gw300",
        /// GloVe, Common Crawl of 42 billion tokens.
        Cc42b = "cc-300-42b",
        /// GloVe, Common Crawl of 840 billion tokens.
        Cc840b = "cc-300-840b",
        /// word2vec on Google News.
        Word2vec = "word2vec300",
        /// COMPOSES.
        Composes = "composes400",
    }
}

impl VectorFile {
    /// As papers write it.
    pub fn title(self) -> String {
        self.name().to_uppercase()
    }
}

/// Computes the tables of a paper again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReproduceJob {
    /// The paper.
    pub paper: Paper,
    /// The folder that holds `wmt12-rr` and the other sets.
    pub data: PathBuf,
    /// The tables; all if empty.
    pub tables: Vec<String>,
    /// Seeds 1 to this, for guzman and reval. Default: 5.
    pub seeds: Option<u64>,
    /// For guzman: how much is learned from. Default: both, but encoders that are learned from 10,000 only, since they
    /// take long.
    pub train: Option<TrainingSize>,
    /// METEOR's paraphrase table.
    pub paraphrase: Option<PathBuf>,
    /// Files of word vectors; WIKI-GW50 is else the subset of the data folder. For reval and ruse that one only.
    pub vectors: Vec<(VectorFile, PathBuf)>,
    /// For guzman and ruse: sentence encoders, the name of a row and the specification. `skip-thought` and `infersent`
    /// are those of RUSE.
    pub encoders: Vec<(String, String)>,
    /// For ruse: further metrics for the combination of everything: scores, or `components(METRIC)`.
    pub metrics: Vec<String>,
    /// For ruse: a model of ReVal that has not learned from WMT16. Default: the embedded one, which has, and is not
    /// combined.
    pub reval: Option<PathBuf>,
    /// For guzman: a file of SYNTAX25. Default: that of our parser.
    pub syntax: Option<PathBuf>,
    /// For guzman: whether rows that need SYNTAX25 are empty, and the full system goes without.
    pub no_syntax: bool,
    /// Epochs at most: for guzman those of networks over ready vectors (10,000); for reval 10, or 6 for models that
    /// learn from pairs.
    pub epochs: Option<usize>,
    /// For guzman: epochs without a new best on the development pairs (200).
    pub patience: Option<usize>,
    /// For guzman: epochs at most of networks that learn their encoder (15).
    pub encoded_epochs: Option<usize>,
    /// For guzman: their patience (3).
    pub encoded_patience: Option<usize>,
    /// Where features and finished runs are kept, if anywhere.
    pub cache: Option<PathBuf>,
    /// Whether finished runs are run again.
    pub fresh: bool,
}

impl ReproduceJob {
    /// Everything of a paper, from this folder, with the user's cache folder.
    pub fn new(paper: Paper, data: PathBuf) -> Self {
        let cache = tercet::cache::folder().map(|folder| folder.join("reproduce"));
        ReproduceJob { paper, data, cache, ..ReproduceJob::default() }
    }

    /// Returns an error for settings that cannot be met, or are for other papers, and if a file is missing.
    pub fn validate(&self) -> Result<()> {
        self.refuse_others()?;
        if self.seeds == Some(0) || self.epochs == Some(0) {
            return Err(Error::BadRequest("at least one seed and one epoch are needed".to_owned()));
        }
        for (place, (name, _)) in self.encoders.iter().enumerate() {
            if self.encoders[..place].iter().any(|(earlier, _)| earlier == name) {
                return Err(Error::NameTwice { what: "encoders", name: name.clone() });
            }
        }
        // It becomes an option of METEOR.
        self.paraphrase.as_deref().map(file_value).transpose()?;
        let needed = match self.paper {
            Paper::Guzman => guzman::check(self)?,
            Paper::Reval => reval::check(self)?,
            Paper::Ruse => vec![self.vector_file()],
        };
        let exists = |path: &PathBuf| match std::fs::metadata(path) {
            Ok(_) => Ok(()),
            Err(source) => Err(Error::Read { path: path.clone(), source }),
        };
        let given = self.vectors.iter().map(|(_, path)| path);
        given.chain(&self.paraphrase).chain(&self.reval).try_for_each(exists)?;
        self.check_data()?;
        needed.iter().try_for_each(exists)
    }

    /// Returns an error if a setting is for other papers only.
    fn refuse_others(&self) -> Result<()> {
        use Paper::{Guzman, Reval, Ruse};
        let given: [(&str, &[Paper], bool); 12] = [
            ("metrics", &[Ruse], !self.metrics.is_empty()),
            ("reval", &[Ruse], self.reval.is_some()),
            ("train", &[Guzman], self.train.is_some()),
            ("syntax", &[Guzman], self.syntax.is_some()),
            ("no_syntax", &[Guzman], self.no_syntax),
            ("patience", &[Guzman], self.patience.is_some()),
            ("encoded_epochs", &[Guzman], self.encoded_epochs.is_some()),
            ("encoded_patience", &[Guzman], self.encoded_patience.is_some()),
            ("encoders", &[Guzman, Ruse], !self.encoders.is_empty()),
            ("seeds", &[Guzman, Reval], self.seeds.is_some()),
            ("epochs", &[Guzman, Reval], self.epochs.is_some()),
            ("tables", &[Guzman, Reval], !self.tables.is_empty() && self.tables != ["2"]),
        ];
        let paper = self.paper;
        if let Some((setting, papers, _)) =
            given.into_iter().find(|(_, papers, is_given)| *is_given && !papers.contains(&paper))
        {
            let papers: Vec<&str> = papers.iter().map(|paper| paper.name()).collect();
            return Err(Error::BadRequest(format!(
                "the setting {setting} is for {}, not for {paper}",
                papers.join(" and ")
            )));
        }
        let other = self.vectors.iter().find(|(file, _)| *file != VectorFile::WikiGw50);
        match other.filter(|_| paper != Guzman) {
            Some((file, _)) => Err(Error::BadRequest(format!("vectors {file}: {paper} takes wiki-gw50 only"))),
            None => Ok(()),
        }
    }

    /// Returns an error if a set of the paper is missing.
    fn check_data(&self) -> Result<()> {
        let (sets, what): (&[&str], &str) = match self.paper {
            Paper::Guzman => (&["wmt12-rr", "wmt13-rr", "wmt14-rr"], "judgements of WMT12, WMT13 and WMT14"),
            Paper::Reval => {
                (&["wmt12-rr", "wmt13-rr", "wmt14-rr", "wmt15-rr", "wmt16-rr"], "judgements of WMT12 to WMT16")
            }
            Paper::Ruse => (&["da-wmt15", "da-wmt16"], "direct assessments of WMT15 and WMT16"),
        };
        match sets.iter().find(|set| !self.data.join(set).is_dir()) {
            None => Ok(()),
            Some(missing) => Err(Error::BadRequest(format!(
                "{} has no folder {missing}: expected the {what} in {} (name the folder that holds them)",
                self.data.display(),
                sets.join(", ")
            ))),
        }
    }

    /// Runs what is not in the cache. `progress` advances by runs.
    pub fn run(&self, registry: &Registry, progress: Progress<'_>) -> Result<Done<Reproduction>> {
        self.validate()?;
        Done::collect(progress, |progress| match self.paper {
            Paper::Guzman => guzman::reproduce(self, registry, progress),
            Paper::Reval => reval::reproduce(self, registry, progress),
            Paper::Ruse => ruse::reproduce(self, registry, progress),
        })
    }

    /// The number of seeds.
    pub(crate) fn seeds(&self) -> u64 {
        self.seeds.unwrap_or(5)
    }

    /// The tables that are asked for, in the paper's order.
    pub(crate) fn tables<T: Choice>(&self) -> Result<Vec<T>> {
        let asked = self.tables.iter().map(|name| T::from_name(name)).collect::<Result<Vec<T>, _>>()?;
        let all = T::ALL.iter().map(|known: &Named<T>| known.value);
        Ok(all.filter(|table| asked.is_empty() || asked.contains(table)).collect())
    }

    /// Where vectors are, if they can be had.
    pub(crate) fn vectors(&self, file: VectorFile) -> Option<PathBuf> {
        let given = self.vectors.iter().rev().find(|(known, _)| *known == file).map(|(_, path)| path.clone());
        given.or_else(|| Some(self.subset()).filter(|path| file == VectorFile::WikiGw50 && path.exists()))
    }

    /// The file of WIKI-GW50.
    pub(crate) fn vector_file(&self) -> PathBuf {
        let given = self.vectors.last().map(|(_, path)| path.clone());
        given.unwrap_or_else(|| self.subset())
    }

    /// The file with the vectors of few words.
    pub(crate) fn subset(&self) -> PathBuf {
        self.data.join("glove50-subset").join("glove.6B.50d.union.txt")
    }

    /// A metric with the paraphrase table, if there is one, under the name that it has among the metric's options.
    pub(crate) fn with_paraphrases(&self, metric: &str, option: &str) -> String {
        match &self.paraphrase {
            Some(path) => Spec::new(metric).with_option(option, path.display()).to_string(),
            None => metric.to_owned(),
        }
    }

    /// The folder of features and finished runs.
    pub(crate) fn cache(&self) -> Option<&Path> {
        self.cache.as_deref()
    }
}
