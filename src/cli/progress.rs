use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use playlab::Error;
use playlab::run::{Config, Event, Observer};

/// A progress bar on standard error; nothing where that is no terminal.
pub struct Progress {
    bar: ProgressBar,
    epochs: u64,
    episodes_per_epoch: u64,
    first_opponent: String,
    seeds: usize,
    /// By seed index: episodes so far, and whether unbeatable.
    state: Mutex<HashMap<usize, (u64, bool)>>,
}

impl Progress {
    /// A bar for a run with this config.
    pub fn new(config: &Config) -> Progress {
        let seeds = config.seeds.count();
        let episodes = seeds.saturating_mul(config.epochs * config.episodes_per_epoch);
        let bar =
            ProgressBar::with_draw_target(Some(episodes), ProgressDrawTarget::stderr_with_hz(8));
        let template = "{bar:12} {human_pos}/{human_len} episodes, {per_sec}{wide_msg}";
        bar.set_style(
            ProgressStyle::with_template(template)
                .expect("the template is well formed")
                .with_key(
                    "per_sec",
                    |state: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
                        let _ = write!(out, "{:.1} M/s", state.per_sec() / 1e6);
                    },
                ),
        );
        Progress {
            bar,
            epochs: config.epochs,
            episodes_per_epoch: config.episodes_per_epoch,
            first_opponent: config.evaluation.opponents[0].to_string(),
            seeds: seeds as usize,
            state: Mutex::new(HashMap::new()),
        }
    }
}

impl Progress {
    /// The bar, to print through.
    pub fn bar(&self) -> ProgressBar {
        self.bar.clone()
    }
}

/// A progress bar for so many games.
pub fn games_bar(games: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr_with_hz(8));
    bar.set_style(
        ProgressStyle::with_template("{bar:24} {human_pos}/{human_len} games, {eta} left")
            .expect("the template is well formed"),
    );
    bar
}

/// Does something that may take long, with a word to a person who waits at a
/// terminal.
pub fn while_waiting<T>(message: String, work: impl FnOnce() -> T) -> T {
    let spinner = ProgressBar::new_spinner().with_message(message);
    spinner.enable_steady_tick(Duration::from_millis(100));
    let result = work();
    spinner.finish_and_clear();
    result
}

/// [`while_waiting`], while a config's game is listed.
pub fn while_preparing<T>(config: &Config, work: impl FnOnce() -> T) -> T {
    let game = config.game.as_str();
    while_waiting(format!("listing the positions of {game}"), work)
}

impl Observer for Progress {
    fn notify(&self, event: &Event<'_>) -> Result<(), Error> {
        match event {
            Event::SeedStarted {
                index, restored, ..
            } => {
                if let (Some(record), Ok(mut seeds)) = (restored.last(), self.state.lock()) {
                    seeds.insert(*index, (record.episodes, record.unbeatable()));
                }
                self.bar
                    .inc(restored.last().map_or(0, |record| record.episodes));
            }
            Event::EpochFinished { index, state, .. } => {
                let record = state.record();
                let (win, draw, loss) = record.sides[0].exact[0];
                let unbeatable = if let Ok(mut seeds) = self.state.lock() {
                    seeds.insert(*index, (record.episodes, record.unbeatable()));
                    seeds.values().filter(|seed| seed.1).count()
                } else {
                    0
                };
                self.bar.set_message(format!(
                    ", {unbeatable}/{} unbeatable, v {} {win:.2}/{draw:.2}/{loss:.2}",
                    self.seeds, self.first_opponent
                ));
                self.bar.inc(self.episodes_per_epoch);
            }
            Event::SeedFinished { index } => {
                // What an early stop leaves undone.
                let done = self
                    .state
                    .lock()
                    .ok()
                    .and_then(|seeds| seeds.get(index).map(|seed| seed.0));
                self.bar
                    .inc(done.map_or(0, |done| self.epochs * self.episodes_per_epoch - done));
            }
            Event::Ended { .. } => self.bar.finish_and_clear(),
        }
        Ok(())
    }
}
