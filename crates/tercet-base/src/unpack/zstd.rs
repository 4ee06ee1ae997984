//! Frames of zstd, one after another, as `cat a.zst b.zst` makes them; frames that hold no text (skippable ones) are
//! passed over.
//!
//! The decoder does not compare what a frame says of itself with what it found, nor bound the memory by a limit that
//! can be given, so this is done here: the window is bounded before anything is decoded, and at the end of a frame its
//! length and its checksum are compared with those written in it.

use super::limit;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use std::io::{self, Read};

/// The first bytes of a frame.
pub(super) const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// A larger window is refused, as `zstd -d` does, unless the limit on unpacked bytes was raised above it.
const MAX_WINDOW: u64 = 1 << 27;

/// Whether bytes start as a frame of zstd, one that can be skipped included.
pub(super) fn is_zstd(start: &[u8]) -> bool {
    start.starts_with(&MAGIC) || is_skippable(start)
}

fn is_skippable(start: &[u8]) -> bool {
    start.len() >= 4 && start[0] >> 4 == 5 && start[1..4] == [0x2a, 0x4d, 0x18]
}

/// The content of all frames.
pub(super) struct Frames<R: Read> {
    /// The remaining input, between frames.
    raw: Option<R>,
    frame: Option<Frame<R>>,
    /// The limit on unpacked bytes, if it is not the usual one.
    limit: Option<u64>,
}

impl<R: Read> Frames<R> {
    pub(super) fn new(raw: R, limit: Option<u64>) -> Self {
        Frames { raw: Some(raw), frame: None, limit }
    }

    /// Starts the next frame; returns false at the end of the input.
    fn advance(&mut self) -> io::Result<bool> {
        let Some(mut raw) = self.raw.take() else { return Ok(false) };
        loop {
            let mut magic = Vec::new();
            raw.by_ref().take(4).read_to_end(&mut magic)?;
            if magic.is_empty() {
                return Ok(false);
            }
            if !is_skippable(&magic) {
                self.frame = Some(Frame::new(magic, raw, self.limit)?);
                return Ok(true);
            }
            skip(&mut raw)?;
        }
    }
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if let Some(frame) = &mut self.frame {
                let read = frame.read(buffer)?;
                if read > 0 {
                    return Ok(read);
                }
                self.raw = self.frame.take().map(Frame::into_rest);
            }
            if !self.advance()? {
                return Ok(0);
            }
        }
    }
}

/// Passes over a skippable frame, whose first four bytes have been read.
fn skip(raw: &mut impl Read) -> io::Result<()> {
    let mut length = [0; 4];
    raw.read_exact(&mut length)?;
    let length = u64::from(u32::from_le_bytes(length));
    let skipped = io::copy(&mut raw.by_ref().take(length), &mut io::sink())?;
    if skipped < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
}

/// A header that has been read, and the rest of the input.
type Headed<R> = io::Chain<io::Cursor<Vec<u8>>, R>;

/// One frame, being decoded.
struct Frame<R: Read> {
    decoder: StreamingDecoder<Headed<R>, FrameDecoder>,
    header: Header,
    length: u64,
}

impl<R: Read> Frame<R> {
    fn new(magic: Vec<u8>, mut raw: R, limit: Option<u64>) -> io::Result<Self> {
        let mut bytes = magic;
        let header = Header::read(&mut bytes, &mut raw)?;
        let largest = MAX_WINDOW.max(limit.unwrap_or(0));
        if header.window > largest {
            return Err(limit::too_much_memory(largest));
        }
        let headed = io::Cursor::new(bytes).chain(raw);
        let decoder = StreamingDecoder::new(headed).map_err(io::Error::other)?;
        Ok(Frame { decoder, header, length: 0 })
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.decoder.read(buffer)?;
        self.length += read as u64;
        if read == 0 {
            self.check()?;
        }
        Ok(read)
    }

    /// Compares the length and the checksum of the content with those in the frame.
    fn check(&self) -> io::Result<()> {
        let (decoder, is_checked) = (&self.decoder.decoder, self.header.has_checksum);
        let hash_fits = !is_checked || decoder.get_checksum_from_data() == decoder.get_calculated_checksum();
        let length_fits = self.header.length.is_none_or(|length| length == self.length);
        if hash_fits && length_fits { Ok(()) } else { Err(io::ErrorKind::InvalidData.into()) }
    }

    fn into_rest(self) -> R {
        self.decoder.into_inner().into_inner().1
    }
}

/// What a frame says of itself.
struct Header {
    has_checksum: bool,
    /// How far back the decoder must remember, in bytes.
    window: u64,
    /// Length of the content, if the frame says it.
    length: Option<u64>,
}

impl Header {
    /// Reads the header after the four bytes of magic, and appends it to `bytes`.
    fn read(bytes: &mut Vec<u8>, raw: &mut impl Read) -> io::Result<Self> {
        let descriptor = number(bytes, raw, 1)?;
        if !bytes.starts_with(&MAGIC) || descriptor & 0b1000 != 0 {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let is_single = descriptor & 0b10_0000 != 0;
        let window = if is_single { 0 } else { number(bytes, raw, 1)? };
        number(bytes, raw, [0, 1, 2, 4][descriptor as usize & 3])?; // the dictionary
        let length = match (descriptor >> 6, is_single) {
            (0, false) => None,
            (0, true) => Some(number(bytes, raw, 1)?),
            (1, _) => Some(number(bytes, raw, 2)? + 256),
            (2, _) => Some(number(bytes, raw, 4)?),
            _ => Some(number(bytes, raw, 8)?),
        };
        let base = 1024u64 << (window >> 3);
        let window = if is_single { length.unwrap_or(0) } else { base + base / 8 * (window & 7) };
        Ok(Header { has_checksum: descriptor & 0b100 != 0, window, length })
    }
}

/// The next number of so many bytes, which are appended to `bytes`.
fn number(bytes: &mut Vec<u8>, raw: &mut impl Read, size: usize) -> io::Result<u64> {
    let mut number = [0; 8];
    raw.read_exact(&mut number[..size])?;
    bytes.extend_from_slice(&number[..size]);
    Ok(u64::from_le_bytes(number))
}
