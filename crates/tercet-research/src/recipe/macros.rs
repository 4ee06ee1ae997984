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
/// `pub struct Entry or file { … }` is a table that can also be written as a path, the value of its key `file`.
///
/// `… } recipe "kind", "what is trained"` is a whole recipe: it has the key `model`, a list of all keys in `keys.toml`
/// beside its source, an [`Origin`](super::Origin), and the methods of recipes.
macro_rules! settings {
    ($(
        $(#[$about:meta])* pub struct $name:ident $(or $path:ident)? {
            $($(#[$doc:meta])* $key:ident $(| $former:ident)? : $type:ty $(= $default:expr)? $(, $rule:expr)?;)*
        } $(recipe $kind:literal, $trains:literal)?
    )+) => {$(
        $(#[$about])*
        $(
            /// All keys, with an example or their default:
            ///
            #[doc = concat!("```toml\n", include_str!("keys.toml"), "```\n\nKind: ", $kind)]
        )?
        #[derive(Clone, Debug)]
        pub struct $name {
            $($(#[$doc])* pub $key: $type,)*
            $(#[doc = $kind] pub(crate) origin: $crate::recipe::Origin,)?
        }

        impl Default for $name {
            fn default() -> Self {
                $name {
                    $($key: settings!(@default $($default)?),)*
                    $(origin: settings!(@origin $kind),)?
                }
            }
        }

        impl $crate::recipe::Setting for $name {
            fn read(base: Self, value: &$crate::recipe::RecipeValue<'_>) -> $crate::error::Result<Self> {
                $(
                    if let Some($path) = value.get().as_str() {
                        return Ok($name::from(std::path::PathBuf::from($path)));
                    }
                )?
                base.read_keys(&value.table(settings!(@expected $($path)?))?)
            }

            fn read_keys(mut self, table: &$crate::recipe::RecipeTable<'_>) -> $crate::error::Result<Self> {
                table.check_keys(&[$(&[stringify!($key), $(stringify!($former))?]),*])?;
                $(
                    let base = settings!(@base self.$key $(, $default)?);
                    let names = [stringify!($key), $(stringify!($former))?];
                    self.$key = table.setting(&names, base, settings!(@rule $($rule)?))?;
                )*
                Ok(self)
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

        $(settings!(@recipe $name $kind $trains);)?
    )+};
    (@recipe $name:ident $kind:literal $trains:literal) => {
        impl $crate::recipe::Declared for $name {
            const KIND: &'static str = $kind;
            const TRAINS: &'static str = $trains;
            const KEYS: &'static str = include_str!("keys.toml");
            const MODEL_FILE: &'static str = concat!($kind, ".safetensors");

            fn origin_mut(&mut self) -> &mut $crate::recipe::Origin {
                &mut self.origin
            }
        }

        impl $name {
            /// Reads a file. The files it names are in the folder `data`, or beside the recipe.
            pub fn read(path: &std::path::Path, data: Option<&std::path::Path>) -> $crate::error::Result<Self> {
                $crate::recipe::Origin::read(path, data)?.with_keys($crate::recipe::read)
            }

            /// Reads a text. The files it names are in `folder`.
            pub fn parse(text: &str, folder: &std::path::Path) -> $crate::error::Result<Self> {
                $crate::recipe::Origin::new(text, folder).with_keys($crate::recipe::read)
            }

            /// Returns an error if a setting is not allowed; for recipes that a program makes or changes.
            pub fn check(&self) -> $crate::error::Result<()> {
                let keys = $crate::recipe::Setting::check_keys(self, "");
                let checked = keys.and_then(|()| $crate::recipe::Recipe::check_together(self));
                checked.map_err(|refusal| self.origin.refuse(&refusal))
            }

            /// The path of the model file; relative paths are beside the recipe.
            pub fn model_file(&self) -> std::path::PathBuf {
                let file = self.model.file.as_deref();
                self.origin.beside.join(file.unwrap_or(concat!($kind, ".safetensors").as_ref()))
            }
        }
    };
    (@origin $kind:literal) => { Default::default() };
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

/// The methods that most recipes have alike: `epochs in training` says what counts a training, and in which table.
macro_rules! usual_methods {
    ($counted:ident in $training:ident) => {
        fn has_development(&self) -> bool {
            !self.data.development.is_empty()
        }

        fn seed(&mut self) -> &mut u64 {
            &mut self.$training.seed
        }

        fn length(&mut self) -> Option<(&'static str, &mut usize)> {
            Some((stringify!($counted), &mut self.$training.$counted))
        }
    };
}
pub(crate) use usual_methods;
