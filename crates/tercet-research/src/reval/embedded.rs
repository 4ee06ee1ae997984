//! The embedded model: `models/reval/reval-en.safetensors`, trained with `training/reval/reval-en.toml`.

use super::RevalModel;
use super::model::TreeFiles;
use crate::error::Result;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use tercet_model_reval::REVAL_EN;

static ENGLISH: LazyLock<Arc<RevalModel>> = LazyLock::new(|| {
    let model = RevalModel::english_with(TreeFiles::default());
    Arc::new(model.expect("its file is whole, as a test says"))
});

impl RevalModel {
    /// The embedded English model; it is read at the first call.
    pub fn english() -> &'static Arc<RevalModel> {
        &ENGLISH
    }

    /// The embedded model with given trees.
    pub(super) fn english_with(trees: TreeFiles<'_>) -> Result<Self> {
        Self::from_bytes_with(Path::new("the embedded model of ReVal"), REVAL_EN, trees)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_model_knows_good_from_bad() {
        let model = RevalModel::english();
        let note = |key: &str| model.record().note(key).unwrap_or_default();
        assert!(note("trained_on").starts_with("wmt12-rr cs-en pairs (11021)"), "{}", note("trained_on"));
        assert!(note("recipe").contains("kind = \"reval\""));
        assert!(model.words() > 100_000 && REVAL_EN.len() <= 8_000_000);
        let reference = "The committee will decide on the new budget next week.";
        let similarities = model
            .similarities(&[
                (reference, reference),
                (reference, "Next week, the committee will decide on the new budget."),
                (reference, "The committee decide on budget new the week."),
                (reference, "He likes football."),
            ])
            .unwrap();
        assert!(similarities.is_sorted_by(|a, b| a > b), "{similarities:?}");
    }
}
