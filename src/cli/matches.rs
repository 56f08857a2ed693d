//! `lab match`, and what it shares with other commands that play games.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use playlab::Error;
use playlab::agent::AgentSpec;
use playlab::evaluate::{MOST_COUNTED, MatchPlan, Played, Seats};
use playlab::game::GameInfo;
use playlab::search::Limits;
use playlab::stats::mean;
use playlab::text::{count, deduplicated, number, rate, thousands};
use playlab::workflow::{
    ForfeitReport, MatchResult, Met, Players, PlaysBy, Until, exact_match, play_match,
    play_match_until,
};
use serde::Serialize;

use super::complain;
use super::interrupts::{interrupted, until_interrupted};
use super::known::{game, named};
use super::output::{or_dash, rate_text, show, table, table_text};
use super::progress::{threads, while_waiting};
use super::target::{Word, game_and_agents, word};
use super::whole::whole;

/// Let two agents play against each other
#[derive(Args)]
#[command(long_about = long_about(), override_usage = "lab match [OPTIONS] [GAME] <A> <B>", after_help = "\
Examples:
  lab match mcts:simulations=1000 minimax --game tic-tac-toe --games 1000
  lab match tic-tac-toe random minimax --exact
  lab match mcts:simulations=50 mcts:simulations=60 --game tic-tac-toe --until 95%
  lab match run:runs/qtable_o-1 mcts:simulations=50 --games 500 --seats b-first")]
pub struct Match {
    /// The two agents, A and B; before them the game, if --game does not name it
    #[arg(value_name = "GAME|SPEC", required = true,
          value_parser = word(), hide_possible_values = true)]
    words: Vec<Word>,

    /// The game; `lab games` lists them [default: the one that an agent of a run learned]
    #[arg(long, value_parser = game(), hide_possible_values = true)]
    game: Option<&'static GameInfo>,

    /// How many games to play; with --until, the maximum, which is even [default: 1000, with --until 100000]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=100_000_000))]
    games: Option<u64>,

    /// Play until one agent is shown to be the stronger one at this confidence, such as 95%; between
    /// equals, the chance of naming a winner is at most 100% minus this, however long the match lasts. It also
    /// ends after a thousand copies of one or two games
    #[arg(long, value_name = "CONFIDENCE", allow_hyphen_values = true, value_parser = confidence)]
    until: Option<f64>,

    /// The seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Who moves first: alternate for A in the first game, B in the second, and so on; a-first or
    /// b-first for the same one every time
    #[arg(long, value_name = "WHO", default_value = "alternate", value_parser = named::<Seats>(), hide_possible_values = true)]
    seats: Seats,

    /// Games to play at the same time [default: the number of processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Compute the probabilities instead of playing; for agents whose moves have known
    /// probabilities, on games whose positions are listed
    #[arg(long, conflicts_with_all = ["games", "until", "seed", "threads"])]
    exact: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn long_about() -> String {
    format!(
        "Let two agents play against each other\n\n\
         Wins and losses are A's. The same seed plays the same games, whatever the number of \
         threads.\n\nAgents, with options behind a colon as name=value and commas between them:\n{}",
        AgentSpec::kinds()
    )
}

/// Reads a confidence, such as 95% or 0.95. Errors: the text is not one.
fn confidence(text: &str) -> Result<f64, String> {
    let percent = text.strip_suffix('%');
    let number: Option<f64> = percent.map_or(text, str::trim).parse().ok();
    let number = number.map(|number| match percent.is_some() || number >= 50.0 {
        // A number like 95 can only mean percent.
        true => number / 100.0,
        false => number,
    });
    let is_one = |confidence: &f64| (0.5..1.0).contains(confidence);
    number.filter(is_one).ok_or_else(|| {
        "expected a confidence from 50% to below 100%, such as 95% or 0.95".to_owned()
    })
}

impl Match {
    /// Plays and prints; exit code 130 if interrupted.
    pub fn run(self) -> Result<ExitCode, Error> {
        let (game, agents) = game_and_agents(&self.words, self.game)?;
        if agents.len() != 2 {
            let number = count(agents.len() as u64, "agent");
            return Err(Error::input(format!(
                "{number} given, a match is between two"
            )));
        }
        let players = ready(game, &agents, self.seats)?;
        let by = agents
            .iter()
            .filter_map(|agent| PlaysBy::of(agent).transpose());
        let by = deduplicated(by.collect::<Result<Vec<_>, _>>()?);
        if self.exact {
            let message = format!("listing the positions of {}", game.name);
            let compute = || exact_match(&players, self.seats, &Limits::NONE);
            let result = while_waiting(message, compute).map_err(|error| match error {
                Error::Input(why) => {
                    Error::Input(format!("{why}; leave out --exact to count games"))
                }
                other => other,
            })?;
            self.print(&result, 0.0, &by)?;
            return Ok(ExitCode::SUCCESS);
        }
        let games = self.games.unwrap_or(match self.until {
            Some(_) => 100_000,
            None => 1000,
        });
        let plan = MatchPlan {
            games,
            seats: self.seats,
            seed: self.seed,
        };
        let started = Instant::now();
        let (result, interrupted) = with_games_bar(games, |stop, played| {
            let (threads, played) = (threads(self.threads), &|| played(1));
            let result = match self.until {
                Some(confidence) => {
                    play_match_until(&players, plan, confidence, threads, stop, played)
                }
                None => play_match(&players, plan, threads, stop, played),
            };
            Ok((result?, stop.load(Ordering::SeqCst)))
        })?;
        report_forfeits(&result.forfeits);
        self.print(&result, started.elapsed().as_secs_f64(), &by)?;
        let is_answered = result.until.is_some_and(|until| until.stronger.is_some());
        let is_over = is_answered || result.total.games == Some(games);
        Ok(exit_code(interrupted && !is_over))
    }

