//! What every game promises, checked for each along random games.

use std::collections::{HashMap, HashSet};

use playlab::game::{
    Game, GameInfo, Key, Labels, Move, Moves, Outcome, Position, Side, games, with_game_type,
};
use playlab::rng::{LabRng, Purpose, stream};
use playlab::search::{Scoring, solver_facts};
use rand::RngExt;

use crate::numbered::notation_by_number;

/// Checks everything that a game promises, and what the registry says about it.
fn contract<G: Game>(info: &'static GameInfo) {
    let mut rng = stream(7, Purpose::Evaluation, 0, 0);
    let mut keys: HashMap<Key, G> = HashMap::new();
    assert_eq!(info.symmetries, G::SYMMETRIES);
    assert_eq!(info.evaluations, G::EVALUATIONS);
    assert!(!info.evaluations.is_empty());
    check_group::<G>();
    check_images::<G>(info);
    for symmetry in 0..G::SYMMETRIES {
        assert_eq!(G::start().transform(symmetry), G::start(), "{}", info.name);
    }
    assert_eq!(Position::start(info), Position::of(info, G::start()));
    let mut games = 0;
    // Some games on every board, and more on small ones, where a game has few positions and repeats them.
    while games < 3 || (keys.len() < 400 && games < 60) {
        games += 1;
        let mut position = G::start();
        assert_eq!(position.to_move(), Side::X);
        let mut left = position.empties();
        loop {
            let _here = Here(info.name, position);
            check_position(info, position, &mut keys);
            check_symmetries(position);
            check_hints(position);
            check_columns(position);
            check_erased(info, position);
            let moves: Vec<Move> = position.moves().collect();
            if moves.is_empty() {
                break;
            }
            let next = random_play(position, &moves, &mut rng);
            // A pass changes nothing.
            let made = u32::from(next.stones() != position.stones());
            left = left.checked_sub(made).unwrap_or_else(|| {
                panic!(
                    "{}: more moves than `empties` told, up to {}; override it by the most moves that are left",
                    info.name,
                    next.format()
                )
            });
            assert!(
                next.empties() <= position.empties(),
                "{}: `empties` grows from {} to {}; override it by the most moves that are left",
                info.name,
                position.format(),
                next.format()
            );
            left = left.min(next.empties());
            position = next;
        }
    }
}

/// Says on which board and in what position a check fails.
struct Here<G: Game>(&'static str, G);

impl<G: Game> Drop for Here<G> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("in {}, position {}", self.0, self.1.format());
        }
    }
}

/// The moves that win at once.
fn wins<G: Game>(position: G) -> Moves<G::Bits> {
    let win = Some(Outcome::Win(position.to_move()));
    let wins = |&mv: &Move| position.play_unchecked(mv).outcome() == win;
    Moves::from_moves(position.moves().filter(wins))
}

fn random_play<G: Game>(position: G, moves: &[Move], rng: &mut LabRng) -> G {
    let mv = moves[rng.random_range(0..moves.len())];
    let next = position.play_unchecked(mv);
    assert_eq!(next.to_move(), !position.to_move(), "sides alternate");
    for symmetry in 0..G::SYMMETRIES {
        let (image, mv) = (
            position.transform(symmetry),
            G::transform_move(mv, symmetry),
        );
        assert!(image.moves().contains(mv), "the image of a legal move is");
        assert_eq!(image.play_unchecked(mv), next.transform(symmetry));
    }
    next
}

