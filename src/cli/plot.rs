use std::path::PathBuf;

use clap::Args;
use playlab::Error;
use playlab::train::Metric;
use playlab::workflow::draw;

use super::complain;
use super::known::named;
use super::output::print;
use super::part::Part;

/// Draw the learning curves of one run, of several in one picture, or of a sweep
///
/// Without --output the pictures of one run, or of one sweep, are drawn again in its directory.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab plot runs/qtable_o-1
  lab plot runs/mcts_exploration-1 --output by_value.svg
  lab plot runs/qtable_o-1 runs/qtable_o-2 --metric win-rate --metric loss-rate --output both.png
  lab plot runs/qtable_selfplay-1 --side o --opponent random --metric win-rate --output slide.png")]
pub struct Plot {
    /// Run directories, or the directory of one sweep
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,

    /// The picture to write, .svg or .png; for a sweep it shows the rates by value, or with --metric, --side
    /// or --opponent the curves; an existing file is replaced only if it is a picture that lab made
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// What to show: unbeatable-seeds, win-rate, draw-rate and loss-rate (a panel for each opponent),
    /// optimal-move-rate, success, holds, won-openings, score-loss, discs-lost or value-error; may be given several times
    /// [default: those that say most]
    #[arg(long, value_name = "METRIC", value_parser = named::<Metric>(), hide_possible_values = true)]
    metric: Vec<Metric>,

    #[command(flatten)]
    part: Part,
}

impl Plot {
    pub fn run(self) -> Result<(), Error> {
        let only = self.part.only();
        let drawn = draw(&self.runs, &self.metric, &only, self.output.as_deref())?;
        if let Some(left_out) = &drawn.left_out {
            complain(&format!("note: {left_out}"));
        }
        let lines = drawn
            .paths
            .iter()
            .map(|path| format!("{}\n", path.display()));
        print(&lines.collect::<String>())
    }
}
