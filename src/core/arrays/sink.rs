//! Saving arrays one after another, without holding all of them in memory.

use super::{Array, Arrays};

/// How many numbers of an array are made at once.
const PIECE: usize = 1 << 16;

/// Where arrays are saved to: into memory, as [`Arrays`], or into a file, by
/// [`NpzWriter`](super::NpzWriter).
pub trait Sink {
    /// Takes an array of one dimension in one piece, or numbers in several of one type, `length` of them
    /// altogether. What goes wrong in a file is told by [`NpzWriter::finish`](super::NpzWriter::finish).
    /// Panics if there is an array of this name, no piece, or one of another type.
    fn put(&mut self, name: &str, length: usize, pieces: &mut dyn Iterator<Item = Array>);
}

impl dyn Sink + '_ {
    /// Saves an array of one dimension. Panics if there is one of this name, which
    /// [`Arrays::insert`] would replace.
    pub fn insert(&mut self, name: impl AsRef<str>, array: impl Into<Array>) {
        let array = array.into();
        let length = array.len();
        self.put(name.as_ref(), length, &mut [array].into_iter());
    }

    /// Saves the first `length` of some numbers, made piece by piece. Panics if there are fewer, or an array
    /// of this name.
    pub fn insert_numbers<T>(
        &mut self,
        name: impl AsRef<str>,
        length: usize,
        mut numbers: impl Iterator<Item = T>,
    ) where
        Array: From<Vec<T>>,
    {
        let starts = (0..length.max(1)).step_by(PIECE);
        let mut pieces = starts.map(|start| {
            let count = PIECE.min(length - start);
            let mut piece = Vec::with_capacity(count);
            piece.extend(numbers.by_ref().take(count));
            assert!(piece.len() == count, "there are {length} numbers");
            Array::from(piece)
        });
        self.put(name.as_ref(), length, &mut pieces);
    }
}

impl Sink for Arrays {
    fn put(&mut self, name: &str, _length: usize, pieces: &mut dyn Iterator<Item = Array>) {
        assert!(!self.contains(name), "there is an array {name:?}");
        let mut array = pieces.next().expect("an array comes in pieces");
        for piece in pieces {
            array.append(piece);
        }
        self.insert(name, array);
    }
}
