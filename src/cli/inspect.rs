use std::path::PathBuf;

use clap::Args;
use playlab::Error;
use playlab::game::Move;
use playlab::graph::GameGraph;
use playlab::run::{Experiment, Selection};
use playlab::text::thousands;

use super::loaded::{Loaded, greedy};
use super::output::{print, table, table_text};
use super::position::board;

/// Show what a checkpoint thinks of a position, beside what the oracle says
///
/// The first board has the learned value in each square, greedy moves marked by *;
/// the second has the true value, moves that keep it marked by *.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab inspect runs/qtable_o-1 --position X../.../...
  lab inspect runs/qtable_o-1 --checkpoint last --position XO./.X./...")]
pub struct Inspect {
    /// A checkpoint's .json or .npz, or a run directory (its first seed)
    #[arg(value_name = "CHECKPOINT")]
    checkpoint: PathBuf,

    /// Which checkpoint of a run: best, last, or an epoch
    #[arg(long = "checkpoint", value_name = "WHICH", default_value = "best")]
    selection: Selection,

    /// The position, rows from the top: X, O and . for squares, / between rows; in Othello
    /// with the side to move behind it, 'ROWS X'
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    position: String,
}

impl Inspect {
    /// Prints both boards and a table of the moves.
    pub fn run(self) -> Result<(), Error> {
        let loaded = Loaded::read_one(&self.checkpoint, self.selection)?;
        let experiment = loaded.experiment()?;
        let setup = experiment.setup();
        let learner = loaded.learner(&setup)?;
        let Experiment {
            graph, solution, ..
        } = &experiment;
        let position = find(graph, &self.position)?;
        let key = graph.key(position);
        let side = graph.to_move(position);
        if graph.edges(position).is_empty() {
            return Err(Error::input(format!(
                "--position {}: the game is over there",
                self.position
            )));
        }
        let policy = greedy(&learner, graph, side);

        let mut text = format!(
            "{}, {} to move; {} after {} episodes\n",
            self.position,
            side.letter(),
            loaded.path.display(),
            thousands(loaded.content.episodes)
        );
        if !setup.sides().contains(&side) {
            text += &format!("This agent did not learn to play {}.\n", side.letter());
        }
        let edge = |mv: Move| graph.find_edge(position, mv);
        let knowledge = learner.knowledge(position);
        let first = graph.edges(position).start;
        let known = |edge: usize| knowledge[edge - first];
        let mark = |text: String, marked: bool| if marked { text + "*" } else { text + " " };
        let learned = |mv| {
            edge(mv).map(|e| {
                let value = known(e)
                    .0
                    .map_or_else(|| "?".to_owned(), |q| format!("{q:+.2}"));
                mark(value, policy.probability(e) > 0.0)
            })
        };
        let oracle = |mv| {
            edge(mv).map(|e| {
                let value = solution.move_value(graph, e).to_string();
                mark(value, solution.is_optimal(graph, position, e))
            })
        };
        text += &format!(
            "\nLearned values, greedy moves marked:\n{}",
            board(graph.game(), key, learned)
        );
        text += &format!(
            "\nThe oracle's values, optimal moves marked:\n{}\n",
            board(graph.game(), key, oracle)
        );

        let mut moves = table(["move", "q", "visits", "greedy", "value", "distance"], 1);
        for edge in graph.edges(position) {
            moves.add_row([
                graph.format_move(edge),
                known(edge)
                    .0
                    .map_or_else(|| "?".to_owned(), |q| format!("{q:+.4}")),
                thousands(known(edge).1),
                format!("{:.2}", policy.probability(edge)),
                solution.move_value(graph, edge).to_string(),
                (solution.distance(graph.child(edge)) + 1).to_string(),
            ]);
        }
        print(&(text + &table_text(&moves)))
    }
}

fn find(graph: &GameGraph, text: &str) -> Result<usize, Error> {
    let key = (graph.game().parse_position)(text)
        .map_err(|error| Error::input(format!("--position: {error}")))?;
    graph
        .find(key)
        .ok_or_else(|| Error::input(format!("--position {text}: no game comes to this position")))
}
