use super::{UdWord, ud_english, ud_english_sentences};
use crate::Tokenizer;
use proptest::prelude::*;

/// The words with a space between them, or `+` within a token.
fn cut(line: &str) -> String {
    let mut words = vec![UdWord { start: 0, end: 0, continues: true }];
    ud_english(line, &mut words);
    let mut shown = String::new();
    for word in words {
        if !shown.is_empty() {
            shown.push(if word.continues { '+' } else { ' ' });
        }
        shown.push_str(&line[word.start..word.end]);
    }
    shown
}

fn assert_cut(lines: &[(&str, &str)]) {
    for (line, words) in lines {
        assert_eq!(cut(line), *words, "{line}");
    }
}

#[test]
fn contractions_and_possessives_are_tokens_of_several_words() {
    assert_cut(&[
        ("I don't know, it's John's.", "I do+n't know , it+'s John+'s ."),
        ("We’ll see; you CAN'T, I’m sure", "We+’ll see ; you CA+N'T , I+’m sure"),
        ("I shouldn't've gone", "I should+n't+'ve gone"),
        ("cannot gonna wanna dunno Dont im", "can+not gon+na wan+na du+n+no Do+nt i+m"),
        ("my parents' house, O'Neill's ma'am", "my parents+' house , O'Neill+'s ma'am"),
        ("its a dog and its tail", "it+s a dog and its tail"),
        ("the 60's, y'all", "the 60's , y'all"),
    ]);
}

#[test]
fn an_apostrophe_after_s_closes_a_quotation_that_is_open() {
    assert_cut(&[
        ("He said 'good boys' and left", "He said ' good boys ' and left"),
        ("rock 'n' roll in '68, cookin' for 'em", "rock 'n' roll in '68 , cookin' for 'em"),
        ("‘’Yes,’’ he said", "‘’ Yes , ’’ he said"),
    ]);
}

#[test]
fn words_end_at_hyphens_but_not_after_prefixes() {
    assert_cut(&[
        ("a long-term, state-of-the-art plan", "a long - term , state - of - the - art plan"),
        ("non-stop e-mail from co-workers in mid-1980s", "non-stop e-mail from co-workers in mid-1980s"),
        ("al-Qaeda, 26-year-old", "al - Qaeda , 26 - year - old"),
        ("Holocaust-esque", "Holocaust-esque"),
    ]);
}

#[test]
fn dates_and_telephone_numbers_are_one_word_and_ranges_are_several() {
    assert_cut(&[
        ("11/28/2000 9/11 1/2 713-853-3989 345-9945", "11/28/2000 9/11 1 / 2 713-853-3989 345-9945"),
        ("5-10 1969-1970 5:00-8:30 1,000.50", "5 - 10 1969 - 1970 5:00 - 8:30 1,000.50"),
        ("7:30pm 5p.m. 35mm $3M $1.5b 220b 20th 1970s", "7:30 pm 5 p.m. 35 mm $ 3 M $ 1.5 b 220b 20th 1970s"),
        ("50% (€2m) US$4.5 #1 +44 .5", "50 % ( € 2 m ) US$ 4.5 # 1 +44 .5"),
    ]);
}

#[test]
fn abbreviations_keep_their_stop_unless_it_ends_the_line() {
    assert_cut(&[
        ("Mr. W. Smith of the U.S. Army, etc.", "Mr. W. Smith of the U.S. Army , etc ."),
        ("Smith Inc., e.g. No. 5. No. Yes", "Smith Inc. , e.g. No. 5 . No . Yes"),
        ("He left at 5 p.m.", "He left at 5 p.m ."),
        ("(in Washington, D.C.)", "( in Washington , D.C . )"),
        ("in D.C..", "in D.C. ."),
        ("world.The end", "world . The end"),
    ]);
}

