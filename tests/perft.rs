//! The rules, checked by counting: known numbers of lines of play and of positions.

use std::collections::HashSet;

use playlab::game::{ConnectFour, Game, GameInfo, Othello, Outcome, Position, Side};
use playlab::graph::compile_game;
use playlab::search::perft;

#[track_caller]
fn counts(name: &str, from: u32, expected: &[u64]) {
    let start = Position::start(GameInfo::find(name).unwrap());
    for (depth, &count) in (from..).zip(expected) {
        assert_eq!(perft(start, depth), count, "depth {depth}");
    }
}

#[test]
fn connect_four_has_its_known_lines() {
    counts(
        "connect-four",
        1,
        &[7, 49, 343, 2401, 16_807, 117_649, 823_536, 5_673_234],
    );
}

#[test]
fn othello_has_its_known_lines() {
    counts(
        "othello",
        1,
        &[4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288],
    );
    counts(
        "othello-6x6",
        1,
        &[4, 12, 56, 244, 1364, 7604, 47_740, 308_716, 2_114_912],
    );
    counts(
        "othello-4x4",
        1,
        &[4, 12, 44, 128, 424, 1256, 3624, 9112, 20_032],
    );
}

#[test]
#[ignore = "minutes without optimization"]
fn the_large_boards_have_their_known_lines_deep_down() {
    counts("connect-four", 9, &[39_394_572, 268_031_646]);
    counts("othello", 10, &[24_571_056, 212_258_216, 1_939_879_668]);
    counts("othello-6x6", 10, &[14_976_684, 108_820_072, 811_198_864]);
}

#[test]
fn connect_four_has_its_known_positions_by_ply() {
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
fn the_smallest_othello_has_its_known_games() {
    assert_eq!(games(Othello::start()), 60_060);
}

#[track_caller]
fn has_positions(name: &str, count: usize) {
    let graph = compile_game(GameInfo::find(name).unwrap()).unwrap();
    assert_eq!(graph.position_count(), count, "{name}");
}

#[test]
fn small_boards_have_their_known_positions() {
    has_positions("connect-four-4x4", 161_029);
    has_positions("othello-4x4", 62_789);
    has_positions("mnk-4x3x3", 111_973);
}

#[test]
#[ignore = "half a minute without optimization"]
fn larger_boards_have_their_known_positions() {
    has_positions("connect-four-4x5", 1_706_255);
    has_positions("connect-four-5x4", 3_945_711);
    has_positions("mnk-4x4x3", 6_036_001);
    has_positions("mnk-4x4x4", 9_722_011);
}

#[test]
fn a_game_that_is_only_searched_has_no_graph() {
    let error = compile_game(GameInfo::find("connect-four").unwrap()).err();
    assert_eq!(
        error.unwrap(),
        "the positions of connect-four are too many to list; it can only be searched"
    );
}

#[test]
fn the_sides_take_turns_through_passes() {
    let stuck = Othello::<4>::parse("XXX./XXX./XXX./OOX. O").unwrap();
    let moves: Vec<String> = stuck.moves().map(Othello::<4>::format_move).collect();
    assert_eq!(moves, ["d1", "d2", "d4"]);
    let over = Othello::<4>::parse("XXX./XXX./XXX./.XX. O").unwrap();
    assert_eq!(over.outcome(), Some(Outcome::Win(Side::X)));
    assert!(over.moves().is_empty());
}
