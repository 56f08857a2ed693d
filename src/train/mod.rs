//! One trial: a learner trained epoch by epoch and measured after each, on any board; whether its
//! positions are listed decides only how it is measured. The caller is notified of what happens;
//! this module knows nothing of files or screens.

mod all_seeds;
mod begun;
mod epoch_record;
mod event;
mod exactness;
mod experiment;
mod judge;
mod judged_games;
mod measure;
mod merit;
mod metric;
mod pool;
pub mod quality;
mod recorded;
mod solver_meter;
mod standing;
mod state;
mod summary;
mod trial;

pub use all_seeds::{AllSeeds, Overall, interval_of_seeds};
pub use begun::Begun;
pub use epoch_record::{EpochRecord, Rows, RowsSum, SideRecord, training_header};
pub use event::{Event, Notify, Status};
pub use exactness::Exactness;
pub use experiment::Experiment;
pub use judge::{Cast, Judge};
pub use judged_games::{Games, JudgesGames, play_judges};
pub use measure::Meter;
pub use merit::{Merit, are_unbeatable};
pub use metric::Metric;
pub use pool::{Job, train};
pub use quality::{BySolver, columns_of_game};
pub use recorded::{EvaluationMethod, MetricsRow, Observations, PolicyKind, Recorded, TrainingRow};
pub use solver_meter::MOST_POSITIONS;
pub use standing::{Standing, ranking};
pub use state::{Best, Moment, Progress, TrialState};
pub use summary::{SeedSummary, Snapshot, games_of_all_seeds, seed_count, summarize};
