//! The runs in a directory.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Serialize, Serializer};

use super::reading::Reading;
use crate::config::Sides;
use crate::disk::Lock;
use crate::error::Error;
use crate::stats::mean;
use crate::store::{
    Manifest, RunDirectory, Stamp, SweepDirectory, TournamentDirectory, TournamentSummary,
};
use crate::threads::locked;
use crate::train::EvaluationMethod;

/// The name and the place of a run in a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ListedRun {
    /// Its name; if it belongs to a sweep, below the sweep's name.
    pub name: String,
    /// The sweep that it belongs to.
    pub sweep: Option<String>,
    /// Its directory.
    #[serde(skip)]
    pub root: PathBuf,
}

/// A row in a list of runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunRow {
    /// The run.
    #[serde(flatten)]
    pub run: ListedRun,
    /// What is known about it; `None` if its results cannot be read.
    #[serde(flatten, serialize_with = "and_readable")]
    pub summary: Option<RunSummary>,
}

/// Serializes a value with a flag that says whether there is one.
fn and_readable<T: Serialize, S: Serializer>(
    value: &Option<T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Readable<'a, T> {
        readable: bool,
        #[serde(flatten)]
        value: &'a Option<T>,
    }
    let readable = value.is_some();
    Readable { readable, value }.serialize(serializer)
}

/// What a list says about a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunSummary {
    /// The game.
    pub game: String,
    /// The learned sides.
    #[serde(rename = "side")]
    pub sides: Sides,
    /// What learns, or the agent that is measured.
    pub learner: String,
    /// Seeds that have a finished epoch.
    pub seeds: u64,
    /// Seeds that the config asks for.
    pub all_seeds: u64,
    /// Epochs of the longest seed.
    pub epochs: u64,
    /// The most epochs that the config asks for.
    pub all_epochs: u64,
    /// Epochs of all seeds together.
    pub done_epochs: u64,
    /// Episodes of the longest seed.
    pub episodes: u64,
    /// The number of seeds whose best epochs are unbeatable; `None` where nothing is exact.
    pub unbeatable_best: Option<usize>,
    /// The number of seeds whose last epochs are unbeatable.
    pub unbeatable_last: Option<usize>,
    /// Win rate of the best epochs against the first opponent, mean over sides and seeds.
    pub win_rate: Option<f64>,
    /// The first opponent.
    pub opponent: String,
    /// What is proven about the best epochs.
    pub verdict: Verdict,
    /// How far the run has got.
    pub state: RunState,
}

/// What is proven about the best epochs of a run's seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Each is [unbeatable](crate::train::are_unbeatable).
    Unbeatable,
    /// Some can be beaten.
    Mixed,
    /// Each can be beaten.
    Beatable,
    /// Nothing is proven, or not of every seed yet.
    Unknown,
}

/// How far a run has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// All seeds have finished.
    Finished,
    /// It is being trained: a process has its lock, or it was written to a short while ago by a process that has not
    /// been stopped.
    Training,
    /// It was left unfinished.
    Unfinished,
}

/// A run that was written to within this time is being trained.
const RECENTLY: Duration = Duration::from_secs(30);

/// The sweep at a place, and within it the sweep of its best variants, if they exist, each with its name.
fn sweeps_at(root: &Path) -> Vec<(String, SweepDirectory)> {
    let Some(sweep) = SweepDirectory::open(root) else {
        return Vec::new();
    };
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    let name = name.into_owned();
    let best = SweepDirectory::open(&sweep.best());
    let best = best.map(|best| (format!("{name}/best"), best));
    [(name, sweep)].into_iter().chain(best).collect()
}

/// The runs in a directory, including those of sweeps, or the single run there. The list can be read again and again:
/// only runs that changed are read.
pub struct RunList {
    directory: PathBuf,
    known: Mutex<FxHashMap<PathBuf, (Stamp, Option<RunSummary>)>>,
}