    fn print(&self, result: &MatchResult, seconds: f64, by: &[PlaysBy]) -> Result<(), Error> {
        #[derive(Serialize)]
        struct Report<'a> {
            #[serde(flatten)]
            result: &'a MatchResult,
            checkpoints: &'a [PlaysBy],
        }
        let report = Report {
            result,
            checkpoints: by,
        };
        show(self.json, &report, || {
            let by: String = by.iter().map(|by| format!("{by}\n")).collect();
            result_text(result, seconds) + &by
        })
    }
}

fn result_text(report: &MatchResult, seconds: f64) -> String {
    if report.total.games == Some(0) {
        return "No game came to its end.\n".to_owned();
    }
    let counts = ["", "games", "distinct", "wins", "draws", "losses"];
    let rates = ["win rate", "draw rate", "loss rate"];
    let mut rows = table(counts.into_iter().chain(rates), 1);
    let both = report.a_first.and(report.b_first).map(|_| report.total);
    for (name, part) in [
        ("A first", report.a_first),
        ("B first", report.b_first),
        ("all", both),
    ] {
        let Some(part) = part else { continue };
        let count = |count: Option<u64>| or_dash(count.map(thousands));
        let digits = if part.games.is_none() { 6 } else { 4 };
        let win = match part.games {
            Some(_) => rate_text(part.win_rate, part.win_low.zip(part.win_high)),
            None => rate(part.win_rate, digits),
        };
        rows.add_row([
            name.to_owned(),
            count(part.games),
            count(part.distinct_games),
            count(part.wins),
            count(part.draws),
            count(part.losses),
            win,
            rate(part.draw_rate, digits),
            rate(part.loss_rate, digits),
        ]);
    }
    let mut text = format!(
        "{}: A = {}, B = {}\n\n{}\n",
        report.game,
        report.a,
        report.b,
        table_text(&rows)
    );
    match report.total.games {
        Some(games) => {
            let parts = [&report.a_first, &report.b_first];
            let parts = parts.into_iter().flatten().chain([&report.total]);
            let meaning = match &report.until {
                Some(until) => about_until(until, &report.total),
                None => about_intervals(parts.filter_map(|part| part.distinct_games)),
            };
            text += &format!(
                "Win rates are A's. {meaning}{}{}\n",
                about_more_games(report),
                pace(games, seconds)
            );
        }
        None => text += "Exact probabilities, from A's view.\n",
    }
    let made = [report.a_simulations, report.b_simulations];
    let made: u64 = made.into_iter().flatten().sum();
    if made > 0 {
        let per_second = (made as f64 / seconds).round() as u64;
        let [made, per_second] = [made, per_second].map(thousands);
        text += &format!("{made} simulations, {per_second} simulations/s\n");
    }
    text
}

/// How long this many games took, and how many that is per second.
pub fn pace(games: u64, seconds: f64) -> String {
    let per_second = (games as f64 / seconds).round() as u64;
    let all = count(games, "game");
    match per_second {
        0 => format!("{all} in {seconds:.2} s"),
        _ => format!("{all} in {seconds:.2} s, {}/s", count(per_second, "game")),
    }
}

/// The result of games that went on until one agent was shown to be stronger.
fn about_until(until: &Until, total: &Met) -> String {
    let Some((score_low, score_high)) = until.score_low.zip(until.score_high) else {
        return match total.distinct_games {
            Some(distinct) if total.games >= Some(10 * distinct.max(1)) => format!(
                "They played the same {} again and again, which does not show who is the stronger one.\n",
                count(distinct, "game")
            ),
            _ => "Too few games were played to show who is the stronger one.\n".to_owned(),
        };
    };
    let percent = number((until.confidence * 1e8).round() / 1e6);
    let score = until.score;
    let found = match until.stronger {
        Some(agent) => format!(
            "{} is the stronger one, at a confidence of {percent} %",
            agent.to_ascii_uppercase()
        ),
        None => format!(
            "Neither was shown to be stronger at a confidence of {percent} %; that does not mean they are \
             equally strong"
        ),
    };
    let digits = decimals(&[score_low, score_high]);
    format!(
        "{found}.\nA's score is {score:.digits$} ({score_low:.digits$}–{score_high:.digits$}) (a win 1, a draw \
         0.5): an interval of {percent} % that holds whenever one looks.\n"
    )
}

