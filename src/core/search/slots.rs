//! A table with room for one entry in each of its slots.

use rustc_hash::FxHashMap;

/// Entries by their slots. It takes its memory once it holds many: most searches end before.
pub struct Slots<E> {
    count: usize,
    kept: Kept<E>,
}

enum Kept<E> {
    /// Entries, and their places by slot: a map of numbers is compiled once for all games.
    Few(FxHashMap<usize, usize>, Vec<E>),
    Many(Vec<Option<E>>),
}

/// The most entries that are few.
const FEW: usize = 1 << 14;

impl<E: Copy> Slots<E> {
    /// A table of so many empty slots.
    pub fn new(count: usize) -> Slots<E> {
        Slots {
            count,
            kept: Kept::Few(FxHashMap::default(), Vec::new()),
        }
    }

    /// The number of its slots.
    pub fn count(&self) -> usize {
        self.count
    }

    /// What is in a slot.
    #[inline(always)]
    pub fn get(&self, slot: usize) -> Option<E> {
        match &self.kept {
            Kept::Few(places, entries) => places.get(&slot).map(|&place| entries[place]),
            Kept::Many(slots) => slots[slot],
        }
    }

    /// Puts an entry into a slot, in place of what was there. Panics if there is no such slot.
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
}

#[cfg(test)]
mod tests {
    use super::{FEW, Kept, Slots};

    #[test]
    fn a_slot_holds_what_was_put_there_last_however_many_there_are() {
        let count = 8 * FEW;
        let mut table = Slots::new(count);
        let mut plain = vec![None; count];
        let mut slot = 1;
        for entry in 0..3 * FEW {
            // A full period: no slot comes twice in the first ones, and each few times in the end.
            slot = (5 * slot + 3) % count;
            for put in [slot, entry % 7] {
                table.put(put, entry);
                plain[put] = Some(entry);
            }
            assert_eq!(
                [table.get(slot), table.get(count - 1)],
                [plain[slot], plain[count - 1]]
            );
        }
        assert!(matches!(table.kept, Kept::Many(_)));
        assert!((0..count).all(|slot| table.get(slot) == plain[slot]));
    }
}
