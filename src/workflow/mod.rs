//! What a person wants done, each thing a function or a small object with values in and
//! values out: to train and resume, evaluate, look inside, let agents play, solve, and play a game
//! oneself. Faces, such as the command line, turn arguments into these calls and what comes of them into
//! text.

mod best;
mod book;
mod checkpoints;
mod contest;
mod described;
#[cfg(feature = "pictures")]
mod draw;
mod evaluate;
mod explore;
mod hint;
mod insight;
mod levels;
mod look;
mod mistakes;
#[cfg_attr(not(feature = "pictures"), path = "no_pictures.rs")]
mod pictures;
mod runs;
mod session;
mod solve;
mod solve_file;
mod told_run;
mod trace;
mod train;
mod truth;
mod turn;

pub use crate::store::Place;
pub use best::{Finalist, Finalists};
pub use book::{BookPlan, BookPositions, BookProgress, MadeBook, make_book};
pub use checkpoints::{checkpoint, checkpoints, is_checkpoint, learned_by, stage, stage_by_name};
pub use contest::{MatchResult, Met, Players, Tournament, exact_match, play_match, tournament};
pub use described::{Described, Line, Ply, SquareOfMove};
#[cfg(feature = "pictures")]
pub use draw::{draw, figure};
pub use evaluate::{
    Evaluation, EvaluationPlan, LineStep, PerfectGames, SideResult, evaluate, losing_moves,
};
pub use explore::{Explorer, Known, explored};
pub use hint::{Hint, advise};
pub use insight::{Atlas, CheckpointOf, Insight, LineOf, MistakesOf, insight};
pub use look::{LearnedMove, Look, look, table};
pub use mistakes::{Mistake, Mistakes, WrongMove};
pub use runs::{RunList, RunRow, RunState, Told, Verdict, list_runs, list_tournaments};
pub use session::{Against, Session};
pub use solve::{
    Compared, Comparison, Cost, Findings, Simulated, SimulatedMove, SolvedMove, check_reachable,
    compare_methods, is_about_empties, simulate, solve,
};
pub use solve_file::{SolvedFile, SolvedLine, solve_file};
pub use told_run::{
    MeanRates, SideLog, Strength, ToldEpoch, ToldRun, ToldSeed, TrainingLog, tell_run, training_log,
};
pub use trace::Trace;
pub use train::{Run, Trained, Training, Watch};
pub use truth::Truth;
pub use turn::{Turn, think, turn};
