//! `lab solve --file`.

use std::path::Path;
use std::process::ExitCode;

use playlab::Error;
use playlab::game::GameInfo;
use playlab::search::Scoring;
use playlab::text::{count, thousands};
use playlab::workflow::{SolvedFile, solve_file};

use super::super::output::show;
use super::super::watch::while_searching;

/// Solves every position of a file, prints the cost and what differs from the file; exit code 1 if
/// something differs or is not solved, 130 after Ctrl-C. Errors: [`Error::Input`] with the line
/// that is not a position.
pub fn solve(
    game: &'static GameInfo,
    path: &Path,
    scoring: Scoring,
    nodes: Option<u64>,
    json: bool,
) -> Result<ExitCode, Error> {
    let message = format!("solving the positions of {}", path.display());
    let searched = while_searching(message, nodes, |limits| {
        solve_file(game, path, scoring, limits)
    })?;
    let found = &searched.found;
    let head = || format!("{}, {}: {}", game.name, path.display(), text(found));
    show(json, found, || lines_text(found) + &head())?;
    Ok(match found.positions - found.solved {
        0 if found.mismatches == 0 => ExitCode::SUCCESS,
        0 => ExitCode::FAILURE,
        unsolved => {
            searched.unfinished(&format!("{} unsolved", count(unsolved as u64, "position")))
        }
    })
}

/// The scores that the file lacks, and the lines that were not solved.
fn lines_text(found: &SolvedFile) -> String {
    let lines = found.lines.iter().filter_map(|line| match line.score {
        None => Some(format!("line {}: unsolved\n", line.line)),
        Some(score) if line.expected.is_none() => {
            Some(format!("line {}: score {score:+}\n", line.line))
        }
        Some(_) => None,
    });
    lines.collect()
}

fn text(found: &SolvedFile) -> String {
    let solved = || found.lines.iter().filter(|line| line.score.is_some());
    let mismatches = solved().filter_map(|line| {
        let mismatch = line.mismatch.as_ref()?;
        Some(format!("line {}: {mismatch}\n", line.line))
    });
    format!(
        "{}, {} solved, {}, {}\n{}{}{:.3} s altogether\n",
        count(found.positions as u64, "position"),
        thousands(found.solved as u64),
        match found.scores as u64 {
            0 => "no scores to check".to_owned(),
            scores => {
                let checked = solved().filter(|line| line.expected.is_some()).count();
                format!(
                    "{} of {} checked",
                    thousands(checked as u64),
                    count(scores, "score")
                )
            }
        },
        match found.mismatches {
            1 => "1 mismatch".to_owned(),
            many => format!("{} mismatches", thousands(many as u64)),
        },
        mismatches.collect::<String>(),
        match found.solved {
            0 => String::new(),
            _ => format!(
                "mean: {} in {:.6} s; {} nodes/s; ",
                count(found.mean_nodes.round() as u64, "node"),
                found.mean_seconds,
                thousands(found.nodes_per_second as u64)
            ),
        },
        found.seconds
    )
}
