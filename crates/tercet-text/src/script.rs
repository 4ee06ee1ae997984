//! The script in which text is written.

/// A script, or a group of scripts of one language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Script {
    /// Latin letters.
    Latin,
    /// Cyrillic letters.
    Cyrillic,
    /// Greek letters.
    Greek,
    /// Armenian letters.
    Armenian,
    /// Hebrew letters.
    Hebrew,
    /// Arabic letters.
    Arabic,
    /// Devanagari: Hindi, Marathi, Nepali.
    Devanagari,
    /// Bengali letters.
    Bengali,
    /// Gurmukhi: Punjabi.
    Gurmukhi,
    /// Gujarati letters.
    Gujarati,
    /// Tamil letters.
    Tamil,
    /// Telugu letters.
    Telugu,
    /// Kannada letters.
    Kannada,
    /// Malayalam letters.
    Malayalam,
    /// Sinhala letters.
    Sinhala,
    /// Thai letters.
    Thai,
    /// Lao letters.
    Lao,
    /// Burmese letters.
    Burmese,
    /// Georgian letters.
    Georgian,
    /// Ethiopic: Amharic.
    Ethiopic,
    /// Khmer letters.
    Khmer,
    /// Chinese characters without kana.
    Chinese,
    /// Kana, with or without Chinese characters.
    Japanese,
    /// Hangul: Korean.
    Korean,
}

/// The scripts by ranges of code points beyond ASCII, in order.
const RANGES: &[(u32, u32, Script)] = &[
    (0xc0, 0x24f, Script::Latin),
    (0x370, 0x3ff, Script::Greek),
    (0x400, 0x52f, Script::Cyrillic),
    (0x531, 0x58f, Script::Armenian),
    (0x590, 0x5ff, Script::Hebrew),
    (0x600, 0x6ff, Script::Arabic),
    (0x750, 0x77f, Script::Arabic),
    (0x900, 0x97f, Script::Devanagari),
    (0x980, 0x9ff, Script::Bengali),
    (0xa00, 0xa7f, Script::Gurmukhi),
    (0xa80, 0xaff, Script::Gujarati),
    (0xb80, 0xbff, Script::Tamil),
    (0xc00, 0xc7f, Script::Telugu),
    (0xc80, 0xcff, Script::Kannada),
    (0xd00, 0xd7f, Script::Malayalam),
    (0xd80, 0xdff, Script::Sinhala),
    (0xe00, 0xe7f, Script::Thai),
    (0xe80, 0xeff, Script::Lao),
    (0x1000, 0x109f, Script::Burmese),
    (0x10a0, 0x10ff, Script::Georgian),
    (0x1100, 0x11ff, Script::Korean),
    (0x1200, 0x139f, Script::Ethiopic),
    (0x1780, 0x17ff, Script::Khmer),
    (0x1e00, 0x1eff, Script::Latin),
    (0x1f00, 0x1fff, Script::Greek),
    (0x3040, 0x30ff, Script::Japanese),
    (0x3130, 0x318f, Script::Korean),
    (0x31f0, 0x31ff, Script::Japanese),
    (0x3400, 0x4dbf, Script::Chinese),
    (0x4e00, 0x9fff, Script::Chinese),
    (0xac00, 0xd7af, Script::Korean),
    (0xf900, 0xfaff, Script::Chinese),
    (0x20000, 0x3134f, Script::Chinese),
];

const COUNT: usize = Script::Korean as usize + 1;

impl Script {
    /// The script of a letter; `None` for digits, marks and scripts that are not listed.
    fn from_letter(letter: char) -> Option<Self> {
        if letter.is_ascii() {
            return letter.is_ascii_alphabetic().then_some(Script::Latin);
        }
        let code = u32::from(letter);
        let next = RANGES.partition_point(|(first, _, _)| *first <= code);
        let (_, last, script) = *RANGES.get(next.checked_sub(1)?)?;
        (code <= last).then_some(script)
    }

    /// The script of at least three of five letters of a text that has `fewest` letters or more. A Chinese character
    /// counts as three letters, since it says as much. Text of which a tenth of the Chinese and Japanese characters are
    /// kana is Japanese.
    pub fn main(texts: impl Iterator<Item = impl AsRef<str>>, fewest: usize) -> Option<Self> {
        let mut counts = [0; COUNT];
        for text in texts {
            for script in text.as_ref().chars().filter_map(Script::from_letter) {
                counts[script as usize] += 1;
            }
        }
        let (kana, chinese) = (counts[Script::Japanese as usize], counts[Script::Chinese as usize]);
        let all_chinese = 3 * (kana + chinese);
        let japanese = kana * 10 >= kana + chinese;
        counts[Script::Japanese as usize] = if japanese { all_chinese } else { 0 };
        counts[Script::Chinese as usize] = if japanese { 0 } else { all_chinese };
        let all: usize = counts.iter().sum();
        let (main, count) = counts.iter().enumerate().max_by_key(|(_, count)| **count)?;
        let script = RANGES.iter().map(|(_, _, script)| *script).find(|script| *script as usize == main);
        script.filter(|_| all >= fewest.max(1) && count * 5 >= all * 3)
    }

