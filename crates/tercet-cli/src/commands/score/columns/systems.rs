//! The sums of each system.

use super::roles::Roles;
use anyhow::bail;
use std::collections::HashMap;
use tercet::metrics::Tally;
use tercet::scoring::{Corpus, StreamScorer, StreamedSystem, SystemTallies};

/// The most systems that a column may name.
const MAX_SYSTEMS: usize = 10_000;

/// Systems, in the order in which rows name them.
pub struct Systems {
    systems: Vec<StreamedSystem>,
    places: HashMap<String, usize>,
    /// Whether the tallies of all segments are kept, for intervals and tests.
    keeps_tallies: bool,
}

impl Systems {
    pub fn new(roles: &Roles, scorer: &StreamScorer, keeps_tallies: bool) -> Self {
        let mut systems = Systems { systems: Vec::new(), places: HashMap::new(), keeps_tallies };
        roles.names().iter().for_each(|name| systems.push(name, scorer));
        systems
    }

    fn push(&mut self, name: &str, scorer: &StreamScorer) {
        self.places.insert(name.to_owned(), self.systems.len());
        let mut system = StreamedSystem::new(name, scorer.no_sums());
        if self.keeps_tallies {
            system.tallies = vec![Vec::new(); scorer.metrics().len()];
        }
        self.systems.push(system);
    }

    /// Adds a batch: `tallies[metric][column][row]`. With `of_rows`, the one column has rows of several systems.
    pub fn add(
        &mut self,
        scorer: &StreamScorer,
        batch: &Corpus<'_>,
        tallies: &[SystemTallies],
        of_rows: Option<&[&str]>,
    ) -> anyhow::Result<()> {
        for column in 0..batch.systems().len() {
            for (row, references) in batch.references().iter().enumerate() {
                let place = match of_rows {
                    Some(names) => self.place(names[row], scorer)?,
                    None => column,
                };
                let system = &mut self.systems[place];
                scorer.add(&mut system.sums, references.len(), tallies.iter().map(|columns| &columns[column][row]));
            }
        }
        if self.keeps_tallies {
            self.keep(tallies);
        }
        Ok(())
    }

    fn place(&mut self, name: &str, scorer: &StreamScorer) -> anyhow::Result<usize> {
        if let Some(&place) = self.places.get(name) {
            return Ok(place);
        }
        if self.systems.len() == MAX_SYSTEMS {
            bail!("there are more than {MAX_SYSTEMS} systems: is --system the right column?");
        }
        self.push(name, scorer);
        Ok(self.systems.len() - 1)
    }

    fn keep(&mut self, tallies: &[SystemTallies]) {
        for (column, system) in self.systems.iter_mut().enumerate() {
            for (kept, columns) in system.tallies.iter_mut().zip(tallies) {
                let own: &[Tally] = &columns[column];
                kept.extend_from_slice(own);
            }
        }
    }

    pub fn into_streamed(self) -> Vec<StreamedSystem> {
        self.systems
    }
}
