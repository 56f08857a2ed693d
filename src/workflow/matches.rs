//! Matches and tournaments between agents.

use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use super::checkpoints::{stage, sums_of_files};
use super::pictures::draw_table;
use crate::agent::{Agent, AgentSpec, Failure, Stage};
use crate::error::Error;
use crate::evaluate::{
    Answered, Contest, Forfeit, MatchPlan, PairingResult, Played, Seats, Standings, play_some,
    play_until,
};
use crate::game::{GameInfo, Side};
use crate::graph::{Policy, Rates, Sweeper};
use crate::search::{Limits, Stopped};
use crate::store::{Place, TournamentDirectory, check_outside};
use crate::text::deduplicated;

/// Checks that the play of these agents may produce results. Errors: [`Error::Input`] with an agent
/// whose play may not.
pub(super) fn check_repeatable(specs: &[AgentSpec]) -> Result<(), Error> {
    let checked = specs.iter().try_for_each(AgentSpec::check_repeatable);
    checked.map_err(|why| Error::input(format!("agent {why}")))
}

/// Checks that all agents differ. Errors: [`Error::Input`] with an agent that is there twice.
pub(super) fn check_distinct(specs: &[AgentSpec]) -> Result<(), Error> {
    let mut all = specs.iter().enumerate();
    let checked = all.try_for_each(|(i, spec)| spec.check_new(&specs[..i]));
    checked.map_err(|why| Error::input(format!("agent {why}")))
}

/// Agents prepared to play one game.
pub struct Players {
    pub(super) stage: Arc<Stage>,
    pub(super) specs: Vec<AgentSpec>,
    agents: Vec<Arc<dyn Agent>>,
    /// The sums of the files that they play by; empty if they are not named by paths.
    pub(super) files: Vec<Option<u32>>,
}

impl Players {
    /// Prepares agents, none of which may play by the clock. Errors: [`Error`] if one cannot play
    /// the game.
    pub fn new(game: &'static GameInfo, specs: &[AgentSpec]) -> Result<Players, Error> {
        let stage = Arc::new(stage(game));
        let on = Arc::clone(&stage);
        // An agent that cannot be made ready has the better error.
        let files = sums_of_files(specs);
        let players = Self::on(stage, specs, |spec| on.agent(spec))?;
        Ok(Players {
            files: files?,
            ..players
        })
    }

    /// Prepares agents on the stage of a game, by what `ready` makes of each spec. Errors: as [`new`](Self::new).
    pub fn on(
        stage: Arc<Stage>,
        specs: &[AgentSpec],
        ready: impl FnMut(&AgentSpec) -> Result<Arc<dyn Agent>, Error>,
    ) -> Result<Players, Error> {
        check_repeatable(specs)?;
        Ok(Players {
            agents: specs.iter().map(ready).collect::<Result<_, _>>()?,
            specs: specs.to_vec(),
            stage,
            files: Vec::new(),
        })
    }

    /// Sentences about agents that fall short of their names when seated like this, each once.
    pub fn cautions(&self, seats: Seats) -> Vec<String> {
        let sides = |number: usize| match (seats, number) {
            (Seats::Alternate, _) => &Side::BOTH[..],
            (Seats::AFirst, 0) | (Seats::BFirst, 1..) => &[Side::X],
            _ => &[Side::O],
        };
        let agents = self.agents.iter().enumerate();
        deduplicated(agents.filter_map(|(number, agent)| agent.caution(sides(number))))
    }

    /// The games of a pairing that one of its agents broke off, described.
    pub(super) fn forfeit_reports(
        &self,
        (a, b): (usize, usize),
        result: &PairingResult,
    ) -> Vec<ForfeitReport> {
        let report = |forfeit: &Forfeit| ForfeitReport {
            game: forfeit.game,
            agent: self.specs[forfeit.agent].to_string(),
            opponent: self.specs[if forfeit.agent == a { b } else { a }].to_string(),
            why: forfeit.why.clone(),
        };
        result.forfeits.iter().map(report).collect()
    }

