//! What positions are worth, by whatever means, and what finding it out costs.

use std::path::Path;
use std::time::Instant;

use serde::Serialize;

use super::checkpoints::stage;
use super::session::oracle;
use crate::agent::MctsOptions;
use crate::error::Error;
use crate::evaluate::{Analysis, Oracle, wilson_mean};
use crate::game::{GameInfo, Move, Position, Problem, Side, Value};
use crate::rng::{Purpose, stream};
use crate::search::mcts::{self, bounds};
use crate::search::{
    Counted, ExactSolver, Limits, Method, Scoring, Stopped, TABLE_BITS, exact_solver, minimax,
    solver_facts,
};

/// Checks that games come to a position, where that is known. Errors: [`Error::Input`] if no game
/// does.
pub fn check_reachable(position: Position) -> Result<(), Error> {
    let game = position.game();
    match game.listed && stage(game).solved()?.graph.find(position.key()).is_none() {
        false => Ok(()),
        true => Err(Error::input(format!(
            "{position}: no game of {} comes to this position",
            game.name
        ))),
    }
}

/// What was found out about a position.
#[derive(Clone, Debug)]
pub struct Findings {
    /// What scores say beyond the value, where the game has scores.
    pub meaning: Option<&'static str>,
    /// Without its moves where the limits did not reach that far.
    pub analysis: Analysis,
    /// Best play to the end.
    pub line: Vec<Move>,
    /// Whether the limits reached to the end.
    pub complete: bool,
    /// What the search for the position's own value cost.
    pub cost: Cost,
}

/// What a search cost.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Cost {
    /// The search.
    pub method: Method,
    /// Positions that it looked at.
    pub nodes: u64,
    /// The time that it took.
    pub seconds: f64,
}

/// Whether it matters to a game's scores whom empty squares count for.
pub fn is_about_empties(game: &'static GameInfo) -> bool {
    let meaning = |scoring| solver_facts(game, scoring).score_meaning;
    meaning(Scoring::Raw) != meaning(Scoring::WinnerTakesEmpties)
}

/// Solves a position that games come to: its value by this method, its moves, and best play;
/// empty squares count by `scoring` at the end of a game of Othello. Errors: [`Stopped`] if the
/// limits were reached before its own value was known.
pub fn solve(
    position: Position,
    method: Method,
    scoring: Scoring,
    limits: &Limits,
) -> Result<Findings, Stopped> {
    let game = position.game();
    // The clock starts after its table is made.
    let mut solver = exact_solver(game, TABLE_BITS, scoring);
    let meaning = solver_facts(game, scoring).score_meaning;
    let started = Instant::now();
    let (value, score, nodes) = match method {
        Method::Solver if meaning.is_some() => {
            let score = solver.score(position, limits)?;
            (Value::of_score(score), Some(score), solver.nodes())
        }
        Method::Solver => {
            let value = solver.value(position, limits)?;
            (value, None, solver.nodes())
        }
        method => {
            let Counted { value, nodes } = minimax(position, method, limits)?;
            (value, None, nodes)
        }
    };
    let cost = Cost {
        method,
        nodes,
        seconds: started.elapsed().as_secs_f64(),
    };
    let mut oracle = if game.listed && meaning.is_none() {
        oracle(&stage(game), scoring)
    } else {
        // It may know the position already.
        Oracle::searched(game, solver)
    };
    let left = limits.after(nodes);
    let before = oracle.nodes();
    let rest = oracle.analyze(position, &left).and_then(|analysis| {
        let left = left.after(oracle.nodes() - before);
        Ok(analysis.zip(Some(oracle.line(position, &left)?)))
    });
    let rest = rest.ok().flatten();
    let complete = rest.is_some();
    let (analysis, line) = rest.unwrap_or_else(|| {
        let known = Analysis {
            value,
            score,
            distance: None,
            moves: Vec::new(),
        };
        (known, Vec::new())
    });
    Ok(Findings {
        meaning,
        analysis,
        line,
        complete,
        cost,
    })
}

/// What one search found, and what that cost.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Compared {
    /// The search.
    pub method: Method,
    /// The value; none of these three where the search was given up.
    pub value: Option<Value>,
    /// Positions that it looked at.
    pub nodes: Option<u64>,
    /// The time that it took.
    pub seconds: Option<f64>,
    /// Positions after which it is given up.
    #[serde(skip)]
    pub limit: u64,
}

/// Positions that a comparison looks at before it gives a method up; fewer where the
/// method remembers all of them.
const COMPARISON_LIMIT: u64 = 100_000_000;
const MEMORY_LIMIT: u64 = 10_000_000;

/// Searches a position by every method.
pub fn compare_methods(position: Position) -> Vec<Compared> {
    let measure = |method| {
        let limit = match method {
            Method::Memo | Method::Folded => MEMORY_LIMIT,
            _ => COMPARISON_LIMIT,
        };
        let started = Instant::now();
        let found = minimax(position, method, &Limits::nodes(limit)).ok();
        Compared {
            method,
            value: found.map(|found| found.value),
            nodes: found.map(|found| found.nodes),
            seconds: found.map(|_| started.elapsed().as_secs_f64()),
            limit,
        }
    };
    Method::ALL.map(measure).into()
}

