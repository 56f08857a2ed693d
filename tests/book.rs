//! Opening books: that of a small board against plain minimax, and the one that comes with the
//! program against searching.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use playlab::Error;
use playlab::game::{GameInfo, Key, Move, Outcome, Position};
use playlab::search::Book;
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
            let more = progress.done > progress.found;
            if more && own.fetch_add(1, Ordering::SeqCst) == 9 {
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
            assert_eq!(progress.done, progress.found);
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
            let count = progress.done - progress.found;
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
    assert!(text.contains("no directory of a book"), "{text}");

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
}
