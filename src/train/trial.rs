//! One epoch of a trial: trained, then measured.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::epoch_record::{EpochRecord, Rows, RowsSum};
use super::event::{Event, Notify};
use super::experiment::Experiment;
use super::measure::Meter;
use super::state::{Best, Moment, Progress, TrialState};
use crate::error::Error;
use crate::rng::{Purpose, stream};

impl<'a> TrialState<'a> {
    pub(super) fn new(
        experiment: &'a Experiment,
        seed: u64,
        resume: Option<Moment>,
    ) -> TrialState<'a> {
        let now = resume.unwrap_or_else(|| Moment {
            progress: Progress::default(),
            episodes: 0,
            rng: stream(seed, Purpose::Training, 0, 0),
            learner: Arc::clone(&experiment.setup).learner(),
        });
        TrialState {
            experiment,
            seed,
            now,
            best: None,
        }
    }

    pub(super) fn is_finished(&self) -> bool {
        self.now.progress.is_finished(&self.experiment.config)
    }

    /// Trains and measures one more epoch, or at the very start measures the untrained learner as
    /// epoch 0; `None` if it was stopped before the measurement, which then comes first when it is
    /// resumed.
    pub(super) fn advance(
        &mut self,
        meter: &mut Meter<'_>,
        stop: &AtomicBool,
        notify: &Notify<'_>,
    ) -> Result<Option<(EpochRecord, Rows)>, Error> {
        let config = &self.experiment.config;
        let Moment {
            progress,
            episodes,
            rng,
            learner,
        } = &mut self.now;
        let is_untrained =
            progress.epoch == 0 && progress.rows == RowsSum::default() && config.learner.is_some();
        let scalars = progress.unmeasured.take().unwrap_or_else(|| {
            if is_untrained {
                return learner.scalars();
            }
            *episodes += learner.train(*episodes, config.episodes_per_epoch(), rng, None);
            progress.epoch += 1;
            learner.scalars()
        });
        let epoch = progress.epoch;
        for forfeits in learner.forfeits() {
            let text = self.experiment.forfeits_text(&forfeits);
            notify(&Event::Forfeits { epoch, text: &text })?;
        }
        let (learner, seed) = (learner.as_mut(), self.seed);
        let Some(sides) = meter.measure(learner, &scalars, seed, epoch, stop, notify)? else {
            progress.unmeasured = Some(scalars);
            return Ok(None);
        };
        let record = EpochRecord {
            epoch,
            episodes: *episodes,
            sides,
        };
        let rows = record.rows(self.seed, config);
        progress.rows.add(&rows);
        if is_untrained {
            return Ok(Some((record, rows)));
        }
        let merit = record.merit(config.game);
        progress.complete = learner.is_complete();
        progress.unbeatable_epochs = match merit.unbeatable {
            true => progress.unbeatable_epochs + 1,
            false => 0,
        };
        let is_better = |best: Best| merit.is_better_than(&best.merit, config.game);
        if progress.best.is_none_or(is_better) {
            progress.best = Some(Best { epoch, merit });
            self.best = learner.keep().map(|learner| Moment {
                progress: progress.clone(),
                episodes: *episodes,
                rng: rng.clone(),
                learner,
            });
        }
        Ok(Some((record, rows)))
    }
}
