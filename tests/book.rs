//! Opening books: that of a small board against plain minimax, and the one that comes with the
//! program against searching.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use playlab::Error;
use playlab::disk::Lock;
use playlab::evaluate::solved_positions;
use playlab::game::{GameInfo, Key, Move, Outcome, Position};
use playlab::search::{Book, Limits, Scoring, bookless_solver, exact_solver};
use playlab::workflow::{BookPlan, BookPositions, BookProgress, MadeBook, make_book};

fn game(name: &str) -> &'static GameInfo {
    GameInfo::find(name).unwrap()
}

fn plan(game: &'static GameInfo, plies: u32, threads: usize) -> BookPlan {
    BookPlan {
        game,
        positions: BookPositions::PerfectPlay { plies },
        threads: NonZeroUsize::new(threads).unwrap(),
        table_bits: 12,
    }
}

fn make(plan: &BookPlan, out: &Path) -> MadeBook {
    let stop = AtomicBool::new(false);
    make_book(plan, out, &stop, &|_| {}).unwrap().unwrap()
}

/// Scores by minimax without any cut.
#[derive(Default)]
struct Plain(BTreeMap<Key, i32>);

impl Plain {
    fn score(&mut self, position: Position) -> i32 {
        if let Some(&score) = self.0.get(&position.key()) {
            return score;
        }
        let score = match position.outcome() {
            Some(Outcome::Draw) => 0,
            // The winner's stones that are left, the last one included.
            Some(Outcome::Win(_)) => -(position.empties() as i32 / 2 + 1),
            None => {
                let scores = self.scores(position);
                scores.iter().map(|(_, score)| *score).max().unwrap()
            }
        };
        self.0.insert(position.key(), score);
        score
    }

    fn scores(&mut self, position: Position) -> Vec<(Move, i32)> {
        let child = |mv| (mv, -self.score(position.play_unchecked(mv)));
        position.moves().map(child).collect()
    }

    /// All that a book of so many plies has: the positions in which it is a perfect player's turn,
    /// and those after their moves.
    fn book(&mut self, start: Position, plies: u32) -> BTreeMap<u64, i32> {
        let mut book = BTreeMap::new();
        for perfect in 0..2 {
            let mut level = BTreeSet::from([start.key()]);
            for ply in 0..=plies {
                let mut next = BTreeSet::new();
                for key in level {
                    let position = Position::new(start.game(), key);
                    let scores = self.scores(position);
                    let best = scores.iter().map(|(_, score)| *score).max();
                    let decides = position.to_move().index() == perfect;
                    for (mv, score) in scores {
                        let child = position.play_unchecked(mv);
                        if child.outcome().is_some() {
                            continue;
                        }
                        if decides {
                            book.insert(child.canonical().key().to_u64().unwrap(), -score);
                        }
                        if !decides || Some(score) == best {
                            next.insert(child.key());
                        }
                    }
                    if let Some(best) = best.filter(|_| decides) {
                        book.insert(position.canonical().key().to_u64().unwrap(), best);
                    }
                }
                debug_assert!(ply <= plies);
                level = next;
            }
        }
        book
    }
}

#[test]
fn a_book_has_what_a_perfect_player_meets_and_its_scores() {
    for (name, plies) in [("connect-four-4x4", 0), ("connect-four-4x4", 5)] {
        let directory = tempfile::tempdir().unwrap();
        let made = make(&plan(game(name), plies, 2), directory.path());
        let book: BTreeMap<u64, i32> = made.book.positions().collect();
        assert_eq!(
            book,
            Plain::default().book(Position::start(game(name)), plies)
        );
        let bytes = fs::read(&made.path).unwrap();
        assert_eq!(bytes.len(), made.bytes);
        assert_eq!(Book::read(&bytes), Ok(made.book));
    }
}

#[test]
#[ignore = "many seconds without optimization"]
fn a_book_of_a_larger_board_has_what_a_perfect_player_meets_and_its_scores() {
    let directory = tempfile::tempdir().unwrap();
    let info = game("connect-four-5x4");
    let made = make(&plan(info, 7, 2), directory.path());
    let book: BTreeMap<u64, i32> = made.book.positions().collect();
    assert_eq!(book, Plain::default().book(Position::start(info), 7));
}

/// The files with the scores of positions.
fn positions(out: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for ply in fs::read_dir(out)
        .unwrap()
        .map(|entry| entry.unwrap().path())
    {
        if ply.is_dir() {
            let keys = fs::read_dir(ply).unwrap();
            let files = keys.map(|entry| entry.unwrap().path().join("scores.txt"));
            found.extend(files.filter(|path| path.exists()));
        }
    }
    found.sort();
    found
}

