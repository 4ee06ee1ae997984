//! What can be asked for.

use crate::encoders::check_names;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use tercet::encode::{SentenceEncoder, SyntaxEncoder};
use tercet::spec::file_value;
use tercet::{Error, Result};

/// A table of the article, or ours beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TableName {
    /// 1–9.
    Numbered(u8),
    /// What is missing to the published level.
    Ablation,
    /// Vectors and metrics that the article could not have.
    Beyond,
}

impl TableName {
    /// All of them, in order.
    pub fn all() -> Vec<TableName> {
        (1..=9).map(TableName::Numbered).chain([TableName::Ablation, TableName::Beyond]).collect()
    }

    /// `1` to `9`, `ablation` or `beyond`.
    pub fn name(self) -> String {
        match self {
            TableName::Numbered(number) => number.to_string(),
            TableName::Ablation => "ablation".to_owned(),
            TableName::Beyond => "beyond".to_owned(),
        }
    }
}

impl FromStr for TableName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = TableName::all().into_iter().find(|table| table.name() == text);
        found.ok_or_else(|| {
            Error::BadRequest(format!("there is no table `{text}`: expected 1 to 9, ablation or beyond"))
        })
    }
}

/// How much of WMT13 is learned from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrainingSize {
    /// 10,000 judgements per language pair, about as many as the authors had.
    TenThousand,
    /// All of them.
    All,
    /// Once so and once so.
    Both,
}

/// The files of word vectors that the article used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VectorFile {
    /// GloVe 6B, 50 dimensions (Wikipedia 2014, Gigaword 5).
    WikiGw50,
    /// GloVe 6B, 300 dimensions.
    WikiGw300,
    /// GloVe, Common Crawl of 42 billion tokens.
    Cc42b,
    /// GloVe, Common Crawl of 840 billion tokens.
    Cc840b,
    /// word2vec on Google News.
    Word2vec,
    /// COMPOSES.
    Composes,
}

impl VectorFile {
    /// All of them.
    pub const ALL: [VectorFile; 6] = [
        VectorFile::WikiGw50,
        VectorFile::WikiGw300,
        VectorFile::Cc42b,
        VectorFile::Cc840b,
        VectorFile::Word2vec,
        VectorFile::Composes,
    ];

    /// As the article writes it; flags have it in lower case.
    pub fn title(self) -> &'static str {
        match self {
            VectorFile::WikiGw50 => "WIKI-GW50",
            VectorFile::WikiGw300 => "WIKI-GW300",
            VectorFile::Cc42b => "CC-300-42B",
            VectorFile::Cc840b => "CC-300-840B",
            VectorFile::Word2vec => "WORD2VEC300",
            VectorFile::Composes => "COMPOSES400",
        }
    }

    /// As flags have it.
    pub fn name(self) -> String {
        self.title().to_lowercase()
    }
}

impl FromStr for VectorFile {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = VectorFile::ALL.into_iter().find(|file| file.name() == text.to_lowercase());
        found.ok_or_else(|| {
            let known: Vec<String> = VectorFile::ALL.iter().map(|file| file.name()).collect();
            Error::BadRequest(format!("no vectors are called `{text}` (known: {})", known.join(", ")))
        })
    }
}

/// When training ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Epochs at most.
    pub epochs: usize,
    /// Epochs without a new best on the development pairs.
    pub patience: usize,
}

