use rustc_hash::FxHashMap;

use crate::game::{Game, GameInfo, Move, Value};
use crate::graph::{CompileError, GameGraph, Solution, compile_game};
use crate::search::Solver;

/// Perfect play in every position of a game.
pub enum Oracle<G> {
    /// By the game's graph.
    Listed(Box<Solved>),
    /// By search, for games with too many positions to list.
    Searched(Box<Solver<G>>),
}

/// A game's graph and what every position in it is worth.
pub struct Solved {
    /// The game.
    pub graph: GameGraph,
    /// Its values.
    pub solution: Solution,
}

impl Solved {
    /// Compiles and solves the game.
    ///
    /// # Errors
    ///
    /// As [`compile_game`].
    pub fn game(name: &str) -> Result<Solved, CompileError> {
        let graph = compile_game(name)?;
        let solution = Solution::of(&graph);
        Ok(Solved { graph, solution })
    }
}

/// What perfect play makes of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// What the position is worth to the side to move.
    pub value: Value,
    /// Plies to the end, where the game's positions are listed; see
    /// [`Solution`].
    pub distance: Option<u32>,
    /// Every legal move, in ascending order.
    pub moves: Vec<AnalyzedMove>,
}

/// What perfect play makes of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalyzedMove {
    /// The move.
    pub mv: Move,
    /// What it is worth to the side that makes it.
    pub value: Value,
    /// Plies to the end, itself included, where the game's positions are listed.
    pub distance: Option<u32>,
    /// Whether it keeps the position's value.
    pub optimal: bool,
}

impl<G: Game> Oracle<G> {
    /// The oracle of the game `G`, which `info` describes.
    pub fn of(info: &GameInfo) -> Oracle<G> {
        match Solved::game(info.name) {
            Ok(solved) => Oracle::Listed(Box::new(solved)),
            Err(_) => Oracle::Searched(Box::default()),
        }
    }

    /// Analyzes a position; `None` if no game comes to it, as far as that is known.
    pub fn analyze(&mut self, position: G) -> Option<Analysis> {
        match self {
            Oracle::Listed(solved) => solved.analyze(position.key()),
            Oracle::Searched(solver) => Some(search(solver, position)),
        }
    }

    /// A line of optimal moves from the position to the end: with the graph, moves
    /// that win as soon and lose as late as possible.
    pub fn line(&mut self, position: G) -> Vec<Move> {
        let mut line = Vec::new();
        let mut position = position;
        while let Some(mv) = self.best_move(position) {
            line.push(mv);
            position = position.play_unchecked(mv);
        }
        line
    }

    fn best_move(&mut self, position: G) -> Option<Move> {
        match self {
            Oracle::Listed(solved) => {
                let Solved { graph, solution } = &**solved;
                let number = graph.find(position.key())?;
                let mut edges = graph.edges(number);
                edges
                    .find(|&edge| solution.keeps_distance(graph, number, edge))
                    .map(|edge| graph.mv(edge))
            }
            Oracle::Searched(solver) => solver.optimal_move(position),
        }
    }
}

impl Solved {
    fn analyze(&self, key: u64) -> Option<Analysis> {
        let Solved { graph, solution } = self;
        let position = graph.find(key)?;
        let moves = graph
            .edges(position)
            .map(|edge| AnalyzedMove {
                mv: graph.mv(edge),
                value: solution.move_value(graph, edge),
                distance: Some(solution.distance(graph.child(edge)) + 1),
                optimal: solution.is_optimal(graph, position, edge),
            })
            .collect();
        Some(Analysis {
            value: solution.value(position),
            distance: Some(solution.distance(position)),
            moves,
        })
    }
}

fn search<G: Game>(solver: &mut Solver<G>, position: G) -> Analysis {
    let value = solver.value(position);
    let mut known: FxHashMap<G, Value> = FxHashMap::default();
    let moves = position
        .moves()
        .map(|mv| {
            let (child, _) = position.play_unchecked(mv).canonical();
            let reply = *known.entry(child).or_insert_with(|| solver.value(child));
            AnalyzedMove {
                mv,
                value: reply.opposite(),
                distance: None,
                optimal: reply.opposite() == value,
            }
        })
        .collect();
    Analysis {
        value,
        distance: None,
        moves,
    }
}
