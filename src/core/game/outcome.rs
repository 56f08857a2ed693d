//! Sides, outcomes of games, and their values for a side.

use std::fmt;
use std::ops::Not;

use serde::{Deserialize, Serialize};

/// One of the two players, by the order in which they move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The player who moves first.
    X,
    /// The player who moves second.
    O,
}

impl Side {
    /// Both sides in the order in which they move.
    pub const BOTH: [Side; 2] = [Side::X, Side::O];

    /// 0 for X, 1 for O.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The name in upper case, as in sentences and on boards.
    pub const fn letter(self) -> char {
        match self {
            Side::X => 'X',
            Side::O => 'O',
        }
    }
}

/// The opponent.
impl Not for Side {
    type Output = Side;

    #[inline]
    fn not(self) -> Side {
        match self {
            Side::X => Side::O,
            Side::O => Side::X,
        }
    }
}

/// The name in lower case, as in configs and CSV files.
impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Side::X => "x",
            Side::O => "o",
        })
    }
}

/// How a game ended, from no side's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side won, the other lost.
    Win(Side),
    /// Neither side won.
    Draw,
}

impl Outcome {
    /// The outcome that is worth `value` to `side`.
    pub fn of(value: Value, side: Side) -> Outcome {
        match value {
            Value::Loss => Outcome::Win(!side),
            Value::Draw => Outcome::Draw,
            Value::Win => Outcome::Win(side),
        }
    }

    /// What the outcome is worth to `side`.
    #[inline]
    pub fn for_side(self, side: Side) -> Value {
        match self {
            Outcome::Win(winner) if winner == side => Value::Win,
            Outcome::Win(_) => Value::Loss,
            Outcome::Draw => Value::Draw,
        }
    }
}

/// The value of a game or a position for one side, worst first. In memory it is its [sign](Value::sign).
#[repr(i8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// That side loses.
    Loss = -1,
    /// Neither side wins.
    Draw = 0,
    /// That side wins.
    Win = 1,
}

impl Value {
    /// The value that a score stands for, by its sign.
    pub const fn of_score(score: i32) -> Value {
        match score {
            ..0 => Value::Loss,
            0 => Value::Draw,
            1.. => Value::Win,
        }
    }

    /// -1 for a loss, 0 for a draw, 1 for a win.
    #[inline]
    pub const fn sign(self) -> i8 {
        self as i8
    }

    /// 0 for a loss, 1 for a draw, 2 for a win.
    #[inline]
    pub const fn index(self) -> usize {
        (self as i8 + 1) as usize
    }

    /// This value seen by the other side.
    #[inline]
    pub const fn opposite(self) -> Value {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Value::Loss => "loss",
            Value::Draw => "draw",
            Value::Win => "win",
        })
    }
}
