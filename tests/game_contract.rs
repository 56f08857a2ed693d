//! What every game promises, checked on every game along random games.

use std::collections::HashMap;

use playlab::game::{Game, GameInfo, GameVisitor, Move, Outcome, Side, games, with_game};
use playlab::rng::{LabRng, Purpose, stream};
use rand::RngExt;

struct Contract;

impl GameVisitor for Contract {
    type Output = ();

    fn visit<G: Game>(self, info: &'static GameInfo) {
        let mut rng = stream(7, Purpose::Evaluation, 0, 0);
        let mut keys: HashMap<u64, G> = HashMap::new();
        check_group::<G>();
        for symmetry in 0..G::SYMMETRIES {
            assert_eq!(G::start().transform(symmetry), G::start(), "{}", info.name);
        }
        for _ in 0..60 {
            let mut position = G::start();
            assert_eq!(position.to_move(), Side::X);
            loop {
                check_position(info, position, &mut keys);
                check_threats(position);
                let moves: Vec<Move> = position.moves().collect();
                if moves.is_empty() {
                    break;
                }
                position = random_play(position, &moves, &mut rng);
            }
        }
        assert!(
            keys.len() > 100,
            "{}: too few positions were met",
            info.name
        );
    }
}

fn random_play<G: Game>(position: G, moves: &[Move], rng: &mut LabRng) -> G {
    let mv = moves[rng.random_range(0..moves.len())];
    let next = position.play(mv).expect("a listed move is legal");
    assert_eq!(next, position.play_unchecked(mv));
    assert_eq!(next.to_move(), !position.to_move(), "sides alternate");
    for symmetry in 0..G::SYMMETRIES {
        let image = position
            .transform(symmetry)
            .play(G::transform_move(mv, symmetry))
            .expect("the image of a legal move is legal");
        assert_eq!(image, next.transform(symmetry));
    }
    next
}

fn check_position<G: Game>(info: &GameInfo, position: G, keys: &mut HashMap<u64, G>) {
    let moves: Vec<Move> = position.moves().collect();
    assert!(moves.is_sorted_by(|a, b| a < b), "moves ascend");
    assert_eq!(
        moves.is_empty(),
        position.outcome().is_some(),
        "live positions have moves"
    );
    assert_eq!(position.moves().len(), moves.len());
    for mv in (0..64).map(Move::new).filter(|mv| !moves.contains(mv)) {
        let error = position.play(mv).expect_err("an unlisted move is illegal");
        assert_eq!(error.0, mv);
    }
    for &mv in &moves {
        let text = (info.format_move)(mv);
        assert_eq!((info.parse_move)(&text), Ok(mv));
    }
    assert_eq!(G::from_key(position.key()), position);
    assert_eq!(
        *keys.entry(position.key()).or_insert(position),
        position,
        "keys are injective"
    );
    let text = position.format();
    assert_eq!(G::parse(&text), Ok(position), "{text}");
    assert_eq!((info.format_position)(position.key()), text);
    for symmetry in 0..G::SYMMETRIES {
        let image = position.transform(symmetry);
        assert_eq!(image.outcome(), position.outcome());
        assert_eq!(image.to_move(), position.to_move());
    }
}

fn check_threats<G: Game>(position: G) {
    let mover = position.to_move();
    let wins: Vec<Move> = position
        .moves()
        .filter(|&mv| position.play_unchecked(mv).outcome() == Some(Outcome::Win(mover)))
        .collect();
    assert_eq!(position.threats(mover).collect::<Vec<_>>(), wins);
    let threats = position.threats(!mover);
    for mv in position.moves() {
        let next = position.play_unchecked(mv);
        for side in Side::BOTH {
            assert!(position.can_win(side) || !next.can_win(side));
            assert!(position.can_win(side) || next.outcome() != Some(Outcome::Win(side)));
        }
        if next.outcome().is_none() {
            let left = threats.filter(|&threat| threat != mv);
            assert!(left.into_iter().all(|mv| next.threats(!mover).contains(mv)));
        }
    }
    let (image, symmetry) = position.canonical();
    assert_eq!(position.transform(symmetry), image);
    assert!((0..G::SYMMETRIES).all(|s| position.transform(s).canonical().0 == image));
}

