//! The training loop. It tells observers what happens and knows nothing of
//! files or screens.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::checkpoint::{Checkpoint, Content};
use super::config::Stop;
use super::experiment::Experiment;
use super::record::{EpochRecord, SideRecord};
use crate::error::Error;
use crate::evaluate::{Assessor, play_games};
use crate::game::{Side, Value};
use crate::graph::{Policy, Sampler};
use crate::learn::{EpochStats, Learner, Setup};
use crate::rng::{Purpose, stream};

/// What happens in a run. Events of one seed come in order, from one thread;
/// seeds are told apart by their index in the config's list.
pub enum Event<'e> {
    /// A seed starts, or goes on after the `restored` epochs.
    SeedStarted {
        /// The seed's index.
        index: usize,
        /// The seed.
        seed: u64,
        /// The epochs it has behind it.
        restored: &'e [EpochRecord],
    },
    /// An epoch was trained and measured.
    EpochFinished {
        /// The seed's index.
        index: usize,
        /// The seed as it is now.
        state: &'e SeedState<'e>,
        /// Whether the seed stops here, because it is finished or because the
        /// run was interrupted.
        stops: bool,
    },
    /// A seed has trained all it was to train.
    SeedFinished {
        /// The seed's index.
        index: usize,
    },
    /// The run ended; nothing comes after this.
    Ended {
        /// How.
        status: Status,
    },
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Every seed is finished.
    Finished,
    /// Somebody asked it to stop.
    Interrupted,
}

/// Is told what happens in a run, from several threads.
pub trait Observer: Sync {
    /// Takes notice of an event.
    ///
    /// # Errors
    ///
    /// An error ends the run.
    fn notify(&self, event: &Event<'_>) -> Result<(), Error>;
}

/// The wish that a run stop after the current epochs.
#[derive(Debug, Default)]
pub struct Interrupt(AtomicBool);

impl Interrupt {
    /// Nobody wishes that yet.
    pub const fn new() -> Interrupt {
        Interrupt(AtomicBool::new(false))
    }

    /// Wishes it; returns whether that had been done before.
    pub fn request(&self) -> bool {
        self.0.swap(true, Ordering::SeqCst)
    }

    /// What becomes true when somebody wishes it.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// Whether somebody wishes it.
    pub fn requested(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// One seed in training, at the end of an epoch.
pub struct SeedState<'a> {
    experiment: &'a Experiment,
    setup: &'a Setup<'a>,
    learner: Learner<'a>,
    seed: u64,
    finished: bool,
    unbeatable_epochs: u64,
    best_epoch: u64,
    best: Option<Checkpoint>,
    history: Vec<EpochRecord>,
}

impl<'a> SeedState<'a> {
    fn new(experiment: &'a Experiment, setup: &'a Setup<'a>, seed: u64) -> SeedState<'a> {
        SeedState {
            experiment,
            setup,
            learner: setup.learner(stream(seed, Purpose::Training, 0, 0)),
            seed,
            finished: false,
            unbeatable_epochs: 0,
            best_epoch: 0,
            best: None,
            history: Vec::new(),
        }
    }

    fn restore(
        experiment: &'a Experiment,
        setup: &'a Setup<'a>,
        learner: Learner<'a>,
        content: Content,
    ) -> SeedState<'a> {
        SeedState {
            experiment,
            setup,
            learner,
            seed: content.seed,
            finished: content.finished,
            unbeatable_epochs: content.unbeatable_epochs,
            best_epoch: content.best_epoch,
            best: None,
            history: content.history,
        }
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// What was measured after each epoch so far, at least one.
    pub fn history(&self) -> &[EpochRecord] {
        &self.history
    }

    /// What was measured after the latest epoch.
    pub fn record(&self) -> &EpochRecord {
        &self.history[self.history.len() - 1]
    }

    /// The best epoch so far.
    pub fn best_epoch(&self) -> u64 {
        self.best_epoch
    }

    /// The learner as it was at the end of the best epoch, if that was since the
    /// training started or went on.
    pub fn best(&self) -> Option<&Checkpoint> {
        self.best.as_ref()
    }

    /// The learner as it is.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            content: Content {
                config: self.experiment.config.clone(),
                seed: self.seed,
                epoch: self.history.len() as u64,
                episodes: self.learner.episodes(),
                finished: self.finished,
                unbeatable_epochs: self.unbeatable_epochs,
                best_epoch: self.best_epoch,
                rng: self.learner.rng().clone(),
                history: self.history.clone(),
            },
            memory: self.learner.memory(),
        }
    }

    /// Trains and measures one more epoch.
    fn advance(&mut self, assessor: &mut Assessor<'a>, policy: &mut Policy) {
        let config = &self.experiment.config;
        self.learner.train(config.episodes_per_epoch);
        let stats = self.learner.take_stats();
        let epoch = self.history.len() as u64 + 1;
        let sides = config
            .side
            .list()
            .iter()
            .map(|&side| self.measure(epoch, side, stats[side.index()], assessor, policy))
            .collect();
        self.history.push(EpochRecord {
            epoch,
            episodes: self.learner.episodes(),
            sides,
        });

        let unbeatable = self.record().unbeatable();
        self.unbeatable_epochs = if unbeatable {
            self.unbeatable_epochs + 1
        } else {
            0
        };
        self.finished = epoch >= config.epochs
            || self.learner.is_complete()
            || config.stop == Stop::Unbeatable && self.unbeatable_epochs >= config.patience;
        let merit = |record: &EpochRecord| (record.unbeatable(), record.first_win_rate());
        let best = self
            .best_epoch
            .checked_sub(1)
            .map(|i| merit(&self.history[i as usize]));
        if best.is_none_or(|best| merit(self.record()) > best) {
            self.best_epoch = epoch;
            self.best = Some(self.checkpoint());
        }
    }