    /// The number of pairings when everyone plays everyone else.
    pub fn pairing_count(&self) -> u64 {
        everyone(self.agents.len()).len() as u64
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.specs.iter().map(ToString::to_string).collect()
    }

    /// Plays the pairings with these numbers.
    pub(super) fn play(
        &self,
        pairings: &[(usize, usize)],
        numbers: &[usize],
        plan: MatchPlan,
        threads: NonZeroUsize,
        stop: &AtomicBool,
        played: &(dyn Fn() + Sync),
    ) -> Result<Vec<PairingResult>, Error> {
        let contest = self.contest(pairings, plan);
        play_some(&contest, numbers, threads, stop, played).map_err(|failed| self.failure(failed))
    }

    fn contest<'a>(&'a self, pairings: &'a [(usize, usize)], plan: MatchPlan) -> Contest<'a> {
        Contest {
            game: self.stage.game(),
            agents: &self.agents,
            pairings,
            plan,
        }
    }

    fn failure(&self, (agent, failure): (usize, Failure)) -> Error {
        Error::input(format!("agent '{}': {failure}", self.specs[agent]))
    }

    fn policy(&self, agent: usize, limits: &Limits) -> Result<Arc<Policy>, Error> {
        let solved = self.stage.solved()?;
        let policy = self.agents[agent].policy_within(&solved, limits);
        policy.map_err(stopped)?.ok_or_else(|| {
            Error::input(format!(
                "agent '{}': the probabilities of its moves cannot be listed",
                self.specs[agent]
            ))
        })
    }
}

/// The results of two agents' games, or those expected in the long run, from the first agent's view.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MatchResult {
    /// The game.
    pub game: &'static str,
    /// The first agent, A.
    pub a: String,
    /// The second agent, B.
    pub b: String,
    /// All games.
    #[serde(flatten)]
    pub total: Met,
    /// The number of simulations that A made; like B's, of played games only.
    pub a_simulations: Option<u64>,
    /// The number of simulations that B made.
    pub b_simulations: Option<u64>,
    /// The games in which A moved first.
    pub a_first: Option<Met>,
    /// The games in which B moved first.
    pub b_first: Option<Met>,
    /// The number of games needed to find, four times in five, that A's score is not a half if it is what these
    /// games suggest; `None` for an exact result, for a score of a half, if too few games differ, and with `until`.
    pub games_to_find: Option<u64>,
    /// The result of games that went on until one agent was shown to be stronger.
    pub until: Option<Until>,
    /// Games that an agent lost by breaking them off.
    pub forfeits: Vec<ForfeitReport>,
}

/// A game that an agent lost by breaking it off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ForfeitReport {
    /// The game's number among those of the two, from 1.
    pub game: u64,
    /// The agent.
    pub agent: String,
    /// The one that it played against.
    pub opponent: String,
    /// What it did.
    pub why: String,
}

/// A sentence.
impl fmt::Display for ForfeitReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "game {} against {}: {} loses it: {}",
            self.game, self.opponent, self.agent, self.why
        )
    }
}

/// Which agent is stronger, if that was decided. A score is the mean of A's results, where a win is 1 and a
/// draw a half.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Until {
    /// The confidence that was asked for, between 0 and 1.
    pub confidence: f64,
    /// Who scores more in the long run, `a` or `b`; `None` if that was not decided.
    pub stronger: Option<char>,
    /// A's score.
    pub score: f64,
    /// The lower end of its interval, which is valid whenever the games end; `None` for fewer than
    /// [`Played::FEWEST`] different games.
    pub score_low: Option<f64>,
    /// The upper end.
    pub score_high: Option<f64>,
}

/// Some of the games, from A's view. An exact result has probabilities instead of counts. The
/// interval is [`Played::win_interval`]. Rates of no games are NaN, null in JSON.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[expect(missing_docs, reason = "the columns of metrics.csv")]
pub struct Met {
    pub games: Option<u64>,
    pub wins: Option<u64>,
    pub draws: Option<u64>,
    pub losses: Option<u64>,
    pub win_rate: f64,
    pub draw_rate: f64,
    pub loss_rate: f64,
    pub win_low: Option<f64>,
    pub win_high: Option<f64>,
    pub distinct_games: Option<u64>,
    pub effective_games: Option<f64>,
}

