//! The program, run as a user would run it.

mod as_json;
mod bad_input;
mod boards;
mod commands;
mod contests;
mod kept;
mod reference_runs;
mod shards;
mod sweeps;
mod train;
mod verify;
