//! The language of a text: by its script, and where several languages share one, by its most frequent words.
//!
//! Only for warnings, so it says nothing where it is not sure. The words are the most frequent articles, prepositions,
//! pronouns and forms of *to be* of each language, listed by hand. A word of several languages counts a fraction for
//! each; a language is named when its words are at least a twentieth of the text and clearly more than those of each
//! other: half as many again, or three times as many where only the words count that the two do not share. The latter
//! tells Czech from Slovak, which share most of their frequent words.

use super::{Language, Script};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// Frequent words of languages that share their script with others.
const FREQUENT: &[(&str, &str)] = &[
    (
        "en",
        "the of and to in a is that for it on was with as be by at he this are from not have an they which but his \
         their has we i you",
    ),
    (
        "de",
        "der die das und in den von zu mit ist nicht sich auf für im dem ein eine des auch als es an er sie wird aus \
         bei hat dass einen wir ich",
    ),
    (
        "fr",
        "le la les de des du et à un une en est que qui dans pour il sur au pas par plus ne ce se avec son ont sont \
         nous cette l d qu",
    ),
    (
        "ca",
        "el la els les de del dels i a en que un una és per amb no es al als ha són com més va però seva ser aquest \
         pel l d",
    ),
    (
        "es",
        "el la los las de del y en que a un una es por con para se no su al lo como más ha o pero sus fue este está",
    ),
    ("it", "il la le di che e è un una per in non del della con i gli si da sono al ha come più dei nel alla anche ma"),
    ("pt", "o a os as de do da dos das e em que um uma é não para com no na se por mais ao foi como à são seu sua"),
    (
        "nl",
        "de het een van en in is dat op te voor met zijn niet aan er die om ook als door maar bij ze hij naar wordt \
         heeft werd",
    ),
    ("sv", "och i att det som en på är av för med den till inte har de ett om var jag men från vi han så hon kan vid"),
    ("da", "og i at det er en til på af for med den der ikke de som har et jeg fra han vi men om var kan sig blev"),
    (
        "no",
        "og i det er en til på av for med den som ikke de har et jeg fra han vi men om var kan seg ble å at ut etter",
    ),
    (
        "fi",
        "ja on ei se että oli hän ovat mutta myös kun joka jos tai mukaan kuin hänen vuoden nyt sen ole olisi sekä jo \
         voi",
    ),
    ("et", "ja on ei et see ta oli kui oma mis ka või aga siis kes nad tema selle mida kuid seda ning pole veel"),
    ("lv", "un ir ar no uz par ka to kas tika arī kā bija bet lai gan vai pēc viņš nav tas šo līdz savu pie"),
    ("lt", "ir kad į su tai yra iš buvo bet apie kaip jis o jo ne po dėl už taip kuris gali savo bus dar"),
    ("pl", "i w nie na się z do że to jest o jak za po ale od co przez był są dla przy ma który jego oraz czy"),
    ("cs", "a se v na je že o s z do i to ve pro za by k jsou jako ale byl po od které který si jeho podle aby už"),
    ("sk", "a sa v na je že o s z do i to vo pre za by k sú ako ale bol po od ktoré ktorý si jeho podľa aby už"),
    ("hu", "a az és hogy nem is egy meg csak volt ez de van már ha mint még azt vagy el ki lehet után szerint"),
    ("ro", "și de în a la cu că o pe din care nu un este să mai pentru au se fi al ca după sau prin fost"),
    ("tr", "ve bir bu için da de ile olarak çok daha olan ne gibi en ama kadar sonra o var her ise değil olduğu"),
    ("hr", "i je u se na da su za od s koji a o ne bi što će kako iz to ili ali kao nije bio"),
    (
        "id",
        "yang dan di untuk dengan dari ini pada itu dalam tidak adalah akan ke oleh mereka ada juga telah karena bahwa",
    ),
    ("vi", "và của là có trong được cho không các một đã với người những này khi đến để về ở từ như ông"),
    ("ru", "и в не на что с по это как он к из у за от его но для они мы был о же так было а также"),
    ("uk", "і в у не на що з та до як це за по він від для його про але й вони ми був також із або"),
    ("bg", "и на да се в от за е с че не са по той към като но ще до това беше му ни или"),
];

/// The words are looked for in so much text.
const LETTERS: usize = 20_000;