impl MatchResult {
    fn of(players: &Players, total: Met) -> MatchResult {
        MatchResult {
            game: players.stage.game().name,
            a: players.specs[0].to_string(),
            b: players.specs[1].to_string(),
            total,
            ..MatchResult::default()
        }
    }

    /// The result of games that were played.
    fn played(players: &Players, result: &PairingResult) -> MatchResult {
        let part = |games: Played| (games.tally.games() > 0).then(|| Met::played(games));
        MatchResult {
            a_simulations: Some(result.a_simulations),
            b_simulations: Some(result.b_simulations),
            a_first: part(result.a_first),
            b_first: part(result.b_first),
            forfeits: players.forfeit_reports((0, 1), result),
            games_to_find: result.games_to_find(),
            ..MatchResult::of(players, Met::played(result.total()))
        }
    }
}

impl Met {
    fn played(games: Played) -> Met {
        let tally = games.tally;
        let (win_low, win_high) = games.win_interval().unzip();
        let [win, draw, loss] = [f64::NAN; 3];
        let rates = match tally.games() {
            0 => Rates { win, draw, loss },
            _ => tally.rates(),
        };
        Met {
            games: Some(tally.games()),
            wins: Some(tally.wins),
            draws: Some(tally.draws),
            losses: Some(tally.losses),
            win_low,
            win_high,
            distinct_games: Some(games.distinct_games),
            effective_games: Some(games.effective_games()),
            ..Met::exact(rates)
        }
    }

    fn exact(rates: Rates) -> Met {
        Met {
            win_rate: rates.win,
            draw_rate: rates.draw,
            loss_rate: rates.loss,
            win_low: Some(rates.win),
            win_high: Some(rates.win),
            ..Met::default()
        }
    }
}

/// Lets the first two agents play until all games are played or `stop` is true. `played` is called
/// after every game. Errors: [`Error`] if an agent found no move.
pub fn play_match(
    players: &Players,
    plan: MatchPlan,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    played: &(dyn Fn() + Sync),
) -> Result<MatchResult, Error> {
    let results = players.play(&[(0, 1)], &[0], plan, threads, stop, played)?;
    Ok(MatchResult::played(players, &results[0]))
}

/// Lets the first two agents play until it is decided at this confidence, between 0 and 1, which one scores more: at
/// most the games of the plan, or a thousand copies of one or two; see [`play_until`]. Intervals for a fixed number of
/// games would not hold and are left out. Errors: as [`play_match`]; [`Error::Input`] if the seats do not alternate, or
/// the number of games is odd.
pub fn play_match_until(
    players: &Players,
    plan: MatchPlan,
    confidence: f64,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    played: &(dyn Fn() + Sync),
) -> Result<MatchResult, Error> {
    if plan.seats != Seats::Alternate {
        return Err(Error::input(
            "to find out who is stronger, both agents must move first equally often: use --until with \
             --seats alternate",
        ));
    }
    if !plan.games.is_multiple_of(2) {
        return Err(Error::input(format!(
            "--games {}: to find out who is stronger, games are played in pairs, expected an even number",
            plan.games
        )));
    }
    let contest = players.contest(&[(0, 1)], plan);
    let answered = play_until(&contest, confidence, threads, stop, played);
    let Answered { result, bets } = answered.map_err(|failed| players.failure(failed))?;
    let mut report = MatchResult::played(players, &result);
    let parts = [&mut report.a_first, &mut report.b_first]
        .into_iter()
        .flatten();
    for part in parts.chain([&mut report.total]) {
        (part.win_low, part.win_high) = (None, None);
    }
    // The score at which games stop early is likely too far from a half to plan by.
    report.games_to_find = None;
    let is_enough = report.total.distinct_games >= Some(Played::FEWEST);
    report.until = (bets.results() > 0).then(|| {
        let score = bets.mean();
        let (score_low, score_high) = is_enough.then(|| bets.interval(confidence)).unzip();
        let ahead = if score > 0.5 { 'a' } else { 'b' };
        Until {
            confidence,
            stronger: (is_enough && bets.refutes(0.5, confidence)).then_some(ahead),
            score,
            score_low,
            score_high,
        }
    });
    Ok(report)
}

