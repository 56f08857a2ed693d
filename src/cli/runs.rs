use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::Args;
use playlab::Error;
use playlab::game::Side;
use playlab::run::{Manifest, MetricsRow, RunData, RunDirectory, SweepDirectory, summarize};
use playlab::stats::mean;
use playlab::text::thousands;

use super::output::{print, table, table_text};

const DEFAULT: &str = "runs";

/// List the runs in a directory with their verdicts
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab runs
  lab runs runs/reference")]
pub struct Runs {
    /// The directory that holds the runs
    #[arg(value_name = "DIR", default_value = DEFAULT)]
    directory: PathBuf,
}

impl Runs {
    /// Prints a table.
    pub fn run(self) -> Result<(), Error> {
        let shown = self.directory.display();
        let roots = if RunDirectory::open(&self.directory).is_ok() {
            vec![self.directory.clone()]
        } else if !self.directory.exists() && self.directory == Path::new(DEFAULT) {
            Vec::new()
        } else {
            subdirectories(&self.directory)?
        };
        let head = [
            "run",
            "game",
            "side",
            "seeds",
            "episodes",
            "unbeatable: best",
            "last",
            "win rate",
            "against",
            "state",
        ];
        let mut list = table(head, 3);
        let mut any = false;
        for root in &roots {
            if let Ok(run) = RunDirectory::open(root) {
                any = true;
                list.add_row(row(&run, run.name()));
            } else if SweepDirectory::open(root).is_some() {
                let sweep = root.file_name().unwrap_or_default().to_string_lossy();
                for run in subdirectories(root)? {
                    if let Ok(run) = RunDirectory::open(&run) {
                        any = true;
                        list.add_row(row(&run, format!("{sweep}/{}", run.name())));
                    }
                }
            }
        }
        if !any {
            return print(&format!("No run in {shown}; lab train makes one.\n"));
        }
        print(&format!(
            "{}\nThe win rate is the exact one of the best checkpoints against the first opponent, mean over sides and seeds;\nepisodes are those of the longest seed. Where nothing can be proven (-) it was counted in games after the\nlast epoch, and the episodes are simulations for a move.\n",
            table_text(&list)
        ))
    }
}

/// What is in a directory and not hidden, sorted by name.
fn subdirectories(directory: &Path) -> Result<Vec<PathBuf>, Error> {
    let shown = directory.display();
    let mut paths: Vec<PathBuf> = std::fs::read_dir(directory)
        .map_err(|error| Error::input(format!("cannot list {shown}: {error}")))?
        .filter_map(|entry| entry.ok())
        .filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'))
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    Ok(paths)
}

fn row(run: &RunDirectory, name: String) -> Vec<String> {
    let data = match RunData::read(run) {
        Ok(data) => data,
        Err(_) => return vec![name, "has no results that can be read".to_owned()],
    };
    if data.config.is_sampled() {
        return sampled_row(run, name, &data);
    }
    let seeds = summarize(&data);
    let opponent = data.config.evaluation.opponents[0].to_string();
    let wins: Vec<f64> = seeds
        .iter()
        .flat_map(|seed| {
            seed.best
                .metrics
                .iter()
                .filter(|row| row.opponent == opponent)
        })
        .map(|row| row.win_rate)
        .collect();
    let share = |safe: usize| format!("{safe} of {}", seeds.len());
    let sides = sides(&data);
    let finished = seeds.len() as u64 == data.config.seeds.count()
        && Manifest::read(run).is_none_or(|manifest| manifest.finished.is_some());
    vec![
        name,
        data.config.game.as_str().to_owned(),
        sides,
        match (seeds.len() as u64, data.config.seeds.count()) {
            (done, all) if done == all => thousands(all),
            (done, all) => format!("{} of {}", thousands(done), thousands(all)),
        },
        thousands(
            seeds
                .iter()
                .map(|seed| seed.last.episodes)
                .max()
                .unwrap_or(0),
        ),
        share(seeds.iter().filter(|seed| seed.best.unbeatable()).count()),
        share(seeds.iter().filter(|seed| seed.last.unbeatable()).count()),
        if wins.is_empty() {
            String::new()
        } else {
            format!("{:.4}", mean(&wins))
        },
        opponent,
        if finished { "finished" } else { "unfinished" }.to_owned(),
    ]
}

fn sides(data: &RunData) -> String {
    let sides = data.config.side.list().iter();
    sides.map(ToString::to_string).collect::<Vec<_>>().join("+")
}

/// Of a run on a board that is not listed: what was counted after the latest epochs.
fn sampled_row(run: &RunDirectory, name: String, data: &RunData) -> Vec<String> {
    let config = &data.config;
    let opponent = config.evaluation.opponents[0].to_string();
    let mut last: BTreeMap<(u64, Side), &MetricsRow> = BTreeMap::new();
    for row in data.metrics.iter().filter(|row| row.opponent == opponent) {
        last.insert((row.seed, row.side), row);
    }
    let seeds: BTreeSet<u64> = last.keys().map(|(seed, _)| *seed).collect();
    let rates: Vec<f64> = last.values().map(|row| row.win_rate).collect();
    let episodes = last.values().map(|row| row.episodes).max();
    let finished = Manifest::read(run).is_some_and(|manifest| manifest.finished.is_some());
    vec![
        name,
        config.game.as_str().to_owned(),
        sides(data),
        match (seeds.len() as u64, config.seeds.count()) {
            (done, all) if done == all => thousands(all),
            (done, all) => format!("{} of {}", thousands(done), thousands(all)),
        },
        thousands(episodes.unwrap_or_default()),
        "-".to_owned(),
        "-".to_owned(),
        if rates.is_empty() {
            String::new()
        } else {
            format!("{:.4}", mean(&rates))
        },
        opponent,
        if finished { "finished" } else { "unfinished" }.to_owned(),
    ]
}
