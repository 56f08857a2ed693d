//! Arrays in and out.

use std::slice;
use std::sync::Arc;

use numpy::ndarray::ArrayView1;
use numpy::{
    Element, PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadonlyArrayDyn,
    PyUntypedArrayMethods,
};
use playlab::game::{Move, Side, Value};
use playlab::graph::{Policy, Solved};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::bad;
use crate::instructions::Best;

/// Keeps a graph alive for the arrays that show its memory.
#[pyclass(frozen, module = "playlab._core")]
pub struct Owner(#[expect(dead_code, reason = "it is there to be dropped")] Arc<Solved>);

/// An array that shows numbers of a graph, without a copy, and that cannot be written to.
pub fn view<'py, T: Element>(
    py: Python<'py>,
    solved: &Arc<Solved>,
    numbers: impl FnOnce(&Solved) -> &[T],
) -> PyResult<Bound<'py, PyAny>> {
    let owner = Bound::new(py, Owner(Arc::clone(solved)))?;
    let numbers = ArrayView1::from(numbers(solved));
    // SAFETY: the numbers belong to the graph, which the array's base keeps alive, and nothing
    // changes or moves what is in a graph.
    let array = unsafe { PyArray1::borrow_from_array(&numbers, owner.into_any()) };
    Ok(read_only(array).into_any())
}

/// The numbers of moves, in their own memory.
pub fn indices(moves: &[Move]) -> &[u8] {
    // SAFETY: a move is transparent over its number.
    unsafe { slice::from_raw_parts(moves.as_ptr().cast(), moves.len()) }
}

/// 1 for a win, 0 for a draw and -1 for a loss, in their own memory.
pub fn signs(values: &[Value]) -> &[i8] {
    // SAFETY: a value is represented by an `i8`, which is one of these.
    unsafe { slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
}

/// An array of this shape that takes numbers over and cannot be written to.
pub fn fixed<'py, T: Element>(
    py: Python<'py>,
    numbers: Vec<T>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let array = read_only(PyArray1::from_vec(py, numbers));
    Ok(array.reshape(shape.to_vec())?.into_any())
}

/// An array of this shape that takes numbers over.
pub fn array<'py, T: Element>(
    py: Python<'py>,
    numbers: Vec<T>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    PyArray1::from_vec(py, numbers).reshape(shape.to_vec())
}

fn read_only<'py, T: Element>(array: Bound<'py, PyArray1<T>>) -> Bound<'py, PyArray1<T>> {
    array.readwrite().make_nonwriteable();
    array
}

/// An array of this type, row by row, from an array-like object. Errors: `TypeError` if it has no numbers, which says
/// what was expected, or if the type cannot hold them.
fn like<'py>(any: &Bound<'py, PyAny>, dtype: &str, expected: &str) -> PyResult<Bound<'py, PyAny>> {
    let numpy = any.py().import("numpy")?;
    let options = PyDict::new(any.py());
    options.set_item("order", "C")?;
    options.set_item("casting", "same_kind")?;
    options.set_item("copy", false)?;
    let array = numpy.call_method1("asarray", (any,))?;
    let kind: char = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if !"biuf".contains(kind) {
        let name = any.get_type().name()?;
        let [dtype, shape] = ["dtype", "shape"].map(|of| array.getattr(of));
        return Err(PyTypeError::new_err(format!(
            "{name} with dtype {} and shape {} is no {expected}",
            dtype?, shape?
        )));
    }
    array.call_method("astype", (dtype,), Some(&options))
}

/// Reads moves by their indices.
pub fn moves(any: &Bound<'_, PyAny>) -> PyResult<Vec<Move>> {
    let read = |array: PyReadonlyArray1<'_, i64>| {
        let index = |&index: &i64| {
            let found = u8::try_from(index)
                .ok()
                .and_then(|index| Move::try_from(index).ok());
            found.ok_or_else(|| bad(format!("no game has a move {index}")))
        };
        array.as_array().iter().map(index).collect()
    };
    match any.extract() {
        Ok(array) => read(array),
        Err(_) => {
            if any.len().is_ok_and(|count| count == 0) {
                return Ok(Vec::new());
            }
            let array = like(any, "int64", "array of moves")?;
            let shape = array.getattr("shape")?;
            let wrong = |_| {
                bad(format!(
                    "the moves' shape is {shape}, expected one dimension"
                ))
            };
            read(array.extract().map_err(wrong)?)
        }
    }
}

/// The policy that an array gives for these sides: a row for every position and a column for every
/// move, or a number for every edge. `spare` is the memory of an earlier policy, or empty.
pub fn policy(
    any: &Bound<'_, PyAny>,
    solved: &Solved,
    sides: &[Side],
    spare: Vec<f64>,
) -> PyResult<Policy> {
    let array: PyReadonlyArrayDyn<'_, f64> = match any.extract::<PyReadonlyArrayDyn<'_, f64>>() {
        Ok(array) if array.is_c_contiguous() => array,
        _ => like(
            any,
            "float64",
            "spec of an agent, and no array of probabilities",
        )?
        .extract()?,
    };
    let graph = &solved.graph;
    let (positions, edges) = (graph.position_count(), graph.edge_count());
    let moves = graph.game().move_count;
    let policy_of = |numbers: &[f64]| match *array.shape() {
        [rows, columns] if (rows, columns) == (positions, moves) => {
            Policy::of_dense::<Best>(graph, sides, numbers, spare).map_err(bad)
        }
        [numbers_there] if numbers_there == edges => {
            Policy::of(graph, sides, numbers.to_vec()).map_err(bad)
        }
        ref shape => Err(bad(format!(
            "the policy's shape is {shape:?}, expected [{positions}, {moves}], a probability for each \
             position and move of {}, or [{edges}], one for each edge",
            graph.game().name
        ))),
    };
    policy_of(array.as_slice()?)
}
