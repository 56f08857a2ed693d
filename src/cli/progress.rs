//! The progress of long work, on standard error.

use std::borrow::Cow;
use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use playlab::Error;
use playlab::config::Config;
use playlab::text::{count, out_of, thousands};
use playlab::train::{Event, SideRecord};
use playlab::workflow::Pace;

use super::complain;

/// The progress of a training, on standard error: a bar at a terminal, else a line now and then.
pub struct ProgressView {
    /// The bar.
    pub bar: ProgressBar,
    /// Whether there is no terminal. The bar itself would say so only under a lock.
    is_hidden: bool,
    lines: Pace,
    all_episodes: u64,
    first_opponent: String,
    trials: usize,
    /// The epochs of a trial.
    epochs: u64,
    state: Mutex<Trials>,
    measured: Arc<Measured>,
}

/// How far each trial is.
#[derive(Default)]
struct Trials {
    /// By variant and seed index: the epochs so far, and whether the agent is unbeatable.
    by_index: HashMap<(usize, usize), (u64, bool)>,
    /// The number of unbeatable agents.
    unbeatable: usize,
}

/// The epochs that are being measured, where that takes long.
#[derive(Default)]
struct Measured {
    /// The number of epochs for which games against perfect play are being computed.
    computing: AtomicU64,
    /// The number of games played for the other epochs.
    played: AtomicU64,
    /// The number of all games for the other epochs.
    all: AtomicU64,
}

impl Measured {
    /// The progress in words; `None` if nothing takes long.
    fn text(&self) -> Option<String> {
        let [computing, played, all] = [&self.computing, &self.played, &self.all]
            .map(|counter| counter.load(Ordering::Relaxed));
        if all > 0 {
            let (played, all) = (thousands(played.min(all)), count(all, "game"));
            return Some(format!("measuring, {played} of {all}"));
        }
        (computing > 0).then(|| "computing games against perfect play".to_owned())
    }

    /// Records that the games of one epoch against perfect play have been computed, if there were any.
    fn end_computing(&self) {
        let less = |computing: u64| computing.checked_sub(1);
        let _ = self
            .computing
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }
}

/// The pause between two lines if there is no terminal.
pub const LINE_PAUSE: Duration = Duration::from_secs(10);

/// Reports progress: beside the bar, or if there is no terminal in a line now and then.
pub fn say(bar: &ProgressBar, lines: &Pace, message: String) {
    if bar.is_hidden() {
        let _ = lines.when_due(|| {
            complain(&message);
            Ok::<(), Error>(())
        });
    }
    bar.set_message(message);
}

