use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::disk::{
    Lock, MOST_TEXT, create_directories, entries, is_directory, read_own, unfinished, write_own,
};
use crate::error::Error;
use crate::game::{GameInfo, Move, Position};

/// A directory in which a book is computed, by any number of processes: `game.txt` with the game's
/// name; for every position whose moves are scored `ply-<n>/<key>/scores.txt`, and beside it an empty
/// file `claim` that is locked while a process works on it; and in the end `book.bin` or
/// `positions.bin`. The directory's own `claim` is locked while one of the other files is written.
pub struct BookDirectory {
    root: PathBuf,
}

/// The score of every move of a position, in ascending order of the moves; `None` if it is only known that other
/// moves are better.
pub type MoveScores = Vec<(Move, Option<i32>)>;

/// The right to score the moves of a position.
pub struct Claim {
    scores: PathBuf,
    _lock: Lock,
}

const GAME: &str = "game.txt";
const CLAIM: &str = "claim";
const BOOK: &str = "book.bin";
const POSITIONS: &str = "positions.bin";

impl BookDirectory {
    /// Makes the directory, or opens the existing one; `None` if `stop` became true before. Errors:
    /// [`Error::Input`] if it belongs to another game or to something else, or stays locked by others;
    /// [`Error::System`] if it cannot be made.
    pub fn open(
        root: &Path,
        game: &'static GameInfo,
        stop: &AtomicBool,
    ) -> Result<Option<BookDirectory>, Error> {
        if !is_directory(root)? {
            create_directories(root)?;
        }
        let own = root.join(GAME);
        let there = entries(root)?;
        let begun = [own.clone(), unfinished(&own), root.join(CLAIM)];
        let begun = |path: &PathBuf| begun.contains(path);
        if !there.is_empty() && !there.iter().any(begun) {
            return Err(Error::input(format!(
                "{} is not the directory of a book; choose another --out",
                root.display()
            )));
        }
        let Some(_alone) = alone(root, stop)? else {
            return Ok(None);
        };
        if let Ok(name) = read_own(&own, MOST_TEXT) {
            let name = String::from_utf8_lossy(&name);
            if name.trim_end() != game.name {
                return Err(Error::input(format!(
                    "{} is the directory of a book of {}; choose another --out",
                    root.display(),
                    name.trim_end()
                )));
            }
        } else {
            write_own(&own, format!("{}\n", game.name).as_bytes())?;
        }
        Ok(Some(BookDirectory {
            root: root.to_owned(),
        }))
    }

    /// The scores of a position's moves; `None` if they do not exist or are damaged.
    pub fn scores(&self, ply: u32, position: Position) -> Option<MoveScores> {
        let path = self.position(ply, position).join(SCORES);
        parse(&read_own(&path, MOST_TEXT).ok()?, position)
    }

    /// Claims a position; `None` if another process has it. Errors: [`Error::System`] if its
    /// directory cannot be made or locked.
    pub fn claim(&self, ply: u32, position: Position) -> Result<Option<Claim>, Error> {
        let directory = self.position(ply, position);
        create_directories(&directory)?;
        match Lock::take_in(&directory, CLAIM) {
            Ok(lock) => Ok(Some(Claim {
                scores: directory.join(SCORES),
                _lock: lock,
            })),
            Err(Error::Failed(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes the book, or if it `is_sampled` the book of the sampled positions. Returns its path; `None` if `stop`
    /// became true before. Errors: [`Error::Failed`] if the directory stays locked by others, [`Error::System`] if it
    /// cannot be written.
    pub fn write(
        &self,
        is_sampled: bool,
        book: &[u8],
        stop: &AtomicBool,
    ) -> Result<Option<PathBuf>, Error> {
        let path = self.root.join(if is_sampled { POSITIONS } else { BOOK });
        let Some(_alone) = alone(&self.root, stop)? else {
            return Ok(None);
        };
        write_own(&path, book)?;
        Ok(Some(path))
    }

    fn position(&self, ply: u32, position: Position) -> PathBuf {
        let [high, low] = position.key().halves();
        let key = match high {
            0 => format!("{low:x}"),
            _ => format!("{high:x}-{low:x}"),
        };
        self.root.join(format!("ply-{ply}")).join(key)
    }
}

/// Waits for the lock of the directory itself, which is held only while a file in it is written; `None`
/// if `stop` became true before. Errors: [`Error::Failed`] if it stays locked, [`Error::System`] if it
/// cannot be locked.
fn alone(root: &Path, stop: &AtomicBool) -> Result<Option<Lock>, Error> {
    let begun = Instant::now();
    loop {
        match Lock::take_in(root, CLAIM) {
            Err(Error::Failed(_)) if stop.load(Ordering::Relaxed) => return Ok(None),
            Err(Error::Failed(_)) if begun.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(10));
            }
            taken => return taken.map(Some),
        }
    }
}

/// The longest time that writing a file can take.
const PATIENCE: Duration = Duration::from_secs(5);

impl Claim {
    /// Writes the scores of the position's moves. Errors: [`Error::System`] if they cannot be
    /// written.
    pub fn write(&self, position: Position, scores: &MoveScores) -> Result<(), Error> {
        write_own(&self.scores, text(position, scores).as_bytes())
    }
}

const SCORES: &str = "scores.txt";

/// Written instead of a score for a move that is worse than the best ones.
const WORSE: &str = "worse";

/// A line for each move, and one with the CRC-32 of the position's key and the others.
fn text(position: Position, scores: &MoveScores) -> String {
    let line = |(mv, score): &(Move, Option<i32>)| {
        let score = score.map_or(WORSE.to_owned(), |score| score.to_string());
        format!("{} {score}\n", position.format_move(*mv))
    };
    let lines: String = scores.iter().map(line).collect();
    let crc = crc32fast::hash(format!("{position}\n{lines}").as_bytes());
    format!("{lines}crc {crc:08x}\n")
}

fn parse(bytes: &[u8], position: Position) -> Option<MoveScores> {
    let written = std::str::from_utf8(bytes).ok()?;
    let read = |mv| {
        let name = position.format_move(mv);
        let line = written.lines().find_map(|line| line.strip_prefix(&name))?;
        let score = match line.trim() {
            WORSE => None,
            score => Some(score.parse().ok()?),
        };
        Some((mv, score))
    };
    let scores: Option<MoveScores> = position.moves().map(read).collect();
    scores.filter(|scores| text(position, scores) == written)
}
