//! The trials of a training, on several threads.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::event::{Event, Notify, Status};
use super::experiment::Experiment;
use super::measure::Meter;
use super::state::{Moment, TrialState};
use crate::error::Error;
use crate::threads::{MOST_THREADS, on_threads};

/// The trials of one variant: a seed each.
pub struct Job<'a> {
    /// What the trials share.
    pub experiment: &'a Experiment,
    /// Loads the moment from which a seed goes on, if there is one.
    pub load: Box<dyn Fn(u64) -> Result<Option<Moment>, Error> + Sync + 'a>,
    /// Called with what happens, from several threads; an error ends the training.
    pub notify: Box<Notify<'a>>,
}

/// Trains every trial of every job, several at a time. The events of a trial do not depend on
/// `threads`; once `stop` is true, trials end with their current epoch, and if measuring it takes
/// games, they do that when they are resumed. Errors: an error of loading, of measuring or of a
/// job's `notify`; the other trials then stop after their current epoch.
pub fn train(jobs: &[Job<'_>], threads: NonZeroUsize, stop: &AtomicBool) -> Result<Status, Error> {
    let of_job = |(job, of): (usize, &Job<'_>)| {
        let seeds = of.experiment.config.seeds.list().into_iter().enumerate();
        seeds.map(move |(index, seed)| (job, index, seed))
    };
    let trials: Vec<(usize, usize, u64)> = jobs.iter().enumerate().flat_map(of_job).collect();
    let threads = threads.get().min(MOST_THREADS);
    let workers = threads.min(trials.len()).max(1);
    // If there are fewer trials than threads, the games of an epoch use the rest.
    let games = NonZeroUsize::new(threads / workers).unwrap_or(NonZeroUsize::MIN);
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let finished = AtomicUsize::new(0);
    let stopped = || stop.load(Ordering::SeqCst) || failed.load(Ordering::SeqCst);
    let work = || -> Result<(), Error> {
        let mut meter: Option<(usize, Meter<'_>)> = None;
        while !stopped() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(&(job_number, index, seed)) = trials.get(number) else {
                break;
            };
            let job = &jobs[job_number];
            let result = (job.load)(seed).and_then(|resume| {
                let mut state = TrialState::new(job.experiment, seed, resume);
                let meter = match &mut meter {
                    Some((of, meter)) if *of == job_number => meter,
                    place => {
                        let meter = Meter::new(job.experiment, games);
                        &mut place.insert((job_number, meter)).1
                    }
                };
                run_trial(index, &mut state, meter, &job.notify, stop, &stopped)
            });
            if result.inspect_err(|_| failed.store(true, Ordering::SeqCst))? {
                finished.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(())
    };
    on_threads(workers, work)?;
    // If it is stopped when nothing is left to do, it counts as finished.
    let status = match finished.into_inner() == trials.len() {
        true => Status::Finished,
        false => Status::Interrupted,
    };
    for job in jobs {
        (job.notify)(&Event::Ended)?;
    }
    Ok(status)
}

/// Returns whether the trial is finished, rather than stopped before.
fn run_trial<'a>(
    index: usize,
    state: &mut TrialState<'a>,
    meter: &mut Meter<'_>,
    notify: &Notify<'_>,
    stop: &AtomicBool,
    stopped: &dyn Fn() -> bool,
) -> Result<bool, Error> {
    let started = Event::TrialStarted {
        progress: &state.now.progress,
    };
    notify(&started)?;
    while !state.is_finished() {
        let Some((record, rows)) = state.advance(meter, stop, notify)? else {
            // In the first epoch no training could be lost.
            if state.now.progress.epoch > 0 {
                notify(&Event::Interrupted { state })?;
            }
            return Ok(false);
        };
        let finished = state.is_finished();
        let stops = finished || stopped();
        let event = Event::EpochFinished {
            index,
            state,
            record: &record,
            rows: &rows,
            stops,
        };
        notify(&event)?;
        if stops && !finished {
            return Ok(false);
        }
    }
    notify(&Event::TrialFinished { index })?;
    Ok(true)
}
