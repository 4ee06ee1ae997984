//! Compressed forms of a file: whole, damaged, and small files that unpack to very large ones.

use crate::random::Random;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

/// The largest size that a generated file unpacks to, in bytes.
const MAX_UNPACKED: u64 = 12 << 30;

/// Packs bytes with gzip.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory can be written to");
    encoder.finish().expect("memory can be written to")
}

/// Packs bytes into a zstd frame of raw blocks, without a checksum.
pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut frame = zstd_header(bytes.len() as u64);
    let mut blocks = bytes.chunks(1 << 16).peekable();
    if blocks.peek().is_none() {
        frame.extend(block_header(true, 0, 0));
    }
    while let Some(block) = blocks.next() {
        frame.extend(block_header(blocks.peek().is_none(), 0, block.len()));
        frame.extend_from_slice(block);
    }
    frame
}

/// A file that unpacks to many times its size, and that size.
pub fn bomb(random: &mut Random) -> (Vec<u8>, u64) {
    let unpacked = [20 << 20, 100 << 20, MAX_UNPACKED][random.below(3)];
    let byte = *random.choose(b"a \n\0(");
    if random.one_in(2) {
        return (zstd_bomb(byte, unpacked), unpacked);
    }
    // Members of gzip may follow one another, so one is packed and repeated.
    let member = gzip(&vec![byte; 10 << 20]);
    let members = (unpacked / (10 << 20)).min(400);
    (member.repeat(members as usize), members * (10 << 20))
}

/// A frame of blocks that repeat one byte: four bytes for each 128 KiB.
fn zstd_bomb(byte: u8, unpacked: u64) -> Vec<u8> {
    const BLOCK: u64 = 128 << 10;
    let mut frame = zstd_header(unpacked);
    let blocks = unpacked / BLOCK;
    for number in 1..=blocks {
        frame.extend(block_header(number == blocks, 1, BLOCK as usize));
        frame.push(byte);
    }
    frame
}

/// Magic number, a window of 128 KiB or more, and the size of the content in eight bytes.
fn zstd_header(content: u64) -> Vec<u8> {
    let mut header = vec![0x28, 0xb5, 0x2f, 0xfd, 0b1100_0000, 0x38];
    header.extend(content.to_le_bytes());
    header
}

fn block_header(last: bool, kind: usize, size: usize) -> [u8; 3] {
    let header = usize::from(last) | kind << 1 | size << 3;
    [header as u8, (header >> 8) as u8, (header >> 16) as u8]
}
