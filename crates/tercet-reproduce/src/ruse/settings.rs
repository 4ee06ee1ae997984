//! What is to be computed, and from what.

use crate::encoders::check_names;
use std::path::PathBuf;
use tercet::spec::file_value;
use tercet::{Error, Result};

/// What is to be computed again, and from what.
pub struct Settings {
    /// The folder that holds `da-wmt15` and `da-wmt16`.
    pub data: PathBuf,
    /// Sentence encoders: the name of a row, and the specification. `skip-thought` and `infersent` are those of the paper.
    pub encoders: Vec<(String, String)>,
    /// Further metrics for the combination of everything: scores, or `components(METRIC)`.
    pub metrics: Vec<String>,
    /// The file of word vectors (GloVe 6B, 50 dimensions). Default: the subset of the data folder.
    pub vectors: Option<PathBuf>,
    /// A model of ReVal that has not learned from WMT16. Default: the embedded one, which has, and is not combined.
    pub reval: Option<PathBuf>,
    /// METEOR's paraphrase table.
    pub paraphrase: Option<PathBuf>,
    /// Where finished runs are kept, if anywhere.
    pub cache: Option<PathBuf>,
    /// Whether finished runs are run again.
    pub fresh: bool,
}

impl Settings {
    /// Everything that needs no encoder, from this folder, with the user's cache folder.
    pub fn new(data: PathBuf) -> Settings {
        Settings {
            data,
            encoders: Vec::new(),
            metrics: Vec::new(),
            vectors: None,
            reval: None,
            paraphrase: None,
            cache: tercet::cache_folder().map(|folder| folder.join("reproduce")),
            fresh: false,
        }
    }

    /// The file of word vectors.
    pub(super) fn vector_file(&self) -> PathBuf {
        let subset = || self.data.join("glove50-subset").join("glove.6B.50d.union.txt");
        self.vectors.clone().unwrap_or_else(subset)
    }

    /// Returns an error if something is missing.
    pub(super) fn check(&self) -> Result<()> {
        self.paraphrase.as_deref().map(file_value).transpose()?;
        check_names(&self.encoders)?;
        if let Some(missing) = ["da-wmt15", "da-wmt16"].iter().find(|set| !self.data.join(set).is_dir()) {
            return Err(Error::BadRequest(format!(
                "{} has no folder {missing}: expected the direct assessments of WMT15 and WMT16 in da-wmt15 and da-wmt16 (name the \
                 folder that holds them)",
                self.data.display()
            )));
        }
        let named = self.paraphrase.iter().chain(&self.reval).cloned().chain([self.vector_file()]);
        for path in named {
            std::fs::metadata(&path).map_err(|source| Error::Read { path, source })?;
        }
        Ok(())
    }
}
