//! Saving arrays one after another, without having them in memory together.

use super::{Array, Arrays, Named};

/// How many numbers of an array are made at once.
const PIECE: usize = 1 << 16;

/// Where arrays are saved to: into memory, as [`Arrays`], or into a file, by
/// [`NpzWriter`](super::NpzWriter).
pub trait Sink {
    /// Takes an array of `length` numbers or texts, and the dimensions of its rows; see
    /// [`Arrays::insert_rows`]. It comes in pieces of one type, at least one. Panics if there was an array
    /// of this name, or the pieces have another length together.
    fn put(
        &mut self,
        name: &str,
        row: &[usize],
        length: usize,
        pieces: &mut dyn Iterator<Item = Array>,
    );
}

impl dyn Sink + '_ {
    /// Saves an array of one dimension. Panics if there was one of this name.
    pub fn insert(&mut self, name: impl AsRef<str>, array: impl Into<Array>) {
        let array = array.into();
        let length = array.len();
        self.put(name.as_ref(), &[], length, &mut [array].into_iter());
    }

    /// The same for so many numbers, which need not lie in memory together. Panics also if there are
    /// fewer.
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
            let mut piece = Vec::with_capacity(PIECE.min(length - start));
            piece.extend(numbers.by_ref().take(PIECE.min(length - start)));
            Array::from(piece)
        });
        self.put(name.as_ref(), &[], length, &mut pieces);
    }
}

impl Sink for Arrays {
    fn put(
        &mut self,
        name: &str,
        row: &[usize],
        length: usize,
        pieces: &mut dyn Iterator<Item = Array>,
    ) {
        assert!(!self.contains(name), "there is an array {name:?}");
        let mut array = pieces.next().expect("an array comes in pieces");
        for piece in pieces {
            array.append(piece);
        }
        assert!(array.len() == length, "the array {name:?} has its length");
        self.0.push(Named {
            name: name.to_owned(),
            array,
            row: row.to_vec(),
        });
    }
}
