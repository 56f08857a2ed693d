use std::path::{Path, PathBuf};

use crate::config::Sides;
use crate::error::Error;
use crate::stats::mean;
use crate::store::{PastTournament, RunDirectory, SweepDirectory, TournamentDirectory, read_run};
use crate::train::{Method, Recorded, summarize};

/// A run in a list.
#[derive(Clone, Debug)]
pub struct RunRow {
    /// Its name; below that of its sweep, if it belongs to one.
    pub name: String,
    /// What it says; `None` if its results cannot be read.
    pub told: Option<Told>,
}

/// What a run says.
#[derive(Clone, Debug)]
pub struct Told {
    /// The game.
    pub game: String,
    /// The learned sides.
    pub sides: Sides,
    /// Seeds that have a finished epoch.
    pub seeds: u64,
    /// Seeds that the config asks for.
    pub all_seeds: u64,
    /// Episodes of the longest seed.
    pub episodes: u64,
    /// Seeds whose best and last epochs are unbeatable; `None` where nothing is exact.
    pub unbeatable: Option<(usize, usize)>,
    /// Win rate of the best epochs against the first opponent, mean over sides and seeds.
    pub win_rate: Option<f64>,
    /// The first opponent.
    pub opponent: String,
    /// Whether it is finished.
    pub finished: bool,
}

/// The runs in a directory, those of sweeps included; or the run that it is. `None` if there is
/// no such directory. Errors: [`Error::Input`] if a directory cannot be listed.
pub fn list_runs(directory: &Path) -> Result<Option<Vec<RunRow>>, Error> {
    if !directory.exists() {
        return Ok(None);
    }
    if let Ok(run) = RunDirectory::open(directory) {
        return Ok(Some(vec![row(&run, run.name())]));
    }
    let mut rows = Vec::new();
    for root in subdirectories(directory)? {
        if let Ok(run) = RunDirectory::open(&root) {
            rows.push(row(&run, run.name()));
        } else if SweepDirectory::open(&root).is_some() {
            let sweep = root.file_name().unwrap_or_default().to_string_lossy();
            for run in subdirectories(&root)? {
                if let Ok(run) = RunDirectory::open(&run) {
                    rows.push(row(&run, format!("{sweep}/{}", run.name())));
                }
            }
        }
    }
    Ok(Some(rows))
}

/// The tournaments in a directory, or the one that it is, each with its name; `None` for one that is
/// not finished or cannot be read. Errors: [`Error::Input`] if a directory cannot be listed.
pub fn list_tournaments(directory: &Path) -> Result<Vec<(String, Option<PastTournament>)>, Error> {
    let roots = match TournamentDirectory::is_at(directory) {
        true => vec![directory.to_owned()],
        false if directory.exists() => subdirectories(directory)?,
        false => Vec::new(),
    };
    let found = roots.iter().filter(|root| TournamentDirectory::is_at(root));
    let read = |root: &PathBuf| {
        let name = root.file_name().unwrap_or(root.as_os_str());
        let name = name.to_string_lossy().into_owned();
        (name, TournamentDirectory::read(root))
    };
    Ok(found.map(read).collect())
}

/// What is in a directory and not hidden, sorted by name, and numbers at their ends as numbers.
fn subdirectories(directory: &Path) -> Result<Vec<PathBuf>, Error> {
    let shown = directory.display();
    let mut paths: Vec<PathBuf> = std::fs::read_dir(directory)
        .map_err(|error| Error::input(format!("cannot list {shown}: {error}")))?
        .filter_map(|entry| entry.ok())
        .filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'))
        .map(|entry| entry.path())
        .collect();
    paths.sort_by(|a, b| {
        let [(name_a, number_a), (name_b, number_b)] = [numbered(a), numbered(b)];
        let by_number = || number_a.total_cmp(&number_b);
        name_a
            .cmp(&name_b)
            .then_with(by_number)
            .then_with(|| a.cmp(b))
    });
    Ok(paths)
}

/// A path up to a hyphen, and the number behind that; the whole and 0 if there is none.
fn numbered(path: &Path) -> (String, f64) {
    let name = path.to_string_lossy();
    let parts = name.match_indices('-').find_map(|(i, _)| {
        let number = name[i + 1..].parse().ok()?;
        Some((name[..i].to_owned(), number))
    });
    parts.unwrap_or_else(|| (name.into_owned(), 0.0))
}

fn row(run: &RunDirectory, name: String) -> RunRow {
    RunRow {
        name,
        told: read_run(run).ok().map(|data| told(&data)),
    }
}

fn told(data: &Recorded) -> Told {
    let seeds = summarize(data);
    let config = &data.config;
    let opponent = config.evaluation.opponents[0].to_string();
    let of_best = seeds.iter().flat_map(|seed| &seed.best.metrics);
    let wins: Vec<f64> = of_best
        .filter(|row| row.opponent == opponent)
        .map(|row| row.win_rate)
        .collect();
    let safe_best = seeds.iter().filter(|seed| seed.best.unbeatable()).count();
    let safe_last = seeds.iter().filter(|seed| seed.last.unbeatable()).count();
    Told {
        game: config.game.name.to_owned(),
        sides: config.side,
        seeds: seeds.len() as u64,
        all_seeds: config.seeds.count(),
        episodes: seeds
            .iter()
            .map(|seed| seed.last.episodes)
            .max()
            .unwrap_or(0),
        unbeatable: (data.method() == Method::Exact).then_some((safe_best, safe_last)),
        win_rate: (!wins.is_empty()).then(|| mean(&wins)),
        opponent,
        finished: data.finished,
    }
}
