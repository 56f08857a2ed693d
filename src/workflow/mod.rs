//! What a person wants done, each thing a function or a small object with values in and
//! values out: to train and resume, evaluate, look inside, let agents play, solve, and play a game
//! oneself. Faces, such as the command line, turn arguments into these calls and what comes of them into
//! text.

mod checkpoints;
mod contest;
mod evaluate;
mod look;
#[cfg(feature = "pictures")]
mod pictures;
#[cfg(not(feature = "pictures"))]
#[path = "no_pictures.rs"]
mod pictures;
mod runs;
mod session;
mod solve;
mod train;

pub use crate::store::Place;
pub use checkpoints::{checkpoint, checkpoints, stage};
pub use contest::{MatchResult, Met, Players, exact_match, play_match, tournament};
pub use evaluate::{Against, Evaluation, LineStep, SideResult, evaluate, losing_moves};
pub use look::{LearnedMove, Look, look, table};
#[cfg(feature = "pictures")]
pub use pictures::{draw_runs, draw_sweep, is_picture, write_picture};
pub use runs::{RunRow, list_runs};
pub use session::Session;
pub use solve::{
    Compared, Cost, Findings, Simulated, SolvedLine, SolvedProblem, check_reachable,
    compare_methods, is_about_empties, read_problems, simulate, solve, solve_problem,
};
pub use train::{Run, Trained, Training, Watch};
