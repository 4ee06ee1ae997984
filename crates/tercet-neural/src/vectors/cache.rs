//! Word vectors through their compact form in the user's cache folder.
//!
//! A compact form that is damaged, of another version or of another source is written again; if the folder cannot be
//! written, the vectors are held in memory instead.

use super::compact::{CompactFile, Writer, is_other_version};
use super::format::{Format, WordFilter};
use super::identity::Identity;
use super::index::Index;
use super::source::Source;
use super::word_vectors::WordVectors;
use crate::cache::{Cache, hexadecimal, write_new};
use crate::error::{Error, Result};
use std::io;
use std::path::Path;

/// The vectors of a file, through its compact form if that can be cached.
pub(super) fn open(path: &Path, cache: &Cache) -> Result<WordVectors> {
    let identity = Identity::new(path, cache)?;
    match compact(path, cache, &identity)? {
        Some(compact) => Ok(WordVectors::compact(&identity.sha, compact)),
        None => read(path, &identity, &|_| true),
    }
}

/// The same for some words, whose vectors are copied into memory.
pub(super) fn open_for(path: &Path, cache: &Cache, wanted: WordFilter<'_>) -> Result<WordVectors> {
    let identity = Identity::new(path, cache)?;
    match compact(path, cache, &identity)? {
        Some(compact) => WordVectors::selected(&identity.sha, &compact, wanted),
        None => read(path, &identity, wanted),
    }
}

/// Reads a file from start to end.
pub(super) fn read(path: &Path, identity: &Identity, wanted: WordFilter<'_>) -> Result<WordVectors> {
    let vectors = WordVectors::read(Source::open(path)?, None, &identity.sha, wanted)?;
    identity.still_holds()?;
    Ok(vectors)
}

/// The compact form of a file, written if there is none; `None` if the file is too small or the form cannot be written.
fn compact(path: &Path, cache: &Cache, identity: &Identity) -> Result<Option<CompactFile>> {
    let name = format!("vectors-{}", hexadecimal(&identity.sha));
    let Some(place) = cache.place(&name, identity.length) else { return Ok(None) };
    match CompactFile::open(&place, &identity.sha) {
        Ok(compact) => return Ok(Some(compact)),
        Err(error) if error.kind() == io::ErrorKind::NotFound || is_other_version(&place) => {}
        Err(_) => cache.add_damaged(&place),
    }
    Ok(convert(path, &place, identity)?.and_then(|()| CompactFile::open(&place, &identity.sha)).ok())
}

/// Writes the compact form of a file. The inner error is from writing, the outer from reading.
fn convert(path: &Path, place: &Path, identity: &Identity) -> Result<io::Result<()>> {
    let mut unreadable = None;
    let written = write_new(place, |file| {
        let mut writer = Writer::new(file.try_clone()?)?;
        match rows(path, &mut writer) {
            Ok(Ok((format, dimension, duplicates, index))) => {
                writer.finish(&identity.sha, format, dimension, duplicates, &index)?;
                identity.still_holds().map_err(|error| {
                    unreadable = Some(error);
                    io::Error::other("changed")
                })
            }
            Ok(Err(unwritable)) => Err(unwritable),
            Err(error) => {
                unreadable = Some(error);
                Err(io::Error::other("unreadable"))
            }
        }
    });
    unreadable.map_or(Ok(written), Err)
}

type Words = (Format, usize, usize, Index);

/// Writes the vectors of a file; returns its format, dimension, number of duplicate words, and words.
fn rows(path: &Path, writer: &mut Writer) -> Result<io::Result<Words>> {
    let mut source = Source::open(path)?;
    let format = Format::detect(source.start());
    let (mut index, mut duplicates, mut unwritable) = (Index::default(), 0, None);
    let read = format.read(&mut source, &|_| true, &mut |word, vector| {
        if !index.insert(word)? {
            duplicates += 1;
            return Ok(());
        }
        writer.vector(vector).map_err(|error| {
            unwritable = Some(error);
            Error::Unusable(String::new())
        })
    });
    match unwritable {
        Some(error) => Ok(Err(error)),
        None => read.map(|dimension| Ok((format, dimension, duplicates, index))),
    }
}
