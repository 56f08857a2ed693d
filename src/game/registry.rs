//! The games by name: the only place where a name that is known at run time
//! becomes a type that is known at compile time.

use super::{ConnectFour, Game, Labels, Mnk, Move, Othello, ParseError};

/// Work to be done with a game that is named at run time; see [`with_game`].
pub trait GameVisitor {
    /// What the work returns.
    type Output;

    /// Does the work with the game's type.
    fn visit<G: Game>(self, info: &'static GameInfo) -> Self::Output;
}

/// What is known of a game without its type: its name, and its notation on
/// keys instead of positions.
#[derive(Debug)]
pub struct GameInfo {
    /// The name in configs and on the command line.
    pub name: &'static str,
    /// One line that says what the game is.
    pub summary: &'static str,
    /// Size of the board's symmetry group.
    pub symmetries: usize,
    /// Number of reachable positions, where these are few enough to be listed.
    pub positions: Option<u64>,
    /// How columns and rows are named beside a drawn board.
    pub labels: Labels,
    /// The names of the ways to evaluate a position; see [`Game::EVALUATIONS`].
    pub evaluations: &'static [&'static str],
    /// The position with this key, in the game's notation.
    pub format_position: fn(u128) -> String,
    /// The key of the position that the text describes.
    pub parse_position: fn(&str) -> Result<u128, ParseError>,
    /// The move in the game's notation.
    pub format_move: fn(Move) -> String,
    /// The move that the text names.
    pub parse_move: fn(&str) -> Result<Move, ParseError>,
    /// Row and column of a move's square in the position with this key; see
    /// [`Game::square`].
    pub square: fn(u128, Move) -> Option<(usize, usize)>,
}

impl GameInfo {
    const fn of<G: Game>(
        name: &'static str,
        positions: Option<u64>,
        summary: &'static str,
    ) -> GameInfo {
        GameInfo {
            name,
            summary,
            symmetries: G::SYMMETRIES,
            positions,
            labels: G::LABELS,
            evaluations: G::EVALUATIONS,
            format_position: |key| G::from_key(key).format(),
            parse_position: |text| G::parse(text).map(Game::key),
            format_move: G::format_move,
            parse_move: G::parse_move,
            square: |key, mv| G::from_key(key).square(mv),
        }
    }
}

macro_rules! registry {
    ($($name:literal => $game:ty, $positions:expr, $summary:literal;)+) => {
        static GAMES: &[GameInfo] = &[$(GameInfo::of::<$game>($name, $positions, $summary)),+];

        /// Finds the game and hands its type to the visitor.
        ///
        /// # Errors
        ///
        /// [`UnknownGame`] if no game has this name.
        pub fn with_game<V: GameVisitor>(name: &str, visitor: V) -> Result<V::Output, UnknownGame> {
            let info = GAMES.iter().find(|info| info.name == name);
            match (name, info) {
                $(($name, Some(info)) => Ok(visitor.visit::<$game>(info)),)+
                _ => Err(UnknownGame(name.to_owned())),
            }
        }
    };
}

registry! {
    "tic-tac-toe" => Mnk<3, 3, 3>, Some(5_478), "3x3 board, three in a row wins";
    "mnk-4x3x3" => Mnk<4, 3, 3>, Some(111_973), "4 wide, 3 high, three in a row wins";
    "mnk-4x4x3" => Mnk<4, 4, 3>, Some(6_036_001), "4x4 board, three in a row wins";
    "mnk-4x4x4" => Mnk<4, 4, 4>, Some(9_722_011), "4x4 board, four in a row wins";
    "mnk-5x4x4" => Mnk<5, 4, 4>, None, "5 wide, 4 high, four in a row wins";
    "mnk-6x4x4" => Mnk<6, 4, 4>, None, "6 wide, 4 high, four in a row wins";
    "mnk-5x5x4" => Mnk<5, 5, 4>, None, "5x5 board, four in a row wins";
    "mnk-5x5x5" => Mnk<5, 5, 5>, None, "5x5 board, five in a row wins";
    "connect-four" => ConnectFour<7, 6>, None, "7 wide, 6 high, stones fall, four in a row wins";
    "connect-four-4x4" => ConnectFour<4, 4>, Some(161_029), "4 wide, 4 high";
    "connect-four-4x5" => ConnectFour<4, 5>, Some(1_706_255), "4 wide, 5 high";
    "connect-four-5x4" => ConnectFour<5, 4>, Some(3_945_711), "5 wide, 4 high";
    "connect-four-5x5" => ConnectFour<5, 5>, None, "5 wide, 5 high";
    "connect-four-6x5" => ConnectFour<6, 5>, None, "6 wide, 5 high";
    "othello" => Othello<8>, None, "8x8 board, enclosed discs are turned, most discs win";
    "othello-6x6" => Othello<6>, None, "6x6 board";
    "othello-4x4" => Othello<4>, Some(62_789), "4x4 board";
}

/// Every registered game.
pub fn games() -> &'static [GameInfo] {
    GAMES
}

/// A name that no game has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown game '{0}'")]
pub struct UnknownGame(pub String);
