//! What is reported about one run.

use std::collections::BTreeMap;

use csv::StringRecord;
use serde::Serialize;

use super::proven::{unbeatable_from_text, verdicts};
use super::reading::{Reading, Readings};
use super::runs::{ListedRun, RunRow, RunSummary};
use crate::error::Error;
use crate::game::Side;
use crate::stats::mean;
use crate::store::{Manifest, RunDirectory, read_training};
use crate::text::deduplicated;
use crate::train::{AllSeeds, EvaluationMethod, Metric, Overall, Recorded, SeedSummary, Snapshot};

/// A run: what was asked for, and its results so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunReport {
    /// Its row in the list.
    pub row: RunRow,
    /// The config, every default spelled out.
    pub config: String,
    /// What is trained, such as `q-learning as O`.
    pub subject: String,
    /// Whether the positions of its game are listed.
    pub listed: bool,
    /// Whether it trains a learner rather than measuring an agent.
    pub learns: bool,
    /// The sides that are learned.
    pub sides: &'static [Side],
    /// The opponents against which strength is measured.
    pub opponents: Vec<String>,
    /// What is proven, in sentences; none where nothing is.
    pub verdicts: Vec<String>,
    /// How strong it is, for each side and opponent.
    pub strength: Vec<Strength>,
    /// Every seed that has a finished epoch.
    pub seeds: Vec<SeedReport>,
    /// The command that started the run, or resumed it last.
    pub command: Option<Vec<String>>,
    /// When the command was started.
    pub started: Option<String>,
    /// When it was finished.
    pub finished: Option<String>,
    /// How long it took.
    pub seconds: Option<f64>,
    /// The version of the program.
    pub version: Option<String>,
}

/// Rates against an opponent, means over the seeds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "as in metrics.csv")]
pub struct Strength {
    pub side: Side,
    pub opponent: String,
    pub method: EvaluationMethod,
    pub best: MeanRates,
    pub last: MeanRates,
}

/// Mean rates; `None` where no seed was measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "as in Rates")]
pub struct MeanRates {
    pub win: Option<f64>,
    pub draw: Option<f64>,
    pub loss: Option<f64>,
}

/// A seed of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeedReport {
    /// The seed.
    pub seed: u64,
    /// Its best epoch.
    pub best: EpochReport,
    /// Its last one.
    pub last: EpochReport,
    /// The episode from which on it was unbeatable at every evaluation, if it was at the last one.
    pub unbeatable_from: Option<u64>,
    /// The epochs of its checkpoints.
    pub checkpoints: Vec<u64>,
}

/// An epoch of a seed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EpochReport {
    /// Its number.
    pub epoch: u64,
    /// Episodes so far.
    pub episodes: u64,
    /// Whether all sides are proven to be unbeatable; `None` where nothing is proven.
    pub unbeatable: Option<bool>,
}

/// Reports everything that is known so far about a run of a list. Errors: [`Error`] if its results cannot be read.
pub fn report_of_run(listed: ListedRun, readings: &Readings) -> Result<RunReport, Error> {
    let run = RunDirectory::open(&listed.root)?;
    let reading = readings.of(&run)?;
    let Reading { data, seeds } = &*reading;
    let config = &data.config;
    let is_exact = data.method() == EvaluationMethod::Exact;
    let epoch = |snapshot: &Snapshot| EpochReport {
        epoch: snapshot.epoch,
        episodes: snapshot.episodes,
        unbeatable: is_exact.then(|| snapshot.unbeatable()),
    };
    let seed = |seed: &SeedSummary| {
        Ok(SeedReport {
            seed: seed.seed,
            best: epoch(&seed.best),
            last: epoch(&seed.last),
            unbeatable_from: seed.unbeatable_from,
            checkpoints: match config.learner {
                Some(_) => run.checkpoint_epochs(seed.seed)?,
                None => Vec::new(),
            },
        })
    };
    let opponents = config.evaluation.opponents.iter();
    let manifest = Manifest::read(&run);
    let about = manifest.as_ref();
    Ok(RunReport {
        config: config.to_toml(),
        subject: config.subject(None),
        listed: config.game.listed,
        learns: config.learner.is_some(),
        sides: config.side.list(),
        opponents: opponents.map(ToString::to_string).collect(),
        verdicts: match is_exact && !seeds.is_empty() {
            true => {
                let verdicts = verdicts(data, seeds);
                let texts = verdicts.iter().map(|proven| proven.text(data));
                texts.chain(unbeatable_from_text(data, seeds)).collect()
            }
            false => Vec::new(),
        },
        strength: strength(data, seeds),
        seeds: seeds.iter().map(seed).collect::<Result<_, Error>>()?,
        command: about.map(|about| about.command.clone()),
        started: about.map(|about| about.started.clone()),
        finished: about.and_then(|about| about.finished.clone()),
        seconds: about.and_then(|about| about.seconds),
        version: about.map(|about| about.version.clone()),
        row: RunRow {
            run: listed,
            summary: Some(RunSummary::of(&reading, &run)),
        },
    })
}

