//! Games and their graphs.

use std::ffi::CString;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use numpy::Element;
use playlab::agent::{AgentSpec, Stage};
use playlab::game::{GameInfo, Outcome, Side};
use playlab::graph::{GameGraph, Policy, Solved, SweepMemory};
use playlab::value::write_planes;
use playlab::workflow;
use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

use crate::arrays::{self, array, fixed, indices, signs, view};
use crate::interrupt::{abandonable, interruptible};
use crate::numbers::whole;
use crate::position::Position;
use crate::{bad, exception};

/// The names of all games.
#[pyfunction]
pub fn games() -> Vec<&'static str> {
    playlab::game::games()
        .iter()
        .map(|game| game.name)
        .collect()
}

/// A game by its name, such as ``"tic-tac-toe"``; :func:`games` lists them.
///
/// Where a game's positions are :attr:`listed`, it is compiled into a graph as soon as an array or
/// an exact result needs it. Positions are numbered from 0, the start; a position comes after all
/// positions that lead to it. Edges, the legal moves of all positions, are numbered from 0 too; those
/// of position ``p`` are ``offsets[p]`` to ``offsets[p + 1] - 1``, in ascending order of their moves.
/// The arrays are read-only. ``keys``, ``children``, ``moves``, ``values``, ``distances`` and ``classes``
/// show the lab's own memory; the others are made once, when they are first asked for.
///
/// Raises ``ValueError`` if there is no such game; what needs a graph raises it if the game's
/// positions are not listed.
#[pyclass(frozen, module = "playlab")]
pub struct Game {
    stage: Arc<Stage>,
    solved: OnceLock<Arc<Solved>>,
    random: OnceLock<Arc<Policy>>,
    memory: Mutex<Memory>,
    arrays: [PyOnceLock<Py<PyAny>>; 12],
}

/// Memory that an evaluation leaves for the next one, which need not ask the system for it.
#[derive(Default)]
struct Memory {
    sweep: SweepMemory,
    policy: Vec<f64>,
}

/// The most positions of a sweep's memory, some 150 bytes each, and the most edges of a policy that are
/// kept for the next one.
const MOST_KEPT: usize = 1 << 16;

/// The arrays of a game, by their places.
#[derive(Clone, Copy)]
enum Of {
    Keys,
    Offsets,
    Children,
    Moves,
    ToMove,
    Live,
    Outcomes,
    Values,
    Distances,
    Classes,
    Legal,
    Planes,
}

