//! Values of flags that are choices of the library.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tercet::choice::{Choice, Named};

/// Reads a value by its name; help texts list all values.
pub fn choice<T: Choice>() -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(choice_values::<T>()).try_map(|name| T::from_name(&name))
}

/// The values as help texts list them.
pub fn choice_values<T: Choice>() -> impl Iterator<Item = PossibleValue> {
    let value = |known: &Named<T>| {
        let about = known.about();
        PossibleValue::new(known.name).aliases(known.aliases).help(about.strip_suffix('.').unwrap_or(about))
    };
    T::ALL.iter().map(value)
}
