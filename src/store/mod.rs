//! Files: the layout of a run directory and its contents. No other module knows their names.

/// The file extensions of pictures. The pictures of results are made in all of these formats.
pub const PICTURES: [&str; 2] = ["svg", "png"];

mod apart;
mod book_directory;
mod checkpoint;
mod complete;
mod damage;
mod data;
mod directory;
mod event_log;
mod log;
mod manifest;
mod place;
mod role;
mod rows;
mod shard_file;
mod stamp;
mod sweep_directory;
mod tournament_directory;
mod tournament_shards;

pub use apart::{check_apart, check_not_own, check_outside};
pub use book_directory::{BookDirectory, MoveScores};
pub use checkpoint::{
    Checkpoint, CheckpointChoice, Content, FORMAT_VERSION, copy_checkpoints, read_parts,
    write_checkpoint,
};
pub use damage::other_rows;
pub use data::{read_live, read_run, read_training, recorded};
pub use directory::{RunDirectory, event_file};
pub use event_log::{EventLog, is_curve, is_of_seed};
pub use log::Log;
pub use manifest::{Manifest, this_version};
pub use place::{Place, RUNS, shard_place, shards_beside};
pub use role::Role;
pub use stamp::Stamp;
pub use sweep_directory::{SweepDirectory, SweepSoFar, without_config};
pub use tournament_directory::{TournamentDirectory, TournamentSummary};
pub use tournament_shards::{ShardDirectory, ShardedTournament};
