//! Small models of ReVal, made for the properties that hold for every metric.

use std::sync::LazyLock;
use tempfile::TempDir;
use tercet::metrics::reval::{RevalRecipe, train};
use tercet::progress::Progress;
use tercet::train::TrainingFiles;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());

/// A model that reads trees, one that reads lists of words, and a mix, as `reval:model=…`.
pub static MODELS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let more =
        ["", "network.encoding = \"lstm\"", "mix.words = 3\nmix.network.hidden = 4\nmodel.precision = \"8-bit\""];
    more.iter().enumerate().map(|(number, more)| model(number, more)).collect()
});

fn model(number: usize, more: &str) -> String {
    let folder = FOLDER.path();
    std::fs::write(folder.join("vectors.txt"), "the 0.5 -1\ncat 0.25 2\nit -0.5 1\nday 1 1\na 0 0.1\n").unwrap();
    let rows = "5\tthe cat sat\tthe cat sat\n2\tthe cat sat\ta dog\n4\tit rained all day\tit rained a day\n";
    std::fs::write(folder.join("scored.tsv"), format!("score\treference\ttranslation\n{rows}")).unwrap();
    let recipe = format!(
        "kind = \"reval\"\ndata.scored = [\"scored.tsv\"]\nwords.file = \"vectors.txt\"\nnetwork.memory = 3\n\
         network.hidden = 2\ntraining.epochs = 2\n{more}\n"
    );
    let recipe = RevalRecipe::parse(&recipe, folder).unwrap();
    let files = TrainingFiles { model: folder.join(format!("reval-{number}")), resume: false };
    train(&recipe, &files, Progress::none()).unwrap();
    format!("reval:model={}", files.model.display())
}
