//! Enums whose values have names: in flags, recipes, requests and keyword arguments.
//!
//! [`choices!`](crate::choices) declares such an enum with the names of its values once. From that come `name`,
//! `Display`, `FromStr`, serde, and the list of values for help texts.

use std::fmt::{self, Display, Formatter};

/// A value of a choice with its names.
#[derive(Clone, Copy, Debug)]
pub struct Named<T: 'static> {
    /// The value.
    pub value: T,
    /// The name that is written.
    pub name: &'static str,
    /// Other names that are read.
    pub aliases: &'static [&'static str],
    documentation: &'static str,
}

impl<T> Named<T> {
    #[doc(hidden)]
    pub const fn new(
        value: T,
        name: &'static str,
        aliases: &'static [&'static str],
        documentation: &'static str,
    ) -> Self {
        Named { value, name, aliases, documentation }
    }

    /// What the value means: its documentation.
    pub fn about(&self) -> &'static str {
        self.documentation.trim()
    }
}

/// An enum that [`choices!`](crate::choices) declares.
pub trait Choice: Copy + PartialEq + Send + Sync + 'static {
    /// What the values are: `statistic`, `level`.
    const WHAT: &'static str;

    /// The names that are written, in the same order.
    const NAMES: &'static [&'static str];

    /// All values, in order.
    const ALL: &'static [Named<Self>];

    /// The value with its names.
    fn entry(self) -> &'static Named<Self> {
        Self::ALL.iter().find(|known| known.value == self).expect("ALL has every value")
    }

    /// The value with this name, in lower or upper case, with `_` or `-`.
    fn from_name(name: &str) -> Result<Self, UnknownChoice> {
        let plain = name.to_lowercase().replace('_', "-");
        let is = |known: &&Named<Self>| known.name == plain || known.aliases.contains(&plain.as_str());
        Self::ALL.iter().find(is).map(|known| known.value).ok_or_else(|| UnknownChoice {
            what: Self::WHAT,
            name: name.to_owned(),
            known: Self::ALL.iter().map(|known| known.name).collect(),
        })
    }
}

/// A name that no value of a choice has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownChoice {
    /// What the values are.
    pub what: &'static str,
    /// The name.
    pub name: String,
    /// The names of all values.
    pub known: Vec<&'static str>,
}

impl UnknownChoice {
    /// The names of all values: `a, b or c`.
    pub fn expected(&self) -> String {
        match &self.known[..] {
            [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
            names => names.concat(),
        }
    }
}

impl Display for UnknownChoice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "unknown {} `{}` (known: {})", self.what, self.name, self.known.join(", "))
    }
}

impl std::error::Error for UnknownChoice {}

/// Declares enums whose values have names. `|` separates the name that is written from others that are read; the
/// value behind `=` is the default.
///
/// ```
/// tercet_base::choices! {
///     /// What is resampled.
///     pub enum Unit: "unit" = None {
///         /// Nothing.
///         None = "none",
///         /// Whole rankings.
///         Rankings = "rankings" | "ranks",
///     }
/// }
///
/// assert_eq!("ranks".parse(), Ok(Unit::Rankings));
/// assert_eq!(Unit::Rankings.to_string(), "rankings");
/// let error = "rows".parse::<Unit>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown unit `rows` (known: none, rankings)");
/// ```
#[macro_export]
macro_rules! choices {
    ($(
        $(#[$attribute:meta])*
        $visibility:vis enum $choice:ident: $what:literal $(= $default:ident)? {
            $(
                $(#[doc = $documentation:literal])*
                $value:ident = $name:literal $(| $alias:literal)*
            ),+ $(,)?
        }
    )+) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility enum $choice {
            $(
                $(#[doc = $documentation])*
                $value
            ),+
        }

        $(
            impl Default for $choice {
                fn default() -> Self {
                    $choice::$default
                }
            }
        )?

        #[allow(dead_code)] // a private choice may not need all of it
        impl $choice {
            /// All values, in order.
            $visibility const VALUES: [$choice; [$($name),+].len()] = [$($choice::$value),+];

            /// Their names.
            $visibility const NAMES: [&'static str; Self::VALUES.len()] = [$($name),+];

            /// The name.
            $visibility const fn name(self) -> &'static str {
                match self { $($choice::$value => $name),+ }
            }
        }

        impl $crate::choice::Choice for $choice {
            const WHAT: &'static str = $what;
            const NAMES: &'static [&'static str] = &[$($name),+];
            const ALL: &'static [$crate::choice::Named<Self>] = &[$($crate::choice::Named::new(
                $choice::$value, $name, &[$($alias),*], concat!($($documentation),*),
            )),+];
        }

        impl std::fmt::Display for $choice {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $choice {
            type Err = $crate::choice::UnknownChoice;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                $crate::choice::Choice::from_name(name)
            }
        }

        impl $crate::serde::Serialize for $choice {
            fn serialize<S: $crate::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $choice {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = <std::borrow::Cow<'de, str> as $crate::serde::Deserialize>::deserialize(deserializer)?;
                name.parse().map_err($crate::serde::de::Error::custom)
            }
        }
    )+};
}

#[cfg(test)]
mod tests {
    use super::Choice;

    crate::choices! {
        enum Unit: "unit" = None {
            /// Nothing
            /// at all.
            None = "none",
            Rankings = "whole-rankings" | "ranks" | "rankings",
        }
    }

    #[test]
    fn a_value_is_read_by_all_of_its_names_and_written_by_the_first() {
        for name in ["whole-rankings", "Whole_Rankings", "ranks", "rankings"] {
            assert_eq!(name.parse(), Ok(Unit::Rankings));
            assert_eq!(serde_json::from_value::<Unit>(name.into()).unwrap(), Unit::Rankings);
        }
        assert_eq!(serde_json::to_value(Unit::Rankings).unwrap(), "whole-rankings");
        assert_eq!(Unit::default(), Unit::None);
        assert_eq!(Unit::ALL[0].about(), "Nothing at all.");
    }

    #[test]
    fn an_unknown_name_is_an_error_with_the_known_ones() {
        let error = "rows".parse::<Unit>().unwrap_err();
        assert_eq!((error.what, error.known.as_slice()), ("unit", &["none", "whole-rankings"][..]));
        let error = serde_json::from_str::<Unit>("\"rows\"").unwrap_err().to_string();
        assert!(error.contains("unknown unit `rows` (known: none, whole-rankings)"), "{error}");
    }
}
