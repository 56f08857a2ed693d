//! Saving arrays one after another, without holding all of them in memory.

use super::{Array, Arrays};

/// How many numbers a piece of an array has.
const PIECE: usize = 1 << 16;

/// A destination for saved arrays: memory, as [`Arrays`], or a file, by
/// [`NpzWriter`](super::NpzWriter).
pub trait Sink {
    /// Takes a one-dimensional array of `length` entries, either in one piece or, for numbers, in several pieces of the
    /// same type. Errors of a file are returned by [`NpzWriter::finish`](super::NpzWriter::finish). Panics if an array
    /// of this name exists, if there is no piece, or if pieces differ in type.
    fn put(&mut self, name: &str, length: usize, pieces: &mut dyn Iterator<Item = Array>);
}

impl dyn Sink + '_ {
    /// Saves a one-dimensional array. Panics if an array of this name exists, which
    /// [`Arrays::insert`] would replace.
    pub fn insert(&mut self, name: impl AsRef<str>, array: impl Into<Array>) {
        let array = array.into();
        let length = array.len();
        self.put(name.as_ref(), length, &mut [array].into_iter());
    }

    /// Saves these numbers piece by piece. Panics if an array of this name exists.
    pub fn insert_each<T>(
        &mut self,
        name: impl AsRef<str>,
        numbers: impl ExactSizeIterator<Item = T>,
    ) where
        Array: From<Vec<T>>,
    {
        self.insert_numbers(name, numbers.len(), numbers);
    }

    /// Saves the first `length` of some numbers, piece by piece. Panics if there are fewer, or if an array of this name
    /// exists.
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
