//! Training on games whose positions are too many to list.
//!
//! There the learner is Monte Carlo tree search that begins anew for every move: after k
//! epochs it makes k times `episodes_per_epoch` simulations for each. What that is
//! worth is counted in games, so that every rate has an interval; nothing is exact.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use rand::RngExt;

use super::cast::Cast;
use super::config::Config;
use super::csv_log::csv_text;
use super::data::read_rows;
use super::directory::RunDirectory;
use super::record::{Method, MetricsRow};
use super::trainer::{Interrupt, Status};
use crate::agent::Agent;
use crate::error::Error;
use crate::evaluate::{MatchPlan, PairingResult, Seats, Tally, play_pairings, wilson};
use crate::game::{Game, GameInfo, GameVisitor, Side, with_game};
use crate::rng::{Purpose, stream};

/// A config of a sampled training made ready; see [`Config::is_sampled`].
pub struct SampledExperiment {
    config: Config,
    info: &'static GameInfo,
    /// Whom strength is measured against.
    opponents: Vec<Agent>,
}

impl SampledExperiment {
    /// Makes the opponents ready.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] if an opponent cannot play the game.
    pub fn prepare(config: Config) -> Result<SampledExperiment, Error> {
        let info = config.game.info();
        let mut cast = Cast::new(info);
        let opponents = config.evaluation.opponents.iter();
        let opponents = opponents
            .map(|spec| cast.agent(spec))
            .collect::<Result<_, _>>()?;
        Ok(SampledExperiment {
            info,
            opponents,
            config,
        })
    }

    /// What was asked for.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Where its opponents are less than their names say, in sentences.
    pub fn cautions(&self) -> Vec<String> {
        let opponents = self.opponents.iter();
        opponents
            .filter_map(|agent| agent.caution(self.info))
            .collect()
    }

    /// Games of the whole training.
    pub fn games(&self) -> u64 {
        let config = &self.config;
        let pairings = (self.opponents.len() * config.side.list().len()) as u64;
        config.seeds.count() * config.epochs * pairings * config.evaluation.games
    }

    /// The pairings of an epoch, in the order of its rows.
    fn pairings(&self) -> impl Iterator<Item = (Side, String)> {
        let config = &self.config;
        let opponents = config.evaluation.opponents.iter();
        let opponents: Vec<String> = opponents.map(ToString::to_string).collect();
        let sides = config.side.list().iter();
        sides.flat_map(move |&side| {
            let opponents = opponents.clone().into_iter();
            opponents.map(move |opponent| (side, opponent))
        })
    }

    /// Whether these are the rows of a whole epoch.
    fn is_whole(&self, rows: &[MetricsRow]) -> bool {
        let games = self.config.evaluation.games;
        let counted = |row: &MetricsRow| row.method == Method::Sampled && row.games == Some(games);
        rows.iter().all(counted)
            && self
                .pairings()
                .eq(rows.iter().map(|row| (row.side, row.opponent.clone())))
    }

    /// Plays an epoch's games, several at a time; what is found does not depend on
    /// `threads`. `None` if it was interrupted.
    fn measure(
        &self,
        seed: u64,
        epoch: u64,
        threads: NonZeroUsize,
        interrupt: &Interrupt,
        played: &(dyn Fn() + Sync),
    ) -> Option<Vec<MetricsRow>> {
        let simulations = epoch * self.config.episodes_per_epoch;
        let mut agents = vec![self.config.searcher(epoch)?];
        agents.extend(self.opponents.iter().cloned());
        let pairings: Vec<(usize, usize)> = (1..agents.len()).map(|i| (0, i)).collect();
        let games = self.config.evaluation.games;
        let mut rows = Vec::new();
        for &side in self.config.side.list() {
            let mut seeds = stream(seed, Purpose::Evaluation, epoch, side.index() as u64);
            let plan = MatchPlan {
                games,
                seats: match side {
                    Side::X => Seats::AFirst,
                    Side::O => Seats::BFirst,
                },
                seed: seeds.random(),
            };
            let play = Play {
                agents: &agents,
                pairings: &pairings,
                plan,
                threads,
                interrupt,
                played,
            };
            let results = with_game(self.info.name, play).expect("the game is registered");
            for (result, opponent) in results.iter().zip(&self.config.evaluation.opponents) {
                let tally = result.total();
                if tally.games() < games {
                    return None;
                }
                rows.push(row(
                    seed,
                    epoch,
                    simulations,
                    side,
                    opponent.to_string(),
                    tally,
                ));
            }
        }
        Some(rows)
    }
}

fn row(
    seed: u64,
    epoch: u64,
    episodes: u64,
    side: Side,
    opponent: String,
    tally: Tally,
) -> MetricsRow {
    let rates = tally.rates();
    let (win_low, win_high) = wilson(tally.wins, tally.games());
    MetricsRow {
        seed,
        epoch,
        episodes,
        side,
        opponent,
        method: Method::Sampled,
        games: Some(tally.games()),
        win_rate: rates.win,
        draw_rate: rates.draw,
        loss_rate: rates.loss,
        win_low,
        win_high,
    }
}

struct Play<'a> {
    agents: &'a [Agent],
    pairings: &'a [(usize, usize)],
    plan: MatchPlan,
    threads: NonZeroUsize,
    interrupt: &'a Interrupt,
    played: &'a (dyn Fn() + Sync),
}

impl GameVisitor for Play<'_> {
    type Output = Vec<PairingResult>;

    fn visit<G: Game>(self, _: &'static GameInfo) -> Vec<PairingResult> {
        let stopped = || self.interrupt.requested();
        play_pairings::<G>(
            self.agents,
            self.pairings,
            self.plan,
            self.threads,
            &stopped,
            self.played,
        )
    }
}

/// Measures every epoch of every seed that the run's `metrics.csv` has not whole yet,
/// and writes that anew after each. `played` is told after every game, also of those
/// that were played before.
///
/// # Errors
///
/// [`Error`] if the file cannot be read or written.
pub fn train_sampled(
    experiment: &SampledExperiment,
    run: &RunDirectory,
    threads: NonZeroUsize,
    interrupt: &Interrupt,
    played: &(dyn Fn(u64) + Sync),
) -> Result<Status, Error> {
    let config = experiment.config();
    // By seed and epoch, in the order of the config.
    let mut epochs: BTreeMap<(usize, u64), Vec<MetricsRow>> = BTreeMap::new();
    let seeds = config.seeds.list();
    if run.metrics().exists() {
        for row in read_rows::<MetricsRow>(&run.metrics())? {
            if let Some(index) = seeds.iter().position(|&seed| seed == row.seed) {
                epochs.entry((index, row.epoch)).or_default().push(row);
            }
        }
        epochs.retain(|_, rows| experiment.is_whole(rows));
    }
    let per_epoch = experiment.games() / (config.seeds.count() * config.epochs);
    for (index, &seed) in seeds.iter().enumerate() {
        for epoch in 1..=config.epochs {
            if epochs.contains_key(&(index, epoch)) {
                played(per_epoch);
                continue;
            }
            let measured = experiment.measure(seed, epoch, threads, interrupt, &|| played(1));
            let Some(measured) = measured else {
                return Ok(Status::Interrupted);
            };
            epochs.insert((index, epoch), measured);
            let rows: Vec<&MetricsRow> = epochs.values().flatten().collect();
            run.write_atomically(&run.metrics(), &csv_text(&rows, true))?;
        }
    }
    Ok(Status::Finished)
}
