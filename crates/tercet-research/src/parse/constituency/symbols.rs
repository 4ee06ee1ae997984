//! The symbols of a grammar: tags, phrases and the partial phrases of binarisation.
//!
//! A phrase is written `NP`, with parent annotation `NP^VP`; `@NP|DT` is the rest of an NP after a DT. The category of
//! the first two is `NP`, which trees show, and `@NP` of the last; the recursive network distinguishes categories.

use rustc_hash::FxHashMap;

/// The number of a symbol.
pub(super) type Symbol = u16;

/// The largest number of symbols of a grammar; far more than any treebank needs, and within [`Symbol`].
pub(super) const MAX_SYMBOLS: usize = 60_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The tag of a word.
    Tag,
    /// A phrase of the tree.
    Phrase,
    /// A partial phrase: from some child to the last.
    Rest,
}

/// All symbols, numbered from 0 in order of first occurrence.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Symbols {
    names: Vec<String>,
    kinds: Vec<Kind>,
    numbers: FxHashMap<(u8, String), Symbol>,
}

impl Symbols {
    /// The number of a symbol, which is added if it is new; `None` if there are too many.
    pub fn add(&mut self, kind: Kind, name: &str) -> Option<Symbol> {
        if let Some(known) = self.get(kind, name) {
            return Some(known);
        }
        let number = Symbol::try_from(self.names.len()).ok().filter(|&n| usize::from(n) < MAX_SYMBOLS)?;
        self.numbers.insert((kind as u8, name.to_owned()), number);
        self.names.push(name.to_owned());
        self.kinds.push(kind);
        Some(number)
    }

    /// The number of a known symbol.
    pub fn get(&self, kind: Kind, name: &str) -> Option<Symbol> {
        self.numbers.get(&(kind as u8, name.to_owned())).copied()
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// The name, with annotations.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[usize::from(symbol)]
    }

    pub fn kind(&self, symbol: Symbol) -> Kind {
        self.kinds[usize::from(symbol)]
    }

    /// The name without annotations.
    pub fn category(&self, symbol: Symbol) -> &str {
        category(self.name(symbol), self.kind(symbol))
    }

    /// All numbers, in order.
    pub fn all(&self) -> impl Iterator<Item = Symbol> + use<> {
        0..self.names.len() as Symbol
    }
}

/// A name up to its first annotation. Tags have none.
fn category(name: &str, kind: Kind) -> &str {
    let end = match kind {
        Kind::Tag => None,
        Kind::Phrase => name.find('^'),
        Kind::Rest => name.find(['^', '|']),
    };
    &name[..end.unwrap_or(name.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_numbered_once_and_know_their_category() {
        let mut symbols = Symbols::default();
        let names = [(Kind::Tag, "^"), (Kind::Phrase, "NP^VP"), (Kind::Rest, "@NP^VP|DT"), (Kind::Phrase, "NP^VP")];
        let numbers: Vec<Symbol> = names.iter().map(|(kind, name)| symbols.add(*kind, name).unwrap()).collect();
        assert_eq!(numbers, [0, 1, 2, 1]);
        assert_eq!(symbols.all().map(|s| symbols.category(s).to_owned()).collect::<Vec<_>>(), ["^", "NP", "@NP"]);
        assert_eq!((symbols.len(), symbols.kind(2), symbols.get(Kind::Tag, "NP^VP")), (3, Kind::Rest, None));
    }
}
