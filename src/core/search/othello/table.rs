//! The transposition table: bounds on the scores of positions, and their best moves.

/// The known bounds and best moves of one position.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The score is at least this.
    pub lower: i8,
    /// The score is at most this.
    pub upper: i8,
    /// The best moves found, the latest first; [`NO_MOVE`] if unknown.
    pub best: [u8; 2],
    /// The upper two bits hold the bounds' certainty; the others how much the entry is worth
    /// keeping: its empty squares, or 0 if free, halved in each later search that stores to
    /// the bucket.
    kept: u8,
}

/// The certainty of bounds that are proven; bounds of less certainty are only probable.
pub const CERTAIN: u8 = 3;

const WORTH: u8 = 0x3F;

impl Entry {
    fn worth(&self) -> u8 {
        self.kept & WORTH
    }

    fn certainty(&self) -> u8 {
        self.kept / (WORTH + 1)
    }

    fn keep(&mut self, certainty: u8, worth: u8) {
        self.kept = certainty * (WORTH + 1) + worth;
    }
}

/// Stands for no move, in place of a square.
pub const NO_MOVE: u8 = 64;

const UNKNOWN: Entry = Entry {
    lower: i8::MIN,
    upper: i8::MAX,
    best: [NO_MOVE; 2],
    kept: 0,
};

/// Entries that share a hash value.
const WAYS: usize = 3;

/// One cache line of entries. Entries without discs are free.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket {
    own: [u64; WAYS],
    other: [u64; WAYS],
    entries: [Entry; WAYS],
    search: u8,
}

const FREE: Bucket = Bucket {
    own: [0; WAYS],
    other: [0; WAYS],
    entries: [UNKNOWN; WAYS],
    search: 0,
};

impl Bucket {
    #[inline(always)]
    fn position(&self, own: u64, other: u64) -> Option<usize> {
        (0..WAYS).find(|&way| self.own[way] == own && self.other[way] == other)
    }
}

pub struct Table {
    buckets: Vec<Bucket>,
    search: u8,
    /// The certainty of bounds that are stored, and the least certainty of bounds that are found.
    certainty: u8,
}

impl Table {
    pub fn new(entries_log2: u32) -> Self {
        const { assert!(size_of::<Bucket>() == 64) };
        let log2 = entries_log2.clamp(2, 32) - 2;
        Self {
            buckets: vec![FREE; 1 << log2],
            search: 0,
            certainty: CERTAIN,
        }
    }

    /// Sets the certainty, up to [`CERTAIN`], of bounds that are stored from now on; bounds of
    /// less certainty are no longer found.
    pub fn set_certainty(&mut self, certainty: u8) {
        self.certainty = certainty;
    }

    pub fn clear(&mut self) {
        self.buckets.fill(FREE);
        self.search = 0;
    }

    /// Makes the entries of earlier searches the first to be replaced.
    pub fn new_search(&mut self) {
        self.search = self.search.wrapping_add(1);
    }

    #[inline(always)]
    fn bucket(&self, own: u64, other: u64) -> usize {
        let mixed = own.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ other.rotate_left(29);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (mixed >> 32) as usize & (self.buckets.len() - 1)
    }

    /// The entry of a position; without its bounds if they are not certain enough.
    #[inline]
    pub fn find(&self, own: u64, other: u64) -> Option<Entry> {
        let bucket = &self.buckets[self.bucket(own, other)];
        let mut entry = bucket.entries[bucket.position(own, other)?];
        if entry.certainty() < self.certainty {
            (entry.lower, entry.upper) = (UNKNOWN.lower, UNKNOWN.upper);
        }
        Some(entry)
    }

    /// Stores the result of a null-window search above `alpha` of a position with `empties` empty
    /// squares: its `score`, and `square` as its best move.
    pub fn store(
        &mut self,
        own: u64,
        other: u64,
        empties: u32,
        alpha: i32,
        score: i32,
        square: u8,
    ) {
        let index = self.bucket(own, other);
        let bucket = &mut self.buckets[index];
        if bucket.search != self.search {
            bucket.search = self.search;
            for entry in &mut bucket.entries {
                entry.keep(entry.certainty(), entry.worth() / 2);
            }
        }
        let way = bucket.position(own, other).unwrap_or_else(|| {
            let mut least = 0;
            for way in 1..WAYS {
                if bucket.entries[way].worth() < bucket.entries[least].worth() {
                    least = way;
                }
            }
            bucket.own[least] = own;
            bucket.other[least] = other;
            bucket.entries[least] = UNKNOWN;
            least
        });
        let entry = &mut bucket.entries[way];
        let known = entry.certainty();
        entry.keep(known.max(self.certainty), empties as u8);
        if known < self.certainty {
            (entry.lower, entry.upper) = (UNKNOWN.lower, UNKNOWN.upper);
        }
        if known <= self.certainty {
            if score > alpha {
                entry.lower = entry.lower.max(score as i8);
            } else {
                entry.upper = entry.upper.min(score as i8);
            }
        }
        // If a search fails low, all moves only have upper bounds: the best one is a guess.
        if (score > alpha || entry.best[0] == NO_MOVE) && entry.best[0] != square {
            entry.best = [square, entry.best[0]];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_count_only_where_they_are_certain_enough() {
        let mut table = Table::new(4);
        let bounds = |table: &Table| table.find(1, 2).map(|entry| (entry.lower, entry.upper));
        table.set_certainty(1);
        table.store(1, 2, 20, 9, 12, 44);
        assert_eq!(bounds(&table), Some((12, UNKNOWN.upper)));

        table.set_certainty(CERTAIN);
        assert_eq!(bounds(&table), Some((UNKNOWN.lower, UNKNOWN.upper)));
        assert_eq!(table.find(1, 2).map(|entry| entry.best[0]), Some(44));
        table.store(1, 2, 20, 9, 6, 45);
        assert_eq!(bounds(&table), Some((UNKNOWN.lower, 6)));

        // Probable bounds do not replace certain ones, which are still found.
        table.set_certainty(1);
        table.store(1, 2, 20, 1, 4, 46);
        assert_eq!(bounds(&table), Some((UNKNOWN.lower, 6)));
        table.set_certainty(CERTAIN);
        assert_eq!(bounds(&table), Some((UNKNOWN.lower, 6)));
    }
}
