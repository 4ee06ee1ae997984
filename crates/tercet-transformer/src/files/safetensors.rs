//! `model.safetensors`: numbers in single or half precision.

use super::{Tensor, Tensors, unusable};
use crate::error::Result;
use safetensors::{Dtype, SafeTensors};
use std::path::Path;

/// All tensors of floats; those of whole numbers (`position_ids`) are left out. `path` is for messages.
pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<Tensors> {
    let file = SafeTensors::deserialize(bytes)
        .map_err(|error| unusable(path, format!("not a whole safetensors file: {error} (copy it again)")))?;
    let each = file.iter().filter_map(|(name, view)| {
        let values = floats(view.dtype(), view.data())?;
        Some((name.to_owned(), Tensor { shape: view.shape().to_vec(), values }))
    });
    Ok(each.collect())
}

fn floats(kind: Dtype, bytes: &[u8]) -> Option<Vec<f32>> {
    let halves = || bytes.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]]));
    Some(match kind {
        Dtype::F32 => bytes
            .chunks_exact(4)
            .map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]))
            .collect(),
        Dtype::BF16 => halves().map(|bits| f32::from_bits(u32::from(bits) << 16)).collect(),
        Dtype::F16 => halves().map(half).collect(),
        _ => return None,
    })
}

/// A number of 16 bits (IEEE 754 binary16).
fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023));
    sign * match exponent {
        0 => fraction * 2f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1024.0 + fraction) * 2f32.powi(exponent - 25),
    }
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
