//! The whole program, run as a user does.

mod bad_input;
mod boards;
mod commands;
mod contests;
mod place;
mod readme;
mod reference_runs;
mod train;
