//! Many games at once.

use std::sync::{Arc, Mutex, MutexGuard};

use numpy::PyArray1;
use playlab::game::Side;
use playlab::search::Limits;
use playlab::workflow::{Moved, VectorEnvironment};
use pyo3::prelude::*;

use crate::arrays::{self, array};
use crate::game::{Game, game_like, planes_shape, warn_of};
use crate::interrupt::interruptible;
use crate::numbers::{optional_seed, seed, whole};
use crate::player::{hold, ready};
use crate::{bad, exception, side};

/// The rewards and the ends of a step, each of shape (count,).
type Stepped<'py> = (Bound<'py, PyArray1<f32>>, Bound<'py, PyArray1<bool>>);

/// There are at most this many games.
const MOST_GAMES: usize = 1 << 24;

/// Reads how many games there are.
fn game_count(any: &Bound<'_, PyAny>) -> PyResult<usize> {
    let found = whole(any)?.filter(|count| (1..=MOST_GAMES).contains(count));
    found.ok_or_else(|| bad(format!("there are {any} games, expected 1 to {MOST_GAMES}")))
}

/// Many games at once. A game that ends is followed by a new one right away.
///
/// ``game`` is a game or the name of one.
/// ``opponent`` answers every move of the caller: an agent by its spec, or a policy as an array;
/// without one, the caller moves both sides. The caller plays ``side`` in every game, X if none is given;
/// ``"both"`` is X in the games of even index and O in the others. The same seed gives the same games.
///
/// Warns (``UserWarning``) of what limits the opponent, such as that it did not learn the side that it has to play.
///
/// ``count`` is the number of games, from 1 to 2**24; an outside program (``"gtp:COMMAND"``) is started
/// once for each. Raises ``RuntimeError``, in :meth:`step` too, if a program resigns or breaks a game off before
/// the caller's first move. Every call returns new arrays.
#[pyclass(frozen, module = "playlab")]
pub struct VectorEnv {
    game: Py<Game>,
    count: usize,
    /// Whether a step is over at once, as the opponent looks up its moves.
    is_fast: bool,
    games: Mutex<VectorEnvironment>,
}

impl VectorEnv {
    fn games(&self) -> PyResult<MutexGuard<'_, VectorEnvironment>> {
        hold(&self.games)
    }

    /// Does something with the games while other threads of Python go on.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut VectorEnvironment, &Limits<'_>) -> T + Send,
    ) -> PyResult<T> {
        let mut games = self.games()?;
        let games = &mut *games;
        match self.is_fast {
            true => Ok(py.detach(|| work(games, &Limits::NONE))),
            false => interruptible(py, |limits| work(games, limits)),
        }
    }
}

