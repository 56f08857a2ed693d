//! `lab solve` of one position.

use std::process::ExitCode;

use playlab::Error;
use playlab::evaluate::{Analysis, AnalyzedMove};
use playlab::game::{Move, Position, Side, Value};
use playlab::search::{Method, Scoring};
use playlab::text::thousands;
use playlab::workflow::{Cost, Findings, solve};
use serde::Serialize;

use super::super::complain;
use super::super::output::{show, table, table_text};
use super::super::position::board;
use super::super::watch::while_searching;

#[derive(Serialize)]
struct Report {
    game: &'static str,
    position: String,
    to_move: Side,
    value: Value,
    score: Option<i32>,
    distance: Option<u32>,
    best_moves: Vec<String>,
    line: Vec<String>,
    moves: Vec<MoveReport>,
    #[serde(flatten)]
    cost: Cost,
}

#[derive(Serialize)]
struct MoveReport {
    #[serde(rename = "move")]
    mv: String,
    value: Value,
    score: Option<i32>,
    distance: Option<u32>,
}

/// Solves the position and prints what it is worth, its moves, and best play. Errors: as
/// [`while_searching`].
pub fn analyze(
    position: Position,
    method: Method,
    scoring: Scoring,
    nodes: Option<u64>,
    json: bool,
) -> Result<ExitCode, Error> {
    let name = position.game().name;
    let message = format!("searching {name} by {}", method.name());
    let limit = nodes.unwrap_or(u64::MAX);
    let found = while_searching(message, limit, |limits| {
        Ok(solve(position, method, scoring, limits))
    })?;
    let found = match found {
        Ok(found) => found,
        Err(code) => return Ok(code),
    };
    let analysis = &found.analysis;
    let report = report(position, analysis, &found.line, found.cost);
    show(json, &report, || text(position, analysis, &found))?;
    if found.complete {
        return Ok(ExitCode::SUCCESS);
    }
    complain("the search ended before its moves were judged");
    Ok(ExitCode::FAILURE)
}

fn report(position: Position, analysis: &Analysis, line: &[Move], cost: Cost) -> Report {
    let optimal = analysis.moves.iter().filter(|mv| mv.optimal);
    Report {
        game: position.game().name,
        position: position.to_string(),
        to_move: position.to_move(),
        value: analysis.value,
        score: analysis.score,
        distance: analysis.distance,
        best_moves: optimal.map(|mv| position.format_move(mv.mv)).collect(),
        line: line.iter().map(|&mv| position.format_move(mv)).collect(),
        moves: analysis
            .moves
            .iter()
            .map(|mv| MoveReport {
                mv: position.format_move(mv.mv),
                value: mv.value,
                score: mv.score,
                distance: mv.distance,
            })
            .collect(),
        cost,
    }
}

/// The board with every move's score, or else its value, in its square, optimal moves
/// marked.
pub fn value_board(position: Position, moves: &[AnalyzedMove]) -> String {
    let cell = |mv: &AnalyzedMove| {
        let mark = if mv.optimal { "*" } else { " " };
        let text = match mv.score {
            Some(score) => format!("{score:+}{mark}"),
            None => format!("{}{mark}", mv.value),
        };
        (mv.mv, text)
    };
    board(position, moves.iter().map(cell))
}

fn text(position: Position, analysis: &Analysis, found: &Findings) -> String {
    let Findings {
        meaning,
        line,
        cost,
        ..
    } = found;
    let plies = |distance: Option<u32>| match distance {
        None | Some(0) => String::new(),
        Some(1) => " in 1 ply".to_owned(),
        Some(plies) => format!(" in {plies} plies"),
    };
    let score = |score: Option<i32>| score.map_or_else(String::new, |s| format!(", score {s:+}"));
    let (name, side) = (position.game().name, position.to_move().letter());
    let value = analysis.value;
    if position.outcome().is_some() {
        return format!(
            "{name}, {}: over, a {value} for {side}{}\n",
            position,
            score(analysis.score)
        );
    }
    let mut text = format!(
        "{name}, {}, {side} to move: a {value}{}{}\n\n",
        position,
        plies(analysis.distance),
        score(analysis.score)
    );
    text += &value_board(position, &analysis.moves);
    if found.complete {
        let optimal = analysis.moves.iter().filter(|mv| mv.optimal);
        let names: Vec<String> = optimal.map(|mv| position.format_move(mv.mv)).collect();
        text += &format!("\nOptimal moves (*): {}\n", names.join(" "));
        let line: Vec<String> = line.iter().map(|&mv| position.format_move(mv)).collect();
        text += &format!("Best play: {}\n", line.join(" "));
    }
    if let Some(meaning) = meaning {
        text += &format!("Scores: {meaning}.\n");
    }
    if found.complete && (analysis.distance.is_some() || analysis.score.is_some()) {
        text += &format!("\n{}", moves_table(position, analysis));
    }
    text + &format!(
        "\n{}: {} nodes in {:.6} s\n",
        cost.method.name(),
        thousands(cost.nodes),
        cost.seconds
    )
}

fn moves_table(position: Position, analysis: &Analysis) -> String {
    let mut head = vec!["move", "value"];
    if analysis.score.is_some() {
        head.push("score");
    }
    if analysis.distance.is_some() {
        head.push("plies");
    }
    let mut rows = table(head, 1);
    for mv in &analysis.moves {
        let mut row = vec![position.format_move(mv.mv), mv.value.to_string()];
        row.extend(mv.score.map(|score| format!("{score:+}")));
        row.extend(mv.distance.map(|plies| plies.to_string()));
        rows.add_row(row);
    }
    table_text(&rows)
}
