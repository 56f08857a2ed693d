//! What positions are worth, by any method, and the cost of finding out.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use serde::Serialize;

use super::hint::oracle;
use crate::agent::{MctsOptions, Stage};
use crate::error::Error;
use crate::evaluate::{Analysis, AnalyzedMove, Oracle};
use crate::game::{GameInfo, Move, Position, Side, Value};
use crate::rng::{Purpose, stream};
use crate::search::mcts::{self, bounds};
use crate::search::{
    ExactSolver, Limits, MinimaxMethod, MinimaxResult, Scoring, Stopped, TABLE_BITS, exact_solver,
    minimax, solver_facts,
};

/// Checks that a position can be reached in the stage's game, as far as that is known. Errors: [`Error::Input`]
/// if it cannot.
pub fn check_reachable(stage: &Stage, position: Position) -> Result<(), Error> {
    let game = stage.game();
    match game.listed && stage.solved()?.graph.find(position.key()).is_none() {
        false => Ok(()),
        true => Err(Error::input(format!(
            "{position}: no game of {} reaches this position",
            game.name
        ))),
    }
}

/// What was found out about a position. If the limits were reached before the end, its moves and
/// the line are missing.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "the keys of its JSON, described by the help")]
pub struct Findings {
    pub game: &'static str,
    pub position: String,
    pub to_move: Side,
    pub value: Value,
    pub score: Option<i32>,
    pub distance: Option<u32>,
    pub best_moves: Vec<String>,
    /// Best play to the end.
    pub line: Vec<String>,
    pub moves: Vec<SolvedMove>,
    /// The total cost.
    #[serde(flatten)]
    pub cost: Cost,
    /// The part of the cost spent on the position's own value.
    pub value_nodes: u64,
    pub value_seconds: f64,
    /// What scores mean beyond the value, where the game has scores.
    #[serde(skip)]
    pub meaning: Option<&'static str>,
    /// Whether the search ended before the limits were reached.
    #[serde(skip)]
    pub complete: bool,
}

/// What was found out about a move.
#[derive(Clone, Debug, Serialize)]
pub struct SolvedMove {
    /// The move in the game's notation.
    #[serde(rename = "move")]
    pub name: String,
    /// Its result under perfect play.
    #[serde(flatten)]
    pub found: AnalyzedMove,
}

/// The cost of a search.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Cost {
    /// The search method.
    pub method: MinimaxMethod,
    /// The number of positions visited.
    pub nodes: u64,
    /// The time it took.
    pub seconds: f64,
}

/// Whether a game's scores depend on whom empty squares count for.
pub fn is_about_empties(game: &'static GameInfo) -> bool {
    let meaning = |scoring| solver_facts(game, scoring).score_meaning;
    meaning(Scoring::Raw) != meaning(Scoring::WinnerTakesEmpties)
}

/// Solves a position that games on the stage can reach: its value by this method, its moves, and best
/// play; empty squares count by `scoring` at the end of a game of Othello. Errors: [`Stopped`] if the
/// limits were reached before its own value was known.
pub fn solve(
    stage: &Stage,
    position: Position,
    method: MinimaxMethod,
    scoring: Scoring,
    limits: &Limits,
) -> Result<Findings, Stopped> {
    let game = position.game();
    let mut solver = exact_solver(game, TABLE_BITS, scoring);
    let meaning = solver_facts(game, scoring).score_meaning;
    let started = Instant::now();
    let (value, score, of_value) =
        value_by(method, position, solver.as_mut(), meaning.is_some(), limits)?;
    let mut oracle = if game.listed && meaning.is_none() {
        oracle(stage, scoring, TABLE_BITS)
    } else {
        // It may know the position already.
        Oracle::searched(game, solver)
    };
    let left = limits.after(of_value.nodes);
    let before = oracle.nodes();
    let rest = oracle.analyze(position, &left).and_then(|analysis| {
        let left = left.after(oracle.nodes() - before);
        Ok(analysis.zip(Some(oracle.line(position, &left)?)))
    });
    let cost = Cost {
        method,
        nodes: of_value.nodes + oracle.nodes() - before,
        seconds: started.elapsed().as_secs_f64(),
    };
    let complete = matches!(rest, Ok(Some(_)));
    let known = Analysis {
        value,
        score,
        distance: None,
        moves: Vec::new(),
    };
    let (analysis, line) = rest.ok().flatten().unwrap_or((known, Vec::new()));
    let name = |mv: Move| position.format_move(mv);
    let optimal = analysis.moves.iter().filter(|mv| mv.optimal);
    let found = |found: &AnalyzedMove| SolvedMove {
        name: name(found.mv),
        found: *found,
    };
    Ok(Findings {
        game: game.name,
        position: position.to_string(),
        to_move: position.to_move(),
        value: analysis.value,
        score: analysis.score,
        distance: analysis.distance,
        best_moves: optimal.map(|mv| name(mv.mv)).collect(),
        line: line.into_iter().map(name).collect(),
        moves: analysis.moves.iter().map(found).collect(),
        cost,
        value_nodes: of_value.nodes,
        value_seconds: of_value.seconds,
        meaning,
        complete,
    })
}

