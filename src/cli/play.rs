use std::io::{BufRead, IsTerminal, Read};

use clap::Args;
use playlab::Error;
use playlab::agent::{AgentSpec, Failure, Thought};
use playlab::game::{GameInfo, Outcome, Side, legal_moves};
use playlab::search::{Limits, Stopped};
use playlab::text::{self, thousands};
use playlab::workflow::{Session, stage};

use super::matches::tell_cautions;
use super::output::{or_dash, print, print_styled, table, table_text};
use super::position::board;
use super::progress::while_waiting;
use super::solve::value_board;

/// Play against an agent
///
/// Moves are typed in the game's notation. Other words: hint (what every move is
/// worth under perfect play), why (what the agent thinks of the position, or of the
/// one it last moved in), undo, new, help, quit.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab play tic-tac-toe
  lab play tic-tac-toe --against mcts:simulations=50 --as o --hints
  lab play tic-tac-toe --against run:runs/qtable_o-1")]
pub struct Play {
    /// The game; `lab games` lists them
    #[arg(value_parser = GameInfo::find)]
    game: &'static GameInfo,

    /// Whom to play against; `lab match --help` tells the forms
    #[arg(long, value_name = "SPEC", default_value = "mcts")]
    against: AgentSpec,

    /// The side to play, x or o; x moves first
    #[arg(long = "as", value_name = "SIDE", default_value = "x")]
    side: Side,

    /// Show what every move is worth before each of yours
    #[arg(long)]
    hints: bool,

    /// The seed of the agent's random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Play {
    /// Plays until the person has enough or the input ends.
    pub fn run(self) -> Result<(), Error> {
        let game = self.game;
        let message = format!("preparing {} for {}", self.against, game.name);
        let session = while_waiting(message, || {
            Session::new(stage(game), &self.against, self.side, self.seed)
        })?;
        tell_cautions(session.caution().map(str::to_owned).as_slice());
        let colored = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        let mut table = Table {
            play: self,
            session,
            colored,
        };
        table.sit_down()
    }
}

/// A game at the terminal.
struct Table {
    play: Play,
    session: Session,
    colored: bool,
}

const HELP: &str = "\
Type a move, or one of these words:
  hint   what every move is worth under perfect play
  why    what the agent thinks of this position's moves, or of those it last chose among
  undo   take back your last move and the answer
  new    begin again
  quit   leave
";

/// Positions that the oracle may look at for a hint.
const HINT_NODES: u64 = 20_000_000;

const WORDS: [&str; 6] = ["hint", "why", "undo", "new", "quit", "help"];

impl Table {
    fn sit_down(&mut self) -> Result<(), Error> {
        let side = self.play.side;
        print(&format!(
            "{}: you are {}, {} is {}. Type a move, or help.\n",
            self.session.game().name,
            side.letter(),
            self.play.against,
            (!side).letter()
        ))?;
        self.go_on()?;
        loop {
            self.prompt()?;
            let line = read_line()?;
            if line.is_empty() {
                return print("\n");
            }
            // Bytes that are no text are a slip, as other wrong input is.
            let Ok(line) = String::from_utf8(line) else {
                print("That is no text; type a move, or help.\n")?;
                continue;
            };
            if !std::io::stdin().is_terminal() {
                // A terminal shows what is typed; a pipe does not.
                print(&format!("{}\n", line.trim_end()))?;
            }
            let word = line.trim().to_lowercase();
            match word.as_str() {
                "" => {}
                "quit" | "exit" | "q" => return Ok(()),
                "help" | "?" => print(HELP)?,
                "hint" => self.hint()?,
                "why" => self.why()?,
                "undo" => self.undo()?,
                "new" => {
                    self.session.restart();
                    self.go_on()?;
                }
                text => self.answer(text)?,
            }
        }
    }

    fn prompt(&self) -> Result<(), Error> {
        let position = self.session.position();
        let who = match position.outcome() {
            Some(_) => "over".to_owned(),
            None => position.to_move().letter().to_string(),
        };
        print(&format!("{who}> "))
    }

    fn answer(&mut self, word: &str) -> Result<(), Error> {
        let position = self.session.position();
        if position.outcome().is_some() {
            return print("The game is over; type new, undo or quit.\n");
        }
        let mv = match position.game().parse_move(word) {
            Ok(mv) => mv,
            Err(error) => {
                let hint = text::nearest(word, WORDS)
                    .map_or_else(String::new, |near| format!("; did you mean {near}?"));
                return print(&format!("{error}{hint}\n"));
            }
        };
        match self.session.play(mv) {
            Ok(()) => self.go_on(),
            Err(_) => print(&format!(
                "{word} is not possible here; {}\n",
                legal_moves(position)
            )),
        }
    }

