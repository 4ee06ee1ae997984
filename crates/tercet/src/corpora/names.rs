//! Names and the numbers they get: systems and segments are counted in the order they are first met.

use rustc_hash::FxHashMap;

/// Distinct names, each with its place.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    names: Vec<String>,
    places: FxHashMap<String, usize>,
}

impl Names {
    /// The place of a name, a new one if it was never met.
    pub(super) fn place(&mut self, name: &str) -> usize {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        self.places.insert(name.to_owned(), self.names.len());
        self.names.push(name.to_owned());
        self.names.len() - 1
    }

    /// The place of a name that was met before.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// The names in their order.
    pub(super) fn as_slice(&self) -> &[String] {
        &self.names
    }

    /// The names in their order.
    pub(super) fn into_vec(self) -> Vec<String> {
        self.names
    }
}
