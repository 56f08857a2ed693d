use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, ValueEnum};
use playlab::Error;
use playlab::agent::{Agent, AgentSpec};
use playlab::evaluate::{MatchPlan, PairingResult, Seats, Tally, play_pairings, wilson};
use playlab::game::{Game, GameInfo, GameVisitor, Side, with_game};
use playlab::graph::{Rates, Sweeper};
use playlab::run::{Cast, GameName};
use playlab::text::thousands;
use serde::Serialize;

use super::complain;
use super::interrupts::watch_for_interrupts;
use super::output::{json_text, print, table, table_text};
use super::progress::{games_bar, while_waiting};

/// Let two agents play against each other
///
/// Agents are random, minimax, minimax:first, minimax:fastest, block-or-random, greedy,
/// weighted, standard-weights, alpha-beta:depth=4, mcts:simulations=1000,c=1.4 and run:DIRECTORY, with options
/// after the colon, which the README lists. Wins and losses are A's. The same seed plays the same games, whatever the number of threads.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab match mcts:simulations=1000 minimax --game tic-tac-toe --games 1000
  lab match random minimax --game tic-tac-toe --exact
  lab match run:runs/qtable_o-1 mcts:simulations=50 --game tic-tac-toe --games 500 --seats b-first")]
pub struct Match {
    /// The first agent
    #[arg(value_name = "A")]
    a: AgentSpec,

    /// The second agent
    #[arg(value_name = "B")]
    b: AgentSpec,

    /// The game; `lab games` lists them
    #[arg(long)]
    game: GameName,

    /// How many games to play
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    games: u64,

    /// The seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Who moves first
    #[arg(long, value_enum, default_value_t = SeatsArgument::Alternate)]
    seats: SeatsArgument,

    /// Games to play at the same time [default: the number of processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Compute the probabilities instead of playing; for agents whose moves have known
    /// probabilities, on games whose positions are listed
    #[arg(long, conflicts_with_all = ["games", "seed", "threads"])]
    exact: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Who moves first in the games.
#[derive(Clone, Copy, ValueEnum)]
pub enum SeatsArgument {
    /// A in the first game, B in the second, and so on
    Alternate,
    /// Always A
    AFirst,
    /// Always B
    BFirst,
}

impl From<SeatsArgument> for Seats {
    fn from(argument: SeatsArgument) -> Seats {
        match argument {
            SeatsArgument::Alternate => Seats::Alternate,
            SeatsArgument::AFirst => Seats::AFirst,
            SeatsArgument::BFirst => Seats::BFirst,
        }
    }
}

#[derive(Serialize)]
struct Report {
    game: &'static str,
    a: String,
    b: String,
    #[serde(flatten)]
    total: Part,
    /// Of played games only.
    distinct_games: Option<u64>,
    /// Simulations that the agents made.
    a_simulations: Option<u64>,
    b_simulations: Option<u64>,
    a_first: Option<Part>,
    b_first: Option<Part>,
}

/// Some of the games, from A's view. An exact result has probabilities in place of
/// counts.
#[derive(Serialize)]
struct Part {
    games: Option<u64>,
    wins: Option<u64>,
    draws: Option<u64>,
    losses: Option<u64>,
    win_rate: f64,
    draw_rate: f64,
    loss_rate: f64,
    win_low: f64,
    win_high: f64,
}

impl Part {
    fn played(tally: Tally) -> Part {
        let rates = tally.rates();
        let (win_low, win_high) = wilson(tally.wins, tally.games());
        Part {
            games: Some(tally.games()),
            wins: Some(tally.wins),
            draws: Some(tally.draws),
            losses: Some(tally.losses),
            win_rate: rates.win,
            draw_rate: rates.draw,
            loss_rate: rates.loss,
            win_low,
            win_high,
        }
    }

