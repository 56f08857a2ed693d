use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use playlab::Error;
use playlab::game::{Side, Value};
use playlab::run::{Experiment, Selection, write_atomically};
use serde::Serialize;

use super::loaded::{Loaded, greedy};
use super::output::print;

/// Write what a checkpoint has learned as a table, beside what the oracle says
///
/// One row per legal move of every reachable live position of the learner's side or
/// sides, on plain boards.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab export runs/qtable_o-1 --output table.csv
  lab export runs/qtable_o-1/checkpoints/seed-0001/epoch-000020.json --format csv")]
pub struct Export {
    /// A checkpoint's .json or .npz, or a run directory (its first seed)
    #[arg(value_name = "CHECKPOINT")]
    checkpoint: PathBuf,

    /// Which checkpoint of a run: best, last, or an epoch
    #[arg(long = "checkpoint", value_name = "WHICH", default_value = "best")]
    selection: Selection,

    /// The form of the table
    #[arg(long, value_enum, default_value_t = Form::Csv)]
    format: Form,

    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// Comma-separated values
    Csv,
}

#[derive(Serialize)]
struct Row {
    position: String,
    to_move: Side,
    #[serde(rename = "move")]
    mv: String,
    q: Option<f64>,
    visits: u64,
    greedy: f64,
    value: Value,
    optimal: bool,
}

impl Export {
    /// Writes the table.
    pub fn run(self) -> Result<(), Error> {
        let Form::Csv = self.format;
        let loaded = Loaded::read_one(&self.checkpoint, self.selection)?;
        let experiment = loaded.experiment()?;
        let csv = table(&loaded, &experiment)?;
        match &self.output {
            None => print(&csv),
            Some(path) => write_atomically(path, csv.as_bytes()).map(drop),
        }
    }
}

fn table(loaded: &Loaded, experiment: &Experiment) -> Result<String, Error> {
    let setup = experiment.setup();
    let learner = loaded.learner(&setup)?;
    let Experiment {
        graph, solution, ..
    } = experiment;
    let mut writer = csv::Writer::from_writer(Vec::new());
    for &side in setup.sides() {
        let policy = greedy(&learner, graph, side);
        for position in graph.decisions(side) {
            for (edge, (q, visits)) in graph.edges(position).zip(learner.knowledge(position)) {
                let row = Row {
                    position: graph.format_position(position),
                    to_move: side,
                    mv: graph.format_move(edge),
                    q,
                    visits,
                    greedy: policy.probability(edge),
                    value: solution.move_value(graph, edge),
                    optimal: solution.is_optimal(graph, position, edge),
                };
                writer.serialize(row).map_err(|error| {
                    Error::system("write", Path::new("the table"))(std::io::Error::other(error))
                })?;
            }
        }
    }
    let bytes = writer
        .into_inner()
        .expect("writing to memory does not fail");
    Ok(String::from_utf8(bytes).expect("the table is text"))
}
