//! The value of every position and of every move in it.

use std::sync::Arc;

use serde::Serialize;

use crate::game::{GameInfo, Move, Position, Value};
use crate::graph::Solved;
use crate::search::{ExactSolver, Limits, Scoring, Stopped, Ties, solver_facts};

/// A source of perfect play in every position of a game.
pub enum Oracle {
    /// Looks positions up in the game's graph.
    Listed(Arc<Solved>),
    /// Searches, for games that have scores or too many positions to list.
    Searched {
        /// The solver that searches.
        solver: Box<dyn ExactSolver>,
        /// Whether the game has scores.
        has_scores: bool,
    },
}

/// The value of a position under perfect play, with its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// What the position is worth to the side to move.
    pub value: Value,
    /// Its score, where the game has scores; see [`ExactSolver::score`].
    pub score: Option<i32>,
    /// Plies to the end, where they are known; see
    /// [`Solution`](crate::graph::Solution).
    pub distance: Option<u32>,
    /// Every legal move, in ascending order.
    pub moves: Vec<AnalyzedMove>,
}

impl Analysis {
    /// The analysis of a move; `None` if the move is not legal.
    pub fn of(&self, mv: Move) -> Option<&AnalyzedMove> {
        self.moves.iter().find(|found| found.mv == mv)
    }
}

/// The value of a move under perfect play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct AnalyzedMove {
    /// The move.
    #[serde(skip)]
    pub mv: Move,
    /// What the move is worth to the side that makes it.
    pub value: Value,
    /// Its score for that side, where the game has scores.
    pub score: Option<i32>,
    /// Plies to the end, including this move, where they are known.
    pub distance: Option<u32>,
    /// Whether it keeps the position's value, and its score where it has one.
    #[serde(skip)]
    pub optimal: bool,
}

impl Oracle {
    /// An oracle that searches with a solver of the game.
    pub fn searched(game: &'static GameInfo, solver: Box<dyn ExactSolver>) -> Oracle {
        let facts = solver_facts(game, Scoring::Raw);
        Oracle::Searched {
            solver,
            has_scores: facts.score_meaning.is_some(),
        }
    }

    /// Analyzes a position; `None` if the game is listed and no game can reach the
    /// position. Errors: [`Stopped`] if the limits of a search were reached before its end.
    pub fn analyze(
        &mut self,
        position: Position,
        limits: &Limits,
    ) -> Result<Option<Analysis>, Stopped> {
        match self {
            Oracle::Listed(solved) => Ok(listed(solved, position)),
            Oracle::Searched { solver, has_scores } => {
                searched(solver.as_mut(), *has_scores, position, limits).map(Some)
            }
        }
    }

    /// A line of optimal moves from the position to the end: where distances are known,
    /// moves that win as soon and lose as late as possible. Errors: as
    /// [`analyze`](Self::analyze).
    pub fn line(&mut self, mut position: Position, limits: &Limits) -> Result<Vec<Move>, Stopped> {
        let mut line = Vec::new();
        let before = self.nodes();
        loop {
            let left = limits.after(self.nodes() - before);
            let Some(mv) = self.best_move(position, &left)? else {
                return Ok(line);
            };
            line.push(mv);
            position = position.play_unchecked(mv);
        }
    }

    /// The number of positions that its searches have looked at.
    pub fn nodes(&self) -> u64 {
        match self {
            Oracle::Listed(_) => 0,
            Oracle::Searched { solver, .. } => solver.nodes(),
        }
    }

    fn best_move(&mut self, position: Position, limits: &Limits) -> Result<Option<Move>, Stopped> {
        match self {
            Oracle::Listed(solved) => {
                let graph = &solved.graph;
                let Some(number) = graph.find(position.key()) else {
                    return Ok(None);
                };
                let mut edges = graph.edges(number);
                Ok(edges
                    .find(|&edge| solved.keeps_distance(number, edge))
                    .map(|edge| graph.mv(edge)))
            }
            Oracle::Searched {
                solver,
                has_scores: true,
            } => solver.best(position, limits).map(|(_, mv)| mv),
            Oracle::Searched { solver, .. } => solver
                .optimal_moves(position, Ties::First, limits)
                .map(|mut moves| moves.next()),
        }
    }
}

/// The analysis of a position by the graph; `None` if the graph does not contain it.
fn listed(solved: &Solved, position: Position) -> Option<Analysis> {
    let (graph, solution) = (&solved.graph, &solved.solution);
    let number = graph.find(position.key())?;
    let moves = graph
        .edges(number)
        .map(|edge| AnalyzedMove {
            mv: graph.mv(edge),
            value: solved.move_value(edge),
            score: None,
            distance: Some(solution.distance(graph.child(edge)) + 1),
            optimal: solved.is_optimal(number, edge),
        })
        .collect();
    Some(Analysis {
        value: solution.value(number),
        score: None,
        distance: Some(solution.distance(number)),
        moves,
    })
}

/// The analysis of a position by a solver; the sign of a score gives the value.
fn searched(
    solver: &mut dyn ExactSolver,
    has_scores: bool,
    position: Position,
    limits: &Limits,
) -> Result<Analysis, Stopped> {
    let moves = solver.scores(position, limits)?;
    let score = match moves.iter().map(|(_, score)| *score).max() {
        Some(best) => best,
        None => solver.score(position, limits)?,
    };
    let moves = moves.into_iter().map(|(mv, move_score)| AnalyzedMove {
        mv,
        value: Value::of_score(move_score),
        score: has_scores.then_some(move_score),
        distance: solver
            .distance(position.play_unchecked(mv), -move_score)
            .map(|plies| plies + 1),
        optimal: move_score == score,
    });
    let moves = moves.collect();
    Ok(Analysis {
        value: Value::of_score(score),
        score: has_scores.then_some(score),
        distance: solver.distance(position, score),
        moves,
    })
}
