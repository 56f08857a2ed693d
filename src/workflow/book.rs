//! Opening books: the scores that a perfect player needs in the first plies, computed once.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::evaluate::{SAMPLED_PLIES, sampled_positions};
use crate::game::{GameInfo, Key, Move, Position, Side};
use crate::search::{
    Book, BookScore, ExactSolver, Limits, Scoring, Stopped, bookless_solver, own_book, solver_facts,
};
use crate::store::{BookDirectory, MoveScores};
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
    /// them, plays perfectly and the other one anything. All moves get scores before ply
    /// [`ALL_MOVES_BEFORE`]; later those that are not best are only known to be worse, unless both sides have
    /// played perfectly.
    PerfectPlay {
        /// The ply.
        plies: u32,
    },
    /// The [sampled positions](sampled_positions).
    Sampled,
}

/// Before this ply all moves get scores. To find out how much worse a bad move is takes several times as long as to
/// find out that it is.
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
    /// Its score is no lower, as a position before it has one.
    low: i32,
}

impl Line {
    /// Whether it is a perfect player's turn, who is to know what the moves are worth.
    fn is_decision(&self) -> bool {
        self.perfect[self.position.to_move().index()]
    }

    /// The question for the moves of this position at a ply.
    fn question(&self, ply: u32) -> Question {
        Question {
            position: self.position,
            low: self.low,
            all: ply < ALL_MOVES_BEFORE || self.perfect == [true; 2],
        }
    }
}

/// What is asked of a position.
#[derive(Clone, Copy)]
struct Question {
    position: Position,
    /// Its score is no lower.
    low: i32,
    /// Whether all of its moves are to have scores, or the best ones alone.
    all: bool,
}

impl Question {
    /// The answer in these scores, if it is there: no more than was asked for, whatever else is known.
    fn answer(&self, mut scores: MoveScores) -> Option<MoveScores> {
        if self.all {
            let whole = scores.iter().all(|(_, score)| score.is_some());
            return whole.then_some(scores);
        }
        let best = best_score(&scores);
        for (_, score) in &mut scores {
            *score = score.filter(|_| *score == best);
        }
        Some(scores)
    }
}

/// The scores of moves, by [`ExactSolver::score`], in some positions. They stand in a directory as soon as
/// they are known: what is there is taken over, and processes share the work. What the program's own book
/// has is not searched for. `told` may be called from several threads.
///
/// `None` if `stop` became true before the end. Errors: [`Error::Input`] if the game is not Connect Four, the
/// directory is something else's or others keep it locked, [`Error::Failed`] if scores in it contradict each
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
fn next(level: &[Line], scores: &FxHashMap<Key, MoveScores>, known: &Known) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut places: FxHashMap<Key, usize> = FxHashMap::default();
    for line in level {
        let mover = line.position.to_move();
        let best = line
            .is_decision()
            .then(|| best_of(&scores[&line.position.key()]));
        // No move scores more than the position.
        let score = known.get(line.position).and_then(BookScore::exact);
        let low = score.map_or(i32::MIN, |score| -score);
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
                    line.low = line.low.max(low);
                }
                None => lines.push(Line {
                    position,
                    perfect,
                    low,
                }),
            }
        }
    }
    lines
}

fn best_of(scores: &MoveScores) -> Vec<Move> {
    let best = best_score(scores);
    let moves = scores.iter().filter(|(_, score)| *score == best);
    moves.map(|(mv, _)| *mv).collect()
}

fn best_score(scores: &MoveScores) -> Option<i32> {
    scores.iter().filter_map(|(_, score)| *score).max()
}

/// What is known, by position.
#[derive(Default)]
struct Known(FxHashMap<Key, BookScore>);

impl Known {
    fn get(&self, position: Position) -> Option<BookScore> {
        self.0.get(&position.key()).copied()
    }

    /// Takes notice of what a position's moves are worth. Errors: [`Error::Failed`] if that
    /// contradicts what is known, or is not a score of the game.
    fn learn(&mut self, position: Position, scores: &MoveScores) -> Result<(), Error> {
        let Some(best) = best_score(scores) else {
            return Err(contradiction(position));
        };
        self.take_in(position, BookScore::Exact, best)?;
        for &(mv, score) in scores {
            let child = position.play_unchecked(mv).canonical();
            if child.outcome().is_some() {
                continue;
            }
            match score {
                Some(score) => self.take_in(child, BookScore::Exact, score.saturating_neg())?,
                None => self.take_in(child, BookScore::AtLeast, 1_i32.saturating_sub(best))?,
            }
        }
        Ok(())
    }

    fn take_in(
        &mut self,
        position: Position,
        kind: fn(i8) -> BookScore,
        score: i32,
    ) -> Result<(), Error> {
        let score = i8::try_from(score).map_err(|_| {
            Error::Failed(format!(
                "{position} cannot have the score {score}; begin anew with another --out"
            ))
        })?;
        let before = self.0.entry(position.key()).or_insert(kind(score));
        *before = both(*before, kind(score)).ok_or_else(|| contradiction(position))?;
        Ok(())
    }

    fn book(&self) -> Book {
        Book::new(self.0.iter().map(|(key, &score)| {
            let key = key.to_u64().expect("keys of Connect Four have 64 bits");
            (key, score)
        }))
    }
}