/// What simulations found of a position.
#[derive(Clone, Debug, Serialize)]
#[expect(
    missing_docs,
    reason = "the keys of its JSON, which the command's help explains"
)]
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
    pub moves: Vec<SolvedLine>,
}

/// What simulations found of a move.
#[derive(Clone, Debug, Serialize)]
#[expect(
    missing_docs,
    reason = "the keys of its JSON, which the command's help explains"
)]
pub struct SolvedLine {
    #[serde(rename = "move")]
    pub mv: String,
    pub visits: u64,
    pub value: Option<f64>,
    pub value_low: Option<f64>,
    pub value_high: Option<f64>,
    pub proven: Option<Value>,
}

/// Searches a position by simulations. Errors: [`Error::Input`] if the game is over.
pub fn simulate(
    position: Position,
    options: &MctsOptions,
    seed: u64,
    limits: &Limits,
) -> Result<Result<Simulated, Stopped>, Error> {
    let game = position.game();
    if position.outcome().is_some() {
        return Err(Error::input(format!(
            "{position}: the game is over, nothing is left to search"
        )));
    }
    let MctsOptions { tree, play } = options;
    let mut rng = stream(seed, Purpose::Search, 0, 0);
    let started = Instant::now();
    let mut search = mcts::search(tree.clone(), position, &mut rng);
    let simulations = match search.search(play.budget(), limits, &mut rng) {
        Ok(simulations) => simulations,
        Err(stopped) => return Ok(Err(stopped)),
    };
    let seconds = started.elapsed().as_secs_f64();
    let moves = search.statistics();
    let (low, high) = bounds(&moves);
    let row = |mv: &mcts::MoveStatistics| {
        let value = mv.value(tree.draw_value);
        // What is proven is known without doubt.
        let interval = value.map(|value| match mv.proven() {
            Some(_) => (value, value),
            None => wilson_mean(value, mv.samples),
        });
        SolvedLine {
            mv: game.format_move(mv.mv),
            visits: mv.visits,
            value,
            value_low: interval.map(|interval| interval.0),
            value_high: interval.map(|interval| interval.1),
            proven: mv.proven(),
        }
    };
    Ok(Ok(Simulated {
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
    }))
}

/// A position of a file, and what was found.
#[derive(Clone, Debug)]
pub struct SolvedProblem {
    /// The number of its line, from 1.
    pub line: usize,
    /// The position, and what the file knows of it.
    pub problem: Problem,
    /// Its score.
    pub score: i32,
    /// A best move, if the file names some.
    pub best: Option<Move>,
    /// Positions that were looked at.
    pub nodes: u64,
    /// The time that it took.
    pub seconds: f64,
}

impl SolvedProblem {
    /// What is not as the file says, in a sentence.
    pub fn mismatch(&self) -> Option<String> {
        let problem = &self.problem;
        let name = |mv: Move| problem.position.format_move(mv);
        let expected = problem.score.filter(|score| *score != self.score);
        let wrong_score =
            expected.map(|score| format!("score {:+}, expected {score:+}", self.score));
        let wrong_move = self.best.filter(|mv| !problem.best.contains(mv)).map(|mv| {
            let names: Vec<String> = problem.best.iter().map(|&mv| name(mv)).collect();
            format!("best move {}, expected {}", name(mv), names.join(" or "))
        });
        wrong_score.or(wrong_move)
    }
}

/// Solves a problem by itself. Errors: [`Stopped`] if the limits were reached before.
pub fn solve_problem(
    solver: &mut dyn ExactSolver,
    line: usize,
    problem: Problem,
    limits: &Limits,
) -> Result<SolvedProblem, Stopped> {
    limits.check()?;
    // Every position costs what it costs alone; to forget is not part of that.
    solver.forget();
    let started = Instant::now();
    let (score, best) = if problem.best.is_empty() {
        (solver.score(problem.position, limits)?, None)
    } else {
        solver.best(problem.position, limits)?
    };
    Ok(SolvedProblem {
        line,
        problem,
        score,
        best,
        seconds: started.elapsed().as_secs_f64(),
        nodes: solver.nodes(),
    })
}

/// The positions of a file, each with the number of its line. Errors: [`Error::Input`] with the
/// line that is no position, or if there is none.
pub fn read_problems(game: &'static GameInfo, path: &Path) -> Result<Vec<(usize, Problem)>, Error> {
    let bytes = std::fs::read(path)
        .map_err(|error| Error::input(format!("cannot read {}: {error}", path.display())))?;
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let bad = |why: String| Error::input(format!("{}, line {number}: {why}", path.display()));
        let line = std::str::from_utf8(line).map_err(|_| bad("not text in UTF-8".to_owned()))?;
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let problem = Problem::parse(game, line).map_err(|error| bad(error.to_string()))?;
        problems.push((number, problem));
    }
    if problems.is_empty() {
        return Err(Error::input(format!(
            "{} has no position; a line is such as '4455 18' or 'POSITION; g8:+18;'",
            path.display()
        )));
    }
    Ok(problems)
}
