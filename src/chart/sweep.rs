//! The picture of a sweep, depending on the kind of sweep.

use super::by_value::rates_by_value;
use super::grid::grid;
use super::parallel::parallel;
use super::so_far::so_far;
use crate::config::{Mode, Swept};
use crate::error::Error;
use crate::plot::Picture;
use crate::train::{Experiment, Recorded};

/// The strength of a sweep's variants, at their end or so far, by the values of its keys: curves for one key with
/// numbers; tables for two keys, each value of one with each of the other, or for one key with values that are not
/// numbers; parallel coordinates for everything else. `runs` are those of all variants, and `experiment` is the first
/// one's. Errors: [`Error::Input`] if a run has no finished epoch.
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
