//! Results that took a while to make, kept for whoever asks for them next.

use std::sync::{Arc, Mutex};

use crate::threads::locked;

/// The last few results that took a while to make.
pub(crate) struct Recent<K, V: ?Sized> {
    most: usize,
    /// The latest last.
    kept: Mutex<Vec<(K, Slot<V>)>>,
}

/// The place of a value, once it is made.
type Slot<V> = Arc<Mutex<Option<Arc<V>>>>;

impl<K: PartialEq, V: ?Sized> Recent<K, V> {
    /// Keeps the last `most` results.
    pub fn new(most: usize) -> Recent<K, V> {
        Recent {
            most,
            kept: Mutex::default(),
        }
    }

    /// Returns the value kept under a key, or makes it now. Others who ask for the same key meanwhile wait
    /// for it. Errors: as `make`; nothing is kept then.
    pub fn get<E>(&self, key: K, make: impl FnOnce() -> Result<Arc<V>, E>) -> Result<Arc<V>, E> {
        let slot = self.slot(key);
        let mut value = locked(&slot);
        match &*value {
            Some(value) => Ok(Arc::clone(value)),
            None => Ok(Arc::clone(value.insert(make()?))),
        }
    }

    fn slot(&self, key: K) -> Slot<V> {
        let mut kept = locked(&self.kept);
        let found = match kept.iter().position(|(other, _)| *other == key) {
            Some(at) => kept.remove(at),
            None => {
                if kept.len() >= self.most {
                    kept.remove(0);
                }
                (key, Slot::default())
            }
        };
        let slot = Arc::clone(&found.1);
        kept.push(found);
        slot
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::Recent;

    #[test]
    fn what_many_ask_for_at_once_is_made_once() {
        let recent: Recent<u32, u32> = Recent::new(2);
        let made = AtomicU32::new(0);
        let make = || {
            // Long enough for all to ask.
            thread::sleep(Duration::from_millis(50));
            Ok::<_, Infallible>(Arc::new(made.fetch_add(1, Ordering::Relaxed)))
        };
        let got: Vec<u32> = thread::scope(|scope| {
            let askers: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| *recent.get(7, make).unwrap()))
                .collect();
            askers
                .into_iter()
                .map(|asker| asker.join().unwrap())
                .collect()
        });
        assert_eq!(got, [0; 4]);
    }

    #[test]
    fn the_longest_unused_is_made_again_and_failures_are_not_kept() {
        let recent: Recent<u32, u32> = Recent::new(2);
        let get = |key, value| {
            *recent
                .get(key, || Ok::<_, Infallible>(Arc::new(value)))
                .unwrap()
        };
        assert!(recent.get(1, || Err("not now")).is_err());
        assert_eq!([get(1, 10), get(2, 20), get(1, 11)], [10, 20, 10]);
        // The third takes the place of the second.
        assert_eq!([get(3, 30), get(1, 12), get(2, 21)], [30, 10, 21]);
    }
}
