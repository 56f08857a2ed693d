//! A position as numbers for a network.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Board;
use crate::game::{Game, GameInfo, Geometry, Key, Position, Side, with_game_type};

/// What a network is told of a position.
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

    /// Appends the inputs of a position as a side sees it, on a board of this many squares.
    pub fn write(self, stones: Stones, side: Side, squares: usize, inputs: &mut Vec<f32>) {
        let bits = |side: Side| {
            let mut left = stones.0[side.index()];
            (0..squares).map(move |_| {
                let bit = left as u8 & 1;
                left >>= 1;
                f32::from(bit)
            })
        };
        match self {
            Encoding::Planes => inputs.extend(bits(side).chain(bits(!side))),
            Encoding::Signed => {
                let both = bits(side).zip(bits(!side));
                inputs.extend(both.map(|(own, other)| own - other));
            }
        }
    }
}

/// The squares of X and of O, row by row from the top, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stones(pub [u128; 2]);

impl Stones {
    /// The stones of a position on a board of this geometry.
    pub fn of(position: Position, geometry: &Geometry) -> Stones {
        let stones = Board::of(position).stones;
        Stones(stones.map(|stones| {
            let squares = (0..).zip(&geometry.bits);
            squares.fold(0, |rows, (square, &bit)| {
                rows | (stones >> bit & 1) << square
            })
        }))
    }
}

/// Appends the planes of positions, by their keys: for each position two numbers for every square, row
/// by row from the top, as [`Encoding::Planes`] has them for the side to move, or that would be to
/// move had the game not ended.
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
