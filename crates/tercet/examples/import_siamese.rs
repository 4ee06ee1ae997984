//! Makes a model of the metric `siamese` from what `training/siamese/export.py` wrote:
//!
//! ```console
//! $ cargo run --release -p tercet --example import_siamese EXPORT.safetensors MODEL.safetensors
//! $ cargo run --release -p tercet --example import_siamese EXPORT.safetensors MODEL.safetensors single
//! $ cargo run --release -p tercet --example import_siamese EXPORT.safetensors models parts
//! ```
//!
//! The first has 8-bit weights, the second 32-bit floats; the third makes the files of the embedded model.

use std::path::Path;
use tercet::metrics::siamese::{WeightFormat, import};

/// Bytes of tensors in a part: a package registry takes ten mebibytes.
const MAX_PART_BYTES: usize = 9_900_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [export, model] => import(Path::new(export), WeightFormat::Int8)?.write(Path::new(model))?,
        [export, model, "single"] => import(Path::new(export), WeightFormat::Single)?.write(Path::new(model))?,
        [export, folder, "parts"] => {
            let parts = import(Path::new(export), WeightFormat::Int8)?.to_parts(MAX_PART_BYTES)?;
            for (number, part) in (1..).zip(parts) {
                let name = format!("siamese-{number}/siamese-en-{number}.safetensors");
                std::fs::write(Path::new(folder).join(name), part)?;
            }
        }
        _ => return Err("expected EXPORT MODEL, EXPORT MODEL single, or EXPORT FOLDER parts".into()),
    }
    Ok(())
}
