//! Opening books: one of a small board against plain minimax, and the one that comes with the
//! program against searching.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use playlab::Error;
use playlab::disk::Lock;
use playlab::evaluate::{sampled_positions, solved_positions};
use playlab::game::{GameInfo, Key, Move, Outcome, Position, Side};
use playlab::search::{
    Book, BookScore, ConnectFourSolver, ExactSolver, Limits, Scoring, exact_solver,
    solver_with_book,
};
use playlab::store::BookDirectory;
use playlab::workflow::{
    ALL_MOVES_BEFORE, ALL_POSITIONS_BEFORE, BookPlan, BookPositions, BookProgress, MadeBook,
    make_book,
};

use crate::place::{contents, directory};

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

/// Scores by minimax without pruning.
#[derive(Default)]
struct Plain(BTreeMap<Key, i32>);

impl Plain {
    fn score(&mut self, position: Position) -> i32 {
        if let Some(&score) = self.0.get(&position.key()) {
            return score;
        }
        let score = match position.outcome() {
            Some(Outcome::Draw) => 0,
            // The winner's remaining stones, including the last one played.
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

    /// All positions of a book of this many plies: those of the first plies, later those in which it is a perfect
    /// player's turn, and those after their moves; after bad moves they may have only a bound.
    fn book(&mut self, start: Position, plies: u32) -> BTreeMap<u64, BookScore> {
        let mut levels = vec![[(); 2].map(|()| BTreeSet::from([start.key()]))];
        let mut exact = BTreeMap::new();
        let mut bounds = BTreeMap::new();
        let number = |position: Position| position.canonical().key().to_u64().unwrap();
        let mut first = BTreeSet::from([start.key()]);
        for ply in 0..=plies.min(ALL_POSITIONS_BEFORE - 1) {
            let is_last = ply == plies.min(ALL_POSITIONS_BEFORE - 1);
            for key in std::mem::take(&mut first) {
                let position = Position::new(start.game(), key);
                let scores = self.scores(position);
                let best = scores.iter().map(|(_, score)| *score).max().unwrap();
                exact.insert(number(position), best);
                for (mv, score) in scores {
                    let child = position.play_unchecked(mv);
                    if child.outcome().is_some() {
                        continue;
                    }
                    first.insert(child.key());
                    if is_last && score < best {
                        let bound = bounds.entry(number(child)).or_insert(1 - best);
                        *bound = (1 - best).max(*bound);
                    } else {
                        exact.insert(number(child), -score);
                    }
                }
            }
        }
        for ply in 0..=plies {
            let level = levels.last().unwrap().clone();
            let mut next: [BTreeSet<Key>; 2] = Default::default();
            let images = |keys: &BTreeSet<Key>| -> BTreeSet<u64> {
                let positions = keys.iter().map(|&key| Position::new(start.game(), key));
                positions.map(number).collect()
            };
            let [x, o] = level.each_ref().map(images);
            for (perfect, key) in
                (0..2).flat_map(|side| level[side].iter().map(move |key| (side, *key)))
            {
                let position = Position::new(start.game(), key);
                let scores = self.scores(position);
                let best = scores.iter().map(|(_, score)| *score).max().unwrap();
                let decides = position.to_move().index() == perfect;
                let here = number(position);
                let all = ply < ALL_MOVES_BEFORE || (x.contains(&here) && o.contains(&here));
                if decides {
                    exact.insert(here, best);
                }
                for (mv, score) in scores {
                    let child = position.play_unchecked(mv);
                    if child.outcome().is_some() {
                        continue;
                    }
                    if decides && (all || score == best) {
                        exact.insert(number(child), -score);
                    } else if decides {
                        let bound = bounds.entry(number(child)).or_insert(1 - best);
                        *bound = (1 - best).max(*bound);
                    }
                    if !decides || score == best {
                        next[perfect].insert(child.key());
                    }
                }
            }
            levels.push(next);
        }
        let bounds = bounds
            .into_iter()
            .map(|(key, low)| (key, BookScore::AtLeast(low as i8)));
        let exact = exact
            .into_iter()
            .map(|(key, score)| (key, BookScore::Exact(score as i8)));
        bounds.chain(exact).collect()
    }
}

#[test]
fn a_book_has_what_a_perfect_player_meets_and_its_scores() {
    for (name, plies) in [("connect-four-4x4", 0), ("connect-four-4x4", 7)] {
        let directory = directory();
        let made = make(&plan(game(name), plies, 2), directory.path());
        let book: BTreeMap<u64, BookScore> = made.book.positions().collect();
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
    let directory = directory();
    let info = game("connect-four-5x4");
    let made = make(&plan(info, 7, 2), directory.path());
    let book: BTreeMap<u64, BookScore> = made.book.positions().collect();
    assert_eq!(book, Plain::default().book(Position::start(info), 7));
}

#[test]
fn scores_are_the_same_with_a_book_and_its_bounds() {
    let directory = directory();
    let info = game("connect-four-4x4");
    let book = make(&plan(info, 7, 2), directory.path()).book;
    let is_bound = |(_, score): &(u64, BookScore)| score.exact().is_none();
    assert!(book.positions().filter(is_bound).count() > 20);
    let mut solver = ConnectFourSolver::<4, 4>::with_book(10, Arc::new(book));
    let solver: &mut dyn ExactSolver = &mut solver;
    let mut plain = Plain::default();
    for stones in 0..12 {
        for position in sampled_positions(info, stones, 20) {
            let expected = plain.scores(position);
            let scores = solver.scores(position, &Limits::NONE).unwrap();
            assert_eq!(scores, expected, "{position}");
            let score = plain.score(position);
            assert_eq!(
                solver.score(position, &Limits::NONE).unwrap(),
                score,
                "{position}"
            );
            for bound in score - 2..=score + 1 {
                let exceeds = solver.exceeds(position, bound, &Limits::NONE).unwrap();
                assert_eq!(exceeds, score > bound, "{position} {bound}");
            }
        }
    }
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
fn a_book_that_was_stopped_resumes_and_ends_with_the_same_bytes() {
    let info = game("connect-four-4x4");
    let [whole, stopped] = [(); 2].map(|()| directory());
    let made = make(&plan(info, 5, 1), whole.path());
    let out = stopped.path();
    // It is stopped three times, each time after ten more positions.
    for round in 1..=3 {
        let stop = AtomicBool::new(false);
        let own = AtomicUsize::new(0);
        let on_progress = |progress: BookProgress| {
            if progress.own() > 0 && own.fetch_add(1, Ordering::SeqCst) == 9 {
                stop.store(true, Ordering::SeqCst);
            }
        };
        let ended = make_book(&plan(info, 5, 1), out, &stop, &on_progress).unwrap();
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

    // A smaller book in the same directory searches for nothing.
    let smaller = |out| {
        let found = AtomicUsize::new(0);
        let on_progress = |progress: BookProgress| {
            assert_eq!(progress.own(), 0);
            found.fetch_max(progress.found, Ordering::SeqCst);
        };
        let stop = AtomicBool::new(false);
        let made = make_book(&plan(info, 3, 2), out, &stop, &on_progress).unwrap();
        assert!(found.into_inner() > 5);
        made.unwrap()
    };
    assert!(smaller(out).book.len() < made.book.len());
}

#[test]
fn what_is_known_in_advance_changes_no_byte() {
    let info = game("connect-four-4x4");
    let directories = [(); 2].map(|()| directory());
    let [alone, after] = directories.each_ref().map(|directory| directory.path());
    let sampled = BookPlan {
        positions: BookPositions::Sampled,
        ..plan(info, 0, 1)
    };
    make(&sampled, after);
    let alone = make(&plan(info, 6, 1), alone);
    // For some positions all scores are there, where only the best ones are needed.
    let found = AtomicUsize::new(0);
    let on_progress = |progress: BookProgress| {
        if progress.ply >= ALL_MOVES_BEFORE {
            found.fetch_max(progress.found, Ordering::SeqCst);
        }
    };
    let stop = AtomicBool::new(false);
    let after = make_book(&plan(info, 6, 1), after, &stop, &on_progress);
    let after = after.unwrap().unwrap();
    assert!(found.into_inner() > 2);
    assert_eq!(fs::read(alone.path).unwrap(), fs::read(after.path).unwrap());
}

#[test]
fn what_the_embedded_book_has_is_not_searched_for() {
    let directory = directory();
    // A search of the first positions alone would take minutes.
    let made = make(&plan(game("connect-four"), 5, 1), directory.path());
    let own = Book::embedded();
    for (key, score) in made.book.positions() {
        let known = own.get(key).unwrap();
        // Where there is a bound here, later plies may give the exact score.
        assert!(known == score || (known.exact().is_some() && score.exact().is_none()));
    }
}

#[test]
fn several_makers_at_once_share_the_work() {
    let info = game("connect-four-4x4");
    let directory = directory();
    let own = AtomicUsize::new(0);
    let one = || {
        let stop = AtomicBool::new(false);
        let last = AtomicUsize::new(0);
        let on_progress = |progress: BookProgress| {
            let count = progress.own();
            let before = last.swap(count, Ordering::SeqCst);
            own.fetch_add(count.saturating_sub(before), Ordering::SeqCst);
        };
        let made = make_book(&plan(info, 5, 1), directory.path(), &stop, &on_progress);
        made.unwrap().unwrap().book
    };
    let books = std::thread::scope(|scope| {
        let threads = [(); 3].map(|()| scope.spawn(one));
        threads.map(|thread| thread.join().unwrap())
    });
    assert!(books.windows(2).all(|two| two[0] == two[1]));
    // What another process writes between a look and a claim counts as found by nobody.
    let files = positions(directory.path()).len();
    assert!(own.into_inner() < 2 * files);
}

#[test]
fn what_cannot_be_a_book_is_refused() {
    let directory = directory();
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

    // Scores of one position that contradict the others, with a correct checksum.
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
    let place = directory();
    let info = game("connect-four-4x4");
    let out = place.path().join("book");
    make(&plan(info, 0, 1), &out);
    let _lock = Lock::take_in(&out, "claim").unwrap();
    let stopped = AtomicBool::new(true);
    let ended = make_book(&plan(info, 0, 1), &out, &stopped, &|_| {});
    assert!(ended.unwrap().is_none());
    // A run is not a directory of a book, locked or not.
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
fn a_book_that_was_begun_without_claim_files_is_taken_over() {
    let place = directory();
    let out = place.path();
    let info = game("connect-four-4x4");
    let made = make(&plan(info, 2, 1), out);
    fs::remove_file(out.join("claim")).unwrap();
    for file in positions(out) {
        fs::remove_file(file.with_file_name("claim")).unwrap();
    }
    let stop = AtomicBool::new(false);
    let on_progress = |progress: BookProgress| assert_eq!(progress.own(), 0);
    let again = make_book(&plan(info, 2, 1), out, &stop, &on_progress);
    assert_eq!(again.unwrap().unwrap().book, made.book);
}

/// The embedded book's positions of Connect Four, each with what the book says.
fn embedded() -> impl Iterator<Item = (Position, BookScore)> {
    let book: Vec<(u64, BookScore)> = Book::embedded().positions().collect();
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

/// The last ply whose moves are in the embedded book.
const LAST_PLY: u32 = 8;

#[test]
fn a_perfect_player_needs_no_search_as_far_as_the_book_goes() {
    let mut solver = exact_solver(game("connect-four"), 10, Scoring::Raw);
    for perfect in Side::BOTH {
        let mut level = BTreeMap::new();
        let start = Position::start(game("connect-four"));
        level.insert(start.key(), start);
        for ply in 0..=LAST_PLY {
            let mut next = BTreeMap::new();
            for position in level.into_values() {
                let moves: Vec<Move> = match position.to_move() == perfect {
                    true => {
                        let found = solver.best_moves(position, &UNSEARCHED);
                        let (_, best) = found.unwrap_or_else(|_| panic!("ply {ply}: {position}"));
                        best.collect()
                    }
                    false => position.moves().collect(),
                };
                let children = moves
                    .into_iter()
                    .map(|mv| position.play_unchecked(mv).canonical());
                let live = children.filter(|child| child.outcome().is_none());
                next.extend(live.map(|child| (child.key(), child)));
            }
            level = next;
        }
    }
    assert_eq!(solver.nodes(), 0);
}

#[test]
fn every_position_of_the_first_plies_is_in_the_book() {
    let mut solver = exact_solver(game("connect-four"), 10, Scoring::Raw);
    let start = Position::start(game("connect-four"));
    let mut level = BTreeMap::from([(start.key(), start)]);
    // By ply, mirrored ones counted once.
    for count in [1, 4, 25, 121, 568] {
        assert_eq!(level.len(), count);
        let mut next = BTreeMap::new();
        for position in level.into_values() {
            let (score, best) = solver.best_moves(position, &UNSEARCHED).unwrap();
            assert!(!best.is_empty() && score.abs() <= 21, "{position}");
            let children = position
                .moves()
                .map(|mv| position.play_unchecked(mv).canonical());
            next.extend(children.map(|child| (child.key(), child)));
        }
        level = next;
    }
    assert_eq!(solver.nodes(), 0);
}

#[test]
fn the_book_agrees_with_itself() {
    let known: BTreeMap<Key, BookScore> = embedded()
        .map(|(position, score)| (position.key(), score))
        .collect();
    let (mut pairs, mut bounds) = (0, BTreeMap::new());
    for (position, score) in embedded() {
        assert_eq!(position, position.canonical());
        assert!(position.outcome().is_none());
        for mv in position.moves() {
            let child = position.play_unchecked(mv).canonical();
            match (score.exact(), known.get(&child.key())) {
                (Some(score), Some(BookScore::Exact(child))) => {
                    // No move scores higher than its position.
                    assert!(-i32::from(*child) <= score, "{position}");
                    pairs += 1;
                }
                (Some(score), Some(BookScore::AtLeast(_))) => {
                    let bound = bounds.entry(child.key()).or_insert(i32::MIN);
                    *bound = (1 - score).max(*bound);
                }
                _ => {}
            }
        }
    }
    assert!(pairs > 1000, "{pairs}");
    // A bound belongs to a move that is worse than the best.
    let mut count = 0;
    for (key, score) in &known {
        if let BookScore::AtLeast(low) = score {
            assert!(
                bounds
                    .get(key)
                    .is_some_and(|&bound| i32::from(*low) <= bound)
            );
            count += 1;
        }
    }
    assert!(count > 1000, "{count}");
}

/// Searches every `every`-th position and checks the book; returns how many searches for scores were completed,
/// and how many for bounds.
fn agrees_with_a_search(every: usize, nodes: u64) -> [usize; 2] {
    let mut solver = solver_with_book(game("connect-four"), 22, Arc::default());
    let limits = Limits::nodes(nodes);
    let mut found = [0; 2];
    for (position, score) in embedded().step_by(every) {
        let right = match score {
            BookScore::Exact(score) => {
                let searched = solver.score(position, &limits);
                searched.map(|searched| searched == i32::from(score))
            }
            BookScore::AtLeast(low) => solver.exceeds(position, i32::from(low) - 1, &limits),
        };
        if let Ok(right) = right {
            assert!(right, "{position} {score:?}");
            found[usize::from(score.exact().is_none())] += 1;
        }
    }
    found
}

#[test]
fn what_is_found_quickly_is_as_in_the_book() {
    let found = agrees_with_a_search(1 + embedded().count() / 400, 10_000);
    assert!(found.iter().all(|&found| found > 10), "{found:?}");
}

#[test]
#[ignore = "an hour without optimization"]
fn what_takes_long_to_find_is_as_in_the_book() {
    let found = agrees_with_a_search(1 + embedded().count() / 100, u64::MAX);
    assert!(found.iter().all(|&found| found > 20), "{found:?}");
}

#[test]
fn the_sampled_positions_of_connect_four_are_solved() {
    let (positions, mut solver) = solved_positions(game("connect-four")).unwrap();
    assert_eq!(positions.len(), 270);
    let mut searching = solver_with_book(game("connect-four"), 20, Arc::default());
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

#[test]
fn scores_in_a_directory_are_read_as_they_were_written_and_not_when_damaged() {
    let place = directory();
    let game = game("connect-four");
    let opened = BookDirectory::open(place.path(), game, &AtomicBool::new(false));
    let directory = opened.unwrap().unwrap();
    let position = Position::start(game);
    let score = |score| (score != 0).then_some(score);
    let scores: Vec<(Move, Option<i32>)> = position.moves().zip((-3..).map(score)).collect();
    let claim = directory.claim(0, position).unwrap().unwrap();
    claim.write(position, &scores).unwrap();
    assert_eq!(directory.scores(0, position), Some(scores.clone()));

    let files = contents(place.path());
    let mut names = files.keys().filter(|name| name.ends_with("scores.txt"));
    let (name, None) = (names.next().unwrap(), names.next()) else {
        panic!("the scores of a position are one file: {files:?}")
    };
    let path = place.path().join(name);
    let whole = &files[name];
    for i in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[i] ^= 1;
        fs::write(&path, &bytes).unwrap();
        assert_eq!(directory.scores(0, position), None, "byte {i}");
        fs::write(&path, &whole[..i]).unwrap();
        assert_eq!(directory.scores(0, position), None, "{i} bytes");
    }

    // Nor are the scores of another position.
    let next = position.play_unchecked(scores[0].0);
    let other = directory.claim(0, next).unwrap().unwrap();
    other.write(position, &scores).unwrap();
    assert_eq!(directory.scores(0, next), None);
}
