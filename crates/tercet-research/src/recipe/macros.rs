//! The macro that declares a table of a recipe.

/// Declares a table.
///
/// ```text
/// settings! {
///     /// `[training]`.
///     pub struct Learning {
///         /// L2 penalty.                                                key | former name: type = default, rule;
///         weight_decay | decay: f32 = 0.01, range(0.0, 1.0);
///         /// Name of the data. Without a default the key must be written.
///         train: Vec<PathBuf>;
///     }
/// }
/// ```
///
/// `pub struct Entry or file { … }` is a table that can also be written as a path, the value of its key `file`. `… } recipe` is the
/// whole file: it has the key `model`, and gets an [`Origin`](super::Origin) and the methods of recipes.
macro_rules! settings {
    (
        $(#[$about:meta])* pub struct $name:ident $(or $path:ident)? {
            $($(#[$doc:meta])* $key:ident $(| $former:ident)? : $type:ty $(= $default:expr)? $(, $rule:expr)?;)*
        } $($recipe:ident)?
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        pub struct $name {
            $($(#[$doc])* pub $key: $type,)*
            $(pub(crate) origin: settings!(@origin $recipe),)?
        }

        impl Default for $name {
            fn default() -> Self {
                $name {
                    $($key: settings!(@default $($default)?),)*
                    $(origin: { let $recipe = Default::default(); $recipe },)?
                }
            }
        }

        impl $crate::recipe::Settings for $name {
            fn read_keys(mut self, table: &$crate::recipe::Table<'_>) -> $crate::error::Result<Self> {
                table.check_keys(&[$(&[stringify!($key), $(stringify!($former))?]),*])?;
                $(
                    let base = settings!(@base self.$key $(, $default)?);
                    self.$key = table.setting(&[stringify!($key), $(stringify!($former))?], base, settings!(@rule $($rule)?))?;
                )*
                Ok(self)
            }

            $(fn set_origin(&mut self, $recipe: $crate::recipe::Origin) {
                self.origin = $recipe;
            })?
        }

        impl $crate::recipe::Setting for $name {
            fn read(base: Self, value: &$crate::recipe::Value<'_>) -> $crate::error::Result<Self> {
                $(
                    if let Some($path) = value.get().as_str() {
                        return Ok($name::from(std::path::PathBuf::from($path)));
                    }
                )?
                $crate::recipe::Settings::read_keys(base, &value.table(settings!(@expected $($path)?))?)
            }

            fn check_keys(&self, table: &str) -> Result<(), $crate::recipe::SettingError> {
                $(
                    let rule = settings!(@rule $($rule)?);
                    rule(&self.$key).map_err(|what| $crate::recipe::SettingError::new(table, stringify!($key), what))?;
                    let inside = format!("{table}.{}", stringify!($key));
                    $crate::recipe::Setting::check_keys(&self.$key, inside.trim_start_matches('.'))?;
                )*
                Ok(())
            }
        }

        $(
            impl From<std::path::PathBuf> for $name {
                fn from($path: std::path::PathBuf) -> Self {
                    $name { $path, ..Default::default() }
                }
            }
        )?

        $(settings!(@methods $name $recipe);)?
    };
    (@methods $name:ident recipe) => {
        impl $name {
            /// Reads a file. The files it names are in the folder `data`, or beside the recipe.
            pub fn read(path: &std::path::Path, data: Option<&std::path::Path>) -> $crate::error::Result<Self> {
                $crate::recipe::read(path, data)
            }

            /// Reads a text. The files it names are in `folder`.
            pub fn parse(text: &str, folder: &std::path::Path) -> $crate::error::Result<Self> {
                $crate::recipe::parse(text, folder)
            }

            /// Returns an error if a setting is not allowed; for recipes that a program makes or changes.
            pub fn check(&self) -> $crate::error::Result<()> {
                $crate::recipe::RecipeKind::check_all(self).map_err(|refusal| self.origin.refuse(refusal))
            }

            /// The path of the model file; relative paths are beside the recipe.
            pub fn model_file(&self) -> std::path::PathBuf {
                let file = self.model.file.as_deref();
                self.origin.beside.join(file.unwrap_or(<Self as $crate::recipe::RecipeKind>::MODEL_FILE.as_ref()))
            }
        }
    };
    (@origin recipe) => { $crate::recipe::Origin };
    (@default) => { Default::default() };
    (@default $default:expr) => { $default };
    (@base $current:expr) => { None };
    (@base $current:expr, $default:expr) => { Some($current) };
    (@rule) => { |_: &_| Ok::<(), String>(()) };
    (@rule $rule:expr) => { $rule };
    (@expected) => { "a table" };
    (@expected $path:ident) => { "a path in quotes, or a table in { }" };
}

pub(crate) use settings;
