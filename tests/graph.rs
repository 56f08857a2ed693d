//! How games are compiled.

use playlab::game::{Game, GameInfo, Key, Move, Moves, Outcome, Side};
use playlab::graph::{GameGraph, compile};

use crate::numbered::notation_by_number;

/// The edge of a move in a position.
pub fn find_edge(graph: &GameGraph, position: usize, mv: Move) -> usize {
    let mut edges = graph.edges(position);
    edges.find(|&edge| graph.mv(edge) == mv).unwrap()
}

/// Five positions; a breadth-first search meets 1 before 3, although 3
/// leads to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Detour(u64);

const CHILDREN: [&[u64]; 5] = [&[1, 2], &[4], &[3], &[1], &[]];

impl Game for Detour {
    type Bits = u64;
    const MOVES: usize = 2;
    const WIDTH: usize = 2;
    const HEIGHT: usize = 1;
    fn start() -> Self {
        Detour(0)
    }
    fn to_move(self) -> Side {
        Side::X
    }
    fn outcome(self) -> Option<Outcome> {
        self.moves().is_empty().then_some(Outcome::Draw)
    }
    fn moves(self) -> Moves {
        Moves::from_bits((1 << CHILDREN[self.0 as usize].len()) - 1)
    }
    fn play_unchecked(self, mv: Move) -> Self {
        Detour(CHILDREN[self.0 as usize][mv.index()])
    }

    notation_by_number!();
}

static DETOUR: GameInfo = GameInfo::of::<Detour>("detour", true, "");

#[test]
fn positions_met_before_a_parent_are_renumbered_after_it() {
    let graph = compile::<Detour>(&DETOUR, 100).unwrap();
    let order: Vec<u64> = (0..5).map(|p| graph.short_key(p)).collect();
    assert_eq!(order, [0, 2, 3, 1, 4]);
    let edges: Vec<Vec<usize>> = (0..5)
        .map(|p| graph.edges(p).map(|edge| graph.child(edge)).collect())
        .collect();
    assert_eq!(edges, [vec![3, 1], vec![2], vec![3], vec![4], vec![]]);
    assert_eq!(graph.find(Key::from(3u64)), Some(2));
}

#[test]
fn a_game_over_the_limit_is_an_error() {
    let error = compile::<Detour>(&DETOUR, 4).err();
    assert!(error.unwrap().contains("detour has more than 4 positions"));
}
