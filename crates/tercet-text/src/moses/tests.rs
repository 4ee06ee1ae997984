use super::*;
use crate::Scratch;
use crate::Tokenizer;

/// Fails unless the lines are tokenized so. What is expected was printed by tokenizer.perl -q, with -l and -no-escape
/// as the name says (mosesdecoder 34452895, Perl 5.36).
fn assert_tokens(name: &str, pairs: &[(&str, &str)]) {
    let tokenizer = Tokenizer::from_name(name).unwrap();
    for (line, expected) in pairs {
        assert_eq!(tokenizer.tokenize(line), *expected, "{name} of {line:?}");
    }
}

#[test]
fn english_splits_before_apostrophes_and_escapes() {
    let pairs = [
        (
            "Don't say \"it's\" over, Mr. Smith: he isn't in the U.S. any more.",
            "Don &apos;t say &quot; it &apos;s &quot; over , Mr. Smith : he isn &apos;t in the U.S. any more .",
        ),
        (
            "the 1990's, rock 'n' roll, the dogs' bowls, 5'a and ''quoted''",
            "the 1990 &apos;s , rock &apos; n &apos; roll , the dogs &apos; bowls , 5&apos;a and &apos; &apos; quoted \
             &apos; &apos;",
        ),
        (
            "R&D <b>[x]|y</b> 50% `tick' state-of-the-art",
            "R &amp; D &lt; b &gt; &#91; x &#93; &#124; y &lt; / b &gt; 50 % `tick &apos; state-of-the-art",
        ),
    ];
    assert_tokens("moses", &pairs);
}

#[test]
fn commas_stay_between_numbers_of_any_kind() {
    let pairs = [
        ("A,B,C and 1,000,000, then 3,x or 7,", "A , B , C and 1,000,000 , then 3 , x or 7 ,"),
        ("Москва — столица; 😀 αβγ 漢字。 x×y ½ 3², 3Ⅷ,5", "Москва — столица ; 😀 αβγ 漢字 。 x × y ½ 3 ² , 3Ⅷ,5"),
    ];
    assert_tokens("moses", &pairs);
}

#[test]
fn stops_stay_in_runs_after_abbreviations_and_before_small_letters() {
    let pairs = [
        (
            "Wait... what?.. No. 5 and No. It was Oct. 26, pp. 7 ... pp. X etc. and so on. Art. 3",
            "Wait ... what ? .. No. 5 and No . It was Oct. 26 , pp. 7 ... pp . X etc. and so on . Art. 3",
        ),
        ("He said \"no.'", "He said \" no . ' "),
        ("http://a.b/c.d? x.y@z.com... .5 ., .' 'x", "http : / / a.b / c.d ? x.y @ z.com ... .5 . , . ' ' x"),
    ];
    assert_tokens("moses+noescape", &pairs);
}

#[test]
fn languages_differ_in_apostrophes_colons_and_middle_dots() {
    let lines = [
        "L'eau qu'on boit, c'est l'été d'1 an, n' 'x.",
        "EU:ssa: USA:n 10:30 :a A:B don't",
        "intel·ligent d'abril ·x a· 5·6",
        "ma'a 'a b' ita-nia'an Ha'U 3'x",
    ];
    let expected = [
        (
            "moses-fr+noescape",
            [
                "L' eau qu' on boit , c' est l' été d ' 1 an , n ' ' x .",
                "EU : ssa : USA : n 10 : 30 : a A : B don' t",
                "intel · ligent d' abril · x a · 5 · 6",
                "ma' a ' a b ' ita-nia' an Ha' U 3 ' x",
            ],
        ),
        (
            "moses-fi+noescape",
            [
                "L ' eau qu ' on boit , c ' est l ' été d ' 1 an , n ' ' x .",
                "EU:ssa : USA:n 10 : 30 :a A : B don ' t",
                "intel · ligent d ' abril · x a · 5 · 6",
                "ma ' a ' a b ' ita-nia ' an Ha ' U 3 ' x",
            ],
        ),
        (
            "moses-ca+noescape",
            [
                "L' eau qu' on boit , c' est l' été d ' 1 an , n ' ' x .",
                "EU : ssa : USA : n 10 : 30 : a A : B don' t",
                "intel·ligent d' abril ·x a· 5·6",
                "ma' a ' a b ' ita-nia' an Ha' U 3 ' x",
            ],
        ),
        (
            "moses-so+noescape",
            [
                "L'eau qu'on boit , c'est l'été d ' 1 an , n ' ' x .",
                "EU : ssa : USA : n 10 : 30 : a A : B don't",
                "intel · ligent d'abril · x a · 5 · 6",
                "ma'a ' a b ' ita-nia'an Ha'U 3 ' x",
            ],
        ),
        (
            "moses-tdt+noescape",
            [
                "L'eau qu'on boit , c'est l'été d ' 1 an , n ' ' x .",
                "EU : ssa : USA : n 10 : 30 : a A : B don't",
                "intel · ligent d'abril · x a · 5 · 6",
                "ma'a ' a b ' ita-nia'an Ha ' U 3 ' x",
            ],
        ),
    ];
    for (name, expected) in expected {
        let pairs: Vec<(&str, &str)> = lines.into_iter().zip(expected).collect();
        assert_tokens(name, &pairs);
    }
}

#[test]
fn languages_have_their_own_abbreviations() {
    let line = "z.B. 3. Mai, tzv. A. Б. М. Иванов, Mme. X, Sra. Y";
    for (name, expected) in [
        ("moses-de", "z.B. 3. Mai , tzv . A. Б . М . Иванов , Mme. X , Sra . Y"),
        ("moses-cs", "z.B. 3 . Mai , tzv. A . Б . М . Иванов , Mme . X , Sra . Y"),
        ("moses-ru", "z.B. 3 . Mai , tzv . A. Б. М. Иванов , Mme . X , Sra . Y"),
        ("moses", "z.B. 3 . Mai , tzv . A. Б . М . Иванов , Mme. X , Sra . Y"),
    ] {
        assert_tokens(name, &[(line, expected)]);
    }
}

#[test]
fn white_space_separates_and_control_characters_vanish() {
    assert_tokens("moses", &[("\u{1} a\u{1f}b\tc\u{a0}\u{2028}d \r", "ab c d"), (" \t\u{a0}", " \t\u{a0}"), ("", "")]);
}

/// Expected: tokenizer.perl, then lowercase.perl.
#[test]
fn lowercasing_comes_after_everything_else() {
    let tokenizer = Tokenizer::from_name("moses").unwrap();
    let mut tokens = String::new();
    for (line, expected) in [
        ("He is No. 5. The U.S. Won't. Mr. B.", "he is no. 5 . the u.s. won &apos;t . mr. b ."),
        ("ΟΔΟΣ. İ É’s a\tb c end.", "οδοσ . i\u{307} é ’ s a b c end ."),
    ] {
        tokenizer.tokenize_segment(line, true, &mut Scratch::default(), &mut tokens);
        assert_eq!(tokens, expected);
    }
}

#[test]
fn names_are_read_back() {
    assert_eq!(MosesOptions::all().count(), 26);
    for options in MosesOptions::all() {
        assert_eq!(Tokenizer::from_name(options.name()).unwrap(), Tokenizer::Moses(options));
        assert_eq!(Tokenizer::Moses(options).name(), options.name());
    }
    let message = Tokenizer::from_name("moses-xx").unwrap_err().to_string();
    assert!(message.contains("moses"), "{message}");
}
