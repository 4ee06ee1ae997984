//! Values of flags that are choices of the library.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tercet::choice::Choice;

/// Reads a value by its name; help texts list all values.
pub fn choice<T: Choice>() -> impl TypedValueParser<Value = T> {
    let value = |known: &tercet::choice::Named<T>| {
        let about = known.about();
        PossibleValue::new(known.name).aliases(known.aliases).help(about.strip_suffix('.').unwrap_or(about))
    };
    PossibleValuesParser::new(T::ALL.iter().map(value)).try_map(|name| T::from_name(&name))
}
