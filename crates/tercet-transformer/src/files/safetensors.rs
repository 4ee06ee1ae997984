//! `model.safetensors`: numbers in single or half precision.

use super::{Tensor, Tensors, unusable};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use std::path::Path;
use tercet_model::Result;

/// All tensors of floats, and of bytes; those of longer whole numbers (`position_ids`) are left out. `path` is for
/// messages.
pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<Tensors> {
    let file = SafeTensors::deserialize(bytes)
        .map_err(|error| unusable(path, format!("not a whole safetensors file: {error} (copy it again)")))?;
    let each = file.iter().filter_map(|(name, view)| {
        let values = floats(view.dtype(), view.data())?;
        Some((name.to_owned(), Tensor { shape: view.shape().to_vec(), values }))
    });
    Ok(each.collect())
}

/// A safetensors file with the strings beside its tensors.
#[derive(Clone, Debug, Default)]
pub struct Exported {
    /// Its metadata.
    pub metadata: std::collections::BTreeMap<String, String>,
    /// Its tensors of floats, sorted by name.
    pub tensors: Vec<ExportedTensor>,
}

/// A tensor with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportedTensor {
    /// Its name.
    pub name: String,
    /// Sizes of its dimensions.
    pub shape: Vec<usize>,
    /// The numbers, row by row.
    pub values: Vec<f32>,
}

impl Exported {
    /// Writes the file, in single precision.
    pub fn write(&self, path: &Path) -> Result<()> {
        let bytes = |tensor: &ExportedTensor| tensor.values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let stored: Vec<Vec<u8>> = self.tensors.iter().map(bytes).collect();
        let bad = |error: safetensors::SafeTensorError| unusable(path, error.to_string());
        let mut views = Vec::new();
        for (tensor, bytes) in self.tensors.iter().zip(&stored) {
            let view = TensorView::new(Dtype::F32, tensor.shape.clone(), bytes).map_err(bad)?;
            views.push((tensor.name.as_str(), view));
        }
        let metadata = self.metadata.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        let bytes = safetensors::serialize(views, Some(metadata)).map_err(bad)?;
        Ok(tercet_base::files::write(path, &bytes)?)
    }
}

/// Reads a safetensors file of floats with its metadata.
pub fn read_export(path: &Path) -> Result<Exported> {
    let bytes = super::read(path)?;
    let damaged =
        |error: safetensors::SafeTensorError| unusable(path, format!("not a whole safetensors file: {error}"));
    let (_, header) = SafeTensors::read_metadata(&bytes).map_err(damaged)?;
    let metadata = header.metadata().iter().flatten().map(|(key, value)| (key.clone(), value.clone()));
    let tensors = parse(path, &bytes)?;
    let mut tensors: Vec<ExportedTensor> =
        tensors.into_iter().map(|(name, Tensor { shape, values })| ExportedTensor { name, shape, values }).collect();
    tensors.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(Exported { metadata: metadata.collect(), tensors })
}

fn floats(kind: Dtype, bytes: &[u8]) -> Option<Vec<f32>> {
    let halves = || bytes.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]]));
    Some(match kind {
        Dtype::F32 => {
            bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect()
        }
        Dtype::BF16 => halves().map(|bits| f32::from_bits(u32::from(bits) << 16)).collect(),
        Dtype::F16 => halves().map(half).collect(),
        Dtype::U8 => bytes.iter().map(|byte| f32::from(*byte)).collect(),
        _ => return None,
    })
}

/// A number of 16 bits (IEEE 754 binary16).
pub(crate) fn half(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let magnitude = u32::from(bits & 0x7fff);
    let number = match magnitude >> 10 {
        // Below the smallest normal number: multiples of 2⁻²⁴.
        0 => (magnitude as f32 / 16_777_216.0).to_bits(),
        // Infinite or not a number.
        31 => 0x7f80_0000 | magnitude << 13,
        _ => (magnitude << 13) + ((127 - 15) << 23),
    };
    f32::from_bits(sign | number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision_is_read_exactly() {
        let values = [0x0000, 0x3c00, 0xc000, 0x7bff, 0x0001, 0x3555].map(half);
        assert_eq!(values, [0.0, 1.0, -2.0, 65504.0, 5.960_464_5e-8, 0.333_251_95]);
        assert_eq!(floats(Dtype::BF16, &[0x80, 0x3f]), Some(vec![1.0]));
        assert!(half(0x7c00).is_infinite() && half(0x7c01).is_nan());
    }
}
