//! Conversion between a [`ModelFile`] and bytes.

use super::{FORMAT, Held, ModelFile, Numbers, Part, Place, Values};
use crate::files::hexadecimal;
use bytemuck::{cast_slice, try_cast_slice};
use safetensors::tensor::{Dtype, SafeTensors, TensorInfo, TensorView};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// The only entry of the safetensors metadata.
const ENTRY: &str = "tercet";

/// Prefix of the model's own keys.
const OWN: &str = ":";

/// Size of the length field before the header.
const LENGTH: usize = 8;

/// A tensor's type, shape and little-endian bytes.
type Raw<'a> = (Dtype, &'a [usize], Cow<'a, [u8]>);

pub(super) fn bytes(file: &ModelFile) -> Result<Vec<u8>, String> {
    let tensors = raw(file);
    let mut entries: BTreeMap<String, String> =
        file.metadata.iter().map(|(key, value)| (format!("{OWN}{key}"), value.clone())).collect();
    entries.insert("format".to_owned(), FORMAT.to_string());
    entries.insert("kind".to_owned(), file.kind.clone());
    entries.insert("sha256".to_owned(), checksum(file, &tensors));
    let views = tensors.iter().map(|(name, (dtype, shape, bytes))| {
        let view = TensorView::new(*dtype, shape.to_vec(), bytes);
        view.map(|view| (*name, view)).map_err(|error| error.to_string())
    });
    let views = views.collect::<Result<Vec<_>, _>>()?;
    let entry = serde_json::to_string(&entries).map_err(|error| error.to_string())?;
    let metadata = HashMap::from([(ENTRY.to_owned(), entry)]);
    safetensors::serialize(views, Some(metadata)).map_err(|error| error.to_string())
}

/// All tensors as stored in the file, by name.
fn raw(file: &ModelFile) -> BTreeMap<&str, Raw<'_>> {
    let raw = |held| match file.numbers(held) {
        Numbers::F32(values) => (Dtype::F32, little_endian(values, |value| value.to_le_bytes())),
        Numbers::F64(values) => (Dtype::F64, little_endian(values, |value| value.to_le_bytes())),
        Numbers::I8(values) => (Dtype::I8, Cow::Borrowed(cast_slice(values))),
    };
    let tensors = file.tensors.iter().map(|(name, held)| {
        let (dtype, bytes) = raw(held);
        (name.as_str(), (dtype, held.shape.as_slice(), bytes))
    });
    tensors.collect()
}

/// Bytes per number.
pub(super) fn size(numbers: Numbers<'_>) -> usize {
    match numbers {
        Numbers::F32(values) => size_of_val(values),
        Numbers::F64(values) => size_of_val(values),
        Numbers::I8(values) => size_of_val(values),
    }
}

fn little_endian<T: bytemuck::Pod, const N: usize>(values: &[T], bytes: impl Fn(T) -> [u8; N]) -> Cow<'_, [u8]> {
    if cfg!(target_endian = "little") {
        return Cow::Borrowed(cast_slice(values));
    }
    values.iter().flat_map(|value| bytes(*value)).collect::<Vec<u8>>().into()
}

/// SHA-256 of kind, entries, names, shapes and numbers, each preceded by its length.
fn checksum(file: &ModelFile, tensors: &BTreeMap<&str, Raw<'_>>) -> String {
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
    for (name, (dtype, shape, bytes)) in tensors {
        part(name.as_bytes());
        part(format!("{dtype:?} {shape:?}").as_bytes());
        part(bytes);
    }
    hexadecimal(&hash.finalize())
}

/// Whether a file has our metadata.
pub(super) fn is_ours(bytes: &[u8]) -> bool {
    let header = SafeTensors::read_metadata(bytes).ok();
    let metadata = header.as_ref().and_then(|(_, header)| header.metadata().as_ref());
    metadata.is_some_and(|metadata| metadata.contains_key(ENTRY))
}

/// Reads a file, or a part of one, from bytes.
pub(super) fn parse(part: &Part, kind: &str) -> Result<ModelFile, String> {
    let bytes = part.bytes();
    let refused = |error| match bytes.get(LENGTH) {
        Some(first) if *first != b'{' => "not a model that tercet wrote".to_owned(),
        _ => format!("not a whole safetensors file ({error})"),
    };
    let (length, header) = SafeTensors::read_metadata(bytes).map_err(refused)?;
    let entry = header.metadata().as_ref().and_then(|metadata| metadata.get(ENTRY));
    let entry = entry.ok_or("a safetensors file, but none that tercet wrote")?;
    let mut entries: BTreeMap<String, String> =
        serde_json::from_str(entry).map_err(|error| format!("its metadata cannot be read ({error})"))?;
    check_format(&entries, kind)?;
    let expected = entries.remove("sha256").ok_or("it has no checksum")?;
    let own = |(key, value): (String, String)| Some((key.strip_prefix(OWN)?.to_owned(), value));
    let metadata = entries.into_iter().filter_map(own).collect();
    let tensors: BTreeMap<String, &TensorInfo> = header.tensors().into_iter().collect();
    let held = tensors.into_iter().map(|(name, info)| {
        let held = held(bytes, LENGTH + length, info);
        Ok((name.clone(), held.ok_or_else(|| unknown_type(&name, info.dtype))?))
    });
    let tensors = held.collect::<Result<_, String>>()?;
    let file = ModelFile { metadata, tensors, parts: vec![part.clone()], ..ModelFile::new(kind) };
    if checksum(&file, &raw(&file)) != expected {
        return Err("its checksum differs: the file is damaged, take another copy".to_owned());
    }
    Ok(file)
}

/// Reads a tensor; it is copied only if its bytes cannot be viewed as numbers.
fn held(bytes: &[u8], data: usize, info: &TensorInfo) -> Option<Held> {
    let place = data + info.data_offsets.0..data + info.data_offsets.1;
    let bytes = &bytes[place.clone()];
    let values = match view(info.dtype, bytes) {
        Some(_) => Place::Part(0, place, info.dtype),
        None => Place::Owned(copied(info.dtype, bytes)?),
    };
    Some(Held { shape: info.shape.clone(), values })
}

/// Bytes as numbers, if they are aligned and the machine is little-endian.
pub(super) fn view(dtype: Dtype, bytes: &[u8]) -> Option<Numbers<'_>> {
    match dtype {
        Dtype::I8 => Some(Numbers::I8(cast_slice(bytes))),
        _ if cfg!(target_endian = "big") => None,
        Dtype::F32 => try_cast_slice(bytes).ok().map(Numbers::F32),
        Dtype::F64 => try_cast_slice(bytes).ok().map(Numbers::F64),
        _ => None,
    }
}

/// Copies numbers from bytes of any alignment.
fn copied(dtype: Dtype, bytes: &[u8]) -> Option<Values> {
    match dtype {
        Dtype::F32 => Some(Values::F32(bytes.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect())),
        Dtype::F64 => Some(Values::F64(bytes.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect())),
        _ => None,
    }
}

fn unknown_type(name: &str, found: Dtype) -> String {
    format!("its tensor `{name}` is of type {found:?}, expected F32, F64 or I8")
}

/// Returns an error for later versions and other kinds.
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

/// Name of a kind of file in messages.
fn called(kind: &str) -> &str {
    match kind {
        "pairwise" => "pairwise network",
        "training state" => "checkpoint of a training",
        "parser training" => "checkpoint of a parser's training",
        other => other,
    }
}
