//! The model file: one or two networks, the words they know, and notes on their training.
//!
//! A file of `tercet-learn` (safetensors with checked metadata) of the kind `reval`:
//!
//! | entry | |
//! |---|---|
//! | `version` | of this table; 1 |
//! | `words`, `origin` | words in the order of their vectors, the first for unknown ones; the source of the vectors |
//! | `tokenizer` | how lines become words |
//! | `trees` | the hash of the parser; `given` for trees of CoNLL-U files, `none` for a network without trees |
//! | `network.…` | sizes and tensors; word vectors may be 8-bit integers |
//! | `longer.…`, `mix.words`, `mix.length` | the second network of a mix, and the rule by which it is chosen |
//! | `slope` | of the preference, if the model was trained with rankings |
//! | `about.…` | notes: recipe, training data, seed, scores |
//!
//! A model needs the parser it was trained with: any other is an error.
//!
//! The embedded model: `models/reval/reval-en.safetensors`, trained with `training/reval/reval-en.toml`.
//!
//! # Mix
//! Which of two networks scores a translation: the paper's "mix" has one for sentences of up to 20 words, another for
//! longer ones. The paper does not say whose words it counts; [`CountedWords`] names both readings.

use super::sentences::{DistinctLines, ParsedLines, TOKENIZER, TreeSource, WordTree, sentences};
use crate::error::{Error, Result};
use crate::learned::Vocabulary;
use crate::parse::dependency::DependencyParser;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use tercet_base::choice::UnknownChoice;
use tercet_learn::networks::{FineTuning, SimilarityNetwork, TreeEncoding};
use tercet_math::Matrix;
use tercet_model::model_file::{Bytes, ModelFile, ModelRecord};
use tercet_model_reval::REVAL_EN;

const KIND: &str = "reval";

/// The prefix of the first network's entries, and of the second's.
const PREFIXES: [&str; 2] = ["network.", "longer."];

/// Networks that were trained, and what they read.
pub struct RevalModel {
    pub(super) networks: Vec<SimilarityNetwork>,
    /// With two networks: which of them scores a translation.
    pub(super) mix: Option<MixRule>,
    pub(super) vocabulary: Vocabulary,
    pub(super) trees: TreeSource,
    /// The trees in training: see [`TreeSource::name`].
    trained_trees: String,
    /// Per unit of the similarity.
    pub(super) slope: Option<f64>,
    pub(super) record: ModelRecord,
}

/// Where the trees of a model come from, if not from the parser that it names.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TreeFiles<'a> {
    /// The file of the parser.
    pub parser: Option<&'a Path>,
    /// Trees in a CoNLL-U file.
    pub trees: Option<&'a Path>,
}

impl RevalModel {
    /// A model of networks that were trained.
    pub(super) fn new(
        networks: Vec<SimilarityNetwork>,
        mix: Option<MixRule>,
        vocabulary: Vocabulary,
        trees: TreeSource,
        slope: Option<f64>,
    ) -> Self {
        let (trained_trees, record) = (trees.name(), ModelRecord::default());
        RevalModel { networks, mix, vocabulary, trees, trained_trees, slope, record }
    }

    /// The hash of the model file, and its notes: training data, seed, scores, recipe.
    pub fn record(&self) -> &ModelRecord {
        &self.record
    }

    /// How many words have a vector.
    pub fn words(&self) -> usize {
        self.vocabulary.words().len() - 1
    }

    /// The number of classes: similarities are from 1 to this number.
    pub fn classes(&self) -> usize {
        self.networks[0].shape().classes
    }

    /// Writes the model file atomically.
    pub(super) fn write(&mut self, path: &Path, is_quantised: bool) -> Result<()> {
        let mut file = ModelFile::new(KIND);
        file.set_version();
        file.set("words", &self.vocabulary.words().join("\n"));
        file.set("origin", self.vocabulary.origin());
        file.set("tokenizer", TOKENIZER.name());
        file.set("trees", &self.trained_trees);
        store(&self.networks[0], PREFIXES[0], is_quantised, &mut file);
        if let Some(longer) = self.networks.get(1) {
            match longer.shape().fine_tuning {
                FineTuning::None => longer.store_sharing(PREFIXES[1], &mut file),
                _ => store(longer, PREFIXES[1], is_quantised, &mut file),
            }
        }
        if let Some(mix) = self.mix {
            file.set("mix.words", &mix.words.to_string());
            file.set("mix.length", mix.counted.name());
        }
        if let Some(slope) = self.slope {
            file.set("slope", &slope.to_string());
        }
        Ok(file.write_with(&mut self.record, path)?)
    }

