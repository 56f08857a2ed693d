//! Targets of commands: checkpoints of runs, games, agents.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::known::{agent_names, game_names, is_run, known, read_agent};
use clap::Args;
use clap::builder::TypedValueParser;
use playlab::Error;
use playlab::agent::AgentSpec;
use playlab::game::GameInfo;
use playlab::graph::WORST_OPPONENTS;
use playlab::store::{Checkpoint, CheckpointChoice, RunDirectory};
use playlab::text::{self, shell_word};
use playlab::workflow::{checkpoint, is_checkpoint, learned_by};

/// Which checkpoints are meant.
#[derive(Args)]
pub struct CheckpointArguments {
    /// A run directory, or the .json or .npz of a checkpoint
    #[arg(value_name = "RUN|CHECKPOINT")]
    pub target: PathBuf,

    /// Which checkpoint of a run: best, last, or an epoch [default: best]
    #[arg(long = "checkpoint", value_name = "WHICH",
          value_parser = known(str::parse::<CheckpointChoice>, ["best", "last"]), hide_possible_values = true)]
    selection: Option<CheckpointChoice>,
}

impl CheckpointArguments {
    /// Which checkpoint of a run is selected. Errors: [`Error::Input`] if the target already is a
    /// checkpoint.
    pub fn selection(&self) -> Result<CheckpointChoice, Error> {
        self.check_choice("--checkpoint", self.selection.is_some())?;
        Ok(self.selection.unwrap_or(CheckpointChoice::Best))
    }

    fn check_choice(&self, option: &str, is_given: bool) -> Result<(), Error> {
        if is_given && is_checkpoint(&self.target) {
            return Err(Error::input(format!(
                "{option}: {} is a checkpoint itself; to choose one, name its run",
                self.target.display()
            )));
        }
        Ok(())
    }
}

/// The config file of an experiment, or what else a command puts into this group: one of them is
/// required.
#[derive(Args)]
#[group(id = ConfigFile::GROUP, required = true, multiple = false)]
pub struct ConfigFile {
    /// The experiment, as a TOML file
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// The same, as an option
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl ConfigFile {
    /// The name of the group.
    pub const GROUP: &str = "experiment";

    /// The config file's path. Errors: [`Error::Input`] if it is a run. Panics if something else of the group was
    /// given.
    pub fn path(&self) -> Result<&Path, Error> {
        let path = self.named();
        let config = RunDirectory::config_of(path);
        if config.is_file() {
            return Err(Error::input(format!(
                "{} is a run, expected a config, such as the run's own, {}; lab train --resume {} resumes it",
                path.display(),
                config.display(),
                shell_word(path)
            )));
        }
        Ok(path)
    }

    fn named(&self) -> &Path {
        let path = self.file.as_deref().or(self.config.as_deref());
        path.expect("one of the group is required")
    }

    /// The file's name without its extension. Panics: as [`path`](Self::path).
    pub fn stem(&self) -> String {
        let path = self.named();
        let stem = path.file_stem().unwrap_or(path.as_os_str());
        stem.to_string_lossy().into_owned()
    }
}

/// Which one checkpoint is meant.
#[derive(Args)]
pub struct OneCheckpoint {
    #[command(flatten)]
    of_run: CheckpointArguments,

    /// Which seed of a run [default: its first]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl OneCheckpoint {
    /// The run or the checkpoint given.
    pub fn target(&self) -> &Path {
        &self.of_run.target
    }

    /// Reads the checkpoint. Errors: [`Error::Input`] if there is none or it cannot be used.
    pub fn read(&self) -> Result<Checkpoint, Error> {
        self.of_run.check_choice("--seed", self.seed.is_some())?;
        checkpoint(&self.of_run.target, self.of_run.selection()?, self.seed)
    }
}

/// A game or an agent, by name.
#[derive(Clone)]
pub enum Word {
    Game(&'static GameInfo),
    Agent(AgentSpec),
}

/// Reads a word; completions know the games and the agents.
pub fn word() -> impl TypedValueParser<Value = Word> {
    known(str::parse::<Word>, game_names().chain(agent_names()))
}

impl FromStr for Word {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(game) = GameInfo::find(text) {
            return Ok(Word::Game(game));
        }
        let agent = read_agent(text).map(Word::Agent);
        agent.map_err(|error| {
            if is_run(text) {
                return error;
            }
            if let Some(near) = text::nearest(text, game_names()) {
                return format!("unknown game '{text}', did you mean '{near}'?");
            }
            let name = text.split(':').next().unwrap_or_default();
            let is_worst = WORST_OPPONENTS.contains(&name);
            if is_worst || text::nearest(name, AgentSpec::names()).is_some() {
                return error;
            }
            let agents: Vec<&str> = AgentSpec::forms().collect();
            format!(
                "'{text}' is neither a game (lab games lists them) nor an agent, such as {}",
                agents.join(", ")
            )
        })
    }
}

/// The game and the agents from some words: the game is one of the words, or named by `--game`, or
/// the one that an agent of a run learned. Errors: [`Error::Input`] if there is no game or more
/// than one.
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
    all.dedup();
    let game = match all[..] {
        [game] => game,
        [] => learned_by(&agents)?.map(|(game, _)| game).ok_or_else(|| {
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