    /// The script of a language, by its code; `None` for languages that are not listed or have several.
    pub fn of_language(code: &str) -> Option<Self> {
        Some(match code {
            "ru" | "uk" | "bg" | "be" | "mk" | "kk" | "ky" | "mn" | "tg" | "sah" => Script::Cyrillic,
            "el" => Script::Greek,
            "hy" => Script::Armenian,
            "he" => Script::Hebrew,
            "ar" | "fa" | "ur" | "ps" => Script::Arabic,
            "hi" | "mr" | "ne" => Script::Devanagari,
            "bn" | "as" => Script::Bengali,
            "gu" => Script::Gujarati,
            "ta" => Script::Tamil,
            "te" => Script::Telugu,
            "kn" => Script::Kannada,
            "ml" => Script::Malayalam,
            "si" => Script::Sinhala,
            "th" => Script::Thai,
            "lo" => Script::Lao,
            "my" => Script::Burmese,
            "ka" => Script::Georgian,
            "am" => Script::Ethiopic,
            "km" => Script::Khmer,
            "zh" => Script::Chinese,
            "ja" => Script::Japanese,
            "ko" => Script::Korean,
            "ca" | "cs" | "da" | "de" | "en" | "es" | "et" | "eu" | "fi" | "fr" | "ga" | "hr" | "hu" | "id" | "is"
            | "it" | "lt" | "lv" | "ms" | "nl" | "no" | "pl" | "pt" | "ro" | "sk" | "sl" | "sv" | "tr" | "vi" => {
                Script::Latin
            }
            _ => return None,
        })
    }

    /// The script with this name: `Cyrillic`.
    pub fn from_name(name: &str) -> Option<Self> {
        RANGES.iter().map(|(_, _, script)| *script).find(|script| format!("{script:?}") == name)
    }

    /// Whether it is written without spaces between words.
    pub fn is_unsegmented(self) -> bool {
        use Script::{Burmese, Chinese, Japanese, Khmer, Lao, Thai};
        matches!(self, Chinese | Japanese | Thai | Lao | Khmer | Burmese)
    }

    /// The only language of the table that uses it, if there is one.
    pub(super) fn language(self) -> Option<&'static str> {
        Some(match self {
            Script::Greek => "el",
            Script::Hebrew => "he",
            Script::Gujarati => "gu",
            Script::Tamil => "ta",
            Script::Telugu => "te",
            Script::Kannada => "kn",
            Script::Malayalam => "ml",
            Script::Sinhala => "si",
            Script::Thai => "th",
            Script::Lao => "lo",
            Script::Burmese => "my",
            Script::Ethiopic => "am",
            Script::Khmer => "km",
            Script::Chinese => "zh",
            Script::Japanese => "ja",
            Script::Korean => "ko",
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(text: &str) -> Option<Script> {
        Script::main([text].iter(), 4)
    }

    #[test]
    fn ranges_are_in_order() {
        assert!(RANGES.iter().all(|(first, last, _)| first <= last));
        assert!(RANGES.is_sorted_by(|a, b| a.1 < b.0));
    }

    #[test]
    fn the_main_script_is_found() {
        assert_eq!(script("Das Café ist schön."), Some(Script::Latin));
        assert_eq!(script("Кошка сидит на ковре."), Some(Script::Cyrillic));
        assert_eq!(script("猫坐在垫子上。"), Some(Script::Chinese));
        assert_eq!(script("微软公司(Microsoft)发布了新产品。"), Some(Script::Chinese));
        assert_eq!(script("猫がマットの上に座っている。"), Some(Script::Japanese));
        assert_eq!(script("고양이가 매트 위에 앉아 있다."), Some(Script::Korean));
        assert_eq!(script("แมวนั่งอยู่บนเสื่อ"), Some(Script::Thai));
        assert_eq!(script("جلست القطة على الحصيرة."), Some(Script::Arabic));
    }

    #[test]
    fn scripts_have_names() {
        assert_eq!(Script::from_name("Cyrillic"), Some(Script::Cyrillic));
        assert_eq!(Script::from_name("cyrillic"), None);
        assert!(Script::Thai.is_unsegmented() && !Script::Korean.is_unsegmented());
    }

    #[test]
    fn too_few_letters_or_two_scripts_are_no_script() {
        assert_eq!(script("12:30, ab"), None);
        assert_eq!(script("кошка cats"), None);
    }
}
