use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// Precomputed scores of positions, or lower bounds, which are looked up by key without a search.
///
/// The file format: the line `lab book 2`; the number of positions; for each position, the difference of its key from
/// the previous one and its score (4 s for a score s of 0 or more, else −4 s − 2; 1 more for a lower bound); and the
/// CRC-32 of all that, lowest byte first. Numbers have seven bits per byte, lowest first, with the highest bit set in
/// all bytes except the last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    /// In ascending order of the keys.
    positions: Vec<(u64, BookScore)>,
}

/// A position's entry in a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookScore {
    /// The position has this score.
    Exact(i8),
    /// The position's score is at least this: the move to it is worse than the best one, but it is unknown by how much.
    AtLeast(i8),
}

impl BookScore {
    /// The score, if it is known exactly.
    pub fn exact(self) -> Option<i32> {
        match self {
            BookScore::Exact(score) => Some(score.into()),
            BookScore::AtLeast(_) => None,
        }
    }

    fn number(self) -> u64 {
        let (score, bit) = match self {
            BookScore::Exact(score) => (i64::from(score), 0),
            BookScore::AtLeast(score) => (i64::from(score), 1),
        };
        (score << 1 ^ score >> 63) as u64 * 2 + bit
    }

    /// `None` if no score has this number.
    fn of_number(number: u64) -> Option<BookScore> {
        let signed = number >> 1;
        let score = i8::try_from((signed >> 1) as i64 ^ -((signed & 1) as i64)).ok()?;
        Some(match number & 1 {
            0 => BookScore::Exact(score),
            _ => BookScore::AtLeast(score),
        })
    }
}

/// The first line of a file; the digit is the version of the format.
const HEAD: &[u8] = b"lab book 2\n";

impl Book {
    /// A book of these positions, each a key and a score; of several with the same key, the last one counts.
    pub fn new(positions: impl IntoIterator<Item = (u64, BookScore)>) -> Book {
        let sorted: BTreeMap<u64, BookScore> = positions.into_iter().collect();
        let positions = sorted.into_iter().collect();
        Book { positions }
    }

    /// The book that comes with the program, for Connect Four with 7 columns and 6 rows.
    pub fn embedded() -> Arc<Book> {
        static BOOK: LazyLock<Arc<Book>> = LazyLock::new(|| {
            let bytes = include_bytes!("book.bin");
            Arc::new(Book::read(bytes).expect("the book is whole, a test reads it"))
        });
        Arc::clone(&BOOK)
    }

    /// The entry of the position with this key, if there is one.
    pub fn get(&self, key: u64) -> Option<BookScore> {
        let place = self.positions.binary_search_by_key(&key, |&(key, _)| key);
        Some(self.positions[place.ok()?].1)
    }

    /// The number of positions.
    #[expect(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// All positions, each as a key and its entry, in ascending order of the keys.
    pub fn positions(&self) -> impl Iterator<Item = (u64, BookScore)> {
        self.positions.iter().copied()
    }

    /// The book as the bytes of a file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = HEAD.to_vec();
        put(&mut bytes, self.len() as u64);
        let mut before = 0;
        for &(key, score) in &self.positions {
            put(&mut bytes, key - before);
            put(&mut bytes, score.number());
            before = key;
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads what [`bytes`](Self::bytes) wrote. Errors: what is wrong with the bytes.
    pub fn read(bytes: &[u8]) -> Result<Book, String> {
        let cut = || "it ends too soon".to_owned();
        let (content, crc) = bytes.split_last_chunk().ok_or_else(cut)?;
        if crc32fast::hash(content) != u32::from_le_bytes(*crc) {
            return Err("its check sum is wrong".to_owned());
        }
        let other = || "it is not a book of this version".to_owned();
        let mut rest = content.strip_prefix(HEAD).ok_or_else(other)?;
        let count = take(&mut rest).ok_or_else(cut)?;
        let mut book = Book::default();
        let mut key = 0u64;
        for number in 0..count {
            let distance = take(&mut rest).ok_or_else(cut)?;
            let score = take(&mut rest).ok_or_else(cut)?;
            key = match key.checked_add(distance) {
                Some(next) if distance > 0 || number == 0 => next,
                _ => return Err("its keys do not ascend".to_owned()),
            };
            let score = BookScore::of_number(score).ok_or("a score is out of range")?;
            book.positions.push((key, score));
        }
        match rest {
            [] => Ok(book),
            _ => Err("it goes on after its end".to_owned()),
        }
    }
}

fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..u64::BITS).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Book {
        Book::new([
            (0, BookScore::Exact(1)),
            (300, BookScore::Exact(-18)),
            (301, BookScore::AtLeast(0)),
            (u64::MAX, BookScore::AtLeast(127)),
            (1 << 49, BookScore::Exact(-128)),
            (1 << 48, BookScore::AtLeast(-128)),
        ])
    }

    #[test]
    fn a_book_is_read_as_it_was_written() {
        for book in [some(), Book::default()] {
            assert_eq!(Book::read(&book.bytes()), Ok(book));
        }
        let book = some();
        assert_eq!(book.get(300), Some(BookScore::Exact(-18)));
        assert_eq!(book.get(299), None);
        let last = book.positions().last();
        assert_eq!(last, Some((u64::MAX, BookScore::AtLeast(127))));
    }

    #[test]
    fn a_damaged_book_is_refused() {
        let whole = some().bytes();
        for end in 0..whole.len() {
            assert!(Book::read(&whole[..end]).is_err(), "{end} bytes");
        }
        for bit in 0..8 * whole.len() {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(Book::read(&bytes).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn what_has_the_right_check_sum_is_checked_all_the_same() {
        let with_crc = |content: &[u8]| {
            let bytes = [content, &crc32fast::hash(content).to_le_bytes()].concat();
            Book::read(&bytes).unwrap_err()
        };
        let begun = |rest: &[u8]| with_crc(&[HEAD, rest].concat());
        assert_eq!(
            with_crc(b"lab book 1\n\0"),
            "it is not a book of this version"
        );
        assert_eq!(begun(&[2, 5, 0]), "it ends too soon");
        assert_eq!(begun(&[2, 5, 0, 0, 0]), "its keys do not ascend");
        assert_eq!(begun(&[1, 5, 0x80, 8]), "a score is out of range");
        assert_eq!(begun(&[1, 5, 0, 0]), "it goes on after its end");
        assert_eq!(begun(&[0xff; 12]), "it ends too soon");
    }
}
