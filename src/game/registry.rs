//! The games by name: the only place where a name that is known at run time
//! becomes a type that is known at compile time.

use super::position::Rules;
use super::{Game, Labels, Move, ParseError, with_game};
use crate::text;

/// Work to be done with a game that is named at run time; see [`with_game`].
pub trait GameVisitor {
    /// What the work returns.
    type Output;

    /// Does the work with the game's type.
    fn visit<G: Game>(self, info: &'static GameInfo) -> Self::Output;
}

/// What is known of a game without its type. Two are equal if their names are.
#[derive(Debug)]
pub struct GameInfo {
    /// The name in configs and on the command line.
    pub name: &'static str,
    /// One line that says what the game is.
    pub summary: &'static str,
    /// Whether its positions are few enough to be compiled into a graph; their keys then
    /// have 64 bits.
    pub listed: bool,
    /// Size of the board's symmetry group.
    pub symmetries: usize,
    /// How columns and rows are named beside a drawn board.
    pub labels: Labels,
    /// The names of the ways to evaluate a position; see [`Game::EVALUATIONS`].
    pub evaluations: &'static [&'static str],
    /// Whether the game tells threats; see [`Game::THREATS`].
    pub has_threats: bool,
    pub(super) rules: Rules,
}

impl PartialEq for GameInfo {
    fn eq(&self, other: &GameInfo) -> bool {
        self.name == other.name
    }
}

impl Eq for GameInfo {}

impl GameInfo {
    /// Describes the game `G`, which need not be registered.
    pub const fn of<G: Game>(name: &'static str, listed: bool, summary: &'static str) -> GameInfo {
        GameInfo {
            name,
            summary,
            listed,
            symmetries: G::SYMMETRIES,
            labels: G::LABELS,
            evaluations: G::EVALUATIONS,
            has_threats: G::THREATS,
            rules: Rules::of::<G>(),
        }
    }

    /// The registered game with this name.
    /// Errors: [`UnknownGame`] if there is none.
    pub fn find(name: &str) -> Result<&'static GameInfo, UnknownGame> {
        let found = games().iter().find(|info| info.name == name);
        found.ok_or_else(|| UnknownGame(name.to_owned()))
    }

    /// Hands the game's type to the visitor.
    /// Panics if the game is not registered.
    pub fn visit<V: GameVisitor>(&self, visitor: V) -> V::Output {
        with_game(self.name, visitor).expect("the game is registered")
    }

    /// The move in the game's notation.
    pub fn format_move(&self, mv: Move) -> String {
        (self.rules.format_move)(mv)
    }

    /// Reads what [`format_move`](Self::format_move) writes.
    /// Errors as [`Game::parse_move`].
    pub fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        (self.rules.parse_move)(text)
    }
}

/// Makes the list of games from its lines; see [`super::GAMES`].
macro_rules! registry {
    (@listed listed) => { true };
    (@listed searched) => { false };
    ($($name:literal => $game:ty, $kind:ident, $summary:literal;)+) => {
        pub(in crate::game) static GAMES: &[GameInfo] =
            &[$(GameInfo::of::<$game>($name, registry::registry!(@listed $kind), $summary)),+];

        /// Finds the game and hands its type to the visitor.
        /// Errors: [`UnknownGame`] if no game has this name.
        pub fn with_game<V: GameVisitor>(name: &str, visitor: V) -> Result<V::Output, UnknownGame> {
            let info = GameInfo::find(name)?;
            match name {
                $($name => Ok(visitor.visit::<$game>(info)),)+
                _ => Err(UnknownGame(name.to_owned())),
            }
        }
    };
}

pub(super) use registry;

/// Every registered game.
pub fn games() -> &'static [GameInfo] {
    super::GAMES
}

/// A name that no game has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown game '{0}'{hint}", hint = text::hint(.0, games().iter().map(|game| game.name)))]
pub struct UnknownGame(pub String);
