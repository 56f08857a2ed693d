//! The best variants of a sweep, trained again with seeds that had no part in choosing them.
//!
//! The best of many noisy means is likely too high, because luck is part of why it is the best (the
//! winner's curse). Fresh seeds show how good it really is.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::train::{Prepared, Trained, Training};
use crate::config::{Config, MAX_SEEDS, Mode, Seeds, Sweep, Swept, SweptKey, Variant};
use crate::disk::{parent, write_own};
use crate::error::Error;
use crate::stats::{mean, mean_intervals, wilson};
use crate::store::{Place, RunDirectory, SweepDirectory, check_outside, read_live};
use crate::text::{csv_lines, shell_word};
use crate::train::{Recorded, Standing, ranking};

/// The number of variants compared by default, unless there are fewer.
const DEFAULT_TOP: usize = 3;

/// The best variants of a finished sweep, and the training that compares them.
pub struct Finalists {
    /// The number of variants in the sweep.
    pub variants: usize,
    /// The number of variants that are as good as the best one.
    pub equals: usize,
    /// The seeds that had no part in choosing them.
    pub seeds: Vec<u64>,
    /// The config of their training: a sweep of these variants alone, with these seeds.
    config: Config,
    /// The results of the sweep's own seeds for each finalist, the best first.
    selection: Vec<Standing>,
    /// The sweep's own seeds.
    known: Seeds,
    root: PathBuf,
}

/// A variant in a final comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Finalist {
    /// The names of its values, in the order of the keys.
    pub values: Vec<String>,
    /// Its results over the seeds by which it was chosen.
    pub selection: FinalistRow,
    /// Its results over fresh seeds.
    pub fresh: FinalistRow,
}

impl Finalists {
    /// The best `top` variants of a sweep (default: three, or all if there are fewer), each to be trained with this
    /// many fresh `seeds`, in `out` or else in the sweep's directory `best`. Errors: [`Error::Input`] if `root` is not
    /// a finished sweep, has fewer variants or is a sweep over seeds, or if `out` is new and within results.
    pub fn of(
        root: &Path,
        top: Option<usize>,
        seeds: u64,
        out: Option<&Path>,
    ) -> Result<Finalists, Error> {
        let Some(directory) = SweepDirectory::open(root) else {
            // Its error says why this is not a sweep.
            let run = RunDirectory::open(root)?;
            return Err(Error::input(format!(
                "{} is a single run, not a sweep: there is nothing to choose from",
                run.root().display()
            )));
        };
        if let Some(out) = out
            && !is_own_best(out, root)
        {
            check_outside(Place::At(out))?;
        }
        let (config, swept) = directory.read_config()?;
        if swept.sweep.is_over_seeds() {
            return Err(Error::input(
                "the sweep goes over the seeds themselves: none of its variants is the best",
            ));
        }
        let variants = swept.variants.len();
        let top = top.unwrap_or(DEFAULT_TOP.min(variants));
        if top > variants {
            return Err(Error::input(format!(
                "--top {top}: the sweep {} has {variants} variants, expected at most {variants}",
                root.display()
            )));
        }
        let runs = directory.runs(&swept)?;
        let runs: Vec<Recorded> = runs.iter().map(read_live).collect::<Result<_, _>>()?;
        if runs.iter().any(|run| !run.finished) {
            return Err(Error::input(format!(
                "the sweep {} is not finished; resume it with: lab train --resume {}",
                root.display(),
                shell_word(root)
            )));
        }
        let standings: Vec<Standing> = runs.iter().map(Standing::of).collect();
        let ranking = ranking(&standings);
        let is_equal = |other: &&usize| standings[ranking[0]].equals(&standings[**other]);
        let chosen = &ranking[..top];
        let known = config.seeds.clone();
        let seeds = fresh_seeds(&known, seeds);
        Ok(Finalists {
            variants,
            equals: ranking.iter().filter(is_equal).count(),
            config: Config {
                seeds: Seeds::List(seeds.clone()),
                sweep: Some(alone(&swept, chosen)),
                ..config
            },
            seeds,
            known,
            selection: chosen.iter().map(|&i| standings[i].clone()).collect(),
            root: out.map_or_else(|| directory.best(), Path::to_owned),
        })
    }

    /// Prepares the training of the finalists, or resumes it, even if the sweep was extended and its best variants are
    /// the same in the same order. Errors: as [`Training::begin`]; [`Error::Input`] if another training is in its
    /// place.
    pub fn training(&self) -> Result<Training, Error> {
        let Some(directory) = SweepDirectory::open(&self.root) else {
            return Prepared::new(self.config.clone(), None)?.begin(Place::At(&self.root));
        };
        let (there, _) = directory.read_config()?;
        let now = self.config.epochs.max(there.epochs);
        let set = now.filter(|_| there.epochs != now);
        let set = set.map(|epochs| format!("epochs={epochs}"));
        let extended = Config {
            epochs: now,
            ..there
        };
        if extended.to_toml() == self.config.to_toml() {
            return Training::resume(&self.root, set.as_slice());
        }
        let there = extended.seeds.list();
        let (had, asked) = (there.len(), self.seeds.len());
        let are_fresh = fresh_seeds(&self.known, had as u64) == there;
        let by_these = Config {
            seeds: self.config.seeds.clone(),
            ..extended
        };
        let what = if by_these.to_toml() != self.config.to_toml() {
            match by_these.epochs > self.config.epochs {
                true => "after more epochs".to_owned(),
                false => "of other variants, or of these in another order".to_owned(),
            }
        } else if !are_fresh {
            "by other seeds, of which some were added to the sweep since and are no longer fresh"
                .to_owned()
        } else {
            format!("by {had} fresh seeds, not {asked}: --seeds {had} continues it")
        };
        Err(Error::input(format!(
            "{} has trainings {what}; give these a directory of their own by --out",
            self.root.display()
        )))
    }

