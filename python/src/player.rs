//! Agents of the lab as players.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use playlab::agent;
use playlab::rng::{LabRng, Purpose, stream};
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::game::{Game, game_like, warn_of};
use crate::interrupt::interruptible;
use crate::numbers::{optional_seed, seed};
use crate::position::Position;
use crate::{bad, exception};

create_exception!(
    playlab,
    Resigned,
    PyValueError,
    "A player has resigned instead of moving: it has lost."
);

create_exception!(
    playlab,
    BrokeOff,
    PyValueError,
    "A player, an outside program, has broken off its game: it has lost."
);

/// An agent of the lab, by its spec, such as ``"mcts:simulations=1000"``, in a game, which may be given by its name.
/// It may remember the course of a game; begin another one with :meth:`start_game`.
///
/// Raises ``ValueError`` if there is no such agent, or if it cannot play the game.
#[pyclass(frozen, module = "playlab")]
pub struct Player {
    game: Py<Game>,
    agent: String,
    ready: Arc<dyn agent::Agent>,
    /// By [`Side::index`](playlab::game::Side::index): whether the agent was asked to play that side.
    was_asked: [AtomicBool; 2],
    seat: Mutex<Seat>,
}

/// Who plays, and the random numbers for it.
struct Seat {
    player: Box<dyn agent::Player>,
    rng: LabRng,
}

/// Locks what only one call at a time may use. Errors: `RuntimeError` if another thread holds it, or if a call
/// that held it panicked.
pub fn hold<T>(mutex: &Mutex<T>) -> PyResult<MutexGuard<'_, T>> {
    mutex.try_lock().map_err(|error| {
        PyRuntimeError::new_err(match error {
            TryLockError::WouldBlock => "another thread is using this; each thread needs its own",
            TryLockError::Poisoned(_) => {
                "a bug in the lab cut an earlier call short; make a new one"
            }
        })
    })
}

#[pymethods]
impl Player {
    #[new]
    #[pyo3(signature = (game, agent, seed = 0))]
    fn new(
        #[pyo3(from_py_with = game_like)] game: Bound<'_, Game>,
        agent: String,
        #[pyo3(from_py_with = seed)] seed: u64,
    ) -> PyResult<Player> {
        let ready = ready(game.py(), game.get(), &agent)?;
        let player = Arc::clone(&ready).seat();
        let rng = stream(seed, Purpose::Match, 0, 0);
        Ok(Player {
            game: game.unbind(),
            agent,
            ready,
            was_asked: Default::default(),
            seat: Mutex::new(Seat { player, rng }),
        })
    }

    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The agent's spec.
    #[getter]
    fn agent(&self) -> &str {
        &self.agent
    }

    /// Forgets the previous game; with a seed, its random numbers start over, too.
    #[pyo3(signature = (seed = None))]
    fn start_game(&self, #[pyo3(from_py_with = optional_seed)] seed: Option<u64>) -> PyResult<()> {
        let mut seat = hold(&self.seat)?;
        if let Some(seed) = seed {
            seat.rng = stream(seed, Purpose::Match, 0, 0);
        }
        seat.player.start_game();
        Ok(())
    }

    /// Chooses a move. Raises ``ValueError`` if the game is over, if the position is of another
    /// game, or if the agent finds no move; :class:`Resigned`, a ``ValueError`` too, if it resigns, and
    /// :class:`BrokeOff` if it is an outside program that ends, hangs or plays an illegal move. Warns (``UserWarning``)
    /// at the first move as a side of what limits the agent there, such as that it did not learn that side.
    fn choose(&self, py: Python<'_>, position: &Position) -> PyResult<usize> {
        let position = position.position();
        let (here, name) = (self.game.get().info().name, position.game().name);
        if name != here {
            return Err(bad(format!(
                "the position is of {name}, expected one of {here}"
            )));
        }
        if position.outcome().is_some() {
            return Err(bad(format!(
                "{position}: the game is over, there is no move"
            )));
        }
        let side = position.to_move();
        if !self.was_asked[side.index()].swap(true, Ordering::Relaxed) {
            warn_of(py, self.ready.caution(&[side]), 1)?;
        }
        let mut seat = hold(&self.seat)?;
        let Seat { player, rng } = &mut *seat;
        let chosen = interruptible(py, |limits| player.choose(position, limits, rng))?;
        let chosen = chosen.map_err(|failure| match failure {
            agent::Failure::Resigns => Resigned::new_err(failure.to_string()),
            agent::Failure::Forfeit(why) => BrokeOff::new_err(why),
            other => bad(other),
        });
        Ok(chosen?.index())
    }

    fn __repr__(&self) -> String {
        let name = self.game.get().info().name;
        format!("Player(Game({name:?}), {:?})", self.agent)
    }
}

/// An agent, made ready.
pub fn ready(py: Python<'_>, game: &Game, text: &str) -> PyResult<Arc<dyn agent::Agent>> {
    let spec: agent::AgentSpec = text.parse().map_err(bad)?;
    interruptible(py, |limits| game.stage().agent_within(&spec, limits))?.map_err(exception)
}
