//! Tokens of several words.

use super::UdWord;
use super::piece::{Line, is_apostrophe};

/// Words that are written together, lower case, sorted, with the places to split them.
const TOGETHER: [(&str, &[usize]); 43] = [
    ("aint", &[2]),
    ("arent", &[3]),
    ("arnt", &[2]),
    ("cannot", &[3]),
    ("cant", &[2]),
    ("couldnt", &[5]),
    ("didnt", &[3]),
    ("doesnt", &[4]),
    ("dont", &[2]),
    ("dunno", &[2, 3]),
    ("gimme", &[3]),
    ("gonna", &[3]),
    ("gotta", &[3]),
    ("hadnt", &[3]),
    ("hasnt", &[3]),
    ("havent", &[4]),
    ("heres", &[4]),
    ("hes", &[2]),
    ("im", &[1]),
    ("isnt", &[2]),
    ("itll", &[2]),
    ("ive", &[1]),
    ("lemme", &[3]),
    ("outta", &[3]),
    ("shes", &[3]),
    ("shouldnt", &[6]),
    ("sorta", &[4]),
    ("thats", &[4]),
    ("theres", &[5]),
    ("theyll", &[4]),
    ("theyre", &[4]),
    ("theyve", &[4]),
    ("wanna", &[3]),
    ("wasnt", &[3]),
    ("werent", &[4]),
    ("weve", &[2]),
    ("whats", &[4]),
    ("wont", &[2]),
    ("wouldnt", &[5]),
    ("youd", &[3]),
    ("youll", &[3]),
    ("youre", &[3]),
    ("youve", &[3]),
];

const MAX_CONTRACTION_LENGTH: usize = 8;

/// Letters that form a word with the apostrophe before them.
const CLITICS: [&str; 6] = ["s", "m", "re", "ve", "ll", "d"];

/// Words that never follow a possessive, sorted.
const NOT_POSSESSED: [&str; 32] = [
    "a", "all", "also", "always", "an", "because", "been", "called", "easy", "for", "from", "getting", "going",
    "great", "hard", "in", "just", "like", "my", "no", "not", "nothing", "now", "on", "really", "simply", "so",
    "still", "that", "the", "too", "worth",
];

/// Adds a word, or the words of a token. Returns its end, which includes the apostrophe after a possessive.
pub(super) fn push(line: &Line<'_>, start: usize, end: usize, words: &mut Vec<UdWord>) -> usize {
    let word = &line.text[start..end];
    if let Some(cuts) = together(word).or_else(|| its(line, word, end)) {
        push_cut(start, end, cuts.iter().map(|cut| start + cut), words);
        return end;
    }
    if let Some(stop) = possessive(line, start, end) {
        push_cut(start, stop, [end].into_iter(), words);
        return stop;
    }
    let (mut cuts, mut count, mut rest) = ([0; 3], 0, word);
    while let Some(cut) = clitic(rest).filter(|_| count < cuts.len()) {
        cuts[count] = start + cut;
        count += 1;
        rest = &rest[..cut];
    }
    push_cut(start, end, cuts[..count].iter().rev().copied(), words);
    end
}

fn push_cut(start: usize, end: usize, cuts: impl Iterator<Item = usize>, words: &mut Vec<UdWord>) {
    let mut from = start;
    for to in cuts.chain([end]) {
        words.push(UdWord { start: from, end: to, continues: from > start });
        from = to;
    }
}

fn together(word: &str) -> Option<&'static [usize]> {
    if word.len() > MAX_CONTRACTION_LENGTH || word.len() < 2 {
        return None;
    }
    let mut lower = [0; MAX_CONTRACTION_LENGTH];
    let lower = &mut lower[..word.len()];
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    let found = TOGETHER.binary_search_by(|(known, _)| known.as_bytes().cmp(lower)).ok()?;
    Some(TOGETHER[found].1)
}

/// `its` where what follows rules out a possessive; `Lets`.
fn its(line: &Line<'_>, word: &str, end: usize) -> Option<&'static [usize]> {
    if word == "Lets" {
        return Some(&[3]);
    }
    if !word.eq_ignore_ascii_case("its") || line.bytes.get(end) != Some(&b' ') {
        return None;
    }
    let next = &line.text[end + 1..];
    let next = &next[..next.bytes().take(8).take_while(u8::is_ascii_alphabetic).count()];
    NOT_POSSESSED.binary_search(&next).is_ok().then_some(&[2])
}

/// `parents'`: an apostrophe after s, unless it closes a quotation.
fn possessive(line: &Line<'_>, start: usize, end: usize) -> Option<usize> {
    let apostrophe = line.char(end).filter(|c| matches!(c, '\'' | '’'))?;
    let stop = end + apostrophe.len_utf8();
    let ends_with_s = end > start + 1 && matches!(line.bytes[end - 1], b's' | b'S' | b'x' | b'z');
    let alone = line.char(stop).is_none_or(|c| !c.is_alphanumeric() && !is_apostrophe(c));
    (ends_with_s
        && alone
        && !line.open_quote
        && line.bytes[start..end].iter().all(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii()))
    .then_some(stop)
}

/// Where the last clitic of a word begins: `n't`, `'s`.
fn clitic(word: &str) -> Option<usize> {
    let letters = word.bytes().rev().take(2).take_while(u8::is_ascii_alphabetic).count();
    let after = word.len() - letters;
    let (base, apostrophe) = (&word[..after], word[..after].chars().next_back()?);
    if !is_apostrophe(apostrophe) || letters == 0 {
        return None;
    }
    let base = &base[..base.len() - apostrophe.len_utf8()];
    let ending = &word[after..];
    if ending.eq_ignore_ascii_case("t") {
        return (base.len() > 1 && base.ends_with(['n', 'N'])).then(|| base.len() - 1);
    }
    let known = CLITICS.iter().any(|clitic| clitic.eq_ignore_ascii_case(ending));
    let after_letter = base.chars().next_back().is_some_and(|c| c.is_alphabetic() || c == '.');
    let you_all = base.eq_ignore_ascii_case("y") || base.eq_ignore_ascii_case("ya");
    (known && after_letter && !you_all).then_some(base.len())
}
