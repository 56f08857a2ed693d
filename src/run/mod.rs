//! An experiment, from its config to its files.

mod cast;
mod ceilings;
mod checkpoint;
mod checkpointer;
mod config;
mod config_error;
mod csv_log;
mod curve;
mod data;
mod directory;
mod experiment;
mod manifest;
mod metric;
mod npz;
mod rates_by_value;
mod read;
mod record;
mod sampled;
mod series;
mod summary;
mod sweep;
mod tournament;
mod trainer;
mod validate;

pub use cast::Cast;
pub use checkpoint::{Checkpoint, Content, FORMAT_VERSION, Selection};
pub use checkpointer::Checkpointer;
pub use config::{
    CheckpointConfig, Config, EvaluationConfig, GameName, LearnerConfig, MAX_SEED, MAX_SEEDS,
    OpponentConfig, OpponentSpec, Seeds, Sides, Stop, Sweep, config_schema,
};
pub use config_error::ConfigError;
pub use csv_log::CsvLog;
pub use curve::{compare, curve};
pub use data::RunData;
pub use directory::{RunDirectory, RunLock, write_atomically};
pub use experiment::{Experiment, Judged};
pub use manifest::Manifest;
pub use metric::Metric;
pub use rates_by_value::rates_by_value;
pub use read::{Variant, read_config};
pub use record::{BEST_RESPONSE, EpochRecord, Method, MetricsRow, SideRecord, TrainingRow};
pub use sampled::{SampledExperiment, train_sampled};
pub use summary::{SeedSummary, Snapshot, summarize};
pub use sweep::SweepDirectory;
pub use tournament::{Pairing, RatedAgent, Standings, TournamentDirectory};
pub use trainer::{Event, Interrupt, Observer, SeedState, Status, train};
