//! Perfect play by one backward sweep.

use std::sync::OnceLock;

use super::optimal::OptimalMoves;
use super::{GameGraph, Policy, START, TableKind, TableLayout, Walk, compile_game};
use crate::game::{GameInfo, Side, Value};

/// A game's graph and the value of every position in it.
pub struct Solved {
    /// The game.
    pub graph: GameGraph,
    /// Its values.
    pub solution: Solution,
    walk: OnceLock<Walk>,
    optimal: [OnceLock<OptimalMoves>; 2],
    /// Indexed by kind, and by whether symmetric positions count as one.
    layouts: [[OnceLock<TableLayout>; 2]; 2],
}

impl Solved {
    /// Compiles and solves the game. Errors: as [`compile_game`].
    pub fn game(info: &'static GameInfo) -> Result<Solved, String> {
        compile_game(info).map(Solved::of)
    }

    /// Solves a compiled game.
    pub fn of(graph: GameGraph) -> Solved {
        Solved {
            solution: Solution::of(&graph),
            graph,
            walk: OnceLock::new(),
            optimal: Default::default(),
            layouts: Default::default(),
        }
    }

    /// The graph prepared for playing many games.
    pub fn walk(&self) -> &Walk {
        self.walk.get_or_init(|| Walk::new(&self.graph))
    }

    /// The layout shared by all of the game's tables of this kind; see [`TableLayout::new`].
    pub fn layout(&self, kind: TableKind, fold_symmetries: bool) -> TableLayout {
        let of_kind = &self.layouts[usize::from(kind == TableKind::Afterstate)];
        let layout = || TableLayout::new(&self.graph, kind, fold_symmetries);
        let shared = of_kind[usize::from(fold_symmetries)].get_or_init(layout);
        shared.clone()
    }

    /// The value of the game for `side` under perfect play by both.
    pub fn value_for(&self, side: Side) -> Value {
        let value = self.solution.value(START);
        match self.graph.to_move(START) == side {
            true => value,
            false => value.opposite(),
        }
    }

    /// What the move is worth to the side that makes it.
    #[inline]
    pub fn move_value(&self, edge: usize) -> Value {
        self.solution.value(self.graph.child(edge)).opposite()
    }

    /// Whether the move, one of `position`'s, keeps the position's value.
    #[inline]
    pub fn is_optimal(&self, position: usize, edge: usize) -> bool {
        self.move_value(edge) == self.solution.value(position)
    }

    /// The unweighted mean, over the live positions of a side, of the probability that a policy plays an optimal move;
    /// NaN if the side has none.
    pub fn optimal_move_rate(&self, side: Side, policy: &Policy) -> f64 {
        let find = || OptimalMoves::of(&self.graph, &self.solution, side);
        self.optimal[side.index()].get_or_init(find).rate(policy)
    }

    /// Whether the move, one of `position`'s, is on a line of the position's distance: it
    /// keeps the value, and wins as soon, draws as late or loses as late as possible.
    pub fn keeps_distance(&self, position: usize, edge: usize) -> bool {
        let left = self.solution.distance(self.graph.child(edge));
        self.is_optimal(position, edge) && left + 1 == self.solution.distance(position)
    }

    /// Whether the move, one of `position`'s, keeps the value and wins as soon or loses as
    /// late as possible; in a drawn position, whether it keeps the draw.
    pub fn is_fastest(&self, position: usize, edge: usize) -> bool {
        match self.solution.value(position) {
            Value::Draw => self.is_optimal(position, edge),
            _ => self.keeps_distance(position, edge),
        }
    }
}

/// The minimax value of every position of a graph, and the number of plies to
/// the end under perfect play.
///
/// The distance assumes that the winner wins as soon as possible, that the loser loses as
/// late as possible, and that in a draw both keep the draw and prolong the game. Distances
/// are capped at 65,535, more than any game that can be listed needs.
pub struct Solution {
    values: Vec<Value>,
    distances: Vec<u16>,
}

impl Solution {
    /// Solves every position of the graph.
    pub fn of(graph: &GameGraph) -> Solution {
        let count = graph.position_count();
        let mut solution = Solution {
            values: vec![Value::Loss; count],
            distances: vec![0; count],
        };
        for position in (0..count).rev() {
            if let Some(value) = graph.terminal_value(position, graph.to_move(position)) {
                solution.values[position] = value;
                continue;
            }
            let (mut value, mut preference) = (Value::Loss, i32::MIN);
            for edge in graph.edges(position) {
                let (other, preferred) = solution.rank(graph, edge);
                if other > value || other == value && preferred > preference {
                    (value, preference) = (other, preferred);
                }
            }
            debug_assert!(preference > i32::MIN, "a live position has a move");
            solution.values[position] = value;
            solution.distances[position] = preference.unsigned_abs() as u16;
        }
        solution
    }

    /// An edge's worth to the side that moves: the value first, then the
    /// distance, negative where short is good.
    #[inline]
    fn rank(&self, graph: &GameGraph, edge: usize) -> (Value, i32) {
        let child = graph.child(edge);
        let distance = i32::from(self.distances[child].saturating_add(1));
        match self.values[child].opposite() {
            Value::Win => (Value::Win, -distance),
            value => (value, distance),
        }
    }

    /// The value of the position for the side to move.
    #[inline]
    pub fn value(&self, position: usize) -> Value {
        self.values[position]
    }

    /// The value of every position for the side to move.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// The [distance](Self::distance) of every position.
    pub fn distances(&self) -> &[u16] {
        &self.distances
    }

    /// Plies to the end under perfect play; 0 in a finished position.
    #[inline]
    pub fn distance(&self, position: usize) -> u32 {
        u32::from(self.distances[position])
    }
}
