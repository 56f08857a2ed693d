//! The rules, counted: known numbers of lines of play and of positions.

use std::collections::HashSet;

use playlab::game::{ConnectFour, Game, Othello, Outcome, Side};
use playlab::graph::compile_game;
use playlab::search::perft;

#[track_caller]
fn counts<G: Game>(from: u32, expected: &[u64]) {
    for (depth, &count) in (from..).zip(expected) {
        assert_eq!(perft(G::start(), depth), count, "depth {depth}");
    }
}

#[test]
fn connect_four_has_its_lines() {
    counts::<ConnectFour<7, 6>>(1, &[7, 49, 343, 2401, 16_807, 117_649, 823_536, 5_673_234]);
}

#[test]
fn othello_has_its_lines() {
    counts::<Othello<8>>(1, &[4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288]);
    counts::<Othello<6>>(1, &[4, 12, 56, 244, 1364, 7604, 47_740, 308_716, 2_114_912]);
    counts::<Othello<4>>(1, &[4, 12, 44, 128, 424, 1256, 3624, 9112, 20_032]);
}

#[test]
#[ignore = "minutes without optimization"]
fn the_large_boards_have_their_lines_deep_down() {
    counts::<ConnectFour<7, 6>>(9, &[39_394_572, 268_031_646]);
    counts::<Othello<8>>(10, &[24_571_056, 212_258_216, 1_939_879_668]);
    counts::<Othello<6>>(10, &[14_976_684, 108_820_072, 811_198_864]);
}

#[test]
fn connect_four_has_its_positions_by_ply() {
    let mut positions = HashSet::from([ConnectFour::<7, 6>::start()]);
    for expected in [1, 7, 49, 238, 1120, 4263, 16_422, 54_859] {
        assert_eq!(positions.len(), expected);
        positions = positions
            .iter()
            .flat_map(|&position| position.moves().map(move |mv| position.play_unchecked(mv)))
            .collect();
    }
}

/// Games of Othello on the smallest board, and how they end.
fn games(position: Othello<4>) -> u64 {
    match position.outcome() {
        Some(_) => 1,
        None => position
            .moves()
            .map(|mv| games(position.play_unchecked(mv)))
            .sum(),
    }
}

#[test]
fn the_smallest_othello_has_its_games() {
    assert_eq!(games(Othello::start()), 60_060);
}

#[test]
fn small_boards_have_their_positions() {
    for name in ["connect-four-4x4", "othello-4x4"] {
        let graph = compile_game(name).unwrap();
        assert_eq!(Some(graph.position_count() as u64), graph.game().positions);
    }
}

#[test]
#[ignore = "half a minute without optimization"]
fn larger_boards_have_their_positions() {
    for name in ["connect-four-4x5", "connect-four-5x4"] {
        let graph = compile_game(name).unwrap();
        assert_eq!(Some(graph.position_count() as u64), graph.game().positions);
    }
}

#[test]
fn the_sides_take_turns_through_passes() {
    // O cannot move after X takes the last disc that O could turn.
    let position = Othello::<4>::parse("XXXX/XOO./XXOX/.XX. O").unwrap();
    let names: Vec<String> = position.moves().map(Othello::<4>::format_move).collect();
    assert!(!names.is_empty());
    let stuck = Othello::<4>::parse("XXX./XXX./XXX./OOX. O").unwrap();
    let moves: Vec<String> = stuck.moves().map(Othello::<4>::format_move).collect();
    assert_eq!(moves, ["d1", "d2", "d4"]);
    let over = Othello::<4>::parse("XXX./XXX./XXX./.XX. O").unwrap();
    assert_eq!(over.outcome(), Some(Outcome::Win(Side::X)));
    assert!(over.moves().is_empty());
}
