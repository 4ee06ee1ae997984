//! Small changes of a file: bytes, lines, columns, numbers, encodings.

use super::extreme;
use crate::random::Random;

type Change = fn(&mut Vec<u8>, &mut Random);

/// The changes by name, each as likely as the others; those that make large files are last.
const CHANGES: [(&str, Change); 30] = [
    ("flip bits", |bytes, random| flip_bits(bytes, random)),
    ("flip one bit", |bytes, random| flip_one_bit(bytes, random)),
    ("truncate", truncate),
    ("delete a range", delete_range),
    ("repeat a range", repeat_range),
    ("insert random bytes", insert_random),
    ("delete a line", |bytes, random| on_lines(bytes, random, delete_one)),
    ("repeat a line", |bytes, random| on_lines(bytes, random, repeat_one)),
    ("shuffle lines", |bytes, random| on_lines(bytes, random, |lines, random| random.shuffle(lines))),
    ("repeat a line often", |bytes, random| on_lines(bytes, random, repeat_often)),
    ("empty lines", |bytes, random| on_lines(bytes, random, empty_one)),
    ("delete a column", |bytes, random| on_columns(bytes, random, delete_one)),
    ("repeat a column", |bytes, random| on_columns(bytes, random, repeat_one)),
    ("shuffle columns", |bytes, random| on_columns(bytes, random, |fields, random| random.shuffle(fields))),
    ("empty field", |bytes, random| on_columns(bytes, random, empty_one)),
    ("unusual field", unusual_field),
    ("unusual field", unusual_field),
    ("unusual first line", unusual_first_line),
    ("extreme number", extreme_number),
    ("extreme number", extreme_number),
    ("empty file", |bytes, _| bytes.clear()),
    ("byte order mark", |bytes, _| drop(bytes.splice(0..0, *b"\xef\xbb\xbf"))),
    ("UTF-16", utf_16),
    ("NUL", |bytes, random| insert(bytes, random, b"\0")),
    ("CRLF", |bytes, _| *bytes = replace_all(bytes, b"\n", b"\r\n")),
    ("no last line end", |bytes, _| bytes.truncate(bytes.len().saturating_sub(1))),
    ("bad UTF-8", bad_utf_8),
    ("control characters", |bytes, random| {
        let text = extreme::text(random);
        insert(bytes, random, text.as_bytes());
    }),
    ("long line", long_line),
    ("deep nesting", deep_nesting),
];

/// A file that is larger, in bytes, is not made larger still.
const MAX_BYTES: usize = 4 << 20;

/// How many of the last changes make large files.
const ENLARGING: usize = 2;

/// Applies one change; returns its name.
pub fn mutate(bytes: &mut Vec<u8>, quick: bool, random: &mut Random) -> &'static str {
    let known = if quick { &CHANGES[..CHANGES.len() - ENLARGING] } else { &CHANGES[..] };
    let (name, change) = random.choose(known);
    change(bytes, random);
    name
}

fn flip_bits(bytes: &mut [u8], random: &mut Random) {
    for _ in 0..1 + bytes.len() / 40 {
        flip_one_bit(bytes, random);
    }
}

fn flip_one_bit(bytes: &mut [u8], random: &mut Random) {
    let at = random.below(bytes.len());
    let bit = random.below(8);
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << bit;
    }
}

fn truncate(bytes: &mut Vec<u8>, random: &mut Random) {
    bytes.truncate(random.below(bytes.len()));
}

fn range(bytes: &[u8], random: &mut Random) -> std::ops::Range<usize> {
    let start = random.below(bytes.len());
    start..(start + random.below(64)).min(bytes.len())
}

fn delete_range(bytes: &mut Vec<u8>, random: &mut Random) {
    let range = range(bytes, random);
    bytes.drain(range);
}

fn repeat_range(bytes: &mut Vec<u8>, random: &mut Random) {
    let range = range(bytes, random);
    let repeated = bytes[range.clone()].repeat(1 + random.below(40));
    bytes.splice(range.end..range.end, repeated);
}

fn insert(bytes: &mut Vec<u8>, random: &mut Random, inserted: &[u8]) {
    let at = random.below(bytes.len() + 1);
    bytes.splice(at..at, inserted.iter().copied());
}

fn insert_random(bytes: &mut Vec<u8>, random: &mut Random) {
    let inserted: Vec<u8> = (0..1 + random.below(16)).map(|_| random.next() as u8).collect();
    insert(bytes, random, &inserted);
}

