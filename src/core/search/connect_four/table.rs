/// Bounds of scores by key; each slot keeps only its latest position. A key is below 2^50.
///
/// The table grows with its content, up to a limit: a small search stays in the processor's
/// caches.
pub struct Table {
    /// The key, and seven bits for each bound; 0 for an empty slot.
    entries: Vec<u64>,
    used: usize,
    max_bits: u32,
    /// Shift that takes a hash to a slot.
    shift: u32,
}

const FIRST_BITS: u32 = 10;
/// A table that is half full grows by a factor of 2 to this power.
const GROWTH_BITS: u32 = 2;
const BOUND_BITS: u32 = 7;
const BOUND: u64 = (1 << BOUND_BITS) - 1;
/// Added to a bound so that it is not negative.
const ZERO: i32 = 1 << (BOUND_BITS - 1);

impl Table {
    /// A table that grows to at most 2^`max_bits` slots, of 8 bytes each.
    pub fn new(max_bits: u32) -> Table {
        let max_bits = max_bits.max(1);
        let bits = FIRST_BITS.min(max_bits);
        Table {
            entries: vec![0; 1 << bits],
            used: 0,
            max_bits,
            shift: 64 - bits,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Table::new(self.max_bits);
    }

    /// Whether the table no longer fits the caches.
    #[inline]
    pub fn is_large(&self) -> bool {
        self.entries.len() > 1 << 18
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        // Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4).
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    /// The lower and upper bound of a position's score, if the table has it.
    #[inline]
    pub fn get(&self, key: u64) -> Option<(i32, i32)> {
        let entry = self.entries[self.slot(key)];
        (entry >> (2 * BOUND_BITS) == key).then(|| {
            let bound = |shift: u32| (entry >> shift & BOUND) as i32 - ZERO;
            (bound(BOUND_BITS), bound(0))
        })
    }

    /// Stores a position's bounds; the key must not be 0.
    #[inline]
    pub fn put(&mut self, key: u64, low: i32, high: i32) {
        let slot = self.slot(key);
        let bounds = ((low + ZERO) as u64) << BOUND_BITS | (high + ZERO) as u64;
        self.used += usize::from(self.entries[slot] == 0);
        self.entries[slot] = key << (2 * BOUND_BITS) | bounds;
        if 2 * self.used > self.entries.len() {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        let bits = self.entries.len().ilog2();
        let more = (bits + GROWTH_BITS).min(self.max_bits);
        self.used = 0;
        if more == bits {
            // The table has its largest size; entries replace each other.
            return;
        }
        let entries = std::mem::replace(&mut self.entries, vec![0; 1 << more]);
        self.shift = 64 - more;
        for entry in entries.into_iter().filter(|entry| *entry != 0) {
            let slot = self.slot(entry >> (2 * BOUND_BITS));
            self.used += usize::from(self.entries[slot] == 0);
            self.entries[slot] = entry;
        }
    }
}
