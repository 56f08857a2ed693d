//! What a run has recorded so far, read once for everyone who asks.

use std::path::PathBuf;
use std::sync::Arc;

use super::recent::Recent;
use crate::error::Error;
use crate::store::{RunDirectory, Stamp, read_live};
use crate::train::{Recorded, SeedSummary, summarize};

/// What a run has recorded so far.
pub(super) struct Reading {
    pub data: Recorded,
    /// Its seeds, as [`summarize`] describes them.
    pub seeds: Vec<SeedSummary>,
}

impl Reading {
    /// Reads a run. Errors: as [`read_live`].
    pub fn of(run: &RunDirectory) -> Result<Reading, Error> {
        let data = read_live(run)?;
        let seeds = summarize(&data);
        Ok(Reading { data, seeds })
    }
}

/// The run that was read last, kept for the next request: it is read again only after its files have changed.
pub struct Readings(Recent<(PathBuf, Stamp), Reading>);

impl Default for Readings {
    fn default() -> Readings {
        // A long run takes up a lot of memory.
        Readings(Recent::new(1))
    }
}

impl Readings {
    /// What a run has recorded so far. Errors: as [`read_live`].
    pub(super) fn of(&self, run: &RunDirectory) -> Result<Arc<Reading>, Error> {
        let key = (run.root().to_owned(), Stamp::of(run));
        self.0.get(key, || Ok(Arc::new(Reading::of(run)?)))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::Readings;
    use crate::store::RunDirectory;
    use crate::train::MetricsRow;

    #[test]
    fn a_run_is_read_again_once_it_has_changed() {
        let root = tempfile::tempdir().unwrap();
        let write =
            |name: &str, text: String| std::fs::write(root.path().join(name), text).unwrap();
        let config = "game = \"tic-tac-toe\"\nside = \"x\"\nepochs = 1\nepisodes_per_epoch = 1\nopponents = [{ agent = \"random\" }]\n\
                      [learner.q-learning]\n";
        write("config.toml", config.to_owned());
        let metrics = format!("{}\n", MetricsRow::COLUMNS);
        write("metrics.csv", metrics.clone());
        write(
            "training.csv",
            "seed,epoch,episodes,side,optimal_move_rate,worst_case\n".to_owned(),
        );
        let run = RunDirectory::open(root.path()).unwrap();
        let readings = Readings::default();
        let first = readings.of(&run).unwrap();
        assert!(first.data.metrics.is_empty());
        assert!(Arc::ptr_eq(&first, &readings.of(&run).unwrap()));

        let row = "1,0,0,x,random,,exact,,,,0.6,0.1,0.3,0.6,0.6\n";
        write("metrics.csv", metrics + row);
        let second = readings.of(&run).unwrap();
        assert_eq!(second.data.metrics[0].win_rate, 0.6);
        assert!(Arc::ptr_eq(&second, &readings.of(&run).unwrap()));
    }
}
