//! The picture of a sweep: one for each kind of sweep.

use super::by_value::rates_by_value;
use super::grid::grid;
use super::parallel::parallel;
use super::so_far::so_far;
use crate::config::{Mode, Swept};
use crate::error::Error;
use crate::plot::Picture;
use crate::train::{Experiment, Recorded};

/// The strength of a sweep's variants, at their end or so far, by the values of its keys: by one number curves; by two
/// keys, each value of one with each of the other, or by one whose values are no numbers, tables; by everything else
/// parallel coordinates. `runs` are those of all variants, and `experiment` is the first one's.
/// Errors: [`Error::Input`] if a run has no finished epoch.
pub fn by_sweep(
    swept: &Swept,
    runs: &[Recorded],
    experiment: &Experiment,
) -> Result<Box<dyn Picture>, Error> {
    let runs = &*so_far(runs);
    if let Some(values) = swept.numbers() {
        let figure = rates_by_value(swept, &values, runs, experiment)?;
        return Ok(Box::new(figure));
    }
    let keys = swept.sweep.keys().len();
    Ok(match (keys, swept.sweep.mode) {
        (1, _) | (2, Mode::Product) => Box::new(grid(swept, runs)?),
        _ => Box::new(parallel(swept, runs)?),
    })
}
