//! References that are corrections of the judged outputs.
//!
//! A post-edit keeps whatever is not wrong, so it is far closer to its output than an independent translation, and
//! closer the better the output is: metrics agree with people more than they would with an independent reference.
//! MLQE-PE says that its references are post-edits. For other sets the texts are compared: outputs that were left as
//! they are give post-edits away, since independent translations of more than a few words are seldom the same.

use super::set::JudgedSet;

/// Why references are taken to be post-edits of the outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostEdits {
    /// The format says so.
    Stated,
    /// Many outputs of four words or more equal their reference, white space aside.
    Likely {
        /// The number of these outputs.
        same: usize,
        /// The number of outputs of four words or more.
        outputs: usize,
    },
}

/// The fewest outputs from which post-edits are recognised.
const MIN_OUTPUTS: usize = 50;

/// Whether the references of a set are, or seem to be, post-edits: one output of five equals its reference.
pub(super) fn find_post_edits(set: &JudgedSet<'_>) -> Option<PostEdits> {
    if set.judgements().post_edits {
        return Some(PostEdits::Stated);
    }
    let references = set.reference_lines().ok()?;
    let (mut same, mut outputs) = (0, 0);
    for system in 0..set.systems() {
        for (segment, references) in references.iter().enumerate() {
            let Some(output) = set.output(system, segment) else { continue };
            if output.split_whitespace().nth(3).is_some() && !references.is_empty() {
                outputs += 1;
                same += usize::from(references.iter().any(|reference| same_text(reference, output)));
            }
        }
    }
    (outputs >= MIN_OUTPUTS && 5 * same >= outputs).then_some(PostEdits::Likely { same, outputs })
}

fn same_text(a: &str, b: &str) -> bool {
    a.chars().filter(|c| !c.is_whitespace()).eq(b.chars().filter(|c| !c.is_whitespace()))
}