fn check_position<G: Game>(info: &GameInfo, position: G, keys: &mut HashMap<Key, G>) {
    let moves: Vec<Move> = position.moves().collect();
    assert!(moves.is_sorted_by(|a, b| a < b), "moves ascend");
    assert_eq!(
        moves.is_empty(),
        position.outcome().is_some(),
        "live positions have moves"
    );
    assert_eq!(position.moves().len(), moves.len());
    // The ratings of moves differ exactly as the evaluations of the positions after them do.
    let mut looks = [0; Move::LIMIT];
    position.rate_moves(&mut looks);
    let after = |mv: Move| -position.play_unchecked(mv).evaluate(0);
    let differences = moves.iter().map(|&mv| looks[mv.index()] - after(mv));
    let differences: HashSet<i32> = differences.collect();
    assert!(differences.len() <= 1, "{}", position.format());
    for &mv in &moves {
        assert_eq!(G::parse_move(&G::format_move(mv)), Ok(mv));
        let (row, column) = position.square(mv).unwrap_or_default();
        assert!(
            row < G::HEIGHT && column < G::WIDTH,
            "the square of {}",
            G::format_move(mv)
        );
    }
    assert_eq!(G::from_key(position.key()), position);
    assert_eq!(
        *keys.entry(position.key()).or_insert(position),
        position,
        "keys are injective"
    );
    assert!(!info.listed || position.key().to_u64().is_some());
    let text = position.format();
    assert_eq!(G::parse(&text), Ok(position), "{text}");
}

fn check_symmetries<G: Game>(position: G) {
    let (first, symmetry) = position.canonical();
    assert_eq!(position.transform(symmetry), first);
    let images = G::square_images();
    for (symmetry, squares) in images.iter().enumerate().take(G::SYMMETRIES) {
        let image = position.transform(symmetry);
        let stones = position
            .stones()
            .map(|stones| image_of::<G>(stones, squares));
        assert_eq!(
            image.stones(),
            stones,
            "square_images of symmetry {symmetry}"
        );
        assert_eq!(image.outcome(), position.outcome());
        assert_eq!(image.to_move(), position.to_move());
        assert_eq!(image.canonical().0, first);
        for evaluation in 0..G::EVALUATIONS.len() {
            assert_eq!(image.evaluate(evaluation), position.evaluate(evaluation));
        }
    }
}

fn check_hints<G: Game>(position: G) {
    for evaluation in 0..G::EVALUATIONS.len() {
        assert!(position.evaluate(evaluation).abs() <= 100_000);
    }
    let mover = position.to_move();
    match G::HAS_THREATS {
        true => assert_eq!(position.threats(mover), wins(position)),
        false => {
            let found = Side::BOTH.map(|side| position.moves_to(position.winning_squares(side)));
            assert!(found.map(|moves| moves.is_empty()) == [true; 2]);
        }
    }
    let threats = position.threats(!mover);
    for mv in position.moves() {
        let next = position.play_unchecked(mv);
        for side in Side::BOTH {
            assert!(position.can_win(side) || !next.can_win(side));
            assert!(position.can_win(side) || next.outcome() != Some(Outcome::Win(side)));
        }
        if next.outcome().is_none() {
            let of_opponent = |position: G| position.winning_squares(!mover);
            assert_eq!(of_opponent(next), of_opponent(position));
            let mut left = threats.filter(|&threat| threat != mv);
            assert!(left.all(|mv| next.threats(!mover).contains(mv)));
        }
    }
}

/// Where stones fall, no stone is above an empty square, and the bits of a column ascend by one.
fn check_columns<G: Game>(position: G) {
    if !G::STONES_FALL {
        return;
    }
    let [x, o] = position.stones();
    let has_stone = |row, column| (x | o) >> G::bit(row, column) & 1 == 1;
    for (row, column) in (1..G::HEIGHT).flat_map(|row| (0..G::WIDTH).map(move |x| (row, x))) {
        assert_eq!(G::bit(row - 1, column), G::bit(row, column) + 1);
        let floats = has_stone(row - 1, column) && !has_stone(row, column);
        assert!(!floats, "{}", position.format());
    }
}