/// The script of a text and, if it is clear, its language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextLanguage {
    /// The script of most letters.
    pub script: Script,
    /// The language, where it is certain.
    pub language: Option<Language>,
}

impl TextLanguage {
    /// The language if it is known, else the script: `German`, `Cyrillic letters`.
    pub fn name(&self) -> String {
        match &self.language {
            Some(language) => language.name(),
            None => format!("{:?} letters", self.script),
        }
    }

    /// Whether a text in Latin letters has so few words that its language may be unclear for that reason alone.
    pub fn is_short_and_latin<'a>(lines: impl Iterator<Item = &'a str> + Clone) -> bool {
        const MIN_CLEAR_WORDS: usize = 100;
        let words = |line: &'a str| line.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
        lines.clone().flat_map(words).nth(MIN_CLEAR_WORDS).is_none() && Script::main(lines, 1) == Some(Script::Latin)
    }

    /// Whether it is certainly another language than that of another text.
    pub fn differs_from(&self, other: &TextLanguage) -> bool {
        let both = self.language.as_ref().zip(other.language.as_ref());
        self.script != other.script || both.is_some_and(|(language, other)| language != other)
    }

    /// Whether it is certainly not this language.
    pub fn contradicts(&self, language: &Language) -> bool {
        let other_script = Script::of_language(language.code()).is_some_and(|script| script != self.script);
        // Others could be mistaken for a language that is similar.
        let listed = FREQUENT.iter().any(|(code, _)| *code == language.code());
        other_script || (listed && self.language.as_ref().is_some_and(|found| found != language))
    }

    /// Whether words are found in it otherwise than in text of this language: it is another language, or has no spaces,
    /// which is not known of the language.
    pub fn has_other_words_than(&self, language: &Language) -> bool {
        let unknown = Script::of_language(language.code()).is_none();
        self.contradicts(language) || (unknown && self.language.as_ref().is_some_and(Language::is_unsegmented))
    }

    /// Detects script and language of some lines of a text; `None` if no script is clear.
    pub fn detect<'a>(lines: impl Iterator<Item = &'a str> + Clone) -> Option<Self> {
        const MIN_LETTERS: usize = 20;
        let script = Script::main(lines.clone(), MIN_LETTERS)?;
        let language = match script.language() {
            Some(code) => Some(Language::known(code)),
            None => by_frequent_words(lines, script),
        };
        Some(TextLanguage { script, language })
    }
}

/// Another language than the expected one in which a line certainly is; `None` in all doubtful cases. A quarter of its
/// words, at least three different ones, are frequent words of that language and not of the expected one, and none is
/// of the expected language alone. Words with a capital may be parts of names (Los Angeles, Der Spiegel), so they do
/// not count for another language.
pub fn other_language(line: &str, expected: &Language) -> Option<Language> {
    const MIN_WORDS: usize = 6;
    const MIN_FREQUENT: usize = 3;
    let known = languages_of_words();
    let own = 1u32 << FREQUENT.iter().position(|(code, _)| *code == expected.code())?;
    let (mut words, mut found): (usize, Vec<(String, u32)>) = (0, Vec::new());
    for word in line.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
        words += 1;
        let has_capital = word.starts_with(char::is_uppercase);
        let word = word.to_lowercase();
        match known.get(word.as_str()) {
            Some(languages) if *languages == own => return None,
            Some(languages) if languages & own == 0 && !has_capital => found.push((word, *languages)),
            _ => {}
        }
    }
    let frequent = |language: usize| found.iter().filter(move |(_, languages)| languages >> language & 1 == 1);
    // The first of those that have as many.
    let best = (0..FREQUENT.len()).rev().max_by_key(|language| frequent(*language).count())?;
    let mut distinct: Vec<&str> = frequent(best).map(|(word, _)| word.as_str()).collect();
    let count = distinct.len();
    distinct.sort_unstable();
    distinct.dedup();
    let is_clear = words >= MIN_WORDS && count * 4 >= words && distinct.len() >= MIN_FREQUENT;
    is_clear.then(|| Language::known(FREQUENT[best].0))
}

/// The languages of each word, a bit each.
fn languages_of_words() -> &'static FxHashMap<&'static str, u32> {
    static WORDS: OnceLock<FxHashMap<&'static str, u32>> = OnceLock::new();
    WORDS.get_or_init(|| {
        let mut words = FxHashMap::default();
        for (i, (_, frequent)) in FREQUENT.iter().enumerate() {
            for word in frequent.split(' ') {
                *words.entry(word).or_default() |= 1 << i;
            }
        }
        words
    })
}

