//! `lab solve --file`.

use std::cell::Cell;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use playlab::Error;
use playlab::game::{Game, GameInfo, Move, Problem};
use playlab::search::{ExactSolver, Limits, Scoring, Stopped, TABLE_BITS, exact_solver};
use playlab::text::thousands;
use serde::Serialize;

use super::super::complain;
use super::super::output::{json_text, print};
use super::super::watch::while_searching;

#[derive(Serialize)]
struct Summary {
    positions: usize,
    mismatches: usize,
    mean_nodes: f64,
    mean_seconds: f64,
    nodes_per_second: f64,
}

/// A position of a file, and what was found.
struct Solved<G> {
    line: usize,
    problem: Problem<G>,
    score: i32,
    best: Option<Move>,
    nodes: u64,
    seconds: f64,
}

impl<G: Game> Solved<G> {
    /// What is not as the file says, in a sentence.
    fn mismatch(&self) -> Option<String> {
        let problem = &self.problem;
        let expected = problem.score.filter(|score| *score != self.score);
        let wrong_score =
            expected.map(|score| format!("score {:+}, expected {score:+}", self.score));
        let wrong_move = self.best.filter(|mv| !problem.best.contains(mv)).map(|mv| {
            let names: Vec<String> = problem.best.iter().map(|&mv| G::format_move(mv)).collect();
            let found = G::format_move(mv);
            format!("best move {found}, expected {}", names.join(" or "))
        });
        wrong_score.or(wrong_move)
    }
}

/// Solves every position of a file, prints what it cost and what does not agree with the file;
/// exit code 1 if something does not.
///
/// # Errors
///
/// [`Error::Input`] with the line that is no position, or if the limit was reached.
pub fn solve<G: Game>(
    info: &'static GameInfo,
    path: &Path,
    scoring: Scoring,
    nodes: Option<u64>,
    json: bool,
) -> Result<ExitCode, Error> {
    let problems = read::<G>(path)?;
    let mut solver = exact_solver::<G>(TABLE_BITS, scoring);
    let current = Cell::new(0);
    let message = format!("solving {} positions of {}", problems.len(), path.display());
    let solved = while_searching(message, nodes.unwrap_or(u64::MAX), |limits| {
        let solve = |(line, problem)| {
            current.set(line);
            solve_one(solver.as_mut(), line, problem, limits)
        };
        problems.into_iter().map(solve).collect()
    })?;
    let all: Vec<Solved<G>> = match solved {
        Ok(all) => all,
        Err(code) => {
            complain(&format!(
                "that was line {} of {}",
                current.get(),
                path.display()
            ));
            return Ok(code);
        }
    };
    let mismatches: Vec<String> = all
        .iter()
        .filter_map(|solved| Some(format!("line {}: {}\n", solved.line, solved.mismatch()?)))
        .collect();
    let count = all.len() as f64;
    let (sum_nodes, sum_seconds) = all.iter().fold((0, 0.0), |(nodes, seconds), solved| {
        (nodes + solved.nodes, seconds + solved.seconds)
    });
    let summary = Summary {
        positions: all.len(),
        mismatches: mismatches.len(),
        mean_nodes: sum_nodes as f64 / count,
        mean_seconds: sum_seconds / count,
        nodes_per_second: sum_nodes as f64 / sum_seconds,
    };
    if json {
        print(&json_text(&summary))?;
    } else {
        for solved in all.iter().filter(|solved| solved.problem.score.is_none()) {
            let (line, score) = (solved.line, solved.score);
            print(&format!("line {line}: score {score:+}\n"))?;
        }
        let checked = all.iter().filter(|solved| solved.problem.score.is_some());
        print(&format!(
            "{}, {}: {} positions, {} of them with a score to check, {} mismatches\n{}\
             mean: {:.1} nodes in {:.9} s; {} nodes/s; {:.3} s altogether\n",
            info.name,
            path.display(),
            summary.positions,
            checked.count(),
            summary.mismatches,
            mismatches.concat(),
            summary.mean_nodes,
            summary.mean_seconds,
            thousands(summary.nodes_per_second as u64),
            sum_seconds
        ))?;
    }
    Ok(if mismatches.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn solve_one<G: Game>(
    solver: &mut dyn ExactSolver<G>,
    line: usize,
    problem: Problem<G>,
    limits: &Limits,
) -> Result<Solved<G>, Stopped> {
    limits.check()?;
    // Every position costs what it costs alone; to forget is not part of that.
    solver.forget(problem.position);
    let started = Instant::now();
    let (score, best) = if problem.best.is_empty() {
        (solver.score(problem.position, limits)?, None)
    } else {
        solver.best(problem.position, limits)?
    };
    Ok(Solved {
        line,
        problem,
        score,
        best,
        seconds: started.elapsed().as_secs_f64(),
        nodes: solver.nodes(),
    })
}

fn read<G: Game>(path: &Path) -> Result<Vec<(usize, Problem<G>)>, Error> {
    let bytes = std::fs::read(path)
        .map_err(|error| Error::input(format!("cannot read {}: {error}", path.display())))?;
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let Ok(line) = std::str::from_utf8(line) else {
            return Err(Error::input(format!(
                "{}, line {number}: not text in UTF-8",
                path.display()
            )));
        };
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let problem = Problem::parse(line)
            .map_err(|error| Error::input(format!("{}, line {number}: {error}", path.display())))?;
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
