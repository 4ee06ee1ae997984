//! MQM: errors marked by professional translators, and scores computed from them (Freitag et al., 2021).
//!
//! Three kinds of file, as in `google/wmt-mqm-human-evaluation`, plain or compressed, recognised by name:
//!
//! | file | what | |
//! |---|---|---|
//! | `mqm_SET_SRCTGT*.tsv` | a row for each error | `annotations`, `penalties` |
//! | `mqm_SET_SRCTGT.avg_seg_scores.tsv` | averages only | `averages` |
//! | `sxs_mqm_SET_SRCTGT*.tsv`, perhaps in a tar archive | errors of two systems side by side | `side_by_side` |
//!
//! A file of another name is one of the first kind if its header has MQM's columns. The set is named after the file:
//! `mqm_ted`, `sxs_mqm_generalMT2023`. Where a folder has errors and averages of the same set, the errors are read: the
//! averages are the same rounded to six decimals.

mod annotations;
mod averages;
mod penalties;
mod references;
mod side_by_side;
mod weights;

pub use annotations::{Annotation, Annotations, RatedSegment};
pub use averages::parse_averages;
pub use penalties::is_human;
pub use side_by_side::parse_side_by_side;
pub use weights::MqmWeights;

use super::compressed;
use super::records::{Header, Separator};
use super::tar::{is_tar, read_tar};
use super::{JudgementSource, Judgements, Lines};
use crate::error::{Error, Result};
use crate::unpack;
use std::fs;
use std::path::{Path, PathBuf};

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Errors,
    Averages,
    SideBySide,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct MqmFile {
    set: String,
    pair: String,
    kind: Kind,
}

impl MqmFile {
    /// Recognises a file by its name.
    fn from_name(name: &str) -> Option<MqmFile> {
        let name = compressed::unpacked_name(name);
        let name = name.strip_suffix(".tar").unwrap_or(name).strip_suffix(".tsv")?;
        let (stem, rest) = name.split_once('.').unwrap_or((name, ""));
        let (set, languages) = stem.rsplit_once('_')?;
        let sided = set.starts_with("sxs_mqm_");
        let four = languages.len() == 4 && languages.bytes().all(|byte| byte.is_ascii_lowercase());
        if !four || !(sided || set.starts_with("mqm_")) {
            return None;
        }
        let kind = match rest {
            "avg_seg_scores" => Kind::Averages,
            _ if sided => Kind::SideBySide,
            _ => Kind::Errors,
        };
        let pair = format!("{}-{}", &languages[..2], &languages[2..]);
        Some(MqmFile { set: set.to_owned(), pair, kind })
    }

    fn into_source(self, path: PathBuf) -> JudgementSource {
        let (set, pair) = (self.set.clone(), self.pair.clone());
        JudgementSource::new(set, pair, move || self.read(&path, &MqmWeights::standard()))
    }

    fn read(&self, path: &Path, weights: &MqmWeights) -> Result<Judgements> {
        let lines = read_table_lines(path)?;
        let mut judgements = match self.kind {
            Kind::Averages => return parse_averages(&lines),
            Kind::Errors => parse_mqm(&lines, weights)?,
            Kind::SideBySide => parse_side_by_side(&lines, weights)?,
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        references::add_references(&mut judgements, folder, &self.set, &self.pair)?;
        Ok(judgements)
    }
}

/// Reads an MQM table: scores of segments and systems, texts.
pub fn parse_mqm(lines: &Lines, weights: &MqmWeights) -> Result<Judgements> {
    Ok(penalties::judge(&weighable(lines, weights)?, weights))
}

/// The annotations; an error if a severity has no weight and is not known to cost nothing.
fn weighable<'a>(lines: &'a Lines, weights: &MqmWeights) -> Result<Annotations<'a>> {
    let table = Annotations::parse(lines)?;
    match table.rows.iter().find(|row| !weights.knows(row.severity)) {
        Some(row) => Err(lines.bad(
            row.line,
            format!(
                "expected a severity with a weight (Major, Minor, Neutral, No-error, HOTW-test), found {:?}",
                row.severity
            ),
        )),
        None => Ok(table),
    }
}

/// Reads an MQM file of any kind with these weights. (They have no effect on averages.)
pub fn read_mqm(path: &Path, weights: &MqmWeights) -> Result<Judgements> {
    let file = MqmFile::from_name(&file_name(path)).unwrap_or_else(|| unnamed(path));
    let judgements = file.read(path, weights)?;
    Ok(Judgements { set: file.set, pair: file.pair, ..judgements })
}

