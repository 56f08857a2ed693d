//! Stubs without the feature `pictures`, when nothing is drawn.

use std::path::PathBuf;

use crate::config::Swept;
use crate::error::Error;
use crate::evaluate::Standings;
use crate::store::{RunDirectory, SweepDirectory, TournamentDirectory};
use crate::train::{Experiment, Recorded};

pub(super) fn draw_curve(_: &RunDirectory, _: &Recorded, _: &Experiment) -> Result<(), Error> {
    Ok(())
}

pub(super) fn draw_table(_: &TournamentDirectory, _: &Standings) -> Result<(), Error> {
    Ok(())
}

pub(super) fn draw_sweep_of(
    _: &SweepDirectory,
    _: &Swept,
    _: &[Recorded],
    _: &Experiment,
) -> Result<Vec<PathBuf>, Error> {
    Ok(Vec::new())
}
