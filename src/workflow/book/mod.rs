//! Opening books: the scores that a perfect player needs in the first plies, computed once.

mod known_scores;
mod lines;
mod question;
mod work;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use crate::error::Error;
use crate::evaluate::SAMPLED_PLIES;
use crate::game::GameInfo;
use crate::search::{Book, Scoring, own_book, solver_facts};
use crate::store::{BookDirectory, Place, check_outside};
use work::Work;

/// The book to make.
#[derive(Clone, Copy, Debug)]
pub struct BookPlan {
    /// A board of Connect Four.
    pub game: &'static GameInfo,
    /// The positions whose moves get scores.
    pub positions: BookPositions,
    /// How many positions are solved at the same time.
    pub threads: NonZeroUsize,
    /// A thread's table takes at most 16 times 2^this bytes.
    pub table_bits: u32,
}

/// The positions that a book contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookPositions {
    /// All positions before ply [`ALL_POSITIONS_BEFORE`] (the first move is ply 0), and from there up to this ply
    /// those that are reached when either side plays perfectly and the other one plays anything. Before ply
    /// [`ALL_MOVES_BEFORE`] all their moves get scores; later, moves that are not best are only known to be worse,
    /// unless both sides have played perfectly.
    PerfectPlay {
        /// The ply.
        plies: u32,
    },
    /// The [sampled positions](crate::evaluate::sampled_positions).
    Sampled,
}

/// Before this ply all positions get scores, including those that no perfect player reaches.
pub const ALL_POSITIONS_BEFORE: u32 = 5;

/// Before this ply all moves get scores where one side plays perfectly. Finding out how much worse a bad move is takes
/// several times as long as finding out that it is worse.
pub const ALL_MOVES_BEFORE: u32 = 5;

/// How far the work has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookProgress {
    /// The ply that is being worked on; earlier ones are done.
    pub ply: u32,
    /// The last ply.
    pub last: u32,
    /// How many positions the ply has.
    pub positions: usize,
    /// How many of them are done.
    pub done: usize,
    /// How many of them had scores before this process reached them.
    pub found: usize,
}

impl BookProgress {
    /// How many of them this process has scored.
    pub fn own(&self) -> usize {
        self.done - self.found
    }
}

/// A finished book.
#[derive(Debug)]
pub struct MadeBook {
    /// The book.
    pub book: Book,
    /// Where it was written.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: usize,
}

/// Computes the scores of moves in some positions, by [`ExactSolver::score`](crate::search::ExactSolver::score). Each
/// is written to a directory as soon as it is known, and what is there already is used, so that processes can share the
/// work. Scores in the program's own book are not searched for. `on_progress` may be called from several threads.
///
/// Returns `None` if `stop` became true before the end. Errors: [`Error::Input`] if the game is not Connect Four, or
/// the directory belongs to something else, is new and within results, or stays locked by others; [`Error::Failed`] if
/// scores in it contradict each other or are impossible; [`Error::System`] if it cannot be written.
pub fn make_book(
    plan: &BookPlan,
    out: &Path,
    stop: &AtomicBool,
    on_progress: &(dyn Fn(BookProgress) + Sync),
) -> Result<Option<MadeBook>, Error> {
    let game = plan.game;
    if !solver_facts(game, Scoring::Raw).has_distances {
        return Err(Error::input(format!(
            "there are books of Connect Four only, not of {}; lab games lists its boards",
            game.name
        )));
    }
    let last = match plan.positions {
        BookPositions::PerfectPlay { plies } => plies,
        BookPositions::Sampled => SAMPLED_PLIES.iter().map(|(ply, _)| *ply).max().unwrap_or(0),
    };
    check_outside(Place::At(out))?;
    let Some(directory) = BookDirectory::open(out, game, stop)? else {
        return Ok(None);
    };
    let work = Work {
        plan,
        last,
        directory,
        own: own_book(game),
        stop,
        on_progress,
        solvers: Mutex::default(),
    };
    let found = match plan.positions {
        BookPositions::PerfectPlay { plies } => work.perfect_play(plies)?,
        BookPositions::Sampled => work.sampled()?,
    };
    let Some(known) = found else {
        return Ok(None);
    };
    let book = known.book();
    let bytes = book.bytes();
    let is_sampled = plan.positions == BookPositions::Sampled;
    let path = work.directory.write(is_sampled, &bytes, stop)?;
    Ok(path.map(|path| MadeBook {
        path,
        bytes: bytes.len(),
        book,
    }))
}
