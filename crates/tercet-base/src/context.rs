//! What the parts of a program share: models that are open, lists that are filled while it works.
//!
//! A value of a type is made when it is first asked for, and shared from then on by all who have the same context.
//! Programs make one and pass it on, as a rule inside a registry of metrics; two contexts share nothing.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

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

    /// Replaces the shared value of a type for those that ask for it from now on.
    pub fn set<T: Send + Sync + 'static>(&self, value: T) {
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        values.insert(TypeId::of::<T>(), Arc::new(value));
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