impl ProgressView {
    /// A view for a training of this many trials with this config.
    pub fn new(config: &Config, trials: u64) -> ProgressView {
        let epochs = config.epochs();
        let all = trials.saturating_mul(epochs);
        let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr_with_hz(8));
        let per_epoch = config.episodes_per_epoch();
        let measured = Arc::<Measured>::default();
        let games = Arc::clone(&measured);
        let style = ProgressStyle::with_template("{prefix}{bar:8} {percent} %{msg}{games}{rate}")
            .expect("the template is well formed")
            .with_key(
                "games",
                move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
                    if let Some(text) = games.text() {
                        let _ = write!(out, ", {text}");
                    }
                },
            )
            .with_key(
                "rate",
                move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                    let episodes = (state.per_sec() * per_epoch as f64).round() as u64;
                    if per_epoch > 0 && state.pos() > 0 {
                        let _ = write!(out, ", {}/s", count(episodes, "episode"));
                    }
                },
            );
        bar.set_style(style);
        bar.enable_steady_tick(Duration::from_millis(200));
        ProgressView {
            is_hidden: bar.is_hidden(),
            bar,
            lines: Pace::new(LINE_PAUSE),
            all_episodes: all.saturating_mul(per_epoch),
            first_opponent: config.evaluation.opponents[0].to_string(),
            trials: trials as usize,
            epochs,
            state: Mutex::default(),
            measured,
        }
    }

    /// Handles an event of a variant.
    pub fn notify(&self, variant: usize, event: &Event<'_>) -> Result<(), Error> {
        let measured = &self.measured;
        match event {
            Event::GamePlayed => {
                measured.played.fetch_add(1, Ordering::Relaxed);
                self.print_line()?;
            }
            Event::Computing => {
                measured.computing.fetch_add(1, Ordering::Relaxed);
                self.print_line()?;
            }
            Event::ComputingPart { .. } => self.print_line()?,
            Event::Measuring { games } => {
                measured.end_computing();
                measured.all.fetch_add(*games, Ordering::Relaxed);
            }
            Event::TrialStarted { progress, .. } => self.bar.inc(progress.measured()),
            Event::EpochFinished { index, record, .. } => {
                let sides = record.sides.iter().filter(|side| side.exact.is_none());
                let sampled = sides.flat_map(|side| side.sampled.iter().flatten());
                let games: u64 = sampled.map(|one| one.tally.games()).sum();
                measured.all.fetch_sub(games, Ordering::Relaxed);
                measured.played.fetch_sub(games, Ordering::Relaxed);
                if record.epoch == 0 {
                    return Ok(());
                }
                let mut trials = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                let trial = (record.epoch, record.unbeatable());
                let before = trials.by_index.insert((variant, *index), trial);
                trials.unbeatable += usize::from(trial.1);
                trials.unbeatable -= usize::from(before.is_some_and(|before| before.1));
                let unbeatable = trials.unbeatable;
                drop(trials);
                self.bar.inc(1);
                let message = self.message(&record.sides[0], unbeatable);
                self.bar.set_message(format!(", {message}"));
                self.print_line()?;
            }
            Event::TrialFinished { index } => {
                // Counts what an early stop leaves undone.
                let trials = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                let trial = trials.by_index.get(&(variant, *index));
                let left = trial.map_or(0, |(done, _)| self.epochs.saturating_sub(*done));
                self.bar.inc(left);
            }
            Event::Forfeits { epoch, text } => {
                self.bar
                    .suspend(|| complain(&format!("epoch {epoch}: {text}")));
            }
            Event::Interrupted { .. } => {}
            Event::Ended => self.bar.finish_and_clear(),
        }
        Ok(())
    }

    /// Prints a line if there is no terminal and a line is due.
    fn print_line(&self) -> Result<(), Error> {
        if !self.is_hidden {
            return Ok(());
        }
        self.lines.when_due(|| {
            let all = self.bar.length().unwrap_or(1).max(1);
            let done = u128::from(self.bar.position()) * 100 / u128::from(all);
            let of = match self.all_episodes {
                0 => String::new(),
                all => format!(" of {}", count(all, "episode")),
            };
            let games = self.measured.text();
            let games = games.map_or(String::new(), |text| format!(", {text}"));
            let (whose, message) = (self.bar.prefix(), self.bar.message());
            complain(&format!("{whose}{done} %{of}{message}{games}"));
            Ok(())
        })
    }

    /// How strong the agents are: how many trials are unbeatable, where that is known, and the
    /// latest rates.
    fn message(&self, side: &SideRecord, unbeatable: usize) -> String {
        let rates = side.against(0);
        let rates = format!(
            "{}: win {:.2} draw {:.2} loss {:.2}",
            self.first_opponent, rates.win, rates.draw, rates.loss
        );
        match side.exact {
            Some(_) => format!("{} unbeatable, {rates}", out_of(unbeatable, self.trials)),
            None => rates,
        }
    }
}

/// A message with a spinner for a user who waits at a terminal.
pub fn spinner(message: impl Into<Cow<'static, str>>) -> ProgressBar {
    let spinner = ProgressBar::new_spinner().with_message(message);
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner
}

/// Does something that may take long, with a message for a user who waits.
pub fn while_waiting<T>(message: impl Into<Cow<'static, str>>, work: impl FnOnce() -> T) -> T {
    let spinner = spinner(message);
    let result = work();
    spinner.finish_and_clear();
    result
}

/// The number of threads asked for, by default the number of processors.
pub fn threads(asked: Option<NonZeroUsize>) -> NonZeroUsize {
    let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    asked.unwrap_or_else(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn while_an_epoch_is_measured_it_is_told_how() {
        let text = "game = \"connect-four\"\nside = \"x\"\nepochs = 2\nepisodes_per_epoch = 1\n\
                    learner.mcts = {}\n";
        let config = Config::parse(text, "test").unwrap();
        let progress = ProgressView::new(&config, 1);
        assert_eq!(progress.measured.text(), None);
        let games = config.games_per_epoch();
        assert_eq!(games, 200);
        progress.notify(0, &Event::Computing).unwrap();
        let shown = progress.measured.text().unwrap();
        assert_eq!(shown, "computing games against perfect play");
        progress.notify(0, &Event::Measuring { games: 0 }).unwrap();
        assert_eq!(progress.measured.text(), None);
        progress.notify(0, &Event::Measuring { games }).unwrap();
        for _ in 0..3 {
            progress.notify(0, &Event::GamePlayed).unwrap();
        }
        let shown = progress.measured.text();
        assert_eq!(shown.as_deref(), Some("measuring, 3 of 200 games"));
    }
}
