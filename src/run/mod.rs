//! An experiment, from its config to its files.

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
mod record;
mod summary;
mod trainer;

pub use checkpoint::{Checkpoint, Content, FORMAT_VERSION};
pub use checkpointer::Checkpointer;
pub use config::{
    CheckpointConfig, Config, EvaluationConfig, GameName, LearnerConfig, OpponentConfig,
    OpponentSpec, Seeds, Sides, Stop, config_schema,
};
pub use config_error::ConfigError;
pub use csv_log::CsvLog;
pub use curve::{Metric, compare, curve};
pub use data::{RunData, read_config};
pub use directory::{RunDirectory, RunLock, Selection, write_atomically};
pub use experiment::{Experiment, Judged};
pub use manifest::Manifest;
pub use record::{BEST_RESPONSE, EpochRecord, Method, MetricsRow, SideRecord, TrainingRow};
pub use summary::{SeedSummary, Snapshot, summarize};
pub use trainer::{Event, Interrupt, Observer, SeedState, Status, train};
