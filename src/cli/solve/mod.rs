//! `lab solve`.

mod analysis;
mod compare;
mod file;
mod simulate;

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use clap::Args;
use playlab::Error;
use playlab::agent::{AgentSpec, Kind, MctsOptions, MctsPlay};
use playlab::game::GameInfo;
use playlab::search::{MinimaxMethod, Scoring, solver_facts};
use playlab::text;
use playlab::workflow::{check_reachable, is_about_empties, stage};

use super::known::{game, known, named};
use super::matches::report_cautions;
use super::position::PositionArguments;
use super::progress::while_waiting;
use super::whole::whole;
pub use analysis::value_board;

/// Show what positions are worth under perfect play
///
/// Prints the value for the side to move, every move with its value, and a line of
/// best play. Connect Four and Othello have scores beyond the value. In Connect Four a score of
/// 1 means that the side to move wins with its last stone, 2 with the one before that, and so on;
/// -1, -2 and so on mean the same for a loss. In Othello the score is the difference of discs at
/// the end. Distances, where they are known, are plies to the end if the winner plays for a quick
/// end and the other side for a late one.
///
/// The method only decides how the value is searched for, and what that costs. A long
/// search shows how far it is; Ctrl-C ends it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab solve tic-tac-toe --moves a1,c1,a3
  lab solve tic-tac-toe --compare
  lab solve tic-tac-toe --method mcts:simulations=2000
  lab solve mnk-4x3x3 --position X.../.O../.... --method alpha-beta --json
  lab solve connect-four --moves 44455554221
  lab solve othello-4x4
  lab solve othello --file endgames.obf

A file has one position per line: moves and a score, '4455 18', or a position, in Othello with the \
side to move, and moves with their scores, '--XXXXX--OOO... X; G8:+18; H1:+12;'. The highest of these \
is checked, as the position's score and best move; scores may be left out. Blank lines and lines that \
begin with # are skipped.")]
pub struct Solve {
    /// The game; `lab games` lists them
    #[arg(value_parser = game(), hide_possible_values = true)]
    game: &'static GameInfo,

    #[command(flatten)]
    position: PositionArguments,

    /// Solve every position of a file, check the scores that it has, print those that it lacks,
    /// and measure
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves", "compare", "method"])]
    file: Option<PathBuf>,

    /// How to search: tree, alpha-beta, alpha-beta-ordered, memo, folded, solver or mcts
    #[arg(long, value_name = "METHOD", default_value = "solver", value_parser = known(str::parse::<Searcher>, method_names()), hide_possible_values = true, long_help = method_help())]
    method: Searcher,

    /// Othello: for whom squares that stay empty count: winner, as in tournaments and
    /// collections of endgames, or nobody [default: winner with --file, else nobody]
    #[arg(long, value_name = "WHO", conflicts_with = "compare", value_parser = named::<Scoring>(), hide_possible_values = true)]
    empties: Option<Scoring>,

    /// The seed of the random numbers of mcts [default: 1]
    #[arg(long, value_name = "N", conflicts_with_all = ["file", "compare"])]
    seed: Option<u64>,

    /// Give up after looking at N positions (in Othello, a few thousand more); with --file after N for each of its
    /// positions [default: never]
    #[arg(long, value_name = "N", conflicts_with = "compare", value_parser = whole::<u64>(1..=u64::MAX))]
    nodes: Option<u64>,

    /// Search by every method, and print what each costs
    #[arg(long, conflicts_with = "method")]
    compare: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn method_help() -> String {
    let mcts = "simulations, with the agent's options: mcts:simulations=5000,c=1";
    let all = compare::meanings() + &compare::line("mcts", mcts);
    format!("How to search:\n\n{all}")
}

fn method_names() -> impl Iterator<Item = &'static str> + Clone {
    let minimax = MinimaxMethod::ALL.iter().map(|method| method.name());
    minimax.chain(["mcts"])
}

/// The kind of search.
#[derive(Clone)]
enum Searcher {
    Minimax(MinimaxMethod),
    Mcts(Box<MctsOptions>),
}

impl FromStr for Searcher {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "mcts" || text.starts_with("mcts:") {
            // Errors name an agent with its whole spec.
            text.parse::<AgentSpec>()?;
            let options = MctsOptions::read(text.split_once(':').map(|(_, rest)| rest))?;
            let play = &options.play;
            if play.reuse_tree
                || play.noise_weight > 0.0
                || play.temperature > 0.0
                || play.evaluation != MctsPlay::default().evaluation
            {
                let why = "reuse_tree, noise_weight, temperature and evaluation are for games and change nothing here";
                return Err(why.to_owned());
            }
            return Ok(Searcher::Mcts(Box::new(options)));
        }
        let mut methods = MinimaxMethod::ALL.into_iter();
        let method = methods.find(|method| method.name() == text);
        method.map(Searcher::Minimax).ok_or_else(|| {
            let hint = text::hint(text, method_names());
            format!("unknown method '{text}'{hint}")
        })
    }
}

impl Solve {
    /// Searches and prints; exit code 1 if a score differs from the file or not everything was
    /// solved, 130 if interrupted.
    pub fn run(self) -> Result<ExitCode, Error> {
        let game = self.game;
        if self.empties.is_some() && !is_about_empties(game) {
            return Err(Error::input(format!(
                "--empties: empty squares count for nobody in {}",
                game.name
            )));
        }
        if let Some(path) = &self.file {
            let scoring = self.empties.unwrap_or(Scoring::WinnerTakesEmpties);
            return file::solve(game, path, scoring, self.nodes, self.json);
        }
        let is_mcts = matches!(self.method, Searcher::Mcts(_));
        for (option, is_given, is_of_mcts) in [
            ("--nodes", self.nodes.is_some(), false),
            ("--empties", self.empties.is_some(), false),
            ("--seed", self.seed.is_some(), true),
        ] {
            if is_given && is_mcts != is_of_mcts {
                let of = if is_mcts { "not " } else { "only " };
                let text = format!("{option} is {of}for --method mcts");
                return Err(Error::input(text));
            }
        }
        let position = self.position.find(game)?;
        let stage = stage(game);
        let has_scores = solver_facts(game, Scoring::Raw).score_meaning.is_some();
        let is_over = position.outcome().is_some();
        // Listed positions show whether a game reaches the position, and what moves are worth.
        let needs_list = !has_scores && !self.compare && !is_mcts && !is_over;
        if game.listed && (needs_list || !self.position.is_played()) {
            // Ctrl-C ends this immediately.
            while_waiting("listing positions", || stage.solved())?;
        }
        if !self.position.is_played() {
            check_reachable(&stage, position)?;
        }
        if self.compare {
            return compare::compare(position, self.json);
        }
        match &self.method {
            Searcher::Minimax(method) => {
                let scoring = self.empties.unwrap_or(Scoring::Raw);
                analysis::analyze(&stage, position, *method, scoring, self.nodes, self.json)
            }
            Searcher::Mcts(options) => {
                options.check(game).map_err(Error::input)?;
                report_cautions(options.tree.caution(game).as_slice());
                simulate::search(position, options, self.seed.unwrap_or(1), self.json)
            }
        }
    }
}
