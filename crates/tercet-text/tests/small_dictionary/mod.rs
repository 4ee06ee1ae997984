//! A small dictionary in MeCab's compiled form, for tests: a dozen words of Japanese and Korean, and the kinds of
//! unknown words.
//!
//! MeCab 0.996 reads these files too: the expectations of tests come from it.

// Every test that includes this module uses a part of it.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::path::Path;

/// Words with their context, which is also the part of speech, and cost. Contexts: 1 noun, 2 particle, 3 ending.
const WORDS: &[(&str, u16, i16)] = &[
    ("今日", 1, 3000),
    ("今", 1, 3500),
    ("日", 1, 4000),
    ("は", 2, 100),
    ("は", 1, 5000),
    ("天気", 1, 3200),
    ("が", 2, 100),
    ("良い", 3, 2500),
    ("です", 3, 500),
    ("東京", 1, 3000),
    ("京都", 1, 2900),
    ("東", 1, 4000),
    ("都", 1, 4100),
    ("に", 2, 150),
    ("나", 1, 2000),
    ("는", 2, 100),
    ("는", 3, 900),
    ("나는", 1, 5200),
    ("학교", 1, 2000),
    ("에", 2, 100),
];

/// Categories of characters: name, unknown words even where there are words, runs together, longest fixed length, cost
/// and the characters.
type Category = (&'static str, bool, bool, u32, i16, &'static [(u32, u32)]);

const CATEGORIES: &[Category] = &[
    ("DEFAULT", false, true, 0, 4000, &[]),
    ("SPACE", false, true, 0, 9000, &[(0x20, 0x20), (0x09, 0x09)]),
    ("KANJI", false, false, 2, 6000, &[(0x4e00, 0x9fff)]),
    ("HIRAGANA", false, true, 2, 7000, &[(0x3041, 0x309f)]),
    ("KATAKANA", true, true, 2, 4000, &[(0x30a0, 0x30ff)]),
    ("ALPHA", true, true, 0, 5000, &[(0x41, 0x5a), (0x61, 0x7a)]),
    ("HANGUL", false, true, 1, 6000, &[(0xac00, 0xd7a3)]),
];

const CONTEXTS: usize = 4;

/// Costs of a second word (row) after a first one (column).
const CONNECTIONS: [[i16; CONTEXTS]; CONTEXTS] =
    [[0, 200, 300, -500], [-100, 500, -300, 700], [2000, -800, 1500, 900], [800, 100, -200, -600]];

/// A space before a particle costs something.
const DICRC: &str = "; a small dictionary\ncost-factor = 800\nbos-feature = BOS\nleft-space-penalty-factor = 2,3000\n";

/// The contents of `sys.dic`, `unk.dic`, `char.bin`, `matrix.bin` and `dicrc`.
pub fn files() -> [Vec<u8>; 5] {
    files_in("UTF-8", |word| word.as_bytes().to_vec())
}

/// The same in another encoding.
pub fn files_in(charset: &str, encode: impl Fn(&str) -> Vec<u8>) -> [Vec<u8>; 5] {
    let words = WORDS.iter().map(|(word, context, cost)| (encode(word), *context, *cost));
    let unknown = CATEGORIES.iter().map(|(name, .., cost, _)| (encode(name), 1, *cost));
    let (system, unknown) = (dictionary(0, charset, words), dictionary(2, charset, unknown));
    [system, unknown, characters(), matrix(), DICRC.as_bytes().to_vec()]
}

