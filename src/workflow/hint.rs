//! What is known of a position while a person thinks about it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::agent::{Stage, Thought, mcts_thoughts};
use crate::evaluate::{Analysis, Oracle};
use crate::game::{Moves, Position};
use crate::rng::{Purpose, stream};
use crate::search::mcts::{self, Budget, MctsConfig};
use crate::search::{Limits, Scoring, Stopped, TABLE_BITS, exact_solver, solver_facts};
use crate::threads::locked;

/// What is known of the moves of a position.
#[derive(Clone, Debug, PartialEq)]
pub enum Hint {
    /// What they are worth under perfect play.
    Exact(Analysis),
    /// What simulations found so far.
    Estimate {
        /// How many there were.
        simulations: u64,
        /// Every legal move, in ascending order; a value is a mean result, a draw being ½.
        moves: Vec<Thought>,
        /// The best moves by that.
        best: Moves<u128>,
    },
}

/// Thinks about one position after the other in another thread, deeper and deeper, until it is told to leave
/// the position.
pub struct Advisor {
    stage: Arc<Stage>,
    /// It learns from one position for the next. The thread that holds it is the one that thinks.
    perfect: Arc<Mutex<Option<Oracle>>>,
    asked: Option<Arc<Question>>,
}

/// A position to think about.
struct Question {
    position: Position,
    stop: AtomicBool,
    known: Mutex<HintSoFar>,
    changed: Condvar,
}

#[derive(Default)]
struct HintSoFar {
    hint: Option<Hint>,
    /// Nothing more will be found.
    is_final: bool,
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

    /// What is known of a live position when all is known that will be, or when the patience is at its
    /// end; `None` if that is nothing. The thinking goes on.
    pub fn ask(&mut self, position: Position, patience: Duration) -> Option<Hint> {
        if self.asked.as_ref().map(|asked| asked.position) != Some(position) {
            self.leave();
        }
        let question = self.asked.get_or_insert_with(|| {
            let question = Arc::new(Question {
                position,
                stop: AtomicBool::new(false),
                known: Mutex::default(),
                changed: Condvar::new(),
            });
            let (stage, perfect) = (Arc::clone(&self.stage), Arc::clone(&self.perfect));
            let asked = Arc::clone(&question);
            // Where the system allows no more threads, no hint comes.
            let _ =
                thread::Builder::new().spawn(move || think(&stage, &asked, &mut locked(&perfect)));
            question
        });
        let known = locked(&question.known);
        let waited = question
            .changed
            .wait_timeout_while(known, patience, |known| !known.is_final);
        let (known, _) = waited.unwrap_or_else(PoisonError::into_inner);
        known.hint.clone()
    }

    /// Stops thinking about the position that was asked about.
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

/// Answers a question, unless it is told to stop.
fn think(stage: &Stage, question: &Question, perfect: &mut Option<Oracle>) {
    let mut tell = |hint| {
        locked(&question.known).hint = Some(hint);
        true
    };
    let (position, stop) = (question.position, &question.stop);
    // Who told it to stop does not wait for an answer.
    if think_deeper(stage, position, stop, perfect, &mut tell).is_ok() {
        locked(&question.known).is_final = true;
        question.changed.notify_all();
    }
}

/// What the first round may cost; each costs twice as much as the one before. With the last one
/// some minutes are over.
const SIMULATIONS: u64 = 1 << 10;
const NODES: u64 = 100_000;
const ROUNDS: u32 = 15;

/// The most MiB that a tree may take.
const MEMORY: u64 = 256;

/// Several may ask at once: their tables are smaller.
const ADVICE_BITS: u32 = 22;

/// Thinks about a live position until all is known that will be, or it is to stop, and tells what it finds as it
/// finds it; `tell` returns whether to go on.
pub fn advise(
    stage: &Stage,
    position: Position,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(Hint) -> bool,
) {
    let mut perfect = Some(oracle(stage, Scoring::Raw, ADVICE_BITS));
    // Who tells it to stop knows that it did.
    let _ = think_deeper(stage, position, stop, &mut perfect, tell);
}

/// Tells what simulations find, then what perfect play is, as soon as the search for that comes to its
/// end. Errors: [`Stopped`] if the position was left.
fn think_deeper(
    stage: &Stage,
    position: Position,
    stop: &AtomicBool,
    perfect: &mut Option<Oracle>,
    tell: &mut dyn FnMut(Hint) -> bool,
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
        if !tell(found) {
            return Err(Stopped);
        }
        let perfect = perfect.get_or_insert_with(|| oracle(stage, Scoring::Raw, TABLE_BITS));
        let nodes = NODES << round;
        match perfect.analyze(position, &Limits { nodes, ..limits }) {
            Ok(Some(analysis)) => {
                tell(Hint::Exact(analysis));
                return Ok(());
            }
            Ok(None) => return Ok(()),
            Err(Stopped) => limits.check()?,
        }
    }
    Ok(())
}

/// The oracle of a stage's game; scores are counted by `scoring`, and a table that it needs takes at most
/// 16 times 2^`bits` bytes.
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
