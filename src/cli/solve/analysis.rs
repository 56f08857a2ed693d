//! `lab solve` of one position.

use std::process::ExitCode;
use std::time::Instant;

use playlab::Error;
use playlab::agent::{Analysis, AnalyzedMove, Oracle};
use playlab::game::{Game, GameInfo, Move, Side, Value};
use playlab::search::{Limits, Method, Scoring, Stopped, TABLE_BITS, exact_solver, minimax};
use playlab::text::thousands;
use serde::Serialize;

use super::super::output::{json_text, print, table, table_text};
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

/// What the search for the position's own value cost.
#[derive(Clone, Copy, Serialize)]
struct Cost {
    method: Method,
    nodes: u64,
    seconds: f64,
}

/// What was found out about a position.
struct Found {
    meaning: Option<&'static str>,
    analysis: Option<Analysis>,
    line: Vec<Move>,
    cost: Cost,
}

/// Solves the position and prints what it is worth, its moves, and best play.
///
/// # Errors
///
/// [`Error::Input`] if no game comes to the position, or if the method gave it up.
pub fn analyze<G: Game>(
    info: &'static GameInfo,
    position: G,
    method: Method,
    scoring: Scoring,
    nodes: Option<u64>,
    json: bool,
) -> Result<ExitCode, Error> {
    let message = format!("searching {} by {method}", info.name);
    let limit = nodes.unwrap_or(u64::MAX);
    let found = while_searching(message, limit, |limits| match method {
        Method::Solver => by_solver(info, position, scoring, limits),
        _ => by_method(info, position, method, limits),
    })?;
    let Found {
        meaning,
        analysis,
        line,
        cost,
    } = match found {
        Ok(found) => found,
        Err(code) => return Ok(code),
    };
    let Some(analysis) = analysis else {
        return Err(Error::input(format!(
            "{}: no game of {} comes to this position",
            position.format(),
            info.name
        )));
    };
    if json {
        print(&json_text(&report(info, position, &analysis, &line, cost)))?;
    } else {
        print(&text(info, position, &analysis, meaning, &line, &cost))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn by_solver<G: Game>(
    info: &'static GameInfo,
    position: G,
    scoring: Scoring,
    limits: &Limits,
) -> Result<Found, Stopped> {
    // The clock starts after its table is made.
    let mut solver = exact_solver::<G>(TABLE_BITS, scoring);
    let started = Instant::now();
    if solver.score_meaning().is_some() {
        solver.score(position, limits)?;
    } else {
        solver.value(position, limits)?;
    }
    let meaning = solver.score_meaning();
    let cost = Cost {
        method: Method::Solver,
        nodes: solver.nodes(),
        seconds: started.elapsed().as_secs_f64(),
    };
    let mut oracle = if info.positions.is_some() && solver.score_meaning().is_none() {
        Oracle::of(info)
    } else {
        // It knows the position already.
        Oracle::Searched(solver)
    };
    let limits = limits.after(cost.nodes);
    Ok(Found {
        meaning,
        analysis: oracle.analyze(position, &limits)?,
        line: oracle.line(position, &limits)?,
        cost,
    })
}

fn by_method<G: Game>(
    info: &'static GameInfo,
    position: G,
    method: Method,
    limits: &Limits,
) -> Result<Found, Stopped> {
    let started = Instant::now();
    let found = minimax(position, method, limits.nodes).ok_or(Stopped)?;
    let cost = Cost {
        method,
        nodes: found.nodes,
        seconds: started.elapsed().as_secs_f64(),
    };
    let mut oracle = Oracle::of(info);
    Ok(Found {
        meaning: exact_solver::<G>(0, Scoring::Raw).score_meaning(),
        analysis: oracle.analyze(position, limits)?,
        line: oracle.line(position, limits)?,
        cost,
    })
}

fn report<G: Game>(
    info: &'static GameInfo,
    position: G,
    analysis: &Analysis,
    line: &[Move],
    cost: Cost,
) -> Report {
    let optimal = analysis.moves.iter().filter(|mv| mv.optimal);
    Report {
        game: info.name,
        position: position.format(),
        to_move: position.to_move(),
        value: analysis.value,
        score: analysis.score,
        distance: analysis.distance,
        best_moves: optimal.map(|mv| G::format_move(mv.mv)).collect(),
        line: line.iter().map(|&mv| G::format_move(mv)).collect(),
        moves: analysis
            .moves
            .iter()
            .map(|mv| MoveReport {
                mv: G::format_move(mv.mv),
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
pub fn value_board<G: Game>(info: &GameInfo, position: G, moves: &[AnalyzedMove]) -> String {
    board(info, position.key(), |square| {
        let mv = moves.iter().find(|mv| mv.mv == square)?;
        let mark = if mv.optimal { "*" } else { " " };
        Some(match mv.score {
            Some(score) => format!("{score:+}{mark}"),
            None => format!("{}{mark}", mv.value),
        })
    })
}

fn text<G: Game>(
    info: &GameInfo,
    position: G,
    analysis: &Analysis,
    meaning: Option<&str>,
    line: &[Move],
    cost: &Cost,
) -> String {
    let plies = |distance: Option<u32>| match distance {
        None | Some(0) => String::new(),
        Some(1) => " in 1 ply".to_owned(),
        Some(plies) => format!(" in {plies} plies"),
    };
    let score = |score: Option<i32>| score.map_or_else(String::new, |s| format!(", score {s:+}"));
    let (name, side) = (info.name, position.to_move().letter());
    let value = analysis.value;
    if position.outcome().is_some() {
        return format!(
            "{name}, {}: over, a {value} for {side}{}\n",
            position.format(),
            score(analysis.score)
        );
    }
    let mut text = format!(
        "{name}, {}, {side} to move: a {value}{}{}\n\n",
        position.format(),
        plies(analysis.distance),
        score(analysis.score)
    );
    text += &value_board(info, position, &analysis.moves);
    let optimal = analysis.moves.iter().filter(|mv| mv.optimal);
    let names: Vec<String> = optimal.map(|mv| G::format_move(mv.mv)).collect();
    text += &format!("\nOptimal moves (*): {}\n", names.join(" "));
    let line: Vec<String> = line.iter().map(|&mv| G::format_move(mv)).collect();
    text += &format!("Best play: {}\n", line.join(" "));
    if let Some(meaning) = meaning {
        text += &format!("Scores: {meaning}.\n");
    }
    if analysis.distance.is_some() || analysis.score.is_some() {
        text += &format!("\n{}", moves_table::<G>(analysis));
    }
    text + &format!(
        "\n{}: {} nodes in {:.6} s\n",
        cost.method,
        thousands(cost.nodes),
        cost.seconds
    )
}

fn moves_table<G: Game>(analysis: &Analysis) -> String {
    let mut head = vec!["move", "value"];
    if analysis.score.is_some() {
        head.push("score");
    }
    if analysis.distance.is_some() {
        head.push("plies");
    }
    let mut rows = table(head, 1);
    for mv in &analysis.moves {
        let mut row = vec![G::format_move(mv.mv), mv.value.to_string()];
        row.extend(mv.score.map(|score| format!("{score:+}")));
        row.extend(mv.distance.map(|plies| plies.to_string()));
        rows.add_row(row);
    }
    table_text(&rows)
}
