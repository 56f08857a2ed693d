//! The work on a book, shared by threads and processes.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use super::known_scores::{KnownScores, both};
use super::lines::{BookLine, first_plies, next};
use super::question::{BookQuestion, score_moves};
use super::{ALL_POSITIONS_BEFORE, BookPlan, BookProgress};
use crate::error::Error;
use crate::evaluate::{SAMPLED_PLIES, sampled_positions};
use crate::game::Position;
use crate::search::{Book, BookScore, ExactSolver, Limits, solver_with_book};
use crate::store::{BookDirectory, MoveScores};
use crate::threads::{MOST_THREADS, locked, on_threads};

/// What the threads share.
pub struct Work<'a> {
    /// The book to make.
    pub plan: &'a BookPlan,
    /// The last ply.
    pub last: u32,
    /// The directory to which scores are written as soon as they are known.
    pub directory: BookDirectory,
    /// The book that comes with the program.
    pub own: Option<Arc<Book>>,
    /// Whether the work is to stop.
    pub stop: &'a AtomicBool,
    /// Called with the progress.
    pub on_progress: &'a (dyn Fn(BookProgress) + Sync),
    /// The solvers that no thread is using, with what they have learned.
    pub solvers: Mutex<Vec<Box<dyn ExactSolver>>>,
}

/// The pause between two checks of positions that other processes are working on.
const PAUSE: Duration = Duration::from_millis(200);

impl Work<'_> {
    /// Scores all positions of the first plies, and then, up to a ply, those where one side plays
    /// perfectly; `None` if stopped before the end.
    pub fn perfect_play(&self, plies: u32) -> Result<Option<KnownScores>, Error> {
        let mut known = KnownScores::default();
        let start = Position::start(self.plan.game).canonical();
        let first = first_plies(start, plies.min(ALL_POSITIONS_BEFORE - 1));
        // The last ply comes first: the scores of its positions give those of all earlier moves.
        for (ply, positions) in first.iter().enumerate().rev() {
            let is_last = ply + 1 == first.len();
            let question = |&position| match is_last {
                true => BookQuestion::best(position),
                false => BookQuestion::all(position),
            };
            let questions: Vec<BookQuestion> = positions.iter().map(question).collect();
            if self.solve(ply as u32, &questions, &mut known)?.is_none() {
                return Ok(None);
            }
        }
        let mut level = vec![BookLine::start(start)];
        for ply in 0..=plies {
            let decisions = level.iter().filter(|line| line.is_decision());
            let questions: Vec<BookQuestion> = decisions.map(|line| line.question(ply)).collect();
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

    /// Scores the sampled positions; `None` if stopped before the end.
    pub fn sampled(&self) -> Result<Option<KnownScores>, Error> {
        let mut known = KnownScores::default();
        for (ply, count) in SAMPLED_PLIES {
            let positions = sampled_positions(self.plan.game, ply, count).into_iter();
            let questions: Vec<BookQuestion> = positions.map(BookQuestion::all).collect();
            if self.solve(ply, &questions, &mut known)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(known))
    }

    /// Scores the moves of these positions of a ply and adds the results to `known`; `None` if
    /// stopped before the end.
    fn solve(
        &self,
        ply: u32,
        questions: &[BookQuestion],
        known: &mut KnownScores,
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
        questions: &[BookQuestion],
        known: &KnownScores,
    ) -> Result<Option<Vec<MoveScores>>, Error> {
        let solved: Vec<OnceLock<MoveScores>> = questions.iter().map(|_| OnceLock::new()).collect();
        let progress = Mutex::new(BookProgress {
            ply,
            last: self.last,
            positions: questions.len(),
            done: 0,
            found: 0,
        });
        (self.on_progress)(*locked(&progress));
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
                (self.on_progress)(now);
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
            // Other processes are working on the rest.
            if solved.iter().any(|scores| scores.get().is_none()) {
                std::thread::sleep(PAUSE);
            }
        }
        Ok(solved.into_iter().map(OnceLock::into_inner).collect())
    }

    fn solver(&self) -> Box<dyn ExactSolver> {
        // Its scores have to come from search alone.
        let new = || solver_with_book(self.plan.game, self.plan.table_bits, Arc::default());
        let idle = locked(&self.solvers).pop();
        idle.unwrap_or_else(new)
    }

    /// Scores the moves of a position and writes the scores down; `None` if another process is
    /// working on it, or if stopped before the end.
    fn score(
        &self,
        ply: u32,
        question: BookQuestion,
        known: &KnownScores,
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
        let limits = Limits::until(self.stop);
        let known = |position| match (known.get(position), self.in_own_book(position)) {
            // The directory's score takes precedence; it is checked against itself.
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

    /// The score in the program's own book.
    fn in_own_book(&self, position: Position) -> Option<BookScore> {
        self.own.as_ref()?.get(position.key().to_u64()?)
    }
}
