//! Positions of any game, and what they are worth.

use std::sync::Arc;

use playlab::game::{Move, Outcome};
use playlab::search::{MinimaxMethod, Scoring};
use playlab::value::write_planes;
use playlab::{game, workflow};
use pyo3::prelude::*;

use crate::arrays::array;
use crate::game::{Game, planes_shape};
use crate::interrupt::interruptible;
use crate::numbers::whole;
use crate::{bad, exception, side_name};

/// A position of any game. It does not change.
#[pyclass(frozen, module = "playlab")]
pub struct Position {
    game: Py<Game>,
    position: game::Position,
}

impl Position {
    pub fn new(game: Py<Game>, position: game::Position) -> Position {
        Position { game, position }
    }

    pub fn position(&self) -> game::Position {
        self.position
    }
}

#[pymethods]
impl Position {
    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The side to move, or the side that would be to move had the game not ended.
    #[getter]
    fn to_move(&self) -> &'static str {
        side_name(self.position.to_move())
    }

    /// The side that has won, or ``"draw"``; ``None`` while the game goes on.
    #[getter]
    fn outcome(&self) -> Option<&'static str> {
        Some(match self.position.outcome()? {
            Outcome::Win(side) => side_name(side),
            Outcome::Draw => "draw",
        })
    }

    /// The legal moves, in ascending order; none once the game is over.
    #[getter]
    fn moves(&self) -> Vec<usize> {
        self.position.moves().map(Move::index).collect()
    }

    /// For each move whether it is legal. Shape (moves,).
    #[getter]
    fn legal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let count = self.position.game().move_count;
        let mut legal = vec![false; count];
        self.position
            .moves()
            .for_each(|mv| legal[mv.index()] = true);
        Ok(array(py, legal, &[count])?.into_any())
    }

    /// A plane of the side to move and a plane of the other side; see :attr:`Game.planes`.
    /// Shape (2, rows, columns).
    #[getter]
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let info = self.position.game();
        let mut planes = Vec::new();
        write_planes(info, [self.position.key()], &mut planes);
        Ok(array(py, planes, &planes_shape(info, 1)[1..])?.into_any())
    }

    /// Its number in the game's graph. Raises ``ValueError`` if it has none.
    #[getter]
    fn number(&self, py: Python<'_>) -> PyResult<usize> {
        let graph = &self.game.get().solved(py)?.graph;
        let found = graph.find(self.position.key());
        found.ok_or_else(|| {
            let name = self.position.game().name;
            bad(format!(
                "{}: no game of {name} reaches this position",
                self.position
            ))
        })
    }

    /// The position after a move. Raises ``ValueError`` if the move is not legal.
    fn play(&self, py: Python<'_>, r#move: &Bound<'_, PyAny>) -> PyResult<Position> {
        let found = whole(r#move)?.and_then(|index: u8| Move::try_from(index).ok());
        let played = found.and_then(|mv| self.position.play(mv));
        match played {
            Some(position) => Ok(Position::new(self.game.clone_ref(py), position)),
            None => {
                let moves = self.moves();
                Err(bad(format!(
                    "{}: move {move} is not legal, expected one of {moves:?}",
                    self.position
                )))
            }
        }
    }

    fn __str__(&self) -> String {
        self.position.to_string()
    }

    fn __repr__(&self) -> String {
        let name = self.position.game().name;
        format!("Game({name:?}).position(\"{}\")", self.position)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Position>();
        other.is_ok_and(|other| other.get().position == self.position)
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let position = slf.get();
        let make = position.game.bind(slf.py()).getattr("position")?;
        Ok((make, (position.position.to_string(),)))
    }

    fn __hash__(&self) -> u64 {
        let [high, low] = self.position.key().halves();
        (high ^ low) as u64 ^ (low >> 64) as u64
    }
}

/// What a position is worth under perfect play, as JSON.
#[pyfunction]
pub fn solve(py: Python<'_>, position: &Position) -> PyResult<String> {
    let stage = Arc::clone(position.game.get().stage());
    let position = position.position;
    let found = interruptible(py, |limits| {
        workflow::check_reachable(&stage, position)?;
        Ok(workflow::solve(
            &stage,
            position,
            MinimaxMethod::Solver,
            Scoring::Raw,
            limits,
        ))
    })?;
    let findings = found.map_err(exception)?.map_err(bad)?;
    Ok(serde_json::to_string(&findings).expect("findings are JSON"))
}
