use std::io::{BufRead, IsTerminal, Read};
use std::path::Path;
use std::time::Duration;

use clap::Args;
use playlab::Error;
use playlab::agent::{Failure, Thought};
use playlab::game::{GameInfo, Move, Outcome, Pieces, Side, legal_moves};
use playlab::search::Limits;
use playlab::text::{self, escaped, thousands};
use playlab::workflow::{Against, Hint, Session, learned_by, stage};

use super::known::{agent_names, game, known};
use super::matches::tell_cautions;
use super::output::{or_dash, print, print_styled, table, table_text};
use super::position::board;
use super::progress::while_waiting;
use super::solve::value_board;
use super::target::{Word, game_and_agents};

/// Play against an agent, or against a person at the same board
///
/// Moves are typed in the game's notation; `help` lists what else can be typed. Where not every
/// empty square can be played, + marks those that can.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab play tic-tac-toe
  lab play tic-tac-toe --against mcts:simulations=50 --as o --hints
  lab play --against run:runs/qtable_o-1
  lab play othello --against human")]
pub struct Play {
    /// The game; `lab games` lists them
    #[arg(value_name = "GAME", value_parser = game(), hide_possible_values = true)]
    first: Option<&'static GameInfo>,

    /// The game, if it is not named first [default: the one that an agent of a run learned]
    #[arg(long, value_parser = game(), hide_possible_values = true)]
    game: Option<&'static GameInfo>,

    /// Whom to play against: human, or an agent; `lab match --help` tells the forms
    #[arg(long, value_name = "SPEC", default_value = "mcts",
          value_parser = known(str::parse::<Against>, agent_names().chain(["human"])), hide_possible_values = true)]
    against: Against,

    /// The side to play against an agent, x or o; x moves first [default: x, or the one that the agent did not learn]
    #[arg(long = "as", value_name = "SIDE",
          value_parser = known(str::parse::<Side>, ["x", "o"]), hide_possible_values = true)]
    side: Option<Side>,

    /// Show what is known of every move before each of yours
    #[arg(long)]
    hints: bool,

    /// The seed of the agent's random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Play {
    /// Plays until the person has enough or the input ends.
    pub fn run(self) -> Result<(), Error> {
        let against = match &self.against {
            Against::Human => None,
            Against::Agent(spec) => Some(Word::Agent(spec.clone())),
        };
        let first = self.first.map(Word::Game);
        let words = Vec::from_iter(first.into_iter().chain(against));
        let (game, agents) = game_and_agents(&words, self.game)?;
        let is_human = self.against == Against::Human;
        if is_human && self.side.is_some() {
            return Err(Error::input("--as: against human both sides are yours"));
        }
        // An agent that learned one side plays that one.
        let learned = learned_by(&agents)?.map(|(_, sides)| sides);
        let side = self.side.unwrap_or(match learned {
            Some(&[learned]) => !learned,
            _ => Side::X,
        });
        let message = format!("preparing {} for {}", self.against, game.name);
        let session = while_waiting(message, || {
            Session::new(stage(game), &self.against, side, self.seed)
        })?;
        tell_cautions(session.caution().map(str::to_owned).as_slice());
        let mut table = Table {
            side: (!is_human).then_some(side),
            against: self.against,
            hints: self.hints,
            session,
            colored: has_colors(),
        };
        table.sit_down()
    }
}

/// Whether colours are wanted, and seen.
fn has_colors() -> bool {
    let says = |name, word: &str| std::env::var_os(name).is_some_and(|value| value == word);
    let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_seen = std::io::stdout().is_terminal() && !says("TERM", "dumb");
    !is_unwanted && (is_seen || says("CLICOLOR_FORCE", "1"))
}

/// A game at the terminal.
struct Table {
    session: Session,
    against: Against,
    /// The person's side, if there is one person.
    side: Option<Side>,
    hints: bool,
    colored: bool,
}

