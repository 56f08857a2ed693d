use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use playlab::Error;
use playlab::agent::AgentSpec;
use playlab::game::GameInfo;
use playlab::search::Limits;
use playlab::workflow::{GtpEngine, stage};

use super::input::read_line;
use super::known::{agent, game};
use super::matches::report_cautions;
use super::output::unprinted;

/// Let an agent play as a program that others start, over the Go Text Protocol
///
/// Reads commands from standard input and answers on standard output, until quit or the end of the
/// input. A vertex is a column's letter and a row's number as in the game's notation: rows count from the top, no letter is
/// left out. In games where stones fall, a vertex is the column's letter alone. Black is X, who moves first. For the
/// other way round, an outside program as an agent, see gtp:COMMAND in `lab match --help`.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab gtp othello --agent alpha-beta:depth=6
  lab gtp connect-four --agent level:master
  echo 'genmove b' | lab gtp tic-tac-toe --agent minimax:first
  lab match 'gtp:lab gtp tic-tac-toe --agent minimax' random --game tic-tac-toe --games 10")]
pub struct Gtp {
    /// The game
    #[arg(value_name = "GAME", value_parser = game(), hide_possible_values = true)]
    game: &'static GameInfo,

    /// Who plays
    #[arg(long, value_name = "SPEC", value_parser = agent(), hide_possible_values = true)]
    agent: AgentSpec,

    /// The seed of its random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Gtp {
    /// Answers commands until `quit`.
    pub fn run(self) -> Result<(), Error> {
        let mut engine = GtpEngine::new(stage(self.game), self.agent, self.seed)?;
        report_cautions(engine.caution().as_slice());
        #[cfg(unix)]
        std::thread::spawn(watch_output);
        let mut output = std::io::stdout().lock();
        loop {
            let line = read_line()?;
            if line.is_empty() {
                break;
            }
            // Bytes that are not text make an unknown command or a wrong argument.
            let line = String::from_utf8_lossy(&line);
            let Some(reply) = engine.answer(&line, &Limits::until(&UNREAD)) else {
                continue;
            };
            write!(output, "{reply}")
                .and_then(|()| output.flush())
                .map_err(unprinted)?;
            if reply.quits {
                break;
            }
        }
        Ok(())
    }
}

/// Whether nobody is reading the answers any more.
static UNREAD: AtomicBool = AtomicBool::new(false);

/// Waits until nobody is reading the answers any more, which ends a search. The end of the input does not end it,
/// because earlier commands must be answered.
#[cfg(unix)]
fn watch_output() {
    let mut output = libc::pollfd {
        fd: libc::STDOUT_FILENO,
        events: 0,
        revents: 0,
    };
    // SAFETY: it is one of them, which is there until the call returns.
    if unsafe { libc::poll(&mut output, 1, -1) } == 1 {
        UNREAD.store(true, Ordering::Relaxed);
    }
}