#[test]
fn a_book_that_was_stopped_goes_on_and_ends_with_the_same_bytes() {
    let info = game("connect-four-4x4");
    let [whole, stopped] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let made = make(&plan(info, 5, 1), whole.path());
    let out = stopped.path();
    // Three times it is stopped, each time after ten positions more.
    for round in 1..=3 {
        let stop = AtomicBool::new(false);
        let own = AtomicUsize::new(0);
        let told = |progress: BookProgress| {
            if progress.own() > 0 && own.fetch_add(1, Ordering::SeqCst) == 9 {
                stop.store(true, Ordering::SeqCst);
            }
        };
        let ended = make_book(&plan(info, 5, 1), out, &stop, &told).unwrap();
        assert!(ended.is_none());
        assert!(!out.join("book.bin").exists());
        assert!(positions(out).len() >= 10 * round);
    }
    // What is damaged is computed again.
    let files = positions(out);
    fs::write(&files[3], "1 0\n2 0\n").unwrap();
    let again = make(&plan(info, 5, 2), out);
    assert_eq!(again.book, made.book);
    assert_eq!(fs::read(again.path).unwrap(), fs::read(made.path).unwrap());

    // A smaller one in the same directory searches for nothing.
    let smaller = |out| {
        let found = AtomicUsize::new(0);
        let told = |progress: BookProgress| {
            assert_eq!(progress.own(), 0);
            found.fetch_max(progress.found, Ordering::SeqCst);
        };
        let stop = AtomicBool::new(false);
        let made = make_book(&plan(info, 3, 2), out, &stop, &told).unwrap();
        assert!(found.into_inner() > 5);
        made.unwrap()
    };
    assert!(smaller(out).book.len() < made.book.len());
}

#[test]
fn several_at_once_share_the_work() {
    let info = game("connect-four-4x4");
    let directory = tempfile::tempdir().unwrap();
    let own = AtomicUsize::new(0);
    let one = || {
        let stop = AtomicBool::new(false);
        let last = AtomicUsize::new(0);
        let told = |progress: BookProgress| {
            let count = progress.own();
            let before = last.swap(count, Ordering::SeqCst);
            own.fetch_add(count.saturating_sub(before), Ordering::SeqCst);
        };
        let made = make_book(&plan(info, 5, 1), directory.path(), &stop, &told);
        made.unwrap().unwrap().book
    };
    let books = std::thread::scope(|scope| {
        let threads = [(); 3].map(|()| scope.spawn(one));
        threads.map(|thread| thread.join().unwrap())
    });
    assert!(books.windows(2).all(|two| two[0] == two[1]));
    // What another one writes between a look and a claim counts as found by nobody.
    let files = positions(directory.path()).len();
    assert!(own.into_inner() < 2 * files);
}

#[test]
fn what_cannot_be_a_book_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("book");
    let stop = AtomicBool::new(false);
    let error = |name, out: &Path| match make_book(&plan(game(name), 1, 1), out, &stop, &|_| {}) {
        Err(error @ Error::Input(_)) => error.to_string(),
        other => panic!("{other:?}"),
    };
    assert!(error("tic-tac-toe", &out).contains("Connect Four only"));
    assert!(!out.exists());
    make(&plan(game("connect-four-4x4"), 1, 1), &out);
    let text = error("connect-four-5x4", &out);
    assert!(text.contains("a book of connect-four-4x4"), "{text}");
    let text = error("connect-four-4x4", directory.path());
    assert!(text.contains("not the directory of a book"), "{text}");

    // Scores of one position that the others contradict, with a check sum that is right.
    let file = out.join("ply-0").join("0").join("scores.txt");
    let lines = "1 0\n2 0\n3 1\n4 0\n";
    let position = Position::start(game("connect-four-4x4"));
    let crc = crc32fast::hash(format!("{position}\n{lines}").as_bytes());
    fs::write(&file, format!("{lines}crc {crc:08x}\n")).unwrap();
    let plan = plan(game("connect-four-4x4"), 1, 1);
    let Err(Error::Failed(text)) = make_book(&plan, &out, &stop, &|_| {}) else {
        panic!("the scores of mirrored moves differ");
    };
    assert!(text.contains("contradict"), "{text}");

    // Scores that no book can hold.
    let lines = "1 300\n2 0\n3 0\n4 300\n";
    let crc = crc32fast::hash(format!("{position}\n{lines}").as_bytes());
    fs::write(&file, format!("{lines}crc {crc:08x}\n")).unwrap();
    let Err(Error::Failed(text)) = make_book(&plan, &out, &stop, &|_| {}) else {
        panic!("no position has that score");
    };
    assert!(text.contains("cannot have the score 300"), "{text}");
}

#[test]
fn a_directory_that_others_lock_is_not_waited_for_without_end() {
    let place = tempfile::tempdir().unwrap();
    let info = game("connect-four-4x4");
    let out = place.path().join("book");
    make(&plan(info, 0, 1), &out);
    let _lock = Lock::take_in(&out, "claim").unwrap();
    let stopped = AtomicBool::new(true);
    let ended = make_book(&plan(info, 0, 1), &out, &stopped, &|_| {});
    assert!(ended.unwrap().is_none());
    // A run is not one of a book, locked or not.
    let run = place.path().join("run");
    fs::create_dir(&run).unwrap();
    fs::write(run.join("config.toml"), "").unwrap();
    let _lock = Lock::take(&run).unwrap();
    let Err(Error::Input(text)) = make_book(&plan(info, 0, 1), &run, &stopped, &|_| {}) else {
        panic!("there is a run");
    };
    assert!(text.contains("not the directory of a book"), "{text}");
}