const HELP: &str = "\
Type a move, or one of these words:
  moves       the moves so far, and those that are possible
  board       the board again
  hint        what is known of every move; on a large board more, the longer you think
  why         what the agent thinks of this position's moves, or of those it last chose among
  undo        take back your last move and the answer
  save FILE   write the game to a file
  load FILE   go on with a game from a file
  new         begin again
  quit        leave
Where not every empty square can be played, + marks those that can.
";

/// How long a hint is waited for.
const PATIENCE: Duration = Duration::from_millis(300);

const WORDS: [&str; 10] = [
    "moves", "board", "hint", "why", "undo", "save", "load", "new", "quit", "help",
];

impl Table {
    fn sit_down(&mut self) -> Result<(), Error> {
        let who = match self.side {
            Some(side) => format!(
                "you are {}, {} is {}",
                self.named(side),
                escaped(&self.against.to_string()),
                self.named(!side)
            ),
            None => format!(
                "{} and {} are people",
                self.named(Side::X),
                self.named(Side::O)
            ),
        };
        let name = self.session.game().name;
        print_styled(&format!("{name}: {who}. Type a move, or help.\n"))?;
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
            let line = line.trim();
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let file = Path::new(rest.trim());
            match line.to_lowercase().as_str() {
                "" => {}
                "quit" | "exit" | "q" => return Ok(()),
                "help" | "?" => print(HELP)?,
                "moves" => self.moves()?,
                "board" => print_styled(&self.drawing())?,
                "hint" => self.hint()?,
                "why" => self.why()?,
                "undo" => self.undo()?,
                "save" | "load" => print(&format!("{line} what? Such as: {line} game.toml\n"))?,
                "new" => {
                    self.session.restart();
                    self.go_on()?;
                }
                text => match word.to_lowercase().as_str() {
                    "save" => match self.session.save(file) {
                        Ok(()) => print(&format!("The game is in {}\n", file.display()))?,
                        Err(error) => print(&format!("{error}\n"))?,
                    },
                    "load" => match self.session.load(file) {
                        Ok(()) => self.go_on()?,
                        Err(error) => print(&format!("{error}\n"))?,
                    },
                    _ => self.answer(text)?,
                },
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
            Err(failure) => print(&format!("{} has no move: {failure}\n", self.against))?,
        }
        print_styled(&self.drawing())?;
        let position = self.session.position();
        if let Some(outcome) = position.outcome() {
            return print(&format!("{} new or quit?\n", self.ending(outcome)));
        }
        let mut moves = position.moves();
        if moves.len() == 1
            && let Some(mv) = moves.next()
            && position.square(mv).is_none()
        {
            print(&format!("The only move is {}.\n", position.format_move(mv)))?;
        }
        if self.hints { self.hint() } else { Ok(()) }
    }

    /// The result in words.
    fn ending(&self, outcome: Outcome) -> String {
        let who = match (outcome, self.side) {
            (Outcome::Draw, _) => "A draw".to_owned(),
            (Outcome::Win(side), Some(own)) if side == own => {
                format!("You win as {}", side.letter())
            }
            (Outcome::Win(side), Some(_)) => {
                format!("You lose, {} wins as {}", self.against, side.letter())
            }
            (Outcome::Win(side), None) => format!("{} wins", side.letter()),
        };
        match self.session.discs() {
            Some([x, o]) if x == o => format!("{who}, {x} discs each."),
            Some([x, o]) => format!("{who}, {} discs to {}.", x.max(o), x.min(o)),
            None => {
                let moves = self.session.moves().len() as u64;
                format!("{who} after {}.", text::count(moves, "move"))
            }
        }
    }

    /// The board; where a person is to move and not every empty square can be played, with a mark on
    /// those that can. Below it the discs, where they count.
    fn drawing(&self) -> String {
        let position = self.session.position();
        let targets: Vec<Move> = match self.session.is_persons_turn() {
            true => position
                .moves()
                .filter(|&mv| position.square(mv).is_some())
                .collect(),
            false => Vec::new(),
        };
        let empty = position.to_string().matches('.').count();
        let marked = targets.iter().filter(|_| targets.len() < empty);
        let text = board(position, marked.map(|&mv| (mv, "+".to_owned())));
        let mut text = self.with_colors(text);
        if let Some([x, o]) = self.session.discs() {
            text += &format!("{} {x}, {} {o}\n", self.named(Side::X), self.named(Side::O));
        }
        text
    }

