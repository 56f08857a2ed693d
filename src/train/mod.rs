//! One trial: a learner trained epoch by epoch and measured after each, on whatever board;
//! whether its positions are listed decides only how it is measured. Whoever asks for it is told what
//! happens; nothing in here knows of files or screens.

mod event;
mod exactness;
mod experiment;
mod judged_games;
mod measure;
mod merit;
mod metric;
mod pool;
pub mod quality;
mod record;
mod solver_meter;
mod standing;
mod summary;
mod trial;

pub use event::{Event, Status};
pub use exactness::Exactness;
pub use experiment::{Experiment, Judge};
pub use judged_games::{Games, JudgesGames, play_judges};
pub use measure::Meter;
pub use merit::{Merit, SideMerit};
pub use metric::Metric;
pub use pool::{Job, Notify, train};
pub use record::{
    EpochRecord, Method, MetricsRow, PolicyKind, Recorded, Rows, RowsSum, SideRecord, TrainingRow,
    WORST_OPPONENTS, training_header,
};
pub use solver_meter::{BySolver, MOST_POSITIONS};
pub use standing::{Standing, ranking};
pub use summary::{SeedSummary, Snapshot, seed_count, summarize};
pub use trial::{Best, Moment, Progress, TrialState};
