//! `lab solve --method mcts`.

use std::process::ExitCode;

use playlab::Error;
use playlab::agent::MctsOptions;
use playlab::game::Position;
use playlab::text::thousands;
use playlab::workflow::{Simulated, simulate};

use super::super::output::{or_dash, show, table, table_text};
use super::super::watch::while_searching;

/// Searches a position by simulations and prints what they found. Errors: [`Error::Input`] if the
/// game is over.
pub fn search(
    position: Position,
    options: &MctsOptions,
    seed: u64,
    json: bool,
) -> Result<ExitCode, Error> {
    let message = format!("searching {} by mcts", position.game().name);
    let searched = while_searching(message, None, |limits| {
        simulate(position, options, seed, limits)
    })?;
    let found = &searched.found;
    show(json, found, || text(found))?;
    Ok(match found.complete {
        true => ExitCode::SUCCESS,
        false => searched.unfinished("this is what was found"),
    })
}

fn text(found: &Simulated) -> String {
    let mut rows = table(["move", "visits", "value", "proven"], 1);
    for mv in &found.moves {
        let is_best = found.best_moves.contains(&mv.mv);
        let best = if is_best { "*" } else { "" };
        rows.add_row([
            format!("{}{best}", mv.mv),
            thousands(mv.visits),
            or_dash(mv.value.map(|value| format!("{value:.4}"))),
            or_dash(mv.proven),
        ]);
    }
    let proven = match found.proven {
        Some(value) => format!("proven: a {value} for {}", found.to_move.letter()),
        None => "not proven".to_owned(),
    };
    let shared = if found.moves.iter().map(|mv| mv.visits).sum::<u64>() > found.simulations {
        " Moves to symmetric positions share their visits."
    } else {
        ""
    };
    format!(
        "{}, {}, {} to move, {proven}\n\n{}\n*: the best move; what is proven comes first, then the \
         final-move rule.\nValues are mean results of simulations that the search chose, for the mover; \
         other seeds show how far they vary.{shared}\n{} simulations in {:.4} s, {} simulations/s, {} positions in the tree\n",
        found.game,
        found.position,
        found.to_move.letter(),
        table_text(&rows),
        thousands(found.simulations),
        found.seconds,
        thousands(found.simulations_per_second.round() as u64),
        thousands(found.positions as u64)
    )
}