    /// A board with its pieces in colours, where the terminal has them.
    fn with_colors(&self, mut text: String) -> String {
        for side in Side::BOTH {
            // No capital letter names a column.
            text = text.replace(side.letter(), &self.piece(side));
        }
        text
    }

    /// What is put on the board for a side.
    fn piece(&self, side: Side) -> String {
        let letter = side.letter();
        let piece = match self.session.game().pieces {
            Pieces::Marks => letter,
            Pieces::Stones | Pieces::Discs => '●',
        };
        match (self.colored, side) {
            (false, _) => letter.to_string(),
            (true, Side::X) => format!("\x1b[1;34m{piece}\x1b[0m"),
            (true, Side::O) => format!("\x1b[1;33m{piece}\x1b[0m"),
        }
    }

    /// A side's letter, and its piece where that is another.
    fn named(&self, side: Side) -> String {
        match (self.colored, self.session.game().pieces) {
            (false, _) | (_, Pieces::Marks) => self.piece(side),
            _ => format!("{} {}", side.letter(), self.piece(side)),
        }
    }

    fn moves(&self) -> Result<(), Error> {
        let game = self.session.game();
        let so_far: Vec<String> = (self.session.moves().iter())
            .map(|&mv| game.format_move(mv))
            .collect();
        let so_far = match &so_far[..] {
            [] => "none".to_owned(),
            moves => moves.join(","),
        };
        let legal = legal_moves(self.session.position());
        print(&format!("moves so far: {so_far}\n{legal}\n"))
    }

    fn hint(&mut self) -> Result<(), Error> {
        let position = self.session.position();
        if position.outcome().is_some() {
            return print("The game is over.\n");
        }
        let letter = position.to_move().letter();
        let (head, drawn) = match self.session.hint(PATIENCE) {
            None => return print("Nothing is known yet; ask again.\n"),
            Some(Hint::Exact(analysis)) => (
                format!("What every move is worth to {letter}, the best marked:"),
                value_board(position, &analysis.moves),
            ),
            Some(Hint::Estimate {
                simulations,
                moves,
                best,
            }) => (
                format!(
                    "Estimates for {letter} by {} simulations, a draw being half a win, the best marked; \
                     ask again for better ones:",
                    thousands(simulations)
                ),
                board(
                    position,
                    moves
                        .iter()
                        .map(|mv| (mv.mv, expected(mv, best.contains(mv.mv)))),
                ),
            ),
        };
        print_styled(&format!("{head}\n{}", self.with_colors(drawn)))
    }

    /// On the person's turn what the agent thought when it moved; where it has not
    /// moved yet, what it thinks of the position as it is.
    fn why(&mut self) -> Result<(), Error> {
        let session = &mut self.session;
        let told = while_waiting("thinking".to_owned(), || session.why(&Limits::NONE));
        let (position, thoughts) = match told {
            Ok(Some(told)) => told,
            Ok(None) => return print("No agent plays; hint tells what is known.\n"),
            Err(failure @ (Failure::Stopped(_) | Failure::Unreachable(_))) => {
                return print(&format!("{}: {failure}\n", self.against));
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
            self.against,
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

/// What is proven of a move, or else its mean result in percent.
fn expected(thought: &Thought, is_best: bool) -> String {
    let mark = if is_best { "*" } else { " " };
    match (thought.proven, thought.value) {
        (Some(value), _) => format!("{value}{mark}"),
        (None, Some(mean)) => format!("{:.0}%{mark}", 100.0 * mean),
        (None, None) => format!("?{mark}"),
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
    ("estimate", |thought| Some(thought.score?.to_string())),
    ("exact score", |thought| {
        Some(format!("{:+}", thought.exact_score?))
    }),
    ("optimal", |thought| {
        Some(if thought.optimal? { "yes" } else { "no" }.to_owned())
    }),
];
