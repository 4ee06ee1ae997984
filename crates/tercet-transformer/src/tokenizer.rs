//! WordPiece as BERT and MPNet use it: words are cleaned, split at white space and punctuation, and cut into the
//! longest pieces that the vocabulary has (Schuster and Nakajima, 2012; Devlin et al., 2019). Equal to Hugging Face's
//! tokenizers, except that text which looks like a special token is text.

mod words;

pub use words::Word;

use crate::files::{read, read_json, unusable};
use foldhash::HashMap;
use serde_json::Value;
use std::path::Path;
use tercet_model::Result;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// The tokens of a sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TokenIds {
    /// Numbers in the vocabulary, the special first and last token included.
    pub ids: Vec<u32>,
    /// Whether the sentence was longer than the window.
    pub cut: bool,
}

/// Turns lines into the tokens of an encoder.
pub trait Tokenizer: std::fmt::Debug + Send + Sync {
    /// The number of tokens, which is that of the rows of the encoder's table.
    fn tokens(&self) -> usize;

    /// The numbers of the tokens that fill short sentences up, by any name, if it names them.
    fn padding(&self) -> Vec<u32> {
        Vec::new()
    }

    /// The numbers of the special tokens that begin and end a sentence.
    fn special(&self) -> [u32; 2];

    /// The tokens of a sentence, at most `window`.
    fn encode(&self, line: &str, window: usize) -> TokenIds;

    /// The words of a line whose tokens [`encode`](Tokenizer::encode) gives, in order. The word at the end of the
    /// window may have lost some of its tokens; those beyond it are left out.
    fn words(&self, line: &str, window: usize) -> Vec<Word>;
}

/// A tokenizer with its vocabulary.
#[derive(Clone, Debug)]
pub struct WordPiece {
    vocabulary: HashMap<String, u32>,
    tokens: usize,
    normaliser: Normaliser,
    first: u32,
    last: u32,
    unknown: u32,
    prefix: String,
    longest_word: usize,
}

/// What is done to characters before words are split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Normaliser {
    clean: bool,
    separate_chinese: bool,
    strip_accents: bool,
    lowercase: bool,
}

impl Normaliser {
    const UNCASED: Normaliser =
        Normaliser { clean: true, separate_chinese: true, strip_accents: true, lowercase: true };
}

impl WordPiece {
    /// Reads `tokenizer.json`, or `vocab.txt` where there is none.
    pub fn read(folder: &Path) -> Result<Self> {
        let (json, text) = (folder.join("tokenizer.json"), folder.join("vocab.txt"));
        if json.exists() {
            Self::from_json(&json, &read_json(&json)?)
        } else if text.exists() {
            let bytes = read(&text)?;
            let lowercase = match folder.join("tokenizer_config.json") {
                path if path.exists() => read_json(&path)?["do_lower_case"].as_bool().unwrap_or(true),
                _ => true,
            };
            Self::from_vocabulary(&text, &String::from_utf8_lossy(&bytes), lowercase)
        } else {
            Err(unusable(folder, "no tokenizer in this folder: expected tokenizer.json or vocab.txt"))
        }
    }

    /// Tokens one per line, as in `vocab.txt`; `path` is its name in messages.
    pub fn from_vocabulary(path: &Path, text: &str, lowercase: bool) -> Result<Self> {
        let vocabulary: HashMap<String, u32> = text.lines().map(|line| line.trim_end().to_owned()).zip(0..).collect();
        let special = |names: [&str; 2]| {
            let found = names.iter().find_map(|name| vocabulary.get(*name).copied());
            found.ok_or_else(|| unusable(path, format!("no token {} in it", names.join(" or "))))
        };
        let (first, last) = (special(["[CLS]", "<s>"])?, special(["[SEP]", "</s>"])?);
        let normaliser = Normaliser { strip_accents: lowercase, lowercase, ..Normaliser::UNCASED };
        Ok(WordPiece {
            unknown: special(["[UNK]", "<unk>"])?,
            tokens: text.lines().count(),
            normaliser,
            first,
            last,
            prefix: "##".to_owned(),
            longest_word: 100,
            vocabulary,
        })
    }