#[pymethods]
impl VectorEnv {
    #[new]
    #[pyo3(signature = (game, count, opponent = None, side = None, seed = 0))]
    fn new(
        #[pyo3(from_py_with = game_like)] game: Bound<'_, Game>,
        #[pyo3(from_py_with = game_count)] count: usize,
        opponent: Option<&Bound<'_, PyAny>>,
        side: Option<&str>,
        #[pyo3(from_py_with = seed)] seed: u64,
    ) -> PyResult<VectorEnv> {
        let (py, lab) = (game.py(), game.get());
        if let (None, Some(side @ ("x" | "X" | "o" | "O"))) = (opponent, side) {
            return Err(bad(format!(
                "without an opponent you move both sides; leave out side = '{side}', or name an opponent"
            )));
        }
        let sides: Vec<Side> = match side.unwrap_or("x") {
            "both" => Side::BOTH.into_iter().cycle().take(count).collect(),
            side => vec![
                self::side(side).map_err(|_| bad(format!(
                    "unknown side '{side}', expected x, o or both"
                )))?;
                count
            ],
        };
        // The sides that the opponent plays.
        let theirs: Vec<Side> = Side::BOTH
            .into_iter()
            .filter(|side| sides.contains(&!*side))
            .collect();
        let solved = match lab.info().listed {
            true => Some(Arc::clone(lab.solved(py)?)),
            false => None,
        };
        let (games, is_fast) = match opponent {
            None => (VectorEnvironment::alone(lab.info(), solved, count), true),
            Some(opponent) => match opponent.extract::<String>() {
                Ok(agent) => {
                    let agent = ready(py, lab, &agent)?;
                    warn_of(py, agent.caution(&theirs), 1)?;
                    let made = interruptible(py, |limits| {
                        VectorEnvironment::against(lab.info(), solved, &agent, sides, limits)
                    })?;
                    let games = made.map_err(bad)?;
                    let is_fast = games.is_on_graph();
                    (games, is_fast)
                }
                Err(_) => {
                    let solved = Arc::clone(lab.solved(py)?);
                    let policy = arrays::policy(opponent, &solved, &theirs, Vec::new())?;
                    let games =
                        py.detach(|| VectorEnvironment::against_policy(solved, &policy, sides));
                    (games, true)
                }
            },
        };
        let environment = VectorEnv {
            game: game.unbind(),
            count,
            is_fast,
            games: Mutex::new(games),
        };
        environment.reset(py, Some(seed))?;
        Ok(environment)
    }

    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// Starts all games over, with the random numbers of a seed, or else continuing the present ones.
    #[pyo3(signature = (seed = None))]
    fn reset(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = optional_seed)] seed: Option<u64>,
    ) -> PyResult<()> {
        self.with(py, |games, limits| games.reset(seed, limits))?
            .map_err(exception)
    }

    /// Makes a move in every game, and lets the opponent answer.
    ///
    /// ``moves`` is of shape (count,). Returns rewards and which games ended with this step, each of
    /// shape (count,). A reward is 1 for a win, -1 for a loss, else 0: for the caller's side, or for
    /// the side that moved, where the caller moves both. The next position of a game that ended is
    /// the first one of another game. An opponent that resigns has lost, and so has a
    /// program that breaks a game off, which a ``UserWarning`` reports. Raises ``ValueError`` if a
    /// move is not legal; no game has gone on then. Raises ``RuntimeError`` if the opponent finds
    /// no move; after that, as after Ctrl-C, start over with :meth:`reset`.
    fn step<'py>(&self, py: Python<'py>, moves: &Bound<'py, PyAny>) -> PyResult<Stepped<'py>> {
        let moves = arrays::moves(moves)?;
        let moved = self.with(py, |games, limits| games.step(&moves, limits))?;
        let Moved {
            rewards,
            ended,
            forfeits,
        } = moved.map_err(exception)?;
        let what = forfeits.into_iter().next();
        warn_of(
            py,
            what.map(|what| format!("the opponent loses a game: {what}")),
            1,
        )?;
        Ok((
            PyArray1::from_vec(py, rewards),
            PyArray1::from_vec(py, ended),
        ))
    }

    /// The number of every game's position, where positions are listed. Shape (count,).
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let games = self.games()?;
        let numbers: Vec<u32> = match games.numbers() {
            Some(numbers) => numbers.collect(),
            None => {
                let graph = &self.game.get().solved(py)?.graph;
                let number = |position: playlab::game::Position| {
                    let found = graph.find(position.key());
                    found.expect("the positions of a listed game are in its graph") as u32
                };
                games.positions().into_iter().map(number).collect()
            }
        };
        Ok(array(py, numbers, &[self.count])?.into_any())
    }

    /// The planes of every game's position; see :attr:`Game.planes`. Shape (count, 2, rows,
    /// columns).
    #[getter]
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut games = self.games()?;
        let games = &mut *games;
        let shape = planes_shape(games.game(), self.count);
        let planes = py.detach(move || games.planes());
        Ok(array(py, planes, &shape)?.into_any())
    }

    /// For every game and move whether the move is legal. Shape (count, moves).
    #[getter]
    fn legal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let games = self.games()?;
        let legal = games.legal();
        Ok(array(py, legal, &[self.count, games.game().move_count])?.into_any())
    }

    /// The side to move in every game, 0 for X and 1 for O. Shape (count,).
    #[getter]
    fn to_move<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let sides = self.games()?.to_move();
        let indices: Vec<i8> = sides.into_iter().map(|side| side.index() as i8).collect();
        Ok(array(py, indices, &[self.count])?.into_any())
    }

    fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        let name = self.game.get().info().name;
        format!("VectorEnv(Game({name:?}), {})", self.count)
    }
}