fn bad_utf_8(bytes: &mut Vec<u8>, random: &mut Random) {
    let sequences: [&[u8]; 5] = [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80", b"\xc0\x80"];
    let sequence = *random.choose(&sequences);
    insert(bytes, random, sequence);
}

fn utf_16(bytes: &mut Vec<u8>, random: &mut Random) {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let big = random.one_in(2);
    let mark = if random.one_in(4) { None } else { Some(0xfeff) };
    let units = mark.into_iter().chain(text.encode_utf16());
    *bytes = units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect();
}

fn replace_all(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut replaced = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at..].starts_with(from) {
            replaced.extend_from_slice(to);
            at += from.len();
        } else {
            replaced.push(bytes[at]);
            at += 1;
        }
    }
    replaced
}

type Items = Vec<Vec<u8>>;

fn delete_one(items: &mut Items, random: &mut Random) {
    if !items.is_empty() {
        items.remove(random.below(items.len()));
    }
}

fn repeat_one(items: &mut Items, random: &mut Random) {
    if !items.is_empty() {
        let item = random.choose(items).clone();
        items.insert(random.below(items.len()), item);
    }
}

fn repeat_often(items: &mut Items, random: &mut Random) {
    if !items.is_empty() {
        let item = random.choose(items).clone();
        let times = [300, 3_000, 10_000][random.below(3)].min(400_000 / (item.len() + 1));
        items.extend(std::iter::repeat_n(item, times));
    }
}

fn empty_one(items: &mut Items, random: &mut Random) {
    let at = random.below(items.len());
    if let Some(item) = items.get_mut(at) {
        item.clear();
    }
}

fn split(bytes: &[u8], separator: u8) -> Items {
    bytes.split(|&byte| byte == separator).map(<[u8]>::to_vec).collect()
}

fn on_lines(bytes: &mut Vec<u8>, random: &mut Random, change: impl Fn(&mut Items, &mut Random)) {
    let mut lines = split(bytes, b'\n');
    change(&mut lines, random);
    *bytes = lines.join(&b'\n');
}

/// Changes the fields of one line, or those of every line in the same way.
fn on_columns(bytes: &mut Vec<u8>, random: &mut Random, change: impl Fn(&mut Items, &mut Random)) {
    let mut lines = split(bytes, b'\n');
    let only = random.one_in(2).then(|| random.below(lines.len()));
    let seed = random.next();
    let mut size = 0;
    for (number, line) in lines.iter_mut().enumerate() {
        if size < MAX_BYTES && only.is_none_or(|only| only == number) {
            let separator = *[b'\t', b','].iter().find(|separator| line.contains(separator)).unwrap_or(&b' ');
            let mut fields = split(line, separator);
            change(&mut fields, &mut Random::new(seed, 0));
            *line = fields.join(&separator);
            size += line.len();
        }
    }
    *bytes = lines.join(&b'\n');
}

fn unusual_field(bytes: &mut Vec<u8>, random: &mut Random) {
    let text = if random.one_in(3) { extreme::number(random).to_owned() } else { extreme::text(random) };
    on_columns(bytes, random, |fields, random| {
        let at = random.below(fields.len());
        fields[at] = text.clone().into_bytes();
    });
}

fn unusual_first_line(bytes: &mut Vec<u8>, random: &mut Random) {
    let text = extreme::text(random);
    on_lines(bytes, random, |lines, _| lines[0] = text.clone().into_bytes());
}

fn extreme_number(bytes: &mut Vec<u8>, random: &mut Random) {
    let is_number = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let starts: Vec<usize> =
        (0..bytes.len()).filter(|&at| is_number(&bytes[at]) && (at == 0 || !is_number(&bytes[at - 1]))).collect();
    if starts.is_empty() {
        return;
    }
    let start = *random.choose(&starts);
    let length = bytes[start..].iter().take_while(|byte| is_number(byte)).count();
    bytes.splice(start..start + length, extreme::number(random).bytes());
}

fn long_line(bytes: &mut Vec<u8>, random: &mut Random) {
    let line = extreme::long_line(random).into_bytes();
    if random.one_in(2) {
        on_lines(bytes, random, |lines, random| {
            let at = random.below(lines.len());
            lines[at] = line.clone();
        });
    } else {
        on_columns(bytes, random, |fields, random| {
            let at = random.below(fields.len());
            if fields.len() < 1_000 {
                fields[at] = line.clone();
            }
        });
    }
}

fn deep_nesting(bytes: &mut Vec<u8>, random: &mut Random) {
    let depth = [100, 3_000, 100_000][random.below(3)];
    let (open, close) =
        *random.choose(&[("(X ", ")"), ("[", "]"), ("{\"a\":", "}"), ("((", "))"), ("a.", ""), ("<v>", "</v>")]);
    let nested = format!("{}x{}", open.repeat(depth), close.repeat(depth));
    on_lines(bytes, random, |lines, random| {
        let at = random.below(lines.len());
        lines[at] = nested.clone().into_bytes();
    });
}
