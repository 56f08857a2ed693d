use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The last few things that took a while to make.
pub struct Recent<K, V: ?Sized> {
    most: usize,
    /// The latest last.
    kept: Mutex<Vec<(K, Arc<V>)>>,
}

impl<K: PartialEq, V: ?Sized> Recent<K, V> {
    /// Keeps so many.
    pub fn new(most: usize) -> Recent<K, V> {
        Recent {
            most,
            kept: Mutex::default(),
        }
    }

    /// What is kept under a key, or made now. Errors: as `make`.
    pub fn get<E>(&self, key: K, make: impl FnOnce() -> Result<Arc<V>, E>) -> Result<Arc<V>, E> {
        let mut kept = self.kept();
        if let Some(at) = kept.iter().position(|(other, _)| *other == key) {
            let found = kept.remove(at);
            let value = Arc::clone(&found.1);
            kept.push(found);
            return Ok(value);
        }
        // Others need not wait while it is made.
        drop(kept);
        let value = make()?;
        let mut kept = self.kept();
        kept.retain(|(other, _)| *other != key);
        if kept.len() >= self.most {
            kept.remove(0);
        }
        kept.push((key, Arc::clone(&value)));
        Ok(value)
    }

    fn kept(&self) -> MutexGuard<'_, Vec<(K, Arc<V>)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
