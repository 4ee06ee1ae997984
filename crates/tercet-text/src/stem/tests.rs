use super::*;

/// Words and the stems METEOR's jar gives them.
fn assert_stems(language: &str, pairs: &[(&str, &str)]) {
    let stemmer = Stemmer::for_language(language).unwrap();
    for (word, expected) in pairs {
        let mut stem = String::from("before ");
        stemmer.stem(word, &mut stem);
        assert_eq!(stem.strip_prefix("before "), Some(*expected), "{language}: {word}");
    }
}

#[test]
fn english_is_porters_second_algorithm_and_case_counts() {
    assert_stems(
        "en",
        &[
            ("running", "run"),
            ("RUNNING", "RUNNING"),
            ("generously", "generous"),
            ("don't", "don't"),
            ("'ere", "ere"),
            ("dogs'", "dog"),
            ("skies", "sky"),
            ("flies", "fli"),
            ("dying", "die"),
            ("yelling", "yell"),
            ("Yes", "Yes"),
            ("sayings", "say"),
            ("news", "news"),
            ("proceed", "proceed"),
            ("3rd", "3rd"),
            ("well-known", "well-known"),
            ("😀s", "😀s"),
            ("’s", "’s"),
            ("naïvely", "naïv"),
        ],
    );
}

#[test]
fn german_keeps_the_second_s_of_nisse() {
    assert_stems(
        "de",
        &[
            ("Ergebnisse", "Ergebniss"),
            ("ergebnissen", "ergebniss"),
            ("Zeugnisses", "Zeugniss"),
            ("Kongreß", "Kongress"),
            ("Häuser", "Haus"),
            ("Uhr", "uhr"),
            ("lieblichkeit", "lieblich"),
            ("𝒜uen", "𝒜uen"),
            ("kenntnisse", "kenntniss"),
            ("bauen", "bau"),
        ],
    );
}

#[test]
fn portuguese_has_two_spanish_endings() {
    assert_stems(
        "pt",
        &[
            ("biologia", "biolog"),
            ("biología", "biologí"),
            ("constituição", "constituiçã"),
            ("solución", "solución"),
            ("solução", "soluçã"),
            ("avaliação", "avali"),
        ],
    );
}

#[test]
fn hungarian_knows_its_long_vowels_in_latin_1_only() {
    assert_stems(
        "hu",
        &[("házakról", "ház"), ("kõrõl", "kõ"), ("kőről", "kőről"), ("tűzzel", "tűzzel"), ("tûzzel", "tûz")],
    );
}

#[test]
fn finnish_loses_only_n_of_iden_itten_and_seen() {
    assert_stems(
        "fi",
        &[
            ("maiden", "maide"),
            ("oppilaitten", "oppilait"),
            ("huoneeseen", "huonees"),
            ("talojen", "talo"),
            ("taloissa", "talo"),
            ("vapautta", "vapaut"),
            ("kauniimmalla", "kauniim"),
            ("suuremmat", "suurem"),
            ("herroihin", "hero"),
            ("kirjani", "kirj"),
            ("kielikseni", "kiel"),
            ("autossaan", "auto"),
            ("hyvästi", "hyväst"),
            ("onko", "on"),
            ("tiedot", "tiedo"),
            ("Suomessa", "Suome"),
            ("SUOMESSA", "SUOMESSA"),
        ],
    );
}

#[test]
fn dutch_counts_letters_and_not_bytes() {
    assert_stems(
        "nl",
        &[
            ("èèrgeren", "èèrger"),
            ("çede", "çed"),
            ("spieën", "spieen"),
            ("ënige", "enig"),
            ("lichamelijkheden", "licham"),
            ("mogelijkheden", "mogelijk"),
            ("hoeveelheid", "hoevel"),
            ("gemeenheid", "gemen"),
            ("bruikbare", "bruikbar"),
            ("ergerlijke", "erger"),
            ("koningen", "koning"),
            ("leeuwen", "leeuw"),
            ("gekke", "gek"),
            ("maan", "man"),
            ("y", "y"),
            ("IJsland", "iJsland"),
        ],
    );
}

#[test]
fn the_other_languages_have_the_stems_of_the_crate() {
    assert_stems(
        "es",
        &[
            ("corriendo", "corr"),
            ("habitaciones", "habit"),
            ("rápidamente", "rapid"),
            ("dámelo", "damel"),
            ("niños", "niñ"),
        ],
    );
    assert_stems(
        "fr",
        &[
            ("continuellement", "continuel"),
            ("majestueuses", "majestu"),
            ("yeux", "yeux"),
            ("œuvres", "œuvr"),
            ("l'amour", "l'amour"),
        ],
    );
    assert_stems(
        "ru",
        &[
            ("бегущий", "бегущ"),
            ("красивыми", "красив"),
            ("Москва", "Москв"),
            ("ёлками", "ёлкам"),
            ("обязанность", "обязан"),
        ],
    );
    assert_stems("da", &[("husene", "hus")]);
    assert_stems("it", &[("abbandonare", "abbandon")]);
    assert_stems("no", &[("husene", "hus")]);
    assert_stems("ro", &[("frumoasele", "frumoas")]);
    assert_stems("sv", &[("husens", "hus")]);
    assert_stems("tr", &[("evlerimizden", "ev")]);
}

#[test]
fn every_listed_language_has_a_stemmer_and_czech_has_none() {
    assert!(Stemmer::LANGUAGES.iter().all(|code| Stemmer::for_language(code).is_some()));
    assert_eq!(Stemmer::for_language("se"), Stemmer::for_language("sv"));
    assert_eq!(Stemmer::for_language("cz"), None);
}

#[test]
fn an_empty_word_has_an_empty_stem() {
    for code in Stemmer::LANGUAGES {
        assert_stems(code, &[("", ""), ("😀", "😀"), ("\u{e000}😀", "\u{e000}😀")]);
    }
}