    /// Reads a model file.
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_with(path, TreeFiles::default())
    }

    /// Reads a model file, with another file of its parser or given trees.
    pub(super) fn open_with(path: &Path, trees: TreeFiles<'_>) -> Result<Self> {
        Self::from_file(&ModelFile::read(path, KIND)?, trees)
    }

    /// Reads the bytes of a model file. `path` is only used in error messages.
    pub fn from_bytes(path: &Path, bytes: impl Bytes) -> Result<Self> {
        Self::from_bytes_with(path, bytes, TreeFiles::default())
    }

    /// Reads the bytes of a model file, with another file of its parser or given trees.
    pub(super) fn from_bytes_with(path: &Path, bytes: impl Bytes, trees: TreeFiles<'_>) -> Result<Self> {
        Self::from_file(&ModelFile::from_bytes(path, bytes, KIND)?, trees)
    }

    fn from_file(file: &ModelFile, trees: TreeFiles<'_>) -> Result<Self> {
        file.check_version()?;
        file.check_finite()?;
        if file.get("tokenizer")? != TOKENIZER.name() {
            let reason = format!("its words are those of the tokenizer `{}`, expected ud-en", file.get("tokenizer")?);
            return Err(file.bad(reason).into());
        }
        let mix = match file.find("mix.words") {
            Some(_) => Some(MixRule {
                words: file.number("mix.words")?,
                counted: file.get("mix.length")?.parse().map_err(|error: UnknownChoice| file.bad(error.to_string()))?,
            }),
            None => None,
        };
        let mut networks = vec![SimilarityNetwork::stored(PREFIXES[0], file)?];
        if mix.is_some() {
            networks.push(SimilarityNetwork::stored_beside(PREFIXES[1], file, &networks[0])?);
        }
        let vocabulary = words(file, &networks)?;
        let slope = file.find("slope").map(|_| file.number("slope")).transpose()?;
        if slope.is_some_and(|slope: f64| !slope.is_finite()) {
            return Err(file.bad("its slope is not a number".to_owned()).into());
        }
        let trained_trees = file.get("trees")?.to_owned();
        check_trees(file, &networks, &trained_trees)?;
        let trees = tree_source(file, &trained_trees, trees)?;
        Ok(RevalModel { networks, mix, vocabulary, trees, trained_trees, slope, record: file.record() })
    }

    /// The similarity of each pair of a reference and a translation, from 1 to [`RevalModel::classes`]. It does not
    /// depend on the other pairs. A line that occurs several times is parsed and encoded once.
    pub fn similarities(&self, pairs: &[(&str, &str)]) -> Result<Vec<f64>> {
        let mut lines = DistinctLines::default();
        let numbers: Vec<[u32; 2]> =
            pairs.iter().map(|(reference, translation)| [lines.number(reference), lines.number(translation)]).collect();
        self.compare(&lines.trees(&self.trees)?, &numbers)
    }

    /// The same for pairs of lines that were parsed before: the places of a reference and a translation.
    ///
    /// # Errors
    /// If the model was trained with trees of another parser.
    pub fn similarities_of(&self, lines: &ParsedLines, pairs: &[[u32; 2]]) -> Result<Vec<f64>> {
        match self.trees {
            TreeSource::None | TreeSource::Embedded => self.compare(&lines.trees, pairs),
            TreeSource::Parser(_) | TreeSource::Given(_) => {
                let what = "the model was trained with trees that are not those of the embedded parser";
                Err(Error::Unusable(what.to_owned()))
            }
        }
    }

    /// The similarities of pairs of trees.
    pub(super) fn compare(&self, trees: &[WordTree], pairs: &[[u32; 2]]) -> Result<Vec<f64>> {
        let Some(mix) = self.mix else {
            let sentences = sentences(trees.iter(), &self.vocabulary)?;
            return Ok(self.networks[0].scores(&sentences, pairs)?);
        };
        let words = |tree: u32| trees[tree as usize].len();
        let is_long: Vec<bool> =
            pairs.iter().map(|&[reference, translation]| mix.is_long(words(reference), words(translation))).collect();
        let mut scores = vec![0.0; pairs.len()];
        for (network, long) in self.networks.iter().zip([false, true]) {
            let chosen: Vec<usize> = (0..pairs.len()).filter(|&pair| is_long[pair] == long).collect();
            let (mut used, mut numbers) = (Vec::new(), vec![None; trees.len()]);
            let mut renumbered = |tree: u32| {
                *numbers[tree as usize].get_or_insert_with(|| {
                    used.push(&trees[tree as usize]);
                    used.len() as u32 - 1
                })
            };
            let own: Vec<[u32; 2]> = chosen.iter().map(|&pair| pairs[pair].map(&mut renumbered)).collect();
            let found = network.scores(&sentences(used.into_iter(), &self.vocabulary)?, &own)?;
            chosen.into_iter().zip(found).for_each(|(pair, score)| scores[pair] = score);
        }
        Ok(scores)
    }
}

/// Stores a network.
fn store(network: &SimilarityNetwork, prefix: &str, is_quantised: bool, file: &mut ModelFile) {
    match is_quantised {
        true => network.store_quantised(prefix, file),
        false => network.store(prefix, file),
    }
}

/// The network as it is read back from a file, with the errors of 8-bit integers.
pub(super) fn as_stored(network: &SimilarityNetwork, is_quantised: bool) -> Result<SimilarityNetwork> {
    let mut file = ModelFile::new(KIND);
    store(network, PREFIXES[0], is_quantised, &mut file);
    Ok(SimilarityNetwork::stored(PREFIXES[0], &file)?)
}