    fn measure(
        &self,
        epoch: u64,
        side: Side,
        stats: EpochStats,
        assessor: &mut Assessor<'a>,
        policy: &mut Policy,
    ) -> SideRecord {
        let Experiment {
            config,
            graph,
            walk,
            judges,
            ..
        } = self.experiment;
        self.learner.greedy_policy(side, policy);
        let mut sampled = Vec::new();
        if config.evaluation.games > 0 {
            let sampler = Sampler::of(graph, policy);
            for (i, judge) in judges.iter().enumerate() {
                let index = (2 * i + side.index()) as u64;
                let mut rng = stream(self.seed, Purpose::Evaluation, epoch, index);
                let games = config.evaluation.games;
                let tally = play_games(walk, side, &sampler, &judge.sampler, games, &mut rng);
                sampled.push((tally.wins, tally.draws, tally.losses));
            }
        }
        let last_episode = self.learner.episodes() - 1;
        let setup = self.setup;
        let mut record = SideRecord {
            side,
            epsilon: setup.epsilon(last_episode),
            temperature: setup.temperature(last_episode),
            learning_rate: stats.learning_rate(),
            mean_abs_td_error: stats.mean_abs_td_error(),
            states_visited: self.learner.states_visited(side),
            optimal_move_rate: 0.0,
            worst_case: Value::Loss,
            exact: Vec::new(),
            best_response: (0.0, 0.0, 0.0),
            sampled,
        };
        record.set_assessment(&assessor.assess(
            side,
            policy,
            judges.iter().map(|judge| &judge.policy),
        ));
        record
    }
}

/// Trains every seed of the experiment, several at a time.
///
/// `load` gives what a seed goes on from, if there is something. What
/// the observers are told of a seed does not depend on `threads`.
///
/// # Errors
///
/// The first error of `load` or of an observer; the other seeds then stop after
/// their current epoch.
pub fn train<'a>(
    experiment: &'a Experiment,
    setup: &'a Setup<'a>,
    load: &(dyn Fn(u64) -> Result<Option<(Content, Learner<'a>)>, Error> + Sync),
    threads: NonZeroUsize,
    interrupt: &Interrupt,
    observers: &[&dyn Observer],
) -> Result<Status, Error> {
    let seeds = experiment.config.seeds.list();
    let next = AtomicUsize::new(0);
    let failure: Mutex<Option<Error>> = Mutex::new(None);
    let failed = || failure.lock().is_ok_and(|failure| failure.is_some());
    let work = || {
        let mut assessor = Assessor::new(&experiment.graph, &experiment.solution);
        let mut policy = Policy::empty(&experiment.graph);
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(&seed) = seeds
                .get(index)
                .filter(|_| !interrupt.requested() && !failed())
            else {
                return;
            };
            let result = load(seed).and_then(|checkpoint| {
                let mut state = match checkpoint {
                    Some((content, learner)) => {
                        SeedState::restore(experiment, setup, learner, content)
                    }
                    None => SeedState::new(experiment, setup, seed),
                };
                let stopped = || interrupt.requested() || failed();
                run_seed(
                    index,
                    &mut state,
                    &mut assessor,
                    &mut policy,
                    stopped,
                    observers,
                )
            });
            if let Err(error) = result
                && let Ok(mut failure) = failure.lock()
            {
                failure.get_or_insert(error);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.get().min(seeds.len()) {
            scope.spawn(work);
        }
    });
    if let Ok(Some(error)) = failure.into_inner() {
        return Err(error);
    }
    let status = if interrupt.requested() {
        Status::Interrupted
    } else {
        Status::Finished
    };
    tell(observers, &Event::Ended { status })?;
    Ok(status)
}

fn run_seed<'a>(
    index: usize,
    state: &mut SeedState<'a>,
    assessor: &mut Assessor<'a>,
    policy: &mut Policy,
    stopped: impl Fn() -> bool,
    observers: &[&dyn Observer],
) -> Result<(), Error> {
    tell(
        observers,
        &Event::SeedStarted {
            index,
            seed: state.seed,
            restored: &state.history,
        },
    )?;
    while !state.finished {
        state.advance(assessor, policy);
        let stops = state.finished || stopped();
        tell(
            observers,
            &Event::EpochFinished {
                index,
                state,
                stops,
            },
        )?;
        if stops && !state.finished {
            return Ok(());
        }
    }
    tell(observers, &Event::SeedFinished { index })
}

fn tell(observers: &[&dyn Observer], event: &Event<'_>) -> Result<(), Error> {
    observers
        .iter()
        .try_for_each(|observer| observer.notify(event))
}
