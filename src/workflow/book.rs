//! Opening books: the scores that a perfect player needs in the first plies, computed once.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::evaluate::{SAMPLED_PLIES, sampled_positions};
use crate::game::{GameInfo, Key, Move, Position, Side};
use crate::search::{Book, ExactSolver, Limits, Scoring, Stopped, bookless_solver, solver_facts};
use crate::store::BookDirectory;
use crate::threads::{MOST_THREADS, on_threads};

/// What book is asked for.
#[derive(Clone, Copy, Debug)]
pub struct BookPlan {
    /// A board of Connect Four.
    pub game: &'static GameInfo,
    /// The positions whose moves get scores.
    pub positions: BookPositions,
    /// Positions that are worked at at the same time.
    pub threads: NonZeroUsize,
    /// A thread's table takes at most 16 times 2^this bytes.
    pub table_bits: u32,
}

/// Positions that a book is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookPositions {
    /// Up to this ply, the first move's being 0, those that come about when one side, either of
    /// them, plays perfectly and the other one anything.
    PerfectPlay {
        /// The ply.
        plies: u32,
    },
    /// The [sampled positions](sampled_positions).
    Sampled,
}

/// How far the work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookProgress {
    /// The ply whose positions are worked at; the ones before are done.
    pub ply: u32,
    /// The last ply.
    pub last: u32,
    /// Its positions.
    pub positions: usize,
    /// Those of them whose moves have scores.
    pub done: usize,
    /// Those of them that had them before this process came to them.
    pub found: usize,
}

impl BookProgress {
    /// Those whose moves this process scored.
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

/// A position that games come to in which at least one side plays perfectly: the best moves by
/// score, any of them.
#[derive(Clone, Copy)]
struct Line {
    position: Position,
    /// Whether the side has played perfectly so far, by [`Side::index`].
    perfect: [bool; 2],
}

impl Line {
    /// Whether it is a perfect player's turn, who is to know what the moves are worth.
    fn is_decision(&self) -> bool {
        self.perfect[self.position.to_move().index()]
    }
}

type Scores = Vec<(Move, i32)>;

/// The scores of all moves, by [`ExactSolver::score`], in some positions. They stand in a
/// directory as soon as they are known: what is there is taken over, and processes share the work.
/// What is told may come from several threads. `None` if `stop` became true before the end. Errors:
/// [`Error::Input`] if the game is not Connect Four, the directory is something else's or others keep it
/// locked, [`Error::Failed`] if scores in it contradict each other or cannot be, [`Error::System`] if it
/// cannot be written.
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
    let Some(directory) = BookDirectory::open(out, game, stop)? else {
        return Ok(None);
    };
    let work = Work {
        plan,
        last,
        directory,
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
    let path = match plan.positions {
        BookPositions::PerfectPlay { .. } => work.directory.write_book(&bytes, stop)?,
        BookPositions::Sampled => work.directory.write_positions(&bytes, stop)?,
    };
    Ok(path.map(|path| MadeBook {
        path,
        bytes: bytes.len(),
        book,
    }))
}

/// The positions after one more ply, in the order in which they come about.
fn next(level: &[Line], scores: &FxHashMap<Key, Scores>) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut places: FxHashMap<Key, usize> = FxHashMap::default();
    for line in level {
        let mover = line.position.to_move();
        let best = line
            .is_decision()
            .then(|| best_of(&scores[&line.position.key()]));
        for mv in line.position.moves() {
            let position = line.position.play_unchecked(mv).canonical();
            let mut perfect = line.perfect;
            perfect[mover.index()] = best.as_ref().is_some_and(|best| best.contains(&mv));
            if position.outcome().is_some() || perfect == [false; 2] {
                continue;
            }
            let place = *places.entry(position.key()).or_insert(lines.len());
            match lines.get_mut(place) {
                Some(line) => {
                    for side in Side::BOTH {
                        line.perfect[side.index()] |= perfect[side.index()];
                    }
                }
                None => lines.push(Line { position, perfect }),
            }
        }
    }
    lines
}