impl RunList {
    /// The list of a directory, which need not exist yet.
    pub fn new(directory: PathBuf) -> RunList {
        RunList {
            directory,
            known: Mutex::default(),
        }
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The runs that are there now, without reading them; none if there is no such directory. Errors: [`Error`]
    /// if a directory cannot be listed.
    pub fn runs(&self) -> Result<Vec<ListedRun>, Error> {
        if !self.directory.exists() {
            return Ok(Vec::new());
        }
        let listed = |run: RunDirectory, sweep: Option<&String>| ListedRun {
            name: match sweep {
                Some(sweep) => format!("{sweep}/{}", run.name()),
                None => run.name(),
            },
            sweep: sweep.cloned(),
            root: run.root().to_owned(),
        };
        if let Some(run) = RunDirectory::find(&self.directory)? {
            return Ok(vec![listed(run, None)]);
        }
        let mut runs = Vec::new();
        for root in subdirectories(&self.directory)? {
            runs.extend(RunDirectory::listed(&root).map(|run| listed(run, None)));
            for (name, sweep) in sweeps_at(&root) {
                let below = subdirectories(sweep.root())?.into_iter();
                let below = below.filter_map(|root| RunDirectory::listed(&root));
                runs.extend(below.map(|run| listed(run, Some(&name))));
            }
        }
        Ok(runs)
    }

    /// The runs as they are now, including those that are being trained. Errors: [`Error`] if a
    /// directory cannot be listed.
    pub fn rows(&self) -> Result<Vec<RunRow>, Error> {
        let runs = self.runs()?;
        let there: FxHashSet<&PathBuf> = runs.iter().map(|run| &run.root).collect();
        locked(&self.known).retain(|root, _| there.contains(root));
        Ok(runs.into_iter().map(|run| self.row(run)).collect())
    }

    /// The run with this name, without reading it. Errors: [`Error::Input`] if there is none.
    pub fn find(&self, name: &str) -> Result<ListedRun, Error> {
        let mut runs = self.runs()?.into_iter();
        runs.find(|run| run.name == name).ok_or_else(|| {
            Error::input(format!(
                "there is no run '{name}' in {}",
                self.directory.display()
            ))
        })
    }

    /// The directory of the sweep of this name, if there is one.
    pub fn find_sweep(&self, name: &str) -> Option<PathBuf> {
        let all = subdirectories(&self.directory).ok()?;
        let mut sweeps = all.iter().flat_map(|root| sweeps_at(root));
        let found = sweeps.find(|(own, _)| own == name);
        found.map(|(_, sweep)| sweep.root().to_owned())
    }

    fn row(&self, listed: ListedRun) -> RunRow {
        // Runs that cannot be read are listed, too.
        let Ok(run) = RunDirectory::open(&listed.root) else {
            return RunRow {
                run: listed,
                summary: None,
            };
        };
        let known = || locked(&self.known);
        let kept = known().get(&listed.root).cloned();
        // What mends a run that cannot be read may be a checkpoint.
        let stamp = |is_read| match is_read {
            true => Stamp::of(&run),
            false => Stamp::with_checkpoints(&run),
        };
        let is_same = |kept: &(Stamp, Option<RunSummary>)| kept.0 == stamp(kept.1.is_some());
        let mut summary = match kept.filter(is_same) {
            Some((_, summary)) => summary,
            None => {
                let [unread, read] = [false, true].map(stamp);
                let reading = Reading::of(&run).ok();
                let summary = reading.map(|reading| RunSummary::of(&reading, &run));
                let stamp = if summary.is_some() { read } else { unread };
                known().insert(listed.root.clone(), (stamp, summary.clone()));
                summary
            }
        };
        if let Some(summary) = &mut summary
            && summary.state != RunState::Finished
        {
            summary.state = RunState::unfinished(&run);
        }
        RunRow {
            run: listed,
            summary,
        }
    }
}

/// Whether a process trains a run, as far as [`Lock::is_taken`] can tell. A process that trains a sweep has the sweep's
/// lock, and none of its runs'.
pub(super) fn is_locked(run: &RunDirectory) -> bool {
    let sweep = SweepDirectory::around(run);
    Lock::is_taken(run.root()) || sweep.is_some_and(|sweep| Lock::is_taken(sweep.root()))
}

impl RunState {
    /// How far an unfinished run has got.
    pub fn unfinished(run: &RunDirectory) -> RunState {
        // A time in the future is a recent one on another clock.
        let is_recent = |time: SystemTime| time.elapsed().map_or(true, |age| age < RECENTLY);
        let has_left = || Manifest::read(run).is_some_and(|about| about.interrupted.is_some());
        // An epoch may take long.
        match is_locked(run) || Stamp::of(run).changed().is_some_and(is_recent) && !has_left() {
            true => RunState::Training,
            false => RunState::Unfinished,
        }
    }
}

/// A tournament in a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TournamentRow {
    /// Its name.
    pub name: String,
    /// Its results; `None` if it is not finished or cannot be read.
    #[serde(flatten, serialize_with = "and_readable")]
    pub summary: Option<TournamentSummary>,
}

