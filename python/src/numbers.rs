//! Whole numbers in.

use std::num::NonZeroUsize;

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

use crate::bad;

/// Reads a whole number; `None` if it is negative or too large for the type. Errors: `TypeError` if it is not a
/// whole number.
pub fn whole<'py, T>(any: &Bound<'py, PyAny>) -> PyResult<Option<T>>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    match any.extract() {
        Ok(number) => Ok(Some(number)),
        Err(error) if error.is_instance_of::<PyOverflowError>(any.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads a seed of random numbers.
pub fn seed(any: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole(any)?.ok_or_else(|| {
        bad(format!(
            "the seed is {any}, expected a whole number from 0 to {}",
            u64::MAX
        ))
    })
}

/// Reads a seed, or none.
pub fn optional_seed(any: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    (!any.is_none()).then(|| seed(any)).transpose()
}

/// Reads how many threads work at the same time.
pub fn threads(any: &Bound<'_, PyAny>) -> PyResult<NonZeroUsize> {
    let found = whole(any)?.and_then(NonZeroUsize::new);
    found.ok_or_else(|| {
        bad(format!(
            "there are {any} threads, expected 1 to {}",
            usize::MAX
        ))
    })
}
