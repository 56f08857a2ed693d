//! What is known about a position while a person thinks about it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::agent::{Stage, Thought, mcts_thoughts};
use crate::evaluate::{Analysis, Oracle};
use crate::game::{Moves, Position};
use crate::rng::{Purpose, stream};
use crate::search::mcts::{self, Budget, MctsConfig};
use crate::search::{Limits, Scoring, Stopped, TABLE_BITS, exact_solver, solver_facts};
use crate::threads::locked;

/// What is known about the moves of a position.
#[derive(Clone, Debug, PartialEq)]
pub enum Hint {
    /// What they are worth under perfect play.
    Exact(Analysis),
    /// What simulations found so far.
    Estimate {
        /// The number of simulations.
        simulations: u64,
        /// Every legal move, in ascending order; a value is a mean result, where a draw is ½.
        moves: Vec<Thought>,
        /// The best moves by these values.
        best: Moves<u128>,
    },
}

/// Thinks about one position at a time in another thread, deeper and deeper, until it is asked to leave the
/// position.
pub struct Advisor {
    stage: Arc<Stage>,
    /// Keeps what it learned from one position for the next. The thread that holds it does the thinking.
    perfect: Arc<Mutex<Option<Oracle>>>,
    asked: Option<Question>,
}

/// A position to think about.
struct Question {
    position: Position,
    stop: Arc<AtomicBool>,
    /// The hints found, in order, until nothing more will be found.
    found: Receiver<Hint>,
    known: Option<Hint>,
}

impl Advisor {
    /// An advisor for the games of a stage, which has nothing to think about yet.
    pub fn new(stage: Arc<Stage>) -> Advisor {
        Advisor {
            stage,
            perfect: Arc::default(),
            asked: None,
        }
    }

    /// Waits until everything is known about a live position that will be, or for `patience` at most,
    /// and returns what is known; `None` if nothing is. The thinking goes on.
    pub fn ask(&mut self, position: Position, patience: Duration) -> Option<Hint> {
        if self.asked.as_ref().map(|asked| asked.position) != Some(position) {
            self.leave();
        }
        let question = self.asked.get_or_insert_with(|| {
            let (sender, found) = mpsc::channel();
            let stop = Arc::<AtomicBool>::default();
            let (stage, perfect) = (Arc::clone(&self.stage), Arc::clone(&self.perfect));
            let ends = Arc::clone(&stop);
            let think = move || {
                let mut send = |hint| sender.send(hint).is_ok();
                // After a stop nobody is waiting for an answer.
                let _ = think_deeper(&stage, position, &ends, &mut locked(&perfect), &mut send);
            };
            // Without another thread there is no hint.
            let _ = thread::Builder::new().spawn(think);
            Question {
                position,
                stop,
                found,
                known: None,
            }
        });
        let end = Instant::now() + patience;
        let left = || end.saturating_duration_since(Instant::now());
        while let Ok(hint) = question.found.recv_timeout(left()) {
            question.known = Some(hint);
        }
        question.known.clone()
    }

    /// Stops thinking about the present position.
    pub fn leave(&mut self) {
        if let Some(question) = self.asked.take() {
            question.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl Drop for Advisor {
    fn drop(&mut self) {
        self.leave();
    }
}

/// The budgets of the first round; each round costs twice as much as the one before. All of them
/// together take some minutes.
const SIMULATIONS: u64 = 1 << 10;
const NODES: u64 = 100_000;
const ROUNDS: u32 = 15;

/// The most MiB that a tree may take.
const MEMORY: u64 = 256;

/// The table is smaller, because several users may ask at the same time.
const ADVICE_BITS: u32 = 22;

/// Thinks about a live position until everything is known that will be, or it is stopped, and passes each
/// finding to `on_hint`, which returns whether to go on.
pub fn advise(
    stage: &Stage,
    position: Position,
    stop: &AtomicBool,
    on_hint: &mut dyn FnMut(Hint) -> bool,
) {
    let mut perfect = Some(oracle(stage, Scoring::Raw, ADVICE_BITS));
    // The caller knows that it stopped the search.
    let _ = think_deeper(stage, position, stop, &mut perfect, on_hint);
}

/// Reports what simulations find, and then perfect play as soon as the search for it has finished.
/// Errors: [`Stopped`] if the position was left.
fn think_deeper(
    stage: &Stage,
    position: Position,
    stop: &AtomicBool,
    perfect: &mut Option<Oracle>,
    on_hint: &mut dyn FnMut(Hint) -> bool,
) -> Result<(), Stopped> {
    let limits = Limits::until(stop);
    limits.check()?;
    let config = MctsConfig {
        memory: MEMORY,
        ..MctsConfig::default()
    };
    let draw_value = config.draw_value;
    let mut rng = stream(1, Purpose::Search, 0, 0);
    let mut search = mcts::search(config, position, None, &mut rng);
    let mut simulations = 0;
    for round in 0..ROUNDS {
        let budget = Budget {
            simulations: SIMULATIONS << round,
            milliseconds: 0,
        };
        simulations += search.search(budget, &limits, &mut rng)?;
        let found = Hint::Estimate {
            simulations,
            moves: mcts_thoughts(&search.statistics(), draw_value),
            best: search.best_moves(),
        };
        if !on_hint(found) {
            return Err(Stopped);
        }
        let perfect = perfect.get_or_insert_with(|| oracle(stage, Scoring::Raw, TABLE_BITS));
        let nodes = NODES << round;
        match perfect.analyze(position, &Limits { nodes, ..limits }) {
            Ok(Some(analysis)) => {
                on_hint(Hint::Exact(analysis));
                return Ok(());
            }
            Ok(None) => return Ok(()),
            Err(Stopped) => limits.check()?,
        }
    }
    Ok(())
}

/// The oracle of a stage's game; scores are counted by `scoring`, and its table, if it needs one, takes
/// at most 16 × 2^`bits` bytes.
pub fn oracle(stage: &Stage, scoring: Scoring, bits: u32) -> Oracle {
    let game = stage.game();
    let has_scores = solver_facts(game, scoring).score_meaning.is_some();
    if game.listed
        && !has_scores
        && let Ok(solved) = stage.solved()
    {
        return Oracle::Listed(solved);
    }
    Oracle::searched(game, exact_solver(game, bits, scoring))
}