    fn from_json(path: &Path, json: &Value) -> Result<Self> {
        let model = &json["model"];
        let expect = |found: &Value, expected: &str, what: &str| match found["type"].as_str() {
            Some(found) if found == expected => Ok(()),
            found => Err(unusable(
                path,
                format!("its {what} is {}: only {expected} is understood", found.unwrap_or("not given")),
            )),
        };
        // Early files do not name the type of their model.
        if !model["type"].is_null() {
            expect(model, "WordPiece", "model")?;
        }
        expect(&json["normalizer"], "BertNormalizer", "normalizer")?;
        expect(&json["pre_tokenizer"], "BertPreTokenizer", "pre-tokenizer")?;
        let entries = model["vocab"].as_object().ok_or_else(|| unusable(path, "no vocabulary in it"))?;
        let mut vocabulary = HashMap::default();
        for (token, id) in entries {
            let id = id.as_u64().and_then(|id| u32::try_from(id).ok());
            vocabulary.insert(token.clone(), id.ok_or_else(|| unusable(path, format!("`{token}` has no number")))?);
        }
        let tokens = number_of_tokens(json, &vocabulary);
        if let Some((token, id)) = vocabulary.iter().filter(|(_, id)| **id as usize >= tokens).min() {
            return Err(unusable(path, format!("`{token}` has the number {id}, but there are {tokens} tokens")));
        }
        let find = |token: &str| {
            vocabulary.get(token).copied().ok_or_else(|| unusable(path, format!("no token {token} in its vocabulary")))
        };
        let (first, last) = special_tokens(&json["post_processor"])
            .ok_or_else(|| unusable(path, "its post-processor is not understood"))?;
        Ok(WordPiece {
            first: find(&first)?,
            last: find(&last)?,
            unknown: find(model["unk_token"].as_str().unwrap_or("[UNK]"))?,
            prefix: model["continuing_subword_prefix"].as_str().unwrap_or("##").to_owned(),
            longest_word: model["max_input_chars_per_word"].as_u64().unwrap_or(100) as usize,
            normaliser: normaliser(&json["normalizer"]),
            vocabulary,
            tokens,
        })
    }

    /// Adds the pieces of a word: each the longest that the vocabulary has; a word that cannot be cut is unknown.
    fn pieces(&self, word: &str, ids: &mut Vec<u32>) {
        let before = ids.len();
        if word.chars().count() > self.longest_word {
            return ids.push(self.unknown);
        }
        let (mut rest, mut piece) = (word, String::new());
        while !rest.is_empty() {
            let ends = rest.char_indices().map(|(at, letter)| at + letter.len_utf8()).rev();
            let found = ends.into_iter().find_map(|end| {
                piece.clear();
                if rest.len() < word.len() {
                    piece.push_str(&self.prefix);
                }
                piece.push_str(&rest[..end]);
                Some((end, *self.vocabulary.get(&piece)?))
            });
            let Some((end, id)) = found else {
                ids.truncate(before);
                return ids.push(self.unknown);
            };
            ids.push(id);
            rest = &rest[end..];
        }
    }
}

impl Tokenizer for WordPiece {
    fn tokens(&self) -> usize {
        self.tokens
    }

    fn padding(&self) -> Vec<u32> {
        ["[PAD]", "<pad>"].iter().filter_map(|token| self.vocabulary.get(*token).copied()).collect()
    }

    fn special(&self) -> [u32; 2] {
        [self.first, self.last]
    }

    fn encode(&self, line: &str, window: usize) -> TokenIds {
        let mut ids = vec![self.first];
        let clean = self.normaliser.apply(line);
        for word in words(&clean) {
            self.pieces(word, &mut ids);
            if ids.len() >= window {
                break;
            }
        }
        let cut = ids.len() >= window;
        ids.truncate(window - 1);
        ids.push(self.last);
        TokenIds { ids, cut }
    }

    fn words(&self, line: &str, window: usize) -> Vec<Word> {
        self.words_of(line, window)
    }
}

/// Tokens that were added beside the vocabulary count too.
fn number_of_tokens(json: &Value, vocabulary: &HashMap<String, u32>) -> usize {
    let added = json["added_tokens"].as_array().map(Vec::as_slice).unwrap_or_default();
    let is_new = |token: &&Value| token["content"].as_str().is_some_and(|text| !vocabulary.contains_key(text));
    vocabulary.len() + added.iter().filter(is_new).count()
}

/// The tokens around a sentence, by the forms in which files say it.
fn special_tokens(processor: &Value) -> Option<(String, String)> {
    if processor["type"] == "TemplateProcessing" {
        let items = processor["single"].as_array()?;
        let name = |item: Option<&Value>| Some(item?["SpecialToken"]["id"].as_str()?.to_owned());
        return Some((name(items.first())?, name(items.last())?));
    }
    let name = |key: &str| Some(processor[key][0].as_str()?.to_owned());
    Some((name("cls")?, name("sep")?))
}

fn normaliser(json: &Value) -> Normaliser {
    let flag = |key: &str, default| json[key].as_bool().unwrap_or(default);
    let lowercase = flag("lowercase", true);
    Normaliser {
        clean: flag("clean_text", true),
        separate_chinese: flag("handle_chinese_chars", true),
        strip_accents: flag("strip_accents", lowercase),
        lowercase,
    }
}

