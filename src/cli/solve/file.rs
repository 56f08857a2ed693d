//! `lab solve --file`.

use std::cell::Cell;
use std::path::Path;
use std::process::ExitCode;

use playlab::Error;
use playlab::game::GameInfo;
use playlab::search::{Scoring, TABLE_BITS, exact_solver};
use playlab::text::thousands;
use playlab::workflow::{SolvedProblem, read_problems, solve_problem};
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

/// Solves every position of a file, prints what it cost and what does not agree with the file;
/// exit code 1 if something does not. Errors: [`Error::Input`] with the line that is no position,
/// or if the limit was reached.
pub fn solve(
    game: &'static GameInfo,
    path: &Path,
    scoring: Scoring,
    nodes: Option<u64>,
    json: bool,
) -> Result<ExitCode, Error> {
    let problems = read_problems(game, path)?;
    let mut solver = exact_solver(game, TABLE_BITS, scoring);
    let current = Cell::new(0);
    let message = format!("solving {} positions of {}", problems.len(), path.display());
    let solved = while_searching(message, nodes.unwrap_or(u64::MAX), |limits| {
        let solve = |(line, problem)| {
            current.set(line);
            solve_problem(solver.as_mut(), line, problem, limits)
        };
        Ok(problems.into_iter().map(solve).collect())
    })?;
    let all: Vec<SolvedProblem> = match solved {
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
            game.name,
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