impl Limits {
    /// The same patience in steps where all judgements are learned from: nine times as many as 10,000 per language.
    pub(super) fn for_all(self) -> Self {
        Limits { patience: (self.patience / 9).max(3), ..self }
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
    /// How much is learned from; `None`: both, but encoders that are learned from 10,000 only, since they take long.
    pub train: Option<TrainingSize>,
    /// METEOR's paraphrase table.
    pub paraphrase: Option<PathBuf>,
    /// Files of word vectors; WIKI-GW50 is else the subset of the data folder.
    pub vectors: Vec<(VectorFile, PathBuf)>,
    /// Sentence encoders of the table `beyond`: the name of a row, and the specification.
    pub encoders: Vec<(String, String)>,
    /// What makes SYNTAX25; rows that need it are empty, and the full system goes without, where there is none.
    pub syntax: Option<Arc<dyn SentenceEncoder>>,
    /// For networks over ready vectors.
    pub ready: Limits,
    /// For networks that learn their encoder.
    pub encoded: Limits,
    /// Where features and finished runs are kept, if anywhere.
    pub cache: Option<PathBuf>,
    /// Whether finished runs are run again.
    pub fresh: bool,
}

impl Settings {
    /// Everything, from this folder, as the article did it but for patience, with our parser's SYNTAX25, five seeds and the
    /// user's cache folder.
    pub fn new(data: PathBuf) -> Settings {
        Settings {
            data,
            tables: Vec::new(),
            seeds: 5,
            train: None,
            paraphrase: None,
            vectors: Vec::new(),
            encoders: Vec::new(),
            syntax: Some(Arc::new(SyntaxEncoder::default())),
            ready: Limits { epochs: 10_000, patience: 200 },
            encoded: Limits { epochs: 15, patience: 3 },
            cache: tercet::cache_folder().map(|folder| folder.join("reproduce")),
            fresh: false,
        }
    }

    /// Whether a table is asked for.
    pub(super) fn wants(&self, table: TableName) -> bool {
        self.tables.is_empty() || self.tables.contains(&table)
    }

    /// The sizes that are learned from, with what a column's name ends in.
    pub(super) fn sizes(&self) -> [(&'static str, Option<usize>, bool); 2] {
        let asked = self.train.unwrap_or(TrainingSize::Both);
        [
            ("", Some(PER_LANGUAGE), asked != TrainingSize::All),
            ("/all", None, asked != TrainingSize::TenThousand),
        ]
    }

    /// Where vectors are, if they can be had.
    pub(super) fn vectors(&self, file: VectorFile) -> Option<PathBuf> {
        let given = self.vectors.iter().rev().find(|(known, _)| *known == file).map(|(_, path)| path.clone());
        let subset = || self.data.join("glove50-subset").join("glove.6B.50d.union.txt");
        given.or_else(|| (file == VectorFile::WikiGw50).then(subset).filter(|path| path.exists()))
    }

    /// Refuses what cannot be run.
    pub(super) fn check(&self) -> Result<()> {
        if self.seeds == 0 {
            return Err(Error::BadRequest("at least one seed is needed".to_owned()));
        }
        check_names(&self.encoders)?;
        match (self.tables.contains(&TableName::Beyond), self.encoders.is_empty()) {
            (true, true) => {
                let what = "the table beyond needs sentence encoders, and none was given";
                return Err(Error::BadRequest(what.to_owned()));
            }
            (false, false) if !self.tables.is_empty() => {
                let what = "sentence encoders are for the table beyond, which was not asked for";
                return Err(Error::BadRequest(what.to_owned()));
            }
            _ => {}
        }
        // It becomes an option of METEOR.
        self.paraphrase.as_deref().map(file_value).transpose()?;
        let named = self.vectors.iter().map(|(_, path)| path).chain(&self.paraphrase);
        for path in named {
            std::fs::metadata(path).map_err(|source| Error::Read { path: path.clone(), source })?;
        }
        check_folder(&self.data)
    }
}

fn check_folder(data: &Path) -> Result<()> {
    match ["wmt12-rr", "wmt13-rr", "wmt14-rr"].iter().find(|set| !data.join(set).is_dir()) {
        None => Ok(()),
        Some(missing) => Err(Error::BadRequest(format!(
            "{} has no folder {missing}: expected the judgements of WMT12, WMT13 and WMT14 in wmt12-rr, wmt13-rr and wmt14-rr \
             (name the folder that holds them)",
            data.display()
        ))),
    }
}

/// About as many judgements as the authors had of each language pair.
pub(super) const PER_LANGUAGE: usize = 10_000;