fn best_of(scores: &[(Move, i32)]) -> Vec<Move> {
    let best = scores.iter().map(|(_, score)| *score).max();
    let moves = scores.iter().filter(|(_, score)| Some(*score) == best);
    moves.map(|(mv, _)| *mv).collect()
}

/// Scores by position.
#[derive(Default)]
struct Known(FxHashMap<Key, i8>);

impl Known {
    fn get(&self, position: Position) -> Option<i32> {
        self.0.get(&position.key()).map(|&score| score.into())
    }

    /// Takes notice of what a position's moves are worth. Errors: [`Error::Failed`] if that
    /// contradicts what is known, or is not a score of the game.
    fn learn(&mut self, position: Position, scores: &[(Move, i32)]) -> Result<(), Error> {
        let best = scores.iter().map(|(_, score)| *score).max();
        let own = best.map(|best| (position, best));
        let children = scores.iter().map(|&(mv, score)| {
            let child = position.play_unchecked(mv).canonical();
            (child, score.saturating_neg())
        });
        let live = children.filter(|(child, _)| child.outcome().is_none());
        for (position, score) in own.into_iter().chain(live) {
            let score = i8::try_from(score).map_err(|_| {
                Error::Failed(format!(
                    "{position} cannot have the score {score}; begin anew with another --out"
                ))
            })?;
            if *self.0.entry(position.key()).or_insert(score) != score {
                return Err(Error::Failed(format!(
                    "the scores of {position} contradict each other; begin anew with another --out"
                )));
            }
        }
        Ok(())
    }

    fn book(&self) -> Book {
        Book::new(self.0.iter().map(|(key, &score)| {
            let key = key.to_u64().expect("keys of Connect Four have 64 bits");
            (key, score)
        }))
    }
}

/// What the threads share.
struct Work<'a> {
    plan: &'a BookPlan,
    /// The last ply.
    last: u32,
    directory: BookDirectory,
    stop: &'a AtomicBool,
    told: &'a (dyn Fn(BookProgress) + Sync),
    /// Those that no thread uses, with what they learned.
    solvers: Mutex<Vec<Box<dyn ExactSolver>>>,
}

/// Between two looks at positions that other processes work at.
const PAUSE: Duration = Duration::from_millis(200);

