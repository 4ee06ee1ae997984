//! Options as structs: one declaration gives the fields, their defaults, the table for help and messages, and the text
//! form.

use super::{Declared, OptionInfo, Options, Spec, Values};
use crate::choice::Choice;
use crate::error::Result;
use std::path::PathBuf;

/// A type of the values of an option.
pub trait OptionValue: Sized {
    /// The values that are accepted, unless the declaration says otherwise.
    const VALUES: Values;

    /// Reads a value; `None` if it is none of this type.
    fn read(text: &str) -> Option<Self>;

    /// The value as text; `None` for the word of the default that stands for no value: `auto`.
    fn write(&self) -> Option<String>;
}

impl OptionValue for bool {
    const VALUES: Values = Values::Flag;

    fn read(text: &str) -> Option<Self> {
        Some(text == "yes")
    }

    fn write(&self) -> Option<String> {
        Some(if *self { "yes" } else { "no" }.to_owned())
    }
}

impl OptionValue for usize {
    const VALUES: Values = Values::Integer(0, usize::MAX);

    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn write(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl OptionValue for f64 {
    const VALUES: Values = Values::Number(0.0);

    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn write(&self) -> Option<String> {
        Some(self.to_string())
    }
}

impl OptionValue for String {
    const VALUES: Values = Values::Text;

    fn read(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }

    fn write(&self) -> Option<String> {
        Some(self.clone())
    }
}

impl OptionValue for PathBuf {
    const VALUES: Values = Values::File;

    fn read(text: &str) -> Option<Self> {
        Some(PathBuf::from(text))
    }

    fn write(&self) -> Option<String> {
        Some(self.display().to_string())
    }
}

impl<T: Choice> OptionValue for T {
    const VALUES: Values = Values::Choice(T::NAMES);

    fn read(text: &str) -> Option<Self> {
        T::from_name(text).ok()
    }

    fn write(&self) -> Option<String> {
        Some(self.entry().name.to_owned())
    }
}

/// A value that may be left to the metric or encoder: `auto`, or the word that is the default.
impl<T: OptionValue> OptionValue for Option<T> {
    const VALUES: Values = T::VALUES;

    fn read(text: &str) -> Option<Self> {
        Some(if text == "auto" { None } else { T::read(text) })
    }

    fn write(&self) -> Option<String> {
        self.as_ref().and_then(T::write)
    }
}

/// A struct of options that [`options!`](crate::options) declared.
pub trait TypedOptions: Default {
    /// The declarations of all options.
    const TABLE: &'static [OptionInfo];

    /// The values of checked options.
    fn read(options: &Options) -> Self;

    /// The values as text, in the order of the table; `None` for those that stay at the default.
    fn write(&self) -> Vec<Option<String>>;

    /// The text form, without options that are left to the metric or encoder.
    fn spec(&self, name: &str) -> Spec {
        let values = Self::TABLE.iter().zip(self.write());
        let value = |(option, value): (&OptionInfo, Option<String>)| {
            (option.key, value.unwrap_or_else(|| option.default.to_owned()))
        };
        let written = values.map(value).filter(|(_, value)| value != "auto");
        written.fold(Spec::new(name), |spec, (key, value)| spec.with_option(key, value))
    }

    /// The options as checked values. Returns an error if a value is not accepted.
    fn checked(&self, declared: Declared) -> Result<Options> {
        declared.read(&self.spec(declared.name))
    }
}

/// Declares a struct of options: its fields with their types, accepted values in brackets where the type does not say
/// it, defaults as they are written, and a line of help. `as` gives a key that is no name of a field.
///
/// ```
/// use tercet_base::spec::{Declared, Spec, TypedOptions, Values};
///
/// tercet_base::options! {
///     /// How to count.
///     pub struct CountOptions {
///         max_order: usize [Values::Integer(1, 16)] = "4", "longest n-gram";
///         lowercase: bool = "no", "ignore case";
///         weight as "w": Option<f64> = "auto", "weight of an n-gram";
///     }
/// }
///
/// let options = CountOptions { max_order: 2, ..CountOptions::default() };
/// assert_eq!(options.spec("count").to_string(), "count:max_order=2,lowercase=no");
/// let declared = Declared { what: "metric", name: "count", options: CountOptions::TABLE };
/// let read = declared.read(&Spec::parse("metric", "count:max_order=2,w=0.5")?)?;
/// assert_eq!(read.typed::<CountOptions>(), CountOptions { weight: Some(0.5), ..options });
/// assert!(CountOptions { max_order: 99, ..CountOptions::default() }.checked(declared).is_err());
/// # Ok::<(), tercet_base::Error>(())
/// ```
#[macro_export]
macro_rules! options {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $options:ident {
            $($field:ident $(as $key:literal)?: $type:ty $([$values:expr])? = $default:literal, $help:literal;)*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, PartialEq)]
        $visibility struct $options {
            $(#[doc = $help] pub $field: $type,)*
        }

        impl Default for $options {
            fn default() -> Self {
                $options { $($field: $crate::spec::OptionValue::read($default).expect("a default is a value"),)* }
            }
        }

        impl $crate::spec::TypedOptions for $options {
            const TABLE: &'static [$crate::spec::OptionInfo] = &[$($crate::spec::OptionInfo {
                key: $crate::options!(@first $($key)? (stringify!($field))),
                values: $crate::options!(@first $(($values))? (<$type as $crate::spec::OptionValue>::VALUES)),
                default: $default,
                help: $help,
            }),*];

            fn read(options: &$crate::spec::Options) -> Self {
                $options {
                    $($field: $crate::spec::OptionValue::read(
                        options.text($crate::options!(@first $($key)? (stringify!($field)))),
                    ).expect("checked when it was set"),)*
                }
            }

            fn write(&self) -> Vec<Option<String>> {
                vec![$($crate::spec::OptionValue::write(&self.$field)),*]
            }
        }
    };
    (@first $first:tt $($rest:tt)*) => { $first };
}