impl Normaliser {
    fn apply(self, line: &str) -> String {
        if line.is_ascii() {
            let clean = line.chars().filter(|letter| !self.clean || !is_control(*letter));
            return clean.map(|letter| if self.lowercase { letter.to_ascii_lowercase() } else { letter }).collect();
        }
        let mut clean = String::with_capacity(line.len());
        for letter in line.chars() {
            if self.clean && (letter == '\0' || letter == '\u{fffd}' || is_control(letter)) {
                continue;
            }
            let separate = self.separate_chinese && is_chinese(letter);
            if separate {
                clean.push(' ');
            }
            clean.push(letter);
            if separate {
                clean.push(' ');
            }
        }
        if self.strip_accents {
            clean = clean.nfd().filter(|letter| !is_accent(*letter)).collect();
        }
        if self.lowercase { clean.chars().flat_map(char::to_lowercase).collect() } else { clean }
    }
}

fn is_accent(letter: char) -> bool {
    is_combining_mark(letter) && letter.general_category() == GeneralCategory::NonspacingMark
}

fn is_control(letter: char) -> bool {
    !matches!(letter, '\t' | '\n' | '\r') && letter.general_category_group() == GeneralCategoryGroup::Other
}

fn is_chinese(letter: char) -> bool {
    matches!(u32::from(letter),
        0x4E00..=0x9FFF | 0x3400..=0x4DBF | 0x20000..=0x2A6DF | 0x2A700..=0x2B73F | 0x2B740..=0x2B81F
        | 0x2B920..=0x2CEAF | 0xF900..=0xFAFF | 0x2F800..=0x2FA1F)
}

fn is_punctuation(letter: char) -> bool {
    letter.is_ascii_punctuation()
        || (!letter.is_ascii() && letter.general_category_group() == GeneralCategoryGroup::Punctuation)
}

/// Words between white space; each punctuation mark is a word.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace().flat_map(|word| {
        word.split_inclusive(is_punctuation).flat_map(|part| {
            let mark = part.char_indices().next_back().filter(|(_, letter)| is_punctuation(*letter));
            let (before, mark) = part.split_at(mark.map_or(part.len(), |(at, _)| at));
            [before, mark].into_iter().filter(|word| !word.is_empty())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const VOCABULARY: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\ncafe\nun\n##want\n##ed\n,\n!\n[\n]\nsep\n中\nstrasse\n";

    pub(super) fn tokenizer() -> WordPiece {
        WordPiece::from_vocabulary(Path::new("vocab.txt"), VOCABULARY, true).unwrap()
    }

    fn ids(line: &str) -> Vec<u32> {
        tokenizer().encode(line, 64).ids
    }

    #[test]
    fn words_are_cut_into_the_longest_pieces() {
        assert_eq!(ids("The unwanted  Café, THE!"), [2, 4, 6, 7, 8, 5, 9, 4, 10, 3]);
        assert_eq!(ids("unwant wanted"), [2, 6, 7, 1, 3]);
        assert_eq!(ids(""), [2, 3]);
        assert_eq!(ids(&"a".repeat(101)), [2, 1, 3]);
    }

    #[test]
    fn characters_are_cleaned_and_chinese_ones_are_words() {
        assert_eq!(ids("the\u{0}\u{200b}\tthe\u{fffd}"), [2, 4, 4, 3]);
        assert_eq!(ids("中中the"), [2, 14, 14, 4, 3]);
        assert_eq!(ids("cafe\u{301}"), [2, 5, 3]);
    }

    #[test]
    fn special_tokens_in_a_text_are_text() {
        assert_eq!(ids("[SEP]"), [2, 11, 13, 12, 3]);
    }

    #[test]
    fn a_long_sentence_keeps_its_beginning_and_says_so() {
        let tokenizer = tokenizer();
        let long = tokenizer.encode("the the the the", 5);
        assert_eq!((long.ids, long.cut), (vec![2, 4, 4, 4, 3], true));
        let fits = tokenizer.encode("the the the", 5);
        assert_eq!((fits.ids, fits.cut), (vec![2, 4, 4, 4, 3], false));
    }

    #[test]
    fn files_that_are_not_understood_are_refused() {
        let path = Path::new("tokenizer.json");
        let refused =
            |text: &str| WordPiece::from_json(path, &serde_json::from_str(text).unwrap()).unwrap_err().to_string();
        assert!(refused(r#"{"model": {"type": "BPE"}}"#).contains("its model is BPE: only WordPiece"));
        let start = r#"{"normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "BertPreTokenizer"}"#;
        assert!(refused(&format!("{start}}}")).contains("no vocabulary"));
        let error = WordPiece::from_vocabulary(Path::new("vocab.txt"), "a\nb\n", true).unwrap_err().to_string();
        assert_eq!(error, "vocab.txt: no token [CLS] or <s> in it");
        let empty = tempfile::tempdir().unwrap();
        assert!(WordPiece::read(empty.path()).unwrap_err().to_string().contains("no tokenizer in this folder"));
    }
}
