//! `lab solve` of one position.

use std::process::ExitCode;

use playlab::Error;
use playlab::agent::Stage;
use playlab::evaluate::AnalyzedMove;
use playlab::game::{Move, Position};
use playlab::search::{MinimaxMethod, Scoring, Stopped, own_book};
use playlab::text::count;
use playlab::workflow::{Findings, solve};
use serde_json::{Value, json};

use super::super::output::{show, table, table_text};
use super::super::position::board;
use super::super::watch::while_searching;

/// Solves the position and prints what it is worth, its moves, and best play. Errors: as
/// [`while_searching`].
pub fn analyze(
    stage: &Stage,
    position: Position,
    method: MinimaxMethod,
    scoring: Scoring,
    nodes: Option<u64>,
    json: bool,
) -> Result<ExitCode, Error> {
    let name = position.game().name;
    let message = format!("searching {name} by {}", method.name());
    let searched = while_searching(message, nodes, |limits| {
        Ok(solve(stage, position, method, scoring, limits))
    })?;
    let found = match &searched.found {
        Ok(found) => found,
        Err(Stopped) => {
            if json {
                show(json, &unsolved(position, method), String::new)?;
            }
            return Ok(searched.unfinished("unsolved"));
        }
    };
    show(json, found, || text(position, found))?;
    Ok(match found.complete {
        true => ExitCode::SUCCESS,
        false => searched.unfinished("its moves are not judged"),
    })
}

/// The findings if not even the value was found, with the keys of [`Findings`].
fn unsolved(position: Position, method: MinimaxMethod) -> Value {
    json!({
        "game": position.game().name,
        "position": position.to_string(),
        "to_move": position.to_move(),
        "value": null,
        "score": null,
        "distance": null,
        "best_moves": [],
        "line": [],
        "moves": [],
        "method": method,
        "nodes": null,
        "seconds": null,
        "value_nodes": null,
        "value_seconds": null,
    })
}

/// The board with every move's score, or else its value, in its square; optimal moves are marked.
pub fn value_board<'a>(
    position: Position,
    moves: impl IntoIterator<Item = &'a AnalyzedMove>,
) -> String {
    let cell = |mv: &AnalyzedMove| -> (Move, String) {
        let mark = if mv.optimal { "*" } else { " " };
        let text = match mv.score {
            Some(score) => format!("{score:+}{mark}"),
            None => format!("{}{mark}", mv.value),
        };
        (mv.mv, text)
    };
    board(position, moves.into_iter().map(cell))
}

fn text(position: Position, found: &Findings) -> String {
    let (game, shown, value) = (found.game, &found.position, found.value);
    let side = found.to_move.letter();
    let score = match found.score {
        Some(score) => format!(", score {score:+}"),
        None => String::new(),
    };
    if position.outcome().is_some() {
        return format!("{game}, {shown}: over, a {value} for {side}{score}\n");
    }
    let end = match found.distance {
        None | Some(0) => String::new(),
        Some(1) => " in 1 ply".to_owned(),
        Some(plies) => format!(" in {plies} plies"),
    };
    let mut text = format!("{game}, {shown}, {side} to move: a {value}{end}{score}\n\n");
    text += &value_board(position, found.moves.iter().map(|mv| &mv.found));
    if found.complete {
        let (best, line) = (found.best_moves.join(" "), found.line.join(" "));
        // Only some of the moves that keep the value may keep the score.
        let which = match found.meaning {
            Some(_) => "Moves of the best score",
            None => "Optimal moves",
        };
        text += &format!("\n{which} (*): {best}\nBest play: {line}\n");
    }
    if let Some(meaning) = found.meaning {
        text += &format!("Scores: {meaning}.\n");
    }
    if found.complete && (found.distance.is_some() || found.score.is_some()) {
        text += &format!("\n{}", moves_table(found));
    }
    let method = found.cost.method.name();
    let in_book = || {
        let book = own_book(position.game())?;
        book.get(position.canonical().key().to_u64()?)
    };
    let took = |nodes: u64, seconds: f64| format!("{} in {seconds:.6} s", count(nodes, "node"));
    let value = match found.value_nodes {
        0 if in_book().is_some() => "is known from the opening book".to_owned(),
        0 => "was seen at once, without a search".to_owned(),
        nodes => format!("took {}", took(nodes, found.value_seconds)),
    };
    text + &match found.cost.nodes > found.value_nodes {
        true => format!(
            "\n{method}: the value {value}; altogether {}\n",
            took(found.cost.nodes, found.cost.seconds)
        ),
        false => format!("\n{method}: the value {value}\n"),
    }
}

fn moves_table(found: &Findings) -> String {
    let mut head = vec!["move", "value"];
    if found.score.is_some() {
        head.push("score");
    }
    if found.distance.is_some() {
        head.push("plies");
    }
    let mut rows = table(head, 1);
    for mv in &found.moves {
        let mut row = vec![mv.name.clone(), mv.found.value.to_string()];
        row.extend(mv.found.score.map(|score| format!("{score:+}")));
        row.extend(mv.found.distance.map(|plies| plies.to_string()));
        rows.add_row(row);
    }
    table_text(&rows)
}
