//! `lab solve` of one position.

use std::process::ExitCode;
use std::time::Instant;

use playlab::Error;
use playlab::agent::{Analysis, AnalyzedMove, Oracle, Solved};
use playlab::game::{Game, GameInfo, Move, Side, Value};
use playlab::search::{
    Counted, Limits, Method, Scoring, Stopped, TABLE_BITS, exact_solver, minimax,
};
use playlab::text::thousands;
use serde::Serialize;

use super::super::complain;
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
    /// Without its moves where the limits did not reach that far; `None` if no
    /// game comes to the position.
    analysis: Option<Analysis>,
    line: Vec<Move>,
    complete: bool,
    cost: Cost,
}

/// How to solve a position.
#[derive(Clone, Copy)]
pub struct Task {
    pub method: Method,
    pub scoring: Scoring,
    /// Positions to look at before giving up.
    pub nodes: Option<u64>,
    /// Whether games come to the position for certain.
    pub played: bool,
    pub json: bool,
}

/// Solves the position and prints what it is worth, its moves, and best play.
///
/// # Errors
///
/// [`Error::Input`] if no game comes to the position.
pub fn analyze<G: Game>(
    info: &'static GameInfo,
    position: G,
    task: Task,
) -> Result<ExitCode, Error> {
    let message = format!("searching {} by {}", info.name, task.method);
    let limit = task.nodes.unwrap_or(u64::MAX);
    let found = while_searching(message, limit, |limits| find(info, position, task, limits))?;
    let found = match found {
        Ok(found) => found,
        Err(code) => return Ok(code),
    };
    let Some(analysis) = &found.analysis else {
        return Err(Error::input(format!(
            "{}: no game of {} comes to this position",
            position.format(),
            info.name
        )));
    };
    if task.json {
        let report = report(info, position, analysis, &found.line, found.cost);
        print(&json_text(&report))?;
    } else {
        print(&text(info, position, analysis, &found))?;
    }
    if found.complete {
        return Ok(ExitCode::SUCCESS);
    }
    complain("the search ended before its moves were judged");
    Ok(ExitCode::FAILURE)
}

fn find<G: Game>(
    info: &'static GameInfo,
    position: G,
    task: Task,
    limits: &Limits,
) -> Result<Found, Stopped> {
    // The clock starts after its table is made.
    let mut solver = exact_solver::<G>(TABLE_BITS, task.scoring);
    let meaning = solver.score_meaning();
    let started = Instant::now();
    let (value, score, nodes) = match task.method {
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
        method: task.method,
        nodes,
        seconds: started.elapsed().as_secs_f64(),
    };
    let listed = info.positions.is_some();
    if listed && meaning.is_some() && !task.played && !is_reachable(info, position) {
        return Ok(Found {
            meaning,
            analysis: None,
            line: Vec::new(),
            complete: true,
            cost,
        });
    }
    let mut oracle = if listed && meaning.is_none() {
        Oracle::of(info, task.scoring)
    } else {
        // It may know the position already.
        Oracle::Searched(solver)
    };
    let left = limits.after(nodes);
    let before = oracle.nodes();
    let rest = oracle.analyze(position, &left).and_then(|analysis| {
        let left = left.after(oracle.nodes() - before);
        Ok((analysis, oracle.line(position, &left)?))
    });
    let complete = rest.is_ok();
    let (analysis, line) = rest.unwrap_or_else(|Stopped| {
        let known = Analysis {
            value,
            score,
            distance: None,
            moves: Vec::new(),
        };
        (Some(known), Vec::new())
    });
    Ok(Found {
        meaning,
        analysis,
        line,
        complete,
        cost,
    })
}

fn is_reachable<G: Game>(info: &GameInfo, position: G) -> bool {
    Solved::game(info.name).is_ok_and(|solved| solved.graph.find(position.key()).is_some())
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

fn text<G: Game>(info: &GameInfo, position: G, analysis: &Analysis, found: &Found) -> String {
    let Found {
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
    if found.complete {
        let optimal = analysis.moves.iter().filter(|mv| mv.optimal);
        let names: Vec<String> = optimal.map(|mv| G::format_move(mv.mv)).collect();
        text += &format!("\nOptimal moves (*): {}\n", names.join(" "));
        let line: Vec<String> = line.iter().map(|&mv| G::format_move(mv)).collect();
        text += &format!("Best play: {}\n", line.join(" "));
    }
    if let Some(meaning) = meaning {
        text += &format!("Scores: {meaning}.\n");
    }
    if found.complete && (analysis.distance.is_some() || analysis.score.is_some()) {
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
