//! The embedded model: `models/parsers/dependency-en.safetensors`, trained with `training/parser/dependency-en.toml`.

use super::parser::DependencyParser;
use std::path::Path;
use std::sync::LazyLock;
use tercet_model_parsers::DEPENDENCY_EN;

static ENGLISH: LazyLock<DependencyParser> = LazyLock::new(|| {
    let name = Path::new("the embedded dependency parser");
    DependencyParser::from_bytes(name, DEPENDENCY_EN).expect("its file is whole, as a test says")
});

impl DependencyParser {
    /// The embedded English parser; it is read at the first call.
    pub fn english() -> &'static DependencyParser {
        &ENGLISH
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_parser_has_notes() {
        let notes = |key: &str| DependencyParser::english().record().note(key).unwrap_or_default();
        assert!(notes("trained_on").starts_with("en_ewt-ud-train.conllu.gz (12544)"), "{}", notes("trained_on"));
        assert!(notes("recipe").contains("kind = \"dependency\""));
        let parse = DependencyParser::english().parse_one(&["The", "dog", "barked", "."]);
        assert_eq!(parse.upos, ["DET", "NOUN", "VERB", "PUNCT"]);
        assert_eq!(parse.heads, [2, 3, 0, 3]);
        assert_eq!(parse.labels, ["det", "nsubj", "root", "punct"]);
    }
}
