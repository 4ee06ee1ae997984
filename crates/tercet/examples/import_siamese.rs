//! Makes a model of the metric `siamese` from what `training/siamese/export.py` wrote:
//!
//! ```console
//! $ cargo run --release -p tercet --example import_siamese EXPORT.safetensors MODEL.safetensors
//! $ cargo run --release -p tercet --example import_siamese EXPORT.safetensors MODEL.safetensors single
//! $ cargo run --release -p tercet --example import_siamese EXPORT.safetensors MODEL.safetensors 4-bit
//! $ cargo run --release -p tercet --example import_siamese EXPORT.safetensors models english
//! $ cargo run --release -p tercet --example import_siamese EXPORT.safetensors models multilingual
//! $ cargo run --release -p tercet --example import_siamese EXPORT.safetensors models fast
//! ```
//!
//! The first has 8-bit weights, the second 32-bit floats, the third 8-bit weights and a table of words with 4 bits. The
//! others make the files of an embedded model, the multilingual one as the third.

use std::path::Path;
use tercet::metrics::siamese::{WeightFormat, import};

/// Bytes of tensors in a part: a package registry takes ten mebibytes.
const MAX_PART_BYTES: usize = 9_900_000;

/// The embedded models: folders of their parts in `models`, names of the files, weights.
const EMBEDDED: [(&str, &str, &str, WeightFormat); 3] = [
    ("english", "siamese", "siamese-en", WeightFormat::Int8),
    ("multilingual", "siamese-multilingual", "siamese-multilingual", WeightFormat::Nibbles),
    ("fast", "siamese-fast", "siamese-fast", WeightFormat::Int8),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (export, target, kind) = match arguments[..] {
        [export, target] => (export, target, "8-bit"),
        [export, target, kind] => (export, target, kind),
        _ => return Err("expected EXPORT MODEL, and 8-bit, 4-bit or single; or EXPORT FOLDER MODEL".into()),
    };
    let (export, target) = (Path::new(export), Path::new(target));
    if let Some((_, folder, name, format)) = EMBEDDED.into_iter().find(|(known, ..)| *known == kind) {
        for (number, part) in (1..).zip(import(export, format)?.to_parts(MAX_PART_BYTES)?) {
            let folder = target.join(format!("{folder}-{number}"));
            std::fs::create_dir_all(&folder)?;
            std::fs::write(folder.join(format!("{name}-{number}.safetensors")), part)?;
        }
        return Ok(());
    }
    let format = match kind {
        "8-bit" => WeightFormat::Int8,
        "4-bit" => WeightFormat::Nibbles,
        "single" => WeightFormat::Single,
        other => return Err(format!("{other}: expected 8-bit, 4-bit, single, english, multilingual or fast").into()),
    };
    Ok(import(export, format)?.write(target)?)
}
