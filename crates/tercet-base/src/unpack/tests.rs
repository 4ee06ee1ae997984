use super::*;
use std::io::Write;

fn unpack_within(bytes: &[u8], limit: Option<u64>) -> io::Result<Vec<u8>> {
    let mut whole = Vec::new();
    unpacked_within(bytes, limit)?.read_to_end(&mut whole)?;
    Ok(whole)
}

fn unpack(bytes: &[u8]) -> io::Result<Vec<u8>> {
    unpack_within(bytes, None)
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// What `zstd -19 --check` (1.5.4) makes of [`TEXT`].
const FRAME: &str = "28b52ffd0468250200c282090fb0a903722c000b1b9820c0513e564e56dee2ec1cca52258d813828cfc474942eef52\
                     4c4c030a201066ed03248f108c2b3c927c36136eb81384dbd50f8fa17d63c77a399e";

const TEXT: &str = "the cat sat on the mat, and the dog sat on the rug; the cat and the dog sat on the mat and on the \
    rug\n\
                    the dog on the mat sat and the cat on the rug sat\n";

/// The bits of [`FRAME`] without meaning, or whose change is without effect: with one of them flipped, `zstd -t`
/// accepts the file.
const UNUSED: [usize; 22] =
    [36, 40, 41, 42, 43, 44, 45, 46, 122, 123, 124, 125, 126, 127, 408, 409, 442, 443, 444, 445, 446, 447];

fn frame() -> Vec<u8> {
    let digit = |digit: u8| char::from(digit).to_digit(16).unwrap() as u8;
    FRAME.as_bytes().chunks(2).map(|two| digit(two[0]) << 4 | digit(two[1])).collect()
}

/// A frame with one raw block, with its length and its checksum.
fn raw_frame(text: &[u8; 4]) -> Vec<u8> {
    let checksum = (twox_hash::XxHash64::oneshot(0, text) as u32).to_le_bytes();
    [&zstd::MAGIC[..], &[0x24, 4, 0x21, 0, 0], text, &checksum].concat()
}

#[test]
fn gzip_members_and_zstd_frames_unpack_one_after_the_other() {
    assert_eq!(unpack(&[gzip(b"one\n"), gzip(b"two\n")].concat()).unwrap(), b"one\ntwo\n");
    // A skippable frame of three bytes.
    let skipped = [0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, b'x', b'y', b'z'];
    let (one, two) = (raw_frame(b"one\n"), raw_frame(b"two\n"));
    assert_eq!(unpack(&[one.as_slice(), &two].concat()).unwrap(), b"one\ntwo\n");
    assert_eq!(unpack(&[&one, skipped.as_slice(), &two, &skipped].concat()).unwrap(), b"one\ntwo\n");
    assert_eq!(unpack(&[skipped.as_slice(), &one].concat()).unwrap(), b"one\n");
    assert!(unpack(&[one.as_slice(), &skipped[..9]].concat()).is_err());
}

#[test]
fn every_bit_that_zstd_checks_is_checked() {
    let whole = frame();
    assert_eq!(unpack(&whole).unwrap(), TEXT.as_bytes());
    for bit in 0..whole.len() * 8 {
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        match unpack(&flipped) {
            // Without its first bytes it is no longer recognised as zstd; the reader of its text will see that.
            Ok(text) if bit < 32 => assert_eq!(text, flipped),
            Ok(text) => assert!(UNUSED.contains(&bit) && text == TEXT.as_bytes(), "bit {bit}"),
            Err(_) => {}
        }
    }
}

#[test]
fn truncated_frames_and_what_follows_them_are_refused() {
    let whole = frame();
    for length in 4..whole.len() {
        assert!(unpack(&whole[..length]).is_err(), "{length} bytes");
    }
    for rest in [b"x".as_slice(), b"\0", b"more text\n", &whole[..3], &gzip(b"a")] {
        let error = unpack(&[&whole, rest].concat()).unwrap_err();
        assert!(error.to_string().starts_with("the zstd data is damaged"), "{error}");
    }
    let (mut second, first) = (raw_frame(b"two\n"), raw_frame(b"one\n"));
    second[9] ^= 1;
    assert!(unpack(&[first, second].concat()).is_err());
}

#[test]
fn a_wrong_length_in_the_header_is_refused() {
    let frame = |length: u8| [&zstd::MAGIC[..], &[0x20, length, 0x21, 0, 0], b"one\n"].concat();
    assert_eq!(unpack(&frame(4)).unwrap(), b"one\n");
    for length in [0, 3, 5, 255] {
        assert!(unpack(&frame(length)).is_err(), "{length}");
    }
}

#[test]
fn a_truncated_file_is_an_error_and_plain_text_stays_as_it_is() {
    assert!(unpack(&[0x1f, 0x8b, 8, 0, 0]).is_err());
    assert!(unpack(&[0x28, 0xb5, 0x2f, 0xfd, 0x20]).is_err());
    for text in ["plain", "", "a"] {
        assert_eq!(unpack(text.as_bytes()).unwrap(), text.as_bytes());
    }
}

#[test]
fn more_than_the_limit_is_not_unpacked() {
    let (packed, zstd) = (gzip(&vec![b'a'; 5000]), frame());
    assert_eq!(unpack_within(&packed, Some(5000)).unwrap().len(), 5000);
    for (limit, bytes) in [(4999, &packed), (151, &zstd), (0, &zstd)] {
        let error = unpack_within(bytes, Some(limit)).unwrap_err();
        assert!(error.get_ref().unwrap().is::<TooMuchUnpacked>(), "{error}");
        let message = format!("it unpacks to more than {limit} bytes, which is the limit for compressed files");
        assert_eq!(error.to_string(), message);
    }
    assert_eq!(unpack_within(b"plain", Some(0)).unwrap(), b"plain");
}

/// A frame of blocks that repeat one byte: a few bytes for 128 KiB.
#[test]
fn a_small_frame_of_gigabytes_ends_at_the_usual_limit() {
    let block = [0x02, 0x00, 0x10, b'a'];
    let bomb = [&zstd::MAGIC[..], &[0x00, 0x58], &block.repeat(80_000), &[0x01, 0, 0]].concat();
    let mut reader = unpacked_within(bomb.as_slice(), None).unwrap();
    let error = io::copy(&mut reader, &mut io::sink()).unwrap_err();
    assert!(error.to_string().starts_with("it unpacks to more than 256 MiB"), "{error}");
}

#[test]
fn a_frame_that_asks_for_much_memory_is_refused() {
    // A window of 2 GiB, and a single segment of 1 TiB.
    let window = [&zstd::MAGIC[..], &[0x00, 0xa8], &[0x21, 0, 0], b"one\n"].concat();
    let single = [&zstd::MAGIC[..], &[0xe0], &(1u64 << 40).to_le_bytes(), &[0x21, 0, 0], b"one\n"].concat();
    for bytes in [window, single] {
        let error = unpack(&bytes).unwrap_err();
        assert!(error.to_string().starts_with("to unpack it takes a window of more than 128 MiB"), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn devices_and_folders_are_refused_and_an_empty_one_is_not() {
    for (path, reason) in [("/dev/zero", "it is a device, not a file"), ("/", "it is a folder")] {
        let error = read(Path::new(path)).unwrap_err();
        assert_eq!(std::error::Error::source(&error).unwrap().to_string(), reason);
    }
    assert!(read(Path::new("/dev/null")).unwrap().is_empty());
}