/// The MQM sets in a folder or file.
pub fn sources(path: &Path) -> Result<Vec<JudgementSource>> {
    if !path.is_dir() {
        let mqm_columns: [&[&str]; 5] = [&["system"], &["doc"], &["rater"], &["category"], &["severity"]];
        let is_mqm = Header::read(path, Separator::Tab).is_ok_and(|header| header.has(&mqm_columns));
        let file = MqmFile::from_name(&file_name(path)).or_else(|| is_mqm.then(|| unnamed(path)));
        return Ok(Vec::from_iter(file.map(|file| file.into_source(path.to_owned()))));
    }
    let entries = fs::read_dir(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
    let mut found: Vec<(PathBuf, MqmFile)> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter_map(|path| MqmFile::from_name(&file_name(&path)).map(|file| (path, file)))
        .collect();
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    let with_errors: Vec<MqmFile> =
        found.iter().filter(|(_, file)| file.kind == Kind::Errors).map(|(_, file)| file.clone()).collect();
    found.retain(|(_, file)| {
        file.kind != Kind::Averages || !with_errors.iter().any(|other| other.set == file.set && other.pair == file.pair)
    });
    Ok(found.into_iter().map(|(path, file)| file.into_source(path)).collect())
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A file of errors without a known name.
fn unnamed(path: &Path) -> MqmFile {
    let name = file_name(path);
    let set = name.split('.').next().unwrap_or_default().to_owned();
    MqmFile { set, pair: String::new(), kind: Kind::Errors }
}

/// The lines of a file, or of the only file in a tar archive.
fn read_table_lines(path: &Path) -> Result<Lines> {
    let bytes = unpack::read(path)?;
    if !is_tar(&bytes) {
        return Lines::from_bytes(path, bytes);
    }
    let mut files = read_tar(path, &bytes)?;
    match (files.pop(), files.is_empty()) {
        (Some(file), true) => Lines::from_bytes(path, file.bytes),
        (last, _) => Err(Error::bad_file(
            path,
            format!(
                "expected one file in the archive, found {} (unpack it and name the file)",
                files.len() + usize::from(last.is_some())
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_recognised_by_name() {
        let read = |name: &str| MqmFile::from_name(name).map(|file| (file.set, file.pair, file.kind));
        let file = |set: &str, pair: &str, kind| Some((set.to_owned(), pair.to_owned(), kind));
        assert_eq!(read("mqm_ted_ende.tsv.gz"), file("mqm_ted", "en-de", Kind::Errors));
        assert_eq!(read("mqm_newstest2020_zhen.avg_seg_scores.tsv"), file("mqm_newstest2020", "zh-en", Kind::Averages));
        assert_eq!(
            read("sxs_mqm_generalMT2023_ende.3ratingsPerSegment.tsv.tar.gz"),
            file("sxs_mqm_generalMT2023", "en-de", Kind::SideBySide)
        );
        for foreign in ["psqm_newstest2020_ende.tsv", "mqm_ted.tsv", "pairs.cs-en.tsv.gz", "mqm_ted_ende.txt"] {
            assert_eq!(read(foreign), None, "{foreign}");
        }
    }

    #[test]
    fn a_folder_gives_its_sets_once_and_other_folders_none() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("README.md", "");
        assert!(sources(folder.path()).unwrap().is_empty());
        let header = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n";
        write("mqm_ted_ende.tsv", header);
        write("mqm_ted_ende.avg_seg_scores.tsv", "system mqm_avg_score seg_id\n");
        write("mqm_old_zhen.avg_seg_scores.tsv", "system mqm_avg_score seg_id\na -1 1\n");
        let found = sources(folder.path()).unwrap();
        let names: Vec<_> = found.iter().map(|source| (source.set.as_str(), source.pair.as_str())).collect();
        assert_eq!(names, [("mqm_old", "zh-en"), ("mqm_ted", "en-de")]);
        assert_eq!(found[0].read().unwrap().scores[0].values, [[Some(-1.0)]]);
        write("mine.tsv", &format!("{header}a\td\t1\t1\tr\ts\tt\tOther\tMinor\n"));
        let mine = sources(&folder.path().join("mine.tsv")).unwrap();
        assert_eq!((mine[0].set.as_str(), mine[0].pair.as_str()), ("mine", ""));
        assert!(sources(&folder.path().join("README.md")).unwrap().is_empty());
        let weights = MqmWeights::parse("Minor:3").unwrap();
        let judged = read_mqm(&folder.path().join("mine.tsv"), &weights).unwrap();
        assert_eq!((judged.set.as_str(), &judged.scores[0].values[0]), ("mine", &vec![Some(-3.0)]));
    }
}