/// The position without its type gives the same answers.
fn check_erased<G: Game>(info: &'static GameInfo, position: G) {
    let erased = Position::of(info, position);
    assert_eq!(Position::new(info, position.key()), erased);
    assert_eq!(erased.typed::<G>(), position);
    assert_eq!(erased.game(), info);
    assert_eq!(erased.to_move(), position.to_move());
    assert_eq!(erased.outcome(), position.outcome());
    assert_eq!(erased.moves(), position.moves().widen());
    assert_eq!(erased.empties(), position.empties());
    assert_eq!(erased.canonical().typed::<G>(), position.canonical().0);
    assert_eq!(erased.to_string(), position.format());
    let letters = erased.rows().concat();
    let count = |side: Side| letters.matches(side.letter()).count() as u32;
    let stones = position.stones().map(u128::count_ones);
    assert_eq!(Side::BOTH.map(count), stones);
    assert_eq!(Position::parse(info, &position.format()), Ok(erased));
    assert_eq!(erased.answers(), position.answers().widen());
    let is_listed = |mv: &Move| erased.moves().any(|listed| listed == *mv);
    for mv in all_moves().filter(|mv| !is_listed(mv)) {
        assert_eq!(erased.play(mv), None, "an unlisted move is illegal");
    }
    for mv in erased.moves() {
        let next = erased.play(mv).expect("a listed move is legal");
        assert_eq!(next.typed::<G>(), position.play_unchecked(mv));
        assert_eq!(erased.square(mv), position.square(mv));
        assert_eq!(info.parse_move(&erased.format_move(mv)), Ok(mv));
    }
}

/// The images of a board's squares are again its squares, each once.
fn check_images<G: Game>(info: &GameInfo) {
    let images = G::square_images();
    assert!(images.len() >= G::SYMMETRIES, "{}", info.name);
    for mut image in images {
        image.sort_unstable();
        let squares = 0..G::WIDTH * G::HEIGHT;
        assert!(
            image.into_iter().eq(squares),
            "square_images of {}",
            info.name
        );
    }
}

/// Where these images map the squares whose bits are set.
fn image_of<G: Game>(stones: u128, images: &[usize]) -> u128 {
    let bit = |square: usize| G::bit(square / G::WIDTH, square % G::WIDTH);
    let squares = (0..G::WIDTH * G::HEIGHT).filter(|&square| stones >> bit(square) & 1 == 1);
    squares.fold(0, |all, square| all | 1 << bit(images[square]))
}

fn all_moves() -> impl Iterator<Item = Move> {
    (0..Move::LIMIT).map(Move::new)
}

/// Symmetries, as permutations of the moves' indices, are closed under
/// composition, differ from each other, and the first one is the identity.
fn check_group<G: Game>() {
    // Every number that is a move.
    let moves: Vec<Move> = all_moves()
        .filter(|&mv| G::parse_move(&G::format_move(mv)) == Ok(mv))
        .collect();
    let image = |symmetry: usize| -> Vec<Move> {
        moves
            .iter()
            .map(|&mv| G::transform_move(mv, symmetry))
            .collect()
    };
    let images: Vec<Vec<Move>> = (0..G::SYMMETRIES).map(image).collect();
    assert_eq!(images[0], moves);
    for (i, first) in images.iter().enumerate() {
        assert!(
            !images[..i].contains(first),
            "symmetry {i} is another one again"
        );
        for second in 0..G::SYMMETRIES {
            let both: Vec<Move> = first
                .iter()
                .map(|&mv| G::transform_move(mv, second))
                .collect();
            assert!(
                images.contains(&both),
                "symmetries {i} and {second} lead out of the group"
            );
        }
    }
}

#[test]
fn every_game_keeps_the_contract() {
    for info in games() {
        with_game_type!(info, G => contract::<G>(info));
    }
}

#[test]
fn an_unknown_game_is_an_error() {
    assert!(GameInfo::find("chess").is_err());
}

#[test]
fn names_are_unique() {
    for (i, info) in games().iter().enumerate() {
        assert_eq!(GameInfo::find(info.name), Ok(info));
        assert!(!games()[..i].contains(info), "{} is there twice", info.name);
    }
}

#[test]
#[should_panic = "tic-tac-toe is another game"]
fn a_position_belongs_to_one_game() {
    let start = Position::start(GameInfo::find("tic-tac-toe").unwrap());
    let _: Tiny = start.typed();
}

/// A game with no more than is required: X calls a number below 70, four for
/// each square; O answers with the remainder by 3, or with 127, and that ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Tiny {
    Start,
    Called(u8),
    Over(u8),
}

const CALLS: u8 = 70;

impl Game for Tiny {
    type Bits = u128;