/// The value of a position by a method, and with `with_score` the `solver`'s score. Errors: [`Stopped`] if
/// the limits were reached before.
fn value_by(
    method: MinimaxMethod,
    position: Position,
    solver: &mut dyn ExactSolver,
    with_score: bool,
    limits: &Limits,
) -> Result<(Value, Option<i32>, Cost), Stopped> {
    let started = Instant::now();
    let (value, score, nodes) = match method {
        MinimaxMethod::Solver if with_score => {
            let score = solver.score(position, limits)?;
            (Value::of_score(score), Some(score), solver.nodes())
        }
        MinimaxMethod::Solver => (solver.value(position, limits)?, None, solver.nodes()),
        method => {
            let MinimaxResult { value, nodes } = minimax(position, method, limits)?;
            (value, None, nodes)
        }
    };
    let seconds = started.elapsed().as_secs_f64();
    let cost = Cost {
        method,
        nodes,
        seconds,
    };
    Ok((value, score, cost))
}

/// What each method found about a position.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "the keys of its JSON")]
pub struct MinimaxComparison {
    pub game: &'static str,
    pub position: String,
    pub to_move: Side,
    /// The methods that finished or were given up.
    pub methods: Vec<Compared>,
    /// The methods that were stopped before they finished.
    #[serde(skip)]
    pub stopped: Vec<MinimaxMethod>,
}

/// The result of one search, and its cost.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Compared {
    /// The search method.
    pub method: MinimaxMethod,
    /// The value; like the next two, `None` where the search was given up.
    pub value: Option<Value>,
    /// The number of positions visited.
    pub nodes: Option<u64>,
    /// The time it took.
    pub seconds: Option<f64>,
    /// The number of positions after which the method is given up.
    #[serde(skip)]
    pub limit: u64,
}

/// The number of positions that a comparison visits before it gives a method up; fewer for a method
/// that keeps all of them in memory.
const COMPARISON_LIMIT: u64 = 100_000_000;
const MEMORY_LIMIT: u64 = 10_000_000;

/// Searches a position by one method after another, until the limits' stop flag is set; each method has
/// its own maximum number of positions in place of theirs.
pub fn compare_methods(position: Position, limits: &Limits) -> MinimaxComparison {
    let mut solver = exact_solver(position.game(), TABLE_BITS, Scoring::Raw);
    let mut comparison = MinimaxComparison {
        game: position.game().name,
        position: position.to_string(),
        to_move: position.to_move(),
        methods: Vec::new(),
        stopped: Vec::new(),
    };
    for method in MinimaxMethod::ALL {
        let limit = match method {
            MinimaxMethod::Memo | MinimaxMethod::Folded => MEMORY_LIMIT,
            _ => COMPARISON_LIMIT,
        };
        let own = Limits {
            nodes: limit,
            ..*limits
        };
        let found = value_by(method, position, solver.as_mut(), false, &own).ok();
        if found.is_none() && limits.check().is_err() {
            comparison.stopped.push(method);
            continue;
        }
        comparison.methods.push(Compared {
            method,
            value: found.map(|(value, ..)| value),
            nodes: found.map(|(.., cost)| cost.nodes),
            seconds: found.map(|(.., cost)| cost.seconds),
            limit,
        });
    }
    comparison
}

/// What simulations found about a position.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "the keys of its JSON, described by the help")]
pub struct Simulated {
    pub game: &'static str,
    pub position: String,
    pub to_move: Side,
    pub method: &'static str,
    pub proven: Option<Value>,
    pub best_moves: Vec<String>,
    pub simulations: u64,
    pub seconds: f64,
    pub simulations_per_second: f64,
    pub positions: usize,
    pub moves: Vec<SimulatedMove>,
    /// Whether the whole budget was used, rather than the search being stopped.
    #[serde(skip)]
    pub complete: bool,
}

/// What simulations found about a move.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "the keys of its JSON, described by the help")]
pub struct SimulatedMove {
    #[serde(rename = "move")]
    pub mv: String,
    pub visits: u64,
    pub value: Option<f64>,
    pub proven: Option<Value>,
}

/// Searches a position by simulations until the budget is used or the limits' stop flag is set. Errors:
/// [`Error::Input`] if the game is over.
pub fn simulate(
    position: Position,
    options: &MctsOptions,
    seed: u64,
    limits: &Limits,
) -> Result<Simulated, Error> {
    let game = position.game();
    if position.outcome().is_some() {
        return Err(Error::input(format!(
            "{position}: the game is over, nothing is left to search"
        )));
    }
    let MctsOptions { tree, play } = options;
    let mut rng = stream(seed, Purpose::Search, 0, 0);
    let started = Instant::now();
    let mut search = mcts::search(tree.clone(), position, None, &mut rng);
    let own = AtomicU64::new(0);
    let made = limits.progress.unwrap_or(&own);
    let limits = Limits {
        progress: Some(made),
        ..*limits
    };
    let complete = search.search(play.budget(), &limits, &mut rng).is_ok();
    let simulations = made.load(Ordering::Relaxed);
    let seconds = started.elapsed().as_secs_f64();
    let moves = search.statistics();
    let (low, high) = bounds(&moves);
    let row = |mv: &mcts::MoveStatistics| SimulatedMove {
        mv: game.format_move(mv.mv),
        visits: mv.visits,
        value: mv.value(tree.draw_value),
        proven: mv.proven(),
    };
    Ok(Simulated {
        game: game.name,
        position: position.to_string(),
        to_move: position.to_move(),
        method: "mcts",
        proven: (low == high).then_some(low),
        best_moves: search.best_moves().map(|mv| game.format_move(mv)).collect(),
        simulations,
        seconds,
        simulations_per_second: simulations as f64 / seconds,
        positions: search.node_count(),
        moves: moves.iter().map(row).collect(),
        complete,
    })
}