    /// Compares the results of the fresh seeds of a finished training with those of the sweep, in the order of
    /// selection, and writes the comparison into the directory. Errors: [`Error`] if it cannot be written.
    pub fn compared(&self, trained: &Trained) -> Result<Vec<Finalist>, Error> {
        let Some((directory, swept)) = &trained.sweep else {
            return Ok(Vec::new());
        };
        let runs = trained.runs.iter().filter_map(|run| run.data.as_ref());
        let pairs = swept.variants.iter().zip(&self.selection).zip(runs);
        let finalist = |((variant, selection), run): ((&Variant, &Standing), &Recorded)| Finalist {
            values: variant
                .values
                .iter()
                .map(|value| value.name.clone())
                .collect(),
            selection: FinalistRow::of("selection", selection),
            fresh: FinalistRow::of("fresh", &Standing::of(run)),
        };
        let all: Vec<Finalist> = pairs.map(finalist).collect();
        let head = [vec!["rank".to_owned()], swept.sweep.labels()].concat();
        let head = csv_lines([head], false);
        let rows = (1..)
            .zip(&all)
            .flat_map(|(rank, finalist): (usize, &Finalist)| {
                [&finalist.selection, &finalist.fresh].map(|row| (rank, &finalist.values, row))
            });
        let text = format!(
            "{},{}\n{}",
            head.trim_end(),
            FinalistRow::COLUMNS,
            csv_lines(rows, false)
        );
        write_own(&directory.comparison(), text.as_bytes())?;
        Ok(all)
    }

    /// The number of variants that are compared.
    pub fn top(&self) -> usize {
        self.selection.len()
    }

    /// The config of the comparison.
    pub fn config(&self) -> &Config {
        &self.config
    }
}

/// The results of a variant over some seeds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the columns of best.csv")]
pub struct FinalistRow {
    pub stage: &'static str,
    pub seeds: usize,
    pub unbeatable: Option<usize>,
    pub unbeatable_low: Option<f64>,
    pub unbeatable_high: Option<f64>,
    pub rate: f64,
    pub rate_low: Option<f64>,
    pub rate_high: Option<f64>,
}

impl FinalistRow {
    const COLUMNS: &str =
        "stage,seeds,unbeatable,unbeatable_low,unbeatable_high,rate,rate_low,rate_high";

    fn of(stage: &'static str, standing: &Standing) -> FinalistRow {
        let seeds = standing.rates.len();
        let share = |safe: usize| wilson(safe as u64, seeds as u64);
        let (unbeatable_low, unbeatable_high) = standing.unbeatable.map(share).unzip();
        let [interval, _] = mean_intervals(&standing.rates);
        let (rate_low, rate_high) = interval.unzip();
        FinalistRow {
            stage,
            seeds,
            unbeatable: standing.unbeatable,
            unbeatable_low,
            unbeatable_high,
            rate: mean(&standing.rates),
            rate_low,
            rate_high,
        }
    }
}

/// Whether a path, however it is written, is the default directory for the comparison of a sweep.
fn is_own_best(out: &Path, sweep: &Path) -> bool {
    let place = |path: &Path| path.canonicalize().ok();
    out.ends_with("best") && place(parent(out)).is_some_and(|parent| Some(parent) == place(sweep))
}

/// `count` seeds that are not in `known` and lie above every seed that a longer count can reach, so that they stay
/// fresh when the sweep is extended.
fn fresh_seeds(known: &Seeds, count: u64) -> Vec<u64> {
    let known: BTreeSet<u64> = known.list().into_iter().collect();
    let fresh = (MAX_SEEDS + 1..).filter(|seed| !known.contains(seed));
    fresh.take(count as usize).collect()
}

/// The sweep of these variants alone.
fn alone(swept: &Swept, chosen: &[usize]) -> Sweep {
    let keys = swept.sweep.keys().into_iter().enumerate();
    let over = keys.map(|(key, path)| {
        let values = chosen.iter().map(|&i| &swept.variants[i].values[key]);
        let values = values.map(|value| (value.value.clone(), value.name.clone()));
        SweptKey::listed(path.clone(), values.collect())
    });
    Sweep {
        mode: Mode::Zip,
        over: Some(over.collect()),
        defaults: swept.sweep.defaults.clone(),
        ..Sweep::default()
    }
}