/// What follows from both; `None` if they contradict each other.
fn both(one: BookScore, other: BookScore) -> Option<BookScore> {
    use BookScore::{AtLeast, Exact};
    match (one, other) {
        (Exact(a), Exact(b)) => (a == b).then_some(one),
        (Exact(score), AtLeast(low)) | (AtLeast(low), Exact(score)) => {
            (low <= score).then_some(Exact(score))
        }
        (AtLeast(a), AtLeast(b)) => Some(AtLeast(a.max(b))),
    }
}

fn contradiction(position: Position) -> Error {
    Error::Failed(format!(
        "the scores of {position} contradict each other; begin anew with another --out"
    ))
}

/// What the threads share.
struct Work<'a> {
    plan: &'a BookPlan,
    /// The last ply.
    last: u32,
    directory: BookDirectory,
    /// The book that comes with the program.
    own: Option<Arc<Book>>,
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
            low: i32::MIN,
        }];
        for ply in 0..=plies {
            let decisions = level.iter().filter(|line| line.is_decision());
            let questions: Vec<Question> = decisions.map(|line| line.question(ply)).collect();
            let Some(scores) = self.solve(ply, &questions, &mut known)? else {
                return Ok(None);
            };
            if ply < plies {
                let keys = questions.iter().map(|question| question.position.key());
                level = next(&level, &keys.zip(scores).collect(), &known);
            }
        }
        Ok(Some(known))
    }

    /// The scores in the sampled positions; `None` if it was stopped before.
    fn sampled(&self) -> Result<Option<Known>, Error> {
        let mut known = Known::default();
        for (ply, count) in SAMPLED_PLIES {
            let positions = sampled_positions(self.plan.game, ply, count).into_iter();
            let question = |position| Question {
                position,
                low: i32::MIN,
                all: true,
            };
            let questions: Vec<Question> = positions.map(question).collect();
            if self.solve(ply, &questions, &mut known)?.is_none() {
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
        questions: &[Question],
        known: &mut Known,
    ) -> Result<Option<Vec<MoveScores>>, Error> {
        let Some(scores) = self.search(ply, questions, known)? else {
            return Ok(None);
        };
        for (question, scores) in questions.iter().zip(&scores) {
            known.learn(question.position, scores)?;
        }
        Ok(Some(scores))
    }

    fn search(
        &self,
        ply: u32,
        questions: &[Question],
        known: &Known,
    ) -> Result<Option<Vec<MoveScores>>, Error> {
        let solved: Vec<OnceLock<MoveScores>> = questions.iter().map(|_| OnceLock::new()).collect();
        let progress = Mutex::new(BookProgress {
            ply,
            last: self.last,
            positions: questions.len(),
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
                let question = questions[i];
                let found = self.directory.scores(ply, question.position);
                let found = found.and_then(|scores| question.answer(scores));
                let was_found = found.is_some();
                let scores = match found {
                    Some(scores) => scores,
                    None => {
                        let solver = solver.get_or_insert_with(|| self.solver());
                        match self.score(ply, question, known, solver.as_mut())? {
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
            let open: Vec<usize> = (0..questions.len()).filter(open).collect();
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
        question: Question,
        known: &Known,
        solver: &mut dyn ExactSolver,
    ) -> Result<Option<MoveScores>, Error> {
        let position = question.position;
        let Some(claim) = self.directory.claim(ply, position)? else {
            return Ok(None);
        };
        // Another process may have been faster.
        let found = self.directory.scores(ply, position);
        let found = found.and_then(|scores| question.answer(scores));
        if found.is_some() {
            return Ok(found);
        }
        let limits = Limits {
            stop: Some(self.stop),
            ..Limits::NONE
        };
        let known = |position| match (known.get(position), self.in_own_book(position)) {
            // What stands in the directory comes first; it is checked against itself.
            (Some(one), Some(other)) => both(one, other).or(Some(one)),
            (one, other) => one.or(other),
        };
        let Ok(scores) = score_moves(question, known, solver, &limits) else {
            return Ok(None);
        };
        let scores = question.answer(scores);
        let scores = scores.expect("what was asked for was found");
        claim.write(position, &scores)?;
        Ok(Some(scores))
    }

    /// What the program's own book says.
    fn in_own_book(&self, position: Position) -> Option<BookScore> {
        self.own.as_ref()?.get(position.key().to_u64()?)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The scores of the moves, with as little search as what is known allows.
fn score_moves(
    question: Question,
    known: impl Fn(Position) -> Option<BookScore>,
    solver: &mut dyn ExactSolver,
    limits: &Limits,
) -> Result<MoveScores, Stopped> {
    let Question { position, low, all } = question;
    let score = match known(position) {
        Some(BookScore::Exact(score)) => score.into(),
        Some(BookScore::AtLeast(known)) => {
            solver.score_from(position, low.max(known.into()), limits)?
        }
        None => solver.score_from(position, low, limits)?,
    };
    // No move scores more than the position.
    let least = -score;
    let mut children: FxHashMap<Key, Option<i32>> = FxHashMap::default();
    let mut scores = Vec::new();
    for mv in position.moves() {
        let child = position.play_unchecked(mv).canonical();
        let found = match (children.get(&child.key()), known(child)) {
            (Some(&found), _) => found,
            (None, Some(BookScore::Exact(score))) => Some(score.into()),
            (None, Some(BookScore::AtLeast(low))) if !all && i32::from(low) > least => None,
            (None, _) if all => Some(solver.score_from(child, least, limits)?),
            (None, _) => {
                let is_worse = solver.exceeds(child, least, limits)?;
                (!is_worse).then_some(least)
            }
        };
        children.insert(child.key(), found);
        scores.push((mv, found.map(|found| -found)));
    }
    Ok(scores)
}
