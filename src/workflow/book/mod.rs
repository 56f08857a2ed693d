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

/// What book is asked for.
#[derive(Clone, Copy, Debug)]
pub struct BookPlan {
    /// A board of Connect Four.
    pub game: &'static GameInfo,
    /// The positions whose moves get scores.
    pub positions: BookPositions,
    /// Positions that are solved at the same time.
    pub threads: NonZeroUsize,
    /// A thread's table takes at most 16 times 2^this bytes.
    pub table_bits: u32,
}

/// Positions that a book is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookPositions {
    /// Before ply [`ALL_POSITIONS_BEFORE`], the first move's being 0, all positions, and from there up to this ply
    /// those that come about when one side, either of them, plays perfectly and the other one anything. In these all
    /// moves get scores before ply [`ALL_MOVES_BEFORE`]; elsewhere those that are not best are only known to be worse,
    /// unless both sides have played perfectly.
    PerfectPlay {
        /// The ply.
        plies: u32,
    },
    /// The [sampled positions](crate::evaluate::sampled_positions).
    Sampled,
}

/// Before this ply all positions get scores, also those that no perfect player comes to.
pub const ALL_POSITIONS_BEFORE: u32 = 5;

/// Before this ply all moves get scores where one side plays perfectly. To find out how much worse a bad move is takes
/// several times as long as to find out that it is.
pub const ALL_MOVES_BEFORE: u32 = 5;

/// How far the work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookProgress {
    /// The ply whose positions are worked at; the ones before are done.
    pub ply: u32,
    /// The last ply.
    pub last: u32,
    /// Its positions.
    pub positions: usize,
    /// How many of them have scores for their moves.
    pub done: usize,
    /// How many had them before this process came to them.
    pub found: usize,
}

impl BookProgress {
    /// How many of them this process scored.
    pub fn own(&self) -> usize {
        self.done - self.found
    }
}

/// A book that is done.
#[derive(Debug)]
pub struct MadeBook {
    /// The book.
    pub book: Book,
    /// Where it was written.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: usize,
}

/// The scores of moves, by [`ExactSolver::score`](crate::search::ExactSolver::score), in some positions. They stand in a directory as soon as
/// they are known: what is there is taken over, and processes share the work. What the program's own book
/// has is not searched for. `told` may be called from several threads.
///
/// `None` if `stop` became true before the end. Errors: [`Error::Input`] if the game is not Connect Four, the
/// directory is something else's, new and within results, or others keep it locked, [`Error::Failed`] if scores in it contradict each
/// other or cannot be, [`Error::System`] if it cannot be written.
pub fn make_book(
    plan: &BookPlan,
    out: &Path,
    stop: &AtomicBool,
    told: &(dyn Fn(BookProgress) + Sync),
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
        told,
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
