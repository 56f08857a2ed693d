use schemars::JsonSchema;
use serde::Deserialize;

use crate::game::bits::Shape;

/// To whom the squares count that are still empty at the end of a game of Othello.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum Scoring {
    /// To nobody: the raw difference of the discs.
    #[default]
    #[serde(rename = "nobody")]
    Raw,
    /// To the winner (to nobody in a draw), as in tournaments and in collections of
    /// endgames.
    #[serde(rename = "winner")]
    WinnerTakesEmpties,
}

impl Scoring {
    /// The score of a finished game with `empties` empty squares.
    #[inline]
    pub(super) fn settle(self, difference: i32, empties: i32) -> i32 {
        match self {
            Self::Raw => difference,
            Self::WinnerTakesEmpties => difference + difference.signum() * empties,
        }
    }

    /// The score of a finished game for the side with the discs `own`.
    pub(super) fn final_score<const N: usize>(self, own: u64, other: u64) -> i32 {
        let (own, other) = (own.count_ones() as i32, other.count_ones() as i32);
        self.settle(own - other, Shape::<N>::SQUARES as i32 - own - other)
    }
}
