//! The tensors of a model file: in single precision or as 8-bit integers, a large matrix in pieces; the table of words
//! also with 4 bits.

use crate::error::Result;
use tercet_model::model_file::{ModelFile, Numbers, Values};
use tercet_transformer::{NIBBLE_BLOCK, Nibbles, StoredNumbers, StoredTensors, names::TOKENS};

/// How large matrices are stored; the others are in single precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightFormat {
    /// In single precision, in which they are computed too.
    Single,
    /// As 8-bit integers; the encoder computes with 7 bits of them.
    Int8,
    /// The same, but the table of words with 4 bits.
    Nibbles,
}

/// Matrices of at least so many rows and columns are worth 8-bit integers.
const MIN_ROWS: usize = 64;

/// Numbers of a matrix that stay together.
const MAX_PIECE_LENGTH: usize = 8_000_000;

/// The tensor with the bytes of a model of SentencePiece.
pub const PIECES: &str = "vocabulary.sentencepiece";

/// A model file as the encoder sees it.
#[derive(Clone, Copy)]
pub struct Stored<'a>(pub &'a ModelFile);

/// The name of a matrix with 4 bits per number: its bytes row by row, and the numbers of a row.
fn nibbles_of(name: &str) -> String {
    format!("{name}:4bit")
}

/// The name of a piece of a tensor that is too large for one part of a model: some of its rows.
fn piece(name: &str, number: usize) -> String {
    format!("{name}/{number}")
}

impl StoredTensors for Stored<'_> {
    fn tensor(&self, name: &str) -> Option<(Vec<usize>, StoredNumbers<'_>)> {
        if !self.0.has(name) {
            return self.joined(name).or_else(|| self.nibbles(name));
        }
        let stored = self.0.tensor(name).ok()?;
        let numbers = match stored.values {
            Numbers::F32(values) => StoredNumbers::Single(values.into()),
            Numbers::F64(_) => return None,
            Numbers::I8(_) => {
                let (values, scales) = self.0.quantised(name).ok()?;
                StoredNumbers::Int8 { values: values.into(), scales: scales.into() }
            }
        };
        Some((stored.shape.to_vec(), numbers))
    }
}

impl Stored<'_> {
    /// Whether there is a tensor of this name, in one piece or several.
    pub fn has(&self, name: &str) -> bool {
        self.0.has(name) || self.0.has(&piece(name, 1))
    }

    /// Whether a matrix has 4 bits per number.
    pub fn has_nibbles(&self, name: &str) -> bool {
        self.has(&nibbles_of(name))
    }

    /// A matrix of 8-bit integers that is stored in pieces.
    fn joined(&self, name: &str) -> Option<(Vec<usize>, StoredNumbers<'_>)> {
        let (mut values, mut scales) = (Vec::new(), Vec::new());
        for piece in self.pieces(name) {
            let (of_piece, scales_of_piece) = self.0.quantised(&piece).ok()?;
            values.extend_from_slice(of_piece);
            scales.extend_from_slice(scales_of_piece);
        }
        let width = values.len().checked_div(scales.len())?;
        if width * scales.len() != values.len() {
            return None;
        }
        let shape = vec![scales.len(), width];
        Some((shape, StoredNumbers::Int8 { values: values.into(), scales: scales.into() }))
    }

    /// A matrix with 4 bits per number, also in pieces.
    fn nibbles(&self, name: &str) -> Option<(Vec<usize>, StoredNumbers<'_>)> {
        let name = nibbles_of(name);
        let whole = self.0.has(&name).then(|| name.clone());
        let (mut bytes, mut rows, mut row_bytes) = (Vec::new(), 0, None);
        for piece in whole.into_iter().chain(self.pieces(&name)) {
            let stored = self.0.tensor(&piece).ok()?;
            let (Numbers::I8(values), [count, width]) = (stored.values, stored.shape) else { return None };
            if *row_bytes.get_or_insert(*width) != *width {
                return None;
            }
            bytes.extend_from_slice(bytemuck::cast_slice(values));
            rows += count;
        }
        let nibbles = Nibbles::from_bytes(bytes)?;
        let width = nibbles.len().checked_div(rows)?;
        let is_whole = width % NIBBLE_BLOCK == 0 && width * rows == nibbles.len();
        is_whole.then_some((vec![rows, width], StoredNumbers::Nibbles(nibbles)))
    }

    fn pieces(&self, name: &str) -> impl Iterator<Item = String> {
        let pieces: Vec<String> =
            (1..).map(|number| piece(name, number)).take_while(|piece| self.0.has(piece)).collect();
        pieces.into_iter()
    }

    /// The shape and the numbers of a tensor as floats, however they are stored.
    pub fn whole(&self, name: &str) -> Result<(Vec<usize>, Vec<f32>)> {
        let Some((shape, numbers)) = self.tensor(name) else {
            // The error of the file names what is wrong.
            self.0.tensor(name)?;
            return Err(self.0.bad(format!("its tensor `{name}` cannot be read")).into());
        };
        let floats = match numbers {
            StoredNumbers::Single(values) => values.into_owned(),
            StoredNumbers::Nibbles(nibbles) => nibbles.numbers(),
            StoredNumbers::Int8 { values, scales } => {
                let rows = values.chunks_exact((values.len() / scales.len().max(1)).max(1));
                let row = |(row, scale): (&[i8], &f32)| row.iter().map(|q| f32::from(*q) * scale).collect::<Vec<f32>>();
                rows.zip(scales.iter()).flat_map(row).collect()
            }
        };
        Ok((shape, floats))
    }

    /// The numbers of a tensor.
    pub fn floats(&self, name: &str) -> Result<Vec<f32>> {
        Ok(self.whole(name)?.1)
    }

    /// The numbers of a tensor that has so many of them.
    pub fn some_floats(&self, name: &str, count: usize) -> Result<Vec<f32>> {
        let numbers = self.floats(name)?;
        if numbers.len() != count {
            let reason = format!("its tensor `{name}` has {} numbers, expected {count}", numbers.len());
            return Err(self.0.bad(reason).into());
        }
        Ok(numbers)
    }

    /// The names of all tensors of numbers, those of scales and pieces left out.
    pub fn names(&self) -> Vec<String> {
        let whole = |name: &str| {
            let base = name.rsplit_once('/').filter(|(_, number)| number.parse::<usize>().is_ok());
            let base = base.map_or(name, |(base, _)| base);
            base.strip_suffix(":4bit").unwrap_or(base).to_owned()
        };
        let tensors = self.0.names().filter(|name| !name.ends_with(":scales") && *name != PIECES);
        let mut names: Vec<String> = tensors.map(whole).collect();
        names.dedup();
        names
    }
}

