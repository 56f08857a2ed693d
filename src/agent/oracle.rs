use rustc_hash::FxHashMap;

use crate::game::{Game, GameInfo, Move, Value};
use crate::graph::{CompileError, GameGraph, Solution, compile_game};
use crate::search::{ExactSolver, Limits, Scoring, Stopped, TABLE_BITS, Ties, exact_solver};

/// Perfect play in every position of a game.
pub enum Oracle<G> {
    /// By the game's graph.
    Listed(Box<Solved>),
    /// By search, for games with too many positions to list and those that have scores.
    Searched(Box<dyn ExactSolver<G>>),
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
    /// Its score, where the game has scores; see [`ExactSolver::score`].
    pub score: Option<i32>,
    /// Plies to the end, where they are known; see [`Solution`].
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
    /// Its score for that side, where the game has scores.
    pub score: Option<i32>,
    /// Plies to the end, itself included, where they are known.
    pub distance: Option<u32>,
    /// Whether it keeps the position's value, and its score where it has one.
    pub optimal: bool,
}

impl<G: Game> Oracle<G> {
    /// The oracle of the game `G`, which `info` describes; scores are counted by
    /// `scoring`.
    pub fn of(info: &GameInfo, scoring: Scoring) -> Oracle<G> {
        if exact_solver::<G>(0, scoring).score_meaning().is_none()
            && let Ok(solved) = Solved::game(info.name)
        {
            return Oracle::Listed(Box::new(solved));
        }
        Oracle::Searched(exact_solver(TABLE_BITS, scoring))
    }

    /// Analyzes a position; `None` if no game comes to it, as far as that is known.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if it is searched, and the limits were reached before the end.
    pub fn analyze(&mut self, position: G, limits: &Limits) -> Result<Option<Analysis>, Stopped> {
        match self {
            Oracle::Listed(solved) => Ok(solved.analyze(position.key())),
            Oracle::Searched(solver) if solver.score_meaning().is_some() => {
                scores(solver.as_mut(), position, limits).map(Some)
            }
            Oracle::Searched(solver) => values(solver.as_mut(), position, limits).map(Some),
        }
    }

    /// A line of optimal moves from the position to the end: where distances are known,
    /// moves that win as soon and lose as late as possible.
    ///
    /// # Errors
    ///
    /// As [`analyze`](Self::analyze).
    pub fn line(&mut self, position: G, limits: &Limits) -> Result<Vec<Move>, Stopped> {
        let mut line = Vec::new();
        let mut position = position;
        let before = self.nodes();
        while let Some(mv) = {
            let left = limits.after(self.nodes() - before);
            self.best_move(position, &left)?
        } {
            line.push(mv);
            position = position.play_unchecked(mv);
        }
        Ok(line)
    }

    /// Positions that its searches have looked at.
    pub fn nodes(&self) -> u64 {
        match self {
            Oracle::Listed(_) => 0,
            Oracle::Searched(solver) => solver.nodes(),
        }
    }

    fn best_move(&mut self, position: G, limits: &Limits) -> Result<Option<Move>, Stopped> {
        match self {
            Oracle::Listed(solved) => {
                let Solved { graph, solution } = &**solved;
                let Some(number) = graph.find(position.key()) else {
                    return Ok(None);
                };
                let mut edges = graph.edges(number);
                Ok(edges
                    .find(|&edge| solution.keeps_distance(graph, number, edge))
                    .map(|edge| graph.mv(edge)))
            }
            Oracle::Searched(solver) if solver.score_meaning().is_some() => {
                solver.best(position, limits).map(|(_, mv)| mv)
            }
            Oracle::Searched(solver) => solver
                .optimal_moves(position, Ties::First, limits)
                .map(|mut moves| moves.next()),
        }
    }
}

impl Solved {
    fn analyze(&self, key: u128) -> Option<Analysis> {
        let Solved { graph, solution } = self;
        let position = graph.find(key)?;
        let moves = graph
            .edges(position)
            .map(|edge| AnalyzedMove {
                mv: graph.mv(edge),
                value: solution.move_value(graph, edge),
                score: None,
                distance: Some(solution.distance(graph.child(edge)) + 1),
                optimal: solution.is_optimal(graph, position, edge),
            })
            .collect();
        Some(Analysis {
            value: solution.value(position),
            score: None,
            distance: Some(solution.distance(position)),
            moves,
        })
    }
}

/// What a position and its moves are worth, by their values.
fn values<G: Game>(
    solver: &mut dyn ExactSolver<G>,
    position: G,
    limits: &Limits,
) -> Result<Analysis, Stopped> {
    let before = solver.nodes();
    let value = solver.value(position, limits)?;
    let mut known: FxHashMap<G, Value> = FxHashMap::default();
    let mut moves = Vec::new();
    for mv in position.moves() {
        let (child, _) = position.play_unchecked(mv).canonical();
        let reply = match known.get(&child) {
            Some(&reply) => reply,
            None => solver.value(child, &limits.after(solver.nodes() - before))?,
        };
        known.insert(child, reply);
        moves.push(AnalyzedMove {
            mv,
            value: reply.opposite(),
            score: None,
            distance: None,
            optimal: reply.opposite() == value,
        });
    }
    Ok(Analysis {
        value,
        score: None,
        distance: None,
        moves,
    })
}

/// What a position and its moves are worth, by their scores.
fn scores<G: Game>(
    solver: &mut dyn ExactSolver<G>,
    position: G,
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
        score: Some(move_score),
        distance: solver
            .distance(position.play_unchecked(mv), -move_score)
            .map(|plies| plies + 1),
        optimal: move_score == score,
    });
    let moves = moves.collect();
    Ok(Analysis {
        value: Value::of_score(score),
        score: Some(score),
        distance: solver.distance(position, score),
        moves,
    })
}
