//! Structs of counts and losses that are added field by field.

/// Implements `AddAssign` for a struct by adding the fields that are named, which must be all.
///
/// ```
/// #[derive(Clone, Copy, Debug, Default, PartialEq)]
/// struct Matches {
///     found: usize,
///     correct: usize,
/// }
/// tercet_base::add_fields!(Matches { found, correct });
///
/// let mut sum = Matches { found: 3, correct: 1 };
/// sum += Matches { found: 2, correct: 2 };
/// assert_eq!(sum, Matches { found: 5, correct: 3 });
/// ```
#[macro_export]
macro_rules! add_fields {
    ($name:ident { $($field:ident),+ $(,)? }) => {
        impl std::ops::AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                let $name { $($field),+ } = other;
                $(self.$field += $field;)+
            }
        }
    };
}