/// Adds a tensor: large matrices as 8-bit integers, if that is wanted, the others in single precision.
pub fn add_tensor(file: &mut ModelFile, name: &str, shape: &[usize], values: &[f32], format: WeightFormat) {
    let is_finite = || values.iter().all(|value| value.is_finite());
    match *shape {
        [rows, width]
            if format == WeightFormat::Nibbles && name == TOKENS && width % NIBBLE_BLOCK == 0 && is_finite() =>
        {
            let nibbles = Nibbles::rounded(values);
            let bytes: &[i8] = bytemuck::cast_slice(nibbles.as_bytes());
            add_nibbles(file, &nibbles_of(name), rows, bytes);
        }
        [rows, width] if format != WeightFormat::Single && rows.min(width) >= MIN_ROWS && is_finite() => {
            // The head is read whole.
            match name.starts_with("head.") {
                true => file.add_quantised(name, [rows, width], values),
                false => add_matrix(file, name, [rows, width], values),
            }
        }
        _ => file.add(name, shape.to_vec(), Values::F32(values.to_vec())),
    }
}

/// Adds the bytes of a matrix with 4 bits per number, in pieces that fit into a part of a model.
fn add_nibbles(file: &mut ModelFile, name: &str, rows: usize, bytes: &[i8]) {
    let width = bytes.len() / rows.max(1);
    if bytes.len() <= MAX_PIECE_LENGTH {
        return file.add(name, vec![rows, width], Values::I8(bytes.to_vec()));
    }
    let rows_of_piece = rows.div_ceil(bytes.len().div_ceil(MAX_PIECE_LENGTH));
    for (number, bytes) in (1..).zip(bytes.chunks(rows_of_piece * width)) {
        file.add(&piece(name, number), vec![bytes.len() / width, width], Values::I8(bytes.to_vec()));
    }
}

/// Adds a matrix in pieces that fit into a part of a model.
fn add_matrix(file: &mut ModelFile, name: &str, [rows, width]: [usize; 2], values: &[f32]) {
    if rows * width <= MAX_PIECE_LENGTH {
        return file.add_quantised(name, [rows, width], values);
    }
    let rows_of_piece = rows.div_ceil((rows * width).div_ceil(MAX_PIECE_LENGTH));
    for (number, rows) in (1..).zip(values.chunks(rows_of_piece * width)) {
        file.add_quantised(&piece(name, number), [rows.len() / width, width], rows);
    }
}
