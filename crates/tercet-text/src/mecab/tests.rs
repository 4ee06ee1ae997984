//! Expectations are what MeCab 0.996 and mecab-ko 0.996/ko-0.9.2 print for the same files.

#[path = "../../tests/small_dictionary/mod.rs"]
mod small_dictionary;

use super::*;

fn slices(files: &[Vec<u8>; 5]) -> [&[u8]; 5] {
    std::array::from_fn(|number| files[number].as_slice())
}

#[test]
fn words_are_mecabs() {
    let files = small_dictionary::files();
    let mecab = Mecab::new(slices(&files)).unwrap();
    assert_eq!(mecab.size(), 20);
    for (line, expected) in [
        ("今日は天気が良いです", "今日 は 天気 が 良い です"),
        ("東京都に", "東 京都 に"),
        ("  今日 は\t 天気\u{3000}", "今日 は 天気"),
        ("カタカナは漢字熟語です", "カタカナ は 漢字 熟語 です"),
        ("Tokyoは東京です", "Tokyo は 東京 です"),
        // Runs of more than 25 letters are no words.
        ("abcdefghijklmnopqrstuvwxyzabcdef", "a b c d e f g hijklmnopqrstuvwxyzabcdef"),
        ("ひらがなの文", "ひらがなの 文"),
        ("나는 학교에", "나 는 학교 에"),
        ("123 今日!? 😀は", "123 今日 !? 😀 は"),
        ("今日\0は", "今日"),
        ("", ""),
        ("\u{3000} ", ""),
    ] {
        assert_eq!(mecab.words(line), expected, "{line:?}");
    }
}

#[test]
fn a_space_before_a_particle_costs_what_dicrc_says() {
    let mut files = small_dictionary::files();
    assert_eq!(Mecab::new(slices(&files)).unwrap().words("すに 는す"), "す に 는 す");
    files[4] = b"cost-factor = 800\n".to_vec();
    assert_eq!(Mecab::new(slices(&files)).unwrap().words("すに 는す"), "すに 는 す");
}

#[test]
fn a_dictionary_in_euc_jp_gives_the_same_words() {
    let (utf8, euc) = (small_dictionary::files(), EucJp::new());
    let euc = small_dictionary::files_in("euc-jp", |word| euc.encode(word).bytes);
    let (utf8, euc) = (Mecab::new(slices(&utf8)).unwrap(), Mecab::new(slices(&euc)).unwrap());
    for line in ["今日は天気が良いです", "東京都 に 東京", "カタカナはABC漢字熟語です", "今日!? 😀は", ""]
    {
        assert_eq!(euc.words(line), utf8.words(line), "{line:?}");
    }
}

#[test]
fn damaged_files_are_named() {
    let whole = small_dictionary::files();
    for (number, name) in FILES.iter().enumerate().take(4) {
        let mut files = whole.clone();
        let half = files[number].len() / 2;
        files[number].truncate(half);
        let error = Mecab::new(slices(&files)).err().unwrap();
        assert_eq!(error.0, *name, "{}", error.1);
    }
    let changed = |number: usize, at: usize, byte: u8| {
        let mut files = whole.clone();
        files[number][at] = byte;
        Mecab::new(slices(&files)).err()
    };
    assert_eq!(
        changed(0, 4, 99).unwrap().1,
        "it is of another version of MeCab than 0.98 to 0.996 (compile it with one of these)"
    );
    assert_eq!(
        changed(0, 40, b'E').unwrap(),
        ("sys.dic", "its encoding is neither UTF-8 nor EUC-JP (compile it with mecab-dict-index -t utf-8)")
    );
    assert_eq!(changed(0, 16, 5).unwrap(), ("matrix.bin", "it does not belong to the dictionary"));
    assert_eq!(changed(2, 4, b'X').unwrap(), ("unk.dic", "a category of char.bin is missing"));
    let token = whole[0].len() - 2 - 16;
    assert_eq!(changed(0, token, 9).unwrap(), ("sys.dic", "a word has a context that does not exist"));
}

#[test]
fn a_long_line_takes_linear_time() {
    let files = small_dictionary::files();
    let mecab = Mecab::new(slices(&files)).unwrap();
    for line in ["a", "今日は", "カ", "は ", " "] {
        let long = line.repeat(200_000);
        let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
        assert_eq!(letters(&mecab.words(&long)), letters(&long));
    }
}
