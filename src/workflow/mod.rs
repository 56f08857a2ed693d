//! What a user may want done, each thing a function or a small object with values in and values out:
//! train and resume, evaluate, look inside, let agents play, solve, and play a game yourself. User
//! interfaces, such as the command line, turn arguments into these calls and their results into text.

mod best;
mod book;
mod checkpoints;
mod compare;
mod described;
#[cfg(feature = "pictures")]
mod draw;
mod environment;
mod evaluate;
mod explore;
mod export_events;
mod game_description;
mod gtp;
mod hint;
mod history;
mod insight;
mod kubernetes;
mod look;
mod losing_line;
mod matches;
mod merge;
mod mistakes;
mod output;
mod pace;
#[cfg_attr(not(feature = "pictures"), path = "no_pictures.rs")]
mod pictures;
mod positions;
mod proven;
mod reading;
mod recent;
mod run_report;
mod runs;
mod session;
mod slurm;
mod solve;
mod solve_file;
mod tournament_shards;
mod trace;
mod train;
mod turn;
mod verify;
mod verify_fast;

pub use crate::store::{Place, TournamentSummary};
pub use best::{Finalist, FinalistRow, Finalists};
pub use book::{
    ALL_MOVES_BEFORE, ALL_POSITIONS_BEFORE, BookPlan, BookPositions, BookProgress, MadeBook,
    make_book,
};
pub use checkpoints::{
    PlaysBy, Stages, checkpoint, checkpoints, is_checkpoint, learned_by, missing_text, seed_of,
    stage, stage_by_name,
};
pub use compare::compare_runs;
pub use described::{Described, Line, Ply, SquareOfMove, ending_text};
#[cfg(feature = "pictures")]
pub use draw::{Drawn, draw, draw_comparison, figure, to_draw};
pub use environment::{Moved, VectorEnvironment};
pub use evaluate::{
    Evaluation, EvaluationPart, EvaluationPlan, EvaluationProgress, EvaluationSubject, Judged,
    PerfectGames, RatesAgainst, SideResult, evaluate,
};
pub use explore::{Explorer, first_judge};
pub use export_events::{ExportedEvents, export_events};
pub use game_description::{BoardLabels, GameDescription};
pub use gtp::{GtpEngine, GtpResponse};
pub use hint::{Hint, advise, oracle};
pub use history::{History, HistoryOfMove};
pub use insight::{Atlas, CheckpointOf, Insight, LineOf, MistakesOf, insight};
pub use kubernetes::KubernetesJob;
pub use look::{LearnedMove, Look, ORACLE_NODES, judge, look, table, truth};
pub use losing_line::LineStep;
pub use matches::{
    ForfeitReport, MatchResult, Met, Players, Tournament, Until, exact_match, play_match,
    play_match_until, tournament,
};
pub use merge::{Merged, MergedKind, merge};
pub use mistakes::{Mistake, Mistakes, WrongMove};
pub use output::output_ending;
pub use pace::Pace;
#[cfg(feature = "pictures")]
pub use pictures::check_picture;
pub use positions::{PositionsForm, list_positions};
pub use proven::{Proven, proven, unbeatable_from_text, verdict_text};
pub use reading::Readings;
#[cfg(feature = "web")]
pub(crate) use recent::Recent;
pub use run_report::{
    EpochReport, MeanRates, RunReport, SeedReport, SideLog, Strength, TrainingLog, report_of_run,
    training_log,
};
pub use runs::{
    ListedRun, RunList, RunRow, RunState, RunSummary, TournamentRow, Verdict, list_tournaments,
};
pub use session::{Against, Session};
pub use slurm::{SlurmJob, SlurmScripts};
pub use solve::{
    Compared, Cost, Findings, MinimaxComparison, Simulated, SimulatedMove, SolvedMove,
    check_reachable, compare_methods, is_about_empties, simulate, solve,
};
pub use solve_file::{SolvedFile, SolvedLine, solve_file};
pub use tournament_shards::{PlayedShard, tournament_shard};
pub use trace::Trace;
pub use train::{Run, Trained, Training, Watch};
pub use turn::{Turn, think, turn};
pub use verify::{Difference, Verification, Verified, verifiable};
pub use verify_fast::{has_epochs, verify_fast};