    const MOVES: usize = Move::LIMIT;
    const WIDTH: usize = 6;
    const HEIGHT: usize = 3;
    const LABELS: Labels = Labels::NumberedColumns;

    fn start() -> Self {
        Tiny::Start
    }

    fn to_move(self) -> Side {
        match self {
            Tiny::Called(_) => Side::O,
            _ => Side::X,
        }
    }

    fn outcome(self) -> Option<Outcome> {
        match self {
            Tiny::Over(0) => Some(Outcome::Draw),
            Tiny::Over(1) => Some(Outcome::Win(Side::X)),
            Tiny::Over(_) => Some(Outcome::Win(Side::O)),
            _ => None,
        }
    }

    fn moves(self) -> Moves<u128> {
        match self {
            Tiny::Start => Moves::from_bits((1 << CALLS) - 1),
            Tiny::Called(call) => Moves::from_moves([usize::from(call % 3), 127].map(Move::new)),
            Tiny::Over(_) => Moves::NONE,
        }
    }

    fn play_unchecked(self, mv: Move) -> Self {
        match self {
            Tiny::Start => Tiny::Called(mv.index() as u8),
            _ => Tiny::Over(mv.index() as u8 % 3),
        }
    }

    fn stones(self) -> [u128; 2] {
        [0; 2]
    }

    fn key(self) -> Key {
        Key::from(match self {
            Tiny::Start => [0; 2],
            Tiny::Called(call) => [1, call.into()],
            Tiny::Over(end) => [2, end.into()],
        })
    }

    fn from_key(key: Key) -> Self {
        match key.halves() {
            [1, call] => Tiny::Called(call as u8),
            [2, end] => Tiny::Over(end as u8),
            _ => Tiny::Start,
        }
    }

    fn format(self) -> String {
        format!("{self:?}")
    }

    fn parse(text: &str) -> Result<Self, String> {
        let calls = (0..CALLS).map(Tiny::Called);
        let mut all = calls.chain((0..3).map(Tiny::Over)).chain([Tiny::Start]);
        all.find(|position| position.format() == text)
            .ok_or_else(|| "no position".to_owned())
    }

    fn format_move(mv: Move) -> String {
        mv.index().to_string()
    }

    fn square(self, mv: Move) -> Option<(usize, usize)> {
        (self == Tiny::Start).then(|| (mv.index() / 24, mv.index() % 24 / 4))
    }
}

/// A game that is over at once, with this many moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Over<const MOVES: usize>(u64);

impl<const MOVES: usize> Game for Over<MOVES> {
    type Bits = u64;

    const MOVES: usize = MOVES;
    const WIDTH: usize = 1;
    const HEIGHT: usize = 1;

    fn start() -> Self {
        Over(0)
    }

    fn to_move(self) -> Side {
        Side::X
    }

    fn outcome(self) -> Option<Outcome> {
        Some(Outcome::Draw)
    }

    fn moves(self) -> Moves {
        Moves::NONE
    }

    fn play_unchecked(self, _: Move) -> Self {
        self
    }

    notation_by_number!();
}

const _: GameInfo = GameInfo::of::<Over<64>>("fits", true, "");

// Registered games are described at compile time, where this is a compile error.
#[test]
#[should_panic = "more than 64 moves has Bits = u128"]
fn a_word_has_room_for_every_move() {
    GameInfo::of::<Over<65>>("does not", true, "");
}

#[test]
#[should_panic = "tiny is not registered"]
fn only_registered_games_have_a_type() {
    with_game_type!(TINY, G => contract::<G>(&TINY));
}

static TINY: GameInfo = GameInfo::of::<Tiny>("tiny", false, "a game of two moves");

#[test]
fn a_game_without_hints_keeps_the_contract() {
    contract::<Tiny>(&TINY);
    let refused = playlab::graph::compile_game(&TINY).map(drop).unwrap_err();
    assert!(refused.contains("tiny is not registered"), "{refused}");
}

#[test]
fn a_small_board_with_many_moves_is_solved_within_limits() {
    let reach = solver_facts(&TINY, Scoring::Raw).reach;
    assert!(reach.nodes < u64::MAX && reach.empties < u32::MAX);
}
