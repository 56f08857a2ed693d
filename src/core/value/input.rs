//! A position as numbers for a network.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Board;
use crate::game::{Game, GameInfo, Key, Side, with_game_type};

/// How a position is shown to a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// Two inputs for every square: whether an own stone is on it, and whether one of the other
    /// side's is; all of the first kind come first.
    Planes,
    /// One input for every square: 1 for an own stone, −1 for one of the other side's.
    Signed,
}

impl Encoding {
    /// How many inputs there are on a board of this many squares.
    pub fn width(self, squares: usize) -> usize {
        match self {
            Encoding::Planes => 2 * squares,
            Encoding::Signed => squares,
        }
    }

    /// Appends the inputs of a position as the board's mover sees it; `bits` are the bits of the squares, in order.
    pub fn write(self, board: &Board, bits: &[usize], inputs: &mut Vec<f32>) {
        let squares = |side: Side| {
            let stones = board.stones[side.index()];
            bits.iter()
                .map(move |&bit| f32::from((stones >> bit & 1) as u8))
        };
        let (own, other) = (squares(board.mover), squares(!board.mover));
        match self {
            Encoding::Planes => {
                inputs.extend(own);
                inputs.extend(other);
            }
            Encoding::Signed => inputs.extend(own.zip(other).map(|(own, other)| own - other)),
        }
    }
}

/// Appends the planes of the positions with these keys: for each position two numbers for every square, row
/// by row from the top, as in [`Encoding::Planes`], for the side to move, or the side that would be to move
/// if the game had not ended.
pub fn write_planes(
    game: &'static GameInfo,
    keys: impl IntoIterator<Item = Key>,
    planes: &mut Vec<i8>,
) {
    let keys = &mut keys.into_iter();
    with_game_type!(game, G => write_planes_of::<G>(keys, planes))
}

fn write_planes_of<G: Game>(keys: &mut dyn Iterator<Item = Key>, planes: &mut Vec<i8>) {
    for key in keys {
        let position = G::from_key(key);
        let (stones, side) = (position.stones(), position.to_move());
        for side in [side, !side] {
            let stones = stones[side.index()];
            let squares = 0..G::WIDTH * G::HEIGHT;
            planes.extend(squares.map(|square| {
                let bit = G::bit(square / G::WIDTH, square % G::WIDTH);
                (stones >> bit & 1) as i8
            }));
        }
    }
}
