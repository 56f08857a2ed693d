//! Positions without the type of their game, for code that is not time-critical.

use std::any::TypeId;
use std::fmt;

use super::{Game, GameInfo, Geometry, Key, Move, Moves, Outcome, Pieces, Side, board};

/// A position of any game, without its type.
///
/// Every method calls through a pointer and rebuilds the position from its key; algorithms
/// that need speed use [`typed`](Position::typed) positions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    info: &'static GameInfo,
    key: Key,
}

/// A game's rules as functions of positions' keys.
#[derive(Debug)]
pub(super) struct Rules {
    game: TypeId,
    start: fn() -> Key,
    stones: fn(Key) -> [u128; 2],
    to_move: fn(Key) -> Side,
    outcome: fn(Key) -> Option<Outcome>,
    moves: fn(Key) -> Moves<u128>,
    answers: fn(Key) -> Moves<u128>,
    empties: fn(Key) -> u32,
    play: fn(Key, Move) -> Key,
    canonical: fn(Key) -> Key,
    transform: fn(Key, usize) -> Key,
    square: fn(Key, Move) -> Option<(usize, usize)>,
    format: fn(Key) -> String,
    parse: fn(&str) -> Result<Key, String>,
    pub transform_move: fn(Move, usize) -> Move,
    pub format_move: fn(Move) -> String,
    pub parse_move: fn(&str) -> Result<Move, String>,
    pub geometry: fn() -> Geometry,
}

impl Rules {
    pub const fn of<G: Game>() -> Rules {
        Rules {
            game: TypeId::of::<G>(),
            start: || G::start().key(),
            stones: |key| G::from_key(key).stones(),
            to_move: |key| G::from_key(key).to_move(),
            outcome: |key| G::from_key(key).outcome(),
            moves: |key| G::from_key(key).moves().widen(),
            answers: |key| G::from_key(key).answers().widen(),
            empties: |key| G::from_key(key).empties(),
            play: |key, mv| G::from_key(key).play_unchecked(mv).key(),
            canonical: |key| G::from_key(key).canonical().0.key(),
            transform: |key, symmetry| G::from_key(key).transform(symmetry).key(),
            square: |key, mv| G::from_key(key).square(mv),
            format: |key| G::from_key(key).format(),
            parse: |text| G::parse(text).map(Game::key),
            transform_move: G::transform_move,
            format_move: G::format_move,
            parse_move: G::parse_move,
            geometry: Geometry::of::<G>,
        }
    }
}

impl Position {
    /// The position that the game starts from.
    pub fn start(info: &'static GameInfo) -> Position {
        Position::new(info, (info.rules.start)())
    }

    /// The position with this key. If the game has no such key, the position is
    /// unspecified.
    pub fn new(info: &'static GameInfo, key: Key) -> Position {
        Position { info, key }
    }

    /// A position of the game `G`, which `info` describes.
    /// Panics if `info` describes another game.
    pub fn of<G: Game>(info: &'static GameInfo, position: G) -> Position {
        info.expect::<G>();
        Position::new(info, position.key())
    }

    /// The position as one of the game `G`.
    /// Panics if it is one of another game.
    pub fn typed<G: Game>(self) -> G {
        self.info.expect::<G>();
        G::from_key(self.key)
    }

    /// Reads what [`Display`](fmt::Display) writes: the position in the game's notation.
    /// Errors: as [`Game::parse`].
    pub fn parse(info: &'static GameInfo, text: &str) -> Result<Position, String> {
        (info.rules.parse)(text).map(|key| Position::new(info, key))
    }

    /// The game.
    pub fn game(self) -> &'static GameInfo {
        self.info
    }

    /// See [`Game::key`].
    pub fn key(self) -> Key {
        self.key
    }

    /// See [`Game::stones`].
    pub fn stones(self) -> [u128; 2] {
        (self.info.rules.stones)(self.key)
    }

    /// The rows of the board, from the top: `X`, `O` and `.` for squares.
    pub fn rows(self) -> Vec<String> {
        let squares = self.info.geometry();
        let bit = |row: usize, column: usize| squares.bits[row * squares.width + column];
        board::rows(squares.width, squares.height, &bit, self.stones())
    }

    /// See [`Game::to_move`].
    pub fn to_move(self) -> Side {
        (self.info.rules.to_move)(self.key)
    }

    /// See [`Game::outcome`].
    pub fn outcome(self) -> Option<Outcome> {
        (self.info.rules.outcome)(self.key)
    }

    /// See [`Game::moves`].
    pub fn moves(self) -> Moves<u128> {
        (self.info.rules.moves)(self.key)
    }

    /// See [`Game::answers`].
    pub fn answers(self) -> Moves<u128> {
        (self.info.rules.answers)(self.key)
    }

    /// See [`Game::empties`].
    pub fn empties(self) -> u32 {
        (self.info.rules.empties)(self.key)
    }

    /// The numbers of X's and O's discs, if these decide the game.
    pub fn discs(self) -> Option<[u32; 2]> {
        let counts = || self.stones().map(u128::count_ones);
        (self.info.pieces == Pieces::Discs).then(counts)
    }

    /// The position after `mv`; `None` if that is not among [`moves`](Self::moves).
    pub fn play(self, mv: Move) -> Option<Position> {
        let is_legal = self.moves().contains(mv);
        is_legal.then(|| self.play_unchecked(mv))
    }

    /// The position after `mv`, which the caller knows to be legal; see
    /// [`Game::play_unchecked`].
    pub fn play_unchecked(self, mv: Move) -> Position {
        Position::new(self.info, (self.info.rules.play)(self.key, mv))
    }

    /// The one or two moves that lead to `other`, if there are such moves; empty if it is this position.
    pub fn moves_to(self, other: Position) -> Option<Vec<Move>> {
        if self == other {
            return Some(Vec::new());
        }
        for first in self.moves() {
            let next = self.play_unchecked(first);
            if next == other {
                return Some(vec![first]);
            }
            let second = next.moves().find(|&mv| next.play_unchecked(mv) == other);
            if let Some(second) = second {
                return Some(vec![first, second]);
            }
        }
        None
    }

    /// The first of the position's images under the board's symmetries; see
    /// [`Game::canonical`].
    pub fn canonical(self) -> Position {
        Position::new(self.info, (self.info.rules.canonical)(self.key))
    }

    /// See [`Game::transform`].
    pub fn transform(self, symmetry: usize) -> Position {
        Position::new(self.info, (self.info.rules.transform)(self.key, symmetry))
    }

    /// See [`Game::square`].
    pub fn square(self, mv: Move) -> Option<(usize, usize)> {
        (self.info.rules.square)(self.key, mv)
    }

    /// The move in the game's notation.
    pub fn format_move(self, mv: Move) -> String {
        self.info.format_move(mv)
    }
}

impl GameInfo {
    /// Whether this describes the game `G`.
    pub fn is<G: Game>(&self) -> bool {
        self.rules.game == TypeId::of::<G>()
    }

    fn expect<G: Game>(&self) {
        /// A function of its own, as the rest is compiled for every game and in many places.
        #[cold]
        fn mismatch(name: &str) -> ! {
            panic!("{name} is another game")
        }
        if !self.is::<G>() {
            mismatch(self.name);
        }
    }
}

/// The position in the game's notation.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&(self.info.rules.format)(self.key))
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {self}", self.info.name)
    }
}
