use crate::game::{Game, Position, Side};

/// A position that a move led to, as value functions see it, or one where a move is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The squares with X's and with O's stones; see [`Game::stones`].
    pub stones: [u128; 2],
    /// The side that moved there, or that is to move.
    pub mover: Side,
}

impl Board {
    /// A board without stones.
    pub const fn empty(mover: Side) -> Board {
        Board {
            stones: [0; 2],
            mover,
        }
    }

    /// The board of a position that a move led to.
    #[inline]
    pub fn after<G: Game>(position: G) -> Board {
        Board {
            stones: position.stones(),
            mover: !position.to_move(),
        }
    }

    /// The board of a position where a move is made.
    #[inline]
    pub fn before<G: Game>(position: G) -> Board {
        Board {
            stones: position.stones(),
            mover: position.to_move(),
        }
    }

    /// Like [`after`](Self::after), for a position without its game's type.
    pub fn of(position: Position) -> Board {
        Board {
            stones: position.stones(),
            mover: !position.to_move(),
        }
    }
}
