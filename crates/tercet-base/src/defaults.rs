//! Structs that say their defaults where they say their fields.

/// Declares a struct and its `Default`: every field is followed by `=` and its default.
///
/// ```
/// tercet_base::defaults! {
///     /// How long a training lasts.
///     #[derive(Clone, Copy, Debug, PartialEq)]
///     pub struct Length {
///         /// Number of passes over the data.
///         pub epochs: usize = 10,
///         /// Ends after this many epochs without a better value.
///         pub patience: Option<usize> = None,
///     }
/// }
///
/// assert_eq!(Length::default(), Length { epochs: 10, patience: None });
/// ```
#[macro_export]
macro_rules! defaults {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident {
            $($(#[$about:meta])* $field_visibility:vis $field:ident: $type:ty = $default:expr,)+
        }
    ) => {
        $(#[$attribute])*
        $visibility struct $name {
            $($(#[$about])* $field_visibility $field: $type,)+
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $default,)+ }
            }
        }
    };
}
