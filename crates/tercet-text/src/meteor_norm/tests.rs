use super::*;
use proptest::prelude::*;

/// A few abbreviations, among them one that keeps its stop before numbers only.
struct Abbreviations;

impl KeepsStop for Abbreviations {
    fn keeps_stop(&self, word: &str) -> Option<bool> {
        match word {
            "Mr" | "Prof" | "Dr" => Some(false),
            "No" => Some(true),
            _ => None,
        }
    }
}

/// Lines and what METEOR's jar makes of them.
fn assert_normal(language: NormLanguage, keep_punctuation: bool, pairs: &[(&str, &str)]) {
    for (line, expected) in pairs {
        assert_eq!(normalize(line, language, &Abbreviations, keep_punctuation), *expected);
    }
}

#[test]
fn english_splits_before_apostrophes_and_keeps_the_stops_of_abbreviations() {
    let pairs = [
        (
            "Don't say \"it's\" over, Mr. Smith: he isn't in the U.S. any more.",
            "Don 't say \" it 's \" over , Mr. Smith : he isn 't in the US any more .",
        ),
        ("a,b,c and 1,000,000, then 3,x", "a , b,c and 1,000,000 , then 3 , x"),
        (
            "well-known state-of-the-art U.S.-based -- truly – dashes---",
            "well known state of the art US based - truly - dashes--",
        ),
        (
            "the 1990's, rock 'n' roll, the dogs' bowls and ''quoted'' or “curly” ‘words’",
            "the 1990 's , rock ' n ' roll , the dogs ' bowls and \" quoted \" or \" curly \" ' words '",
        ),
        (
            "Wait... what?.. No. 5 and No. It cost $5.50 (ca. 4 €) at approx. noon.",
            "Wait ... what ? .. No. 5 and No . It cost $ 5.50 ( ca . 4 € ) at approx. noon .",
        ),
        ("Москва — столица; 😀 αβγ 漢字 x×y ½", "Москва — столица ; 😀 α β γ 漢 字 x × y ½"),
    ];
    assert_normal(NormLanguage::English, true, &pairs);
}

#[test]
fn french_splits_after_apostrophes() {
    let pairs = [("L'eau qu'on boit aujourd'hui, c’est l'été.", "L' eau qu' on boit aujourd' hui , c' est l' été .")];
    assert_normal(NormLanguage::French, true, &pairs);
}

#[test]
fn german_splits_on_both_sides_of_apostrophes() {
    let pairs =
        [("L'eau qu'on boit aujourd'hui, c’est l'été.", "L ' eau qu ' on boit aujourd ' hui , c ' est l ' été .")];
    assert_normal(NormLanguage::Other, true, &pairs);
}

#[test]
fn without_punctuation_only_letters_and_digits_are_left() {
    let pairs = [
        (
            "Don't say \"it's\" over, Mr. Smith: he isn't in the U.S. any more.",
            "Don t say it s over Mr Smith he isn t in the US any more",
        ),
        (
            "well-known state-of-the-art U.S.-based -- truly – dashes---",
            "well known state of the art US based truly dashes",
        ),
        (
            "Wait... what?.. No. 5 and No. It cost $5.50 (ca. 4 €) at approx. noon.",
            "Wait what No 5 and No It cost 5 50 ca 4 at approx noon",
        ),
        ("Москва — столица; 😀 αβγ 漢字 x×y ½", "Москва столица x y"),
    ];
    assert_normal(NormLanguage::English, false, &pairs);
}

#[test]
fn nothing_is_left_of_an_empty_line_and_a_lone_stop_stays() {
    let pairs = [("", ""), (" \t\u{a0}\u{3000} ", ""), (".", "."), ("...", "..."), ("\u{1}a\u{1}", "a")];
    assert_normal(NormLanguage::English, true, &pairs);
}

#[test]
fn java_lowercases_the_last_sigma_and_the_dotted_i_as_rust_does() {
    assert_eq!(lowercase("ΟΔΟΣ İSTANBUL STRAẞE"), "οδος i\u{307}stanbul straße");
}

proptest! {
    #[test]
    fn words_stand_between_single_spaces(line in "[ a-zA-Z0-9.,'’‘“–ё漢\u{a0}\u{2009}😀-]{0,40}", keep in any::<bool>()) {
        for language in [NormLanguage::English, NormLanguage::French, NormLanguage::Other] {
            let normal = normalize(&line, language, &Abbreviations, keep);
            prop_assert!(!normal.contains("  ") && normal == normal.trim());
            prop_assert!(keep || normal.chars().all(|c| c == ' ' || is_alnum(c)));
        }
    }

    #[test]
    fn any_text_can_be_normalised(line in "\\PC*") {
        normalize(&line, NormLanguage::English, &Abbreviations, true);
    }
}