/// The words of a file, one for each vector.
fn words(file: &ModelFile, networks: &[SimilarityNetwork]) -> Result<Vocabulary> {
    let words: Vec<String> = file.get("words")?.split('\n').map(str::to_owned).collect();
    for network in networks {
        let (vectors, _) = network.vectors_shape();
        if vectors != words.len() {
            return Err(file.bad(format!("it has {} words but {vectors} vectors", words.len())).into());
        }
    }
    let classes = |network: &SimilarityNetwork| network.shape().classes;
    if networks.iter().any(|network| classes(network) != classes(&networks[0])) {
        return Err(file.bad("its two networks have different numbers of classes".to_owned()).into());
    }
    // The vectors are those of the networks.
    let no_vectors = Matrix::zeros(words.len(), 0);
    Ok(Vocabulary::from_parts(words, no_vectors, file.get("origin")?.to_owned()))
}

/// Returns an error if a network reads trees, but was trained without.
fn check_trees(file: &ModelFile, networks: &[SimilarityNetwork], trained: &str) -> Result<()> {
    let reads_trees = |network: &SimilarityNetwork| network.shape().encoding == TreeEncoding::ChildSumTreeLstm;
    match networks.iter().any(reads_trees) == (trained != "none") {
        true => Ok(()),
        false => Err(file.bad(format!("its networks do not fit its trees (`{trained}`)")).into()),
    }
}

/// The trees that a model reads.
fn tree_source(file: &ModelFile, trained: &str, files: TreeFiles<'_>) -> Result<TreeSource> {
    let bad = |reason: String| Err(file.bad(reason).into());
    match (files, trained) {
        (TreeFiles { parser: Some(_), trees: Some(_) }, _) => {
            bad("it reads either the trees of a file or those of a parser: give trees=FILE or parser=FILE".to_owned())
        }
        (TreeFiles { parser: None, trees: None }, "none") => Ok(TreeSource::None),
        (_, "none") => bad("its network reads no trees, so trees=FILE and parser=FILE have no effect".to_owned()),
        (TreeFiles { trees: Some(path), .. }, _) => TreeSource::given(&[path.to_owned()]),
        (_, "given") => {
            bad("it was trained with trees of CoNLL-U files: give those of the texts with trees=FILE".to_owned())
        }
        (TreeFiles { parser: Some(path), .. }, _) => {
            let source = TreeSource::parser(path)?;
            let found = source.name();
            match found == trained {
                true => Ok(source),
                false => bad(format!("it was trained with the parser {trained}, but {} is {found}", path.display())),
            }
        }
        _ if trained == DependencyParser::english().record().hash => Ok(TreeSource::Embedded),
        _ => bad(format!(
            "it was trained with the parser {trained}, which is not the one inside this version: give its file with \
             reval:model=…,parser=FILE"
        )),
    }
}

static ENGLISH: LazyLock<Arc<RevalModel>> = LazyLock::new(|| {
    let model = RevalModel::english_with(TreeFiles::default());
    Arc::new(model.expect("its file is whole, as a test says"))
});

impl RevalModel {
    /// The embedded English model; it is read at the first call.
    pub fn english() -> &'static Arc<RevalModel> {
        &ENGLISH
    }

    /// The embedded model with given trees.
    pub(super) fn english_with(trees: TreeFiles<'_>) -> Result<Self> {
        Self::from_bytes_with(Path::new("the embedded model of ReVal"), REVAL_EN, trees)
    }
}

tercet_base::choices! {
    /// Whose words are counted.
    pub enum CountedWords: "length" = Reference {
        /// Those of the reference: all translations of a segment are scored by one network. Default.
        Reference = "reference",
        /// Those of the translation.
        Translation = "translation",
    }
}

/// The rule by which a network is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MixRule {
    /// Sentences of more words are scored by the second network.
    pub words: usize,
    /// Whose words are counted.
    pub counted: CountedWords,
}

impl MixRule {
    /// Whether the second network scores a translation, by the numbers of words.
    pub fn is_long(self, reference: usize, translation: usize) -> bool {
        let words = match self.counted {
            CountedWords::Reference => reference,
            CountedWords::Translation => translation,
        };
        words > self.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_model_knows_good_from_bad() {
        let model = RevalModel::english();
        let note = |key: &str| model.record().note(key).unwrap_or_default();
        assert!(note("trained_on").starts_with("wmt12-rr cs-en pairs (11021)"), "{}", note("trained_on"));
        assert!(note("recipe").contains("kind = \"reval\""));
        assert!(model.words() > 100_000 && REVAL_EN.len() <= 8_000_000);
        let reference = "The committee will decide on the new budget next week.";
        let similarities = model
            .similarities(&[
                (reference, reference),
                (reference, "Next week, the committee will decide on the new budget."),
                (reference, "The committee decide on budget new the week."),
                (reference, "He likes football."),
            ])
            .unwrap();
        assert!(similarities.is_sorted_by(|a, b| a > b), "{similarities:?}");
    }
}