fn strength(data: &Recorded, seeds: &[SeedSummary]) -> Vec<Strength> {
    let both = AllSeeds::best_and_last(data, seeds);
    let mut strengths = Vec::new();
    for &side in data.config.side.list() {
        let rows = seeds.iter().flat_map(|seed| &seed.last.metrics);
        let rows = rows.filter(|row| row.side == side);
        for (opponent, method) in deduplicated(rows.map(|row| (&row.opponent, row.method))) {
            let [best, last] = both.each_ref().map(|all| {
                let rows = all.rows(side, opponent).filter(|row| row.method == method);
                let mean = |metric| {
                    let overall = Overall::of_rows(data, rows.clone(), metric);
                    overall.map(|overall| overall.mean)
                };
                MeanRates {
                    win: mean(Metric::WinRate),
                    draw: mean(Metric::DrawRate),
                    loss: mean(Metric::LossRate),
                }
            });
            strengths.push(Strength {
                side,
                opponent: opponent.clone(),
                method,
                best,
                last,
            });
        }
    }
    strengths
}

/// A learner's own columns of `training.csv`, as means over the seeds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrainingLog {
    /// The names of its columns.
    pub columns: Vec<String>,
    /// What they mean, in a few words, except for columns whose names have to suffice.
    pub meanings: BTreeMap<String, &'static str>,
    /// Each learned side.
    pub sides: Vec<SideLog>,
}

/// A side's part of a [`TrainingLog`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SideLog {
    /// The side.
    pub side: Side,
    /// Episodes at each evaluation.
    pub episodes: Vec<u64>,
    /// The means of each column at each evaluation; `None` where no seed has a number.
    pub series: BTreeMap<String, Vec<Option<f64>>>,
}

/// Reads the learner's own columns of a run. Errors: [`Error`] if they cannot be read.
pub fn training_log(run: &ListedRun) -> Result<TrainingLog, Error> {
    let (names, rows) = read_training(&RunDirectory::open(&run.root)?)?;
    let is_own = |name: &&str| !["seed", "epoch", "episodes", "side", "worst_case"].contains(name);
    let columns: Vec<String> = names.iter().filter(is_own).map(str::to_owned).collect();
    let at = |name: &str| names.iter().position(|column| column == name);
    let (side_at, episodes_at) = (at("side"), at("episodes"));
    fn text(row: &StringRecord, at: Option<usize>) -> &str {
        at.and_then(|at| row.get(at)).unwrap_or_default()
    }
    let mut sides = Vec::new();
    for side in Side::BOTH {
        let mut by_episode: BTreeMap<u64, Vec<&StringRecord>> = BTreeMap::new();
        for row in &rows {
            if text(row, side_at) == side.to_string()
                && let Ok(episodes) = text(row, episodes_at).parse()
            {
                by_episode.entry(episodes).or_default().push(row);
            }
        }
        if by_episode.is_empty() {
            continue;
        }
        let mut series = BTreeMap::new();
        for name in &columns {
            let column = at(name);
            let of_rows = |rows: &Vec<&StringRecord>| {
                let values = rows.iter().filter_map(|row| text(row, column).parse().ok());
                let values: Vec<f64> = values.collect();
                (!values.is_empty()).then(|| mean(&values))
            };
            series.insert(name.clone(), by_episode.values().map(of_rows).collect());
        }
        sides.push(SideLog {
            side,
            episodes: by_episode.keys().copied().collect(),
            series,
        });
    }
    let meaning = |name: &String| Some((name.clone(), Metric::meaning(name)?));
    Ok(TrainingLog {
        meanings: columns.iter().filter_map(meaning).collect(),
        columns,
        sides,
    })
}
