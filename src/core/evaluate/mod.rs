//! How strong an agent is.
//!
//! The terms, as used in all output:
//!
//! - *Worst case*: the worst outcome that any opponent can bring about with positive
//!   probability.
//! - *Unbeatable*: the worst case is not a loss.
//! - *Holds the value*: the worst case is no worse than the game's value for that
//!   side under perfect play.
//! - *Optimal-move rate*: the probability that the policy plays a move that keeps the position's value, averaged over
//!   live positions with its side to move. For games whose positions are listed, these are all that any game can reach,
//!   whether or not the policy itself would; on the large board of Connect Four they are the [solved
//!   positions](solved_positions); for other games there is no such rate.

mod assess;
mod contest;
mod distinct;
mod endgames;
mod games;
mod openings;
mod oracle;
mod perfect_play;
mod rating;
mod sample;
mod sampled_positions;
mod standings;
mod table;
mod tally;

pub use assess::{Assessment, Assessor, most_wins_without_loss};
pub use contest::{Contest, Forfeit, MOST_FORFEITS, MatchPlan, PairingResult, Seats};
pub use distinct::{GameCounter, MOST_COUNTED, Played};
pub use endgames::{ENDGAMES, Endgames, MOST_EMPTIES, check_endgames, endgames, has_endgames};
pub use games::{Answered, play_pairings, play_some, play_until};
pub use openings::{COUNTED, OPENINGS, Openings, WonOpenings, check_openings};
pub use oracle::{Analysis, AnalyzedMove, Oracle};
pub use perfect_play::{AgainstPerfect, Distribution, against_perfect, play_perfect};
pub use rating::{Rating, bradley_terry};
pub use sample::play_games;
pub use sampled_positions::{
    MoveQuality, SAMPLED_PLIES, move_quality, sampled_positions, solved_positions,
};
pub use standings::{Pairing, RatedAgent, Standings};
pub use tally::Tally;
