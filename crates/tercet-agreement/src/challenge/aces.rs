//! The categories of ACES (Amrhein, Moghe and Guillou, 2022), and its weighted score.
//!
//! ```text
//! ACES-Score = Σ weight · τ(category),   τ = (concordant − discordant) / (concordant + discordant)
//! ```
//!
//! A pair is concordant if the good translation has the higher score; equal scores are discordant. τ of a category is
//! over all its items, whatever their kind. The weights add up to 29.1.

/// The categories with their weights, in the order of the paper.
pub const ACES_CATEGORIES: [(&str, f64); 10] = [
    ("addition", 5.0),
    ("omission", 5.0),
    ("mistranslation", 5.0),
    ("untranslated", 1.0),
    ("do not translate", 1.0),
    ("overtranslation", 5.0),
    ("undertranslation", 5.0),
    ("real-world knowledge", 1.0),
    ("wrong language", 1.0),
    ("punctuation", 0.1),
];

/// Starts of the names of ACES's phenomena, and what they belong to.
const PHENOMENA: [(&str, &str); 22] = [
    ("ambiguous-translation", "mistranslation"),
    ("anaphoric_", "mistranslation"),
    ("coreference-based-on-commonsense", "mistranslation"),
    ("hallucination-", "mistranslation"),
    ("lexical-overlap", "mistranslation"),
    ("modal_verb:", "mistranslation"),
    ("nonsense", "mistranslation"),
    ("ordering-mismatch", "mistranslation"),
    ("overly-literal-", "mistranslation"),
    ("pleonastic_it:", "mistranslation"),
    ("xnli-", "mistranslation"),
    ("copy-source", "untranslated"),
    ("untranslated-vs-", "untranslated"),
    ("do-not-translate", "do not translate"),
    ("hyponym-replacement", "overtranslation"),
    ("hypernym-replacement", "undertranslation"),
    ("antonym-replacement", "real-world knowledge"),
    ("commonsense-", "real-world knowledge"),
    ("real-world-knowledge-", "real-world knowledge"),
    ("similar-language-", "wrong language"),
    ("punctuation:", "punctuation"),
    ("punctuation-", "punctuation"),
];

/// The category of ACES that a kind of damage belongs to: by its own name, or as one of ACES's phenomena.
pub fn aces_category(kind: &str) -> Option<&'static str> {
    let of_name = ACES_CATEGORIES.iter().find(|(name, _)| *name == kind).map(|(name, _)| *name);
    of_name.or_else(|| PHENOMENA.iter().find(|(start, _)| kind.starts_with(start)).map(|(_, category)| *category))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phenomena_belong_to_categories() {
        assert_eq!(aces_category("omission"), Some("omission"));
        assert_eq!(aces_category("hallucination-number-level-2"), Some("mistranslation"));
        assert_eq!(aces_category("punctuation:deletion_all"), Some("punctuation"));
        assert_eq!(aces_category("number"), None);
        assert!(PHENOMENA.iter().all(|(_, category)| ACES_CATEGORIES.iter().any(|(name, _)| name == category)));
        assert!((ACES_CATEGORIES.iter().map(|(_, weight)| weight).sum::<f64>() - 29.1).abs() < 1e-9);
    }
}
