use std::path::PathBuf;

use clap::Args;
use playlab::Error;
use playlab::config::{OpponentSpec, read_config};
use playlab::game::Outcome;
use playlab::learn::{Choice, UpdateRecord};
use playlab::workflow::{self, Episode, Step};

use super::output::print;
use super::position::board;

/// Play the first episodes of a training aloud: every move and every update
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab trace --config configs/qtable_o.toml
  lab trace --config configs/qtable_o.toml --skip 1000 --episodes 1")]
pub struct Trace {
    /// The experiment, as a TOML file
    #[arg(long, value_name = "FILE")]
    config: PathBuf,

    /// Set a key of the config to another value; may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// How many episodes to play
    #[arg(long, value_name = "N", default_value_t = 1)]
    episodes: u64,

    /// How many episodes to train first, without a word
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: u64,
}

impl Trace {
    /// Plays and tells.
    pub fn run(self) -> Result<(), Error> {
        let config = read_config(&self.config)?.with_overrides(&self.set)?;
        let mut trace = workflow::Trace::begin(config, self.skip)?;
        for _ in 0..self.episodes {
            print(&text(&trace.episode()))?;
        }
        Ok(())
    }
}

fn text(episode: &Episode) -> String {
    let mut text = format!("Episode {} of seed {}", episode.number, episode.seed);
    for (name, told) in [("epsilon", "ε = "), ("temperature", "temperature ")] {
        let found = episode.scalars.iter().find(|(column, _)| *column == name);
        if let Some((_, value)) = found {
            text += &format!(", {told}{value}");
        }
    }
    text += &match &episode.opponent {
        OpponentSpec::SelfPlay => ", self-play\n".to_owned(),
        OpponentSpec::Agent(agent) => format!(", against {agent}\n"),
    };
    text.extend(episode.steps.iter().map(step_text));
    text + "\n"
}

fn step_text(step: &Step) -> String {
    match step {
        Step::Moved {
            mover,
            mv,
            choice,
            position,
        } => {
            let why = match choice {
                Choice::Explored => "the learner, exploring",
                Choice::Greedy => "the learner, greedy",
                Choice::Opponent => "the opponent",
            };
            let board = board(*position, []);
            format!("\n{} plays {mv} ({why})\n{board}", mover.letter())
        }
        Step::Updated {
            position,
            mv,
            update,
        } => {
            let UpdateRecord {
                target,
                learning_rate,
                discount,
                old,
                new,
                table,
                ..
            } = update;
            let table = match table {
                0 => "Q",
                _ => "Q of the second table",
            };
            format!(
                "  update: {table}({position}, {mv}) {old:+.4} -> {new:+.4}; target {target:+.4}, \
                 TD error {:+.4}, α {learning_rate:.4}, γ {discount}\n",
                target - old,
            )
        }
        Step::Ended(Outcome::Win(side)) => format!("{} wins.\n", side.letter()),
        Step::Ended(Outcome::Draw) => "A draw.\n".to_owned(),
    }
}