    fn exact(rates: Rates) -> Part {
        Part {
            games: None,
            wins: None,
            draws: None,
            losses: None,
            win_rate: rates.win,
            draw_rate: rates.draw,
            loss_rate: rates.loss,
            win_low: rates.win,
            win_high: rates.win,
        }
    }
}

impl Match {
    /// Plays and prints; exit code 130 if it was interrupted.
    pub fn run(self) -> Result<ExitCode, Error> {
        with_game(self.game.as_str(), &self).map_err(|error| Error::input(error.to_string()))?
    }

    fn compute(&self, info: &'static GameInfo) -> Result<Report, Error> {
        let message = format!("listing the positions of {}", info.name);
        while_waiting(message, || {
            let mut cast = Cast::new(info);
            let solved = cast.solved()?;
            let (a, b) = (cast.policy(&self.a)?, cast.policy(&self.b)?);
            let mut sweeper = Sweeper::new(&solved.graph);
            let seats = Seats::from(self.seats);
            let a_first = (seats != Seats::BFirst).then(|| sweeper.outcome_rates(Side::X, &a, &b));
            let b_first = (seats != Seats::AFirst).then(|| sweeper.outcome_rates(Side::O, &a, &b));
            let total = match (a_first, b_first) {
                (Some(x), Some(o)) => Rates {
                    win: (x.win + o.win) / 2.0,
                    draw: (x.draw + o.draw) / 2.0,
                    loss: (x.loss + o.loss) / 2.0,
                },
                (Some(rates), None) | (None, Some(rates)) => rates,
                (None, None) => Rates::default(),
            };
            Ok(Report {
                game: info.name,
                a: self.a.to_string(),
                b: self.b.to_string(),
                total: Part::exact(total),
                distinct_games: None,
                a_simulations: None,
                b_simulations: None,
                a_first: a_first.map(Part::exact),
                b_first: b_first.map(Part::exact),
            })
        })
    }

    fn text(&self, report: &Report, seconds: f64) -> String {
        let mut rows = table(
            [
                "",
                "games",
                "wins",
                "draws",
                "losses",
                "win rate",
                "draw rate",
                "loss rate",
            ],
            1,
        );
        let mut add = |name: &str, part: &Part| {
            let count = |count: Option<u64>| count.map_or_else(|| "-".to_owned(), thousands);
            let win = match part.games {
                None => format!("{:.6}", part.win_rate),
                Some(_) => format!(
                    "{:.4} ({:.4}–{:.4})",
                    part.win_rate, part.win_low, part.win_high
                ),
            };
            let digits = if part.games.is_none() { 6 } else { 4 };
            rows.add_row([
                name.to_owned(),
                count(part.games),
                count(part.wins),
                count(part.draws),
                count(part.losses),
                win,
                format!("{:.digits$}", part.draw_rate),
                format!("{:.digits$}", part.loss_rate),
            ]);
        };
        if let Some(part) = &report.a_first {
            add("A first", part);
        }
        if let Some(part) = &report.b_first {
            add("B first", part);
        }
        if report.a_first.is_some() && report.b_first.is_some() {
            add("all", &report.total);
        }
        let mut text = format!(
            "{}: A = {}, B = {}\n\n{}\n",
            report.game,
            report.a,
            report.b,
            table_text(&rows)
        );
        match (report.distinct_games, report.total.games) {
            (Some(distinct), Some(games)) => {
                text += &format!(
                    "Win rates are A's, with their 95 % Wilson intervals. {} of the games are \
                     different.\n{} games in {seconds:.2} s, {} games/s\n",
                    thousands(distinct),
                    thousands(games),
                    thousands((games as f64 / seconds).round() as u64)
                );
            }
            _ => text += "Exact probabilities, from A's view.\n",
        }
        let made = [report.a_simulations, report.b_simulations];
        let made: u64 = made.into_iter().flatten().sum();
        if made > 0 {
            text += &format!(
                "{} simulations, {} simulations/s\n",
                thousands(made),
                thousands((made as f64 / seconds).round() as u64)
            );
        }
        text
    }
}

impl GameVisitor for &Match {
    type Output = Result<ExitCode, Error>;