impl Game {
    pub fn info(&self) -> &'static GameInfo {
        self.stage.game()
    }

    pub fn stage(&self) -> &Arc<Stage> {
        &self.stage
    }

    /// The game's graph. Errors: `ValueError` if its positions are not listed.
    pub fn solved(&self, py: Python<'_>) -> PyResult<&Arc<Solved>> {
        if let Some(solved) = self.solved.get() {
            return Ok(solved);
        }
        let stage = Arc::clone(&self.stage);
        let solved = abandonable(py, move || stage.solved())?.map_err(exception)?;
        Ok(self.solved.get_or_init(|| solved))
    }

    fn graph(&self, py: Python<'_>) -> PyResult<&GameGraph> {
        Ok(&self.solved(py)?.graph)
    }

    /// The policy of a spec or an array for these sides, by default for all sides that it covers. Warns if an agent did
    /// not learn one of them.
    pub fn policy_of(
        &self,
        py: Python<'_>,
        policy: &Bound<'_, PyAny>,
        sides: Option<&[Side]>,
    ) -> PyResult<(Arc<Policy>, Vec<Side>)> {
        let both = || sides.unwrap_or(&Side::BOTH).to_vec();
        let solved = self.solved(py)?;
        let Ok(text) = policy.extract::<String>() else {
            let spare = std::mem::take(&mut self.memory().policy);
            let sides = both();
            let policy = arrays::policy(policy, solved, &sides, spare)?;
            return Ok((Arc::new(policy), sides));
        };
        if text == "random" {
            let random = || Arc::new(Policy::uniform(&solved.graph));
            let random = py.detach(|| Arc::clone(self.random.get_or_init(random)));
            return Ok((random, both()));
        }
        let spec: AgentSpec = text.parse().map_err(bad)?;
        let found = interruptible(py, |limits| {
            let agent = self.stage.agent_within(&spec, limits)?;
            let sides = sides.unwrap_or(agent.sides());
            let caution = agent.caution(sides);
            Ok((agent.policy_within(solved, limits), sides.to_vec(), caution))
        })?;
        let (policy, sides, caution) = found.map_err(exception)?;
        warn_of(py, caution, 2)?;
        match policy {
            Ok(Some(policy)) => Ok((policy, sides)),
            Ok(None) => Err(bad(format!(
                "agent '{text}': the probabilities of its moves cannot be listed; a VectorEnv plays games \
                 against it"
            ))),
            Err(stopped) => Err(bad(stopped)),
        }
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does work with the memory of earlier sweeps, which it gives back.
    pub fn with_memory<T>(&self, work: impl FnOnce(SweepMemory) -> (T, SweepMemory)) -> T {
        let before = std::mem::take(&mut self.memory().sweep);
        let (done, after) = work(before);
        if after.position_count() <= MOST_KEPT {
            self.memory().sweep = after;
        }
        done
    }

    /// Leaves the memory of a policy, if nobody else has it, to the next one.
    pub fn leave(&self, policy: Arc<Policy>) {
        if let Some(policy) = Arc::into_inner(policy) {
            let probabilities = policy.into_probabilities();
            if probabilities.len() <= MOST_KEPT {
                self.memory().policy = probabilities;
            }
        }
    }

    /// An array of the graph, which is made once.
    fn once<'py>(
        &self,
        py: Python<'py>,
        of: Of,
        make: impl FnOnce(&Arc<Solved>) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let made = self.arrays[of as usize]
            .get_or_try_init(py, || make(self.solved(py)?).map(Bound::unbind))?;
        Ok(made.bind(py).clone())
    }

    /// An array with a number for every position.
    fn by_position<'py, T: Element>(
        &self,
        py: Python<'py>,
        of: Of,
        number: impl Fn(&Solved, usize) -> T,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.once(py, of, |solved| {
            let count = solved.graph.position_count();
            let numbers = (0..count).map(|position| number(solved, position));
            fixed(py, numbers.collect(), &[count])
        })
    }
}

/// Warns where an agent is less than its name says, if it is. `level` is the stack level of Python's `warnings.warn`.
pub fn warn_of(py: Python<'_>, caution: Option<String>, level: i32) -> PyResult<()> {
    let Some(caution) = caution else {
        return Ok(());
    };
    let text = CString::new(caution)?;
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, level)
}

/// The game of a name, which is made only once, or the given game itself.
#[pyfunction(name = "game")]
pub fn game_like<'py>(game: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Game>> {
    static MADE: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    if let Ok(game) = game.cast::<Game>() {
        return Ok(game.clone());
    }
    let (py, Ok(name)) = (game.py(), game.extract::<String>()) else {
        let why = format!("the game is {game}, expected a Game or the name of one");
        return Err(PyTypeError::new_err(why));
    };
    let made = MADE.get_or_init(py, || PyDict::new(py).unbind()).bind(py);
    if let Some(game) = made.get_item(&name)? {
        return Ok(game.cast_into()?);
    }
    let game = Bound::new(py, Game::new(&name)?)?;
    made.set_item(name, &game)?;
    Ok(game)
}

/// The shape of the planes of this many positions.
pub fn planes_shape(info: &GameInfo, positions: usize) -> [usize; 4] {
    let geometry = info.geometry();
    [positions, 2, geometry.height, geometry.width]
}

#[pymethods]
impl Game {
    #[new]
    fn new(name: &str) -> PyResult<Game> {
        let unknown = |why: String| bad(why.replace("lab games lists", "playlab.games() lists"));
        let info = GameInfo::find(name).map_err(unknown)?;
        Ok(Game {
            stage: Arc::new(workflow::stage(info)),
            solved: OnceLock::new(),
            random: OnceLock::new(),
            memory: Mutex::default(),
            arrays: [const { PyOnceLock::new() }; 12],
        })
    }