impl Work<'_> {
    /// The scores up to a ply when one side plays perfectly; `None` if it was stopped before.
    fn perfect_play(&self, plies: u32) -> Result<Option<Known>, Error> {
        let mut known = Known::default();
        let mut level = vec![Line {
            position: Position::start(self.plan.game).canonical(),
            perfect: [true; 2],
        }];
        for ply in 0..=plies {
            let decisions = level.iter().filter(|line| line.is_decision());
            let decisions: Vec<Position> = decisions.map(|line| line.position).collect();
            let Some(scores) = self.solve(ply, &decisions, &mut known)? else {
                return Ok(None);
            };
            if ply < plies {
                let keys = decisions.iter().map(|position| position.key());
                level = next(&level, &keys.zip(scores).collect());
            }
        }
        Ok(Some(known))
    }

    /// The scores in the sampled positions; `None` if it was stopped before.
    fn sampled(&self) -> Result<Option<Known>, Error> {
        let mut known = Known::default();
        for (ply, count) in SAMPLED_PLIES {
            let positions = sampled_positions(self.plan.game, ply, count);
            if self.solve(ply, &positions, &mut known)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(known))
    }

    /// The scores of the moves of every position of a ply, of which notice is taken; `None` if it was
    /// stopped before.
    fn solve(
        &self,
        ply: u32,
        positions: &[Position],
        known: &mut Known,
    ) -> Result<Option<Vec<Scores>>, Error> {
        let Some(scores) = self.search(ply, positions, known)? else {
            return Ok(None);
        };
        for (&position, scores) in positions.iter().zip(&scores) {
            known.learn(position, scores)?;
        }
        Ok(Some(scores))
    }

    fn search(
        &self,
        ply: u32,
        positions: &[Position],
        known: &Known,
    ) -> Result<Option<Vec<Scores>>, Error> {
        let solved: Vec<OnceLock<Scores>> = positions.iter().map(|_| OnceLock::new()).collect();
        let progress = Mutex::new(BookProgress {
            ply,
            last: self.last,
            positions: positions.len(),
            done: 0,
            found: 0,
        });
        (self.told)(*locked(&progress));
        let work = |open: &[usize], next: &AtomicUsize| -> Result<(), Error> {
            let mut solver = None;
            while let Some(&i) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                if self.stop.load(Ordering::Relaxed) {
                    break;
                }
                let position = positions[i];
                let found = self.directory.scores(ply, position);
                let was_found = found.is_some();
                let scores = match found {
                    Some(scores) => scores,
                    None => {
                        let solver = solver.get_or_insert_with(|| self.solver());
                        match self.score(ply, position, known, solver.as_mut())? {
                            Some(scores) => scores,
                            None => continue,
                        }
                    }
                };
                let _ = solved[i].set(scores);
                let now = {
                    let mut progress = locked(&progress);
                    progress.done += 1;
                    progress.found += usize::from(was_found);
                    *progress
                };
                (self.told)(now);
            }
            locked(&self.solvers).extend(solver);
            Ok(())
        };
        let threads = self.plan.threads.get().min(MOST_THREADS);
        loop {
            let open = |&i: &usize| solved[i].get().is_none();
            let open: Vec<usize> = (0..positions.len()).filter(open).collect();
            if open.is_empty() {
                break;
            }
            let next = AtomicUsize::new(0);
            on_threads(threads.min(open.len()), || work(&open, &next))?;
            if self.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            // What is left is another process's.
            if solved.iter().any(|scores| scores.get().is_none()) {
                std::thread::sleep(PAUSE);
            }
        }
        Ok(solved.into_iter().map(OnceLock::into_inner).collect())
    }

    fn solver(&self) -> Box<dyn ExactSolver> {
        let new = || bookless_solver(self.plan.game, self.plan.table_bits);
        let idle = locked(&self.solvers).pop();
        idle.unwrap_or_else(new)
    }

    /// Scores the moves of a position and writes that down; `None` if another process is at it, or it
    /// was stopped before.
    fn score(
        &self,
        ply: u32,
        position: Position,
        known: &Known,
        solver: &mut dyn ExactSolver,
    ) -> Result<Option<Scores>, Error> {
        let Some(claim) = self.directory.claim(ply, position)? else {
            return Ok(None);
        };
        // Another process may have been faster.
        if let Some(scores) = self.directory.scores(ply, position) {
            return Ok(Some(scores));
        }
        let limits = Limits {
            stop: Some(self.stop),
            ..Limits::NONE
        };
        let Ok(scores) = score_moves(position, known, solver, &limits) else {
            return Ok(None);
        };
        claim.write(position, &scores)?;
        Ok(Some(scores))
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The score of every move, with as little search as what is known allows.
fn score_moves(
    position: Position,
    known: &Known,
    solver: &mut dyn ExactSolver,
    limits: &Limits,
) -> Result<Scores, Stopped> {
    let score = match known.get(position) {
        Some(score) => score,
        None => solver.score(position, limits)?,
    };
    let mut children: FxHashMap<Key, i32> = FxHashMap::default();
    let mut scores = Vec::new();
    for mv in position.moves() {
        let child = position.play_unchecked(mv).canonical();
        let found = known.get(child).or(children.get(&child.key()).copied());
        let found = match found {
            Some(score) => score,
            // No move scores more than the position.
            None => solver.score_from(child, -score, limits)?,
        };
        children.insert(child.key(), found);
        scores.push((mv, -found));
    }
    Ok(scores)
}