fn stopped(_: Stopped) -> Error {
    Error::Failed("it was stopped before the result was computed".to_owned())
}

/// The probabilities with which the first of two agents wins, draws and loses. Errors:
/// [`Error::Input`] if the game's positions, or the probabilities of an agent's moves, are not
/// listed; [`Error::Failed`] if the limits were reached.
pub fn exact_match(players: &Players, seats: Seats, limits: &Limits) -> Result<MatchResult, Error> {
    // Listing the positions takes long for some games.
    limits.check().map_err(stopped)?;
    let solved = players.stage.solved()?;
    let (a, b) = (players.policy(0, limits)?, players.policy(1, limits)?);
    let mut sweeper = Sweeper::new(&solved.graph);
    let a_first = (seats != Seats::BFirst).then(|| sweeper.outcome_rates(Side::X, &a, &b));
    let b_first = (seats != Seats::AFirst).then(|| sweeper.outcome_rates(Side::O, &a, &b));
    let total = match (a_first, b_first) {
        (Some(x), Some(o)) => Rates {
            win: (x.win + o.win) / 2.0,
            draw: (x.draw + o.draw) / 2.0,
            loss: (x.loss + o.loss) / 2.0,
        },
        (rates, None) | (None, rates) => rates.unwrap_or_default(),
    };
    Ok(MatchResult {
        a_first: a_first.map(Met::exact),
        b_first: b_first.map(Met::exact),
        ..MatchResult::of(players, Met::exact(total))
    })
}

/// The results of a tournament.
#[derive(Debug)]
pub struct Tournament {
    /// Who won how often.
    pub standings: Standings,
    /// Games that an agent lost by breaking them off, pairing by pairing.
    pub forfeits: Vec<ForfeitReport>,
    /// The path of the picture, or why not everything was written; no result that can still be
    /// printed is lost then.
    pub kept: Result<PathBuf, Error>,
}

/// Lets everyone play everyone, and writes the results into a new directory: `out`, or
/// `runs/tournament-<n>`. Errors: [`Error`] if an agent is listed twice or found no move, or if the
/// directory cannot be made.
pub fn tournament(
    players: &Players,
    plan: MatchPlan,
    out: Option<&Path>,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    played: &(dyn Fn() + Sync),
) -> Result<Tournament, Error> {
    let place = out.map_or(Place::Numbered("tournament"), Place::At);
    check_outside(place)?;
    check_distinct(&players.specs)?;
    let pairings = everyone(players.agents.len());
    let all: Vec<usize> = (0..pairings.len()).collect();
    // The directory is made first, so that no result is lost for lack of one.
    let directory = TournamentDirectory::create(place)?;
    let results = players.play(&pairings, &all, plan, threads, stop, played)?;
    let game = players.stage.game().name;
    let standings = Standings::new(game, players.names(), &plan, &pairings, &results);
    let kept = directory
        .write(&standings)
        .and_then(|()| draw_table(&directory, &standings))
        .and_then(|()| directory.finish());
    Ok(Tournament {
        standings,
        forfeits: (pairings.iter().zip(&results))
            .flat_map(|(&pairing, result)| players.forfeit_reports(pairing, result))
            .collect(),
        kept: kept.map(|()| directory.heatmap("svg")),
    })
}

/// Everyone against everyone else: the pairings of this many agents, in numerical order.
pub(super) fn everyone(agents: usize) -> Vec<(usize, usize)> {
    let all = (0..agents).flat_map(|a| (a + 1..agents).map(move |b| (a, b)));
    all.collect()
}
