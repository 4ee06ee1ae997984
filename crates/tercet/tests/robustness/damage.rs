//! Kinds of damage. A fixed seed decides where a line is damaged.

use crate::SEGMENTS;

/// A kind of damage.
pub struct Damage {
    pub name: &'static str,
    /// The rates in per cent that `siamese` has at least, for translations and for copies of references.
    pub floors: [f64; 2],
    /// The damaged line, from the line and the number of its segment; `None` if it has nothing to damage.
    damage: fn(&str, usize, &mut Random) -> Option<String>,
}

impl Damage {
    pub fn apply(&self, line: &str, number: usize) -> Option<String> {
        let kind = self.name.bytes().fold(0u64, |hash, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte)));
        (self.damage)(line, number, &mut Random(kind ^ (number as u64 + 1)))
    }
}

/// Words of a line are lost, moved or changed.
pub const WORDS: [Damage; 8] = [
    Damage { name: "a fifth of the words deleted", floors: [95.0, 98.0], damage: delete },
    Damage { name: "words shuffled", floors: [98.0, 98.0], damage: shuffle },
    Damage { name: "negated", floors: [95.0, 98.0], damage: negate },
    Damage { name: "numbers changed", floors: [95.0, 98.0], damage: change_numbers },
    Damage { name: "names exchanged", floors: [95.0, 98.0], damage: exchange_names },
    Damage { name: "three words repeated", floors: [95.0, 98.0], damage: repeat },
    Damage {
        name: "second half missing",
        floors: [98.0, 100.0],
        damage: |line, _, _| Some(first_words(line, line.split(' ').count() / 2)),
    },
    Damage { name: "first word only", floors: [98.0, 100.0], damage: |line, _, _| Some(first_words(line, 1)) },
];

/// Lines that are no translation.
pub const OTHER_TEXTS: [Damage; 6] = [
    Damage { name: "empty", floors: [100.0, 100.0], damage: |_, _, _| Some(String::new()) },
    Damage { name: "2,000 words", floors: [100.0, 100.0], damage: repeat_to_2000 },
    Damage {
        name: "emoji", floors: [100.0, 100.0], damage: |_, number, _| Some("😀🎉🚀 ".repeat(1 + number % 7))
    },
    Damage {
        name: "other script",
        floors: [100.0, 100.0],
        damage: |line, _, _| Some(line.chars().map(cyrillic).collect()),
    },
    Damage {
        name: "source text",
        floors: [100.0, 100.0],
        damage: |_, number, _| Some(SEGMENTS[number].source.to_owned()),
    },
    Damage {
        name: "reference of another segment",
        floors: [100.0, 100.0],
        damage: |_, number, _| Some(SEGMENTS[(number + 17) % SEGMENTS.len()].reference.to_owned()),
    },
];

/// Numbers that follow from a seed (SplitMix64).
pub struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }
}

fn first_words(line: &str, count: usize) -> String {
    line.split(' ').take(count).collect::<Vec<_>>().join(" ")
}

fn delete(line: &str, _: usize, random: &mut Random) -> Option<String> {
    let mut words: Vec<&str> = line.split(' ').collect();
    for _ in 0..words.len().div_ceil(5) {
        words.remove(random.below(words.len()));
    }
    Some(words.join(" "))
}

fn shuffle(line: &str, _: usize, random: &mut Random) -> Option<String> {
    let mut words: Vec<&str> = line.split(' ').collect();
    for end in (1..words.len()).rev() {
        words.swap(end, random.below(end + 1));
    }
    Some(words.join(" "))
}

/// `not` after the first auxiliary verb, or the whole sentence denied.
fn negate(line: &str, _: usize, _: &mut Random) -> Option<String> {
    const AUXILIARIES: [&str; 14] =
        ["is", "are", "was", "were", "has", "have", "had", "will", "would", "can", "may", "must", "could", "does"];
    let words: Vec<&str> = line.split(' ').collect();
    match words.iter().position(|word| AUXILIARIES.contains(word)) {
        Some(verb) => Some([&words[..=verb], &["not"], &words[verb + 1..]].concat().join(" ")),
        None => Some(format!("It is not true that {line}")),
    }
}

fn change_numbers(line: &str, _: usize, random: &mut Random) -> Option<String> {
    let shift = 1 + random.below(8) as u32;
    // A first digit stays one that a number can start with.
    let other = |digit: u32| if digit == 0 { shift } else { 1 + (digit - 1 + shift) % 9 };
    let change = |c: char| c.to_digit(10).and_then(|digit| char::from_digit(other(digit), 10)).unwrap_or(c);
    line.contains(|c: char| c.is_ascii_digit()).then(|| line.chars().map(change).collect())
}

/// Words with a capital after the first word become other names.
fn exchange_names(line: &str, _: usize, random: &mut Random) -> Option<String> {
    const NAMES: [&str; 8] = ["Lima", "Novak", "Jakarta", "Fischer", "Monday", "Cairo", "Ramirez", "Dublin"];
    let mut changed = false;
    let mut word = |(place, word): (usize, &str)| {
        let name = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        if place == 0 || !name.starts_with(char::is_uppercase) {
            return word.to_owned();
        }
        changed = true;
        let others: Vec<&str> = NAMES.into_iter().filter(|other| *other != name).collect();
        format!("{}{}", others[random.below(others.len())], &word[name.len()..])
    };
    let words: Vec<String> = line.split(' ').enumerate().map(&mut word).collect();
    changed.then(|| words.join(" "))
}

fn repeat(line: &str, _: usize, random: &mut Random) -> Option<String> {
    let mut words: Vec<&str> = line.split(' ').collect();
    for _ in 0..3 {
        let place = random.below(words.len());
        words.insert(place, words[place]);
    }
    Some(words.join(" "))
}

/// The line again and again. For every eighth segment: such lines take as long as a dozen others.
fn repeat_to_2000(line: &str, number: usize, _: &mut Random) -> Option<String> {
    let words = line.split(' ').cycle().take(2_000);
    number.is_multiple_of(8).then(|| words.collect::<Vec<_>>().join(" "))
}

/// Latin letters as Cyrillic ones that sound alike.
fn cyrillic(letter: char) -> char {
    const LATIN: &str = "abcdefghijklmnopqrstuvwxyz";
    const CYRILLIC: &str = "абцдефгхийклмнопкрстуввхыз";
    let place = LATIN.chars().position(|latin| latin == letter.to_ascii_lowercase());
    place.and_then(|place| CYRILLIC.chars().nth(place)).unwrap_or(letter)
}
