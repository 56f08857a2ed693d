//! What is meant: checkpoints of runs, games, agents.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use playlab::Error;
use playlab::agent::AgentSpec;
use playlab::game::{GameInfo, games};
use playlab::store::{Checkpoint, Selection};
use playlab::text;
use playlab::workflow::{checkpoint, learned_game};

/// Which checkpoints are meant.
#[derive(Args)]
pub struct CheckpointArguments {
    /// A run directory, or the .json or .npz of a checkpoint
    #[arg(value_name = "RUN|CHECKPOINT")]
    pub target: PathBuf,

    /// Which checkpoint of a run: best, last, or an epoch [default: best]
    #[arg(long = "checkpoint", value_name = "WHICH")]
    selection: Option<Selection>,
}

impl CheckpointArguments {
    /// Which one of a run. Errors: [`Error::Input`] if that is told of what is a checkpoint
    /// itself.
    pub fn selection(&self) -> Result<Selection, Error> {
        if self.selection.is_some() && self.target.is_file() {
            return Err(Error::input(format!(
                "--checkpoint: {} is a checkpoint itself; to choose one, name its run",
                self.target.display()
            )));
        }
        Ok(self.selection.unwrap_or(Selection::Best))
    }

    /// The one checkpoint, or the one of the run's first seed. Errors: [`Error::Input`] if there
    /// is none or it cannot be used.
    pub fn first(&self) -> Result<Checkpoint, Error> {
        checkpoint(&self.target, self.selection()?, None)
    }
}

/// A game or an agent, by its name.
#[derive(Clone)]
pub enum Word {
    Game(&'static GameInfo),
    Agent(AgentSpec),
}

impl FromStr for Word {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(game) = GameInfo::find(text) {
            return Ok(Word::Game(game));
        }
        let agent = text.parse().map(Word::Agent);
        agent.map_err(|error| {
            let near = text::nearest(text, games().iter().map(|game| game.name));
            near.map_or(error, |near| {
                format!("unknown game '{text}', did you mean '{near}'?")
            })
        })
    }
}

/// The game that is meant, and the agents among some words: the game is one of these, or named by
/// `--game`, or the one that an agent of a run learned. Errors: [`Error::Input`] if that is no
/// game or more than one.
pub fn game_and_agents(
    words: &[Word],
    named: Option<&'static GameInfo>,
) -> Result<(&'static GameInfo, Vec<AgentSpec>), Error> {
    let (mut all, mut agents) = (Vec::from_iter(named), Vec::new());
    for word in words {
        match word {
            Word::Game(game) => all.push(*game),
            Word::Agent(agent) => agents.push(agent.clone()),
        }
    }
    let game = match all[..] {
        [game] => game,
        [] => learned_game(&agents)?.ok_or_else(|| {
            Error::input("which game? Name it first, or as --game NAME; lab games lists them")
        })?,
        [one, other, ..] => {
            let text = format!(
                "{} and {} are two games, expected one",
                one.name, other.name
            );
            return Err(Error::input(text));
        }
    };
    Ok((game, agents))
}