    /// The name.
    #[getter]
    fn name(&self) -> &'static str {
        self.info().name
    }

    /// What the game is.
    #[getter]
    fn summary(&self) -> &'static str {
        self.info().summary
    }

    /// Whether its positions are few enough to be compiled into a graph.
    #[getter]
    fn listed(&self) -> bool {
        self.info().listed
    }

    /// Rows of the board.
    #[getter]
    fn rows(&self) -> usize {
        self.info().geometry().height
    }

    /// Columns of the board.
    #[getter]
    fn columns(&self) -> usize {
        self.info().geometry().width
    }

    /// Moves are numbers below this: squares row by row from the top, or columns in Connect
    /// Four. The pass of Othello has the number of the first square in the centre, where no disc is
    /// ever put: 27 on 8x8, 14 on 6x6, 5 on 4x4.
    #[getter]
    fn move_count(&self) -> usize {
        self.info().move_count
    }

    /// Number of positions that games reach, finished ones included.
    #[getter]
    fn position_count(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.graph(py)?.position_count())
    }

    /// Number of legal moves of all positions together.
    #[getter]
    fn edge_count(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.graph(py)?.edge_count())
    }

    /// For each position a number that no other position has. Shape (positions,).
    #[getter]
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.once(py, Of::Keys, |solved| {
            view(py, solved, |solved| solved.graph.keys())
        })
    }

    /// For each position its first edge, then the number of all edges. Shape (positions + 1,).
    #[getter]
    fn offsets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.once(py, Of::Offsets, |solved| {
            let graph = &solved.graph;
            let count = graph.position_count();
            let ends = (0..count).map(|position| graph.edges(position).end as u32);
            let offsets = std::iter::once(0).chain(ends).collect::<Vec<u32>>();
            fixed(py, offsets, &[count + 1])
        })
    }

    /// For each edge the position that it leads to. Shape (edges,).
    #[getter]
    fn children<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.once(py, Of::Children, |solved| {
            view(py, solved, |solved| solved.graph.children())
        })
    }

    /// For each edge its move. Shape (edges,).
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.once(py, Of::Moves, |solved| {
            view(py, solved, |solved| indices(solved.graph.moves()))
        })
    }

    /// For each position the side to move, 0 for X and 1 for O. Shape (positions,).
    #[getter]
    fn to_move<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.by_position(py, Of::ToMove, |solved, position| {
            solved.graph.to_move(position).index() as i8
        })
    }

    /// For each position whether the game goes on there. Shape (positions,).
    #[getter]
    fn live<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.by_position(py, Of::Live, |solved, position| {
            solved.graph.outcome(position).is_none()
        })
    }

    /// For each position 1 if X has won there, -1 if O has, else 0. Shape (positions,).
    #[getter]
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.by_position(py, Of::Outcomes, |solved, position| {
            let outcome = solved.graph.outcome(position).unwrap_or(Outcome::Draw);
            outcome.for_side(Side::X).sign()
        })
    }

    /// For each position what it is worth to the side to move under perfect play: 1 for a win, 0
    /// for a draw, -1 for a loss. Shape (positions,).
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.once(py, Of::Values, |solved| {
            view(py, solved, |solved| signs(solved.solution.values()))
        })
    }

    /// For each position the plies to the end under perfect play, where winners hurry and losers
    /// take their time. Shape (positions,).
    #[getter]
    fn distances<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.once(py, Of::Distances, |solved| {
            view(py, solved, |solved| solved.solution.distances())
        })
    }

    /// For each position the number of its class: symmetric positions have the same one. Shape
    /// (positions,).
    #[getter]
    fn classes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.once(py, Of::Classes, |solved| {
            view(py, solved, |solved| solved.graph.classes())
        })
    }

    /// For each position and move whether the move is legal there. Shape (positions, moves).
    #[getter]
    fn legal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.once(py, Of::Legal, |solved| {
            let graph = &solved.graph;
            let shape = [graph.position_count(), self.info().move_count];
            let mut legal = vec![false; shape[0] * shape[1]];
            for (position, row) in legal.chunks_exact_mut(shape[1]).enumerate() {
                let moves = &graph.moves()[graph.edges(position)];
                moves.iter().for_each(|mv| row[mv.index()] = true);
            }
            fixed(py, legal, &shape)
        })
    }

    /// For each position a plane of the side to move and a plane of the other side: 1 where that side
    /// has a stone, else 0. Shape (positions, 2, rows, columns), rows from the top.
    #[getter]
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.once(py, Of::Planes, |solved| {
            let graph = &solved.graph;
            let shape = planes_shape(self.info(), graph.position_count());
            let mut planes = Vec::with_capacity(shape.iter().product());
            py.detach(|| {
                let keys = graph.keys().iter().map(|&key| key.into());
                write_planes(self.info(), keys, &mut planes);
            });
            fixed(py, planes, &shape)
        })
    }

    /// The position that every game starts from.
    fn start(slf: Bound<'_, Self>) -> Position {
        let position = playlab::game::Position::start(slf.get().info());
        Position::new(slf.unbind(), position)
    }

    /// The position of this text, in the game's notation, or of this number.
    ///
    /// Raises ``ValueError`` if there is none.
    #[pyo3(signature = (position))]
    fn position(slf: Bound<'_, Self>, position: &Bound<'_, PyAny>) -> PyResult<Position> {
        let game = slf.get();
        let found = match position.extract::<String>() {
            Ok(text) => playlab::game::Position::parse(game.info(), &text).map_err(bad)?,
            Err(_) => {
                let graph = game.graph(slf.py())?;
                let count = graph.position_count();
                let number = whole(position)?.filter(|&number: &usize| number < count);
                let number = number.ok_or_else(|| {
                    bad(format!(
                        "there is no position {position}, expected a number from 0 to {}",
                        count - 1
                    ))
                })?;
                graph.position(number)
            }
        };
        Ok(Position::new(slf.unbind(), found))
    }

    /// The move in the game's notation. Raises ``ValueError`` if no move has this number.
    fn format_move(&self, r#move: &Bound<'_, PyAny>) -> PyResult<String> {
        let info = self.info();
        let number = whole(r#move)?.filter(|&number: &usize| number < info.move_count);
        let number = number.ok_or_else(|| {
            bad(format!(
                "there is no move {move}, expected a number from 0 to {}",
                info.move_count - 1
            ))
        })?;
        let mv = playlab::game::Move::new(number);
        let text = info.format_move(mv);
        // Of the squares in Othello's centre one is the pass, and the others are not moves.
        match info.parse_move(&text) == Ok(mv) {
            true => Ok(text),
            false => Err(bad(format!(
                "no move of {} has the number {move}",
                info.name
            ))),
        }
    }

    /// Reads a move in the game's notation. Raises ``ValueError`` if it is not a move.
    fn parse_move(&self, text: &str) -> PyResult<usize> {
        let mv = self.info().parse_move(text).map_err(bad)?;
        Ok(mv.index())
    }

    /// The policy of an agent, by its spec: a probability for each position and move. Shape
    /// (positions, moves).
    ///
    /// Raises ``ValueError`` if there is no such agent, or if the probabilities of its moves cannot
    /// be listed.
    #[pyo3(signature = (agent))]
    fn policy<'py>(
        &self,
        py: Python<'py>,
        agent: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (policy, _) = self.policy_of(py, agent, None)?;
        self.dense(py, &policy)
    }

    fn __repr__(&self) -> String {
        format!("Game({:?})", self.info().name)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Game>();
        other.is_ok_and(|other| other.get().info() == self.info())
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.info().name.hash(&mut hasher);
        hasher.finish()
    }

    /// A game does not change, so a copy would be the same.
    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    /// All games that are unpickled are one, which is compiled once.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (&'static str,))> {
        let make = slf.py().import("playlab._core")?.getattr("game")?;
        Ok((make, (slf.get().info().name,)))
    }
}

impl Game {
    /// A policy as an array with a row for every position and a column for every move.
    pub fn dense<'py>(&self, py: Python<'py>, policy: &Policy) -> PyResult<Bound<'py, PyAny>> {
        let graph = self.graph(py)?;
        let shape = [graph.position_count(), self.info().move_count];
        let dense = py.detach(|| policy.to_dense(graph));
        Ok(array(py, dense, &shape)?.into_any())
    }
}
