//! Numbers names, of systems and segments, in order of appearance.

use foldhash::HashMap;

/// Distinct names in order of appearance.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    names: Vec<String>,
    places: HashMap<String, usize>,
}

impl Names {
    /// The index of a name, which is added if it is new.
    pub(super) fn place(&mut self, name: &str) -> usize {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        self.places.insert(name.to_owned(), self.names.len());
        self.names.push(name.to_owned());
        self.names.len() - 1
    }

    /// The index of a known name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    pub(super) fn as_slice(&self) -> &[String] {
        &self.names
    }

    pub(super) fn into_vec(self) -> Vec<String> {
        self.names
    }
}