    fn visit<G: Game>(self, info: &'static GameInfo) -> Self::Output {
        if self.exact {
            let report = self.compute(info)?;
            let text = if self.json {
                json_text(&report)
            } else {
                self.text(&report, 0.0)
            };
            return print(&text).map(|()| ExitCode::SUCCESS);
        }
        let agents = ready(info, &[self.a.clone(), self.b.clone()])?;
        let started = Instant::now();
        let plan = MatchPlan {
            games: self.games,
            seats: self.seats.into(),
            seed: self.seed,
        };
        let (results, interrupted) = play::<G>(&agents, &[(0, 1)], plan, threads(self.threads))?;
        let PairingResult {
            a_first,
            b_first,
            distinct_games,
            a_simulations,
            b_simulations,
        } = &results[0];
        let report = Report {
            game: info.name,
            a: self.a.to_string(),
            b: self.b.to_string(),
            total: Part::played(results[0].total()),
            distinct_games: Some(*distinct_games),
            a_simulations: Some(*a_simulations),
            b_simulations: Some(*b_simulations),
            a_first: (a_first.games() > 0).then(|| Part::played(*a_first)),
            b_first: (b_first.games() > 0).then(|| Part::played(*b_first)),
        };
        print(&if self.json {
            json_text(&report)
        } else {
            self.text(&report, started.elapsed().as_secs_f64())
        })?;
        Ok(exit_code(interrupted))
    }
}

/// 130 after Ctrl-C.
pub fn exit_code(interrupted: bool) -> ExitCode {
    if interrupted {
        complain("interrupted; this is what was played");
        return ExitCode::from(130);
    }
    ExitCode::SUCCESS
}

/// The agents of these names, none of which may play by the clock.
///
/// # Errors
///
/// [`Error::Input`] if one cannot play the game.
pub fn ready(info: &'static GameInfo, specs: &[AgentSpec]) -> Result<Vec<Agent>, Error> {
    if let Some(timed) = specs.iter().find(|spec| spec.depends_on_time()) {
        return Err(Error::input(format!(
            "agent '{timed}': results must not depend on the machine's speed; give simulations \
             instead of milliseconds, which are for lab play"
        )));
    }
    let message = format!("preparing the agents for {}", info.name);
    while_waiting(message, || {
        let mut cast = Cast::new(info);
        specs
            .iter()
            .map(|spec| cast.agent(spec))
            .collect::<Result<Vec<_>, _>>()
    })
    .inspect(|agents| warn(info, agents))
}

/// Says of agents where they are less than their names say, each thing once.
pub fn warn(info: &GameInfo, agents: &[Agent]) {
    let mut said: Vec<String> = Vec::new();
    for caution in agents.iter().filter_map(|agent| agent.caution(info)) {
        if !said.contains(&caution) {
            complain(&format!("note: {caution}"));
            said.push(caution);
        }
    }
}

/// As asked for, or the number of processors.
pub fn threads(asked: Option<NonZeroUsize>) -> NonZeroUsize {
    let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    asked.unwrap_or_else(all)
}

/// Plays pairings with a progress bar, until Ctrl-C; returns whether that came.
///
/// # Errors
///
/// [`Error::System`] if Ctrl-C cannot be watched for.
pub fn play<G: Game>(
    agents: &[Agent],
    pairings: &[(usize, usize)],
    plan: MatchPlan,
    threads: NonZeroUsize,
) -> Result<(Vec<PairingResult>, bool), Error> {
    let total = plan.games.saturating_mul(pairings.len() as u64);
    let bar = games_bar(total);
    let interrupts =
        watch_for_interrupts("ending the current games; press Ctrl-C again to stop at once")?;
    interrupts.print_through(bar.clone());
    let results = play_pairings::<G>(
        agents,
        pairings,
        plan,
        threads,
        &|| interrupts.wish.requested(),
        &|| bar.inc(1),
    );
    bar.finish_and_clear();
    let all: u64 = results.iter().map(|result| result.total().games()).sum();
    Ok((results, all < total))
}
