use super::{Game, Move, board};

/// The squares of a game's board, numbered row by row from the top, and their bits in
/// positions.
#[derive(Clone, Debug)]
pub struct Geometry {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Whether stones fall; see [`Game::STONES_FALL`].
    pub stones_fall: bool,
    /// The bit of each square; see [`Game::bit`].
    pub bits: Vec<usize>,
    /// Where each symmetry takes each square; see [`Game::square_images`].
    pub images: Vec<Vec<usize>>,
}

impl Geometry {
    /// The board of the game `G`.
    pub fn of<G: Game>() -> Geometry {
        Geometry {
            width: G::WIDTH,
            height: G::HEIGHT,
            stones_fall: G::STONES_FALL,
            bits: of_each(G::WIDTH * G::HEIGHT, &|square| {
                G::bit(square / G::WIDTH, square % G::WIDTH)
            }),
            images: G::square_images(),
        }
    }

    /// Number of squares.
    pub fn squares(&self) -> usize {
        self.width * self.height
    }

    /// The name of a square: its column's letter, and its row's number from the top.
    pub fn name(&self, square: usize) -> String {
        board::format_square(self.width, Move::new(square))
    }
}

/// Computes `value_at(square)` for every square.
fn of_each(squares: usize, value_at: &dyn Fn(usize) -> usize) -> Vec<usize> {
    (0..squares).map(value_at).collect()
}

/// Where a symmetry of the board takes a square: bit 0 of the symmetry mirrors left and right, bit 1 top and bottom;
/// bit 2, for square boards only, exchanges rows and columns first.
#[inline]
pub(super) const fn image(square: usize, width: usize, height: usize, symmetry: usize) -> usize {
    let (mut row, mut column) = (square / width, square % width);
    if symmetry & 4 != 0 {
        (row, column) = (column, row);
    }
    if symmetry & 1 != 0 {
        column = width - 1 - column;
    }
    if symmetry & 2 != 0 {
        row = height - 1 - row;
    }
    row * width + column
}

/// For every symmetry, where it takes every square; `image(square, symmetry)` computes one.
pub(super) fn images(
    squares: usize,
    symmetries: usize,
    image: fn(usize, usize) -> usize,
) -> Vec<Vec<usize>> {
    let of_symmetry = |symmetry| of_each(squares, &|square| image(square, symmetry));
    (0..symmetries).map(of_symmetry).collect()
}
