//! The subcommands: arguments in, one library call, and what the person sees.

mod evaluate;
mod export;
mod inspect;
mod interrupts;
mod listings;
mod matches;
mod output;
mod perft;
mod play;
mod plot;
mod position;
mod progress;
mod report;
mod runs;
mod solve;
mod target;
mod tournament;
mod trace;
mod train;
mod watch;

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use playlab::Error;
use playlab::text::plain;
use serde::de::{DeserializeOwned, IntoDeserializer};

/// A reinforcement-learning lab for two-player board games.
///
/// Trains agents, and computes exactly how strong they are: against random and
/// perfect players, and against the opponent that suits them least.
#[derive(Parser)]
#[command(name = "lab", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  lab train --config configs/qtable_o.toml    train, and see whether the agent can be beaten
  lab evaluate runs/qtable_o-1                how strong its best checkpoints are, exactly
  lab play tic-tac-toe                        play against an agent
  lab match mcts minimax --game tic-tac-toe   let two agents play
  lab solve tic-tac-toe --compare             what every search finds, and what it costs";

#[derive(Subcommand)]
enum Command {
    Train(train::Train),
    Evaluate(evaluate::Evaluate),
    Plot(plot::Plot),
    Export(export::Export),
    Inspect(inspect::Inspect),
    Trace(trace::Trace),
    Match(matches::Match),
    Tournament(tournament::Tournament),
    Play(play::Play),
    Solve(solve::Solve),
    Perft(perft::Perft),
    Runs(runs::Runs),
    Games(listings::Games),
    Schema(listings::Schema),
    Completions(listings::Completions),
}

/// Writes a line to standard error, if that can be written to.
pub fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Reads a value by its name in configs and reports. Errors: the names that there are.
pub fn by_name<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let read = T::deserialize(text.into_deserializer());
    read.map_err(|error: serde::de::value::Error| plain(&error.to_string()))
}

/// Runs the subcommand; returns the exit code where nothing went wrong. Errors: whatever the
/// subcommand could not do.
pub fn run(arguments: Arguments) -> Result<ExitCode, Error> {
    match arguments.command {
        Command::Train(train) => return train.run(),
        Command::Match(game) => return game.run(),
        Command::Tournament(tournament) => return tournament.run(),
        Command::Solve(solve) => return solve.run(),
        Command::Evaluate(evaluate) => return evaluate.run(),
        Command::Plot(plot) => plot.run(),
        Command::Export(export) => export.run(),
        Command::Inspect(inspect) => inspect.run(),
        Command::Trace(trace) => trace.run(),
        Command::Play(play) => play.run(),
        Command::Perft(perft) => perft.run(),
        Command::Runs(runs) => runs.run(),
        Command::Games(games) => games.run(),
        Command::Schema(schema) => schema.run(),
        Command::Completions(completions) => completions.run(),
    }?;
    Ok(ExitCode::SUCCESS)
}