fn by_frequent_words<'a>(lines: impl Iterator<Item = &'a str>, script: Script) -> Option<Language> {
    /// Fewer words do not show a language.
    const MIN_WORDS: usize = 20;
    let known = languages_of_words();
    let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
    let (mut words, mut letters) = (0, 0);
    for line in lines {
        for word in line.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
            words += 1;
            let languages = known.get(word.to_lowercase().as_str()).copied().unwrap_or(0);
            *counts.entry(languages).or_default() += 1;
        }
        letters += line.len();
        if letters > LETTERS {
            break;
        }
    }
    // In a fixed order, so that sums are the same in every run.
    let mut counts: Vec<(u32, u32)> = counts.into_iter().collect();
    counts.sort_unstable();
    let weight = |language: usize, without: u32| -> f64 {
        let of_language =
            counts.iter().filter(|(languages, _)| languages >> language & 1 == 1 && languages & without == 0);
        of_language.map(|(languages, count)| f64::from(*count) / f64::from(languages.count_ones())).sum()
    };
    let all = f64::from(words as u32);
    let found: Vec<f64> = (0..FREQUENT.len()).map(|language| weight(language, 0)).collect();
    let best = (0..FREQUENT.len()).max_by(|a, b| found[*a].total_cmp(&found[*b]))?;
    let exceeds = |other: usize| {
        let (own, others) = (weight(best, 1 << other), weight(other, 1 << best));
        found[best] >= 1.5 * found[other] || (own >= 3.0 * others && own * 50.0 >= all)
    };
    let language = Language::known(FREQUENT[best].0);
    let fits = Script::of_language(language.code()) == Some(script);
    let clear = words >= MIN_WORDS && found[best] * 20.0 >= all;
    (clear && fits && (0..FREQUENT.len()).all(|other| other == best || exceeds(other))).then_some(language)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language(text: &str) -> Option<String> {
        TextLanguage::detect(text.lines())?.language.map(|language| language.code().to_owned())
    }

    #[test]
    fn languages_that_share_most_frequent_words_are_told_apart() {
        // Most of the frequent words here are both Czech and Slovak.
        let czech = "Na jihu a na severu je to jako o Vánocích a v noci ve městě mrzlo. A že je to i za řekou, o tom \
                     se ví. V lese a na poli je klid, a po obědě i v domě. K ránu je na cestě led a v údolí mlha, ale \
                     pro nás je to dobré.";
        assert_eq!(language(czech).as_deref(), Some("cs"));
        let slovak = "Na juhu a na severe je to ako o Vianociach a v noci vo meste mrzlo. A že je to i za riekou, o \
                      tom sa vie. V lese a na poli je pokoj, a po obede i v dome. K ránu je na ceste ľad a v údolí \
                      hmla, ale pre nás je to dobré.";
        assert_eq!(language(slovak).as_deref(), Some("sk"));
        let either = "Na a v je o a i za, k a po to na a v o je a i za po to a na v je o i a za po.";
        assert_eq!(language(either), None);
    }

    #[test]
    fn a_line_is_in_another_language_only_where_nothing_speaks_against_it() {
        let english = Language::known("en");
        let other = |line: &str| other_language(line, &english).map(|found| found.code().to_owned());
        assert_eq!(
            other("Der Stadtrat hat den Plan gebilligt, und die Brücke wird neu gebaut.").as_deref(),
            Some("de")
        );
        assert_eq!(other("Los vecinos de la ciudad protestan por el ruido en las calles.").as_deref(), Some("es"));
        for unclear in [
            "The newspaper Die Zeit was founded by Gerd Bucerius in 1946.",
            "Der Spiegel, Die Welt, Das Bild",
            "Real Madrid, Los Angeles, Las Vegas, El Paso",
            "Osama Bin Laden, Abu Bakr al-Baghdadi, Ayman al-Zawahiri",
            "",
        ] {
            assert_eq!(other(unclear), None, "{unclear}");
        }
        assert_eq!(other_language("Der Hund und die Katze sind nicht in dem Haus.", &Language::known("xx")), None);
    }
}
