//! The lengths that an Arrow file says before its data, looked at before memory is taken for them: the reader of the
//! format takes what a damaged length asks for, and ends the process where there is not so much.

use crate::error::{Error, Result};
use crate::format::Format;
use arrow_ipc::reader::read_footer_length;
use arrow_ipc::{Message, RecordBatch, root_as_footer, root_as_message};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// The most bytes that a byte of compressed data can stand for: a block of zstd that repeats one byte.
const MOST_PER_BYTE: u64 = 40_000;

/// The most bytes of a buffer: offsets of texts have 32 bits, those of long texts are few.
const MOST: u64 = 4 << 30;

/// The first bytes of a message in newer files; its length follows.
const MARK: [u8; 4] = [0xff; 4];

/// Returns an error if a length cannot be right. What else may be damaged is found by the reader of the format.
pub(crate) fn check(path: &Path, format: Format) -> Result<()> {
    if format == Format::Parquet {
        return Ok(());
    }
    let open = || -> io::Result<Lengths> {
        let file = File::open(path)?;
        Ok(Lengths { length: file.metadata()?.len(), file: BufReader::new(file) })
    };
    let mut lengths = open().map_err(|source| Error::io(path, source))?;
    let checked = match format {
        Format::ArrowFile => lengths.check_file(),
        _ => lengths.check_stream(),
    };
    match checked {
        Err(Wrong::Length(what)) => Err(Error::Damaged { path: path.to_owned(), row: 0, what }),
        Ok(()) | Err(Wrong::Unreadable) => Ok(()),
    }
}

/// Why lengths were looked at no further.
enum Wrong {
    /// One is wrong.
    Length(String),
    /// Something else is.
    Unreadable,
}

impl From<io::Error> for Wrong {
    fn from(_: io::Error) -> Self {
        Wrong::Unreadable
    }
}

struct Lengths {
    file: BufReader<File>,
    length: u64,
}

impl Lengths {
    /// The blocks that the description at the end of a file names.
    fn check_file(&mut self) -> Result<(), Wrong> {
        let mut end = [0; 10];
        self.file.seek(SeekFrom::End(-10))?;
        self.file.read_exact(&mut end)?;
        let length = read_footer_length(end).map_err(|_| Wrong::Unreadable)?;
        let from = self.length.checked_sub(length as u64 + 10).ok_or(Wrong::Unreadable)?;
        let bytes = self.read(from, length)?;
        let footer = root_as_footer(&bytes).map_err(|_| Wrong::Unreadable)?;
        let batches = footer.recordBatches().into_iter().flatten();
        let dictionaries = footer.dictionaries().into_iter().flatten();
        for block in batches.chain(dictionaries) {
            let [from, description, body] =
                [block.offset(), i64::from(block.metaDataLength()), block.bodyLength()].map(u64::try_from);
            let too_long = || wrong("a block is longer than the file");
            let (Ok(from), Ok(description), Ok(body)) = (from, description, body) else { return Err(too_long()) };
            let data = from.checked_add(description).ok_or_else(too_long)?;
            if data.checked_add(body).is_none_or(|end| end > self.length) {
                return Err(too_long());
            }
            let bytes = self.read(from, description as usize)?;
            let start = if bytes.starts_with(&MARK) { 8 } else { 4 };
            let message = root_as_message(bytes.get(start..).ok_or(Wrong::Unreadable)?);
            self.check_message(&message.map_err(|_| Wrong::Unreadable)?, data)?;
        }
        Ok(())
    }

    /// One message after the other.
    fn check_stream(&mut self) -> Result<(), Wrong> {
        let mut place = 0;
        while place + 4 <= self.length {
            let first = self.number(place)?;
            let is_marked = first == MARK;
            let length = i32::from_le_bytes(if is_marked { self.number(place + 4)? } else { first });
            let from = place + if is_marked { 8 } else { 4 };
            let Ok(length @ 1..) = u64::try_from(length) else { return Ok(()) };
            let data = from + length;
            if data > self.length {
                return Err(wrong("the description of a block is longer than the file"));
            }
            let bytes = self.read(from, length as usize)?;
            let message = root_as_message(&bytes).map_err(|_| Wrong::Unreadable)?;
            let body = u64::try_from(message.bodyLength()).ok();
            let end = body.and_then(|body| data.checked_add(body)).filter(|end| *end <= self.length);
            place = end.ok_or_else(|| wrong("a block is longer than the file"))?;
            self.check_message(&message, data)?;
        }
        Ok(())
    }

    /// The lengths of the compressed buffers of a message, whose data begin at a place.
    fn check_message(&mut self, message: &Message<'_>, data: u64) -> Result<(), Wrong> {
        let of_dictionary = message.header_as_dictionary_batch().and_then(|batch| batch.data());
        let batch: Option<RecordBatch<'_>> = message.header_as_record_batch().or(of_dictionary);
        let Some(batch) = batch.filter(|batch| batch.compression().is_some()) else { return Ok(()) };
        for buffer in batch.buffers().into_iter().flatten() {
            let (Ok(offset), Ok(length)) = (u64::try_from(buffer.offset()), u64::try_from(buffer.length())) else {
                return Err(wrong("a part of a block has a negative length"));
            };
            if length < 8 {
                continue;
            }
            let place = data.checked_add(offset).ok_or_else(|| wrong("a part of a block is outside of the file"))?;
            let mut unpacked = [0; 8];
            unpacked.copy_from_slice(&self.read(place, 8)?);
            let unpacked = i64::from_le_bytes(unpacked);
            let most = length.saturating_mul(MOST_PER_BYTE).min(MOST);
            // −1: it is not compressed.
            if unpacked != -1 && u64::try_from(unpacked).is_ok_and(|unpacked| unpacked > most) {
                return Err(wrong(&format!("{length} compressed bytes cannot be {unpacked} bytes")));
            }
        }
        Ok(())
    }

    fn number(&mut self, place: u64) -> Result<[u8; 4], Wrong> {
        let bytes = self.read(place, 4)?;
        Ok([bytes[0], bytes[1], bytes[2], bytes[3]])
    }

    fn read(&mut self, from: u64, length: usize) -> Result<Vec<u8>, Wrong> {
        if from.checked_add(length as u64).is_none_or(|end| end > self.length) {
            return Err(Wrong::Unreadable);
        }
        let mut bytes = vec![0; length];
        self.file.seek(SeekFrom::Start(from))?;
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

fn wrong(what: &str) -> Wrong {
    Wrong::Length(what.to_owned())
}
