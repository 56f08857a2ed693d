use super::Game;

/// The squares of a game's board, numbered row by row from the top, and how a position's bits
/// name them.
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
        let squares = 0..G::WIDTH * G::HEIGHT;
        Geometry {
            width: G::WIDTH,
            height: G::HEIGHT,
            stones_fall: G::STONES_FALL,
            bits: squares
                .map(|square| G::bit(square / G::WIDTH, square % G::WIDTH))
                .collect(),
            images: G::square_images(),
        }
    }

    /// Number of squares.
    pub fn squares(&self) -> usize {
        self.width * self.height
    }
}
