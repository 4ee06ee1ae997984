//! Bytes of a [`TensorFile`], and their way to the disk.

use super::{FORMAT, StoredTensor, TensorFile, Values};
use crate::error::{Error, Result};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The one entry of the format's metadata.
const ENTRY: &str = "tercet";

/// Before every key of the caller's.
const OWN: &str = ":";

pub(super) fn write(file: &TensorFile, path: &Path) -> Result<()> {
    write_whole(path, &bytes(file).map_err(|reason| Error::BadFile { path: path.to_owned(), reason })?)
}

/// Writes a file that is whole, old or new, at any moment: under a name ending in `.partial` beside its place, which it
/// then takes. What a process that is killed leaves has that ending.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let temporary = temporary(path);
    let written = (|| {
        let mut out = File::create(&temporary)?;
        out.write_all(bytes)?;
        out.sync_all()?;
        drop(out);
        fs::rename(&temporary, path)
    })();
    written.map_err(|source| {
        let _ = fs::remove_file(&temporary); // what is left of it is of no use
        Error::Write { path: path.to_owned(), source }
    })
}

/// A name beside the file's, of this process.
fn temporary(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.partial", std::process::id()));
    path.with_file_name(name)
}

pub(super) fn bytes(file: &TensorFile) -> Result<Vec<u8>, String> {
    let data: BTreeMap<&str, Vec<u8>> =
        file.tensors.iter().map(|(name, tensor)| (name.as_str(), little_endian(&tensor.values))).collect();
    let mut entries: BTreeMap<String, String> =
        file.metadata.iter().map(|(key, value)| (format!("{OWN}{key}"), value.clone())).collect();
    entries.insert("format".to_owned(), FORMAT.to_string());
    entries.insert("kind".to_owned(), file.kind.clone());
    entries.insert("sha256".to_owned(), checksum(file, &data));
    let views = file.tensors.iter().zip(data.values()).map(|((name, tensor), bytes)| {
        let view = TensorView::new(dtype(&tensor.values), tensor.shape.clone(), bytes);
        view.map(|view| (name.as_str(), view)).map_err(|error| error.to_string())
    });
    let views = views.collect::<Result<Vec<_>, _>>()?;
    let entry = serde_json::to_string(&entries).map_err(|error| error.to_string())?;
    let metadata = HashMap::from([(ENTRY.to_owned(), entry)]);
    safetensors::serialize(views, Some(metadata)).map_err(|error| error.to_string())
}

fn dtype(values: &Values) -> Dtype {
    match values {
        Values::F32(_) => Dtype::F32,
        Values::F64(_) => Dtype::F64,
        Values::I8(_) => Dtype::I8,
    }
}

fn little_endian(values: &Values) -> Vec<u8> {
    match values {
        Values::F32(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
        Values::F64(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
        Values::I8(values) => values.iter().map(|value| value.cast_unsigned()).collect(),
    }
}

/// Of kind, strings, names, shapes and numbers, each with its length.
fn checksum(file: &TensorFile, data: &BTreeMap<&str, Vec<u8>>) -> String {
    let mut hash = Sha256::new();
    let mut part = |bytes: &[u8]| {
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    part(file.kind.as_bytes());
    for (key, value) in &file.metadata {
        part(key.as_bytes());
        part(value.as_bytes());
    }
    for (name, tensor) in &file.tensors {
        part(name.as_bytes());
        part(format!("{:?} {:?}", dtype(&tensor.values), tensor.shape).as_bytes());
        part(&data[name.as_str()]);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(super) fn read(path: &Path, kind: &str) -> Result<TensorFile> {
    from_bytes(path, &read_whole(path)?, kind)
}

/// The bytes of a file that should be one of ours.
pub fn read_whole(path: &Path) -> Result<Vec<u8>> {
    if path.is_dir() {
        let reason = "it is a folder, expected a file of weights (name one)".to_owned();
        return Err(Error::BadFile { path: path.to_owned(), reason });
    }
    fs::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })
}

pub(super) fn from_bytes(path: &Path, bytes: &[u8], kind: &str) -> Result<TensorFile> {
    let file = parse(bytes, kind).map_err(|reason| Error::BadFile { path: path.to_owned(), reason })?;
    Ok(TensorFile { path: path.to_owned(), ..file })
}

fn parse(bytes: &[u8], kind: &str) -> Result<TensorFile, String> {
    let damaged = |error: &dyn std::fmt::Display| format!("not a whole safetensors file ({error})");
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(|error| damaged(&error))?;
    let entry = header.metadata().as_ref().and_then(|metadata| metadata.get(ENTRY));
    let entry = entry.ok_or("a safetensors file, but none that tercet wrote")?;
    let mut entries: BTreeMap<String, String> =
        serde_json::from_str(entry).map_err(|error| format!("its metadata cannot be read ({error})"))?;
    check_format(&entries, kind)?;
    let expected = entries.remove("sha256").ok_or("it has no checksum")?;
    let tensors = SafeTensors::deserialize(bytes).map_err(|error| damaged(&error))?;
    let mut names: Vec<&str> = tensors.names();
    names.sort_unstable();
    let mut file = TensorFile::new(kind);
    let own = |(key, value): (String, String)| Some((key.strip_prefix(OWN)?.to_owned(), value));
    file.metadata = entries.into_iter().filter_map(own).collect();
    let mut data = BTreeMap::new();
    for name in names {
        let view = tensors.tensor(name).map_err(|error| damaged(&error))?;
        let values = values(name, &view)?;
        data.insert(name, view.data().to_vec());
        file.tensors.insert(name.to_owned(), StoredTensor { shape: view.shape().to_vec(), values });
    }
    if checksum(&file, &data) != expected {
        return Err("its checksum differs: the file is damaged, take another copy".to_owned());
    }
    Ok(file)
}

/// Refuses later versions and other kinds.
fn check_format(entries: &BTreeMap<String, String>, kind: &str) -> Result<(), String> {
    let format = entries.get("format").and_then(|format| format.parse::<u32>().ok());
    match format {
        None => return Err("it does not say its format".to_owned()),
        Some(format) if format > FORMAT => {
            return Err(format!("its format {format} is later than {FORMAT}: a newer tercet reads it"));
        }
        Some(_) => {}
    }
    match entries.get("kind") {
        Some(found) if found == kind => Ok(()),
        Some(found) => Err(format!("it holds a {}, not a {}", called(found), called(kind))),
        None => Err(format!("it does not say what it holds, expected a {}", called(kind))),
    }
}

/// What people call a kind of file.
fn called(kind: &str) -> &str {
    match kind {
        "pairwise" => "pairwise network",
        "training state" => "checkpoint of a training",
        "parser training" => "checkpoint of a parser's training",
        other => other,
    }
}

fn values(name: &str, view: &TensorView<'_>) -> Result<Values, String> {
    match view.dtype() {
        Dtype::F32 => {
            Ok(Values::F32(view.data().as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect()))
        }
        Dtype::F64 => {
            Ok(Values::F64(view.data().as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect()))
        }
        Dtype::I8 => Ok(Values::I8(view.data().iter().map(|byte| byte.cast_signed()).collect())),
        other => Err(format!("its tensor `{name}` is of type {other:?}, expected F32, F64 or I8")),
    }
}
