//! What the parts of a program share: models that are open, lists that are filled while it works.
//!
//! A value of a type is made when it is first asked for, and shared from then on by all who have the same context.
//! Programs make one and pass it on, as a rule inside a registry of metrics; two contexts share nothing.

use crate::error::{Error, Result};
use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::SystemTime;

/// One shared value of each type. Clones share their values.
#[derive(Clone, Default)]
pub struct Context {
    values: Arc<Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>>,
}

impl Context {
    /// The shared value of a type: the default one, if there was none before.
    pub fn shared<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let value = values.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(T::default()));
        let Ok(value) = Arc::clone(value).downcast() else { unreachable!("it is stored under its type") };
        value
    }

    /// What `read` makes of a file, or what it made before of the file in the same state, if that is still in use.
    pub fn read_once<T>(&self, path: &Path, read: impl FnOnce(&Path) -> Result<T>) -> Result<Arc<T>>
    where
        T: Send + Sync + 'static,
    {
        let about = path.metadata().map_err(|source| Error::Read { path: path.to_owned(), source })?;
        let key = (path.to_owned(), about.len(), about.modified().ok());
        let files = self.shared::<FilesInUse<T>>();
        let mut files = files.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(held) = files.get(&key).and_then(Weak::upgrade) {
            return Ok(held);
        }
        let value = Arc::new(read(path)?);
        files.retain(|_, held| held.strong_count() > 0);
        files.insert(key, Arc::downgrade(&value));
        Ok(value)
    }

    /// Replaces the shared value of a type for those that ask for it from now on.
    pub fn set<T: Send + Sync + 'static>(&self, value: T) {
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        values.insert(TypeId::of::<T>(), Arc::new(value));
    }
}

/// The folder outside of which no file is opened that a model file names; none if there is no such limit.
#[derive(Debug, Default)]
pub struct FilesOfModels(pub Option<PathBuf>);

impl FilesOfModels {
    /// Returns an error if a model may not name this file.
    pub fn check(&self, path: &Path) -> Result<()> {
        let Some(folder) = &self.0 else { return Ok(()) };
        match path.canonicalize().is_ok_and(|real| real.starts_with(folder)) {
            true => Ok(()),
            false => {
                let name = path.file_name().unwrap_or_default().display();
                let what = format!("a model names a file {name} that may not be opened: put it beside the model");
                Err(Error::BadRequest(what))
            }
        }
    }
}

/// A file in one state: its path, size and time of last change.
type FileState = (PathBuf, u64, Option<SystemTime>);

/// What was made of files.
struct FilesInUse<T>(Mutex<HashMap<FileState, Weak<T>>>);

impl<T> Default for FilesInUse<T> {
    fn default() -> Self {
        FilesInUse(Mutex::default())
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        write!(f, "{}({})", type_name::<Self>(), values.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn clones_share_their_values_and_other_contexts_do_not() {
        let (context, other) = (Context::default(), Context::default());
        context.shared::<AtomicUsize>().store(7, Ordering::Relaxed);
        assert_eq!(context.clone().shared::<AtomicUsize>().load(Ordering::Relaxed), 7);
        assert_eq!(other.shared::<AtomicUsize>().load(Ordering::Relaxed), 0);
        other.set(AtomicUsize::new(9));
        assert_eq!(other.shared::<AtomicUsize>().load(Ordering::Relaxed), 9);
    }
}
