//! A table of slots that is small until it is needed.

use rustc_hash::FxHashMap;

/// Slots that hold an entry each, or nothing. Memory for all of them is allocated only when many are filled: most
/// searches end before that.
pub struct Slots<E> {
    count: usize,
    kept: Kept<E>,
}

enum Kept<E> {
    /// Entries, and their indices by slot: a map of numbers is compiled once for all games.
    Few(FxHashMap<usize, usize>, Vec<E>),
    Many(Vec<Option<E>>),
}

/// The most entries that are kept without memory for all slots.
const FEW: usize = 1 << 14;

impl<E: Copy> Slots<E> {
    /// Creates this many empty slots.
    pub fn new(count: usize) -> Slots<E> {
        Slots {
            count,
            kept: match count <= FEW {
                true => Kept::Many(vec![None; count]),
                false => Kept::Few(FxHashMap::default(), Vec::new()),
            },
        }
    }

    /// The number of slots.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The entry of a slot, if it has one. May panic if there is no such slot.
    #[inline(always)]
    pub fn get(&self, slot: usize) -> Option<E> {
        match &self.kept {
            Kept::Few(places, entries) => places.get(&slot).map(|&place| entries[place]),
            Kept::Many(slots) => slots[slot],
        }
    }

    /// Puts an entry into a slot, replacing any that was there. Panics if there is no such slot.
    #[inline(always)]
    pub fn put(&mut self, slot: usize, entry: E) {
        match &mut self.kept {
            Kept::Few(places, entries) => {
                assert!(slot < self.count, "no such slot");
                let place = *places.entry(slot).or_insert(entries.len());
                match entries.get_mut(place) {
                    Some(known) => *known = entry,
                    None => entries.push(entry),
                }
                if entries.len() > FEW {
                    let mut slots = vec![None; self.count];
                    for (&slot, &place) in places.iter() {
                        slots[slot] = Some(entries[place]);
                    }
                    self.kept = Kept::Many(slots);
                }
            }
            Kept::Many(slots) => slots[slot] = Some(entry),
        }
    }

    /// Empties the slots if that is cheap, that is, while few are filled.
    pub fn empty_if_few(&mut self) {
        if let Kept::Few(places, entries) = &mut self.kept {
            places.clear();
            entries.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FEW, Kept, Slots};

    #[test]
    fn a_slot_holds_what_was_put_there_last_and_memory_is_taken_for_many() {
        let count = 8 * FEW;
        let mut table = Slots::new(count);
        let mut plain = vec![None; count];
        let (mut slot, mut held) = (1, 0);
        for entry in 0..3 * FEW {
            // No slot repeats, except the first seven.
            slot = (5 * slot + 3) % count;
            for put in [slot, entry % 7] {
                table.put(put, entry);
                held += usize::from(plain[put].replace(entry).is_none());
            }
            assert_eq!(table.get(slot), Some(entry));
            assert_eq!(matches!(table.kept, Kept::Many(_)), held > FEW);
        }
        assert!((0..count).all(|slot| table.get(slot) == plain[slot]));
        // With many entries, they stay.
        table.empty_if_few();
        assert_eq!(table.get(slot), plain[slot]);
    }

    #[test]
    fn few_entries_are_forgotten_at_once() {
        let mut table = Slots::new(2 * FEW);
        table.put(5, 'a');
        table.empty_if_few();
        assert_eq!(table.get(5), None);
        table.put(5, 'b');
        assert_eq!(table.get(5), Some('b'));
        // This few slots are allocated from the start.
        assert!(matches!(Slots::<char>::new(FEW).kept, Kept::Many(_)));
    }
}
