//! Positions from a file, solved one after another and checked.

use std::path::Path;
use std::time::Instant;

use serde::Serialize;

use crate::disk::{MOST_TEXT, read_given};
use crate::error::Error;
use crate::game::{GameInfo, Move, Problem};
use crate::search::{ExactSolver, Limits, Scoring, TABLE_BITS, exact_solver};

/// The results for a file of positions.
#[derive(Clone, Debug, Serialize)]
pub struct SolvedFile {
    /// Positions in the file.
    pub positions: usize,
    /// How many of them were solved.
    pub solved: usize,
    /// How many of these differ from the file.
    pub mismatches: usize,
    /// The mean number of positions visited per solved position.
    pub mean_nodes: f64,
    /// The total time of the solved positions.
    pub seconds: f64,
    /// The mean time of a solved position.
    pub mean_seconds: f64,
    /// Positions visited per second.
    pub nodes_per_second: f64,
    /// How many scores the file has.
    pub scores: usize,
    /// The positions that were tried, in the order of the file.
    pub lines: Vec<SolvedLine>,
}

/// A position from a file, and its result.
#[derive(Clone, Debug, Serialize)]
pub struct SolvedLine {
    /// The number of its line, from 1.
    pub line: usize,
    /// Its score; `None` if the limits were reached before.
    pub score: Option<i32>,
    /// The score given in the file.
    pub expected: Option<i32>,
    /// The difference from the file, in words.
    pub mismatch: Option<String>,
    /// The number of positions visited.
    pub nodes: u64,
    /// The time it took.
    pub seconds: f64,
}

/// Solves every position of a file, each within the limits; being stopped ends everything. Errors:
/// [`Error::Input`] with the line that is not a position, or if there is none.
pub fn solve_file(
    game: &'static GameInfo,
    path: &Path,
    scoring: Scoring,
    limits: &Limits,
) -> Result<SolvedFile, Error> {
    let problems = read_problems(game, path)?;
    let positions = problems.len();
    let scores = problems
        .iter()
        .filter(|(_, problem)| problem.score.is_some());
    let scores = scores.count();
    let mut solver = exact_solver(game, TABLE_BITS, scoring);
    let mut lines = Vec::new();
    for (line, problem) in problems {
        if limits.check().is_err() {
            break;
        }
        lines.push(solve_line(solver.as_mut(), line, &problem, limits));
    }
    let solved = || lines.iter().filter(|line| line.score.is_some());
    let nodes = solved().map(|line| line.nodes).sum::<u64>() as f64;
    // `sum` would make -0.0 of nothing.
    let seconds = solved().fold(0.0, |sum, line| sum + line.seconds);
    let count = solved().count();
    Ok(SolvedFile {
        positions,
        solved: count,
        mismatches: solved().filter(|line| line.mismatch.is_some()).count(),
        mean_nodes: nodes / count.max(1) as f64,
        seconds,
        mean_seconds: seconds / count.max(1) as f64,
        nodes_per_second: nodes / seconds.max(f64::MIN_POSITIVE),
        scores,
        lines,
    })
}

fn solve_line(
    solver: &mut dyn ExactSolver,
    line: usize,
    problem: &Problem,
    limits: &Limits,
) -> SolvedLine {
    // No position profits from earlier ones; clearing the table is not part of its cost.
    solver.forget();
    let started = Instant::now();
    let found = if problem.best.is_empty() {
        let score = solver.score(problem.position, limits);
        score.map(|score| (score, None))
    } else {
        solver.best(problem.position, limits)
    };
    SolvedLine {
        line,
        score: found.ok().map(|(score, _)| score),
        expected: problem.score,
        mismatch: found.ok().and_then(|found| mismatch(problem, found)),
        seconds: started.elapsed().as_secs_f64(),
        nodes: solver.nodes(),
    }
}

/// The difference from the file, in words.
fn mismatch(problem: &Problem, (score, best): (i32, Option<Move>)) -> Option<String> {
    let name = |mv: Move| problem.position.format_move(mv);
    if let Some(expected) = problem.score.filter(|expected| *expected != score) {
        return Some(format!("score {score:+}, expected {expected:+}"));
    }
    let wrong = best.filter(|mv| !problem.best.contains(mv))?;
    let right: Vec<String> = problem.best.iter().map(|&mv| name(mv)).collect();
    let right = right.join(" or ");
    Some(format!("best move {}, expected {right}", name(wrong)))
}

/// The positions of a file, each with the number of its line. Errors: [`Error::Input`] with the
/// line that is not a position, or if there is none.
fn read_problems(game: &'static GameInfo, path: &Path) -> Result<Vec<(usize, Problem)>, Error> {
    let bad = |why: String| Error::input(format!("cannot read {}: {why}", path.display()));
    let bytes = read_given(path, MOST_TEXT).map_err(Error::reading("read", path, bad))?;
    let mut problems = Vec::new();
    // Some editors begin a file with a byte-order mark.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let bad = |why: String| Error::input(format!("{}, line {number}: {why}", path.display()));
        let line = std::str::from_utf8(line).map_err(|_| bad("not text in UTF-8".to_owned()))?;
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let problem = Problem::parse(game, line).map_err(bad)?;
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