#[test]
fn marks_that_belong_together_are_one_word() {
    assert_cut(&[
        ("Really?!... \"Yes\" -- no", "Really ?!... \" Yes \" -- no"),
        ("fine :) ok:( -> <3 ==>", "fine :) ok :( -> <3 ==>"),
        ("and/or w/o w/ AT&T A&amp;E", "and / or w/o w/ AT&T A&amp;E"),
        ("---->===}*{===<---- ****", "---->===}*{===<---- ****"),
        ("«é» 👩\u{200d}👩\u{200d}👧👍🏽👍🏽!", "« é » 👩\u{200d}👩\u{200d}👧 👍🏽👍🏽 !"),
    ]);
}

#[test]
fn addresses_and_names_of_files_are_one_word() {
    assert_cut(&[
        ("See https://a.org/b-c?d=e, (www.x.com).", "See https://a.org/b-c?d=e , ( www.x.com ) ."),
        ("<john.doe@mail.example.com>", "< john.doe@mail.example.com >"),
        (
            "Newsday.com's ld2d-1.DOC, irc.a.net alt.animals.dog",
            "Newsday.com+'s ld2d-1.DOC , irc.a.net alt.animals.dog",
        ),
        ("#tag @name", "#tag @name"),
    ]);
}

#[test]
fn text_that_was_tokenized_before_stays_as_it_is() {
    for line in [
        "They 've said `` we ca n't '' -LRB- yes -RRB- .",
        "&quot; it &apos;s well @-@ known &amp; &#91; good &#93;",
        "Mr. Smith 's U.S. plan , etc. . ' no '",
    ] {
        assert_eq!(Tokenizer::UdEnglish.tokenize(line), line);
    }
}

#[test]
fn sentences_end_where_the_next_begins() {
    let sentences = |text| -> Vec<&str> { ud_english_sentences(text).into_iter().map(|range| &text[range]).collect() };
    assert_eq!(
        sentences(" Mr. Smith left at 5 p.m. He said \"Go!\" to us. \"Why?\" she asked... (Nobody knew.) Then "),
        ["Mr. Smith left at 5 p.m.", "He said \"Go!\" to us.", "\"Why?\" she asked...", "(Nobody knew.)", "Then"]
    );
    assert_eq!(sentences("1. First we go. 2. Then the U.S. Army."), ["1. First we go.", "2. Then the U.S. Army."]);
    assert_eq!(sentences("wait... what? ok"), ["wait... what? ok"]);
    assert!(sentences(" \t").is_empty() && sentences("").is_empty());
}

#[test]
fn long_pieces_take_linear_time() {
    for part in ["a.", "-a", "'s", "(a@", "1-", "1/", "<http:", "www.)", "a&", "a*", "No.", ":'", "=-", "é/"] {
        let line = part.repeat(200_000);
        let start = std::time::Instant::now();
        assert!(!cut(&line).is_empty());
        assert!(start.elapsed().as_secs() < 10, "{part}");
    }
}

proptest! {
    #[test]
    fn words_cover_the_line_except_white_space(line in "[a-zA-Z0-9 .,:;!?'’`\"()/@#&$*<>=_+é字😀-]{0,40}|\\PC{0,20}") {
        let mut words = Vec::new();
        ud_english(&line, &mut words);
        let mut at = 0;
        for word in &words {
            prop_assert!(word.start < word.end && word.start >= at);
            prop_assert!(line[at..word.start].chars().all(crate::is_whitespace));
            prop_assert!(!line[word.start..word.end].contains(crate::is_whitespace));
            prop_assert!(!word.continues || (at == word.start && at > 0));
            at = word.end;
        }
        prop_assert!(line[at..].chars().all(crate::is_whitespace));
        let mut end = 0;
        for sentence in ud_english_sentences(&line) {
            prop_assert!(line[end..sentence.start].chars().all(crate::is_whitespace));
            prop_assert!(!sentence.is_empty());
            end = sentence.end;
        }
        prop_assert!(line[end..].chars().all(crate::is_whitespace));
    }
}