/// Enough decimals, at least four, that scores other than a half do not look like a half.
fn decimals(scores: &[f64]) -> usize {
    let is_enough = |&digits: &usize| {
        let seems_half = |score: &f64| format!("{score:.digits$}").parse() == Ok(0.5);
        scores
            .iter()
            .all(|score| *score == 0.5 || !seems_half(score))
    };
    (4..12).find(is_enough).unwrap_or(12)
}

/// How many games it takes to show the difference; empty if these were enough.
fn about_more_games(report: &MatchResult) -> String {
    let (Some(games), Some(played)) = (report.games_to_find, report.total.games) else {
        return String::new();
    };
    if games <= played {
        return String::new();
    }
    // With the seats weighted equally, as in the games counted by `games_to_find`.
    let seats = [report.a_first, report.b_first].into_iter().flatten();
    let scores: Vec<f64> = seats
        .map(|seat| seat.win_rate + seat.draw_rate / 2.0)
        .collect();
    let score = mean(&scores);
    format!(
        "To show, four times out of five, that a score of {} differs from one half takes about {}; {} \
         played.\n",
        rate(score, decimals(&[score])),
        count(games, "game"),
        match played {
            1 => "1 was".to_owned(),
            played => format!("{} were", thousands(played)),
        }
    )
}

/// Lists on standard error which games agents broke off; if there are many, the first ones and the commonest reasons.
pub fn report_forfeits(forfeits: &[ForfeitReport]) {
    const FEW: usize = 3;
    for forfeit in forfeits.iter().take(FEW) {
        complain(&forfeit.to_string());
    }
    if forfeits.len() <= FEW {
        return;
    }
    let mut reasons: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for ForfeitReport { agent, why, .. } in forfeits {
        *reasons.entry((agent.as_str(), why.as_str())).or_default() += 1;
    }
    let repeated = |&(_, games): &(_, u64)| games > 1;
    let mut repeated: Vec<_> = reasons.into_iter().filter(repeated).collect();
    repeated.sort_by_key(|&(_, games)| Reverse(games));
    repeated.truncate(FEW);
    for ((agent, why), games) in &repeated {
        let games = count(*games, "game");
        complain(&format!("{agent} broke off and lost {games}: {why}"));
    }
    let is_told = |forfeit: &&ForfeitReport| {
        let reason = (forfeit.agent.as_str(), forfeit.why.as_str());
        repeated.iter().any(|(told, _)| *told == reason)
    };
    let others = forfeits
        .iter()
        .skip(FEW)
        .filter(|forfeit| !is_told(forfeit));
    let others = others.count();
    if others > 0 {
        let were = if others == 1 { "was" } else { "were" };
        let others = count(others as u64, "more game");
        complain(&format!("{others} {were} broken off"));
    }
}

/// Explains the intervals of rates that were counted in games; `distinct` is the number of different
/// games in each row.
pub fn about_intervals(distinct: impl Iterator<Item = u64>) -> String {
    let distinct: Vec<u64> = distinct.collect();
    let mut text = String::new();
    if distinct.iter().any(|&games| games >= Played::FEWEST) {
        text += "Intervals cover 95 %; copies of a game count as one observation.\n";
    }
    if distinct.iter().any(|&games| games < Played::FEWEST) {
        text += &format!(
            "With fewer than {} distinct games there is no interval.\n",
            Played::FEWEST
        );
    }
    if distinct.iter().any(|&games| games > MOST_COUNTED as u64) {
        let most = thousands(MOST_COUNTED as u64);
        text += &format!("Numbers of distinct games above {most} are estimated.\n");
    }
    text
}

/// The exit code of games: 130 after Ctrl-C.
pub fn exit_code(is_interrupted: bool) -> ExitCode {
    match is_interrupted {
        true => interrupted("interrupted; this is what was played"),
        false => ExitCode::SUCCESS,
    }
}

/// Prepares the agents with these specs, none of which may play by the clock. Errors: [`Error`] if
/// one cannot play the game.
pub fn ready(game: &'static GameInfo, specs: &[AgentSpec], seats: Seats) -> Result<Players, Error> {
    let message = format!("preparing the agents for {}", game.name);
    let players = while_waiting(message, || Players::new(game, specs))?;
    report_cautions(&players.cautions(seats));
    Ok(players)
}

/// Reports agents that fall short of their names.
pub fn report_cautions(cautions: &[String]) {
    for caution in cautions {
        complain(&format!("note: {caution}"));
    }
}

/// Plays this many games with a progress bar until Ctrl-C; `play` reports how many more were played. Errors: as
/// `play`.
pub fn with_games_bar<T>(
    games: u64,
    play: impl FnOnce(&AtomicBool, &(dyn Fn(u64) + Sync)) -> Result<T, Error>,
) -> Result<T, Error> {
    let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr_with_hz(8));
    let style = ProgressStyle::with_template("{bar:24} {human_pos}/{human_len} games, {eta} left");
    bar.set_style(style.expect("the template is well formed"));
    let ending = "ending; games in progress may not count; press Ctrl-C again to stop at once";
    until_interrupted(&bar, ending, |stop| play(stop, &|games| bar.inc(games)))
}
