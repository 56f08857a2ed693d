//! `lab solve --method mcts`.

use std::time::Instant;

use playlab::Error;
use playlab::agent::MctsOptions;
use playlab::evaluate::wilson_mean;
use playlab::game::{Game, GameInfo, Side, Value};
use playlab::rng::{Purpose, stream};
use playlab::search::mcts::{Mcts, bounds};
use playlab::text::thousands;
use serde::Serialize;

use super::super::output::{json_text, print, table, table_text};
use super::super::progress::while_waiting;

/// Searches a position by simulations and prints what they found.
///
/// # Errors
///
/// [`Error::Input`] if the game is over.
pub fn simulate<G: Game>(
    info: &'static GameInfo,
    position: G,
    options: &MctsOptions,
    seed: u64,
    json: bool,
) -> Result<(), Error> {
    if position.outcome().is_some() {
        return Err(Error::input(format!(
            "{}: the game is over, nothing is left to search",
            position.format()
        )));
    }
    let MctsOptions { tree, play } = options;
    let mut rng = stream(seed, Purpose::Search, 0, 0);
    let started = Instant::now();
    let message = format!("searching {} by mcts", info.name);
    let (search, simulations) = while_waiting(message, || {
        let mut search = Mcts::new(tree.clone(), position, &mut rng);
        let made = search.search(play.budget(), &mut rng);
        (search, made)
    });
    let seconds = started.elapsed().as_secs_f64();
    let moves = search.statistics();
    let (low, high) = bounds(&moves);
    let report = SimulatedReport {
        game: info.name,
        position: position.format(),
        to_move: position.to_move(),
        method: "mcts",
        proven: (low == high).then_some(low),
        best_moves: search.best_moves().map(G::format_move).collect(),
        simulations,
        seconds,
        simulations_per_second: simulations as f64 / seconds,
        positions: search.node_count(),
        moves: moves
            .iter()
            .map(|mv| {
                let value = mv.value(tree.draw_value);
                // What is proven is known without doubt.
                let interval = value.map(|value| match mv.proven() {
                    Some(_) => (value, value),
                    None => wilson_mean(value, mv.samples),
                });
                SimulatedMove {
                    mv: G::format_move(mv.mv),
                    visits: mv.visits,
                    value,
                    value_low: interval.map(|interval| interval.0),
                    value_high: interval.map(|interval| interval.1),
                    proven: mv.proven(),
                }
            })
            .collect(),
    };
    if json {
        return print(&json_text(&report));
    }
    print(&report.text())
}

#[derive(Serialize)]
struct SimulatedReport {
    game: &'static str,
    position: String,
    to_move: Side,
    method: &'static str,
    proven: Option<Value>,
    best_moves: Vec<String>,
    simulations: u64,
    seconds: f64,
    simulations_per_second: f64,
    positions: usize,
    moves: Vec<SimulatedMove>,
}

#[derive(Serialize)]
struct SimulatedMove {
    #[serde(rename = "move")]
    mv: String,
    visits: u64,
    value: Option<f64>,
    value_low: Option<f64>,
    value_high: Option<f64>,
    proven: Option<Value>,
}

impl SimulatedReport {
    fn text(&self) -> String {
        let mut rows = table(["move", "visits", "value", "95 %", "proven"], 1);
        for mv in &self.moves {
            let best = if self.best_moves.contains(&mv.mv) {
                "*"
            } else {
                ""
            };
            rows.add_row([
                format!("{}{best}", mv.mv),
                thousands(mv.visits),
                mv.value
                    .map_or_else(|| "-".to_owned(), |value| format!("{value:.4}")),
                match (mv.value_low, mv.value_high) {
                    (Some(low), Some(high)) => format!("{low:.4}–{high:.4}"),
                    _ => "-".to_owned(),
                },
                mv.proven
                    .map_or_else(|| "-".to_owned(), |value| value.to_string()),
            ]);
        }
        let proven = match self.proven {
            Some(value) => format!("proven: a {value} for {}", self.to_move.letter()),
            None => "not proven".to_owned(),
        };
        let shared = if self.moves.iter().map(|mv| mv.visits).sum::<u64>() > self.simulations {
            " Moves to symmetric positions share their visits."
        } else {
            ""
        };
        format!(
            "{}, {}, {} to move, {proven}\n\n{}\n*: the best move; what is proven comes first, then the \
             final-move rule.\nValues are mean results for the mover.{shared}\n{} simulations in {:.4} s, {} simulations/s, {} positions in the tree\n",
            self.game,
            self.position,
            self.to_move.letter(),
            table_text(&rows),
            thousands(self.simulations),
            self.seconds,
            thousands(self.simulations_per_second.round() as u64),
            thousands(self.positions as u64)
        )
    }
}
