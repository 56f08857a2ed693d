//! The games by name: the only place where a name known at run time becomes a type known at
//! compile time.

use super::position::Rules;
use super::{Game, Geometry, Labels, Move, Pieces, games};
use crate::text;

/// The description of a game without its type. Two are equal if their names are.
#[derive(Debug)]
pub struct GameInfo {
    /// The name in configs and on the command line.
    pub name: &'static str,
    /// One line that describes the game.
    pub summary: &'static str,
    /// Whether its positions are few enough to be compiled into a graph; their keys then
    /// have 64 bits.
    pub listed: bool,
    /// The index of every move is below this; see [`Game::MOVES`].
    pub move_count: usize,
    /// Size of the board's symmetry group.
    pub symmetries: usize,
    /// How the columns and rows of a drawn board are labelled.
    pub labels: Labels,
    /// What kind of pieces stand on the squares.
    pub pieces: Pieces,
    /// How many pieces in a line end the game; see [`Game::IN_A_ROW`].
    pub in_a_row: Option<usize>,
    /// Whether it has threats; see [`Game::HAS_THREATS`].
    pub has_threats: bool,
    /// Whether it lists moves that win immediately; see [`Game::HAS_WINNING_MOVES`].
    pub has_winning_moves: bool,
    /// The names of the ways to evaluate a position; see [`Game::EVALUATIONS`].
    pub evaluations: &'static [&'static str],
    pub(super) rules: Rules,
}

impl PartialEq for GameInfo {
    fn eq(&self, other: &GameInfo) -> bool {
        self.name == other.name
    }
}

impl Eq for GameInfo {}

impl GameInfo {
    /// Describes the game `G`, which need not be registered. Panics if it has more moves
    /// than fit into [`Game::Bits`] or [`Move::LIMIT`].
    pub const fn of<G: Game>(name: &'static str, listed: bool, summary: &'static str) -> GameInfo {
        assert!(G::MOVES <= Move::LIMIT, "a game has at most 128 moves");
        assert!(
            G::MOVES <= 8 * size_of::<G::Bits>(),
            "a game with more than 64 moves has Bits = u128"
        );
        GameInfo {
            name,
            summary,
            listed,
            move_count: G::MOVES,
            symmetries: G::SYMMETRIES,
            labels: G::LABELS,
            pieces: G::PIECES,
            in_a_row: G::IN_A_ROW,
            has_threats: G::HAS_THREATS,
            has_winning_moves: G::HAS_WINNING_MOVES,
            evaluations: G::EVALUATIONS,
            rules: Rules::of::<G>(),
        }
    }

    /// The registered game with this name. Errors: that there is none, with the closest
    /// name.
    pub fn find(name: &str) -> Result<&'static GameInfo, String> {
        let found = games().iter().find(|info| info.name == name);
        found.ok_or_else(|| {
            let hint = match text::nearest(name, games().iter().map(|game| game.name)) {
                Some(near) => format!("did you mean '{near}'?"),
                None => format!(
                    "expected one such as {}; lab games lists them",
                    games()[0].name
                ),
            };
            format!("unknown game '{name}', {hint}")
        })
    }

    /// Checks that answering threats differs from random play in this game. Errors: that it does not.
    pub(crate) fn check_threats(&self) -> Result<(), String> {
        match self.has_threats {
            true => Ok(()),
            false => Err(format!(
                "{} has no threats to answer, it would be random play",
                self.name
            )),
        }
    }

    /// Checks that immediate wins are listed in this game. Errors: that they are not.
    pub(crate) fn check_winning_moves(&self) -> Result<(), String> {
        match self.has_winning_moves {
            true => Ok(()),
            false => Err(format!(
                "{} does not list moves that win at once, expected false",
                self.name
            )),
        }
    }

    /// The squares of its board.
    pub fn geometry(&self) -> Geometry {
        (self.rules.geometry)()
    }

    /// See [`Game::transform_move`].
    pub fn transform_move(&self, mv: Move, symmetry: usize) -> Move {
        (self.rules.transform_move)(mv, symmetry)
    }

    /// The move in the game's notation.
    pub fn format_move(&self, mv: Move) -> String {
        (self.rules.format_move)(mv)
    }

    /// Reads what [`format_move`](Self::format_move) writes. Errors: as
    /// [`Game::parse_move`].
    pub fn parse_move(&self, text: &str) -> Result<Move, String> {
        (self.rules.parse_move)(text)
    }
}

/// Generates the list of games from its lines, see [`games`], and the macro that finds a
/// game's type. The first token is a `$` for that macro's own variables.
macro_rules! registry {
    (@listed listed) => { true };
    (@listed searched) => { false };
    ($d:tt $($name:literal => $game:ident $(<$($size:literal),+>)?, $kind:ident, $summary:literal;)+) => {
        /// Every registered game.
        // Not a static: that would be compiled into unit tests, and all games with it, even if no test uses them. If
        // this were inlined, each crate that calls it would compile all games again.
        #[inline(never)]
        pub fn games() -> &'static [GameInfo] {
            const {
                &[$(GameInfo::of::<$game $(<$($size),+>)?>(
                    $name,
                    registry::registry!(@listed $kind),
                    $summary,
                )),+]
            }
        }

        /// Evaluates `work` with `G` as the type of the game that `info` describes, by
        /// `with_game_type!(info, G => work)`. `work` is compiled once for every game, so it
        /// should be no more than a call. Panics if the game is not registered.
        #[macro_export]
        macro_rules! with_game_type {
            ($d info:expr, $d type:ident => $d work:expr) => {
                match $d info.name {
                    $($name => {
                        type $d type = $crate::game::$game $(<$($size),+>)?;
                        $d work
                    })+
                    name => panic!("{name} is not registered"),
                }
            };
        }
    };
}

pub(super) use registry;

/// The names of the registered games with a property, such as `othello and othello-6x6`.
pub fn games_with(has: fn(&'static GameInfo) -> bool) -> String {
    let with = games().iter().filter(|&game| has(game));
    let names: Vec<String> = with.map(|game| game.name.to_owned()).collect();
    text::joined(&names, "and")
}
