//! What is to be computed, and from what.

use super::test_sets::TestSet;
use std::path::PathBuf;
use std::str::FromStr;
use tercet::spec::file_value;
use tercet::{Error, Result};

/// A part of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableName {
    /// Systems and segments of a test set.
    Test(TestSet),
    /// What the parts of the metric contribute; ours.
    Ablation,
}

impl TableName {
    /// All of them, in order.
    pub fn all() -> Vec<TableName> {
        TestSet::ALL.map(TableName::Test).into_iter().chain([TableName::Ablation]).collect()
    }

    /// As flags have it: `wmt12`, `wmt14`, `wmt15`, `ablation`.
    pub fn name(self) -> &'static str {
        match self {
            TableName::Test(set) => set.name(),
            TableName::Ablation => "ablation",
        }
    }
}

impl FromStr for TableName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = TableName::all().into_iter().find(|table| table.name() == text);
        found.ok_or_else(|| {
            let known: Vec<&str> = TableName::all().into_iter().map(TableName::name).collect();
            Error::BadRequest(format!("there is no table `{text}` (known: {})", known.join(", ")))
        })
    }
}

/// What is to be computed again, and from what.
pub struct Settings {
    /// The folder that holds `wmt12-rr` and the other sets.
    pub data: PathBuf,
    /// The tables; all if empty.
    pub tables: Vec<TableName>,
    /// Seeds 1 to this.
    pub seeds: u64,
    /// Epochs of training. Default: 10, the paper's; 6 for models that learn from pairs.
    pub epochs: Option<usize>,
    /// The file of word vectors (GloVe 6B, 50 dimensions). Default: the subset of the data folder.
    pub vectors: Option<PathBuf>,
    /// METEOR's paraphrase table.
    pub paraphrase: Option<PathBuf>,
    /// Where finished runs are kept, if anywhere.
    pub cache: Option<PathBuf>,
    /// Whether finished runs are run again.
    pub fresh: bool,
}

impl Settings {
    /// Everything, from this folder, with five seeds and the user's cache folder.
    pub fn new(data: PathBuf) -> Settings {
        Settings {
            data,
            tables: Vec::new(),
            seeds: 5,
            epochs: None,
            vectors: None,
            paraphrase: None,
            cache: tercet::cache_folder().map(|folder| folder.join("reproduce")),
            fresh: false,
        }
    }

    /// The tables that are wanted.
    pub(super) fn wanted(&self) -> Vec<TableName> {
        let is_wanted = |table: &TableName| self.tables.is_empty() || self.tables.contains(table);
        TableName::all().into_iter().filter(is_wanted).collect()
    }

    /// The file of word vectors.
    pub(super) fn vector_file(&self) -> PathBuf {
        self.vectors.clone().unwrap_or_else(|| self.subset())
    }

    /// The file with the vectors of few words.
    pub(super) fn subset(&self) -> PathBuf {
        self.data.join("glove50-subset").join("glove.6B.50d.union.txt")
    }

    /// Returns an error if something is missing.
    pub(super) fn check(&self) -> Result<()> {
        if self.seeds == 0 || self.epochs == Some(0) {
            return Err(Error::BadRequest("at least one seed and one epoch are needed".to_owned()));
        }
        self.paraphrase.as_deref().map(file_value).transpose()?;
        // The ablation compares all words with few.
        let few = self.wanted().contains(&TableName::Ablation).then(|| self.subset());
        let named = self.paraphrase.iter().cloned().chain([self.vector_file()]).chain(few);
        for path in named {
            std::fs::metadata(&path).map_err(|source| Error::Read { path, source })?;
        }
        let sets = ["wmt12-rr", "wmt13-rr", "wmt14-rr", "wmt15-rr", "wmt16-rr"];
        match sets.iter().find(|set| !self.data.join(set).is_dir()) {
            None => Ok(()),
            Some(missing) => Err(Error::BadRequest(format!(
                "{} has no folder {missing}: expected the judgements of WMT12 to WMT16 in wmt12-rr, …, wmt16-rr \
                 (name the folder that holds them)",
                self.data.display()
            ))),
        }
    }
}