#[test]
fn what_was_begun_without_files_of_claims_is_taken_over() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path();
    let info = game("connect-four-4x4");
    let made = make(&plan(info, 2, 1), out);
    fs::remove_file(out.join("claim")).unwrap();
    for file in positions(out) {
        fs::remove_file(file.with_file_name("claim")).unwrap();
    }
    let stop = AtomicBool::new(false);
    let told = |progress: BookProgress| assert_eq!(progress.own(), 0);
    let again = make_book(&plan(info, 2, 1), out, &stop, &told);
    assert_eq!(again.unwrap().unwrap().book, made.book);
}

/// The embedded book's positions of Connect Four, each with its score.
fn embedded() -> impl Iterator<Item = (Position, i32)> {
    let book: Vec<(u64, i32)> = Book::embedded().positions().collect();
    let position = |key| Position::new(game("connect-four"), Key::from(key));
    book.into_iter()
        .map(move |(key, score)| (position(key), score))
}

const UNSEARCHED: Limits<'static> = Limits::nodes(0);

#[test]
fn the_first_moves_of_connect_four_have_their_known_scores_without_a_search() {
    let start = Position::start(game("connect-four"));
    let mut solver = exact_solver(start.game(), 10, Scoring::Raw);
    let scores = solver.scores(start, &UNSEARCHED).unwrap();
    let scores: Vec<i32> = scores.into_iter().map(|(_, score)| score).collect();
    assert_eq!(scores, [-2, -1, 0, 1, 0, -1, -2]);
    let (score, best) = solver.best_moves(start, &UNSEARCHED).unwrap();
    assert_eq!((score, best.map(Move::index).collect()), (1, vec![3]));
    assert_eq!(solver.nodes(), 0);
}

#[test]
fn the_book_agrees_with_itself_and_whose_moves_it_has_needs_no_search() {
    let mut solver = exact_solver(game("connect-four"), 10, Scoring::Raw);
    let known: BTreeMap<Key, i32> = embedded()
        .map(|(position, score)| (position.key(), score))
        .collect();
    let mut whole = 0;
    for (position, score) in embedded() {
        assert_eq!(position, position.canonical());
        assert!(position.outcome().is_none());
        let child = |mv| position.play_unchecked(mv);
        let live = position
            .moves()
            .map(child)
            .filter(|child| child.outcome().is_none());
        let scores: Vec<Option<&i32>> = live
            .map(|child| known.get(&child.canonical().key()))
            .collect();
        assert!(scores.iter().flatten().all(|&&child| -child <= score));
        if scores.iter().all(Option::is_some) {
            let (found, best) = solver.best_moves(position, &UNSEARCHED).unwrap();
            assert_eq!(found, score, "{position}");
            assert!(!best.is_empty());
            whole += 1;
        }
    }
    assert_eq!(solver.nodes(), 0);
    assert!(whole >= 9, "{whole}");
}

/// Searches for the score of every so manieth position, and whether it is the book's.
fn agrees_with_a_search(every: usize, nodes: u64) -> usize {
    let mut solver = bookless_solver(game("connect-four"), 22);
    let mut found = 0;
    for (position, score) in embedded().step_by(every) {
        let limits = Limits::nodes(nodes);
        if let Ok(searched) = solver.score(position, &limits) {
            assert_eq!(searched, score, "{position}");
            found += 1;
        }
    }
    found
}

#[test]
fn what_is_found_soon_is_as_in_the_book() {
    agrees_with_a_search(1 + embedded().count() / 50, 10_000);
}

#[test]
#[ignore = "an hour without optimization"]
fn what_takes_long_to_find_is_as_in_the_book() {
    let found = agrees_with_a_search(1 + embedded().count() / 20, u64::MAX);
    assert!(found > 10);
}

#[test]
fn the_sampled_positions_of_connect_four_are_solved() {
    let (positions, mut solver) = solved_positions(game("connect-four")).unwrap();
    assert_eq!(positions.len(), 240);
    let mut searching = bookless_solver(game("connect-four"), 20);
    let mut searched = 0;
    for position in positions {
        let scores = solver.scores(position, &UNSEARCHED).unwrap();
        assert_eq!(scores.len(), position.moves().len());
        let best = scores.iter().map(|(_, score)| *score).max();
        if let Ok(score) = searching.score(position, &Limits::nodes(20_000)) {
            assert_eq!(Some(score), best, "{position}");
            searched += 1;
        }
    }
    assert!(searched > 20, "{searched}");
    assert!(solved_positions(game("connect-four-5x4")).is_none());
}