/// The tournaments in a directory, or the single one there. Errors: [`Error`] if a directory cannot
/// be listed.
pub fn list_tournaments(directory: &Path) -> Result<Vec<TournamentRow>, Error> {
    let roots = match TournamentDirectory::is_at(directory) {
        true => vec![directory.to_owned()],
        false if directory.exists() => subdirectories(directory)?,
        false => Vec::new(),
    };
    let found = roots.iter().filter(|root| TournamentDirectory::is_at(root));
    let read = |root: &PathBuf| {
        let name = root.file_name().unwrap_or(root.as_os_str());
        TournamentRow {
            name: name.to_string_lossy().into_owned(),
            summary: TournamentDirectory::read(root),
        }
    };
    Ok(found.map(read).collect())
}

/// The entries of a directory that are not hidden, sorted by name, with trailing numbers sorted as numbers.
fn subdirectories(directory: &Path) -> Result<Vec<PathBuf>, Error> {
    let bad = |why: String| Error::input(format!("cannot list {}: {why}", directory.display()));
    let mut paths: Vec<PathBuf> = std::fs::read_dir(directory)
        .map_err(Error::reading("list", directory, bad))?
        .filter_map(|entry| entry.ok())
        .filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'))
        .map(|entry| entry.path())
        .collect();
    paths.sort_by(|a, b| {
        let [(name_a, number_a), (name_b, number_b)] = [numbered(a), numbered(b)];
        let (by_name, by_number) = (name_a.cmp(&name_b), number_a.total_cmp(&number_b));
        by_name.then(by_number).then_with(|| a.cmp(b))
    });
    Ok(paths)
}

/// Splits a path at a hyphen with a number after it, into the part before and the number; the path and 0 without one.
fn numbered(path: &Path) -> (String, f64) {
    let name = path.to_string_lossy();
    let parts = name.match_indices('-').find_map(|(i, _)| {
        let number = name[i + 1..].parse().ok()?;
        Some((name[..i].to_owned(), number))
    });
    parts.unwrap_or_else(|| (name.into_owned(), 0.0))
}

impl RunSummary {
    /// What a list says about a run, from what it recorded.
    pub(super) fn of(Reading { data, seeds }: &Reading, run: &RunDirectory) -> RunSummary {
        let config = &data.config;
        let opponent = config.evaluation.opponents[0].to_string();
        let of_best = seeds.iter().flat_map(|seed| &seed.best.metrics);
        let of_best = of_best.filter(|row| row.opponent == opponent);
        let wins: Vec<f64> = of_best.map(|row| row.win_rate).collect();
        let is_exact = data.method() == EvaluationMethod::Exact;
        let safe_best = seeds.iter().filter(|seed| seed.best.unbeatable()).count();
        let safe_last = seeds.iter().filter(|seed| seed.last.unbeatable()).count();
        let learner = match (&config.learner, &config.agent) {
            (Some(learner), _) => learner.name().to_owned(),
            (None, agent) => agent.as_ref().map(ToString::to_string).unwrap_or_default(),
        };
        let last = seeds.iter().map(|seed| &seed.last);
        RunSummary {
            game: config.game.name.to_owned(),
            sides: config.side,
            learner,
            seeds: seeds.len() as u64,
            all_seeds: config.seeds.count(),
            epochs: last.clone().map(|last| last.epoch).max().unwrap_or(0),
            all_epochs: config.epochs(),
            done_epochs: last.clone().map(|last| last.epoch).sum(),
            episodes: last.map(|last| last.episodes).max().unwrap_or(0),
            unbeatable_best: is_exact.then_some(safe_best),
            unbeatable_last: is_exact.then_some(safe_last),
            win_rate: (!wins.is_empty()).then(|| mean(&wins)),
            opponent,
            verdict: match safe_best {
                _ if !is_exact => Verdict::Unknown,
                some if 0 < some && some < seeds.len() => Verdict::Mixed,
                // The seeds that have not begun may turn out differently.
                _ if (seeds.len() as u64) < config.seeds.count() => Verdict::Unknown,
                0 => Verdict::Beatable,
                _ => Verdict::Unbeatable,
            },
            state: match data.finished {
                true => RunState::Finished,
                false => RunState::unfinished(run),
            },
        }
    }
}
