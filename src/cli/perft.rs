use std::time::Instant;

use clap::Args;
use playlab::Error;
use playlab::game::GameInfo;
use playlab::search::perft;
use playlab::text::thousands;
use serde_json::json;

use super::known::game;
use super::output::{print, show};
use super::position::PositionArguments;
use super::whole::whole;

/// Count the lines of play of every length up to a depth
///
/// The counts are known for many games, which makes them a test of the rules and of
/// their speed. Games that end before the depth do not count there.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab perft tic-tac-toe 9
  lab perft mnk-4x4x4 6 --moves b2,c3 --json")]
pub struct Perft {
    /// The game; `lab games` lists them
    #[arg(value_parser = game(), hide_possible_values = true)]
    game: &'static GameInfo,

    /// The number of plies
    #[arg(allow_negative_numbers = true, value_parser = whole::<u32>(1..=64))]
    depth: u32,

    #[command(flatten)]
    position: PositionArguments,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Perft {
    pub fn run(self) -> Result<(), Error> {
        let position = self.position.find(self.game)?;
        let mut counts = Vec::new();
        if !self.json {
            print(&format!("depth {:>26}    seconds\n", "leaves"))?;
        }
        for depth in 1..=self.depth {
            let started = Instant::now();
            let leaves = perft(position, depth);
            let seconds = started.elapsed().as_secs_f64();
            counts.push(leaves);
            if !self.json {
                // Prints each count as soon as it is known: the next one takes longer.
                print(&format!(
                    "{depth:>5} {:>26} {seconds:>10.3}\n",
                    thousands(leaves)
                ))?;
            }
        }
        show(self.json, &json!({ "counts": counts }), String::new)
    }
}
