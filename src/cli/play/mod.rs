//! `lab play`.

mod drawing;
mod table;
mod thoughts;

use std::io::IsTerminal;

use clap::Args;
use playlab::Error;
use playlab::agent::{AgentSpec, Kind, Level};
use playlab::game::{GameInfo, Side};
use playlab::workflow::{Against, Session, learned_by, stage};

use self::table::Table;
use super::known::{agent_names, game, game_names, is_run, known, read_agent};
use super::matches::report_cautions;
use super::progress::while_waiting;
use super::target::{Word, game_and_agents};

/// Play against an agent, or against a person at the same board
///
/// Moves are typed in the game's notation; `help` lists what else can be typed. Where not every
/// empty square can be played, + marks those that can.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab play tic-tac-toe
  lab play tic-tac-toe --against mcts:simulations=50 --as o --hints
  lab play --against run:runs/qtable_o-1
  lab play othello --level medium
  lab play othello --against human")]
pub struct Play {
    /// The game; `lab games` lists them
    #[arg(value_name = "GAME", value_parser = known(game_to_play, game_names()), hide_possible_values = true)]
    first: Option<&'static GameInfo>,

    /// The game, if it is not named first [default: the one that an agent of a run learned]
    #[arg(long, value_parser = game(), hide_possible_values = true)]
    game: Option<&'static GameInfo>,

    /// Whom to play against: human, or an agent; `lab match --help` lists the forms
    #[arg(long, value_name = "SPEC", default_value = "mcts",
          value_parser = known(read_against, agent_names().chain(["human"])), hide_possible_values = true)]
    against: Against,

    /// Play against a trained opponent of this level: beginner, easy, medium, hard or master; in
    /// connect-four and othello
    #[arg(long, value_name = "NAME", conflicts_with = "against",
          value_parser = known(str::parse::<Level>, Level::ALL.map(Level::name)), hide_possible_values = true)]
    level: Option<Level>,

    /// The side to play against an agent, x or o; x moves first [default: x, or the one that the agent did not learn]
    #[arg(long = "as", alias = "side", value_name = "SIDE",
          value_parser = known(str::parse::<Side>, ["x", "o"]), hide_possible_values = true)]
    side: Option<Side>,

    /// Before each of your moves, show what is known of every move
    #[arg(long)]
    hints: bool,

    /// The seed of the agent's random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Play {
    /// Plays until the user quits or the input ends.
    pub fn run(mut self) -> Result<(), Error> {
        if let Some(level) = self.level {
            self.against = level.text().parse().map_err(Error::input)?;
        }
        let against = match &self.against {
            Against::Human => None,
            Against::Agent(spec) => Some(Word::Agent(spec.clone())),
        };
        let first = self.first.map(Word::Game);
        let words = Vec::from_iter(first.into_iter().chain(against));
        let (game, agents) = game_and_agents(&words, self.game)?;
        let is_human = self.against == Against::Human;
        if is_human && self.side.is_some() {
            return Err(Error::input("--as: against human both sides are yours"));
        }
        // An agent that learned one side plays that one.
        let learned = learned_by(&agents)?.map(|(_, sides)| sides);
        let side = self.side.unwrap_or(match learned {
            Some(&[learned]) => !learned,
            _ => Side::X,
        });
        let message = format!("preparing {} for {}", self.against, game.name);
        let session = while_waiting(message, || {
            Session::new(stage(game), &self.against, side, self.seed)
        })?;
        report_cautions(session.caution().map(str::to_owned).as_slice());
        let mut table = Table {
            side: (!is_human).then_some(side),
            against: self.against,
            hints: self.hints,
            session,
            colored: has_colors(),
        };
        table.sit_down()
    }
}

fn read_against(text: &str) -> Result<Against, String> {
    text.parse()
        .or_else(|_| read_agent(text).map(Against::Agent))
}

/// The game that a word names. Errors: if the word is an agent or a run, how to play against it.
fn game_to_play(word: &str) -> Result<&'static GameInfo, String> {
    GameInfo::find(word).map_err(|error| {
        let agent = match is_run(word) {
            true => format!("run:{word}"),
            false => word.to_owned(),
        };
        match agent.parse::<AgentSpec>() {
            Ok(_) => format!("to play against an agent, give --against {agent}"),
            Err(_) => error,
        }
    })
}

/// Whether colours are wanted and can be seen.
fn has_colors() -> bool {
    let says = |name, word: &str| std::env::var_os(name).is_some_and(|value| value == word);
    let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_seen = std::io::stdout().is_terminal() && !says("TERM", "dumb");
    !is_unwanted && (is_seen || says("CLICOLOR_FORCE", "1"))
}
