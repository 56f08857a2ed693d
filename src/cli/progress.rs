use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use playlab::Error;
use playlab::config::Config;
use playlab::train::Event;

/// A progress bar of a training on standard error; nothing where that is no terminal.
pub struct Progress {
    /// The bar.
    pub bar: ProgressBar,
    first_opponent: String,
    trials: usize,
    /// Epochs of a trial.
    epochs: u64,
    /// By variant and seed index: epochs so far, and whether unbeatable.
    state: Mutex<HashMap<(usize, usize), (u64, bool)>>,
}

impl Progress {
    /// A bar for a training of so many variants with this config.
    pub fn new(config: &Config, variants: usize) -> Progress {
        let trials = config.seeds.count().saturating_mul(variants as u64);
        let epochs = config.epochs();
        let all = trials.saturating_mul(epochs);
        let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr_with_hz(8));
        let per_epoch = config.episodes_per_epoch();
        let style = ProgressStyle::with_template("{bar:12} {episodes}{wide_msg}")
            .expect("the template is well formed")
            .with_key(
                "episodes",
                move |state: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
                    let episodes = state.pos().saturating_mul(per_epoch);
                    let rate = state.per_sec() * per_epoch as f64 / 1e6;
                    let all = state.len().unwrap_or(0).saturating_mul(per_epoch);
                    let told = indicatif::HumanCount;
                    let _ = write!(
                        out,
                        "{}/{} episodes, {rate:.1} M/s",
                        told(episodes),
                        told(all)
                    );
                },
            );
        bar.set_style(style);
        Progress {
            bar,
            first_opponent: config.evaluation.opponents[0].to_string(),
            trials: trials as usize,
            epochs,
            state: Mutex::new(HashMap::new()),
        }
    }

    /// Takes notice of an event of a variant.
    pub fn notify(&self, variant: usize, event: &Event<'_>) -> Result<(), Error> {
        match event {
            Event::TrialStarted { progress, .. } => self.bar.inc(progress.measured()),
            Event::EpochFinished { record, .. } if record.epoch == 0 => {}
            Event::EpochFinished { index, record, .. } => {
                let merit = record.merit();
                let unbeatable = match self.state.lock() {
                    Ok(mut trials) => {
                        trials.insert((variant, *index), (record.epoch, merit.unbeatable));
                        trials.values().filter(|trial| trial.1).count()
                    }
                    Err(_) => 0,
                };
                // Where nothing is exact that cannot be told.
                let unbeatable = match record.sides[0].exact {
                    Some(_) => format!(", {unbeatable}/{} unbeatable", self.trials),
                    None => String::new(),
                };
                let rates = record.sides[0].against(0);
                self.bar.set_message(format!(
                    "{unbeatable}, v {} {:.2}/{:.2}/{:.2}",
                    self.first_opponent, rates.win, rates.draw, rates.loss
                ));
                self.bar.inc(1);
            }
            Event::TrialFinished { index } => {
                // What an early stop leaves undone.
                let trials = self.state.lock();
                let done = trials.ok().and_then(|trials| {
                    let trial = trials.get(&(variant, *index));
                    trial.map(|(epochs, _)| *epochs)
                });
                self.bar
                    .inc(done.map_or(0, |done| self.epochs.saturating_sub(done)));
            }
            Event::Interrupted { .. } => {}
            Event::Ended => self.bar.finish_and_clear(),
        }
        Ok(())
    }
}

/// A word to a person who waits at a terminal.
pub fn spinner(message: String) -> ProgressBar {
    let spinner = ProgressBar::new_spinner().with_message(message);
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner
}

/// Does something that may take long, with a word to a person who waits.
pub fn while_waiting<T>(message: String, work: impl FnOnce() -> T) -> T {
    let spinner = spinner(message);
    let result = work();
    spinner.finish_and_clear();
    result
}

/// As asked for, or the number of processors.
pub fn threads(asked: Option<NonZeroUsize>) -> NonZeroUsize {
    let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    asked.unwrap_or_else(all)
}
