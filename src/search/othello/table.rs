//! The transposition table: bounds on the scores of positions, and their best moves.

/// What is known of one position.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The score is at least this.
    pub lower: i8,
    /// The score is at most this.
    pub upper: i8,
    /// The best moves met, the latest first; [`NO_MOVE`] if unknown.
    pub best: [u8; 2],
    /// How much the entry is worth keeping: its empty squares, 0 for a free one. Halved each time
    /// the bucket meets it from an earlier search.
    worth: u8,
}

/// In place of a square: no move.
pub const NO_MOVE: u8 = 64;

const UNKNOWN: Entry = Entry {
    lower: i8::MIN,
    upper: i8::MAX,
    best: [NO_MOVE; 2],
    worth: 0,
};

/// Entries that share a hash value.
const WAYS: usize = 3;

/// One cache line of entries. Those without discs are free.
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
}

impl Table {
    pub fn new(entries_log2: u32) -> Self {
        const { assert!(size_of::<Bucket>() == 64) };
        let log2 = entries_log2.clamp(2, 32) - 2;
        Self {
            buckets: vec![FREE; 1 << log2],
            search: 0,
        }
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

    #[inline]
    pub fn find(&self, own: u64, other: u64) -> Option<&Entry> {
        let bucket = &self.buckets[self.bucket(own, other)];
        bucket.position(own, other).map(|way| &bucket.entries[way])
    }

    /// Records that a null-window search above `alpha` of a position with `empties` empty squares
    /// returned `score`, `square` being its best move.
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
                entry.worth /= 2;
            }
        }
        let way = bucket.position(own, other).unwrap_or_else(|| {
            let mut least = 0;
            for way in 1..WAYS {
                if bucket.entries[way].worth < bucket.entries[least].worth {
                    least = way;
                }
            }
            bucket.own[least] = own;
            bucket.other[least] = other;
            bucket.entries[least] = UNKNOWN;
            least
        });
        let entry = &mut bucket.entries[way];
        entry.worth = empties as u8;
        if score > alpha {
            entry.lower = entry.lower.max(score as i8);
        } else {
            entry.upper = entry.upper.min(score as i8);
        }
        // All moves of a failed search are bounded alike: its best one is only a guess.
        if (score > alpha || entry.best[0] == NO_MOVE) && entry.best[0] != square {
            entry.best = [square, entry.best[0]];
        }
    }
}
