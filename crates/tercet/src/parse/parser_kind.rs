//! Which parser a recipe makes: its key `kind`, all that recipes of different parsers have in common.

use crate::error::Result;
use crate::recipe::RecipeText;
use serde::Deserialize;
use std::path::Path;

/// A kind of parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ParserKind {
    /// [`DependencyParser`](crate::parse::dependency::DependencyParser).
    Dependency,
    /// [`ConstituencyParser`](crate::parse::constituency::ConstituencyParser).
    Constituency,
}

#[derive(Deserialize)]
struct Named {
    kind: ParserKind,
}

impl ParserKind {
    /// The kind that a recipe names; its other keys are not looked at.
    pub fn of_recipe(path: &Path) -> Result<Self> {
        let text = RecipeText::read(path)?;
        let named: Named = RecipeText::new(path, &text).settings()?;
        Ok(named.kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_says_its_kind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("recipe.toml");
        let kind = |text: &str| {
            std::fs::write(&path, text).unwrap();
            ParserKind::of_recipe(&path)
        };
        assert_eq!(kind("kind = \"constituency\"\nx = 1").unwrap(), ParserKind::Constituency);
        assert_eq!(kind("kind = \"dependency\"\n[data]").unwrap(), ParserKind::Dependency);
        let refused = |text: &str| kind(text).unwrap_err().to_string();
        let expected = "recipe.toml:1: kind cannot be \"x\": expected dependency or constituency";
        assert!(refused("kind = \"x\"").ends_with(expected), "{}", refused("kind = \"x\""));
        assert!(refused("").ends_with("recipe.toml: kind is missing"));
        let folder = ParserKind::of_recipe(folder.path()).unwrap_err().to_string();
        assert!(folder.ends_with("it is a folder, expected a recipe (name the file)"), "{folder}");
    }
}
