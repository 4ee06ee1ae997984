//! Tags, heads and labels of the items of lists: predictions or training targets.

use super::BiaffineShape;
use crate::error::{Error, Result};
use crate::networks::lists::ListBatch;

/// Tags, heads and labels of all items, in the order of the lists' items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    /// Tag of each item.
    pub tags: Vec<u16>,
    /// Fine tag of each item; empty for a network without fine tags.
    pub fine_tags: Vec<u16>,
    /// Head of each item: 0 for the root, or a position in the list, counted from 1.
    pub heads: Vec<u32>,
    /// Label of the arc from each item to its head.
    pub labels: Vec<u16>,
}

impl Analysis {
    /// Removes all items; allocated memory is kept.
    pub fn clear(&mut self) {
        self.tags.clear();
        self.fine_tags.clear();
        self.heads.clear();
        self.labels.clear();
    }
}

impl ListBatch<'_, Analysis> {
    /// Returns an error if there is not one target per item, or a target is out of range.
    pub(super) fn check_targets(&self, shape: &BiaffineShape) -> Result<()> {
        let (targets, items) = (self.targets, self.lists.items().len());
        let fine = if shape.fine_tags > 0 { items } else { 0 };
        for (name, expected, found) in [
            ("tags", items, targets.tags.len()),
            ("fine tags", fine, targets.fine_tags.len()),
            ("heads", items, targets.heads.len()),
            ("labels", items, targets.labels.len()),
        ] {
            if found != expected {
                return Err(Error::shape(name, format!("{expected}, one per item"), found));
            }
        }
        (0..self.lists.len()).try_for_each(|list| self.check_list(list, shape))
    }

    /// The same for one list.
    fn check_list(&self, list: usize, shape: &BiaffineShape) -> Result<()> {
        let (targets, range) = (self.targets, self.lists.range(list));
        for (place, item) in range.clone().enumerate() {
            let head = targets.heads[item] as usize;
            let fine = targets.fine_tags.get(item).copied().unwrap_or_default();
            let reason = if head > range.len() || head == place + 1 {
                format!("item {place} has the head {head}")
            } else if usize::from(targets.tags[item]) >= shape.encoder.tags {
                format!("item {place} has the tag {} of {}", targets.tags[item], shape.encoder.tags)
            } else if usize::from(targets.labels[item]) >= shape.labels {
                format!("item {place} has the label {} of {}", targets.labels[item], shape.labels)
            } else if usize::from(fine) >= shape.fine_tags.max(1) {
                format!("item {place} has the fine tag {fine} of {}", shape.fine_tags)
            } else {
                continue;
            };
            return Err(Error::BadExample { example: list, reason });
        }
        Ok(())
    }
}
