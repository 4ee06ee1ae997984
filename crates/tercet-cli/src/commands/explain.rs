//! What `--explain` says about metrics, in `tercet score` and `tercet compare`.

use crate::output::Misuse;
use tercet::metrics::Explain;

/// None of these metrics, by their titles, tells which words found a partner.
pub fn refusal(titles: &[String]) -> Misuse {
    let tell = if titles.len() == 1 { "does not tell" } else { "do not tell" };
    let metrics = titles.join(", ");
    Misuse(format!(
        "--explain: {metrics} {tell} which words have a partner: only siamese does (-m siamese); \
         -f html marks words by METEOR and TER"
    ))
}

/// A page has the words of its segments marked without the flag.
pub fn not_on_pages() -> Misuse {
    Misuse("--explain is not for -f html, which marks words of segments without it".to_owned())
}

/// What brackets mean.
pub fn note(explainer: &dyn Explain) -> String {
    let threshold = explainer.threshold();
    format!("[…]: words whose most similar word on the other side has a similarity below {threshold}")
}
