use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::{ArgGroup, Args};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use playlab::Error;
use playlab::game::GameInfo;
use playlab::text::{count, out_of, shell_word, thousands};
use playlab::workflow::{BookPlan, BookPositions, BookProgress, Pace, make_book};

use super::interrupts::{ENDING, interrupted, until_interrupted};
use super::known::game;
use super::output::print;
use super::progress::{LINE_PAUSE, say, threads};
use super::whole::whole;

/// Compute an opening book of Connect Four
///
/// Scores all positions of the first five plies, the last of them first, and after that the moves in games in which
/// at least one side plays perfectly, that is, only moves with the best score. From ply 5 on only the best moves get scores, unless both sides
/// have played perfectly; the others are only known to be worse. Every result is written to the directory at once, so the command can resume
/// after being killed, a longer book can continue a shorter one, and several processes can share the work.
/// At the end it writes book.bin, whose bytes do not depend on any of that; as src/core/search/connect_four/book.bin
/// it is built into the program.
#[derive(Args)]
#[command(group(ArgGroup::new("what").required(true).args(["plies", "positions"])), after_help = "\
Examples:
  lab book connect-four-5x4 --plies 6 --out book-5x4
  nice lab book connect-four --plies 8 --out book --memory 2048
  lab book connect-four --positions --out positions")]
pub struct Book {
    /// A board of Connect Four; `lab games` lists them
    #[arg(value_parser = game(), hide_possible_values = true)]
    game: &'static GameInfo,

    /// The last ply at which moves get scores; the first move is at ply 0
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=20))]
    plies: Option<u32>,

    /// Score the moves of the positions that agents are judged in instead, and write positions.bin,
    /// which is built into the program as src/core/evaluate/positions.bin
    #[arg(long)]
    positions: bool,

    /// The directory to make, or to continue
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Positions to solve at the same time [default: the number of processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// The most that each search remembers, in MiB, rounded down to a power of two
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = whole::<u64>(1..=32_768))]
    memory: u64,
}

impl Book {
    /// Computes and writes the book; exit code 130 if interrupted.
    pub fn run(self) -> Result<ExitCode, Error> {
        let plan = BookPlan {
            game: self.game,
            positions: match self.plies {
                Some(plies) => BookPositions::PerfectPlay { plies },
                None => BookPositions::Sampled,
            },
            threads: threads(self.threads),
            table_bits: (self.memory << 20).ilog2() - 4,
        };
        let shown = Shown::new();
        let made = until_interrupted(&shown.bar, ENDING, |stop| {
            make_book(&plan, &self.out, stop, &|progress| shown.report(progress))
        })?;
        let Some(made) = made else {
            let of = match self.plies {
                Some(plies) => format!("--plies {plies}"),
                None => "--positions".to_owned(),
            };
            let threads = self.threads.map(|threads| format!(" --threads {threads}"));
            return Ok(interrupted(&format!(
                "stopped; to go on: lab book {} {of} --out {} --memory {}{}",
                self.game.name,
                shell_word(&self.out),
                self.memory,
                threads.unwrap_or_default()
            )));
        };
        print(&format!(
            "{}, {}: {} in {}, {} bytes\n",
            self.game.name,
            match self.plies {
                Some(plies) => format!("moves through ply {plies}"),
                None => "sampled positions".to_owned(),
            },
            count(made.book.len() as u64, "position"),
            made.path.display(),
            thousands(made.bytes as u64)
        ))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Shows progress on standard error: a bar at a terminal, else a line now and then.
struct Shown {
    bar: ProgressBar,
    lines: Pace,
    /// The ply, and when work on its first position began.
    ply: Mutex<Option<(u32, Instant)>>,
}

impl Shown {
    fn new() -> Shown {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(8));
        let style = ProgressStyle::with_template("{bar:24} {msg}, {elapsed}");
        bar.set_style(style.expect("the template is well formed"));
        bar.enable_steady_tick(Duration::from_millis(200));
        Shown {
            bar,
            lines: Pace::new(LINE_PAUSE),
            ply: Mutex::new(None),
        }
    }

    fn report(&self, progress: BookProgress) {
        let (ply, positions, done) = (progress.ply, progress.positions, progress.done);
        let Ok(mut current) = self.ply.lock() else {
            return;
        };
        let started = match *current {
            Some((same, started)) if same == ply => started,
            _ => current.insert((ply, Instant::now())).1,
        };
        let own = progress.own();
        let left = started.elapsed().as_secs_f64() / own.max(1) as f64 * (positions - done) as f64;
        let left = match own {
            0 => String::new(),
            _ => format!(", about {} left", duration(left)),
        };
        let text = format!(
            "ply {ply} of {}: {} positions{left}",
            progress.last,
            out_of(done, positions)
        );
        self.bar.set_length(positions as u64);
        self.bar.set_position(done as u64);
        say(&self.bar, &self.lines, text);
    }
}

/// A number of seconds in words.
fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min", whole / 60),
        _ => format!("{} h {} min", whole / 3600, whole / 60 % 60),
    }
}
