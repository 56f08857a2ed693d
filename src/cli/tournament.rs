use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use playlab::Error;
use playlab::evaluate::{MatchPlan, Seats, Standings};
use playlab::game::GameInfo;
use playlab::store::shard_place;
use playlab::text::{count, elo, rate, thousands};
use playlab::workflow::{Players, tournament, tournament_shard};

use super::interrupts::interrupted;
use super::known::game;
use super::matches::{about_intervals, exit_code, pace, ready, report_forfeits, with_games_bar};
use super::output::{or_dash, print, show, table, table_text};
use super::progress::threads;
use super::shard::ShardArgument;
use super::target::{Word, game_and_agents, word};
use super::whole::whole;

/// Let several agents play each other, every pair
///
/// Prints the cross table and the ratings, and writes both as CSV and JSON with a
/// picture of the table. Seats alternate. Ratings are on the Elo scale: the ones
/// that make the scores most likely (Bradley–Terry), with one drawn game added to
/// the games of every agent (more where games are copies) and the mean at 0. Intervals cover 95 %, and count copies of a
/// game as one: two agents that leave nothing to chance have two distinct
/// games, however many they play.
#[derive(Args)]
#[command(
    override_usage = "lab tournament [OPTIONS] [GAME] <SPEC> <SPEC>...",
    after_help = "\
Examples:
  lab tournament random block-or-random minimax --game tic-tac-toe --games 1000
  lab tournament mcts:simulations=20 mcts:simulations=200 alpha-beta:depth=3 random \\
      --game mnk-4x4x4 --games 100 --out runs/budgets
  lab tournament random block-or-random minimax --game tic-tac-toe --shard 0/3

A tournament that takes hours is best played as --shard 0/1, which keeps every pairing as soon as it is played, and merged."
)]
pub struct Tournament {
    /// The agents, whose forms `lab match --help` lists; before them the game, if --game does not
    /// name it
    #[arg(value_name = "GAME|SPEC", required = true,
          value_parser = word(), hide_possible_values = true)]
    words: Vec<Word>,

    /// The game; `lab games` lists them [default: the one that an agent of a run learned]
    #[arg(long, value_parser = game(), hide_possible_values = true)]
    game: Option<&'static GameInfo>,

    /// How many games each pair plays
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = whole::<u64>(1..=100_000_000))]
    games: u64,

    /// The seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Games to play at the same time [default: the number of processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// The directory to make [default: runs/tournament-N with the first free N, or
    /// runs/tournament-shard-I-of-N]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Play one of N shards, I from 0: the pairs whose number is I modulo N; or auto, as for
    /// `lab train`. The same command resumes an interrupted one. `lab merge` makes one
    /// tournament from all shards
    #[arg(
        long,
        value_name = "I/N",
        allow_hyphen_values = true,
        conflicts_with = "json"
    )]
    shard: Option<ShardArgument>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Tournament {
    /// Plays, writes and prints; exit code 130 if interrupted.
    pub fn run(self) -> Result<ExitCode, Error> {
        let (game, agents) = game_and_agents(&self.words, self.game)?;
        if agents.len() < 2 {
            return Err(Error::input("a tournament is between at least two agents"));
        }
        let players = ready(game, &agents, Seats::Alternate)?;
        let plan = MatchPlan {
            games: self.games,
            seats: Seats::Alternate,
            seed: self.seed,
        };
        if let Some(shard) = self.shard {
            return self.play_shard(&players, plan, shard);
        }
        let count = agents.len() as u64;
        let all = self.games.saturating_mul(count * (count - 1) / 2);
        let started = Instant::now();
        let ended = with_games_bar(all, |stop, played| {
            let (out, played) = (self.out.as_deref(), &|| played(1));
            tournament(&players, plan, out, threads(self.threads), stop, played)
        })?;
        let seconds = started.elapsed().as_secs_f64();
        report_forfeits(&ended.forfeits);
        let standings = &ended.standings;
        show(self.json, standings, || {
            let text = text(standings, Some(seconds));
            match &ended.kept {
                Ok(picture) => format!("{text}\nThe table is drawn in {}\n", picture.display()),
                Err(_) => text,
            }
        })?;
        ended.kept.map_err(|error| match error {
            Error::System { .. } => Error::Failed(format!(
                "{error}; once that is fixed, run the same command again, which plays all games anew"
            )),
            other => other,
        })?;
        let played: u64 = standings.pairings.iter().map(|pairing| pairing.games).sum();
        Ok(exit_code(played < all))
    }

    fn play_shard(
        &self,
        players: &Players,
        plan: MatchPlan,
        shard: ShardArgument,
    ) -> Result<ExitCode, Error> {
        let shard = shard.resolve()?;
        let place = || shard_place("tournament", shard.index(), shard.count());
        let out = self.out.clone().unwrap_or_else(place);
        let all = players.pairing_count().div_ceil(shard.count());
        let all = self.games.saturating_mul(all);
        let ended = with_games_bar(all, |stop, played| {
            let threads = threads(self.threads);
            tournament_shard(players, plan, shard, &out, threads, stop, played)
        })?;
        report_forfeits(&ended.forfeits);
        let root = out.display();
        let pairings = count(ended.pairings as u64, "pairing");
        if ended.pairings < ended.of {
            return Ok(interrupted(&format!(
                "interrupted; {root} keeps {pairings}, and the same command plays the others"
            )));
        }
        print(&match ended.was_there {
            true => format!("{root} was played before.\n"),
            false => format!(
                "{root}: shard {shard}, {pairings}\nOnce all shards are played, merge them: lab merge OUT RUN...\n",
            ),
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The ratings and the cross table, and the number of games, with the time in seconds if it is known.
pub fn text(standings: &Standings, seconds: Option<f64>) -> String {
    let order = standings.ranking();
    let head = ["", "agent", "Elo", "95 %", "score", "games", "distinct"];
    let mut ratings = table(head, 2);
    let mut head = vec![String::new()];
    head.extend((1..=order.len()).map(|number| number.to_string()));
    let mut cross = table(head, 1);
    for (rank, &i) in (1..).zip(&order) {
        let player = &standings.ratings[i];
        let interval = player.elo_low.zip(player.elo_high);
        ratings.add_row([
            rank.to_string(),
            player.agent.clone(),
            or_dash(player.elo.map(elo)),
            or_dash(interval.map(|(low, high)| format!("{} to {}", elo(low), elo(high)))),
            or_dash(player.score.map(|score| rate(score, 4))),
            thousands(player.games),
            thousands(player.distinct_games),
        ]);
        let mut row = vec![rank.to_string()];
        row.extend(order.iter().map(|&j| {
            standings
                .score(i, j)
                .map_or_else(String::new, |score| rate(score, 4))
        }));
        cross.add_row(row);
    }
    let games: u64 = standings.pairings.iter().map(|pairing| pairing.games).sum();
    let games = match seconds {
        Some(seconds) => pace(games, seconds),
        None => count(games, "game"),
    };
    format!(
        "{}, {} agents\n\n{}\n{}\nScores of the row against the column:\n{}\nA win is 1, a draw 0.5. \
         {games}\n",
        standings.game,
        order.len(),
        table_text(&ratings),
        about_intervals(standings.ratings.iter().map(|rated| rated.distinct_games)),
        table_text(&cross)
    )
}