/// Symmetries, as permutations of the moves' indices, are closed under
/// composition, differ from each other, and the first one is the identity.
fn check_group<G: Game>() {
    let moves: Vec<Move> = G::start().moves().collect();
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
        with_game(info.name, Contract).expect("a listed game is known");
    }
}

#[test]
fn an_unknown_game_is_an_error() {
    assert!(with_game("chess", Contract).is_err());
}

mod text {
    use playlab::game::{Game, Mnk, Outcome, Side};
    use proptest::prelude::*;

    type TicTacToe = Mnk<3, 3, 3>;

    #[test]
    fn positions_and_squares_read_as_documented() {
        let position = TicTacToe::parse("XO./.X./..O").unwrap();
        assert_eq!(position.to_move(), Side::X);
        let names: Vec<String> = position.moves().map(TicTacToe::format_move).collect();
        assert_eq!(names, ["c1", "a2", "c2", "a3", "b3"]);
        assert_eq!(TicTacToe::parse_move("b2").unwrap().index(), 4);
        let won = TicTacToe::parse("XXX/OO./...").unwrap();
        assert_eq!(won.outcome(), Some(Outcome::Win(Side::X)));
        assert_eq!(Mnk::<4, 3, 3>::parse_move("d3").unwrap().index(), 11);
    }

    #[test]
    fn threats_are_the_squares_that_complete_a_line() {
        let names = |text: &str, side| -> Vec<String> {
            let threats = TicTacToe::parse(text).unwrap().threats(side);
            threats.map(TicTacToe::format_move).collect()
        };
        assert_eq!(names("XX./.O./.O.", Side::X), ["c1"]);
        assert_eq!(names("XX./.O./.O.", Side::O), [""; 0]);
        assert_eq!(names("XO./.XO/..X", Side::X), [""; 0]);
        assert_eq!(names("X.X/.O./O..", Side::O), [""; 0]);
        assert_eq!(names("X.X/.O./..O", Side::X), ["b1"]);
        assert_eq!(names("O.X/.O./X..", Side::O), ["c3"]);
        let full = TicTacToe::parse("XOX/OOX/.XO").unwrap();
        assert!(!full.can_win(Side::O) && !full.can_win(Side::X));
        // The sets of moves know their order.
        let moves = TicTacToe::parse("X.X/.O./O..").unwrap().moves();
        for (rank, mv) in moves.enumerate() {
            assert_eq!((moves.get(rank), moves.rank(mv)), (mv, rank));
        }
    }

    #[test]
    fn impossible_positions_are_refused_with_a_reason() {
        for (text, reason) in [
            ("", "it has 1 row(s)"),
            ("XO./.X.", "it has 2 row(s)"),
            ("XO./.X../..O", "row 2 has 4 square(s)"),
            ("XO./.Z./..O", "'Z' in row 2"),
            ("XX./X../...", "3 X and 0 O"),
            ("O../.../...", "0 X and 1 O"),
            ("XXX/OOO/...", "both sides have won"),
            ("XXX/OO./O..", "the other side moved after that"),
            ("OOO/XX./XX.", "the other side moved after that"),
        ] {
            let error = TicTacToe::parse(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
        for text in ["", "d1", "a4", "a0", "b", "2b", "b22", "pass", "ä1"] {
            assert!(TicTacToe::parse_move(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn whatever_parses_is_written_the_same(text in "[XO./x ]{0,14}|\\PC{0,14}") {
            if let Ok(position) = TicTacToe::parse(&text) {
                prop_assert_eq!(position.format(), text);
            }
        }

        #[test]
        fn no_text_makes_the_move_parser_panic(text in "\\PC{0,4}") {
            if let Ok(mv) = TicTacToe::parse_move(&text) {
                prop_assert_eq!(TicTacToe::format_move(mv), text);
            }
        }
    }
}