/// Writes the files into a folder.
pub fn write(folder: &Path) {
    let names = ["sys.dic", "unk.dic", "char.bin", "matrix.bin", "dicrc"];
    for (name, bytes) in names.iter().zip(files()) {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
}

fn dictionary(kind: u32, charset: &str, words: impl Iterator<Item = (Vec<u8>, u16, i16)>) -> Vec<u8> {
    let mut readings: BTreeMap<Vec<u8>, Vec<(u16, i16)>> = BTreeMap::new();
    words.for_each(|(word, context, cost)| readings.entry(word).or_default().push((context, cost)));
    let (mut tokens, mut keys) = (Vec::new(), Vec::new());
    for (word, readings) in &readings {
        keys.push((word.as_slice(), (tokens.len() / 16) << 8 | readings.len()));
        for (context, cost) in readings {
            [*context, *context, *context].iter().for_each(|number| tokens.extend(number.to_le_bytes()));
            tokens.extend(cost.to_le_bytes());
            tokens.extend([0; 8]);
        }
    }
    let mut units = vec![(0, 0)];
    units[0].0 = place(&keys, 0, &mut units);
    let array: Vec<u8> =
        units.iter().flat_map(|(base, check)| [i32::to_le_bytes(*base), i32::to_le_bytes(*check)]).flatten().collect();
    let features = b"*\0";
    let size = 72 + array.len() + tokens.len() + features.len();
    let header = [
        size as u32 ^ 0xef71_8f77,
        102,
        kind,
        (tokens.len() / 16) as u32,
        CONTEXTS as u32,
        CONTEXTS as u32,
        array.len() as u32,
        tokens.len() as u32,
        features.len() as u32,
        0,
    ];
    let mut file: Vec<u8> = header.iter().flat_map(|number| number.to_le_bytes()).collect();
    file.extend(charset.as_bytes());
    file.resize(72, 0);
    [file, array, tokens, features.to_vec()].concat()
}

/// Adds the states of keys that have their first `depth` bytes in common, and returns the base of their state.
fn place(keys: &[(&[u8], usize)], depth: usize, units: &mut Vec<(i32, i32)>) -> i32 {
    let label = |key: &[u8]| key.get(depth).map_or(0, |byte| i32::from(*byte) + 1);
    let groups: Vec<&[(&[u8], usize)]> = keys.chunk_by(|(a, _), (b, _)| label(a) == label(b)).collect();
    let is_free = |base: i32, units: &[(i32, i32)]| {
        let taken = |at: i32| units.get(at as usize).is_some_and(|unit| unit.1 != 0);
        !units.iter().any(|unit| unit.1 == base) && groups.iter().all(|group| !taken(base + label(group[0].0)))
    };
    let base = (1..).find(|base| is_free(*base, units)).unwrap();
    units.resize(units.len().max(base as usize + 258), (0, 0));
    groups.iter().for_each(|group| units[(base + label(group[0].0)) as usize].1 = base);
    for group in groups {
        let at = (base + label(group[0].0)) as usize;
        units[at].0 = if at as i32 == base { -(group[0].1 as i32) - 1 } else { place(group, depth + 1, units) };
    }
    base
}

fn characters() -> Vec<u8> {
    let info = |number: usize| {
        let (_, always, together, length, ..) = CATEGORIES[number];
        1 << number | (number as u32) << 18 | length << 26 | u32::from(together) << 30 | u32::from(always) << 31
    };
    let mut table = vec![info(0); 0xffff];
    for (number, category) in CATEGORIES.iter().enumerate() {
        category.5.iter().for_each(|(first, last)| table[*first as usize..=*last as usize].fill(info(number)));
    }
    let mut file = (CATEGORIES.len() as u32).to_le_bytes().to_vec();
    for (name, ..) in CATEGORIES {
        let mut padded = name.as_bytes().to_vec();
        padded.resize(32, 0);
        file.extend(padded);
    }
    file.extend(table.iter().flat_map(|info| info.to_le_bytes()));
    file
}

fn matrix() -> Vec<u8> {
    let sizes = [CONTEXTS as u16; 2];
    let costs = CONNECTIONS.iter().flatten().flat_map(|cost| cost.to_le_bytes());
    sizes.iter().flat_map(|size| size.to_le_bytes()).chain(costs).collect()
}