    /// Lets the agent move if it is its turn, and shows the board.
    fn go_on(&mut self) -> Result<(), Error> {
        let mover = self.session.position().to_move();
        let session = &mut self.session;
        let answered = while_waiting("thinking".to_owned(), || session.answer(&Limits::NONE));
        match answered {
            Ok(None) => {}
            Ok(Some(mv)) => print(&format!(
                "{} plays {}\n",
                mover.letter(),
                self.session.game().format_move(mv)
            ))?,
            Err(failure) => print(&format!("{} has no move: {failure}\n", self.play.against))?,
        }
        print_styled(&self.drawing())?;
        let position = self.session.position();
        match position.outcome() {
            Some(Outcome::Win(side)) if side == self.play.side => print("You win. new or quit?\n"),
            Some(Outcome::Win(side)) => print(&format!("{} wins. new or quit?\n", side.letter())),
            Some(Outcome::Draw) => print("A draw. new or quit?\n"),
            None => {
                let mut moves = position.moves();
                if moves.len() == 1
                    && let Some(mv) = moves.next()
                    && position.square(mv).is_none()
                {
                    print(&format!("The only move is {}.\n", position.format_move(mv)))?;
                }
                if self.play.hints { self.hint() } else { Ok(()) }
            }
        }
    }

    fn drawing(&self) -> String {
        let text = board(self.session.position(), []);
        if !self.colored {
            return text;
        }
        // No capital letter names a column.
        text.replace('X', "\x1b[1;34mX\x1b[0m")
            .replace('O', "\x1b[1;33mO\x1b[0m")
    }

    fn hint(&mut self) -> Result<(), Error> {
        let position = self.session.position();
        if position.outcome().is_some() {
            return print("The game is over.\n");
        }
        let session = &mut self.session;
        let analysis = while_waiting("asking the oracle".to_owned(), || {
            session.hint(&Limits::nodes(HINT_NODES))
        });
        match analysis {
            Ok(Some(analysis)) => print(&format!(
                "What every move is worth to {}, the best marked:\n{}",
                position.to_move().letter(),
                value_board(position, &analysis.moves)
            )),
            Ok(None) => print("The oracle does not know this position.\n"),
            Err(Stopped) => print(&format!(
                "The oracle does not see the end from here, looking at {} positions.\n",
                thousands(HINT_NODES)
            )),
        }
    }

    /// On the person's turn what the agent thought when it moved; where it has not
    /// moved yet, what it thinks of the position as it is.
    fn why(&mut self) -> Result<(), Error> {
        let session = &mut self.session;
        let told = while_waiting("thinking".to_owned(), || session.why(&Limits::NONE));
        let (position, thoughts) = match told {
            Ok(told) => told,
            Err(failure @ (Failure::Stopped(_) | Failure::Unreachable(_))) => {
                return print(&format!("{}: {failure}\n", self.play.against));
            }
        };
        if thoughts.is_empty() {
            return print("The game is over.\n");
        }
        let columns: Vec<&Column> = COLUMNS
            .iter()
            .filter(|(_, cell)| thoughts.iter().any(|thought| cell(thought).is_some()))
            .collect();
        let heads = columns.iter().map(|(head, _)| *head);
        let mut rows = table(["move"].into_iter().chain(heads), 1);
        for thought in &thoughts {
            let cells = columns.iter().map(|(_, cell)| or_dash(cell(thought)));
            let mv = position.format_move(thought.mv);
            rows.add_row([mv].into_iter().chain(cells).collect::<Vec<_>>());
        }
        print(&format!(
            "{} in {position}, {} to move:\n{}",
            self.play.against,
            position.to_move().letter(),
            table_text(&rows)
        ))
    }

    fn undo(&mut self) -> Result<(), Error> {
        if self.session.undo() {
            print_styled(&self.drawing())
        } else {
            print("There is nothing to take back.\n")
        }
    }
}

/// A line of standard input, with its end; nothing after the last one. Errors: [`Error`] if it
/// cannot be read, or is longer than anybody types.
fn read_line() -> Result<Vec<u8>, Error> {
    const MOST: u64 = 1 << 16;
    let mut line = Vec::new();
    let mut input = std::io::stdin().lock().take(MOST + 1);
    let read = input.read_until(b'\n', &mut line);
    read.map_err(Error::system("read", "standard input".as_ref()))?;
    match line.len() as u64 > MOST {
        true => Err(Error::input(
            "standard input has a line of more than 65,536 bytes",
        )),
        false => Ok(line),
    }
}

/// What is told of a thought: the head of a column, and its cell.
type Column = (&'static str, fn(&Thought) -> Option<String>);

const COLUMNS: [Column; 7] = [
    ("probability", |thought| {
        Some(format!("{:.3}", thought.probability?))
    }),
    ("visits", |thought| Some(thought.visits?.to_string())),
    ("value", |thought| Some(format!("{:+.4}", thought.value?))),
    ("proven", |thought| Some(thought.proven?.to_string())),
    ("score", |thought| Some(thought.score?.to_string())),
    ("exact score", |thought| {
        Some(format!("{:+}", thought.exact_score?))
    }),
    ("optimal", |thought| {
        Some(if thought.optimal? { "yes" } else { "no" }.to_owned())
    }),
];
