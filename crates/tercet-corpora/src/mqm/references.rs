//! References for MQM sets without any: the texts of the news task in the same folder.
//!
//! `generaltest2023.zh-en.src.zh` and `generaltest2023.zh-en.ref.refA.en` (wmt23-news-systems, plain or compressed) are
//! the whole test set, a line for each segment; an MQM set of `generalMT2023` is a part of it with its own numbers. A
//! segment is found by its source, ignoring white space (the annotation tool dropped some of it inside Chinese). Where
//! a source occurs twice, the first occurrence after the previous segment counts, or else the first. Segments that are
//! not found have no reference.

use crate::error::Result;
use crate::folder::Folder;
use crate::{Judgements, Reference, read_lines};
use foldhash::HashMap;
use std::path::{Path, PathBuf};

/// The test set that a set is part of: `generaltest2023` for `generalMT2023`.
fn test_set(set: &str) -> Option<String> {
    let year = set.rsplit("generalMT").next().filter(|_| set.contains("generalMT"))?;
    (year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit())).then(|| format!("generaltest{year}"))
}

/// Adds the references in `folder` to the judgements of a set and pair.
pub fn add_references(judgements: &mut Judgements, folder: &Path, set: &str, pair: &str) -> Result<()> {
    let (Some(test_set), Some((source, target))) = (test_set(set), pair.split_once('-')) else {
        return Ok(());
    };
    let folder = Folder::read_if_there(folder)?;
    let sources = files(&folder, &format!("{test_set}.{pair}.src."), &format!(".{source}"));
    let references = files(&folder, &format!("{test_set}.{pair}.ref."), &format!(".{target}"));
    let (Some((_, sources)), Some(texts)) = (sources.first(), &mut judgements.texts) else {
        return Ok(());
    };
    let Some(wanted) = &texts.sources else { return Ok(()) };
    let sources = read_lines(sources)?;
    let places = places(&sources.iter().collect::<Vec<_>>(), wanted);
    for (name, path) in references {
        if texts.references.iter().any(|reference| reference.name == name) {
            continue;
        }
        let lines = read_lines(&path)?;
        sources.check_length_of(&lines)?;
        let line = |place: &Option<usize>| place.map(|place| lines.line(place).to_owned());
        texts.references.push(Reference { name, lines: places.iter().map(line).collect() });
    }
    Ok(())
}

/// Files of a folder whose names, without compression, start and end like this, with the part between; sorted.
fn files(folder: &Folder, start: &str, end: &str) -> Vec<(String, PathBuf)> {
    let between = |name: &str| {
        let rest = name.strip_prefix(start)?;
        // `src.zh` has nothing between start and end, `ref.refA.en` has a name.
        Some(if rest == &end[1..] { "" } else { rest.strip_suffix(end)? }.to_owned())
    };
    let mut found: Vec<(String, PathBuf)> =
        folder.files().filter_map(|(name, path)| Some((between(name)?, path.to_owned()))).collect();
    found.sort();
    found
}

/// The index of each wanted line in `lines`.
fn places(lines: &[&str], wanted: &[String]) -> Vec<Option<usize>> {
    let bare = |text: &str| text.split_whitespace().collect::<String>();
    let mut at: HashMap<String, Vec<usize>> = HashMap::default();
    for (place, line) in lines.iter().enumerate() {
        at.entry(bare(line)).or_default().push(place);
    }
    let mut before = None;
    let place = |text: &String| {
        let candidates = at.get(&bare(text))?;
        let behind = candidates.iter().find(|&&place| before.is_none_or(|before| place > before));
        before = behind.or(candidates.first()).copied();
        before
    };
    wanted.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Texts;

    #[test]
    fn segments_are_found_by_their_source() {
        let wanted = ["b", "a", "z", "a"].map(str::to_owned);
        assert_eq!(places(&["a", "b", " a", "c"], &wanted), [Some(1), Some(2), None, Some(0)]);
        assert_eq!(test_set("sxs_mqm_generalMT2023").as_deref(), Some("generaltest2023"));
        assert_eq!((test_set("mqm_ted"), test_set("generalMT20")), (None, None));
    }

    #[test]
    fn references_of_the_whole_set_are_reduced_to_the_segments_of_the_part() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("generaltest2023.zh-en.src.zh", "一 二\n三\n");
        write("generaltest2023.zh-en.ref.refA.en", "one two\nthree\n");
        let texts = Texts { sources: Some(vec!["三".to_owned(), "一二".to_owned()]), ..Texts::default() };
        let mut judgements = Judgements { texts: Some(texts), ..Judgements::default() };
        add_references(&mut judgements, folder.path(), "mqm_generalMT2023", "zh-en").unwrap();
        let references = judgements.texts.unwrap().references;
        assert_eq!(references.len(), 1);
        assert_eq!(references[0].name, "refA");
        assert_eq!(references[0].lines, [Some("three".to_owned()), Some("one two".to_owned())]);
    }
}
