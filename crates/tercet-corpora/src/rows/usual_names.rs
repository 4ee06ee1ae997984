//! The names that fields of texts usually have: COMET's (`src`, `mt`, `ref`), MetricX's (`source`, `hypothesis`,
//! `reference`), those of `evaluate` (`predictions`, `references`, `sources`), of WMT, and of the samples of
//! lm-evaluation-harness (`target`, `filtered_resps`).
//!
//! Case does not matter, and `-` and spaces are like `_`. The names of a role are in groups: those of the first group
//! with a field in the file are taken, and several of one group are ambiguous.

use tercet_base::FieldRole;

/// Groups of names, the surest first.
type Groups = &'static [&'static [&'static str]];

const HYPOTHESIS: Groups = &[
    &[
        "hyp",
        "hyps",
        "hypothesis",
        "hypotheses",
        "mt",
        "mt_text",
        "mt_output",
        "translation",
        "translations",
        "target_hypothesis",
        "system_output",
        "prediction",
        "predictions",
        "pred",
        "preds",
        "output",
        "outputs",
        "candidate",
        "candidates",
        "response",
        "responses",
        "completion",
        "generation",
        "generated",
        "generated_text",
        "model_output",
        "filtered_resps",
    ],
    &["resps"],
];

const REFERENCE: Groups = &[
    &[
        "ref",
        "refs",
        "reference",
        "references",
        "ref_text",
        "reference_text",
        "target",
        "targets",
        "tgt",
        "tgt_text",
        "target_text",
        "gold",
        "golds",
        "ground_truth",
        "human_translation",
    ],
    &["label", "labels", "expected", "answer", "answers"],
];

const SOURCE: Groups =
    &[&["src", "source", "sources", "src_text", "source_text", "source_sentence"], &["input", "inputs", "original"]];

const SYSTEM: Groups =
    &[&["system", "system_id", "system_name", "sys", "mt_system"], &["model", "model_id", "model_name", "engine"]];

const DOCUMENT: Groups = &[&["document", "document_id", "doc", "doc_id", "docid", "doc_name", "docname"]];

const ID: Groups = &[
    &["id", "segment_id", "segid", "seg_id", "seg", "sid", "item_id"],
    &["custom_id", "example_id", "sample_id", "line_id", "uid", "uuid", "guid"],
    &["segment", "line", "idx", "index"],
];

/// The names of texts whose field says nothing else: for files that have the texts of one role only.
pub(super) const TEXT: &[&str] = &["text", "texts", "sentence", "content", "translation", "translations", "output"];

/// The groups of names of a role.
pub(super) fn groups(role: FieldRole) -> Groups {
    match role {
        FieldRole::Hypothesis => HYPOTHESIS,
        FieldRole::Reference => REFERENCE,
        FieldRole::Source => SOURCE,
        FieldRole::System => SYSTEM,
        FieldRole::Document => DOCUMENT,
        FieldRole::Id => ID,
        _ => &[],
    }
}

/// A name as it is compared.
pub(super) fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace(['-', ' '], "_")
}

/// Whether a name is one of these, or, for references, one of them with a number or a letter: `ref0`, `reference_B`.
pub(super) fn is_one_of(name: &str, group: &[&str], role: FieldRole) -> bool {
    let name = plain(name);
    group.contains(&name.as_str()) || (role == FieldRole::Reference && is_numbered_reference(&name))
}

/// Whether a name is that of one reference of several.
pub(super) fn is_numbered_reference(name: &str) -> bool {
    let name = plain(name);
    let rest = name.strip_prefix("reference").or_else(|| name.strip_prefix("ref"));
    let Some(rest) = rest.map(|rest| rest.strip_prefix('_').unwrap_or(rest)) else { return false };
    let is_number = (1..=2).contains(&rest.len()) && rest.bytes().all(|byte| byte.is_ascii_digit());
    is_number || (rest.len() == 1 && rest.bytes().all(|byte| byte.is_ascii_lowercase() && byte != b's'))
}

/// Whether a text is a usual name of a role.
pub(crate) fn is_usual_name(name: &str, role: FieldRole) -> bool {
    groups(role).iter().any(|group| is_one_of(name, group, role))
}

/// Whether a text is a usual name of a role, and nothing else by chance.
pub(crate) fn is_surely(name: &str, role: FieldRole) -> bool {
    groups(role).first().is_some_and(|group| is_one_of(name, group, role))
}

/// Whether names of columns are surely those of texts: of two roles.
pub(super) fn are_of_texts(names: &[&str]) -> bool {
    let has = |role| names.iter().any(|name| is_surely(name, role));
    let roles = [FieldRole::Hypothesis, FieldRole::Reference, FieldRole::Source];
    roles.into_iter().filter(|role| has(*role)).count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_may_be_numbered() {
        for name in ["ref0", "ref_1", "reference2", "Reference-B", "refA"] {
            assert!(is_numbered_reference(name), "{name}");
        }
        for name in ["ref", "refs", "references", "ref123", "referee", "reflection"] {
            assert!(!is_numbered_reference(name), "{name}");
        }
    }

    #[test]
    fn columns_of_texts_have_names_of_two_roles() {
        assert!(are_of_texts(&["src", "mt"]) && are_of_texts(&["ID", "Reference", "Hypothesis"]));
        assert!(!are_of_texts(&["mt", "hyp"]) && !are_of_texts(&["score", "ref"]));
    }
}
