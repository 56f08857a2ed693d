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
        let mut keys: HashMap<u128, G> = HashMap::new();
        check_group::<G>();
        for symmetry in 0..G::SYMMETRIES {
            assert_eq!(G::start().transform(symmetry), G::start(), "{}", info.name);
        }
        for _ in 0..60 {
            let mut position = G::start();
            assert_eq!(position.to_move(), Side::X);
            loop {
                check_position(info, position, &mut keys);
                check_threats(info, position);
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

fn check_position<G: Game>(info: &GameInfo, position: G, keys: &mut HashMap<u128, G>) {
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
    assert!(info.positions.is_none() || position.key() >> 64 == 0);
    let mut squares = Vec::new();
    for mv in position.moves() {
        squares.extend(position.square(mv));
        assert_eq!((info.square)(position.key(), mv), position.square(mv));
        let child = position.play_unchecked(mv);
        assert_eq!(
            child.empties() + u32::from(position.square(mv).is_some()),
            position.empties()
        );
    }
    let count = squares.len();
    squares.sort_unstable();
    squares.dedup();
    assert_eq!(squares.len(), count, "moves are about different squares");
    for evaluation in 0..G::EVALUATIONS.len() {
        for symmetry in 0..G::SYMMETRIES {
            let image = position.transform(symmetry);
            assert_eq!(image.evaluate(evaluation), position.evaluate(evaluation));
        }
        assert!(position.evaluate(evaluation).abs() <= 100_000);
    }
    let text = position.format();
    assert_eq!(G::parse(&text), Ok(position), "{text}");
    assert_eq!((info.format_position)(position.key()), text);
    for symmetry in 0..G::SYMMETRIES {
        let image = position.transform(symmetry);
        assert_eq!(image.outcome(), position.outcome());
        assert_eq!(image.to_move(), position.to_move());
    }
}

fn check_threats<G: Game>(info: &GameInfo, position: G) {
    let mover = position.to_move();
    let wins: Vec<Move> = position
        .moves()
        .filter(|&mv| position.play_unchecked(mv).outcome() == Some(Outcome::Win(mover)))
        .collect();
    if info.name.starts_with("othello") {
        assert!(Side::BOTH.map(|side| position.threats(side).is_empty()) == [true; 2]);
    } else {
        assert_eq!(position.threats(mover).collect::<Vec<_>>(), wins);
    }
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
    // Every move that is one.
    let moves: Vec<Move> = (0..64)
        .map(Move::new)
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
        with_game(info.name, Contract).expect("a listed game is known");
    }
}

#[test]
fn an_unknown_game_is_an_error() {
    assert!(with_game("chess", Contract).is_err());
}
