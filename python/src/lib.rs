//! The Python package `playlab`: the lab's graphs as numpy arrays, and calls of the lab with arrays.
//! The documentation of each class and function for users is in `playlab/_core.pyi`.

mod arrays;
mod environment;
mod game;
mod instructions;
mod interrupt;
mod numbers;
mod player;
mod position;
mod runs;
mod strength;

use playlab::Error;
use playlab::game::Side;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::environment::VectorEnv;
    #[pymodule_export]
    use crate::game::{Game, game_like, games};
    #[pymodule_export]
    use crate::player::{BrokeOff, Player, Resigned};
    #[pymodule_export]
    use crate::position::{Position, solve};
    #[pymodule_export]
    use crate::runs::{checkpoint, checkpoint_epochs, open_run, resume, train};
    #[pymodule_export]
    use crate::strength::{best_response, evaluate, losing_line};
}

/// The exception that reports an error of the lab.
fn exception(error: Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::Input(_) => PyValueError::new_err(text),
        Error::Failed(_) => PyRuntimeError::new_err(text),
        Error::System { .. } => PyOSError::new_err(text),
    }
}

/// The exception that reports input that cannot be used.
fn bad(why: impl ToString) -> PyErr {
    PyValueError::new_err(why.to_string())
}

/// Reads a side's name.
fn side(name: &str) -> PyResult<Side> {
    name.parse().map_err(bad)
}

/// A side's name.
fn side_name(side: Side) -> &'static str {
    match side {
        Side::X => "x",
        Side::O => "o",
    }
}
