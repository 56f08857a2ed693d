use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use super::directory::RunDirectory;
use crate::error::Error;
use crate::train::{Rows, RowsSum};

/// The rows of a run's result files as text, by seed and epoch.
#[derive(Clone, Debug, Default)]
pub struct Log(BTreeMap<u64, BTreeMap<u64, Rows>>);

impl Log {
    /// Reads both files. A line without an end, which a kill has cut off, counts as none, and so
    /// does what is no row. Errors: [`Error::System`] if a file is there and cannot be read.
    pub fn read(run: &RunDirectory) -> Result<Log, Error> {
        let mut log = Log::default();
        for (seed, epoch, line) in lines(&read(&run.metrics())?) {
            log.epoch(seed, epoch).metrics += line;
        }
        for (seed, epoch, line) in lines(&read(&run.training())?) {
            log.epoch(seed, epoch).training += line;
        }
        Ok(log)
    }

    fn epoch(&mut self, seed: u64, epoch: u64) -> &mut Rows {
        let rows = self.0.entry(seed).or_default().entry(epoch).or_default();
        rows.seed = seed;
        rows
    }

    /// Adds an epoch's rows.
    pub fn add(&mut self, epoch: u64, rows: Rows) {
        self.0.entry(rows.seed).or_default().insert(epoch, rows);
    }

    /// What the rows of a seed up to an epoch come to.
    pub fn sum(&self, seed: u64, epoch: u64) -> RowsSum {
        let mut sum = RowsSum::default();
        for rows in self
            .0
            .get(&seed)
            .into_iter()
            .flat_map(|of| of.range(..=epoch))
        {
            sum.add(rows.1);
        }
        sum
    }

    /// Forgets a seed's rows behind an epoch; 0 for all.
    pub fn truncate(&mut self, seed: u64, epoch: u64) {
        if let Some(epochs) = self.0.get_mut(&seed) {
            epochs.retain(|&other, _| other <= epoch);
        }
    }

    /// The last seed that has rows, as an index into these, and its last epoch.
    pub fn last(&self, seeds: &[u64]) -> (usize, u64) {
        let last = |seed: &u64| {
            self.0
                .get(seed)
                .and_then(|of| of.keys().next_back().copied())
        };
        let with_rows = seeds.iter().enumerate().rev();
        let mut found = with_rows.filter_map(|(index, seed)| Some((index, last(seed)?)));
        found.next().unwrap_or((0, 0))
    }

    /// All rows of these seeds, in their order: of `metrics.csv` and of `training.csv`.
    pub fn text(&self, seeds: &[u64]) -> (String, String) {
        let (mut metrics, mut training) = (String::new(), String::new());
        let of_seed = seeds.iter().filter_map(|seed| self.0.get(seed));
        for rows in of_seed.flat_map(BTreeMap::values) {
            metrics += &rows.metrics;
            training += &rows.training;
        }
        (metrics, training)
    }
}

fn read(path: &Path) -> Result<String, Error> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(Error::system("read", path)(error)),
    }
}

/// The rows of a file: seed, epoch, and the whole line.
fn lines(text: &str) -> impl Iterator<Item = (u64, u64, &str)> {
    text.split_inclusive('\n').filter_map(|line| {
        let mut cells = line.split(',');
        let (seed, epoch) = (cells.next()?.parse().ok()?, cells.next()?.parse().ok()?);
        line.ends_with('\n').then_some((seed, epoch, line))
    })
}
