//! The embedded dictionary has the same synonyms as METEOR's files, except those that METEOR has by mistake.
//!
//! METEOR names a set by its offset in WordNet's data file without the name of the file; where two files have a
//! set at the same offset, their words become synonyms. Everything else is equal. The offsets themselves differ between
//! copies of WordNet 3.0, so pairs of words are compared, not numbers.

use crate::inputs::lines;
use libtest_mimic::Trial;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tercet::resources::Synonyms;

pub fn trials(shared: &Path) -> Vec<Trial> {
    let folder = shared.join("data/meteor/resources/synonym");
    if !folder.is_dir() {
        return Vec::new();
    }
    let trial = |name: &str, check: fn(&Path)| {
        let folder: PathBuf = folder.clone();
        Trial::test(format!("wordnet/{name}"), move || {
            check(&folder);
            Ok(())
        })
    };
    vec![trial("pairs", pairs_agree), trial("exceptions", exceptions_agree), trial("lookups", lookups_agree)]
}

fn pairs_agree(folder: &Path) {
    let meteor = Synonyms::read(folder).unwrap();
    let (theirs, ours) = (pairs(&meteor), pairs(Synonyms::embedded()));
    assert_eq!((theirs.len(), ours.len()), (153_056, 152_219));
    assert!(ours.is_subset(&theirs));
    assert!(theirs.contains(&("mortar_fire", "transcribe")));
    let words = |dictionary: &Synonyms| dictionary.words().map(str::to_owned).collect::<BTreeSet<_>>();
    assert_eq!(words(&meteor), words(Synonyms::embedded()));
}

/// All pairs of words that share a set.
fn pairs(dictionary: &Synonyms) -> BTreeSet<(&str, &str)> {
    let mut members: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for word in dictionary.words() {
        for &set in dictionary.own_sets(word).unwrap() {
            members.entry(set).or_default().push(word);
        }
    }
    let mut pairs = BTreeSet::new();
    for words in members.values() {
        for (at, &first) in words.iter().enumerate() {
            pairs.extend(words[at + 1..].iter().map(|&second| (first.min(second), first.max(second))));
        }
    }
    pairs
}

/// METEOR's list by its text: every form, and for each the sets of all its bases.
fn exceptions_agree(folder: &Path) {
    let lines = lines(&folder.join("english.exceptions"));
    let dictionary = Synonyms::embedded();
    let mut sets: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for row in lines.chunks(2) {
        for form in row[1].split_whitespace() {
            sets.entry(form).or_default().extend(dictionary.own_sets(&row[0]).unwrap_or_default());
        }
    }
    assert_eq!(sets.keys().copied().collect::<BTreeSet<_>>(), dictionary.exceptions().collect());
    for (form, sets) in sets {
        let ours = dictionary.exceptional_sets(form).unwrap();
        assert_eq!(ours, sets.into_iter().collect::<Vec<_>>(), "{form}");
    }
}

/// Looks up all words, irregular forms and invented inflections: synonyms of ours are synonyms in METEOR's, and a word
/// has a set in one if it has a set in the other.
fn lookups_agree(folder: &Path) {
    let meteor = Synonyms::read(folder).unwrap();
    let embedded = Synonyms::embedded();
    let sets = |dictionary: &Synonyms, word: &str| {
        let mut sets = Vec::new();
        dictionary.sets(word, &mut sets);
        sets
    };
    // All words of a set of ours share one or more of METEOR's sets.
    let mut theirs_of_ours: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    let forms = embedded
        .words()
        .flat_map(|word| ["", "s", "es", "ed", "ing", "er", "est"].map(|ending| format!("{word}{ending}")));
    let mut looked_up = 0;
    for form in forms.chain(embedded.exceptions().map(str::to_owned)) {
        let (ours, theirs) = (sets(embedded, &form), sets(&meteor, &form));
        assert_eq!(ours.is_empty(), theirs.is_empty(), "{form}");
        let theirs: BTreeSet<u32> = theirs.into_iter().collect();
        for set in ours {
            let common = theirs_of_ours.entry(set).or_insert_with(|| theirs.clone());
            common.retain(|set| theirs.contains(set));
            assert!(!common.is_empty(), "{form}");
        }
        looked_up += 1;
    }
    assert_eq!(looked_up, 7 * 147_306 + 5_940);
}
